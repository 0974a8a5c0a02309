"""`stepwell trace`: from a line of emitted code to its source lines, and from a source line to all operations made from it.

    stepwell trace model.py:layer --spec n,64 --line 120            # what became this line: one row for each change
    stepwell trace model.py:layer --spec n,64 --line 120 --level loop,scheduled --pass loop-fuse
    stepwell trace model.py:layer --spec n,64 --source model.py:3   # what this line became

A star marks the lines that yield the result of a source line; the other lines are intermediate steps. Rows are cut to the width
of a terminal; piped output is uncut, and without colours.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

from ..frontend.lowered.function import Lowered
from ..ir.diagnostics import CompileError, did_you_mean
from ..ir.locations import Frame
from .programs import add_program_arguments, lowered
from .terminal import Terminal

YIELDS = "*"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_program_arguments(parser)
    parser.add_argument("--line", type=int, metavar="N", help="a line of the emitted source: print its way up, a row a change")
    parser.add_argument("--source", metavar="FILE:LINE", help="a source line: print everything that it became")
    parser.add_argument("--level", action="append", default=[], metavar="LEVELS", help="only rows of these levels")
    parser.add_argument("--pass", dest="passes", action="append", default=[], metavar="PASSES", help="only changes by these")


def run(arguments: argparse.Namespace) -> int:
    """Without --line and --source, prints the emitted source with the source lines beside it."""
    low = lowered(arguments.program, arguments.spec, arguments.target)
    levels = _chosen("--level", arguments.level, low.levels)
    passes = _chosen("--pass", arguments.passes, [step.pass_name for step in low.trace.passes.steps])
    if passes and arguments.line is None:
        raise CompileError("--pass: expected a --line whose changes to choose from")
    terminal = Terminal()
    if arguments.line is not None:
        _way_up(low, arguments.line, levels, passes, terminal)
    if arguments.source is not None:
        _products(low, arguments.source, levels, terminal)
    if arguments.line is None and arguments.source is None:
        if levels:
            raise CompileError("--level: expected a --line or a --source whose rows to choose from")
        _listing(low, terminal)
    return 0


def _chosen(option: str, values: Sequence[str], known: Sequence[str]) -> tuple[str, ...]:
    """The names in an option's values. Raises CompileError for one that is not known."""
    names = tuple(name.strip() for value in values for name in value.split(","))
    for name in names:
        if name not in known:
            hint = did_you_mean(name, known) or f" (expected one of {', '.join(dict.fromkeys(known))})"
            raise CompileError(f"{option}: '{name}' is not in this program's pipeline{hint}")
    return names


def _way_up(low: Lowered, line: int, levels: Sequence[str], passes: Sequence[str], terminal: Terminal) -> None:
    try:
        sources = low.trace.sources(line)
    except ValueError as error:
        raise CompileError(f"--line: {error}") from error
    text = low.ir(low.levels[-1]).splitlines()[line - 1].strip()
    terminal.row(f"{terminal.paint(f'{low.levels[-1]}:{line}', 'strong')}: {text}")
    changes = [
        change
        for change in low.trace.changes(line)
        if (not levels or change.level in levels) and (not passes or change.pass_name in passes)
    ]
    width = max((len(change.pass_name) for change in changes), default=0)
    shown: tuple[str, int] | None = None
    for change in changes:
        run = change.pass_name, change.number
        name = "" if run == shown else change.pass_name
        shown = run
        place = terminal.paint(f"{change.level}:{change.line}", "soft")
        terminal.row(f"  {terminal.paint(f'{name:<{width}}', 'cyan')}  {place}: {change.text}")
    if not sources:
        terminal.row("  from no source line")
    for frame in sources:
        terminal.row(f"  from {terminal.paint(str(frame), 'green')}{_function(frame)}{_quoted(frame)}")
    for frame in low.trace.yields(line):
        terminal.row(f"  yields the output of {frame.file}:{frame.line}{_function(frame)}")


def _products(low: Lowered, place: str, levels: Sequence[str], terminal: Terminal) -> None:
    try:
        products = low.trace.products(place)
    except ValueError as error:
        raise CompileError(f"--source: {error}") from error
    if not products:
        raise CompileError(f"nothing came of '{place}'")
    outputs = set(low.trace.outputs(place))
    for level, line in products:
        if levels and level not in levels:
            continue
        mark = YIELDS if (level, line) in outputs else " "
        text = low.ir(level).splitlines()[line - 1].strip()
        terminal.row(f"{terminal.paint(mark, 'yellow')} {terminal.paint(f'{level}:{line}', 'soft')}: {text}")


def _listing(low: Lowered, terminal: Terminal) -> None:
    for number, text in enumerate(low.ir(low.levels[-1]).splitlines(), 1):
        outputs = {(frame.file, frame.line) for frame in low.trace.yields(number)}
        places = ", ".join(
            f"{Path(frame.file).name}:{frame.line}{YIELDS if (frame.file, frame.line) in outputs else ''}"
            for frame in low.trace.sources(number)
        )
        terminal.row(f"{number:5} {text:<100} {terminal.paint('<- ' + places, 'green') if places else ''}".rstrip())


def _function(frame: Frame) -> str:
    return f" in {frame.function}" if frame.function else ""


def _quoted(frame: Frame) -> str:
    """The source line's text, when the file can be read."""
    try:
        lines = Path(frame.file).read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError):
        return ""
    return f": {lines[frame.line - 1].strip()}" if 0 < frame.line <= len(lines) else ""
