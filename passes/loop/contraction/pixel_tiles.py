"""Tiles of contractions over windows: vectors along the rows, which are filters; columns, which are pixels, are read as
scalars.

    pack the left operand into panels as wide as a tile      left[panel][c, p, q][filters]
    for panels, lines and tiles of `rows` pixels of a line, in parallel:
      registers = 0
      for c, p, q: registers += joined[c][(y + p) * pitch + x + pixel + q] * left[panel][c, p, q][filter]
      the epilogue of each filter and pixel, from memory

Tiles end with a line of results, so that nothing is computed for the padding between the rows of the copy, and vectors are
aligned. Short rows are mostly padding. The number of pixels of a line must be known, so that tiles fit it. An unknown number of
filters is taken to be large.
"""

from __future__ import annotations

from collections.abc import Sequence, Set
from contextlib import ExitStack
from dataclasses import replace
from functools import cached_property
from typing import NamedTuple

from xdsl.ir import Operation, SSAValue

from ....dialects import loop
from ....ir.index.expressions import Atom, Index, IndexLike, ceildiv, minimum, product
from ....ir.types.dtypes import dtype_of
from ....ir.types.shapes import row_major
from ...analysis.contractions import Axis, Contraction, extent
from ...analysis.loop_nests import Frame
from ...analysis.strides import loads_in_vectors
from .padded_copy import Windows
from .tile_builder import LEAST_VECTOR
from .window_tiles import WindowTiles, WindowTiling

# The most pixels of a tile of a single vector, whose accumulators leave registers free.
MOST_PIXELS = 14
# The cycles to load a vector from the second cache (Sapphire Rapids), and the bytes of a panel that the first one keeps.
FAR_CYCLES, NEAR_BYTES = 1.33, 24 << 10
# Statements that read, which are cheap enough to be repeated.
_READS = (loop.LoadOp, loop.ConstantOp)
# Independent sums that hide the latency of multiply-add: four cycles in two units.
ENOUGH = 8


def tiling_of(
    found: Contraction, frame: Frame, options: WindowTiles, block: loop.BlockOp, windows: Windows
) -> WindowTiling | None:
    """The tiling with fewer unused sums; None if panels are better than a copy."""
    along = WindowTiling(found, frame, options, block, windows)
    if not along.pays():
        return None
    is_known = found.columns[-1].upper.constant is not None
    tiles = tiles_of(found.columns[-1], found.rows[-1], found, options) if is_known else None
    across = PixelTiling(found, frame, tiles, block, windows) if tiles is not None else along
    return across if across.stored >= along.stored else along


def tiles_of(rows: Axis, columns: Axis, found: Contraction, options: WindowTiles) -> WindowTiles | None:
    """Tiles with rows of scalars, as pixels, and vectors of columns, as filters, with the fewest unused sums; None if there are
    no rows or columns. Unknown numbers of rows or columns are taken to be large."""
    filters, pixels = columns.upper.constant, rows.upper.constant
    if filters == 0 or pixels == 0:
        return None
    itemsize = dtype_of(found.element).itemsize
    size, widths = options.bytes, [options.vectors]
    if filters is not None:
        narrow = max(LEAST_VECTOR, 1 << (filters * itemsize - 1).bit_length())
        size, widths = (narrow, [1]) if narrow < size else (size, range(1, options.vectors + 1))
    steps, lanes = extent(found.reduced).constant, size // itemsize

    def used(tile: tuple[int, int]) -> float:
        """The share of the multiply-add units' time for sums that are stored."""
        height, vectors = tile
        stored = (_share(filters, vectors * lanes) if filters else 1.0) * (_share(pixels, height) if pixels else 1.0)
        is_near = steps is not None and steps * vectors * size <= NEAR_BYTES
        return stored * _busy(height * vectors) * _fed(height, vectors, is_near=is_near)

    tiles = [(height, vectors) for vectors in widths for height in _heights(pixels, vectors, options)]
    height, vectors = max(tiles, key=lambda tile: (used(tile), tile[0] * tile[1]))
    return replace(options, rows=height, vectors=vectors, bytes=size)


def _heights(pixels: int | None, vectors: int, options: WindowTiles) -> Sequence[int]:
    """The heights of tiles of so many vectors, whose accumulators fit in registers."""
    most = min(max(options.rows, MOST_PIXELS if vectors == 1 else 0), options.rows * options.vectors // vectors)
    return [most] if pixels is None else range(1, min(most, pixels) + 1)


def _fed(rows: int, vectors: int, *, is_near: bool) -> float:
    """The share of the time that a step's multiply-adds take in that of its loads: a scalar of each row from the first cache,
    and vectors from there or from the second cache."""
    adds, loads = rows * vectors / 2, rows / 2 + vectors * (0.5 if is_near else FAR_CYCLES)
    return min(adds / loads, 1.0)


def _share(size: int, block: int) -> float:
    """The share of an axis's whole blocks that lies within the axis."""
    return size / (-(-size // block) * block)


def _busy(accumulators: int) -> float:
    """The share of the multiply-add units' time that `accumulators` independent sums fill."""
    return min(accumulators / ENOUGH, 1.0)


class SplitEpilogue(NamedTuple):
    """The statements of an epilogue that run in vectors of filters, the one value that they compute for the others, and the
    others. Without such a value all statements are others."""

    along: Sequence[Operation]
    computed: SSAValue | None
    others: Sequence[Operation]


class PixelTiling(WindowTiling):
    """Writes the schedule of one contraction over windows, with pixels as the rows of tiles and filters as their columns."""

    def __init__(self, found: Contraction, frame: Frame, options: WindowTiles, block: loop.BlockOp, windows: Windows):
        super().__init__(found, frame, options, block, windows)
        self.height = self.width
        self.row_panels = extent(found.rows[:-1]) * ceildiv(found.rows[-1].upper, self.height)

    @property
    def beyond(self) -> int:
        return self.sizes.rows

    @cached_property
    def stored(self) -> float:
        filters, pixels = (axes[-1].upper.constant for axes in (self.found.rows, self.found.columns))
        assert pixels, "tiles are for lines of known length"
        used = _share(filters, self.height) if filters else 1.0
        return used * _share(pixels, self.sizes.rows) * _busy(self.sizes.rows * self.sizes.vectors)

    def _nest(self) -> None:
        joined, left = self._join(), self._pack_panels()
        *lines, last = self.inner
        with ExitStack() as stack:
            places: dict[Atom, IndexLike] = {}
            images = [level for level in self.outer if level not in self.found.batch]

            def enter(levels: Sequence[Axis]) -> None:
                for level in levels:
                    every = self.writer.loop("parallel", 0, level.upper, hint="o")
                    places[self._atom(level)] = stack.enter_context(every)

            enter(self.found.batch)
            if not self._panels_are_larger():
                enter(images)
            q = stack.enter_context(self.writer.loop("parallel", 0, self.row_panels, hint="q"))
            if self._panels_are_larger():
                enter(images)
            line = [stack.enter_context(self.writer.loop("parallel", 0, level.upper, hint="line")) for level in lines]
            finished = self.writer.allocate((self.sizes.rows, self.width), self.found.element, "thread", "finished")
            every = self.writer.loop("parallel", 0, ceildiv(last.upper, self.sizes.rows), hint="p")
            first = stack.enter_context(every) * self.sizes.rows
            registers = self._pixel_tile(left, joined, q, [*line, first], places)
            self._store_pixels(registers, finished, q, [*line, first], places)

    def _panels_are_larger(self) -> bool:
        """Whether all panels of filters take more memory than an image: if so, one panel stays in the cache for all images;
        otherwise an image stays there for all panels. An unknown number of filters counts as large beside a known number of
        pixels."""
        panels, image = self.row_panels * self.total * self.height, product([*self.above[1:], *self.lengths])
        more, filters = (panels - image).constant, self.found.rows[-1].upper.constant
        if more is None:
            return filters is None and product(self.lengths).constant is not None
        return more > 0

    def _pixel_tile(
        self, left: SSAValue, joined: SSAValue, q: Index, pixel: list[Index], places: dict[Atom, IndexLike]
    ) -> SSAValue:
        """The sums of a tile whose first pixel is at this index, in registers."""
        shape = (self.sizes.rows, self.sizes.vectors, self.lanes)
        registers = self.writer.allocate(shape, self.found.element, "register", "tile")
        held = self._start_sums(registers)
        with self._summed("reduction", self._ends(q, places)) as (summed, k):
            *outside, tap = self._address({**places, **summed})
            start = tap + row_major(self.lengths, pixel)
            self._add_products(
                registers,
                held,
                lambda row: self.writer.load(joined, [*outside, start + row]),
                lambda column: self.writer.load(left, [*self._panel_at(places, q), k, column]),
            )
        return registers

    def _store_pixels(
        self, registers: SSAValue, finished: SSAValue, q: Index, pixel: list[Index], places: dict[Atom, IndexLike]
    ) -> None:
        """The epilogue of a tile, from memory, along the line for each filter. What the epilogue computes of the sums and of
        values of filters is computed before, in vectors of filters."""
        with self._elements() as (row, vector, lane):
            self.writer.store(self.writer.load(registers, [row, vector, lane]), finished, [row, vector * self.lanes + lane])
        rows, first = self._panel(self.found.rows, q, self.height)
        filters, last = self.found.rows[-1], self.inner[-1]
        *line, start = pixel
        around = {**places, **rows}
        around |= {self._atom(level): each for level, each in zip(self.inner[:-1], line, strict=True)}
        pixels = minimum(self.sizes.rows, last.upper - start)

        def here(row: Index, column: Index) -> dict[Atom, IndexLike]:
            return {**around, self._atom(filters): first + column, self._atom(last): start + row}

        split = self._split_epilogue()
        if split.computed is not None:
            with (
                self.writer.builder.source(self.found.nest),
                self.writer.loop("parallel", 0, pixels, hint="pixel") as row,
                self.writer.loop("parallel", 0, self.width, step=self.lanes, hint="vector") as vector,
                self.writer.loop("vector", 0, self.lanes, hint="lane") as lane,
            ):
                column, values = vector + lane, dict[SSAValue, SSAValue]()
                guards = {self._atom(filters): [filters.upper - 1 - first - column]}
                total = self.writer.load(finished, [row, column])
                self._copy_statements(split.along, total, values, here(row, column), guards)
                self.writer.store(values[split.computed], finished, [row, column])
        height = minimum(self.height, filters.upper - first)
        is_transposed = any(isinstance(op, loop.ComputeOp) for op in split.others)
        if is_transposed:
            finished = self._transposed(finished, height, pixels)
        with (
            self.writer.builder.source(self.found.nest),
            self.writer.loop("parallel", 0, height, hint="filter") as column,
            self.writer.loop("parallel", 0, pixels, hint="pixel") as row,
        ):
            total = self.writer.load(finished, [column, row] if is_transposed else [row, column])
            known = {} if split.computed is None else {split.computed: total}
            self._copy_statements(split.others, total, known, here(row, column), {})

    def _transposed(self, finished: SSAValue, height: Index, pixels: Index) -> SSAValue:
        """A copy of a finished tile in which pixels are contiguous, so that what is computed along a line runs in vectors."""
        transposed = self.writer.allocate((self.width, self.sizes.rows), self.found.element, "thread", "transposed")
        with (
            self.writer.loop("parallel", 0, height, hint="filter") as column,
            self.writer.loop("parallel", 0, pixels, hint="pixel") as row,
        ):
            self.writer.store(self.writer.load(finished, [row, column]), transposed, [column, row])
        return transposed

    def _split_epilogue(self) -> SplitEpilogue:
        """The split of the epilogue. Loads may move before stores: of what the nest stores, an epilogue reads at most the
        element that it stores itself, which does not lie along filters."""
        found, every = self.found, (*self.found.before, *self.found.after)
        along, results = list[Operation](), {found.result}
        for op in every:
            if self._runs_along_filters(op, results):
                along.append(op)
                results.update(op.results)
        others = [op for op in every if op not in along]
        used = {operand for op in others for operand in op.operands}
        crossing = [value for value in results if value in used and not isinstance(value.owner, _READS)]
        if len(crossing) != 1 or not isinstance(crossing[0].owner, loop.ComputeOp) or crossing[0].type != found.element:
            return SplitEpilogue((), None, every)
        return SplitEpilogue(along, crossing[0], [*(op for op in along if isinstance(op, _READS)), *others])

    def _runs_along_filters(self, op: Operation, results: Set[SSAValue]) -> bool:
        """Whether a statement computes something of the sums, of values of filters, or of what is the same for all filters."""
        if not isinstance(op, (*_READS, loop.ComputeOp, loop.CastOp)):
            return False
        if not loads_in_vectors([op], self.found.rows[-1].induction, self.lanes, self.frame):
            return False
        inside = [each.owner for each in op.operands if isinstance(each.owner, Operation) and each not in results]
        return not any(map(self.found.nest.is_ancestor, inside))
