"""The trace: maps each operation after a pass to the operations before it, and back, composed over the pipeline.

A `Trace` is an instrument. While passes run it keeps the states of the module; their texts, sources and outputs are computed
when they are asked for. It numbers the operations of a module in traversal order, before and after each pass, and records a
`Step` for each pass: it maps every operation after the pass to its source operations before the pass, and back. An operation
that a pass leaves alone maps to itself, an operation that it merges into another one maps to that one, and an
operation that it deletes maps to nothing. The first level is the input module; each step adds one.

    trace = Trace(texts=True)
    PassManager.parse("canonicalize,cse", ctx, registry, instruments=[trace]).run(module)
    trace.ancestors(3)               # numbers, on the first level, of the sources of operation 3 of the last level
    trace.products("model.py:12")    # (level, line of its text) of every operation derived from line 12
    trace.outputs("model.py:12")     # those among them that yield the result of line 12
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation

from ...ir.change_detection import State, shared, state_of
from ...ir.locations import Frame
from ...ir.nesting import operations
from ...ir.rewrite import Recorder
from ..manager.instruments import Instrument, PassRun
from ..manager.pipeline import Nest
from .snapshots import Given, Lines, OpInfo, Snapshot, Timeline

INPUT = "input"
OUTSIDE = "outside"

Origins = Mapping[Operation, Iterable[Operation]]


@dataclass(frozen=True)
class Step:
    """The mapping of one pass: for each operation after the pass the operations before it that it comes from (`backward`), and
    the inverse. `seconds` is the time of the pass and of the verification of its result; `counters` has the pass's own
    statistics, by description.
    """

    pass_name: str
    before: Snapshot
    after: Snapshot
    backward: tuple[tuple[int, ...], ...]
    forward: tuple[tuple[int, ...], ...]
    seconds: float = field(default=0.0, compare=False)
    counters: Mapping[str, int] = field(default_factory=dict[str, int])

    @property
    def has_effect(self) -> bool:
        """Whether the pass changed the module: its text or, without texts, its operations."""
        if self.before.contents is self.after.contents:
            return False
        if self.before.text is not None:
            return self.before.text != self.after.text
        return any(origins != (op,) for op, origins in enumerate(self.backward)) or bool(self.deleted)

    @property
    def deleted(self) -> tuple[int, ...]:
        """The operations from which no operation after the pass comes."""
        return tuple(index for index, after in enumerate(self.forward) if not after)


class Trace(Instrument):
    """Records a step for each pass. `texts` keeps the text of every level as well.

    Several pipelines that run on the same module one after another make one trace; changes to the module between them are
    recorded as a step named "outside".
    """

    needs_recorder = True

    def __init__(self, texts: bool = False):
        self.steps: list[Step] = []
        self._texts = texts
        self._current: Snapshot | None = None
        self._module: ModuleOp | None = None
        self._state: State = ()
        self._timeline = Timeline(texts)
        self._runs_of: dict[str, int] = {}
        self._started = 0.0

    @property
    def levels(self) -> list[Snapshot]:
        """The input module, and the module after each pass."""
        first = self.steps[0].before if self.steps else self._current
        return ([first] if first is not None else []) + [step.after for step in self.steps]

    def ancestors(self, op: int, level: int = -1, to: int = 0) -> tuple[int, ...]:
        """The operations of level `to` from which operation `op` of the later `level` comes, in order."""
        found = {op}
        for step in reversed(self.steps[self._index(to) : self._index(level)]):
            found = {origin for each in found for origin in step.backward[each]}
        return tuple(sorted(found))

    def descendants(self, op: int, level: int = 0, to: int = -1) -> tuple[int, ...]:
        """The operations of level `to` that come from operation `op` of the earlier `level`, in order."""
        found = {op}
        for step in self.steps[self._index(level) : self._index(to)]:
            found = {result for each in found for result in step.forward[each]}
        return tuple(sorted(found))

    def sources_of(self, op: int, level: int = -1) -> tuple[Frame, ...]:
        """The source positions of operation `op` of a level, without duplicates, in order."""
        return self.levels[level].ops[op].frames

    def products(self, place: str) -> list[tuple[str, int]]:
        """The operations derived from a source line after each pass, as `products_of` gives them; needs `texts`."""
        return products_of(place, ((snapshot.level, snapshot.lines) for snapshot in self.levels))

    def outputs(self, place: str) -> list[tuple[str, int]]:
        """Among the `products` of a source line, those that yield its output; needs `texts`."""
        return products_of(place, ((snapshot.level, snapshot.outputs) for snapshot in self.levels))

    def snapshot(self, when: str, pass_name: str, occurrence: int = 0) -> Snapshot:
        """The module "before" or "after" the given run of a pass. Raises KeyError if the pass did not run."""
        runs = [step for step in self.steps if step.pass_name == pass_name]
        if occurrence >= len(runs):
            raise KeyError(f"pass '{pass_name}' did not run {occurrence + 1} times")
        return runs[occurrence].before if when == "before" else runs[occurrence].after

    def to_json(self) -> dict[str, Any]:
        """The whole trace as plain data."""
        levels = [
            {"level": snapshot.level, "name": snapshot.name, "text": snapshot.text, "ops": _ops_json(snapshot.ops)}
            for snapshot in self.levels
        ]
        steps = [
            {
                "pass": step.pass_name,
                "backward": step.backward,
                "forward": step.forward,
                "deleted": step.deleted,
                "seconds": round(step.seconds, 6),
                "counters": dict(step.counters),
            }
            for step in self.steps
        ]
        return {"version": 1, "levels": levels, "steps": steps}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Trace:
        """The trace that `to_json` wrote. Raises ValueError for other data."""
        if not isinstance(data, Mapping) or data.get("version") != 1:
            raise ValueError("expected a trace of version 1, as `stepwell-opt --trace` writes it")
        try:
            return _read(cls(texts=True), data)
        except KeyError as error:
            raise ValueError(f"a trace with an entry without {error}") from error
        except (TypeError, IndexError) as error:
            raise ValueError("a trace with an entry of another form than `stepwell-opt --trace` writes") from error

    # The instrument.

    def start(self, pipeline: Nest, module: ModuleOp) -> None:
        if self._current is None or module is not self._module:
            self._module = module
            self.steps.clear()
            self._runs_of.clear()
            self._timeline = Timeline(self._texts)
            self._state = state_of(operations(module))
            self._current = Snapshot(INPUT, self._timeline.add(self._state))
        elif (state := state_of(operations(module), self._state)) is not self._state:
            self._step(OUTSIDE, state, Recorder())

    def before(self, run: PassRun) -> None:
        self._started = time.perf_counter()

    def after(self, run: PassRun) -> None:
        assert run.recorder is not None, "a trace needs a recorder"
        seconds = time.perf_counter() - self._started
        self._step(run.pass_.name, run.state, run.recorder, seconds)

    def _step(self, name: str, state: State, recorder: Recorder, seconds: float = 0.0) -> None:
        before, count = self._current, len(self._state)
        assert before is not None, "a trace starts before the first pass"
        numbers = {parts[0]: number for number, parts in enumerate(self._state)}
        backward = tuple([_origins(parts[0], numbers, recorder.origins) for parts in state])
        state = shared(state, self._state)
        if state is self._state and all(origins == (op,) for op, origins in enumerate(backward)):
            self._current = Snapshot(name, before.contents)
        else:
            self._state = state
            self._current = Snapshot(name, self._timeline.add(state, backward))
        occurrence = self._runs_of.get(name, 0)
        self._runs_of[name] = occurrence + 1
        named = Snapshot(before.level, before.contents, f"main_before_{name}_{occurrence}")
        counters = {description: number for (_, description), number in recorder.counters.items()}
        self.steps.append(Step(name, named, self._current, backward, _inverse(backward, count), seconds, counters))

    def _index(self, level: int) -> int:
        return level if level >= 0 else len(self.steps) + 1 + level


def products_of(place: str, levels: Iterable[tuple[str, Lines]]) -> list[tuple[str, int]]:
    """Every operation derived from a source line, given as `file:line`: pairs of a level's name and a line of its text.

    Raises TypeError if `place` is no text, ValueError if it has no line number.
    """
    if not isinstance(place, str):
        raise TypeError(f"expected a position such as 'model.py:12', got {place!r}")
    file, _, number = place.rpartition(":")
    if not file or not number.isdigit():
        raise ValueError(f"expected a position such as 'model.py:12', got '{place}'")
    return [
        (level, line)
        for level, lines in levels
        for line, sources in sorted(lines.items())
        if any(frame.is_at(file, int(number)) for frame in sources)
    ]


def _origins(op: Operation, number: Mapping[Operation, int], origins: Origins) -> tuple[int, ...]:
    """The numbers of all operations before the pass that `op` comes from, directly or through intermediate operations."""
    if op not in origins:
        return (number[op],) if op in number else ()
    found: set[int] = set()
    seen = {op}
    pending = [op]
    while pending:
        current = pending.pop()
        if current in number:
            found.add(number[current])
        fresh = [origin for origin in origins.get(current, ()) if origin not in seen]
        seen.update(fresh)
        pending += fresh
    return tuple(sorted(found))


def _inverse(backward: Sequence[tuple[int, ...]], count: int) -> tuple[tuple[int, ...], ...]:
    forward: list[list[int]] = [[] for _ in range(count)]
    for index, origins in enumerate(backward):
        for origin in origins:
            forward[origin].append(index)
    return tuple(map(tuple, forward))


def _read(trace: Trace, data: Mapping[str, Any]) -> Trace:
    snapshots = [_read_snapshot(level) for level in data["levels"]]
    for step, (before, after) in zip(data["steps"], pairwise(snapshots), strict=True):
        backward = tuple(map(tuple, step["backward"]))
        forward = _inverse(backward, len(before.ops))
        trace.steps.append(
            Step(step["pass"], before, after, backward, forward, step.get("seconds", 0.0), step.get("counters", {}))
        )
    trace._current = snapshots[-1]
    return trace


def _read_snapshot(level: Mapping[str, Any]) -> Snapshot:
    ops = (OpInfo(op["name"], _frames_of(op["sources"]), op["line"], _frames_of(op["yields"])) for op in level["ops"])
    return Snapshot(level["level"], Given(tuple(ops), level["text"]), level["name"])


def _frames_of(found: Iterable[Sequence[Any]]) -> tuple[Frame, ...]:
    return tuple(Frame(*each) for each in found)


def _ops_json(ops: Iterable[OpInfo]) -> list[dict[str, object]]:
    return [
        {
            "name": op.name,
            "line": op.line,
            "sources": [list(frame) for frame in op.frames],
            "yields": [list(frame) for frame in op.yields],
        }
        for op in ops
    ]
