"""Sizes that are known only at run time, and the facts that a trace derives about them.

A `Size` is an integer of the user's program: it has the arithmetic of index expressions, and comparisons, which Python must
decide while tracing. A `SizeSolver` decides them. It knows the size of each parameter in the first call (its hint), or none
when the program is traced from specifications.

Where an operation needs two sizes to be equal and their hints are, the solver replaces one by the other from then on, and the
program is traced again with the replacement. All decisions based on hints are recorded as constraints, which later calls must
meet.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import NamedTuple, TypeAlias

from xdsl.dialects.builtin import LocationAttr

from ...ir.diagnostics import ShapeError
from ...ir.functions.requirements import Requirement
from ...ir.index.expressions import Atom, Index, IndexLike, Param, index, param, product, split_multiples
from ...ir.index.simplify import Ranges
from ...ir.locations import UNKNOWN
from ...runtime.boundary.errors import divisor_error, place_of

SizeLike: TypeAlias = "int | Size"

# Powers of a size above this are numbers: the size is pinned.
MOST_FACTORS = 4


class Constraint(NamedTuple):
    """`expr == 0`, `expr != 0` or `expr >= 0`, over the parameters of the arguments."""

    expr: Index
    relation: str

    def holds(self, values: Mapping[str, int]) -> bool:
        """Whether the constraint holds for these values of the parameters."""
        return _holds(self.expr.evaluate(lambda atom: values[str(atom)]), self.relation)

    def __str__(self) -> str:
        return f"{self.expr} {self.relation} 0"


def size_prefix(params: Iterable[str]) -> str:
    """The prefix of the names of sizes of a call's arguments, which no `$param` of the call begins with."""
    prefix, taken = "s", set(params)
    while any(re.fullmatch(f"{prefix}\\d+", name) for name in taken):
        prefix += "_"
    return prefix


class SizeSolver:
    """The facts about parameters in one trace; `locate` gives the user's line for errors."""

    def __init__(self, hints: Mapping[str, int] | None = None, prefix: str = "s"):
        """New sizes are called `prefix` with a number."""
        self.prefix = prefix
        self.hints = dict(hints or {})
        # The names that the program's arguments give to sizes.
        self.named: set[str] = set()
        # The values of `$params` in the first call: known as hints are, but they stay arguments.
        self.params: dict[str, int] = {}
        # Sizes that take any value: those of parameters whose shapes are being inferred.
        self.free: set[str] = set()
        self.replaced: dict[Atom, Index] = {}
        self.locate: Callable[[], LocationAttr] = lambda: UNKNOWN
        self._defined: dict[Atom, Index] = {}
        self._constraints: dict[Constraint, LocationAttr] = {}
        self._divisors: dict[Index, LocationAttr] = {}
        self._fresh = 0

    def fresh(self, hint: int | None = None) -> Index:
        """A new parameter, with its size in the first call if there is one."""
        name = f"{self.prefix}{self._fresh}"
        while name in self.named:
            self._fresh += 1
            name = f"{self.prefix}{self._fresh}"
        self._fresh += 1
        if hint is not None:
            self.hints[name] = hint
        return param(name)

    def constraints(self) -> list[Constraint]:
        """The assumptions, over the original parameters, before replacements."""
        return [Constraint(self.given(each.expr), each.relation) for each in self._constraints]

    def requirements(self) -> list[Requirement]:
        """The assumptions of the form `expr >= 0` over the current parameters, with the user's lines that made them."""
        found: list[Requirement] = []
        for (expr, relation), place in self._constraints.items():
            if relation == ">=":
                given, current = self.given(expr), self.resolve(expr)
                found.append(Requirement.at(current, place, "" if given == current else f": {given} >= 0"))
        found += [Requirement.of_divisor(self.resolve(divisor), place) for divisor, place in self._divisors.items()]
        return found

    def given(self, size: IndexLike) -> Index:
        """A size over the original parameters, before replacements, which are those of the arguments."""
        return index(size).substitute(self._defined)

    def resolve(self, size: IndexLike) -> Index:
        """A size over the current parameters, after replacements."""
        size = index(size)
        # Repeat: the parameters of a replacement may have been replaced since.
        while any(atom in self.replaced for atom in size.leaves()):
            size = size.substitute(self.replaced)
        return size

    def hint_of(self, size: Index) -> int | None:
        """The value in the first call, None when a parameter has no hint."""
        known = {**self.hints, **self.params} if self.params else self.hints
        if any(name not in known for name in size.params()):
            return None
        return int(size.evaluate(lambda atom: known[str(atom)]))

    def unify(self, left: IndexLike, right: IndexLike, broadcast: bool = False) -> bool:
        """Make two sizes equal if their hints are; with `broadcast`, instead make the one that is 1 the constant 1. Returns
        whether it succeeded."""
        left, right = self.resolve(left), self.resolve(right)
        if left == right:
            return True
        for size, other in ((left, right), (right, left)):
            if str(size) in self.free and str(size) not in other.params():
                self._replace(str(size), other)
                return True
        a, b = self.hint_of(left), self.hint_of(right)
        if a is None or b is None:
            return False
        if a == b:
            self._equate(left, right)
            return True
        if broadcast and 1 in (a, b):
            self._equate(left if a == 1 else right, index(1))
            return True
        return False

    def assume(self, expr: IndexLike) -> bool:
        """Whether `expr >= 0`. Without hints this is assumed to hold, and each call then checks it."""
        expr = self.resolve(expr)
        if expr.constant is not None:
            return expr.constant >= 0
        if Ranges().nonnegative(expr):
            return True
        hint = self.hint_of(expr)
        holds = hint is None or hint >= 0
        self._record(expr if holds else -expr - 1, ">=")
        return holds

    def require(self, expr: IndexLike) -> bool:
        """Make `expr >= 0` hold in all types: replace a size n in it by the value for which `expr` is 0, plus a new size. Each
        call checks the condition. Returns whether this succeeded; it fails if hints contradict, or if there is no such size.
        """
        expr = self.resolve(expr)
        hint = self.hint_of(expr)
        if hint is not None and hint < 0:
            return False
        sizes = [name for name in expr.params() if name not in self.params and expr.coefficient(Param(name)) == 1]
        if not sizes:
            return False
        name = max(sizes, key=_age)
        rest = self.fresh(hint)
        self._defined[Param(str(rest))] = self.given(expr)
        self._record(expr, ">=")
        self._replace(name, param(name) - expr + rest)
        return True

    def divide_by(self, divisor: Index, domain: Sequence[Index] = ()) -> None:
        """Let each call check that a divisor is positive, unless that is proven for all indices of `domain`. Indices are not
        checked.

        Raises ZeroDivisionError for 0, ShapeError for a negative divisor.
        """
        divisor, extents = self.resolve(divisor), [self.resolve(size) for size in domain]
        if divisor.constant is None and (divisor.dims() or Ranges.of_shape(extents).nonnegative(divisor - 1)):
            return
        empty = next((size for size in extents if self.hint_of(size) == 0), None)
        if empty is not None:  # nothing is divided in this call
            self._record(empty, "==")
            return
        hint = self.hint_of(divisor)
        if hint == 0:
            raise divisor_error(place_of(self.locate()), self.given(divisor))
        if hint is None:
            self._divisors.setdefault(divisor, self.locate())
        elif hint < 0:
            raise ShapeError(f"expected a positive divisor, got {divisor} = {hint}", self.locate())
        else:
            self._record(divisor - 1, ">=")

    def fix(self, params: Sequence[str]) -> bool:
        """Make the first of some parameters constant, `$params` before sizes. Returns whether the value of one is known."""
        for name in sorted(params, key=lambda name: name not in self.params):
            known = self.params.get(name, self.hints.get(name))
            if known is not None and Param(name) not in self.replaced:
                self._record(param(name) - known, "==")
                self._replace(name, index(known))
                return True
        return False

    def decide(self, expr: Index, relation: str) -> bool:
        """Whether `expr` is in `relation` ("==" or ">=") to 0. Raises ShapeError where this cannot be decided."""
        expr = self.resolve(expr)
        if expr.constant is not None:
            return _holds(expr.constant, relation)
        ranges = Ranges()
        if relation == ">=" and (ranges.nonnegative(expr) or ranges.nonnegative(-expr - 1)):
            return ranges.nonnegative(expr)
        if relation == "==" and (ranges.nonnegative(expr - 1) or ranges.nonnegative(-expr - 1)):
            return False
        hint = self.hint_of(expr)
        if hint is None:
            raise ShapeError(f"the program depends on whether {expr} {relation} 0, which is not known", self.locate())
        if relation == "==":
            if hint == 0:
                self._equate(expr, index(0))
            else:
                self._record(expr, "!=")
            return hint == 0
        return self.assume(expr)

    def divide(self, total: Index, divisor: Index) -> Index | None:
        """The exact quotient; None unless hints show that there is one. Parameters that hints show to be divisible are replaced
        by multiples of new ones."""
        total, divisor = self._cancelled(self.resolve(total), self.resolve(divisor))
        quotient, rest = split_multiples(total, divisor)
        if rest == 0:
            return quotient
        value, by = self.hint_of(total), self.hint_of(divisor)
        if value is None or by is None or by <= 0 or value % by:
            return None
        if len(total.terms) == 1 and divisor.constant is not None and self._make_multiple(total, divisor.constant):
            return split_multiples(self.resolve(total), divisor)[0]
        # No parameters contain the whole divisor: pin the sizes to those of this call.
        return index(self.pin(total) // self.pin(divisor))

    def _cancelled(self, left: Index, right: Index) -> tuple[Index, Index]:
        """Two sizes divided by the common parameters that are not 0 in the first call. If these are 0 in a later call, the
        equation of the quotients is stronger than needed. A leading batch size stays free.
        """
        for name in left.params():
            while self.hints.get(name):
                (a, rest_a), (b, rest_b) = (split_multiples(each, param(name)) for each in (left, right))
                if rest_a != 0 or rest_b != 0:
                    break
                left, right = a, b
        return left, right

    def _make_multiple(self, total: Index, divisor: int) -> bool:
        """Make the product `total` a multiple of `divisor` through its newest parameters, those of the last axes, if hints show
        that it is one. Returns whether it succeeded."""
        missing = divisor // math.gcd(divisor, total.terms[0][1])
        found: dict[str, int] = {}
        for name in sorted(total.params(), key=_age, reverse=True):
            if missing > 1 and total.coefficient(Param(name)) is not None:
                found[name] = math.gcd(self.hints[name], missing)
                missing //= found[name]
        if missing > 1:
            return False
        for name, factor in found.items():
            if factor > 1:
                self._take_factor(name, factor)
        return True

    def _take_factor(self, name: str, factor: int) -> None:
        """Replace a parameter by the factor if its hint is equal, else by a multiple of a new parameter."""
        if factor == self.hints[name]:
            self.pin(param(name))
            return
        part = self.fresh(self.hints[name] // factor)
        self._defined[Param(str(part))] = param(name).substitute(self._defined) // factor
        self._record(param(name) % factor, "==")
        self._replace(name, part * factor)

    def pin(self, size: Index) -> int:
        """Make a size constant: its hint. Raises ShapeError when it has none."""
        size = self.resolve(size)
        value = self.hint_of(size)
        if value is None:
            raise ShapeError(f"expected a size known in advance, got {size}", self.locate())
        self._equate(size, index(value))
        return value

    def _equate(self, left: Index, right: Index) -> None:
        left, right = self._cancelled(left, right)
        difference = left - right
        common = math.gcd(*(factor for _, factor in difference.terms))
        difference = Index([(monomial, factor // max(common, 1)) for monomial, factor in difference.terms])
        for name in sorted(difference.params(), key=_age, reverse=True):
            factor = difference.coefficient(Param(name))
            if factor in (1, -1) and name not in self.params:
                self._record(difference, "==")
                self._replace(name, param(name) - difference * index(factor or 1))
                return
        for name in difference.params():
            known = self.params.get(name, self.hints.get(name))
            assert known is not None, "both sides have hints"
            self._record(param(name) - known, "==")
            self._replace(name, index(known))

    def _replace(self, name: str, by: Index) -> None:
        self.replaced[Param(name)] = by

    def _record(self, expr: Index, relation: str) -> None:
        if expr.constant is None:
            self._constraints.setdefault(Constraint(expr, relation), self.locate())


class Size:
    """An integer of the user's program that is known only at run time.

    Conversions to other numbers, as in `float(n)`, `n / 2` and `n**-0.5`, pin it to its value in this call; calls with another
    value recompile.
    """

    __slots__ = ("_expr", "_solver")

    def __init__(self, expr: Index, solver: SizeSolver):
        self._expr, self._solver = expr, solver

    @property
    def index(self) -> Index:
        """The expression over parameters."""
        return self._solver.resolve(self._expr)

    def __repr__(self) -> str:
        return str(self.index)

    def _with(self, expr: Index) -> SizeLike:
        return size_of(expr, self._solver)

    def __add__(self, other: SizeLike) -> SizeLike:
        return self._with(self.index + other_index(other)) if _is_size(other) else NotImplemented

    __radd__ = __add__

    def __sub__(self, other: SizeLike) -> SizeLike:
        return self._with(self.index - other_index(other)) if _is_size(other) else NotImplemented

    def __rsub__(self, other: SizeLike) -> SizeLike:
        return self._with(other_index(other) - self.index) if _is_size(other) else NotImplemented

    def __mul__(self, other: SizeLike) -> SizeLike:
        return self._with(self.index * other_index(other)) if _is_size(other) else NotImplemented

    __rmul__ = __mul__

    def __floordiv__(self, other: SizeLike) -> SizeLike:
        return self._with(self.index // self._divisor(other)) if _is_size(other) else NotImplemented

    def __rfloordiv__(self, other: SizeLike) -> SizeLike:
        return self._with(other_index(other) // self._divisor(self)) if _is_size(other) else NotImplemented

    def __mod__(self, other: SizeLike) -> SizeLike:
        return self._with(self.index % self._divisor(other)) if _is_size(other) else NotImplemented

    def __rmod__(self, other: SizeLike) -> SizeLike:
        return self._with(other_index(other) % self._divisor(self)) if _is_size(other) else NotImplemented

    def __truediv__(self, other: SizeLike | float) -> float:
        return float(self) / float(other) if _is_number(other) else NotImplemented

    def __rtruediv__(self, other: SizeLike | float) -> float:
        return float(other) / float(self) if _is_number(other) else NotImplemented

    def __pow__(self, other: SizeLike | float) -> SizeLike | float:
        if isinstance(other, int) and 0 <= other <= MOST_FACTORS:
            return self._with(product([self.index] * other))
        if isinstance(other, int | Size):
            return int(self) ** int(other)
        return int(self) ** other if _is_number(other) else NotImplemented

    def __rpow__(self, other: float) -> float:
        return other ** int(self) if _is_number(other) else NotImplemented

    def __neg__(self) -> SizeLike:
        return self._with(-self.index)

    def __pos__(self) -> SizeLike:
        return self

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, int | Size):
            return NotImplemented
        return self._solver.decide(self.index - other_index(other), "==")

    def __hash__(self) -> int:
        return hash(self.index)

    def __bool__(self) -> bool:
        return not self._solver.decide(self.index, "==")

    def __ge__(self, other: SizeLike) -> bool:
        return self._solver.decide(self.index - other_index(other), ">=")

    def __gt__(self, other: SizeLike) -> bool:
        return self._solver.decide(self.index - other_index(other) - 1, ">=")

    def __le__(self, other: SizeLike) -> bool:
        return self._solver.decide(other_index(other) - self.index, ">=")

    def __lt__(self, other: SizeLike) -> bool:
        return self._solver.decide(other_index(other) - self.index - 1, ">=")

    def __index__(self) -> int:
        return self._solver.pin(self.index)

    def __int__(self) -> int:
        return self._solver.pin(self.index)

    def __float__(self) -> float:
        return float(self._solver.pin(self.index))

    def sqrt(self) -> float:
        """The square root, under the name that `np.sqrt` looks up in other objects."""
        return math.sqrt(int(self))

    def _divisor(self, other: SizeLike) -> Index:
        divisor = other_index(other)
        if divisor.constant is not None and divisor.constant <= 0:
            raise ShapeError(f"expected a positive divisor of a size, got {divisor}", self._solver.locate())
        return divisor


def size_of(expr: IndexLike, solver: SizeSolver) -> SizeLike:
    """An int for a constant, a Size for any other expression."""
    expr = solver.resolve(expr)
    return expr.constant if expr.constant is not None else Size(expr, solver)


def other_index(value: SizeLike | Index) -> Index:
    """Convert an int, Size or index expression to an index expression."""
    return value.index if isinstance(value, Size) else index(value)


def _is_size(value: object) -> bool:
    return isinstance(value, int | Size)


def _is_number(value: object) -> bool:
    return isinstance(value, int | float | Size)


def _holds(value: int, relation: str) -> bool:
    if relation == "==":
        return value == 0
    return value != 0 if relation == "!=" else value >= 0


def _age(name: str) -> tuple[int, str]:
    """A sort key by age: shorter names and smaller numbers first, so that s10 is younger than s9."""
    return len(name), name
