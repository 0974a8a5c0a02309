"""Bounds of index expressions and of their intermediate results: generated code computes in 64 bits.

A bound is a polynomial over parameters with non-negative coefficients, since parameters are not negative. It does not use
relations between terms: `d0 - d0 mod 4` is bounded by both of its terms. A quotient is bounded by its dividend, or, in `exact`
bounds, by the quotient of its bound.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from .expressions import ZERO, Apply, Atom, Dim, Index, IndexLike, index, of_atom


@dataclass(frozen=True)
class Magnitude:
    """`-below <= value <= above`, for two bounds that are not negative."""

    below: Index
    above: Index

    @staticmethod
    def of(below: IndexLike, above: IndexLike) -> Magnitude:
        return Magnitude(index(below), index(above))

    def __add__(self, other: Magnitude) -> Magnitude:
        return Magnitude(self.below + other.below, self.above + other.above)

    def __mul__(self, other: Magnitude) -> Magnitude:
        return Magnitude(
            self.below * other.above + self.above * other.below, self.above * other.above + self.below * other.below
        )


# Bounds of dimensions, by position.
OfDim = Callable[[int], Magnitude]


def intermediates(expr: Index, of_dim: OfDim, exact: bool = False) -> Iterator[tuple[Index, Magnitude]]:
    """Each sum of products that computing `expr` evaluates, operands before `expr` itself, with its bounds."""
    for monomial, _ in expr.terms:
        for atom in monomial:
            if isinstance(atom, Apply):
                yield from intermediates(atom.lhs, of_dim, exact)
                yield from intermediates(atom.rhs, of_dim, exact)
    yield expr, magnitude(expr, of_dim, exact)


def magnitude(expr: Index, of_dim: OfDim, exact: bool = False) -> Magnitude:
    """The bounds of an expression; partial sums of its terms are within them in any order."""
    total = Magnitude(ZERO, ZERO)
    for monomial, factor in expr.terms:
        term = Magnitude.of(max(-factor, 0), max(factor, 0))
        for atom in monomial:
            term *= _of_atom(atom, of_dim, exact)
        total += term
    return total


def size_bound(size: Index, exact: bool = False) -> Index:
    """An upper bound of a size, which contains parameters only."""
    return magnitude(size, _no_dim, exact).above


def _no_dim(position: int) -> Magnitude:
    raise AssertionError(f"d{position} in a size")


def _of_atom(atom: Atom, of_dim: OfDim, exact: bool) -> Magnitude:
    if isinstance(atom, Dim):
        return of_dim(atom.position)
    if not isinstance(atom, Apply):
        return Magnitude(ZERO, of_atom(atom))
    left, right = (magnitude(side, of_dim, exact) for side in (atom.lhs, atom.rhs))
    match atom.op:
        case "min":
            return Magnitude(_either(left.below, right.below), _smaller(left.above, right.above))
        case "max":
            return Magnitude(_smaller(left.below, right.below), _either(left.above, right.above))
        case "mod" | "rem":
            divisor = right.above + right.below
            above = _smaller(divisor, left.above) if left.below == 0 else divisor
            return Magnitude(right.below + (left.below if atom.op == "rem" else ZERO), above)
        case _:
            rounded = ZERO if left.below == 0 and right.below == 0 else index(1)
            divisor = atom.rhs.constant if exact else None
            above, below = (side // divisor if divisor and divisor > 0 else side for side in (left.above, left.below))
            below = below + rounded
            return Magnitude(below, above) if right.below == 0 else Magnitude(below + above, below + above)


def _smaller(a: Index, b: Index) -> Index:
    """The smaller of two bounds if that is known, else a bound that is a small constant, else the first bound."""
    if a.constant is not None and b.constant is not None:
        return a if a.constant <= b.constant else b
    constant, other = (a, b) if a.constant is not None else (b, a)
    return constant if constant.constant is not None and constant.constant < 1 << 31 else other


def _either(a: Index, b: Index) -> Index:
    """A bound of both expressions."""
    if a.constant is not None and b.constant is not None:
        return a if a.constant >= b.constant else b
    return b if a == 0 else a if b == 0 else a + b
