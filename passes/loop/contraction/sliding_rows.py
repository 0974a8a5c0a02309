"""Tiles of contractions whose rows slide over the summed loops, as in the gradient of a convolution's weights.

    copy the left operand padded                            padded[n][c][y][x]
    for blocks of the first summed loop, as images:
      pack the right operand's block into panels            right[panel][n, y, x][columns]
      for panels of columns and of rows, in parallel:
        registers = 0
        for n, y, x: registers += padded[n][c + row][y + p][x + q] * right[panel][n, y, x][column]
        registers += the partial sums of the previous blocks
        after the last block the epilogue, else store the partial sums

Panels of the left operand would hold each element once for each tap, gathered one by one; rows read the copy as scalars. They
read the operand itself if windows are always in bounds. The sizes of windows must be known.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import fields

from xdsl.ir import SSAValue
from xdsl.rewriter import InsertPoint

from ....dialects import loop
from ....ir.index.expressions import Atom, Index, IndexLike, index, maximum, minimum, product
from ....ir.rewrite import Builder
from ....ir.types.shapes import row_major
from ...analysis.contractions import Contraction
from ...analysis.loop_nests import Frame
from .loop_tile_contractions import LoopTileContractions, Tiling
from .padded_copy import PaddedCopy, Windows, halves_of
from .tile_builder import Tile, Tiles
from .window_tiles import WindowTiles

# Innermost summed loops of at most so many steps are fully unrolled.
UNROLLED = 8


class SlidingTiling(Tiling):
    """Writes the schedule of one contraction whose left operand is a load over windows."""

    def __init__(self, found: Contraction, frame: Frame, options: WindowTiles, block: loop.BlockOp, windows: Windows):
        tile = {field.name: getattr(options, field.name) for field in fields(Tiles)}
        super().__init__(found, frame, LoopTileContractions(**tile), block)
        self.load, self.shape = windows.load, windows.sizes
        self.halves = halves_of(found, found.reduced[:1], windows, frame) if self.paired else None
        self.paired = self.halves is not None
        self.copy = PaddedCopy(windows, self.halves, frame, self.writer, found.element)
        # Windows that are always in bounds need no copy.
        self.reads_source = not self.load.guard_exprs and not self.paired and self.load.result.type == found.element
        self.starts = [index(0) if self.reads_source else least for least, _ in windows.spans]
        self.summed = [level.upper for level in found.reduced]
        if self.halves is not None:
            self.summed[0] = self.shape[self.halves.address] = self.halves.size
        # A block is one image if the size of images is not known.
        inner = product(self.summed[1:]).constant
        self.images = 1 if inner is None else max(1, self.sizes.depth // max(inner, 1))

    def _nest(self) -> None:
        padded = self._pad()
        with ExitStack() as stack:
            places: dict[Atom, IndexLike] = {
                self._atom(level): stack.enter_context(self.writer.loop("parallel", 0, level.upper, hint="b"))
                for level in self.found.batch
            }
            right, kept = self._panels()
            # There is at least one block, even without summed indices, since the last one stores results.
            end = maximum(self.summed[0], 1)
            images = stack.enter_context(self.writer.loop("sequential", 0, end, step=self.images, hint="images"))
            self._pack(right, images, places)
            p = stack.enter_context(self.writer.loop("parallel", 0, self.column_panels, hint="p"))
            q = stack.enter_context(self.writer.loop("parallel", 0, self.row_panels, hint="q"))
            self._sliding_tile(padded, right, kept, (images, p, q), places)

    # The copies

    def _pad(self) -> SSAValue:
        """The padded copy of the left operand's source, or the source itself."""
        if self.reads_source:
            return self.load.buffer
        copy = Builder(InsertPoint.before(self.block), self.load).add(loop.BlockOp())
        with self.writer.inside(InsertPoint.before(copy)):
            padded = self.writer.allocate(self.shape, self.found.element, None, "padded")
        with self.writer.inside(copy.body.block), ExitStack() as stack:
            at = [stack.enter_context(self.writer.loop("parallel", 0, size, hint="o")) for size in self.shape]
            self.writer.store(self._packed(self.copy.values(at)), padded, at)
        return padded

    def _panels(self) -> tuple[SSAValue, SSAValue | None]:
        """The panels of the right operand for a block, and the partial sums kept between blocks, unless there is only one."""
        space = "thread" if self.found.batch else None
        inner, element = product(self.summed[1:]), self.found.element
        with self.writer.inside(self.writer.builder.point if self.found.batch else InsertPoint.before(self.block)):
            shape = (self.column_panels, minimum(self.images, self.summed[0]) * inner, self.width)
            right = self.writer.allocate(shape, element, space, "right")
            if self.summed[0].constant is not None and self.summed[0].constant <= self.images:
                return right, None
            kept = (self.column_panels, self.row_panels, self.sizes.rows, self.width)
            return right, self.writer.allocate(kept, element, space, "kept")

    @contextmanager
    def _block_of(self, images: Index, kind: str) -> Iterator[tuple[dict[Atom, IndexLike], Index]]:
        """Loops over the summed indices of a block: the indices, and their linear index in it."""
        with ExitStack() as stack:
            steps = [minimum(self.images, self.summed[0] - images), *self.summed[1:]]
            kinds = [kind] * len(steps)
            if kind == "reduction" and len(steps) > 1 and (steps[-1].constant or UNROLLED + 1) <= UNROLLED:
                kinds[-1] = "unroll"
            at = [
                stack.enter_context(self.writer.loop(*each, hint="k"))
                for each in zip(kinds, [0] * len(steps), steps, strict=True)
            ]
            k = row_major([*steps[:1], *self.summed[1:]], at)
            at[0] = images + at[0]
            yield {self._atom(level): each for level, each in zip(self.found.reduced, at, strict=True)}, k

    def _pack(self, right: SSAValue, images: Index, places: Mapping[Atom, IndexLike]) -> None:
        """Pack panels of the right operand for a block."""
        last = self.found.columns[-1]
        with self.writer.loop("parallel", 0, self.column_panels, hint="panel") as panel:
            at, start = self._panel(self.found.columns, panel, self.width)
            for border in self._borders(start, self.width, last, by_k=self.right_by_k):
                with (
                    self._block_of(images, "parallel") as (summed, k),
                    self.writer.loop("parallel", 0, self.width, hint="column") as column,
                ):
                    value = self._read(
                        self.found.right, {**places, **at}, self.copy.pairs(summed), last, start + column, border
                    )
                    self.writer.store(value, right, [panel, k, column])

    # Tiles

    def _sliding_tile(
        self,
        padded: SSAValue,
        right: SSAValue,
        kept: SSAValue | None,
        at: tuple[Index, Index, Index],
        places: Mapping[Atom, IndexLike],
    ) -> None:
        images, p, q = at
        registers = self.writer.allocate(
            (self.sizes.rows, self.sizes.vectors, self.lanes), self.found.element, "register", "tile"
        )
        rows, row = self._panel(self.found.rows, q, self.sizes.rows)
        columns, column = self._panel(self.found.columns, p, self.width)
        tile = Tile({**places, **rows, **columns}, row, column)
        self._sum_products(
            registers,
            tile,
            lambda: self._block_of(images, "reduction"),
            lambda number, at: self.writer.load(padded, self._address({**places, **rows, **at[0]}, row + number)),
            lambda border: lambda number, at: self.writer.load(right, [p, at[1], number]),
        )
        if kept is None:
            self._finish(registers, tile)
            return
        with self.writer.branch(images - 1), self._elements() as (number, vector, lane):
            before = self.writer.load(kept, [p, q, number, vector * self.lanes + lane])
            total = self.writer.compute("add", self.writer.load(registers, [number, vector, lane]), before)
            self.writer.store(total, registers, [number, vector, lane])
        with self.writer.either(images + self.images - self.summed[0]) as (last, more):
            with self.writer.inside(last):
                self._finish(registers, tile)
            with self.writer.inside(more), self._elements() as (number, vector, lane):
                value = self.writer.load(registers, [number, vector, lane])
                self.writer.store(value, kept, [p, q, number, vector * self.lanes + lane])

    def _address(self, places: Mapping[Atom, IndexLike], row: Index) -> list[Index]:
        """The address of an element of the left operand; rows after the last one read the last one."""
        last = self.found.rows[-1]
        whole = last.upper % self.sizes.rows == 0
        here = {**places, self._atom(last): row if whole else minimum(row, last.upper - 1)}
        exprs = self.frame.exprs(self.load)
        return [expr.substitute(here) - start for expr, start in zip(exprs, self.starts, strict=True)]
