"""canonicalize: fold constants, apply the canonicalization patterns of each operation, drop what is dead.

xDSL's driver, with the locations and the trace kept: what replaces an operation has its sources, and an operation that
takes over the uses of another one has both.
"""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.ir import Operation
from xdsl.pattern_rewriter import GreedyRewritePatternApplier, PatternRewriteWalker
from xdsl.transforms.canonicalize import CanonicalizationRewritePattern
from xdsl.transforms.dead_code_elimination import region_dce

from ..manager.registry import OperationPass
from ..manager.rewrite_listener import Attributed, SourceListener


@dataclass(frozen=True)
class Canonicalizer(OperationPass):
    """Applies all canonicalization patterns until nothing changes."""

    name = "canonicalize"

    def apply_to(self, ctx: Context, op: Operation) -> None:
        sources = SourceListener()
        patterns = GreedyRewritePatternApplier([CanonicalizationRewritePattern()], ctx=ctx, folding_enabled=True)
        walker = PatternRewriteWalker(Attributed(patterns, sources), post_walk_func=region_dce, listener=sources.listener)
        for region in op.regions:
            walker.rewrite_region(region)
