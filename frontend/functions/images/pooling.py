"""Pooling: maxima and means of windows over the last axes, and unpooling of maxima. All raise ShapeError for sizes that do not
fit and for windows of size 0."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product as combinations
from typing import Any

from ....dialects.graph import contract as ops
from ....ir.index.expressions import Index, ceildiv, index, minimum, product
from ....ir.types.dtypes import BOOL, INT64
from ...tracing.sizes import size_of
from ...tracing.tensor import Tensor, TensorLike, cast, default_float
from ...tracing.tracer import Tracer
from ..arguments import each_axis, flag_of, near_steps, padding_of, precise, shape_from, tensor, window_padding, window_steps
from ..creation import arange, ones, zeros
from ..elementwise import divide, equal, logical_and, logical_not, logical_or, where
from ..elementwise import maximum as elementwise_maximum
from ..elementwise import minimum as elementwise_minimum
from ..indexing import getitem, scatter
from ..manipulation import reshape
from ..scalar_functions import isnan
from .padding import pad


@dataclass(frozen=True)
class Options:
    """The options of a pooling as users write them: a number, or a sequence with one entry an axis."""

    kernel: Any
    stride: Any
    padding: Any
    dilation: Any = 1
    ceil_mode: Any = False


@dataclass(frozen=True)
class Windows:
    """The windows of a pooling of x over its last axes, with one entry an axis for each option."""

    x: Tensor
    extents: list[Index]
    steps: list[int]
    low: list[Index]
    high: list[Index]
    spreads: list[int]
    ceil_mode: bool

    @property
    def rank(self) -> int:
        """The number of axes that windows move over."""
        return len(self.steps)

    @property
    def sizes(self) -> tuple[Index, ...]:
        """The sizes of these axes."""
        return tuple(self.x.sizes[-self.rank :])

    def counts(self) -> list[Any]:
        """The numbers of windows. In `ceil_mode` the last window may reach past the padding, if it starts before the padding's
        end."""
        found: list[Any] = []
        for k, size in enumerate(self.sizes):
            step, room = self.steps[k], size + self.low[k] + self.high[k] - (self.extents[k] - 1) * self.spreads[k] - 1
            count = room // step + 1
            if self.ceil_mode:
                count = minimum(ceildiv(room, step) + 1, (size + self.low[k] - 1) // step + 1)
            found.append(size_of(count, self.x.tracer.sizes))
        return found

    def padded(self, value: Any) -> Tensor:
        """x with its padding, and with as many further elements as the last windows need."""
        more = [step - 1 if self.ceil_mode else 0 for step in self.steps]
        pairs = [(low, high + extra) for low, high, extra in zip(self.low, self.high, more, strict=True)]
        if all(amount == 0 for pair in pairs for amount in pair):
            return self.x
        return pad(self.x, [*[(0, 0)] * (self.x.ndim - self.rank), *pairs], value)

    def reduced(self, kind: str, filler: Any) -> Tensor:
        """The reduction of each window by an accumulator, "max" or "add", whose neutral element is `filler`."""
        tracer, none = self.x.tracer, [index(0)] * self.rank
        if not self.ceil_mode:
            options = (near_steps(self.steps), self.low, self.high, near_steps(self.spreads))
            return tracer.emit(ops.WindowReduceOp, kind, self.x, self.extents, *options)
        options = (near_steps(self.steps), none, none, near_steps(self.spreads))
        found = tracer.emit(ops.WindowReduceOp, kind, self.padded(filler), self.extents, *options)
        return getitem(found, (..., *(slice(0, count) for count in self.counts())))


def _windows(rank: int, x: Tensor, options: Options) -> Windows:
    """Convert the options. Raises ShapeError for those that do not fit."""
    tracer = x.tracer
    if x.ndim < rank:
        raise tracer.error(f"pooling: expected at least {rank} axes, got {x!r}")
    extents = shape_from(each_axis(options.kernel, rank, "kernel_size", tracer), tracer)
    if any(extent.constant is not None and extent.constant < 1 for extent in extents):
        raise tracer.error(f"pooling: expected a kernel_size of at least 1, got {options.kernel!r}")
    steps = _steps(rank, options, tracer)
    low, high = window_padding(options.padding, rank, tracer)
    spreads = window_steps(options.dilation, rank, "dilation", tracer)
    for extent, spread, *sides in zip(extents, spreads, low, high, strict=True):
        # With more padding a window could contain padding only.
        covered = (extent - 1) * spread + 1
        for amount in sides:
            if not tracer.sizes.assume(covered - 2 * amount):
                raise tracer.error(f"padding: expected at most half of a window of {covered}, got {amount}")
    return Windows(x, extents, steps, low, high, spreads, flag_of(options.ceil_mode, "ceil_mode", tracer))


def _steps(rank: int, options: Options, tracer: Tracer) -> list[int]:
    return window_steps(options.kernel if options.stride is None else options.stride, rank, "stride", tracer)


def _maximum(rank: int, x: TensorLike, options: Options, return_indices: bool) -> Any:
    value = tensor(x)
    windows = _windows(rank, value, options)
    found = windows.reduced("max", value.dtype.lowest)
    if not flag_of(return_indices, "return_indices", value.tracer):
        return found
    return found, _places(windows, found)


def _places(windows: Windows, found: Tensor) -> Tensor:
    """The index, in the flattened last axes of x, of the first element of each window that equals its maximum, or is NaN (of
    several NaN torch names the last)."""
    tracer = windows.x.tracer
    extents = [tracer.sizes.pin(extent) for extent in windows.extents]
    padded, counts = windows.padded(windows.x.dtype.lowest), windows.counts()
    place, known = zeros(found.shape, INT64), zeros(found.shape, BOOL)
    for offsets in combinations(*map(range, extents)):
        key, linear, inside = [], zeros((), INT64), ones((), BOOL)
        for k, offset in enumerate(offsets):
            step, start, size = windows.steps[k], offset * windows.spreads[k], size_of(windows.sizes[k], tracer.sizes)
            key.append(slice(start, start + (counts[k] - 1) * step + 1, step))
            at = arange(counts[k]) * step + start - size_of(windows.low[k], tracer.sizes)
            at = reshape(at, [-1 if j == k else 1 for j in range(windows.rank)])
            linear = linear * size + at
            inside = logical_and(inside, logical_and(at >= 0, at < size))
        candidate = getitem(padded, (..., *key))
        is_here = equal(candidate, found)
        if candidate.dtype.is_float:
            is_here = logical_or(is_here, isnan(candidate))
        first = logical_and(logical_and(is_here, inside), logical_not(known))
        place, known = where(first, linear, place), logical_or(known, first)
    return place


def max_pool1d(
    x: TensorLike,
    kernel_size: Any,
    *,
    stride: Any = None,
    padding: Any = 0,
    dilation: Any = 1,
    ceil_mode: bool = False,
    return_indices: bool = False,
) -> Any:
    """The maximum of each window along the last axis, of x (..., L), to (..., L').

        L' = (L + before + after - dilation * (kernel_size - 1) - 1) // stride + 1

    The stride defaults to `kernel_size`. Padding, at most half of the window, is not a candidate for the maximum. Equal maxima
    of a window share its gradient equally. `ceil_mode` rounds L' up: the last window may reach past the padding, if it starts
    before the padding after the axis. With `return_indices` there is a second result, int64: the index of the first maximum,
    for `max_unpool1d`. Raises ShapeError for a window larger than the padded axis and for larger paddings.
    """
    return _maximum(1, x, Options(kernel_size, stride, padding, dilation, ceil_mode), return_indices)


def max_pool2d(
    x: TensorLike,
    kernel_size: Any,
    *,
    stride: Any = None,
    padding: Any = 0,
    dilation: Any = 1,
    ceil_mode: bool = False,
    return_indices: bool = False,
) -> Any:
    """The maximum of each window over the last two axes, of x (..., H, W), to (..., H', W'). Options are a number, or one an
    axis; the sizes, the gradient and the errors are those of `max_pool1d`. Indices are those of the flattened H and W."""
    return _maximum(2, x, Options(kernel_size, stride, padding, dilation, ceil_mode), return_indices)


def max_pool3d(
    x: TensorLike,
    kernel_size: Any,
    *,
    stride: Any = None,
    padding: Any = 0,
    dilation: Any = 1,
    ceil_mode: bool = False,
    return_indices: bool = False,
) -> Any:
    """The maximum of each window over the last three axes, of x (..., D, H, W), to (..., D', H', W'). Options are a number, or
    one an axis; the sizes, the gradient and the errors are those of `max_pool1d`, indices those of flattened D, H and W."""
    return _maximum(3, x, Options(kernel_size, stride, padding, dilation, ceil_mode), return_indices)


def _average(rank: int, x: TensorLike, options: Options, count_include_pad: bool, divisor: int | None) -> Tensor:
    value = tensor(x)
    value = cast(value, default_float(value.dtype))
    windows = _windows(rank, precise(value), options)
    total, tracer = windows.reduced("add", 0), value.tracer
    include = flag_of(count_include_pad, "count_include_pad", tracer)
    padded = any(amount != 0 for side in padding_of(options.padding, rank, tracer) for amount in side)
    if divisor is not None:
        if isinstance(divisor, int | float) and divisor == 0:
            raise tracer.error("avg_pool: expected a divisor_override other than 0")
        return cast(divide(total, divisor), value.dtype)
    if windows.ceil_mode or (padded and not include):
        return cast(divide(total, cast(_elements(windows, include), total.dtype)), value.dtype)
    return cast(divide(total, size_of(product(windows.extents), tracer.sizes)), value.dtype)


def _elements(windows: Windows, include_padding: bool) -> Tensor:
    """The number of elements of each window, without those past the padding and, unless it is included, without the padding."""
    solver, total = windows.x.tracer.sizes, ones((), INT64)
    for k, (size, count) in enumerate(zip(windows.sizes, windows.counts(), strict=True)):
        start = arange(count) * windows.steps[k] - size_of(windows.low[k], solver)
        end = start + size_of(windows.extents[k], solver)
        if not include_padding:
            start = elementwise_maximum(start, 0)
        end = elementwise_minimum(end, size_of(size + (windows.high[k] if include_padding else 0), solver))
        total = total * reshape(end - start, [-1 if j == k else 1 for j in range(windows.rank)])
    return total


def avg_pool1d(
    x: TensorLike,
    kernel_size: Any,
    *,
    stride: Any = None,
    padding: Any = 0,
    ceil_mode: bool = False,
    count_include_pad: bool = True,
    divisor_override: int | None = None,
) -> Tensor:
    """The mean of each window along the last axis; sizes, `ceil_mode` and errors are those of `max_pool1d`. Padding counts as
    zeros, unless count_include_pad=False leaves it out of the mean; elements past the padding never count. `divisor_override`
    divides the sums in place of the number of elements. Integers are cast to their `default_float`."""
    options = Options(kernel_size, stride, padding, ceil_mode=ceil_mode)
    return _average(1, x, options, count_include_pad, divisor_override)


def avg_pool2d(
    x: TensorLike,
    kernel_size: Any,
    *,
    stride: Any = None,
    padding: Any = 0,
    ceil_mode: bool = False,
    count_include_pad: bool = True,
    divisor_override: int | None = None,
) -> Tensor:
    """The mean of each window over the last two axes, with the options of avg_pool1d, each a number or one an axis."""
    options = Options(kernel_size, stride, padding, ceil_mode=ceil_mode)
    return _average(2, x, options, count_include_pad, divisor_override)


def avg_pool3d(
    x: TensorLike,
    kernel_size: Any,
    *,
    stride: Any = None,
    padding: Any = 0,
    ceil_mode: bool = False,
    count_include_pad: bool = True,
    divisor_override: int | None = None,
) -> Tensor:
    """The mean of each window over the last three axes, with the options of avg_pool1d, each a number or one an axis."""
    options = Options(kernel_size, stride, padding, ceil_mode=ceil_mode)
    return _average(3, x, options, count_include_pad, divisor_override)


def _unpooled(rank: int, x: TensorLike, indices: TensorLike, options: Options, output_size: Any) -> Tensor:
    value, at = tensor(x), tensor(indices)
    tracer, lead = value.tracer, value.ndim - rank
    if value.ndim < rank or at.ndim != value.ndim:
        raise tracer.error(f"max_unpool{rank}d: expected indices in the shape of {value!r}, got {at!r}")
    sizes = _sizes_before(rank, value, options) if output_size is None else shape_from(output_size, tracer)
    if len(sizes) not in (rank, value.ndim):
        raise tracer.error(f"max_unpool{rank}d: expected an output_size of {rank} sizes, got {len(sizes)}")
    sizes = sizes[-rank:]
    start = zeros((*value.shape[:lead], size_of(product(sizes), tracer.sizes)), value.dtype)
    flat = [reshape(each, (*value.shape[:lead], size_of(product(value.sizes[lead:]), tracer.sizes))) for each in (at, value)]
    return reshape(scatter(start, *flat, axis=lead), [*value.sizes[:lead], *sizes])


def _sizes_before(rank: int, x: Tensor, options: Options) -> list[Index]:
    """The smallest sizes that a pooling maps to the sizes of x."""
    tracer = x.tracer
    extents = shape_from(each_axis(options.kernel, rank, "kernel_size", tracer), tracer)
    steps = _steps(rank, options, tracer)
    low, high = window_padding(options.padding, rank, tracer)
    own = x.sizes[-rank:]
    return [(own[k] - 1) * steps[k] - low[k] - high[k] + extents[k] for k in range(rank)]


def max_unpool1d(
    x: TensorLike,
    indices: TensorLike,
    /,
    kernel_size: Any,
    *,
    stride: Any = None,
    padding: Any = 0,
    output_size: Any = None,
) -> Tensor:
    """The inverse of `max_pool1d(..., return_indices=True)`: zeros, of `output_size` along the last axis, with each maximum at
    its index. By default the size is (L' - 1) * stride - before - after + kernel_size. Raises IndexError at run time for an
    index out of range."""
    return _unpooled(1, x, indices, Options(kernel_size, stride, padding), output_size)


def max_unpool2d(
    x: TensorLike,
    indices: TensorLike,
    /,
    kernel_size: Any,
    *,
    stride: Any = None,
    padding: Any = 0,
    output_size: Any = None,
) -> Tensor:
    """The inverse of `max_pool2d`, with the options of `max_unpool1d`, one an axis."""
    return _unpooled(2, x, indices, Options(kernel_size, stride, padding), output_size)


def max_unpool3d(
    x: TensorLike,
    indices: TensorLike,
    /,
    kernel_size: Any,
    *,
    stride: Any = None,
    padding: Any = 0,
    output_size: Any = None,
) -> Tensor:
    """The inverse of `max_pool3d`, with the options of `max_unpool1d`, one an axis."""
    return _unpooled(3, x, indices, Options(kernel_size, stride, padding), output_size)
