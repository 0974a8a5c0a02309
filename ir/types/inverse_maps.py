"""Inversion of index maps: for an element that is read, the indices that read it.

A map sends the indices of a domain to indices of a target. Its adjoint sums, for each target index, over the domain indices
that map to it; without a scatter, the domain indices must be enumerated:

    d0 -> d0 * 2 - 1                    t is read by d0 = (t + 1) floordiv 2, if (t + 1) mod 2 = 0
    (d0, d1) -> d0 + d1, 0 <= d1 < 3    t is read by (t - k, k) for k = 0, 1, 2
    (d0, d1) -> d0 * n + d1, d1 < n     t is read by (t floordiv n, t mod n) only
    d0 -> d0 floordiv n, d0 mod n       (t, u) is read by d0 = t * n + u

`invert` solves such equations one after the other. Its steps:

1. Solve an expression with one unknown atom for it; a factor adds the condition that it divides. 2. In a sum, an atom whose
factor exceeds all other terms together is a quotient, and the other terms are its remainder. 3. Solve any other sum for the
dimension of the greatest extent; the others become free. 4. A quotient and a remainder of the same expression determine it; if
only one is known, a free dimension is introduced.

Undetermined dimensions are free. Expressions of other forms have no inverse.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple, TypeAlias

from ..index.expressions import ONE, ZERO, Apply, Atom, Dim, Index, apply, ceildiv, dim, of_atom
from ..index.simplify import Ranges
from .shapes import IndexMap, Shape

# The offset of the domain's unknown dimensions, which separates them from the target's and the free ones.
_UNKNOWN = 1 << 16
_PARTS = ("floordiv", "mod")
# An operator of _PARTS, its dividend and its divisor.
_Part: TypeAlias = tuple[str, Index, Index]


class Inverse(NamedTuple):
    """The domain indices that map to a target index: dimension k of the domain is `at[k]`, over the target's dimensions,
    followed by free dimensions of the extents `free`.

    Each combination maps to the target index if all `guards` are non-negative and all of `at` are in the domain. The
    combinations give all such indices, each once.
    """

    free: Shape
    at: tuple[Index, ...]
    guards: tuple[Index, ...]


def invert(access: IndexMap, domain: Shape, target: Shape, guards: Sequence[Index] = ()) -> Inverse | None:
    """The inverse of a map from the indices of `domain` with non-negative `guards` to indices of `target`, None if it has
    none."""
    solver = _Solver(domain, target)
    unknown = [dim(_UNKNOWN + k) for k in range(len(domain))]
    for axis, expr in enumerate(access.apply(unknown)):
        solver.equal(expr, ZERO if target[axis] == 1 else dim(axis))
    conditions = IndexMap(len(domain), tuple(guards)).apply(unknown)
    rest = [guard for guard in conditions if not solver.divides(guard)]
    return solver.solution(rest) if solver.solve() else None


class _Solver:
    """Equations between expressions over unknown dimensions and values over known ones."""

    def __init__(self, domain: Shape, target: Shape):
        self.domain, self.target = domain, target
        # The extents of free dimensions, by position.
        self.free: dict[int, Index] = {}
        self.solved: dict[Atom, Index] = {}
        self.conditions: list[Index] = []
        # The values of quotients and remainders.
        self.parts: dict[_Part, Index] = {}
        self.pending: list[tuple[Index, Index]] = []
        unknown = {_UNKNOWN + k: (ZERO, size - 1) for k, size in enumerate(domain)}
        known = {axis: (ZERO, size - 1) for axis, size in enumerate(target)}
        sizes = [size - 1 for size in (*domain, *target)]
        self.ranges = Ranges({**unknown, **known}, empty=any(size == -1 for size in sizes)).assuming(*sizes)

    def equal(self, expr: Index, value: Index) -> None:
        """Add the equation `expr == value`, of an expression over unknown dimensions."""
        self.pending.append((expr, value))

    def divides(self, guard: Index) -> bool:
        """Whether a guard is a divisibility condition, which is then added as an equation."""
        (monomial, factor), *more = guard.terms or (((), 0),)
        if more or factor >= 0 or len(monomial) != 1 or not isinstance(monomial[0], Apply) or monomial[0].op != "mod":
            return False
        self.equal(Index({monomial: 1}), ZERO)
        return True

    def solve(self) -> bool:
        """Solve all equations. Returns False if one cannot be solved."""
        while self.pending or self.parts:
            if not self.pending:
                part = next((each for each in self.parts if each[0] == "mod"), None) or next(iter(self.parts))
                self._complete(part, self.parts.pop(part))
            elif not self._step(*self.pending.pop(0)):
                return False
        return True

    def solution(self, guards: Sequence[Index]) -> Inverse | None:
        """The inverse, after all equations are solved."""
        self._free_dims(dim(_UNKNOWN + k) for k in range(len(self.domain)))
        conditions = [self._current(each) for each in (*self.conditions, *guards)]
        kept = dict.fromkeys(each for each in conditions if not self.ranges.nonnegative(each))
        places = IndexMap(0, (*(self.solved[Dim(_UNKNOWN + k)] for k in range(len(self.domain))), *kept))
        numbers: dict[Atom, Index] = {Dim(old): dim(len(self.target) + new) for new, old in enumerate(self.free)}
        renamed = tuple(each.substitute(numbers) for each in places.results)
        return Inverse(tuple(self.free.values()), renamed[: len(self.domain)], renamed[len(self.domain) :])

    def _step(self, expr: Index, value: Index) -> bool:
        """Reduce one equation. Returns False if that is not possible."""
        expr = self._current(expr)
        known = Index([term for term in expr.terms if not any(map(_is_unknown, term[0]))])
        expr, value = expr - known, self.ranges.simplify(value - known)
        if expr == 0:
            self._expect_zero(value)
            return True
        factors = _linear(expr)
        if factors is None or not all(_is_solvable(atom) and self._has_sign(factor) for atom, factor in factors.items()):
            return False
        if len(factors) == 1:
            self._solve_for(*next(iter(factors.items())), value)
        elif not self._split(expr, factors, value):
            self._choose(expr, factors, value)
        return True

    def _solve_for(self, atom: Atom, factor: Index, value: Index) -> None:
        """Solve factor * atom = value."""
        if not self.ranges.nonnegative(factor - 1):
            factor, value = -factor, -value
        if factor != 1:
            self.conditions.append(-(value % factor))
            value = self.ranges.simplify(value // factor)
        if isinstance(atom, Dim):
            self.solved[atom] = value
        elif isinstance(atom, Apply):
            self._note(atom.op, atom.lhs, atom.rhs, value)

    def _note(self, op: str, dividend: Index, divisor: Index, value: Index) -> None:
        """Record the value of a quotient or a remainder; if both are known, so is the dividend."""
        part: _Part = (op, dividend, divisor)
        if part in self.parts:
            self._expect_zero(self.parts[part] - value)
            return
        for other in self.parts:
            quotient, remainder = (part, other) if op == "floordiv" else (other, part)
            if _belong_together(quotient, remainder):
                found = self.parts.pop(other)
                self._join(*remainder[1:], *((value, found) if op == "floordiv" else (found, value)))
                return
        self.parts[part] = value

    def _join(self, dividend: Index, divisor: Index, quotient: Index, remainder: Index) -> None:
        self.conditions += [remainder, divisor - 1 - remainder]
        self.equal(dividend, quotient * divisor + remainder)

    def _complete(self, part: _Part, value: Index) -> None:
        """Resolve a quotient or a remainder without its counterpart, which becomes free."""
        op, dividend, divisor = part
        current = self._current(dividend)
        if not _has_unknown(current):
            self._expect_zero(self.ranges.simplify(apply(op, current, divisor)) - value)
            return
        if op == "floordiv":
            self.equal(current, value * divisor + self._run_freely(divisor))
            return
        self.conditions += [value, divisor - 1 - value]
        lowest, highest = (self.ranges.bound(current, upper) for upper in (False, True))
        if lowest is None or highest is None:
            # Without bounds the multiples cannot be enumerated, but the dividend's dimensions can.
            self._free_dims([current])
            self._complete(part, value)
            return
        count = highest - lowest + 1
        multiple = ZERO if self.ranges.nonnegative(divisor - count) else self._run_freely(ceildiv(count, divisor))
        self.equal(current, self.ranges.simplify((value - lowest) % divisor) + lowest + multiple * divisor)

    def _split(self, expr: Index, factors: dict[Atom, Index], value: Index) -> bool:
        """Split a sum of quotient * factor and a remainder less than the factor. Returns whether it has this form."""
        for atom, factor in factors.items():
            rest = expr - of_atom(atom) * factor
            if self.ranges.within(rest, factor):
                self.equal(rest, self.ranges.simplify(value % factor))
                self._solve_for(atom, ONE, self.ranges.simplify(value // factor))
                return True
        return False

    def _choose(self, expr: Index, factors: dict[Atom, Index], value: Index) -> None:
        """Solve for the first dimension of the greatest extent; the others become free."""
        chosen = max(factors, key=self._extent_key)
        self._free_dims(of_atom(atom) for atom in factors if atom != chosen)
        self.equal(expr, value)

    def _extent_key(self, atom: Atom) -> tuple[bool, bool, int, int]:
        if not isinstance(atom, Dim):
            return (False, False, 0, 0)
        extent = self.domain[atom.position - _UNKNOWN]
        return (True, extent.constant is None, extent.constant or 0, -atom.position)

    def _expect_zero(self, value: Index) -> None:
        """Require that a value is 0: solve it for a free dimension if it has one, else add a condition."""
        value = self.ranges.simplify(value)
        for position, extent in self.free.items():
            factor = value.coefficient(Dim(position))
            if factor in (1, -1):
                found = self.ranges.simplify(dim(position) - value if factor == 1 else dim(position) + value)
                self.conditions += [found, extent - 1 - found]
                self._fix(position, found)
                return
        if value != 0:
            self.conditions += [value, -value]

    def _fix(self, position: int, found: Index) -> None:
        """Substitute a value for a free dimension."""
        del self.free[position]
        fixed: dict[Atom, Index] = {Dim(position): found}
        self.solved = {atom: each.substitute(fixed) for atom, each in self.solved.items()}
        self.conditions = [each.substitute(fixed) for each in self.conditions]
        self.pending = [(expr.substitute(fixed), value.substitute(fixed)) for expr, value in self.pending]
        self.parts = {
            (op, dividend.substitute(fixed), divisor): value.substitute(fixed)
            for (op, dividend, divisor), value in self.parts.items()
        }

    def _free_dims(self, exprs: Iterable[Index]) -> None:
        """Make the unknown dimensions in some expressions free."""
        for position in sorted({position for expr in exprs for position in expr.dims()}):
            if position >= _UNKNOWN and Dim(position) not in self.solved:
                self.solved[Dim(position)] = self._run_freely(self.domain[position - _UNKNOWN])

    def _run_freely(self, extent: Index) -> Index:
        """A new free dimension of this extent, or 0 if the extent is 1."""
        if extent == 1:
            return ZERO
        position = max(self.free, default=len(self.target) - 1) + 1
        self.free[position] = extent
        self.ranges = self.ranges.with_dims({position: (ZERO, extent - 1)})
        return dim(position)

    def _current(self, expr: Index) -> Index:
        return self.ranges.simplify(expr.substitute(self.solved))

    def _has_sign(self, factor: Index) -> bool:
        return self.ranges.nonnegative(factor - 1) or self.ranges.nonnegative(-factor - 1)


def _belong_together(quotient: _Part, remainder: _Part) -> bool:
    """Whether a quotient and a remainder are of one division. (x floordiv a) mod b belongs to x floordiv (a * b), the normal
    form of (x floordiv a) floordiv b."""
    if (quotient[0], remainder[0]) != _PARTS:
        return False
    inner = remainder[1].atom
    if isinstance(inner, Apply) and inner.op == "floordiv":
        return quotient[1:] in ((remainder[1], remainder[2]), (inner.lhs, inner.rhs * remainder[2]))
    return quotient[1:] == remainder[1:]


def _linear(expr: Index) -> dict[Atom, Index] | None:
    """The factor of each unknown atom of an expression, None if it is not linear in them."""
    factors: dict[Atom, Index] = {}
    for monomial, factor in expr.terms:
        unknown = [atom for atom in monomial if _is_unknown(atom)]
        if len(unknown) != 1:
            return None
        rest = list(monomial)
        rest.remove(unknown[0])
        if any(_is_known_dim(atom) for atom in rest):
            return None
        factors[unknown[0]] = factors.get(unknown[0], ZERO) + Index({tuple(rest): factor})
    return factors


def _is_unknown(atom: Atom) -> bool:
    return any(position >= _UNKNOWN for position in of_atom(atom).dims())


def _is_solvable(atom: Atom) -> bool:
    return isinstance(atom, Dim) or (isinstance(atom, Apply) and atom.op in _PARTS and not _has_unknown(atom.rhs))


def _is_known_dim(atom: Atom) -> bool:
    return any(position < _UNKNOWN for position in of_atom(atom).dims())


def _has_unknown(expr: Index) -> bool:
    return any(position >= _UNKNOWN for position in expr.dims())
