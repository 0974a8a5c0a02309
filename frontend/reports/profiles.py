"""Profiles: the time of a compiled program by loop nest, and by operation with its source line.

Each outermost loop of the C program has a timer (`passes/cloop/cloop_time_loops.py`). These times are measured. The time of a
nest that several operations were fused into is measured as a whole. It is divided among these operations in proportion to the
work of their statements in the nest (`executed_work.py`); the shares are estimates.
"""

from __future__ import annotations

import ctypes
import html
import json
import re
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation

from ...dialects import cloop, make_context
from ...ir.diagnostics import read_source_lines
from ...ir.files import write_text
from ...ir.functions.entry import entry_function
from ...ir.locations import Frame, frames, is_gradient
from ...passes.cloop.cloop_time_loops import CloopTimeLoops
from ...runtime.cpu.program import THREADS
from .executed_work import ExecutedWork, sizes_by_function

if TYPE_CHECKING:
    from ..lowered.function import Lowered

# A profile repeats the call until this many seconds have passed, or this many calls.
SECONDS, CALLS = 0.2, 1000
# If the mean is this many times the fastest call, other programs took the processors.
BUSY = 1.5
# The longest source line that a table shows whole.
_WIDEST = 80
# The longest list of a line's operations that a table shows whole.
_NAMES = 32
# Files of the package, whose lines are not the user's.
_PACKAGE = f"{Path(__file__).parents[2]}/"
_OWN = tuple(f"{_PACKAGE}{name}/" for name in ("dialects", "frontend", "ir", "lowering", "nn", "passes", "runtime", "tools"))
_OPERATION = re.compile(r"(?:= |^\s*)(?:func\.call @(?P<call>\w+)|(?P<dialect>graph|uop|host|loop|cloop)\.(?P<name>\w+))")


# The names of the operations in the user's program, by source position.
Names = Mapping[tuple[str, int, int], str]


class Nest(NamedTuple):
    """A loop nest: its seconds a call, and the operations in it, each with its share of the time. `op` is the
    number of its loop in the program on the level "cloop"."""

    number: int
    seconds: float
    operations: Mapping[Frame, float]
    op: int = 0


class Row(NamedTuple):
    """An operation at a source line: its seconds a call, its share of the whole, and the nests that compute it."""

    operation: str
    frame: Frame | None
    seconds: float
    share: float
    nests: tuple[int, ...]


@dataclass
class Profile:
    """The times of the fastest of `calls` calls of a program, on `threads` threads: `total` seconds, the seconds of its loop
    nests and of its host functions; the remaining time is spent outside of loops. `mean` is the mean of all calls."""

    total: float
    mean: float
    calls: int
    threads: int
    nests: list[Nest]
    names: Names
    host: Mapping[Frame, float] = field(default_factory=dict[Frame, float])
    lowered: Lowered | None = field(default=None, repr=False)

    def explore(self, path: str | Path) -> None:
        """Write the explorer's page of the program, with these times. Raises the errors of `low.explore`."""
        assert self.lowered is not None, "a measured profile belongs to a program"
        self.lowered.explore(path, self)

    def save_trace(self, path: str | Path) -> None:
        """Write the times as a trace in Chrome's JSON format, which ui.perfetto.dev and chrome://tracing open. Raises OSError
        when the file cannot be written."""
        write_text(path, json.dumps(self.trace(), indent=1) + "\n")

    def trace(self) -> dict[str, Any]:
        """The trace that `save_trace` writes: the fastest call, its nests one after another in program order. Below each nest
        are its operations, with their estimated shares."""
        events = [_event("process_name", "M", args={"name": "Stepwell"}), _slice("call", 0.0, self.total, "measured")]
        start = 0.0
        for nest in self.nests:
            shares = sorted(nest.operations.items(), key=lambda each: -each[1])
            named = ", ".join(dict.fromkeys(_name_of(frame, self.names) for frame, _ in shares))
            events.append(_slice(named or f"nest {nest.number}", start, nest.seconds, "measured", nest=nest.number))
            begun = start
            for frame, share in shares:
                seconds, where = nest.seconds * share, f"{frame.file}:{frame.line}"
                name = _name_of(frame, self.names)
                events.append(_slice(name, begun, seconds, "estimated", line=where, source=_source_line(frame)))
                begun += seconds
            start += nest.seconds
        for frame, seconds in self.host.items():
            where = f"{frame.file}:{frame.line}"
            events.append(
                _slice(_name_of(frame, self.names), start, seconds, "measured", line=where, source=_source_line(frame))
            )
            start += seconds
        return {"displayTimeUnit": "ns", "otherData": {"calls": self.calls, "threads": self.threads}, "traceEvents": events}

    @property
    def outside(self) -> float:
        """The seconds of a call outside of loop nests and host functions."""
        inside = sum(nest.seconds for nest in self.nests) + sum(self.host.values())
        return max(self.total - inside, 0.0)

    def rows(self) -> list[Row]:
        """The operations with the most time first."""
        found: dict[Frame | None, tuple[float, tuple[int, ...]]] = {}
        for nest in self.nests:
            for frame, share in nest.operations.items() or [(None, 1.0)]:
                seconds, nests = found.get(frame, (0.0, ()))
                found[frame] = (seconds + nest.seconds * share, (*nests, nest.number))
        for frame, seconds in self.host.items():
            before, nests = found.get(frame, (0.0, ()))
            found[frame] = (before + seconds, nests)
        whole = self.total or 1.0
        made = [
            Row(_name_of(frame, self.names), frame, seconds, seconds / whole, nests)
            for frame, (seconds, nests) in found.items()
        ]
        return sorted(made, key=lambda row: -row.seconds)

    def by_line(self) -> dict[tuple[str, int], float]:
        """The seconds a call of each source line, in descending order."""
        found: dict[tuple[str, int], float] = {}
        for row in self.rows():
            if row.frame is not None:
                found[row.frame.in_file] = found.get(row.frame.in_file, 0.0) + row.seconds
        return dict(sorted(found.items(), key=lambda each: -each[1]))

    def top(self, count: int = 10) -> str:
        """A table of the `count` source lines that take the most time, with their operations, in descending order of time."""
        by_line: dict[tuple[str, int] | None, list[Row]] = {}
        for row in self.rows():
            by_line.setdefault(row.frame.in_file if row.frame is not None else None, []).append(row)
        found = [
            (
                f"{Path(place[0]).name}:{place[1]}" if place else "?",
                _cut(", ".join(row.operation for row in rows), _NAMES),
                rows,
            )
            for place, rows in by_line.items()
        ]
        found.sort(key=lambda each: -sum(row.seconds for row in each[2]))
        widths = [max((len(each[k]) for each in found[:count]), default=0) for k in (0, 1)]
        lines = [*self._header(), f"{'us':>10} {'share':>6}  line"]
        for where, operations, rows in found[:count]:
            seconds, source = sum(row.seconds for row in rows), _cut(_source_line(rows[0].frame))
            lines.append(self._row(seconds, f"{where:<{widths[0]}}  {operations:<{widths[1]}}  {source}"))
        if found[count:]:
            left = sum(row.seconds for _, _, rows in found[count:] for row in rows)
            lines.append(self._row(left, f"{len(found) - count} more"))
        lines.append(self._row(self.outside, "outside of loops: arguments, results and the call itself"))
        return "\n".join(lines)

    def _row(self, seconds: float, text: str) -> str:
        return f"{seconds * 1e6:10.1f} {seconds / (self.total or 1.0):6.1%}  {text}".rstrip()

    def _header(self) -> list[str]:
        threads = f"{self.threads} thread{'' if self.threads == 1 else 's'}"
        lines = [f"{self.total * 1e6:.1f} us a call, the fastest of {self.calls}; mean {self.mean * 1e6:.1f} us; {threads}"]
        if self.mean > BUSY * self.total:
            fewer = "" if self.threads == 1 else ", or fewer threads help (sw.set_num_threads)"
            lines.append(f"the mean is {self.mean / self.total:.1f} times the fastest: the machine is busy{fewer}")
        return lines

    def __str__(self) -> str:
        return self.top()

    def _repr_html_(self) -> str:
        """The table, for notebooks."""
        return f"<pre>{html.escape(str(self))}</pre>"


class Timed(NamedTuple):
    """A program with timers: its module, and the array in which the timers count nanoseconds."""

    module: ModuleOp
    timers: Any

    @staticmethod
    def copy_of(module: ModuleOp) -> ModuleOp:
        """A copy of a module on the C level whose loops have timers."""
        copied = module.clone()
        for new, old in zip(copied.walk(), module.walk(), strict=True):
            new.location = old.location
        CloopTimeLoops().apply(make_context(), copied)
        return copied

    @staticmethod
    def loaded(module: ModuleOp, library: Path) -> Timed:
        """The timers of a compiled module."""
        count = max((loop.timer.value.data + 1 for loop in _timed(module) if loop.timer is not None), default=0)
        kind = ctypes.c_int64 * count
        return Timed(module, kind.in_dll(ctypes.CDLL(str(library)), "sw_timers") if count else kind())

    def reset(self) -> None:
        for number in range(len(self.timers)):
            self.timers[number] = 0

    def nests(self, times: Sequence[int], names: Names, sizes: Mapping[str, int], first: int) -> list[Nest]:
        """The nests that ran in a call with these sizes, from the timers' times after the call, numbered from `first` on."""
        found: list[Nest] = []
        known = sizes_by_function(entry_function(self.module), sizes)
        numbers = {op: number for number, op in enumerate(self.module.walk())}
        for loop in _timed(self.module):
            assert loop.timer is not None
            nanoseconds = times[loop.timer.value.data]
            if nanoseconds:
                seconds = nanoseconds * 1e-9
                function = next(each for each in known if each.is_ancestor(loop))
                found.append(Nest(first + len(found), seconds, _shares(loop, names, known[function]), numbers[loop]))
        return found


class Call(NamedTuple):
    """A call that was measured: its seconds, the timers of each part in nanoseconds, and the seconds of host functions."""

    seconds: float
    timers: Sequence[Sequence[int]]
    host: Mapping[Operation, float]


class Run(NamedTuple):
    """A call of a program to be measured: its parts with timers, and the total seconds of each host function so far."""

    call: Callable[[], object]
    programs: Sequence[Timed]
    host: dict[Operation, float]

    def profile(self, names: Names, sizes: Mapping[str, int], calls: int | None, lowered: Lowered) -> Profile:
        """The profile of `calls` calls with these sizes, by default of as many as `SECONDS` allow. The first call, which
        compiles and allocates, does not count."""
        self.call()
        fastest = self._measured()
        done, whole = 1, fastest.seconds
        while done < (calls or CALLS) and (calls is not None or whole < SECONDS):
            call = self._measured()
            done, whole = done + 1, whole + call.seconds
            fastest = min(fastest, call, key=lambda each: each.seconds)
        nests: list[Nest] = []
        for each, times in zip(self.programs, fastest.timers, strict=True):
            nests += each.nests(times, names, sizes, len(nests))
        called = [(user_frame(frames(op.location)), seconds) for op, seconds in fastest.host.items()]
        host = {plain(frame): seconds for frame, seconds in called if frame is not None}
        return Profile(fastest.seconds, whole / done, done, THREADS.count, nests, names, host, lowered)

    def _measured(self) -> Call:
        for each in self.programs:
            each.reset()
        self.host.clear()
        start = time.perf_counter()
        self.call()
        seconds = time.perf_counter() - start
        return Call(seconds, [list(each.timers) for each in self.programs], dict(self.host))


def checked_calls(calls: Any) -> int | None:
    """A number of calls to measure, None for as many as there is time for. Raises TypeError unless it is an int, ValueError for
    less than one."""
    if calls is None:
        return None
    if isinstance(calls, bool) or not hasattr(calls, "__index__"):
        raise TypeError(f"profile: calls: expected an int, got {calls!r}")
    if calls < 1:
        raise ValueError(f"profile: calls: expected at least 1, got {calls}")
    return int(calls)


def operation_names(text: str, lines: Mapping[int, Sequence[Frame]]) -> dict[tuple[str, int, int], str]:
    """The names of the operations of a level, by the user's position that each comes from."""
    found: dict[tuple[str, int, int], list[str]] = {}
    for number, line in enumerate(text.splitlines(), 1):
        match = _OPERATION.search(line)
        frame = user_frame(lines.get(number, ()))
        if match is not None and frame is not None and match["name"] != "constant":
            name = match["call"] or _spelled(match["name"], line)
            names = found.setdefault(_position(frame), [])
            names += [name] if name not in names else []
    return {position: ", ".join(names) for position, names in found.items()}


def user_frame(found: Sequence[Frame]) -> Frame | None:
    """The innermost position that is the user's."""
    return next((frame for frame in found if not frame.file.startswith(_OWN)), None)


def _slice(name: str, start: float, seconds: float, category: str, **details: Any) -> dict[str, Any]:
    """An event that takes time, in microseconds."""
    return _event(name, "X", cat=category, ts=start * 1e6, dur=seconds * 1e6, args=details)


def _event(name: str, phase: str, **fields: Any) -> dict[str, Any]:
    return {"name": name, "ph": phase, "pid": 1, "tid": 1, **fields}


def _position(frame: Frame) -> tuple[str, int, int]:
    return frame.file, frame.line, frame.column


def plain(frame: Frame) -> Frame:
    """A position without its function, marked if it is that of a gradient."""
    return frame._replace(function="gradient" if is_gradient(frame) else "")


def _name_of(frame: Frame | None, names: Names) -> str:
    name = names.get(_position(frame)) if frame is not None else None
    if name is None or frame is None:
        return "?"
    return f"gradient of {name}" if frame.function else name


def _spelled(name: str, line: str) -> str:
    """The name of an operation, with the function that it applies: `reduce add`, `call square@cpu`."""
    quoted = re.search(r'"([^"]+)"', line)
    return f"{name} {quoted[1]}" if quoted is not None else name


def _timed(module: ModuleOp) -> list[cloop.ForOp]:
    return [op for op in module.walk() if isinstance(op, cloop.ForOp) and op.timer is not None]


def _shares(loop: cloop.ForOp, names: Names, sizes: Mapping[str, int]) -> dict[Frame, float]:
    """The shares of a nest's time by operation."""
    work = ExecutedWork(lambda frame: plain(frame) if _position(frame) in names else None)
    work.add(loop, sizes)
    whole = sum(work.found.values())
    return {frame: each / whole for frame, each in work.found.items()}


def _cut(text: str, width: int = _WIDEST) -> str:
    """A text for a table: lines of IR may be very long."""
    return text if len(text) <= width else f"{text[: width - 3]}..."


def _source_line(frame: Frame | None) -> str:
    lines = read_source_lines(frame.file) if frame is not None else None
    return lines[frame.line - 1].strip() if lines is not None and frame is not None and frame.line <= len(lines) else ""
