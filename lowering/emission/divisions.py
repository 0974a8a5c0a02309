"""Analysis of index expressions before emission: divisions that may truncate, and the integer width that is needed."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from ...ir.index.expressions import Apply, Atom, Dim, Index, apply, index, of_atom
from ...ir.index.simplify import Ranges

SPELLINGS = MappingProxyType({"floordiv": "div", "mod": "rem"})


def truncating(expr: Index, ranges: Ranges) -> Index:
    """Replace `floordiv` and `mod` of operands proven non-negative by the truncating `div` and `rem`."""
    return expr if expr.is_polynomial else expr.with_applications(lambda atom: _truncating_atom(atom, ranges))


def magnitude(expr: Index, dims: Mapping[int, Index]) -> Index | None:
    """An upper bound of the absolute values of all intermediate results, over parameters, which are sizes; None if unknown."""
    total = index(0)
    for monomial, factor in expr.terms:
        product = index(abs(factor))
        for atom in monomial:
            size = _magnitude_of_atom(atom, dims)
            if size is None:
                return None
            product = product * size
        total = total + product
    return total


def _magnitude_of_atom(atom: Atom, dims: Mapping[int, Index]) -> Index | None:
    if isinstance(atom, Dim):
        return dims.get(atom.position)
    if not isinstance(atom, Apply):
        return of_atom(atom)
    lhs, rhs = (magnitude(side, dims) for side in (atom.lhs, atom.rhs))
    if lhs is None or rhs is None:
        return None
    if lhs.constant is not None and rhs.constant is not None:
        return index(max(lhs.constant, rhs.constant))
    # The divisor's magnitude is added rather than taken as a maximum: divisors are small, and a launch evaluates a sum without
    # cases.
    return lhs + rhs


def _truncating_atom(atom: Apply, ranges: Ranges) -> Index:
    lhs, rhs = truncating(atom.lhs, ranges), truncating(atom.rhs, ranges)
    if atom.op not in SPELLINGS:
        return apply(atom.op, lhs, rhs)
    exact = ranges.nonnegative(atom.lhs) and (rhs.constant or ranges.nonnegative(atom.rhs - 1))
    return apply(SPELLINGS[atom.op] if exact else atom.op, lhs, rhs)
