"""Proofs of the rewrite rules for integers and bools: no values distinguish the two sides, including values that wrap around.

Rules that divide are proved on 8 bits, signed and unsigned, for all constants that meet the conditions; others on 64 bits too.
"""

from __future__ import annotations

from typing import Any

import pytest
import z3
from stepwell.passes.rules import shipped as shipped_rules
from stepwell.passes.rules.rule import Rule
from stepwell.passes.rules.shipped import SHIPPED
from stepwell.passes.rules.terms import Call, Number, Term, Variable, conditions_of, parts, variables_of

RULES = [rule for rule in SHIPPED if set(rule.kinds) & {"int", "uint", "bool"}]


class Width:
    """Integers of one width as bit vectors."""

    def __init__(self, bits: int, signed: bool):
        self.bits, self.signed = bits, signed

    def less(self, x: Any, y: Any) -> Any:
        return x < y if self.signed else z3.ULT(x, y)

    def divide(self, x: Any, y: Any) -> Any:
        """Rounded down."""
        if not self.signed:
            return z3.UDiv(x, y)
        quotient, rest = x / y, z3.SRem(x, y)
        return z3.If(z3.And(rest != 0, (rest < 0) != (y < 0)), quotient - 1, quotient)

    def wide(self, x: Any) -> Any:
        return z3.SignExt(self.bits, x) if self.signed else z3.ZeroExt(self.bits, x)

    def does_not_wrap(self, x: Any, y: Any) -> Any:
        return self.wide(x) * self.wide(y) == self.wide(x * y)

    def call(self, function: str, operands: list[Any]) -> Any:
        match function, operands:
            case ("add", [x, y]):
                return x + y
            case ("sub", [x, y]):
                return x - y
            case ("mul", [x, y]):
                return x * y
            case ("floordiv", [x, y]):
                return self.divide(x, y)
            case ("mod", [x, y]):
                return x - self.divide(x, y) * y
            case ("neg", [x]):
                return -x
            case ("abs", [x]):
                return z3.If(self.less(x, z3.BitVecVal(0, self.bits)), -x, x)
            case ("square", [x]):
                return x * x
            case ("max", [x, y]):
                return z3.If(self.less(x, y), y, x)
            case ("min", [x, y]):
                return z3.If(self.less(y, x), y, x)
            case ("select", [condition, x, y]):
                return z3.If(condition, x, y)
            case ("and", [x, y]):
                return x & y
            case ("or", [x, y]):
                return x | y
            case ("xor", [x, y]):
                return x ^ y
            case ("not", [x]):
                return ~x
        raise AssertionError(f"no meaning for {function}")

    def value(self, term: Term, variables: dict[str, Any]) -> Any:
        match term:
            case Variable(name=name):
                return variables[name]
            case Number(value=value):
                return z3.BitVecVal(int(value), self.bits)
            case Call(function="pow", operands=(base, Number(value=exponent))):
                found = z3.BitVecVal(1, self.bits)
                for _ in range(int(exponent)):
                    found = found * self.value(base, variables)
                return found
            case Call(function=function, operands=operands):
                return self.call(function, [self.value(each, variables) for each in operands])
        raise AssertionError(f"no meaning for {term}")


# The meanings of the rules' conditions, for constants and for known facts about elements.
MEANING = {
    shipped_rules.is_not_zero: lambda width, c: c != 0,
    shipped_rules.is_power_of_two: lambda width, c: z3.And(width.less(z3.BitVecVal(0, width.bits), c), c & (c - 1) == 0),
    shipped_rules.does_not_wrap: lambda width, x, c: z3.And(c != 0, width.does_not_wrap(x, c)),
    shipped_rules.have_a_product: lambda width, c, d: z3.And(
        *(width.less(z3.BitVecVal(0, width.bits), each) for each in (c, d)), width.does_not_wrap(c, d)
    ),
}


def widths(rule: Rule) -> list[Width]:
    divides = any(isinstance(each, Call) and each.function in ("floordiv", "mod") for each in parts(rule.pattern))
    found = [Width(8, signed=kind == "int") for kind in rule.kinds if kind in ("int", "uint")]
    if "bool" in rule.kinds:
        found.append(Width(1, signed=False))
    return found if divides else [*found, Width(64, signed="int" in rule.kinds)]


def counterexample(rule: Rule, width: Width, where: bool = True) -> Any:
    """Values that distinguish the two sides; None if there are none."""
    conditions = conditions_of(rule.pattern)
    variables = {
        name: z3.Bool(name) if name in conditions else z3.BitVec(name, width.bits) for name in variables_of(rule.pattern)
    }
    solver = z3.Solver()
    for names, condition in rule.where.items() if where else ():
        solver.add(MEANING[condition](width, *(variables[name.strip()] for name in names.split(","))))
    solver.add(width.value(rule.pattern, variables) != width.value(rule.replacement, variables))
    return solver.model() if solver.check() == z3.sat else None


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.name)
def test_no_integers_tell_the_sides_apart(rule: Rule):
    for width in widths(rule):
        found = counterexample(rule, width)
        assert found is None, f"{rule}, {width.bits} bits: {found}"


def is_needed(rule: Rule) -> bool:
    """Whether a condition has another purpose than to keep the error of a division by 0."""
    return any(condition is not shipped_rules.is_not_zero for condition in rule.where.values())


@pytest.mark.parametrize("rule", [each for each in RULES if is_needed(each)], ids=lambda rule: rule.name)
def test_conditions_are_needed(rule: Rule):
    """Without the conditions some values distinguish the two sides."""
    assert counterexample(rule, Width(8, signed=True), where=False) is not None
