"""`python -m benchmarks.gpu`: Stepwell on a GPU beside torch, eager and compiled by Inductor, in one process and in turn.

Calls on tensors on the GPU are timed one after the other, by the GPU's clock. The table is written after each workload, so that
an interrupted run keeps its results.

`--rehearse` needs no GPU: it compiles the kernels of all workloads at their sizes, prints their resources, and then runs all
steps of a measurement on small inputs, with Triton's interpreter and the host's clock. Its times mean nothing.
"""

from __future__ import annotations

import argparse
import contextlib
import datetime
import math
import platform
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple

import stepwell as sw
import torch
import triton

from .__main__ import one_of
from .gpu_workloads import WORKLOADS, Workload
from .measure import Timing, is_chosen
from .report import significant, table, timing_cell

OURS, ONE_SIZE, COPY = "stepwell", "static", "copy"
# A turn is as many calls as fill this time; a contender whose turns would exceed its share has fewer of them.
TURN_SECONDS, SHARE_SECONDS, FEWEST = 0.005, 2.0, 3
# The GPU waits for the host, which enqueues as many calls meanwhile, each of up to 0.2 ms.
MOST_CALLS, WAIT_CYCLES = 20, 8_000_000
CALLS_OF_THE_HOST = 300
# More bytes than any L2 cache holds.
FLUSHED_BYTES = 1 << 28
LOST = 3
EXPLANATION = (
    "Medians in milliseconds, with the distance of the quartiles over the median in brackets. *stepwell* is compiled for",
    "all sizes, *static* is Stepwell compiled for the sizes of the call, as Inductor is. *torch* is eager, *unfused* avoids",
    "the one operation that torch has for a workload, *autotuned* is Inductor with max-autotune. *ratio* is the time of",
    "*stepwell* over that of the best peer. *speed* is the rate of the operations of contractions in that time; without",
    "contractions, it is the time of a copy of the least bytes that are read and written, over that time. The copy takes turns",
    "with the contenders. Products of float32 are in float32 everywhere, except for mm_tf32. For add8 the host's time of a",
    "call counts. *first* is the time of Stepwell's first call in seconds, compilation included. Results are compared with",
    "torch in float64.",
)

Kernel = Callable[..., Any]


class Place(NamedTuple):
    """Where workloads run: the device of their tensors, our target, the longest axis of their inputs (any length without one),
    and the GPU that a rehearsal compiles kernels for."""

    device: str
    target: str
    largest: int | None = None
    compiled_for: str = ""

    @property
    def is_card(self) -> bool:
        return self.device == "cuda"

    def wait(self) -> None:
        """Wait until all that was launched has run."""
        if self.is_card:
            torch.cuda.synchronize()


CARD, REHEARSAL = Place("cuda", "cuda"), Place("cpu", "triton-interpret", largest=24, compiled_for="h100")


def inductor(workload: Workload, **options: Any) -> Kernel:
    return torch.compile(workload.unfused or workload.theirs, fullgraph=True, dynamic=False, **options)


# The function that makes a workload's kernel; None without one.
CONTENDERS: Mapping[str, Callable[[Workload, Place], Kernel | None]] = MappingProxyType(
    {
        OURS: lambda workload, place: sw.jit(workload.ours, target=place.target),
        ONE_SIZE: lambda workload, place: sw.jit(workload.ours, target=place.target, static=True),
        "torch": lambda workload, _: workload.theirs,
        "unfused": lambda workload, _: workload.unfused,
        "inductor": lambda workload, _: inductor(workload),
        "autotuned": lambda workload, _: (
            inductor(workload, mode="max-autotune-no-cudagraphs") if workload.name.startswith("mm") else None
        ),
    }
)


class OutOfTimeError(Exception):
    """A contender took longer than it may."""


class LostError(Exception):
    """The GPU's context is lost after an error of a kernel: this process can't use it any more."""


@dataclass
class Row:
    """A workload with the timings of all contenders and, if its bytes count, of a copy of as many bytes."""

    workload: Workload
    timings: dict[str, Timing] = field(default_factory=dict)

    def seconds(self, name: str) -> float | None:
        """The median of a contender whose results are right."""
        timing = self.timings.get(name)
        return timing.median if timing and timing.seconds and not timing.error else None

    @property
    def best(self) -> str | None:
        """The fastest peer."""
        found = {name: self.seconds(name) for name in self.timings if name not in (OURS, ONE_SIZE, COPY)}
        sound = {name: seconds for name, seconds in found.items() if seconds is not None}
        return min(sound, key=lambda name: sound[name], default=None)

    def cells(self, names: Sequence[str]) -> list[str]:
        """The line of the table."""
        ours, peer, copy = self.seconds(OURS), self.seconds(self.best or ""), self.seconds(COPY)
        speed = ""
        if ours and self.workload.flops:
            speed = f"{significant(self.workload.flops / ours / 1e12)} TFLOP/s"
        elif ours and copy:
            speed = f"{copy / ours:.0%} of copy"
        first = self.timings[OURS].first if OURS in self.timings else 0.0
        return [
            f"{self.workload.name}: {self.workload.what}",
            *(timing_cell(self.timings.get(name), 1e3) for name in names),
            self.best or "",
            significant(ours / peer) if ours and peer else "",
            speed,
            significant(first) if first else "",
        ]


def markdown(rows: Sequence[Row], machine: str) -> str:
    """The report."""
    found = [name for name in (*CONTENDERS, COPY) if any(name in row.timings for row in rows)]
    header = ["workload", *found, "best peer", "ratio", "speed", "first"]
    lines = ["# Stepwell on a GPU beside torch", "", machine, "", *EXPLANATION, ""]
    lines += table(header, [row.cells(found) for row in rows])
    faults = [(row.workload.name, name, timing.error) for row in rows for name, timing in row.timings.items() if timing.error]
    lines += ["", *(f"- {workload}, {name}: {error}" for workload, name, error in faults)] if faults else []
    return "\n".join(lines) + "\n"


@contextlib.contextmanager
def at_most(seconds: float) -> Iterator[None]:
    """Raise OutOfTimeError in a body that takes longer, as soon as it is back in Python."""

    def stop(_number: int, _frame: Any) -> None:
        raise OutOfTimeError(f"took more than {seconds:g} s")

    before = signal.signal(signal.SIGALRM, stop)
    # The signal repeats, since libraries go on after exceptions.
    signal.setitimer(signal.ITIMER_REAL, seconds, 1.0)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


class Clock:
    """Times calls: on the GPU or, for an overhead, on the host."""

    def __init__(self, workload: Workload, place: Place):
        self.on_host, self.place = workload.overhead or not place.is_card, place
        self.flushed = torch.empty(FLUSHED_BYTES if place.is_card else 1, dtype=torch.int8, device=place.device)

    def seconds(self, kernel: Kernel, inputs: Sequence[Any], calls: int) -> float:
        """The seconds of a call, from so many of them."""
        if self.on_host:
            self.place.wait()
            start = time.perf_counter()
            for _ in range(calls):
                kernel(*inputs)
            self.place.wait()
            return (time.perf_counter() - start) / calls
        begin, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
        self.flushed.zero_()
        torch.cuda._sleep(WAIT_CYCLES)
        begin.record()
        for _ in range(calls):
            kernel(*inputs)
        end.record()
        end.synchronize()
        return begin.elapsed_time(end) / 1e3 / calls


@dataclass
class Contender:
    """A kernel of a workload; its first error excludes it from further turns."""

    kernel: Kernel
    timing: Timing
    calls: int = 1
    turns: int = 0

    def prepare(self, workload: Workload, inputs: Sequence[Any], expected: Any, clock: Clock) -> None:
        """Compile, check the result, and find the number of calls of a turn. The result of a copy is not checked."""
        start = time.perf_counter()
        result = self.kernel(*inputs)
        clock.place.wait()
        self.timing.first = time.perf_counter() - start
        self.timing.error = workload.fault(result, expected) if expected is not None else ""
        del result
        seconds = clock.seconds(self.kernel, inputs, 1)
        if not clock.place.is_card:
            self.calls = self.turns = 1
            return
        self.calls = CALLS_OF_THE_HOST if workload.overhead else min(MOST_CALLS, math.ceil(TURN_SECONDS / seconds))
        self.turns = max(FEWEST if seconds < SHARE_SECONDS else 1, int(SHARE_SECONDS / (seconds * self.calls)))


@contextlib.contextmanager
def precision(value: str) -> Iterator[None]:
    """Products of float32 in a precision, in torch and in Stepwell."""
    before = torch.get_float32_matmul_precision()
    torch.set_float32_matmul_precision(value)
    try:
        with sw.precision(value):
            yield
    finally:
        torch.set_float32_matmul_precision(before)


def measure(workload: Workload, names: Sequence[str], budget: float, repeats: int, place: Place = CARD) -> Row:
    """Compile, check and time a workload on the contenders. Raises LostError, with the row, when the GPU is lost."""
    with precision(workload.precision):
        if place.compiled_for:
            report_kernels(workload, names, place.compiled_for)
        return _measure(workload, names, budget, repeats, place)


def report_kernels(workload: Workload, names: Sequence[str], gpu: str) -> None:
    """Compile our kernels of a workload for a GPU that need not exist, and print their resources."""
    shapes = [(size, workload.dtype) for size in workload.shapes]
    if workload.indices:
        shapes[-1] = (shapes[-1][0], torch.int64)
    given = [torch.zeros((), dtype=dtype).expand(shape) for shape, dtype in shapes]
    for name in (name for name in names if name in (OURS, ONE_SIZE)):
        low = sw.lower(workload.ours, *given, target="cuda", static=name == ONE_SIZE, trace=False)
        for each in low.resources(gpu):
            print(f"  {name}: {each}", flush=True)


def _measure(workload: Workload, names: Sequence[str], budget: float, repeats: int, place: Place) -> Row:
    torch.compiler.reset()
    if place.is_card:
        torch.cuda.empty_cache()
    row, clock = Row(workload), Clock(workload, place)
    inputs = workload.inputs(place.device, place.largest)
    expected = workload.expected(inputs)
    contenders: dict[str, Contender] = {}

    def attempt(name: str, action: Callable[[], Any]) -> None:
        contender = contenders[name]
        try:
            with at_most(budget):
                action()
        except Exception as error:  # an exception of a library excludes only that library
            text = next(iter(str(error).strip().splitlines()), "")
            contender.timing.error, contender.turns = f"{type(error).__name__}: {text[:300]}", 0
            if place.is_card:
                expect_gpu(row, name)

    def entered(name: str, kernel: Kernel, given: Sequence[Any], wanted: Any) -> None:
        contenders[name] = Contender(kernel, row.timings.setdefault(name, Timing()))
        attempt(name, lambda: contenders[name].prepare(workload, given, wanted, clock))

    for name in names:
        kernel = CONTENDERS[name](workload, place)
        if kernel is not None:
            entered(name, kernel, inputs, expected)
    given: dict[str, Sequence[Any]] = dict.fromkeys(contenders, inputs)
    if not workload.flops and not workload.overhead:
        moved = sum(each.nbytes for each in inputs) + expected.numel() * inputs[0].element_size()
        given[COPY] = [torch.empty(moved // 2, dtype=torch.int8, device=place.device).zero_() for _ in range(2)]
        entered(COPY, torch.Tensor.copy_, given[COPY], None)
    del expected
    for turn in range(repeats):
        for name, contender in contenders.items():
            if contender.turns and is_chosen(turn, repeats, contender.turns):
                attempt(name, lambda each=contender, to=given[name]: time_turn(each, to, clock))
    return row


def time_turn(contender: Contender, inputs: Sequence[Any], clock: Clock) -> None:
    """Let a contender take its turn."""
    contender.timing.seconds.append(clock.seconds(contender.kernel, inputs, contender.calls))


def expect_gpu(row: Row, name: str) -> None:
    """Raise LostError unless the GPU still works after a contender's error."""
    try:
        torch.cuda.synchronize()
    except Exception as error:
        for timing in row.timings.values():
            timing.error = timing.error or ("" if timing.seconds else f"not timed, as {name} lost the GPU")
        raise LostError(row, f"{row.workload.name}, {name}: {error}") from error


def machine(place: Place) -> str:
    """The GPU, the software, and the date."""
    if not place.is_card:
        return f"Machine: none. A rehearsal: times mean nothing. Kernels compiled for {place.compiled_for}."
    device = torch.cuda.get_device_properties(0)
    command = ["nvidia-smi", "--query-gpu=driver_version", "--format=csv,noheader", "--id=0"]
    asked = subprocess.run(command, capture_output=True, text=True, timeout=60) if shutil.which(command[0]) else None
    driver = f"driver {asked.stdout.strip()}, " if asked and asked.stdout else ""
    versions = f"torch {torch.__version__}, triton {triton.__version__}, Python {platform.python_version()}"
    gpu = f"{device.name}, {device.total_memory / 2**30:.0f} GiB, {device.multi_processor_count} multiprocessors"
    return f"Machine: {gpu}, {driver}{versions}, stepwell {sw.__version__}, {datetime.date.today()}."


def main(argv: Sequence[str]) -> int:
    """Measure, and write the table; 1 if a result of Stepwell is wrong or missing, 3 when the GPU is lost to this process."""
    names = [workload.name for workload in WORKLOADS]
    parser = argparse.ArgumentParser("python -m benchmarks.gpu", description="Measure Stepwell on a GPU beside torch.")
    parser.add_argument("--only", type=one_of(names), default=names, help=f"workloads, of {', '.join(names)}")
    parser.add_argument("--contenders", type=one_of(CONTENDERS), default=[*CONTENDERS], help=f"of {', '.join(CONTENDERS)}")
    parser.add_argument("--budget", type=float, default=20.0, help="seconds that a contender's first call may take (20)")
    parser.add_argument("--repeats", type=int, default=11, help="turns of each contender (11)")
    parser.add_argument("--minutes", type=float, default=math.inf, help="begin no workload after so many minutes (no limit)")
    parser.add_argument("--out", type=Path, help="the table's file (benchmarks/results/gpu.md; none for --rehearse)")
    parser.add_argument("--rehearse", action="store_true", help="without a GPU: compile all, run small inputs (see above)")
    given = parser.parse_args(argv)
    place = REHEARSAL if given.rehearse else CARD
    out: Path | None = given.out or (Path(__file__).parent / "results" / "gpu.md" if place.is_card else None)
    if place.is_card and not torch.cuda.is_available():
        sys.stderr.write("torch finds no GPU; see `stepwell doctor`, or --rehearse\n")
        return 2
    torch.set_float32_matmul_precision("highest")
    with torch.no_grad():
        return _table(given, place, out)


def _table(given: argparse.Namespace, place: Place, out: Path | None) -> int:
    """Measure the workloads one after the other, and write the table after each; the exit code of `main`."""
    chosen, rows, lost = [each for each in WORKLOADS if each.name in given.only], list[Row](), ""
    about = machine(place)
    print(about, flush=True)
    end = time.monotonic() + 60 * given.minutes
    for workload in chosen:
        if time.monotonic() > end:
            left = ",".join(each.name for each in chosen[len(rows) :])
            print(f"out of time; left: {left}", flush=True)
            break
        try:
            rows.append(measure(workload, given.contenders, given.budget, given.repeats, place))
        except LostError as error:
            row, lost = error.args
            rows.append(row)
        except RuntimeError as error:  # an error of the inputs or the reference, for example if the GPU has too little memory
            rows.append(Row(workload, {OURS: Timing(error=f"nothing to compare with: {error}")}))
        shown = {name: each.error or timing_cell(each, 1e3) for name, each in rows[-1].timings.items()}
        print(f"{workload.name}: {', '.join(f'{name} {text}' for name, text in shown.items())}", flush=True)
        if out is not None:
            out.write_text(markdown(rows, about), encoding="utf-8")
        if lost:
            print(f"LOST: {lost}\nLEFT: {','.join(each.name for each in chosen[len(rows) :])}", flush=True)
            return LOST
    return 1 if any(OURS in row.timings and row.seconds(OURS) is None for row in rows) else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
