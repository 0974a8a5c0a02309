"""loop-multiply-add: what is added to a sum is multiplied and added at once, and rounded once.

    %s = for "reduction" %p in (0, 3) carry(%0)        %s = for "reduction" %p in (0, 3) carry(%0)
      %m = mul(%a, %b)                           ->      fma(%a, %b, %sum)
      add(%sum, %m)

A sum may be added up in any order, so that it may as well be rounded less often; processors that have the operation do it in
the time of one of both. Products that anything else looks at, and sums that are no reduction's, are as they were written.
"""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint

from ..dialects import loop
from ..ir.dtypes import dtype_of
from ..ir.functions import lowered_functions
from ..ir.nesting import operations
from ..ir.rewrite import Builder, count, erase
from .options import limited
from .reductions import accumulations


@dataclass(frozen=True)
class LoopMultiplyAdd(ModulePass):
    """`fused` says whether the processor multiplies and adds at once."""

    name = "loop-multiply-add"

    fused: int = limited(1, least=0, most=1)

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        if not self.fused:
            return
        for function in lowered_functions(op):
            for level in [each for each in operations(function) if isinstance(each, loop.ForOp)]:
                if level.kind.data in ("reduction", "unroll") and level.carried:
                    for total in accumulations(level) or ():
                        _fuse(total)


def _fuse(total: loop.ComputeOp) -> None:
    before, product = total.inputs
    multiply = product.owner
    if total.function.data != "add" or dtype_of(total.result.type).kind != "float" or len(list(product.uses)) != 1:
        return
    if not isinstance(multiply, loop.ComputeOp) or multiply.function.data != "mul" or multiply.parent is not total.parent:
        return
    builder = Builder(InsertPoint.before(total), total, multiply)
    fused = builder.add(loop.ComputeOp("fma", *multiply.inputs, before))
    total.result.replace_all_uses_with(fused.result)
    erase(total)
    erase(multiply)
    count("products-fused", "Number of products that are multiplied and added at once")
