"""Vectorisation across short rows: loops that reduce rows of few elements run with a row in each lane.

    for "parallel" %i in (0, n)                   for "vector" %v in (0, 16)
      t = alloc[3]                          ->      m = maximum of x[i + v, k] over k in (0, 3)
      m = maximum of x[i, k] over k in (0, 3)       for %k in (0, 3)
      for %k in (0, 3)                                t[k] = exp(x[i + v, k] - m)
        t[k] = exp(x[i, k] - m)                     ...
      ...

A vector along such a row has more lanes than the row has elements. Accesses across neighbouring rows are strided and take an
instruction per lane, which costs less than computing everything else row by row. Rows that are not reduced also run with a row
in each lane if they are shorter than the shortest vector, and compute as much as an exponential or cannot be vectorised along
themselves.

Reductions over all elements of short rows add up each row first, and then run with a row in each lane:

    %s = for "reduction" %i in (0, n)              %s = for "reduction" %i in (0, n)
      for "reduction" %k in (0, 3)           ->      add (tanh(x[i, 0]) + tanh(x[i, 1])) + tanh(x[i, 2])
        add tanh(x[i, k])

Other reductions over such rows have the loops along them unrolled:

    %s = for "reduction" %i in (0, n)              %s = for "reduction" %i in (0, n)
      %t = for "reduction" %k in (0, 3)      ->      min ((x[i, 0] * w[0]) + x[i, 1] * w[1]) + x[i, 2] * w[2]
        add x[i, k] * w[k]
      min %t
"""

from __future__ import annotations

from xdsl.ir import Operation, SSAValue
from xdsl.rewriter import InsertPoint

from ....dialects import loop
from ....ir.rewrite import Builder, erase
from ...analysis.loop_nests import Frame
from ...analysis.reductions import COSTLY, accumulations, carrying, cost_of, statements, term_of
from ...analysis.strides import MOST_APART, strides
from ..builder import Writer, over

# Longer rows fill at least half of a vector along them.
ROW = 8
_STATEMENTS = (loop.ConstantOp, loop.ComputeOp, loop.CastOp, loop.LoadOp, loop.StoreOp, loop.AllocOp, loop.IndexOp)


def is_over_short_rows(op: loop.ForOp, frame: Frame) -> bool:
    """Whether a parallel loop holds only loops over rows that are known to be short."""
    inside = statements(op)
    rows = [each for each in inside if isinstance(each, loop.ForOp)]
    others = [each for each in inside if not isinstance(each, loop.ForOp)]
    if op.kind.data != "parallel" or op.carried or op.step.value.data != 1 or not rows:
        return False
    if not all(map(_is_short, rows)) or not all(map(_is_plain, others)):
        return False
    for row in rows:
        frame.enter(row)
    ranges = frame.ranges([frame.number(level.induction) for level in (op, *rows)])
    along = strides(inside, frame.number(op.induction), frame, ranges)
    return all(each is not None and each.constant is not None for each in along)


def is_costly_over_short_rows(op: loop.ForOp, frame: Frame) -> bool:
    """Whether a parallel loop holds only loops over rows that are known to be short and compute as much as an exponential: a
    scan of such a row, in a vector along it or interleaved with others, would leave lanes without work."""
    rows = [each for each in statements(op) if isinstance(each, loop.ForOp)]
    return sum(map(cost_of, rows)) >= COSTLY and is_over_short_rows(op, frame)


def _is_short(row: loop.ForOp) -> bool:
    is_known = row.lower.constant is not None and row.trips is not None and 0 < row.trips <= ROW
    return is_known and row.kind.data not in ("vector", "unroll") and all(map(_is_plain, statements(row)))


def _is_plain(op: Operation) -> bool:
    return isinstance(op, _STATEMENTS) and not (isinstance(op, loop.LoadOp | loop.StoreOp) and op.guards is not None)


def is_sum_of_short_rows(op: loop.ForOp, frame: Frame) -> bool:
    """Whether a loop only accumulates the elements of rows that are known to be short. The rows must be shorter than vectors or
    costly to compute, or half of their accesses must be contiguous from row to row."""
    levels = carrying(op, ("reduction",))
    if op.kind.data != "reduction" or op.step.value.data != 1 or len(levels) != 2:
        return False
    row = levels[1]
    if not _is_short(row) or row.step.value.data != 1 or accumulations(row) is None:
        return False
    frame.enter(row)
    ranges = frame.ranges([frame.number(level.induction) for level in levels])
    steps = strides(statements(row), frame.number(op.induction), frame, ranges)
    along = [each.constant for each in steps if each is not None and each.constant is not None]
    if len(along) < len(steps):
        return False
    beside, strided = along.count(1), len(along) - along.count(0) - along.count(1)
    is_beside = beside > 0 and beside >= strided
    return row.trips is not None and (row.trips <= MOST_APART or cost_of(row) >= COSTLY or is_beside)


def is_reduction_of_short_rows(op: loop.ForOp, frame: Frame) -> bool:
    """Whether a loop accumulates values computed from reductions of rows that are known to be short."""
    inside = statements(op)
    rows = [each for each in inside if isinstance(each, loop.ForOp)]
    if op.kind.data != "reduction" or op.step.value.data != 1 or not rows or accumulations(op) is None:
        return False
    if not all(_is_plain(each) for each in inside if each not in rows):
        return False
    if not all(_is_short(row) and row.carried and row.step.value.data == 1 for row in rows):
        return False
    if any((row.trips or 0) > MOST_APART and cost_of(row) < COSTLY for row in rows):
        return False
    for row in rows:
        frame.enter(row)
    ranges = frame.ranges([frame.number(level.induction) for level in (op, *rows)])
    along = strides(inside, frame.number(op.induction), frame, ranges)
    return all(each is not None and each.constant is not None for each in along)


def unroll_rows(op: loop.ForOp, frame: Frame) -> None:
    """Replace the loops along rows by their iterations."""
    for row in [each for each in statements(op) if isinstance(each, loop.ForOp)]:
        writer = Writer(frame, Builder(InsertPoint.before(row), row))
        carried = list(row.carried)
        for step in range(row.trips or 0):
            values = dict(zip(row.carried_args, carried, strict=True))
            for statement in statements(row):
                writer.copy(statement, values, over([row.induction], frame, [row.lower + step]))
            carried = [values.get(each, each) for each in row.yielded]
        for result, value in zip(row.results, carried, strict=True):
            result.replace_all_uses_with(value)
        erase(row)


def add_up_rows(op: loop.ForOp, frame: Frame) -> None:
    """Replace the loop over a row's elements by their sum (product, maximum, ...)."""
    row = carrying(op, ("reduction",))[1]
    terms = [term_of(result) for result in accumulations(row) or ()]
    skipped = {each for term in terms for each in term.skipped}
    writer, totals = Writer(frame, Builder(InsertPoint.before(row), row)), list[SSAValue]()
    for step in range(row.trips or 0):
        values: dict[SSAValue, SSAValue] = {}
        for statement in statements(row):
            if statement not in skipped:
                writer.copy(statement, values, over([row.induction], frame, [row.lower + step]))
        added = [values.get(term.value, term.value) for term in terms]
        pairs = zip(terms, totals, added, strict=True) if totals else ()
        totals = [writer.compute(term.function, *pair) for term, *pair in pairs] or added
    for term, arg, total, result in zip(terms, op.carried_args, totals, row.results, strict=True):
        carried = writer.cast(total, term.carried) if term.is_narrow else total
        result.replace_all_uses_with(writer.compute(term.function, arg, carried))
    erase(row)
