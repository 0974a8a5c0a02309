"""Programs that the commands are given: IR as text, from a file or from standard input."""

from __future__ import annotations

import sys


def read_program(path: str) -> tuple[str, str]:
    """The name and the text of a program; `-` is standard input. Raises OSError, or ParseError when it is not text."""
    # Imported here: commands show their help without it.
    from ..ir.diagnostics import ParseError
    from ..ir.locations import Frame

    name = "<stdin>" if path == "-" else path
    if path == "-":
        data = sys.stdin.buffer.read()
    else:
        with open(path, "rb") as file:
            data = file.read()
    try:
        return name, data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        column = error.start - data.rfind(b"\n", 0, error.start)
        raise ParseError(f"not UTF-8 text: {error.reason}", Frame(name, line, column)) from error
