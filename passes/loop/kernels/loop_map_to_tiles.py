"""loop-map-to-tiles: give every block the schedule of a GPU kernel.

    loop.block {                                      loop.block warps 4 stages 1 {
      for "parallel" %i in (0, n) {                     for "parallel" %i in (0, n) axis 0 lanes 4 {
        %s = for "reduction" %j in (0, m) { ... }  ->     %s = for "reduction" %j in (0, m) axis 1 lanes 256 { ... }

The schedule (`schedules.py`) says which loops are lanes along which axis of tiles, and how many; `lower-loop-to-tile` follows
it. Outer parallel loops without an axis are spread over programs only; inner ones run step by step.

Where the best schedule depends on sizes that are unknown, the block gets copies, each under conditions on the sizes
(`loop.if`), of which one is launched. Each copy has temporaries of its own: a copy that keeps them in registers then allocates
none.

A short block without parallel loops that reads what the one before it stores is `joined` to it (`joined.py`).

Blocks with a schedule for CPUs are left alone. A kernel that stores half precision only is `fast`: its arithmetic is in
float32, and its results are rounded.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import reduce

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp, UnitAttr
from xdsl.passes import ModulePass

from ....dialects import loop
from ....ir.functions.entry import lowered_functions
from ....ir.index.expressions import Index, minimum
from ....ir.nesting import operations
from ....ir.rewrite import count
from ...analysis.loop_nests import lowered_blocks
from ...manager.options import limited
from .copies import copy_block, put_under
from .joined import join_blocks
from .patterns import carrying_nest, outer_nest
from .products import factors
from .schedules import versions
from .tiling import Version, stores_halves


@dataclass(frozen=True)
class LoopMapToTiles(ModulePass):
    """`programs` are enough to fill the GPU: products with fewer large tiles get smaller ones. With `tf32`, matrix units
    multiply float32 after rounding the factors. `tuned` lists tiles for products of given sizes, as `stepwell tune` measured
    them (`tuned_tiles.py`)."""

    name = "loop-map-to-tiles"

    programs: int = limited(132)
    tf32: int = limited(0, least=0, most=1)
    tuned: tuple[str, ...] = ()

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for block in lowered_blocks(op):
            if block.warps is None and not _has_cpu_schedule(block):
                self._schedule(block)
            if self.tf32 and _multiplies_floats(block):
                block.tf32 = UnitAttr()
        for function in lowered_functions(op):
            join_blocks(function)

    def _schedule(self, block: loop.BlockOp) -> None:
        found = versions(block, outer_nest(block), self.programs, bool(self.tf32), self.tuned)
        for version, copy in zip(found, _copies(block, found), strict=True):
            version.annotate(copy, outer_nest(copy))
            if stores_halves(copy):
                copy.fast = UnitAttr()


def _has_cpu_schedule(block: loop.BlockOp) -> bool:
    """Whether a block is scheduled for a CPU: with vectors, unrolled loops, private memory or branches inside of loops."""
    for op in operations(block):
        branches = isinstance(op, loop.IfOp) and isinstance(op.parent_op(), loop.ForOp)
        if branches or isinstance(op, loop.AllocOp) or (isinstance(op, loop.ForOp) and op.kind.data in ("vector", "unroll")):
            return True
    return False


def _multiplies_floats(block: loop.BlockOp) -> bool:
    """Whether matrix units compute a product of float32 in a block."""
    levels = [op for op in operations(block) if isinstance(op, loop.ForOp) and op.tile_axis == 2]
    pairs = [factors(carrying_nest(level)) for level in levels]
    return any(pair is not None and pair[0].dtype.itemsize == 4 for pair in pairs)


def _copies(block: loop.BlockOp, wanted: list[Version]) -> list[loop.BlockOp]:
    """A copy of the block for each version, under the version's conditions and not under those of earlier versions; the last
    copy is the block itself."""
    others = [copy_block(block) for _ in wanted[1:]]
    if others:
        count("blocks-versioned", "Number of blocks with versions for ranges of sizes")
    earlier: list[Index] = []
    for copy, version in zip([*others, block], wanted, strict=True):
        conditions = (*earlier, *version.conditions)
        if conditions:
            put_under(copy, conditions)
        if version.conditions:
            # All conditions hold where the least of their expressions is non-negative.
            earlier.append(-reduce(minimum, version.conditions) - 1)
    return [*others, block]
