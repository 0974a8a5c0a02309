"""Facts about index expressions, proved from the ranges of their dimensions and parameters.

A `Ranges` has, for each dimension, bounds `lower <= d <= upper` that may contain parameters (`0 <= d0 <= n - 1`), and for each
parameter a least value. From these it bounds whole expressions, proves inequalities, and simplifies:

    0 <= d0 < 4        (d1 * 4 + d0) floordiv 4  ->  d1
    0 <= d0 < n        d0 mod n                  ->  d0
                       (d0 floordiv m) * m + d0 mod m  ->  d0
                       ((d0 floordiv 10) mod m) * 10 + d0 mod 10  ->  d0 mod (m * 10)

A proof that fails means "unknown", never "false".
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache

from .counterexamples import Points
from .delinearize import as_digits, count_divisions, joined_divisor, remainders
from .expressions import (
    ONE,
    ZERO,
    Apply,
    Atom,
    Dim,
    Index,
    IndexLike,
    Monomial,
    Param,
    apply,
    dim,
    index,
    maximum,
    minimum,
    of_atom,
    split_multiples,
)
from .least_values import Answers, keep, least_values, monomial_common, parameters_from


class Ranges:
    """Bounds of dimensions and parameters. Immutable; `with_dims` and `assuming` return extended copies. Results of
    simplifications and proofs are cached, and shared by all instances with the same bounds.

    Over an `empty` domain, where an axis has size 0, everything holds.
    """

    def __init__(
        self,
        dims: Mapping[int, tuple[Index | None, Index | None]] | None = None,
        least: Mapping[str, int] | None = None,
        empty: bool = False,
    ):
        self.empty = empty
        self.dims = dict(dims or {})
        self.least = dict(least or {})
        known = frozenset(self.least.items())
        self._of_parameters = parameters_from(known)
        self._answers = _answers(frozenset(self.dims.items()), known, empty)

    @staticmethod
    def of_shape(shape: Sequence[IndexLike]) -> Ranges:
        """Ranges in which dimension k iterates over axis k of `shape`; since it iterates, no axis is empty."""
        extents = [index(size) for size in shape]
        ranges = Ranges({k: (ZERO, size - 1) for k, size in enumerate(extents)})
        return Ranges(ranges.dims, empty=True) if 0 in extents else ranges.assuming(*(size - 1 for size in extents))

    @staticmethod
    def of_loops(dims: Mapping[int, tuple[Index, Index]]) -> Ranges:
        """The facts inside of loops with these least and greatest indices over parameters, including that the loops are not
        empty."""
        return _of_loops(tuple(dims.items()))

    def with_dims(self, dims: Mapping[int, tuple[Index | None, Index | None]]) -> Ranges:
        """A copy with bounds of more dimensions."""
        return Ranges({**self.dims, **dims}, self.least, self.empty)

    def assuming(self, *nonnegative: Index) -> Ranges:
        """A copy with the assumption that the given expressions over parameters are non-negative."""
        least = least_values(self.least, nonnegative)
        return Ranges(self.dims, least, self.empty) if least != self.least else self

    def nonnegative(self, expr: IndexLike) -> bool:
        """Whether `expr >= 0` can be proved."""
        expr = index(expr)
        if self.empty:
            return True
        constant = expr.constant
        if constant is not None:
            return constant >= 0
        answers = self._answers_for(expr)
        proven = answers.proven.get(expr)
        return proven if proven is not None else keep(answers.proven, expr, self._prove(expr, answers.points))

    def _answers_for(self, expr: Index) -> Answers:
        """The cache for an expression. Expressions without dimensions use the cache of the parameters, which all bounds of
        dimensions share."""
        return self._answers if expr.dims() or self.empty else self._of_parameters.without_dims

    def _prove(self, expr: Index, points: Points) -> bool:
        if self._at_least_zero(expr):
            return True
        if points.has_negative(expr):
            return False
        bound = self.bound(self.simplify(expr), upper=False)
        return bound is not None and (self._at_least_zero(bound) or self._at_least_zero(self._relax(bound)))

    def less(self, a: IndexLike, b: IndexLike) -> bool:
        """Whether `a < b` can be proved."""
        return self.nonnegative(index(b) - a - 1)

    def within(self, expr: IndexLike, size: IndexLike) -> bool:
        """Whether `0 <= expr < size` can be proved: an access is in bounds."""
        return self.nonnegative(expr) and self.less(expr, size)

    def bound(self, expr: Index, upper: bool) -> Index | None:
        """A bound of `expr` over all dimensions, as an expression over parameters only; None if there is none."""
        bound = self._bound_of_terms(expr, upper)
        return bound if bound is not None else self._bound_of_side(expr, upper)

    def _bound_of_side(self, expr: Index, upper: bool) -> Index | None:
        """A bound of `expr` with its first extremum replaced by an operand, if that is a bound: n for `min(d0 + n, m) - d0`."""
        for monomial, factor in expr.terms:
            extremum = monomial[0] if len(monomial) == 1 else None
            if isinstance(extremum, Apply) and extremum.op == ("min" if upper == (factor > 0) else "max"):
                sides = (expr + factor * (side - of_atom(extremum)) for side in (extremum.lhs, extremum.rhs))
                return next(
                    (bound for bound in (self._bound_of_terms(side, upper) for side in sides) if bound is not None), None
                )
        return None

    def _bound_of_terms(self, expr: Index, upper: bool) -> Index | None:
        """A bound of `expr` from separate bounds of its terms."""
        for position in sorted(expr.dims(), reverse=True):
            factor = expr.coefficient(Dim(position))
            if factor is None or factor.dims():
                continue
            extreme = self._extreme_dim(position, factor, upper)
            if extreme is None:
                return None
            expr = expr + factor * (extreme - dim(position))
        total = ZERO
        for monomial, factor in expr.terms:
            extreme = self._extreme_product(monomial, upper if factor > 0 else not upper)
            if extreme is None:
                return None
            total = total + extreme * factor
        return total

    def simplify(self, expr: Index) -> Index:
        """An equal expression, in which quotients, remainders and extrema are simplified by the ranges."""
        if expr.is_polynomial:
            return expr
        answers = self._answers_for(expr).simplified
        known = answers.get(expr)
        if known is not None:
            return known
        simplified = self._recombine(expr.with_applications(self._simplify_apply))
        keep(answers, expr, simplified)  # the result counts as its own simplification
        return keep(self._answers_for(simplified).simplified, simplified, simplified)

    def _simplify_apply(self, atom: Apply) -> Index:
        lhs, rhs = self.simplify(atom.lhs), self.simplify(atom.rhs)
        match atom.op:
            case "floordiv" | "mod":
                return self._simplify_division(atom.op, lhs, rhs)
            case "min":
                return lhs if self.nonnegative(rhs - lhs) else rhs if self.nonnegative(lhs - rhs) else minimum(lhs, rhs)
            case "max":
                return lhs if self.nonnegative(lhs - rhs) else rhs if self.nonnegative(rhs - lhs) else maximum(lhs, rhs)
            case _:
                return apply(atom.op, lhs, rhs)

    def _simplify_division(self, op: str, lhs: Index, rhs: Index) -> Index:
        whole, rest = split_multiples(lhs, rhs)
        if self.within(rest, rhs):
            return whole if op == "floordiv" else rest
        if op == "floordiv":
            return whole + self._peel(rest, rhs)
        return rest % rhs

    def _peel(self, lhs: Index, rhs: Index) -> Index:
        """`lhs floordiv rhs` without the terms of lhs that cannot carry: (m*a + b) // (m*c) = a // c if 0 <= b < m."""
        if len(rhs.terms) == 1 and lhs.terms:
            for monomial, factor in sorted(lhs.terms, key=lambda term: -abs(term[1])):
                common = Index({monomial_common(monomial, rhs.terms[0][0]): abs(factor)})
                high, low = split_multiples(lhs, common)
                divisor, left = split_multiples(rhs, common)
                if left == 0 and common != 1 and low != 0 and high != 0 and self.within(low, common):
                    return self.simplify(high // divisor)
        return lhs // rhs

    def _recombine(self, expr: Index) -> Index:
        """Combine digits: (a floordiv b) * b + a mod b = a, and ((a floordiv b) mod c) * b + a mod b = a mod (b * c), for every
        such pair. Returns an expression without pairs unchanged."""
        if count_divisions(expr) < 2:
            return expr
        digits = as_digits(expr, self.nonnegative)
        factors, found = dict(digits.terms), list(remainders(digits))
        for scale, atom in found:
            for high, joined in self._higher(atom, [each for _, each in found]):
                paired = scale * atom.rhs * high
                if all(factors.get(monomial) == factor for monomial, factor in paired.terms):
                    return self._recombine(digits - paired + scale * (joined - of_atom(atom)))
        return expr

    def _higher(self, low: Apply, digits: Sequence[Apply]) -> Iterator[tuple[Index, Index]]:
        """The candidates for the digits above a remainder, each with the combination of both."""
        quotient = as_digits(self._peel(low.lhs, low.rhs), self.nonnegative)
        yield quotient, low.lhs
        for each in digits:
            divisor = joined_divisor(low.rhs, each.rhs)
            if each.lhs == quotient and divisor is not None and self.nonnegative(each.rhs - 1):
                yield of_atom(each), low.lhs % divisor

    def _relax(self, expr: Index) -> Index:
        """A lower bound of `expr` without the quotients that are multiplied by their divisor, or by a factor of it. Quotients
        of quotients are bounded first: their remaining terms may cancel with the other quotients."""
        atoms = [(atom, *term) for term in expr.terms for atom in term[0] if isinstance(atom, Apply)]
        quotients = [each for each in atoms if each[0].op == "floordiv"]
        for atom, monomial, factor in sorted(quotients, key=lambda each: -count_divisions(each[0].lhs)):
            others = list(monomial)
            others.remove(atom)
            least = self._least_multiple(atom, Index({tuple(others): factor}))
            if least is not None:
                return self._relax(expr - Index({monomial: factor}) + least)
        return expr

    def _least_multiple(self, atom: Apply, scale: Index) -> Index | None:
        """A lower bound of `scale * (a floordiv b)`, from a - b + 1 <= (a floordiv b) * b <= a. If scale is only a factor k of
        b, use the same bounds of q = a floordiv (b / k): a floordiv b is q floordiv k."""
        if not (self._at_least_zero(scale) or self._at_least_zero(-scale)):
            return None
        times, rest = split_multiples(scale, atom.rhs)
        if rest == 0:
            return times * (atom.lhs - atom.rhs + 1 if self._at_least_zero(scale) else atom.lhs)
        divisor, number = atom.rhs.constant, scale.constant
        if divisor is None or number in (None, 1, -1) or divisor % number:
            return None
        part = atom.lhs // (divisor // abs(number))
        return part - number + 1 if number > 0 else -part

    def _extreme_dim(self, position: int, factor: Index, upper: bool) -> Index | None:
        lower_bound, upper_bound = self.dims.get(position, (None, None))
        if self._at_least_zero(factor):
            return upper_bound if upper else lower_bound
        if self._at_least_zero(-factor):
            return lower_bound if upper else upper_bound
        return None

    def _extreme_product(self, monomial: Monomial, upper: bool) -> Index | None:
        """A bound of a product of atoms; a product of several atoms is bounded only if every atom is non-negative, or none
        depends on dimensions."""
        if len(monomial) == 1:
            return self._extreme_atom(monomial[0], upper)
        result = ONE
        for atom in monomial:
            low, extreme = self._extreme_atom(atom, upper=False), self._extreme_atom(atom, upper)
            if low is None or extreme is None or not self._at_least_zero(low):
                itself = Index({monomial: 1})
                return None if itself.dims() else itself
            result = result * extreme
        return result

    def _extreme_atom(self, atom: Atom, upper: bool) -> Index | None:
        match atom:
            case Param():
                return of_atom(atom)
            case Dim():
                return self.dims.get(atom.position, (None, None))[upper]
            case Apply("floordiv" | "div"):
                bound = self.bound(atom.lhs, upper)
                if bound is None:
                    return None
                if not atom.rhs.dims():
                    return self._settle(bound // atom.rhs)
                return ZERO if not upper and self._at_least_zero(bound) and self._divides(atom.rhs) else None
            case Apply("mod" | "rem"):
                if atom.rhs.dims():
                    return ZERO if not upper and self._divides(atom.rhs) else None
                return atom.rhs - 1 if upper else ZERO
            case Apply(op, lhs, rhs):
                left, right = self.bound(lhs, upper), self.bound(rhs, upper)
                if left is None or right is None:
                    return left or right if (op == "min") == upper else None
                return self._settle(apply(op, left, right))
        return None

    def _divides(self, divisor: Index) -> bool:
        """Whether a divisor that depends on dimensions is proved non-negative; a loaded number may be negative."""
        least = self.bound(divisor, upper=False)
        return least is not None and self._at_least_zero(least)

    def _settle(self, expr: Index) -> Index:
        """`simplify` for expressions over parameters, which does not recur into bounds of dimensions."""
        return expr if expr.is_polynomial else expr.with_applications(self._settle_atom)

    def _settle_atom(self, atom: Apply) -> Index:
        lhs, rhs = self._settle(atom.lhs), self._settle(atom.rhs)
        if atom.op == "floordiv":
            if self._at_least_zero(lhs) and self._at_least_zero(rhs - 1 - lhs):
                return ZERO
            if self._at_least_zero(-lhs - 1) and self._at_least_zero(lhs + rhs):
                return index(-1)
        if atom.op in ("min", "max") and self._at_least_zero(lhs - rhs):
            return rhs if atom.op == "min" else lhs
        if atom.op in ("min", "max") and self._at_least_zero(rhs - lhs):
            return lhs if atom.op == "min" else rhs
        return apply(atom.op, lhs, rhs)

    def _at_least_zero(self, expr: Index) -> bool:
        """Whether an expression over parameters is >= 0 for all their values."""
        return self._of_parameters.nonnegative(expr)


@lru_cache(maxsize=1024)  # every pass queries the same loops
def _of_loops(dims: tuple[tuple[int, tuple[Index, Index]], ...]) -> Ranges:
    return Ranges(dict(dims), least_values({}, [upper - lower for _, (lower, upper) in dims]))


@lru_cache(maxsize=1024)
def _answers(
    dims: frozenset[tuple[int, tuple[Index | None, Index | None]]], least: frozenset[tuple[str, int]], empty: bool
) -> Answers:
    """The caches for these bounds."""
    return Answers({}, {}, Points(dict(dims), dict(least)))
