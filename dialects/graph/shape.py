"""The graph level: operations that rearrange elements. Sizes and offsets may be expressions over parameters."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from xdsl.dialects.builtin import FloatAttr, IntegerAttr, TensorType, i64
from xdsl.ir import Attribute, SSAValue
from xdsl.irdl import irdl_op_definition, operand_def, prop_def, var_operand_def
from xdsl.utils.exceptions import VerifyException

from ...ir.index.expressions import Index, IndexLike, index, product
from ...ir.types.shapes import ShapeAttr, element_of, format_shape, shape_of, tensor_type
from .base import (
    GraphOp,
    Ints,
    expect_axes,
    expect_axis,
    expect_count,
    expect_same_dtype,
    ints,
    ints_of,
    sizes,
    with_shape,
)
from .mismatch import SizeMismatch
from .rules import array, axis_names, numbered, result


@irdl_op_definition
class ReshapeOp(GraphOp):
    """The elements in row-major order with other sizes: `%1 = graph.reshape %0 : tensor<2x3xf32> -> tensor<6xf32>`."""

    name = "graph.reshape"
    input = operand_def(TensorType)
    assembly_format = "$input attr-dict `:` type($input) `->` type($result)"

    def __init__(self, input: SSAValue, shape: Sequence[IndexLike]):
        self.build_from([input], result=with_shape(shape, input))

    def infer(self) -> Attribute:
        before, after = shape_of(self.input), self.shape
        if product(before) != product(after):
            message = f"cannot reshape {format_shape(before)} to {format_shape(after)}"
            raise SizeMismatch(message, product(before), product(after))
        return with_shape(after, self.input)


@irdl_op_definition
class PermuteOp(GraphOp):
    """The axes permuted: axis k of the result is axis `order[k]`.

    `%1 = graph.permute %0 [1, 0] : tensor<2x3xf32> -> tensor<3x2xf32>`
    """

    name = "graph.permute"
    input = operand_def(TensorType)
    order = prop_def(Ints)
    assembly_format = "$input $order attr-dict `:` type($input) `->` type($result)"

    def __init__(self, input: SSAValue, order: Sequence[int]):
        self.build_from([input], {"order": ints(order)})

    def infer(self) -> Attribute:
        shape, order = shape_of(self.input), ints_of(self.order)
        if sorted(order) != list(range(len(shape))):
            raise VerifyException(f"expected a permutation of {len(shape)} axes, got {list(order)}")
        return with_shape(result(_permutation(order), [shape]), self.input)


@irdl_op_definition
class SliceOp(GraphOp):
    """`sizes` elements of each axis, from `starts` in `steps`, which may be negative. All must be in bounds.

    `%1 = graph.slice %0 from <[n - 1]> sizes <[n]> steps [-1] : tensor<?xf32, #sw.shape<[n]>> -> ...` reverses.
    """

    name = "graph.slice"
    input = operand_def(TensorType)
    starts = prop_def(ShapeAttr)
    sizes = prop_def(ShapeAttr)
    steps = prop_def(Ints)
    assembly_format = "$input `from` $starts `sizes` $sizes `steps` $steps attr-dict `:` type($input) `->` type($result)"

    def __init__(self, input: SSAValue, starts: Sequence[IndexLike], extents: Sequence[IndexLike], steps: Sequence[int]):
        self.build_from([input], {"starts": sizes(starts), "sizes": sizes(extents), "steps": ints(steps)})

    def infer(self) -> Attribute:
        shape, extents, steps = shape_of(self.input), self.sizes.data, ints_of(self.steps)
        for what, values in (("starts", self.starts.data), ("sizes", extents), ("steps", steps)):
            expect_count(values, len(shape), what)
        if 0 in steps:
            raise VerifyException("a step must not be 0")
        for axis, (size, start, extent, step) in enumerate(zip(shape, self.starts.data, extents, steps, strict=True)):
            self._expect_inside(axis, size, start, extent, step)
        return with_shape(extents, self.input)

    @staticmethod
    def _expect_inside(axis: int, size: Index, start: Index, extent: Index, step: int) -> None:
        """Raise VerifyException for a slice known to be out of bounds; the builder checks slices of unknown sizes."""
        if extent.constant is not None and extent.constant <= 0:
            if extent.constant < 0:
                raise VerifyException(f"axis {axis}: negative size {extent}")
            return
        last = start + (extent - 1) * step
        for at in (start, last):
            outside = at.constant is not None and at.constant < 0
            beyond = (size - 1 - at).constant
            if outside or (beyond is not None and beyond < 0):
                raise VerifyException(f"axis {axis}: index {at} is outside of size {size}")


@irdl_op_definition
class PadOp(GraphOp):
    """`low` fill values before and `high` ones after each axis; negative amounts crop.

    `%1 = graph.pad %0 low <[1, 0]> high <[1, 0]> fill 0.0 : f32 : tensor<2x3xf32> -> tensor<4x3xf32>`
    """

    name = "graph.pad"
    input = operand_def(TensorType)
    low = prop_def(ShapeAttr)
    high = prop_def(ShapeAttr)
    fill = prop_def(FloatAttr | IntegerAttr)
    assembly_format = "$input `low` $low `high` $high `fill` $fill attr-dict `:` type($input) `->` type($result)"

    def __init__(self, input: SSAValue, low: Sequence[IndexLike], high: Sequence[IndexLike], fill: Attribute):
        self.build_from([input], {"low": sizes(low), "high": sizes(high), "fill": fill})

    def infer(self) -> Attribute:
        shape = shape_of(self.input)
        expect_count(self.low.data, len(shape), "low")
        expect_count(self.high.data, len(shape), "high")
        if self.fill.type != element_of(self.input):
            raise VerifyException(f"fill: expected a value of {element_of(self.input)}, got {self.fill.type}")
        given = {**numbered("low", self.low.data), **numbered("high", self.high.data)}
        return with_shape(result(_each_axis(len(shape), "low{0} + a{0} + high{0}"), [shape], given), self.input)


@irdl_op_definition
class ConcatOp(GraphOp):
    """Tensors joined along an axis: `%2 = graph.concat %0, %1 axis 0 : (tensor<2xf32>, tensor<3xf32>) -> tensor<5xf32>`."""

    name = "graph.concat"
    inputs = var_operand_def(TensorType)
    axis = prop_def(IntegerAttr[i64])
    assembly_format = "$inputs `axis` $axis attr-dict `:` functional-type($inputs, $result)"

    def __init__(self, inputs: Sequence[SSAValue], axis: int):
        self.build_from([inputs], {"axis": IntegerAttr(axis, i64)})

    def infer(self) -> Attribute:
        if not self.inputs:
            raise VerifyException("expected at least one operand")
        shapes = [shape_of(value) for value in self.inputs]
        rank, axis = len(shapes[0]), expect_axis(self.axis.value.data, len(shapes[0]))
        return tensor_type(result(_joining(len(shapes), rank, axis), shapes), expect_same_dtype(self.inputs))


@irdl_op_definition
class FlipOp(GraphOp):
    """The given axes reversed: `%1 = graph.flip %0 [0] : tensor<4xf32> -> tensor<4xf32>`."""

    name = "graph.flip"
    input = operand_def(TensorType)
    axes = prop_def(Ints)
    assembly_format = "$input $axes attr-dict `:` type($input) `->` type($result)"

    def __init__(self, input: SSAValue, axes: Sequence[int]):
        self.build_from([input], {"axes": ints(sorted(axes))})

    def infer(self) -> Attribute:
        expect_axes(ints_of(self.axes), len(shape_of(self.input)))
        return self.input.type


@irdl_op_definition
class RollOp(GraphOp):
    """Axes rotated: elements shifted past the end re-enter at the front: `%1 = graph.roll %0 by <[1]> axes [0] : tensor<4xf32>
    -> tensor<4xf32>`."""

    name = "graph.roll"
    input = operand_def(TensorType)
    shifts = prop_def(ShapeAttr)
    axes = prop_def(Ints)
    assembly_format = "$input `by` $shifts `axes` $axes attr-dict `:` type($input) `->` type($result)"

    def __init__(self, input: SSAValue, shifts: Sequence[IndexLike], axes: Sequence[int]):
        self.build_from([input], {"shifts": sizes(shifts), "axes": ints(axes)})

    def infer(self) -> Attribute:
        axes = expect_axes(ints_of(self.axes), len(shape_of(self.input)))
        expect_count(self.shifts.data, len(axes), "shifts")
        return self.input.type


@irdl_op_definition
class TileOp(GraphOp):
    """The whole tensor repeated along each axis: `%1 = graph.tile %0 by <[2]> : tensor<3xf32> -> tensor<6xf32>`."""

    name = "graph.tile"
    input = operand_def(TensorType)
    repeats = prop_def(ShapeAttr)
    assembly_format = "$input `by` $repeats attr-dict `:` type($input) `->` type($result)"

    def __init__(self, input: SSAValue, repeats: Sequence[IndexLike]):
        self.build_from([input], {"repeats": sizes(repeats)})

    def infer(self) -> Attribute:
        shape = shape_of(self.input)
        expect_count(self.repeats.data, len(shape), "repeats")
        for count in self.repeats.data:
            _expect_count_of_repeats(count)
        given = numbered("repeats", self.repeats.data)
        return with_shape(result(_each_axis(len(shape), "a{0} * repeats{0}"), [shape], given), self.input)


@irdl_op_definition
class RepeatOp(GraphOp):
    """Each element of one axis `count` times: `%1 = graph.repeat %0 axis 0 by <[2]> : tensor<3xf32> -> tensor<6xf32>`."""

    name = "graph.repeat"
    input = operand_def(TensorType)
    axis = prop_def(IntegerAttr[i64])
    count = prop_def(ShapeAttr)
    assembly_format = "$input `axis` $axis `by` $count attr-dict `:` type($input) `->` type($result)"

    def __init__(self, input: SSAValue, axis: int, count: IndexLike):
        self.build_from([input], {"axis": IntegerAttr(axis, i64), "count": sizes([count])})

    def infer(self) -> Attribute:
        shape, axis = shape_of(self.input), self.axis.value.data
        expect_axis(axis, len(shape))
        expect_count(self.count.data, 1, "count")
        _expect_count_of_repeats(self.count.data[0])
        rule = _each_axis(len(shape), "a{0} * count", axis)
        return with_shape(result(rule, [shape], {"count": self.count.data[0]}), self.input)


@irdl_op_definition
class DiagonalOp(GraphOp):
    """The elements at (k, k + offset) of two axes, as a new last axis; the two disappear.

    `%1 = graph.diagonal %0 offset 0 axes [0, 1] : tensor<3x4xf32> -> tensor<3xf32>`
    """

    name = "graph.diagonal"
    input = operand_def(TensorType)
    offset = prop_def(IntegerAttr[i64])
    axes = prop_def(Ints)
    assembly_format = "$input `offset` $offset `axes` $axes attr-dict `:` type($input) `->` type($result)"

    def __init__(self, input: SSAValue, offset: int, first: int, second: int):
        self.build_from([input], {"offset": IntegerAttr(offset, i64), "axes": ints([first, second])})

    def infer(self) -> Attribute:
        shape = shape_of(self.input)
        axes = expect_axes(ints_of(self.axes), len(shape))
        expect_count(axes, 2, "axes")
        down, right = self.skipped
        given = {"down": index(down), "right": index(right)}
        return with_shape(result(_diagonal(len(shape), axes[0], axes[1]), [shape], given), self.input)

    @property
    def skipped(self) -> tuple[int, int]:
        """The numbers of elements of the first and of the second axis before the diagonal."""
        return max(-self.offset.value.data, 0), max(self.offset.value.data, 0)


def _expect_count_of_repeats(count: Index) -> None:
    if count.constant is not None and count.constant < 0:
        raise VerifyException(f"expected a count of at least 0, got {count}")


# The rules, for each rank.


@lru_cache(maxsize=1 << 10)
def _permutation(order: tuple[int, ...]) -> str:
    """`input[a0 a1] -> [a1 a0]`"""
    names = axis_names("a", len(order))
    return f"{array('input', names)} -> {array('', [names[axis] for axis in order])}"


@lru_cache(maxsize=1 << 10)
def _each_axis(rank: int, size: str, axis: int | None = None) -> str:
    """`input[a0 a1] -> [b0 b1] where b0 = ... b1 = ...`, with the size of each axis, or of one axis only."""
    names, changed = axis_names("a", rank), [k for k in range(rank) if axis in (None, k)]
    sizes = [f"b{k}" if k in changed else name for k, name in enumerate(names)]
    where = " ".join(f"b{k} = {size.format(k)}" for k in changed)
    return f"{array('input', names)} -> {array('', sizes)}{f' where {where}' if where else ''}"


@lru_cache(maxsize=1 << 10)
def _joining(count: int, rank: int, axis: int) -> str:
    """`operand0[a0 n0] operand1[a0 n1] -> [a0 total] where total = n0 + n1`"""
    names = axis_names("a", rank)
    operands = [array(f"operand{k}", [*names[:axis], f"n{k}", *names[axis + 1 :]]) for k in range(count)]
    total = " + ".join(f"n{k}" for k in range(count))
    return f"{' '.join(operands)} -> {array('', [*names[:axis], 'total', *names[axis + 1 :]])} where total = {total}"


@lru_cache(maxsize=1 << 10)
def _diagonal(rank: int, first: int, second: int) -> str:
    """`input[a0 a1 a2] -> [a1 length] where length = max(0, min(a0 - down, a2 - right))`"""
    names = axis_names("a", rank)
    kept = [name for k, name in enumerate(names) if k not in (first, second)]
    length = f"max(0, min(a{first} - down, a{second} - right))"
    return f"{array('input', names)} -> {array('', [*kept, 'length'])} where length = {length}"


OPS = (ReshapeOp, PermuteOp, SliceOp, PadOp, ConcatOp, FlipOp, RollOp, TileOp, RepeatOp, DiagonalOp)
