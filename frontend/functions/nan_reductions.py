"""Reductions that leave out NaN, with the names of NumPy's."""

from __future__ import annotations

import math
from typing import Any

from ..tracing.tensor import Tensor, TensorLike, cast
from .arguments import floating, precise, tensor
from .elementwise import divide, logical_not, maximum, where
from .reductions import Axis, prod, sum
from .reductions import all as all_of
from .reductions import max as largest
from .reductions import min as smallest
from .scalar_functions import isnan, square


def nansum(x: TensorLike, /, axis: Axis = None, *, keepdims: bool = False) -> Tensor:
    """The sum of the elements that are not NaN; 0 if all are."""
    return sum(_filled(x, 0), axis=axis, keepdims=keepdims)


def nanprod(x: TensorLike, /, axis: Axis = None, *, keepdims: bool = False) -> Tensor:
    """The product of the elements that are not NaN; 1 if all are."""
    return prod(_filled(x, 1), axis=axis, keepdims=keepdims)


def nanmax(x: TensorLike, /, axis: Axis = None, *, keepdims: bool = False) -> Tensor:
    """The greatest of the elements that are not NaN; NaN if all are."""
    return _unless_all(x, largest(_filled(x, -math.inf), axis=axis, keepdims=keepdims), axis, keepdims)


def nanmin(x: TensorLike, /, axis: Axis = None, *, keepdims: bool = False) -> Tensor:
    """The least of the elements that are not NaN; NaN if all are."""
    return _unless_all(x, smallest(_filled(x, math.inf), axis=axis, keepdims=keepdims), axis, keepdims)


def nanmean(x: TensorLike, /, axis: Axis = None, *, keepdims: bool = False) -> Tensor:
    """The mean of the elements that are not NaN; NaN if all are. Integers are cast to their `default_float`."""
    value = floating(x)
    wide = precise(value)
    total = sum(_filled(wide, 0), axis=axis, keepdims=keepdims)
    return cast(divide(total, _count(wide, axis, keepdims)), value.dtype)


def nanvar(x: TensorLike, /, axis: Axis = None, *, correction: float = 0, keepdims: bool = False) -> Tensor:
    """The variance of the elements that are not NaN: sum((x - mean) ** 2) / max(N - correction, 0) for N of them."""
    value = floating(x)
    wide = precise(value)
    mean = divide(sum(_filled(wide, 0), axis=axis, keepdims=True), _count(wide, axis, True))
    total = sum(_filled(square(wide - mean), 0), axis=axis, keepdims=keepdims)
    return cast(divide(total, maximum(_count(wide, axis, keepdims) - correction, 0)), value.dtype)


def nanstd(x: TensorLike, /, axis: Axis = None, *, correction: float = 0, keepdims: bool = False) -> Tensor:
    """The square root of `nanvar`."""
    return nanvar(x, axis=axis, correction=correction, keepdims=keepdims) ** 0.5


def _filled(x: TensorLike, by: float) -> Tensor:
    value = tensor(x)
    return where(isnan(value), by, value) if value.dtype.is_float else value


def _count(x: Tensor, axis: Any, keepdims: bool) -> Tensor:
    return sum(cast(logical_not(isnan(x)), x.dtype), axis=axis, keepdims=keepdims)


def _unless_all(x: TensorLike, found: Tensor, axis: Any, keepdims: bool) -> Tensor:
    value = tensor(x)
    if not value.dtype.is_float:
        return found
    return where(all_of(isnan(value), axis=axis, keepdims=keepdims), math.nan, found)
