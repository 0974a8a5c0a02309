"""Gradients of maps, casts and reads through index maps.

Derivatives of scalar functions are in the scalar table. Cotangents of elements with several reads are summed: a read through an
index map becomes a read through its inverse (`ir/types/inverse_maps.py`), and a scatter only if the map has none.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np
from xdsl.ir import SSAValue

from ....dialects import autodiff, uop
from ....ir.index.expressions import Index, dim
from ....ir.index.simplify import Ranges
from ....ir.scalars.attributes import is_plus_zero, number, value_of
from ....ir.scalars.table import scalar
from ....ir.types.dtypes import BOOL, dtype_of
from ....ir.types.inverse_maps import Inverse, invert
from ....ir.types.shapes import IndexMap, Shape, element_of, shape_of
from ..builder import Emit, splat_of
from .base import Cotangents, cotangent_type, gradients, read
from .one_hot import one_of_each_row


@gradients.register
def _(op: autodiff.IdentityRequest, cotangent: SSAValue, wanted: Sequence[bool], emit: Emit) -> Cotangents:
    return [cotangent]


@gradients.register
def _(op: uop.MapOp, cotangent: SSAValue, wanted: Sequence[bool], emit: Emit) -> Cotangents:
    derivative = scalar(op.function.data).derivative
    if derivative is None:
        return [None] * len(op.inputs)
    scalars = Scalars(emit, op.result)
    operands = [_condition_from_result(op, emit) or op.inputs[0], *op.inputs[1:]]
    return [
        scalars.times(cotangent, factor) if needed else None
        for needed, factor in zip(wanted, derivative(scalars, *operands, op.result), strict=True)
    ]


def _condition_from_result(op: uop.MapOp, emit: Emit) -> SSAValue | None:
    """The condition of `x <= 0 ? 0 : x` or `x > 0 ? x : 0`, computed from the result if the result has other users: then x need
    not be saved for the gradient. For NaN the condition is false, and the result NaN or 0."""
    condition = op.inputs[0].owner
    if op.function.data != "select" or not isinstance(condition, uop.MapOp):
        return None
    if all(isinstance(use.operation, autodiff.GradientOp) for use in op.result.uses):
        return None
    gated, zero = op.inputs[:0:-1] if condition.function.data == "le" else op.inputs[1:]
    if condition.function.data not in ("le", "gt") or condition.inputs[0] is not gated:
        return None
    if not (_is_zero(zero) and _is_zero(condition.inputs[1])):
        return None
    return emit.map(condition.function.data, op.result, zero)


@gradients.register
def _(op: uop.CastOp, cotangent: SSAValue, wanted: Sequence[bool], emit: Emit) -> Cotangents:
    element = cotangent_type(op.input)
    return [where_not_zero(emit, cotangent, lambda value: emit.cast(value, element))]


@gradients.register
def _(op: uop.ReindexOp, cotangent: SSAValue, wanted: Sequence[bool], emit: Emit) -> Cotangents:
    others = [None] * len(op.indices)
    source = shape_of(op.source)
    inverse = invert(op.map.data, op.shape, source, op.guard_exprs()) if not op.indices else None
    if inverse is not None:
        return [adjoint(emit, cotangent, source, inverse)]
    selected = one_of_each_row(op, cotangent, emit) if op.indices and emit.one_hot else None
    if selected is not None:
        return [selected, *others]
    zeros = emit.full(source, 0, cotangent_type(op.source))
    indices = [(value, access.results) for value, access in op.loads()]
    bounds = "error" if op.fill is None else "fill"
    at, guards = op.map.data.results, op.guard_exprs()
    return [emit.scatter("add", zeros, cotangent, at, indices, guards, bounds), *others]


@gradients.register
def _(op: uop.InterleaveOp, cotangent: SSAValue, wanted: Sequence[bool], emit: Emit) -> Cotangents:
    nothing = number(0, element_of(cotangent))
    return [
        emit.window(cotangent, shape_of(source), op.places(k), nothing) if needed else None
        for k, (source, needed) in enumerate(zip(op.sources, wanted, strict=True))
    ]


class Scalars:
    """Scalar functions by name, as the derivatives of the scalar table call them, on tensors of one shape and dtype.

    Functions of constants are folded: the derivative of `x ** 2` contains no power.
    """

    def __init__(self, emit: Emit, like: SSAValue):
        self.emit = emit
        self.shape, self.element = shape_of(like), cotangent_type(like)
        self.made: set[SSAValue] = set()

    def const(self, value: float) -> SSAValue:
        return self.emit.full(self.shape, value, self.element)

    def __getattr__(self, name: str) -> Callable[..., SSAValue]:
        return lambda *operands: self.call(name, *operands)

    def call(self, name: str, *operands: SSAValue) -> SSAValue:
        """The function of that name."""
        known = [splat_of(operand) for operand in operands]
        values = [np.array(value_of(each), dtype_of(each.type).numpy) for each in known if each is not None]
        if len(values) == len(operands):
            with np.errstate(all="ignore"):
                found = scalar(name).numpy(*values)
            element = self.element if scalar(name).result == "same" else BOOL.type
            return self.emit.full(self.shape, found.item(), element)
        if name == "select" and known[0] is not None:
            return operands[1] if value_of(known[0]) else operands[2]
        made = self.emit.map(name, *operands)
        self.made.add(made)
        return made

    def times(self, cotangent: SSAValue, factor: SSAValue | None) -> SSAValue | None:
        """The product with a factor of a derivative, None for zeros. A select between factors becomes a select between
        products, and so does a select between a cotangent and zeros: the unselected side adds no NaN."""
        if factor is None or _is_zero(cotangent):
            return None
        return where_not_zero(self.emit, cotangent, lambda value: self._product(value, factor))

    def _product(self, cotangent: SSAValue, factor: SSAValue) -> SSAValue | None:
        arrived = splat_of(cotangent)
        if arrived is not None and value_of(arrived) == 1:
            return factor
        splat = splat_of(factor)
        known = value_of(splat) if splat is not None else None
        if known in (0, 1):
            return cotangent if known else None
        if known == -1:
            return self.emit.map("neg", cotangent)
        owner = factor.owner
        if factor in self.made and isinstance(owner, uop.MapOp):
            if owner.function.data == "reciprocal":
                return self.emit.map("div", cotangent, owner.inputs[0])
            if owner.function.data == "select" and any(map(_is_zero, owner.inputs[1:])):
                chosen, other = (self.times(cotangent, each) or self.const(0) for each in owner.inputs[1:])
                return self.emit.map("select", owner.inputs[0], chosen, other)
        return self.emit.map("mul", cotangent, factor)


def where_not_zero(emit: Emit, cotangent: SSAValue, function: Callable[[SSAValue], SSAValue | None]) -> SSAValue | None:
    """A linear function of a cotangent, None for zeros. For a cotangent that is a select with 0, select the function's result
    instead, so that a factor that is not finite does no harm: elements masked by `where` get no gradient, whatever their
    values."""
    masked = _masked(emit, cotangent)
    if masked is None:
        return function(cotangent)
    condition, value = masked
    found = function(value)
    if found is None or found is value:
        return None if found is None else cotangent
    inner = _masked(emit, found)
    if inner is not None:
        # Merge nested selects: a chain of masks is otherwise as long as there are masks.
        condition, found = emit.map("and", condition, inner[0]), inner[1]
    return emit.map("select", condition, found, emit.full(shape_of(found), 0, element_of(found)))


def _masked(emit: Emit, value: SSAValue) -> tuple[SSAValue, SSAValue] | None:
    """The condition and value of a select between a value and 0; None for other operations."""
    owner = value.owner
    if not isinstance(owner, uop.MapOp) or owner.function.data != "select":
        return None
    condition, chosen, other = owner.inputs
    if _is_zero(other):
        return condition, chosen
    return (emit.map("not", condition), other) if _is_zero(chosen) else None


def _is_zero(value: SSAValue) -> bool:
    splat = splat_of(value)
    return splat is not None and value_of(splat) == 0


def adjoint(emit: Emit, cotangent: SSAValue, source: Shape, inverse: Inverse) -> SSAValue:
    """For each element of the source, the sum of the cotangents of its reads."""
    axes = range(len(source), len(source) + len(inverse.free))
    summed = [inverse.at.index(dim(axis)) for axis in axes if dim(axis) in inverse.at]
    kept = [(at, size) for k, (at, size) in enumerate(zip(inverse.at, shape_of(cotangent), strict=True)) if k not in summed]
    if not inverse.guards and len(summed) == len(axes) and kept == [(dim(axis), size) for axis, size in enumerate(source)]:
        # Whole axes are summed, and the other axes keep their order: a read would only rename them.
        return emit.reduce("add", cotangent, sorted(summed))
    shape = (*source, *inverse.free)
    factors = _factors(cotangent, shape, inverse) if inverse.free else None
    if factors is None:
        return emit.reduce("add", read(emit, cotangent, shape, inverse.at, inverse.guards), axes)
    return emit.reduce(
        "add", emit.map("mul", *(read(emit, each.source, shape, each.at, each.guards) for each in factors)), axes
    )


class Factor(NamedTuple):
    """A tensor, the indices at which it is read, and the guards under which it is read."""

    source: SSAValue
    at: tuple[Index, ...]
    guards: tuple[Index, ...]

    def through(self, at: Sequence[Index], guards: Sequence[Index], ranges: Ranges) -> Factor:
        """The factor of an element at the indices `at`, over `ranges`, under further guards."""
        own = IndexMap.of(len(at), self.guards).apply(at)
        needed = [each for each in map(ranges.simplify, own) if not ranges.nonnegative(each)]
        return Factor(self.source, tuple(IndexMap.of(len(at), self.at).apply(at)), (*guards, *needed))


def _factors(cotangent: SSAValue, shape: Shape, inverse: Inverse) -> tuple[Factor, Factor] | None:
    """The factors of a product that is read partly out of bounds; the first factor is out of bounds wherever the product is.
    Padding that factor makes the gradient of a convolution a convolution of the zero-padded cotangent, as in
    `graph.conv_transpose`: reading the product itself with zero padding would add another sum for every element of the product.

    Where a guard fails, both factors are 0: the product of 0 with an element that is not finite would be NaN. Both are also 0
    beyond the ends of the second factor, such as a window that multiplies a cotangent. Beyond its own ends the cotangent is
    padded with zeros, as a convolution pads an image, and the second factor has no guards, as tiles require.
    """
    owner = cotangent.owner
    if not isinstance(owner, uop.MapOp) or owner.function.data != "mul":
        return None
    ranges = Ranges.of_shape(shape)
    sizes = shape_of(cotangent)
    ending = [axis for axis, (at, size) in enumerate(zip(inverse.at, sizes, strict=True)) if not ranges.within(at, size)]
    first, second = (_look_through(factor) for factor in owner.inputs)
    bounds = [bound for axis in ending for bound in (inverse.at[axis], sizes[axis] - 1 - inverse.at[axis])]
    inside = tuple(each for each in map(ranges.simplify, bounds) if not ranges.nonnegative(each))
    for own, other, more in ((first, second, ()), (second, first, inside)) if ending or inverse.guards else ():
        axes = set(zip(own.at, shape_of(own.source), strict=True))
        if all((dim(axis), sizes[axis]) in axes for axis in ending):
            guards = tuple(dict.fromkeys((*inverse.guards, *more)))
            others = guards if more else tuple(each for each in guards if ranges.simplify(each) not in inside)
            return own.through(inverse.at, guards, ranges), other.through(inverse.at, others, ranges)
    return None


def _look_through(value: SSAValue) -> Factor:
    """The factor that a broadcast reads, or a read with zeros out of bounds and where guards fail; any other tensor is a factor
    at its own indices."""
    owner, shape = value.owner, shape_of(value)
    if isinstance(owner, uop.ReindexOp) and not owner.indices and (owner.fill is None or is_plus_zero(owner.fill)):
        return Factor(owner.source, tuple(owner.map.data.results), tuple(owner.guard_exprs()))
    return Factor(value, tuple(dim(axis) for axis in range(len(shape))), ())
