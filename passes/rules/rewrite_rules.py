"""rewrite-rules: replace matches of rewrite-rule patterns by the rules' replacements, until no rule applies.

    %1 = uop.map "add"(%one, %x)
    %2 = uop.map "log"(%1)          ->      %2 = uop.map "log1p"(%x)

1. Visit operations in order; try the rules whose pattern has the operation's function at its root.
2. An exact rule fires if its new operations cost less than the operations that become dead; matched operations with other users
   stay. A stabilising one fires wherever it matches.
3. Revisit the new operations and their users, as far up as the deepest pattern reaches.

The new operations have the sources of all operations that the pattern matched, except constants. Statistics count the firings
of each rule.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from xdsl.context import Context
from xdsl.dialects.func import FuncOp
from xdsl.ir import Operation, SSAValue
from xdsl.rewriter import InsertPoint

from ...dialects import uop
from ...ir.debug_counters import may_rewrite
from ...ir.rewrite import Builder, count, erase
from ..manager.instruments import Instrument, PassRun
from ..manager.options import one_of
from ..manager.registry import OperationPass
from .matching import Match, Writer, match_rule
from .rule import STABILISING, Rule, by_root, root_key, work_of
from .settings import RULED, active_rules
from .terms import RuleError

# The most firings per operation of a function; more mean that rules undo each other.
_MOST_FIRINGS = 16


@dataclass(frozen=True)
class RewriteRules(OperationPass):
    """Applies the enabled rewrite rules for `device` and for every target; with `only`, just the rules with these names."""

    name = "rewrite-rules"
    device: str | None = one_of(None, *RULED)
    only: tuple[str, ...] = ()

    def apply_to(self, ctx: Context, op: Operation) -> None:
        rules = active_rules(self.device, self.only)
        for function in [op] if isinstance(op, FuncOp) else [each for each in op.walk() if isinstance(each, FuncOp)]:
            _Driver(by_root(rules), max((rule.depth for rule in rules), default=0)).run(function)


class Firings(Instrument):
    """Counts how often each rule fired, over all runs of the pass."""

    needs_recorder = True

    def __init__(self):
        self.counts: Counter[str] = Counter()

    def after(self, run: PassRun) -> None:
        if isinstance(run.pass_, RewriteRules) and run.recorder is not None:
            for (name, _), times in run.recorder.counters.items():
                self.counts[name] += times


@dataclass
class _Driver:
    rules: Mapping[tuple[str, str], list[Rule]]
    depth: int
    pending: deque[Operation] = field(default_factory=deque)
    queued: set[Operation] = field(default_factory=set)
    fired: Counter[str] = field(default_factory=Counter)

    def run(self, function: FuncOp) -> None:
        ops = [op for op in function.walk() if isinstance(op, uop.MicroOp)]
        budget = _MOST_FIRINGS * (len(ops) + 1)
        self._enqueue(ops)
        while self.pending:
            op = self.pending.popleft()
            self.queued.discard(op)
            if op.parent is not None and self._rewrite(op) and self.fired.total() > budget:
                most = ", ".join(f"'{name}'" for name, _ in self.fired.most_common(3))
                raise RuleError(f"rewrite rules do not terminate: after {budget} firings still {most}", function.location)

    def _enqueue(self, ops: Iterable[Operation]) -> None:
        for op in ops:
            if op not in self.queued:
                self.queued.add(op)
                self.pending.append(op)

    def _rewrite(self, op: Operation) -> bool:
        """Fire the first applicable rule. Returns whether any fired."""
        key = root_key(op)
        for rule in self.rules.get(key, ()) if key is not None else ():
            match = match_rule(rule, op)
            if match is not None and self._fire(rule, match, op):
                return True
        return False

    def _fire(self, rule: Rule, match: Match, op: Operation) -> bool:
        writer = Writer(match, op.results[0])
        value = writer.write(rule.replacement)
        gone = _dead_after(op, match, value)
        is_cheaper = rule.tag == STABILISING or sum(map(work_of, writer.ops)) < sum(map(work_of, gone))
        if value is None or not is_cheaper or not (may_rewrite(op) and may_rewrite(op, rule.name)):
            for new in reversed(writer.ops):
                new.erase()
            return False
        # Constants are excluded: one may be shared by many other source lines.
        computing = [each for each in match.ops if not isinstance(each, uop.ConstantOp)]
        builder = Builder(InsertPoint.before(op), op, *computing)
        for new in writer.ops:
            builder.add(new)
        if value.name_hint is None:
            value.name_hint = op.results[0].name_hint
        op.results[0].replace_all_uses_with(value)
        for each in gone:
            erase(each)
        self.fired[rule.name] += 1
        count(rule.name, f"Number of firings of {rule}")
        self._enqueue(writer.ops)
        self._enqueue(_users(value, self.depth))
        return True


def _dead_after(root: Operation, match: Match, value: SSAValue | None) -> list[Operation]:
    """The operations of a match that are unused once it is replaced by `value`, users first."""
    gone: dict[Operation, None] = {root: None}
    # Matching visits users before their operands, except shared operands: hence the repetition.
    for _ in match.ops:
        for op in match.ops:
            if op not in gone and op.results[0] is not value and all(use.operation in gone for use in op.results[0].uses):
                gone[op] = None
    return list(gone)


def _users(value: SSAValue, depth: int) -> Iterator[Operation]:
    """The transitive users of a value, through at most `depth` operations."""
    level = {use.operation: None for use in value.uses}
    for _ in range(depth):
        yield from level
        level = {use.operation: None for op in level for result in op.results for use in result.uses}
