"""Elementary scalar functions: roots, exponentials, logarithms, trigonometric and hyperbolic functions, probability."""

from __future__ import annotations

import math
from typing import Any

from .function import FLOATS, Spelling, binary, math_function, unary


def _atan2(f: Any, y: Any, x: Any, result: Any) -> tuple[Any, ...]:
    """Zeros at the origin, where the function is discontinuous."""
    total, zero = f.add(f.square(x), f.square(y)), f.const(0.0)
    inverse = f.select(f.eq(total, zero), zero, f.reciprocal(total))
    return f.mul(x, inverse), f.neg(f.mul(y, inverse))


def _rsqrt_of_one_minus_square(f: Any, x: Any) -> Any:
    """1 / sqrt(1 - x*x), as a product (1 - x) * (1 + x) to avoid cancellation near 1."""
    one = f.const(1.0)
    return f.rsqrt(f.mul(f.sub(one, x), f.add(one, x)))


def _gaussian(f: Any, x: Any, sign: float) -> Any:
    """The derivative of erf (sign 1) and of erfc (sign -1)."""
    return f.mul(f.const(sign * 2 / math.sqrt(math.pi)), f.exp(f.neg(f.square(x))))


def _gelu(f: Any, x: Any, y: Any) -> tuple[Any, ...]:
    """The derivative: the normal distribution function of x, plus x times the density. Below -1 the distribution is gelu(x) /
    x, elsewhere it is computed from erf: erf cancels in the tail, the quotient near 0."""
    zero, half = f.const(0.0), f.const(0.5)
    density = f.mul(f.const(1 / math.sqrt(2 * math.pi)), f.exp(f.mul(f.const(-0.5), f.square(x))))
    near = f.add(half, f.mul(half, f.erf(f.mul(f.const(math.sqrt(0.5)), x))))
    distribution = f.select(f.lt(x, f.const(-1.0)), f.div(y, x), near)
    return (f.add(distribution, f.select(f.eq(density, zero), zero, f.mul(x, density))),)


def _logaddexp(f: Any, a: Any, b: Any, y: Any) -> tuple[Any, ...]:
    """The softmax of the operands; 1/2 each for equal infinities, whose difference is NaN. Other equal operands use the
    difference, so that second derivatives are right."""
    zero, both = f.const(0.0), getattr(f, "and")
    undefined = both(f.eq(a, b), f.isinf(a))
    return tuple(f.sigmoid(f.select(undefined, zero, f.sub(*pair))) for pair in ((a, b), (b, a)))


ELEMENTARY = (
    # Roots, exponentials and logarithms.
    unary(
        "sqrt",
        "sqrt$F($a)",
        "sw_sqrt($a)",
        cost=6,
        derivative=lambda f, x, y: (f.div(f.const(0.5), y),),
        triton_body="""\
    if a.dtype == tl.float32:
        return tl.sqrt_rn(a)
    else:
        return tl.sqrt(a)
""",
        doc="The square root",
    ),
    unary(
        "rsqrt",
        "1 / sqrt$F($a)",
        "libdevice.rsqrt($a)",
        ulp=2,
        cost=8,
        derivative=lambda f, x, y: (f.mul(f.const(-0.5), f.div(y, x)),),
        doc="1 over the square root",
    ),
    math_function("cbrt", 4, 20, lambda f, x, y: (f.reciprocal(f.mul(f.const(3.0), f.square(y))),), doc="The cube root"),
    math_function("exp", 2, 10, lambda f, x, y: (y,), doc="e to the power of x"),
    math_function("exp2", 2, 10, lambda f, x, y: (f.mul(f.const(math.log(2)), y),), doc="2 to the power of x"),
    math_function("expm1", 2, 14, lambda f, x, y: (f.exp(x),), doc="exp(x) - 1, exact near 0"),
    math_function("log", 2, 12, lambda f, x, y: (f.reciprocal(x),), doc="The natural logarithm"),
    math_function(
        "log2", 2, 12, lambda f, x, y: (f.reciprocal(f.mul(f.const(math.log(2)), x)),), doc="The logarithm to base 2"
    ),
    math_function(
        "log10", 2, 14, lambda f, x, y: (f.reciprocal(f.mul(f.const(math.log(10)), x)),), doc="The logarithm to base 10"
    ),
    math_function("log1p", 2, 14, lambda f, x, y: (f.reciprocal(f.add(f.const(1.0), x)),), doc="log(1 + x), exact near 0"),
    binary(
        "logaddexp",
        "sw_logaddexp_$N($a, $b)",
        "sw_logaddexp($a, $b)",
        kinds=FLOATS,
        ulp=4,
        cost=25,
        commutative=True,
        identity=lambda dtype: dtype.lowest,
        derivative=_logaddexp,
        c_body=Spelling(
            float="""\
    if (a == b) return a + ($T)0.69314718055994530942;
    return (a > b ? a : b) + log1p$F(exp$F(-fabs$F(a - b)));
"""
        ),
        triton_body="""\
    larger = tl.where(a > b, a, b) + libdevice.log1p(libdevice.exp(-tl.abs(a - b)))
    return tl.where(a == b, a + 0.6931471805599453, larger)
""",
        doc="log(exp(x1) + exp(x2)) without overflow",
    ),
    unary(
        "softplus",
        "sw_softplus_$N($a)",
        "sw_softplus($a)",
        ulp=4,
        cost=25,
        derivative=lambda f, x, y: (f.sigmoid(x),),
        c_body=Spelling(float="    return (a > 0 ? a : 0) + log1p$F(exp$F(-fabs$F(a)));\n"),
        triton_body="""\
    return tl.where(a > 0, a, tl.zeros_like(a)) + libdevice.log1p(libdevice.exp(-tl.abs(a)))
""",
        doc="log(1 + exp(x)) without overflow",
    ),
    # Trigonometric and hyperbolic functions.
    math_function("sin", 2, 15, lambda f, x, y: (f.cos(x),), doc="The sine"),
    math_function("cos", 2, 15, lambda f, x, y: (f.neg(f.sin(x)),), doc="The cosine"),
    math_function("tan", 3, 20, lambda f, x, y: (f.add(f.const(1.0), f.square(y)),), doc="The tangent"),
    math_function("asin", 2, 20, lambda f, x, y: (_rsqrt_of_one_minus_square(f, x),), "arcsin", doc="The inverse sine"),
    math_function(
        "acos", 2, 20, lambda f, x, y: (f.neg(_rsqrt_of_one_minus_square(f, x)),), "arccos", doc="The inverse cosine"
    ),
    math_function(
        "atan", 2, 20, lambda f, x, y: (f.reciprocal(f.add(f.const(1.0), f.square(x))),), "arctan", doc="The inverse tangent"
    ),
    binary(
        "atan2",
        "atan2$F($a, $b)",
        "libdevice.atan2($a, $b)",
        kinds=FLOATS,
        oracle="arctan2",
        ulp=3,
        cost=25,
        derivative=_atan2,
        doc="The angle of the point (x2, x1)",
    ),
    math_function("sinh", 3, 20, lambda f, x, y: (f.cosh(x),), doc="The hyperbolic sine"),
    math_function("cosh", 3, 20, lambda f, x, y: (f.sinh(x),), doc="The hyperbolic cosine"),
    math_function("tanh", 3, 15, lambda f, x, y: (f.sub(f.const(1.0), f.square(y)),), doc="The hyperbolic tangent"),
    # Probability.
    math_function("erf", 2, 15, lambda f, x, y: (_gaussian(f, x, 1.0),), doc="The error function"),
    math_function("erfc", 5, 25, lambda f, x, y: (_gaussian(f, x, -1.0),), doc="1 - erf(x), exact for large x"),
    unary(
        "sigmoid",
        "sw_sigmoid_$N($a)",
        "sw_sigmoid($a)",
        ulp=4,
        cost=15,
        derivative=lambda f, x, y: (f.mul(y, f.sub(f.const(1.0), y)),),
        c_body=Spelling(
            float="""\
    $T small = exp$F(-fabs$F(a));
    return (a >= 0 ? 1 : small) / (1 + small);
"""
        ),
        triton_body="""\
    small = libdevice.exp(-tl.abs(a))
    above = tl.where(a >= 0, tl.full(a.shape, 1.0, a.dtype), small)
    if a.dtype == tl.float32:
        return tl.div_rn(above, 1.0 + small)
    else:
        return above / (1.0 + small)
""",
        doc="1 / (1 + exp(-x)) without overflow",
    ),
    unary(
        "gelu",
        "sw_gelu_$N($a)",
        "sw_gelu($a)",
        ulp=4,
        cost=25,
        derivative=_gelu,
        # The rounding error of the argument of erfc is corrected to first order: its effect grows with the argument.
        c_body=Spelling(
            float="""\
    if (!(fabs$F(a) < 40)) return a > 0 || a != a ? a : -($T)0;
    double z = a * -0.70710678118654752440, lost = fma(a, -0.70710678118654752440, -z) + a * 4.8336466567264567e-17;
    return ($T)(0.5 * a * (erfc(z) - lost * 1.1283791670955126 * exp(-z * z)));
"""
        ),
        triton_body="""\
    factor = tl.full(a.shape, -0.7071067811865476, a.dtype)
    z = a * factor
    if a.dtype == tl.float32:
        lost = tl.fma(a, factor, -z) + a * -1.2101617e-8
    else:
        lost = tl.fma(a, factor, -z) + a * 4.8336466567264567e-17
    twice = libdevice.erfc(z) - lost * 1.1283791670955126 * libdevice.exp(-z * z)
    return tl.where(tl.abs(a) < 40.0, 0.5 * a * twice, tl.where(a < 0, tl.zeros_like(a) * -1.0, a))
""",
    ),
)
