"""Random shape rules against a naive solver: `python -m tests.shape_rules --count 5000 --seed 0`.

The naive solver tries all values of the names of a rule, and of the only unknown size `n`. It tests whether the arguments have
the shapes that the rule gives for these values. It shares no code with the inference, and evaluates `where` by Python.
"""

from __future__ import annotations

import argparse
import ast
import itertools
import operator
import random
import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

import stepwell as sw

NAMES = ("i", "j", "k")
# Values of an unknown `n`: two at which no other expression of a case has the same value.
GENERIC = (1009, 2003)
LARGEST = 30
_MULTIPLES = ("2 * k", "i + j")
_OPERATORS = MappingProxyType(
    {
        "Add": operator.add,
        "Sub": operator.sub,
        "Mult": operator.mul,
        "FloorDiv": operator.floordiv,
        "Mod": operator.mod,
    }
)


@dataclass(frozen=True)
class Case:
    """A rule as its parts, the shapes of its arguments, and the values given to names."""

    inputs: tuple[tuple[Any, ...], ...]
    outputs: tuple[tuple[Any, ...], ...]
    where: tuple[tuple[str, str], ...]
    shapes: tuple[tuple[Any, ...], ...]
    given: tuple[tuple[str, Any], ...]

    @property
    def text(self) -> str:
        sides = [" ".join(f"[{' '.join(map(str, each))}]" for each in side) for side in (self.inputs, self.outputs)]
        where = " ".join(f"{name} = {term}" for name, term in self.where)
        return f"{sides[0]} -> {sides[1]}" + (f" where {where}" if where else "")


def random_case(rng: random.Random) -> Case:
    """A rule, with shapes that mostly fit it."""
    unknown = rng.random() < 0.4
    lead = ("~",) if rng.random() < 0.5 else ()
    where, given = _bindings(rng, linear=unknown)
    lists = tuple(name for name, _ in given if name == "b")
    inputs = tuple((*(lead if rng.random() < 0.8 else ()), *_subscripts(rng, lists)) for _ in range(rng.randint(1, 3)))
    if unknown and dict(where).get("a") in _MULTIPLES:
        # Two multiples of a size are different sizes; the naive solver would make both 0.
        inputs = tuple(tuple("j" if name == "a" else name for name in each) for each in inputs)
    has_lead = any("~" in each for each in inputs)
    bound = {name for name, _ in (*where, *given)}
    names = (*NAMES, *bound)
    outputs = tuple(
        (*(("~",) if has_lead and rng.random() < 0.6 else ()), *(rng.choice(names) for _ in range(rng.randint(0, 3))))
        for _ in range(rng.randint(1, 2))
    )
    values: dict[str, Any] = {name: rng.randint(0, 5) for name in (*NAMES, "a", "b", "c")} | dict(given)
    for name, term in where:
        values[name] = _evaluate(term, values)
    own = tuple(rng.randint(1, 4) for _ in range(rng.randint(0, 2)))
    shapes = [_flat(each, values, own) for each in inputs]
    for _ in range(rng.choice((0, 0, 0, 1, 1, 2))):
        _spoil(rng, shapes)
    if unknown:
        shapes = [tuple("n" if size == values["i"] and rng.random() < 0.6 else size for size in each) for each in shapes]
    sizes = tuple(tuple(max(0, size) if isinstance(size, int) else size for size in each) for each in shapes)
    used = {each for pattern in (*inputs, *outputs) for each in pattern} | set(
        re.findall(r"\b\w+\b", " ".join(term for _, term in where))
    )
    return Case(inputs, outputs, where, sizes, tuple(each for each in given if each[0] in used))


def _subscripts(rng: random.Random, lists: tuple[str, ...]) -> tuple[Any, ...]:
    return tuple(rng.choice((*NAMES, *NAMES, "a", *lists, rng.randint(0, 3))) for _ in range(rng.randint(0, 3)))


def _bindings(rng: random.Random, linear: bool) -> tuple[tuple[tuple[str, str], ...], tuple[tuple[str, Any], ...]]:
    given: list[tuple[str, Any]] = []
    if rng.random() < 0.3:
        given.append(("i", rng.randint(0, 5)))
    if rng.random() < 0.5:
        given.append(("b", tuple(rng.randint(0, 4) for _ in range(rng.randint(0, 2)))))
    terms = ["j + 1", "2 * k", "3", "i + j", "(i, 2, j)"]
    terms += (
        []
        if linear
        else ["-j + 7", "i + j - k", "j * k", "(j + 5) // 2", "i % 3", "max(i, j, 2)", "min(k, 3)", "max((i, j)) - 1"]
    )
    where = [("a", rng.choice(terms))] if rng.random() < 0.7 else []
    if where and rng.random() < 0.4:
        where.append(("c", rng.choice(["(a, 1)", "(a, j)", "(a, a)"])))
    return tuple(where), tuple(given)


def _spoil(rng: random.Random, shapes: list[tuple[Any, ...]]) -> None:
    """Change one shape: a size, its rank, or the number of shapes."""
    number = rng.randrange(len(shapes))
    shape = list(shapes[number])
    match rng.random():
        case x if x < 0.7 and shape:
            shape[rng.randrange(len(shape))] = rng.randint(0, 6)
        case x if x < 0.85:
            shape.insert(rng.randint(0, len(shape)), 1)
        case x if x < 0.95 and shape:
            shape.pop()
        case _ if len(shapes) > 1:
            del shapes[number]
            return
    shapes[number] = tuple(shape)


# The naive solver.


def solutions(case: Case) -> Iterator[tuple[dict[str, Any], int | None]]:
    """All values of names for which the arguments fit the rule, each with the value of `n`: None if any value would do."""
    if len(case.shapes) != len(case.inputs):
        return
    has_n = any("n" in shape for shape in case.shapes)
    for value in (None, *range(LARGEST)) if has_n else (None,):
        points = GENERIC if value is None and has_n else (value,)
        found = [list(_at(case, point)) for point in points]
        if all(found):
            yield from ((each, value) for each in found[0])
            return


def _at(case: Case, n: int | None) -> Iterator[dict[str, Any]]:
    """The values of names at one value of n."""
    shapes: list[tuple[Any, ...]] = [tuple(n if size == "n" else size for size in shape) for shape in case.shapes]
    own = dict(case.given)
    free = [name for name in (*NAMES, "a") if name not in own and name not in dict(case.where)]
    free = [name for name in free if any(name in each for each in case.inputs)]
    sizes = sorted({size for shape in shapes for size in shape})
    for chosen in itertools.product(sizes, repeat=len(free)):
        values = {**own, **dict(zip(free, chosen, strict=True))}
        try:
            for name, term in case.where:
                value = _evaluate(term, values)
                if name in own and own[name] != value:
                    raise ValueError
                values[name] = value
        except (NameError, ValueError, ZeroDivisionError):
            continue
        if _fits(case, shapes, values):
            yield values


def _fits(case: Case, shapes: Sequence[tuple[int, ...]], values: Mapping[str, Any]) -> bool:
    leads: list[tuple[int, ...]] = []
    for pattern, shape in zip(case.inputs, shapes, strict=True):
        wanted = _flat(pattern, values, ())
        lead = len(shape) - len(wanted)
        if lead < 0 or (lead and "~" not in pattern) or shape[lead:] != wanted:
            return False
        leads += [shape[:lead]] if "~" in pattern else []
    shared = any("~" in each for each in case.outputs)
    return not shared or len(set(leads)) <= 1


def _flat(pattern: Sequence[Any], values: Mapping[str, Any], lead: tuple[int, ...]) -> tuple[Any, ...]:
    sizes: list[Any] = []
    for each in pattern:
        value = lead if each == "~" else values[each] if isinstance(each, str) else each
        sizes += value if isinstance(value, tuple) else [value]
    return tuple(sizes)


def _evaluate(term: str, values: Mapping[str, Any]) -> Any:
    """The value of an expression of Python, in the names that `values` has."""
    return _value(ast.parse(term, mode="eval").body, values)


def _value(node: ast.expr, values: Mapping[str, Any]) -> Any:
    match node:
        case ast.Constant(value):
            return value
        case ast.Name(name):
            if name not in values:
                raise NameError(name)
            return values[name]
        case ast.Tuple(entries):
            return _flattened([_value(each, values) for each in entries])
        case ast.UnaryOp(ast.USub(), operand):
            return -_value(operand, values)
        case ast.Call(ast.Name(name), entries):
            return (max if name == "max" else min)(_flattened([_value(each, values) for each in entries]))
        case ast.BinOp(left, operation, right):
            return _OPERATORS[type(operation).__name__](_value(left, values), _value(right, values))
        case _:
            raise TypeError(ast.dump(node))


def _flattened(entries: Sequence[Any]) -> tuple[Any, ...]:
    return tuple(size for each in entries for size in (each if isinstance(each, tuple) else (each,)))


def expected(case: Case) -> set[tuple[tuple[int, ...], ...]] | None:
    """The shapes of the results, at the value of n or at the first generic one; None if there are none. Names that nothing
    determines are an error."""
    found = list(solutions(case))
    lead_names = [pattern for pattern in case.inputs if "~" in pattern]
    made: set[tuple[tuple[int, ...], ...]] = set()
    for values, n in found:
        point = GENERIC[0] if n is None else n
        shape = next((s for p, s in zip(case.inputs, case.shapes, strict=True) if p in lead_names), ())
        pattern = next(iter(lead_names), ())
        lead = tuple(point if size == "n" else size for size in shape[: len(shape) - len(_flat(pattern, values, ()))])
        try:
            outputs = tuple(_flat(each, values, lead) for each in case.outputs)
        except KeyError:
            return None
        if any(size < 0 for each in outputs for size in each):
            return None
        made.add(outputs)
    return made or None


def check(case: Case) -> None:
    """Raise AssertionError if the inference differs from the naive solver."""
    wanted = expected(case)
    try:
        found = sw.shape_rule(case.text).infer(*case.shapes, **dict(case.given))
    except sw.ShapeError as error:
        assert wanted is None, f"{case.text} with {case.shapes}, {case.given}: expected {wanted}, got {error}"
        assert error.reports and all(map(str, error.reports)), error
        return
    n = next((n for _, n in solutions(case)), None)
    point = {"n": GENERIC[0] if n is None else n}
    outputs = tuple(tuple(_evaluate(str(size), point) for size in each) for each in found.outputs)
    assert wanted == {outputs}, f"{case.text} with {case.shapes}, {case.given}: expected {wanted}, got {found}"


def check_random(count: int, seed: int) -> tuple[int, int]:
    """Check `count` random rules. Returns the numbers of fitting and of other rules."""
    rng = random.Random(seed)
    fitting = 0
    for _ in range(count):
        case = random_case(rng)
        check(case)
        fitting += expected(case) is not None
    return fitting, count - fitting


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=5000, help="how many rules (default: 5000)")
    parser.add_argument("--seed", type=int, default=0, help="the seed of the random numbers")
    arguments = parser.parse_args()
    fits, fails = check_random(arguments.count, arguments.seed)
    sys.stdout.write(f"{fits} rules that fit and {fails} that do not: no differences\n")
