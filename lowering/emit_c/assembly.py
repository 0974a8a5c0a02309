"""A C program put together of functions that are printed: what they need before them, and which of it each unit needs."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import groupby

from xdsl.ir import Operation

from ..emission.source_text import SourceText
from .functions import c_helpers
from .helpers import RUNTIME, c_names
from .vectors import c_typedefs


@dataclass(frozen=True)
class Printed:
    """One function in C: its text with its checks, the parts of the runtime and the helpers that it needs, each vector helper
    behind those that it calls, and the names of it and of what it calls, with whether that may fail."""

    text: SourceText
    runtime: dict[str, None]
    scalars: dict[str, None]
    vectors: dict[str, str]
    names: dict[str, bool]


@dataclass
class Assembly:
    """The functions of a program so far, which is one unit where `units` is None; else it has so many."""

    units: int | None = None
    # The one that is being added to; None for what units share.
    unit: int | None = None
    lines: list[tuple[str, Operation | None]] = field(default_factory=list)
    checks: dict[int, Operation] = field(default_factory=dict)
    runtime: dict[str, None] = field(default_factory=dict)
    scalars: dict[str, None] = field(default_factory=dict)
    vectors: dict[str, str] = field(default_factory=dict)
    # The units that need a vector helper.
    users: dict[str, set[int | None]] = field(default_factory=dict)

    def add(self, function: Printed) -> None:
        self.lines += function.text.lines
        self.checks |= function.text.checks
        self.runtime |= function.runtime
        self.scalars |= function.scalars
        self.vectors |= function.vectors
        for name in function.vectors:
            self.users.setdefault(name, set()).add(self.unit)

    @contextmanager
    def in_unit(self, number: int) -> Iterator[None]:
        """What is added inside is a section of one unit, if there are several (`source_text.SECTION`)."""
        if self.units is None:
            yield
            return
        start = len(self.lines)
        self.lines.append((f"#if SW_IN({number})", None))
        self.unit = number
        yield
        self.unit = None
        assert not any(line.startswith("#endif") for line, _ in self.lines[start:]), "a section ends with the first of them"
        self.lines.append(("#endif", None))

    def source(self) -> SourceText:
        statements = "\n".join(line for line, _ in self.lines)
        vectors = "".join(self._vector_helpers())
        used = [*(RUNTIME[name] for name in RUNTIME if name in self.runtime), c_helpers(self.scalars), vectors]
        types = c_typedefs("\n".join([vectors, statements]))
        names = c_names("".join([*used, statements]))
        preamble = [(line, None) for part in (names, types, *used) for line in part.splitlines()]
        return SourceText([*preamble, *self.lines], self.checks)

    def _vector_helpers(self) -> Iterator[str]:
        """Their texts: what not all units need is left out where none of these is compiled, as compilers look at each."""
        for users, names in groupby(self.vectors, self._condition):
            text = "\n".join(map(self.vectors.__getitem__, names))
            yield f"#if {users}\n{text}#endif\n" if users else text

    def _condition(self, helper: str) -> str:
        """Where a helper is needed, as the preprocessor asks for it; nothing where it always is."""
        users = {unit for unit in self.users[helper] if unit is not None}
        is_shared = None in self.users[helper] or len(users) == self.units
        return "" if is_shared else " || ".join(f"SW_USED_IN({unit})" for unit in sorted(users))
