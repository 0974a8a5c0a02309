"""Timings: peers take turns, A B C A B C, so that disturbances of the machine affect all of them alike."""

from __future__ import annotations

import math
import statistics
import tempfile
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from .environment import cache_settings
from .peers import LIMITS, OURS
from .processes import WorkerError, WorkerProcess
from .workloads import Array, Workload

# A turn lasts at least this long, so that the clock and the change of processes do not count.
TURN_SECONDS = 0.005
# A peer whose timings would take longer than this in total gets fewer of them, but at least this many.
BUDGET_SECONDS = 20.0
FEWEST = 3


@dataclass
class Timing:
    """The times of one peer on one workload: of the first call with its compilation, and of later ones, each in its turn."""

    first: float = 0.0
    seconds: list[float] = field(default_factory=list)
    error: str = ""

    @property
    def median(self) -> float:
        return statistics.median(self.seconds)

    @property
    def spread(self) -> float:
        """The distance of the quartiles over the median."""
        if len(self.seconds) < 2:
            return 0.0
        lower, _, upper = statistics.quantiles(self.seconds, n=4, method="inclusive")
        return (upper - lower) / self.median


@dataclass
class Row:
    """One workload on a number of threads: the timings of the peers and of the limits by name."""

    workload: Workload
    threads: int
    traffic: int
    timings: dict[str, Timing]

    @property
    def ours(self) -> Timing | None:
        return self._sound(OURS)

    @property
    def best(self) -> str | None:
        """The name of the fastest library other than Stepwell whose result is right."""
        peers = [name for name in self.timings if name not in {OURS, *LIMITS} and self._sound(name)]
        return min(peers, key=lambda name: self.timings[name].median, default=None)

    @property
    def ratio(self) -> float | None:
        """Stepwell's time over the best peer's."""
        return self.ours.median / self.timings[self.best].median if self.ours and self.best else None

    @property
    def limit(self) -> float | None:
        """The seconds that the machine needs for the bytes and the flops alone; None if there are too few of both to tell."""
        copies = [self.timings[name].median for name in ("copy", "streaming") if self._sound(name)]
        work = [self.timings["fma"].median] if self._sound("fma") else []
        return max([*([min(copies)] if copies else []), *work], default=None)

    def _sound(self, name: str) -> Timing | None:
        timing = self.timings.get(name)
        return timing if timing and timing.seconds and not timing.error else None


def measure(workload: Workload, names: Iterable[str], threads: int, environment: Mapping[str, str], repeats: int) -> Row:
    """Compile, check and time a workload on peers and limits.

    The processes are new: otherwise the memory that a library has kept from earlier workloads would decide how long an
    allocation takes.
    """
    expected = workload.expected()
    row = Row(workload, threads, workload.traffic(expected), {})
    contenders = [Contender(name, row, environment) for name in (*names, *LIMITS)]
    try:
        for contender in contenders:
            contender.prepare(expected)
        for turn in range(repeats):
            for contender in contenders:
                contender.take_turn(turn, repeats)
    finally:
        for contender in contenders:
            contender.close()
    return row


class Contender:
    """A peer or limit at one workload. Its first error excludes it from further turns."""

    def __init__(self, name: str, row: Row, environment: Mapping[str, str]):
        self.name = name
        self.row = row
        self.environment = environment
        self.timing = Timing()
        self.process: WorkerProcess | None = None
        self.calls = self.turns = 0
        self.warm = True

    def prepare(self, expected: Sequence[Array]) -> None:
        """Start the process, compile, and check the result."""
        try:
            self.process = WorkerProcess(self.name, self.row.threads, self.environment)
            seconds = self._prepare(self.process, expected)
        except WorkerError as error:
            self.timing.error = str(error)
            seconds = None
        if seconds is not None:
            self.calls = max(1, math.ceil(TURN_SECONDS / seconds))
            self.warm = seconds < TURN_SECONDS * 100
            self.turns = max(FEWEST, int(BUDGET_SECONDS / (seconds * (self.calls + self.warm))))
        if seconds is not None or self.timing.error:
            self.row.timings[self.name] = self.timing

    def take_turn(self, turn: int, turns: int) -> None:
        """Take a turn, if it is among the contender's turns: a slow contender has fewer, spread over all turns."""
        if self.process is None or not self.process.alive or not is_chosen(turn, turns, self.turns):
            return
        try:
            self.timing.seconds.append(self.process.ask(do="time", calls=self.calls, warm=self.warm)["seconds"])
        except WorkerError as error:
            self.timing.error = str(error)

    def close(self) -> None:
        if self.process is not None:
            self.process.close()

    def _prepare(self, process: WorkerProcess, expected: Sequence[Array]) -> float | None:
        """The seconds of a call, None without a kernel. The timing gets the fault of a wrong result."""
        workload, traffic = self.row.workload, self.row.traffic
        if self.name in LIMITS:
            return process.ask(do="prepare", workload=workload.name, traffic=traffic, result="").get("seconds")
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "result.npz"
            answer = process.ask(do="prepare", workload=workload.name, traffic=traffic, result=str(path))
            if "missing" in answer:
                return None
            self.timing.first = answer["first"]
            with np.load(path) as results:
                self.timing.error = workload.fault(tuple(results.values()), tuple(expected)) or ""
        return answer["seconds"]


def is_chosen(turn: int, turns: int, wanted: int) -> bool:
    """Whether `turn` is among `wanted` ones that are spread evenly over `turns`, the first one included."""
    return wanted >= turns or turn * wanted % turns < wanted


def cold_start(
    workload: Workload, name: str, threads: int, environment: Mapping[str, str], repeats: int
) -> tuple[Timing, Timing]:
    """The seconds from a function to its first result, imports not counted: with empty caches on disk, and with filled ones."""
    cold, warm = Timing(), Timing()
    for _ in range(repeats):
        with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
            for timing in (cold, warm):
                try:
                    timing.seconds.append(first_call(workload, name, threads, {**environment, **cache_settings(Path(folder))}))
                except WorkerError as error:
                    timing.error = str(error)
    return cold, warm


def first_call(workload: Workload, name: str, threads: int, environment: Mapping[str, str]) -> float:
    """The seconds of a first call in a new process."""
    process = WorkerProcess(name, threads, environment)
    try:
        return process.ask(do="prepare", workload=workload.name, traffic=0, result="")["first"]
    finally:
        process.close()
