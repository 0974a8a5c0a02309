"""loop-invariant-code-motion: hoist loop-invariant statements out of loops.

    for %j in (0, m)                               %k = loop.load %index[%i]
      %k = loop.load %index[%i]                    loop.check "index" [%k] (k, n) guard (m - 1)
      loop.check "index" [%k] (k, n)       ->      for %j in (0, m)
      y[i, j] = x[k, j]                              y[i, j] = x[k, j]

1. Visit loops from inside out, so that a statement leaves as many loops as possible. Vector loops are visited too: values that
   all lanes share become scalars before the loop.
2. Hoist a computation if its operands are defined outside the loop. Hoist a load under two more conditions: the loop writes
   nothing to its buffer, and the address is in bounds even if the loop does not run. A check or a guarded load gets the further
   guard that the loop runs. Constants are free and are not hoisted. Loads in fully unrolled loops are not hoisted: CSE shares
   them, and hoisting would pin a register each.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Block, Operation
from xdsl.passes import ModulePass
from xdsl.traits import Pure

from ....dialects import loop
from ....ir.index.simplify import Ranges
from ....ir.rewrite import count
from ....ir.types.shapes import shape_of
from ...analysis.loop_nests import Frame, Node, lowered_blocks


@dataclass(frozen=True)
class LoopInvariantCodeMotion(ModulePass):
    name = "loop-invariant-code-motion"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for block in lowered_blocks(op):
            frame = Frame()
            _hoist(frame.tree(block), frame, ())


def _hoist(node: Node, frame: Frame, around: Sequence[int]) -> None:
    op = node.op
    inside = (*around, frame.number(op.induction)) if isinstance(op, loop.ForOp) else around
    for item in list(node.items):
        _hoist(item, frame, inside)
    if not isinstance(op, loop.ForOp):
        return
    ranges = frame.ranges(around)
    # Statements hoisted from inner loops are in this body now: read it anew.
    for statement in [each for each in op.body.block.ops if not each.regions]:
        if _is_hoistable(statement, op, node, frame, ranges):
            _move(statement, op, frame, ranges)


def _is_hoistable(statement: Operation, level: loop.ForOp, node: Node, frame: Frame, ranges: Ranges) -> bool:
    if isinstance(statement, loop.ConstantOp) or any(_is_inside(operand.owner, level) for operand in statement.operands):
        return False
    if isinstance(statement, loop.LoadOp):
        if statement.buffer in node.written or level.kind.data == "unroll":
            return False
        return bool(statement.guard_exprs) or _is_in_bounds(statement, frame, ranges)
    return isinstance(statement, loop.CheckOp) or statement.has_trait(Pure)


def _is_in_bounds(load: loop.LoadOp, frame: Frame, ranges: Ranges) -> bool:
    """Whether a load is in bounds in all iterations of the enclosing loops, regardless of its guards."""
    places = zip(frame.exprs(load), shape_of(load.buffer), strict=True)
    return all(ranges.within(place, size) for place, size in places)


def _is_inside(owner: Operation | Block, level: loop.ForOp) -> bool:
    """Whether an operand of a statement in the loop is defined in the loop: as an argument of its body or by an operation in
    the body. (Values defined in nested bodies do not dominate the statement.)"""
    body = level.body.block
    return owner is body or (isinstance(owner, Operation) and owner.parent is body)


def _move(statement: Operation, level: loop.ForOp, frame: Frame, ranges: Ranges) -> None:
    statement.detach()
    assert level.parent is not None, "a loop has a parent body"
    level.parent.insert_op_before(statement, level)
    if isinstance(statement, loop.CheckOp) or (
        isinstance(statement, loop.LoadOp) and not _is_in_bounds(statement, frame, ranges)
    ):
        lower, upper = frame.exprs(level)
        runs = upper - lower - 1
        guards = frame.guards(statement)
        if not ranges.nonnegative(runs) and runs not in guards:
            frame.write(statement, frame.exprs(statement), [*guards, runs])
    count("statements-hoisted", "Number of statements moved out of loops")
