"""`python -m benchmarks.first_calls`: the time of Stepwell's first call of each workload, in new processes, without imports.

With empty caches, the time includes the probe of the C compiler.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence

from .environment import clear_settings, machine, processors
from .measure import cold_start
from .peers import OURS
from .report import table, timing_cell
from .workloads import WORKLOADS


def main(argv: Sequence[str]) -> int:
    """Measure, and print the table."""
    parser = argparse.ArgumentParser("python -m benchmarks.first_calls", description="Measure first calls.")
    parser.add_argument("--repeats", type=int, default=3, help="processes for each workload (3)")
    repeats, threads = parser.parse_args(argv).repeats, len(processors())
    clear_settings(os.environ)
    lines: list[list[str]] = []
    for workload in WORKLOADS:
        timings = cold_start(workload, OURS, threads, os.environ, repeats)
        lines.append([workload.name, *(timing_cell(each, 1) for each in timings)])
        print(" ".join(lines[-1]), flush=True)
    print("\n".join(["", f"Machine: {machine()}. Seconds.", "", *table(["", "empty caches", "filled caches"], lines)]))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
