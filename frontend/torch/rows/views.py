"""Rows of views, joins and copies. Views of torch are new values here; torch itself makes views of arguments."""

from __future__ import annotations

from collections.abc import Sequence
from types import MappingProxyType
from typing import Any

from ....ir.types.dtypes import BOOL
from ... import functions as sw
from ...functions.creation import index_along
from ...tracing.tensor import Tensor, cast, tensor_of
from ...tracing.tracer import current_tracer
from .parts import axis_in
from .row import Rows, Unsupported, meta, meta_dtype, own, result


def _permute(x: Tensor, dims: Sequence[int]) -> Tensor:
    return sw.permute_dims(x, [axis_in(x, each) for each in dims]) if x.ndim else x


def _transpose(x: Tensor, first: int, second: int) -> Tensor:
    return sw.swapaxes(x, first, second) if x.ndim else x


def _t(x: Tensor) -> Tensor:
    return sw.matrix_transpose(x) if x.ndim == 2 else x


def _squeeze(x: Tensor, dims: Any = None) -> Tensor:
    """x without those of the given axes that have size 1."""
    given = range(x.ndim) if dims is None else dims if isinstance(dims, Sequence) else (dims,)
    axes = [axis_in(x, each) for each in given] if x.ndim else []
    sizes = x.shape
    return sw.reshape(x, [size for k, size in enumerate(sizes) if not (k in axes and size == 1)])


def _unsqueeze(x: Tensor, dim: int) -> Tensor:
    return sw.expand_dims(x, dim)


def _expand(x: Tensor, sizes: Sequence[Any], *, implicit: bool = False) -> Tensor:
    return sw.expand(x, tuple(sizes))


def _slice(x: Tensor, dim: int = 0, start: Any = None, end: Any = None, step: Any = 1) -> Tensor:
    key: list[Any] = [slice(None)] * x.ndim
    key[axis_in(x, dim)] = slice(start, end, step)
    return sw.getitem(x, tuple(key))


def _select(x: Tensor, dim: int, at: Any) -> Tensor:
    key: list[Any] = [slice(None)] * x.ndim
    key[axis_in(x, dim)] = at
    return sw.getitem(x, tuple(key))


def _unbind(x: Tensor, dim: int = 0) -> tuple[Tensor, ...]:
    return tuple(_select(x, dim, k) for k in range(len(meta().results)))


def _split(x: Tensor, size: Any, dim: int = 0) -> tuple[Tensor, ...]:
    count = len(meta().results)
    return tuple(_slice(x, dim, k * size, (k + 1) * size if k + 1 < count else None) for k in range(count))


def _split_with_sizes(x: Tensor, sizes: Sequence[Any], dim: int = 0) -> tuple[Tensor, ...]:
    found, start = [], 0
    for size in sizes:
        found.append(_slice(x, dim, start, start + size))
        start = start + size
    return tuple(found)


def _concat(values: Sequence[Tensor], dim: int = 0) -> Tensor:
    target = meta_dtype()
    # Tensors of shape (0,) are left out, whatever the rank of the other tensors.
    kept = [each for each in values if not (each.ndim == 1 and meta().first.ndim != 1)]
    return sw.concat([cast(each, target) for each in kept], axis=dim)


def _stack(values: Sequence[Tensor], dim: int = 0) -> Tensor:
    target = meta_dtype()
    return sw.stack([cast(each, target) for each in values], axis=dim)


def _repeat(x: Tensor, counts: Sequence[Any]) -> Tensor:
    return sw.tile(x, tuple(counts))


def _flip(x: Tensor, dims: Sequence[int]) -> Tensor:
    return sw.flip(x, axis=tuple(axis_in(x, each) for each in dims)) if x.ndim and dims else x


def _roll(x: Tensor, shifts: Any, dims: Any = ()) -> Tensor:
    if not x.ndim:
        return x
    if not dims:
        return sw.roll(x, shifts[0] if isinstance(shifts, Sequence) else shifts)
    for shift, dim in zip(shifts, dims, strict=True):
        x = sw.roll(x, shift, axis=axis_in(x, dim))
    return x


def _pad(x: Tensor, amounts: Sequence[Any], value: Any = 0) -> Tensor:
    """x padded by a constant; negative amounts crop. The amounts are pairs from the last axis on."""
    pairs: list[tuple[Any, Any]] = [(0, 0)] * x.ndim
    for k in range(len(amounts) // 2):
        pairs[x.ndim - 1 - k] = amounts[2 * k], amounts[2 * k + 1]
    for axis, (before, after) in enumerate(pairs):
        if before < 0 or after < 0:
            start, stop = -before if before < 0 else 0, x.shape[axis] + after if after < 0 else None
            x = _slice(x, axis, start, stop)
    grown = [(max(before, 0), max(after, 0)) for before, after in pairs]
    return sw.pad(x, grown, _number(value, x)) if x.ndim else x


def _number(value: Any, like: Tensor) -> Any:
    if like.dtype == BOOL:
        return bool(value)
    return value if like.dtype.is_float else int(value)


def _diagonal(x: Tensor, offset: int = 0, dim1: int = 0, dim2: int = 1) -> Tensor:
    return sw.diagonal(x, offset=offset, axis1=dim1, axis2=dim2)


def _copy(x: Tensor, source: Tensor, non_blocking: bool = False) -> Tensor:
    return sw.broadcast_to(cast(source, x.dtype), x.shape)


def _same(x: Tensor, *_: Any, **__: Any) -> Tensor:
    return x


def _select_scatter(x: Tensor, source: Tensor, dim: int, at: Any) -> Tensor:
    axis = axis_in(x, dim)
    place = at + x.shape[axis] if isinstance(at, int) and at < 0 else at
    return sw.where(sw.equal(index_along(x, axis), place), sw.expand_dims(cast(source, x.dtype), axis), x)


def _slice_scatter(x: Tensor, source: Tensor, dim: int = 0, start: Any = None, end: Any = None, step: Any = 1) -> Tensor:
    axis = axis_in(x, dim)
    size, new = x.shape[axis], cast(source, x.dtype)
    first = _clamped(0 if start is None else start, size)
    if new.shape[axis] == 0:
        return x
    if step == 1:
        length = new.shape[axis]
        parts = [_slice(x, axis, 0, first), new, _slice(x, axis, first + length, None)]
        return sw.concat([part for part in parts if not _is_empty(part, axis)], axis=axis)
    offsets = index_along(x, axis) - first
    length = new.shape[axis]
    inside = sw.logical_and(sw.greater_equal(offsets, 0), sw.equal(sw.remainder(offsets, step), 0))
    inside = sw.logical_and(inside, sw.less(offsets, length * step))
    line = sw.arange(size) - first
    places = sw.clip(sw.floor_divide(line, step), 0, length - 1)
    return sw.where(inside, sw.take(new, places, axis=axis), x)


def _is_empty(x: Tensor, axis: int) -> bool:
    size = x.shape[axis]
    return isinstance(size, int) and size == 0


def _clamped(bound: Any, size: Any) -> Any:
    if bound < 0:
        bound = bound + size
    return bound if bound <= size else size


def _diagonal_scatter(x: Tensor, source: Tensor, offset: int = 0, dim1: int = 0, dim2: int = 1) -> Tensor:
    """x with `source` on a diagonal."""
    first, second = axis_in(x, dim1), axis_in(x, dim2)
    rest = [k for k in range(x.ndim) if k not in (first, second)]
    moved = sw.permute_dims(x, [*rest, first, second])
    rows, columns = index_along(moved, -2), index_along(moved, -1)
    along = sw.minimum(rows, columns)
    length = source.shape[-1]
    places = sw.clip(along, 0, length - 1 if length != 0 else 0)
    if length == 0:
        return x
    values = sw.take_along_axis(sw.expand_dims(cast(source, x.dtype), -2), places, axis=-1)
    merged = sw.where(sw.equal(columns - rows, offset), values, moved)
    order = [0] * x.ndim
    for place, axis in enumerate([*rest, first, second]):
        order[axis] = place
    return sw.permute_dims(merged, order)


def _unfold(x: Tensor, dim: int, size: int, step: int) -> Tensor:
    """The windows along an axis, as a new last axis."""
    if not x.ndim:
        return sw.reshape(x, (1,))
    axis = axis_in(x, dim)
    count = (x.shape[axis] - size) // step + 1
    starts = sw.reshape(sw.arange(count) * step, (-1, 1)) if count != 0 else sw.zeros((0, 1), "int64")
    places = starts + sw.reshape(sw.arange(size), (1, -1))
    return sw.moveaxis(sw.take(x, places, axis=axis), axis + 1, x.ndim)


def _as_strided(x: Tensor, sizes: Sequence[Any], strides: Sequence[Any], offset: Any = None) -> Tensor:
    """A gather from the flattened tensor, if torch's tensor is contiguous."""
    if any(size == 0 for size in sizes):
        return sw.zeros(tuple(sizes), x.dtype)
    return sw.take(sw.flatten(x), _strided_places(sizes, strides, offset), axis=0)


def _strided_places(sizes: Sequence[Any], strides: Sequence[Any], offset: Any) -> Tensor:
    """The indices in memory of a view of a contiguous tensor."""
    if not meta().is_whole:
        raise Unsupported("as_strided on a tensor that is not contiguous, or a part of its memory")
    start, rank = 0 if offset is None else offset, len(sizes)
    places = sw.zeros((1,) * rank, "int64") + start
    for axis, (size, stride) in enumerate(zip(sizes, strides, strict=True)):
        places = places + sw.reshape(sw.arange(size) * stride, [-1 if k == axis else 1 for k in range(rank)])
    return places


def _as_strided_scatter(x: Tensor, source: Tensor, sizes: Sequence[Any], strides: Sequence[Any], offset: Any = None) -> Tensor:
    if any(size == 0 for size in sizes):
        return x
    places = sw.flatten(_strided_places(sizes, strides, offset))
    return sw.reshape(sw.scatter(sw.flatten(x), places, sw.flatten(cast(source, x.dtype)), axis=0), x.shape)


def _tril(x: Tensor, diagonal: int = 0) -> Tensor:
    return sw.tril(x, k=diagonal)


def _triu(x: Tensor, diagonal: int = 0) -> Tensor:
    return sw.triu(x, k=diagonal)


def _item_free(x: Tensor, value: Any) -> Tensor:
    """A tensor of the shape of x filled with a number or a tensor without axes."""
    filled = cast(value, x.dtype) if isinstance(value, Tensor) else tensor_of(_number(value, x), current_tracer(), x.dtype)
    return sw.broadcast_to(filled, x.shape)


def _broadcast_in_dim(x: Tensor, shape: Sequence[Any], dims: Sequence[int]) -> Tensor:
    sizes: list[Any] = [1] * len(shape)
    for axis, size in zip(dims, x.shape, strict=True):
        sizes[axis] = size
    return sw.broadcast_to(sw.reshape(x, sizes), tuple(shape))


VIEWS: Rows = MappingProxyType(
    {
        "view.default": own(lambda x, sizes: sw.reshape(x, tuple(sizes))),
        "reshape.default": own(lambda x, sizes: sw.reshape(x, tuple(sizes))),
        "_unsafe_view.default": own(lambda x, sizes: sw.reshape(x, tuple(sizes))),
        "_reshape_alias.default": own(lambda x, sizes, strides: sw.reshape(x, tuple(sizes))),
        "permute.default": own(_permute),
        "transpose.int": own(_transpose),
        "t.default": own(_t),
        "squeeze.default": own(_squeeze),
        "squeeze.dim": own(_squeeze),
        "squeeze.dims": own(_squeeze),
        "unsqueeze.default": own(_unsqueeze),
        "expand.default": own(_expand),
        "slice.Tensor": own(_slice),
        "select.int": own(_select),
        "unbind.int": own(_unbind),
        "split.Tensor": own(_split),
        "split_with_sizes.default": own(_split_with_sizes),
        "cat.default": own(_concat),
        "stack.default": own(_stack),
        "repeat.default": own(_repeat),
        "flip.default": own(_flip),
        "roll.default": own(_roll),
        "constant_pad_nd.default": own(_pad),
        "diagonal.default": own(_diagonal),
        "copy.default": own(_copy),
        "alias.default": own(_same),
        "detach.default": own(_same),
        "clone.default": own(_same),
        "lift_fresh_copy.default": own(_same),
        "contiguous.default": own(_same),
        "fill.Scalar": own(_item_free),
        "fill.Tensor": own(_item_free),
        "select_scatter.default": own(_select_scatter),
        "slice_scatter.default": own(_slice_scatter),
        "diagonal_scatter.default": own(_diagonal_scatter),
        "unfold.default": own(_unfold),
        "as_strided.default": own(_as_strided),
        "as_strided_scatter.default": own(_as_strided_scatter),
        "tril.default": own(_tril),
        "triu.default": own(_triu),
        "prims.broadcast_in_dim.default": own(_broadcast_in_dim),
        "prims.view_of.default": own(_same),
        "vdot.default": result(lambda x, y: sw.sum(x * y)),
    }
)
