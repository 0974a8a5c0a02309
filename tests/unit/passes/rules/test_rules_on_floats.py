"""Both sides of every rewrite rule for floats on a grid of nasty numbers: exact rules bit by bit, stabilising ones against the
real numbers, computed with mpmath."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import Any

import mpmath
import numpy as np
import pytest
import stepwell as sw
from stepwell.dialects import make_context
from stepwell.ir.types.dtypes import dtype
from stepwell.lowering import all_passes
from stepwell.passes.manager.pass_manager import PassManager
from stepwell.passes.rules import shipped as shipped_rules
from stepwell.passes.rules.checks import sides
from stepwell.passes.rules.rewrite_rules import Firings
from stepwell.passes.rules.rule import EXACT, STABILISING, Rule
from stepwell.passes.rules.shipped import SHIPPED
from stepwell.passes.rules.terms import Call, Number, Reduction, Term, Variable, conditions_of, variables_of
from stepwell.runtime.interpret.uop import run_uop
from xdsl.dialects.builtin import ModuleOp

FLOAT_RULES = [rule for rule in SHIPPED if "float" in rule.kinds]
# Errors up to the greatest that the table of scalar functions allows count as equal.
ALLOWED_ULP = 4.0
# Rules whose replacement adds an argument, and is as exact as this argument: where the replacement cancels, the pattern does
# too, except for arguments near 0.
ADDING = ("log-of-quotient", "logaddexp")


def grid(name: str) -> Any:
    """Special values of a dtype, and values of all magnitudes."""
    element = dtype(name).numpy
    info = np.finfo(element) if name != "bfloat16" else __import__("ml_dtypes").finfo(element)
    tiny, least, eps, big = float(info.tiny), float(info.smallest_subnormal), float(info.eps), float(info.max)
    special = [
        0.0,
        1.0,
        2.0,
        3.0,
        0.5,
        0.1,
        1 / 3,
        7.5,
        20.0,
        90.0,
        800.0,
        least,
        tiny,
        tiny / 2,
        3 * tiny,
        eps,
        1 + eps,
        1 - eps,
    ]
    special += [big, big / 2, float(np.sqrt(big)), float(np.sqrt(tiny)), np.pi, 1e-3, 1e-6, 1e-12, np.inf]
    values = np.array([*special, *(-value for value in special), np.nan])
    with np.errstate(all="ignore"):
        return values.astype(element)


def fires(rule: Rule) -> bool:
    """Whether a rule fires at its own pattern, on unknown arguments."""
    side, _ = sides(rule)
    firings = Firings()
    PassManager.parse(f"rewrite-rules{{only={rule.name}}}", make_context(), all_passes(), instruments=[firings]).run(
        ModuleOp([side])
    )
    return firings.counts[rule.name] == 1


@pytest.mark.parametrize("rule", SHIPPED, ids=lambda rule: rule.name)
def test_rules_fire_where_their_conditions_hold(rule: Rule):
    """Conditions on constants hold for the constant 2. Conditions on facts about elements do not hold for arguments, whose
    elements are unknown."""
    asks = any(not Variable(name).is_constant for names in rule.where for name in names.split(", "))
    assert fires(rule) != asks or rule.where.get("x") is shipped_rules.is_not_shifted


# The rules' conditions, as functions of a number.
HOLDS = {
    shipped_rules.is_nonnegative: lambda x: ~(x < 0),
    shipped_rules.is_at_least_minus_one: lambda x: ~(x < -1),
    shipped_rules.is_finite_and_not_zero: lambda x: np.isfinite(x) & (x != 0),
    shipped_rules.is_never_negative_zero: lambda x: (x != 0) | ~np.signbit(x.astype("float64")),
    shipped_rules.is_not_shifted: lambda x: np.ones(x.shape, bool),
}
CONSTANTS = {
    shipped_rules.has_exact_inverse: (2.0, 0.5, -4.0, 2.0**13, 2.0**-12),
    shipped_rules.is_finite_and_not_zero: (0.5, 2.0, -3.0),
}


def arguments(rule: Rule, name: str) -> list[Any]:
    """Arrays for the variables of a rule: all combinations of the grid that meet the conditions, in one row."""
    free = [each for each in variables_of(rule.pattern) if not Variable(each).is_constant]
    conditions = conditions_of(rule.pattern)
    choices = [np.array([False, True]) if each in conditions else grid(name) for each in free]
    for position, variable in enumerate(free):
        condition = rule.where.get(variable)
        if condition is not None:
            choices[position] = choices[position][HOLDS[condition](choices[position])]
    combined = np.meshgrid(*choices, indexing="ij")
    return [each.reshape(-1, 1) for each in combined]


def constants(rule: Rule) -> Iterator[dict[str, float]]:
    """Values for the constants of a rule."""
    names = [each for each in variables_of(rule.pattern) if Variable(each).is_constant]
    choices = [CONSTANTS[rule.where[each]] for each in names]
    for values in itertools.product(*choices):
        yield dict(zip(names, values, strict=True))


def both(rule: Rule, name: str, given: dict[str, float], arrays: list[Any]) -> tuple[Any, Any]:
    """The interpreter's results for the pattern and for the replacement."""
    sizes = dict(zip("nm", arrays[0].shape, strict=True))
    return tuple(run_uop(side, arrays, sizes)[0] for side in sides(rule, dtype(name), given))  # pyright: ignore


def same_bits(left: Any, right: Any) -> Any:
    return (left.view(f"u{left.itemsize}") == right.view(f"u{right.itemsize}")) | (np.isnan(left) & np.isnan(right))


@pytest.mark.parametrize("name", ["float16", "bfloat16", "float32", "float64"])
@pytest.mark.parametrize("rule", [each for each in FLOAT_RULES if each.tag == EXACT], ids=lambda rule: rule.name)
def test_exact_rules_give_the_same_bits(rule: Rule, name: str):
    arrays = arguments(rule, name)
    for given in constants(rule):
        before, after = both(rule, name, given, arrays)
        wrong = ~same_bits(before, after)
        assert not wrong.any(), [array[wrong] for array in arrays]


def real(term: Term, values: dict[str, Any]) -> Any:
    """The value of a term in real numbers; NaN where it has none."""
    match term:
        case Number(value=value):
            return mpmath.mpf(value)
        case Variable(name=name):
            return values[name]
        case Reduction(operand=operand):  # over one element
            return real(operand, values)
        case Call(function=function, operands=operands):
            found = [real(each, values) for each in operands]
            if any(mpmath.isnan(each) for each in found):
                return mpmath.nan
            return REAL[function](*found)


def logarithm(x: Any, base: float | None = None) -> Any:
    if x <= 0:
        return -mpmath.inf if x == 0 else mpmath.nan
    return mpmath.log(x) if base is None else mpmath.log(x, base)


def power(x: Any, y: Any) -> Any:
    if x == 0 and y < 0:
        return mpmath.inf
    return mpmath.power(x, y)


def error_function(x: Any, complement: bool) -> Any:
    # mpmath cannot take numbers that are far too large.
    x = max(min(x, mpmath.mpf(10) ** 4), -(mpmath.mpf(10) ** 4))
    return mpmath.erfc(x) if complement else mpmath.erf(x)


def quotient(x: Any, y: Any) -> Any:
    return x / y if y != 0 else mpmath.nan


REAL = {
    **{"exp": mpmath.exp, "sin": mpmath.sin, "cos": mpmath.cos, "abs": abs},
    **{"exp2": lambda x: mpmath.power(2, x), "expm1": lambda x: mpmath.expm1(x), "neg": lambda x: -x},
    **{"log": logarithm, "log2": lambda x: logarithm(x, 2), "log1p": lambda x: logarithm(1 + x), "pow": power},
    **{"square": lambda x: x * x, "sqrt": lambda x: mpmath.sqrt(x) if x >= 0 else mpmath.nan, "div": quotient},
    **{"reciprocal": lambda x: quotient(1, x), "add": lambda x, y: x + y, "sub": lambda x, y: x - y},
    **{"mul": lambda x, y: x * y, "sigmoid": lambda x: 1 / (1 + mpmath.exp(-x))},
    **{"erf": lambda x: error_function(x, False), "erfc": lambda x: error_function(x, True)},
    **{"isfinite": mpmath.isfinite, "select": lambda condition, x, y: x if condition else y},
    "softplus": lambda x: mpmath.log1p(mpmath.exp(x)),
    "logaddexp": lambda x, y: mpmath.log(mpmath.exp(x) + mpmath.exp(y)),
}


def truth_of(rule: Rule, values: dict[str, Any]) -> Any:
    """The real value of both sides, which must be equal; NaN where there is none. If mpmath has lost a small number on one
    side, the other side is right."""
    left, right = real(rule.pattern, values), real(rule.replacement, values)
    if not mpmath.isfinite(left) or not mpmath.isfinite(right):
        return right if mpmath.isfinite(right) and mpmath.isinf(left) else left
    assert mpmath.almosteq(left, right, 1e-30, mpmath.mpf("1e-700")), f"{rule} at {values}: {left} is not {right}"
    return left


def ulps(found: Any, truth: Any, name: str, beside: float = 0.0) -> float:
    """The distance of a float from a real number, in units in the last place of the greater of the number and `beside`; 0 where
    both are NaN or the same infinity."""
    with np.errstate(all="ignore"):
        rounded = dtype(name).numpy.type(float(truth))
        unit = np.spacing(max(abs(rounded), dtype(name).numpy.type(beside)))
    if np.isnan(rounded) or np.isnan(found):
        return 0.0 if np.isnan(rounded) and np.isnan(found) else np.inf
    if np.isinf(rounded) or np.isinf(found):
        return 0.0 if rounded == found else np.inf
    return float(abs(mpmath.mpf(float(found)) - truth) / mpmath.mpf(float(unit)))


@pytest.mark.parametrize("name", ["float32", "float64"])
@pytest.mark.parametrize("rule", [each for each in FLOAT_RULES if each.tag == STABILISING], ids=lambda rule: rule.name)
def test_stabilising_rules_come_closer_to_the_real_numbers(rule: Rule, name: str):
    """Infinite results included, if the pattern has a value there. NaN stays NaN."""
    arrays = arguments(rule, name)
    free = [each for each in variables_of(rule.pattern) if not Variable(each).is_constant]
    for given in constants(rule):
        before, after = both(rule, name, given, arrays)
        with mpmath.workprec(2400):
            for row in range(0, before.size, 1 + before.size // 500):
                left, right = before.ravel()[row], after.ravel()[row]
                values = [array[row, 0] for array in arrays]
                where = f"{rule} at {values}: {left} became {right}"
                if np.isnan(values).any():
                    assert np.isnan(left) and np.isnan(right), where
                    continue
                exact = {each: mpmath.mpf(float(value)) for each, value in zip(free, values, strict=True)}
                truth = truth_of(rule, {**exact, **{key: mpmath.mpf(value) for key, value in given.items()}})
                beside = max((abs(each) for each in values if np.isfinite(each)), default=0.0) if rule.name in ADDING else 0.0
                if not mpmath.isnan(truth):
                    before_ulps, after_ulps = (ulps(each, truth, name, beside) for each in (left, right))
                    assert after_ulps <= max(before_ulps, ALLOWED_ULP), f"{where}, expected {float(truth)}"


def test_logsumexp_survives_what_a_sum_of_exponentials_does_not():
    rows = np.array(
        [[1000.0, 999.0], [-1000.0, -1001.0], [0.0, -np.inf], [-np.inf, -np.inf], [np.inf, 0.0], [np.nan, 0.0]], "f"
    )

    @sw.jit
    def naive(x):
        return sw.log(sw.sum(sw.exp(x), axis=1)), sw.log(sw.sum(sw.exp(x), axis=0, keepdims=True))

    with np.errstate(all="ignore"):
        expected = np.logaddexp(rows[:, 0].astype("float64"), rows[:, 1])
    found, columns = naive(rows)
    np.testing.assert_allclose(found, expected, rtol=1e-6)
    assert columns.shape == (1, 2)
    np.testing.assert_array_equal(columns, [[np.nan, 1000 - 1 + np.log1p(0)]])


def test_compiled_code_has_the_bits_of_the_code_without_the_exact_rules():
    """The results of all patterns on the CPU, with the rules off and on, in one program."""

    def patterns(x, y):
        return [
            *(x - 0.0, x * 1, x / 1, x / 4, x - (-y), x + (-y), (-x) * (-y), (-x) / (-y), abs(-x), abs(abs(x)), x**0),
            *(
                sw.negative(-x),
                sw.square(-x),
                sw.square(abs(x)),
                sw.cos(-x),
                x**1,
                sw.maximum(x, x),
                sw.minimum(x, x),
                x + -0.0,
            ),
            *(sw.maximum(x, -np.inf), sw.minimum(x, np.inf), sw.where(y > 0, x, x), sw.exp(x) + 0.0),
        ]

    exact = tuple(rule.name for rule in FLOAT_RULES if rule.tag == EXACT)
    x, y = (each.reshape(-1) for each in np.meshgrid(grid("float32"), grid("float32")))
    with sw.rewrites(only=exact):
        low = sw.lower(patterns, x, y)
        changed = sw.jit(patterns)(x, y)
    with sw.rewrites(False):
        assert not sw.lower(patterns, x, y).rewrites
        plain = sw.jit(patterns)(x, y)
    assert low.rewrites["divide-by-power-of-two"] == low.rewrites["add-zero"] == 1
    assert len(low.rewrites) > 10
    for number, (left, right) in enumerate(zip(plain, changed, strict=True)):
        assert same_bits(left, right).all(), number
