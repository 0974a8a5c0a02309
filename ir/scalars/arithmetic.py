"""Scalar functions of arithmetic."""

from __future__ import annotations

from typing import Any

from ..types.dtypes import DType
from .function import ALL, FLOATS, NUMBERS, Derivative, ScalarFunction, Spelling, binary, unary


def _all_ones(dtype: DType) -> float | int | bool:
    return -1 if dtype.kind == "int" else dtype.highest


def _divide(f: Any, a: Any, b: Any, y: Any) -> tuple[Any, ...]:
    inverse = f.reciprocal(b)
    return inverse, f.neg(f.mul(y, inverse))


def _power(f: Any, a: Any, b: Any, y: Any) -> tuple[Any, ...]:
    """b * a**(b - 1) and y * log(a), with their limits where the formula has 0 * inf; 0 at the discontinuity of 0**b at b =
    0."""
    zero, one = f.const(0.0), f.const(1.0)
    by_base = f.select(f.eq(b, zero), zero, f.mul(b, f.pow(a, f.sub(b, one))))
    by_exponent = f.mul(y, f.log(a))
    for is_zero in (f.eq(y, zero), f.eq(f.max(f.abs(a), f.abs(b)), zero)):
        by_exponent = f.select(is_zero, zero, by_exponent)
    return by_base, by_exponent


def _extremum(loses: str) -> Derivative:
    """The derivative of min and max: 1 for the chosen operand, 1/2 each for equal ones. `loses` is the comparison that is true
    for the other operand; it is false for NaN, so that both operands get the gradient of a NaN."""

    def derivative(f: Any, a: Any, b: Any, y: Any) -> tuple[Any, ...]:
        zero, half, one = f.const(0.0), f.const(0.5), f.const(1.0)
        share = f.select(f.eq(a, b), half, one)
        compare = getattr(f, loses)
        return f.select(compare(a, b), zero, share), f.select(compare(b, a), zero, share)

    return derivative


def _copysign(f: Any, a: Any, b: Any, y: Any) -> tuple[Any, ...]:
    one = f.const(1.0)
    return f.mul(f.copysign(one, a), f.copysign(one, b)), None


ARITHMETIC = (
    # Arithmetic.
    binary(
        "add",
        Spelling("$a + $b", "($T)(($U)$a + ($U)$b)"),
        "$a + $b",
        commutative=True,
        identity=lambda dtype: 0,
        derivative=lambda f, a, b, y: (f.const(1.0), f.const(1.0)),
        doc="x1 + x2",
    ),
    binary(
        "sub",
        Spelling("$a - $b", "($T)(($U)$a - ($U)$b)"),
        "$a - $b",
        oracle="subtract",
        derivative=lambda f, a, b, y: (f.const(1.0), f.const(-1.0)),
    ),
    binary(
        "mul",
        Spelling("$a * $b", "($T)(($U)$a * ($U)$b)"),
        "$a * $b",
        oracle="multiply",
        commutative=True,
        identity=lambda dtype: 1,
        derivative=lambda f, a, b, y: (b, a),
    ),
    binary(
        "div",
        "$a / $b",
        "sw_div($a, $b)",
        kinds=FLOATS,
        oracle="divide",
        cost=4,
        derivative=_divide,
        triton_body="""\
    if a.dtype == tl.float32:
        return tl.div_rn(a, b)
    else:
        return a / b
""",
    ),
    binary(
        "floordiv",
        "sw_floordiv_$N($a, $b)",
        Spelling("sw_floordiv_float($a, $b)", "sw_floordiv_int($a, $b)", "sw_floordiv_uint($a, $b)"),
        oracle="floor_divide",
        checks_divisor=True,
        cost=12,
        c_body=Spelling(
            float="""\
    if (b == 0) return a / b;
    $T mod = fmod$F(a, b);
    $T div = (a - mod) / b;
    if (mod != 0 && (b < 0) != (mod < 0)) div -= 1;
    if (div == 0) return copysign$F(0, a / b);
    $T floored = floor$F(div);
    return div - floored > ($T)0.5 ? floored + 1 : floored;
""",
            # Divide the complement of a negative dividend, and magnitudes if the divisor is negative: gcc 12 replaces a / b of
            # signed integers by the negative of -a / b, even if -a wraps around.
            int="""\
    if (b == 0) return 0;
    const $T sign = a < 0 ? -1 : 0;
    if (b > 0) return ($T)((a ^ sign) / b ^ sign);
    const $U divisor = ($U)(0 - ($U)b);
    return a > 0 ? ($T)~(($U)(a - 1) / divisor) : ($T)(($U)(0 - ($U)a) / divisor);
""",
            uint="    return b == 0 ? 0 : a / b;\n",
        ),
        # As in NumPy's npy_divmod.
        # The divisors 0 and -1 are replaced before the division, which is undefined for them.
        triton_body=Spelling(
            float="""\
    mod = libdevice.fmod(a, b)
    if a.dtype == tl.float32:
        quotient = tl.div_rn(a, b)
        div = tl.div_rn(a - mod, b)
    else:
        quotient = a / b
        div = (a - mod) / b
    div = tl.where((mod != 0) & ((b < 0) != (mod < 0)), div - 1, div)
    floored = tl.floor(div)
    floored = tl.where(div - floored > 0.5, floored + 1, floored)
    floored = tl.where(div == 0, libdevice.copysign(tl.zeros_like(a), quotient), floored)
    return tl.where(b == 0, quotient, floored)
""",
            int="""\
    divisor = tl.where((b == 0) | (b == -1), tl.full(b.shape, 1, b.dtype), b)
    quotient = a // divisor
    floored = tl.where((a - quotient * divisor != 0) & ((a < 0) != (divisor < 0)), quotient - 1, quotient)
    return tl.where(b == 0, tl.zeros_like(a), tl.where(b == -1, -a, floored))
""",
            uint="""\
    return tl.where(b == 0, tl.zeros_like(a), a // tl.where(b == 0, tl.full(b.shape, 1, b.dtype), b))
""",
        ),
    ),
    binary(
        "mod",
        "sw_mod_$N($a, $b)",
        Spelling("sw_mod_float($a, $b)", "sw_mod_int($a, $b)", "sw_mod_uint($a, $b)"),
        oracle="remainder",
        checks_divisor=True,
        cost=12,
        derivative=lambda f, a, b, y: (f.const(1.0), f.neg(f.floordiv(a, b))),
        c_body=Spelling(
            float="""\
    $T mod = fmod$F(a, b);
    if (mod == 0) return copysign$F(0, b);
    return b != 0 && (b < 0) != (mod < 0) ? mod + b : mod;
""",
            int="""\
    if (b == 0 || b == -1) return 0;
    $T mod = a % b;
    return mod != 0 && (mod ^ b) < 0 ? mod + b : mod;
""",
            uint="    return b == 0 ? 0 : a % b;\n",
        ),
        triton_body=Spelling(
            float="""\
    mod = libdevice.fmod(a, b)
    wrapped = tl.where((b != 0) & ((b < 0) != (mod < 0)), mod + b, mod)
    return tl.where(mod == 0, libdevice.copysign(tl.zeros_like(a), b), wrapped)
""",
            int="""\
    divisor = tl.where((b == 0) | (b == -1), tl.full(b.shape, 1, b.dtype), b)
    mod = a % divisor
    return tl.where((mod != 0) & ((mod < 0) != (divisor < 0)), mod + divisor, mod)
""",
            uint="""\
    return tl.where(b == 0, tl.zeros_like(a), a % tl.where(b == 0, tl.full(b.shape, 1, b.dtype), b))
""",
        ),
    ),
    binary(
        "pow",
        Spelling("pow$F($a, $b)", "sw_pow_$N($a, $b)"),
        Spelling("libdevice.pow($a, $b)", "sw_pow_int($a, $b)", "sw_pow_uint($a, $b)"),
        oracle="power",
        ulp=2,
        cost=30,
        derivative=_power,
        c_body=Spelling(
            int="""\
    if (b < 0) return a == 1 ? 1 : a == -1 ? (b & 1 ? -1 : 1) : 0;
    $U result = 1, factor = ($U)a;
    for ($U exponent = ($U)b; exponent; exponent >>= 1) {
        if (exponent & 1) result *= factor;
        factor *= factor;
    }
    return ($T)result;
""",
            uint="""\
    $U result = 1, factor = a;
    for ($U exponent = b; exponent; exponent >>= 1) {
        if (exponent & 1) result *= factor;
        factor *= factor;
    }
    return ($T)result;
""",
        ),
        # Exponentiation by squaring; a non-negative exponent has at most 63 bits.
        triton_body=Spelling(
            int="""\
    one = tl.full(a.shape, 1, a.dtype)
    result = one
    factor = a
    exponent = b
    for _ in range(a.dtype.primitive_bitwidth):
        result = tl.where((exponent & 1) != 0, result * factor, result)
        factor = factor * factor
        exponent = exponent >> 1
    sign = tl.where((b & 1) != 0, a, one)
    return tl.where(b < 0, tl.where((a == 1) | (a == -1), sign, tl.zeros_like(a)), result)
""",
            uint="""\
    result = tl.full(a.shape, 1, a.dtype)
    factor = a
    exponent = b
    for _ in range(a.dtype.primitive_bitwidth):
        result = tl.where((exponent & 1) != 0, result * factor, result)
        factor = factor * factor
        exponent = exponent >> 1
    return result
""",
        ),
        doc="x1 to the power of x2; a negative power of an integer is 0",
    ),
    binary(
        "min",
        "sw_min_$N($a, $b)",
        Spelling("tl.minimum($a, $b, propagate_nan=tl.PropagateNan.ALL)", "tl.minimum($a, $b)", bool="$a & $b"),
        kinds=ALL,
        oracle="minimum",
        commutative=True,
        identity=lambda dtype: dtype.highest,
        derivative=_extremum("gt"),
        # The choice of the lesser operand is one instruction, the test for NaN a predictable branch. Both in one condition
        # would be a branch that depends on the data.
        c_body=Spelling(
            float="    const $T least = a < b ? a : b;\n    return a != a ? a : least;\n", int="    return a < b ? a : b;\n"
        ),
    ),
    binary(
        "max",
        "sw_max_$N($a, $b)",
        Spelling("tl.maximum($a, $b, propagate_nan=tl.PropagateNan.ALL)", "tl.maximum($a, $b)", bool="$a | $b"),
        kinds=ALL,
        oracle="maximum",
        commutative=True,
        identity=lambda dtype: dtype.lowest,
        derivative=_extremum("lt"),
        # As above.
        c_body=Spelling(
            float="    const $T greatest = a > b ? a : b;\n    return a != a ? a : greatest;\n",
            int="    return a > b ? a : b;\n",
        ),
    ),
    unary(
        "neg",
        Spelling("-$a", "($T)(0 - ($U)$a)"),
        Spelling("$a * -1.0", "-$a"),
        kinds=NUMBERS,
        oracle="negative",
        derivative=lambda f, x, y: (f.const(-1.0),),
    ),
    unary(
        "abs",
        Spelling("fabs$F($a)", "sw_abs_$N($a)", "$a"),
        Spelling("tl.abs($a)", "tl.abs($a)", "$a"),
        kinds=NUMBERS,
        derivative=lambda f, x, y: (f.sign(x),),
        c_body=Spelling(int="    return a < 0 ? ($T)(0 - ($U)a) : a;\n"),
        doc="The absolute value",
    ),
    unary(
        "sign",
        "sw_sign_$N($a)",
        Spelling("sw_sign_float($a)", "sw_sign_int($a)", "sw_sign_uint($a)"),
        kinds=NUMBERS,
        c_body=Spelling(
            float="    return a != a ? a : ($T)((a > 0) - (a < 0));\n",
            int="    return ($T)((a > 0) - (a < 0));\n",
            uint="    return a > 0;\n",
        ),
        triton_body=Spelling(
            float="""\
    return tl.where(a != a, a, (a > 0).to(a.dtype) - (a < 0).to(a.dtype))
""",
            int="""\
    return (a > 0).to(a.dtype) - (a < 0).to(a.dtype)
""",
            uint="""\
    return (a > 0).to(a.dtype)
""",
        ),
        doc="-1, 0 or 1 with the sign of x",
    ),
    unary(
        "square",
        "sw_square_$N($a)",
        "sw_square($a)",
        kinds=NUMBERS,
        derivative=lambda f, x, y: (f.mul(f.const(2.0), x),),
        c_body=Spelling(float="    return a * a;\n", int="    return ($T)(($U)a * ($U)a);\n"),
        triton_body="""\
    return a * a
""",
        doc="x * x",
    ),
    unary(
        "reciprocal",
        "1 / $a",
        "sw_reciprocal($a)",
        cost=4,
        derivative=lambda f, x, y: (f.neg(f.square(y)),),
        triton_body="""\
    if a.dtype == tl.float32:
        return tl.div_rn(tl.full(a.shape, 1.0, a.dtype), a)
    else:
        return 1.0 / a
""",
        doc="1 / x",
    ),
    ScalarFunction(
        "fma",
        3,
        NUMBERS,
        c=Spelling("fma$F($a, $b, $c)", "($T)(($U)$a * ($U)$b + ($U)$c)"),
        triton=Spelling("tl.fma($a, $b, $c)", "$a * $b + $c"),
        doc="x1 * x2 + x3; floats are rounded once, after the addition",
        oracle="fma",
        derivative=lambda f, a, b, c, y: (b, a, f.const(1.0)),
    ),
    binary(
        "copysign",
        "copysign$F($a, $b)",
        "libdevice.copysign($a, $b)",
        kinds=FLOATS,
        derivative=_copysign,
        doc="The magnitude of x1 with the sign of x2",
    ),
)
