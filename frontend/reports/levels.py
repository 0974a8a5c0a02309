"""The levels of a lowered program: their texts, and the source positions of each line."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TypeAlias

from xdsl.dialects.builtin import ModuleOp

from ...ir.locations import frames
from ...ir.text.printer import print_with_lines
from ...lowering.emission.source_text import SourceText
from ...passes.trace.outputs import outputs_of
from ...passes.trace.recording import Trace
from ...passes.trace.snapshots import Lines, Snapshot, by_line


@dataclass(frozen=True)
class KnownLevel:
    """A level: for each line of its text that starts operations, `lines` has their source positions, and `outputs` those whose
    output the line yields."""

    name: str
    text: str
    lines: Lines
    outputs: Lines


@dataclass(frozen=True)
class TracedLevel:
    """A level that is a snapshot of a trace, printed when its text is read."""

    name: str
    _snapshot: Snapshot

    @property
    def text(self) -> str:
        """The text of the module."""
        return self._snapshot.text or ""

    @property
    def lines(self) -> Lines:
        """The source positions of each line."""
        return self._snapshot.lines

    @property
    def outputs(self) -> Lines:
        """The source positions whose output each line yields."""
        return self._snapshot.outputs


class EmittedLevel:
    """The source emitted for the last state of a trace; `numbers` has, for each line with an operation, the number of the
    operation in that state."""

    def __init__(self, name: str, source: SourceText, trace: Trace, numbers: Mapping[int, int]):
        self.name = name
        self.text = source.text
        self.lines: Lines = {number: frames(op.location) for number, (_, op) in enumerate(source.lines, 1) if op is not None}
        self._trace = trace
        self._numbers = numbers

    @cached_property
    def outputs(self) -> Lines:
        """For each line that yields the output of source lines, its source positions on these lines; empty without a trace."""
        ops = self._trace.levels[-1].ops if self._numbers and self._trace.levels else ()
        return {line: ops[number].yields for line, number in self._numbers.items() if ops and ops[number].yields}


Level: TypeAlias = KnownLevel | TracedLevel | EmittedLevel


def level_of(name: str, module: ModuleOp, trace: Trace, has_outputs: bool) -> Level:
    """The level that a module is on: the last snapshot of its trace, if it has any, since nothing changes after the last pass
    of a level. Without a trace, `has_outputs` says whether outputs are wanted."""
    if trace.levels:
        return TracedLevel(name, trace.levels[-1])
    text, numbers = print_with_lines(module)
    lines = by_line((line, frames(op.location)) for op, line in numbers.items() if not isinstance(op, ModuleOp))
    outputs = outputs_of(module) if has_outputs else {}
    return KnownLevel(name, text, lines, by_line((numbers.get(op, 0), found) for op, found in outputs.items()))
