"""`stepwell trace`: from a line of emitted code to its source lines, and from a source line to all operations made from it.

A star marks the lines that yield what a source line computes; the others are on the way to it.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from ..dialects import make_context
from ..frontend.lowered import Lowered
from ..ir.diagnostics import CompileError
from ..ir.functions.entry import entry_function
from ..ir.locations import Frame
from ..ir.text.parser import parse_module
from ..runtime.boundary.signature import Signature
from ..runtime.executable import check_target
from .programs import load_function, read_program, users_errors

YIELDS = "*"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("program", help="FILE.mlir, or FILE.py:FUNCTION with a --spec for each argument")
    parser.add_argument("--spec", action="append", default=[], metavar="SIZES:DTYPE", help="an argument, such as n,64:float32")
    parser.add_argument("--target", default="cpu", help="cpu (default), cuda, triton-interpret or interpret")
    parser.add_argument("--line", type=int, metavar="N", help="a line of the emitted source: print its way up")
    parser.add_argument("--source", metavar="FILE:LINE", help="a source line: print everything that it became")


def run(arguments: argparse.Namespace) -> int:
    """Without --line and --source, prints the emitted source with the source lines beside it."""
    low = _lowered(arguments.program, arguments.spec, arguments.target)
    if arguments.line is not None:
        _way_up(low, arguments.line)
    if arguments.source is not None:
        _products(low, arguments.source)
    if arguments.line is None and arguments.source is None:
        _listing(low)
    return 0


def _way_up(low: Lowered, line: int) -> None:
    try:
        sources = low.trace.sources(line)
    except ValueError as error:
        raise CompileError(f"--line: {error}") from error
    print(f"{low.levels[-1]}:{line}: {low.ir(low.levels[-1]).splitlines()[line - 1].strip()}")
    for level, number, text in low.trace.ancestry(line):
        print(f"  {level}:{number}: {text}")
    for frame in sources:
        print(f"  from {frame}{_function(frame)}{_quoted(frame)}")
    for frame in low.trace.yields(line):
        print(f"  yields the output of {frame.file}:{frame.line}{_function(frame)}")


def _products(low: Lowered, place: str) -> None:
    try:
        products = low.trace.products(place)
    except ValueError as error:
        raise CompileError(f"--source: {error}") from error
    if not products:
        raise CompileError(f"nothing came of '{place}'")
    outputs = set(low.trace.outputs(place))
    for level, line in products:
        mark = YIELDS if (level, line) in outputs else " "
        print(f"{mark} {level}:{line}: {low.ir(level).splitlines()[line - 1].strip()}")


def _listing(low: Lowered) -> None:
    for number, text in enumerate(low.ir(low.levels[-1]).splitlines(), 1):
        outputs = {(frame.file, frame.line) for frame in low.trace.yields(number)}
        places = ", ".join(
            f"{Path(frame.file).name}:{frame.line}{YIELDS if (frame.file, frame.line) in outputs else ''}"
            for frame in low.trace.sources(number)
        )
        print(f"{number:5} {text:<100} {'<- ' + places if places else ''}".rstrip())


def _function(frame: Frame) -> str:
    return f" in {frame.function}" if frame.function else ""


def _quoted(frame: Frame) -> str:
    """The source line's text, when the file can be read."""
    try:
        lines = Path(frame.file).read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError):
        return ""
    return f": {lines[frame.line - 1].strip()}" if 0 < frame.line <= len(lines) else ""
