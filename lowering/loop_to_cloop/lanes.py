"""Vector loops as the lowering finds them: what differs between their lanes, and how they carry values."""

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
    """A carried value of a vector loop: `accumulate` adds `value` to it in every iteration. A value that is handed on as it is
    has neither. One that is `running` is looked at by the iterations, each of which sees what those before it added."""

    function: str = ""
    accumulate: Operation | None = None
    value: SSAValue | None = None
    running: bool = False


def accumulations(op: loop.ForOp) -> list[Accumulation]:
    """How each carried value grows. Raises LegalityError for one that is more than accumulated."""
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
    raise LegalityError(
        f"'{op.name}': a vector loop yields an accumulator of what it carries and of another value", op.location
    )


def scanned_lanes(op: loop.ForOp, position: int) -> int | None:
    """The lanes of the vector loop in which a carried value of this one is a running total, where no other operation uses what
    goes into that loop or comes out of it; None where there is no such loop."""
    arg, total = op.carried_args[position], op.yielded[position]
    vector = total.owner
    if not isinstance(vector, loop.ForOp) or vector.kind.data != "vector" or vector.parent is not op.body.block:
        return None
    inside = vector.results.index(total)
    is_alone = len(list(arg.uses)) == len(list(total.uses)) == 1
    return vector.trips if is_alone and vector.carried[inside] is arg and accumulations(vector)[inside].running else None


def varying_values(op: loop.ForOp) -> set[SSAValue]:
    """The values in the body of a vector loop that differ between lanes, found from the index along uses.

    A buffer made in the body counts as one, since each lane has its own. Raises LegalityError for a loop whose bounds differ.
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
    """What differs between lanes because an operand of `user` does."""
    if isinstance(user, loop.ForOp):
        if value in user.at:
            raise LegalityError(f"'{user.name}': its bounds differ between the lanes of a vector loop", user.location)
        return [each for k, start in enumerate(user.carried) if start is value for each in _carried(user, k)]
    if isinstance(user, loop.YieldOp):
        level = user.parent_op()
        assert isinstance(level, loop.ForOp), "loop.yield ends a loop"
        return [each for k, next in enumerate(user.values) if next is value for each in _carried(level, k)]
    return list(user.results)


def _carried(level: loop.ForOp, position: int) -> list[SSAValue]:
    return [level.carried_args[position], level.results[position]]
