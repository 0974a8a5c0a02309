"""Vectorisation across short rows: loops that reduce rows of few elements run with a row in each lane.

    for "parallel" %i in (0, n)                   for "vector" %v in (0, 16)
      t = alloc[3]                          ->      m = maximum of x[i + v, k] over k in (0, 3)
      m = maximum of x[i, k] over k in (0, 3)       for %k in (0, 3)
      for %k in (0, 3)                                t[k] = exp(x[i + v, k] - m)
        t[k] = exp(x[i, k] - m)                     ...
      ...

A vector along such a row has more lanes than the row has elements. Accesses of neighbouring rows are strided and take an
instruction per lane, which costs less than computing everything else row by row.
"""

from __future__ import annotations

from xdsl.ir import Operation

from ....dialects import loop
from ...analysis.loop_nests import Frame
from ...analysis.reductions import statements
from ...analysis.strides import strides

# Longer rows fill at least half of a vector along them.
ROW = 8
_STATEMENTS = (loop.ConstantOp, loop.ComputeOp, loop.CastOp, loop.LoadOp, loop.StoreOp, loop.AllocOp, loop.IndexOp)


def is_over_short_rows(op: loop.ForOp, frame: Frame) -> bool:
    """Whether a parallel loop only iterates over rows that are known to be short, and reduces each."""
    inside = statements(op)
    rows = [each for each in inside if isinstance(each, loop.ForOp)]
    others = [each for each in inside if not isinstance(each, loop.ForOp)]
    if op.kind.data != "parallel" or op.carried or op.step.value.data != 1 or not any(row.carried for row in rows):
        return False
    if not all(map(_is_short, rows)) or not all(map(_is_plain, others)):
        return False
    for row in rows:
        frame.enter(row)
    ranges = frame.ranges([frame.number(level.induction) for level in (op, *rows)])
    along = strides(inside, frame.number(op.induction), frame, ranges)
    return all(each is not None and each.constant is not None for each in along)


def _is_short(row: loop.ForOp) -> bool:
    is_known = row.lower.constant is not None and row.trips is not None and 0 < row.trips <= ROW
    return is_known and row.kind.data not in ("vector", "unroll") and all(map(_is_plain, statements(row)))


def _is_plain(op: Operation) -> bool:
    return isinstance(op, _STATEMENTS) and not (isinstance(op, loop.LoadOp | loop.StoreOp) and op.guards is not None)
