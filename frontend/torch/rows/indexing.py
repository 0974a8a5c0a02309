"""Rows of gathers and scatters. Indices that are out of range raise IndexError at run time, as in torch."""

from __future__ import annotations

from collections.abc import Sequence
from types import MappingProxyType
from typing import Any

from ....ir.types.dtypes import BOOL, INT64
from ... import functions as sw
from ...functions import micro_ops as uop
from ...tracing.tensor import Tensor, cast, tensor_of
from ...tracing.tracer import current_tracer
from .parts import axis_in, from_the_start
from .row import Rows, Unsupported, own


def _index(x: Tensor, indices: Sequence[Any]) -> Tensor:
    _expect_integers(indices)
    return sw.getitem(x, tuple(slice(None) if each is None else cast(each, INT64) for each in indices))


def _expect_integers(indices: Sequence[Any]) -> None:
    if any(each is not None and each.dtype.name in ("bool", "uint8") for each in indices):
        raise Unsupported("the size of the result of a mask is known only at run time")


def _index_put(x: Tensor, indices: Sequence[Any], values: Tensor, accumulate: bool = False, unsafe: bool = False) -> Tensor:
    """x with values at indices of some axes. The indexed axes move to the front and are flattened to one."""
    new = cast(values, x.dtype)
    masks = [each for each in indices if each is not None]
    if len(masks) == 1 and masks[0].dtype == BOOL:
        return _masked_put(x, indices, masks[0], new, accumulate)
    _expect_integers(indices)
    axes = [axis for axis, each in enumerate(indices) if each is not None]
    rest = [axis for axis in range(x.ndim) if axis not in axes]
    places = sw.broadcast_arrays(*(cast(indices[axis], INT64) for axis in axes))
    linear = _linear(x, axes, places) if len(axes) > 1 else places[0]  # the only index is the one that an error names
    kept = [x.shape[axis] for axis in rest]
    together = axes[-1] - axes[0] + 1 == len(axes)
    before = axes[0] if together else 0
    shape = [*kept[:before], *linear.shape, *kept[before:]]
    spread = sw.broadcast_to(new, tuple(shape))
    if before:
        depth = linear.ndim
        order = [*range(before, before + depth), *range(before), *range(before + depth, len(shape))]
        spread = sw.permute_dims(spread, order)
    moved = sw.permute_dims(x, [*axes, *rest])
    flat = sw.reshape(moved, (_count([x.shape[axis] for axis in axes]), *kept))
    count = _count(linear.shape)
    found = _combined(
        flat, sw.reshape(linear, (count,)), sw.reshape(spread, (count, *kept)), axis=0, op="add" if accumulate else "set"
    )
    back = [0] * x.ndim
    for place, axis in enumerate([*axes, *rest]):
        back[axis] = place
    return sw.permute_dims(sw.reshape(found, moved.shape), back)


def _unsafe_index_put(x: Tensor, indices: Sequence[Any], values: Tensor, accumulate: bool = False) -> Tensor:
    """`index_put` without negative indices that count from the end: torch decomposes functions such as `max_unpool2d` to it."""
    is_place = [each is not None and each.dtype.name not in ("bool", "uint8") for each in indices]
    places = [from_the_start(each, x.shape[axis]) if is_place[axis] else each for axis, each in enumerate(indices)]
    return _index_put(x, places, values, accumulate)


def _masked_put(x: Tensor, indices: Sequence[Any], mask: Tensor, new: Tensor, accumulate: bool) -> Tensor:
    """x with one value wherever a mask is true."""
    if indices[0] is None or any(size != 1 for size in new.shape):
        raise Unsupported("the number of elements that a mask selects is known only at run time")
    shaped = sw.reshape(mask, (*mask.shape, *[1] * (x.ndim - mask.ndim)))
    value = sw.reshape(new, ())
    return sw.where(shaped, x + value if accumulate else value, x)


def _combined(x: Tensor, at: Tensor, new: Tensor, axis: int, op: str) -> Tensor:
    """`sw.scatter`, where sums and products of bools are computed as integers."""
    if x.dtype != BOOL or op == "set":
        return sw.scatter(x, at, new, axis=axis, op=op)
    return cast(sw.scatter(cast(x, INT64), at, cast(new, INT64), axis=axis, op=op), BOOL)


def _count(sizes: Sequence[Any]) -> Any:
    total: Any = 1
    for size in sizes:
        total = total * size
    return total


def _linear(x: Tensor, axes: Sequence[int], places: Sequence[Tensor]) -> Tensor:
    """The indices of elements in the flattened axes; an index out of range stays out of range."""
    total = places[0] * 0
    valid = sw.equal(total, 0)
    for axis, place in zip(axes, places, strict=True):
        size = tensor_of(x.shape[axis], current_tracer(), INT64)
        valid = sw.logical_and(valid, sw.logical_and(place >= -size, place < size))
        total = total * size + sw.where(place < 0, place + size, place)
    beyond = tensor_of(_count([x.shape[axis] for axis in axes]), current_tracer(), INT64)
    return sw.where(valid, total, beyond)


def _cropped(x: Tensor, like: Tensor, but: int | None = None) -> Tensor:
    """x cut to the sizes of another tensor, along all axes but one."""
    if all(k == but or x.shape[k] == like.shape[k] for k in range(x.ndim)):
        return x
    return sw.getitem(x, tuple(slice(None) if k == but else slice(0, like.shape[k]) for k in range(x.ndim)))


def _slices_at(x: Tensor, at: Tensor, axis: int) -> Tensor:
    """Slices of x at indices of any shape along an axis. An error names a negative index as the user gave it."""
    last = axis + at.ndim
    shape = [*x.shape[:axis], *at.shape, *x.shape[axis + 1 :]]
    index = [*(f"i{k}" for k in range(axis)), "e0", *(f"i{k}" for k in range(last, len(shape)))]
    return uop.reindex(shape, x, index=index, index_from=[(at, [f"i{k}" for k in range(axis, last)])])


def _gather(x: Tensor, dim: int, at: Tensor, *, sparse_grad: bool = False) -> Tensor:
    if not x.ndim or not at.ndim:
        line = sw.reshape(x, (-1,))
        flat = _slices_at(line, sw.reshape(at, (-1,)), 0)
        return sw.reshape(flat, at.shape)
    axis = axis_in(x, dim)
    index = [f"i{k}" for k in range(x.ndim)]
    index[axis] = "e0"
    return uop.reindex(at.shape, _cropped(x, at, axis), index=index, index_from=[at])


_SCATTERS = MappingProxyType({"sum": "add", "add": "add", "prod": "mul", "multiply": "mul", "amax": "max", "amin": "min"})


def _scattered(x: Tensor, dim: int, at: Tensor, source: Tensor, op: str) -> Tensor:
    """x with elements combined into it at indices along an axis; the index may be smaller than x along all axes."""
    if not x.ndim or not at.ndim:
        flat = _scattered(sw.reshape(x, (-1,)), 0, sw.reshape(at, (-1,)), sw.reshape(source, (-1,)), op)
        return sw.reshape(flat, x.shape)
    new = _cropped(cast(source, x.dtype), at)
    return _from_the_start(x, new, axis_in(x, dim), at, [f"i{k}" for k in range(x.ndim)], op)


def _from_the_start(x: Tensor, new: Tensor, axis: int, at: Tensor, read_at: Sequence[str], op: str) -> Tensor:
    """x with elements combined into it at indices along an axis, read at `read_at`. An error names a negative index as the user
    gave it."""
    index = ["e0" if k == axis else f"i{k}" for k in range(x.ndim)]
    wide = (cast(x, INT64), cast(new, INT64)) if x.dtype == BOOL and op != "set" else (x, new)
    found = uop.scatter(x.shape, wide[1], index=index, index_from=[(at, read_at)], into=wide[0], op=op)
    return cast(found, x.dtype)


def _scatter(x: Tensor, dim: int, at: Tensor, source: Any, *, reduce: str | None = None) -> Tensor:
    values = source if isinstance(source, Tensor) else sw.broadcast_to(tensor_of(source, current_tracer(), x.dtype), at.shape)
    return _scattered(x, dim, at, values, "set" if reduce is None else _SCATTERS[reduce])


def _scatter_add(x: Tensor, dim: int, at: Tensor, source: Tensor) -> Tensor:
    return _scattered(x, dim, at, source, "add")


def _scatter_reduce(x: Tensor, dim: int, at: Tensor, source: Tensor, reduce: str, *, include_self: bool = True) -> Tensor:
    """Elements combined into x; with `include_self=False` the elements of x at the same indices do not take part."""
    op = "add" if reduce == "mean" else _SCATTERS[reduce]
    zeros, ones = sw.zeros_like(x, dtype=INT64), sw.ones_like(source, dtype=INT64)
    counts = _scattered(zeros, dim, at, ones, "add")
    start = x
    if not include_self:
        neutral = {"add": 0, "mul": 1, "max": x.dtype.lowest, "min": x.dtype.highest}[op]
        start = sw.where(counts > 0, neutral, x)
    found = _scattered(start, dim, at, source, op)
    if reduce != "mean":
        return found
    number = sw.maximum(counts + (1 if include_self else 0), 1)
    return found / cast(number, x.dtype) if x.dtype.is_float else sw.floor_divide(found, cast(number, x.dtype))


def _index_select(x: Tensor, dim: int, at: Tensor) -> Tensor:
    if not x.ndim:
        return sw.reshape(_slices_at(sw.reshape(x, (1,)), sw.reshape(at, (-1,)), 0), ())
    axis = axis_in(x, dim)
    return _slices_at(x, sw.reshape(at, (-1,)), axis)


def _by_slices(x: Tensor, dim: int, at: Tensor, source: Tensor, op: str) -> Tensor:
    """x with slices combined into it at indices along an axis; torch treats a tensor without axes like one with a single
    axis."""
    if not x.ndim:
        return sw.reshape(_by_slices(sw.reshape(x, (1,)), 0, at, source, op), ())
    axis, places = axis_in(x, dim), sw.reshape(at, (-1,))
    new = sw.reshape(cast(source, x.dtype), [places.shape[0] if k == axis else size for k, size in enumerate(x.shape)])
    return _from_the_start(x, new, axis, places, [f"i{axis}"], op)


def _index_add(x: Tensor, dim: int, at: Tensor, source: Tensor, *, alpha: Any = 1) -> Tensor:
    multiply = sw.logical_and if x.dtype == BOOL else sw.multiply
    return _by_slices(x, dim, at, source if alpha == 1 else multiply(source, alpha), "add")


def _index_copy(x: Tensor, dim: int, at: Tensor, source: Tensor) -> Tensor:
    return _by_slices(x, dim, at, source, "set")


def _index_fill(x: Tensor, dim: int, at: Tensor, value: Any) -> Tensor:
    """x with a number at indices along an axis, of which negative ones count from the end."""
    if not x.ndim:
        return sw.reshape(_index_fill(sw.reshape(x, (1,)), 0, at, value), ())
    axis, places = axis_in(x, dim), sw.reshape(cast(at, INT64), (-1,))
    number = cast(tensor_of(value, current_tracer(), x.dtype), x.dtype)
    new = sw.broadcast_to(number, [places.shape[0] if k == axis else size for k, size in enumerate(x.shape)])
    return sw.scatter(x, places, new, axis=axis)


def _embedding(weight: Tensor, at: Tensor, *_: Any) -> Tensor:
    return _slices_at(weight, at, 0)


def _embedding_backward(gradient: Tensor, at: Tensor, rows: Any, padding: int, scale: bool) -> Tensor:
    if scale:
        raise Unsupported("scale_grad_by_freq")
    width = gradient.shape[-1]
    places = sw.reshape(cast(at, INT64), (-1,))
    flat = sw.reshape(gradient, (_count(at.shape), width))
    if padding >= 0:
        flat = sw.where(sw.equal(sw.expand_dims(places, -1), padding), 0, flat)
    return sw.scatter(sw.zeros((rows, width), gradient.dtype), places, flat, axis=0, op="add")


def _take(x: Tensor, at: Tensor) -> Tensor:
    return sw.take(sw.reshape(x, (-1,)), cast(at, INT64), axis=0)


def _put(x: Tensor, at: Tensor, source: Tensor, accumulate: bool = False) -> Tensor:
    new = sw.flatten(cast(source, x.dtype))
    found = _combined(sw.reshape(x, (-1,)), sw.reshape(cast(at, INT64), (-1,)), new, 0, "add" if accumulate else "set")
    return sw.reshape(found, x.shape)


def _masked_scatter(x: Tensor, mask: Tensor, source: Tensor) -> Tensor:
    """x with the elements of `source` in turn wherever a mask is true."""
    shape = sw.broadcast_arrays(x, mask)[0].shape
    wide, chosen = sw.broadcast_to(x, shape), sw.broadcast_to(mask, shape)
    if not wide.ndim:
        return sw.where(chosen, sw.getitem(sw.reshape(cast(source, x.dtype), (-1,)), 0), wide)
    number = sw.cumsum(sw.reshape(cast(chosen, INT64), (-1,)), axis=0) - 1
    places = sw.reshape(sw.maximum(number, 0), shape)
    new = sw.take(sw.reshape(cast(source, x.dtype), (-1,)), sw.where(chosen, places, 0), axis=0)
    return sw.where(chosen, new, wide)


def _index_reduce(x: Tensor, dim: int, at: Tensor, source: Tensor, reduce: str, *, include_self: bool = True) -> Tensor:
    """Slices combined into x at indices along an axis."""
    if not x.ndim:
        line, new = sw.reshape(x, (1,)), sw.reshape(source, (-1,))
        return sw.reshape(_index_reduce(line, 0, at, new, reduce, include_self=include_self), ())
    axis = axis_in(x, dim)
    shape = [-1 if k == axis else 1 for k in range(x.ndim)]
    places = sw.broadcast_to(sw.reshape(cast(at, INT64), shape), source.shape)
    return _scatter_reduce(x, axis, places, source, reduce, include_self=include_self)


INDEXING: Rows = MappingProxyType(
    {
        "index.Tensor": own(_index),
        "_unsafe_index.Tensor": own(_index),
        "index_put.default": own(_index_put),
        "_unsafe_index_put.default": own(_unsafe_index_put),
        "_index_put_impl.default": own(_index_put),
        "gather.default": own(_gather),
        "scatter.src": own(_scatter),
        "scatter.value": own(_scatter),
        "scatter.reduce": own(_scatter),
        "scatter.value_reduce": own(_scatter),
        "scatter_add.default": own(_scatter_add),
        "scatter_reduce.two": own(_scatter_reduce),
        "index_select.default": own(_index_select),
        "index_add.default": own(_index_add),
        "index_copy.default": own(_index_copy),
        "index_fill.int_Scalar": own(_index_fill),
        "index_fill.int_Tensor": own(_index_fill),
        "embedding.default": own(_embedding),
        "embedding_dense_backward.default": own(_embedding_backward),
        "take.default": own(_take),
        "put.default": own(_put),
        "masked_scatter.default": own(_masked_scatter),
        "index_reduce.default": own(_index_reduce),
    }
)
