"""The offsets of large results in a page: as far behind the arguments as possible, in Python's and in native calls."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
import pytest
import stepwell as sw
from stepwell.runtime.cpu.result_memory import LINE, PAGE, quiet_place
from stepwell.runtime.cpu.warm_calls import CALLS_BEFORE

RNG = np.random.default_rng(0)


def behind(place: int, argument: Any) -> int:
    """The distance of an offset in a page behind that of an argument, in lines; a whole page if both are in one line."""
    return (place // LINE - argument.ctypes.data % PAGE // LINE - 1) % (PAGE // LINE) + 1


@pytest.mark.parametrize("calls", [1, CALLS_BEFORE + 3])
@pytest.mark.parametrize("seed", range(8))
def test_large_results_begin_as_far_behind_arguments_as_can_be(calls: int, seed: int):
    random = np.random.default_rng(seed)
    starts = random.integers(0, PAGE // 4, 3)
    a, b, c = (np.zeros(2 * PAGE, np.float32)[start : start + 1000] for start in starts)
    few = np.ones(8, np.float32)  # one line at most, which no loop reads in vectors
    f = sw.jit(lambda a, b, c, few: sw.concatenate([(a + b + c) * few[0]] * 32))
    place = [f(a, b, c, few).ctypes.data % PAGE for _ in range(calls)][-1]
    best = max(min(behind(line * LINE, each) for each in (a, b, c)) for line in range(PAGE // LINE))
    assert min(behind(place, each) for each in (a, b, c)) == best


@pytest.mark.parametrize("calls", [1, CALLS_BEFORE + 3])
def test_large_results_are_away_from_captured_arrays_too(calls: int):
    """The program has a copy of the captured array: for many offsets of the argument, results begin on the line of the copy."""
    room, captured = RNG.standard_normal(31_024), RNG.standard_normal(30_000)
    f = sw.jit(lambda a: a + captured)
    places: list[int] = []
    for start in range(0, PAGE // 8, LINE // 8):
        places += [f(room[start : start + 30_000]).ctypes.data % PAGE for _ in range(calls)]
    assert max(Counter(places).values()) > len(places) // 3


@pytest.mark.parametrize("calls", [1, CALLS_BEFORE + 3])
def test_large_results_without_arguments_begin_with_a_page(calls: int):
    f = sw.jit(lambda: sw.ones((300, 100)))
    result = [f() for _ in range(calls)][-1]
    assert result.ctypes.data % PAGE == quiet_place([np.zeros(8, np.float32)]) == 0
