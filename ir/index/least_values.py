"""Facts about expressions over parameters only, proved from the least value of each: `n * m - m >= 0` from `n >= 1`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import lru_cache, reduce
from math import prod
from typing import NamedTuple, TypeVar

from .counterexamples import Points
from .expressions import ZERO, Apply, Atom, Dim, Index, IndexLike, Monomial, Param, index, of_atom, param, split_multiples

T = TypeVar("T")

# Products of more factors are not expanded to sums of products: n sizes, each written as 1 + rest, give 2^n terms.
WRITTEN_OUT = 6
# In sums of more extrema, the operands of each are not tried.
MOST_EXTREMA = 4


class Parameters:
    """Facts that follow from the least values of parameters. Its answers are cached: few expressions are distinct."""

    def __init__(self, least: Mapping[str, int]):
        self._rests: dict[Atom, IndexLike] = {Param(name): param(name) + value for name, value in least.items() if value}
        self._answers: dict[Index, bool] = {}
        self.without_dims = Answers({}, {}, Points({}, least))

    def nonnegative(self, expr: Index) -> bool:
        """Whether `expr >= 0` can be proved."""
        answer = self._answers.get(expr)
        if answer is None:
            can_be = bool(self._rests) and not _keeps_a_minus(expr)
            proven = _has_no_minus(expr) or (can_be and self._prove(expr)) or self._prove_by_side(expr)
            answer = keep(self._answers, expr, proven)
        return answer

    def _prove_by_side(self, expr: Index) -> bool:
        """Prove `expr >= 0` with the first extremum replaced by its operands: one is enough for `3 - min(1, n)`, while `n -
        max(1, m)` needs both. Limited to a few extrema, since all combinations are tried."""
        extrema = [(monomial[0], factor) for monomial, factor in expr.terms if len(monomial) == 1 and _is_extremum(monomial[0])]
        if not 0 < len(extrema) <= MOST_EXTREMA:
            return False
        atom, factor = extrema[0]
        assert isinstance(atom, Apply), "an extremum"
        sides = (self.nonnegative(expr + factor * (side - of_atom(atom))) for side in (atom.lhs, atom.rhs))
        return any(sides) if (atom.op == "min") == (factor < 0) else all(sides)

    def _prove(self, expr: Index) -> bool:
        """For each parameter substitute its least value plus a remainder; then no term may be negative. In long products,
        divide by common factors instead, or else substitute the least values, if no term is negative."""
        if _degree(expr) <= WRITTEN_OUT:
            return _has_no_minus(expr.substitute(self._rests))
        shared = reduce(monomial_common, (monomial for monomial, _ in expr.terms))
        if shared:
            whole, _ = split_multiples(expr, Index({shared: 1}))
            return all(map(_never_negative, shared)) and self.nonnegative(whole)
        least = sum(factor * prod(map(self._least, monomial)) for monomial, factor in expr.terms)
        return _has_no_minus(expr - expr.offset) and least >= 0

    def _least(self, atom: Atom) -> int:
        """The known least value of an atom that is never negative."""
        return index(self._rests.get(atom, ZERO)).offset


# Successive passes query the same loops, and similar ones: answers are cached by the bounds, up to this number for each.
MOST_ANSWERS = 1 << 12


@lru_cache(maxsize=256)
def parameters_from(least: frozenset[tuple[str, int]]) -> Parameters:
    return Parameters(dict(least))


class Answers(NamedTuple):
    """Caches of simplifications and proofs, and the points at which counterexamples are searched."""

    simplified: dict[Index, Index]
    proven: dict[Index, bool]
    points: Points


def keep(answers: dict[Index, T], expr: Index, answer: T) -> T:
    """Cache an answer and return it; a full cache is cleared."""
    if len(answers) >= MOST_ANSWERS:
        answers.clear()
    answers[expr] = answer
    return answer


def _degree(expr: Index) -> int:
    """The number of factors of the longest product in an expression."""
    return max((sum(map(_degree_of_atom, monomial)) for monomial, _ in expr.terms), default=0)


def _degree_of_atom(atom: Atom) -> int:
    return max(_degree(atom.lhs), _degree(atom.rhs), 1) if isinstance(atom, Apply) else 1


def _has_no_minus(expr: Index) -> bool:
    """Whether an expression is a sum of products of non-negative atoms, for parameters >= 0."""
    return all(factor > 0 and all(map(_never_negative, monomial)) for monomial, factor in expr.terms)


def _keeps_a_minus(expr: Index) -> bool:
    """Whether substituting least values and remainders for parameters cannot remove all negative terms: the expression has a
    dimension, or a negative product without a positive product of a higher degree."""
    longest = max((sum(map(_degree_of_atom, monomial)) for monomial, factor in expr.terms if factor > 0), default=0)
    return any(
        Dim in map(type, monomial) or (factor < 0 and len(monomial) >= longest and Apply not in map(type, monomial))
        for monomial, factor in expr.terms
    )


def _is_extremum(atom: Atom) -> bool:
    return isinstance(atom, Apply) and atom.op in ("min", "max")


def _never_negative(atom: Atom) -> bool:
    """Whether an atom is >= 0 for all parameters >= 0."""
    match atom:
        case Param() | Apply("mod" | "rem"):
            return True
        case Apply("floordiv" | "div", lhs, _):
            return _has_no_minus(lhs)
        case Apply("max", lhs, rhs):
            return _has_no_minus(lhs) or _has_no_minus(rhs)
        case Apply("min", lhs, rhs):
            return _has_no_minus(lhs) and _has_no_minus(rhs)
        case _:
            return False


def monomial_common(a: Monomial, b: Monomial) -> Monomial:
    """The common atoms of two products, with multiplicity."""
    rest = list(b)
    shared: list[Atom] = []
    for atom in a:
        if atom in rest:
            rest.remove(atom)
            shared.append(atom)
    return tuple(shared)


def least_values(known: Mapping[str, int], nonnegative: Iterable[Index]) -> dict[str, int]:
    """The least values of parameters, given that these expressions over parameters are non-negative."""
    least = dict(known)
    for expr in nonnegative:
        for name, value in _implied_least(expr):
            least[name] = max(least.get(name, 0), value)
    return least


def _implied_least(expr: Index) -> list[tuple[str, int]]:
    """Least values of parameters that follow from `expr >= 0`.

    From `c * p + k` follows p >= -k / c. If the constant is negative, an atom that is a factor of all other terms is not 0.
    """
    terms = [(monomial, factor) for monomial, factor in expr.terms if monomial]
    if not terms:
        return []
    if len(terms) == 1 and len(terms[0][0]) == 1 and terms[0][1] > 0:
        return _at_least(terms[0][0][0], -(expr.offset // terms[0][1]))
    common = terms[0][0]
    for monomial, _ in terms[1:]:
        common = monomial_common(common, monomial)
    if expr.offset >= 0:
        return []
    # A non-zero atom is at least 1 if it cannot be negative, or if its cofactors cannot.
    safe = all(factor > 0 and sum(not _never_negative(atom) for atom in monomial) <= 1 for monomial, factor in terms)
    return [implied for atom in common if safe or _never_negative(atom) for implied in _at_least(atom, 1)]


def _at_least(atom: Atom, value: int) -> list[tuple[str, int]]:
    """Least values of parameters that follow from `atom >= value`."""
    if isinstance(atom, Param):
        return [(atom.name, value)]
    if isinstance(atom, Apply) and atom.op == "floordiv" and value > 0:
        return _implied_least(atom.lhs - atom.rhs * value)
    return []
