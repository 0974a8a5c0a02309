"""The `stepwell` command: `stepwell COMMAND ...`.

A command is one row of COMMANDS: its name, one line of help, and the module, loaded only when the command is chosen,
with two functions: `add_arguments(parser)` and `run(arguments) -> int`, which returns the exit status.

Exit status: 0 success, 1 an error in the input or in this machine's set-up, 2 wrong usage, 70 an internal error, 130 an
interrupt.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from importlib import import_module
from typing import NamedTuple

from .. import __version__
from .streams import replace_closed_streams

INTERNAL_ERROR = 70


class Command(NamedTuple):
    """A row of the table: `module` is relative to this package."""

    name: str
    help: str
    module: str


COMMANDS = (
    Command("run", "compile a program given as IR and run it on arrays from files", ".run"),
    Command("explore", "write a page that shows a program on all levels and through all passes", ".explore"),
    Command("trace", "follow a line of emitted code up to its source, or a source line down", ".trace"),
    Command("tune", "find the tiles and blocks that suit a program's contractions, for later compiles", ".tune.command"),
    Command("fuzz", "compare random programs on all targets and levels with the oracle", ".fuzz.command"),
    Command(
        "reduce",
        "find the smallest module that still crashes, is wrong, or passes a test",
        ".reduce.command",
    ),
    Command("bisect", "find the pass, and the rewrite in it, that makes a result wrong", ".reduce.bisect"),
    Command("coverage", "run every operation on every dtype and target, and print what works", ".coverage.command"),
    Command("rules", "list the rewrite rules", ".rules"),
    Command("reference", "print the page of all passes, of all dialects and operations, or of the Python API", ".reference"),
    Command("accuracy", "measure the error of the emitted elementary functions, over all float32 or a part", ".accuracy"),
    Command("lsp", "serve editors: diagnostics, hovers, definitions and completion in programs as text", ".lsp.command"),
    Command("doctor", "print compiler, processor, GPU, versions and cache state, and what is missing", ".doctor"),
    Command("cache", "look at, check or empty the cache of compiled code", ".cache"),
)


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line `argv` (default: that of the process) and return its exit status."""
    replace_closed_streams()
    argv = sys.argv[1:] if argv is None else list(argv)
    chosen = next((word for word in argv if not word.startswith("-")), None)
    arguments = _parser(chosen).parse_args(argv)
    try:
        status = arguments.run(arguments)
        sys.stdout.flush()
        return status
    except BrokenPipeError:
        # The reader has closed the pipe (`stepwell ... | head`). Python would fail again when it flushes at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    except KeyboardInterrupt:
        print("stepwell: interrupted", file=sys.stderr)
        return 130
    except Exception as error:  # The outermost frame: a command always ends with a message.
        if arguments.debug:
            raise
        return _report(error)


def _parser(chosen: str | None) -> argparse.ArgumentParser:
    """The parser of all commands; only the module of the chosen one is loaded."""
    parser = argparse.ArgumentParser(prog="stepwell", description="A multi-level compiler for tensor programs.")
    parser.add_argument("--version", action="version", version=f"stepwell {__version__}")
    parser.add_argument("--debug", action="store_true", help="print the traceback of an error")
    commands = parser.add_subparsers(metavar="COMMAND", required=True)
    for command in COMMANDS:
        subparser = commands.add_parser(command.name, help=command.help, description=command.help)
        if command.name == chosen:
            module = import_module(command.module, __package__)
            module.add_arguments(subparser)
            subparser.set_defaults(run=module.run)
    return parser


def _report(error: Exception) -> int:
    """Print an error in one message. Returns the exit status for its kind."""
    from ..ir.diagnostics import CompileError, InternalError

    if isinstance(error, CompileError):
        print(error.render(), file=sys.stderr)
        return INTERNAL_ERROR if isinstance(error, InternalError) else 1
    if _is_fault_of_the_machine(error):
        print(f"stepwell: error: {_text_of(error)}", file=sys.stderr)
        return 1
    text = f"{type(error).__name__}: {error}"
    print(f"stepwell: internal error: {text} (stepwell --debug prints the traceback)", file=sys.stderr)
    return INTERNAL_ERROR


def _text_of(error: Exception) -> str:
    """The message of an error: for files in the words of stepwell-opt, otherwise the error's own."""
    return f"{error.filename}: {error.strerror}" if isinstance(error, OSError) and error.filename else str(error)


def _is_fault_of_the_machine(error: Exception) -> bool:
    """Whether a file, the C compiler or the loader failed, not Stepwell."""
    from ..runtime.cpu.library import LibraryError
    from ..runtime.toolchain.compiler import CompilerError, CompilerNotFound

    return isinstance(error, OSError | LibraryError | CompilerError | CompilerNotFound)


if __name__ == "__main__":
    sys.exit(main())
