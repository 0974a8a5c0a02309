"""Inverses by phases and groups lead where the inverse itself does, at every place of small targets."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

import pytest
from stepwell.ir.index import Atom, Dim, Index, dim, index, param
from stepwell.ir.inverse import Inverse, invert
from stepwell.ir.shapes import IndexMap, Shape
from stepwell.passes.phases import Phases, in_groups, in_phases

A, B, C, D, E = (dim(k) for k in range(5))
N = param("n")


class Case(NamedTuple):
    """A map from indices of a domain to places, what divides them, and how many axes the places have then."""

    results: Sequence[Index]
    domain: Sequence[Index | int]
    target: Sequence[Index | int]
    divide: Callable[[Shape, Inverse], Phases | None]
    axes: int


# The last axis of a domain, which nothing determines, is what a product sums over besides.
CASES = {
    "step of two": Case([A * 2 + B - 1], [5, 3, 2], [9], in_phases, 2),
    "step of three, no border": Case([A * 3 + B], [6, 5, 2], [20], in_phases, 2),
    "shifted far": Case([A * 2 + B - 5], [6, 4, 2], [7], in_phases, 2),
    "backwards": Case([A * 2 - B + 3], [5, 3, 2], [12], in_phases, 2),
    "two axes": Case([A * 2 + C - 1, B * 3 + D], [4, 3, 3, 4, 2], [8, 10], in_phases, 3),
    "one axis with a step": Case([A * 2 + C, B + D - 1], [4, 5, 3, 3, 2], [9, 5], in_phases, 3),
    "symbolic": Case([A * 2 + B], [N, 3, 2], [N * 2 + 1], in_phases, 2),
    "groups": Case([A * 3 + B], [2, 3, 2], [6], in_groups, 2),
    "groups and another axis": Case([C, A * 2 + B], [3, 2, 4, 2], [4, 6], in_groups, 3),
    "symbolic groups": Case([A * N + B], [4, N, 2], [N * 4], in_groups, 2),
}


def values(exprs: Sequence[Index | int], at: Sequence[int], n: int) -> tuple[int, ...]:
    def lookup(atom: Atom) -> int:
        return at[atom.position] if isinstance(atom, Dim) else n

    return tuple(index(expr).evaluate(lookup) for expr in exprs)


def box(sizes: Sequence[int]) -> Iterator[tuple[int, ...]]:
    return itertools.product(*(range(size) for size in sizes))


@pytest.mark.parametrize("case", CASES.values(), ids=CASES.keys())
def test_every_place_has_the_indices_that_lead_there(case: Case):
    domain, target = (tuple(map(index, shape)) for shape in (case.domain, case.target))
    inverse = invert(IndexMap.of(len(domain), case.results), domain, target)
    assert inverse is not None
    found = case.divide(target, inverse)
    assert found is not None and len(found.places) == case.axes
    assert not any("mod" in str(guard) for guard in found.inverse.guards)
    for n in (1, 2, 5):
        sizes = values(domain, (), n)
        for place in box(values(target, (), n)):
            divided = values(found.at, place, n)
            assert all(0 <= each < size for each, size in zip(divided, values(found.places, (), n), strict=True))
            leading: list[tuple[int, ...]] = []
            for run in box(values(found.inverse.free, (), n)):
                at = values(found.inverse.at, (*divided, *run), n)
                inside = all(0 <= each < size for each, size in zip(at, sizes, strict=True))
                if inside and all(guard >= 0 for guard in values(found.inverse.guards, (*divided, *run), n)):
                    leading.append(at)
            assert sorted(leading) == [at for at in box(sizes) if values(case.results, at, n) == place]


def test_what_is_no_product_has_no_phases():
    """Of windows alone, as those of a pool are, a sum by phases is no product of matrices."""
    domain, target = (index(5), index(3)), (index(9),)
    inverse = invert(IndexMap.of(2, [A * 2 + B - 1]), domain, target)
    assert inverse is not None and in_phases(target, inverse) is None and in_groups(target, inverse) is None
