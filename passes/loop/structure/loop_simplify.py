"""loop-simplify: fold loops, branches, guards and index expressions using the known ranges of loop indices.

1. Replace a loop that runs once by its body; erase one that never runs.
2. Replace a branch that is always taken by its body; erase one that is never taken.
3. Simplify index expressions, drop guards and checks that always hold, and drop unused operands. An integer that indices
   compute, such as `i - j + 1023`, is part of the expression: the access is no longer at an index that is data.
4. Replace a load whose guards never hold by its fill value; erase such a write.
5. Replace tests and comparisons of indices that always or never hold by constants, and selections by constants by the selected
   operand.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp, i1
from xdsl.ir import Block, Operation
from xdsl.passes import ModulePass

from ....dialects import loop
from ....dialects.scalar_ops import INDEX
from ....ir.index.expressions import Atom, Dim, IndexLike
from ....ir.index.simplify import Ranges
from ....ir.rewrite import count, erase, replace
from ....ir.scalars.attributes import number
from ...analysis.loop_nests import Frame, lowered_blocks
from .conditions import erase_unused, integer_as_index, selected_value, truth_of


@dataclass(frozen=True)
class LoopSimplify(ModulePass):
    name = "loop-simplify"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for block in lowered_blocks(op):
            Simplifier().body(block.body.block, ())


class Simplifier:
    """Simplifies a block from outside in; `once` has the indices of erased loops."""

    def __init__(self):
        self.frame = Frame()
        self.once: dict[Atom, IndexLike] = {}

    def body(self, body: Block, around: Sequence[int]) -> None:
        ranges = self.frame.ranges(around)
        for op in list(body.ops):
            if isinstance(op, loop.IndexedOp):
                self._indexed(op, ranges)
            if isinstance(op, loop.ForOp):
                self._loop(op, around, ranges)
            elif isinstance(op, loop.IfOp):
                self._if(op, around, ranges)
            elif (holds := truth_of(op, self.frame, ranges)) is not None:
                replace(op, [loop.ConstantOp(number(holds, i1))])
            elif (value := selected_value(op)) is not None:
                unused = op.operands
                replace(op, [], [value])
                for each in unused:
                    erase_unused(each)
            else:
                for region in op.regions:
                    self.body(region.block, around)

    def _loop(self, op: loop.ForOp, around: Sequence[int], ranges: Ranges) -> None:
        number = self.frame.number(op.induction)
        lower, upper = self.frame.exprs(op)
        length, step = upper - lower, op.step.value.data
        if ranges.nonnegative(-length):
            _remove(op)
            return
        if not (ranges.nonnegative(length - 1) and ranges.nonnegative(step - length)):
            self.frame.enter(op)
            self.body(op.body.block, [*around, number])
            return
        self.once[Dim(number)] = lower
        self.body(op.body.block, around)
        _splice(op)

    def _if(self, op: loop.IfOp, around: Sequence[int], ranges: Ranges) -> None:
        conditions = self.frame.exprs(op)
        taken = all(map(ranges.nonnegative, conditions))
        if not taken and not any(ranges.nonnegative(-condition - 1) for condition in conditions):
            for branch in op.branches:
                self.body(branch, around)
            return
        branch = op.branches[0] if taken else op.branches[1] if len(op.branches) > 1 else None
        if branch is not None:
            self.body(branch, around)
            _move(branch, op)
        erase(op)
        count("branches-settled", "Number of branches folded because their conditions always or never hold")

    def _indexed(self, op: loop.IndexedOp, ranges: Ranges) -> None:
        numbers = [self.frame.number(value) for value in op.operands_at]
        computed = self._computed(op, ranges)
        are_distinct = len(set(numbers)) == len(numbers)
        if (
            not computed
            and not op.guard_exprs
            and are_distinct
            and op.index_map.is_simplest
            and self.once.keys().isdisjoint(map(Dim, numbers))
        ):
            return
        before, guards = self.frame.exprs(op), self.frame.guards(op)
        exprs, settled = (
            tuple(ranges.simplify(expr.substitute(computed).substitute(self.once)) for expr in found)
            for found in (before, guards)
        )
        needed = tuple(guard for guard in settled if not ranges.nonnegative(guard))
        if any(ranges.nonnegative(-guard - 1) for guard in needed):
            _drop(op)
            return
        if isinstance(op, loop.CheckOp) and op.kind.data == "index" and ranges.within(*exprs):
            erase(op)
            count("checks-removed", "Number of index checks removed because they always hold")
            return
        used = {number for expr in (*exprs, *needed) for number in expr.dims()}
        if (exprs, needed) != (before, guards) or len(used) != len(op.operands_at):
            unused = op.operands_at if computed else ()
            self.frame.write(op, exprs, needed)
            for each in unused:
                erase_unused(each)
        if len(needed) < len(guards):
            count("guards-dropped", "Number of accesses that lost guards")

    def _computed(self, op: loop.IndexedOp, ranges: Ranges) -> dict[Atom, IndexLike]:
        """The integers among the operands of index expressions that indices compute."""
        found: dict[Atom, IndexLike] = {}
        for value in op.operands_at:
            expr = None if value.type == INDEX else integer_as_index(value, self.frame, ranges)
            if expr is not None:
                found[Dim(self.frame.number(value))] = expr
        return found


def _drop(op: loop.IndexedOp) -> None:
    """Erase an access that never happens."""
    count("accesses-removed", "Number of accesses removed because their guards never hold")
    if isinstance(op, loop.LoadOp):
        assert op.fill is not None, "guarded loads have a fill value"
        replace(op, [loop.ConstantOp(op.fill)])
    else:
        erase(op)


def _remove(op: loop.ForOp) -> None:
    """Erase a loop that never runs: its results are its initial values."""
    for result, value in zip(op.results, op.carried, strict=True):
        result.replace_all_uses_with(value)
    erase(op)
    count("loops-removed", "Number of loops removed because they run once or never")


def _splice(op: loop.ForOp) -> None:
    """Replace a loop that runs once by its body."""
    last = op.body.block.last_op
    assert isinstance(last, loop.YieldOp), "a loop's body ends with loop.yield"
    for arg, value in zip(op.carried_args, op.carried, strict=True):
        arg.replace_all_uses_with(value)
    for result, value in zip(op.results, last.values, strict=True):
        result.replace_all_uses_with(value)
    erase(last)
    _move(op.body.block, op)
    erase(op)
    count("loops-removed", "Number of loops removed because they run once or never")


def _move(body: Block, place: Operation) -> None:
    """Move the operations of a body before another operation."""
    parent = place.parent
    assert parent is not None, "an operation with a body has a parent block"
    inner: list[Operation] = list(body.ops)
    for each in inner:
        each.detach()
        parent.insert_op_before(each, place)
