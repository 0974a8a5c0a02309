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
   again for each block of columns, and in a step of a scan one block of k is packed at once, of all columns, so that packing
   can be hoisted before the first step.
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
8. Where processors add two products of bfloat16 numbers at once (`pairs`), panels hold pairs of numbers: that of a summed
   index, and that half of the sum further on, so that both lie in rows that are read in vectors.

Sums of float32 are in float32: each register adds `depth` products, and then the sums of the blocks are added.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack, nullcontext
from dataclasses import dataclass, replace

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp
from xdsl.ir import Operation, SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint

from ....dialects import loop
from ....ir.functions.entry import is_step
from ....ir.functions.versions import hints_of
from ....ir.index.expressions import ONE, ZERO, Atom, Dim, Index, IndexLike, Param, ceildiv, dim, index, maximum, minimum
from ....ir.rewrite import count, erase
from ....ir.types.dtypes import dtype_of
from ...analysis.contractions import Axis, Contraction, contractions_in, extent, is_same_in
from ...analysis.equivalence import is_symmetric
from ...analysis.loop_nests import Frame, lowered_blocks
from ...analysis.reductions import computing
from ...analysis.strides import loads_in_vectors, stride, strides
from ...manager.options import limited
from ..builder import LINE
from ..memory.access_streams import locality_of
from .tile_builder import Border, Summed, Tile, Tiles, TileWriter, digits
from .tiled_blocks import Block, NextProduct
from .triangle import Triangle, folded, write_mirrored
from .tuned_sizes import contraction_key, sizes_for

# Do not prefetch operands smaller than `ahead` divided by this: they are traversed too fast to pay.
SHORT = 8


@dataclass(frozen=True)
class LoopTileContractions(Tiles, ModulePass):
    """`depth` summed indices make a block, with at most `left_panels` panels of rows and `right_panels` panels of columns. If
    `blocks` blocks are packed at once, each has `right_panels / blocks` panels of columns, but never fewer than `right_group`.
    A thread computes `left_group` times `right_group` tiles at once. With `prefetch`, the rows that an epilogue accesses are
    prefetched while products are added, and so are, into the first or second cache (`into`), the operands of the next product
    of a batch of at most `ahead` bytes each. `pack_left` packs every left operand. `tuned` has sizes for single contractions
    (`tuned_sizes.py`)."""

    name = "loop-tile-contractions"

    depth: int = limited(256)
    blocks: int = limited(4)
    left_panels: int = limited(256)
    right_panels: int = limited(64)
    left_group: int = limited(16)
    right_group: int = limited(4)
    prefetch: int = limited(1, least=0, most=1)
    ahead: int = limited(256 << 10, least=0)
    # The better cache differs between Zen 4 and Zen 5.
    into: int = limited(2, most=2)
    pack_left: int = limited(0, least=0, most=1)
    tuned: tuple[str, ...] = ()

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for block in lowered_blocks(op):
            self._block(block)

    def _block(self, block: loop.BlockOp) -> None:
        frame = Frame()
        frame.tree(block)
        for found, around in contractions_in(block.body.block, frame):
            if (sizes := self._sizes(found)) is not None:
                Tiling(found, frame, sizes, block, around).run()

    def _sizes(self, found: Contraction) -> LoopTileContractions | None:
        """The tuned sizes for a contraction, or else the pass's own; None if the contraction is not tiled."""
        tuned, fitting = sizes_for(contraction_key(found), self.tuned), self.fitting(found)
        if fitting is None or not tuned:
            return fitting
        count("contractions-tuned", "Number of contractions with tuned sizes")
        return replace(fitting, **tuned)


class Tiling(TileWriter):
    """Writes the schedule of one contraction."""

    def __init__(
        self,
        found: Contraction,
        frame: Frame,
        sizes: LoopTileContractions,
        block: loop.BlockOp,
        around: tuple[loop.ForOp, ...] = (),
    ):
        super().__init__(found, frame, sizes)
        self.sizes = sizes
        self.block = block
        self.around = around
        self.row_panels = extent(found.rows[:-1]) * ceildiv(found.rows[-1].upper, sizes.rows)
        self.column_panels = extent(found.columns[:-1]) * ceildiv(found.columns[-1].upper, self.width)
        self.total = ceildiv(extent(found.reduced), 2) if self.paired else extent(found.reduced)
        # The conditions for tiling at run time, if the first call had too few rows or columns.
        self.enough = [size - sizes.least for size in (extent(found.rows), extent(found.columns)) if self._was_few(size)]
        # The outer loop before which the right operand is packed once, if the operand is invariant in that loop.
        outside = around[-1] if around and not found.batch else None
        self.shared_right = outside if outside and is_same_in(outside, found.right, found.nest) else None
        self.reads_left = not sizes.pack_left and not self.paired and self._is_read_in_place(found.left)
        self.left_by_k = not self._lies_along(found.left, found.rows[-1], found.reduced[-1])
        columns = found.columns[-1].induction
        in_vectors = loads_in_vectors(computing(found.right, found.nest), columns, self.lanes, frame)
        self.right_by_k = not in_vectors and self._lies_along(found.right, found.reduced[-1], found.columns[-1])
        self.left_panels = minimum(sizes.left_panels, self.row_panels)
        together = self.reads_left and self.shared_right is None and not self._is_in_step()
        self.at_once = sizes.blocks if together else 1
        self.deep = self.at_once * sizes.depth
        self.across = max(sizes.right_panels // self.at_once, sizes.right_group)
        self.right_panels = minimum(self.across, self.column_panels)
        self.triangle = Triangle(sizes.rows, self.width) if is_symmetric(found, frame) else None

    def _is_in_step(self) -> bool:
        """Whether the contraction is in a step of a scan."""
        return is_step(self._function())

    def _was_few(self, size: Index) -> bool:
        """Whether a number of rows or columns was too small for tiles in the first call."""
        hints: dict[Atom, IndexLike] = {Param(name): value for name, value in hints_of(self._function()).items()}
        return self.sizes.is_few(size.substitute(hints))

    def _function(self) -> FuncOp:
        function = self.block.parent_op()
        assert isinstance(function, FuncOp), "blocks have a parent function"
        return function

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
                    if self.shared_right is None:
                        panels = minimum(self.across, self.column_panels - columns)
                        self._pack_right(right, columns, panels, deep, self._blocks("parallel", deep, self.total), places)
                    with self.writer.loop("sequential", 0, self.row_panels, step=self.sizes.left_panels, hint="rows") as rows:
                        if left is not None:
                            self._pack_left(left, rows, deep, places)
                        self._tiles(Block(left, right, kept, rows, columns, deep, deep), places)
            if self.triangle is not None:
                write_mirrored(self.writer, self.found, places)

    def _end(self) -> Index:
        """The end of the blocks of k: there is at least one, even without summed indices, since the last one stores results."""
        return maximum(self.total, 1)

    def _blocks(self, kind: str, deep: Index, end: Index) -> AbstractContextManager[Index]:
        """A loop over the blocks of k that are packed at once, from `deep` on; its index is the first one of each."""
        if self.at_once == 1:
            return nullcontext(deep)
        return self.writer.loop(kind, deep, minimum(deep + self.deep, end), step=self.sizes.depth, hint="depth")

    # Buffers and panels

    def _buffers(self) -> tuple[SSAValue | None, SSAValue, SSAValue | None]:
        """The panels of both operands, and the partial sums kept between blocks of k, unless there is only one."""
        element, rows = self.found.element, self.sizes.rows
        inside = self.found.batch or self.around
        where = self.writer.builder.point if inside else InsertPoint.before(self.block)
        space = "thread" if inside else None
        shared = self._shared_right(self.shared_right) if self.shared_right is not None else None
        with self.writer.inside(where):
            left_shape = (self.left_panels, *self._in_panel(index(rows), index(self.sizes.depth)))
            left = None if self.reads_left else self.writer.allocate(left_shape, element, space, "left")
            blocks = minimum(self.at_once, ceildiv(self.total, self.sizes.depth)) if self.at_once > 1 else index(1)
            shape = (blocks, self.right_panels, self.sizes.depth, self.width)
            right = shared if shared is not None else self.writer.allocate(shape, element, space, "right")
            if self.total.constant is not None and self.total.constant <= self.sizes.depth:
                return left, right, None
            kept_shape = (self.row_panels, self.right_panels, rows, self.width)
            return left, right, self.writer.allocate(kept_shape, element, space, "kept")

    def _shared_right(self, outside: loop.ForOp) -> SSAValue:
        """Pack all panels of the right operand before the loop `outside`, unless that runs zero times."""
        blocks = ceildiv(self.total, self.sizes.depth)
        shape = (blocks, self.column_panels, self.sizes.depth, self.width)
        runs = self.frame.exprs(outside)[1] - 1
        ever = [self.writer.largest(each) for each in (*self.enough, runs)]
        conditions = [each for each in ever if each.constant is None]
        inner = len(self.around) > 1
        with self.writer.inside(InsertPoint.before(outside if inner else self.block)):
            right = self.writer.allocate(shape, self.found.element, "thread" if inner else None, "right")
        with (
            self.writer.inside(InsertPoint.before(outside)),
            self.writer.branch(*conditions) if conditions else nullcontext(),
        ):
            every = self.writer.loop("parallel", 0, self.total, step=self.sizes.depth, hint="depth")
            self._pack_right(right, index(0), self.column_panels, index(0), every, {})
        return right

    def _is_read_in_place(self, operand: SSAValue) -> bool:
        """Whether an operand is read from its buffer without packing: it is contiguous along the only summed loop, or along the
        rows if each element is used by one tile."""
        load = operand.owner
        if not isinstance(load, loop.LoadOp) or load.guard_exprs or load.result.type != self.found.element:
            return False
        along = [self.found.reduced[0], *self.found.rows[-1:]] if self.column_panels == 1 else [self.found.reduced[0]]
        numbers = [self.frame.number(each.induction) for each in along]
        ranges = self.frame.ranges(numbers)
        return len(self.found.reduced) == 1 and any(stride(load, each, self.frame, ranges) == ONE for each in numbers)

    def _lies_along(self, operand: SSAValue, level: Axis, other: Axis) -> bool:
        """Whether the loads of an operand are contiguous along one loop rather than along another. Those that depend on both
        loops decide, if there are any: they read more lines than those that repeat along one."""
        numbers = [self.frame.number(each.induction) for each in (level, other)]
        ranges, ops = self.frame.ranges(numbers), list(computing(operand, self.found.nest))
        apart = list(zip(*(strides(ops, each, self.frame, ranges) for each in numbers), strict=True))
        deciding = [each for each in apart if ZERO not in each] or apart
        here, there = (sum(each[k] == ONE for each in deciding) for k in range(2))
        return here > there

    def _in_panel(self, row: Index, k: Index) -> tuple[Index, Index]:
        """The index of an element in a panel of the left operand, which is packed along its contiguous axis; also the
        inverse."""
        return (row, k) if self.left_by_k else (k, row)

    def _right(self, columns: Index, panel: Index, first: Index, deep: Index) -> list[IndexLike]:
        """The index of a panel in the right operand's buffer."""
        if self.shared_right is None:
            return [(first - deep) // self.sizes.depth, panel]
        return [first // self.sizes.depth, columns + panel]

    def _pack_right(
        self,
        right: SSAValue,
        columns: Index,
        panels: Index,
        deep: Index,
        blocks: AbstractContextManager[Index],
        places: Mapping[Atom, IndexLike],
    ) -> None:
        """Pack panels of the right operand, from `deep` on, for the blocks of k of a loop."""
        last = self.found.columns[-1]
        with self.writer.loop("parallel", 0, panels, hint="panel") as panel, blocks as first:
            at, start = self._panel(self.found.columns, columns + panel, self.width)
            for border in self._borders(start, self.width, last, by_k=self.right_by_k):
                with (
                    self.writer.loop("parallel", 0, self._steps(first), hint="k") as k,
                    self.writer.loop("parallel", 0, self.width, hint="column") as column,
                ):
                    summed = self._summed_at(first + k)
                    value = self._read(self.found.right, {**places, **at}, summed, last, start + column, border)
                    self.writer.store(value, right, [*self._right(columns, panel, first, deep), k, column])

    def _pack_left(self, left: SSAValue, rows: Index, first: Index, places: Mapping[Atom, IndexLike]) -> None:
        panels, steps = minimum(self.sizes.left_panels, self.row_panels - rows), self._steps(first)
        last = self.found.rows[-1]
        with self.writer.loop("parallel", 0, panels, hint="panel") as panel:
            at, start = self._panel(self.found.rows, rows + panel, self.sizes.rows)
            for border in self._borders(start, self.sizes.rows, last, by_k=self.left_by_k):
                outer, inner = self._in_panel(index(self.sizes.rows), steps)
                hints = ("row", "k") if self.left_by_k else ("k", "row")
                with (
                    self.writer.loop("parallel", 0, outer, hint=hints[0]) as first_index,
                    self.writer.loop("parallel", 0, inner, hint=hints[1]) as second_index,
                ):
                    row, k = self._in_panel(first_index, second_index)
                    summed = self._summed_at(first + k)
                    value = self._read(self.found.left, {**places, **at}, summed, last, start + row, border)
                    self.writer.store(value, left, [panel, *self._in_panel(row, k)])

    def _borders(self, start: Index, size: int, last: Axis, *, by_k: bool) -> Iterator[Border]:
        """The ways to read the panel of `size` indices of a loop from `start` on, one for each version of the reading code.

        A panel contiguous along the loop is read in vectors, under guards if it is partial; one contiguous along k is not, and
        needs no version of its own for partial panels.
        """
        whole = last.upper - start - size
        if by_k or (whole.constant is not None and whole.constant >= 0):
            yield Border.LAST if by_k else Border.NONE
            return
        with self.writer.either(whole) as branches:
            for branch, border in zip(branches, (Border.NONE, Border.GUARDED), strict=True):
                with self.writer.inside(branch):
                    yield border

    def _read(
        self,
        operand: SSAValue,
        places: Mapping[Atom, IndexLike],
        summed: Sequence[Summed],
        last: Axis,
        at: Index,
        border: Border,
    ) -> SSAValue:
        """A copy of an operand's expression, or of two as a pair, at an index that may be out of bounds of its last loop."""
        if border is Border.LAST:
            at = minimum(at, last.upper - 1)
        guards = [last.upper - 1 - at] if border is Border.GUARDED else []
        here = {**places, self._atom(last): at}
        return self._packed([self._operand(operand, {**here, **each.places}, [*guards, *each.guards]) for each in summed])

    def _operand(self, value: SSAValue, places: Mapping[Atom, IndexLike], guards: Sequence[Index]) -> SSAValue:
        """A copy of an operand's expression, at other indices."""
        values: dict[SSAValue, SSAValue] = {}
        for op in computing(value, self.found.nest):
            self.writer.copy(op, values, places, guards)
        return self.writer.cast(values.get(value, value), self.found.element)

    def _summed_at(self, k: Index) -> list[Summed]:
        """The summed indices of an element of a panel."""
        if not self.paired:
            return [Summed(self._reduced(k))]
        whole = extent(self.found.reduced)
        beyond = [whole - 1 - self.total - k] if whole != 2 * self.total else []
        return [Summed(self._reduced(k)), Summed(self._reduced(k + self.total), beyond)]

    def _reduced(self, k: Index) -> dict[Atom, IndexLike]:
        at = digits(k, [level.upper for level in self.found.reduced])
        return {self._atom(level): each for level, each in zip(self.found.reduced, at, strict=True)}

    def _steps(self, first: Index) -> Index:
        """The number of summed indices of the block that starts at `first`."""
        return minimum(self.sizes.depth, self.total - first)

    # Tiles

    def _tiles(self, block: Block, places: Mapping[Atom, IndexLike]) -> None:
        """All tiles of some blocks: groups in parallel, inside a group one block of k after the other, a panel of columns at a
        time.

        If the epilogue reads rows of its own, iterate over panels of rows first, to traverse those rows contiguously.
        """
        across = minimum(self.across, self.column_panels - block.columns)
        down = minimum(self.sizes.left_panels, self.row_panels - block.rows)
        wide, high = self.sizes.right_group, self.sizes.left_group
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
        panel = self._right(block.columns, p, block.first, block.deep)
        self._sum_products(
            registers,
            tile,
            self._steps(block.first),
            lambda row, k: self._left(block, q, row, k, places),
            lambda column, k: self.writer.load(block.right, [*panel, k, column]),
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

    def _left(self, block: Block, q: Index, row: Index, k: Index, places: Mapping[Atom, IndexLike]) -> SSAValue:
        """An element of the left operand."""
        if block.left is not None:
            return self.writer.load(block.left, [q, *self._in_panel(row, k)])
        at, start = self._panel(self.found.rows, block.rows + q, self.sizes.rows)
        summed = self._summed_at(block.first + k)
        return self._read(self.found.left, {**places, **at}, summed, self.found.rows[-1], start + row, Border.LAST)

    def _add_partial(self, block: Block, kept: SSAValue, registers: SSAValue, p: Index, q: Index) -> None:
        """Add the partial sums of the previous blocks of k: after the products, so that none waits for them."""
        with self.writer.branch(block.first - 1), self._elements() as (row, vector, lane):
            before = self.writer.load(kept, [block.rows + q, p, row, vector * self.lanes + lane])
            total = self.writer.compute("add", self.writer.load(registers, [row, vector, lane]), before)
            self.writer.store(total, registers, [row, vector, lane])
