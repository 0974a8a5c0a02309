"""loop-stream-rows: read rows that are too long for a tile once for a maximum and the sums relative to it.

    for "parallel" %i in (0, n):                         best[l] = -inf, sum[l] = 0 for all lanes l
      m = for %j in (0, k): max x[i, j]                  for "sequential" part of (0, k), for "parallel" lane l of it:
      s = for %j in (0, k): add exp(x[i, j] - m)   ->      w = max of best[l] and x[i, j]
      for %j: y[i, j] = f(exp(x[i, j] - m), s)             sum[l] = sum[l] * exp(best[l] - w) + exp(x[i, j] - w), best[l] = w
                                                         m = max of best[l], s = add sum[l] * exp(best[l] - m)
                                                         for %j: y[i, j] = f(exp(x[i, j] - m), s)

A tile holds rows of up to `beyond` elements (`schedules.py`), so that several loops over a row load it once. For longer rows
each loop loads all elements again. Where sizes are unknown, the original block remains for shorter rows, each block under a
condition.

1. Later loops recompute the elements that a reduction stores for them, such as exponentials, from the elements that it loaded:
   reading these replaces writing and reading the stored elements.
2. A maximum and the sums of exponentials relative to it become one loop over parts of `elements` lanes, each of which has a
   maximum and sums of its own. After the loop the lanes are combined.
3. A sum and the sums of squared distances from a value computed from it, as a mean and a variance, become one loop too: each
   lane updates a mean and the squared distances from it.

Maxima are exact, so that only the rounding of sums differs. Rows with infinite elements give the same results as two loops.

Source: Milakov and Gimelshein, Online normalizer calculation for softmax, 2018; Chan, Golub and LeVeque, Algorithms for
computing the sample variance, 1983.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import IntegerAttr, ModuleOp, UnitAttr, f32, i64
from xdsl.ir import SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint, Rewriter

from ....dialects import loop
from ....ir.index.expressions import Atom, Dim, Index, IndexLike, ceildiv, index
from ....ir.rewrite import Builder, count, erase
from ....ir.scalars.attributes import neutral, number
from ...analysis.loop_nests import Frame, lowered_blocks
from ...analysis.reductions import accumulations, computing
from ...manager.options import limited
from ..builder import Writer
from ..online.exponential_chains import Chain
from .copies import copy_block, put_under
from .patterns import inside, outer_nest
from .row_blocks import RowWriter
from .row_chains import SquareChain, Stored, exponential_chain, square_chain, stored_elements
from .schedules import LONGEST_ROW, lane_nests
from .tiling import bounded_size, stores_halves


@dataclass(frozen=True)
class LoopStreamRows(ModulePass):
    """Rows of more than `beyond` elements are streamed, `elements` at a time, by `warps`."""

    name = "loop-stream-rows"

    beyond: int = limited(LONGEST_ROW)
    elements: int = limited(4096, power_of_two=True)
    warps: int = limited(8, power_of_two=True)

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for block in lowered_blocks(op):
            if block.warps is None and not any(isinstance(each, loop.AllocOp) for each in block.walk()):
                self._stream(block)

    def _stream(self, block: loop.BlockOp) -> None:
        outer = outer_nest(block)
        row = _row(block)
        if row is None or not outer.loops or any(level.kind.data != "parallel" for level in outer.loops):
            return
        spare = row - self.beyond - 1
        if spare.constant is not None and spare.constant < 0:
            return
        streamed = block
        if spare.constant is None:
            streamed = copy_block(block)
            put_under(streamed, [spare])
            put_under(block, [-spare - 1])
        for level, frame in _levels(streamed):
            _rewrite(level, frame, row, self.elements)
        self._schedule(streamed)
        count("rows-streamed", "Number of blocks whose long rows are streamed")

    def _schedule(self, block: loop.BlockOp) -> None:
        """Map the loops over rows that have no lanes yet to lanes. Programs take the iterations of the outer loops one by
        one."""
        for nest in lane_nests(inside(block, outer_nest(block))):
            if nest.body.axis is None:
                for level in nest.loops:
                    level.spread(1, bounded_size(nest.size, self.elements))
        block.warps, block.stages = IntegerAttr(self.warps, i64), IntegerAttr(1, i64)
        if stores_halves(block):
            block.fast = UnitAttr()


def _levels(block: loop.BlockOp) -> Iterator[tuple[loop.ForOp, Frame]]:
    """The loops of a block that contain other loops, each with a frame of the block at the time."""
    for level in [op for op in block.walk() if isinstance(op, loop.ForOp)]:
        if any(isinstance(op, loop.ForOp) for op in level.body.block.ops):
            frame = Frame()
            frame.tree(block)
            yield level, frame


def _row(block: loop.BlockOp) -> Index | None:
    """The length of the rows of the first chain of a block; None if there is none."""
    for level, frame in _levels(block):
        found = [each.reduction for each in stored_elements(level, frame)]
        chain, squares = exponential_chain(level, frame), square_chain(level, frame)
        found += [chain.maxima] if chain is not None else []
        found += [squares.sums] if squares is not None else []
        if found:
            return found[0].upper
    return None


def _rewrite(level: loop.ForOp, frame: Frame, row: Index, elements: int) -> None:
    for stored in list(stored_elements(level, frame, row)):
        _compute_again(stored, frame)
    while (chain := exponential_chain(level, frame, row)) is not None:
        _Exponentials(chain, frame, elements).write()
    while (squares := square_chain(level, frame, row)) is not None:
        _Squares(squares, frame, elements).write()


def _compute_again(stored: Stored, frame: Frame) -> None:
    """Let later loops recompute the elements that a reduction stored."""
    buffer = stored.store.buffer
    for load in stored.loads:
        reader = load.parent_op()
        assert isinstance(reader, loop.ForOp), "elements are loaded in a loop"
        writer = Writer(frame, Builder(InsertPoint.before(load), stored.store, load))
        place: dict[Atom, IndexLike] = {Dim(frame.number(stored.reduction.induction)): frame.index(reader.induction)}
        values: dict[SSAValue, SSAValue] = {}
        for op in stored.statements:
            writer.copy(op, values, place)
        load.result.replace_all_uses_with(values.get(stored.store.value, stored.store.value))
        erase(load)
    erase(stored.store)
    if not buffer.uses and isinstance(buffer.owner, loop.AllocOp):
        erase(buffer.owner)


class _Lanes(RowWriter):
    """Writes a loop over the parts of a row, whose lanes have results of their own."""

    def __init__(self, frame: Frame, elements: int, first: loop.ForOp, second: loop.ForOp, before: loop.ForOp):
        self.first, self.second, self.size, self.length = first, second, elements, first.upper
        even = self.length % elements == 0
        super().__init__(Writer(frame, Builder(InsertPoint.before(before), first, second)), even=even)
        self.zero = self.writer.constant(number(0, f32))

    def buffers(self, number: int, hint: str) -> list[SSAValue]:
        return [self.writer.allocate([self.size], f32, "thread", hint) for _ in range(number)]

    def terms(self, reduction: loop.ForOp, place: Index, values: dict[SSAValue, SSAValue], function: str) -> list[SSAValue]:
        """The terms that a loop accumulates at an index of the row; after the row's end, the neutral element."""
        writer, found = self.writer, list[SSAValue]()
        at: dict[Atom, IndexLike] = {Dim(self.frame.number(reduction.induction)): place}
        within = self.length - 1 - place
        for result in accumulations(reduction) or ():
            for op in computing(result.inputs[1], reduction):
                if any(each not in values for each in op.results):
                    self.copy(op, values, at, [within])
            term = values.get(result.inputs[1], result.inputs[1])
            if not self.even:
                term = writer.compute("select", writer.test([within]), term, writer.constant(neutral(function, f32)))
            found.append(term)
        return found

    def combined(self, function: str, start: SSAValue, buffer: SSAValue) -> SSAValue:
        """The results of all lanes, combined."""
        with self.reduction(self.size, start, 1) as (level, values):
            value = self.writer.load(buffer, [self.frame.index(level.induction)])
            values[0] = self.writer.compute(function, values[0], value)
        return level.results[0]


class _Exponentials(_Lanes):
    """Writes a maximum and the sums of exponentials relative to it."""

    def __init__(self, chain: Chain, frame: Frame, elements: int):
        super().__init__(frame, elements, chain.maxima, chain.sums, chain.sums)
        self.chain = chain
        self.best = self.buffers(len(chain.maxima.results), "best")
        self.sums = self.buffers(len(chain.sums.results), "sums")
        self.used = sorted({each.maximum for each in chain.subtracted})

    def write(self) -> None:
        chain, writer = self.chain, self.writer
        lowest = writer.constant(neutral("max", f32))
        with self.lanes(self.size, 1, "lane") as lane:
            for buffer in self.best:
                writer.store(lowest, buffer, [lane])
            for buffer in self.sums:
                writer.store(self.zero, buffer, [lane])
        with (
            writer.carrying("sequential", 0, self.length, (), step=self.size, hint="part") as (parts, _),
            self.lanes(self.size, 1, "lane") as lane,
        ):
            self._write_step(self.frame.index(parts.induction) + lane, lane)
        maxima = [self.combined("max", start, buffer) for start, buffer in zip(chain.maxima.carried, self.best, strict=True)]
        sums = [self._total(k, maxima) for k in range(len(self.sums))]
        for op in chain.between:
            op.detach()
            Rewriter.insert_op(op, writer.builder.point)
        for old, new in zip((*chain.maxima.results, *chain.sums.results), (*maxima, *sums), strict=True):
            old.replace_all_uses_with(new)
        erase(chain.sums)
        erase(chain.maxima)

    def _write_step(self, place: Index, lane: Index) -> None:
        chain, writer = self.chain, self.writer
        before = [writer.load(buffer, [lane]) for buffer in self.best]
        elements = self.terms(chain.maxima, place, {}, "max")
        best = [writer.compute("max", old, new) for old, new in zip(before, elements, strict=True)]
        shifts = {k: self._finite(best[k]) for k in self.used}
        factors = {k: self._power(self._floor(before[k]), shifts[k]) for k in self.used}
        terms = self.terms(chain.sums, place, {each.value: shifts[each.maximum] for each in chain.subtracted}, "add")
        for shift, term, buffer in zip(chain.shifts, terms, self.sums, strict=True):
            total = writer.load(buffer, [lane])
            if shift is not None:
                total = writer.compute("mul", total, factors[shift.maximum])
            writer.store(writer.compute("add", total, term), buffer, [lane])
        for value, buffer in zip(best, self.best, strict=True):
            writer.store(value, buffer, [lane])

    def _total(self, k: int, maxima: Sequence[SSAValue]) -> SSAValue:
        """A sum of all lanes, relative to the maximum of the row. It is NaN if the maximum itself is subtracted, and is not
        finite."""
        writer, shift = self.writer, self.chain.shifts[k]
        if shift is None:
            return self.combined("add", self.zero, self.sums[k])
        maximum = maxima[shift.maximum]
        finite = self._finite(maximum)
        with self.reduction(self.size, self.zero, 1) as (level, values):
            lane = self.frame.index(level.induction)
            factor = self._power(self._floor(writer.load(self.best[shift.maximum], [lane])), finite)
            term = writer.compute("mul", writer.load(self.sums[k], [lane]), factor)
            values[0] = writer.compute("add", values[0], term)
        if shift.is_finite:
            return level.results[0]
        return writer.compute("add", level.results[0], writer.compute("sub", maximum, maximum))

    def _power(self, value: SSAValue, shift: SSAValue) -> SSAValue:
        return self.writer.compute("exp", self.writer.compute("sub", value, shift))

    def _finite(self, value: SSAValue) -> SSAValue:
        return self.writer.compute("select", self.writer.compute("isfinite", value), value, self.zero)

    def _floor(self, value: SSAValue) -> SSAValue:
        """The value that sums are relative to: a finite maximum, 0 in place of infinity, and -inf where all terms are 0."""
        return self.writer.compute("min", value, self._finite(value))


class _Squares(_Lanes):
    """Writes sums, and the sums of squared distances from a value computed from them."""

    def __init__(self, chain: SquareChain, frame: Frame, elements: int):
        super().__init__(frame, elements, chain.sums, chain.squares, chain.sums)
        self.chain = chain
        self.bases = sorted({each.result for each in chain.distances})
        self.sums = self.buffers(len(chain.sums.results), "sums")
        self.means = dict(zip(self.bases, self.buffers(len(self.bases), "means"), strict=True))
        self.squares = dict(zip(self.bases, self.buffers(len(self.bases), "squares"), strict=True))

    def write(self) -> None:
        chain, writer = self.chain, self.writer
        with self.lanes(self.size, 1, "lane") as lane:
            for buffer in (*self.sums, *self.means.values(), *self.squares.values()):
                writer.store(self.zero, buffer, [lane])
        with writer.carrying("sequential", 0, self.length, (), step=self.size, hint="part") as (parts, _):
            part = self.frame.index(parts.induction)
            share = writer.compute("reciprocal", self._number(part // self.size + 1))
            with self.lanes(self.size, 1, "lane") as lane:
                self._write_step(part + lane, lane, share)
        sums = [self.combined("add", self.zero, buffer) for buffer in self.sums]
        for old, new in zip(chain.sums.results, sums, strict=True):
            old.replace_all_uses_with(new)
        with writer.inside(InsertPoint.before(chain.squares)):
            for old, distance in zip(chain.squares.results, chain.distances, strict=True):
                old.replace_all_uses_with(self._total(distance.result, distance.origin))
        erase(chain.squares)
        erase(chain.sums)

    def _write_step(self, place: Index, lane: Index, share: SSAValue) -> None:
        writer, within = self.writer, self.length - 1 - place
        terms = self.terms(self.chain.sums, place, {}, "add")
        for term, buffer in zip(terms, self.sums, strict=True):
            writer.store(writer.compute("add", writer.load(buffer, [lane]), term), buffer, [lane])
        for k in self.bases:
            mean, square = (writer.load(each[k], [lane]) for each in (self.means, self.squares))
            distance = writer.compute("sub", terms[k], mean)
            nearer = writer.compute("add", mean, writer.compute("mul", distance, share))
            more = writer.compute("mul", distance, writer.compute("sub", terms[k], nearer))
            larger = writer.compute("add", square, more)
            if not self.even:
                is_inside = writer.test([within])
                nearer, larger = (
                    writer.compute("select", is_inside, new, old) for new, old in ((nearer, mean), (larger, square))
                )
            writer.store(nearer, self.means[k], [lane])
            writer.store(larger, self.squares[k], [lane])

    def _total(self, k: int, origin: SSAValue) -> SSAValue:
        """The sum of squared distances of all elements from an origin: the squares of the elements' distances from their lanes'
        means, plus those of the lanes' means from the origin."""
        writer, copies = self.writer, dict[SSAValue, SSAValue]()
        for op in computing(origin, self.second):
            writer.copy(op, copies, {})
        origin = copies.get(origin, origin)
        with self.reduction(self.size, self.zero, 1) as (level, values):
            lane = self.frame.index(level.induction)
            mean, square = (writer.load(each[k], [lane]) for each in (self.means, self.squares))
            elements = self._number(ceildiv(self.length - lane, index(self.size)))
            moved = writer.compute("mul", elements, writer.compute("square", writer.compute("sub", mean, origin)))
            values[0] = writer.compute("add", values[0], writer.compute("add", square, moved))
        return level.results[0]

    def _number(self, expr: Index) -> SSAValue:
        """An index as float32."""
        (local,), at = self.frame.local((expr,))
        return self.writer.cast(self.writer.builder.add(loop.IndexOp(local, at)).result, f32)
