"""Rows of pooling and resampling."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import product
from types import MappingProxyType
from typing import Any

import numpy as np

from ....ir.types.dtypes import INT64
from ... import functions as sw
from ...functions.arguments import precise
from ...tracing.tensor import Tensor, cast
from .neural import pulled_back
from .row import Rows, Unsupported, meta, own


def _spread(amounts: Any, rank: int) -> list[int]:
    """One amount for each axis."""
    given = list(amounts) if isinstance(amounts, Sequence) else [amounts]
    return [int(each) for each in (given * rank if len(given) == 1 else given)]


class _Windows:
    """The windows of a pooling over the last axes: their sizes, and the sizes of the input and of the output."""

    def __init__(self, x: Tensor, out: Sequence[Any], kernel: Any, stride: Any, padding: Any, dilation: Any, rank: int):
        self.rank = rank
        self.kernel = _spread(kernel, rank)
        self.stride = _spread(stride, rank) if stride else self.kernel
        self.padding = _spread(padding, rank)
        self.dilation = _spread(dilation, rank)
        self.sizes = x.shape[-rank:]
        self.out = out[-rank:]

    def padded(self, x: Tensor, value: Any) -> Tensor:
        """x with padding before, and after as much as the last window needs."""
        pairs: list[tuple[Any, Any]] = [(0, 0)] * (x.ndim - self.rank)
        for k in range(self.rank):
            reached = (self.out[k] - 1) * self.stride[k] + (self.kernel[k] - 1) * self.dilation[k] + 1
            after = reached - self.sizes[k] - self.padding[k]
            pairs.append((self.padding[k], after if after > 0 else 0))
        return x if all(pair == (0, 0) for pair in pairs) else sw.pad(x, pairs, value)


def max_pool_with_places(rank: int) -> Callable[..., Any]:
    """The maximum of each window, and its index in the flattened last axes of the input: the first one among equals."""

    def apply(
        x: Tensor, kernel: Any, stride: Any = (), padding: Any = 0, dilation: Any = 1, ceil_mode: bool = False
    ) -> tuple[Tensor, Tensor]:
        windows = _Windows(x, meta().shape, kernel, stride, padding, dilation, rank)
        padded = windows.padded(x, x.dtype.lowest)
        pool = getattr(sw, f"max_pool{rank}d")
        found = pool(padded, windows.kernel, stride=windows.stride, dilation=windows.dilation)
        cut = tuple(slice(0, size) for size in windows.out)
        found = sw.getitem(found, (Ellipsis, *cut))
        return found, _places(padded, found, windows)

    return apply


def _places(padded: Tensor, found: Tensor, windows: _Windows) -> Tensor:
    """The index of the first element of each window that equals its maximum, or is NaN."""
    rank = windows.rank
    place = sw.zeros(found.shape, INT64)
    known = sw.zeros(found.shape, "bool")
    for offsets in product(*map(range, windows.kernel)):
        key: list[Any] = [Ellipsis]
        linear: Any = 0
        inside: Any = sw.ones((), "bool")
        for k, offset in enumerate(offsets):
            start = offset * windows.dilation[k]
            stop = start + (windows.out[k] - 1) * windows.stride[k] + 1
            key.append(slice(start, stop, windows.stride[k]))
            at = sw.arange(windows.out[k]) * windows.stride[k] + (start - windows.padding[k])
            at = sw.reshape(at, [-1 if j == k else 1 for j in range(rank)])
            linear = linear * windows.sizes[k] + at
            inside = sw.logical_and(inside, sw.logical_and(at >= 0, at < windows.sizes[k]))
        value = sw.getitem(padded, tuple(key))
        is_here = sw.equal(value, found)
        if value.dtype.is_float:
            is_here = sw.logical_or(is_here, sw.isnan(value))
        first = sw.logical_and(sw.logical_and(is_here, inside), sw.logical_not(known))
        place = sw.where(first, linear, place)
        known = sw.logical_or(known, first)
    return place


def max_pool_backward(rank: int) -> Callable[..., Any]:
    """The gradients, added up at the places of the maxima."""

    def apply(gradient: Tensor, x: Tensor, *rest: Any) -> Tensor:
        places = rest[-1]
        lead = x.ndim - rank
        flat = sw.reshape(sw.zeros_like(x), (*x.shape[:lead], _count(x.shape[lead:])))
        at, new = (sw.reshape(each, (*each.shape[:lead], _count(each.shape[lead:]))) for each in (places, gradient))
        return sw.reshape(sw.scatter(flat, at, new, axis=lead, op="add"), x.shape)

    return apply


def _count(sizes: Sequence[Any]) -> Any:
    total: Any = 1
    for size in sizes:
        total = total * size
    return total


def _average_pool(x: Tensor, out: Sequence[int], rank: int, *options: Any) -> Tensor:
    kernel, stride, padding, _, count_include_pad, divisor = _with_defaults(options)
    if not x.dtype.is_float:
        raise Unsupported("means of integers")
    windows = _Windows(x, out, kernel, stride, padding, 1, rank)
    pool = getattr(sw, f"avg_pool{rank}d")
    wide = precise(x)
    mean = pool(windows.padded(wide, 0), windows.kernel, stride=windows.stride)
    mean = sw.getitem(mean, (Ellipsis, *(slice(0, size) for size in windows.out)))
    size = int(np.prod(windows.kernel))
    if divisor is not None:
        return cast(mean * (size / divisor), x.dtype)
    counts = _counts(windows, count_include_pad)
    return cast(mean if (counts == size).all() else mean * (size / counts).astype(wide.dtype.numpy), x.dtype)


def _with_defaults(options: Sequence[Any]) -> tuple[Any, ...]:
    defaults = (None, (), 0, False, True, None)
    return (*options, *defaults[len(options) :])


def _counts(windows: _Windows, count_include_pad: bool) -> Any:
    """The number of elements that each window's mean is over."""
    total: Any = np.ones(())
    for k in range(windows.rank):
        size, padding = int(windows.sizes[k]), windows.padding[k]
        starts = np.arange(windows.out[k]) * windows.stride[k] - padding
        ends = np.minimum(starts + windows.kernel[k], size + padding)
        if not count_include_pad:
            starts, ends = np.maximum(starts, 0), np.minimum(ends, size)
        total = np.multiply.outer(total, ends - starts)
    return total


def average_pool(rank: int) -> Callable[..., Any]:
    """The mean of each window."""
    return lambda x, *options: _average_pool(x, meta().shape, rank, *options)


def average_pool_backward(rank: int) -> Callable[..., Any]:
    """The derivative of `average_pool`."""

    def apply(gradient: Tensor, x: Tensor, *options: Any) -> Tensor:
        out = [int(size) for size in gradient.shape]
        return pulled_back(lambda x: _average_pool(x, out, rank, *options), [x], gradient)[0]

    return apply


def _means(size: int, out: int) -> Any:
    """The matrix whose product with a vector has the means of adaptive windows."""
    matrix = np.zeros((out, size))
    for k in range(out):
        start, end = k * size // out, -((-(k + 1) * size) // out)
        matrix[k, start:end] = 1 / (end - start)
    return matrix


def _adaptive(x: Tensor, out: Sequence[int]) -> Tensor:
    """Means over windows that cover each axis evenly."""
    rank, wide = len(out), precise(x)
    sizes = [int(size) for size in x.shape[-rank:]]
    if all(wanted and size % wanted == 0 for size, wanted in zip(sizes, out, strict=True)):
        kernel = [size // wanted for size, wanted in zip(sizes, out, strict=True)]
        return cast(getattr(sw, f"avg_pool{rank}d")(wide, kernel), x.dtype)
    for k, (size, wanted) in enumerate(zip(sizes, out, strict=True)):
        axis = x.ndim - rank + k
        moved = sw.moveaxis(wide, axis, -1)
        wide = sw.moveaxis(sw.matmul(moved, _means(size, wanted).T.astype(wide.dtype.numpy)), -1, axis)
    return cast(wide, x.dtype)


def _adaptive_pool(x: Tensor, out: Sequence[Any]) -> Tensor:
    return _adaptive(x, [int(each) for each in out])


def adaptive_backward(rank: int) -> Callable[..., Any]:
    """The derivative of adaptive means."""

    def apply(gradient: Tensor, x: Tensor) -> Tensor:
        out = [int(size) for size in gradient.shape[-rank:]]
        return pulled_back(lambda x: _adaptive(x, out), [x], gradient)[0]

    return apply


def adaptive_maxima(rank: int) -> Callable[..., Any]:
    """Maxima over windows that cover each axis evenly, and their indices in the flattened last axes of the input."""

    def apply(x: Tensor, out: Sequence[Any]) -> tuple[Tensor, Tensor]:
        sizes = [int(size) for size in x.shape[-rank:]]
        wanted = [int(each) for each in out]
        found: Tensor = x
        linear: Any = np.zeros((), np.int64)
        # Two axes for each: the windows, and the elements of each; those past its end repeat its last element.
        for k, (size, count) in enumerate(zip(sizes, wanted, strict=True)):
            starts, ends = np.arange(count) * size // count, -(-(np.arange(1, count + 1) * size) // count)
            width = int((ends - starts).max())
            places = np.minimum(starts[:, None] + np.arange(width), ends[:, None] - 1)
            found = sw.take(found, places, axis=x.ndim - rank + 2 * k)
            linear = linear[..., None, None] * size + places
        lead = x.ndim - rank
        order = [*range(lead), *range(lead, found.ndim, 2), *range(lead + 1, found.ndim, 2)]
        inner = tuple(np.transpose(linear, [*range(0, 2 * rank, 2), *range(1, 2 * rank, 2)]).shape[rank:])
        flat = sw.reshape(sw.permute_dims(found, order), (*x.shape[:lead], *wanted, int(np.prod(inner))))
        at = sw.argmax(flat, axis=-1, keepdims=True)
        table = np.transpose(linear, [*range(0, 2 * rank, 2), *range(1, 2 * rank, 2)]).reshape(*wanted, -1)
        places = sw.broadcast_to(sw.asarray(np.ascontiguousarray(table)), flat.shape)
        return tuple(sw.squeeze(sw.take_along_axis(each, at, axis=-1), -1) for each in (flat, places))  # pyright: ignore

    return apply


WINDOWS: Rows = MappingProxyType(
    {
        "max_pool2d_with_indices.default": own(max_pool_with_places(2)),
        "max_pool3d_with_indices.default": own(max_pool_with_places(3)),
        "max_pool2d_with_indices_backward.default": own(max_pool_backward(2)),
        "max_pool3d_with_indices_backward.default": own(max_pool_backward(3)),
        "adaptive_max_pool2d.default": own(adaptive_maxima(2)),
        "adaptive_max_pool3d.default": own(adaptive_maxima(3)),
        "adaptive_max_pool2d_backward.default": own(max_pool_backward(2)),
        "adaptive_max_pool3d_backward.default": own(max_pool_backward(3)),
        "avg_pool2d.default": own(average_pool(2)),
        "avg_pool3d.default": own(average_pool(3)),
        "avg_pool1d.default": own(average_pool(1)),
        "avg_pool2d_backward.default": own(average_pool_backward(2)),
        "avg_pool3d_backward.default": own(average_pool_backward(3)),
        "_adaptive_avg_pool2d.default": own(_adaptive_pool),
        "_adaptive_avg_pool3d.default": own(_adaptive_pool),
        "_adaptive_avg_pool2d_backward.default": own(adaptive_backward(2)),
        "_adaptive_avg_pool3d_backward.default": own(adaptive_backward(3)),
    }
)
