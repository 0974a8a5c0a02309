"""Rewrite listener: derives the operations that xDSL's patterns insert from those that they match.

xDSL's patterns do not track source locations. `SourceListener` is notified of what a driver inserts, replaces and removes, and
calls `derive`, `absorb` and `record_erasure` for it.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.ir import Operation, OpResult, SSAValue
from xdsl.pattern_rewriter import PatternRewriter, PatternRewriterListener, RewritePattern

from ...ir.debug_counters import may_rewrite
from ...ir.rewrite import absorb, derive, record_erasure


class SourceListener:
    """Gives each operation that a pattern inserts the sources of the operation it replaces, or of the matched one."""

    def __init__(self) -> None:
        self._inserted: list[Operation] = []
        self.listener = PatternRewriterListener(
            operation_insertion_handler=[self._inserted.append],
            operation_replacement_handler=[self._on_replacement],
            operation_removal_handler=[record_erasure],
        )

    def attribute_pending(self, matched: Operation) -> None:
        """Derive operations that were inserted without a replacement from the matched operation."""
        for new in self._inserted:
            derive(new, (matched,))
        self._inserted.clear()

    def _on_replacement(self, op: Operation, results: Sequence[SSAValue | None]) -> None:
        new_ops = list(self._inserted)
        self.attribute_pending(op)
        keepers = dict.fromkeys(value.op for value in results if isinstance(value, OpResult))
        for keeper in keepers:
            if keeper not in new_ops:
                absorb(keeper, op)


class Attributed(RewritePattern):
    """A pattern whose insertions get the sources of what it matched."""

    def __init__(self, pattern: RewritePattern, sources: SourceListener):
        self._pattern = pattern
        self._sources = sources

    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter, /) -> None:
        if not may_rewrite(op):
            return
        self._pattern.match_and_rewrite(op, rewriter)
        self._sources.attribute_pending(op)
