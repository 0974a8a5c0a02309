"""loop-simplify: what the ranges of the loops settle is settled.

1. A loop that runs once becomes its body.
2. Index expressions are simplified, guards that always hold are dropped, and operations take just the operands that they use.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Block, Operation
from xdsl.passes import ModulePass

from ..dialects import loop
from ..ir.index import Atom, Dim, IndexLike
from ..ir.rewrite import count, erase
from ..ir.simplify import Ranges
from .nests import Frame, lowered_blocks


@dataclass(frozen=True)
class LoopSimplify(ModulePass):
    name = "loop-simplify"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for block in lowered_blocks(op):
            Simplifier().body(block.body.block, ())


class Simplifier:
    """Simplifies a block from outside in; `once` has the indices of loops that are gone."""

    def __init__(self):
        self.frame = Frame()
        self.once: dict[Atom, IndexLike] = {}

    def body(self, body: Block, around: Sequence[int]) -> None:
        ranges = self.frame.ranges(around)
        for op in list(body.ops):
            if isinstance(op, loop.IndexedOp):
                self._indexed(op, ranges)
            if isinstance(op, loop.ForOp):
                self._loop(op, around)
            else:
                for region in op.regions:
                    self.body(region.block, around)

    def _loop(self, op: loop.ForOp, around: Sequence[int]) -> None:
        number = self.frame.number(op.induction)
        lower, upper = self.frame.exprs(op)
        if upper - lower != 1 or op.step.value.data != 1:
            self.frame.enter(op)
            self.body(op.body.block, [*around, number])
            return
        self.once[Dim(number)] = lower
        self.body(op.body.block, around)
        _splice(op)

    def _indexed(self, op: loop.IndexedOp, ranges: Ranges) -> None:
        exprs = [ranges.simplify(expr.substitute(self.once)) for expr in self.frame.exprs(op)]
        guards = [ranges.simplify(guard.substitute(self.once)) for guard in self.frame.guards(op)]
        needed = [guard for guard in guards if not ranges.nonnegative(guard)]
        self.frame.write(op, exprs, needed)
        if guards and not needed:
            count("guards-dropped", "Number of accesses that lost their guards")


def _splice(op: loop.ForOp) -> None:
    """Put the body of a loop that runs once in its place."""
    parent = op.parent
    assert parent is not None, "a loop stands in a body"
    last = op.body.block.last_op
    assert isinstance(last, loop.YieldOp), "a loop's body ends with loop.yield"
    for arg, value in zip(op.carried_args, op.carried, strict=True):
        arg.replace_all_uses_with(value)
    for result, value in zip(op.results, last.values, strict=True):
        result.replace_all_uses_with(value)
    erase(last)
    inner: list[Operation] = list(op.body.block.ops)
    for each in inner:
        each.detach()
        parent.insert_op_before(each, op)
    erase(op)
    count("loops-removed", "Number of loops removed because they run once")
