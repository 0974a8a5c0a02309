"""`stepwell run FILE --arg x=in.npy --out y.npy`: compile a program given as IR, and run it on arrays from files."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import Any

import numpy as np

from ..ir.diagnostics import CompileError, did_you_mean
from ..ir.functions.entry import entry_function
from ..ir.text.parser import parse_module
from ..runtime.boundary.signature import Signature
from ..runtime.executable import Executable, check_target, compile_module
from .programs import read_program


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", help="a program at any level, in text; - is standard input")
    parser.add_argument("--arg", action="append", default=[], metavar="NAME=FILE.npy", help="an argument, by name, from a file")
    parser.add_argument("--param", action="append", default=[], metavar="NAME=INT", help="a $param, by name")
    parser.add_argument("--out", action="append", default=[], metavar="FILE.npy", help="where the next result goes")
    parser.add_argument("--target", default="cpu", help="cpu (default), cuda, triton-interpret or interpret")


def run(arguments: argparse.Namespace) -> int:
    """Compile and run; results without `--out` are printed."""
    from ..dialects import make_context

    check_target(arguments.target)
    name, text = read_program(arguments.file)
    ctx = make_context()
    module = parse_module(text, ctx, name)
    signature = Signature.of(entry_function(module))
    arrays = arrays_in_order(pairs_of(arguments.arg, "--arg"), signature)
    params = {key: integer(key, value) for key, value in pairs_of(arguments.param, "--param").items()}
    if len(arguments.out) > len(signature.outputs):
        raise CompileError(f"{len(arguments.out)} times --out, but the program has {len(signature.outputs)} results")
    results = _run(compile_module(module, target=arguments.target, ctx=ctx), arrays, params)
    for number, result in enumerate(results):
        if number < len(arguments.out):
            np.save(arguments.out[number], np.asarray(result), allow_pickle=False)
        else:
            print(result)
    return 0


def _run(executable: Executable, arrays: Sequence[Any], params: dict[str, int]) -> list[Any]:
    """The results. What is wrong with the arrays is a CompileError here: it is the message of the command."""
    try:
        return executable.run(arrays, params)
    except (TypeError, ValueError, IndexError, ZeroDivisionError) as error:
        raise CompileError(str(error)) from error


def pairs_of(words: Sequence[str], option: str) -> dict[str, str]:
    """What `NAME=VALUE` words say. Raises CompileError for another word, and for a name that is given twice."""
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
    for name in files:
        if name not in names:
            hint = did_you_mean(name, names)
            raise CompileError(
                f"--arg: the program has no argument '{name}'{hint}; its arguments are {', '.join(names) or 'none'}"
            )
    for name in names:
        if name not in files:
            raise CompileError(f"argument '{name}' is missing: give --arg {name}=FILE.npy")
    return [_load(name, files[name]) for name in names]


def _load(name: str, file: str) -> Any:
    """The array in a file. Raises CompileError when there is no plain array in it."""
    try:
        found = np.load(file, allow_pickle=False)
    except (ValueError, EOFError) as error:
        raise CompileError(f"argument '{name}': '{file}' holds no array: {error}") from error
    if not isinstance(found, np.ndarray):
        raise CompileError(f"argument '{name}': '{file}' holds several arrays: give a file of one, as np.save writes it")
    return found


def integer(name: str, text: str) -> int:
    """The value of a parameter. Raises CompileError for what is no integer."""
    try:
        return int(text)
    except ValueError:
        raise CompileError(f"--param: '{name}' must be an integer, got '{text}'") from None
