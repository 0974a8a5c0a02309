"""A plugin for Stepwell: integer additions that saturate, a scalar function, `hardtanh`, and a target, `precise`.

Stepwell looks for `DIALECTS`, `PASSES`, `SCALARS`, `TARGETS` and `LANGUAGES`. The dialect is one of xDSL's, the pass a frozen
dataclass derived from `ModulePass`, whose options are its fields. The target takes programs of micro-ops, the last of its
levels, and runs them in float64, whatever their dtypes; its language is a list of the operations that it runs.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, ClassVar

import numpy as np
from stepwell.ir.functions.entry import entry_function
from stepwell.ir.rewrite import replace
from stepwell.ir.scalars.function import ScalarFunction
from stepwell.lowering.emission.source_text import SourceText
from stepwell.lowering.pipelines import INTERPRETED, Language, Target
from stepwell.runtime.boundary.arrays import HostBoundary
from stepwell.runtime.boundary.signature import Signature
from stepwell.runtime.interpret.uop import run_uop
from xdsl.context import Context
from xdsl.dialects.arith import AddiOp, ConstantOp, MinSIOp
from xdsl.dialects.builtin import IntegerAttr, IntegerType, ModuleOp
from xdsl.ir import Dialect, SSAValue
from xdsl.irdl import IRDLOperation, VarConstraint, base, irdl_op_definition, operand_def, result_def
from xdsl.passes import ModulePass


@irdl_op_definition
class AddOp(IRDLOperation):
    """The sum of two integers, at most the `limit` of the pass that lowers it.

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


class PreciseProgram:
    """A function of micro-ops, run in float64."""

    boundary = HostBoundary()

    def __init__(self, module: ModuleOp, target: str, signature: Signature, edit: Any):
        self.function, self.signature = entry_function(module), signature

    def run(self, arrays: Sequence[Any], values: Sequence[int]) -> list[Any]:
        """The results, in the dtypes of the program."""
        found = run_uop(self.function, arrays, dict(zip(self.signature.params, values, strict=True)), precise=True)
        return [each.astype(output.dtype.numpy) for each, output in zip(found, self.signature.outputs, strict=True)]


def emit_steps(module: ModuleOp) -> SourceText:
    """The name of each operation, a line each, with the operation that it stands for."""
    text = SourceText()
    text.lines += [(op.name, op) for op in entry_function(module).body.block.ops]
    return text


DIALECTS = (Dialect("saturate", [AddOp], []),)
PASSES = (LowerSaturate,)
# -1 below -1, 1 above 1, and x between.
SCALARS = (
    ScalarFunction(
        "hardtanh",
        1,
        ("float",),
        "fmin$F(fmax$F($a, ($T)-1), ($T)1)",
        "tl.minimum(tl.maximum($a, -1.0), 1.0)",
        lambda x: np.fmin(np.fmax(x, -1), 1),
        cost=2,
    ),
)
TARGETS = MappingProxyType({"precise": Target(INTERPRETED, PreciseProgram, "steps")})
LANGUAGES = MappingProxyType({"steps": Language(emit_steps, "#")})
