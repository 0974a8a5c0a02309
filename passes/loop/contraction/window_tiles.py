"""Tiles of contractions over windows: vectors along the columns, of a copy of the source with joined rows."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, fields
from functools import cached_property

from xdsl.ir import SSAValue
from xdsl.rewriter import InsertPoint

from ....dialects import loop
from ....ir.index.expressions import ZERO, Atom, Dim, Index, IndexLike, ceildiv, dim, index, maximum, minimum, product
from ....ir.rewrite import Builder, erase
from ....ir.scalars.attributes import is_plus_zero
from ....ir.types.shapes import row_major
from ...analysis.contractions import Axis, Contraction, extent
from ...analysis.loop_nests import Frame
from ...analysis.strides import stride
from ...manager.options import limited
from ..memory.interleaved import strided_index, strided_shape
from .loop_tile_contractions import LoopTileContractions, Tiling
from .padded_copy import PaddedCopy, Windows, halves_of, loaded
from .tile_builder import Tiles, digits

# The most computed positions for each stored one: beyond it panels are faster.
MOST_COMPUTED = 3


@dataclass(frozen=True)
class WindowTiles(Tiles):
    """A thread computes `group` tiles along the columns at once. An innermost summed loop of at most `window` steps is fully
    unrolled."""

    group: int = limited(4)
    window: int = limited(8, least=0)


class WindowTiling(Tiling):
    """Writes the schedule of one contraction over windows."""

    def __init__(self, found: Contraction, frame: Frame, options: WindowTiles, block: loop.BlockOp, windows: Windows):
        tile = {field.name: getattr(options, field.name) for field in fields(Tiles)}
        super().__init__(found, frame, LoopTileContractions(**tile), block)
        self.windows = windows
        self.options = options
        first = len(found.columns) - len(windows.steps)
        self.outer, self.inner = (*found.batch, *found.columns[:first]), found.columns[first:]
        self.height = self.sizes.rows
        sizes = windows.sizes[windows.outer :]
        moved = [(level.upper - 1) * step for level, step in zip(self.inner, windows.steps, strict=True)]
        reaches = [size - most for size, most in zip(sizes, moved, strict=True)]
        shape = strided_shape(sizes, windows.steps, reaches)
        self.lengths = shape[-len(windows.steps) :]
        self.above = [*windows.sizes[: windows.outer], *shape[: -len(windows.steps)]]
        self.halves = halves_of(found, found.reduced, windows, frame) if self.paired else None
        self.paired = self.halves is not None
        self.copy = PaddedCopy(windows, self.halves, frame, self.writer, found.element)
        self.reduced = self._taps_last()
        self.summed = [level.upper for level in self.reduced]
        if self.halves is not None:
            self.summed[self.reduced.index(self.halves.level)] = self.above[self.halves.address] = self.halves.size
        self.total = product(self.summed)
        self.pitch = self.lengths[-1]
        last = row_major(self.lengths, [level.upper - 1 for level in self.inner])
        self.panels = ceildiv(last + 1, self.width)

    def _taps_last(self) -> list[Axis]:
        """The summed loops, with the loops along which windows slide last: these read the same lines of the copy."""
        sliding = {number for expr in self.frame.exprs(self.windows.load)[self.windows.outer :] for number in expr.dims()}
        return sorted(self.found.reduced, key=lambda level: self.frame.number(level.induction) in sliding)

    def pays(self) -> bool:
        """Whether most of the sums that the tiles compute over the copy are stored.

        If a window is about as long as the axis that it slides over, as in the gradient of a convolution's weights, hardly any
        are. Axes of unknown size are assumed to be long beside windows of a known one; windows of unknown size use panels.
        """
        extents = [level.upper for level in self.inner]
        if any((length - extent).constant is None for length, extent in zip(self.lengths, extents, strict=True)):
            return False
        known = [k for k, size in enumerate(extents) if size.constant is not None]
        places, stored = (product(sizes[k] for k in known).constant for sizes in (self.lengths, extents))
        return places is not None and stored is not None and places <= MOST_COMPUTED * stored

    @cached_property
    def stored(self) -> float:
        """The share of the sums of tiles that is stored; rows or columns of unknown number count as 1."""
        rows, panels, columns = (each.constant for each in (self.found.rows[-1].upper, self.panels, extent(self.inner)))
        share = 1.0
        if rows is not None:
            share *= rows / max(-(-rows // self.sizes.rows) * self.sizes.rows, 1)
        if panels is not None and columns is not None:
            share *= columns / max(panels * self.width, 1)
        return share

    def run(self) -> None:
        """Replace the nest by the tiled one."""
        self._nest()
        erase(self.found.nest)

    def _nest(self) -> None:
        joined, left = self._join(), self._pack_panels()
        groups = ceildiv(self.panels, self.options.group)
        with self.writer.loop("parallel", 0, extent(self.outer) * groups, hint="group") as group:
            outside = digits(group // groups, [level.upper for level in self.outer])
            places: dict[Atom, IndexLike] = {self._atom(level): at for level, at in zip(self.outer, outside, strict=True)}
            first = group % groups * self.options.group
            tile = (self.sizes.rows, self.width)
            finished = self.writer.allocate(tile, self.found.element, "thread", "finished")
            with (
                self.writer.loop("parallel", first, minimum(first + self.options.group, self.panels), hint="p") as p,
                self.writer.loop("parallel", 0, self.row_panels, hint="q") as q,
            ):
                registers = self._window_tile(left, joined, p, q, places)
                self._store_tile(registers, finished, p, q, places)

    # The copies

    @property
    def beyond(self) -> int:
        """How many elements the last tile may read beyond the end of the copy."""
        return self.width

    def _join(self) -> SSAValue:
        """The padded copy of the source with joined rows, and space for the last tile at the end; for strided windows,
        de-interleaved."""
        load, whole = self.windows.load, product(self.lengths)
        copy = Builder(InsertPoint.before(self.block), load).add(loop.BlockOp())
        with self.writer.inside(InsertPoint.before(copy)):
            joined = self.writer.allocate((*self.above, whole + self.beyond), self.found.element, None, "joined")
        with self.writer.inside(copy.body.block), ExitStack() as stack:
            at = [stack.enter_context(self.writer.loop("parallel", 0, size, hint="o")) for size in self.above]
            with ExitStack() as inside:
                row = [inside.enter_context(self.writer.loop("parallel", 0, size, hint="p")) for size in self.lengths]
                values = self.copy.values([*at, *row])
                self.writer.store(self._packed(values), joined, [*at, row_major(self.lengths, row)])
            with self.writer.loop("parallel", 0, self.beyond, hint="rest") as rest:
                fill = self.writer.cast(self.writer.constant(self.copy.fill), self.found.element)
                self.writer.store(self._packed([fill, fill]), joined, [*at, whole + rest])
        return joined

    def _pack_panels(self) -> SSAValue:
        """The left operand, with all summed indices consecutive, for the rows of a tile."""
        batch, last = self.found.batch, self.found.rows[-1]
        shape = (*(level.upper for level in batch), self.row_panels, self.total, self.height)
        with self.writer.inside(InsertPoint.before(self.block)):
            left = self.writer.allocate(shape, self.found.element, None, "left")
        with ExitStack() as stack:
            outside = [stack.enter_context(self.writer.loop("parallel", 0, level.upper, hint="b")) for level in batch]
            panel = stack.enter_context(self.writer.loop("parallel", 0, self.row_panels, hint="panel"))
            at, start = self._panel(self.found.rows, panel, self.height)
            at |= {self._atom(level): each for level, each in zip(batch, outside, strict=True)}
            for border in self._borders(start, self.height, last, by_k=self.left_by_k):
                with self._packed_along() as (places, k), self.writer.loop("parallel", 0, self.height, hint="row") as row:
                    value = self._read(self.found.left, at, self.copy.pairs(places), last, start + row, border)
                    self.writer.store(value, left, [*outside, panel, k, row])
        return left

    @contextmanager
    def _packed_along(self) -> Iterator[tuple[dict[Atom, IndexLike], Index]]:
        """Loops over the summed indices of the left operand: a single one where it is contiguous along all of them, as packing
        is a transpose then."""
        if not self._is_contiguous():
            with self._summed("parallel") as found:
                yield found
            return
        with self.writer.loop("parallel", 0, self.total, hint="k") as k:
            at = digits(k, self.summed)
            yield {self._atom(level): each for level, each in zip(self.reduced, at, strict=True)}, k

    def _is_contiguous(self) -> bool:
        """Whether the left operand is a load of consecutive elements along all summed loops."""
        load, reduced = loaded(self.found.left), self.reduced
        if load is None or load.guard_exprs or (self.halves is not None and self.halves.level is not reduced[0]):
            return False
        numbers = [self.frame.number(level.induction) for level in reduced]
        ranges = self.frame.ranges(numbers)
        wanted = [product(level.upper for level in reduced[k + 1 :]) for k in range(len(reduced))]
        return [stride(load, each, self.frame, ranges) for each in numbers] == wanted

    def _panel_at(self, places: Mapping[Atom, IndexLike], q: Index) -> list[IndexLike]:
        """The index of a panel of the left operand."""
        return [*(places[self._atom(level)] for level in self.found.batch), q]

    def _ends(self, q: Index, places: Mapping[Atom, IndexLike]) -> list[Index]:
        """The ends of the summed loops for a panel of rows: the first index at which the left operand's guards fail, since all
        products from there on are zero. Phases of a strided convolution's gradient have fewer taps than windows have."""
        load = loaded(self.found.left)
        if load is None or not load.guard_exprs or load.fill is None or not is_plus_zero(load.fill):
            return self.summed
        rows, _ = self._panel(self.found.rows, q, self.height)
        outer = {self.frame.number(level.induction) for level in (*self.found.batch, *self.found.rows[:-1])}
        ends = list(self.summed)
        for k, level in enumerate(self.reduced):
            own = self.frame.number(level.induction)
            for guard in self.frame.guards(load):
                factor = (guard.coefficient(Dim(own)) or ZERO).constant
                rest = guard - dim(own) * factor if factor else ZERO
                if factor is not None and factor < 0 and self.halves is None and rest.dims() <= outer:
                    ends[k] = minimum(ends[k], maximum(rest.substitute({**places, **rows}) // -factor + 1, 0))
        return ends

    @contextmanager
    def _summed(self, kind: str, ends: Sequence[Index] | None = None) -> Iterator[tuple[dict[Atom, IndexLike], Index]]:
        """Loops over the summed indices, up to `ends`: the indices, and their linear index."""
        reduced = self.reduced
        taps = (ends or self.summed)[-1].constant
        short = taps is not None and taps <= self.options.window
        with ExitStack() as stack:
            at: list[Index] = []
            for level, size in zip(reduced, ends or self.summed, strict=True):
                own = "unroll" if kind == "reduction" and short and level is reduced[-1] else kind
                at.append(stack.enter_context(self.writer.loop(own, 0, size, hint=level.induction.name_hint or "k")))
            places: dict[Atom, IndexLike] = {self._atom(level): each for level, each in zip(reduced, at, strict=True)}
            yield places, row_major(self.summed, at)

    # Tiles

    def _window_tile(self, left: SSAValue, joined: SSAValue, p: Index, q: Index, places: Mapping[Atom, IndexLike]) -> SSAValue:
        """The sums of a tile, in registers."""
        shape = (self.sizes.rows, self.sizes.vectors, self.lanes)
        registers = self.writer.allocate(shape, self.found.element, "register", "tile")
        held = self._start_sums(registers)
        with self._summed("reduction", self._ends(q, places)) as (summed, k):
            *outside, tap = self._address({**places, **summed})
            self._add_products(
                registers,
                held,
                lambda row: self.writer.load(left, [*self._panel_at(places, q), k, row]),
                lambda column: self.writer.load(joined, [*outside, tap + p * self.width + column]),
            )
        return registers

    def _address(self, places: Mapping[Atom, IndexLike]) -> list[Index]:
        """The address in the copy of the first column's window."""
        here = {**places, **{self._atom(level): index(0) for level in self.inner}}
        exprs = self.frame.exprs(self.windows.load)
        at = [expr.substitute(here) - least for expr, (least, _) in zip(exprs, self.windows.spans, strict=True)]
        taps = strided_index(at[self.windows.outer :], self.windows.steps)
        cut = len(taps) - len(self.lengths)
        return [*at[: self.windows.outer], *taps[:cut], row_major(self.lengths, taps[cut:])]

    def _store_tile(
        self, registers: SSAValue, finished: SSAValue, p: Index, q: Index, places: Mapping[Atom, IndexLike]
    ) -> None:
        """Write the epilogue of a tile: for each of its vectors, once for each row that the vector overlaps. The epilogue
        stands in a loop that reads the tile from memory: in registers it would be unrolled for each vector.
        """
        with self._elements() as (row, vector, lane):
            self.writer.store(self.writer.load(registers, [row, vector, lane]), finished, [row, vector * self.lanes + lane])
        rows, first = self._panel(self.found.rows, q, self.sizes.rows)
        last = self.found.rows[-1]
        with (
            self.writer.builder.source(self.found.nest),
            self.writer.loop("parallel", 0, self.width, step=self.lanes, hint="vector") as vector,
            self._parts(p * self.width + vector) as (row_of_copy, place),
            self.writer.loop("parallel", 0, minimum(self.sizes.rows, last.upper - first), hint="row") as row,
            self.writer.loop("vector", 0, self.lanes, hint="lane") as lane,
        ):
            at = [*digits(row_of_copy, self.lengths[:-1]), place + lane]
            here = {**places, **rows, self._atom(last): first + row}
            here |= {self._atom(level): each for level, each in zip(self.inner, at, strict=True)}
            guards = {self._atom(level): [level.upper - 1 - each] for level, each in zip(self.inner, at, strict=True)}
            guards[self._atom(self.inner[-1])].append(at[-1])
            if len(self.inner) == 1:  # rows beyond the last have no index of their own to guard
                guards[self._atom(self.inner[-1])].append(-row_of_copy)
            self._epilogue(self.writer.load(finished, [row, vector + lane]), here, guards)

    @contextmanager
    def _parts(self, start: Index) -> Iterator[tuple[Index, Index]]:
        """A loop over the rows of the copy that a vector overlaps, and the offset of its start in each of them."""
        above = self.writer.index(start // self.pitch)
        place = start - above * self.pitch
        with self.writer.loop("sequential", 0, (place + self.lanes - 1) // self.pitch + 1, hint="part") as part:
            yield above + part, place - part * self.pitch
