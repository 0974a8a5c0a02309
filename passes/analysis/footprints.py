"""Footprints: the cache lines that accesses touch in the iterations of some loops, for given sizes.

An access whose address is linear in the loops around it touches a `Span`: runs of contiguous bytes, repeated at one or more
strides. Spans of equal strides are united, so that adjacent accesses, overlapping windows, and a row that is read twice count
once.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import ceil, prod
from typing import NamedTuple

LINE = 64  # bytes
_ELEMENT = 4  # bytes by which runs are shifted


class Axis(NamedTuple):
    """A loop as an access sees it: its iterations, and the bytes by which the address moves in each."""

    trips: int
    stride: int


class Span(NamedTuple):
    """Runs of `extent` bytes, the first at byte `offset`, repeated along axes of growing stride."""

    axes: tuple[Axis, ...]
    extent: int
    offset: int

    @staticmethod
    def of(offset: int, size: int, axes: Sequence[Axis]) -> Span:
        """The span of an access to `size` bytes, the first at byte `offset`."""
        extent, apart = size, list[Axis]()
        offset += sum(axis.stride * (axis.trips - 1) for axis in axes if axis.stride < 0)
        for stride, trips in sorted((abs(stride), trips) for trips, stride in axes if trips > 1 and stride != 0):
            if not apart and stride <= extent + LINE:
                extent += stride * (trips - 1)
            elif apart and stride % apart[-1].stride == 0 and stride // apart[-1].stride <= apart[-1].trips:
                last = apart[-1]
                apart[-1] = Axis(last.trips + stride // last.stride * (trips - 1), last.stride)
            else:
                apart.append(Axis(trips, stride))
        return Span(tuple(apart), extent, offset)

    @property
    def lines(self) -> float:
        return prod(axis.trips for axis in self.axes) * _lines_of_run(self.extent, self.axes)


def _lines_of_run(extent: int, axes: Iterable[Axis]) -> float:
    """The lines that a run of bytes lies in. Runs that start anywhere in a line lie in one more on average."""
    if all(axis.stride % LINE == 0 for axis in axes):
        return ceil(extent / LINE)
    return extent / LINE + 1 - _ELEMENT / LINE


def united_lines(spans: Iterable[Span]) -> float:
    """The lines that spans of one buffer touch together."""
    alike: dict[tuple[Axis, ...], list[Span]] = {}
    for span in set(spans):
        alike.setdefault(span.axes, []).append(span)
    return sum(_united(axes, sorted(group, key=lambda span: span.offset)) for axes, group in alike.items())


def _united(axes: Sequence[Axis], spans: Sequence[Span]) -> float:
    """The lines of spans with equal axes, in the order of their offsets."""
    counts = [axis.trips for axis in axes]
    runs: list[tuple[int, int]] = []
    for span in spans:
        shift = span.offset - spans[0].offset
        # A span that is shifted by whole steps along an axis makes that axis longer.
        for k in reversed(range(len(axes))):
            steps = shift // axes[k].stride
            if 0 < steps <= axes[k].trips:
                counts[k] = max(counts[k], axes[k].trips + steps)
                shift -= steps * axes[k].stride
        runs.append((shift, shift + span.extent))
    return prod(counts) * sum(_lines_of_run(end - start, axes) for start, end in _merged(sorted(runs)))


def _merged(runs: Iterable[tuple[int, int]]) -> list[tuple[int, int]]:
    """Sorted runs of bytes, with those that touch merged."""
    merged: list[tuple[int, int]] = []
    for start, end in runs:
        if merged and start <= merged[-1][1] + LINE:
            merged[-1] = (merged[-1][0], max(end, merged[-1][1]))
        else:
            merged.append((start, end))
    return merged
