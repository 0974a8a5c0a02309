"""`--verify-diagnostics`: comparison of the errors that a file expects with those that occur.

    %1 = arith.addi %0, %0 : i32   // expected-error {{does not dominate}}
    // expected-error@+1 {{...}}   // expected-error@above {{...}}   // expected-error-re {{got {{[0-9]+}}}}

An error matches an expectation of its kind on its line whose text it contains. As in MLIR `@above` and `@below` skip
lines that only hold expectations. Notes that no expectation names are ignored.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from ...ir.diagnostics import CompileError
from ...ir.locations import Frame, frames

_DIRECTIVE = re.compile(r"expected-(error|warning|remark|note)(-re)? *(?:@([+-][0-9]+|above|below|unknown))? *\{\{(.*)\}\}\s*$")
_UNKNOWN = -1


@dataclass(frozen=True)
class Diagnostic:
    """One line of output to the user: its message, its severity, and its line in the file (-1 if unknown)."""

    severity: str
    message: str
    line: int
    frame: Frame | None


@dataclass(frozen=True)
class Expectation:
    """A diagnostic that the file expects, and where it says so."""

    severity: str
    text: str
    pattern: re.Pattern[str]
    line: int
    at: Frame

    def matches(self, diagnostic: Diagnostic) -> bool:
        """Whether this is the expected diagnostic."""
        return (
            self.severity == diagnostic.severity
            and self.line == diagnostic.line
            and self.pattern.search(diagnostic.message) is not None
        )


def expectations(text: str, file: str, first_line: int) -> list[Expectation]:
    """The expectations in a part of a file; `first_line` is the number of its first line."""
    lines = text.split("\n")
    directives = [_DIRECTIVE.search(line) for line in lines]
    found: list[Expectation] = []
    for index, match in enumerate(directives):
        if match is None:
            continue
        severity, is_regex, place, wanted = match.groups()
        offset = _offset(place, index, directives)
        line = _UNKNOWN if offset is None else first_line + index + offset
        at = Frame(file, first_line + index, match.start() + 1)
        found.append(Expectation(severity, wanted, _pattern(wanted, bool(is_regex)), line, at))
    return found


def diagnostics_of(error: CompileError) -> list[Diagnostic]:
    """The error, and its notes, as one diagnostic each."""
    found = [_diagnostic("error", error.message, error.frame)]
    for note in error.notes:
        place = note.location
        known = (place,) if isinstance(place, Frame) else frames(place) if place is not None else ()
        found.append(_diagnostic("note", note.message, next(iter(known), None)))
    return found


def compare(expected: Sequence[Expectation], errors: Sequence[CompileError], only_expected: bool) -> list[CompileError]:
    """The differences: diagnostics that were not expected, and expected ones that were not produced."""
    missing = list(expected)
    faults: list[CompileError] = []
    for error in errors:
        for diagnostic in diagnostics_of(error):
            match = next((each for each in missing if each.matches(diagnostic)), None)
            if match is not None:
                missing.remove(match)
            elif diagnostic.severity == "error" and not only_expected:
                faults.append(CompileError(f"unexpected error: {diagnostic.message}", diagnostic.frame))
    faults += [CompileError(f'expected {each.severity} "{each.text}" was not produced', each.at) for each in missing]
    return faults


def _diagnostic(severity: str, message: str, frame: Frame | None) -> Diagnostic:
    return Diagnostic(severity, message, frame.line if frame is not None else _UNKNOWN, frame)


def _offset(place: str | None, index: int, directives: Sequence[re.Match[str] | None]) -> int | None:
    """The offset in lines from the directive to the line that it refers to, None for the unknown location."""
    if place is None:
        return 0
    if place == "unknown":
        return None
    if place not in ("above", "below"):
        return int(place)
    step = -1 if place == "above" else 1
    line = index + step
    while 0 <= line < len(directives) and directives[line] is not None and _is_alone(directives[line]):
        line += step
    return line - index


def _is_alone(match: re.Match[str] | None) -> bool:
    """Whether a line holds nothing but its directive."""
    return match is not None and match.string[: match.start()].strip() in ("", "//")


def _pattern(wanted: str, is_regex: bool) -> re.Pattern[str]:
    """The pattern of the text itself; with `is_regex`, text in inner braces is a regular expression: `got {{[0-9]+}} bytes`."""
    if not is_regex:
        return re.compile(re.escape(wanted))
    parts = re.split(r"\{\{(.*?)\}\}", wanted)
    return re.compile("".join(part if index % 2 else re.escape(part) for index, part in enumerate(parts)))
