"""`python -m benchmarks.formats`: the same computations in other formats, beside the times that their bytes and flops predict.

The prediction is the time in float32, times the ratio of the bytes of an array or of the vectors of its flops, whichever is
larger. float16 and bfloat16 are computed in float32, and so take half the bytes and as many flops; float64 takes twice as much
of both. Sums and `a * b + c` wait for memory, so that only their bytes count; matmul and softmax compute.
"""

from __future__ import annotations

import argparse
import os
import statistics
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple

import ml_dtypes
import numpy as np
import stepwell as sw

from .environment import clear_settings, machine, processors
from .report import significant, table

KINDS = (np.float32, np.float64, ml_dtypes.bfloat16, np.float16, np.int32)
FORMATS = MappingProxyType({np.dtype(kind).name: np.dtype(kind) for kind in KINDS})
REACH = 1.3
# From the fifth call on, results reuse the memory of released ones.
WARM = 20
EXPLANATION = (
    "*predicted* is the ratio of the times in this format and in float32 that follows from bytes and flops; *over it* is the",
    "ratio of the measured time to the predicted one. Formats of 16 bits are computed in float32.",
)


class Computation(NamedTuple):
    """A computation on arrays of these shapes. With `computes`, its floating-point operations are counted besides its bytes."""

    what: str
    function: Callable[..., Any]
    shapes: tuple[tuple[int, ...], ...]
    computes: bool
    formats: tuple[str, ...] = tuple(FORMATS)


COMPUTATIONS = (
    Computation("matmul 1024^3", lambda a, b: a @ b, ((1024, 1024), (1024, 1024)), True),
    Computation("softmax 4096x1024, last axis", lambda x: sw.softmax(x, axis=-1), ((4096, 1024),), True, tuple(FORMATS)[:4]),
    Computation("sum of rows 4096x4096", lambda x: sw.sum(x, axis=-1), ((4096, 4096),), False),
    Computation("a * b + c, 2^24", lambda a, b, c: a * b + c, ((1 << 24,),) * 3, False),
)


def predicted(computation: Computation, kind: np.dtype[Any]) -> float:
    """The time in this format over that in float32."""
    of_bytes = kind.itemsize / 4
    return max(of_bytes, 1.0) if computation.computes else of_bytes


def arguments(computation: Computation, kind: np.dtype[Any]) -> list[Any]:
    """Arrays of small integers, which every format holds."""
    random = np.random.default_rng(20)
    return [random.integers(-4, 5, shape).astype(kind) for shape in computation.shapes]


def measure(computation: Computation, repeats: int) -> dict[str, float]:
    """The median seconds of a call in each format, the formats in turn."""
    calls = {}
    for name in computation.formats:
        compiled, given = sw.jit(computation.function), arguments(computation, FORMATS[name])
        for _ in range(WARM):
            compiled(*given)
        calls[name] = compiled, given
    seconds: dict[str, list[float]] = {name: [] for name in calls}
    for _ in range(repeats):
        for name, (compiled, given) in calls.items():
            compiled(*given)  # another format has just filled the caches
            start = time.perf_counter()
            compiled(*given)
            seconds[name].append(time.perf_counter() - start)
    return {name: statistics.median(each) for name, each in seconds.items()}


def rows(computation: Computation, threads: int, repeats: int) -> list[list[str]]:
    """A line of the table for each format except float32."""
    found = measure(computation, repeats)
    lines: list[list[str]] = []
    for name in computation.formats[1:]:
        ratio = found[name] / found["float32"]
        wanted = predicted(computation, FORMATS[name])
        times = [significant(each * 1e3) for each in (found["float32"], found[name])]
        verdict = "yes" if ratio <= wanted * REACH else "no"
        lines.append([computation.what, str(threads), name, *times, f"{wanted:g}", f"{ratio / wanted:.2f}", verdict])
        print(" ".join(lines[-1]), flush=True)
    return lines


def main(argv: Sequence[str]) -> int:
    """Measure, and write the table."""
    parser = argparse.ArgumentParser("python -m benchmarks.formats", description="Measure formats beside float32.")
    parser.add_argument("--repeats", type=int, default=21, help="timings of each format (21)")
    parser.add_argument("--out", type=Path, default=Path(__file__).parent / "results" / "formats.md", help="the table's file")
    given = parser.parse_args(argv)
    cleared = clear_settings(os.environ)
    lines: list[list[str]] = []
    for threads in range(1, min(2, len(processors())) + 1):
        sw.set_num_threads(threads)
        for computation in COMPUTATIONS:
            lines += rows(computation, threads, given.repeats)
    header = ["computation", "threads", "format", "float32, ms", "ms", "predicted", "over it", f"at most {REACH:g}"]
    text = ["# Other formats beside float32", "", f"Machine: {machine()}. Medians; stepwell {sw.__version__}."]
    text += [f"Cleared from the environment: {', '.join(cleared) or 'nothing'}.", "", *EXPLANATION, "", *table(header, lines)]
    given.out.write_text("\n".join(text) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
