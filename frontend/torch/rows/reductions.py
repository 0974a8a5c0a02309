"""Rows of reductions and scans."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from types import MappingProxyType
from typing import Any

from ....ir.types.dtypes import BOOL
from ... import functions as sw
from ...functions.arguments import precise
from ...tracing.tensor import Tensor, cast
from .row import Row, Rows, meta_dtype, own, result


def axes_of(dims: Any) -> Any:
    """The axes that an ATen operation names: no list, or an empty one, means all."""
    if dims is None or (isinstance(dims, Sequence) and not dims):
        return None
    return tuple(dims) if isinstance(dims, Sequence) else (dims,)


def within(axes: Any, x: Tensor) -> Any:
    """Axes of a tensor; torch treats a tensor without axes like one with a single axis."""
    return None if not x.ndim else axes


def _sum(x: Tensor, dims: Any = None, keepdim: bool = False, *, dtype: Any = None) -> Tensor:
    wide = _in_result(x)
    return sw.sum(wide, axis=within(axes_of(dims), x), dtype=wide.dtype, keepdims=keepdim)


def _mean(x: Tensor, dims: Any = None, keepdim: bool = False, *, dtype: Any = None) -> Tensor:
    return sw.mean(_in_result(x), axis=within(axes_of(dims), x), keepdims=keepdim)


def _prod(x: Tensor, dim: Any = None, keepdim: bool = False, *, dtype: Any = None) -> Tensor:
    wide = _in_result(x)
    return sw.prod(wide, axis=within(axes_of(dim), x), dtype=wide.dtype, keepdims=keepdim)


def _in_result(x: Tensor) -> Tensor:
    """The operand in the dtype of the result, in which torch accumulates."""
    return cast(x, meta_dtype())


def _truth(function: Callable[..., Any]) -> Callable[..., Any]:
    def apply(x: Tensor, dims: Any = None, keepdim: bool = False) -> Tensor:
        return function(cast(x, BOOL), axis=within(axes_of(dims), x), keepdims=keepdim)

    return apply


def _any_extremum(function: Callable[..., Any]) -> Callable[..., Any]:
    def apply(x: Tensor, dims: Any = None, keepdim: bool = False) -> Tensor:
        return function(x, axis=within(axes_of(dims), x), keepdims=keepdim)

    return apply


def _extremum_and_place(value: Callable[..., Any], place: Callable[..., Any]) -> Callable[..., Any]:
    """The extremum along an axis and its index."""

    def apply(x: Tensor, dim: int, keepdim: bool = False) -> tuple[Tensor, Tensor]:
        if not x.ndim:
            return x, sw.zeros((), "int64")
        number = sw.astype(x, "uint8") if x.dtype == BOOL else x
        return value(x, axis=dim, keepdims=keepdim), place(number, axis=dim, keepdims=keepdim)

    return apply


def _place(function: Callable[..., Any]) -> Callable[..., Any]:
    def apply(x: Tensor, dim: Any = None, keepdim: bool = False) -> Tensor:
        if not x.ndim:
            return sw.zeros((), "int64")
        return function(x, axis=dim, keepdims=keepdim)

    return apply


def _variance(x: Tensor, dims: Any = None, *, correction: Any = None, keepdim: bool = False) -> Tensor:
    amount = 1 if correction is None else correction
    return sw.var(x, axis=within(axes_of(dims), x), correction=amount, keepdims=keepdim)


def _variance_by_flag(x: Tensor, dims: Any = None, unbiased: bool = True, keepdim: bool = False) -> Tensor:
    return _variance(x, dims, correction=int(unbiased), keepdim=keepdim)


def _variance_and_mean(x: Tensor, dims: Any = None, *, correction: Any = None, keepdim: bool = False) -> Any:
    found = _variance(x, dims, correction=correction, keepdim=keepdim)
    return found, sw.mean(x, axis=within(axes_of(dims), x), keepdims=keepdim)


def _softmax(function: Callable[..., Any]) -> Callable[..., Any]:
    def apply(x: Tensor, dim: int, half_to_float: bool = False) -> Tensor:
        wide = _in_result(x)
        return function(wide, axis=dim) if x.ndim else sw.reshape(function(sw.reshape(wide, (1,)), axis=0), ())

    return apply


def _softmax_backward(gradient: Tensor, found: Tensor, dim: int, dtype: Any) -> Tensor:
    weighted = precise(gradient) * precise(found)
    axis = within(dim, found)
    return weighted - precise(found) * sw.sum(weighted, axis=axis, keepdims=True)


def _log_softmax_backward(gradient: Tensor, found: Tensor, dim: int, dtype: Any) -> Tensor:
    wide = precise(gradient)
    return wide - sw.exp(precise(found)) * sw.sum(wide, axis=within(dim, found), keepdims=True)


def _scan(function: Callable[..., Any]) -> Callable[..., Any]:
    def apply(x: Tensor, dim: int, *, dtype: Any = None) -> Tensor:
        wide = _in_result(x)
        if not x.ndim:
            return wide
        return cast(function(precise(wide), axis=dim), wide.dtype)

    return apply


def _scan_with_places(function: Callable[..., Any], keeps: Callable[..., Any]) -> Callable[..., Any]:
    """The prefix extremum and the index of the last element equal to it."""

    def apply(x: Tensor, dim: int) -> tuple[Tensor, Tensor]:
        if not x.ndim:
            return x, sw.zeros((), "int64")
        found = function(x, axis=dim)
        axis = dim % x.ndim
        is_new = sw.logical_or(keeps(x, found), sw.isnan(x)) if x.dtype.is_float else keeps(x, found)
        at = sw.reshape(sw.arange(x.shape[axis]), [-1 if k == axis else 1 for k in range(x.ndim)])
        return found, sw.cummax(sw.where(is_new, at, 0), axis=axis)

    return apply


def _norm(x: Tensor, order: Any = 2, dims: Any = None, keepdim: bool = False, *, dtype: Any = None) -> Tensor:
    """The norm of vectors along axes."""
    wide = precise(_in_result(x))
    axis = within(axes_of(dims), x)
    size = sw.abs(wide)
    order = float(order)
    if order and all(isinstance(each, int) and each == 1 for each in _sizes(x, axis)):
        # A single number needs no powers, which could overflow.
        return sw.sum(size, axis=axis, keepdims=keepdim)
    if order == math.inf:
        return sw.max(size, axis=axis, keepdims=keepdim)
    if order == -math.inf:
        return sw.min(size, axis=axis, keepdims=keepdim)
    if order == 0:
        return sw.sum(cast(sw.not_equal(wide, 0), wide.dtype), axis=axis, keepdims=keepdim)
    if order == 1:
        return sw.sum(size, axis=axis, keepdims=keepdim)
    if order == 2:
        return sw.sqrt(sw.sum(sw.square(wide), axis=axis, keepdims=keepdim))
    return sw.pow(sw.sum(sw.pow(size, order), axis=axis, keepdims=keepdim), 1 / order)


def _sizes(x: Tensor, axes: Any) -> list[Any]:
    """The sizes of a tensor along axes, or along all of them."""
    return list(x.shape) if axes is None else [x.shape[axis] for axis in axes]


def _log_sum_exp(x: Tensor, dims: Any, keepdim: bool = False) -> Tensor:
    return sw.logsumexp(_in_result(x), axis=within(axes_of(dims), x), keepdims=keepdim)


def _log_cumulative(x: Tensor, dim: int) -> Tensor:
    return sw.logcumsumexp(x, axis=dim) if x.ndim else x


REDUCTIONS: Rows = MappingProxyType(
    {
        "sum.default": own(_sum),
        "sum.dim_IntList": own(_sum),
        "mean.default": own(_mean),
        "mean.dim": own(_mean),
        "prod.default": own(lambda x, dtype=None: _prod(x)),
        "prod.dim_int": own(_prod),
        "any.default": own(_truth(sw.any)),
        "any.dim": own(_truth(sw.any)),
        "any.dims": own(_truth(sw.any)),
        "all.default": own(_truth(sw.all)),
        "all.dim": own(_truth(sw.all)),
        "all.dims": own(_truth(sw.all)),
        "amax.default": own(_any_extremum(sw.max)),
        "amin.default": own(_any_extremum(sw.min)),
        "max.default": own(_any_extremum(sw.max)),
        "min.default": own(_any_extremum(sw.min)),
        "max.dim": own(_extremum_and_place(sw.max, sw.argmax)),
        "min.dim": own(_extremum_and_place(sw.min, sw.argmin)),
        "argmax.default": own(_place(sw.argmax)),
        "argmin.default": own(_place(sw.argmin)),
        "var.correction": own(_variance),
        "var.dim": own(_variance_by_flag),
        "var_mean.correction": own(_variance_and_mean),
        "_softmax.default": own(_softmax(sw.softmax)),
        "_log_softmax.default": own(_softmax(sw.log_softmax)),
        "_softmax_backward_data.default": own(_softmax_backward),
        "_log_softmax_backward_data.default": own(_log_softmax_backward),
        "cumsum.default": own(_scan(sw.cumsum)),
        "cumprod.default": own(_scan(sw.cumprod)),
        "cummax.default": own(_scan_with_places(sw.cummax, sw.equal)),
        "cummin.default": own(_scan_with_places(sw.cummin, sw.equal)),
        "logcumsumexp.default": own(_log_cumulative),
        "logsumexp.default": own(_log_sum_exp),
        "linalg_vector_norm.default": Row(_norm),
        "count_nonzero.dim_IntList": own(lambda x, dims: sw.count_nonzero(x, axis=within(axes_of(dims), x))),
        "count_nonzero.default": own(lambda x, dim=None: sw.count_nonzero(x, axis=within(axes_of(dim), x))),
        "dot.default": result(lambda x, y: sw.sum(x * y)),
    }
)
