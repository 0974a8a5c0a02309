"""A plugin for Stepwell: integer additions that saturate, and a scalar function, `hardtanh`.

`DIALECTS`, `PASSES` and `SCALARS` are what Stepwell looks for. The dialect is one of xDSL's, the pass a frozen
dataclass derived from `ModulePass`, whose options are its fields.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from stepwell.ir.rewrite import replace
from stepwell.ir.scalars.function import ScalarFunction
from xdsl.context import Context
from xdsl.dialects.arith import AddiOp, ConstantOp, MinSIOp
from xdsl.dialects.builtin import IntegerAttr, IntegerType, ModuleOp
from xdsl.ir import Dialect, SSAValue
from xdsl.irdl import IRDLOperation, VarConstraint, base, irdl_op_definition, operand_def, result_def
from xdsl.passes import ModulePass


@irdl_op_definition
class AddOp(IRDLOperation):
    """The sum of two integers, at most `limit` of the pass that lowers it.

    %2 = saturate.add %0, %1 : i32
    """

    name = "saturate.add"
    T: ClassVar = VarConstraint("T", base(IntegerType))
    lhs = operand_def(T)
    rhs = operand_def(T)
    result = result_def(T)
    assembly_format = "$lhs `,` $rhs attr-dict `:` type($result)"

    def __init__(self, lhs: SSAValue, rhs: SSAValue):
        super().__init__(operands=[lhs, rhs], result_types=[lhs.type])


@dataclass(frozen=True)
class LowerSaturate(ModulePass):
    """Writes each saturating addition as an addition and a minimum with `limit`."""

    name = "lower-saturate"
    limit: int = 127

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for each in [each for each in op.walk() if isinstance(each, AddOp)]:
            total = AddiOp(each.lhs, each.rhs)
            most = ConstantOp(IntegerAttr(self.limit, each.result.type))
            # `replace` gives the new operations the locations of the old one, so that they can be traced.
            replace(each, (total, most, MinSIOp(total, most)))


DIALECTS = (Dialect("saturate", [AddOp], []),)
PASSES = (LowerSaturate,)
# -1 below -1, 1 above 1, and x between.
SCALARS = (
    ScalarFunction(
        "hardtanh",
        1,
        ("float",),
        "fmin$F(fmax$F($a, -1), 1)",
        "tl.minimum(tl.maximum($a, -1.0), 1.0)",
        lambda x: np.fmin(np.fmax(x, -1), 1),
        cost=2,
    ),
)
