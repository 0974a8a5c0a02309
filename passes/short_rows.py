"""Rows of few elements, each of which is reduced: vectors go across them, with a row in each lane.

    for "parallel" %i in (0, n)                   for "vector" %v in (0, 16)
      t = alloc[3]                          ->      m = maximum of x[i + v, k] over k in (0, 3)
      m = maximum of x[i, k] over k in (0, 3)       for %k in (0, 3)
      for %k in (0, 3)                                t[k, v] = exp(x[i + v, k] - m)
        t[k] = exp(x[i, k] - m)                     ...
      ...

A vector along such a row has more lanes than the row has elements. What neighbouring rows read and write lies apart, and takes
an instruction for each lane: that is less than to compute everything else row by row.
"""

from __future__ import annotations

from xdsl.ir import Operation
from xdsl.rewriter import InsertPoint

from ..dialects import loop
from ..ir.index import dim
from ..ir.rewrite import Builder, erase
from ..ir.shapes import element_of, memref_type, shape_of
from .loop_shrink import readdress
from .nests import AccessOp, Frame
from .reductions import statements
from .strides import strides

# Longer rows fill half of a vector along them.
ROW = 8
_STATEMENTS = (loop.ConstantOp, loop.ComputeOp, loop.CastOp, loop.LoadOp, loop.StoreOp, loop.AllocOp, loop.IndexOp)


def is_over_short_rows(op: loop.ForOp, frame: Frame) -> bool:
    """Whether a parallel loop does nothing but go through rows that are known to be short, and reduces each."""
    inside = statements(op)
    rows = [each for each in inside if isinstance(each, loop.ForOp)]
    others = [each for each in inside if not isinstance(each, loop.ForOp)]
    if op.kind.data != "parallel" or op.step.value.data != 1 or not any(row.carried for row in rows):
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


def part_lanes(vector: loop.ForOp) -> None:
    """Give each lane of a vector loop its own part of the buffers that stand in the loop: one element beside the other."""
    lanes, lane = vector.trips, vector.induction
    assert lanes is not None, "vectors have a constant number of lanes"
    for alloc in [op for op in vector.body.block.ops if isinstance(op, loop.AllocOp)]:
        kind = memref_type([*shape_of(alloc.result), lanes], element_of(alloc.result))
        parts = Builder(InsertPoint.before(vector), alloc).add(loop.AllocOp(kind, alloc.space and alloc.space.data)).result
        parts.name_hint = alloc.result.name_hint
        for access in [use.operation for use in alloc.result.uses]:
            assert isinstance(access, AccessOp), "buffers are accessed, and nothing else"
            readdress(access, parts, [*access.index_map.results, dim(len(access.operands_at))], [lane])
        erase(alloc)
