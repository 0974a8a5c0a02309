"""Rows of resampling: nearest, linear and cubic interpolation, one axis after the other, and their derivatives."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from types import MappingProxyType
from typing import Any, NamedTuple

import numpy as np

from ... import functions as sw
from ...functions.arguments import precise
from ...tracing.tensor import Tensor, cast
from .neural import pulled_back
from .row import Row, Rows, meta, own


class Taps(NamedTuple):
    """For each element of the result along an axis, the elements that it is made of: rows of indices and of weights."""

    places: Any
    weights: Any


def _ratio(size: int, out: int, scale: float | None, align_corners: bool) -> np.float32:
    """The distance of neighbours of the result, in the input."""
    if align_corners:
        return np.float32((size - 1) / (out - 1)) if out > 1 else np.float32(0)
    return np.float32(1 / scale) if scale is not None and scale > 0 else np.float32(size / out)


def _nearest(size: int, out: int, scale: float | None, offset: float) -> Taps:
    at = np.floor((np.arange(out, dtype=np.float32) + np.float32(offset)) * _ratio(size, out, scale, False))
    return Taps(np.minimum(at.astype(np.int64), size - 1)[None], np.ones((1, out), np.float32))


def _linear(size: int, out: int, scale: float | None, align_corners: bool) -> Taps:
    at = np.maximum(_positions(size, out, scale, align_corners), np.float32(0))
    low = np.minimum(at.astype(np.int64), size - 1)
    high = np.minimum(low + 1, size - 1)
    share = np.clip(at - low.astype(np.float32), 0, 1)
    return Taps(np.stack([low, high]), np.stack([1 - share, share]))


def _positions(size: int, out: int, scale: float | None, align_corners: bool) -> Any:
    ratio, places = _ratio(size, out, scale, align_corners), np.arange(out, dtype=np.float32)
    return places * ratio if align_corners else (places + np.float32(0.5)) * ratio - np.float32(0.5)


def _cubic(size: int, out: int, scale: float | None, align_corners: bool) -> Taps:
    """Keys' cubic convolution with a = -0.75."""
    at = _positions(size, out, scale, align_corners)
    low = np.floor(at)
    share = at - low
    a = -0.75

    def near(x: Any) -> Any:
        return ((a + 2) * x - (a + 3)) * x * x + 1

    def far(x: Any) -> Any:
        return ((a * x - 5 * a) * x + 8 * a) * x - 4 * a

    weights = np.stack([far(share + 1), near(share), near(1 - share), far(2 - share)])
    places = np.stack([low.astype(np.int64) + k for k in (-1, 0, 1, 2)])
    return Taps(np.clip(places, 0, size - 1), weights.astype(np.float32))


def _resampled(x: Tensor, taps: Sequence[Taps]) -> Tensor:
    wide = precise(x)
    for axis, each in enumerate(taps, start=x.ndim - len(taps)):
        shape = [-1 if k == axis else 1 for k in range(x.ndim)]
        parts = []
        for places, weights in zip(each.places, each.weights, strict=True):
            taken = sw.take(wide, places, axis=axis)
            is_one = bool((weights == 1).all())
            parts.append(taken if is_one else taken * weights.astype(wide.dtype.numpy).reshape(shape))
        wide = sum(parts[1:], parts[0])
    return cast(wide, x.dtype)


def _kind(rank: int, make: Callable[..., Taps], has_corners: bool) -> tuple[Callable[..., Any], Callable[..., Any]]:
    """The functions of an interpolation over some last axes, and of its derivative."""

    def taps(x: Tensor, out: Sequence[int], options: Sequence[Any]) -> list[Taps]:
        option, *scales = options if has_corners else (None, *options)
        if len(scales) == 1 and (isinstance(scales[0], Sequence) or scales[0] is None):
            scales = scales[0] or ()
        given = [*scales, *[None] * rank][:rank]
        sizes = [int(size) for size in x.shape[-rank:]]
        extra = (bool(option),) if has_corners else ()
        return [make(size, wanted, scale, *extra) for size, wanted, scale in zip(sizes, out, given, strict=True)]

    def forward(x: Tensor, _: Any, *options: Any) -> Tensor:
        out = [int(size) for size in meta().shape[-rank:]]
        return _resampled(x, taps(x, out, options))

    def backward(gradient: Tensor, _: Any, shape: Sequence[Any], *options: Any) -> Tensor:
        out = [int(size) for size in gradient.shape[-rank:]]
        like = sw.zeros(tuple(shape), gradient.dtype)
        return pulled_back(lambda x: _resampled(x, taps(x, out, options)), [like], gradient)[0]

    return forward, backward


def _rows() -> dict[str, Row]:
    found: dict[str, Row] = {}

    def add(name: str, functions: tuple[Callable[..., Any], Callable[..., Any]]) -> None:
        forward, backward = functions
        found.update({f"{name}.default": own(forward), f"{name}.vec": own(forward)})
        found[f"{name}_backward.default"] = own(backward)

    for rank in (1, 2, 3):
        add(f"upsample_nearest{rank}d", _kind(rank, partial(_nearest, offset=0.0), False))
        add(f"_upsample_nearest_exact{rank}d", _kind(rank, partial(_nearest, offset=0.5), False))
    for rank, name in ((1, "linear1d"), (2, "bilinear2d"), (3, "trilinear3d")):
        add(f"upsample_{name}", _kind(rank, _linear, True))
    add("upsample_bicubic2d", _kind(2, _cubic, True))
    return found


RESAMPLING: Rows = MappingProxyType(_rows())
