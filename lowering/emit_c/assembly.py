"""Assembly of a C program from printed functions: declarations and helpers first, guarded by the units that use them."""

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
    """The C text of one function with its checks; the runtime, scalar and vector helpers that it needs, each vector helper
    after its callees; and the names of the function and its callees, and whether the callees may fail."""

    text: SourceText
    runtime: dict[str, None]
    scalars: dict[str, None]
    vectors: dict[str, str]
    names: dict[str, bool]


@dataclass
class Assembly:
    """The functions added to a program so far; `units` is the number of its translation units, None for a program without."""

    units: int | None = None
    # The unit being added to; None for code that units share.
    unit: int | None = None
    lines: list[tuple[str, Operation | None]] = field(default_factory=list)
    checks: dict[int, Operation] = field(default_factory=dict)
    runtime: dict[str, None] = field(default_factory=dict)
    scalars: dict[str, None] = field(default_factory=dict)
    vectors: dict[str, str] = field(default_factory=dict)
    # The units that need each vector helper.
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
        """Make the lines added in the `with` body a section of one unit, if there are units (`source_text.SECTION`)."""
        if self.units is None:
            yield
            return
        start = len(self.lines)
        self.lines.append((f"#if SW_IN({number})", None))
        self.unit = number
        yield
        self.unit = None
        assert not any(line.startswith("#endif") for line, _ in self.lines[start:]), "the first #endif ends a section"
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
        """The texts of the vector helpers, each guarded by the units that need it, since unused ones cost compile time."""
        for users, names in groupby(self.vectors, self._condition):
            text = "\n".join(map(self.vectors.__getitem__, names))
            yield f"#if {users}\n{text}#endif\n" if users else text

    def _condition(self, helper: str) -> str:
        """The preprocessor condition under which a helper is needed; empty if it always is."""
        users = {unit for unit in self.users[helper] if unit is not None}
        is_shared = None in self.users[helper] or len(users) == self.units
        return "" if is_shared else " || ".join(f"SW_USED_IN({unit})" for unit in sorted(users))
