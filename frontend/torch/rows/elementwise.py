"""Rows of elementwise operations."""

from __future__ import annotations

import functools
import math
from collections.abc import Callable
from types import MappingProxyType
from typing import Any

from ....ir.types.dtypes import BOOL, FLOAT8_E4M3FN, FLOAT32, INT64, dtype
from ... import functions as sw
from ...tracing.tensor import Tensor, cast, map_, tensor_of
from ...tracing.tracer import current_tracer
from .row import Row, Rows, Unsupported, common, meta, meta_dtype, own, result


def _with_alpha(function: Callable[..., Any]) -> Callable[..., Any]:
    def apply(x: Any, y: Any, *, alpha: Any = 1) -> Any:
        return function(x, y if _is_one(alpha) else sw.multiply(y, alpha))

    return apply


def _is_one(value: Any) -> bool:
    return isinstance(value, int | float) and value == 1


def _multiply(x: Any, y: Any) -> Any:
    return sw.logical_and(x, y) if meta_dtype() == BOOL else sw.multiply(x, y)


def _add(x: Any, y: Any) -> Any:
    return sw.logical_or(x, y) if meta_dtype() == BOOL else sw.add(x, y)


def _reversed_subtract(x: Any, y: Any, *, alpha: Any = 1) -> Any:
    return _with_alpha(sw.subtract)(y, x, alpha=alpha)


def _divide(x: Any, y: Any, *, rounding_mode: str | None = None) -> Any:
    """The quotient, rounded down or towards 0 if a mode says so."""
    if rounding_mode is None:
        return sw.divide(x, y)
    if rounding_mode == "floor":
        return sw.floor_divide(x, y)
    left, right = sw.broadcast_arrays(*_both(x, y))
    if not left.dtype.is_float:
        down = sw.floor_divide(left, right)
        inexact = sw.not_equal(down * right, left)
        return down + cast(sw.logical_and(inexact, sw.less(down, 0)), down.dtype)
    return sw.trunc(sw.divide(left, right))


def _both(x: Any, y: Any) -> tuple[Tensor, Tensor]:
    tracer = current_tracer()
    like = next((each.dtype for each in (x, y) if isinstance(each, Tensor)), None)
    return tensor_of(x, tracer, like), tensor_of(y, tracer, like)


def _fmod(x: Any, y: Any) -> Any:
    """The remainder with the sign of x, computed from the magnitudes, whose remainder is exact."""
    left, right = _both(x, y)
    if left.dtype.is_float:
        return sw.copysign(sw.remainder(sw.abs(left), sw.abs(right)), left)
    rest = sw.remainder(left, right)
    off = sw.logical_and(sw.not_equal(rest, 0), sw.less(sw.bitwise_xor(rest, left), 0))
    return sw.where(off, rest - right, rest)


def _remainder(x: Any, y: Any) -> Any:
    """The remainder with the sign of y; a remainder of 0 has the sign of x."""
    left, right = _both(x, y)
    rest = sw.remainder(left, right)
    return sw.where(sw.equal(rest, 0), sw.copysign(0.0, left), rest) if rest.dtype.is_float else rest


def _power(x: Any, y: Any) -> Any:
    if isinstance(y, int | float) and not isinstance(y, bool) and isinstance(x, Tensor):
        return _power_of(x, y)
    return sw.pow(x, y)


def _power_of(x: Tensor, exponent: float) -> Tensor:
    """A power by a number. A negative power of integers is an error of torch's."""
    if not x.dtype.is_float and exponent < 0:
        raise Unsupported("integers to negative powers")
    simple = {0.5: sw.sqrt, -0.5: sw.rsqrt, 1.0: sw.positive, 2.0: sw.square, -1.0: sw.reciprocal}
    if x.dtype.is_float and exponent in simple:
        return simple[exponent](x)
    if exponent == 3 and x.dtype.is_float:
        return sw.square(x) * x
    return sw.pow(x, exponent)


def clamped(x: Any, low: Any = None, high: Any = None) -> Any:
    """x within bounds, each a number, a tensor or None. A zero at a bound that is a number keeps its sign, as in torch."""
    if low is not None:
        x = sw.where(x < low, low, x) if _is_plain(x, low) else sw.maximum(x, low)
    if high is not None:
        x = sw.where(x > high, high, x) if _is_plain(x, high) else sw.minimum(x, high)
    return x


def _is_plain(x: Any, bound: Any) -> bool:
    """Whether a bound of floats is a number other than NaN."""
    return x.dtype.is_float and isinstance(bound, int | float) and bound == bound


def _where(condition: Any, x: Any, y: Any) -> Any:
    """Selection with both sides in the result's dtype; the condition keeps its own."""
    target = meta_dtype()
    sides = [cast(tensor_of(each, current_tracer(), target), target) for each in (x, y)]
    return map_("select", cast(tensor_of(condition, current_tracer()), BOOL), *sides)


def _to_copy(x: Any, **options: Any) -> Any:
    """A copy in another dtype, which the cast to the result's dtype makes."""
    return _as(x, meta().first.dtype)


def _as(x: Any, to: Any) -> Any:
    value = tensor_of(x, current_tracer())
    target = dtype(to)
    if value.dtype.is_float and target.kind in ("int", "uint") and target.bits < 32:
        # torch truncates to a wide integer, whose low bits it keeps.
        return cast(cast(value, INT64), target)
    if target is FLOAT8_E4M3FN and value.dtype is not target and _saturates():
        value = sw.clip(cast(value, FLOAT32), target.lowest, target.highest)
    return cast(value, target)


@functools.cache
def _saturates() -> bool:
    """Whether this version of torch converts numbers too large for float8_e4m3fn to its greatest number, and not to NaN."""
    import torch

    return not torch.tensor(1e9).to(torch.float8_e4m3fn).float().isnan().item()


def _nan_to_num(x: Any, nan: Any = None, high: Any = None, low: Any = None) -> Any:
    import numpy as np

    if not x.dtype.is_float:
        return x
    if x.dtype.name == "bfloat16":
        largest = 3.3895313892515355e38
    else:
        largest = float(np.finfo(x.dtype.numpy).max)
    found = sw.where(sw.isnan(x), 0.0 if nan is None else nan, x)
    found = sw.where(sw.equal(found, math.inf), largest if high is None else high, found)
    return sw.where(sw.equal(found, -math.inf), -largest if low is None else low, found)


def _heaviside(x: Any, values: Any) -> Any:
    step = sw.where(x > 0, 1, 0)
    return sw.where(sw.equal(x, 0), values, cast(step, x.dtype))


def _fmax(x: Any, y: Any) -> Any:
    """The first of zeros of different sign, as in torch."""
    left, right = _both(x, y)
    return sw.where(sw.logical_or(left >= right, sw.isnan(right)), left, right)


def _fmin(x: Any, y: Any) -> Any:
    left, right = _both(x, y)
    return sw.where(sw.logical_or(left <= right, sw.isnan(right)), left, right)


def _sign(x: Any) -> Any:
    if not x.dtype.is_float:
        return x if x.dtype == BOOL else sw.sign(x)
    return sw.where(sw.isnan(x), 0, sw.sign(x))


def _absolute(x: Any) -> Any:
    return x if x.dtype == BOOL else sw.abs(x)


def _isinf(x: Any) -> Any:
    return sw.isinf(x) if x.dtype.is_float else sw.not_equal(x, x)


def _isnan(x: Any) -> Any:
    return sw.isnan(x) if x.dtype.is_float else sw.not_equal(x, x)


def _isfinite(x: Any) -> Any:
    return sw.isfinite(x) if x.dtype.is_float else sw.equal(x, x)


def _angle(x: Any) -> Any:
    """The angle of real numbers: 0, or pi for negative ones."""
    half_turn, none = (tensor_of(each, current_tracer(), meta_dtype()) for each in (math.pi, 0.0))
    found = sw.where(x < 0, half_turn, none)
    return sw.where(sw.isnan(x), x, found) if x.dtype.is_float else found


def _frac(x: Any) -> Any:
    return x - sw.trunc(x)


def _fused(product: Callable[..., Any]) -> Callable[..., Any]:
    """self + value * product(a, b)."""

    def apply(x: Any, a: Any, b: Any, *, value: Any = 1) -> Any:
        return x + (product(a, b) if _is_one(value) else product(sw.multiply(a, value), b))

    return apply


def _unary_rows() -> dict[str, Row]:
    names = (
        "acos acosh asin asinh atan atanh cos cosh erf erfc exp exp2 expm1 log log10 log1p log2 reciprocal rsqrt sigmoid sin "
        "sinh sqrt tan tanh"
    )
    return {f"{name}.default": result(getattr(sw, name)) for name in names.split()}


def _binary_rows() -> dict[str, Row]:
    """The rows whose operations have a form for two tensors and one for a tensor and a number."""
    found: dict[str, Row] = {}
    compared = {
        "eq": sw.equal,
        "ne": sw.not_equal,
        "lt": sw.less,
        "le": sw.less_equal,
        "gt": sw.greater,
        "ge": sw.greater_equal,
    }
    computed = {
        "mul": _multiply,
        "remainder": _remainder,
        "fmod": _fmod,
        "bitwise_and": sw.bitwise_and,
        "bitwise_or": sw.bitwise_or,
        "bitwise_xor": sw.bitwise_xor,
        "__lshift__": sw.bitwise_left_shift,
        "__rshift__": sw.bitwise_right_shift,
    }
    for forms, row in ((compared, common), (computed, result)):
        for name, function in forms.items():
            found.update({f"{name}.Tensor": row(function), f"{name}.Scalar": row(function)})
    for name, function in (("left", sw.bitwise_left_shift), ("right", sw.bitwise_right_shift)):
        found.update({f"bitwise_{name}_shift.{form}": result(function) for form in ("Tensor", "Tensor_Scalar")})
    return found


ELEMENTWISE: Rows = MappingProxyType(
    {
        **_unary_rows(),
        **_binary_rows(),
        "add.Tensor": result(_with_alpha(_add)),
        "add.Scalar": result(lambda x, y, alpha=1: _with_alpha(_add)(x, y, alpha=alpha)),
        "sub.Tensor": result(_with_alpha(sw.subtract)),
        "sub.Scalar": result(lambda x, y, alpha=1: _with_alpha(sw.subtract)(x, y, alpha=alpha)),
        "rsub.Scalar": result(lambda x, y, alpha=1: _reversed_subtract(x, y, alpha=alpha)),
        "rsub.Tensor": result(_reversed_subtract),
        "div.Tensor": result(_divide),
        "true_divide.Tensor": result(_divide),
        "div.Scalar": result(_divide),
        "div.Tensor_mode": result(_divide),
        "div.Scalar_mode": result(_divide),
        "floor_divide.default": result(sw.floor_divide),
        "pow.Tensor_Tensor": result(sw.pow),
        "pow.Tensor_Scalar": result(_power),
        "pow.Scalar": result(sw.pow),
        "atan2.default": result(sw.atan2),
        "copysign.Tensor": result(sw.copysign),
        "copysign.Scalar": result(sw.copysign),
        "hypot.default": result(sw.hypot),
        "logaddexp.default": result(sw.logaddexp),
        "maximum.default": result(sw.maximum),
        "minimum.default": result(sw.minimum),
        "fmax.default": result(_fmax),
        "fmin.default": result(_fmin),
        "abs.default": own(_absolute),
        "neg.default": own(sw.negative),
        "sign.default": own(_sign),
        "sgn.default": own(_sign),
        "signbit.default": own(sw.signbit),
        "angle.default": own(_angle),
        "floor.default": own(sw.floor),
        "ceil.default": own(sw.ceil),
        "trunc.default": own(sw.trunc),
        "frac.default": own(_frac),
        "round.default": own(sw.round),
        "round.decimals": own(lambda x, decimals=0: sw.round(x, decimals)),
        "isnan.default": own(_isnan),
        "isinf.default": own(_isinf),
        "isfinite.default": own(_isfinite),
        "bitwise_not.default": own(sw.bitwise_invert),
        "logical_and.default": own(sw.logical_and),
        "logical_or.default": own(sw.logical_or),
        "logical_xor.default": own(sw.logical_xor),
        "logical_not.default": own(sw.logical_not),
        "clamp.default": result(clamped),
        "clamp.Tensor": result(clamped),
        "clamp_min.default": result(lambda x, low: clamped(x, low)),
        "clamp_max.default": result(lambda x, high: clamped(x, None, high)),
        "nan_to_num.default": own(_nan_to_num),
        "heaviside.default": own(_heaviside),
        "erfinv.default": result(sw.erfinv),
        "lgamma.default": result(sw.gammaln),
        "digamma.default": result(sw.digamma),
        "xlogy.Tensor": result(sw.xlogy),
        "special_xlog1py.default": result(sw.xlog1py),
        "where.self": Row(_where),
        "where.ScalarOther": Row(_where),
        "where.ScalarSelf": Row(_where),
        "where.Scalar": Row(_where),
        "addcmul.default": result(_fused(sw.multiply)),
        "addcdiv.default": result(_fused(sw.divide)),
        "_to_copy.default": own(_to_copy),
        "prims.convert_element_type.default": own(_as),
        "prims.fma.default": result(lambda x, y, z: x * y + z),
    }
)
