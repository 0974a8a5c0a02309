"""Parsing of shape rules; errors have positions."""

from __future__ import annotations

import re
from collections.abc import Iterator
from graphlib import CycleError, TopologicalSorter
from typing import NamedTuple

from ..diagnostics import ShapeError, did_you_mean
from ..nesting import nesting
from .grammar import BROADCAST, EQUAL, ArrayPattern, Binding, Grammar, Subscript, Symbol, symbols_of
from .terms import Extremum, Listed, Name, Number, Operation, Term, names_in

_TOKEN = re.compile(r"\s*(?:(?P<number>\d+)(?!\w)|(?P<name>[A-Za-z_]\w*)|(?P<sign>->|//|\.\.\.|[-~\[\]()=,+*%]))")
_WORD = re.compile(r"[0-9A-Za-z_]+")
_NAME = re.compile(r"[A-Za-z_]\w*")
_EXTREMA = ("max", "min")
_RESERVED = ("where", *_EXTREMA)
# Expressions are processed recursively: bounds of the depth of brackets, and of a rule's length.
MAX_DEPTH, MAX_TOKENS = 30, 1000


class _Token(NamedTuple):
    text: str
    position: int
    end: int


def parse_rule(text: str) -> Grammar:
    """Parse a rule. Raises ShapeError with the column of the offending token."""
    if not isinstance(text, str):
        raise ShapeError(f"expected the text of a shape rule, such as 'A[i j] -> [j i]', got {text!r}")
    depth, offset = nesting(text, MAX_DEPTH)
    if depth > MAX_DEPTH:
        raise malformed(text, offset, f"brackets are nested too deeply: at most {MAX_DEPTH} levels")
    parser = _Parser(text)
    if len(parser.tokens) > MAX_TOKENS:
        raise malformed(text, parser.tokens[MAX_TOKENS].position, f"the rule is too long: at most {MAX_TOKENS} tokens")
    return parser.rule()


def malformed(text: str, position: int, message: str) -> ShapeError:
    """The error for a rule that is malformed at an offset."""
    return ShapeError(
        f"malformed shape rule at column {position + 1}: {message}\n  {text}\n  {' ' * position}^", reports=[message]
    )


class _Parser:
    def __init__(self, text: str):
        self.text = text
        self.tokens = list(self._tokens())
        self.at = 0

    def rule(self) -> Grammar:
        inputs = self.arrays("->")
        self.expect("->", "between the arguments and the results")
        outputs = self.arrays("where")
        bindings = self.bindings() if self.peek() == "where" else ()
        if self.peek():
            hint = ": a rule has exactly one '->'" if self.peek() == "->" else ""
            raise self.fail(f"expected an array such as 'A[i j]', 'where' or the end, got '{self.peek()}'{hint}")
        grammar = Grammar(inputs, outputs, bindings)
        self.check(grammar)
        return grammar

    # Tokens.

    def _tokens(self) -> Iterator[_Token]:
        position, text = 0, self.text.replace("\n", " ")
        while text[position:].strip():
            match = _TOKEN.match(text, position)
            if match is None:
                position += len(text[position:]) - len(text[position:].lstrip())
                raise malformed(self.text, position, self._unexpected(position))
            found = match.group().lstrip()
            yield _Token(found, match.end() - len(found), match.end())
            position = match.end()
        yield _Token("", len(text.rstrip()), len(text.rstrip()))

    def _unexpected(self, position: int) -> str:
        word = _WORD.match(self.text, position)
        if word is not None and self.text[position].isdigit():
            return f"expected a name or a number, got '{word[0]}'"
        hint = did_you_mean(self.text[position : position + 2].strip(), ("->", "//", "..."))
        return f"unexpected character '{self.text[position]}'{hint}"

    @property
    def token(self) -> _Token:
        return self.tokens[self.at]

    def peek(self) -> str:
        return self.token.text

    def next(self) -> _Token:
        token = self.token
        self.at = min(self.at + 1, len(self.tokens) - 1)
        return token

    def fail(self, message: str, position: int | None = None) -> ShapeError:
        return malformed(self.text, self.token.position if position is None else position, message)

    def expect(self, wanted: str, why: str) -> None:
        if self.peek() != wanted:
            raise self.fail(f"expected '{wanted}' {why}, got {self.got()}")
        self.next()

    def got(self) -> str:
        return f"'{self.peek()}'" if self.peek() else "the end"

    def is_name(self) -> bool:
        return _NAME.fullmatch(self.peek()) is not None

    # Arrays.

    def arrays(self, end: str) -> tuple[ArrayPattern, ...]:
        found: list[ArrayPattern] = []
        while self.peek() not in ("", "->", "where"):
            found.append(self.array())
        if self.peek() == "where" and end == "->":
            raise self.fail("expected '->' and the results before 'where'")
        return tuple(found)

    def array(self) -> ArrayPattern:
        start, name = self.token.position, None
        if self.is_name():
            name = self.next().text
            if name in _EXTREMA:
                raise self.fail(f"expected the name of an array, got '{name}', which is a function", start)
        if self.peek() != "[":
            what = f"after '{name}'" if name else "or the name of an array"
            raise self.fail(f"expected '[' {what}, got {self.got()}{self._separator()}")
        opened = self.next().position
        leading, subscripts = None, list[Subscript]()
        while self.peek() != "]":
            token = self.token
            if token.text in ("", "[", "->", "where"):
                raise self.fail(f"expected ']' for '[' at column {opened + 1}, got {self.got()}")
            if token.text in (EQUAL, BROADCAST):
                if leading is not None:
                    raise self.fail(f"'{token.text}' repeats: an array has leading sizes once")
                if subscripts:
                    raise self.fail(f"expected '{token.text}' first, as it stands for leading sizes")
                leading = Symbol(self.next().text, token.position)
                continue
            subscripts.append(self.subscript())
        self.next()
        return ArrayPattern(name, leading, tuple(subscripts), start)

    def subscript(self) -> Subscript:
        token = self.token
        if token.text.isdigit():
            return int(self.next().text)
        if not self.is_name() or token.text in _RESERVED:
            raise self.fail(f"expected a name, a number, '~' or ']', got {self.got()}{self._separator()}")
        return Symbol(self.next().text, token.position)

    def _separator(self) -> str:
        match self.peek():
            case ",":
                return ": spaces separate subscripts and arrays"
            case "+" | "-" | "*" | "//" | "%" | "(":
                return ": name the size, and say what it is after 'where'"
            case _:
                return ""

    # Bindings.

    def bindings(self) -> tuple[Binding, ...]:
        self.next()
        found: list[Binding] = []
        while not found or self.peek() not in ("", "->"):
            if found and self.peek() == ",":
                self.next()
            found.append(self.binding())
        return tuple(found)

    def binding(self) -> Binding:
        start = self.token
        if not self.is_name() or start.text in _RESERVED:
            raise self.fail(f"expected 'name = expression', got {self.got()}")
        self.next()
        self.expect("=", f"after '{start.text}'")
        begin = self.token.position
        term = self.sum()
        return Binding(start.text, term, self.text[begin : self.tokens[self.at - 1].end], start.position)

    def sum(self) -> Term:
        result = self.product()
        while self.peek() in ("+", "-"):
            operator = self.next().text
            result = Operation(operator, result, self.product())
        return result

    def product(self) -> Term:
        result = self.unary()
        while self.peek() in ("*", "//", "%"):
            operator = self.next().text
            result = Operation(operator, result, self.unary())
        return result

    def unary(self) -> Term:
        if self.peek() == "-":
            self.next()
            return Operation("-", Number(0), self.unary())
        return self.atom()

    def atom(self) -> Term:
        token = self.token
        if token.text.isdigit():
            return Number(int(self.next().text))
        if token.text == "(":
            return self.listed()
        if token.text in _EXTREMA:
            self.next()
            if self.peek() != "(":
                raise self.fail(f"expected '(' after '{token.text}', got {self.got()}")
            entries = self.listed()
            return Extremum(token.text, entries.entries if isinstance(entries, Listed) else (entries,))
        if not self.is_name() or token.text in _RESERVED:
            raise self.fail(f"expected a number, a name, 'max', 'min' or '(', got {self.got()}")
        self.next()
        return Name(token.text, token.position)

    def listed(self) -> Term:
        """An expression in parentheses; a list if it has a comma or is empty."""
        opened = self.next().position
        entries: list[Term] = []
        is_list = self.peek() == ")"
        while self.peek() != ")":
            entries.append(self.sum())
            if self.peek() == ",":
                is_list = True
                self.next()
            elif self.peek() != ")":
                raise self.fail(f"expected ',' or ')' for '(' at column {opened + 1}, got {self.got()}")
        self.next()
        return Listed(tuple(entries)) if is_list else entries[0]

    # Conditions on rules beyond the grammar.

    def check(self, grammar: Grammar) -> None:
        for side, what in ((grammar.inputs, "argument"), (grammar.outputs, "result")):
            seen: set[str] = set()
            for array in side:
                if array.name is not None and array.name in seen:
                    raise self.fail(f"name '{array.name}' repeats: each {what} has its own", array.position)
                seen.update([array.name] if array.name is not None else [])
        self.check_leading(grammar)
        self.check_bindings(grammar)

    def check_leading(self, grammar: Grammar) -> None:
        used = [each.leading for side in (grammar.inputs, grammar.outputs) for each in side if each.leading is not None]
        other = next((each for each in used if each.name != used[0].name), None)
        if other is not None:
            raise self.fail(f"expected '{used[0].name}' as elsewhere in the rule, got '{other.name}'", other.position)
        given = any(each.leading is not None for each in grammar.inputs)
        lost = next((each.leading for each in grammar.outputs if each.leading is not None), None)
        if lost is not None and not given:
            raise self.fail(f"'{lost.name}' stands in a result, and no argument has it: it cannot be determined", lost.position)

    def check_bindings(self, grammar: Grammar) -> None:
        names = [each.name for each in grammar.bindings]
        for number, binding in enumerate(grammar.bindings):
            if binding.name in names[:number]:
                raise self.fail(f"'{binding.name}' is bound twice", binding.position)
        known = {each.name for side in (grammar.inputs, grammar.outputs) for array in side for each in symbols_of(array)}
        arrays = {each.name for side in (grammar.inputs, grammar.outputs) for each in side if each.name is not None}
        for binding in grammar.bindings:
            for name in names_in(binding.term):
                if name.name in arrays - known - set(names):
                    raise self.fail(f"'{name.name}' is an array: expected the name of a size", name.position)
        order = TopologicalSorter({each.name: {name.name for name in names_in(each.term)} for each in grammar.bindings})
        try:
            order.prepare()
        except CycleError as error:
            cycle = error.args[1]
            first = next(each for each in grammar.bindings if each.name in cycle)
            raise self.fail(f"'{first.name}' depends on itself: {' -> '.join(reversed(cycle))}", first.position) from None
