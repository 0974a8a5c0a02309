"""Definitions and uses of the names in a text: values, blocks, functions and aliases.

The text need not be valid: names are found among its tokens. A value can be used in the braces that it is defined in and in
nested ones; arguments of a function belong to the function's braces.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from xdsl.utils.exceptions import ParseError
from xdsl.utils.lexer import Input
from xdsl.utils.mlir_lexer import MLIRTokenKind

from ...ir.text.lexer import Lexer

_NAMES = frozenset(
    {
        MLIRTokenKind.PERCENT_IDENT,
        MLIRTokenKind.CARET_IDENT,
        MLIRTokenKind.AT_IDENT,
        MLIRTokenKind.HASH_IDENT,
        MLIRTokenKind.EXCLAMATION_IDENT,
    }
)


class Piece(NamedTuple):
    """A token: its text, and where it starts and ends."""

    text: str
    kind: MLIRTokenKind
    start: int
    end: int


@dataclass
class Scope:
    """A pair of braces, or the whole text. A name may be defined in several scopes, and again after its use in one."""

    parent: Scope | None
    definitions: dict[str, list[int]] = field(default_factory=dict[str, list[int]])

    def define(self, name: str, token: int) -> None:
        self.definitions.setdefault(name, []).append(token)

    def find(self, name: str, token: int) -> int | None:
        """The token that defines a name for its use at a token: the last one before it, else the first."""
        found = self.definitions.get(name)
        if found:
            before = bisect_right(found, token)
            return found[before - 1] if before else found[0]
        return self.parent.find(name, token) if self.parent is not None else None

    def names(self) -> Iterator[str]:
        """The names that can be used here."""
        yield from self.definitions
        if self.parent is not None:
            yield from self.parent.names()


class Names:
    """The names of a text."""

    def __init__(self, text: str):
        self._newlines = [match.start() for match in re.finditer("\n", text)]
        self.tokens = list(_tokens(text))
        self._starts = [token.start for token in self.tokens]
        self._lines = [bisect_right(self._newlines, start) for start in self._starts]
        self.top = Scope(None)
        # The scope of each token, and the token that defines each name.
        self.scopes: list[Scope] = []
        self._read()
        self.definition = {
            number: found
            for number, token in enumerate(self.tokens)
            if token.kind in _NAMES and (found := self._defined(number, token)) is not None
        }

    def at(self, offset: int) -> int | None:
        """The number of the token at an offset, or of the name that ends there."""
        number = bisect_right(self._starts, offset) - 1
        before = self.tokens[number - 1] if number > 0 else None
        if before is not None and before.end == offset and before.kind in _NAMES and self.tokens[number].kind not in _NAMES:
            return number - 1
        return number if number >= 0 and offset <= self.tokens[number].end else None

    def scope_at(self, offset: int) -> Scope:
        """The scope of an offset."""
        number = bisect_right(self._starts, offset) - 1
        return self.scopes[number] if number >= 0 else self.top

    def uses(self, number: int) -> list[int]:
        """All tokens of the name at a token, its definition among them, in order."""
        found = self.definition.get(number)
        return [each for each, definition in self.definition.items() if found is not None and definition == found]

    def statement(self, number: int) -> tuple[int, int]:
        """The first and the last token of the line of a token."""
        line = self._lines[number]
        return bisect_left(self._lines, line), bisect_right(self._lines, line) - 1

    def _defined(self, number: int, token: Piece) -> int | None:
        scope = self.scopes[number] if token.kind in (MLIRTokenKind.PERCENT_IDENT, MLIRTokenKind.CARET_IDENT) else self.top
        name = token.text.partition("#")[0] if token.kind is MLIRTokenKind.PERCENT_IDENT else token.text
        return scope.find(name, number)

    def _read(self) -> None:
        """Find the scopes and the definitions, in one pass over the tokens."""
        scope, around = self.top, list[Scope]()
        # Arguments of a function, which belong to the braces that open next.
        pending: list[int] = []
        # The token before each open parenthesis or bracket.
        openers: list[int] = []
        for number, token in enumerate(self.tokens):
            self.scopes.append(scope)
            if token.text in ("(", "["):
                openers.append(number - 1)
            elif token.text in (")", "]") and openers:
                openers.pop()
            elif token.text == "{":
                around.append(scope)
                scope = Scope(scope)
                for each in pending:
                    scope.define(self.tokens[each].text, each)
                    self.scopes[each] = scope
                pending = []
            elif token.text == "}" and around:
                scope = around.pop()
            elif token.kind is MLIRTokenKind.PERCENT_IDENT and self._is_parameter(number, openers, "@"):
                pending.append(number)
            elif token.kind in _NAMES:
                self._define(number, token, scope, openers)

    def _define(self, number: int, token: Piece, scope: Scope, openers: Sequence[int]) -> None:
        """Add the definition that a name may be."""
        match token.kind:
            case MLIRTokenKind.PERCENT_IDENT:
                if self._is_result(number) or self._is_parameter(number, openers, "^"):
                    scope.define(token.text, number)
            case MLIRTokenKind.CARET_IDENT:
                if self.statement(number)[0] == number:
                    scope.define(token.text, number)
            case MLIRTokenKind.AT_IDENT:
                if self._before(number) in ("func.func", "public", "private", "nested"):
                    self.top.define(token.text, number)
            case _:
                if self._next(number) == "=":
                    self.top.define(token.text, number)

    def _is_parameter(self, number: int, openers: Sequence[int], prefix: str) -> bool:
        """Whether a value is declared in the parentheses of a function ("@") or of a label ("^")."""
        if self._next(number) != ":" or not openers or openers[-1] < 0:
            return False
        before = openers[-1]
        is_label = prefix == "^" and self.statement(before)[0] == before
        return self.tokens[before].text.startswith(prefix) and (is_label or prefix == "@")

    def _before(self, number: int) -> str:
        return self.tokens[number - 1].text if number else ""

    def _next(self, number: int, ahead: int = 1) -> str:
        return self.tokens[number + ahead].text if number + ahead < len(self.tokens) else ""

    def _is_result(self, number: int) -> bool:
        """Whether a value stands left of an equals sign, alone or in a list that begins a statement."""
        at = number
        while self._next(at) in (",", ":") and at + 2 < len(self.tokens):
            if self._next(at) == ":" and not self._next(at, 2).isdigit():
                return False
            if self._next(at) == "," and self.tokens[at + 2].kind is not MLIRTokenKind.PERCENT_IDENT:
                return False
            at += 2
        return self._next(at) == "=" and self._begins(number)

    def _begins(self, number: int) -> bool:
        """Whether only values and commas stand between a value and the start of its line."""
        first, _ = self.statement(number)
        before = self.tokens[first:number]
        return all(each.kind is MLIRTokenKind.PERCENT_IDENT or each.text in ",:" or each.text.isdigit() for each in before)


def _tokens(text: str) -> Iterator[Piece]:
    """The tokens of a text; other characters are skipped."""
    lexer = Lexer(Input(text, ""))
    while True:
        try:
            token = lexer.lex()
        except ParseError as error:
            lexer.pos = max(lexer.pos, error.span.end, error.span.start + 1)
            continue
        if token.kind is MLIRTokenKind.EOF:
            return
        yield Piece(token.text, token.kind, token.span.start, token.span.end)
