"""loop-split-reduction: split a reduction without enclosing parallel loop into blocks that run in parallel.

    %s = for "reduction" %i in (0, n) carry(%0)       for "parallel" %c in (0, parts)
      add x[i]                                          p[c] = for "reduction" %i in block c: add x[i]
                                               ->     %s = for "reduction" %c in (0, parts) carry(%0)
                                                        add p[c]

The number of blocks depends only on the number of iterations, so that the result is the same for any number of threads: at most
`parts`, of at least `grain` iterations if the loop is innermost. Then all blocks have one size, and the original loop runs the
few remaining iterations after them. Loops with checks or updates are not split.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint, Rewriter

from ....dialects import loop
from ....ir.index.expressions import Index, ceildiv, minimum
from ....ir.rewrite import Builder, count
from ....ir.scalars.attributes import neutral
from ...analysis.loop_nests import Frame, lowered_blocks
from ...analysis.reductions import accumulations, carrying, statements
from ...manager.options import limited
from ..builder import Writer, over

# Equal blocks are multiples of so many elements, so that all are aligned like the first.
ALIGNED = 64


@dataclass(frozen=True)
class LoopSplitReduction(ModulePass):
    """`parts` is the most blocks, `grain` the least iterations of the innermost loop for a block."""

    name = "loop-split-reduction"

    parts: int = limited(64)
    grain: int = limited(8192)

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for block in lowered_blocks(op):
            self._block(block)

    def _block(self, block: loop.BlockOp) -> None:
        for op in list(block.body.block.ops):
            if isinstance(op, loop.ForOp) and op.kind.data == "reduction" and op.carried:
                self._split(op, block)

    def _split(self, op: loop.ForOp, block: loop.BlockOp) -> None:
        results = accumulations(carrying(op)[-1])
        # Updates of one element in several blocks would race.
        if any(isinstance(each, loop.CheckOp | loop.UpdateOp) for each in op.walk()):
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


class _Split:
    """Splits one reduction, whose innermost loop accumulates by `results`, into blocks."""

    def __init__(self, op: loop.ForOp, results: Sequence[loop.ComputeOp], block: loop.BlockOp):
        self.op = op
        self.frame = Frame()
        self.lower, self.upper = self.frame.exprs(op)
        self.extent = self.upper - self.lower
        self.functions = [result.function.data for result in results]
        self.writer = Writer(self.frame, Builder(InsertPoint.before(block), op))

    def into_blocks(self, parts: Index) -> None:
        """Split into blocks, of which the last is shorter."""
        op, writer, size = self.op, self.writer, ceildiv(self.extent, parts)
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

    def _allocate(self, parts: Index) -> list[SSAValue]:
        return [self.writer.allocate([parts], arg.type, None, "parts") for arg in self.op.carried_args]

    def _neutral(self) -> list[SSAValue]:
        """The initial values of a block."""
        types = [value.type for value in self.op.carried]
        return [self.writer.constant(neutral(name, kind)) for name, kind in zip(self.functions, types, strict=True)]

    def _start_from(self, values: Sequence[SSAValue]) -> None:
        for k, value in enumerate(values):
            self.op.operands[len(self.op.operands_at) + k] = value

    def _combine(self, buffers: Sequence[SSAValue], parts: Index, start: Sequence[SSAValue]) -> loop.ForOp:
        writer = self.writer
        with writer.carrying("reduction", 0, parts, start, hint="part") as (combine, values):
            at = self.frame.index(combine.induction)
            for k, (name, buffer) in enumerate(zip(self.functions, buffers, strict=True)):
                values[k] = writer.compute(name, values[k], writer.load(buffer, [at]))
        return combine
