"""Reductions and scans. `axis` is an int, a sequence of them, or None for all axes; negative ones count from the end. Reduced
axes disappear, or get size 1 with `keepdims`. All raise ShapeError for axes out of range."""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce
from typing import Any, TypeAlias

from ...dialects import graph
from ...ir.types.dtypes import BOOL, INT64, DType, dtype
from ..tracing.tensor import Tensor, TensorLike, cast
from .arguments import axes_of, axis_of, flag_of, floating, precise, tensor
from .composites import call
from .elementwise import divide, maximum, where
from .gradient_marks import given
from .manipulation import diagonal, flatten, reshape, squeeze
from .scalar_functions import exp, isfinite, log, sqrt, square

Axis: TypeAlias = "int | Sequence[int] | None"


def sum(x: TensorLike, /, axis: Axis = None, *, dtype: Any = None, keepdims: bool = False) -> Tensor:
    """The sum over `axis`; an empty one is 0. Integers and bools are summed as int64 unless a dtype is given."""
    return _reduce("add", _wide(x, dtype), axis, keepdims)


def prod(x: TensorLike, /, axis: Axis = None, *, dtype: Any = None, keepdims: bool = False) -> Tensor:
    """The product over `axis`; an empty one is 1. Integers and bools are multiplied as int64 unless a dtype is given."""
    return _reduce("mul", _wide(x, dtype), axis, keepdims)


def max(x: TensorLike, /, axis: Axis = None, *, keepdims: bool = False) -> Tensor:
    """The greatest element over `axis`, NaN if any is NaN. Without elements it is the dtype's least value, -inf for floats."""
    return _reduce("max", tensor(x), axis, keepdims)


def min(x: TensorLike, /, axis: Axis = None, *, keepdims: bool = False) -> Tensor:
    """The least element over `axis`, NaN if any is NaN. Without elements it is the dtype's greatest value, inf for floats."""
    return _reduce("min", tensor(x), axis, keepdims)


def any(x: TensorLike, /, axis: Axis = None, *, keepdims: bool = False) -> Tensor:
    """Whether any element over `axis` is true (not 0), as bool."""
    return _reduce("or", cast(tensor(x), BOOL), axis, keepdims)


def all(x: TensorLike, /, axis: Axis = None, *, keepdims: bool = False) -> Tensor:
    """Whether all elements over `axis` are true (not 0), as bool."""
    return _reduce("and", cast(tensor(x), BOOL), axis, keepdims)


def count_nonzero(x: TensorLike, /, axis: Axis = None, *, keepdims: bool = False) -> Tensor:
    """The number of elements over `axis` that are not 0, as int64."""
    return sum(cast(tensor(x), BOOL), axis=axis, keepdims=keepdims)


def argmax(x: TensorLike, /, axis: int | None = None, *, keepdims: bool = False) -> Tensor:
    """The index of the first greatest element along an axis, or of the first NaN if there is one, as int64. `axis=None` gives
    the index in the flattened tensor. Raises ShapeError for an axis without elements."""
    return _arg_reduce("argmax", x, axis, keepdims)


def argmin(x: TensorLike, /, axis: int | None = None, *, keepdims: bool = False) -> Tensor:
    """The index of the first least element along an axis, or of the first NaN if there is one, as int64. `axis=None` gives the
    index in the flattened tensor. Raises ShapeError for an axis without elements."""
    return _arg_reduce("argmin", x, axis, keepdims)


def mean(x: TensorLike, /, axis: Axis = None, *, keepdims: bool = False) -> Tensor:
    """The arithmetic mean over `axis`; an empty one is NaN. Integers are cast to their `default_float`."""
    value = floating(x)
    return call(_mean, [value], axes_of(axis, value.ndim, value.tracer), keepdims)


def _mean(x: Tensor, axes: tuple[int, ...], keepdims: bool) -> Tensor:
    total = sum(precise(x), axis=axes, keepdims=keepdims)
    return cast(divide(total, count(x, axes)), x.dtype)


def var(x: TensorLike, /, axis: Axis = None, *, correction: float = 0, keepdims: bool = False) -> Tensor:
    """The variance over `axis`: sum((x - mean(x)) ** 2) / max(N - correction, 0) for N elements.

    `correction=0` is the variance of a population, `correction=1` the unbiased estimate from a sample (Bessel's correction).
    With N <= correction, the result is infinite or NaN. Integers are cast to their `default_float`; half precision is computed
    in float32.
    """
    value = floating(x)
    return call(_var, [value], axes_of(axis, value.ndim, value.tracer), correction, keepdims)


def _var(x: Tensor, axes: tuple[int, ...], correction: float, keepdims: bool) -> Tensor:
    wide = precise(x)
    centered = wide - divide(sum(wide, axis=axes, keepdims=True), count(x, axes))
    total = sum(square(centered), axis=axes, keepdims=keepdims)
    number = cast(tensor(count(x, axes)), total.dtype)
    return cast(total / (maximum(number - correction, 0.0) if correction else number), x.dtype)


def std(x: TensorLike, /, axis: Axis = None, *, correction: float = 0, keepdims: bool = False) -> Tensor:
    """The square root of `var`, with the same options. Its gradient is 0 where all elements are equal."""
    value = floating(x)
    return call(_std, [value], axes_of(axis, value.ndim, value.tracer), correction, keepdims)


def _std(x: Tensor, axes: tuple[int, ...], correction: float, keepdims: bool) -> Tensor:
    variance = _var(precise(x), axes, correction, keepdims)
    # Where all elements are equal, take the subgradient 0 instead of the root's infinite derivative.
    is_flat = variance == 0
    return cast(where(is_flat, 0.0, sqrt(where(is_flat, 1.0, variance))), x.dtype)


def logsumexp(x: TensorLike, /, axis: Axis = None, *, keepdims: bool = False) -> Tensor:
    """log(sum(exp(x))) over `axis` without overflow; an empty one is -inf. Integers are cast to their `default_float`."""
    value = floating(x)
    kept = flag_of(keepdims, "keepdims", value.tracer)
    return call(_logsumexp, [value], axes_of(axis, value.ndim, value.tracer), kept)


def _logsumexp(x: Tensor, axes: tuple[int, ...], keepdims: bool) -> Tensor:
    wide = precise(x)
    top = _shift(wide, axes)
    # Do not shift by an infinite maximum: inf - inf is NaN.
    shift = where(isfinite(top), top, 0.0)
    result = log(sum(exp(wide - shift), axis=axes, keepdims=True)) + shift
    return cast(result if keepdims or not axes else squeeze(result, axes), x.dtype)


def cumulative_sum(
    x: TensorLike,
    /,
    axis: int | None = None,
    *,
    dtype: Any = None,
    reverse: bool = False,
    exclusive: bool = False,
) -> Tensor:
    """Inclusive prefix sums along an axis, in the shape of x; the flattened x for axis=None.

    `reverse=True` sums from the end; `exclusive=True` leaves out the element itself. Integers and bools are summed as int64
    unless a dtype is given.
    """
    return _scan("add", _wide(x, dtype), axis, reverse, exclusive)


def cumulative_prod(
    x: TensorLike,
    /,
    axis: int | None = None,
    *,
    dtype: Any = None,
    reverse: bool = False,
    exclusive: bool = False,
) -> Tensor:
    """Prefix products along an axis, with the options of cumulative_sum."""
    return _scan("mul", _wide(x, dtype), axis, reverse, exclusive)


def cumsum(
    x: TensorLike,
    /,
    axis: int | None = None,
    dtype: Any = None,
    reverse: bool = False,
    exclusive: bool = False,
) -> Tensor:
    """NumPy's name for cumulative_sum."""
    return cumulative_sum(x, axis=axis, dtype=dtype, reverse=reverse, exclusive=exclusive)


def cumprod(
    x: TensorLike,
    /,
    axis: int | None = None,
    dtype: Any = None,
    reverse: bool = False,
    exclusive: bool = False,
) -> Tensor:
    """NumPy's name for cumulative_prod."""
    return cumulative_prod(x, axis=axis, dtype=dtype, reverse=reverse, exclusive=exclusive)


def cummax(
    x: TensorLike,
    /,
    axis: int | None = None,
    *,
    reverse: bool = False,
    exclusive: bool = False,
) -> Tensor:
    """The prefix maximum along an axis, with the options of cumulative_sum."""
    return _scan("max", tensor(x), axis, reverse, exclusive)


def cummin(
    x: TensorLike,
    /,
    axis: int | None = None,
    *,
    reverse: bool = False,
    exclusive: bool = False,
) -> Tensor:
    """The prefix minimum along an axis, with the options of cumulative_sum."""
    return _scan("min", tensor(x), axis, reverse, exclusive)


def logcumsumexp(
    x: TensorLike,
    /,
    axis: int | None = None,
    *,
    reverse: bool = False,
    exclusive: bool = False,
) -> Tensor:
    """log(cumulative_sum(exp(x))) without overflow, with the options of cumulative_sum."""
    return _scan("logaddexp", floating(x), axis, reverse, exclusive)


def softmax(x: TensorLike, /, axis: Axis = -1) -> Tensor:
    """exp(x) / sum(exp(x)) over `axis`, in the shape of x, without overflow. Integers are cast to their `default_float`; half
    precision is computed in float32. A slice with NaN, inf or only -inf gives NaN. Raises ShapeError for an axis out of
    range."""
    value = floating(x)
    return call(_softmax, [value], axes_of(axis, value.ndim, value.tracer))


def _softmax(x: Tensor, axes: tuple[int, ...]) -> Tensor:
    wide = precise(x)
    powers = exp(wide - _shift(wide, axes))
    # Divide 1 by the sum, which is at least 1, and multiply each element by the quotient: a product takes a third of the time
    # of a division.
    return cast(powers * (1 / sum(powers, axis=axes, keepdims=True)), x.dtype)


def log_softmax(x: TensorLike, /, axis: Axis = -1) -> Tensor:
    """log(softmax(x)) over `axis`, accurate where softmax is near 0 or 1. Integers are cast to their `default_float`."""
    value = floating(x)
    return call(_log_softmax, [value], axes_of(axis, value.ndim, value.tracer))


def _log_softmax(x: Tensor, axes: tuple[int, ...]) -> Tensor:
    wide = precise(x)
    shifted = wide - _shift(wide, axes)
    return cast(shifted - log(sum(exp(shifted), axis=axes, keepdims=True)), x.dtype)


def _shift(x: Tensor, axes: tuple[int, ...]) -> Tensor:
    """The greatest elements, to subtract so that exp does not overflow. They get no gradient: the result does not depend on
    them."""
    return given(max(x, axis=axes, keepdims=True))


def count(x: Tensor, axes: Sequence[int]) -> Any:
    """The number of elements along some axes: an int or a Size."""
    return reduce(lambda a, b: a * b, (x.shape[axis] for axis in axes), 1)


def _reduce(accumulator: str, x: Tensor, axis: Axis, keepdims: bool) -> Tensor:
    axes, kept = axes_of(axis, x.ndim, x.tracer), flag_of(keepdims, "keepdims", x.tracer)
    return x.tracer.emit(graph.ReduceOp, accumulator, x, axes, kept) if axes else x


def _arg_reduce(kind: str, x: TensorLike, axis: int | None, keepdims: bool) -> Tensor:
    value = tensor(x)
    kept = flag_of(keepdims, "keepdims", value.tracer)
    if axis is not None:
        return _position(kind, value, axis_of(axis, value.ndim, value.tracer), kept, f" along axis {axis}")
    flat = _position(kind, flatten(value), 0, False, "")
    return reshape(flat, [1] * value.ndim) if kept else flat


def _position(kind: str, x: Tensor, axis: int, keepdims: bool, along: str) -> Tensor:
    # An empty axis has no extremum, and index 0 would be out of range. Each call checks sizes that are not known here.
    if not x.tracer.sizes.assume(x.sizes[axis] - 1):
        raise x.tracer.error(f"{kind}: expected at least one element{along}, got none")
    return x.tracer.emit(graph.ReduceOp, kind, x, (axis,), keepdims)


def _scan(accumulator: str, x: Tensor, axis: int | None, reverse: bool, exclusive: bool) -> Tensor:
    if axis is None:
        x, axis = flatten(x), 0
    backwards, without = flag_of(reverse, "reverse", x.tracer), flag_of(exclusive, "exclusive", x.tracer)
    return x.tracer.emit(graph.ScanOp, accumulator, x, axis_of(axis, x.ndim, x.tracer), backwards, without)


def _wide(x: TensorLike, wanted: Any) -> Tensor:
    """The operand in the dtype of sums and products: int64 for integers and bools unless a dtype is given."""
    value = tensor(x)
    target: DType = dtype(wanted) if wanted is not None else value.dtype if value.dtype.is_float else INT64
    return cast(value, target)


def trace(x: TensorLike, /, *, offset: int = 0, axis1: int = 0, axis2: int = 1) -> Tensor:
    """The sum of the diagonal `offset` of the matrices in two axes, which disappear. Integers are summed as int64."""
    return sum(diagonal(x, offset=offset, axis1=axis1, axis2=axis2), axis=-1)
