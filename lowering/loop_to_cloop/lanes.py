"""Analysis of vector loops: values that vary across lanes, and accumulations of carried values."""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.ir import Operation, SSAValue

from ...dialects import loop
from ...ir.diagnostics import LegalityError
from ...ir.nesting import operations
from ...ir.scalars.table import scalar
from ...passes.analysis.reductions import used_before


@dataclass(frozen=True)
class Accumulation:
    """A carried value of a vector loop: `accumulate` combines it with `value` in every iteration; a loop-invariant one has
    neither. If `running`, iterations read the running total (a scan)."""

    function: str = ""
    accumulate: Operation | None = None
    value: SSAValue | None = None
    running: bool = False


def accumulations(op: loop.ForOp) -> list[Accumulation]:
    """The accumulation of each carried value. Raises LegalityError for a carried value that is updated in another way."""
    return [_accumulation(op, arg, value) for arg, value in zip(op.carried_args, op.yielded, strict=True)]


def _accumulation(op: loop.ForOp, carried: SSAValue, value: SSAValue) -> Accumulation:
    if value is carried:
        return Accumulation()
    compute = value.owner
    if isinstance(compute, loop.ComputeOp) and compute.parent is op.body.block:
        function = scalar(compute.function.data)
        others = [operand for operand in compute.inputs if operand is not carried]
        if function.identity is not None and len(compute.inputs) == 2 and len(others) == 1:
            running = len(list(carried.uses)) + len(list(value.uses)) > 2
            if not running or not used_before(carried, compute):
                return Accumulation(function.name, compute, others[0], running)
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
    return vector.trips if is_alone and vector.carried[inside] is arg and accumulations(vector)[inside].running else None


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
