"""Faults of a program: a pass that fails, a command that reports a fault, results that differ from the interpreter's."""

from __future__ import annotations

import re
import shlex
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import BlockArgument

from ...ir.diagnostics import CompileError
from ...ir.functions.entry import entry_function
from ...ir.index.expressions import Index, Param
from ...ir.text.printer import print_module
from ...ir.types.dtypes import DType, dtype_of
from ...ir.types.shapes import element_of, shape_of
from ...lowering.driver import level_of
from ...passes.manager.pass_manager import PassManager
from ...passes.manager.pipeline import Nest
from ...runtime.boundary.signature import Signature
from ...runtime.executable import Executable, compile_module
from ...runtime.interpret.levels import run_below_uop
from ..programs import run_on
from .isolation import isolated

# The allowed difference from the interpreter's results, relative to each element and to the largest one.
RELATIVE, ABSOLUTE = 1e-3, 1e-4
# The size of every axis whose size is not known, and the seed of the random elements.
SIZE, SEED = 7, 0
COMMAND_SECONDS = 60.0

# A function that describes the fault of a module; None if it has none.
Fault = Callable[[ModuleOp], str | None]


def text_of(module: ModuleOp) -> str:
    """The text of a module that may be invalid: in generic form if the custom one fails."""
    try:
        return print_module(module)
    except Exception:  # errors of operations' own printers, which rely on the verifier
        return print_module(module, generic=True)


def failure_of(pipeline: Nest, ctx: Context) -> Fault:
    """The failure of a pipeline on a module, verification included; None if it succeeds."""

    def fault(module: ModuleOp) -> str | None:
        try:
            PassManager(pipeline, ctx).run(module.clone())
        except Exception as error:  # any error is the failure to look for
            return _first_line(error)
        return None

    return fault


def said_by(command: str) -> Fault:
    """The fault of a module by the exit status of a command on a file with the module: 0 means that the module shows the fault.
    The file's name replaces `{}` among the words of the command, or follows them. Pipes and the like need a script, or `sh -c`.

    Raises CompileError for a command with an open quote or without a word, and for one that does not exist.
    """
    try:
        words = shlex.split(command)
    except ValueError as error:
        raise CompileError(f"--test {command}: {error}") from error
    if not words:
        raise CompileError("--test: expected a command")

    if shutil.which(words[0]) is None:
        raise CompileError(f"--test: no command '{words[0]}'")

    def fault(module: ModuleOp) -> str | None:
        with tempfile.TemporaryDirectory(prefix="stepwell-reduce-") as folder:
            path = Path(folder, "module.mlir")
            path.write_text(text_of(module), encoding="utf-8")
            line = [word.replace("{}", str(path)) for word in words] if "{}" in command else [*words, str(path)]
            try:
                done = subprocess.run(line, capture_output=True, timeout=COMMAND_SECONDS, check=False)
            except subprocess.TimeoutExpired:
                return None
        return "the command succeeds" if done.returncode == 0 else None

    return fault


@dataclass(frozen=True)
class Arguments:
    """The arguments of a program: the given arrays by number, and the values of its other parameters."""

    arrays: tuple[Any, ...] | None
    params: dict[str, int]

    def for_(self, signature: Signature) -> list[Any]:
        """Arrays for a signature: the given ones if their number fits, else random ones."""
        if self.arrays is not None and len(self.arrays) == len(signature.inputs):
            return list(self.arrays)
        return random_arrays(signature)


def random_arrays(signature: Signature) -> list[Any]:
    """An array for each input, the same ones each time; every parameter is `SIZE`."""
    values = {name: signature.sizes.get(name, SIZE) for name in signature.params}
    random = np.random.default_rng(SEED)
    return [_drawn(each.shape, each.dtype, values, random) for each in signature.inputs]


def random_array(argument: BlockArgument, params: Mapping[str, int]) -> Any:
    """An array for an argument at the given values of parameters: the same each time, but different for each position."""
    random = np.random.default_rng((SEED, argument.index))
    return _drawn(shape_of(argument), dtype_of(element_of(argument)), params, random)


def _drawn(shape: Iterable[Index], dtype: DType, params: Mapping[str, int], random: np.random.Generator) -> Any:
    def value_of(atom: object) -> int:
        return params.get(atom.name, SIZE) if isinstance(atom, Param) else SIZE

    sizes = [size.evaluate(value_of) for size in shape]
    is_float = np.dtype(dtype.numpy).kind not in "iub"
    return np.asarray(random.standard_normal(sizes) if is_float else random.integers(0, 2, sizes)).astype(dtype.numpy)


def expected_of(module: ModuleOp, arguments: Arguments) -> list[Any]:
    """The results of a module on the interpreter of its level. Raises CompileError for a module or arguments that the
    interpreter cannot run."""
    level = level_of(module)
    if level in ("graph", "uop"):
        executable = compile_module(module, target="interpret")
        return run_on(executable, arguments.for_(executable.signature), arguments.params)
    signature = signature_of(module)
    arrays = arguments.for_(signature)
    try:
        values = dict(
            zip(signature.params, signature.bind([each.shape for each in arrays], dict(arguments.params)), strict=True)
        )
        first, second = (run_below_uop(module, arrays, values, level, before) for before in (0, 1))
    except (TypeError, ValueError, IndexError, ZeroDivisionError) as error:
        raise CompileError(str(error)) from error
    if any(not np.array_equal(one, other, equal_nan=_has_nan(one)) for one, other in zip(first, second, strict=True)):
        raise CompileError("the program does not write all elements of its results", entry_function(module).location)
    return first


def wrong_in(make: Callable[[], Executable], arguments: Arguments, expected: Sequence[Any]) -> str | None:
    """The difference between the results of a program and the expected ones, or its failure; None if they agree. The program
    runs in a process of its own, which it may crash."""
    try:
        executable = make()
        results = isolated(lambda: executable.run(arguments.for_(executable.signature), arguments.params))
    except Exception as error:  # a failing program counts as wrong too
        return _first_line(error)
    return difference(results, expected)


def difference(results: Sequence[Any], expected: Sequence[Any]) -> str | None:
    """The difference between results and the expected ones; None if they agree."""
    if len(results) != len(expected):
        return f"the number of results differs: {len(results)}, expected {len(expected)}"
    return next(filter(None, map(_difference, range(len(expected)), results, expected)), None)


def difference_on(target: str | None, arguments: Arguments, ctx: Context, pipeline: Nest | None = None) -> Fault:
    """The difference between the results of a module on a target, or after a pipeline, and the interpreter's. A pipeline is run
    before the target's own passes. Without a target its output runs on the interpreter too, or on "cpu" if the interpreter does
    not have its level.
    """

    def compiled(module: ModuleOp) -> Executable:
        changed = module.clone()
        if pipeline is not None:
            PassManager(pipeline, ctx).run(changed)
        runs_on = target or ("interpret" if level_of(changed) in ("graph", "uop") else "cpu")
        return compile_module(changed, target=runs_on, ctx=ctx)

    def fault(module: ModuleOp) -> str | None:
        try:
            expected = expected_of(module, arguments)
        except Exception:  # without expected results there is no difference
            return None
        return wrong_in(lambda: compiled(module), arguments, expected)

    return fault


def _has_nan(array: Any) -> bool:
    """Whether the dtype has a NaN, which does not equal itself."""
    return array.dtype.kind not in "iub"


def same_kind(message: str) -> str:
    """A fault's text without numbers: a smaller program has other numbers."""
    return re.sub(r"[-+]?\d+(?:\.\d+)?(?:e[-+]?\d+)?|nan|inf", "#", message)


def signature_of(module: ModuleOp) -> Signature:
    """The signature of the entry function. Raises CompileError if there is none."""
    return Signature.of(entry_function(module))


def _first_line(error: Exception) -> str:
    message = error.message if isinstance(error, CompileError) else str(error)
    return f"{type(error).__name__}: {message.partition(chr(10))[0]}"


def _difference(number: int, result: Any, expected: Any) -> str | None:
    found, wanted = np.asarray(result), np.asarray(expected)
    if found.shape != wanted.shape:
        return f"result {number} differs: shape {found.shape}, expected {wanted.shape}"
    if wanted.dtype.kind in "iub":
        return None if np.array_equal(found, wanted) else f"result {number} differs"
    one, other = found.astype(np.float64), wanted.astype(np.float64)
    finite = other[np.isfinite(other)]
    most = ABSOLUTE * max(1.0, float(np.abs(finite).max()) if finite.size else 0.0)
    if np.allclose(one, other, rtol=RELATIVE, atol=most, equal_nan=True):
        return None
    with np.errstate(invalid="ignore"):
        return f"result {number} differs by up to {np.nanmax(np.abs(one - other)):.3g}"
