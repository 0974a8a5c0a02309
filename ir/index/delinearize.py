"""Quotients and remainders of a number as digits in a mixed radix, for expressions of axes that are joined and split again.

    (a floordiv b) floordiv c       ->  a floordiv (b * c)
    (a mod (b * c)) floordiv b      ->  (a floordiv b) mod c
    (a mod (b * c)) mod b           ->  a mod b

This form exposes digits that belong together. Other rules expect quotients in their usual form: the result is kept only if
digits were combined (`Ranges.simplify`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from .expressions import Apply, Index, Param, apply, of_atom, split_multiples

# Limits that keep divisors within 64 bits: of the numeric factor beside sizes, and of a number alone.
LARGEST_FACTOR, LARGEST_NUMBER = 1 << 31, 1 << 62


def as_digits(expr: Index, nonnegative: Callable[[Index], bool]) -> Index:
    """The expression with its quotients and remainders as digits, where divisors are known to be positive."""
    return expr.with_applications(lambda atom: _digit(atom, nonnegative))


def _digit(atom: Apply, nonnegative: Callable[[Index], bool]) -> Index:
    if atom.op not in ("floordiv", "mod"):
        return of_atom(atom)
    number = as_digits(atom.lhs, nonnegative) if atom.lhs.atom is not None else atom.lhs
    inner = number.atom
    if isinstance(inner, Apply) and (inner.op, atom.op) == ("floordiv", "floordiv"):
        divisor = joined_divisor(inner.rhs, atom.rhs)
        if divisor is not None:
            return inner.lhs // divisor
    if isinstance(inner, Apply) and inner.op == "mod":
        part, left = split_multiples(inner.rhs, atom.rhs)
        if left == 0 and nonnegative(part - 1) and nonnegative(atom.rhs):
            if atom.op == "mod":
                return inner.lhs % atom.rhs
            return as_digits(inner.lhs // atom.rhs, nonnegative) % part
    return apply(atom.op, number, atom.rhs)


def joined_divisor(first: Index, second: Index) -> Index | None:
    """The product of two divisors; None if it might be negative, exceed 64 bits, or be a sum of several terms."""
    product = first * second
    if len(product.terms) != 1:
        return None
    atoms, factor = product.terms[0]
    most = LARGEST_FACTOR if atoms else LARGEST_NUMBER
    return product if 0 < factor < most and all(isinstance(atom, Param) for atom in atoms) else None


def remainders(expr: Index) -> Iterator[tuple[Index, Apply]]:
    """The remainders in a sum, each after its factor."""
    for monomial, factor in expr.terms:
        for position, atom in enumerate(monomial):
            if isinstance(atom, Apply) and atom.op == "mod":
                yield Index({(*monomial[:position], *monomial[position + 1 :]): factor}), atom


def count_divisions(expr: Index) -> int:
    """The number of quotients and remainders in a sum."""
    return sum(isinstance(atom, Apply) and atom.op in ("floordiv", "mod") for monomial, _ in expr.terms for atom in monomial)
