"""`stepwell run FILE --arg x=in.npy --out y.npy`: compile a program given as IR, and run it on arrays from files."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from ..ir.diagnostics import CompileError, did_you_mean
from ..ir.functions import entry_function
from ..ir.parsing import parse_module
from ..runtime.executable import compile_module
from ..runtime.signature import Signature


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", help="a program at any level, in text; - is standard input")
    parser.add_argument("--arg", action="append", default=[], metavar="NAME=FILE.npy", help="an argument, by name, from a file")
    parser.add_argument("--param", action="append", default=[], metavar="NAME=INT", help="a $param, by name")
    parser.add_argument("--out", action="append", default=[], metavar="FILE.npy", help="where the next result goes")
    parser.add_argument("--target", default="cpu", help="cpu (default), cuda, triton-interpret or interpret")


def run(arguments: argparse.Namespace) -> int:
    """Compile and run; results without `--out` are printed."""
    from ..dialects import make_context

    name = "<stdin>" if arguments.file == "-" else arguments.file
    text = sys.stdin.read() if arguments.file == "-" else Path(arguments.file).read_text(encoding="utf-8")
    ctx = make_context()
    module = parse_module(text, ctx, name)
    signature = Signature.of(entry_function(module))
    arrays = _in_order(_pairs(arguments.arg, "--arg"), signature)
    params = {key: _integer(key, value) for key, value in _pairs(arguments.param, "--param").items()}
    if len(arguments.out) > len(signature.outputs):
        raise CompileError(f"{len(arguments.out)} times --out, but the program has {len(signature.outputs)} results")
    results = compile_module(module, target=arguments.target, ctx=ctx).run(arrays, params)
    for number, result in enumerate(results):
        if number < len(arguments.out):
            np.save(arguments.out[number], np.asarray(result), allow_pickle=False)
        else:
            print(result)
    return 0


def _pairs(words: Sequence[str], option: str) -> dict[str, str]:
    pairs: dict[str, str] = {}
    for word in words:
        name, equals, value = word.partition("=")
        if not equals or not name:
            raise CompileError(f"{option}: expected NAME=VALUE, got '{word}'")
        if name in pairs:
            raise CompileError(f"{option}: '{name}' is given twice")
        pairs[name] = value
    return pairs


def _in_order(files: dict[str, str], signature: Signature) -> list[Any]:
    """The arrays in the order of the program's arguments."""
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
    return [np.load(files[name], allow_pickle=False) for name in names]


def _integer(name: str, text: str) -> int:
    try:
        return int(text)
    except ValueError:
        raise CompileError(f"--param: '{name}' must be an integer, got '{text}'") from None
