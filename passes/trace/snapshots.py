"""Snapshots: all operations of a module at one time, with their sources and lines, computed from its state when asked for."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from xdsl.dialects.builtin import ModuleOp

from ...ir.locations import Frame, Sources
from ...ir.text.print_cache import PrintMemory
from ...ir.text.printer import print_with_lines
from .outputs import Outputs
from .states import Replay, State

# For each line of a text on which operations start, their source positions.
Lines = Mapping[int, tuple[Frame, ...]]


class OpInfo(NamedTuple):
    """An operation in a snapshot. `line` is its line in the snapshot's text, from 1, or 0 without text; `yields` has its source
    positions on lines whose output it yields (see `outputs.py`)."""

    name: str
    frames: tuple[Frame, ...]
    line: int = 0
    yields: tuple[Frame, ...] = ()


@dataclass(frozen=True)
class Given:
    """The operations of a module and its text, as read from a trace file; the text is None where the file has none."""

    ops: Sequence[OpInfo]
    text: str | None = None

    @cached_property
    def lines(self) -> Lines:
        """The source positions of each line of the text on which operations start; modules do not count."""
        return by_line((op.line, op.frames) for op in self.ops if op.name != ModuleOp.name)


class Recorded:
    """The operations and the text of a recorded state, computed at first use."""

    def __init__(self, timeline: Timeline, number: int):
        self._timeline = timeline
        self._number = number

    @cached_property
    def ops(self) -> Sequence[OpInfo]:
        """All operations, in order."""
        yields, (_, starts) = self._timeline.yields(self._number), self._printed
        names = [parts[0].name for parts in self._timeline.states[self._number]]
        return tuple(map(OpInfo, names, self._frames, starts, yields))

    @property
    def text(self) -> str | None:
        """The text of the module; None if the timeline has no texts."""
        return self._printed[0]

    @cached_property
    def lines(self) -> Lines:
        """The source positions of each line of the text, as those of `Given`."""
        each = zip(self._timeline.states[self._number], self._printed[1], self._frames, strict=True)
        return by_line((line, found) for parts, line, found in each if parts[0].name != ModuleOp.name)

    @cached_property
    def _printed(self) -> tuple[str | None, Sequence[int]]:
        return self._timeline.printed(self._number)

    @cached_property
    def _frames(self) -> Sequence[tuple[Frame, ...]]:
        return self._timeline.frames(self._number)


class Timeline:
    """The states of a module, in order, each with the mapping from its operations back to those of the previous state. Copies
    of the module are built, printed and searched for outputs on request; without `texts` they are not printed.
    """

    def __init__(self, texts: bool):
        self.states: list[State] = []
        self._backward: list[Sequence[tuple[int, ...]]] = []
        self._texts = texts
        self._sources = Sources()
        self._replay = Replay()
        self._memory = PrintMemory()
        self._outputs: Outputs | None = None
        # For each state up to the last one asked for, the positions that each operation yields.
        self._yields: list[Sequence[tuple[Frame, ...]]] = []

    def add(self, state: State, backward: Sequence[tuple[int, ...]] = ()) -> Recorded:
        """The contents of a next state."""
        self.states.append(state)
        self._backward.append(backward)
        return Recorded(self, len(self.states) - 1)

    def frames(self, number: int) -> Sequence[tuple[Frame, ...]]:
        """The source positions of each operation of a state."""
        return [self._sources.frames(parts[2]) for parts in self.states[number]]

    def printed(self, number: int) -> tuple[str | None, Sequence[int]]:
        """The text of a state, and the line of each operation; None and zeros without texts."""
        if not self._texts:
            return None, [0] * len(self.states[number])
        ops = self._replay.load(self.states[number])
        text, lines = print_with_lines(ops[0], memory=self._memory)
        return text, [lines.get(op, 0) for op in ops]

    def yields(self, number: int) -> Sequence[tuple[Frame, ...]]:
        """The source positions whose output each operation of a state yields, which follow from those of all previous
        states."""
        for each in range(len(self._yields), number + 1):
            ops = self._replay.load(self.states[each])
            if self._outputs is None:
                self._outputs = Outputs(ops, self._sources)
            else:
                self._outputs.follow(ops, self._backward[each])
            self._yields.append(tuple(self._outputs.yields))
        return self._yields[number]


@dataclass(frozen=True)
class Snapshot:
    """All operations of a module at one time, in traversal order.

    `level` is the pass that made this state, "input" at first; `name` is `main_before_<pass>_<k>` after the pass that follows,
    the k-th of its name, and "main" at the end. `text` is None when the trace keeps no texts.
    """

    level: str
    contents: Given | Recorded
    name: str = "main"

    @property
    def ops(self) -> Sequence[OpInfo]:
        """All operations."""
        return self.contents.ops

    @property
    def text(self) -> str | None:
        """The text of the module."""
        return self.contents.text

    @property
    def lines(self) -> Lines:
        """The source positions of each line of the text; empty without text."""
        return self.contents.lines

    @cached_property
    def outputs(self) -> Lines:
        """The lines of the text whose operations yield the output of source lines; empty without text."""
        return by_line((op.line, op.yields) for op in self.ops)

    def at_line(self, line: int) -> tuple[int, ...]:
        """The operations that start on a line of the text, or on the last line before it that starts any."""
        start = max((op.line for op in self.ops if 0 < op.line <= line), default=0)
        return tuple(index for index, op in enumerate(self.ops) if start and op.line == start)


def by_line(found: Iterable[tuple[int, Iterable[Frame]]]) -> Lines:
    """Positions by line number, without duplicates, in order; line 0 (no line) is dropped."""
    lines: dict[int, dict[Frame, None]] = {}
    for line, positions in found:
        if line:
            lines.setdefault(line, {}).update(dict.fromkeys(positions))
    return {line: tuple(each) for line, each in lines.items()}
