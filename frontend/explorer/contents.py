"""The data of the explorer's page: texts, operations and the origins of operations, as plain values for JSON.

    documents   the source files that operations come from: path, text
    columns     the levels to show side by side: a name, the number of a snapshot, and how many passes ran before it
    snapshots   distinct states of the module: text, and for each operation its line, its name and its sources
    names       names of operations;  frames: source positions;  sources: lists of frames; snapshots refer to them by number
    passes      name, time, counters, the snapshots before and after, the origins of each operation, runs of lines that differ
    emitted     the C or Triton text, and for its lines the operation of the last snapshot that was printed there
    kernels     the loops, buffers and times of each kernel, and the snapshot that they are numbered in (see `kernels.py`)
    profile     seconds a call, and those of source lines; null for a program that was not measured

Origins are a number where an operation has one, else a list. A pass that changes nothing has null, and the same snapshot before
and after.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import accumulate, combinations
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple

from ...ir.diagnostics import read_source_lines
from ...ir.locations import Frame
from ...lowering.pipelines import TARGETS
from ...passes.trace.differences import differences, op_counts
from ...passes.trace.recording import Step, Trace
from ...passes.trace.snapshots import Snapshot
from .kernels import kernels_of

VERSION = 1
# The passes that lower to a next level, by the name of the level that they end.
_LOWERINGS = MappingProxyType(
    {
        "lower-graph-to-uop": "graph",
        "lower-uop-to-loop": "uop",
        "lower-loop-to-cloop": "scheduled",
        "lower-loop-to-tile": "scheduled",
    }
)


class Emitted(NamedTuple):
    """Emitted source text; each line may have its operation in the last snapshot."""

    name: str
    text: str
    ops: Mapping[int, int]


class Times(NamedTuple):
    """A profile: the number of calls, the seconds of one call, the seconds of loops by the number of their operation in the
    last snapshot, and the seconds of source lines."""

    calls: int
    total: float
    loops: Mapping[int, float]
    lines: Mapping[tuple[str, int], float]


def contents(
    title: str,
    trace: Trace,
    marks: Mapping[str, int] | None = None,
    emitted: Emitted | None = None,
    target: str = "",
    times: Times | None = None,
) -> dict[str, Any]:
    """The data of the page. `marks` has the number of the trace's level at which each level of the compiler is reached; without
    `marks`, the passes that lower tell. Raises ValueError for a trace without texts."""
    snapshots = trace.levels
    if not snapshots or any(snapshot.text is None for snapshot in snapshots):
        raise ValueError("expected a trace with the text of every level")
    tables = _Tables()
    numbers = _distinct(trace)
    states: dict[int, Snapshot] = {}
    for number, snapshot in zip(numbers, snapshots, strict=True):
        states.setdefault(number, snapshot)
    written = [tables.snapshot(snapshot) for _, snapshot in sorted(states.items())]
    marks = marks if marks is not None else _marks(trace, numbers)
    return {
        "version": VERSION,
        "title": title,
        "target": target,
        "documents": [_document(file) for file in tables.files],
        "columns": [{"name": name, "snapshot": numbers[level], "passes": level} for name, level in marks.items()],
        "snapshots": written,
        "names": list(tables.names),
        "frames": [[tables.files[frame.file], *frame[1:]] for frame in tables.frames],
        "sources": [list(each) for each in tables.sources],
        "passes": [_pass(step, numbers[k], numbers[k + 1]) for k, step in enumerate(trace.steps)],
        "emitted": _emitted(emitted),
        "kernels": _kernels(trace, marks, numbers, times),
        "profile": _profile(times, tables),
    }


def _kernels(trace: Trace, marks: Mapping[str, int], numbers: Sequence[int], times: Times | None) -> dict[str, Any] | None:
    """The kernels of the level "scheduled", and their times; null for a program without that level."""
    if "scheduled" not in marks:
        return None
    level = marks["scheduled"]
    kernels = kernels_of(trace.levels[level])
    for number, seconds in (times.loops if times is not None else {}).items():
        origins = trace.ancestors(number, to=level)
        kernel = next((each for each in kernels if any(each["op"] <= op < each["end"] for op in origins)), None)
        if kernel is not None:
            kernel["seconds"] = (kernel["seconds"] or 0.0) + seconds
    return {"snapshot": numbers[level], "all": kernels}


def _profile(times: Times | None, tables: _Tables) -> dict[str, Any] | None:
    if times is None:
        return None
    lines = [[tables.files[file], line, seconds] for (file, line), seconds in times.lines.items() if file in tables.files]
    return {"calls": times.calls, "seconds": times.total, "lines": lines}


def _distinct(trace: Trace) -> list[int]:
    """For each level of the trace the number of its state: a pass without effect leaves the state as it is."""
    numbers = [0]
    for step in trace.steps:
        numbers.append(numbers[-1] + (not _is_identity(step)))
    return numbers


def _is_identity(step: Step) -> bool:
    return not step.has_effect and all(origins == (op,) for op, origins in enumerate(step.backward))


def _marks(trace: Trace, numbers: Sequence[int]) -> dict[str, int]:
    """The levels of a target's pipeline, if the passes end with one; else the input and the result, with the level before each
    pass that lowers."""
    marks = _pipeline_marks([step.pass_name for step in trace.steps])
    is_whole = bool(marks)
    if not marks:
        marks = {_LOWERINGS[step.pass_name]: k for k, step in enumerate(trace.steps) if step.pass_name in _LOWERINGS}
    if not any(numbers[level] == 0 for level in marks.values()):
        marks = {"input": 0, **marks}
    last = len(trace.steps)
    return marks if is_whole or not last else {**marks, "result": last}


def _pipeline_marks(names: Sequence[str]) -> dict[str, int]:
    """The number of passes after which each level is reached, if the last passes are a part of a target's pipeline: for the
    longest such part."""
    best: dict[str, int] = {}
    length = 0
    for stages in [row.stages for row in TARGETS.values()]:
        for first, last in combinations(range(len(stages)), 2):
            counts = [len(stage.passes) for stage in stages[first + 1 : last + 1]]
            passes = [each.partition("{")[0] for stage in stages[first + 1 : last + 1] for each in stage.passes]
            if len(passes) > length and list(names[-len(passes) :]) == passes:
                length = len(passes)
                ends = accumulate(counts, initial=len(names) - length)
                best = dict(zip((stage.level for stage in stages[first : last + 1]), ends, strict=True))
    return best


@dataclass
class _Tables:
    """The tables that snapshots refer to by number."""

    names: dict[str, int] = field(default_factory=dict[str, int])
    files: dict[str, int] = field(default_factory=dict[str, int])
    frames: dict[Frame, int] = field(default_factory=dict[Frame, int])
    sources: dict[tuple[int, ...], int] = field(default_factory=dict[tuple[int, ...], int])
    # The sources of lists of frames by the lists' ids: most operations share their list, and the trace keeps it alive.
    known: dict[int, int] = field(default_factory=dict[int, int])

    def snapshot(self, snapshot: Snapshot) -> dict[str, Any]:
        return {
            "text": snapshot.text,
            "lines": [op.line for op in snapshot.ops],
            "names": [self.names.setdefault(op.name, len(self.names)) for op in snapshot.ops],
            "sources": [self._sources(op.frames) for op in snapshot.ops],
        }

    def _sources(self, frames: Sequence[Frame]) -> int:
        known = self.known.get(id(frames))
        if known is None:
            numbers = tuple(self._frame(frame) for frame in frames)
            known = self.known[id(frames)] = self.sources.setdefault(numbers, len(self.sources))
        return known

    def _frame(self, frame: Frame) -> int:
        self.files.setdefault(frame.file, len(self.files))
        return self.frames.setdefault(frame, len(self.frames))


def _document(file: str) -> dict[str, Any]:
    """A source file; without text if it cannot be read, such as a cell of a notebook."""
    lines = read_source_lines(file)
    return {"path": file, "name": Path(file).name or file, "text": "\n".join(lines) if lines is not None else None}


def _pass(step: Step, before: int, after: int) -> dict[str, Any]:
    counts, left = op_counts(step.after), op_counts(step.before)
    changed = {name: [left.get(name, 0), counts.get(name, 0)] for name in sorted({*counts, *left})}
    return {
        "name": step.pass_name,
        "seconds": round(step.seconds, 6),
        "before": before,
        "after": after,
        "effect": step.has_effect,
        "counters": dict(step.counters),
        "counts": {name: pair for name, pair in changed.items() if pair[0] != pair[1]},
        "origins": _origins(step.backward) if before != after else None,
        "runs": [list(run) for run in differences(step)] if step.has_effect else [],
    }


def _origins(backward: Iterable[Sequence[int]]) -> list[int | list[int]]:
    return [origins[0] if len(origins) == 1 else list(origins) for origins in backward]


def _emitted(emitted: Emitted | None) -> dict[str, Any] | None:
    if emitted is None:
        return None
    return {"name": emitted.name, "text": emitted.text, "ops": sorted([line, op] for line, op in emitted.ops.items())}
