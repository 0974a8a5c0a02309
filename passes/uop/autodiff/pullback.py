"""Reverse mode: from the cotangents of some values back to those of the variables that they depend on.

1. From the values the operands are followed back, up to the variables and to what is given.
2. Forward again: the floats that depend on a variable are active; nothing else needs a gradient.
3. Backward: each active operation's rule gives the cotangents of those operands that are active, and where a value has several
   uses, their cotangents are added up. Operations of the gradient come from those that they belong to.
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
from .base import gradients_of_all


def pull_back(
    outputs: Sequence[SSAValue], cotangents: Sequence[SSAValue | None], variables: Sequence[SSAValue], emit: Emit
) -> list[SSAValue]:
    """Write the operations that give the cotangents of the variables. None among those given stands for zeros.

    Raises CompileError for an operation without a gradient.
    """
    order = ancestors(outputs, variables)
    active = active_values(order, variables)
    found: dict[SSAValue, SSAValue] = {}

    def arrived_at(value: SSAValue) -> SSAValue | None:
        # A rule may put an operation that keeps more in the place of one whose results have arrived somewhere as they are.
        return emit.current(found[value]) if value in found else None

    def add(value: SSAValue, cotangent: SSAValue | None) -> None:
        if value not in active or cotangent is None:
            return
        known = arrived_at(value)
        found[value] = cotangent if known is None else emit.map("add", known, cotangent)

    for output, cotangent in zip(outputs, cotangents, strict=True):
        add(output, cotangent)
    asking = emit.builder.sources
    for each in reversed(order):
        arrived = [arrived_at(result) for result in each.results]
        if not any(arrived):
            continue
        if isinstance(each, autodiff.CustomOp):
            _expect_closed(each, set(variables))
        # Asked for now: a rule may put another operation in the place of this one.
        operands = tuple(each.operands)
        wanted = [operand in active for operand in operands]
        with emit.builder.source(each, *asking):
            for operand, part in zip(operands, gradients_of_all(each, arrived, wanted, emit), strict=True):
                add(operand, part)
    return [arrived_at(each) or emit.full(shape_of(each), 0, element_of(each)) for each in variables]


def active_values(order: Iterable[Operation], variables: Iterable[SSAValue]) -> set[SSAValue]:
    """The variables, and the floats that are computed from them."""
    active = set(variables)
    for each in order:
        if not isinstance(each, autodiff.GivenOp) and any(operand in active for operand in each.operands):
            active.update(result for result in each.results if is_float(result))
    return active


def _expect_closed(op: autodiff.CustomOp, variables: Set[SSAValue]) -> None:
    """Raise CompileError where a variable comes into a function with its own backward pass beside its arguments."""
    inside = ancestors((*op.primal, *op.forward), op.inputs)
    used = {operand for each in inside if not isinstance(each, autodiff.GivenOp) for operand in each.operands}
    if not variables.isdisjoint((used | {*op.primal, *op.forward}) - set(op.inputs)):
        raise CompileError(
            f"'{op.name}': the function takes what is differentiated by from outside, where its backward pass does not lead: "
            "expected it among the arguments, or given by stop_gradient",
            op.location,
        )


def ancestors(values: Iterable[SSAValue], known: Sequence[SSAValue]) -> list[Operation]:
    """The operations that compute some values from those that are known, each after those that it needs."""
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
    """Whether a value is a tensor of floats, which alone have gradients."""
    return dtype_of(element_of(value)).is_float
