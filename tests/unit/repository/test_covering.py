"""Covering sets of cases: each pair of values occurs in a case, and few cases suffice."""

from __future__ import annotations

from itertools import combinations, product

import pytest
from stepwell.tests.unit.covering import covering

pytest_plugins = ["pytester"]


def cases(*counts: int) -> dict[tuple[int, ...], dict[str, int]]:
    """All combinations of values, for the given numbers of values of each parameter."""
    return {case: {f"p{k}": value for k, value in enumerate(case)} for case in product(*map(range, counts))}


@pytest.mark.parametrize("counts", [(2, 2), (4, 4, 4), (2, 3, 4), (2, 2, 2, 2, 2), (5,)])
def test_each_pair_of_values_is_in_a_case(counts: tuple[int, ...]):
    chosen = covering(cases(*counts), 2)
    for first, second in combinations(range(len(counts)), 2):
        pairs = {(case[first], case[second]) for case in chosen}
        assert len(pairs) == counts[first] * counts[second]
    assert {case[0] for case in chosen} == set(range(counts[0]))


def test_few_cases_are_enough():
    assert len(covering(cases(4, 4, 4), 2)) <= 24
    assert len(covering(cases(2, 2, 2, 2, 2), 2)) <= 8
    assert len(covering(cases(11, 4), 1)) == 11


def test_values_are_chosen_equally_often():
    """Of many cases with two values, half have each."""
    chosen = covering(cases(10, 2), 1)
    assert len(chosen) == 10 and sum(second for _, second in chosen) == 5


def test_pairs_that_no_case_has_are_not_wanted():
    found = {case: values for case, values in cases(3, 3).items() if case[0] <= case[1]}
    assert covering(found, 2) == list(found)


def test_marked_tests_leave_out_cases_unless_the_whole_is_wanted(pytester: pytest.Pytester):
    pytester.makeconftest("from stepwell.tests.unit.conftest import pytest_addoption, pytest_collection_modifyitems")
    pytester.makepyfile(
        """
        import pytest

        @pytest.mark.covering(1)
        @pytest.mark.parametrize("x", range(3))
        @pytest.mark.parametrize("y", range(2))
        def test_marked(x, y):
            pass

        @pytest.mark.parametrize("x", range(3))
        @pytest.mark.parametrize("y", range(2))
        def test_others(x, y):
            pass

        @pytest.mark.every(3)
        @pytest.mark.parametrize("x", range(7))
        def test_some(x):
            pass
        """
    )
    assert pytester.inline_run().countoutcomes() == [12, 0, 0]
    assert pytester.inline_run("--whole").countoutcomes() == [19, 0, 0]
