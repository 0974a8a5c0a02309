"""The scalar functions: one row each, with all properties that any level needs.

A row has the operand and result types of a function, its NumPy oracle, its partial derivatives, and its spelling in C and in
Triton. To add a function, add a row; if NumPy lacks it, an oracle in `oracles.py`; if one expression is not enough to spell it,
a helper in `lowering/emit_c/functions.py` or `lowering/emit_triton/functions.py`.

Spellings are templates: `$a`, `$b`, `$c` are the operands, each of which occurs exactly once, so that an operand may be an
expression of any size. In C, `$T` is the operands' type, `$U` the unsigned type for wrapping arithmetic, `$N` its short name
(`f32`) and `$F` the suffix of <math.h> functions. Names `sw_...` are helpers.

The semantics, where languages differ: integers wrap around; `floordiv` and `mod` round towards minus infinity, and give 0 for a
divisor of 0 (levels above check the divisor, see `checks_divisor`); shifts by the width or more give 0, or the sign; `min` and
`max` return NaN if either operand is NaN (for 0 and -0 either zero may result); `round` rounds half to even; an integer power
with a negative exponent is 0, except for the bases 1 and -1.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, partial
from types import MappingProxyType
from typing import Any, NamedTuple

from ..diagnostics import PipelineError, did_you_mean
from ..plugins import installed
from ..types.dtypes import BOOL, DType

Derivative = Callable[..., tuple[Any, ...]]

FLOATS = ("float",)
NUMBERS = ("float", "int", "uint")
BITS = ("int", "uint", "bool")
ALL = ("float", "int", "uint", "bool")


class Spelling(NamedTuple):
    """The templates of one function by kind of operand; `int` is the default for kinds without one."""

    float: str = ""
    int: str = ""
    uint: str = ""
    bool: str = ""

    def of(self, kind: str) -> str:
        return getattr(self, kind) or self.int


@dataclass(frozen=True)
class ScalarFunction:
    """One row of the table, or of a plugin, whose `oracle` may be a function on NumPy arrays.

    `kinds`: the operands' kinds (or names of dtypes); all operands have one dtype, except for the condition of a select.
    `result`: "same" as the operands, or "bool". `ulp`: the maximum error of generated code in float32 and float64, in units in
    the last place; 0 means exact. It is tested with glibc; by NVIDIA's documentation, libdevice's `tan` and `pow` in float32
    may have an error of 4. `derivative`: called with a builder `f`, the operands and the result, returns the partial derivative
    by each operand. `f.mul(a, b)` and so on build calls of scalar functions, `f.const(2.0)` a constant; None is a derivative
    that is zero or does not exist. `derivative` is None when that holds for every operand. `identity`: for accumulators, the
    neutral element in a dtype. `cost`: the cost of a call, in additions.
    """

    name: str
    arity: int
    kinds: tuple[str, ...]
    c: str | Spelling
    triton: str | Spelling
    oracle: str | Callable[..., Any]
    result: str = "same"
    ulp: float = 0
    derivative: Derivative | None = None
    commutative: bool = False
    identity: Callable[[DType], float | int | bool] | None = None
    checks_divisor: bool = False
    cost: int = 1

    @property
    def numpy(self) -> Callable[..., Any]:
        """The oracle, on arrays of equal shape: the function's semantics, as exactly as NumPy computes it."""
        from .oracles import evaluate

        return partial(evaluate, self)

    def accepts(self, dtype: DType) -> bool:
        """Whether operands may have this dtype."""
        return dtype.kind in self.kinds or dtype.name in self.kinds

    def __str__(self) -> str:
        return self.name


def scalar(name: str) -> ScalarFunction:
    """The function of this name, of this table or of an installed plugin. Raises LookupError, with the closest name, for an
    unknown one, and PipelineError for a plugin whose functions are no rows."""
    found = SCALARS.get(name) or scalars_of_plugins().get(name)
    if found is None:
        raise LookupError(f"unknown scalar function '{name}'{did_you_mean(name, [*SCALARS, *scalars_of_plugins()])}")
    return found


@cache
def scalars_of_plugins() -> Mapping[str, ScalarFunction]:
    """The scalar functions of installed plugins that are not in this table."""
    found: dict[str, ScalarFunction] = {}
    for plugin in installed():
        for each in plugin.scalars:
            if not isinstance(each, ScalarFunction):
                raise PipelineError(f"plugin '{plugin.name}': SCALARS: expected rows of ScalarFunction, got {each!r}")
            if each.name in SCALARS or each.name in found:
                raise PipelineError(f"plugin '{plugin.name}': scalar function '{each.name}' exists already")
            found[each.name] = each
    return MappingProxyType(found)


def result_type(function: ScalarFunction, operands: Sequence[DType]) -> DType:
    """The dtype of a call's result. Raises TypeError, with the function's name, for operands that do not fit."""
    wrong = misfit(function, operands)
    if wrong is not None:
        raise TypeError(f"'{function}': {wrong}")
    return BOOL if function.result == "bool" else operands[-1]


def misfit(function: ScalarFunction, operands: Sequence[DType]) -> str | None:
    """The error message for the dtypes of a call's operands, None if they fit."""
    if len(operands) != function.arity:
        return f"expected {function.arity} operands, got {len(operands)}"
    values = list(operands)
    if function.name == "select" and values.pop(0) != BOOL:
        return f"expected a condition of dtype bool, got {operands[0]}"
    if any(value != values[0] for value in values):
        return f"expected operands of one dtype, got {', '.join(map(str, values))}"
    if not function.accepts(values[0]):
        return f"expected operands of {' or '.join(function.kinds)} type, got {values[0]}"
    return None


def _unary(name: str, c: str | Spelling, triton: str | Spelling, **rest: Any) -> ScalarFunction:
    return ScalarFunction(name, 1, **{"kinds": FLOATS, "c": c, "triton": triton, "oracle": name, **rest})


def _binary(name: str, c: str | Spelling, triton: str | Spelling, **rest: Any) -> ScalarFunction:
    return ScalarFunction(name, 2, **{"kinds": NUMBERS, "c": c, "triton": triton, "oracle": name, **rest})


def _math(name: str, ulp: float, cost: int, derivative: Derivative, oracle: str = "") -> ScalarFunction:
    """A function with the same name in <math.h> and libdevice."""
    return _unary(
        name, f"{name}$F($a)", f"libdevice.{name}($a)", oracle=oracle or name, ulp=ulp, cost=cost, derivative=derivative
    )


def _compare(name: str, operator: str, oracle: str, of_bools: str) -> ScalarFunction:
    """A comparison. Triton compares bools as signed integers, with true as -1, so that they need another formula there."""
    template = f"$a {operator} $b"
    spelling = Spelling(template, template, bool=of_bools)
    symmetric = operator in ("==", "!=")
    return _binary(name, template, spelling, kinds=ALL, oracle=oracle, result="bool", commutative=symmetric)


def _bitwise(name: str, operator: str, identity: Callable[[DType], float | int | bool]) -> ScalarFunction:
    """A bitwise function of integers, which is the logical one on bools."""
    return _binary(
        name,
        f"($T)($a {operator} $b)",
        f"$a {operator} $b",
        kinds=BITS,
        oracle=f"bitwise_{name}",
        commutative=True,
        identity=identity,
    )


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
    """The derivative: the normal distribution function of x, plus x times the density. Computed from erf, the distribution
    cancels where it is small; computed as gelu(x) / x, it does where x is small."""
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


def _copysign(f: Any, a: Any, b: Any, y: Any) -> tuple[Any, ...]:
    one = f.const(1.0)
    return f.mul(f.copysign(one, a), f.copysign(one, b)), None


def _select(f: Any, condition: Any, a: Any, b: Any, y: Any) -> tuple[Any, ...]:
    zero, one = f.const(0.0), f.const(1.0)
    return None, f.select(condition, one, zero), f.select(condition, zero, one)


_TABLE = (
    # Arithmetic.
    _binary(
        "add",
        Spelling("$a + $b", "($T)(($U)$a + ($U)$b)"),
        "$a + $b",
        commutative=True,
        identity=lambda dtype: 0,
        derivative=lambda f, a, b, y: (f.const(1.0), f.const(1.0)),
    ),
    _binary(
        "sub",
        Spelling("$a - $b", "($T)(($U)$a - ($U)$b)"),
        "$a - $b",
        oracle="subtract",
        derivative=lambda f, a, b, y: (f.const(1.0), f.const(-1.0)),
    ),
    _binary(
        "mul",
        Spelling("$a * $b", "($T)(($U)$a * ($U)$b)"),
        "$a * $b",
        oracle="multiply",
        commutative=True,
        identity=lambda dtype: 1,
        derivative=lambda f, a, b, y: (b, a),
    ),
    _binary("div", "$a / $b", "sw_div($a, $b)", kinds=FLOATS, oracle="divide", cost=4, derivative=_divide),
    _binary(
        "floordiv",
        "sw_floordiv_$N($a, $b)",
        Spelling("sw_floordiv_float($a, $b)", "sw_floordiv_int($a, $b)", "sw_div_uint($a, $b)"),
        oracle="floor_divide",
        checks_divisor=True,
        cost=12,
    ),
    _binary(
        "mod",
        "sw_mod_$N($a, $b)",
        Spelling("sw_mod_float($a, $b)", "sw_mod_int($a, $b)", "sw_mod_uint($a, $b)"),
        oracle="remainder",
        checks_divisor=True,
        cost=12,
        derivative=lambda f, a, b, y: (f.const(1.0), f.neg(f.floordiv(a, b))),
    ),
    _binary(
        "pow",
        Spelling("pow$F($a, $b)", "sw_pow_$N($a, $b)"),
        Spelling("libdevice.pow($a, $b)", "sw_pow_int($a, $b)", "sw_pow_uint($a, $b)"),
        oracle="power",
        ulp=2,
        cost=30,
        derivative=_power,
    ),
    _binary(
        "min",
        "sw_min_$N($a, $b)",
        Spelling("tl.minimum($a, $b, propagate_nan=tl.PropagateNan.ALL)", "tl.minimum($a, $b)", bool="$a & $b"),
        kinds=ALL,
        oracle="minimum",
        commutative=True,
        identity=lambda dtype: dtype.highest,
        derivative=_extremum("gt"),
    ),
    _binary(
        "max",
        "sw_max_$N($a, $b)",
        Spelling("tl.maximum($a, $b, propagate_nan=tl.PropagateNan.ALL)", "tl.maximum($a, $b)", bool="$a | $b"),
        kinds=ALL,
        oracle="maximum",
        commutative=True,
        identity=lambda dtype: dtype.lowest,
        derivative=_extremum("lt"),
    ),
    _unary(
        "neg",
        Spelling("-$a", "($T)(0 - ($U)$a)"),
        Spelling("$a * -1.0", "-$a"),
        kinds=NUMBERS,
        oracle="negative",
        derivative=lambda f, x, y: (f.const(-1.0),),
    ),
    _unary(
        "abs",
        Spelling("fabs$F($a)", "sw_abs_$N($a)", "$a"),
        Spelling("tl.abs($a)", "tl.abs($a)", "$a"),
        kinds=NUMBERS,
        derivative=lambda f, x, y: (f.sign(x),),
    ),
    _unary(
        "sign",
        "sw_sign_$N($a)",
        Spelling("sw_sign_float($a)", "sw_sign_int($a)", "sw_sign_uint($a)"),
        kinds=NUMBERS,
    ),
    _unary(
        "square",
        "sw_square_$N($a)",
        "sw_square($a)",
        kinds=NUMBERS,
        derivative=lambda f, x, y: (f.mul(f.const(2.0), x),),
    ),
    _unary(
        "reciprocal",
        "1 / $a",
        "sw_reciprocal($a)",
        cost=4,
        derivative=lambda f, x, y: (f.neg(f.square(y)),),
    ),
    ScalarFunction(
        "fma",
        3,
        NUMBERS,
        c=Spelling("fma$F($a, $b, $c)", "($T)(($U)$a * ($U)$b + ($U)$c)"),
        triton=Spelling("tl.fma($a, $b, $c)", "$a * $b + $c"),
        oracle="fma",
        derivative=lambda f, a, b, c, y: (b, a, f.const(1.0)),
    ),
    _binary(
        "copysign",
        "copysign$F($a, $b)",
        "libdevice.copysign($a, $b)",
        kinds=FLOATS,
        derivative=_copysign,
    ),
    # Roots, exponentials and logarithms.
    _unary(
        "sqrt",
        "sqrt$F($a)",
        "sw_sqrt($a)",
        cost=6,
        derivative=lambda f, x, y: (f.div(f.const(0.5), y),),
    ),
    _unary(
        "rsqrt",
        "1 / sqrt$F($a)",
        "libdevice.rsqrt($a)",
        ulp=2,
        cost=8,
        derivative=lambda f, x, y: (f.mul(f.const(-0.5), f.div(y, x)),),
    ),
    _math("cbrt", 4, 20, lambda f, x, y: (f.reciprocal(f.mul(f.const(3.0), f.square(y))),)),
    _math("exp", 2, 10, lambda f, x, y: (y,)),
    _math("exp2", 2, 10, lambda f, x, y: (f.mul(f.const(math.log(2)), y),)),
    _math("expm1", 2, 14, lambda f, x, y: (f.exp(x),)),
    _math("log", 2, 12, lambda f, x, y: (f.reciprocal(x),)),
    _math("log2", 2, 12, lambda f, x, y: (f.reciprocal(f.mul(f.const(math.log(2)), x)),)),
    _math("log10", 2, 14, lambda f, x, y: (f.reciprocal(f.mul(f.const(math.log(10)), x)),)),
    _math("log1p", 2, 14, lambda f, x, y: (f.reciprocal(f.add(f.const(1.0), x)),)),
    _binary(
        "logaddexp",
        "sw_logaddexp_$N($a, $b)",
        "sw_logaddexp($a, $b)",
        kinds=FLOATS,
        ulp=4,
        cost=25,
        commutative=True,
        identity=lambda dtype: dtype.lowest,
        derivative=_logaddexp,
    ),
    _unary(
        "softplus",
        "sw_softplus_$N($a)",
        "sw_softplus($a)",
        ulp=4,
        cost=25,
        derivative=lambda f, x, y: (f.sigmoid(x),),
    ),
    # Trigonometric and hyperbolic functions.
    _math("sin", 2, 15, lambda f, x, y: (f.cos(x),)),
    _math("cos", 2, 15, lambda f, x, y: (f.neg(f.sin(x)),)),
    _math("tan", 3, 20, lambda f, x, y: (f.add(f.const(1.0), f.square(y)),)),
    _math("asin", 2, 20, lambda f, x, y: (_rsqrt_of_one_minus_square(f, x),), "arcsin"),
    _math("acos", 2, 20, lambda f, x, y: (f.neg(_rsqrt_of_one_minus_square(f, x)),), "arccos"),
    _math("atan", 2, 20, lambda f, x, y: (f.reciprocal(f.add(f.const(1.0), f.square(x))),), "arctan"),
    _binary(
        "atan2",
        "atan2$F($a, $b)",
        "libdevice.atan2($a, $b)",
        kinds=FLOATS,
        oracle="arctan2",
        ulp=3,
        cost=25,
        derivative=_atan2,
    ),
    _math("sinh", 3, 20, lambda f, x, y: (f.cosh(x),)),
    _math("cosh", 3, 20, lambda f, x, y: (f.sinh(x),)),
    _math("tanh", 3, 15, lambda f, x, y: (f.sub(f.const(1.0), f.square(y)),)),
    # Probability.
    _math("erf", 2, 15, lambda f, x, y: (_gaussian(f, x, 1.0),)),
    _math("erfc", 5, 25, lambda f, x, y: (_gaussian(f, x, -1.0),)),
    _unary(
        "sigmoid",
        "sw_sigmoid_$N($a)",
        "sw_sigmoid($a)",
        ulp=4,
        cost=15,
        derivative=lambda f, x, y: (f.mul(y, f.sub(f.const(1.0), y)),),
    ),
    _unary("gelu", "sw_gelu_$N($a)", "sw_gelu($a)", ulp=4, cost=25, derivative=_gelu),
    # Rounding to integers, and tests.
    _unary("floor", "floor$F($a)", "tl.floor($a)"),
    _unary("ceil", "ceil$F($a)", "tl.ceil($a)"),
    _unary("round", "rint$F($a)", "libdevice.rint($a)", oracle="rint"),
    _unary("trunc", "trunc$F($a)", "libdevice.trunc($a)"),
    _unary("isnan", "(bool)isnan($a)", "sw_isnan($a)", result="bool"),
    _unary("isinf", "(bool)isinf($a)", 'tl.abs($a) == float("inf")', result="bool"),
    _unary("isfinite", "(bool)isfinite($a)", 'tl.abs($a) < float("inf")', result="bool"),
    _compare("eq", "==", "equal", "~($a ^ $b)"),
    _compare("ne", "!=", "not_equal", "$a ^ $b"),
    _compare("lt", "<", "less", "~$a & $b"),
    _compare("le", "<=", "less_equal", "~$a | $b"),
    _compare("gt", ">", "greater", "$a & ~$b"),
    _compare("ge", ">=", "greater_equal", "$a | ~$b"),
    # Logic and bits.
    _bitwise("and", "&", _all_ones),
    _bitwise("or", "|", lambda dtype: False if dtype is BOOL else 0),
    _bitwise("xor", "^", lambda dtype: False if dtype is BOOL else 0),
    _unary("not", Spelling(int="($T)~$a", bool="!$a"), "~$a", kinds=BITS, oracle="invert"),
    _binary("shift_left", "sw_shift_left_$N($a, $b)", "sw_shift_left($a, $b)", kinds=("int", "uint"), oracle="left_shift"),
    _binary(
        "shift_right",
        "sw_shift_right_$N($a, $b)",
        Spelling(int="sw_shift_right_int($a, $b)", uint="sw_shift_right_uint($a, $b)"),
        kinds=("int", "uint"),
        oracle="right_shift",
    ),
    ScalarFunction("select", 3, ALL, "$a ? $b : $c", "tl.where($a, $b, $c)", oracle="where", derivative=_select),
    _binary("random_bits", "sw_random_bits_i64($a, $b)", "sw_random_bits($a, $b)", kinds=("int64",), cost=60),
)

SCALARS: Mapping[str, ScalarFunction] = MappingProxyType({function.name: function for function in _TABLE})
