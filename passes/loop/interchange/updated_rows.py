"""Rows that a loop updates at indices that are data: the parallel loop along a row moves inside of the loop of updates.

    for "parallel" %i in (0, n) {                 for "parallel" %part in (0, parts) {
      for "reduction" %j in (0, m) {                for "sequential" %j in (0, m) {
        %k = load k[%j]                     ->        %k = load k[%j]
        update "add" x[%j, %i] into y[%k, %i]         for "parallel" %i in the part: y[%k, %i] = y[%k, %i] + x[%j, %i]
      }                                             }
    }                                             }

Threads share the parts of a row: at least one for each core, unless the row is too short for parts of `LEAST` elements. Each
element is updated in the same order as before, by one thread. Statements that do not depend on the index along the row, such as
the load and check of the updated index, run once for a part.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import nullcontext
from typing import NamedTuple

from xdsl.ir import Operation, SSAValue
from xdsl.rewriter import InsertPoint

from ....dialects import loop
from ....ir.index.expressions import ceildiv, maximum, minimum
from ....ir.rewrite import Builder, count, erase
from ....ir.types.dtypes import dtype_of
from ...analysis.cost import Level, gains_inside
from ...analysis.loop_nests import Access, AccessOp, Frame
from ...analysis.reductions import statements
from ..builder import Writer, over

# The fewest elements of a part: its vectors then outweigh the load and check of the updated index.
LEAST = 64
# The statements that are repeated for each update rather than stored: none costs more than a load.
REPEATED = (loop.LoadOp, loop.ConstantOp, loop.CastOp)


class UpdatedRow(NamedTuple):
    """A parallel loop along a row, the loop of updates in it, and their statements: the invariant ones of the row, the other
    ones, and the update."""

    along: loop.ForOp
    updates: loop.ForOp
    fixed: Sequence[Operation]
    varying: Sequence[Operation]
    update: loop.UpdateOp


def updated_row(op: loop.ForOp, frame: Frame, around: Sequence[int]) -> UpdatedRow | None:
    """The parts of a parallel loop that holds a loop of updates, and loads before it, which are repeated for each update; None
    if the loop has another form, or the order along the row does not move fewer cache lines."""
    body = statements(op)
    loads, inner = body[:-1], body[-1] if body else None
    if not isinstance(inner, loop.ForOp) or inner.carried or inner.step.value.data != 1 or op.induction in inner.operands_at:
        return None
    ops = [*loads, *statements(inner)]
    before, update = ops[:-1], ops[-1] if ops else None
    if not isinstance(update, loop.UpdateOp) or not all(isinstance(each, REPEATED) for each in loads):
        return None
    # A load before the loop of updates from the updated buffer would be read too early.
    if any(each.regions or isinstance(each, loop.StoreOp | loop.UpdateOp) or update.buffer in each.operands for each in before):
        return None
    frame.enter(op)
    frame.enter(inner)
    found = UpdatedRow(op, inner, *_divided(before, op.induction), update)
    if any(isinstance(each, loop.CheckOp) for each in found.varying) or not _depends_directly(found, frame):
        return None
    accesses = [Access.of(each, frame) for each in ops if isinstance(each, AccessOp)]
    pays = gains_inside(accesses, Level.of(op, frame), [Level.of(inner, frame)], frame, around)
    return found if pays else None


def _divided(ops: Sequence[Operation], induction: SSAValue) -> tuple[list[Operation], list[Operation]]:
    """The statements that do not depend on an index, and the dependent ones."""
    fixed, varying, values = list[Operation](), list[Operation](), {induction}
    for op in ops:
        if values.isdisjoint(op.operands):
            fixed.append(op)
        else:
            varying.append(op)
            values.update(op.results)
    return fixed, varying


def _depends_directly(found: UpdatedRow, frame: Frame) -> bool:
    """Whether the update's address depends on the row's index directly, not through loaded values, and its guards do not depend
    on it."""
    computed = {frame.number(value) for op in found.varying for value in op.results}
    along = frame.number(found.along.induction)
    if any(expr.dims() & computed for expr in frame.exprs(found.update)):
        return False
    return not any(guard.dims() & {along, *computed} for guard in frame.guards(found.update))


def move_inside(found: UpdatedRow, frame: Frame, most: int, cores: int) -> None:
    """Move the loop along the row inside the loop of updates, in parts of at most `most` elements, which cores share."""
    writer = Writer(frame, Builder(InsertPoint.before(found.along), found.along))
    lower, upper = frame.exprs(found.along)
    inductions = [found.along.induction, found.updates.induction]
    share = ceildiv(ceildiv(upper - lower, cores), LEAST) * LEAST
    length = minimum(most, maximum(share, LEAST))
    with (
        writer.loop("parallel", 0, ceildiv(upper - lower, length), hint="part") as part,
        writer.loop("sequential", *frame.exprs(found.updates), hint=found.updates.induction.name_hint or "k") as k,
    ):
        start = lower + part * length
        values: dict[SSAValue, SSAValue] = {}
        for op in found.fixed:
            writer.copy(op, values, over(inductions, frame, [start, k]))
        once = over(list(values), frame, [frame.index(value) for value in values.values()])
        guards = [each.substitute({**once, **over(inductions, frame, [start, k])}) for each in frame.guards(found.update)]
        with (
            writer.branch(*guards) if guards else nullcontext(),
            writer.loop("parallel", start, minimum(start + length, upper), hint=found.along.induction.name_hint or "i") as i,
        ):
            places = over(inductions, frame, [i, k])
            for op in found.varying:
                writer.copy(op, values, places)
            at = [each.substitute({**once, **places}) for each in frame.exprs(found.update)]
            old = writer.load(found.update.buffer, at)
            value = values.get(found.update.value, found.update.value)
            compute = dtype_of(value.type).compute.type
            added = writer.compute(found.update.accumulator.data, writer.cast(old, compute), writer.cast(value, compute))
            writer.store(writer.cast(added, value.type), found.update.buffer, at)
    erase(found.along)
    count("updates-interchanged", "Number of loops of updates that traverse rows")
