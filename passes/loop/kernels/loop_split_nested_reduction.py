"""loop-split-nested-reduction: split a long reduction with too few results to fill a GPU.

    for "parallel" %j in (0, m):                          for "parallel" %p in (0, parts):
      s = for "reduction" %i in (0, n): add x[i, j]         for "parallel" %j in (0, m):
      y[j] = f(s)                                   ->        t[p, j] = for "reduction" %i in part p of (0, n): add x[i, j]
                                                          for "parallel" %j in (0, m):
                                                            s = for "reduction" %p in (0, parts): add t[p, j]
                                                            y[j] = f(s)

The parts depend on the sizes alone and are added in order, so that results repeat bit by bit. A reduction along consecutive
memory occupies a program for each result; a reduction down columns occupies a program for a tile of results (`schedules.py`).
Where sizes are unknown, the original block remains next to the split one, each under conditions on the sizes. Products that
matrix units compute (`loop-split-product`), reductions with checks, updates or stores, and several reductions in one block are
left alone.
"""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass

from ....dialects import loop
from ....ir.rewrite import count
from ...analysis.loop_nests import lowered_blocks
from ...manager.options import limited
from .copies import keep_for_others, parts_of
from .patterns import Nest, outer_nest
from .product_tiles import is_product
from .schedules import ACROSS, DOWN, TILE, is_contiguous
from .split_reductions import SplitReduction, only_reduction


@dataclass(frozen=True)
class LoopSplitNestedReduction(ModulePass):
    """`programs` are enough to fill the GPU. A part has at least `along` iterations of a reduction along consecutive memory, or
    `down` of a reduction down columns, and there are at most `parts` parts."""

    name = "loop-split-nested-reduction"

    programs: int = limited(512)
    along: int = limited(4096)
    down: int = limited(64)
    parts: int = limited(1024)

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for block in lowered_blocks(op):
            outer = outer_nest(block)
            reduction = only_reduction(block, outer)
            if reduction is not None and not is_product(block, outer):
                self._split(block, outer, reduction)

    def _split(self, block: loop.BlockOp, outer: Nest, reduction: Nest) -> None:
        contiguous = is_contiguous(reduction, outer)
        enough, grain = (self.programs, self.along) if contiguous else (self.programs * ACROSS, self.down)
        length = Nest(reduction.loops[:1]).size
        parts = parts_of(outer.size, length, enough, grain, self.parts, TILE if contiguous else DOWN)
        if parts is not None:
            keep_for_others(block, parts)
            SplitReduction(block, parts).write()
            count("reductions-split", "Number of reductions split into parallel parts")
