"""The rewrite rules of the compiler. `stepwell rules --markdown` prints their table, `docs/rules.md`.

`tests/unit/passes/rules/test_rules_on_floats.py` compares both sides of every float rule bit by bit, and with the real numbers;
`tests/unit/passes/rules/test_rules_on_integers.py` proves the integer rules.
"""

from __future__ import annotations

import math

from .rule import EXACT, NUMBERS, STABILISING, Argument, Rule, rule

BITS = ("int", "uint", "bool")
INTEGERS = ("int", "uint")
ALL = (*NUMBERS, "bool")
POWERS_OF_TWO = frozenset(2**k for k in range(63))


def is_nonnegative(x: Argument) -> bool:
    """No element is below 0."""
    return x.range.is_nonnegative


def is_at_least_minus_one(x: Argument) -> bool:
    """No element is below -1."""
    return x.range.low >= -1


def is_finite_and_not_zero(x: Argument) -> bool:
    """No element is 0, infinite or NaN."""
    found = x.range
    return found.is_finite and not found.holds(0)


def is_never_negative_zero(x: Argument) -> bool:
    """No element is -0."""
    return not x.range.negative_zero


def is_not_shifted(x: Argument) -> bool:
    """Not a difference from a row's value, the usual shift of exponents."""
    return not (x.function == "sub" and x.operands[1].is_repeated)


def has_exact_inverse(c: Argument) -> bool:
    """A power of 2 whose reciprocal is a normal number of the dtype."""
    mantissa, exponent = math.frexp(c.constant)
    smallest = {"float16": -13, "bfloat16": -125, "float32": -125, "float64": -1021}[c.dtype.name]
    return abs(mantissa) == 0.5 and smallest <= 2 - exponent and smallest <= exponent


def is_power_of_two(c: Argument) -> bool:
    """A power of 2 above 0."""
    return c.constant in POWERS_OF_TWO


def is_positive(c: Argument) -> bool:
    """A constant above 0."""
    return c.constant > 0


def is_not_zero(c: Argument) -> bool:
    """A constant other than 0."""
    return c.constant != 0


def have_a_product(c: Argument, d: Argument) -> bool:
    """Constants above 0 whose product is representable in the dtype."""
    return c.constant > 0 and d.constant > 0 and c.constant * d.constant <= c.dtype.highest


def does_not_wrap(x: Argument, c: Argument) -> bool:
    """A constant other than 0 whose product with every element is representable in the dtype."""
    found = [x.range.low * c.constant, x.range.high * c.constant]
    return c.constant != 0 and all(x.dtype.lowest <= each <= x.dtype.highest for each in found)


_NEUTRAL = (
    rule("add-negative-zero", "x + -0.0 -> x", EXACT),
    rule("add-zero", "x + 0.0 -> x", EXACT, where={"x": is_never_negative_zero}),
    rule("subtract-zero", "x - 0.0 -> x", EXACT),
    rule("multiply-by-one", "x * 1 -> x", EXACT, kinds=NUMBERS),
    rule("divide-by-one", "x / 1 -> x", EXACT),
    rule("divide-by-itself", "x / x -> 1", EXACT, where={"x": is_finite_and_not_zero}),
    rule("divide-by-power-of-two", "x / C -> x * (1 / C)", EXACT, where={"C": has_exact_inverse}),
    rule("greatest-of-itself", "max(x, x) -> x", EXACT, kinds=ALL),
    rule("least-of-itself", "min(x, x) -> x", EXACT, kinds=ALL),
    rule("greatest-of-minus-infinity", "max(x, -inf) -> x", EXACT),
    rule("least-of-infinity", "min(x, inf) -> x", EXACT),
    rule("either-way", "select(c, x, x) -> x", EXACT, kinds=ALL),
)

_SIGNS = (
    rule("double-negation", "-(-x) -> x", EXACT, kinds=NUMBERS),
    rule("subtract-negation", "x - (-y) -> x + y", EXACT, kinds=NUMBERS),
    rule("add-negation", "x + (-y) -> x - y", EXACT, kinds=NUMBERS),
    rule("multiply-negations", "(-x) * (-y) -> x * y", EXACT, kinds=NUMBERS),
    rule("divide-negations", "(-x) / (-y) -> x / y", EXACT),
    rule("absolute-negation", "abs(-x) -> abs(x)", EXACT, kinds=("float", "int")),
    rule("absolute-absolute", "abs(abs(x)) -> abs(x)", EXACT, kinds=NUMBERS),
    rule("square-negation", "square(-x) -> square(x)", EXACT, kinds=NUMBERS),
    rule("square-absolute", "square(abs(x)) -> square(x)", EXACT, kinds=NUMBERS),
    rule("cosine-negation", "cos(-x) -> cos(x)", EXACT),
)

_POWERS = (
    rule("power-zero", "x ** 0 -> 1", EXACT, kinds=NUMBERS),
    rule("power-one", "x ** 1 -> x", EXACT, kinds=NUMBERS),
    rule("power-two", "x ** 2 -> square(x)", STABILISING),
    rule("power-three", "x ** 3 -> x * square(x)", STABILISING),
    rule("power-four", "x ** 4 -> square(square(x))", STABILISING),
    rule("power-minus-one", "x ** -1 -> reciprocal(x)", STABILISING),
    rule("power-two-of-integers", "x ** 2 -> square(x)", EXACT, kinds=INTEGERS),
    rule("power-three-of-integers", "x ** 3 -> x * square(x)", EXACT, kinds=INTEGERS),
    rule("power-four-of-integers", "x ** 4 -> square(square(x))", EXACT, kinds=INTEGERS),
    rule("root-of-square", "sqrt(square(x)) -> abs(x)", STABILISING),
    rule("square-of-root", "square(sqrt(x)) -> x", STABILISING, where={"x": is_nonnegative}),
)

_LOGARITHMS = (
    rule("log1p", "log(1 + x) -> log1p(x)", STABILISING),
    rule("expm1", "exp(x) - 1 -> expm1(x)", STABILISING),
    rule("expm1-added", "exp(x) + -1 -> expm1(x)", STABILISING),
    rule("log-of-exp", "log(exp(x)) -> x", STABILISING),
    rule("log2-of-exp2", "log2(exp2(x)) -> x", STABILISING),
    rule("log1p-of-expm1", "log1p(expm1(x)) -> x", STABILISING),
    rule("exp-of-log", "exp(log(x)) -> x", STABILISING, where={"x": is_nonnegative}),
    rule("exp2-of-log2", "exp2(log2(x)) -> x", STABILISING, where={"x": is_nonnegative}),
    rule("expm1-of-log1p", "expm1(log1p(x)) -> x", STABILISING, where={"x": is_at_least_minus_one}),
    rule(
        "log-of-power",
        "log(x ** C) -> C * log(x)",
        STABILISING,
        where={"x": is_nonnegative, "C": is_finite_and_not_zero},
    ),
    rule("softplus", "log1p(exp(x)) -> softplus(x)", STABILISING),
    rule("logaddexp", "log(exp(x) + exp(y)) -> logaddexp(x, y)", STABILISING),
    rule(
        "logsumexp",
        "log(sum(exp(x))) -> t = max(x); m = select(isfinite(t), t, 0); log(sum(exp(x - m))) + m",
        STABILISING,
        where={"x": is_not_shifted},
    ),
    rule("log-of-quotient", "log(exp(x) / y) -> x - log(y)", STABILISING, where={"y": is_nonnegative}),
)

_SIGMOIDS = (
    rule("sigmoid", "1 / (1 + exp(-x)) -> sigmoid(x)", STABILISING),
    rule("sigmoid-reciprocal", "reciprocal(1 + exp(-x)) -> sigmoid(x)", STABILISING),
    rule("log-of-sigmoid", "log(sigmoid(x)) -> -softplus(-x)", STABILISING),
    rule("one-minus-sigmoid", "1 - sigmoid(x) -> sigmoid(-x)", STABILISING),
    rule("one-minus-erf", "1 - erf(x) -> erfc(x)", STABILISING),
    rule("one-minus-cosine", "1 - cos(x) -> 2 * square(sin(0.5 * x))", STABILISING),
)

_INTEGERS = (
    rule("add-integer-zero", "x + 0 -> x", EXACT, kinds=INTEGERS),
    rule("subtract-integer-zero", "x - 0 -> x", EXACT, kinds=INTEGERS),
    rule("subtract-itself", "x - x -> 0", EXACT, kinds=INTEGERS),
    rule("multiply-by-zero", "x * 0 -> 0", EXACT, kinds=INTEGERS),
    rule("floor-divide-by-one", "x // 1 -> x", EXACT, kinds=INTEGERS),
    rule("remainder-of-one", "x % 1 -> 0", EXACT, kinds=INTEGERS),
    rule("add-constants", "x + C + D -> x + (C + D)", EXACT, kinds=INTEGERS),
    rule("multiply-constants", "x * C * D -> x * (C * D)", EXACT, kinds=INTEGERS),
    rule("divide-product", "(x * C) // C -> x", EXACT, kinds=INTEGERS, where={"x, C": does_not_wrap}),
    rule("remainder-of-product", "(x * C) % C -> 0", EXACT, kinds=INTEGERS, where={"x, C": does_not_wrap}),
    rule("remainder-of-doubles", "(x * C) % C -> 0", EXACT, kinds=INTEGERS, where={"C": is_power_of_two}),
    rule("remainder-of-remainder", "(x % C) % C -> x % C", EXACT, kinds=INTEGERS, where={"C": is_not_zero}),
    rule("divide-remainder", "(x % C) // C -> 0", EXACT, kinds=INTEGERS, where={"C": is_not_zero}),
    rule("divide-twice", "(x // C) // D -> x // (C * D)", EXACT, kinds=INTEGERS, where={"C, D": have_a_product}),
    rule("quotient-and-remainder", "(x // C) * C + x % C -> x", EXACT, kinds=INTEGERS, where={"C": is_not_zero}),
    rule("not-not", "~(~x) -> x", EXACT, kinds=BITS),
    rule("and-itself", "x & x -> x", EXACT, kinds=BITS),
    rule("or-itself", "x | x -> x", EXACT, kinds=BITS),
    rule("xor-itself", "x ^ x -> 0", EXACT, kinds=BITS),
    rule("xor-twice", "(x ^ y) ^ y -> x", EXACT, kinds=BITS),
)

SHIPPED: tuple[Rule, ...] = (*_NEUTRAL, *_SIGNS, *_POWERS, *_LOGARITHMS, *_SIGMOIDS, *_INTEGERS)
