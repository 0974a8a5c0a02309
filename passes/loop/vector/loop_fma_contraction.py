"""loop-fma-contraction: contract multiplications and additions of reductions to fused multiply-add, rounded once.

    %s = for "reduction" %p in (0, 3) carry(%0)        %s = for "reduction" %p in (0, 3) carry(%0)
      %m = mul(%a, %b)                           ->      fma(%a, %b, %sum)
      add(%sum, %m)

Reductions may be reassociated, so they may also be rounded less often; processors with FMA run it in the time of one operation.
A square is a product too. Sums may be kept in registers, as `loop-vectorize` does: `p[u, lane] += x[j] * y[j]`. Products with
other users, and sums outside reductions, are not contracted.
"""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint

from ....dialects import loop
from ....ir.functions.entry import lowered_functions
from ....ir.nesting import operations
from ....ir.rewrite import Builder, count, erase
from ....ir.types.dtypes import dtype_of
from ...analysis.reductions import accumulations
from ...manager.options import limited


@dataclass(frozen=True)
class LoopFmaContraction(ModulePass):
    """`fused` says whether the processor has FMA."""

    name = "loop-fma-contraction"

    fused: int = limited(1, least=0, most=1)

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        if not self.fused:
            return
        for function in lowered_functions(op):
            for each in operations(function):
                if isinstance(each, loop.ForOp) and each.kind.data in ("reduction", "unroll") and each.carried:
                    for total in accumulations(each) or ():
                        _fuse(total)
                elif isinstance(each, loop.StoreOp) and (kept := _kept_sum(each)) is not None:
                    _fuse(kept)


def _kept_sum(store: loop.StoreOp) -> loop.ComputeOp | None:
    """The addition by which a reduction updates a register that it loads from and stores to."""
    total, registers = store.value.owner, store.buffer.owner
    if not isinstance(registers, loop.AllocOp) or not registers.in_registers:
        return None
    if not isinstance(total, loop.ComputeOp) or len(list(total.result.uses)) != 1:
        return None
    before = total.inputs[0].owner
    if not isinstance(before, loop.LoadOp) or before.buffer is not store.buffer:
        return None
    is_same = before.map == store.map and before.operands_at == store.operands_at
    return total if is_same and _repeats(store, registers) else None


def _repeats(store: loop.StoreOp, registers: loop.AllocOp) -> bool:
    """Whether a store is in a reduction, possibly inside unrolled and vector loops, and the registers are allocated outside of
    the reduction."""
    level = store.parent_op()
    while isinstance(level, loop.ForOp) and level.kind.data in ("vector", "unroll"):
        level = level.parent_op()
    return isinstance(level, loop.ForOp) and level.kind.data == "reduction" and not level.is_ancestor(registers)


def _fuse(total: loop.ComputeOp) -> None:
    if total.function.data != "add" or dtype_of(total.result.type).kind != "float":
        return
    before, product = total.inputs
    multiply = product.owner
    if len(list(product.uses)) != 1:
        return
    if not isinstance(multiply, loop.ComputeOp) or multiply.parent is not total.parent:
        return
    if multiply.function.data not in ("mul", "square"):
        return
    # The first and the last operand are the same for a square, which has one factor.
    factors = multiply.inputs[0], multiply.inputs[-1]
    builder = Builder(InsertPoint.before(total), total, multiply)
    fused = builder.add(loop.ComputeOp("fma", *factors, before))
    total.result.replace_all_uses_with(fused.result)
    erase(total)
    erase(multiply)
    count("products-fused", "Number of products contracted to fused multiply-add")
