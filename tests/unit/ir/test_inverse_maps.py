"""Inverses of index maps, each against all indices of small domains."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from stepwell.ir.index.expressions import Atom, Dim, Index, Param, dim, index, maximum, param
from stepwell.ir.types.inverse_maps import invert
from stepwell.ir.types.shapes import IndexMap
from stepwell.lowering.graph_to_uop.shape import reshape_access

A, B, C, D = (dim(k) for k in range(4))
N, M = param("n"), param("m")


class Case(NamedTuple):
    """A map from indices of a domain to places; how many free dimensions its inverse may have."""

    results: Sequence[Index | int]
    domain: Sequence[Index | int]
    target: Sequence[Index | int]
    free: int = 0
    guards: Sequence[Index] = ()


CASES = {
    "transposition": Case([B, A], [N, M], [M, N]),
    "broadcast": Case([B], [N, M], [M], 1),
    "broadcast of an axis of size 1": Case([0, B], [N, M], [1, M], 1),
    "slice": Case([A * 2 + 1], [N], [N * 2 + 3]),
    "flip": Case([N - 1 - A], [N], [N]),
    "backward steps": Case([N * 3 - 1 - A * 3], [N], [N * 3]),
    "pad": Case([A - 2], [N + 5], [N]),
    "diagonal": Case([A + 1, A], [N], [N + 1, N]),
    "one element": Case([2, A], [N], [5, N]),
    "no dimensions": Case([], [N, M], [], 2),
    "window": Case([A + B - 1], [N, 3], [N], 1),
    "window with steps": Case([A * 2 + B * 3 - 1], [N, 3], [N * 2], 1),
    "window of symbolic size": Case([A * 2 + B], [N, M], [N * 2 + M - 2], 1),
    "windows side by side": Case([A * 3 + B], [N, 3], [N * 3]),
    "windows with gaps": Case([A * 4 + B], [N, 3], [N * 4]),
    "flattening": Case([A * M + B], [N, M], [N * M]),
    "unflattening": Case([A // M, A % M], [N * M], [N, M]),
    "three axes from one": Case([A // (M * 3), A // 3 % M, A % 3], [N * M * 3], [N, M, 3]),
    "one axis from three": Case([A * M * 3 + B * 3 + C], [N, M, 3], [N * M * 3]),
    "regrouping": Case(reshape_access((index(4), index(6)), (index(8), index(3))), [8, 3], [4, 6]),
    "simplified regrouping": Case([A // 2, (A * 3 + B) % 6], [8, 3], [4, 6]),
    "repetition": Case([A // 3], [N * 3], [N], 1),
    "tiling": Case([A % N], [N * 3], [N], 1),
    "rolling": Case([(A - 2) % N], [N], [N]),
    "groups of channels": Case([(A // 2) * 3 + B], [6, 3], [9], 1),
    "transposed window": Case([(A + 1 - B) // 2], [9, 3], [5], 1, [-((A + 1 - B) % 2)]),
    "guards": Case([A, B], [N, M], [N, M], 0, [A - B]),
    "places beyond the remainder": Case([A % 3], [6], [5], 1),
}


def values(exprs: Sequence[Index | int], at: Sequence[int], params: dict[str, int]) -> tuple[int, ...]:
    def lookup(atom: Atom) -> int:
        return at[atom.position] if isinstance(atom, Dim) else params[str(atom)]

    return tuple(index(expr).evaluate(lookup) for expr in exprs)


def box(sizes: Sequence[int]) -> Iterator[tuple[int, ...]]:
    return itertools.product(*(range(size) for size in sizes))


def expect_inverse(case: Case, params: dict[str, int]) -> int:
    """Check the inverse of a map at every place, and the number of its free dimensions."""
    domain, target = (tuple(map(index, shape)) for shape in (case.domain, case.target))
    found = invert(IndexMap.of(len(domain), case.results), domain, target, case.guards)
    assert found is not None
    sizes, places = values(domain, (), params), values(target, (), params)
    expected: dict[tuple[int, ...], list[tuple[int, ...]]] = {place: [] for place in box(places)}
    for at in box(sizes):
        place = values(case.results, at, params)
        if place in expected and all(guard >= 0 for guard in values(case.guards, at, params)):
            expected[place].append(at)
    for place, wanted in expected.items():
        leading: list[tuple[int, ...]] = []
        for run in box(values(found.free, (), params)):
            at = values(found.at, (*place, *run), params)
            inside = all(0 <= each < size for each, size in zip(at, sizes, strict=True))
            if inside and all(guard >= 0 for guard in values(found.guards, (*place, *run), params)):
                leading.append(at)
        assert sorted(leading) == wanted, f"{place} with {params}: {found}"
    return len(found.free)


@pytest.mark.parametrize("case", CASES.values(), ids=CASES.keys())
def test_every_place_has_the_indices_that_lead_there(case: Case):
    for n, m in ((1, 1), (2, 3), (4, 2), (5, 4)):
        assert expect_inverse(case, {"n": n, "m": m}) == case.free


def test_a_reshape_reads_without_guards():
    found = invert(IndexMap.of(1, [A // M, A % M]), (N * M,), (N, M))
    assert found is not None and found.guards == () and found.at == (A * M + B,)


def test_there_is_no_inverse_of_what_is_no_sum_of_quotients_and_remainders():
    assert invert(IndexMap.of(2, [maximum(A, B)]), (N, M), (N,)) is None
    assert invert(IndexMap.of(2, [A * B]), (N, M), (N * M,)) is None
    assert invert(IndexMap.of(2, [A // Index({(Param("n"), Dim(1)): 1})]), (N, M), (N,)) is None


sizes = st.integers(1, 5)
factors = st.integers(-3, 3).filter(bool)


@settings(max_examples=150, deadline=None)
@given(st.lists(sizes, min_size=1, max_size=3), st.data())
def test_sums_of_any_factors(domain: list[int], data: st.DataObject):
    terms = [dim(k) * data.draw(factors) for k in range(len(domain))]
    expr = sum(terms, index(data.draw(st.integers(-3, 3))))
    wrapped = data.draw(st.sampled_from([expr, expr // 2, expr % 3, expr % 4 + A * 4]))
    expect_inverse(Case([wrapped], domain, [data.draw(sizes)]), {})


@settings(max_examples=150, deadline=None)
@given(st.lists(sizes, min_size=1, max_size=3), st.permutations(range(3)))
def test_reshapes_of_any_sizes(shape: list[int], order: list[int]):
    """Reshapes to the same axes in another order: the elements stay where they are in memory."""
    after = tuple(index(shape[k]) for k in order if k < len(shape))
    before = tuple(map(index, shape))
    expect_inverse(Case(reshape_access(before, after), after, before), {})
