"""Emitted source text that knows where each of its lines comes from."""

from __future__ import annotations

from dataclasses import dataclass, field

from xdsl.ir import Operation


@dataclass
class SourceText:
    """Emitted text: its lines, each with the operation that it prints, and the operations of the checks by number."""

    lines: list[tuple[str, Operation | None]] = field(default_factory=list)
    checks: dict[int, Operation] = field(default_factory=dict)

    @property
    def text(self) -> str:
        return "\n".join(line for line, _ in self.lines) + "\n"
