"""uop-grad: gradients become micro-ops, in reverse mode, and the marks that ask for them go.

    %v = mark.variable %x                              %y = uop.map "exp"(%x)
    %y = uop.map "exp"(%v)                        ->   %g = uop.map "mul"(%c, %y)
    %g = mark.gradient of %y along %c by %v

For each `mark.gradient`, in the order of the program, so that the gradient of a gradient finds micro-ops:
1. From its outputs the operands are followed back, up to its variables and to what is given.
2. Forward again: the floats that depend on a variable are active; nothing else needs a gradient.
3. Backward: each active operation's rule gives the cotangents of those operands that are active, and where a value has several
   uses, their cotangents are added up. Operations of the gradient have the locations of those that they belong to, as
   "gradient of" the function.
4. A variable that no output depends on gets zeros.

The rules, in the `uop_gradient_*.py` files, are written in micro-ops, so that nothing below knows what a gradient is.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import ClassVar

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation, SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint

from ..dialects import mark
from ..ir.dtypes import dtype_of
from ..ir.locations import gradient_of
from ..ir.rewrite import Builder, OpT, erase, replace
from ..ir.shapes import element_of, shape_of
from . import uop_gradient_folds, uop_gradient_maps, uop_gradient_scans, uop_gradient_scatters
from .uop_gradient_base import gradients
from .uop_writer import Emit

# The rules register themselves with `gradients` when their file is imported.
RULES = (uop_gradient_folds, uop_gradient_maps, uop_gradient_scans, uop_gradient_scatters)


@dataclass(frozen=True)
class UopGrad(ModulePass):
    """Expands the marks of the module."""

    name = "uop-grad"
    illegal: ClassVar[tuple[str, ...]] = ("mark",)

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        marks = [each for each in op.walk() if each.name.startswith("mark.")]
        for each in marks:
            if isinstance(each, mark.GradientOp):
                replace(each, [], differentiate(each))
        for each in marks:
            if isinstance(each, mark.IdentityMark):
                each.result.replace_all_uses_with(each.input)
                erase(each)


class GradientBuilder(Builder):
    """Inserts operations on behalf of the first source, whose gradient they say they are."""

    def add(self, op: OpT) -> OpT:
        added = super().add(op)
        added.location = gradient_of(self.sources[0].location)
        return added


def differentiate(op: mark.GradientOp) -> list[SSAValue]:
    """Write the operations of a gradient before the mark. Raises CompileError for an operation without one."""
    before = ancestors(op.outputs, op.variables)
    active = set(op.variables)
    for each in before:
        if any(operand in active for operand in each.operands) and not isinstance(each, mark.GivenOp):
            active.update(result for result in each.results if is_float(result))
    builder = GradientBuilder(InsertPoint.before(op), op)
    emit = Emit(builder)
    cotangents: dict[SSAValue, SSAValue] = {}

    def add(value: SSAValue, cotangent: SSAValue) -> None:
        known = cotangents.get(value)
        cotangents[value] = cotangent if known is None else emit.map("add", known, cotangent)

    for output, cotangent in zip(op.outputs, op.cotangents, strict=True):
        if output in active:
            add(output, cotangent)
    for each in reversed(before):
        arrived = cotangents.get(each.results[0])
        if arrived is None:
            continue
        wanted = [operand in active for operand in each.operands]
        with builder.source(each, op):
            for operand, needed, part in zip(each.operands, wanted, gradients(each, arrived, wanted, emit), strict=True):
                if needed and part is not None:
                    add(operand, part)
    return [cotangents.get(each) or emit.full(shape_of(each), 0, element_of(each)) for each in op.variables]


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
        if not isinstance(owner, mark.GivenOp):
            pending += [(operand.owner, False) for operand in owner.operands if operand not in ends]
    return order


def is_float(value: SSAValue) -> bool:
    """Whether a value is a tensor of floats, which alone have gradients."""
    return dtype_of(element_of(value)).is_float
