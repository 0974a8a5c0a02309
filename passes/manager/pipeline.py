"""Pipelines as text: `canonicalize,my-pass{depth=4},func.func(cse)`, parsed to passes and printed back.

    pipeline ::= element (`,` element)*
    element  ::= pass-name options?  |  operation-name `(` pipeline? `)`
    options  ::= `{` (key (`=` value (`,` value)*)?)* `}`

An operation name anchors the elements in its parentheses: their passes run on each such operation directly inside the current
one, which must be isolated from above. `any` matches every such operation. An enclosing `builtin.module(...)` may be omitted.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NoReturn

from xdsl.dialects.builtin import ModuleOp, UnregisteredOp
from xdsl.ir import Operation
from xdsl.passes import ModulePass
from xdsl.traits import IsolatedFromAbove
from xdsl.utils.arg_spec import ArgSpec

from ...ir.diagnostics import PipelineError
from ...ir.locations import Frame
from .pipeline_options import OptionError, read_options
from .registry import OperationPass, Registry

FILE = "<pipeline>"
MODULE = ModuleOp.name
ANY = "any"


@dataclass(frozen=True)
class Nest:
    """Passes and further nests, to run on each operation named `anchor`."""

    anchor: str
    elements: tuple[ModulePass | Nest, ...]

    def __str__(self) -> str:
        return f"{self.anchor}({','.join(map(element_text, self.elements))})"

    def matches(self, op: Operation) -> bool:
        """Whether the nest runs on `op`."""
        return op.name == self.anchor or (self.anchor == ANY and is_isolated(op))


def is_isolated(op: Operation) -> bool:
    """Whether the regions of an operation use no values from outside; an unregistered one may have any traits."""
    return isinstance(op, UnregisteredOp) or op.has_trait(IsolatedFromAbove)


def element_text(element: ModulePass | Nest) -> str:
    """An element as pipeline text, with all options of a pass, those at their defaults included."""
    if isinstance(element, Nest):
        return str(element)
    # Omit an option that is None: its text, the bare key, would need a type that has None.
    spec = element.spec(include_default=True)
    return str(ArgSpec(spec.name, {key: value for key, value in spec.parameters.items() if value != ()}))


def parse_pipeline(text: str, registry: Registry) -> Nest:
    """The pipeline that `text` states, anchored at the module. Raises PipelineError with the position in the text."""
    elements = _Reader(text, registry).read_all()
    if len(elements) == 1 and isinstance(elements[0], Nest) and elements[0].anchor == MODULE:
        return elements[0]
    return Nest(MODULE, elements)


def pipeline_dump(nest: Nest) -> str:
    """The pipeline over several lines, as `--dump-pass-pipeline` shows it."""

    def lines(element: ModulePass | Nest, indent: str) -> Iterator[str]:
        if not isinstance(element, Nest) or not element.elements:
            yield indent + element_text(element)
            return
        yield f"{indent}{element.anchor}("
        for index, inner in enumerate(element.elements):
            *first, last = lines(inner, indent + "  ")
            yield from first
            yield last + ("," if index + 1 < len(element.elements) else "")
        yield indent + ")"

    count = sum(1 for _ in passes_of(nest))
    return f"Pass Manager with {count} passes:\n" + "\n".join(lines(nest, ""))


def passes_of(nest: Nest) -> Iterator[ModulePass]:
    """Every pass of a pipeline, in order."""
    for element in nest.elements:
        if isinstance(element, Nest):
            yield from passes_of(element)
        else:
            yield element


class _Reader:
    """A recursive descent over pipeline text."""

    _NAME = re.compile(r"\s*([\w.-]+)\s*")
    _OPTIONS = re.compile(r'\{(?:[^{}"]++|"(?:[^"\\]++|\\.)*+")*+\}\s*')
    _MAX_DEPTH = 50

    def __init__(self, text: str, registry: Registry):
        self._text = text
        self._registry = registry
        self._at = 0

    def read_all(self) -> tuple[ModulePass | Nest, ...]:
        """The whole text."""
        if not self._text.strip():
            return ()
        elements = self._elements((MODULE,))
        if self._at < len(self._text):
            self._fail(f"expected ',' or the end of the pipeline, got '{self._text[self._at]}'")
        return elements

    def _elements(self, anchors: Sequence[str]) -> tuple[ModulePass | Nest, ...]:
        elements = [self._element(anchors)]
        while self._take(","):
            elements.append(self._element(anchors))
        return tuple(elements)

    def _element(self, anchors: Sequence[str]) -> ModulePass | Nest:
        match = self._NAME.match(self._text, self._at)
        if match is None:
            self._fail("expected the name of a pass or operation")
        name, start = match.group(1), match.start(1)
        self._at = match.end()
        if self._text.startswith("(", self._at):
            if "." not in name and self._registry.find(name) is not None:
                self._fail(f"expected an operation to nest passes in, as 'func.func(...)', got the pass '{name}'", start)
            return self._nest(name, anchors)
        options = self._OPTIONS.match(self._text, self._at)
        if options is not None:
            self._at = options.end()
        elif self._text.startswith("{", self._at):
            self._fail("expected '}' after the options of a pass")
        if options is None:
            return self._pass(name, "", start, start, anchors[-1])
        return self._pass(name, options.group().strip()[1:-1], start, options.start() + 1, anchors[-1])

    def _nest(self, name: str, anchors: Sequence[str]) -> Nest:
        if len(anchors) > self._MAX_DEPTH:
            self._fail("nesting too deep")
        self._at += 1
        elements: tuple[ModulePass | Nest, ...] = ()
        if not self._take(")"):
            elements = self._elements((*anchors, name))
            if not self._take(")"):
                self._fail("expected ',' or ')'")
        return Nest(name, elements)

    def _pass(self, name: str, options: str, start: int, at: int, anchor: str) -> ModulePass:
        """The pass with this name, which begins at `start`, and with the options that begin at `at`."""
        found = self._registry.find(name)
        if found is None:
            self._fail(f"unknown pass '{name}'{self._registry.suggestion(name)}", start)
        if anchor != MODULE and not issubclass(found, OperationPass):
            self._fail(f"pass '{name}' works on {MODULE}: it cannot be anchored at '{anchor}'", start)
        if not options and not found.required_fields():
            return found()  # without reading the types of its options
        try:
            return read_options(options, found)
        except OptionError as error:
            self._fail(f"pass '{name}': {error.message}", at + error.at)

    def _take(self, token: str) -> bool:
        """Skip `token` and the space after it, if it is next."""
        if not self._text.startswith(token, self._at):
            return False
        self._at += 1
        while self._at < len(self._text) and self._text[self._at].isspace():
            self._at += 1
        return True

    def _fail(self, message: str, at: int | None = None) -> NoReturn:
        offset = self._at if at is None else at
        before = self._text[:offset]
        frame = Frame(FILE, before.count("\n") + 1, offset - (before.rfind("\n") + 1) + 1)
        raise PipelineError(message, frame)
