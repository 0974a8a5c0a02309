"""loop-tile-transposes: tile nests that read down columns and store along rows into square tiles.

    for %i in (0, n)                    for "parallel" %b in (0, m floordiv 16 * 16) step 32
      for %j in (0, m)                    for "parallel" %a in (-k, n) step 16
        y[i, j] = x[j, i]                   s = max(0, min(a, n - 16))
                                            for %t in (0, 2), %r in (0, 16), "vector" %lane:
                                   ->         tile[t, r, lane] = x[b + t * 16 + r, s + lane]
                                            for %r in (max(a - s, 0), min(a - s, 0) + 16), %t in (0, 2), "vector" %lane:
                                              y[s + r, b + t * 16 + lane] = tile[t, lane, r]
                                        and the remaining columns, and matrices narrower than a vector, as before

1. A nest of two parallel loops is tiled if it stores along the inner one and some loads are contiguous along the outer one
   only; their rows may be at any address. Loads and cheap statements before the inner loop are sunk into it.
2. A tile is as wide as a vector. Its source is read once, in whole cache lines. Its result is stored in whole vectors; the
   vectors of `tiles` adjacent tiles, fewer at the end, are stored in sequence. Only the tiles are read across, and these stay
   in the cache.
3. Prefetch the rows that are read some tiles ahead: hardware prefetchers follow fewer rows than a tile has.
4. Buffers of callers need not be aligned to cache lines: their first element is the `k`th of its vector, and tiles start at
   vector boundaries. The first and the last tile, which would cross the border, are moved inside and store only their own rows.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Block, Operation, SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint

from ....dialects import loop
from ....ir.index.expressions import Atom, Index, IndexLike, index, maximum, minimum
from ....ir.rewrite import Builder, count
from ....ir.scalars.table import scalar
from ....ir.types.dtypes import dtype_of
from ....ir.types.shapes import element_of, row_major, shape_of
from ...analysis.loop_nests import AccessOp, Frame, lowered_blocks, rewrite_loops
from ...analysis.recomputation import RECOMPUTE
from ...analysis.reductions import computing, statements
from ...analysis.strides import stride
from ...manager.options import limited
from ..builder import Writer, over
from ..vector.reductions import whole
from .access_streams import SECOND

_SUNK = (loop.ConstantOp, loop.ComputeOp, loop.CastOp, loop.LoadOp, loop.IndexOp)


@dataclass(frozen=True)
class LoopTileTransposes(ModulePass):
    """`bytes` is the size of a vector, `tiles` the number of adjacent tiles: more rows are more memory streams than a processor
    follows. `ahead` is the prefetch distance in tiles along the rows that are read, into the second cache; 0 disables it."""

    name = "loop-tile-transposes"

    bytes: int = limited(64, most=256, power_of_two=True)
    # Some processors follow more streams.
    tiles: int = limited(2, least=1)
    # Two tiles cover the latency of memory.
    ahead: int = limited(2, least=0)

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for block in lowered_blocks(op):
            frame = Frame()
            rewrite_loops(block.body.block, frame, lambda level, around, frame=frame: self._rewrite(level, frame, around))

    def _rewrite(self, op: loop.ForOp, frame: Frame, around: Sequence[int]) -> bool:
        inner = _inner(op)
        if inner is None:
            return False
        frame.enter(inner)
        turned = _transposed_loads(inner, around[-1], frame.number(inner.induction), frame, around)
        if turned:
            _sink(op, inner)
            self._transpose(op, inner, frame, around[:-1], turned)
        return bool(turned)

    def _transpose(
        self, outer: loop.ForOp, inner: loop.ForOp, frame: Frame, around: Sequence[int], turned: Sequence[loop.LoadOp]
    ) -> None:
        widths = [dtype_of(element_of(each.buffer)).bits for each in inner.body.walk() if isinstance(each, AccessOp)]
        lanes = loop.lanes_in(self.bytes, max([32, *widths]))
        first, last = frame.exprs(outer)
        lower, upper = frame.exprs(inner)
        # Do not tile matrices with rows shorter than a vector.
        wide = minimum((last - first) // lanes, 1)
        rows, columns = first + (last - first) * wide, lower + whole(upper - lower, lanes)
        if rows == first or columns == lower:
            return
        writer = Writer(frame, Builder(InsertPoint.before(outer), inner))
        with writer.branch(last - first - lanes) if wide != 1 else nullcontext():
            places = over([outer.induction, inner.induction], frame, [first, lower])
            past = _past_boundary(turned[0], places, around, lanes, writer)
            tiles = Tiles(outer, inner, writer, lanes, turned, self.ahead)
            self._in_tiles(tiles, (first, last), (lower, columns), past)
        rest = writer.copy(outer, {}, {})
        assert isinstance(rest, loop.ForOp), "a copy of a loop"
        frame.write(rest, (rows, last))
        frame.write(_inner_loop(rest), (lower, columns))
        frame.write(inner, (columns, upper))
        count("loops-transposed", "Number of nests tiled into squares")

    def _in_tiles(self, tiles: Tiles, rows: tuple[Index, Index], columns: tuple[Index, Index], past: Index) -> None:
        """Write the loops over tiles, the first of which would start `past` elements before the first row."""
        lanes, writer, (first, last), (lower, upper) = tiles.lanes, tiles.writer, rows, columns
        with (
            writer.loop("parallel", lower, upper, step=lanes * self.tiles, hint="block") as block,
            writer.loop("parallel", first - past, last, step=lanes, hint="row") as row,
        ):
            number = minimum(self.tiles, (upper - block) // lanes)
            start = maximum(first, minimum(row, last - lanes))
            own = maximum(row - start, 0), minimum(row - start, 0) + lanes
            tiles.write(start, own, block, self.tiles, number)


class Tiles:
    """Writes adjacent tiles: loads along the outer loop go through per-thread memory."""

    def __init__(
        self, outer: loop.ForOp, inner: loop.ForOp, writer: Writer, lanes: int, turned: Sequence[loop.LoadOp], ahead: int
    ):
        self.inductions = [outer.induction, inner.induction]
        self.inner = inner
        self.writer = writer
        self.lanes = lanes
        self.turned = turned
        self.ahead = ahead

    def write(self, row: Index, own: tuple[Index, Index], column: Index, most: int, number: Index) -> None:
        """Write up to `most` tiles, the first of which starts at `row` and `column` of the result. Of their rows only those in
        the range `own` are stored."""
        writer, shape = self.writer, (most, self.lanes, self.lanes)
        tiles = {load: writer.allocate(shape, load.result.type, "thread", "tile") for load in self.turned}
        with (
            writer.loop("parallel", 0, number, hint="tile") as tile,
            writer.loop("parallel", 0, self.lanes, hint="row") as across,
        ):
            there = column + tile * self.lanes + across
            if self.ahead > 0:
                self._prefetch(row + self.ahead * self.lanes, there)
            with writer.loop("vector", 0, self.lanes, hint="lane") as lane:
                places = over(self.inductions, writer.frame, [row + lane, there])
                for load, memory in tiles.items():
                    values: dict[SSAValue, SSAValue] = {}
                    for op in computing(load.result, self.inner):
                        writer.copy(op, values, places)
                    writer.store(values[load.result], memory, [tile, across, lane])
        with (
            writer.loop("parallel", *own, hint="row") as down,
            writer.loop("parallel", 0, number, hint="tile") as tile,
            writer.loop("vector", 0, self.lanes, hint="lane") as lane,
        ):
            places = over(self.inductions, writer.frame, [row + down, column + tile * self.lanes + lane])
            values = {load.result: writer.load(memory, [tile, lane, down]) for load, memory in tiles.items()}
            for statement in statements(self.inner):
                if statement not in tiles:
                    writer.copy(statement, values, places)

    def _prefetch(self, row: Index, column: Index) -> None:
        """Prefetch the transposed source at a position, unless its address is looked up."""
        places = over(self.inductions, self.writer.frame, [row, column])
        for load in self.turned:
            if computing(load.result, self.inner) == [load]:
                at = [expr.substitute(places) for expr in self.writer.frame.exprs(load)]
                self.writer.prefetch(load.buffer, at, SECOND)


def _past_boundary(
    load: loop.LoadOp, places: Mapping[Atom, IndexLike], around: Sequence[int], lanes: int, writer: Writer
) -> Index:
    """The distance in elements from the previous vector boundary in memory to a loaded position. For rows that are looked up,
    use the first element of the buffer; buffers allocated here are aligned."""
    if not isinstance(load.buffer.owner, Block):
        return index(0)
    offset = row_major(shape_of(load.buffer), [expr.substitute(places) for expr in writer.frame.exprs(load)])
    if not offset.dims() <= {*around}:
        offset = index(0)
    return (writer.misalignment(load.buffer, lanes * dtype_of(element_of(load.buffer)).itemsize) + offset) % lanes


def _inner_loop(outer: loop.ForOp) -> loop.ForOp:
    (inner,) = statements(outer)
    assert isinstance(inner, loop.ForOp), "the nest is one of two loops"
    return inner


def _inner(outer: loop.ForOp) -> loop.ForOp | None:
    """The parallel loop with straight-line statements that a parallel loop holds, if all other statements in the outer loop may
    move into it."""
    *before, inner = statements(outer) or [None]
    if not isinstance(inner, loop.ForOp) or {outer.kind.data, inner.kind.data} != {"parallel"} or inner.operands_at:
        return None
    if outer.step.value.data != 1 or inner.step.value.data != 1:
        return None
    return inner if all(_is_plain(op) for op in statements(inner)) and _may_sink(before, inner) else None


def _may_sink(before: Sequence[Operation | None], inner: loop.ForOp) -> bool:
    """Whether statements may run in each iteration of the loop after them: they compute little, and load from no buffer that
    the loop stores to."""
    stored = {op.buffer for op in statements(inner) if isinstance(op, loop.StoreOp)}
    costs = [scalar(op.function.data).cost for op in before if isinstance(op, loop.ComputeOp)]
    return sum(costs) <= RECOMPUTE and all(
        isinstance(op, _SUNK) and not (isinstance(op, loop.LoadOp) and op.buffer in stored) for op in before
    )


def _sink(outer: loop.ForOp, inner: loop.ForOp) -> None:
    """Move the statements before the inner loop to its start."""
    first = inner.body.block.first_op
    assert first is not None, "a loop's body ends with loop.yield"
    for op in statements(outer)[:-1]:
        op.detach()
        inner.body.block.insert_op_before(op, first)


def _is_plain(op: Operation) -> bool:
    return not op.regions and not isinstance(op, loop.CheckOp | loop.UpdateOp | loop.AllocOp)


def _transposed_loads(inner: loop.ForOp, i: int, j: int, frame: Frame, around: Sequence[int]) -> list[loop.LoadOp]:
    """The loads along the outer loop of a nest that stores along its inner one."""
    ranges = frame.ranges([*around, j])
    stores = [op for op in statements(inner) if isinstance(op, loop.StoreOp)]
    if not stores or not all(_is_one(stride(op, j, frame, ranges)) for op in stores):
        return []
    loads = [op for op in statements(inner) if isinstance(op, loop.LoadOp) and not op.guard_exprs]
    return [op for op in loads if _is_one(stride(op, i, frame, ranges)) and _is_far(stride(op, j, frame, ranges))]


def _is_one(step: Index | None) -> bool:
    return step is not None and step == 1


def _is_far(step: Index | None) -> bool:
    """Whether neighbours along the inner loop may be apart: neither the same element nor adjacent ones."""
    return step is None or step.constant not in (0, 1)
