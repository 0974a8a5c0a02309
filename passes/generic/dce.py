"""dce: erase operations without effects whose results are unused, and unreachable blocks."""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.ir import Operation
from xdsl.transforms.dead_code_elimination import region_dce

from ..manager.registry import OperationPass
from ..manager.rewrite_listener import SourceListener


@dataclass(frozen=True)
class DCE(OperationPass):
    """Removes dead operations."""

    name = "dce"

    def apply_to(self, ctx: Context, op: Operation) -> None:
        for region in op.regions:
            region_dce(region, SourceListener().listener)
