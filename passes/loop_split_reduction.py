"""loop-split-reduction: a reduction with no parallel loop around it is done in parts, which threads can share.

    %s = for "reduction" %i in (0, n) carry(%0)       for "parallel" %c in (0, parts)
      add x[i]                                          p[c] = for "reduction" %i in part c: add x[i]
                                               ->     %s = for "reduction" %c in (0, parts) carry(%0)
                                                        add p[c]

The number of parts depends on the number of iterations alone, so that the result is the same for any number of threads: at most
`parts`, of at least `grain` iterations where the loop holds no other.
"""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint, Rewriter

from ..dialects import loop
from ..ir.index import ceildiv, minimum
from ..ir.rewrite import Builder, count
from ..ir.values import neutral
from .loop_writer import Writer
from .nests import Frame, lowered_blocks
from .reductions import accumulations, carrying


@dataclass(frozen=True)
class LoopSplitReduction(ModulePass):
    """`parts` bounds how many parts there are, `grain` the iterations of the innermost loop that make one worth while."""

    name = "loop-split-reduction"

    parts: int = 64
    grain: int = 8192

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for block in lowered_blocks(op):
            self._block(block)

    def _block(self, block: loop.BlockOp) -> None:
        for op in list(block.body.block.ops):
            if isinstance(op, loop.ForOp) and op.kind.data == "reduction" and op.carried:
                self._split(op, block)

    def _split(self, op: loop.ForOp, block: loop.BlockOp) -> None:
        frame, levels = Frame(), carrying(op)
        results = accumulations(levels[-1])
        lower, upper = frame.exprs(op)
        if results is None or any(isinstance(each, loop.CheckOp) for each in op.walk()):
            return
        parts = minimum(self.parts, ceildiv(upper - lower, self.grain if len(levels) == 1 else 1))
        if parts == 1 or parts == 0:
            return
        writer = Writer(frame, Builder(InsertPoint.before(block), op))
        functions = [result.function.data for result in results]
        buffers = [writer.allocate([parts], arg.type, None, "parts") for arg in op.carried_args]
        start = list(op.carried)
        size = ceildiv(upper - lower, parts)
        with writer.inside(InsertPoint.after(op)):
            with writer.loop("parallel", 0, parts, hint="part") as part:
                first = lower + part * size
                _start_from_nothing(op, functions, writer)
                op.detach()
                frame.write(op, (first, minimum(first + size, upper)))
                Rewriter.insert_op(op, writer.builder.point)
                totals = list(op.results)
                for buffer, total in zip(buffers, totals, strict=True):
                    writer.store(total, buffer, [part])
            with writer.carrying("reduction", 0, parts, start, hint="part") as (combine, values):
                at = frame.index(combine.induction)
                for k, (name, buffer) in enumerate(zip(functions, buffers, strict=True)):
                    values[k] = writer.compute(name, values[k], writer.load(buffer, [at]))
        for total, combined in zip(totals, combine.results, strict=True):
            total.replace_uses_with_if(combined, lambda use: use.operation.parent is not op.parent)
        count("reductions-split", "Number of reductions that threads can share")


def _start_from_nothing(op: loop.ForOp, functions: list[str], writer: Writer) -> None:
    """Let a loop carry the accumulators' neutral elements at first."""
    for k, name in enumerate(functions):
        op.operands[len(op.operands_at) + k] = writer.constant(neutral(name, op.carried[k].type))
