"""Gradients of reductions.

The gradient of a sum is a broadcast. Elements equal to a max or min share its cotangent. The gradient of a product is the
product of all other elements, from prefix and suffix products: without a division, so that zeros need no special case.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType

from xdsl.ir import SSAValue

from ....dialects import uop
from ....ir.types.shapes import element_of, shape_of
from ..builder import Emit
from .base import Cotangents, counting_type, extreme, gradients, shared, spread
from .products import of_others


@gradients.register
def _(op: uop.ReduceOp, cotangent: SSAValue, wanted: Sequence[bool], emit: Emit) -> Cotangents:
    return [_REDUCTIONS[op.accumulator.data](op, cotangent, emit)]


def _of_sum(op: uop.ReduceOp, cotangent: SSAValue, emit: Emit) -> SSAValue:
    return spread(emit, cotangent, op.input, op.axis_list)


def _of_extremum(op: uop.ReduceOp, cotangent: SSAValue, emit: Emit) -> SSAValue:
    """The cotangent, shared by all elements that equal the extremum."""
    element = element_of(op.input)
    wins = extreme(emit, op.input, spread(emit, op.result, op.input, op.axis_list))
    share = shared(emit, cotangent, _count(op, wins, emit))
    return emit.map("select", wins, spread(emit, share, op.input, op.axis_list), emit.full(shape_of(op.input), 0, element))


def _count(op: uop.ReduceOp, wins: SSAValue, emit: Emit) -> SSAValue:
    """The number of marked elements of each slice."""
    return emit.reduce("add", emit.cast(wins, counting_type(element_of(op.input))), op.axis_list)


def _of_product(op: uop.ReduceOp, cotangent: SSAValue, emit: Emit) -> SSAValue:
    return of_others(emit, op, cotangent)


def _of_logaddexp(op: uop.ReduceOp, cotangent: SSAValue, emit: Emit) -> SSAValue:
    """The cotangent times the softmax of the elements. An element equal to the result gets all of it; equal infinities
    share it."""
    element, total = element_of(op.input), spread(emit, op.result, op.input, op.axis_list)
    wins = emit.map("eq", op.input, total)
    most = shared(emit, emit.full(op.shape, 1, element), _count(op, wins, emit))
    share = emit.map("exp", emit.map("sub", op.input, total))
    share = emit.map("select", wins, spread(emit, most, op.input, op.axis_list), share)
    return emit.map("mul", spread(emit, cotangent, op.input, op.axis_list), share)


_REDUCTIONS: Mapping[str, Callable[[uop.ReduceOp, SSAValue, Emit], SSAValue]] = MappingProxyType(
    {
        "add": _of_sum,
        "max": _of_extremum,
        "min": _of_extremum,
        "mul": _of_product,
        "logaddexp": _of_logaddexp,
    }
)
