"""Blocks that join the kernel before them: the kernel's last program runs the block's few steps on the results of all programs.

    loop.block warps 4 { for "parallel" %p: t[p] = ... }             one kernel: the last program to end
    loop.block warps 4 joined { s = for "reduction" %p: add t[p] ...}   runs the second block

A separate launch would take longer than the few steps of such a block. Sums stay in their fixed order.
"""

from __future__ import annotations

from math import prod

from xdsl.dialects.builtin import UnitAttr
from xdsl.dialects.func import FuncOp

from ....dialects import loop
from ....ir.rewrite import count
from .patterns import Nest, guarded, outer_nest

# The most iterations of a joined block: one program runs them after all others have ended.
LONGEST = 16384


def join_blocks(function: FuncOp) -> None:
    """Mark the blocks of a function that join the one before."""
    blocks = [op for op in function.body.block.ops if isinstance(op, loop.BlockOp)]
    for block in blocks:
        before = block.prev_op
        if isinstance(before, loop.BlockOp) and before.joined is None and _can_join(before, block):
            block.joined = UnitAttr()
            count("blocks-joined", "Number of blocks that the last program of the kernel before them runs")


def _can_join(before: loop.BlockOp, block: loop.BlockOp) -> bool:
    if before.warps is None or block.warps is None or before.fast != block.fast or guarded(before)[0] != guarded(block)[0]:
        return False
    outer = outer_nest(before)
    if any(level.kind.data != "parallel" for level in outer.loops) or outer_nest(block).loops:
        return False
    # Without programs no program ends last.
    if not outer.loops or not outer.size.constant:
        return False
    stored = {op.buffer for op in before.walk() if isinstance(op, loop.StoreOp)}
    loaded = {op.buffer for op in block.walk() if isinstance(op, loop.LoadOp)}
    if not stored & loaded:
        return False
    if any(isinstance(op, loop.UpdateOp | loop.AllocOp) for each in (before, block) for op in each.walk()):
        return False
    sizes = [Nest((op,)).size.constant for op in block.walk() if isinstance(op, loop.ForOp)]
    return all(size is not None for size in sizes) and prod(size or 0 for size in sizes) <= LONGEST
