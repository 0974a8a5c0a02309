"""`stepwell tune`: measures tile and block sizes for the contractions of a program, and keeps the best for later compiles; with
`--target cuda`, tiles of its products on the GPU.

Sizes that are constants of the program are part of a finding's key; symbolic sizes share one finding, measured at the sizes
given here. Findings are kept in the cache folder, for this machine and compiler: `stepwell cache tuned` shows them.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from typing import Any

import numpy as np
from xdsl.dialects.builtin import ModuleOp

from ...dialects import make_context
from ...ir.diagnostics import CompileError
from ...ir.functions.entry import entry_function
from ...ir.text.parser import parse_module
from ...lowering.machine import Machine
from ...passes.analysis.kernel_cost import Gpu
from ...runtime.boundary.arrays import HostBoundary
from ...runtime.boundary.signature import Signature
from ...runtime.cache.disk import Cache, default_cache
from ...runtime.toolchain.host import target_gpu, target_machine
from ...runtime.toolchain.tuned_sizes import FILE, findings_of
from ..executors import add_executor, executor_of
from ..programs import check_count, load_function, read_program, spec_of, users_errors
from ..progress import progress
from ..run import arrays_in_order, integer, pairs_of
from .search import Tuner, alternatives

SEED = 0


@dataclass(frozen=True)
class Program:
    """A program to tune, with the arrays and the values of the signature's parameters that it is called with."""

    module: ModuleOp
    signature: Signature
    arrays: Sequence[Any]
    values: Sequence[int]

    @staticmethod
    def of(module: ModuleOp, signature: Signature, given: Sequence[Any], params: Mapping[str, int]) -> Program:
        """The program of a module with its arguments. Raises CompileError for arrays and `$params` that the program does not
        take."""
        try:
            arrays = [HostBoundary.take(each, to.name, to.dtype) for each, to in zip(given, signature.inputs, strict=True)]
            return Program(module, signature, arrays, signature.bind([each.shape for each in arrays], params))
        except (TypeError, ValueError) as error:
            raise CompileError(str(error)) from error


def add_arguments(parser: argparse.ArgumentParser) -> None:
    argument = "an argument of FILE.mlir, from a file"
    parser.add_argument("program", help="FILE.mlir with --arg, or FILE.py:FUNCTION with a --spec for each argument")
    parser.add_argument("--arg", action="append", default=[], metavar="NAME=FILE.npy", help=argument)
    parser.add_argument("--param", action="append", default=[], metavar="NAME=INT", help="a $param, by name")
    parser.add_argument("--spec", action="append", default=[], metavar="SIZES:DTYPE", help="an argument, such as 512,64")
    parser.add_argument("--static", action="store_true", help="tune for these sizes alone, as sw.jit(static=True) compiles")
    parser.add_argument("--target", choices=("cpu", "cuda"), default="cpu", help="what it is tuned for (default cpu)")
    add_executor(parser, "measure all choices of a size at once")
    parser.add_argument("--budget", type=_seconds, default=30.0, metavar="SECONDS", help="when to stop (default 30)")


def _seconds(text: str) -> float:
    try:
        found = float(text)
    except ValueError:
        found = -1.0
    if not found >= 0:
        raise argparse.ArgumentTypeError(f"expected seconds of at least 0, got {text}")
    return found


def run(arguments: argparse.Namespace) -> int:
    """Search, and print the findings."""
    deadline = time.monotonic() + arguments.budget
    params = {key: integer(key, value) for key, value in pairs_of(arguments.param, "--param").items()}
    program = _program(arguments, params)
    if arguments.target == "cuda":
        return _run_on_gpu(arguments, program, deadline)
    machine = target_machine()
    cache = default_cache()
    tuner = Tuner(program.module, program.signature, program.arrays, program.values, machine, cache, deadline)
    keys = list(tuner.keys)
    if not keys:
        raise CompileError("there is nothing to tune: the program has no contraction that is done in tiles")
    count = sum(map(len, alternatives(machine, tuner.usual).values()))
    chosen = executor_of(arguments.executor) if arguments.executor else nullcontext()
    with chosen as executor, progress("tuning", count * len(keys)) as shown:
        tuner.run(shown, executor)
    return _report(cache, machine, keys, tuner.tried)


def _run_on_gpu(arguments: argparse.Namespace, program: Program, deadline: float) -> int:
    """Search on the card, and print the findings."""
    from .gpu_search import ALTERNATIVES, GpuTuner

    if arguments.executor:
        raise CompileError("--executor: workers measure on CPUs; --target cuda measures on this machine's card")
    gpu, cache = target_gpu(), default_cache()
    tuner = GpuTuner(program.module, program.signature, program.arrays, program.values, gpu, cache, deadline)
    keys = list(tuner.keys)
    if not keys:
        raise CompileError("there is nothing to tune: the program has no product of matrices that is done in tiles")
    with progress("tuning", sum(len(choices) for _, choices in ALTERNATIVES) * len(keys)) as shown:
        tuner.descend(shown)
    return _report(cache, gpu, keys, tuner.tried)


def _report(cache: Cache, machine: Machine | Gpu, keys: Sequence[str], tried: int) -> int:
    findings = findings_of(cache, machine)
    for key in keys:
        print(f"{key}: {findings.get(key, 'nothing better than the usual sizes was found')}")
    print(f"{tried} candidates tried; findings are kept in {cache.root / FILE}")
    return 0


def _program(arguments: argparse.Namespace, params: Mapping[str, int]) -> Program:
    file, _, function = arguments.program.rpartition(":")
    if file.endswith(".py"):
        loaded = load_function(file, function)
        check_count(loaded, len(arguments.spec))
        return _traced(loaded, arguments.spec, params, arguments.static)
    if arguments.program.endswith(".py"):
        raise CompileError(f"expected FILE.py:FUNCTION, or text in another file, got '{arguments.program}'")
    name, text = read_program(arguments.program)
    module = parse_module(text, make_context(), name)
    signature = Signature.of(entry_function(module))
    return Program.of(module, signature, arrays_in_order(pairs_of(arguments.arg, "--arg"), signature), params)


def _traced(function: Any, texts: Sequence[str], params: Mapping[str, int], static: bool) -> Program:
    """A function of Python on random arrays of given sizes."""
    from ...frontend.calls.traced import UnknownKeyword
    from ...frontend.jit import signature_of, traced_for

    random = np.random.default_rng(SEED)
    arrays = [_random(random, text) for text in texts]
    try:
        with users_errors():
            traced = traced_for(function, arrays, params, static=static)
    except UnknownKeyword as error:
        known = ", ".join(error.known) or "none"
        raise CompileError(f"--param: unknown parameter '{error.name}'; the program's parameters are: {known}") from error
    except TypeError as error:
        raise CompileError(str(error)) from error
    return Program.of(traced.module, signature_of(traced), [*arrays, *traced.captured], params)


def _random(random: np.random.Generator, text: str) -> Any:
    """An array with values whose sums do not overflow. Raises CompileError for sizes that are not numbers."""
    spec = spec_of(text)
    sizes = [size.constant for size in spec.shape]
    known = [size for size in sizes if size is not None and size > 0]
    if len(known) != len(sizes):
        raise CompileError(f"--spec {text}: expected sizes as numbers of at least 1: for others there is nothing to measure")
    return (random.random(known) * 4 - 2).astype(spec.dtype.numpy)
