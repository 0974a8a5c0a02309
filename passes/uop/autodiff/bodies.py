"""Gradient of `uop.fold`: a reverse fold by the pullback of its scalar function.

    s[k], y[k] = f(s[k - 1], x[k])
    g[k - 1], cotangent of x[k] = pullback of f at (s[k - 1], x[k]), of (g[k], cotangent of y[k])

where g[k] is the cotangent of s[k]. It starts from the cotangent of the last s, and ends with that of the first.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.ir import Attribute, Block, SSAValue

from ....dialects import uop
from ....ir.types.shapes import element_of, shape_of, tensor_type
from ..builder import Emit
from .base import Cotangents, gradients_of_all
from .pullback import is_float, pull_back


@gradients_of_all.register
def _(op: uop.FoldOp, cotangents: Cotangents, wanted: Sequence[bool], emit: Emit) -> Cotangents:
    count = len(op.init)
    carried = [k for k, value in enumerate(op.init) if is_float(value)]
    needed = [k for k, value in enumerate(op.inputs) if wanted[k] and is_float(value)]
    arrived = {k: each for k, each in enumerate(cotangents) if k >= count and each is not None}
    start = [cotangents[k] or emit.full(shape_of(op.init[k]), 0, element_of(op.init[k])) for k in carried]
    given = [*arrived.values(), *_before(op, emit), *op.inputs]
    body = Block(arg_types=[_scalar(each) for each in (*start, *given)])
    own, elements = body.args[: len(start)], body.args[len(start) + len(arrived) :]
    with emit.builder.at(body):
        values = _copied(op, elements, emit)
        outputs = [values[op.yielded[k]] for k in (*carried, *arrived)]
        variables = [*(elements[k] for k in carried), *(elements[count + k] for k in needed)]
        emit.builder.add(uop.YieldOp(*pull_back(outputs, body.args[: len(start) + len(arrived)], variables, emit)))
    inputs = _used(body, len(own), given)
    found = emit.fold(inputs, start, op.axis.value.data, body, not op.reverse.value.data)
    by_operand = dict(zip([*(len(op.inputs) + k for k in carried), *needed], found, strict=True))
    return [by_operand.get(k) for k in range(len(op.operands))]


def _copied(op: uop.FoldOp, arguments: Sequence[SSAValue], emit: Emit) -> dict[SSAValue, SSAValue]:
    """Copy the body's operations for these arguments. Returns the mapping to the copies."""
    values: dict[SSAValue, SSAValue] = dict(zip(op.body.block.args, arguments, strict=True))
    asking = emit.builder.sources
    for each in op.statements:
        with emit.builder.source(each, *asking):
            copied = emit.builder.add(each.clone(values))
        values.update(zip(each.results, copied.results, strict=True))
    return values


def _before(op: uop.FoldOp, emit: Emit) -> list[SSAValue]:
    """The values carried to each element: results of the operation, or of an additional one that computes only them."""
    yielded, count = list(op.yielded), len(op.init)
    if all(each in yielded[count:] for each in op.carried_args):
        return [op.results[yielded.index(each, count)] for each in op.carried_args]
    body = Block(arg_types=[each.type for each in op.body.block.args])
    with emit.builder.at(body):
        values = _copied(op, body.args, emit)
        emit.builder.add(uop.YieldOp(*(values[each] for each in yielded[:count]), *body.args[:count]))
    return list(emit.fold(op.inputs, op.init, op.axis.value.data, body, bool(op.reverse.value.data)))[count:]


def _used(body: Block, first: int, given: Sequence[SSAValue]) -> list[SSAValue]:
    """The inputs that the body reads, and at least one to iterate over; removes the arguments of the others."""
    kept: list[SSAValue] = []
    for argument, value in list(zip(body.args[first:], given, strict=True)):
        if argument.uses or (value is given[-1] and not kept):
            kept.append(value)
        else:
            body.erase_arg(argument)
    return kept


def _scalar(value: SSAValue) -> Attribute:
    return tensor_type((), element_of(value))
