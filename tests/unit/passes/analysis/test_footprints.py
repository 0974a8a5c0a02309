"""Cache lines that accesses touch, against counting them one by one."""

import itertools
import random

import pytest
from stepwell.passes.analysis.footprints import LINE, Axis, Span, united_lines


def counted(offset: int, size: int, axes: list[Axis]) -> int:
    """The lines of an access, from each of its addresses."""
    found: set[int] = set()
    for at in itertools.product(*(range(axis.trips) for axis in axes)):
        start = offset + sum(k * axis.stride for k, axis in zip(at, axes, strict=True))
        found.update(range(start // LINE, (start + size - 1) // LINE + 1))
    return len(found)


@pytest.mark.parametrize(
    "axes",
    [
        [Axis(1000, 4)],  # along a row
        [Axis(50, 4096)],  # down a column
        [Axis(20, 4000), Axis(100, 4)],  # a block of a matrix
        [Axis(100, 4), Axis(20, 4000)],  # the same in another order
        [Axis(30, 4096), Axis(3, 4096)],  # windows that overlap
        [Axis(30, 4), Axis(9, 4)],
        [Axis(10, -4096)],  # backwards
        [Axis(10, 0), Axis(16, 4)],  # the same again
    ],
)
def test_lines_of_one_access(axes):
    assert Span.of(1 << 20, 4, axes).lines == pytest.approx(counted(1 << 20, 4, axes), rel=0.1, abs=1)


def test_accesses_beside_each_other_count_once():
    rows = [Axis(30, 4096), Axis(1000, 4)]
    beside = [Span.of(4 * shift, 4, rows) for shift in (0, 1, 2)]
    assert united_lines(beside) <= beside[0].lines + 30
    above = [Span.of(4096 * shift, 4, rows) for shift in (0, 1, 2)]
    assert united_lines(above) == pytest.approx(above[0].lines * 32 / 30, rel=0.01)
    assert united_lines([beside[0], Span.of(1 << 24, 4, rows)]) == 2 * beside[0].lines


def test_random_accesses_are_counted_within_a_third():
    rng = random.Random(0)
    for _ in range(300):
        stride, axes = 4, list[Axis]()
        for _ in range(rng.randint(1, 3)):
            trips = rng.randint(1, 20)
            axes.append(Axis(trips, stride))
            stride *= trips + rng.randint(0, 20)
        rng.shuffle(axes)
        assert Span.of(0, 4, axes).lines == pytest.approx(counted(0, 4, axes), rel=0.34, abs=2), axes
