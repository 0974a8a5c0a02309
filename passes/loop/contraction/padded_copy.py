"""The padded copy of the source of windows: its elements, de-interleaved for strided windows, and in pairs for bfloat16.

Both tilings of convolutions read the copy: the tiling along columns or pixels (`window_tiles.py`), and the tiling of rows that
slide over summed loops (`sliding_rows.py`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from xdsl.ir import Attribute, SSAValue

from ....dialects import loop
from ....ir.index.expressions import Atom, Dim, Index, IndexLike, ceildiv, dim
from ....ir.scalars.attributes import number
from ....ir.types.shapes import element_of, shape_of
from ...analysis.contractions import Axis, Contraction, is_of_bfloat16
from ...analysis.loop_nests import Frame
from ..builder import Writer
from ..memory.interleaved import place_together
from .tile_builder import Summed


@dataclass(frozen=True)
class Windows:
    """The load that reads windows, the strides of its last addresses along column loops if columns slide, and the least and the
    greatest value of the terms added to each address."""

    load: loop.LoadOp
    steps: tuple[int, ...]
    spans: tuple[tuple[Index, Index], ...]

    @property
    def outer(self) -> int:
        """The number of addresses before those along column loops."""
        return len(self.spans) - len(self.steps)

    @property
    def sizes(self) -> list[Index]:
        return [greatest - least + 1 for least, greatest in self.spans]


def loaded(value: SSAValue) -> loop.LoadOp | None:
    """The load that gives a value, looking through casts."""
    load = value.owner.input.owner if isinstance(value.owner, loop.CastOp) else value.owner
    return load if isinstance(load, loop.LoadOp) else None


@dataclass(frozen=True)
class Halves:
    """A summed loop whose index alone is an address of windows, before the addresses along column loops, and half its size."""

    level: Axis
    address: int
    size: Index

    @property
    def beyond(self) -> list[Index]:
        """An expression that is non-negative where an index of the second half, counted from the start of that half, is in
        bounds."""
        return [] if self.level.upper == 2 * self.size else [self.level.upper - 1 - self.size]

    def pair(self, places: Mapping[Atom, IndexLike], own: Atom) -> list[Summed]:
        """The summed indices of both elements of a pair, given those of the first element in `places`. `own` is the index of
        the loop that is split into halves."""
        second = {**places, own: places[own] + self.size}
        return [Summed(places), Summed(second, [each - places[own] for each in self.beyond])]


def halves_of(found: Contraction, levels: Sequence[Axis], windows: Windows, frame: Frame) -> Halves | None:
    """The first of some summed loops whose halves make pairs of products; None if there is none."""
    exprs = frame.exprs(windows.load)
    for level in levels:
        own = frame.number(level.induction)
        places = [k for k, expr in enumerate(exprs) if own in expr.dims()]
        alone = len(places) == 1 and places[0] < windows.outer and exprs[places[0]] == dim(own)
        if alone and is_of_bfloat16(found, level.upper):
            return Halves(level, places[0], ceildiv(level.upper, 2))
    return None


class PaddedCopy:
    """The elements of a copy of the source of windows, of type `element`."""

    def __init__(self, windows: Windows, halves: Halves | None, frame: Frame, writer: Writer, element: Attribute):
        load = windows.load
        self.windows = windows
        self.halves = halves
        self.fill = load.fill if load.fill is not None else number(0, element_of(load.buffer))
        self._frame = frame
        self._writer = writer
        self._element = element

    def values(self, at: Sequence[Index]) -> list[SSAValue]:
        """The element of the copy at an index: an element of the source, or the padding value; a pair if a loop is halved."""
        if self.halves is None:
            return [self._value(at)]
        half = self.halves
        return [self._value(at), self._value([each + half.size if k == half.address else each for k, each in enumerate(at)])]

    def _value(self, at: Sequence[Index]) -> SSAValue:
        """The element of the source at an index as if no loop were halved, or the padding value."""
        load, outer = self.windows.load, self.windows.outer
        together = [*at[:outer], *place_together(at[outer:], self.windows.steps)]
        places = [place + least for place, (least, _) in zip(together, self.windows.spans, strict=True)]
        bounds = [bound for e, size in zip(places, shape_of(load.buffer), strict=True) for bound in (e, size - 1 - e)]
        ranges = self._frame.ranges({number for place in places for number in place.dims()})
        needed = [bound for bound in bounds if not ranges.nonnegative(bound)]
        return self._writer.cast(self._writer.load(load.buffer, places, needed, self.fill), self._element)

    def pairs(self, places: Mapping[Atom, IndexLike]) -> list[Summed]:
        """The summed indices of the numbers in an element of a panel of the other operand, given those of the first number."""
        if self.halves is None:
            return [Summed(places)]
        return self.halves.pair(places, Dim(self._frame.number(self.halves.level.induction)))
