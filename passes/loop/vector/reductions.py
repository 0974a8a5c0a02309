"""Vectorisation of reductions over contiguous memory, into vectors of partial results.

    %s = for "reduction" %j in (0, m) carry(%0 : f64)      registers p[4][16] : f32, w[16] : f64
      add x[i, j]                                          for chunks of 16 * 64 elements:
                                                             p = 0
                                                     ->      for "reduction" %j in chunk step 64: p[u][lane] += x[i, j + ...]
                                                             w[lane] += p[0][lane] + ... + p[3][lane]
                                                           for the remainder, step 16: p[0][lane] += x[i, j + lane] under a
                                                           guard
                                                           %s = %0 + the lanes of w

1. Each lane accumulates on its own; several registers hide the latency of the accumulation, fewer if a step computes more.
2. Sums of float32 carried in float64 are added in float32 within a chunk, a few values per lane, and chunk by chunk in float64:
   nearly as accurate as adding each value in float64, with a fraction of the conversions.
3. The remainder that does not fill all registers is added under a guard, with the neutral element in the other lanes.
4. In a nest of reductions, as over the rows and columns of images, the innermost loop is in vectors, and all iterations of the
   outer ones add to the same registers. float32 lanes are added to the float64 ones after each group of rows that fits a chunk,
   or after each row if sizes are not known.
5. Registers and lanes are folded in a fixed order, so that a result depends on the sizes only, and on which of them are known,
   never on threads.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager

from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.rewriter import InsertPoint

from ....dialects import loop
from ....ir.index.expressions import Atom, Index, IndexLike, ceildiv, minimum
from ....ir.nesting import operations
from ....ir.rewrite import Builder, count, erase
from ....ir.scalars.attributes import neutral
from ...analysis.loop_nests import Frame
from ...analysis.reductions import Term, accumulations, cost_of, statements, term_of
from ..builder import Writer, over

# The additions that a core overlaps: latency times throughput. With an exponential per step fewer accumulators are as fast, and
# compile faster.
PENDING = 8
# The statements that may stand between the loops of a nest.
_BEFORE = (loop.LoadOp, loop.CheckOp, loop.ConstantOp, loop.ComputeOp, loop.CastOp, loop.IndexOp, loop.TestOp)


def whole(extent: Index, size: int) -> Index:
    """The number of iterations, rounded down to a multiple of `size`."""
    return extent // size * size


def _registers(cost: float) -> int:
    """The number of accumulators that keep a core busy if each value costs `cost` additions: a power of two, and at least two,
    since a single accumulator would double the number of float32 chunks."""
    return max(2, 1 << (math.ceil(PENDING / cost) - 1).bit_length())


def nest_of_rows(outer: loop.ForOp) -> list[loop.ForOp]:
    """The nest of reductions that pass on the same carried values, from `outer` inwards. Statements may stand before a loop
    inside, such as one that loads the number of a row, and its check."""
    found = [outer]
    while inside := statements(found[-1]):
        *before, row = inside
        if not isinstance(row, loop.ForOp) or not _continues(found[-1], before, row):
            break
        found.append(row)
    return found


def _continues(outer: loop.ForOp, before: Sequence[Operation], row: loop.ForOp) -> bool:
    """Whether a reduction passes on all that the loop around it carries, and the statements before it only load and check."""
    if row.kind.data != "reduction" or not row.carried:
        return False
    if tuple(row.carried) != outer.carried_args or outer.yielded != tuple(row.results):
        return False
    if any(use.operation is not row for arg in outer.carried_args for use in arg.uses):
        return False
    if any(value in row.operands_at for op in before for value in op.results):
        return False
    written = {each.buffer for each in operations(row) if isinstance(each, loop.StoreOp | loop.UpdateOp)}
    return all(isinstance(op, _BEFORE) and not (isinstance(op, loop.LoadOp) and op.buffer in written) for op in before)


class VectorReduction:
    """Replaces the loops of one reduction, a nest of rows from outside in, by vectors along the innermost one."""

    def __init__(self, nest: Sequence[loop.ForOp], frame: Frame, lanes: int, registers: int, chunk: int):
        *self.outer, op = nest
        results = accumulations(op)
        assert results is not None, "the loop accumulates"
        self.nest = nest
        self.op = op
        self.frame = frame
        self.lanes = lanes
        # The registers of each value: rows that loop-unroll-and-jam interleaved are summed in the same order as single rows.
        self.registers = min(registers, _registers(cost_of(op) / len(op.carried)))
        self.chunk = chunk * lanes * self.registers
        self.terms = [term_of(result) for result in results]
        self.hint = op.induction.name_hint or "k"
        self.writer = Writer(frame, Builder(InsertPoint.before(nest[0]), *nest))
        self.places: dict[Atom, IndexLike] = {}
        # The statements between the loops, as they are written.
        self.values: dict[SSAValue, SSAValue] = {}

    def run(self) -> None:
        outermost, writer = self.nest[0], self.writer
        partial = [self._allocate((self.registers, self.lanes), term.element) for term in self.terms]
        wide = [self._allocate((self.lanes,), term.carried) if term.is_narrow else None for term in self.terms]
        self._clear(partial, wide)
        self._levels(partial, wide, self.outer, len(self.outer) - self._levels_of_chunk())
        self._fold_registers(partial, narrow=False)
        with writer.carrying("vector", 0, self.lanes, list(outermost.carried), hint="lane") as (fold, values):
            lane = self.frame.index(fold.induction)
            for k, term in enumerate(self.terms):
                last = wide[k]
                value = writer.load(partial[k], [0, lane]) if last is None else writer.load(last, [lane])
                values[k] = writer.compute(term.function, values[k], value)
        for old, new in zip(outermost.results, fold.results, strict=True):
            old.replace_all_uses_with(new)
        erase(outermost)
        count("loops-vectorized", "Number of loops split into vectors")

    def _levels(
        self, partial: Sequence[SSAValue], wide: Sequence[SSAValue | None], outer: Sequence[loop.ForOp], outside: int
    ) -> None:
        """Write the loops `outer` around vectors along the innermost one. The float32 lanes are added to the float64 ones after
        each iteration of the first `outside` of these loops."""
        if outer:
            lower, upper = self._bounds(outer[0])
            with self.writer.loop("reduction", lower, upper, hint=outer[0].induction.name_hint or "k") as at:
                self.places |= over([outer[0].induction], self.frame, [at])
                for statement in statements(outer[0])[:-1]:
                    self.writer.copy(statement, self.values, self.places)
                self._levels(partial, wide, outer[1:], outside - 1)
        else:
            self._vectors(partial, wide)
        if outside == 0:
            self._flush(partial, wide)
            if len(outer) < len(self.outer):
                self._clear_narrow(partial)

    def _levels_of_chunk(self) -> int:
        """The number of loops around the innermost one, from the inside outwards, whose vectors together fit the chunk of one
        register."""
        lower, upper = self.frame.exprs(self.op)
        count, vectors = 0, ceildiv(upper - lower, self.lanes).constant
        for level in reversed(self.outer):
            vectors = None if vectors is None or level.trips is None else vectors * level.trips
            if vectors is None or vectors > self.chunk // (self.lanes * self.registers):
                break
            count += 1
        return count

    def _bounds(self, level: loop.ForOp) -> tuple[Index, Index]:
        """The bounds of a loop at the current iteration of the loops around it."""
        lower, upper = (expr.substitute(self.places) for expr in self.frame.exprs(level))
        return lower, upper

    def _vectors(self, partial: Sequence[SSAValue], wide: Sequence[SSAValue | None]) -> None:
        """Write the innermost loop."""
        lower, upper = self._bounds(self.op)
        main = lower + whole(upper - lower, self.lanes * self.registers)
        if main - lower != 0:
            self._main(partial, wide, lower, main)
        if upper - main != 0:
            self._remainder(partial, main, upper)

    def _allocate(self, shape: Sequence[int], element: Attribute) -> SSAValue:
        return self.writer.allocate(shape, element, "register", "partial")

    def _clear(self, partial: Sequence[SSAValue], wide: Sequence[SSAValue | None]) -> None:
        with self._elements() as at:
            self._neutral(list(zip(partial, self.terms, strict=True)), at)
        with self.writer.loop("vector", 0, self.lanes, hint="lane") as lane:
            for buffer, term in zip(wide, self.terms, strict=True):
                if buffer is not None:
                    self.writer.store(self.writer.constant(neutral(term.function, term.carried)), buffer, [lane])

    def _neutral(self, buffers: Sequence[tuple[SSAValue, Term]], at: Sequence[Index]) -> None:
        for buffer, term in buffers:
            self.writer.store(self.writer.constant(neutral(term.function, term.element)), buffer, at)

    def _main(self, partial: Sequence[SSAValue], wide: Sequence[SSAValue | None], lower: Index, upper: Index) -> None:
        """Write whole groups of vectors, in chunks if float32 is summed for float64."""
        with ExitStack() as stack:
            chunks = any(term.is_narrow for term in self.terms)
            if chunks:
                lower = stack.enter_context(self.writer.loop("reduction", lower, upper, step=self.chunk, hint="chunk"))
                upper = minimum(lower + self.chunk, upper)
            step = self.lanes * self.registers
            with self.writer.loop("reduction", lower, upper, step=step, hint=self.hint) as start, self._elements() as (u, lane):
                self._accumulate(partial, start + u * self.lanes + lane, (u, lane), [])
            if chunks:
                self._flush_chunk(partial, wide)

    def _flush_chunk(self, partial: Sequence[SSAValue], wide: Sequence[SSAValue | None]) -> None:
        self._fold_registers(partial, narrow=True)
        self._flush(partial, wide)
        self._clear_narrow(partial)

    def _clear_narrow(self, partial: Sequence[SSAValue]) -> None:
        if chosen := self._chosen(partial, narrow=True):
            with self._elements() as at:
                self._neutral(chosen, at)

    def _remainder(self, partial: Sequence[SSAValue], lower: Index, upper: Index) -> None:
        """Write the remainder that does not fill all registers, a vector at a time."""
        with (
            self.writer.loop("reduction", lower, upper, step=self.lanes, hint=self.hint) as start,
            self._lanes() as lane,
        ):
            self._accumulate(partial, start + lane, (Index({}), lane), [upper - 1 - start - lane])

    def _accumulate(
        self, partial: Sequence[SSAValue], position: Index, at: tuple[Index, Index], guards: Sequence[Index]
    ) -> None:
        """One iteration: its statements, and the accumulation of its values into a register."""
        places = {**self.places, **over([self.op.induction], self.frame, [position])}
        values = dict(self.values)
        skipped = {op for term in self.terms for op in term.skipped}
        for statement in statements(self.op):
            if statement not in skipped:
                self.writer.copy(statement, values, places, guards)
        for buffer, term in zip(partial, self.terms, strict=True):
            value = values.get(term.value, term.value)
            if guards:
                nothing = self.writer.constant(neutral(term.function, term.element))
                value = self.writer.compute("select", self.writer.test(guards), value, nothing)
            self._add(buffer, term.function, at, value)

    def _add(self, buffer: SSAValue, function: str, at: Sequence[Index | int], value: SSAValue) -> None:
        self.writer.store(self.writer.compute(function, self.writer.load(buffer, at), value), buffer, at)

    def _fold_registers(self, partial: Sequence[SSAValue], *, narrow: bool) -> None:
        """Fold all registers into the first. Narrow ones were folded after each chunk, and the remainder is in the first."""
        chosen = self._chosen(partial, narrow=narrow)
        if not chosen:
            return
        with self.writer.loop("unroll", 1, self.registers, hint="u") as u, self._lanes() as lane:
            for buffer, term in chosen:
                self._add(buffer, term.function, [0, lane], self.writer.load(buffer, [u, lane]))

    def _chosen(self, partial: Sequence[SSAValue], *, narrow: bool) -> list[tuple[SSAValue, Term]]:
        return [(buffer, term) for buffer, term in zip(partial, self.terms, strict=True) if term.is_narrow == narrow]

    def _flush(self, partial: Sequence[SSAValue], wide: Sequence[SSAValue | None]) -> None:
        """Add the float32 lanes to the float64 ones."""
        if not any(term.is_narrow for term in self.terms):
            return
        with self._lanes() as lane:
            for buffer, total, term in zip(partial, wide, self.terms, strict=True):
                if total is not None:
                    value = self.writer.cast(self.writer.load(buffer, [0, lane]), term.carried)
                    self._add(total, term.function, [lane], value)

    @contextmanager
    def _lanes(self) -> Iterator[Index]:
        with self.writer.loop("vector", 0, self.lanes, hint="lane") as lane:
            yield lane

    @contextmanager
    def _elements(self) -> Iterator[tuple[Index, Index]]:
        """Loops over the registers of partial results: the index of the register and of the lane."""
        with self.writer.loop("unroll", 0, self.registers, hint="u") as u, self._lanes() as lane:
            yield u, lane
