"""Emitted source text: lines with their source locations, sums of products as text, escaped strings."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field

from xdsl.ir import Operation

from ...ir.index.expressions import Atom, Index
from ...ir.locations import frames

# The file to which line directives attribute lines of emitted C without a source location.
OWN_FILE = "kernel.c"
# Delimiters of the section of one translation unit (`lowering/emit_c/emit_c.py`). No other line of a section begins with
# `#endif`.
SECTION = re.compile(r"^#if SW_IN\((\d+)\)\n(.*?)\n#endif$", re.MULTILINE | re.DOTALL)


@dataclass
class SourceText:
    """Emitted text: its lines, each with its source operation, and the operations of run-time checks, by number."""

    lines: list[tuple[str, Operation | None]] = field(default_factory=list)
    checks: dict[int, Operation] = field(default_factory=dict)

    @property
    def text(self) -> str:
        return "\n".join(line for line, _ in self.lines) + "\n"

    def with_line_directives(self) -> str:
        """The C text with a `#line` directive before each line that has a source location, so that compiler messages, debuggers
        and profilers refer to the user's program; lines without one refer to `OWN_FILE`. No directive separates a pragma from
        its loop."""
        text: list[str] = []
        is_users = False
        for number, (line, op) in enumerate(self.lines, 1):
            source = next(iter(frames(op.location)), None) if op is not None else None
            if not (text and text[-1].startswith("#pragma")):
                if source is not None:
                    text.append(f'#line {source.line} "{escape(source.file)}"')
                elif is_users:
                    text.append(f'#line {number} "{OWN_FILE}"')
                is_users = source is not None
            text.append(line)
        return "\n".join(text) + "\n"


def sum_text(expr: Index, spell: Callable[[Atom], str]) -> str:
    """The text of a sum of products, in the syntax common to C and Python; `spell` prints each atom as an operand."""
    parts: list[str] = []
    for monomial, factor in expr.terms:
        factors = [spell(atom) for atom in monomial]
        if factor not in (1, -1) or not factors:
            factors.append(str(abs(factor)))
        sign = "-" if factor < 0 else "+"
        parts.append((f" {sign} " if parts else "-" if factor < 0 else "") + " * ".join(factors))
    return "".join(parts) or "0"


def escape(text: str) -> str:
    """Escape users' text for a string or comment of emitted code: all characters except harmless ones become octal escapes."""
    return re.sub(r"[^A-Za-z0-9_./ -]", _octal, text, flags=re.ASCII)


def _octal(match: re.Match[str]) -> str:
    return "".join(f"\\{byte:03o}" for byte in match.group().encode("utf-8", "surrogatepass"))
