"""`stepwell fuzz --speed`: random programs at everyday sizes, timed beside NumPy, torch, and our own code step by step.

Torch and Stepwell run on one thread, NumPy on those of its BLAS (`OMP_NUM_THREADS=1`); they take turns in one process. A
program that is slower than `LIMIT` times the fastest of the others is cut down to few steps, and written to a file that times
it again when it is run.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np

from ..progress import Progress
from .everyday_programs import EverydayProgram, Generator, torch_names

LIMIT = 1.2
OURS, STEPS = "stepwell", "step by step"
# Each contender is measured for this long and this many times at least.
_SECONDS, _FEWEST = 0.03, 5
# From the sixteenth call on our results take the memory of those that are gone; all contenders are warmed as long.
_WARM_CALLS, _WARM_SECONDS = 20, 0.2
# Shorter differences are those of calls, not of loops.
_CALLS = 20e-6


class Slow:
    """A program that takes longer than it should: the seconds of each contender."""

    def __init__(self, program: EverydayProgram, seconds: Mapping[str, float]):
        self.program, self.seconds = program, seconds

    @property
    def rival(self) -> str:
        return min((name for name in self.seconds if name != OURS), key=lambda name: self.seconds[name])

    @property
    def ratio(self) -> float:
        return self.seconds[OURS] / self.seconds[self.rival]

    def __str__(self) -> str:
        times = ", ".join(f"{name} {each * 1e3:.3f} ms" for name, each in self.seconds.items())
        return f"{self.ratio:.2f} times {self.rival} ({times})"


def timed(program: EverydayProgram) -> Slow:
    """The least time of each contender, whose results are compared first. Raises AssertionError when they differ."""
    calls = dict(_contenders(program))
    expected = calls["numpy"]()
    for name, call in calls.items():
        for found, wanted in zip(call(), expected, strict=True):
            scale = float(np.abs(wanted[np.isfinite(wanted)]).max(initial=1.0))
            np.testing.assert_allclose(np.asarray(found), wanted, rtol=5e-3, atol=1e-3 * scale, err_msg=name)
    for call in calls.values():
        start = time.perf_counter()
        for _ in range(_WARM_CALLS):
            call()
            if time.perf_counter() - start > _WARM_SECONDS:
                break
    best, spent, turns = dict.fromkeys(calls, float("inf")), dict.fromkeys(calls, 0.0), 0
    while turns < _FEWEST or min(spent.values()) < _SECONDS:
        for name, call in calls.items():
            start = time.perf_counter()
            call()
            seconds = time.perf_counter() - start
            best[name], spent[name] = min(best[name], seconds), spent[name] + seconds
        turns += 1
    return Slow(program, best)


def is_slow(found: Slow) -> bool:
    """Whether it misses the limit by more than calls cost."""
    return found.ratio > LIMIT and found.seconds[OURS] - found.seconds[found.rival] > _CALLS


def reduced(found: Slow) -> Slow:
    """The smallest part of the program that is about as slow: one result in the place of several, inputs in that of steps."""
    while True:
        program = found.program
        smaller = [program.only([step.name]) for step in program.steps]
        smaller += [program.from_step(step.name) for step in program.steps if step.name not in program.results]
        shorter = sorted((each for each in smaller if len(each.steps) < len(program.steps)), key=lambda each: len(each.steps))
        slower = (slow for slow in map(timed, shorter) if is_slow(slow) and slow.ratio > 0.7 * found.ratio)
        smallest = next(slower, None)
        if smallest is None:
            return found
        found = smallest


def run_speed(programs: int, seed: int, folder: Path, shown: Progress) -> int:
    """Time so many programs; the number of those that were too slow, which are written to a folder."""
    slow = 0
    for number in range(seed, seed + programs):
        found = timed(Generator(number).make())
        if is_slow(found) and is_slow(found := timed(found.program)):
            found = reduced(found)
            slow += 1
            folder.mkdir(parents=True, exist_ok=True)
            path = folder / f"speed{number}.py"
            path.write_text(_file(found))
            shown.say(f"seed {number}: {found}; written to {path}")
        shown.advance()
    return slow


def _contenders(program: EverydayProgram) -> Iterator[tuple[str, Callable[[], tuple[Any, ...]]]]:
    """A call without arguments of each contender that is installed; results are tuples."""
    # Imported here: nothing else that this command does needs the whole library, or torch.
    sw: Any = import_module(__name__.partition(".")[0])
    arrays = program.arrays()
    function = program.function()
    sw.set_num_threads(1)
    yield "numpy", lambda: _tuple(function(np, *arrays.values()))
    compiled = sw.jit(lambda *xs: function(sw, *xs))
    yield OURS, lambda: _tuple(compiled(*arrays.values()))
    if len(program.steps) > 1:
        jitted = [(step, sw.jit(lambda *xs, each=each: each(sw, *xs))) for step, each in program.functions()]

        def step_by_step() -> tuple[Any, ...]:
            values = dict(arrays)
            for step, each in jitted:
                values[step.name] = each(*(values[name] for name in step.reads))
            return tuple(values[name] for name in program.results)

        yield STEPS, step_by_step
    try:
        import torch
    except ImportError:
        return
    torch.set_num_threads(1)
    names, tensors = torch_names(torch), [torch.from_numpy(each) for each in arrays.values()]
    yield "torch", lambda: _tuple(function(names, *tensors))


def _tuple(results: Any) -> tuple[Any, ...]:
    return results if isinstance(results, tuple) else (results,)


def _file(found: Slow) -> str:
    """A Python file that times the program when it is run. Its text stands above as it would be written."""
    written = "\n".join(f"# {line}" for line in found.program.text.splitlines())
    return f"""# {found}
#
{written}

from stepwell.tools.fuzz.everyday_programs import EverydayProgram, Step
from stepwell.tools.fuzz.speed import timed

PROGRAM = {found.program!r}

if __name__ == "__main__":
    print(timed(PROGRAM))
"""
