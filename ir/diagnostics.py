"""Errors of the compiler, and their rendering.

A `CompileError` is an error in the user's program: it has a message, a location, and notes. It renders in the usual format,

    model.py:12:5: error: 'graph.add': expected ..., got ...
    y = x + bias
          ^

An `InternalError` is a bug of the compiler; it names the reproducer that was written, if any.
"""

from __future__ import annotations

import difflib
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

from xdsl.dialects.builtin import LocationAttr

from .locations import Frame, frames

SourceLookup = Callable[[str], Sequence[str] | None]
Place = LocationAttr | Frame | None

# A fused location can have hundreds of sources; show only the first few.
_MAX_SOURCES_SHOWN = 4


class Note(NamedTuple):
    """An additional message of an error, with its own location if it has one."""

    message: str
    location: Place = None


class CompileError(Exception):
    """An error in the compiled program, at a location in its source."""

    severity = "error"

    def __init__(self, message: str, location: Place = None, notes: Iterable[Note | str] = ()):
        super().__init__(message)
        self.message = message
        self.location = location
        self.notes = tuple(note if isinstance(note, Note) else Note(note) for note in notes)

    def __str__(self) -> str:
        return self.render(no_sources)

    @property
    def frame(self) -> Frame | None:
        """The position of the error, None if it is unknown."""
        return next(iter(_frames_of(self.location)), None)

    def render(self, source_lookup: SourceLookup | None = None) -> str:
        """The whole diagnostic as text; `source_lookup` gives the lines of a file, by default those on disk."""
        lookup = source_lookup if source_lookup is not None else read_source_lines
        first, *others = _frames_of(self.location) or (None,)
        parts = [_render(self.severity, self.message, first, lookup)]
        parts += [_render("note", "also from here", frame, lookup) for frame in others[: _MAX_SOURCES_SHOWN - 1]]
        for note in self.notes:
            position = next(iter(_frames_of(note.location)), None)
            parts.append(_render("note", note.message, position, lookup))
        return "\n".join(parts)


class Remark(CompileError):
    """Says why a pass left an operation unchanged. Not an error."""

    severity = "remark"


class ParseError(CompileError):
    """Text that is not valid IR."""


class VerifyError(CompileError):
    """IR that violates a constraint of its operations."""


class ShapeError(CompileError):
    """Sizes, ranks or dtypes that do not fit together. Those of shape rules list each violation in `reports`."""

    def __init__(self, message: str, location: Place = None, notes: Iterable[Note | str] = (), reports: Iterable[str] = ()):
        super().__init__(message, location, notes)
        self.reports = list(reports)


class LegalityError(CompileError):
    """Operations that a lowering should have removed."""


class PipelineError(CompileError):
    """A malformed pass pipeline, or option of a pass."""


class InternalError(CompileError):
    """A bug of the compiler. `reproducer` is the path of the file that reproduces it, None if there is none."""

    severity = "internal error"

    def __init__(
        self,
        message: str,
        location: Place = None,
        notes: Iterable[Note | str] = (),
        reproducer: str | None = None,
    ):
        super().__init__(message, location, notes)
        self.reproducer = reproducer


def did_you_mean(name: object, candidates: Iterable[str]) -> str:
    """`: did you mean 'x'?` for the candidate closest to `name`, the empty string when none is close."""
    close = difflib.get_close_matches(str(name), sorted(set(candidates)), n=1, cutoff=0.6)
    return f": did you mean '{close[0]}'?" if close else ""


def decoded(data: bytes, file: str) -> str:
    """The text in a file of this name. Raises ParseError, at the first invalid byte, if it is not UTF-8."""
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        column = error.start - data.rfind(b"\n", 0, error.start)
        raise ParseError(f"not UTF-8 text: {error.reason}", Frame(file, line, column)) from error


def read_source_lines(file: str) -> Sequence[str] | None:
    """The lines of a file on disk, None when it cannot be read as text."""
    try:
        return Path(file).read_text(encoding="utf-8").splitlines()
    except (OSError, ValueError):
        # ValueError: not text, or a name such as "<stdin>\0" that no file can have.
        return None


def no_sources(file: str) -> Sequence[str] | None:
    """A source lookup without files, for renderings of one line."""
    return None


def _frames_of(place: Place) -> tuple[Frame, ...]:
    if place is None:
        return ()
    return (place,) if isinstance(place, Frame) else frames(place)


# Only a part of longer lines is shown, around the position.
_LONGEST_LINE, _CUT = 400, "..."


def _render(severity: str, message: str, frame: Frame | None, lookup: SourceLookup) -> str:
    if frame is None:
        return f"{severity}: {message}"
    head = f"{frame}: {severity}: {message}"
    lines = lookup(frame.file)
    if lines is None or not 1 <= frame.line <= len(lines):
        return head
    line, column = lines[frame.line - 1].rstrip("\r\n"), frame.column
    if len(line) > _LONGEST_LINE:
        start = max(min(column - 1, len(line)) - _LONGEST_LINE // 2, 0)
        cut = line[start : start + _LONGEST_LINE]
        line = f"{_CUT if start else ''}{cut}{_CUT if start + len(cut) < len(line) else ''}"
        column -= start - len(_CUT) if start else 0
    # Keep tabs, so that the caret is under its character for any tab width.
    lead = "".join(char if char == "\t" else " " for char in line[: max(column - 1, 0)])
    return f"{head}\n{line}\n{lead}^"
