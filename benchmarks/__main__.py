"""`python -m benchmarks`: measure, and write tables, a chart and all timings into a folder."""

from __future__ import annotations

import argparse
import json
import os
import signal
import sys
from collections.abc import Callable, Collection, Mapping, Sequence
from pathlib import Path

from .chart import write_chart
from .environment import clear_settings, machine, processors
from .measure import Row, cold_start, measure
from .peers import OURS, PEERS
from .report import Results, as_json, markdown, timing_cell
from .workloads import WORKLOADS

COLD = "cold"
# The first call of this workload is the measure of a cold start; each one costs a new process.
COLD_WORKLOAD = "softmax"
COLD_REPEATS = 5


def arguments_of(argv: Sequence[str]) -> argparse.Namespace:
    """The command line. Exits with status 2 for names that do not exist."""
    names = [*(workload.name for workload in WORKLOADS), COLD]
    parser = argparse.ArgumentParser("python -m benchmarks", description="Measure Stepwell beside other libraries.")
    add = parser.add_argument
    add("--only", type=one_of(names), default=names, help=f"workloads, of {', '.join(names)}")
    add("--peers", type=one_of(PEERS), default=list(PEERS), help=f"libraries beside Stepwell, of {', '.join(PEERS)}")
    add("--threads", type=numbers, default=[1, 2], help="numbers of threads (1,2)")
    add("--repeats", type=int, default=21, help="timings of each peer (21)")
    add("--out", type=Path, default=Path(__file__).parent / "results", help="folder for the results (benchmarks/results)")
    return parser.parse_args(argv)


def one_of(known: Collection[str]) -> Callable[[str], list[str]]:
    """Reads names, separated by commas, each one of `known`."""

    def names(text: str) -> list[str]:
        found = text.split(",")
        unknown = [name for name in found if name not in known]
        if unknown:
            raise argparse.ArgumentTypeError(f"'{unknown[0]}' is none of {', '.join(known)}")
        return found

    return names


def numbers(text: str) -> list[int]:
    """Positive numbers, separated by commas."""
    found = [int(word) for word in text.split(",") if word.isdigit()]
    if len(found) != len(text.split(",")) or min(found) < 1:
        raise argparse.ArgumentTypeError(f"expected positive numbers, separated by commas, got '{text}'")
    return found


def main(argv: Sequence[str]) -> int:
    """Run; 1 if a result of Stepwell is wrong."""
    arguments = arguments_of(argv)
    # Workers that are stopped would outlive a process that ends without closing them.
    signal.signal(signal.SIGTERM, lambda number, _frame: sys.exit(128 + number))
    environment = dict(os.environ)
    results = Results(machine(), clear_settings(environment))
    say(f"Machine: {results.machine}\nCleared from the environment: {', '.join(results.cleared) or 'nothing'}")
    names = installed([OURS, *(name for name in arguments.peers if name != OURS)], results)
    possible = [threads for threads in arguments.threads if threads <= len(processors())]
    for threads in possible:
        for workload in (each for each in WORKLOADS if each.name in arguments.only):
            results.rows.append(measure(workload, names, threads, environment, arguments.repeats))
            say(summary(results.rows[-1]))
    if COLD in arguments.only and possible:
        measure_cold(names, max(possible), environment, min(arguments.repeats, COLD_REPEATS), results)
    write(results, arguments.out)
    for fault in results.faults:
        say(f"WRONG: {fault}")
    return 1 if results.faults else 0


def installed(names: Sequence[str], results: Results) -> list[str]:
    """The peers whose packages are installed; the others are left out, as the results say."""
    for name in names:
        if missing := PEERS[name].missing():
            results.left_out[name] = f"not installed: {', '.join(missing)}"
            say(f"Left out: {name}, {results.left_out[name]}")
    there = [name for name in names if name not in results.left_out]
    results.versions = {name: PEERS[name].version() for name in there}
    return there


def measure_cold(names: Sequence[str], threads: int, environment: Mapping[str, str], repeats: int, results: Results) -> None:
    """Measure first calls."""
    workload = next(each for each in WORKLOADS if each.name == COLD_WORKLOAD)
    for name in names:
        results.cold[name] = cold_start(workload, name, threads, environment, repeats)
        say(f"first call of {COLD_WORKLOAD}, {name}: " + ", ".join(timing_cell(each, 1) + " s" for each in results.cold[name]))


def summary(row: Row) -> str:
    """A line for a workload, and one for each error."""
    times = [f"{name} {timing_cell(timing, 1e3)}" for name, timing in row.timings.items()]
    ratio = "" if row.ratio is None else f"; ratio {row.ratio:.2f}, to reach {row.workload.reach:g}"
    errors = [f"\n    {name}: {timing.error}" for name, timing in row.timings.items() if timing.error]
    return f"{row.workload.name}, {row.threads}T, ms: {', '.join(times)}{ratio}{''.join(errors)}"


def write(results: Results, folder: Path) -> None:
    """Write the report, all timings and the chart."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "results.md").write_text(markdown(results), encoding="utf-8")
    (folder / "results.json").write_text(json.dumps(as_json(results), indent=1) + "\n", encoding="utf-8")
    if not write_chart(results.rows, folder / "results.svg"):
        say("No chart: matplotlib is not installed, or no workload has a limit")
    say(f"Written to {folder}")


def say(text: str) -> None:
    """Show progress at once, also through a pipe."""
    print(text, flush=True)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
