"""`stepwell fuzz --speed`: random programs at everyday sizes, timed against NumPy, torch, and Stepwell's own code step by step.

Torch and Stepwell run on one thread, NumPy on those of its BLAS (`OMP_NUM_THREADS=1`); they take turns in one process, forwards
and backwards. A program that is slower than `LIMIT` times the fastest of the others is cut down to few steps, and written to a
file that times it again when it is run. With gradients, the gradient of the sum of all results by all float arrays is timed,
against torch and Stepwell's own pullbacks of the steps one by one.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias

import numpy as np

from ..progress import Progress
from .everyday_programs import EverydayProgram, Generator, Step, torch_names

LIMIT = 1.2
OURS, STEPS = "stepwell", "step by step"


class Effort(NamedTuple):
    """The most calls and seconds for which each contender is warmed up, and the least for which it is measured."""

    warm_calls: int
    warm_seconds: float
    fewest: int
    seconds: float


# From the sixteenth call on Stepwell's results reuse the memory of released ones; all contenders are warmed up as long.
CAREFUL = Effort(20, 0.2, 5, 0.03)
# Enough for a program that is not near the limit: the first calls of Stepwell are slower than later ones.
QUICK = Effort(2, 0.02, 3, 0.003)
# Shorter differences are due to the calls, not to the loops.
_CALLS = 20e-6


class Slow:
    """A program, or its gradient, that takes longer than it should: the seconds of each contender."""

    def __init__(self, program: EverydayProgram, seconds: Mapping[str, float], *, gradients: bool = False):
        self.program, self.seconds, self.gradients = program, seconds, gradients

    @property
    def rival(self) -> str:
        return min((name for name in self.seconds if name != OURS), key=lambda name: self.seconds[name])

    @property
    def ratio(self) -> float:
        return self.seconds[OURS] / self.seconds[self.rival]

    def __str__(self) -> str:
        times = ", ".join(f"{name} {each * 1e3:.3f} ms" for name, each in self.seconds.items())
        return f"{self.ratio:.2f} times {self.rival} ({times})"


def timed(program: EverydayProgram, *, gradients: bool = False) -> Slow:
    """The least time of each contender, whose results are compared first. Raises AssertionError when they differ."""
    return measured(program, checked_contenders(program, gradients=gradients), CAREFUL, gradients=gradients)


# A call of each contender, by name.
Calls: TypeAlias = Mapping[str, Callable[[], tuple[Any, ...]]]


def checked_contenders(program: EverydayProgram, *, gradients: bool = False) -> Calls:
    """A call without arguments of each contender. Raises AssertionError when their results differ."""
    calls = dict(_gradient_contenders(program) if gradients else _contenders(program))
    expected = next(iter(calls.values()))()
    for name, call in calls.items():
        for found, wanted in zip(call(), expected, strict=True):
            given = np.asarray(found)
            # Gradients may differ at kinks, as of the root of a magnitude.
            compared = np.isfinite(wanted) & np.isfinite(given) if gradients else np.full_like(wanted, True, dtype=bool)
            scale = float(np.abs(wanted[np.isfinite(wanted)]).max(initial=1.0))
            np.testing.assert_allclose(given[compared], wanted[compared], rtol=5e-3, atol=1e-3 * scale, err_msg=name)
    return calls


def measured(program: EverydayProgram, calls: Calls, effort: Effort, *, gradients: bool = False) -> Slow:
    """The least time of each contender."""
    for call in calls.values():
        start = time.perf_counter()
        for _ in range(effort.warm_calls):
            call()
            if time.perf_counter() - start > effort.warm_seconds:
                break
    best, spent, turns = dict.fromkeys(calls, float("inf")), dict.fromkeys(calls, 0.0), 0
    order = list(calls.items())
    while turns < effort.fewest or min(spent.values()) < effort.seconds:
        # After a contender that takes fresh memory, as NumPy does, the next one is slower for more than a call.
        order.reverse()
        for name, call in order:
            call()  # another contender has just filled the caches
            start = time.perf_counter()
            call()
            seconds = time.perf_counter() - start
            best[name], spent[name] = min(best[name], seconds), spent[name] + seconds
        turns += 1
    return Slow(program, best, gradients=gradients)


def is_slow(found: Slow) -> bool:
    """Whether the time is over the limit by more than the overhead of calls."""
    return found.ratio > LIMIT and found.seconds[OURS] - found.seconds[found.rival] > _CALLS


def reduced(found: Slow) -> Slow:
    """The smallest part of the program that is about as slow: with one result instead of several, and inputs instead of
    steps."""
    while True:
        program = found.program
        smaller = [program.only([step.name]) for step in program.steps]
        smaller += [program.from_step(step.name) for step in program.steps if step.name not in program.results]
        shorter = sorted((each for each in smaller if len(each.steps) < len(program.steps)), key=lambda each: len(each.steps))
        again = (timed(each, gradients=found.gradients) for each in shorter)
        slower = (slow for slow in again if is_slow(slow) and slow.ratio > 0.7 * found.ratio)
        smallest = next(slower, None)
        if smallest is None:
            return found
        found = smallest


def run_speed(programs: int, seed: int, folder: Path, shown: Progress, *, gradients: bool = False) -> int:
    """Time `programs` programs, or their gradients. Returns the number of those that were too slow, which are written to a
    folder."""
    slow = 0
    for number in range(seed, seed + programs):
        program = Generator(number).make()
        calls = checked_contenders(program, gradients=gradients)
        efforts = (measured(program, calls, effort, gradients=gradients) for effort in (QUICK, CAREFUL, CAREFUL))
        found = next((each for each in efforts if not is_slow(each)), None)
        if found is None:
            found = reduced(timed(program, gradients=gradients))
            slow += 1
            folder.mkdir(parents=True, exist_ok=True)
            path = folder / f"speed{number}.py"
            path.write_text(_file(found))
            shown.say(f"seed {number}: {found}; written to {path}")
        shown.advance()
    return slow


def _contenders(program: EverydayProgram) -> Iterator[tuple[str, Callable[[], tuple[Any, ...]]]]:
    """A call without arguments of each contender that is installed; results are tuples."""
    # Imported here: only this option of the command needs the whole library, or torch.
    sw: Any = import_module(__name__.partition(".")[0])
    arrays = program.arrays()
    function = program.function()
    sw.set_num_threads(1)
    yield "numpy", lambda: _tuple(function(np, *arrays.values()))
    compiled = sw.jit(lambda *xs: function(sw, *xs))
    yield OURS, lambda: _tuple(compiled(*arrays.values()))
    if len(program.steps) > 1:
        jitted = [(step, _compiled(each, _short(step, program))) for step, each in program.functions()]

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


# The axes that a first call compiles in, by array and axis; 0 stands for all others.
_Short: TypeAlias = tuple[tuple[int, ...], ...]
_MOST_SHORT = 8


def _short(step: Step, program: EverydayProgram) -> _Short:
    shapes = {**program.inputs, **{each.name: each.shape for each in program.steps}}
    return tuple(tuple(size if size <= _MOST_SHORT else 0 for size in shapes[name]) for name in step.reads)


# Many programs have the same steps: these are compiled once for the same short axes.
@cache
def _compiled(function: Callable[..., Any], short: _Short) -> Any:
    sw: Any = import_module(__name__.partition(".")[0])
    return sw.jit(lambda *xs: function(sw, *xs))


@cache
def _compiled_pullback(function: Callable[..., Any], short: _Short, numbers: tuple[int, ...]) -> Any:
    """The pullback by arguments of these numbers, of all arguments and the cotangent."""
    sw: Any = import_module(__name__.partition(".")[0])
    return sw.jit(sw.grad(lambda *xs: sw.sum(function(sw, *xs[:-1]) * xs[-1]), argnums=numbers))


def _gradient_contenders(program: EverydayProgram) -> Iterator[tuple[str, Callable[[], tuple[Any, ...]]]]:
    """A call without arguments of each contender that is installed; results are the gradients by all arrays of numbers."""
    sw: Any = import_module(__name__.partition(".")[0])
    arrays, function = program.arrays(), program.function()
    varied = [name not in program.limits for name in arrays]

    def loss(xp: Any, *xs: Any) -> Any:
        return sum(xp.sum(each) for each in _tuple(function(xp, *xs)))

    sw.set_num_threads(1)
    numbers = tuple(k for k, is_varied in enumerate(varied) if is_varied)
    gradient = sw.jit(sw.grad(lambda *xs: loss(sw, *xs), argnums=numbers))
    yield OURS, lambda: gradient(*arrays.values())
    if len(program.steps) > 1:
        yield STEPS, _step_by_step(program, arrays)
    try:
        import torch
    except ImportError:
        return
    torch.set_num_threads(1)
    names, tensors = torch_names(torch), [torch.from_numpy(each) for each in arrays.values()]

    def by_torch() -> tuple[Any, ...]:
        given = [each.detach().requires_grad_(is_varied) for each, is_varied in zip(tensors, varied, strict=True)]
        varied_ones = [each for each in given if each.requires_grad]
        return torch.autograd.grad(loss(names, *given), varied_ones, materialize_grads=True)

    yield "torch", by_torch


def _step_by_step(program: EverydayProgram, arrays: Mapping[str, Any]) -> Callable[[], tuple[Any, ...]]:
    """The gradient with one compiled function for each step, called forwards, and one for the pullback of each step, called
    backwards."""
    forwards, pullbacks = list[Any](), list[Any]()
    for step, each in program.functions():
        forwards.append(_compiled(each, _short(step, program)))
        numbers = tuple(k for k, name in enumerate(step.reads) if name not in program.limits)
        pullbacks.append((numbers, _compiled_pullback(each, _short(step, program), numbers)))

    def call() -> tuple[Any, ...]:
        values = dict(arrays)
        for step, forward in zip(program.steps, forwards, strict=True):
            values[step.name] = forward(*(values[name] for name in step.reads))
        found = {name: np.ones_like(values[name]) for name in program.results}
        for step, (numbers, backward) in zip(reversed(program.steps), reversed(pullbacks), strict=True):
            parts = backward(*(values[name] for name in step.reads), found[step.name])
            for k, part in zip(numbers, parts, strict=True):
                name = step.reads[k]
                found[name] = found[name] + part if name in found else part
        return tuple(found.get(name, np.zeros_like(arrays[name])) for name in arrays if name not in program.limits)

    return call


def _tuple(results: Any) -> tuple[Any, ...]:
    return results if isinstance(results, tuple) else (results,)


def _file(found: Slow) -> str:
    """A Python file that times the program when it is run, with the program's text as a comment at the top."""
    written = "\n".join(f"# {line}" for line in found.program.text.splitlines())
    return f"""# {found}
#
{written}

from stepwell.tools.fuzz.everyday_programs import EverydayProgram, Step
from stepwell.tools.fuzz.speed import timed

PROGRAM = {found.program!r}

if __name__ == "__main__":
    print(timed(PROGRAM{", gradients=True" if found.gradients else ""}))
"""
