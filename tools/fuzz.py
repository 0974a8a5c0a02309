"""`stepwell fuzz`: random programs, compiled for every target and run on every level, against the oracle.

A program that differs is cut down to the operations that it takes (`fuzz_shrink.py`), and written to a file.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import Any

import numpy as np
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp

from ..dialects import make_context
from ..ir.functions import entry_function
from ..ir.printing import print_module
from ..ir.verification import verify
from ..lowering.pipelines import lower
from ..runtime.executable import compile_module
from ..runtime.interpret_loops import run_loops
from ..runtime.interpret_tile import run_tile
from ..runtime.interpret_uop import run_uop
from ..runtime.signature import Signature
from .fuzz_shrink import shrink
from .progress import Progress, Silent, progress
from .random_graphs import GraphGenerator
from .random_programs import Generator, RandomProgram

RELATIVE, ABSOLUTE = 1e-4, 1e-5


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--programs", type=_count, default=200, metavar="N", help="how many programs (default 200)")
    parser.add_argument("--seed", type=_count, default=0, metavar="S", help="the first program's seed (default 0)")
    parser.add_argument(
        "--targets", default="cpu,loop,cloop", help=f"what to compare, of {', '.join(TARGETS)} (default cpu,loop,cloop)"
    )
    parser.add_argument("--level", default="uop", choices=tuple(GENERATORS), help="where programs are made (default uop)")
    parser.add_argument("--out", default="out/fuzz", metavar="DIR", help="where programs that differ go (default out/fuzz)")


def _count(text: str) -> int:
    number = int(text)
    if number < 0:
        raise argparse.ArgumentTypeError(f"expected a number of at least 0, got {number}")
    return number


def run(arguments: argparse.Namespace) -> int:
    """Exit status 1 when a program differs or crashes."""
    targets = arguments.targets.split(",")
    unknown = [target for target in targets if target not in TARGETS]
    if unknown:
        sys.stderr.write(f"unknown target '{unknown[0]}': choose among {', '.join(TARGETS)}\n")
        return 2
    found = 0
    with progress("fuzz", arguments.programs) as shown:
        for seed in range(arguments.seed, arguments.seed + arguments.programs):
            for failure in differences(seed, targets, arguments.level, shown):
                found += 1
                path = write_failure(Path(arguments.out), seed, failure)
                shown.say(f"seed {seed}, {failure.target}: {failure.message}; written to {path}")
            shown.advance()
    last = arguments.seed + arguments.programs - 1
    what = f"{arguments.programs} programs, seeds {arguments.seed} to {last}, {arguments.level} level"
    sys.stdout.write(f"{what}, {', '.join(targets)}: {found} differences\n")
    return 1 if found else 0


class Failure:
    """A target that differs on a program, which is cut down as far as it still does."""

    def __init__(self, target: str, message: str, program: RandomProgram):
        self.target, self.message, self.program = target, message, program


def differences(seed: int, targets: Iterable[str], level: str, shown: Progress | None = None) -> list[Failure]:
    """What is wrong with the program of a seed, one failure a target, cut down."""
    program = GENERATORS[level](seed).make()
    verify(program.module)
    failures: list[Failure] = []
    for target in targets:
        message = difference(program, target)
        if message is not None:
            failures.append(Failure(target, message, cut_down(program, target, message, shown or Silent())))
    return failures


def cut_down(program: RandomProgram, target: str, message: str, shown: Progress) -> RandomProgram:
    """A smaller program that fails in the same way: with another result, or with the same exception."""

    def shows(smaller: RandomProgram) -> bool:
        found = difference(smaller, target)
        return found is not None and _kind(found) == _kind(message)

    smallest = shrink(program, shows, oracle, lambda left: shown.note(f"{target} differs, {left} operations left"))
    shown.note("")
    return smallest


def _kind(message: str) -> str:
    """The way in which a target fails: the name of its exception, or that a result differs."""
    return "result" if message.startswith("result ") else message.partition(":")[0]


def difference(program: RandomProgram, target: str) -> str | None:
    """How a target's results differ from the oracle's, or how it fails; None when all is well."""
    expected = oracle(program)
    try:
        results = TARGETS[target](program)
    except Exception as error:  # whatever a compiler raises on a valid program is what is looked for
        return f"{type(error).__name__}: {error}"
    for number, (result, wanted, bound) in enumerate(zip(results, expected, program.bounds, strict=True)):
        try:
            compare(result, wanted, bound)
        except AssertionError as error:
            return f"result {number}: {' '.join(str(error).split())[:300]}"
    return None


def oracle(program: RandomProgram) -> list[Any]:
    """What the program means: its micro-ops, in float64."""
    module = program.module.clone()
    for _ in lower(module, make_context(), "interpret"):
        pass
    return run_uop(entry_function(module), program.arguments, program.params, precise=True)


def compare(result: Any, expected: Any, bound: float) -> None:
    """Raise AssertionError unless the arrays agree: integers exactly, floats as far as float32 steps can drift."""
    assert result.shape == expected.shape, f"shape {result.shape}, expected {expected.shape}"
    if result.dtype.kind in "biu":
        np.testing.assert_array_equal(result, expected)
    else:
        np.testing.assert_allclose(result, expected, rtol=RELATIVE, atol=ABSOLUTE * max(1.0, bound))


def write_failure(folder: Path, seed: int, failure: Failure) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"seed{seed}-{failure.target}.mlir"
    sizes = ", ".join(f"{name} = {value}" for name, value in failure.program.params.items())
    path.write_text(f"// {failure.target} differs with {sizes}\n// {failure.message}\n{print_module(failure.program.module)}")
    return path


def _compiled(target: str) -> Callable[[RandomProgram], Sequence[Any]]:
    return lambda program: compile_module(program.module, target=target).run(program.arguments, {})


def _interpreted(level: str) -> Callable[[RandomProgram], Sequence[Any]]:
    target = "cuda" if level == "tile" else "cpu"

    def results(program: RandomProgram) -> Sequence[Any]:
        ctx = make_context()
        module: ModuleOp = program.module.clone()
        for _ in lower(module, ctx, target, until=level):
            pass
        function: FuncOp = entry_function(module)
        signature = Signature.of(function)
        values = [program.params[name] for name in signature.params]
        shapes = signature.output_shapes(values)
        outputs = [np.empty(shape, output.dtype.numpy) for shape, output in zip(shapes, signature.outputs, strict=True)]
        if level == "tile":
            run_tile(module, [*program.arguments, *outputs], program.params)
        else:
            run_loops(function, [*program.arguments, *outputs], program.params)
        return outputs

    return results


GENERATORS: Mapping[str, type[Generator] | type[GraphGenerator]] = MappingProxyType({"uop": Generator, "graph": GraphGenerator})

TARGETS: Mapping[str, Callable[[RandomProgram], Sequence[Any]]] = MappingProxyType(
    {
        "interpret": _compiled("interpret"),
        "loop": _interpreted("loop"),
        "cloop": _interpreted("cloop"),
        "tile": _interpreted("tile"),
        "cpu": _compiled("cpu"),
        "triton-interpret": _compiled("triton-interpret"),
        "cuda": _compiled("cuda"),
    }
)
