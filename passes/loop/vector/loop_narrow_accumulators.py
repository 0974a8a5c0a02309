"""loop-narrow-accumulators: sum the products of small windows in their own type rather than in a wider one.

    %s = for "reduction" %p in (0, 7) carry(0 : f64)          %s = for "reduction" %p in (0, 7) carry(0 : f32)
      %m = mul(x[%i + %p], w[%p]) : f32                 ->      %m = mul(x[%i + %p], w[%p]) : f32
      add(%sum, cast(%m)) : f64                                 add(%sum, %m) : f32
    cast(%s) : f32

Sums of float32 are in float64 where memory bounds the loop. A window reads its elements from the cache,
once for each tap: vectors of doubles have half as many lanes, and each product would be cast. Tiles of contractions sum in the
products' type too. So do, with this pass, the convolutions that are not tiled, as depthwise ones:

1. Select perfect nests of reductions that sum at most `terms` float32 products in float64, from zero on, for a result that is
   cast to a narrower type. They add nothing but these products, each cast once, and store and check nothing.
2. One operand of the product reads a window: an index of it depends on a summed loop and on another one.
3. Write the nest anew with an accumulator of float32.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import FloatAttr, ModuleOp, f32
from xdsl.ir import SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint

from ....dialects import loop
from ....ir.nesting import operations
from ....ir.rewrite import Builder, count, erase
from ....ir.types.dtypes import FLOAT32, FLOAT64, dtype_of
from ...analysis.folds import summed_product
from ...analysis.loop_nests import Frame, lowered_blocks
from ...analysis.reductions import carrying, statements
from ...manager.options import limited
from ..builder import Writer, over

# What a nest may do for each product.
_COMPUTING = (loop.LoadOp, loop.ComputeOp, loop.CastOp, loop.ConstantOp, loop.IndexOp, loop.TestOp)


@dataclass(frozen=True)
class LoopNarrowAccumulators(ModulePass):
    """`terms` is the greatest number of products of a window."""

    name = "loop-narrow-accumulators"

    terms: int = limited(128, least=0)

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for block in lowered_blocks(op):
            frame = Frame()
            frame.tree(block)
            for level in [each for each in operations(block) if isinstance(each, loop.ForOp)]:
                loops = carrying(level, ("reduction",)) if level.kind.data == "reduction" and level.carried else []
                if loops and self._is_window(loops, frame):
                    _narrow(loops, frame)
                    count("accumulators-narrowed", "Number of sums of windows in the type of their products")

    def _is_window(self, loops: Sequence[loop.ForOp], frame: Frame) -> bool:
        """Whether a nest sums so few products of float32 over a window in float64, for a result in a narrower type."""
        trips = [level.trips for level in loops]
        if None in trips or any(level.lower != 0 or level.step.value.data != 1 for level in loops):
            return False
        product = summed_product(loops[-1])
        if product is None or math.prod(each or 0 for each in trips) > self.terms or not _is_widened(loops, product):
            return False
        if not all(isinstance(each, _COMPUTING) for each in statements(loops[-1])):
            return False
        reduced = {frame.number(level.induction) for level in loops}
        loads = [each for each in statements(loops[-1]) if isinstance(each, loop.LoadOp)]
        return any(expr.dims() & reduced and expr.dims() - reduced for load in loads for expr in frame.exprs(load))


def _is_widened(loops: Sequence[loop.ForOp], product: loop.ComputeOp) -> bool:
    """Whether a sum from zero on is in float64, of products in float32, each of which is only cast to that, and whether the
    result is cast to a narrower type."""
    start = loops[0].carried[0].owner
    if not isinstance(start, loop.ConstantOp) or not isinstance(start.value, FloatAttr) or str(start.value.value.data) != "0.0":
        return False
    if dtype_of(start.result.type) is not FLOAT64 or dtype_of(product.result.type) is not FLOAT32:
        return False
    users = [use.operation for use in product.result.uses]
    if len(users) != 1 or not isinstance(users[0], loop.CastOp) or dtype_of(users[0].result.type) is not FLOAT64:
        return False
    if any(use.operation is not loops[-1].yielded[0].owner for use in users[0].result.uses):
        return False
    readers = [use.operation for use in loops[0].results[0].uses]
    return all(isinstance(each, loop.CastOp) and dtype_of(each.result.type).itemsize <= FLOAT32.itemsize for each in readers)


def _narrow(loops: Sequence[loop.ForOp], frame: Frame) -> None:
    """Write a nest with an accumulator of float32."""
    nest = loops[0]
    readers = [use.operation for use in nest.results[0].uses]
    writer = Writer(frame, Builder(InsertPoint.before(nest), nest))
    found = _summed(loops, [writer.constant(FloatAttr(0.0, f32))], {}, writer)
    for reader in readers:
        reader.results[0].replace_all_uses_with(writer.cast(found, reader.results[0].type))
        erase(reader)
    erase(nest)


def _summed(
    loops: Sequence[loop.ForOp], start: Sequence[SSAValue], indices: dict[SSAValue, SSAValue], writer: Writer
) -> SSAValue:
    """The sum of a nest of these loops, from `start` on; `indices` has those of the loops around them."""
    level, *inner = loops
    hint = level.induction.name_hint or "k"
    with writer.carrying("reduction", 0, level.upper, start, hint=hint) as (op, values):
        indices = {**indices, level.induction: op.induction}
        values[0] = _summed(inner, values, indices, writer) if inner else _added(level, values[0], indices, writer)
    return op.results[0]


def _added(level: loop.ForOp, total: SSAValue, indices: dict[SSAValue, SSAValue], writer: Writer) -> SSAValue:
    """The sum after a step of the innermost loop."""
    product = summed_product(level)
    assert product is not None, "it sums products"
    places = over(list(indices), writer.frame, [writer.frame.index(each) for each in indices.values()])
    values: dict[SSAValue, SSAValue] = dict(indices)
    for statement in statements(level):
        writer.copy(statement, values, places)
        if statement is product:
            break
    return writer.compute("add", total, values[product.result])
