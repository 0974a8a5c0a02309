"""Panels: the operands of a contraction, packed block by block into panels as wide as a tile, or read in place."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from typing import TypeVar

from xdsl.dialects.func import FuncOp
from xdsl.ir import SSAValue
from xdsl.rewriter import InsertPoint

from ....dialects import loop
from ....ir.functions.versions import hints_of
from ....ir.index.expressions import ONE, ZERO, Atom, Index, IndexLike, Param, ceildiv, index, maximum, minimum
from ....ir.types.dtypes import dtype_of
from ...analysis.contractions import Axis, Contraction, extent, is_same_in
from ...analysis.cycles import ARITHMETIC, LANE, LOAD, STORE
from ...analysis.loop_nests import Frame
from ...analysis.reductions import computing
from ...analysis.strides import loads_in_vectors, stride, strides
from ...manager.options import limited
from .tile_builder import Border, Summed, Tiles, TileWriter, digits
from .tiled_blocks import Block

# Packing a right operand pays only if more than so many tiles of rows share it (measured: AVX-512 and AVX2, Sapphire Rapids).
FEW_TILES = 32
# Panels are read in place in two cases: their rows are at most a page apart, so that two rows share an entry of the TLB, or
# each row has at least WIDE bytes.
PAGE, WIDE = 4096, 256


@dataclass(frozen=True)
class BlockSizes(Tiles):
    """`depth` summed indices make a block, with at most `left_panels` panels of rows and `right_panels` panels of columns. If
    `blocks` blocks are packed at once, each has `right_panels / blocks` panels of columns, but never fewer than `right_group`.
    A thread computes `left_group` times `right_group` tiles at once. `pack_left` packs every left operand."""

    depth: int = limited(256)
    blocks: int = limited(4)
    left_panels: int = limited(256)
    right_panels: int = limited(64)
    left_group: int = limited(16)
    right_group: int = limited(4)
    pack_left: int = limited(0, least=0, most=1)


# The sizes that a writer of panels uses: `BlockSizes`, or a subclass with further options.
Blocks = TypeVar("Blocks", bound=BlockSizes)


class Panels(TileWriter[Blocks]):
    """Writes the panels of one contraction."""

    def __init__(
        self,
        found: Contraction,
        frame: Frame,
        sizes: Blocks,
        block: loop.BlockOp,
        around: tuple[loop.ForOp, ...] = (),
    ):
        super().__init__(found, frame, sizes)
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
        # The panels of an operand that all steps of a scan share are packed before the first step, unless they are private to a
        # thread.
        self.shared_by_steps = not found.batch and not around and self._is_shared_by_steps(found.right)
        is_hoisted = self.shared_right is not None or self.shared_by_steps
        self.reads_right = not is_hoisted and self._is_shared_in_place(found.right)
        self.left_panels = minimum(sizes.left_panels, self.row_panels)
        self.packs_right = not self.reads_right or self._last_columns() != 0
        self.at_once, self.across = self._packed_at_once(is_hoisted)
        self.deep = self.at_once * sizes.depth
        self.right_panels = minimum(self.across, self.column_panels)

    def _packed_at_once(self, is_hoisted: bool) -> tuple[int, int]:
        """The number of blocks of the right operand that are packed at once, and of their panels: all for the steps of a
        scan, if their sizes are known."""
        blocks, panels = ceildiv(self.total, self.sizes.depth).constant, self.column_panels.constant
        if self.shared_by_steps and self.reads_left and blocks and panels:
            return blocks, panels
        at_once = self.sizes.blocks if self.reads_left and not is_hoisted else 1
        return at_once, max(self.sizes.right_panels // at_once, self.sizes.right_group)

    def cycles(self) -> float | None:
        """The cycles of one core for one product of a batch: tiles, packing and stores. Packing that transposes or tests
        guards, and stores that are not contiguous along the columns, are counted per lane. None if sizes are not known, or if
        the right operand is packed for several products."""
        axes = self.found.rows, self.found.columns, self.found.reduced
        rows, columns, summed = (extent(each).constant for each in axes)
        if rows is None or columns is None or summed is None or self.shared_right is not None or self.shared_by_steps:
            return None
        registers = self.row_panels * self.sizes.rows * self.column_panels * self.sizes.vectors
        assert registers.constant is not None, "the panels of known sizes are known"
        left = 0.0 if self.reads_left else self._copy_cycles(self.found.left) * rows * summed
        right = (LANE if self.right_by_k else self._copy_cycles(self.found.right)) * columns * summed
        number = self.frame.number(self.found.columns[-1].induction)
        steps = strides(self._stores(), number, self.frame, self.frame.ranges([number]))
        stored = STORE / self.lanes if all(step == ONE for step in steps) else LANE + STORE
        return ARITHMETIC * registers.constant * summed + left + right + stored * rows * columns

    def _copy_cycles(self, operand: SSAValue) -> float:
        """The cycles to copy one element of an operand along its contiguous axis: in vectors, or lane by lane if its loads have
        guards."""
        loads = [op for op in computing(operand, self.found.nest) if isinstance(op, loop.LoadOp)]
        return LANE if any(each.guard_exprs for each in loads) else (LOAD + STORE) / self.lanes

    def _stores(self) -> list[loop.StoreOp]:
        return [op for op in self.found.after if isinstance(op, loop.StoreOp)]

    def _is_shared_by_steps(self, operand: SSAValue) -> bool:
        """Whether the contraction is in a step of a scan, and an operand is the same in all steps."""
        shared = loop.arguments_shared_by_steps(self._function())
        loads = [op for op in computing(operand, self.found.nest) if isinstance(op, loop.LoadOp)]
        return bool(loads) and all(each.buffer in shared for each in loads)

    def _was_few(self, size: Index) -> bool:
        """Whether a number of rows or columns was too small for tiles in the first call."""
        hints: dict[Atom, IndexLike] = {Param(name): value for name, value in hints_of(self._function()).items()}
        return self.sizes.is_few(size.substitute(hints))

    def _function(self) -> FuncOp:
        function = self.block.parent_op()
        assert isinstance(function, FuncOp), "blocks have a parent function"
        return function

    def _end(self) -> Index:
        """The end of the blocks of k: there is at least one, even without summed indices, since the last one stores results."""
        return maximum(self.total, 1)

    def _blocks(self, kind: str, deep: Index, end: Index) -> AbstractContextManager[Index]:
        """A loop over the blocks of k that are packed at once, from `deep` on; its index is the first one of each."""
        if self.at_once == 1:
            return nullcontext(deep)
        return self.writer.loop(kind, deep, minimum(deep + self.deep, end), step=self.sizes.depth, hint="depth")

    def _buffers(self) -> tuple[SSAValue | None, SSAValue | None, SSAValue | None]:
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
            shape = (blocks, 1 if self.reads_right else self.right_panels, self.sizes.depth, self.width)
            right = shared
            if right is None and self.packs_right:
                right = self.writer.allocate(shape, element, space, "right")
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
        if (load := self._plain_load(operand)) is None:
            return False
        along = [self.found.reduced[0], *self.found.rows[-1:]] if self.column_panels == 1 else [self.found.reduced[0]]
        numbers = [self.frame.number(each.induction) for each in along]
        ranges = self.frame.ranges(numbers)
        return len(self.found.reduced) == 1 and any(stride(load, each, self.frame, ranges) == ONE for each in numbers)

    def _plain_load(self, operand: SSAValue) -> loop.LoadOp | None:
        """The load that is the operand, without guards or a cast; None if it is computed."""
        load = operand.owner
        if not isinstance(load, loop.LoadOp) or load.guard_exprs or load.result.type != self.found.element:
            return None
        return load

    def _is_shared_in_place(self, operand: SSAValue) -> bool:
        """Whether whole tiles read a right operand from its buffer: it is contiguous along the only loop over columns, and too
        few tiles share it for a copy to pay."""
        found, tiles, load = self.found, self.row_panels.constant, self._plain_load(operand)
        if load is None or tiles is None or tiles > FEW_TILES:
            return False
        if self.paired or len(found.columns) != 1:
            return False
        numbers = [self.frame.number(each.induction) for each in (found.columns[0], found.reduced[0])]
        along, apart = (stride(load, each, self.frame, self.frame.ranges(numbers)) for each in numbers)
        size = dtype_of(found.element).itemsize
        is_near = apart is not None and apart.constant is not None and apart.constant * size <= PAGE
        return along == ONE and (is_near or self.width * size >= WIDE)

    def _lies_along(self, operand: SSAValue, level: Axis, other: Axis) -> bool:
        """Whether the loads of an operand are contiguous along one loop rather than along another. Loads that depend on both
        loops decide, if there are any: they read more lines than loads that repeat along one."""
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

    def _pack_columns(self, right: SSAValue, columns: Index, deep: Index, places: Mapping[Atom, IndexLike]) -> None:
        """Pack the right operand's block of columns from `columns` on, or only the partial last panel if whole panels are read
        in place."""
        blocks = self._blocks("parallel", deep, self.total)
        if self.reads_right:
            self._pack_right(right, self.column_panels - 1, index(1), deep, blocks, places)
        else:
            self._pack_right(right, columns, minimum(self.across, self.column_panels - columns), deep, blocks, places)

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

        A panel contiguous along the loop is read in vectors, under guards if it is partial; a panel contiguous along k is read
        element by element, and one version suffices.
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

    def _left(self, block: Block, q: Index, row: Index, k: Index, places: Mapping[Atom, IndexLike]) -> SSAValue:
        """An element of the left operand."""
        if block.left is not None:
            return self.writer.load(block.left, [q, *self._in_panel(row, k)])
        at, start = self._panel(self.found.rows, block.rows + q, self.sizes.rows)
        summed = self._summed_at(block.first + k)
        return self._read(self.found.left, {**places, **at}, summed, self.found.rows[-1], start + row, Border.LAST)

    def _right_at(
        self, block: Block, p: Index, border: Border, places: Mapping[Atom, IndexLike]
    ) -> Callable[[Index, Index], SSAValue]:
        """The elements of the right operand in the panel of a tile, by column and summed index."""
        if self.reads_right and border is Border.NONE:
            last, start = self.found.columns[-1], (block.columns + p) * self.width

            def read(column: Index, k: Index) -> SSAValue:
                return self._read(self.found.right, places, self._summed_at(block.first + k), last, start + column, border)

            return read
        right = block.right
        assert right is not None, "partial panels are packed"
        panel = self._right(block.columns, index(0) if self.reads_right else p, block.first, block.deep)
        return lambda column, k: self.writer.load(right, [*panel, k, column])
