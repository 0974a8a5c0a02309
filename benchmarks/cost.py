"""`python -m benchmarks.cost`: the predicted time of random programs beside the measured one.

The programs are those of `stepwell fuzz --speed`. The order counts: the rank correlation of both times. The programs whose
prediction is the farthest off are listed with their text.
"""

from __future__ import annotations

import argparse
import os
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
import stepwell as sw
from stepwell.tools.fuzz.everyday_programs import EverydayProgram, Generator

from .environment import clear_settings, machine
from .report import significant, table

RESULTS = Path(__file__).parent / "results" / "cost.md"
_SECONDS, _FEWEST, _WORST = 0.03, 20, 12


class Measured(NamedTuple):
    """A program with its least and its predicted seconds, and what bounds its longest block."""

    seed: int
    program: EverydayProgram
    seconds: float
    predicted: float
    bound: str

    @property
    def miss(self) -> float:
        """How many times the prediction is too long (or, below 1, too short)."""
        return self.predicted / self.seconds


def measured(seed: int) -> Measured:
    """Compile and time the program of a seed on one thread."""
    program = Generator(seed).make()
    arrays, function = program.arrays(), program.function()
    lowered = sw.lower(lambda *xs: function(sw, *xs), *(sw.Spec(each.shape, str(each.dtype)) for each in arrays.values()))
    cost = lowered.cost()
    compiled = sw.jit(lambda *xs: function(sw, *xs))
    seconds = _least(lambda: compiled(*arrays.values()))
    return Measured(seed, program, seconds, cost.seconds, max(cost.blocks, key=lambda block: block.seconds).bound)


def _least(call: Callable[[], object]) -> float:
    call()
    best, spent, turns = float("inf"), 0.0, 0
    while turns < _FEWEST or spent < _SECONDS:
        start = time.perf_counter()
        call()
        seconds = time.perf_counter() - start
        best, spent, turns = min(best, seconds), spent + seconds, turns + 1
    return best


def rank_correlation(one: Sequence[float], other: Sequence[float]) -> float:
    """Spearman's coefficient of two series without equal numbers."""
    ranks = [np.argsort(np.argsort(each)) for each in (one, other)]
    return float(np.corrcoef(*ranks)[0, 1])


def report(found: Sequence[Measured]) -> Iterator[str]:
    """The lines of the report."""
    whole = rank_correlation([each.seconds for each in found], [each.predicted for each in found])
    within = sum(0.5 <= each.miss <= 2 for each in found)
    yield "# Predicted and measured times"
    yield ""
    yield f"Machine: {machine()}. One thread, least times of {len(found)} programs, seeds {found[0].seed} to {found[-1].seed}."
    yield f"Rank correlation {whole:.3f}; {within} predictions within a factor of two. `python -m benchmarks.cost`."
    yield ""
    worst = sorted(found, key=lambda each: max(each.miss, 1 / each.miss), reverse=True)[:_WORST]
    cells = [
        [str(each.seed), significant(each.seconds * 1e3), significant(each.predicted * 1e3), f"{each.miss:.2f}", each.bound]
        for each in worst
    ]
    yield from table(["seed", "measured, ms", "predicted, ms", "ratio", "bound by"], cells)
    for each in worst:
        inputs = ", ".join(f"{name} {list(shape)}" for name, shape in each.program.inputs.items())
        yield from ["", f"Seed {each.seed}: {inputs}", "", "```python", each.program.text.rstrip(), "```"]


def main(argv: Sequence[str] | None = None) -> int:
    """Measure, and write the report."""
    parser = argparse.ArgumentParser("python -m benchmarks.cost", description=__doc__)
    parser.add_argument("--programs", type=int, default=500, help="how many (500)")
    parser.add_argument("--seed", type=int, default=0, help="the first seed (0)")
    parser.add_argument("--out", type=Path, default=RESULTS, help="the report's file")
    given = parser.parse_args(argv)
    clear_settings(os.environ)
    sw.set_num_threads(1)
    found = [measured(seed) for seed in range(given.seed, given.seed + given.programs)]
    text = "\n".join(report(found)) + "\n"
    given.out.write_text(text)
    print(text)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
