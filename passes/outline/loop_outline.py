"""loop-outline: outline consecutive blocks of a long program into functions, which are lowered and compiled one by one.

    block: h[i, j] = ...                  func @blocks_0(%a, %b, %c)
    block: y[i, j] = ...            ->      block: b[i, j] = ...
    block: z[i, j] = ...                    block: c[i, j] = ...
                                          call @blocks_0 sizes (s0, s1) with (%x) into (%h, %y)
                                          block: z[i, j] = ...

A C compiler compiles one function while the next is being lowered. It would have to wait until all of one long function is
lowered: `cloop-outline` divides the function only then.

1. A run is consecutive blocks, with allocations between them ignored. It ends once it has `statements` operations; a shorter
   remainder stays, since starting a compiler takes a while.
2. A function with a single run stays whole, and so does a function that is called with sizes of its own. Blocks with checks and
   steps of scans are not outlined (see `block_functions.py`).
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
    """`statements` is the least number of operations in a run: compiling 40 takes gcc several times its start-up."""

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
