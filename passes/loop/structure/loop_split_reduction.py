"""loop-split-reduction: split a reduction without enclosing parallel loop into blocks that run in parallel.

    %s = for "reduction" %i in (0, n) carry(%0)       for "parallel" %c in (0, parts)
      add x[i]                                          p[c] = for "reduction" %i in block c: add x[i]
                                               ->     %s = for "reduction" %c in (0, parts) carry(%0)
                                                        add p[c]

A reduction down a few columns is split likewise; within a block, 16 rows are summed side by side, so that their elements fill
vectors:

    for "parallel" %j in (0, 3)                       for "parallel" %c in (0, parts)
      %s = for "reduction" %i in (0, n) carry(%0)       for "parallel" %q in (0, 16 * 3)
        add x[i, j]                                       p[16 * c + q floordiv 3, q mod 3] =
      ...                                      ->           for "reduction" %i in (0, size floordiv 16)
                                                              add x[c * size + 16 * i + q floordiv 3, q mod 3]
                                                      for "parallel" %j in (0, 3)
                                                        %s = for "reduction" %c in (0, 16 * parts) carry(%0)
                                                          add p[c, j]
                                                        ...

If all columns share elements, as those of the vector in `v @ x`, the elements do not fill vectors that way: the sums of up to
`joined` columns become one reduction, which is split like the first example. Sums of more columns, or of columns that fill a
vector, are left to `loop-interchange`.

The number of blocks depends only on the number of iterations, so that the result is the same for any number of threads: at most
`parts`, of at least `grain` iterations if the loop is innermost. Blocks of an innermost loop all have one size, and the
original loop runs the few remaining iterations after them. `joined` differs between machines. Loops with updates are not split,
and loops with checks only with `checks`, as for GPUs.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation, SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint, Rewriter

from ....dialects import loop
from ....ir.index.expressions import Index, ceildiv, index, maximum, minimum
from ....ir.nesting import operations
from ....ir.rewrite import Builder, count, erase
from ....ir.scalars.attributes import neutral
from ...analysis.loop_nests import Frame, lowered_blocks
from ...analysis.reductions import accumulations, carrying, statements
from ...analysis.strides import stride
from ...manager.options import limited
from ..builder import Writer, over
from ..vector.loop_vectorize import LEAST_LANES
from .loop_unroll_and_jam import JammedRows

# The length of equal blocks is a multiple of this many elements, so that all are aligned like the first.
ALIGNED = 64
# Independent sums for each column: with 16 of them vectors of any width are full.
INTERLEAVED = 16


@dataclass(frozen=True)
class LoopSplitReduction(ModulePass):
    """`parts` is the most blocks, `grain` the least iterations of the innermost loop for a block. Reductions down fewer than
    `columns` columns are split: more columns fill vectors as they are. `joined` is the most columns whose sums become one
    reduction if they share elements: machines with masks load a row of a few more columns as a partial vector. With `checks`,
    loops that check indices or divisors are split too: otherwise one program would run all of them on a GPU."""

    name = "loop-split-reduction"

    parts: int = limited(64)
    grain: int = limited(8192)
    columns: int = limited(16, least=0)
    joined: int = limited(3, most=16)
    checks: int = limited(0, least=0, most=1)

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for block in lowered_blocks(op):
            self._block(block)

    def _block(self, block: loop.BlockOp) -> None:
        for op in list(block.body.block.ops):
            if isinstance(op, loop.ForOp) and op.kind.data == "reduction" and op.carried:
                self._split(op, block)
            elif isinstance(op, loop.ForOp) and op.kind.data == "parallel":
                self._split_columns(op, block)

    def _split(self, op: loop.ForOp, block: loop.BlockOp) -> None:
        results = accumulations(carrying(op)[-1])
        # Updates of one element in several blocks would race.
        if any(isinstance(each, loop.UpdateOp) or (isinstance(each, loop.CheckOp) and not self.checks) for each in op.walk()):
            return
        if results is None or op.step.value.data != 1:
            return
        split, is_innermost = _Split(op, results, block), not any(each.regions for each in statements(op))
        parts = minimum(self.parts, ceildiv(split.extent, self.grain if is_innermost else 1))
        if parts == 1 or parts == 0:
            return
        if is_innermost:
            split.into_equal_blocks(parts)
        else:
            split.into_blocks(parts)
        count("reductions-split", "Number of reductions split into parallel blocks")

    def _split_columns(self, nest: loop.ForOp, block: loop.BlockOp) -> None:
        """Split a reduction down a few columns; leave other nests alone."""
        inside = [each for each in statements(nest) if each.regions]
        op, width = inside[0] if len(inside) == 1 else None, nest.trips
        if not isinstance(op, loop.ForOp) or op.kind.data != "reduction" or width is None or not 1 < width < self.columns:
            return
        before = statements(nest)[: statements(nest).index(op)]
        results = accumulations(op)
        if results is None or nest.lower != 0 or nest.step.value.data != 1 or op.step.value.data != 1 or op.operands_at:
            return
        if any(isinstance(each, loop.CheckOp | loop.UpdateOp | loop.StoreOp) for each in (*before, *operations(op))):
            return
        split = _Split(op, results, block, (nest,))
        parts = minimum(self.parts, split.extent // -(-self.grain // width))
        if parts == 0 or not split.is_down_columns(nest):
            return
        if split.is_shared_by_columns(nest):
            if width <= self.joined and not _fills_vectors(width):
                self._split_joined(nest, block)
            return
        split.into_blocks_of_rows(nest, before, parts, width)
        count("reductions-split", "Number of reductions split into parallel blocks")

    def _split_joined(self, nest: loop.ForOp, block: loop.BlockOp) -> None:
        """Join the reductions down all columns to one reduction, and split it."""
        writer = Writer(frame := Frame(), Builder(InsertPoint.before(nest), nest))
        frame.enter(nest)
        (joined,) = JammedRows(nest, frame, writer, [index(column) for column in range(nest.trips or 0)]).write()
        erase(nest)
        self._split(joined, block)


def _fills_vectors(width: int) -> bool:
    """Whether a row of columns fills the shortest vectors."""
    return width % LEAST_LANES == 0


class _Split:
    """Splits one reduction, whose innermost loop accumulates by `results`, into blocks."""

    def __init__(
        self, op: loop.ForOp, results: Sequence[loop.ComputeOp], block: loop.BlockOp, around: Sequence[loop.ForOp] = ()
    ):
        self.op = op
        self.frame = Frame()
        for level in (*around, op):
            self.frame.enter(level)
        self.lower, self.upper = self.frame.exprs(op)
        self.extent = self.upper - self.lower
        self.functions = [result.function.data for result in results]
        self.writer = Writer(self.frame, Builder(InsertPoint.before(block), op))

    def into_blocks(self, most: Index) -> None:
        """Split into at most `most` blocks, of which the last may be shorter. No block is empty: the bounds of an empty one
        would not be in order."""
        op, writer, size = self.op, self.writer, ceildiv(self.extent, maximum(most, 1))
        parts = ceildiv(self.extent, maximum(size, 1))
        buffers, start = self._allocate(parts), list(op.carried)
        with writer.inside(InsertPoint.after(op)):
            with writer.loop("parallel", 0, parts, hint="part") as part:
                first = self.lower + part * size
                self._start_from(self._neutral())
                op.detach()
                self.frame.write(op, (first, minimum(first + size, self.upper)))
                Rewriter.insert_op(op, writer.builder.point)
                totals = list(op.results)
                for buffer, total in zip(buffers, totals, strict=True):
                    writer.store(total, buffer, [part])
            combined = self._combine(buffers, parts, start)
        for total, result in zip(totals, combined.results, strict=True):
            total.replace_uses_with_if(result, lambda use: use.operation.parent is not op.parent)

    def into_equal_blocks(self, parts: Index) -> None:
        """Split into parallel blocks of equal size; the original loop accumulates their results and the remainder."""
        op, writer, size = self.op, self.writer, self.extent // parts // ALIGNED * ALIGNED
        buffers = self._allocate(parts)
        with writer.inside(InsertPoint.before(op)):
            with (
                writer.loop("parallel", 0, parts, hint="part") as part,
                writer.carrying("reduction", 0, size, self._neutral(), hint=op.induction.name_hint or "k") as (copy, values),
            ):
                at = self.lower + part * size + self.frame.index(copy.induction)
                mapped = dict(zip(op.carried_args, copy.carried_args, strict=True))
                for statement in statements(op):
                    writer.copy(statement, mapped, over([op.induction], self.frame, [at]))
                values[:] = [mapped[value] for value in op.yielded]
            with writer.inside(InsertPoint.after(copy)):
                for buffer, total in zip(buffers, copy.results, strict=True):
                    writer.store(total, buffer, [part])
            combined = self._combine(buffers, parts, list(op.carried))
        self._start_from(combined.results)
        self.frame.write(op, (self.lower + parts * size, self.upper))

    def is_down_columns(self, nest: loop.ForOp) -> bool:
        """Whether neighbouring columns are contiguous in memory, and the rows of a column are not."""
        along, down = (self.frame.number(level.induction) for level in (nest, self.op))
        ranges = self.frame.ranges((along, down))
        loads = [each for each in statements(self.op) if isinstance(each, loop.LoadOp)]
        steps = [(stride(each, along, self.frame, ranges), stride(each, down, self.frame, ranges)) for each in loads]
        across = [(beside, below) for beside, below in steps if beside is None or beside != 0]
        return bool(across) and all(beside == 1 and below is not None and below != 1 for beside, below in across)

    def is_shared_by_columns(self, nest: loop.ForOp) -> bool:
        """Whether an element of each row is read for all columns."""
        along, down = (self.frame.number(level.induction) for level in (nest, self.op))
        ranges = self.frame.ranges((along, down))
        loads = [each for each in statements(self.op) if isinstance(each, loop.LoadOp)]
        return any(stride(each, along, self.frame, ranges) == 0 != stride(each, down, self.frame, ranges) for each in loads)

    def into_blocks_of_rows(self, nest: loop.ForOp, before: Sequence[Operation], parts: Index, width: int) -> None:
        """Split into parallel blocks, with `INTERLEAVED` sums for each column. The original nest accumulates them, and the
        remainder."""
        op, writer, frame = self.op, self.writer, self.frame
        # Few rows have no parts: the original nest reduces all of them.
        size = self.extent // maximum(parts, 1) // INTERLEAVED * INTERLEAVED
        buffers = [writer.allocate([parts * INTERLEAVED, width], arg.type, None, "parts") for arg in op.carried_args]
        with writer.inside(InsertPoint.before(nest)):
            with (
                writer.loop("parallel", 0, parts, hint="part") as part,
                writer.loop("parallel", 0, INTERLEAVED * width, hint=nest.induction.name_hint or "j") as element,
            ):
                row, column = element // width, element % width
                mapped: dict[SSAValue, SSAValue] = {}
                for statement in before:
                    writer.copy(statement, mapped, over([nest.induction], frame, [column]))
                hint = op.induction.name_hint or "k"
                with writer.carrying("reduction", 0, size // INTERLEAVED, self._neutral(), hint=hint) as (copy, values):
                    at = self.lower + part * size + frame.index(copy.induction) * INTERLEAVED + row
                    mapped |= zip(op.carried_args, copy.carried_args, strict=True)
                    for statement in statements(op):
                        writer.copy(statement, mapped, over([nest.induction, op.induction], frame, [column, at]))
                    values[:] = [mapped[value] for value in op.yielded]
                for buffer, total in zip(buffers, copy.results, strict=True):
                    writer.store(total, buffer, [part * INTERLEAVED + row, column])
        with writer.inside(InsertPoint.before(op)):
            combined = self._combine(buffers, parts * INTERLEAVED, list(op.carried), (frame.index(nest.induction),))
        self._start_from(combined.results)
        frame.write(op, (self.lower + parts * size, self.upper))

    def _allocate(self, parts: Index) -> list[SSAValue]:
        return [self.writer.allocate([parts], arg.type, None, "parts") for arg in self.op.carried_args]

    def _neutral(self) -> list[SSAValue]:
        """The initial values of a block."""
        types = [value.type for value in self.op.carried]
        return [self.writer.constant(neutral(name, kind)) for name, kind in zip(self.functions, types, strict=True)]

    def _start_from(self, values: Sequence[SSAValue]) -> None:
        for k, value in enumerate(values):
            self.op.operands[len(self.op.operands_at) + k] = value

    def _combine(
        self, buffers: Sequence[SSAValue], parts: Index, start: Sequence[SSAValue], column: Sequence[Index] = ()
    ) -> loop.ForOp:
        """Accumulate the results of all blocks, or of all blocks of a column."""
        writer = self.writer
        with writer.carrying("reduction", 0, parts, start, hint="part") as (combine, values):
            at = self.frame.index(combine.induction)
            for k, (name, buffer) in enumerate(zip(self.functions, buffers, strict=True)):
                values[k] = writer.compute(name, values[k], writer.load(buffer, [at, *column]))
        return combine
