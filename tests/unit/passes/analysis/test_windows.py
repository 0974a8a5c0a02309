"""Overlapping windows: the answers for known, unknown and symbolic sizes."""

from stepwell.ir.index.expressions import dim, param
from stepwell.ir.index.simplify import Ranges
from stepwell.passes.analysis.windows import is_in_windows, may_be_in_windows, repeats

i, j, n = dim(0), dim(1), param("n")


def test_windows_overlap_if_they_begin_no_further_apart_than_they_reach() -> None:
    three = Ranges.of_shape((n, 3))
    assert is_in_windows(i + j, {1}, three)
    assert is_in_windows(2 * i + j, {1}, three)
    assert is_in_windows(i * -2 + j, {1}, three)
    assert not is_in_windows(3 * i + j, {1}, three)
    assert not is_in_windows(i * n + j, {1}, three), "an unknown distance"
    assert not is_in_windows(i + j, {1}, Ranges.of_shape((n, n))), "an unknown length"
    assert not is_in_windows(i + j, {1}, three, places=set())


def test_windows_may_overlap_unless_their_length_divides_their_distance() -> None:
    assert may_be_in_windows(i + j, 1, n, [0])
    assert may_be_in_windows(i * j, 1, n, [0])
    assert not may_be_in_windows(i * n + j, 1, n, [0])
    assert not may_be_in_windows(6 * i + j, 1, dim(0) * 0 + 3, [0])
    assert not may_be_in_windows(i, 1, n, [0]), "not summed"
    assert not may_be_in_windows(i // 2 + j, 1, n, [0]), "the quotient is the same for several indices"


def test_addresses_repeat_if_a_stride_does_not_exceed_the_reach_of_smaller_ones() -> None:
    trips = {0: 4, 1: 3}
    assert repeats(i + j, trips, unknown=False)
    assert not repeats(3 * i + j, trips, unknown=True)
    assert not repeats(3 * i - j, trips, unknown=True), "a negative stride"
    assert repeats(3 * i + j, {0: 4, 1: None}, unknown=False), "the window may be long"
    assert not repeats(i * n + j, trips, unknown=False)
    assert repeats(i * n + j, trips, unknown=True)
    assert repeats((i + j) // 2, trips, unknown=False)
