"""Micro-op builder: inserts the micro-ops of rules that expand or differentiate operations."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import DenseIntOrFPElementsAttr, FloatAttr, IntegerAttr, i64
from xdsl.ir import Attribute, Block, SSAValue

from ...dialects import uop
from ...ir.index.expressions import Index, IndexLike, dim, index
from ...ir.index.simplify import Ranges
from ...ir.rewrite import Builder
from ...ir.scalars.attributes import number
from ...ir.types.shapes import Shape, element_of, shape_of, tensor_type

Gathered = Sequence[tuple[SSAValue, Sequence[IndexLike]]]


class Emit:
    """Inserts micro-ops with a builder, which derives them from their source operations. With `one_hot`, gradients of gathers
    of one element of each row are selections."""

    def __init__(self, builder: Builder, *, one_hot: bool = False):
        self.builder, self.one_hot = builder, one_hot
        # The results of operations that were replaced meanwhile, mapped to their replacements.
        self.moved: dict[SSAValue, SSAValue] = {}

    def current(self, value: SSAValue) -> SSAValue:
        """The current form of a value: its replacement, if the operation that computed it was replaced."""
        while value in self.moved:
            value = self.moved[value]
        return value

    def map(self, function: str, *inputs: SSAValue) -> SSAValue:
        return self.builder.add(uop.MapOp(function, *inputs)).result

    def cast(self, value: SSAValue, element: Attribute) -> SSAValue:
        if element_of(value) == element:
            return value
        return self.builder.add(uop.CastOp(value, element)).result

    def full(self, shape: Sequence[IndexLike], value: float | int | bool, element: Attribute) -> SSAValue:
        return self.constant(number(value, element), tensor_type(shape, element))

    def constant(self, value: Attribute, type: Attribute) -> SSAValue:
        return self.builder.add(uop.ConstantOp(value, type)).result

    def iota(self, axis: int, shape: Sequence[IndexLike], element: Attribute) -> SSAValue:
        return self.builder.add(uop.IotaOp(axis, tensor_type(shape, element))).result

    def reduce(self, accumulator: str, value: SSAValue, axes: Sequence[int]) -> SSAValue:
        if not axes:
            return value
        return self.builder.add(uop.ReduceOp(accumulator, value, axes)).result

    def scan(self, accumulator: str, value: SSAValue, axis: int, reverse: bool, exclusive: bool) -> SSAValue:
        return self.builder.add(uop.ScanOp(accumulator, value, axis, reverse=reverse, exclusive=exclusive)).result

    def recurrence(self, factors: SSAValue, value: SSAValue, axis: int, reverse: bool) -> SSAValue:
        return self.builder.add(uop.RecurrenceOp(factors, value, axis, reverse=reverse)).result

    def fold(
        self, inputs: Sequence[SSAValue], init: Sequence[SSAValue], axis: int, body: Block, reverse: bool
    ) -> Sequence[SSAValue]:
        return self.builder.add(uop.FoldOp(inputs, init, axis, body, reverse=reverse)).results

    def iterate(
        self,
        init: Sequence[SSAValue],
        stacked: Sequence[SSAValue],
        shared: Sequence[SSAValue],
        length: Index,
        body: Block,
        reverse: bool,
    ) -> Sequence[SSAValue]:
        return self.builder.add(uop.IterateOp(init, stacked, shared, length, body, reverse=reverse)).results

    def fence(self, value: SSAValue, after: Sequence[SSAValue]) -> SSAValue:
        return self.builder.add(uop.FenceOp(value, after)).result

    def scatter(
        self,
        accumulator: str,
        init: SSAValue,
        updates: SSAValue,
        at: Sequence[IndexLike],
        indices: Gathered = (),
        guards: Sequence[Index] = (),
        bounds: str = "error",
    ) -> SSAValue:
        made = uop.ScatterOp(accumulator, init, updates, at, indices=indices, guards=guards, bounds=bounds)
        return self.builder.add(made).result

    def scatter_recurrence(
        self,
        init: SSAValue,
        factors: SSAValue,
        value: SSAValue,
        at: Sequence[IndexLike],
        indices: Gathered = (),
        guards: Sequence[Index] = (),
        bounds: str = "error",
        reverse: bool = False,
    ) -> Sequence[SSAValue]:
        made = uop.ScatterRecurrenceOp(init, factors, value, at, indices=indices, guards=guards, bounds=bounds, reverse=reverse)
        return self.builder.add(made).results

    def interleave(self, sources: Sequence[SSAValue], shape: Sequence[Index]) -> SSAValue:
        return self.builder.add(uop.InterleaveOp(sources, shape)).result

    def window(
        self,
        source: SSAValue,
        shape: Sequence[Index],
        at: Sequence[IndexLike],
        fill: Attribute | None = None,
        guards: Sequence[Index] = (),
    ) -> SSAValue:
        """`source` read at `at`, over indices of `shape`; reads out of bounds give `fill`."""
        return self.builder.add(uop.ReindexOp(source, shape, at, fill=fill, guards=guards)).result

    def reindex(self, source: SSAValue, shape: Sequence[Index], at: Sequence[IndexLike], indices: Gathered = ()) -> SSAValue:
        """`source` read at `at`, which must be in bounds. If the ranges of the indices do not prove this, the read gets a fill
        value, so that no level has to rely on it."""
        ranges = Ranges.of_shape(shape)
        access = [ranges.simplify(index(each)) for each in at]
        if not indices and tuple(access) == tuple(map(dim, range(len(shape)))) and tuple(shape) == shape_of(source):
            return source
        inside = not indices and all(ranges.within(each, size) for each, size in zip(access, shape_of(source), strict=True))
        splat = splat_of(source)
        if inside and splat is not None:
            return self.constant(splat, tensor_type(shape, element_of(source)))
        fill = None if inside or indices else number(0, element_of(source))
        return self.builder.add(uop.ReindexOp(source, shape, access, indices=indices, fill=fill)).result

    def broadcast(self, value: SSAValue, shape: Shape) -> SSAValue:
        """`value` along new leading axes, and along axes of size 1."""
        given = shape_of(value)
        if given == shape:
            return value
        return self.reindex(value, shape, aligned(given, shape))

    def size(self, value: Index) -> SSAValue:
        """A size as a tensor of rank 0: the last element of 0, 1, ..., value."""
        if value.constant is not None:
            return self.full((), value.constant, i64)
        return self.reindex(self.iota(0, [value + 1], i64), (), [value])


def aligned(given: Shape, shape: Sequence[Index], first: int = 0) -> list[Index]:
    """The indices to read a tensor of shape `given` at that broadcasts to `shape`, whose axis k is dimension first + k."""
    offset = first + len(shape) - len(given)
    return [
        index(0) if size == 1 and shape[len(shape) - len(given) + axis] != 1 else dim(offset + axis)
        for axis, size in enumerate(given)
    ]


def splat_of(value: SSAValue) -> FloatAttr | IntegerAttr | None:
    """The value of a splat constant, None for any other tensor."""
    owner = value.owner
    if isinstance(owner, uop.ConstantOp) and not isinstance(owner.value, DenseIntOrFPElementsAttr):
        return owner.value
    return None
