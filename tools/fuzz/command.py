"""`stepwell fuzz`: random programs, compiled for every target and run on every level, against the oracle.

With `--pipelines`, they go down random pipelines (`random_pipelines.py`) instead of the default one. A program that differs is
cut down to the passes and operations that the difference needs (`shrink.py`), and written to a file. With `--gradients`, the
programs' gradients are compared, first with differences (`gradients.py`). With `--sanitize`, everything runs under a sanitizer
(`sanitizers.py`). With `--threads`, programs are larger, and run on threads (`threads.py`). With `--speed`, programs are timed
instead (`speed.py`).
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import chain
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp

from ...dialects import make_context
from ...ir.diagnostics import did_you_mean
from ...ir.functions.verification import Verified, verify
from ...ir.text.printer import print_module
from ...lowering import all_passes, pipelines
from ...lowering.driver import lower
from ...passes.manager.pass_manager import PassManager
from ...runtime.executable import compile_module
from ...runtime.interpret.levels import run_below_uop
from ..executors import add_executor, executor_of, results_of
from ..progress import Progress, Silent, progress
from .gradients import directions, has_gradients, with_gradients, wrong_direction
from .oracle import oracle
from .random_graph_steps import SteppingGraphs
from .random_pipelines import Pipeline, random_pipeline
from .random_programs import LARGE, SMALL, RandomProgram
from .random_smooth import SmoothGenerator, SmoothGraphs
from .random_steps import SteppingGenerator
from .sanitizers import sanitize
from .shrink import shrink
from .threads import results_on_threads

RELATIVE, ABSOLUTE = 1e-4, 1e-5
DEFAULT, SCHEDULED = "cpu,loop,scheduled,cloop", "scheduled,cpu"
# The pseudo-target for gradients in float64, compared with differences.
DIFFERENCES = "differences"

# The results of a program.
Evaluate: TypeAlias = Callable[[RandomProgram], Sequence[Any]]
# A check of a program on a target and pipeline: a description of the error, None if there is none.
Check: TypeAlias = "Callable[[RandomProgram, str, Pipeline | None], str | None]"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.epilog = "Progress is on standard error: a bar on a terminal (with the package rich), else a line every 30 seconds."
    parser.add_argument("--programs", type=_count, default=200, metavar="N", help="how many programs (default 200)")
    parser.add_argument("--seed", type=_count, default=0, metavar="S", help="the first program's seed (default 0)")
    parser.add_argument(
        "--targets",
        help=f"what to compare, of {', '.join((*LEVELS, *pipelines.TARGETS.own))} (default {DEFAULT}; with --pipelines "
        f"{SCHEDULED}; with --gradients {DIFFERENCES},cpu)",
    )
    parser.add_argument(
        "--pipelines",
        type=_count,
        default=0,
        metavar="N",
        help="take N random pipelines in turn, seeds 0 to N-1 (default none)",
    )
    parser.add_argument(
        "--gradients",
        action="store_true",
        help="compare gradients of programs made to be differentiated; with --speed, time gradients",
    )
    parser.add_argument(
        "--threads",
        type=_count,
        default=0,
        metavar="N",
        help="make larger programs, and compare several calls on N threads with one on a single thread, on cpu (default none)",
    )
    parser.add_argument("--parallel", action="store_true", help="random pipelines run the shortest loops on threads")
    parser.add_argument(
        "--sanitize", metavar="LIST", help="compile under these sanitizers of the C compiler: address,undefined or thread"
    )
    parser.add_argument(
        "--speed",
        action="store_true",
        help="time programs at everyday sizes beside NumPy, torch and Stepwell step by step",
    )
    add_executor(parser, "run programs")
    parser.add_argument("--level", default="uop", choices=tuple(GENERATORS), help="where programs are made (default uop)")
    parser.add_argument("--out", default="out/fuzz", metavar="DIR", help="where programs that differ go (default out/fuzz)")


def _count(text: str) -> int:
    number = int(text)
    if number < 0:
        raise argparse.ArgumentTypeError(f"expected a number of at least 0, got {number}")
    return number


def run(arguments: argparse.Namespace) -> int:
    """Exit status 1 when a program differs or crashes."""
    if arguments.gradients and arguments.pipelines:
        sys.stderr.write("--gradients and --pipelines: choose one, gradients go down the default pipeline\n")
        return 2
    if arguments.executor and (arguments.speed or arguments.sanitize):
        other = "--speed" if arguments.speed else "--sanitize"
        sys.stderr.write(f"--executor and {other}: choose one, {other} runs its programs one after the other\n")
        return 2
    if arguments.threads and (arguments.speed or arguments.pipelines or (arguments.targets or "cpu") != "cpu"):
        sys.stderr.write("--threads: goes with the target cpu and its default pipeline, and without --speed\n")
        return 2
    if arguments.speed:
        # Local import: only this option times programs.
        from .speed import LIMIT, run_speed

        with progress("fuzz", arguments.programs) as shown:
            found = run_speed(arguments.programs, arguments.seed, Path(arguments.out), shown, gradients=arguments.gradients)
        sys.stdout.write(f"{arguments.programs} programs: {found} over {LIMIT} times the fastest\n")
        return 1 if found else 0
    default = (
        "cpu"
        if arguments.threads
        else f"{DIFFERENCES},cpu"
        if arguments.gradients
        else SCHEDULED
        if arguments.pipelines
        else DEFAULT
    )
    targets = (arguments.targets or default).split(",")
    extra = [DIFFERENCES] if arguments.gradients else []
    # Membership imports no plugin for Stepwell's own targets; only the message lists all.
    known: list[Collection[str]]
    known = [with_pipeline(random_pipeline(0)), extra] if arguments.pipelines else [LEVELS, pipelines.TARGETS, extra]
    unknown = [target for target in targets if not any(target in names for names in known)]
    if unknown:
        hint = did_you_mean(unknown[0], chain(*known))
        sys.stderr.write(f"unknown target '{unknown[0]}'{hint} (choose among {', '.join(chain(*known))})\n")
        return 2
    if arguments.sanitize:
        return sanitize(arguments)
    found = 0
    task = Task(
        tuple(targets), arguments.level, arguments.pipelines, arguments.parallel, arguments.gradients, arguments.threads
    )
    with progress("fuzz", arguments.programs) as shown:
        for seed, failures in _outcomes(task, range(arguments.seed, arguments.seed + arguments.programs), arguments, shown):
            for each in failures:
                found += 1
                path = each.write(Path(arguments.out), seed)
                shown.say(f"seed {seed}, {each.target}: {each.message}; written to {path}")
            shown.advance()
    last = arguments.seed + arguments.programs - 1
    what = f"{arguments.programs} programs, seeds {arguments.seed} to {last}, {arguments.level} level"
    if arguments.gradients:
        made = (_make(seed, task.level, task.gradients, task.threads) for seed in range(arguments.seed, last + 1))
        what = f"gradients of {what}, {sum(map(has_gradients, made))} of them with any"
    on = f" on {arguments.threads} threads" if arguments.threads else ""
    taken = f"{arguments.pipelines} random pipelines, " if arguments.pipelines else ""
    sys.stdout.write(f"{what}, {taken}{', '.join(targets)}{on}: {found} differences\n")
    return 1 if found else 0


class Task(NamedTuple):
    """The work on the program of each seed."""

    targets: tuple[str, ...]
    level: str
    pipelines: int
    parallel: bool
    gradients: bool
    threads: int


class Written(NamedTuple):
    """A target that differs on a program, as text."""

    target: str
    message: str
    text: str

    def write(self, folder: Path, seed: int) -> Path:
        """Write the program to a file of a folder."""
        folder.mkdir(parents=True, exist_ok=True)
        path = folder / f"seed{seed}-{self.target}.mlir"
        path.write_text(self.text)
        return path


def failures_of(task: Task, seed: int, shown: Progress | None = None) -> list[Written]:
    """The failures of the program of a seed, here or on a worker of an executor."""
    pipeline = random_pipeline(seed % task.pipelines, task.parallel) if task.pipelines else None
    found = differences(seed, task.targets, task.level, shown, pipeline, gradients=task.gradients, threads=task.threads)
    return [Written(each.target, each.message, each.text()) for each in found]


def _outcomes(
    task: Task, seeds: Sequence[int], arguments: argparse.Namespace, shown: Progress
) -> Iterator[tuple[int, list[Written]]]:
    """The failures of each seed in turn."""
    if not arguments.executor:
        yield from ((seed, failures_of(task, seed, shown)) for seed in seeds)
        return
    with executor_of(arguments.executor) as executor:
        yield from zip(seeds, results_of(executor, failures_of, [(task, seed) for seed in seeds], list), strict=True)


class Failure:
    """A target that differs on a program. Program and pipeline are cut down as far as the target still differs."""

    def __init__(self, target: str, message: str, program: RandomProgram, pipeline: Pipeline | None = None):
        self.target, self.message, self.program, self.pipeline = target, message, program, pipeline

    def text(self) -> str:
        """The program, after comments with the error and where it occurs."""
        sizes = ", ".join(f"{name} = {value}" for name, value in self.program.params.items())
        message = "\n// ".join(self.message.splitlines())
        taken = f"// pipeline: {self.pipeline}\n" if self.pipeline is not None else ""
        return f"// {self.target} differs with {sizes}\n// {message}\n{taken}{print_module(self.program.module)}"


def differences(
    seed: int,
    targets: Iterable[str],
    level: str,
    shown: Progress | None = None,
    pipeline: Pipeline | None = None,
    *,
    gradients: bool = False,
    threads: int = 0,
) -> list[Failure]:
    """The failures of the program of a seed, on the default pipeline or another one: one a target, cut down. With `gradients`,
    the program is made to be differentiated, and its gradients are compared. With `threads`, it is larger, and runs on threads.
    """
    program = _make(seed, level, gradients, threads)
    verify(program.module)
    check = partial(gradient_difference if gradients else difference, threads=threads)
    failures: list[Failure] = []
    levels = [target for target in targets if target in _ON_LOOPS and pipeline is None and not gradients]
    agreeing = levels if len(levels) > 1 and _agree(program, levels) else ()
    for target in targets:
        if target in agreeing:
            continue
        message = check(program, target, pipeline)
        if message is not None:
            failures.append(cut_down(Failure(target, message, program, pipeline), check, shown or Silent()))
    return failures


def _make(seed: int, level: str, gradients: bool, threads: int) -> RandomProgram:
    return (SMOOTH if gradients else GENERATORS)[level](seed, scale=LARGE if threads else SMALL).make()


def _agree(program: RandomProgram, levels: Collection[str]) -> bool:
    """Whether the interpreters of these levels agree with the oracle, during one lowering."""
    expected, ctx, module = oracle(program), make_context(), program.module.clone()
    try:
        for level in lower(module, ctx, "cpu", until=max(levels, key=_ON_LOOPS.index), manager=_manager(ctx)):
            if (
                level in levels
                and _first_wrong(program, run_below_uop(module, program.arguments, program.params, level), expected) is not None
            ):
                return False
    except Exception:  # the failure is found again, level by level
        return False
    return True


def cut_down(failure: Failure, check: Check, shown: Progress) -> Failure:
    """A shorter pipeline and a smaller program that fail in the same way: with another result, or with the same exception."""
    target, message = failure.target, failure.message

    def shows(program: RandomProgram, pipeline: Pipeline | None) -> bool:
        found = check(program, target, pipeline)
        return found is not None and _kind(found) == _kind(message)

    pipeline = failure.pipeline
    if pipeline is not None:
        pipeline = pipeline.shrink(lambda shorter: shows(failure.program, shorter))
    smallest = shrink(
        failure.program,
        lambda smaller: shows(smaller, pipeline),
        oracle,
        lambda left: shown.note(f"{target} differs, {left} operations left"),
    )
    shown.note("")
    return Failure(target, message, smallest, pipeline)


def _kind(message: str) -> str:
    """The kind of a target's failure: the name of its exception, or that a result differs."""
    return "result" if message.startswith("result ") else message.partition(":")[0]


def difference(program: RandomProgram, target: str, pipeline: Pipeline | None = None, threads: int = 0) -> str | None:
    """The difference between a target's results and the oracle's, or the target's failure; None if there is neither."""
    return wrong_results(program, evaluator(target, threads) if pipeline is None else with_pipeline(pipeline)[target])


def wrong_results(program: RandomProgram, evaluate: Evaluate) -> str | None:
    """The difference between the results of a program and the oracle's, or the failure; None if there is neither."""
    expected = oracle(program)
    try:
        results = evaluate(program)
    except Exception as error:  # any error of the compiler on a valid program is a finding
        return f"{type(error).__name__}: {error}"
    return _first_wrong(program, results, expected)


def _first_wrong(program: RandomProgram, results: Sequence[Any], expected: Sequence[Any]) -> str | None:
    for number, (result, wanted, bound) in enumerate(zip(results, expected, program.bounds, strict=True)):
        try:
            compare(result, wanted, bound)
        except AssertionError as error:
            return f"result {number}: {' '.join(str(error).split())[:300]}"
    return None


def gradient_difference(program: RandomProgram, target: str, pipeline: Pipeline | None = None, threads: int = 0) -> str | None:
    """The difference of a target's gradients from the oracle's, or of the oracle's from finite differences, or the failure."""
    try:
        differentiated = with_gradients(program)
        if differentiated is None:
            return None
        if target == DIFFERENCES:
            return wrong_direction(directions(program, differentiated))
    except Exception as error:  # any error of the compiler on a valid program is a finding
        return f"{type(error).__name__}: {error}"
    return difference(differentiated, target, pipeline, threads)


def compare(result: Any, expected: Any, bound: float) -> None:
    """Raise AssertionError unless the arrays agree: integers exactly, floats as far as float32 steps can drift."""
    assert result.shape == expected.shape, f"shape {result.shape}, expected {expected.shape}"
    if result.dtype.kind in "biu":
        np.testing.assert_array_equal(result, expected)
    else:
        np.testing.assert_allclose(result, expected, rtol=RELATIVE, atol=ABSOLUTE * max(1.0, bound))


def with_pipeline(pipeline: Pipeline) -> Mapping[str, Evaluate]:
    """The targets for programs with a pipeline of their own."""

    def compiled(program: RandomProgram) -> Sequence[Any]:
        return compile_module(_micro_ops(program), pipeline=str(pipeline)).run(program.arguments, {})

    loops = _interpreted("scheduled", pipeline.to_loops)
    return {"scheduled": loops, "cloop": _interpreted("cloop", str(pipeline)), "cpu": compiled}


def _micro_ops(program: RandomProgram) -> ModuleOp:
    module = program.module.clone()
    for _ in lower(module, make_context(), "cpu", until="uop"):
        pass
    return module


def _compiled(target: str) -> Evaluate:
    return lambda program: compile_module(program.module, target=target).run(program.arguments, {})


def _interpreted(level: str, pipeline: str | None = None) -> Evaluate:
    """A level's interpreter, after the default pipeline or a given one from micro-ops."""
    target = "cuda" if level == "tile" else "cpu"

    def results(program: RandomProgram) -> Sequence[Any]:
        ctx = make_context()
        module, manager = program.module.clone(), _manager(ctx)
        for _ in lower(module, ctx, target, until=level if pipeline is None else "uop", manager=manager):
            pass
        if pipeline is not None:
            manager(pipeline).run(module)
        return run_below_uop(module, program.arguments, program.params, level)

    return results


def _manager(ctx: Context) -> Callable[[str], PassManager]:
    """A function that makes pass managers that verify after each pass."""
    verified = Verified()
    return lambda passes: PassManager.parse(passes, ctx, all_passes(), verified=verified)


GENERATORS: Mapping[str, type[SteppingGenerator] | type[SteppingGraphs]] = MappingProxyType(
    {"uop": SteppingGenerator, "graph": SteppingGraphs}
)
SMOOTH: Mapping[str, type[SmoothGenerator] | type[SmoothGraphs]] = MappingProxyType(
    {"uop": SmoothGenerator, "graph": SmoothGraphs}
)

# The levels on the way to C that have an interpreter, from the top.
_ON_LOOPS = ("loop", "scheduled", "cloop")
# The levels that have an interpreter, each with a function that runs a program on it.
LEVELS: Mapping[str, Evaluate] = MappingProxyType({level: _interpreted(level) for level in (*_ON_LOOPS, "tile")})


def evaluator(target: str, threads: int = 0) -> Evaluate:
    """The function that runs a program on a target, possibly a plugin's, or on a level, or on this number of threads."""
    if threads:
        return partial(results_on_threads, count=threads)
    return LEVELS[target] if target in LEVELS else _compiled(target)
