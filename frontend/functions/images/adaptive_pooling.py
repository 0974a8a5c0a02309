"""Adaptive pooling: windows that cover each axis evenly, for results of given sizes."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ....ir.types.dtypes import INT64
from ...tracing.tensor import Tensor, TensorLike, cast, default_float
from ..arguments import each_axis, expect_sizes, flag_of, precise, tensor
from ..contractions import matmul
from ..creation import arange
from ..elementwise import floor_divide, where
from ..elementwise import minimum as elementwise_minimum
from ..indexing import take, take_along_axis
from ..manipulation import expand_dims, moveaxis, reshape, squeeze
from ..reductions import argmax
from ..reductions import max as largest
from .pooling import avg_pool1d, avg_pool2d, avg_pool3d

_AVERAGES = (avg_pool1d, avg_pool2d, avg_pool3d)


class _Cover(NamedTuple):
    """The windows along an axis: the first element of each, and the element after its last one."""

    starts: Any
    ends: Any


def _targets(name: str, x: Tensor, output_size: Any, rank: int) -> list[Any]:
    """The sizes of the result; None keeps the size of x. Raises ShapeError for x of other ranks and for negative sizes."""
    tracer = x.tracer
    if x.ndim < rank:
        raise tracer.error(f"{name}: expected at least {rank} axes, got {x!r}")
    wanted = each_axis(output_size, rank, f"{name}: output_size", tracer)
    found = [own if each is None else each for own, each in zip(x.shape[-rank:], wanted, strict=True)]
    expect_sizes(f"{name}: output_size", found, tracer)
    return found


def _cover(size: Any, count: Any) -> _Cover:
    """The windows of an axis of `size` elements, `count` of them."""
    if isinstance(size, int) and isinstance(count, int):
        numbers = np.arange(count)
        return _Cover(numbers * size // max(count, 1), -(-(numbers + 1) * size // max(count, 1)))
    numbers = arange(count)
    return _Cover(floor_divide(numbers * size, count), floor_divide((numbers + 1) * size + (count - 1), count))


def _mean(rank: int, x: TensorLike, output_size: Any) -> Tensor:
    value = tensor(x)
    value = cast(value, default_float(value.dtype))
    wide, name = precise(value), f"adaptive_avg_pool{rank}d"
    wanted, sizes = _targets(name, value, output_size, rank), value.shape[-rank:]
    if all(isinstance(size, int) and isinstance(n, int) and n and size % n == 0 for size, n in zip(sizes, wanted, strict=True)):
        kernel = [size // n for size, n in zip(sizes, wanted, strict=True)]
        return cast(_AVERAGES[rank - 1](wide, kernel), value.dtype)
    for axis, (size, count) in enumerate(zip(sizes, wanted, strict=True), start=value.ndim - rank):
        wide = moveaxis(matmul(moveaxis(wide, axis, -1), _weights(size, count, wide)), -1, axis)
    return cast(wide, value.dtype)


def _weights(size: Any, count: Any, like: Tensor) -> Any:
    """The matrix that maps the elements of an axis to the means of windows."""
    cover = _cover(size, count)
    if isinstance(cover.starts, np.ndarray):
        at = np.arange(size)[:, None]
        inside = (at >= cover.starts) & (at < cover.ends)
        return (inside / np.maximum(cover.ends - cover.starts, 1)).astype(like.dtype.numpy)
    at = expand_dims(arange(size), 1)
    inside = (at >= cover.starts) & (at < cover.ends)
    return where(inside, 1 / cast(cover.ends - cover.starts, like.dtype), 0)


def adaptive_avg_pool1d(x: TensorLike, output_size: Any, /) -> Tensor:
    """The means of `output_size` windows that cover the last axis evenly: window k from k * L // output_size up to
    ceil((k + 1) * L / output_size). None keeps the size. Integers are cast to their `default_float`."""
    return _mean(1, x, output_size)


def adaptive_avg_pool2d(x: TensorLike, output_size: Any, /) -> Tensor:
    """`adaptive_avg_pool1d` over the last two axes; `output_size` is a number, or one an axis."""
    return _mean(2, x, output_size)


def adaptive_avg_pool3d(x: TensorLike, output_size: Any, /) -> Tensor:
    """`adaptive_avg_pool1d` over the last three axes; `output_size` is a number, or one an axis."""
    return _mean(3, x, output_size)


def _maximum(rank: int, x: TensorLike, output_size: Any, return_indices: bool) -> Any:
    value = tensor(x)
    wanted = _targets(f"adaptive_max_pool{rank}d", value, output_size, rank)
    with_places = flag_of(return_indices, "return_indices", value.tracer)
    places: Any = None
    # From the last axis on: the first maximum along each row, then the first maximum of these, is the first maximum of all.
    for k in reversed(range(rank)):
        axis = value.ndim - rank + k
        at, candidates = _candidates(value, axis, wanted[k])
        if not with_places:
            value = largest(candidates, axis=axis + 1)
            continue
        chosen = argmax(candidates, axis=axis + 1, keepdims=True)
        value = squeeze(take_along_axis(candidates, chosen, axis=axis + 1), axis + 1)
        own = squeeze(take_along_axis(_spread(at, axis, candidates.ndim), chosen, axis=axis + 1), axis + 1)
        places = _flat_places(places, own, axis, tensor(x).shape[-rank:][k + 1 :])
    return (value, places) if with_places else value


def _candidates(x: Tensor, axis: int, count: Any) -> tuple[Any, Tensor]:
    """The elements of each window along an axis, in two axes, and their indices. Shorter windows are filled up with the least
    element."""
    size = x.shape[axis]
    cover = _cover(size, count)
    if isinstance(cover.starts, np.ndarray):
        width = int((cover.ends - cover.starts).max(initial=1))
        reach: Any = cover.starts[:, None] + np.arange(width)
        last: Any = cover.ends[:, None] - 1
        at: Any = np.minimum(reach, last)
    else:
        width = (size + count - 1) // count + 1
        reach, last = expand_dims(cover.starts, 1) + arange(width), expand_dims(cover.ends, 1) - 1
        at = elementwise_minimum(reach, last)
    found = take(x, at, axis=axis)
    inside = reshape(tensor(reach <= last), (*at.shape, *[1] * (x.ndim - axis - 1)))
    return at, where(inside, found, x.dtype.lowest)


def _spread(at: Any, axis: int, rank: int) -> Tensor:
    """The indices of candidates, in a shape that broadcasts with the candidates."""
    places = tensor(at)
    return reshape(places, (*[1] * axis, *places.shape, *[1] * (rank - axis - 2)))


def _flat_places(inner: Any, own: Tensor, axis: int, inner_sizes: Any) -> Tensor:
    """The indices in an axis and all axes after it, flattened: from the indices along the axis and those of the chosen entries
    in the later axes."""
    if inner is None:
        return cast(own, INT64)
    total: Any = 1
    for size in inner_sizes:
        total = total * size
    return cast(own, INT64) * total + take_along_axis(inner, own, axis=axis)


def adaptive_max_pool1d(x: TensorLike, output_size: Any, /, *, return_indices: bool = False) -> Any:
    """The maxima of `output_size` windows that cover the last axis evenly, as `adaptive_avg_pool1d` has them. With
    `return_indices` there is a second result, int64: the index of the first maximum in the flattened last axes."""
    return _maximum(1, x, output_size, return_indices)


def adaptive_max_pool2d(x: TensorLike, output_size: Any, /, *, return_indices: bool = False) -> Any:
    """`adaptive_max_pool1d` over the last two axes; `output_size` is a number, or one an axis."""
    return _maximum(2, x, output_size, return_indices)


def adaptive_max_pool3d(x: TensorLike, output_size: Any, /, *, return_indices: bool = False) -> Any:
    """`adaptive_max_pool1d` over the last three axes; `output_size` is a number, or one an axis."""
    return _maximum(3, x, output_size, return_indices)
