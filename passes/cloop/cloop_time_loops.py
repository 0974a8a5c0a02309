"""cloop-time-loops: give every outermost loop of a program a timer.

    cloop.for <() -> (0, n)> step 1 {    ->    cloop.for <() -> (0, n)> step 1 timer 0 {

Loops are outermost in the functions that run once a call: the entry, its versions, and the functions that these call outside of
loops. Branches are not loops. Timers are numbered in program order; loops beyond the last timer have none. No pipeline has
this pass: `low.profile` (`frontend/reports/profiles.py`) runs it on a copy of the program.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import IntegerAttr, ModuleOp, i64
from xdsl.dialects.func import FuncOp
from xdsl.ir import Block
from xdsl.passes import ModulePass

from ...dialects import cloop
from ...dialects.cloop.statements import MOST_TIMERS
from ...ir.functions.entry import entry_function
from ...ir.functions.versions import versions_of
from ...ir.rewrite import count


@dataclass(frozen=True)
class CloopTimeLoops(ModulePass):
    name = "cloop-time-loops"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        entry = entry_function(op)
        seen: set[FuncOp] = set()
        loops = [loop for function in (entry, *versions_of(entry)) for loop in _outermost(function.body.block, seen)]
        for number, loop in enumerate(loops[:MOST_TIMERS]):
            loop.timer = IntegerAttr(number, i64)
        count("timers", "Number of loops with a timer", len(loops[:MOST_TIMERS]))


def _outermost(block: Block, seen: set[FuncOp]) -> Iterator[cloop.ForOp]:
    """The outermost loops in a block and in the functions that it calls, each function once."""
    for op in block.ops:
        if isinstance(op, cloop.ForOp):
            yield op
        elif isinstance(op, cloop.CallOp):
            if op.callee not in seen:
                seen.add(op.callee)
                yield from _outermost(op.callee.body.block, seen)
        else:
            yield from (loop for region in op.regions for inner in region.blocks for loop in _outermost(inner, seen))
