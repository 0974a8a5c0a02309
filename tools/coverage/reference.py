"""NumPy reference implementations of functions that NumPy lacks, for the coverage table."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

Array = Any


def correlate(x: Array, w: Array, stride: int = 1, padding: int = 0, dilation: int = 1, groups: int = 1) -> Array:
    """Cross-correlation of (batch, channels, space ...) with (out channels, channels / groups, kernel ...); "any" of bools."""
    if x.dtype == bool:
        return correlate(x.astype(int), w.astype(int), stride, padding, dilation, groups) != 0
    rank = x.ndim - 2
    padded = np.pad(x, [(0, 0), (0, 0), *[(padding, padding)] * rank])
    sizes = [
        (size - (extent - 1) * dilation - 1) // stride + 1 for size, extent in zip(padded.shape[2:], w.shape[2:], strict=True)
    ]
    result = np.zeros((len(x), len(w), *sizes), x.dtype)
    per_group, out_per_group = w.shape[1], len(w) // groups
    for out, offset in itertools.product(range(len(w)), np.ndindex(*w.shape[2:])):
        first = out // out_per_group * per_group
        cut = tuple(
            slice(at * dilation, at * dilation + (n - 1) * stride + 1, stride) for at, n in zip(offset, sizes, strict=True)
        )
        seen = padded[(slice(None), slice(first, first + per_group), *cut)]
        result[:, out] += (seen * w[(out, slice(None), *offset)].reshape(-1, *[1] * rank)).sum(axis=1)
    return result


def transposed(x: Array, w: Array, stride: int = 1, padding: int = 0, dilation: int = 1, groups: int = 1) -> Array:
    """The transpose of `correlate`: (batch, channels, space ...) with (channels, out channels / groups, kernel ...)."""
    if x.dtype == bool:
        return transposed(x.astype(int), w.astype(int), stride, padding, dilation, groups) != 0
    rank = x.ndim - 2
    sizes = [(size - 1) * stride + (extent - 1) * dilation + 1 for size, extent in zip(x.shape[2:], w.shape[2:], strict=True)]
    result = np.zeros((len(x), w.shape[1] * groups, *sizes), x.dtype)
    per_group = len(w) // groups
    for channel, offset in itertools.product(range(len(w)), np.ndindex(*w.shape[2:])):
        first = channel // per_group * w.shape[1]
        spread = zip(offset, x.shape[2:], strict=True)
        cut = tuple(slice(at * dilation, at * dilation + (size - 1) * stride + 1, stride) for at, size in spread)
        added = x[:, channel, None] * w[(channel, slice(None), *offset)].reshape(-1, *[1] * rank)
        result[(slice(None), slice(first, first + w.shape[1]), *cut)] += added
    return result[(..., *[slice(padding, size - padding) for size in sizes])]


def windows(x: Array, extent: int, rank: int) -> Array:
    """The windows of `extent` along each of the last `rank` axes, side by side, their elements in a new last axis."""
    axes = tuple(range(x.ndim - rank, x.ndim))
    found = np.lib.stride_tricks.sliding_window_view(x, (extent,) * rank, axis=axes)
    apart = found[(..., *[slice(None, None, extent)] * rank, *[slice(None)] * rank)]
    return apart.reshape(*apart.shape[:-rank], -1)


def along_axes(x: Array, function: Callable[[Array, int], Array], sizes: Sequence[int]) -> Array:
    """A function of a line and the size of its result, applied along each of the last axes."""
    for axis, size in enumerate(sizes, start=x.ndim - len(sizes)):
        x = np.apply_along_axis(function, axis, x, size)
    return x


def adaptive(line: Array, size: int, reduce: Callable[[Array], Array]) -> Array:
    """A reduction of `size` windows that cover a line evenly."""
    return np.array([reduce(line[k * len(line) // size : -(-(k + 1) * len(line) // size)]) for k in range(size)])


def cubic(line: Array, size: int) -> Array:
    """Cubic convolution of a line (Keys, 1981, with -0.75); elements past its ends equal the last ones."""
    places = (np.arange(size) + 0.5) * (len(line) / size) - 0.5
    at = np.floor(places).astype(int)[:, None] + np.arange(-1, 3)
    x = np.abs(places[:, None] - at)
    weights = np.where(x <= 1, 1.25 * x**3 - 2.25 * x**2 + 1, -0.75 * (x**3 - 5 * x**2 + 8 * x - 4))
    return (line[np.clip(at, 0, len(line) - 1)] * weights).sum(axis=1)


def normalise(x: Array, axis: int, eps: float = 1e-5) -> Array:
    """x less its mean along an axis, over its standard deviation there."""
    x = x.astype(np.float64)
    return (x - x.mean(axis, keepdims=True)) / np.sqrt(x.var(axis, keepdims=True) + eps)


def gelu(x: Array) -> Array:
    """x times the normal distribution function of x."""
    return x * np.vectorize(lambda each: 0.5 * math.erfc(-each / math.sqrt(2)))(x.astype(np.float64))


def scattered(x: Array, rows: Array, updates: Array, op: str) -> Array:
    """x with the updates combined into the given rows, one after the other."""
    result = x.copy()
    combine = {"set": lambda old, new: new, "add": np.add, "mul": np.multiply, "max": np.maximum, "min": np.minimum}[op]
    for row, update in zip(rows, updates, strict=True):
        result[row] = combine(result[row], update)
    return result
