"""The answers of a language server on a text: diagnostics, hovers, definitions, references, completions, symbols.

A position is an offset in the text. Parts of a file between `// -----` are read one by one, as by
`stepwell-opt --split-input-file`, so that a mistake in one hides none in another.
"""

from __future__ import annotations

import inspect
import json
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import NamedTuple

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation, SSAValue
from xdsl.irdl import IRDLOperation
from xdsl.utils.mlir_lexer import MLIRTokenKind

from ...ir.diagnostics import CompileError
from ...ir.functions.verification import verify
from ...ir.locations import Frame, frames
from ...ir.plugins import PluginContext
from ...ir.text.parser import parse_module
from ...ir.text.printer import Details, print_module
from ...passes.trace.recording import Trace
from .names import Names

_SPLIT = re.compile(r"(?m)^[ \t]*// -----[ \t]*$")
_WORD = re.compile(r"[\w$.#!@%^-]*$")
# The longest text of an operation in a hover.
_MOST = 400


class Mistake(NamedTuple):
    """An error in the text: its start and end, its message, and notes with their offsets."""

    start: int
    end: int
    message: str
    notes: tuple[tuple[int, str], ...] = ()


class Symbol(NamedTuple):
    """A function: its name, and the offsets of the name."""

    name: str
    start: int
    end: int


class Proposal(NamedTuple):
    """A completion: the text, its kind, its meaning, and the offset from which it replaces the text."""

    text: str
    kind: str
    detail: str
    start: int


@dataclass(frozen=True)
class Part:
    """A part of a file: its module, None if there is none, and its mistakes."""

    module: ModuleOp | None
    mistakes: tuple[Mistake, ...]


class Document:
    """One version of a text. `make_context` makes a context of all dialects; `file` is the path of the text."""

    def __init__(self, text: str, file: str, make_context: Callable[[], Context]):
        self.text = text
        self.file = file
        self._context = make_context()
        self._starts = [0, *(match.end() for match in re.finditer("\n", text))]

    @cached_property
    def names(self) -> Names:
        """The names in the text."""
        return Names(self.text)

    @cached_property
    def parts(self) -> tuple[Part, ...]:
        """The parts of the text, parsed and verified."""
        found: list[Part] = []
        line = 1
        for piece in _SPLIT.split(self.text):
            found.append(self._read(piece, line))
            line += piece.count("\n")
        return tuple(found)

    def mistakes(self) -> list[Mistake]:
        """All mistakes, in order."""
        return [mistake for part in self.parts for mistake in part.mistakes]

    def hover(self, offset: int) -> str | None:
        """A description of the name at an offset, as Markdown: the type of a value or the meaning of an operation; None for
        anything else."""
        number = self.names.at(offset)
        if number is None:
            return None
        token = self.names.tokens[number]
        if token.kind is MLIRTokenKind.PERCENT_IDENT:
            return self._about_value(number)
        op = self._operations.get(token.start)
        return self._about(op) if op is not None else None

    def definition(self, offset: int) -> tuple[int, int] | None:
        """The definition of the name at an offset."""
        number = self.names.at(offset)
        found = self.names.definition.get(number) if number is not None else None
        return self._span(found) if found is not None else None

    def references(self, offset: int) -> list[tuple[int, int]]:
        """All uses of the name at an offset, its definition included."""
        number = self.names.at(offset)
        return [self._span(each) for each in self.names.uses(number)] if number is not None else []

    def symbols(self) -> list[Symbol]:
        """The functions."""
        definitions = self.names.top.definitions
        found = [(each, name[1:]) for name, tokens in definitions.items() if name.startswith("@") for each in tokens]
        return [Symbol(name, *self._span(number)) for number, name in sorted(found)]

    def completions(self, offset: int) -> list[Proposal]:
        """The completions at an offset: operations, values in scope, functions, attributes of the line's operation."""
        match = _WORD.search(self.text, self._starts[self.line(offset) - 1], offset)
        word = match.group() if match is not None else ""
        start = offset - len(word)
        if word.startswith(("%", "^", "@")):
            names = sorted({name for name in self.names.scope_at(offset).names() if name.startswith(word[0])})
            return [Proposal(name, "value" if word[0] == "%" else "symbol", "", start) for name in names]
        if word.startswith(("#", "!")):
            return [Proposal(word[0] + name, "type", "", start) for name in self._attribute_names(word[0])]
        line = self.text[self._starts[self.line(offset) - 1] : start]
        if re.fullmatch(r"\s*(?:%[\w$.-]+(?::\d+)?(?:\s*,\s*%[\w$.-]+)*\s*=\s*)?", line):
            return [Proposal(kind.name, "operation", _summary(kind), start) for kind in self._kinds()]
        return [Proposal(name, "attribute", "", start) for name in self._attributes_of(line)]

    def line(self, offset: int) -> int:
        """The line of an offset, from 1."""
        return sum(1 for start in self._starts if start <= offset)

    def offset(self, frame: Frame | None) -> int:
        """The offset of a position in this text; 0 for one in another file."""
        if frame is None or frame.file != self.file or not 1 <= frame.line <= len(self._starts):
            return 0
        return min(self._starts[frame.line - 1] + frame.column - 1, len(self.text))

    def _read(self, piece: str, first_line: int) -> Part:
        module = None
        try:
            module = parse_module(piece, self._context, self.file, first_line)
            verify(module)
        except CompileError as error:
            return Part(module, (self._mistake(error),))
        return Part(module, ())

    def _mistake(self, error: CompileError) -> Mistake:
        start = self.offset(error.frame)
        number = self.names.at(start)
        end = self.names.tokens[number].end if number is not None else start + 1
        notes: list[tuple[int, str]] = []
        for note in error.notes:
            place = note.location
            known = (place,) if isinstance(place, Frame) else frames(place) if place is not None else ()
            notes.append((self.offset(next(iter(known), None)), note.message))
        return Mistake(start, max(end, start + 1), error.message, tuple(notes))

    @cached_property
    def _operations(self) -> dict[int, Operation]:
        """The operations by the offsets of their names."""
        found: dict[int, Operation] = {}
        for part in self.parts:
            for op in part.module.walk() if part.module is not None else ():
                place = next(iter(frames(op.location)), None)
                if place is not None and place.file == self.file and not isinstance(op, ModuleOp):
                    found.setdefault(self.offset(place), op)
        return found

    def _about_value(self, number: int) -> str | None:
        definition = self.names.definition.get(number)
        if definition is None:
            return None
        token = self.names.tokens[definition]
        value = self._result(definition)
        if value is not None:
            op = value.owner
            assert isinstance(op, Operation), "a result has an operation"
            return f"```mlir\n{token.text} : {value.type}\n```\n\nresult of `{op.name}`\n\n{_summary(type(op))}".rstrip()
        _, last = self.names.statement(definition)
        rest = self.text[token.end : self.names.tokens[last].end]
        found = re.match(r"\s*:\s*((?:[^,()<>]|->|<(?:[^<>]|->|<(?:[^<>]|->|<[^<>]*>)*>)*>)+)", rest)
        return f"```mlir\n{token.text} : {found[1].strip()}\n```\n\nargument" if found is not None else None

    def _result(self, definition: int) -> SSAValue | None:
        """The result that a token in front of an equals sign defines."""
        first, last = self.names.statement(definition)
        number = 0
        for at in range(first, last + 1):
            token = self.names.tokens[at]
            if token.text == "=":
                op = self._operations.get(self.names.tokens[at + 1].start) if at < last else None
                return op.results[number] if op is not None and number < len(op.results) else None
            if token.kind is MLIRTokenKind.PERCENT_IDENT and at < definition:
                number += 1
        return None

    def _about(self, op: Operation) -> str:
        text = print_module(op, generic=True, details=Details(skip_regions=True)).strip()
        parts = [f"**{op.name}**", _documentation(type(op)), f"```mlir\n{text[:_MOST]}\n```"]
        changed = self._passes_of(op)
        if changed:
            parts.append("changed by " + ", ".join(f"`{name}`" for name in changed))
        return "\n\n".join(part for part in parts if part)

    def _passes_of(self, op: Operation) -> list[str]:
        """The passes that changed an operation, by the trace in the file of the same name with `.trace.json` for its suffix."""
        trace, place = self._trace, next(iter(frames(op.location)), None)
        if trace is None or place is None:
            return []
        found: list[str] = []
        ops = {
            k
            for k, info in enumerate(trace.levels[0].ops)
            if info.name == op.name and place.in_file in {frame.in_file for frame in info.frames}
        }
        for step in trace.steps:
            after = {result for each in ops for result in step.forward[each]}
            before_texts = {(step.before.ops[each].name, len(step.forward[each])) for each in ops}
            if step.has_effect and before_texts != {(step.after.ops[each].name, 1) for each in after}:
                found.append(step.pass_name)
            ops = after
        return found

    @cached_property
    def _trace(self) -> Trace | None:
        path = Path(self.file).with_suffix(".trace.json")
        try:
            return Trace.from_json(json.loads(path.read_text(encoding="utf-8")))
        except (OSError, ValueError):
            return None

    def _span(self, number: int) -> tuple[int, int]:
        token = self.names.tokens[number]
        return token.start, token.end

    def _kinds(self) -> list[type[Operation]]:
        """All operations of the dialects."""
        for name in list(self._context.registered_dialect_names):
            self._context.get_optional_dialect(name)
        return sorted(self._context.loaded_ops, key=lambda kind: kind.name)

    def _attribute_names(self, prefix: str) -> list[str]:
        self._kinds()
        kinds = self._context.loaded_types if prefix == "!" else self._context.loaded_attrs
        return sorted(kind.name for kind in kinds)

    def _attributes_of(self, line: str) -> Iterator[str]:
        """The attributes and properties of the operation that a line names."""
        for name in re.findall(r'"?([a-z_]\w*\.[\w.]+)"?', line):
            kind = self._context.get_optional_op(name)
            if kind is not None and issubclass(kind, IRDLOperation):
                definition = kind.get_irdl_definition()
                yield from sorted({*definition.properties, *definition.attributes})
                return


def contexts(allow_unregistered: bool = False) -> Context:
    """A new context of all dialects, those of plugins too."""
    # Local import: the server starts without the dialects.
    from ...dialects import make_context

    found = make_context(allow_unregistered)
    assert isinstance(found, PluginContext), "contexts look for plugins"
    return found


def _documentation(kind: type[Operation]) -> str:
    return (inspect.getdoc(kind) if kind.__doc__ else None) or ""


def _summary(kind: type[Operation]) -> str:
    return _documentation(kind).partition("\n")[0]
