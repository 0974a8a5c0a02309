"""Elements of images and volumes at positions that a tensor gives, with the values of torch's `grid_sample`."""

from __future__ import annotations

from collections.abc import Callable
from functools import reduce
from itertools import product as combinations
from typing import Any, NamedTuple

from ....ir.diagnostics import did_you_mean
from ....ir.types.dtypes import BOOL, INT64
from ...tracing.tensor import Tensor, TensorLike, cast, harmonise
from ...tracing.tracer import Tracer
from ..arguments import flag_of, floating, precise, tensor
from ..creation import ones
from ..elementwise import clip, equal, floor, logical_and, round, where
from ..indexing import getitem, take_along_axis
from ..manipulation import expand_dims, reshape
from ..scalar_functions import abs, isnan
from .resampling import cubic_weights

MODES = ("bilinear", "nearest", "bicubic")
PADDINGS = ("zeros", "border", "reflection")


class _Tap(NamedTuple):
    """One of the elements along an axis that a result combines: its indices, its weights, and whether it is in bounds."""

    places: Tensor
    weights: Any
    inside: Any


def grid_sample(
    x: TensorLike,
    grid: TensorLike,
    /,
    *,
    mode: str = "bilinear",
    padding_mode: str = "zeros",
    align_corners: bool = False,
) -> Tensor:
    """Sample x (N, C, H, W) at the positions in a grid (N, H', W', 2), to (N, C, H', W'); or volumes (N, C, D, H, W) at the
    positions in a grid (N, D', H', W', 3).

    The last axis of the grid holds the place along W, then H, then D, from -1 for the first element to 1 for the last one:
    their centers with `align_corners`, else their outer edges. Modes are "bilinear" (of volumes: trilinear), "nearest", which
    rounds halves to even, and, of images, "bicubic". Elements outside are zeros, or those of the nearest "border", or of the
    "reflection" at the borders. There are gradients by x and by the grid.

    Raises ShapeError for shapes, modes and paddings that do not fit.
    """
    value, places = harmonise([floating(tensor(x)), floating(tensor(grid))], tensor(x).tracer)
    tracer, rank = value.tracer, value.ndim - 2
    _expect_options(value, places, mode, padding_mode)
    align = flag_of(align_corners, "align_corners", tracer)
    wide, at = precise(value), precise(places)
    flat = reshape(wide, (*wide.shape[:2], _product(wide.shape[2:])))
    rows = reshape(at, (at.shape[0], _product(at.shape[1:-1]), rank))
    taps: list[list[_Tap]] = []
    for k, size in enumerate(wide.shape[2:]):
        along = getitem(rows, (..., rank - 1 - k))
        scaled = (along + 1) * ((tensor(size) - 1) * 0.5) if align else ((along + 1) * tensor(size) - 1) * 0.5
        taps.append(_taps(scaled, size, mode, _bounded(padding_mode, size, align)))
    total = reduce(lambda a, b: a + b, (_part(flat, each, wide.shape[2:]) for each in combinations(*taps)))
    return cast(reshape(total, (*value.shape[:2], *places.shape[1:-1])), value.dtype)


def _expect_options(x: Tensor, grid: Tensor, mode: str, padding_mode: str) -> None:
    tracer, rank = x.tracer, x.ndim - 2
    for what, given, known in (("mode", mode, MODES), ("padding_mode", padding_mode, PADDINGS)):
        if given not in known:
            raise tracer.error(
                f"grid_sample: expected a {what} of {', '.join(known)}, got {given!r}{did_you_mean(str(given), known)}"
            )
    if rank not in (2, 3) or grid.ndim != x.ndim:
        raise tracer.error(f"grid_sample: expected (N, C, H, W) and (N, H', W', 2), or one axis more each, got {x!r}, {grid!r}")
    if mode == "bicubic" and rank == 3:
        raise tracer.error("grid_sample: mode 'bicubic' takes images (N, C, H, W), got a volume")
    if not tracer.sizes.unify(grid.sizes[-1], rank):
        raise tracer.error(f"grid_sample: expected {rank} numbers a place in the last axis of the grid, got {grid.sizes[-1]}")
    if not tracer.sizes.unify(grid.sizes[0], x.sizes[0]):
        raise tracer.error(f"grid_sample: expected a grid for each of {x.sizes[0]} images, got {grid.sizes[0]}")
    _expect_elements(x, tracer)


def _expect_elements(x: Tensor, tracer: Tracer) -> None:
    for size in x.sizes[2:]:
        if not tracer.sizes.assume(size - 1):
            raise tracer.error(f"grid_sample: expected images with elements, got {x!r}")


def _product(sizes: Any) -> Any:
    return reduce(lambda a, b: a * b, sizes)


def _bounded(padding_mode: str, size: Any, align_corners: bool) -> Callable[[Tensor], Tensor]:
    """The function that maps positions outside of an axis, by the mode of padding."""
    if padding_mode == "zeros":
        return lambda at: at
    if padding_mode == "border":
        return lambda at: clip(where(isnan(at), 0, at), 0, size - 1)
    low, span = (0.0, size - 1) if align_corners else (-0.5, size)

    def reflected(at: Tensor) -> Tensor:
        at = where(isnan(at), 0, at)
        # With aligned corners, an axis of one element has an empty range between its borders.
        width = cast(tensor(span), at.dtype)
        safe = where(equal(width, 0), 1, width)
        distance = abs(at - low)
        flips = floor(distance / safe)
        rest = distance - flips * safe
        is_even = equal(flips - 2 * floor(flips / 2), 0)
        found = where(is_even, rest + low, safe - rest + low)
        return clip(where(equal(width, 0), 0, found), 0, size - 1)

    return reflected


def _taps(at: Tensor, size: Any, mode: str, bounded: Callable[[Tensor], Tensor]) -> list[_Tap]:
    """The elements along an axis that are combined to results at these positions."""
    if mode == "nearest":
        return [_tap(round(bounded(at)), None, size)]
    if mode == "bilinear":
        inner = bounded(at)
        low = floor(inner)
        return [_tap(low, 1 - (inner - low), size), _tap(low + 1, inner - low, size)]
    low = floor(at)
    weights = cubic_weights(at - low)
    return [_tap(bounded(low + k), weight, size) for k, weight in zip((-1, 0, 1, 2), weights, strict=True)]


def _tap(at: Tensor, weights: Any, size: Any) -> _Tap:
    inside = logical_and(at >= 0, at <= size - 1)
    return _Tap(cast(where(inside, at, 0), INT64), weights, inside)


def _part(flat: Tensor, taps: tuple[_Tap, ...], sizes: Any) -> Tensor:
    """The elements of one tap for each axis, with their weights; 0 outside."""
    linear: Any = 0
    inside: Any = ones((), BOOL)
    weights: Any = None
    for tap, size in zip(taps, sizes, strict=True):
        linear = linear * size + tap.places
        inside = logical_and(inside, tap.inside)
        weights = tap.weights if weights is None else weights * tap.weights
    found = take_along_axis(flat, expand_dims(linear, 1), axis=2)
    if weights is not None:
        found = found * expand_dims(weights, 1)
    return where(expand_dims(inside, 1), found, 0)
