"""stepwell-opt: reads textual IR, runs passes on it, prints the result. Spelled like mlir-opt.

IR goes to standard output, and only IR; diagnostics, dumps, times and statistics go to standard error. Exit status: 0
success, 1 a diagnostic, 2 wrong usage, 70 an internal error, for which a reproducer is written.
"""

from __future__ import annotations

import os
import re
import sys
from argparse import Namespace
from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from ...ir.files import write_text
from ...lowering import TABLES
from ..programs import read_program
from ..streams import replace_closed_streams
from .arguments import parse_arguments

if TYPE_CHECKING:
    from .session import Session

OK, FAILED, USAGE, INTERNAL = 0, 1, 2, 70


class Part(NamedTuple):
    """A piece of the input that is compiled on its own, with the number of its first line."""

    text: str
    first_line: int


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command; `argv` leaves out the program's name. Returns the exit status."""
    replace_closed_streams()
    own_passes = [name for table in TABLES.values() for name, _ in table]
    argv = sys.argv[1:] if argv is None else argv
    try:
        if len(argv) == 2 and argv[0] in ("--help", "-help", "-h"):
            return _help(argv[1])
        arguments = parse_arguments(argv, own_passes, _plugin_passes)
    except _Unusable as error:
        return _complain(str(error), USAGE)
    try:
        return _run(arguments)
    except BrokenPipeError:
        # The reader has closed the stream. The rest of the buffer must not fail again when Python closes it.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return FAILED
    except KeyboardInterrupt:
        return 130
    except OSError as error:
        return _complain(f"stepwell-opt: error: {error.filename or 'output'}: {error.strerror}", FAILED)
    except Exception as error:
        # The last line of defence: a command never ends in a traceback, unless one was requested.
        if arguments.debug:
            raise
        return _complain(f"stepwell-opt: internal error: {type(error).__name__}: {error}", INTERNAL)


class _Unusable(Exception):
    """A plugin that cannot be used, or a pass that does not exist, with the message for the user."""


def _plugin_passes(files: Sequence[str]) -> list[str]:
    """The names of the passes of installed plugins and of those in files."""
    from ...ir.diagnostics import PipelineError
    from ...ir.plugins import from_file, installed

    try:
        return [each.name for plugin in (*map(from_file, files), *installed()) for each in plugin.passes]
    except PipelineError as error:
        raise _Unusable(error.render()) from error


def _help(name: str) -> int:
    """The page of a pass, with or without dashes before its name."""
    from ...lowering import all_passes
    from .listing import describe_pass

    registry = all_passes()
    found = registry.find(name.lstrip("-"))
    if found is None:
        raise _Unusable(f"stepwell-opt: error: unknown pass '{name}'{registry.suggestion(name)}")
    return _write("-", describe_pass(found))


def _run(arguments: Namespace) -> int:
    # Imported here, so that the help is shown at once.
    from ...ir.diagnostics import CompileError, PipelineError
    from .session import Session

    try:
        if arguments.list_passes or arguments.show_dialects or arguments.list_targets:
            return _write(arguments.output, _listing(arguments))
        name, text = read_program(arguments.input)
        session = Session(arguments, name, text)
    except PipelineError as error:
        return _complain(_colored(error.render(lambda _: ",".join(arguments.pipeline).split("\n"))), USAGE)
    except CompileError as error:
        return _complain(_colored(error.render()), FAILED)
    status, output = _run_parts(session, arguments, text)
    session.finish()
    return max(status, _write(arguments.output, output))


def _listing(arguments: Namespace) -> str:
    from .listing import list_dialects, list_passes, list_targets
    from .session import registry_of

    registry = registry_of(arguments)
    if arguments.list_targets:
        return list_targets()
    return list_dialects() if arguments.show_dialects else list_passes(registry)


def _run_parts(session: Session, arguments: Namespace, text: str) -> tuple[int, str]:
    """Compile each part, continuing after one that fails. Returns the worst status, and the text of the parts that succeed."""
    status = OK
    outputs: list[str] = []
    for part in _parts(text, arguments.split_input_file):
        result = session.compile(part.text, part.first_line)
        for error in result.errors:
            _complain(_colored(error), FAILED)
        status = max(status, result.status)
        if result.output is not None:
            outputs.append(result.output)
    return status, f"{arguments.output_split_marker}\n".join(outputs)


def _parts(text: str, marker: str | None) -> list[Part]:
    if marker is None or marker not in text:  # the search for lines takes long
        return [Part(text, 1)]
    parts: list[Part] = []
    line = 1
    for piece in re.split(rf"(?m)^[ \t]*{re.escape(marker)}[ \t]*$", text):
        parts.append(Part(piece, line))
        line += piece.count("\n")
    return parts


def _write(path: str, text: str) -> int:
    if path == "-":
        sys.stdout.write(text)
        sys.stdout.flush()
        return OK
    write_text(path, text)
    return OK


def _complain(text: str, status: int) -> int:
    sys.stderr.write(text.rstrip("\n") + "\n")
    return status


def _colored(text: str) -> str:
    """The text with its severities in colour, if the output is a terminal."""
    if not sys.stderr.isatty() or "NO_COLOR" in os.environ:
        return text
    colors = {"internal error": "1;31", "error": "1;31", "note": "1;36"}
    return re.sub(
        r"(?m)((?:^|: ))(internal error|error|note)(?=: )",
        lambda match: f"{match[1]}\x1b[{colors[match[2]]}m{match[2]}\x1b[0m",
        text,
    )


if __name__ == "__main__":
    sys.exit(main())
