"""Reverse mode: propagates cotangents from values back to the variables that they depend on.

1. Collect the operations that the values depend on, back to the variables and to known values.
2. In forward order, mark the floats that depend on a variable as active; nothing else needs a gradient.
3. In reverse order, apply the rule of each active operation to get the cotangents of its active operands, and add the
   cotangents of a value's uses. The operations of the gradient have the sources of the operations that they differentiate.
4. A variable that no value depends on gets zeros.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence, Set

from xdsl.ir import Operation, SSAValue

from ....dialects import autodiff
from ....ir.diagnostics import CompileError
from ....ir.types.dtypes import dtype_of
from ....ir.types.shapes import element_of, shape_of
from ..builder import Emit
from .base import cotangent_type, gradients_of_all


def pull_back(
    outputs: Sequence[SSAValue], cotangents: Sequence[SSAValue | None], variables: Sequence[SSAValue], emit: Emit
) -> list[SSAValue]:
    """Write the operations that compute the cotangents of the variables. A given cotangent that is None stands for zeros.

    Raises CompileError for an operation without a gradient.
    """
    order = ancestors(outputs, variables)
    active = active_values(order, variables)
    found: dict[SSAValue, SSAValue] = {}

    def arrived_at(value: SSAValue) -> SSAValue | None:
        # A rule may replace an operation whose results already have cotangents by an operation with more results.
        return emit.current(found[value]) if value in found else None

    def add(value: SSAValue, cotangent: SSAValue | None) -> None:
        if value not in active or cotangent is None:
            return
        known = arrived_at(value)
        found[value] = cotangent if known is None else emit.map("add", known, cotangent)

    for output, cotangent in zip(outputs, cotangents, strict=True):
        add(output, None if cotangent is None else emit.cast(cotangent, cotangent_type(output)))
    asking = emit.builder.sources
    for each in reversed(order):
        arrived = [arrived_at(result) for result in each.results]
        if not any(arrived):
            continue
        if isinstance(each, autodiff.CustomOp):
            _expect_closed(each, set(variables))
        # Read the operands only now: a rule may replace this operation.
        operands = tuple(each.operands)
        wanted = [operand in active for operand in operands]
        with emit.builder.source(each, *asking):
            for operand, part in zip(operands, gradients_of_all(each, arrived, wanted, emit), strict=True):
                add(operand, part)
    values = [arrived_at(each) or emit.full(shape_of(each), 0, cotangent_type(each)) for each in variables]
    return [emit.cast(value, element_of(each)) for value, each in zip(values, variables, strict=True)]


def active_values(order: Iterable[Operation], variables: Iterable[SSAValue]) -> set[SSAValue]:
    """The variables, and the floats that depend on them."""
    active = set(variables)
    for each in order:
        if not isinstance(each, autodiff.GivenOp) and any(operand in active for operand in each.operands):
            active.update(result for result in each.results if is_float(result))
    return active


def _expect_closed(op: autodiff.CustomOp, variables: Set[SSAValue]) -> None:
    """Raise CompileError if a function with its own backward pass captures a variable instead of taking it as an argument."""
    inside = ancestors((*op.primal, *op.forward), op.inputs)
    used = {operand for each in inside if not isinstance(each, autodiff.GivenOp) for operand in each.operands}
    if not variables.isdisjoint((used | {*op.primal, *op.forward}) - set(op.inputs)):
        raise CompileError(
            f"'{op.name}': the function captures a variable of the gradient, which its backward pass does not differentiate: "
            "expected it among the arguments, or passed through stop_gradient",
            op.location,
        )


def ancestors(values: Iterable[SSAValue], known: Sequence[SSAValue]) -> list[Operation]:
    """The operations that compute some values from known ones, in topological order."""
    ends = set(known)
    done: set[Operation] = set()
    order: list[Operation] = []
    pending = [(value.owner, False) for value in values if value not in ends]
    while pending:
        owner, is_complete = pending.pop()
        if not isinstance(owner, Operation) or (owner in done and not is_complete):
            continue
        if is_complete:
            order.append(owner)
            continue
        done.add(owner)
        pending.append((owner, True))
        if not isinstance(owner, autodiff.GivenOp):
            pending += [(operand.owner, False) for operand in owner.operands if operand not in ends]
    return order


def is_float(value: SSAValue) -> bool:
    """Whether a value is a tensor of floats: only these have gradients."""
    return dtype_of(element_of(value)).is_float
