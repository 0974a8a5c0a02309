"""Debug counters number rewrites, so that running only some of them finds the rewrite that breaks a program.

Each rewrite has a tag: the name of its pass, or of its rewrite rule. Passes ask `may_rewrite` before each: a canonicalization
pattern, a merge of equal operations, a rewrite rule that fires, a read that is inlined, loops that are fused; most passes on
loops ask for each block that they visit. `pass-execution` counts passes themselves.

    --mlir-debug-counter=cse-skip=3,cse-count=1     # of all merges only the fourth
    --debug-only=cse                                # shows each merge, with its number
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from .context_values import holding

if TYPE_CHECKING:
    from xdsl.ir import Operation

PASS_EXECUTION = "pass-execution"
_ARGUMENT = re.compile(r"(.+)-(skip|count)=(\d+)")


class Window(NamedTuple):
    """The number of rewrites to skip first, and the most to run then; None for all."""

    skip: int = 0
    most: int | None = None

    def __contains__(self, number: object) -> bool:
        assert isinstance(number, int), "rewrites are numbered"
        return number >= self.skip and (self.most is None or number < self.skip + self.most)


@dataclass
class DebugCounters:
    """The windows of some tags, and the number of rewrites of each tag so far. `show` is called for rewrites that may run, with
    the tag, the number, the operation, and the running pass."""

    windows: Mapping[str, Window] = field(default_factory=dict[str, Window])
    show: Callable[[str, int, Operation, str], None] | None = None
    counts: Counter[str] = field(default_factory=Counter[str])

    @classmethod
    def parse(cls, arguments: Iterable[str]) -> DebugCounters:
        """The counters of `TAG-skip=N` and `TAG-count=N` arguments. Raises ValueError for any other argument."""
        windows: dict[str, Window] = {}
        for argument in arguments:
            match = _ARGUMENT.fullmatch(argument.strip())
            if match is None:
                raise ValueError(f"expected TAG-skip=N or TAG-count=N, got '{argument}'")
            tag, number = match[1], int(match[3])
            field_name = "skip" if match[2] == "skip" else "most"
            windows[tag] = windows.get(tag, Window())._replace(**{field_name: number})
        return cls(windows)

    def may_rewrite(self, op: Operation, tag: str) -> bool:
        """Count a rewrite of an operation. Returns whether it may run."""
        number = self.counts[tag]
        self.counts[tag] += 1
        if tag in self.windows and number not in self.windows[tag]:
            return False
        if self.show is not None:
            self.show(tag, number, op, _pass.get())
        return True

    def report(self) -> str:
        """The report in MLIR's format: a line for each tag with its count and its window, -1 where there is none."""
        lines = ["DebugCounter counters:"]
        for tag in sorted({*self.counts, *self.windows}):
            window = self.windows.get(tag)
            skip = window.skip if window is not None else -1
            most = window.most if window is not None and window.most is not None else -1
            lines.append(f"{tag:<32}: {{{self.counts[tag]},{skip},{most}}}")
        return "\n".join(lines) + "\n"


_active: ContextVar[DebugCounters | None] = ContextVar("debug_counters", default=None)
_pass: ContextVar[str] = ContextVar("pass_name", default=PASS_EXECUTION)


@contextmanager
def counting(counters: DebugCounters) -> Iterator[DebugCounters]:
    """Let `counters` decide about the rewrites inside the block."""
    with holding(_active, counters):
        yield counters


def rewrites_of(pass_name: str) -> AbstractContextManager[None]:
    """Rewrites inside the block without a tag of their own get the tag of this pass."""
    return holding(_pass, pass_name)


def is_counting() -> bool:
    """Whether debug counters are active."""
    return _active.get() is not None


def may_rewrite(op: Operation, tag: str | None = None) -> bool:
    """Whether the next rewrite of a tag, by default that of the running pass, may run on `op`. Without counters all may."""
    counters = _active.get()
    return counters is None or counters.may_rewrite(op, tag if tag is not None else _pass.get())
