"""Windows: indices that add a summed index to another one, as convolutions read images.

Windows overlap if they begin no further apart than they reach: then several windows share elements. Three questions differ in
their answer for unknown sizes:

- `is_in_windows`: do windows overlap for certain?
- `may_be_in_windows`: do windows overlap unless their lengths divide their distances?
- `repeats`: do several indices, whichever of them are summed, give the same address?
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Set

from ...ir.index.expressions import ZERO, Apply, Dim, Index, of_atom, split_multiples
from ...ir.index.simplify import Ranges


def is_in_windows(expr: Index, summed: Set[int], ranges: Ranges, places: Set[int] | None = None) -> bool:
    """Whether an index is in windows that overlap: they begin no further apart than the summed dimensions reach. Rows of a
    reshaped array do not overlap, nor do windows whose length or distance is unknown. The windows begin at the dimensions
    `places`, by default all that are not summed."""
    others = expr.dims() - summed
    within = expr.substitute({Dim(axis): 0 for axis in others})
    least, most = (ranges.bound(within, upper=upper) for upper in (False, True))
    reach = (most - least).constant if most is not None and least is not None else None
    moving = others if places is None else others & places
    apart = [(expr.coefficient(Dim(axis)) or ZERO).constant or 0 for axis in moving]
    return reach is not None and any(0 < abs(each) <= reach for each in apart)


def may_be_in_windows(expr: Index, axis: int, length: Index, places: Collection[int]) -> bool:
    """Whether an index may be in overlapping windows of a summed dimension: one of `places` is added to it or multiplies it.
    Windows do not overlap if their distance is a multiple of their length, as groups are. A quotient of a place does not move
    windows: it is the same for several indices."""
    if axis not in expr.dims():
        return False
    together = [frozenset().union(*(of_atom(atom).dims() for atom in monomial)) for monomial, _ in expr.terms]
    if any(axis in dims and not dims.isdisjoint(places) for dims in together):
        return True
    apart = filter(None, (expr.coefficient(Dim(place)) for place in places))
    return any(each != 0 and (expr.coefficient(Dim(axis)) != 1 or split_multiples(each, length)[1] != 0) for each in apart)


def repeats(expr: Index, trips: Mapping[int, int | None], *, unknown: bool) -> bool:
    """Whether several indices give the same address: the stride of a dimension does not exceed the reach of the dimensions with
    smaller strides. A number of trips of None is unknown, and may be large. `unknown` is the answer for strides that are not
    constant. Of a dimension in a quotient, the quotient's numerator is asked."""
    strides = [(number, expr.coefficient(Dim(number))) for number in expr.dims()]
    known = [(abs(each.constant), trips.get(number)) for number, each in strides if each is not None and each.constant]
    reach: int | None = 0
    for stride, count in sorted(known, key=lambda each: each[0]):
        if reach is None or stride <= reach:
            return True
        reach = None if count is None else reach + stride * (count - 1)
    if unknown and len(known) < len(strides):
        return True
    numerators = [atom.lhs for monomial, _ in expr.terms for atom in monomial if isinstance(atom, Apply)]
    return any(repeats(each, trips, unknown=unknown) for each in numerators)
