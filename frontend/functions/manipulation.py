"""Functions that rearrange elements: reshaping, permuting, broadcasting, joining and splitting. All raise ShapeError for axes
out of range and for sizes that do not fit."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import Any

from ...dialects.graph import elementwise
from ...dialects.graph import shape as ops
from ...dialects.graph.base import broadcast_shapes
from ...ir.index.expressions import Index, index, product
from ...ir.types.overflow import FAR, near
from ...ir.types.shapes import format_shape
from ..tracing.sizes import SizeLike
from ..tracing.tensor import Tensor, TensorLike, harmonise
from ..tracing.tracer import Tracer, current_tracer
from .arguments import axes_of, axis_of, each_axis, int_of, shape_from, size_from, tensor, tracer_of


def reshape(x: TensorLike, /, shape: Any, *rest: Any) -> Tensor:
    """The elements in row-major order in another shape. One size may be -1 and is then inferred. Raises ShapeError when the
    numbers of elements differ."""
    value = tensor(x)
    sizes = shape_from((shape, *rest) if rest else shape, value.tracer)
    unknown = [k for k, size in enumerate(sizes) if size == -1]
    if len(unknown) > 1:
        raise value.tracer.error(f"reshape: only one size can be -1, got {format_shape(sizes)}")
    if unknown:
        total, given = product(value.sizes), product(size for size in sizes if size != -1)
        quotient = value.tracer.sizes.divide(total, given) if given != 0 else None
        if quotient is None:
            raise value.tracer.error(
                f"cannot reshape {format_shape(value.sizes)} to {format_shape(sizes)}: sizes do not divide"
            )
        sizes[unknown[0]] = quotient
    return value.tracer.emit(ops.ReshapeOp, value, sizes)


def flatten(x: TensorLike, /) -> Tensor:
    """x reshaped to one axis, in row-major order."""
    return reshape(x, (-1,)) if tensor(x).ndim != 1 else tensor(x)


def permute_dims(x: TensorLike, /, axes: Sequence[int]) -> Tensor:
    """x with its axes permuted: axis k of the result is axis axes[k] of x."""
    value = tensor(x)
    order = axes_of(axes, value.ndim, value.tracer)
    return value if order == tuple(range(value.ndim)) else value.tracer.emit(ops.PermuteOp, value, order)


def transpose(x: TensorLike, /, *axes: Any) -> Tensor:
    """NumPy's transpose: the axes permuted to the given order, or reversed if there is none."""
    value = tensor(x)
    order = axes[0] if len(axes) == 1 and isinstance(axes[0], Iterable) else axes
    return permute_dims(value, tuple(order) if order else tuple(reversed(range(value.ndim))))


def matrix_transpose(x: TensorLike, /) -> Tensor:
    """x with its last two axes exchanged."""
    return swapaxes(x, -1, -2)


def swapaxes(x: TensorLike, /, axis1: int, axis2: int) -> Tensor:
    """x with two axes exchanged."""
    value = tensor(x)
    order = list(range(value.ndim))
    a, b = axis_of(axis1, value.ndim, value.tracer), axis_of(axis2, value.ndim, value.tracer)
    order[a], order[b] = order[b], order[a]
    return permute_dims(value, order)


def moveaxis(x: TensorLike, /, source: int | Sequence[int], destination: int | Sequence[int]) -> Tensor:
    """x with axes `source` moved to the indices `destination`; the others keep their order."""
    value = tensor(x)
    sources, places = axes_of(source, value.ndim, value.tracer), axes_of(destination, value.ndim, value.tracer)
    if len(sources) != len(places):
        raise value.tracer.error(f"moveaxis: expected as many destinations as sources, got {len(places)} for {len(sources)}")
    order = [axis for axis in range(value.ndim) if axis not in sources]
    for place, axis in sorted(zip(places, sources, strict=True)):
        order.insert(place, axis)
    return permute_dims(value, order)


def expand_dims(x: TensorLike, /, axis: int | Sequence[int]) -> Tensor:
    """x with new axes of size 1, at these indices of the result."""
    value = tensor(x)
    count = len(axis) if isinstance(axis, Sequence) else 1
    places = axes_of(axis, value.ndim + count, value.tracer)
    sizes = iter(value.sizes)
    return reshape(value, [index(1) if k in places else next(sizes) for k in range(value.ndim + count)])


def squeeze(x: TensorLike, /, axis: int | Sequence[int] | None = None) -> Tensor:
    """x without axes of size 1: the given ones, or all that are known to be 1. Raises ShapeError if a given axis has another
    size."""
    value = tensor(x)
    sizes = value.sizes
    if axis is None:
        return reshape(value, [size for size in sizes if size != 1])
    axes = axes_of(axis, value.ndim, value.tracer)
    for each in axes:
        if not value.tracer.sizes.unify(sizes[each], 1):
            raise value.tracer.error(f"squeeze: axis {each} of {format_shape(sizes)} does not have size 1")
    return reshape(value, [size for k, size in enumerate(sizes) if k not in axes])


def broadcast_to(x: TensorLike, /, shape: Any) -> Tensor:
    """x repeated along new leading axes and along axes of size 1, to `shape`. Raises ShapeError for shapes that do not
    broadcast."""
    value = tensor(x)
    sizes = tuple(shape_from(shape, value.tracer))
    return value if sizes == value.sizes else value.tracer.emit(elementwise.BroadcastOp, value, sizes)


def expand(x: TensorLike, /, *shape: Any) -> Tensor:
    """Like broadcast_to; -1 keeps the size of an axis."""
    value = tensor(x)
    wanted = shape_from(shape[0] if len(shape) == 1 and isinstance(shape[0], Iterable) else shape, value.tracer)
    if len(wanted) < value.ndim:
        raise value.tracer.error(f"expand: expected at least {value.ndim} sizes, got {len(wanted)}")
    kept = [index(1)] * (len(wanted) - value.ndim) + list(value.sizes)
    return broadcast_to(value, [old if new == -1 else new for new, old in zip(wanted, kept, strict=True)])


def broadcast_arrays(*arrays: TensorLike) -> list[Tensor]:
    """All tensors broadcast to their common shape. Raises ShapeError when there is none."""
    tracer = tracer_of(*arrays)
    values = [tensor(each) for each in arrays]
    common = tracer.settle("broadcast_arrays", lambda: broadcast_shapes([value.sizes for value in values]))
    return [broadcast_to(value, common) for value in values]


def concat(arrays: Sequence[TensorLike], /, axis: int | None = 0) -> Tensor:
    """Tensors of equal rank joined along an axis (flattened for None), in their common dtype. Their sizes along the other axes
    must be equal."""
    arrays = list(arrays)  # a tensor is the sequence of its parts along the first axis
    tracer = tracer_of(*arrays)
    if not arrays:
        raise tracer.error("concat: expected at least one tensor")
    values = harmonise(list(arrays), tracer)
    if axis is None:
        values, axis = [flatten(value) for value in values], 0
    return tracer.emit(ops.ConcatOp, values, axis_of(axis, values[0].ndim, tracer))


def stack(arrays: Sequence[TensorLike], /, axis: int = 0) -> Tensor:
    """Tensors of equal shape joined along a new axis."""
    arrays = list(arrays)
    if not arrays:
        raise current_tracer().error("stack: expected at least one tensor")
    return concat([expand_dims(each, axis) for each in arrays], axis=axis)


def unstack(x: TensorLike, /, axis: int = 0) -> tuple[Tensor, ...]:
    """The slices of x along an axis of known size, without that axis."""
    value = tensor(x)
    axis = axis_of(axis, value.ndim, value.tracer)
    return tuple(squeeze(part, axis) for part in split(value, int(value.shape[axis]), axis=axis))


def split(x: TensorLike, /, parts: int | Sequence[SizeLike], axis: int = 0) -> tuple[Tensor, ...]:
    """x split along an axis into a number of equal parts, or before the given indices. Raises ShapeError for an axis that is
    not known to be divisible."""
    value = tensor(x)
    axis = axis_of(axis, value.ndim, value.tracer)
    size = value.sizes[axis]
    if isinstance(parts, int):
        part = value.tracer.sizes.divide(size, index(parts)) if parts > 0 else None
        if part is None:
            raise value.tracer.error(f"split: axis {axis} of size {size} does not divide into {parts} equal parts")
        borders = [part * k for k in range(parts + 1)]
    else:
        borders = [index(0), *(size_from(each, value.tracer) for each in parts), size]
    return tuple(slice_axis(value, axis, first, last - first) for first, last in pairwise(borders))


def slice_axis(x: TensorLike, axis: int, start: Index, size: Index) -> Tensor:
    """`size` elements along one axis, from `start`."""
    value = tensor(x)
    sizes = list(value.sizes)
    starts: list[Index] = [index(0)] * value.ndim
    starts[axis], sizes[axis] = start, size
    return value.tracer.emit(ops.SliceOp, value, starts, sizes, [1] * value.ndim)


def flip(x: TensorLike, /, axis: int | Sequence[int] | None = None) -> Tensor:
    """x reversed along the given axes, by default all."""
    value = tensor(x)
    return value.tracer.emit(ops.FlipOp, value, axes_of(axis, value.ndim, value.tracer))


def roll(x: TensorLike, /, shift: Any, axis: int | Sequence[int] | None = None) -> Tensor:
    """x rotated along axes: elements shifted past one end re-enter at the other. `axis=None` rotates the flattened tensor; an
    axis that repeats is rotated by the sum of its shifts."""
    value = tensor(x)
    if axis is None:
        return reshape(roll(flatten(value), shift, axis=0), value.sizes)
    given = [axis_of(each, value.ndim, value.tracer) for each in (axis if isinstance(axis, Sequence) else [axis])]
    shifts: dict[int, Index] = {}
    for along, each in zip(given, each_axis(shift, len(given), "shift", value.tracer), strict=True):
        shifts[along] = shifts.get(along, index(0)) + size_from(each, value.tracer)
    within = [_within(each, value.sizes[along], value.tracer) for along, each in shifts.items()]
    return value.tracer.emit(ops.RollOp, value, within, tuple(shifts))


def _within(shift: Index, size: Index, tracer: Tracer) -> Index:
    """A shift reduced modulo the axis where it is beyond 64-bit index arithmetic; pins the size to that of this call."""
    if shift.constant is None or near(shift.constant) == shift.constant:
        return shift
    if tracer.sizes.hint_of(size) is None:
        raise tracer.error(f"roll: expected a shift of at most {FAR} along an axis of unknown size, got {shift}")
    return shift % tracer.sizes.pin(size)


def tile(x: TensorLike, repetitions: Any, /) -> Tensor:
    """x repeated as a whole along each axis. The shorter of shape and `repetitions` is extended by leading ones."""
    value = tensor(x)
    counts = shape_from(repetitions, value.tracer)
    rank = max(len(counts), value.ndim)
    if value.ndim < rank:
        value = expand_dims(value, tuple(range(rank - value.ndim)))
    return value.tracer.emit(ops.TileOp, value, [index(1)] * (rank - len(counts)) + counts)


def repeat(x: TensorLike, repeats: SizeLike, /, axis: int | None = None) -> Tensor:
    """x with each element along an axis repeated `repeats` times; flattened for None."""
    value = tensor(x)
    if axis is None:
        value, axis = flatten(value), 0
    count = size_from(repeats, value.tracer)
    return value.tracer.emit(ops.RepeatOp, value, axis_of(axis, value.ndim, value.tracer), count)


def diagonal(x: TensorLike, /, offset: int = 0, axis1: int = 0, axis2: int = 1) -> Tensor:
    """The elements whose indices along `axis2` and `axis1` differ by `offset`, as a new last axis that replaces the two."""
    value = tensor(x)
    axes = axes_of((axis1, axis2), value.ndim, value.tracer)
    return value.tracer.emit(ops.DiagonalOp, value, near(int_of(offset, "an offset", value.tracer)), *axes)


def meshgrid(*arrays: TensorLike, indexing: str = "xy") -> list[Tensor]:
    """Coordinate grids from one-dimensional tensors; "ij" keeps the order of axes, "xy" exchanges the first two."""
    tracer = tracer_of(*arrays)
    if indexing not in ("xy", "ij"):
        raise tracer.error(f"meshgrid: expected indexing 'xy' or 'ij', got {indexing!r}")
    values = [tensor(each) for each in arrays]
    for value in values:
        if value.ndim != 1:
            raise tracer.error(f"meshgrid: expected tensors with one axis, got {value!r}")
    order = list(range(len(values)))
    if indexing == "xy" and len(values) > 1:
        order[:2] = [1, 0]
    shape = [values[k].sizes[0] for k in order]
    placed = [reshape(v, [v.sizes[0] if axis == k else index(1) for axis in order]) for k, v in enumerate(values)]
    return [broadcast_to(value, shape) for value in placed]
