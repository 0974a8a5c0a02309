"""`stepwell run PROGRAM --arg x=in.npy --out y.npy`: compile a program and run it on arrays from files.

stepwell run layer.mlir --arg x=x.npy --arg w=w.npy --out y.npy
stepwell run model.py:layer --arg x=x.npy --arg w=w.npy --profile --profile-trace layer.json --profile-page layer.html
"""

from __future__ import annotations

import argparse
import inspect
import sys
from collections.abc import Sequence
from typing import Any

import numpy as np

from ..frontend.jit import lower
from ..frontend.lowered.function import Lowered
from ..ir.diagnostics import CompileError, did_you_mean
from ..ir.functions.entry import entry_function
from ..ir.plugins import from_file
from ..ir.text.parser import parse_module
from ..runtime.boundary.signature import Signature
from ..runtime.executable import Executable, check_target, compile_module
from .programs import load_function, read_program, run_on, users_errors

# Parameters that take several arguments, which then have no names.
_SEVERAL = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", help="FILE.mlir, a program at any level, - for standard input; or FILE.py:FUNCTION")
    parser.add_argument("--arg", action="append", default=[], metavar="NAME=FILE.npy", help="an argument, by name, from a file")
    parser.add_argument("--param", action="append", default=[], metavar="NAME=INT", help="a $param, by name")
    parser.add_argument("--out", action="append", default=[], metavar="FILE.npy", help="where the next result goes")
    parser.add_argument("--target", default="cpu", help="cpu (default), cuda, triton-interpret, interpret, or that of a plugin")
    parser.add_argument("--load-pass-plugin", action="append", default=[], metavar="FILE.py", help="a plugin in a file")
    parser.add_argument("--profile", action="store_true", help="print where the time goes, by source line, to standard error")
    parser.add_argument(
        "--profile-trace", metavar="FILE.json", help="write the profile for ui.perfetto.dev or chrome://tracing"
    )
    parser.add_argument("--profile-page", metavar="FILE.html", help="write the explorer's page with the measured times")


def run(arguments: argparse.Namespace) -> int:
    """Compile and run; results without `--out` are printed."""
    for path in arguments.load_pass_plugin:
        from_file(path)
    check_target(arguments.target)
    files = pairs_of(arguments.arg, "--arg")
    params = {key: integer(key, value) for key, value in pairs_of(arguments.param, "--param").items()}
    is_measured = arguments.profile or arguments.profile_trace or arguments.profile_page
    program, arrays = _program(arguments, files, is_measured)
    outputs = program.signature.outputs
    if len(arguments.out) > len(outputs):
        raise CompileError(f"--out: expected at most {len(outputs)}, the number of results, got {len(arguments.out)}")
    results = run_on(program, arrays, params)
    if isinstance(program, Lowered) and is_measured:
        _profile(program, arrays, params, arguments)
    for number, result in enumerate(results):
        if number < len(arguments.out):
            _save(arguments.out[number], np.asarray(result))
        else:
            print(result)
    return 0


def _program(arguments: argparse.Namespace, files: dict[str, str], is_measured: bool) -> tuple[Executable | Lowered, list[Any]]:
    """The compiled program and its arrays; lowered with a trace if it is to be measured, or a function of a Python file."""
    from ..dialects import make_context

    file, _, name = arguments.file.rpartition(":")
    if file.endswith(".py"):
        return lowered_function(file, name, files, arguments.target)
    name, text = read_program(arguments.file)
    ctx = make_context()
    module = parse_module(text, ctx, name)
    signature = Signature.of(entry_function(module))
    arrays = arrays_in_order(files, signature)
    if is_measured:
        return Lowered(module, arguments.target, signature, ctx=ctx), arrays
    return compile_module(module, target=arguments.target, ctx=ctx), arrays


def lowered_function(file: str, name: str, files: dict[str, str], target: str) -> tuple[Lowered, list[Any]]:
    """A function of a Python file, lowered for arguments from files, and these arguments. Raises CompileError for a missing
    file or function, for missing and unknown arguments, and for errors in the function."""
    function = load_function(file, name)
    parameters = [each for each in inspect.signature(function).parameters.values() if each.kind not in _SEVERAL]
    needed = [k for k, each in enumerate(parameters) if each.default is each.empty or each.name in files]
    arrays = _in_order(files, [each.name for each in parameters], max(needed, default=-1) + 1)
    with users_errors():
        return lower(function, *arrays, target=target), arrays


def _profile(low: Lowered, arrays: Sequence[Any], params: dict[str, int], arguments: argparse.Namespace) -> None:
    """Measure the program, print the table, and write the requested files."""
    profile = low.profile(*arrays, **params)
    if arguments.profile:
        sys.stderr.write(f"{profile}\n")
    if arguments.profile_trace:
        profile.save_trace(arguments.profile_trace)
    if arguments.profile_page:
        profile.explore(arguments.profile_page)


def pairs_of(words: Sequence[str], option: str) -> dict[str, str]:
    """The values in `NAME=VALUE` words, by name. Raises CompileError for any other word, and for a name that is given twice."""
    pairs: dict[str, str] = {}
    for word in words:
        name, equals, value = word.partition("=")
        if not equals or not name:
            raise CompileError(f"{option}: expected NAME=VALUE, got '{word}'")
        if name in pairs:
            raise CompileError(f"{option}: '{name}' is given twice")
        pairs[name] = value
    return pairs


def arrays_in_order(files: dict[str, str], signature: Signature) -> list[Any]:
    """The arrays in the order of the program's arguments. Raises CompileError for one that is missing or unknown."""
    names = [parameter.name for parameter in signature.inputs]
    # An argument whose name is a number is called "argument 0".
    unnamed = {str(k): name for k, name in enumerate(names) if name == f"argument {k}"}
    return _in_order({unnamed.get(name, name): file for name, file in files.items()}, names)


def _in_order(files: dict[str, str], names: Sequence[str], needed: int | None = None) -> list[Any]:
    """The arrays of the first `needed` names, by default of all."""
    for name in files:
        if name not in names:
            hint = did_you_mean(name, names)
            raise CompileError(
                f"--arg: the program has no argument '{name}'{hint}; its arguments are {', '.join(names) or 'none'}"
            )
    for name in names[:needed]:
        if name not in files:
            raise CompileError(f"argument '{name}' is missing: give --arg {name}=FILE.npy")
    return [_load(name, files[name]) for name in names[:needed]]


def _save(path: str, array: np.ndarray) -> None:
    """Write an array to the file of exactly this name. Raises CompileError when it cannot be written."""
    try:
        with open(path, "wb") as file:  # np.save would add a suffix to the name
            np.save(file, array, allow_pickle=False)
    except OSError as error:
        raise CompileError(f"--out: '{path}' cannot be written: {error.strerror or error}") from error


def _load(name: str, file: str) -> Any:
    """The array in a file. Raises CompileError if the file has no plain array."""
    try:
        found = np.load(file, allow_pickle=False)
    except (ValueError, EOFError) as error:
        # NumPy takes unknown data for pickled objects, and advises to load them.
        reason = "no file that np.save has written, or one of objects" if "allow_pickle" in str(error) else error
        raise CompileError(f"argument '{name}': '{file}' holds no array: {reason}") from error
    if not isinstance(found, np.ndarray):
        raise CompileError(f"argument '{name}': '{file}' holds several arrays: give a file of one, as np.save writes it")
    return found


def integer(name: str, text: str) -> int:
    """The value of a parameter. Raises CompileError for text that is not an integer."""
    try:
        return int(text)
    except ValueError:
        raise CompileError(f"--param: '{name}' must be an integer, got '{text}'") from None
