"""Parsing of index expressions, in plain strings and in the IR.

    expr    := term (("+" | "-") term)*
    term    := unary (("*" | "//" | "%" | "floordiv" | "ceildiv" | "mod" | "div" | "rem") unary)*
    unary   := "-" unary | atom
    atom    := integer | name | ("min" | "max") "(" expr "," expr ")" | "(" expr ")"

Division rounds towards negative infinity and the remainder has the divisor's sign: `-7 floordiv 2` is -4, `-7 mod 2` is 1.
`div` and `rem` are C's operators, for non-negative operands.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Protocol, TypeAlias

from .expressions import Index, apply, ceildiv, dim, index, maximum, minimum, param

_TOKEN = re.compile(r"\s*(?:(\d+)|(\$?[A-Za-z_]\w*)|(//|->|[-+*%(),\[\]=<>]))")
Resolve: TypeAlias = "Callable[[str], Index | None]"
Divided: TypeAlias = "Callable[[Index], None] | None"
OPERATORS = ("*", "//", "%", "floordiv", "ceildiv", "mod", "div", "rem")


_DIMENSION = re.compile(r"d\d+")


def check_name(name: str) -> None:
    """Raise ValueError for a name of a size or `$param` that would not be parsed back from the text of an index map."""
    if _DIMENSION.fullmatch(name):
        raise ValueError(f"a size cannot be called '{name}': in index maps d0, d1 and so on are dimensions")
    if not name.isascii():
        raise ValueError(f"a size cannot be called '{name}': expected letters of ASCII, digits and '_'")


class Tokens(Protocol):
    """A stream of tokens: `peek` gives the text of the current one (empty at the end), `next` consumes it."""

    def peek(self) -> str: ...
    def next(self) -> str: ...
    def fail(self, message: str) -> Exception: ...


class IndexSyntaxError(ValueError):
    """A malformed index expression; `position` is the offset in `text`."""

    def __init__(self, message: str, text: str, position: int):
        super().__init__(f"{message} at position {position} of '{text}'")
        self.text, self.position = text, position


class StringTokens:
    """Tokens of a plain string."""

    def __init__(self, text: str):
        self.text = text
        self.items: list[tuple[str, int]] = []
        position = 0
        while position < len(text.rstrip()):
            match = _TOKEN.match(text, position)
            if match is None:
                raise IndexSyntaxError(f"unexpected character '{text[position:].lstrip()[0]}'", text, position)
            self.items.append((match.group().strip(), match.end() - len(match.group().strip())))
            position = match.end()
        self.items.append(("", len(text)))
        self.at = 0

    def peek(self) -> str:
        return self.items[self.at][0]

    def next(self) -> str:
        token = self.items[self.at][0]
        self.at = min(self.at + 1, len(self.items) - 1)
        return token

    def fail(self, message: str) -> IndexSyntaxError:
        return IndexSyntaxError(message, self.text, self.items[self.at][1])


def parse_index(
    text: str,
    resolve: Resolve | None = None,
    divided: Divided = None,
) -> Index:
    """Parse an expression. `resolve` maps a name to its expression (None: unknown); by default names are parameters. `divided`
    is called with each divisor, before anything is simplified.

    Raises IndexSyntaxError with the position of the offending token.
    """
    tokens = StringTokens(text)
    result = parse_expression(tokens, resolve or param, divided)
    expect_end(tokens)
    return result


def expect_end(tokens: Tokens) -> None:
    if tokens.peek():
        raise tokens.fail(f"expected the end, got '{tokens.peek()}'")


def _described(token: str) -> str:
    return f"'{token}'" if token else "the end"


def expect(tokens: Tokens, token: str) -> None:
    if tokens.peek() != token:
        raise tokens.fail(f"expected '{token}', got {_described(tokens.peek())}")
    tokens.next()


def dims_or_params(text: str) -> Index:
    """`d<k>` is a dimension, any other name a parameter."""
    return dim(int(text[1:])) if re.fullmatch(r"d\d+", text) else param(text)


def parse_expression(tokens: Tokens, resolve: Resolve, divided: Divided = None) -> Index:
    result = _term(tokens, resolve, divided)
    while tokens.peek() in ("+", "-"):
        operator = tokens.next()
        operand = _term(tokens, resolve, divided)
        result = result + operand if operator == "+" else result - operand
    return result


def _term(tokens: Tokens, resolve: Resolve, divided: Divided = None) -> Index:
    result = _unary(tokens, resolve, divided)
    while tokens.peek() in OPERATORS:
        operator = tokens.next()
        operand = _unary(tokens, resolve, divided)
        if operator != "*" and operand.constant is not None and operand.constant <= 0:
            raise tokens.fail(f"expected a positive divisor after '{operator}', got {operand}")
        if operator != "*" and divided is not None:
            divided(operand)
        match operator:
            case "*":
                result = result * operand
            case "//" | "floordiv":
                result = result // operand
            case "ceildiv":
                result = ceildiv(result, operand)
            case "%" | "mod":
                result = result % operand
            case _:
                result = apply(operator, result, operand)
    return result


def _unary(tokens: Tokens, resolve: Resolve, divided: Divided = None) -> Index:
    negations = 0
    while tokens.peek() == "-":
        tokens.next()
        negations += 1
    result = _atom(tokens, resolve, divided)
    return -result if negations % 2 else result


def _atom(tokens: Tokens, resolve: Resolve, divided: Divided = None) -> Index:
    token = tokens.peek()
    if token == "(":
        tokens.next()
        result = parse_expression(tokens, resolve, divided)
        expect(tokens, ")")
        return result
    if token.isdigit():
        tokens.next()
        return index(int(token))
    if not re.fullmatch(r"[A-Za-z_$][\w$]*", token):
        raise tokens.fail(f"expected an index expression, got {_described(token)}")
    if token in ("min", "max"):
        tokens.next()
        expect(tokens, "(")
        first = parse_expression(tokens, resolve, divided)
        expect(tokens, ",")
        second = parse_expression(tokens, resolve, divided)
        expect(tokens, ")")
        return minimum(first, second) if token == "min" else maximum(first, second)
    result = resolve(token)
    if result is None:
        raise tokens.fail(f"unknown name '{token}'")
    tokens.next()
    return result
