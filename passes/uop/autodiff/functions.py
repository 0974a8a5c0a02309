"""Gradients of functions with their own backward pass (`custom`), of recomputed functions (`checkpoint`) and of fences."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.ir import Block, SSAValue

from ....dialects import autodiff, host, uop
from ....ir.diagnostics import CompileError
from ....ir.rewrite import Builder
from ....ir.types.shapes import shape_of
from ..builder import Emit
from .base import Cotangents, cotangent_type, gradients, gradients_of_all
from .pullback import pull_back


@gradients_of_all.register
def _(op: autodiff.CustomOp, cotangents: Cotangents, wanted: Sequence[bool], emit: Emit) -> Cotangents:
    """The results of the backward body. Its primal operands are replaced by the forward values."""
    arrived = [each or _zeros(like, emit) for each, like in zip(cotangents, op.results, strict=True)]
    found = copy(op.body.block, arrived, emit.builder)
    count = len(op.primal)
    op.operands = [*op.forward, *op.operands[count:]]
    return [*[None] * (2 * count), *found]


@gradients_of_all.register
def _(op: autodiff.CheckpointOp, cotangents: Cotangents, wanted: Sequence[bool], emit: Emit) -> Cotangents:
    """Recompute the body from fenced inputs, so that CSE does not merge it with the forward pass."""
    arrived = [each for each in cotangents if each is not None]
    inputs = [emit.fence(each, arrived) for each in op.inputs]
    outputs = copy(op.body.block, inputs, emit.builder)
    found = pull_back(outputs, cotangents, [each for each, needed in zip(inputs, wanted, strict=True) if needed], emit)
    pending = iter(found)
    return [next(pending) if needed else None for needed in wanted]


@gradients_of_all.register
def _(op: host.CallOp, cotangents: Cotangents, wanted: Sequence[bool], emit: Emit) -> Cotangents:
    message = (
        f"host function '{op.function.data}' has no gradient: give the operation a backward pass (sw.define_op, backward=)"
    )
    raise CompileError(message, op.location)


@gradients.register
def _(op: uop.FenceOp, cotangent: SSAValue, wanted: Sequence[bool], emit: Emit) -> Cotangents:
    return [cotangent, *[None] * len(op.after)]


def copy(body: Block, arguments: Sequence[SSAValue], builder: Builder) -> list[SSAValue]:
    """Copy the operations of a body, for these arguments. Returns its results."""
    values: dict[SSAValue, SSAValue] = dict(zip(body.args, arguments, strict=True))
    asking = builder.sources
    for op in body.ops:
        if isinstance(op, autodiff.YieldOp):
            return [values.get(each, each) for each in op.values]
        with builder.source(op, *asking):
            builder.add(op.clone(values))
    raise AssertionError(f"a body ends with '{autodiff.YieldOp.name}'")


def inline(op: autodiff.CheckpointOp) -> list[SSAValue]:
    """Move the operations of the body before its operation. Returns the body's results."""
    body, place = op.body.block, op.parent
    assert place is not None, f"'{op.name}' has a parent block"
    for argument, value in zip(body.args, op.inputs, strict=True):
        argument.replace_all_uses_with(value)
    results = list(op.yielded)
    for each in list(body.ops)[:-1]:
        each.detach()
        place.insert_op_before(each, op)
    return results


def _zeros(like: SSAValue, emit: Emit) -> SSAValue:
    return emit.full(shape_of(like), 0, cotangent_type(like))
