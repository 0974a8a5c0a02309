"""What the emitters share: source text that knows where each of its lines comes from, sums of products, strings."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field

from xdsl.ir import Operation

from ...ir.index.expressions import Atom, Index
from ...ir.locations import frames

# What a unit of a program has for itself stands between such lines (`lowering/emit_c/emit_c.py`). Nothing in it begins a line
# with `#endif`.
SECTION = re.compile(r"^#if SW_IN\((\d+)\)\n(.*?)\n#endif$", re.MULTILINE | re.DOTALL)


@dataclass
class SourceText:
    """Emitted text: its lines, each with the operation that it prints, and the operations of the checks by number."""

    lines: list[tuple[str, Operation | None]] = field(default_factory=list)
    checks: dict[int, Operation] = field(default_factory=dict)

    @property
    def text(self) -> str:
        return "\n".join(line for line, _ in self.lines) + "\n"

    def with_line_directives(self) -> str:
        """C with a `#line` before each line that has a source, so that messages of the compiler, debuggers and profilers show
        the user's program. A pragma and its loop stay together."""
        text: list[str] = []
        for line, op in self.lines:
            source = next(iter(frames(op.location)), None) if op is not None else None
            if source is not None and not (text and text[-1].startswith("#pragma")):
                text.append(f'#line {source.line} "{escape(source.file)}"')
            text.append(line)
        return "\n".join(text) + "\n"


def sum_text(expr: Index, spell: Callable[[Atom], str]) -> str:
    """A sum of products, in a notation that C and Python share; `spell` gives each atom as an operand of a product."""
    parts: list[str] = []
    for monomial, factor in expr.terms:
        factors = [spell(atom) for atom in monomial]
        if factor not in (1, -1) or not factors:
            factors.append(str(abs(factor)))
        sign = "-" if factor < 0 else "+"
        parts.append((f" {sign} " if parts else "-" if factor < 0 else "") + " * ".join(factors))
    return "".join(parts) or "0"


def escape(text: str) -> str:
    """Text from outside, for a string or a comment of emitted code: everything but harmless characters as octal escapes."""
    return re.sub(r"[^A-Za-z0-9_./ -]", _octal, text, flags=re.ASCII)


def _octal(match: re.Match[str]) -> str:
    return "".join(f"\\{byte:03o}" for byte in match.group().encode("utf-8", "surrogatepass"))
