"""Functions that create tensors: constants, ranges and grids. Shapes may contain sizes that are known only at run time."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from xdsl.dialects.builtin import i64

from ...dialects.graph import elementwise
from ...ir.index.expressions import Index, maximum
from ...ir.types.dtypes import BOOL, FLOAT32, FLOAT64, INT64, DType, dtype
from ...ir.types.overflow import LONG_STEP, near
from ...ir.types.shapes import tensor_type
from ..tracing.sizes import Size
from ..tracing.tensor import Tensor, TensorLike, cast, is_number, map_, number_of, tensor_of
from ..tracing.tracer import Tracer, current_tracer
from .arguments import expect_sizes, size_from, tensor, tracer_of
from .elementwise import floor, where
from .manipulation import expand_dims


def full(shape: Any, fill_value: TensorLike, dtype: Any = None) -> Tensor:
    """A tensor of `shape` filled with one value. The dtype is that of the value (float32, int64 or bool for Python numbers)
    unless given. Raises ShapeError for negative sizes."""
    return _filled("full", shape, fill_value, _dtype(dtype))


def _filled(what: str, shape: Any, fill_value: TensorLike, wanted: DType | None) -> Tensor:
    tracer = current_tracer()
    sizes = expect_sizes(what, shape, tracer)
    if is_number(fill_value):
        found = wanted or (BOOL if isinstance(fill_value, bool) else INT64 if isinstance(fill_value, int) else FLOAT32)
        return tracer.emit(elementwise.ConstantOp, number_of(fill_value, found, tracer), tensor_type(sizes, found.type))
    value = tensor(fill_value)
    found = FLOAT32 if value.weak and value.dtype == FLOAT64 else value.dtype
    return tracer.emit(elementwise.BroadcastOp, cast(value, wanted or found), tuple(sizes))


def zeros(shape: Any, dtype: Any = None) -> Tensor:
    """A tensor of `shape` filled with 0, float32 unless a dtype is given. Raises ShapeError for negative sizes."""
    return _filled("zeros", shape, 0, _dtype(dtype) or FLOAT32)


def ones(shape: Any, dtype: Any = None) -> Tensor:
    """A tensor of `shape` filled with 1, float32 unless a dtype is given. Raises ShapeError for negative sizes."""
    return _filled("ones", shape, 1, _dtype(dtype) or FLOAT32)


def full_like(x: TensorLike, fill_value: TensorLike, *, dtype: Any = None) -> Tensor:
    """A tensor of the shape of x filled with one value, in the dtype of x unless a dtype is given."""
    value = tensor(x)
    return full(value.sizes, fill_value, dtype=dtype or value.dtype)


def zeros_like(x: TensorLike, *, dtype: Any = None) -> Tensor:
    """Zeros in the shape of x, in its dtype unless a dtype is given."""
    return full_like(x, 0, dtype=dtype)


def ones_like(x: TensorLike, *, dtype: Any = None) -> Tensor:
    """Ones in the shape of x, in its dtype unless a dtype is given."""
    return full_like(x, 1, dtype=dtype)


def asarray(x: TensorLike, dtype: Any = None) -> Tensor:
    """Convert an array, nested list or number to a tensor, in its own dtype unless a dtype is given."""
    value = tensor(x)
    wanted = _dtype(dtype)
    return value if wanted is None else cast(value, wanted)


def arange(start: Any, stop: Any = None, step: Any = 1, *, dtype: Any = None) -> Tensor:
    """start, start + step, ... up to but excluding stop; `arange(stop)` starts at 0. The dtype is int64, or float32 if an
    argument is a float, unless given. `start` and `stop` may be Sizes; `step` is a number.

    Raises ShapeError for a step of 0, and for integers beyond int64.
    """
    tracer = current_tracer()
    if stop is None:
        start, stop = 0, start
    if step == 0:
        raise tracer.error("the step of a range must not be 0")
    if any(isinstance(each, float | np.floating) for each in (start, stop, step)):
        return _float_range(float(start), float(stop), float(step), _dtype(dtype) or FLOAT32)
    first, last = size_from(start, tracer), size_from(stop, tracer)
    span = last - first if step > 0 else first - last
    length = (span + (abs(step) - 1)) // abs(step)
    if not tracer.sizes.assume(length):
        length = maximum(length, 0) if length.constant is None else length * 0
    _expect_range(first, length, step, tracer)
    positions = iota(length)
    if step != 1 and length.constant not in (0, 1):
        positions = positions * step
    if first != 0 and length.constant != 0:
        positions = positions + (start if isinstance(start, Size) else int(start))
    return cast(positions, _dtype(dtype) or INT64)


def _expect_range(first: Index, length: Index, step: int, tracer: Tracer) -> None:
    """Raise ShapeError for an integer range with elements known to lie beyond int64."""
    last = first + (length - 1) * int(step)
    start, end, count = map(tracer.sizes.hint_of, (first, last, length))
    if count and any(each is not None and not INT64.lowest <= each <= INT64.highest for each in (start, end)):
        raise tracer.error(f"arange: expected numbers of int64, got {start} to {end}")
    # With steps this long, a few more elements exceed int64: assume that the last one fits, so that other calls retrace.
    if abs(step) > LONG_STEP:
        tracer.sizes.assume(int(INT64.highest) - last if step > 0 else last - int(INT64.lowest))


def linspace(start: float, stop: float, num: int, *, dtype: Any = None, endpoint: bool = True) -> Tensor:
    """`num` evenly spaced numbers from start to stop, without stop itself for endpoint=False. The dtype is float32 unless
    given; integers round down. Raises ShapeError for a negative `num`."""
    expect_sizes("linspace", num, current_tracer())
    steps = max(num - 1 if endpoint else num, 1)
    positions = cast(iota(num), FLOAT64)
    values = positions * ((stop - start) / steps) + start
    if endpoint and num > 1:
        values = where(positions == num - 1, float(stop), values)
    wanted = _dtype(dtype) or FLOAT32
    return cast(values if wanted.is_float else floor(values), wanted)


def eye(rows: Any, columns: Any = None, /, *, k: int = 0, dtype: Any = None) -> Tensor:
    """A matrix of `rows` x `columns` (square by default) with ones on diagonal `k` and zeros elsewhere, float32 unless a dtype
    is given. Positive `k` are above the main diagonal. Raises ShapeError for negative sizes."""
    tracer = current_tracer()
    shape = expect_sizes("eye", [rows, rows if columns is None else columns], tracer)
    return cast(map_("eq", _grid(shape, 1), _grid(shape, 0) + _diagonal(k)), _dtype(dtype) or FLOAT32)


def iota(length: Any) -> Tensor:
    """0, 1, ..., length - 1 as int64; the length may be a Size."""
    tracer = current_tracer()
    return _grid([size_from(length, tracer)], 0)


def index_along(x: TensorLike, axis: int) -> Tensor:
    """The index of each element of x along an axis, as int64."""
    value = tensor(x)
    return _grid(value.sizes, axis % value.ndim)


def tril(x: TensorLike, /, *, k: int = 0) -> Tensor:
    """The lower triangles of the matrices in the last two axes: elements above diagonal `k` become 0. Raises ShapeError for
    fewer than two axes."""
    value = _matrices(x)
    return where(map_("le", index_along(value, -1), index_along(value, -2) + _diagonal(k)), value, zeros((), value.dtype))


def triu(x: TensorLike, /, *, k: int = 0) -> Tensor:
    """The upper triangles of the matrices in the last two axes: elements below diagonal `k` become 0. Raises ShapeError for
    fewer than two axes."""
    value = _matrices(x)
    return where(map_("ge", index_along(value, -1), index_along(value, -2) + _diagonal(k)), value, zeros((), value.dtype))


def one_hot(x: TensorLike, classes: int, *, dtype: Any = None) -> Tensor:
    """A new last axis of size `classes` with 1 at index x and 0 elsewhere, float32 unless a dtype is given. An index outside 0
    <= x < classes gives only zeros."""
    value = cast(tensor(x), INT64)
    return cast(map_("eq", expand_dims(value, -1), iota(classes)), _dtype(dtype) or FLOAT32)


def _grid(shape: Any, axis: int) -> Tensor:
    """The index along one axis for each element of a tensor of `shape`."""

    def iota(*sizes: Index) -> elementwise.IotaOp:
        return elementwise.IotaOp(axis, tensor_type(sizes, i64))

    return current_tracer().emit(iota, *shape)


def _diagonal(k: Any) -> Any:
    """The number of a diagonal, limited to `FAR`: all diagonals further out are empty too."""
    return near(int(k)) if isinstance(k, int | np.integer) else k


def _float_range(start: float, stop: float, step: float, wanted: DType) -> Tensor:
    count = (stop - start) / step
    if not math.isfinite(count):
        raise current_tracer().error(f"expected a finite range, got {start} to {stop} by {step}")
    length = max(math.ceil(count), 0)
    return cast(cast(iota(length), FLOAT64) * step + start, wanted)


def _matrices(x: TensorLike) -> Tensor:
    value = tensor_of(x, tracer_of(x))
    if value.ndim < 2:
        raise value.tracer.error(f"expected a matrix, got {value!r}")
    return value


def _dtype(given: Any) -> DType | None:
    return None if given is None else dtype(given)
