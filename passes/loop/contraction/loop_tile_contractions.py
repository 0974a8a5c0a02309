"""loop-tile-contractions: tile, pack and register-block contractions, from matmul to convolution, in one schedule.

With rows m, columns n and summed indices k, each group linearised to one index:

    for blocks of columns, some blocks of k:
      copy the right operand's blocks into panels   right[block][p][k][columns]
      for blocks of rows:
        copy the left operand's block into panels   left[q][rows][k], or left[q][k][rows] where it lies along the rows
        for groups of tiles of `rows` x `vectors` vectors, in parallel:
          for these blocks of k, tiles of the group:
            registers = 0
            for k: registers += left[q][row][k] * right[block][p][k][column]
            registers += the partial sums of the previous blocks of k
            after the last block of k run the epilogue, else store the partial sums

1. Packing reads through the operands' own index maps (for a convolution that is im2col, a window at a time) and evaluates the
   operands' expressions. All tiles are whole: panels are padded with zeros, or along k by repeating their last row or column,
   which takes no second copy under guards. A left operand contiguous along k is read in place: the rows of a tile are as many
   streams, each of which uses whole cache lines. So is a left operand contiguous along the rows, if a single panel of columns
   would read its copy once. If the left operand is read in place, several blocks of k of the right operand are packed at once,
   of fewer columns: the sums of a group of tiles stay in the cache from block to block. A packed left operand would be packed
   again for each block of columns. In a step of a scan, one block of k is packed at once, of all columns: then packing can be
   hoisted before the first step. With few rows, packing the right operand costs more than it saves. If it is contiguous along
   the columns, whole tiles read it in place; if it is contiguous along k and the model predicts fewer cycles (`cycles`), the
   contraction is transposed: its rows are the columns of the result, and the right operand becomes the left one, read in place.
2. The innermost column loop is vectorised; the outer ones only select the panel.
3. Only tiles at the border store under guards.
4. Inside a loop over blocks of rows, a loop-invariant right operand is packed before that loop, all of it.
5. While the tiles of one product of a batch, or of one block of rows, are computed, prefetch the operands of the next product,
   or those that the next block's rows share. Each tile prefetches its share, on most processors not into the first cache, which
   holds the panels.
6. If the nest is known to have fewer columns than a tile, tiles are narrower, with more rows. If it is known to have too few
   rows or columns for tiles, or nothing to sum, it is left alone; if the first call had too few (`sw.hints`), the original nest
   remains as an alternative. Without a hint, few rows or columns are computed in partly unused tiles, to avoid a second nest in
   every program.
7. Results of a matrix times its transpose are symmetric: tiles below the diagonal are copied from those above it.
8. Where processors add two products of bfloat16 numbers at once (`pairs`), panels hold pairs of numbers: the number of a summed
   index and the number half the sum further on. Both lie in rows that are read in vectors.

Sums of float32 are in float32: each register adds `depth` products, and then the sums of the blocks are added.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import ExitStack, nullcontext
from dataclasses import dataclass, replace

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation, SSAValue
from xdsl.passes import ModulePass

from ....dialects import loop
from ....ir.index.expressions import Atom, Dim, Index, IndexLike, ceildiv, dim, index, minimum
from ....ir.rewrite import count, erase
from ....ir.types.dtypes import dtype_of
from ...analysis.contractions import Contraction, contractions_in
from ...analysis.equivalence import is_symmetric
from ...analysis.loop_nests import Frame, lowered_blocks
from ...analysis.reductions import computing
from ...analysis.strides import stride
from ...manager.options import limited
from ..builder import LINE
from ..memory.access_streams import locality_of
from .panels import BlockSizes, Panels
from .tile_builder import Tile
from .tiled_blocks import Block, NextProduct
from .triangle import Triangle, folded, write_mirrored
from .tuned_sizes import contraction_key, sizes_for

# Do not prefetch operands smaller than `ahead` divided by this: they are traversed too fast to pay.
SHORT = 8


@dataclass(frozen=True)
class LoopTileContractions(BlockSizes, ModulePass):
    """With `prefetch`, tiles prefetch the rows that an epilogue accesses while products are added. They also prefetch the
    operands of the next product of a batch, if each has at most `ahead` bytes, into the first or second cache (`into`). `tuned`
    has sizes for single contractions (`tuned_sizes.py`)."""

    name = "loop-tile-contractions"

    prefetch: int = limited(1, least=0, most=1)
    ahead: int = limited(256 << 10, least=0)
    # The better cache differs between Zen 4 and Zen 5.
    into: int = limited(2, most=2)
    tuned: tuple[str, ...] = ()

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for block in lowered_blocks(op):
            self._block(block)

    def _block(self, block: loop.BlockOp) -> None:
        frame = Frame()
        frame.tree(block)
        for found, around in contractions_in(block.body.block, frame):
            if (tiling := self._tiling(found, frame, block, around)) is not None:
                tiling.run()

    def _tiling(self, found: Contraction, frame: Frame, block: loop.BlockOp, around: tuple[loop.ForOp, ...]) -> Tiling | None:
        """The tiling of a contraction; None if it is not tiled. If the model predicts fewer cycles, the tiling of the
        transposed contraction, whose columns are the rows of the result: the smaller operand is then packed across its order,
        and the other is read in place or copied."""
        if (sizes := self._sizes(found)) is None:
            return None
        tiling, transposed = Tiling(found, frame, sizes, block, around), found.transposed()
        fitting = None if tiling.triangle or sizes != self.fitting(found) else self.fitting(transposed)
        if fitting is None or (cycles := tiling.cycles()) is None:
            return tiling
        other = Tiling(transposed, frame, fitting, block, around)
        fewer = other.cycles()
        return other if fewer is not None and fewer < cycles else tiling

    def _sizes(self, found: Contraction) -> LoopTileContractions | None:
        """The tuned sizes for a contraction, or else the pass's own; None if the contraction is not tiled."""
        tuned, fitting = sizes_for(contraction_key(found), self.tuned), self.fitting(found)
        if fitting is None or not tuned:
            return fitting
        count("contractions-tuned", "Number of contractions with tuned sizes")
        return replace(fitting, **tuned)


class Tiling(Panels[LoopTileContractions]):
    """Writes the schedule of one contraction."""

    def __init__(
        self,
        found: Contraction,
        frame: Frame,
        sizes: LoopTileContractions,
        block: loop.BlockOp,
        around: tuple[loop.ForOp, ...] = (),
    ):
        super().__init__(found, frame, sizes, block, around)
        self.triangle = Triangle(sizes.rows, self.width) if is_symmetric(found, frame) else None

    def run(self) -> None:
        """Replace the nest by the tiled one, or version it if there may be too few rows or columns."""
        found = self.found
        count("contractions-tiled", "Number of contractions tiled")
        if not self.enough:
            self._nest()
            erase(found.nest)
            return
        with self.writer.either(*self.enough) as (tiled, plain):
            with self.writer.inside(tiled):
                self._nest()
            found.nest.detach()
            plain.add_op(found.nest)

    def _nest(self) -> None:
        with ExitStack() as stack:
            places: dict[Atom, IndexLike] = {}
            for level in self.found.batch:
                loop_ = self.writer.loop("parallel", 0, level.upper, hint=level.induction.name_hint or "b")
                places[self._atom(level)] = stack.enter_context(loop_)
            left, right, kept = self._buffers()
            with self.writer.loop("sequential", 0, self.column_panels, step=self.across, hint="columns") as columns:
                with self.writer.loop("sequential", 0, self._end(), step=self.deep, hint="deep") as deep:
                    if right is not None and self.shared_right is None:
                        self._pack_columns(right, columns, deep, places)
                    with self.writer.loop("sequential", 0, self.row_panels, step=self.sizes.left_panels, hint="rows") as rows:
                        if left is not None:
                            self._pack_left(left, rows, deep, places)
                        self._tiles(Block(left, right, kept, rows, columns, deep, deep), places)
            if self.triangle is not None:
                write_mirrored(self.writer, self.found, places)

    # Tiles

    def _tiles(self, block: Block, places: Mapping[Atom, IndexLike]) -> None:
        """All tiles of some blocks: groups in parallel, inside a group one block of k after the other, a panel of columns at a
        time.

        If the epilogue reads rows of its own, iterate over panels of rows first, to traverse those rows contiguously. A group
        of all rows has one panel of columns (of rows, if those come first), so that threads share even a product of few rows
        and columns.
        """
        across = minimum(self.across, self.column_panels - block.columns)
        down = minimum(self.sizes.left_panels, self.row_panels - block.rows)
        wide, high = self.sizes.right_group, self.sizes.left_group
        if self.at_once > 1 and self.row_panels.constant is not None and self.row_panels.constant <= high:
            wide = 1
        order = "pq"
        if self._reads_along_rows():
            wide, high, order = high, wide, "qp"
        wides, highs = ceildiv(across, wide), ceildiv(down, high)
        with self.writer.loop("parallel", 0, wides * highs, hint="group") as group, ExitStack() as stack:
            # Keep the operand that fills part of the second cache: several blocks of the right one, or a group of the left one.
            of_right, of_left = (group // highs, group % highs) if self.at_once > 1 else (group % wides, group // wides)
            right, left = of_right * wide, (of_left if self.triangle is None else folded(of_left, highs)) * high
            spans = {"p": (right, minimum(right + wide, across)), "q": (left, minimum(left + high, down))}
            first = stack.enter_context(self._blocks("sequential", block.deep, self._end()))
            at: dict[str, Index] = {}
            for name in order:
                if self.triangle is not None and at:
                    spans[name] = self.triangle.within(name, spans[name], at, block.rows, block.columns)
                at[name] = stack.enter_context(self.writer.loop("parallel", *spans[name], hint=name))
            self._tile(replace(block, first=first), at["p"], at["q"], places)

    def _tile(self, block: Block, p: Index, q: Index, places: Mapping[Atom, IndexLike]) -> None:
        shape = (self.sizes.rows, self.sizes.vectors, self.lanes)
        registers = self.writer.allocate(shape, self.found.element, "register", "tile")
        rows, row = self._panel(self.found.rows, block.rows + q, self.sizes.rows)
        columns, column = self._panel(self.found.columns, block.columns + p, self.width)
        tile = Tile({**places, **rows, **columns}, row, column)
        last_block = block.first + self.sizes.depth - self.total
        if self.sizes.prefetch and self._reads_along_rows():
            with nullcontext() if block.kept is None else self.writer.branch(last_block):
                self._prefetch(tile)
        if self.sizes.prefetch:
            self._prefetch_next(block, (block.rows + q) * self.column_panels + block.columns + p, places)
        self._sum_products(
            registers,
            tile,
            lambda: self.writer.loop("reduction", 0, self._steps(block.first), hint="k"),
            lambda row, k: self._left(block, q, row, k, places),
            lambda border: self._right_at(block, p, border, places),
            packs_border=self.reads_right,
        )
        if block.kept is None:
            self._finish(registers, tile)
            return
        self._add_partial(block, block.kept, registers, p, q)
        with self.writer.either(last_block) as (last, more):
            with self.writer.inside(last):
                self._finish(registers, tile)
            with self.writer.inside(more), self._elements() as (row, vector, lane):
                value = self.writer.load(registers, [row, vector, lane])
                self.writer.store(value, block.kept, [block.rows + q, p, row, vector * self.lanes + lane])

    def _prefetch_next(self, block: Block, number: Index, places: Mapping[Atom, IndexLike]) -> None:
        """Prefetch a tile's share of the operands of the next product, or of the right operand that the next block of rows
        shares, once for all blocks of k."""
        if (following := self._next_product()) is None:
            return
        batch, found = self.frame.number(following.level), self.found
        first = {self._atom(each): 0 for each in (*found.rows, *found.columns, *found.reduced)}
        later = index(places.get(Dim(batch), dim(batch))) + 1
        for load in following.loads:
            apart = stride(load, batch, self.frame, self.frame.ranges([batch]))
            if apart is None or apart == 0:
                continue
            share = ceildiv(apart, following.tiles)
            itemsize = dtype_of(load.result.type).itemsize
            most = self.sizes.ahead // itemsize
            conditions = [following.upper - 1 - later, most - apart, apart - most // SHORT, -block.first]
            *outer, last = [expr.substitute({**places, **first, Dim(batch): later}) for expr in self.frame.exprs(load)]
            start = last + (following.before + number) * share
            with (
                self.writer.branch(*conditions),
                self.writer.loop("parallel", 0, share, step=LINE // itemsize, hint="line") as at,
            ):
                self.writer.prefetch(load.buffer, [*outer, start + at], locality_of(self.sizes.into))

    def _next_product(self) -> NextProduct | None:
        """The operands of the next product to prefetch; None if there is no next one."""
        found = self.found
        if found.batch:
            level, loads = found.batch[-1], [*self._loads(found.left), *self._loads(found.right)]
            return NextProduct(level.induction, level.upper, loads, index(0), self.row_panels * self.column_panels)
        if self.shared_right is None or len(self.around) < 2:
            return None
        strips, level = self.shared_right, self.around[-2]
        rows = self.frame.ranges(self.row_panels.dims()).bound(self.row_panels, upper=True)
        is_normalized = all(self.frame.exprs(each)[0] == 0 and each.step.value.data == 1 for each in (strips, level))
        if rows is None or not is_normalized:
            return None
        tiles, (upper, most) = rows * self.column_panels, (self.frame.exprs(each)[1] for each in (level, strips))
        before = dim(self.frame.number(strips.induction)) * tiles
        return NextProduct(level.induction, upper, self._loads(found.right), before, tiles * most)

    def _loads(self, value: SSAValue) -> list[loop.LoadOp]:
        """The loads of an operand's expression, except those at addresses that the nest looks up."""
        nest = self.found.nest
        found = [op for op in computing(value, nest) if isinstance(op, loop.LoadOp)]
        owners = {op: [each.owner for each in op.at if isinstance(each.owner, Operation)] for op in found}
        return [op for op in found if not any(map(nest.is_ancestor, owners[op]))]

    def _add_partial(self, block: Block, kept: SSAValue, registers: SSAValue, p: Index, q: Index) -> None:
        """Add the partial sums of the previous blocks of k: after the products, so that none waits for them."""
        with self.writer.branch(block.first - 1), self._elements() as (row, vector, lane):
            before = self.writer.load(kept, [block.rows + q, p, row, vector * self.lanes + lane])
            total = self.writer.compute("add", self.writer.load(registers, [row, vector, lane]), before)
            self.writer.store(total, registers, [row, vector, lane])
