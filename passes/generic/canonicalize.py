"""canonicalize: fold constants, apply each operation's canonicalization patterns, and erase dead operations.

Runs xDSL's driver with locations and the trace kept: an operation that replaces another has the sources of both.
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
