"""Covering sets of parametrized tests: of a product of parameters, cases in which each pair of values occurs.

Most faults need one value or two that meet (Kuhn, Wallace and Gallo 2004). A test marked `covering` runs such a set of its
cases; `pytest --whole` runs them all. `covering(1)` is for parameters that do not meet: each value occurs in a case.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Mapping, Sequence
from itertools import combinations
from typing import TypeVar

T = TypeVar("T", bound=Hashable)


def covering(cases: Mapping[T, Mapping[str, int]], strength: int) -> list[T]:
    """The cases to run, in their order. Each has the number of the value of each parameter; each combination of values of
    `strength` parameters that some case has is in one of those chosen. Greedy: the next case is the one with the most new
    combinations; of several, the one whose values were chosen least often, so that a parameter of two values alternates."""
    wanted = {case: _combinations(values, strength) for case, values in cases.items()}
    missing = set().union(*wanted.values())
    chosen: set[T] = set()
    uses: Counter[tuple[str, int]] = Counter()
    while missing:
        new = {case: len(found & missing) for case, found in wanted.items() if found & missing}
        most = max(new.values())
        frequency = {case: sum(uses[each] for each in cases[case].items()) for case, count in new.items() if count == most}
        best = min(frequency, key=frequency.__getitem__)
        chosen.add(best)
        uses.update(cases[best].items())
        missing -= wanted[best]
    return [case for case in cases if case in chosen]


def _combinations(values: Mapping[str, int], strength: int) -> set[Sequence[tuple[str, int]]]:
    return set(combinations(sorted(values.items()), min(strength, len(values))))
