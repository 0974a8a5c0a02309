"""loop-interchange: move a parallel loop with contiguous accesses inside the strided reductions that it encloses.

    for "parallel" %j in (0, n) {                 for "parallel" %b in (0, n) step 1024 {
      %s = for %i in (0, m) carry(%0) {             %t = loop.alloc "thread" : memref<1024>
        add x[i, j]                         ->      for "parallel" %j in block b: t[j] = 0
      }                                             for "sequential" %i in (0, m):
      y[j] = %s                                       for "parallel" %j in block b: t[j] += x[i, j]
    }                                               for "parallel" %j in block b: y[j] = t[j]
                                                  }

1. A parallel loop is interchanged if it holds nests with carried values and straight-line statements, no nest moves more cache
   lines with it innermost (`analysis/cost.py`), and one of the nests moves fewer. A loop shorter than a reduction with
   contiguous accesses stays outside, as it would have shorter vectors. Small constant windows are left to loop-vectorize. Loops
   with more than `stages` nests are left alone: the gradient of a strided convolution has dozens of nests, each of which would
   become several loops.
2. Tile the parallel loop by `block`. Carried values become rows of per-thread memory; interchange the loops one nest after the
   other: the variance's nest starts once the means of the whole block are known.
3. Recompute the statements between the nests at each use, and store their results after all nests.
4. The innermost carrying loop is unrolled by `steps` inside the parallel one, to read and write the row of carried values less
   often and to have as many rows of memory in flight. The order of accumulation is unchanged, except that float32 terms of a
   float64 sum are first summed over `narrow` steps in a row of their own.
5. A single accumulation whose order does not matter is split into blocks of rows, which threads share (`blocks_of_rows.py`).
6. A parallel loop around a loop that updates elements at indices that are data, as in gradients of embeddings, moves inside of
   that loop, in parts of at most `updated` elements (`updated_rows.py`).
`loop-permute` has moved the loop with contiguous accesses innermost in a nest of parallel loops before.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass
from typing import TypeAlias

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation, SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint

from ....dialects import loop
from ....ir.index.expressions import Index, minimum
from ....ir.rewrite import Builder, count, erase
from ....ir.scalars.attributes import neutral, number
from ....ir.types.dtypes import dtype_of
from ...analysis.loop_nests import Frame, lowered_blocks, rewrite_loops
from ...analysis.reductions import Term, accumulations, statements, term_of
from ...manager.options import limited
from ..builder import Writer, over
from ..vector.reductions import whole
from .blocks_of_rows import RowBlocks, blocks_of_rows
from .parallel_nests import parallel_nest
from .reduction_nests import STORES, Nest, Stage, gains_along, reduction_nest
from .updated_rows import move_inside, updated_row

# Rows of so few elements are two vectors or less.
_SHORT_ROW = 32

# A function that computes the next carried values at a position of the carrying loops.
Advance: TypeAlias = Callable[[Sequence[SSAValue], Sequence[Index]], list[SSAValue]]
Values: TypeAlias = dict[SSAValue, SSAValue]


@dataclass(frozen=True)
class LoopInterchange(ModulePass):
    """`block` is the length of a row in elements, `steps` the unroll factor of the carrying loop, `narrow` the number of
    float32 terms (rounded to whole `steps`, at least one) summed before they are added to a float64; windows up to `window`
    steps and loops with more than `stages` carrying nests are left alone; `updated` is the longest part of an updated row that
    `cores` share. Threads share the rows of reductions in at most `parts` blocks of at least `grain` rows."""

    name = "loop-interchange"

    block: int = limited(2048)
    steps: int = limited(16)
    # As many terms as vectors add along a row.
    narrow: int = limited(64)
    window: int = limited(64, least=0)
    stages: int = limited(4)
    updated: int = limited(256)
    cores: int = limited(8)
    parts: int = limited(64)
    grain: int = limited(256)

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for block in lowered_blocks(op):
            frame = Frame()
            rewrite_loops(block.body.block, frame, lambda level, around, frame=frame: self._rewrite(level, frame, around))

    def _rewrite(self, op: loop.ForOp, frame: Frame, around: Sequence[int]) -> bool:
        levels = parallel_nest(op)
        row = updated_row(levels[-1], frame, around) if levels == [op] else None
        if row is not None:
            move_inside(row, frame, self.updated, self.cores)
            return True
        found = reduction_nest(op) if levels == [op] else None
        if found is None or len(found.stages) > self.stages or not gains_along(op, found, frame, around, self.window):
            return False
        Interchange(found, frame, self).run()
        return True


@dataclass(frozen=True)
class Columns:
    """A block of the parallel loop's iterations: its start, its length, each stage's rows of carried values, and each stage's
    rows of float32 partial sums."""

    start: Index
    length: Index
    rows: Mapping[Stage, Sequence[SSAValue]]
    narrow: Mapping[Stage, Sequence[SSAValue]]


@dataclass(frozen=True)
class Column:
    """One iteration of the parallel loop: its offset in the rows of its block, and its index."""

    block: Columns
    place: Index
    position: Index


def _may_reorder(result: loop.ComputeOp) -> bool:
    """Whether parts of an accumulation may be accumulated separately: extrema and sums of integers are the same in any order,
    and float32 terms of a float64 sum are added in groups anyway. Other accumulations round in the order in which they are
    written."""
    is_float = dtype_of(result.result.type).kind == "float"
    return not is_float or result.function.data in ("max", "min") or term_of(result).is_narrow


def _narrow_terms(innermost: loop.ForOp) -> list[Term]:
    """The terms of the float64 sums, if the loop carries only these and all terms are float32; else empty."""
    results = accumulations(innermost)
    terms = [term_of(result) for result in results] if results is not None else []
    return terms if all(term.is_narrow for term in terms) else []


class Interchange:
    """Writes the interchanged nest."""

    def __init__(self, found: Nest, frame: Frame, sizes: LoopInterchange):
        self.found = found
        self.frame = frame
        self.sizes = sizes
        self.writer = Writer(frame, Builder(InsertPoint.before(found.outer), found.outer))
        self.terms = {stage: _narrow_terms(stage.carrying[-1]) if sizes.steps > 1 else [] for stage in found.stages}

    def run(self) -> None:
        blocks = self._row_blocks() if self._may_share_rows() else None
        if blocks is None:
            with self._block() as block:
                for stage in self.found.stages:
                    self._start(block, stage)
                    self._levels(block, stage, ())
                self._finish(block)
        else:
            self._in_parts(self.found.stages[0], blocks)
        erase(self.found.outer)
        count("loops-interchanged", "Number of reductions interchanged to contiguous access", len(self.found.stages))

    @contextmanager
    def _block(self) -> Iterator[Columns]:
        """A block of the parallel loop, of all of it if it is known to be short."""
        lower, upper = self.frame.exprs(self.found.outer)
        size = minimum(self.sizes.block, upper - lower)
        extent = (upper - lower).constant
        # Without a loop over blocks around it, a short row has a constant length, for which loop-vectorize chooses the best
        # vectors.
        is_one = extent is not None and extent <= self.sizes.block
        blocks = (
            nullcontext(lower) if is_one else self.writer.loop("parallel", lower, upper, step=self.sizes.block, hint="block")
        )
        with blocks as start:
            rows = {
                stage: [self.writer.allocate([size], arg.type, "thread", "row") for arg in stage.carrying[0].carried_args]
                for stage in self.found.stages
            }
            narrow = {
                stage: [self.writer.allocate([size], term.value.type, "thread", "narrow") for term in terms]
                for stage, terms in self.terms.items()
            }
            yield Columns(start, minimum(self.sizes.block, upper - start), rows, narrow)

    def _may_share_rows(self) -> bool:
        """Whether the nest is one accumulation that starts from neutral values, and no loop encloses it."""
        stage, *others = self.found.stages
        results = accumulations(stage.carrying[-1])
        if others or results is None or not isinstance(self.found.outer.parent_op(), loop.BlockOp):
            return False
        if any(isinstance(op, loop.CheckOp | loop.UpdateOp | loop.StoreOp) for op in (*self.found.before, *self.found.inside)):
            return False
        if not all(map(_may_reorder, results)):
            return False
        starts = (value.owner for value in stage.carrying[0].carried)
        return all(
            isinstance(start, loop.ConstantOp) and start.value == neutral(result.function.data, result.result.type)
            for start, result in zip(starts, results, strict=True)
        )

    def _row_blocks(self) -> RowBlocks | None:
        sizes = self.sizes
        return blocks_of_rows(self.found.outer, self.found.stages[0].carrying, self.frame, sizes.parts, sizes.grain)

    def _in_parts(self, stage: Stage, parts: RowBlocks) -> None:
        """Let threads share the rows: each part stores a row of sums, and the rows are added up for each block of columns. If
        there is only one part, its sums are the results."""
        width = self.frame.exprs(self.found.outer)[1]
        block = self.found.outer.parent_op()
        assert isinstance(block, loop.BlockOp), "the nest is in no loop"
        with self.writer.inside(InsertPoint.before(block)):
            types = [arg.type for arg in stage.carrying[0].carried_args]
            sums = [self.writer.allocate([parts.number, width], each, None, "parts") for each in types]
        with self.writer.loop("parallel", 0, parts.number, hint="part") as part, self._block() as block:
            self._start(block, stage)
            self._levels(block, stage, (), parts.rows(part))
            with self.writer.either(parts.number - 2) as (several, one):
                with self.writer.inside(several), self._columns(block) as column:
                    for value, buffer in zip(self._load(block.rows[stage], column), sums, strict=True):
                        self.writer.store(value, buffer, [part, column.position])
                with self.writer.inside(one):
                    self._finish(block)
        functions = [result.function.data for result in accumulations(stage.carrying[-1]) or ()]
        with self.writer.branch(parts.number - 2), self._block() as block:
            self._start(block, stage)
            with self.writer.loop("sequential", 0, parts.number, hint="part") as part, self._columns(block) as column:
                rows = block.rows[stage]
                added = [
                    self.writer.compute(function, value, self.writer.load(buffer, [part, column.position]))
                    for function, value, buffer in zip(functions, self._load(rows, column), sums, strict=True)
                ]
                self._store(added, rows, column)
            self._finish(block)
        count("rows-shared", "Number of reductions down columns whose rows threads share")

    def _start(self, block: Columns, stage: Stage) -> None:
        """Write the initial values of a stage, and the checks before it."""
        checks = [op for op in stage.before if isinstance(op, loop.CheckOp)]
        with self._columns(block) as column:
            values = self._known(column, stage, {*stage.carrying[0].carried, *_operands(checks)})
            self._copy(checks, values, column)
            self._store([values.get(value, value) for value in stage.carrying[0].carried], block.rows[stage], column)
            self._store_zeros(column, stage)

    def _levels(self, block: Columns, stage: Stage, at: tuple[Index, ...], bounds: tuple[Index, Index] | None = None) -> None:
        """Write the carrying loops around the parallel loop: the innermost one unrolled, the outermost one within `bounds`."""
        level = stage.carrying[len(at)]
        lower, upper = bounds or self.frame.exprs(level)
        if level is not stage.carrying[-1]:
            with self.writer.loop("sequential", lower, upper, hint=level.induction.name_hint or "k") as k:
                self._levels(block, stage, (*at, k))
            return
        steps = self.sizes.steps
        main = lower + whole(upper - lower, steps)
        if self.terms[stage]:
            self._in_groups(block, stage, at, lower, main)
        else:
            self._in_steps(block, stage, at, lower, main, steps)
        self._in_steps(block, stage, at, main, upper, 1)

    def _in_steps(self, block: Columns, stage: Stage, at: tuple[Index, ...], lower: Index, upper: Index, steps: int) -> None:
        """Write the innermost carrying loop, unrolled by `steps`, around the parallel loop."""
        if upper - lower == 0:
            return
        with self._pair(block, stage, lower, upper, steps) as (k, column):
            values = self._known(column, stage, _operands(list(stage.carrying[-1].body.block.ops)))
            rows = block.rows[stage]
            advance = self._carried(stage, column, values)
            self._store(self._repeat(stage, advance, self._load(rows, column), (*at, k), steps), rows, column)

    def _in_groups(self, block: Columns, stage: Stage, at: tuple[Index, ...], lower: Index, upper: Index) -> None:
        """Write the innermost carrying loop with groups of steps, whose terms are first summed in a row of float32."""
        if upper - lower == 0:
            return
        steps, terms, narrow = self.sizes.steps, self.terms[stage], block.narrow[stage]
        size = max(1, self.sizes.narrow // steps) * steps
        with self.writer.loop("sequential", lower, upper, step=size, hint="group") as group:
            with self._pair(block, stage, group, minimum(group + size, upper), steps) as (k, column):
                values = self._known(column, stage, _operands(list(stage.carrying[-1].body.block.ops)))
                advance = self._narrow(stage, terms, column, values)
                self._store(self._group(stage, advance, self._load(narrow, column), (*at, k), steps), narrow, column)
            with self._columns(block) as column:
                rows = block.rows[stage]
                wide = [
                    self.writer.compute(term.function, value, self.writer.cast(added, term.carried))
                    for value, added, term in zip(self._load(rows, column), self._load(narrow, column), terms, strict=True)
                ]
                self._store(wide, rows, column)
                self._store_zeros(column, stage)

    def _carried(self, stage: Stage, column: Column, values: Values) -> Advance:
        """One step with the original accumulation."""
        innermost = stage.carrying[-1]

        def advance(current: Sequence[SSAValue], position: Sequence[Index]) -> list[SSAValue]:
            own = {**values, **dict(zip(innermost.carried_args, current, strict=True))}
            self._copy(statements(innermost), own, column, stage, position)
            return [own.get(value, value) for value in innermost.yielded]

        return advance

    def _narrow(self, stage: Stage, terms: Sequence[Term], column: Column, values: Values) -> Advance:
        """One step that sums float32 terms, before the sums are added to the rows of float64."""
        skipped = {op for term in terms for op in term.skipped}
        inside = [op for op in statements(stage.carrying[-1]) if op not in skipped]

        def advance(current: Sequence[SSAValue], position: Sequence[Index]) -> list[SSAValue]:
            own = dict(values)
            self._copy(inside, own, column, stage, position)
            added = [own.get(term.value, term.value) for term in terms]
            return [self.writer.compute("add", *pair) for pair in zip(current, added, strict=True)]

        return advance

    def _group(
        self, stage: Stage, advance: Advance, sums: Sequence[SSAValue], at: tuple[Index, ...], steps: int
    ) -> Sequence[SSAValue]:
        """The partial sums after `steps` steps. In short rows every addition would wait for the sums of the previous steps:
        there the terms of the steps are first added to each other, while the previous additions complete."""
        lower, upper = self.frame.exprs(self.found.outer)
        length = (upper - lower).constant
        if length is None or length > _SHORT_ROW:
            return self._repeat(stage, advance, sums, at, steps)
        zeros = [self.writer.constant(number(0, value.type)) for value in sums]
        added = self._repeat(stage, advance, zeros, at, steps)
        return [self.writer.compute("add", *pair) for pair in zip(sums, added, strict=True)]

    def _repeat(
        self, stage: Stage, advance: Advance, start: Sequence[SSAValue], at: tuple[Index, ...], steps: int
    ) -> Sequence[SSAValue]:
        """The carried values after `steps` consecutive steps from a position."""
        if steps == 1:
            return advance(start, at)
        kind = stage.carrying[-1].kind.data
        with self.writer.carrying(kind, 0, steps, start, hint="step") as (repeated, current):
            current[:] = advance(current, (*at[:-1], at[-1] + self.frame.index(repeated.induction)))
        return repeated.results

    def _finish(self, block: Columns) -> None:
        late = [*(op for op in self.found.before if isinstance(op, STORES)), *self.found.after]
        with self._columns(block) as column:
            self._copy(late, self._known(column, None, _operands(late)), column)

    # Building blocks

    @contextmanager
    def _columns(self, block: Columns) -> Iterator[Column]:
        """Open the parallel loop over a block. Yields a column of the block."""
        with self.writer.loop("parallel", 0, block.length, hint="j") as j:
            yield Column(block, j, block.start + j)

    def _known(self, column: Column, stage: Stage | None, wanted: set[SSAValue]) -> Values:
        """The wanted values of a column before a stage, or after all stages: results of earlier stages, and copies of the
        statements before it."""
        stages = self.found.stages[: self.found.stages.index(stage) + 1] if stage is not None else self.found.stages
        for op in reversed([op for each in stages for op in each.before]):
            if not wanted.isdisjoint(op.results):
                wanted = wanted.union(op.operands)
        values: Values = {}
        for each in stages:
            self._copy([op for op in each.before if not wanted.isdisjoint(op.results)], values, column)
            if each is not stage:
                found = each.carrying[0].results
                rows = zip(found, column.block.rows[each], strict=True)
                values |= {result: self.writer.load(row, [column.place]) for result, row in rows if result in wanted}
        return values

    @contextmanager
    def _pair(self, block: Columns, stage: Stage, lower: Index, upper: Index, steps: int) -> Iterator[tuple[Index, Column]]:
        """Write the innermost carrying loop, unrolled by `steps`, and the parallel loop in it."""
        hint = stage.carrying[-1].induction.name_hint or "k"
        with self.writer.loop("sequential", lower, upper, step=steps, hint=hint) as k, self._columns(block) as column:
            yield k, column

    def _load(self, rows: Sequence[SSAValue], column: Column) -> list[SSAValue]:
        return [self.writer.load(row, [column.place]) for row in rows]

    def _store(self, values: Sequence[SSAValue], rows: Sequence[SSAValue], column: Column) -> None:
        for value, row in zip(values, rows, strict=True):
            self.writer.store(value, row, [column.place])

    def _store_zeros(self, column: Column, stage: Stage) -> None:
        """Clear the float32 partial sums."""
        zeros = [self.writer.constant(number(0, term.value.type)) for term in self.terms[stage]]
        self._store(zeros, column.block.narrow[stage], column)

    def _copy(
        self,
        ops: Sequence[Operation],
        values: Values,
        column: Column,
        stage: Stage | None = None,
        position: Sequence[Index] = (),
    ) -> None:
        """Copies of statements for a column, at a position of a stage's loops; `values` gains their results."""
        levels = stage.carrying if stage is not None else ()
        inductions = [self.found.outer.induction, *(level.induction for level in levels)]
        places = over(inductions, self.frame, [column.position, *position])
        for op in ops:
            self.writer.copy(op, values, places)


def _operands(ops: Sequence[Operation]) -> set[SSAValue]:
    return {operand for op in ops for operand in op.operands}
