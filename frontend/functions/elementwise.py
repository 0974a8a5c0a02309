"""Elementwise functions. Operands broadcast and are cast to their common dtype; functions defined only on floats cast integers
to their `default_float`. All raise ShapeError for shapes that do not broadcast and for dtypes that a function does not take."""

from __future__ import annotations

import builtins
import math
from collections.abc import Callable
from numbers import Integral, Real
from typing import Any

from ...ir.scalars.table import scalar
from ...ir.types.dtypes import BOOL, INT64, dtype
from ..tracing.tensor import Tensor, TensorLike, cast, common_dtype, harmonise, is_weak, map_, tensor_of
from .arguments import floating, precise, tensor, tracer_of
from .gradient_marks import given
from .scalar_functions import abs, binary, copysign, described, isinf, log, log1p, sqrt, square, unary

# For larger |x|, x * x + 1 rounds to x * x in float64; in float32, x * x overflows while x is still finite.
_FAR = 2.0**28


def _rounding(name: str, doc: str) -> Callable[[TensorLike], Tensor]:
    """Make a rounding function, which returns integers unchanged."""

    def apply(x: TensorLike, /) -> Tensor:
        value = tensor(x)
        return map_(name, value) if value.dtype.is_float else value

    return described(apply, name, doc)


def _comparison(name: str, doc: str, function: str) -> Callable[[TensorLike, TensorLike], Tensor]:
    """Make a comparison. As for NumPy, a Python integer out of range of the other operand's dtype is beyond its elements."""
    row, compare = scalar(function), binary(name, doc, function)

    def apply(x1: TensorLike, x2: TensorLike, /) -> Tensor:
        tracer = tracer_of(x1, x2)
        for number, other, place in ((x1, x2, 0), (x2, x1, 1)):
            if type(number) is not int or is_weak(other):
                continue
            found = common_dtype([other], tracer)
            if found.kind in ("int", "uint") and not found.lowest <= number <= found.highest:
                value, sign = tensor_of(other, tracer), 1 if number > 0 else -1
                # Every integer equals itself.
                return equal(value, value) if row.numpy(*((sign, 0) if place == 0 else (0, sign))) else not_equal(value, value)
        return compare(x1, x2)

    return described(apply, name, doc)


def _logical(name: str, doc: str, function: str) -> Callable[[TensorLike, TensorLike], Tensor]:
    """Make a function of two operands cast to bool."""

    def apply(x1: TensorLike, x2: TensorLike, /) -> Tensor:
        return map_(function, *harmonise([x1, x2], tracer_of(x1, x2), BOOL))

    return described(apply, name, doc)


subtract = binary("subtract", "x1 - x2", "sub")
multiply = binary("multiply", "x1 * x2", "mul")
divide = binary("divide", "x1 / x2 as floats", "div")
floor_divide = binary("floor_divide", "x1 / x2 rounded down; ZeroDivisionError for integers divided by 0", "floordiv")
remainder = binary("remainder", "The remainder of floor_divide, with the sign of x2", "mod")
minimum = binary("minimum", "The lesser of x1 and x2; NaN if either is", "min")
maximum = binary("maximum", "The greater of x1 and x2; NaN if either is", "max")
equal = _comparison("equal", "Whether x1 == x2", "eq")
not_equal = _comparison("not_equal", "Whether x1 != x2", "ne")
less = _comparison("less", "Whether x1 < x2", "lt")
less_equal = _comparison("less_equal", "Whether x1 <= x2", "le")
greater = _comparison("greater", "Whether x1 > x2", "gt")
greater_equal = _comparison("greater_equal", "Whether x1 >= x2", "ge")
bitwise_and = binary("bitwise_and", "The bits set in both integers, or the conjunction of bools", "and")
bitwise_or = binary("bitwise_or", "The bits set in either integer, or the disjunction of bools", "or")
bitwise_xor = binary("bitwise_xor", "The bits set in one of the integers, or the inequality of bools", "xor")
bitwise_left_shift = binary("bitwise_left_shift", "x1 times 2 to the power of x2, for integers", "shift_left")
bitwise_right_shift = binary("bitwise_right_shift", "x1 over 2 to the power of x2 rounded down, for integers", "shift_right")
logical_and = _logical("logical_and", "Whether both are true (not 0)", "and")
logical_or = _logical("logical_or", "Whether either is true (not 0)", "or")
logical_xor = _logical("logical_xor", "Whether one of the two is true (not 0)", "xor")

negative = unary("negative", "-x", "neg")
bitwise_invert = unary("bitwise_invert", "All bits of an integer, or the truth of a bool, inverted", "not")
floor = _rounding("floor", "x rounded down")
ceil = _rounding("ceil", "x rounded up")
trunc = _rounding("trunc", "x rounded towards 0")


def round(x: TensorLike, decimals: int = 0) -> Tensor:
    """x rounded to `decimals` decimal digits, halves to even, elementwise. Integers are returned unchanged."""
    value = tensor(x)
    if not value.dtype.is_float:
        return value
    if decimals == 0:
        return map_("round", value)
    wide, scale = precise(value), 10.0 ** builtins.abs(decimals)
    if decimals < 0:
        return cast(map_("round", wide / scale) * scale, value.dtype)
    return cast(map_("round", wide * scale) / scale, value.dtype)


def positive(x: TensorLike, /) -> Tensor:
    """x, unchanged."""
    return tensor(x)


def logical_not(x: TensorLike, /) -> Tensor:
    """Whether x is false (0), elementwise."""
    return map_("not", cast(tensor(x), BOOL))


def asinh(x: TensorLike, /) -> Tensor:
    """The inverse hyperbolic sine, elementwise: log(x + sqrt(x * x + 1)) without overflow or cancellation."""
    value = floating(x)
    wide = precise(value)
    # Compute |x| as x * sign(x), not as abs(x): both sign factors then cancel in the derivative, at -0 and 0 too.
    sign_of_x = copysign(1.0, wide)
    size = wide * sign_of_x
    is_far = size > _FAR
    # Clamp each formula's argument to its own range: an infinite square would make the derivative of the unused one NaN.
    near, far = where(is_far, 0.0, size), where(is_far, size, 1.0)
    grown = log1p(near + square(near) / (1 + sqrt(square(near) + 1)))
    return cast(where(is_far, log(far) + math.log(2), grown) * sign_of_x, value.dtype)


def acosh(x: TensorLike, /) -> Tensor:
    """The inverse hyperbolic cosine, NaN below 1, elementwise: log(x + sqrt(x * x - 1)) without overflow."""
    value = floating(x)
    wide = precise(value)
    above = wide - 1
    near = log1p(above + sqrt(above) * sqrt(above + 2))
    return cast(where(wide > _FAR, log(wide) + math.log(2), near), value.dtype)


def atanh(x: TensorLike, /) -> Tensor:
    """The inverse hyperbolic tangent, elementwise."""
    value = floating(x)
    wide = precise(value)
    return cast(0.5 * (log1p(wide) - log1p(-wide)), value.dtype)


def hypot(x1: TensorLike, x2: TensorLike, /) -> Tensor:
    """sqrt(x1 * x1 + x2 * x2) without overflow, elementwise. It is infinite if either operand is, even when the other is
    NaN."""
    left, right = (floating(each) for each in harmonise([x1, x2], tracer_of(x1, x2)))
    a, b = precise(left), precise(right)
    # Do not differentiate the scale: the length does not depend on it, so that its contributions cancel.
    scale = given(maximum(abs(a), abs(b)))
    is_zero, is_infinite = equal(scale, 0), logical_or(isinf(a), isinf(b))
    safe = where(logical_or(is_zero, is_infinite), 1.0, scale)
    squares = square(a / safe) + square(b / safe)
    # At the origin take the subgradient 0 instead of the root's infinite derivative.
    length = safe * sqrt(where(is_zero, 1.0, squares))
    return cast(where(is_infinite, math.inf, where(is_zero, 0.0, length)), left.dtype)


def signbit(x: TensorLike, /) -> Tensor:
    """Whether the sign of x is negative, also for -0.0, elementwise."""
    value = tensor(x)
    if not value.dtype.is_float:
        return less(value, 0)
    return less(copysign(1.0, value), 0)


def where(condition: TensorLike, x1: TensorLike, x2: TensorLike, /) -> Tensor:
    """x1 where the condition is true (not 0), else x2, elementwise. All three operands broadcast."""
    tracer = tracer_of(condition, x1, x2)
    return map_("select", cast(tensor_of(condition, tracer), BOOL), *harmonise([x1, x2], tracer))


def clip(x: TensorLike, /, min: TensorLike | None = None, max: TensorLike | None = None) -> Tensor:
    """x limited to the range from `min` to `max`, elementwise; None means no limit. The result has the dtype of x."""
    value = tensor(x)
    for limit, name in ((min, "max"), (max, "min")):
        if limit is not None:
            value = map_(name, *harmonise([value, limit], value.tracer, value.dtype))
    return value


def pointpow(x: TensorLike, exponent: float, /) -> Tensor:
    """x to the power of a Python number, elementwise: x for 1, its square for 2. Other integers accept negative bases, for
    which fractional exponents give NaN. The exponent gets no gradient. Raises ShapeError unless the exponent is a number."""
    tracer = tracer_of(x)
    if isinstance(exponent, bool) or not isinstance(exponent, Real):
        raise tracer.error(f"pointpow: expected the exponent as a number, got {exponent!r}")
    number = int(exponent) if isinstance(exponent, Integral) else float(exponent)
    base, power = harmonise([x, number], tracer)
    result = base if number == 1 else map_("square", base) if number == 2 else map_("pow", base, power)
    return Tensor(tracer, result.value, is_weak(x))


def astype(x: TensorLike, to: Any, /) -> Tensor:
    """The elements as another dtype. Floats truncate to integers and saturate, NaN becomes 0; as bool, all but 0 are True."""
    return cast(tensor(x), dtype(to))


def random_bits(key: TensorLike, counter: TensorLike, /) -> Tensor:
    """32 random bits for each pair of int64 key and counter, as int64, elementwise: Philox4x32-10 (Salmon et al., "Parallel
    Random Numbers: As Easy as 1, 2, 3", 2011)."""
    return map_("random_bits", *harmonise([key, counter], tracer_of(key, counter), INT64))
