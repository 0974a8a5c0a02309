"""lower-graph-to-uop: every graph operation expands into micro-ops.

    %2 = graph.add %0, %1 : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>

    %b = uop.reindex %1 <(d0, d1) -> (d1)> : (tensor<3xf32>) -> tensor<2x3xf32>
    %2 = uop.map "add"(%0, %b) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>

Each operation has one rule, in the files of this folder by topic. Micro-ops among the graph operations are unchanged, and so
are calls: `inline` has inlined composites before.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint

from ...dialects.graph.base import GraphOp
from ...ir.rewrite import Builder, erase
from ...passes.uop.builder import Emit
from . import contract as expand_contract
from . import index as expand_index
from . import shape as expand_shape
from .base import expand

# Importing these files registers their rules with `expand`.
RULES = (expand_contract, expand_index, expand_shape)


@dataclass(frozen=True)
class LowerGraphToUop(ModulePass):
    """Expands every operation of the module, in order."""

    name = "lower-graph-to-uop"
    illegal: ClassVar[tuple[str, ...]] = ("graph",)

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for inner in [each for each in op.walk() if isinstance(each, GraphOp)]:
            value = expand(inner, Emit(Builder(InsertPoint.before(inner), inner)))
            inner.result.replace_all_uses_with(value)
            erase(inner)
