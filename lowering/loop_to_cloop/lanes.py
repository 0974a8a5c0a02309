"""Analysis of vector loops: values that vary across lanes, and accumulations of carried values."""

from __future__ import annotations

from xdsl.ir import Operation, SSAValue

from ...dialects import loop
from ...ir.diagnostics import LegalityError
from ...ir.nesting import operations
from ...passes.analysis.reductions import Accumulation, accumulation


def lane_accumulations(op: loop.ForOp) -> list[Accumulation | None]:
    """How each carried value of a vector loop accumulates; None for a value that does not change. Raises LegalityError for a
    carried value that is updated in another way, or is read before it is accumulated onto."""
    return [_lane_accumulation(op, position) for position in range(len(op.carried_args))]


def _lane_accumulation(op: loop.ForOp, position: int) -> Accumulation | None:
    if op.yielded[position] is op.carried_args[position]:
        return None
    found = accumulation(op, position)
    if found is not None and found.is_plain and not (found.is_running and found.is_read_before):
        return found
    message = f"'{op.name}': expected a vector loop to combine each carried value with one other value by an accumulator"
    raise LegalityError(message, op.location)


def scanned_lanes(op: loop.ForOp, position: int) -> int | None:
    """The lane count of the inner vector loop that scans a carried value of this loop; None if there is no such vector loop, or
    if other operations use the carried value or the total."""
    arg, total = op.carried_args[position], op.yielded[position]
    vector = total.owner
    if not isinstance(vector, loop.ForOp) or vector.kind.data != "vector" or vector.parent is not op.body.block:
        return None
    inside = vector.results.index(total)
    is_alone = len(list(arg.uses)) == len(list(total.uses)) == 1
    if not is_alone or vector.carried[inside] is not arg:
        return None
    found = lane_accumulations(vector)[inside]
    return vector.trips if found is not None and found.is_running else None


def varying_values(op: loop.ForOp) -> set[SSAValue]:
    """The values in the body of a vector loop that vary across lanes, found by following uses from the loop index.

    A buffer allocated in the body varies, since each lane has its own. Raises LegalityError for an inner loop with varying
    bounds.
    """
    varying: set[SSAValue] = set()
    pending = [op.induction, *(inner.result for inner in operations(op.body) if isinstance(inner, loop.AllocOp))]
    while pending:
        value = pending.pop()
        if value in varying:
            continue
        varying.add(value)
        for use in value.uses:
            pending += _affected(use.operation, value)
    return varying


def _affected(user: Operation, value: SSAValue) -> list[SSAValue]:
    """The values that vary across lanes if operand `value` of `user` does."""
    if isinstance(user, loop.ForOp):
        if value in user.at:
            raise LegalityError(f"'{user.name}': expected the same bounds in all lanes of a vector loop", user.location)
        return [each for k, start in enumerate(user.carried) if start is value for each in _carried(user, k)]
    if isinstance(user, loop.YieldOp):
        level = user.parent_op()
        assert isinstance(level, loop.ForOp), "loop.yield terminates a loop body"
        return [each for k, next in enumerate(user.values) if next is value for each in _carried(level, k)]
    return list(user.results)


def _carried(level: loop.ForOp, position: int) -> list[SSAValue]:
    return [level.carried_args[position], level.results[position]]
