"""loop-outline: runs of blocks of a long program become functions, which are lowered and compiled one by one.

    block: h[i, j] = ...                  func @blocks_0(%a, %b, %c)
    block: y[i, j] = ...            ->      block: b[i, j] = ...
    block: z[i, j] = ...                    block: c[i, j] = ...
                                          call @blocks_0 sizes (s0, s1) with (%x) into (%h, %y)
                                          block: z[i, j] = ...

While one function is being lowered a C compiler works on the one before. In a long function it would have nothing to do until
all of it is lowered (`cloop-outline` divides what is still long then).

1. A run is blocks that stand one after the other, buffers that are allocated between them not counted. It ends where it has
   `statements` operations; what has less stays, since each compiler takes a while to start.
2. A function with one run stays whole, and so does one that is called for sizes of its own. Blocks that check something stay,
   and those in steps of scans (`block_functions.py` says why).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp
from xdsl.passes import ModulePass

from ...dialects import loop
from ...ir.functions.entry import temporaries
from ...ir.rewrite import count
from ..manager.options import limited
from .block_functions import BlockRun, functions_of_blocks, move_to_function


@dataclass(frozen=True)
class LoopOutline(ModulePass):
    """`statements` is the least number of operations in a run: for what becomes of 40 gcc takes 0.2 to 0.4 s, of which 0.03 to
    start (Zen 4)."""

    name = "loop-outline"

    statements: int = limited(40, least=1)

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for function in functions_of_blocks(op):
            runs = list(self._runs(function)) if temporaries(function) is None else []
            for run in runs if len(runs) > 1 else ():
                move_to_function("blocks", [run], function)
                count("blocks-outlined", "Number of blocks that became parts of functions", by=len(run.blocks))

    def _runs(self, function: FuncOp) -> Iterator[BlockRun]:
        found: list[loop.BlockOp] = []
        length = 0
        for op in function.body.block.ops:
            if isinstance(op, loop.BlockOp) and (block := BlockRun(function, [op])).may_move:
                found.append(op)
                length += len(block.inside)
            elif not isinstance(op, loop.AllocOp | loop.DataOp):
                found, length = [], 0
            if length >= self.statements:
                yield BlockRun(function, found)
                found, length = [], 0
