"""`python -m benchmarks.everyday`: everyday formulas and layers beside NumPy and torch, operation by operation, in one process.

The peers take turns. A line of the table is a formula; its ratio is Stepwell's median time over the faster peer's.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from .environment import clear_settings, machine, processors, thread_settings
from .report import significant, table

RESULTS = Path(__file__).parent / "results" / "everyday.md"
# Each peer is measured for this long, in turns of at least TURN, and at least this many times.
SECONDS, TURN, FEWEST = 0.25, 0.002, 5
# From the fifth call on, Stepwell's results reuse the memory of released ones.
WARM = 20


def calls_of_formula(formula: Any) -> dict[str, Callable[[], Any]]:
    """For each peer, a function without arguments that calls it."""
    import numpy as np
    import stepwell as sw
    import torch
    from stepwell.tools.fuzz.everyday_programs import torch_names

    arrays = formula.arrays()
    tensors, names = [torch.from_numpy(each) for each in arrays], torch_names(torch)
    compiled = sw.jit(lambda *xs: formula.function(sw, *xs))

    def contiguous(result: Any, copied: Callable[[Any], Any]) -> Any:
        return tuple(copied(each) for each in result) if isinstance(result, tuple) else copied(result)

    return {
        "stepwell": lambda: compiled(*arrays),
        "numpy": lambda: contiguous(formula.function(np, *arrays), lambda each: np.asarray(each, order="C")),
        "torch": lambda: contiguous(formula.function(names, *tensors), lambda each: each.contiguous()),
    }


def calls_of_layer(layer: Any) -> dict[str, Callable[[], Any]]:
    """For each peer, a function without arguments that calls it."""
    import stepwell as sw
    import torch

    arrays = layer.arrays()
    tensors = [torch.from_numpy(each) for each in arrays]
    compiled, eager = sw.jit(layer.ours()), layer.torchs(torch)
    return {"stepwell": lambda: compiled(*arrays), "torch": lambda: eager(*tensors)}


def measure(calls: Mapping[str, Callable[[], Any]], seconds: float) -> dict[str, float]:
    """The median seconds of each peer whose result is right. Raises AssertionError if Stepwell's is wrong."""
    import numpy as np

    def leaves(result: Any) -> list[Any]:
        return [np.asarray(each, np.float64) for each in (result if isinstance(result, tuple | list) else [result])]

    names = list(calls)
    expected = leaves(calls[names[1]]())
    sound: list[str] = []
    for name, call in calls.items():
        try:
            found = leaves(call())
        except (TypeError, AttributeError, RuntimeError):
            # torch lacks a name or an option that the formula uses.
            assert name == "torch"
            continue
        for one, other in zip(found, expected, strict=True):
            scale = float(np.abs(other).max(initial=1.0))
            np.testing.assert_allclose(one, other, rtol=2e-3, atol=2e-4 * scale, err_msg=name)
        sound.append(name)
    times: dict[str, list[float]] = {name: [] for name in sound}
    counts: dict[str, int] = {}
    for name in sound:
        for _ in range(WARM if name == "stepwell" else 2):
            start = time.perf_counter()
            calls[name]()
            counts[name] = max(1, round(TURN / (time.perf_counter() - start)))
    while min(map(len, times.values())) < FEWEST or sum(map(sum, times.values())) < seconds * len(sound):
        for name in sound:
            calls[name]()  # another peer has just filled the caches
            start = time.perf_counter()
            for _ in range(counts[name]):
                calls[name]()
            times[name].append(time.perf_counter() - start)
        if sum(map(sum, times.values())) > 40 * seconds:
            break
    return {name: statistics.median(each) / counts[name] for name, each in times.items()}


def work(kind: str, only: str, seconds: float) -> Iterator[dict[str, Any]]:
    """Measure all entries of a kind whose names contain `only`, in this process."""
    import stepwell as sw
    import torch

    from .everyday_formulas import FORMULAS
    from .everyday_layers import LAYERS

    threads = int(os.environ["OMP_NUM_THREADS"])
    torch.set_num_threads(threads)
    sw.set_num_threads(threads)
    torch.set_grad_enabled(kind == "layers")
    entries, calls = (LAYERS, calls_of_layer) if kind == "layers" else (FORMULAS, calls_of_formula)
    for entry in entries:
        if only in entry.name:
            made = calls(entry)
            start = time.perf_counter()
            made["stepwell"]()
            first = time.perf_counter() - start
            yield {"name": entry.name, "first": first, "times": measure(made, seconds)}


def ratio(row: Mapping[str, Any]) -> float:
    """Stepwell's time over the faster peer's."""
    times = row["times"]
    return times["stepwell"] / min(value for name, value in times.items() if name != "stepwell")


def section(kind: str, threads: int, rows: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    """The lines of the report for one kind and number of threads."""
    peers = ("stepwell", "numpy", "torch") if kind == "formulas" else ("stepwell", "torch")
    ratios = sorted(map(ratio, rows))
    goal = 1.1 if kind == "formulas" else 1.2
    mean = math.exp(statistics.fmean(map(math.log, ratios)))
    slower = sum(each > goal for each in ratios)
    yield f"## {kind.capitalize()}, {threads} thread{'s' if threads > 1 else ''}"
    yield ""
    yield f"Geometric mean of the ratios {mean:.2f}; {slower} of {len(ratios)} over {goal}."
    if kind == "formulas":
        yield "Peers compute with the strides of their inputs; their results are made contiguous, like Stepwell's."
    yield ""
    cells = [
        [
            row["name"],
            *(significant(row["times"][peer] * 1e3) if peer in row["times"] else "-" for peer in peers),
            f"{ratio(row):.2f}",
            f"{row['first']:.2f}",
        ]
        for row in sorted(rows, key=ratio, reverse=True)
    ]
    yield from table(["", *(f"{peer}, ms" for peer in peers), "ratio", "first call, s"], cells)
    yield ""


def rows_of(kind: str, threads: int, only: str, seconds: float) -> Iterator[dict[str, Any]]:
    """The rows that a new process measures on a number of threads, which libraries read when they are loaded."""
    command = [sys.executable, "-m", "benchmarks.everyday", "--work", kind, "--only", only, "--seconds", str(seconds)]
    environment = {**os.environ, **thread_settings(threads)}
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment) as process:
        for line in process.stdout or ():
            yield json.loads(line)
    if process.returncode:
        raise SystemExit(process.returncode)


def main(argv: Sequence[str]) -> int:
    """Measure, print rows as they come, and write the tables."""
    parser = argparse.ArgumentParser("python -m benchmarks.everyday", description=__doc__)
    parser.add_argument("--kinds", nargs="*", default=["formulas", "layers"], choices=["formulas", "layers"])
    parser.add_argument("--threads", type=int, nargs="*", default=[1, 2], help="numbers of threads (1 2)")
    parser.add_argument("--only", default="", help="rows whose names contain this text; the tables are then only printed")
    parser.add_argument("--seconds", type=float, default=SECONDS, help=f"time for each peer ({SECONDS})")
    parser.add_argument("--work", choices=["formulas", "layers"], help=argparse.SUPPRESS)
    given = parser.parse_args(argv)
    if given.work:
        for row in work(given.work, given.only, given.seconds):
            print(json.dumps(row), flush=True)
        return 0
    cleared = clear_settings(os.environ)
    lines = [
        "# Everyday formulas and layers",
        "",
        f"Machine: {machine()}. Medians, float32; `python -m benchmarks.everyday`.",
        "",
    ]
    lines += [f"Cleared from the environment: {', '.join(cleared) or 'nothing'}.", ""]
    for threads in sorted({min(each, len(processors())) for each in given.threads}):
        for kind in given.kinds:
            rows: list[dict[str, Any]] = []
            for row in rows_of(kind, threads, given.only, given.seconds):
                rows.append(row)
                print(f"{ratio(row):6.2f}  {row['name']}", flush=True)
            lines += section(kind, threads, rows)
    if given.only:
        print("\n".join(lines))
    else:
        RESULTS.write_text("\n".join(lines), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
