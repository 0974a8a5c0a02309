"""Interpolation of images and volumes, one axis after the other, with the values of torch's `interpolate`."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from fractions import Fraction
from types import MappingProxyType
from typing import Any, NamedTuple

import numpy as np

from ....ir.diagnostics import did_you_mean
from ....ir.types.dtypes import FLOAT32, INT64, DType
from ...tracing.sizes import Size
from ...tracing.tensor import Tensor, TensorLike, cast, default_float
from ...tracing.tracer import Tracer
from ..arguments import expect_sizes, flag_of, floating, precise, tensor
from ..creation import arange
from ..elementwise import clip, floor, round, where
from ..indexing import take
from ..manipulation import reshape
from ..micro_ops import reindex
from .adaptive_pooling import adaptive_avg_pool1d, adaptive_avg_pool2d, adaptive_avg_pool3d

# The factor of Keys' cubic convolution, as torch has it.
CUBIC = -0.75
# The number of axes, for modes that determine it.
_RANKS = MappingProxyType({"linear": 1, "bilinear": 2, "bicubic": 2, "trilinear": 3})
MODES = ("nearest", "nearest-exact", "linear", "bilinear", "bicubic", "trilinear", "area")
_AREAS = (adaptive_avg_pool1d, adaptive_avg_pool2d, adaptive_avg_pool3d)
# Factors whose denominators are larger make the sizes constants of the code.
LARGEST_DENOMINATOR = 4096
# For larger divisors, gradients of reads at quotients take longer than gradients of reads at indices in a table.
DIFFERENTIABLE_DIVISOR = 16


class Axis(NamedTuple):
    """An axis to resample: its size, the size of the result, and the factor between them if it was given."""

    size: Any
    out: Any
    scale: float | None = None
    mode: str = "linear"

    @property
    def copies(self) -> dict[int, float]:
        """The sizes of the result, as multiples of the input's, at which torch copies elements whatever the factor is, each
        with the distance between elements of the result."""
        return {"nearest": {1: 1.0, 2: 0.5}, "nearest-exact": {}, "bicubic": {}}.get(self.mode, {1: 1.0})


class Line(NamedTuple):
    """Exact positions in the input, by a slope and an offset, and whether negative ones become 0."""

    slope: Fraction
    offset: Fraction
    is_positive: bool = False

    @property
    def divisor(self) -> int:
        """The divisor of the quotients that are the positions' integral parts."""
        return math.lcm(self.slope.denominator, self.offset.denominator)

    def text(self, axis: int, step: int, size: int) -> str:
        """The text of the index, `step` after the position, that micro-ops read along an axis."""
        divisor = self.divisor
        low = f"({int(self.slope * divisor)} * i{axis} + {int(self.offset * divisor)}) // {divisor}"
        return f"min(max({low}, 0) + {step}, {size - 1})" if self.is_positive else f"min(max({low} + {step}, 0), {size - 1})"

    def places(self, axis: Axis, step: int) -> Any:
        """The index of each element of the result."""
        divisor = self.divisor
        low = (np.arange(axis.out) * int(self.slope * divisor) + int(self.offset * divisor)) // divisor
        return np.clip((np.maximum(low, 0) if self.is_positive else low) + step, 0, axis.size - 1)


class Taps(NamedTuple):
    """For each element of the result along an axis, one of the elements that it combines, with its weight, None for 1. The
    element is `step` after the position."""

    places: Any
    weights: Any
    step: int = 0


def _grid(axis: Axis, element: DType) -> tuple[Any, Any]:
    """The numbers of the elements of the result, and their distance in the input without aligned corners: NumPy's if sizes
    are known, else traced."""
    is_known = isinstance(axis.size, int) and isinstance(axis.out, int)
    numbers = np.arange(axis.out).astype(element.numpy) if is_known else cast(arange(axis.out), element)
    if axis.scale is not None and axis.scale > 0:
        ratio: Any = element.numpy.type(1 / axis.scale)
        for times, distance in axis.copies.items():
            if not is_known:
                ratio = where(tensor(axis.out) == tensor(axis.size) * times, element.numpy.type(distance), ratio)
            elif axis.out == axis.size * times:
                ratio = element.numpy.type(distance)
        return numbers, ratio
    if is_known:
        return numbers, element.numpy.type(axis.size / max(axis.out, 1))
    return numbers, cast(tensor(axis.size), element) / cast(tensor(axis.out), element)


def _positions(axis: Axis, element: DType, align_corners: bool) -> Any:
    """The positions in the input of the elements of the result."""
    numbers, ratio = _grid(axis, element)
    half = element.numpy.type(0.5)
    if not align_corners:
        return (numbers + half) * ratio - half
    if isinstance(numbers, np.ndarray):
        return numbers * element.numpy.type((axis.size - 1) / (axis.out - 1) if axis.out > 1 else 0)
    steps = clip(cast(tensor(axis.out), element) - 1, 1, math.inf)
    return numbers * ((cast(tensor(axis.size), element) - 1) / steps)


def _floor(x: Any) -> Any:
    return np.floor(x) if isinstance(x, np.ndarray) else floor(x)


def _inside(at: Any, size: Any) -> Any:
    """Positions as indices of an axis, clamped to the axis."""
    if isinstance(at, np.ndarray):
        return np.clip(at.astype(np.int64), 0, size - 1)
    return clip(cast(at, INT64), 0, size - 1)


def _nearest(axis: Axis, offset: float) -> list[Taps]:
    """Positions are computed in float32 for all dtypes, as in torch, except that a single axis of float64 uses float64."""
    numbers, ratio = _grid(axis, FLOAT32)
    return [Taps(_inside(_floor((numbers + np.float32(offset)) * ratio), axis.size), None)]


def _linear(axis: Axis, element: DType, align_corners: bool) -> list[Taps]:
    at = _positions(axis, element, align_corners)
    at = np.maximum(at, 0) if isinstance(at, np.ndarray) else clip(at, 0, math.inf)
    low = _floor(at)
    share = at - low
    return [Taps(_inside(low, axis.size), 1 - share), Taps(_inside(low + 1, axis.size), share, 1)]


def _cubic(axis: Axis, element: DType, align_corners: bool) -> list[Taps]:
    at = _positions(axis, element, align_corners)
    low = _floor(at)
    weights = cubic_weights(at - low)
    return [Taps(_inside(low + k, axis.size), weight, k) for k, weight in zip((-1, 0, 1, 2), weights, strict=True)]


def cubic_weights(share: Any) -> list[Any]:
    """The weights of the four elements around a position that is `share` after the second one (Keys, 1981)."""
    a = CUBIC

    def near(x: Any) -> Any:
        return ((a + 2) * x - (a + 3)) * x * x + 1

    def far(x: Any) -> Any:
        return ((a * x - 5 * a) * x + 8 * a) * x - 4 * a

    return [far(share + 1), near(share), near(1 - share), far(2 - share)]


def _taps_of(mode: str, align_corners: bool) -> Callable[[Axis, DType], list[Taps]]:
    if mode in ("nearest", "nearest-exact"):
        offset = 0.5 if mode == "nearest-exact" else 0.0
        return lambda axis, element: _nearest(axis, offset)
    make = _cubic if mode == "bicubic" else _linear
    return lambda axis, element: make(axis, element, align_corners)


def _line(axis: Axis, mode: str, align_corners: bool) -> Line | None:
    """The positions along an axis of known sizes; None for unknown sizes, and for factors that are not fractions of small
    numbers."""
    if not isinstance(axis.size, int) or not isinstance(axis.out, int) or 0 in (axis.size, axis.out):
        return None
    is_scaled = axis.scale is not None and axis.scale > 0 and axis.out not in [axis.size * times for times in axis.copies]
    ratio = 1 / Fraction(axis.scale) if is_scaled and axis.scale is not None else Fraction(axis.size, axis.out)
    if align_corners:
        return Line(Fraction(axis.size - 1, max(axis.out - 1, 1)), Fraction(0), mode != "bicubic")
    if max(ratio.numerator, ratio.denominator) > LARGEST_DENOMINATOR:
        return None
    match mode:
        case "nearest":
            return Line(ratio, Fraction(0))
        case "nearest-exact":
            return Line(ratio, ratio / 2)
        case _:
            return Line(ratio, (ratio - 1) / 2, mode != "bicubic")


def _taken(x: Tensor, axis: Axis, number: int, taps: Taps, line: Line | None) -> Tensor:
    """The elements of taps along an axis. With a line they are read at quotients, which needs no check."""
    if line is None or not np.array_equal(line.places(axis, taps.step), taps.places):
        return take(x, taps.places, axis=number)
    shape = [axis.out if k == number else size for k, size in enumerate(x.shape)]
    return reindex(shape, x, index=[line.text(k, taps.step, axis.size) if k == number else f"i{k}" for k in range(x.ndim)])


def resampled(
    x: Tensor,
    out: Sequence[Any],
    scales: Sequence[float | None],
    mode: str,
    align_corners: bool,
    largest_divisor: int = DIFFERENTIABLE_DIVISOR,
) -> Tensor:
    """x with its last axes resampled to the sizes `out`, by a mode other than "area". If a scale is given, it determines the
    positions instead of the ratio of the sizes. Positions are computed as quotients by divisors up to `largest_divisor`."""
    rank, make = len(out), _taps_of(mode, align_corners)
    wide = precise(x) if x.dtype.is_float else x
    element = default_float(wide.dtype)
    for k, (size, scale) in enumerate(zip(out, scales, strict=True)):
        axis = x.ndim - rank + k
        total: Any = None
        sampled = Axis(x.shape[axis], size, scale, mode)
        line = _line(sampled, mode, align_corners)
        for taps in make(sampled, element):
            is_read = line is not None and line.divisor <= largest_divisor
            part = _taken(wide, sampled, axis, taps, line if is_read else None)
            if taps.weights is not None:
                part = part * reshape(cast(tensor(taps.weights), element), [-1 if j == axis else 1 for j in range(x.ndim)])
            total = part if total is None else total + part
        wide = total
    # Results of integers are rounded; in the nearest modes they are whole already.
    return cast(wide if x.dtype.is_float or wide.dtype == x.dtype else round(wide), x.dtype)


def interpolate(
    x: TensorLike,
    /,
    size: Any = None,
    *,
    scale_factor: Any = None,
    mode: str = "nearest",
    align_corners: bool = False,
    recompute_scale_factor: bool = False,
) -> Tensor:
    """Resample the axes of x (N, C, space ...) after the first two to `size`, or by `scale_factor`, each a number or one an
    axis, with torch's results.

    Modes are "nearest", "nearest-exact", "area" (means of adaptive windows), "linear" for one axis of space, "bilinear" and
    "bicubic" for two, "trilinear" for three. With `align_corners` the first and the last elements of an axis stay where they
    are. Positions follow from the factors if these are given, unless `recompute_scale_factor` asks for the ratio of the sizes.
    Sizes may be symbolic; factors that are not fractions of small numbers then compile for the sizes of the call. Integers are
    cast to their `default_float`, except for the two nearest modes. Raises ShapeError for modes and options that do not fit,
    and unless exactly one of `size` and `scale_factor` is given.
    """
    value = tensor(x)
    tracer, rank = value.tracer, value.ndim - 2
    align = flag_of(align_corners, "align_corners", tracer)
    _expect_mode(mode, rank, align, tracer)
    value = value if mode.startswith("nearest") else floating(value)
    if (size is None) == (scale_factor is None):
        raise tracer.error("interpolate: expected one of size and scale_factor")
    given = size if scale_factor is None else scale_factor
    entries = list(given) if isinstance(given, tuple | list) else [given] * rank
    if len(entries) != rank:
        raise tracer.error(f"interpolate: expected a number, or {rank} of them, got {given!r}")
    scales: list[float | None] = [None] * rank
    if scale_factor is not None:
        scales = [_scale(each, tracer) for each in entries]
        entries = [_scaled(own, scale) for own, scale in zip(value.shape[2:], scales, strict=True)]
    expect_sizes("interpolate", entries, tracer)
    if mode == "area":
        return _AREAS[rank - 1](value, entries)
    return resampled(value, entries, [None] * rank if recompute_scale_factor else scales, mode, align)


def _expect_mode(mode: str, rank: int, align_corners: bool, tracer: Tracer) -> None:
    """Raise ShapeError for an unknown mode, and for one that does not fit the number of axes or the option."""
    if mode not in MODES:
        raise tracer.error(f"interpolate: expected a mode of {', '.join(MODES)}, got {mode!r}{did_you_mean(str(mode), MODES)}")
    if not 1 <= rank <= 3 or _RANKS.get(mode, rank) != rank:
        expected = _RANKS.get(mode, "1 to 3")
        raise tracer.error(f"interpolate: mode {mode!r} takes (batch, channels, {expected} axes of space), got {rank + 2} axes")
    if align_corners and mode not in _RANKS:
        raise tracer.error(f"interpolate: align_corners has no meaning for mode {mode!r}")


def _scale(given: Any, tracer: Tracer) -> float:
    if isinstance(given, bool) or not isinstance(given, int | float | np.number) or not given > 0:
        raise tracer.error(f"interpolate: expected a positive number as scale_factor, got {given!r}")
    return float(given)


def _scaled(size: Any, scale: float | None) -> Any:
    """floor(size * scale). A symbolic size stays symbolic if the factor is a fraction of small numbers."""
    assert scale is not None, "all axes have a factor"
    exact = Fraction(scale)
    if isinstance(size, Size) and exact.denominator <= LARGEST_DENOMINATOR:
        return size * exact.numerator // exact.denominator
    return math.floor(int(size) * scale)
