"""Rewrite listener: derives the operations that xDSL's patterns insert from those that they match.

xDSL's patterns do not track source locations. `SourceListener` is notified of the operations that a driver inserts, replaces
and removes, and calls `derive`, `absorb` and `record_erasure` for it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress

from xdsl.ir import Operation, OpResult, SSAValue, Use
from xdsl.pattern_rewriter import PatternRewriter, PatternRewriterListener, RewritePattern

from ...ir.debug_counters import is_counting, may_rewrite
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
    """A pattern whose insertions get the sources of the operation that it matched, and whose rewrites are counted."""

    def __init__(self, pattern: RewritePattern, sources: SourceListener):
        self._pattern = pattern
        self._sources = sources

    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter, /) -> None:
        counted = _Counted(op, rewriter) if is_counting() else rewriter
        with suppress(_Refused):
            self._pattern.match_and_rewrite(op, counted)
            self._sources.attribute_pending(op)
        rewriter.has_done_action |= counted.has_done_action


class _Refused(Exception):
    """Debug counters do not let the pattern change the operation."""


class _Counted(PatternRewriter):
    """A rewriter that asks the debug counters before its first change, so that patterns that match nothing are not counted.

    xDSL's listeners cannot refuse a change: they hear of insertions and modifications afterwards, and not at all of inlined
    blocks and block arguments. So this class relies on the field that xDSL's rewriter sets with every change. Without debug
    counters it is not used.
    """

    def __init__(self, op: Operation, outer: PatternRewriter):
        super().__init__(op)
        self.extend_from_listener(outer)
        self._op = op
        self._has_begun = False

    # All changes set this field of the base class.
    @property
    def has_done_action(self) -> bool:  # pyright: ignore[reportIncompatibleVariableOverride] - asked when it is set
        return self._has_begun

    @has_done_action.setter
    def has_done_action(self, value: bool) -> None:  # pyright: ignore[reportIncompatibleVariableOverride] - as above
        if value:
            self._begin(True)
        else:
            self._has_begun = False

    def _begin(self, changes: bool) -> None:
        """Ask before the first change. Raises _Refused."""
        if changes and not self._has_begun and not may_rewrite(self._op):
            raise _Refused
        self._has_begun = changes or self._has_begun

    # The following two methods set the field after the change.
    def replace_all_uses_with(self, from_value: SSAValue, to_value: SSAValue | None, safe_erase: bool = True) -> None:
        self._begin(from_value is not to_value and (to_value is None or bool(list(from_value.uses))))
        super().replace_all_uses_with(from_value, to_value, safe_erase)

    def replace_uses_with_if(self, from_value: SSAValue, to_value: SSAValue, predicate: Callable[[Use], bool]) -> None:
        self._begin(from_value is not to_value and any(map(predicate, from_value.uses)))
        super().replace_uses_with_if(from_value, to_value, predicate)
