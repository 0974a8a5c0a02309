"""loop-distribute: split a block in which a parallel loop stands next to other nests into one block for each nest.

    loop.block {                                            loop.block { for "parallel" %p: t[p] = ... }
      for "parallel" %p: t[p] = ...                         loop.block {
      s = for "reduction" %p: add t[p]               ->       s = for "reduction" %p: add t[p]
      y[] = f(s) }                                            y[] = f(s) }

A kernel is one block: without a loop around both nests, a single program would run the first. Scalars that a later nest uses
are computed again if they only depend on constants and sizes, and otherwise go through memory.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation, SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint
from xdsl.traits import Pure

from ....dialects import loop
from ....ir.nesting import operations
from ....ir.rewrite import Builder, count, derive, erase
from ....ir.types.shapes import memref_type
from ...analysis.loop_nests import lowered_blocks


@dataclass(frozen=True)
class LoopDistribute(ModulePass):
    name = "loop-distribute"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for block in lowered_blocks(op):
            ops = list(block.body.block.ops)
            groups = _groups(ops)
            # Private memory belongs to one block.
            if len(groups) > 1 and not any(isinstance(each, loop.AllocOp) for each in ops):
                _distribute(block, groups)
                count("blocks-distributed", "Number of blocks split into one for each nest")


def _groups(ops: Sequence[Operation]) -> list[list[Operation]]:
    """The statements of a block, in groups: each parallel loop alone, and the statements between them, if these have an
    effect."""
    groups: list[list[Operation]] = [[]]
    for op in ops:
        if isinstance(op, loop.ForOp) and op.kind.data == "parallel":
            groups += [[op], []]
        else:
            groups[-1].append(op)
    kept = [group for group in groups if any(not op.has_trait(Pure) for op in group)]
    # Scalars alone need no kernel of their own.
    return kept if len(kept) > 1 else [list(ops)]


def _distribute(block: loop.BlockOp, groups: Sequence[Sequence[Operation]]) -> None:
    for group in groups:
        new = loop.BlockOp()
        derive(new, (block,))
        assert block.parent is not None, "blocks stand in functions"
        block.parent.insert_op_before(new, block)
        for op in group:
            op.detach()
            new.body.block.add_op(op)
        _Scalars(new).define()
    erase(block)


class _Scalars:
    """Defines in a new block the scalars of the original block that its statements use."""

    def __init__(self, block: loop.BlockOp):
        self.block = block
        self.values: dict[SSAValue, SSAValue] = {}

    def define(self) -> None:
        first = self.block.body.block.first_op
        assert first is not None, "a group has statements"
        self.builder = Builder(InsertPoint.before(first), self.block)
        for op in list(operations(self.block)):
            for k, value in enumerate(op.operands):
                if self._is_foreign(value):
                    op.operands[k] = self._here(value)

    def _is_foreign(self, value: SSAValue) -> bool:
        around = value.owner.parent_op()
        while around is not None and not isinstance(around, loop.BlockOp):
            around = around.parent_op()
        return around is not None and around is not self.block

    def _here(self, value: SSAValue) -> SSAValue:
        if value not in self.values:
            op = value.owner
            assert isinstance(op, Operation), "a scalar of a block is a result"
            self.values[value] = self._copy(op) if op.has_trait(Pure) else self._through_memory(op, value)
        return self.values[value]

    def _copy(self, op: Operation) -> SSAValue:
        new = op.clone({each: self._here(each) for each in op.operands})
        derive(new, (op,))
        return self.builder.add(new).results[0]

    def _through_memory(self, op: Operation, value: SSAValue) -> SSAValue:
        """Store a scalar after the operation that computes it, and load it in the new block."""
        function = self.block.parent_op()
        assert function is not None, "blocks stand in functions"
        start = function.regions[0].block.first_op
        assert start is not None, "the function has a block"
        buffer = Builder(InsertPoint.before(start), op).add(loop.AllocOp(memref_type([], value.type))).result
        Builder(InsertPoint.after(op), op).add(loop.StoreOp(value, buffer, [], []))
        return self.builder.add(loop.LoadOp(buffer, [], [])).result
