"""loop-split-product: split the sums of a product of matrices with too few tiles to fill a GPU.

    for "parallel" %i, %j:                                   for "parallel" %p in (0, parts), %i, %j:
      s = for %k in (0, n): add a[i, k] * b[k, j]              t[p, i, j] = for %k in part p of (0, n): add a[i, k] * b[k, j]
      y[i, j] = f(s)                                 ->      for "parallel" %i, %j:
                                                               s = for "reduction" %p in (0, parts): add t[p, i, j]
                                                               y[i, j] = f(s)

Results with few rows or columns are few tiles, and few multiprocessors would run through all of K, as in gradients of weights.
The parts are multiplied in the smallest tiles, and added in order, so that results repeat bit by bit. The number of steps of K
from which splitting pays for another launch follows from the card's rates (`lowering/machine.py`). A part is long enough to
fill the pipeline. Where sizes are unknown, the original block remains next to the split one, each under conditions.
"""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint

from ....dialects import loop
from ....ir.index.expressions import Index
from ....ir.rewrite import count
from ....ir.scalars.attributes import number
from ...analysis.loop_nests import lowered_blocks
from ...manager.options import limited
from ..builder import Writer
from .copies import keep_for_others, parts_of
from .patterns import Nest, outer_nest
from .product_tiles import smallest_tiling
from .products import factors
from .split_reductions import SplitReduction, only_reduction


@dataclass(frozen=True)
class LoopSplitProduct(ModulePass):
    """`programs` are enough to fill the GPU. Sums of at least `least-steps` steps of K, or of `least-float-steps` in products
    of float32, are split into at most `parts` parts. With `tf32`, matrix units multiply float32."""

    name = "loop-split-product"

    programs: int = limited(132)
    least_steps: int = limited(3072)
    least_float_steps: int = limited(384)
    parts: int = limited(64)
    tf32: int = limited(0, least=0, most=1)

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for block in lowered_blocks(op):
            if block.warps is None:
                self._split(block)

    def _split(self, block: loop.BlockOp) -> None:
        outer = outer_nest(block)
        reduction, tiling = only_reduction(block, outer), smallest_tiling(block, outer, tf32=bool(self.tf32))
        if reduction is None or tiling is None:
            return
        on_matrix_units = tiling.itemsize < 4 or self.tf32
        fewest = self.least_steps if on_matrix_units else self.least_float_steps
        inner = Nest(reduction.loops[1:]).size.constant
        if inner is None:
            return
        length = Nest(reduction.loops[:1]).size
        grain, least = (-(-steps // max(inner, 1)) for steps in (tiling.tiles.k * tiling.tiles.stages, fewest))
        parts = parts_of(tiling.programs, length, self.programs, grain, self.parts, tiling.tiles.k, least)
        if parts is not None:
            keep_for_others(block, parts)
            first = SplitReduction(block, parts, _mask_factors).write()
            tiling.annotate(first, outer_nest(first))
            count("products-split", "Number of products of matrices whose sums are split into parts")


def _mask_factors(nest: Nest, writer: Writer, within: Index) -> None:
    """Make the factors zero where `within` is negative."""
    pair = factors(nest)
    assert pair is not None, "a sum of products"
    for factor in pair:
        users = list(factor.value.uses)
        after = factor.value.owner
        assert isinstance(after, Operation), "factors depend on the index of the sum"
        with writer.inside(InsertPoint.after(after)):
            nothing = writer.constant(number(0, factor.value.type))
            masked = writer.compute("select", writer.test([within]), factor.value, nothing)
        for use in users:
            use.operation.operands[use.index] = masked
