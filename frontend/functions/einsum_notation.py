"""The notation of generalised einsum, parsed to rows of axes.

    spec    = [shape (";" shape)*] "=>" shape
    shape   = [row "|"] [row "->"] row                        batch | input -> output
    row     = axis* [variable axis*]                          axes left and right of a row variable
    variable = "..." | ".." name ".."                         `...` is the variable named after its row
    axis    = "_" | number | window | label ("^" label)+ | "[" number "]"
                                                              a placeholder, a fixed index, an affine index of a window,
                                                              axes one after the other, the elements of an operand as index
    window  = term ("+" term)* | term "=+" term               inside of the axis, or padded around it
    term    = [number "*"] label

If the specification contains a comma, commas separate axes, labels may have several characters, and a trailing comma is
allowed; otherwise each letter is a label and each digit a fixed index.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TypeAlias

_VARIABLE = re.compile(r"\.\.\.|\.\.([A-Za-z]\w*)\.\.")


class NotationError(ValueError):
    """A malformed specification; the message names the column, counted from 1."""


@dataclass(frozen=True)
class Placeholder:
    """`_`: an axis without a label."""

    @property
    def labels(self) -> tuple[str, ...]:
        return ()


@dataclass(frozen=True)
class Fixed:
    """A number: one index of the axis."""

    at: int

    @property
    def labels(self) -> tuple[str, ...]:
        return ()


@dataclass(frozen=True)
class Affine:
    """A sum of labels times factors; a plain label is a single term with factor 1. A `padded` window reaches beyond its
    axis."""

    terms: tuple[tuple[int, str], ...]
    padded: bool = False

    @property
    def labels(self) -> tuple[str, ...]:
        return tuple(label for _, label in self.terms)

    @property
    def label(self) -> str | None:
        """The label of a plain axis, else None."""
        return self.terms[0][1] if len(self.terms) == 1 and self.terms[0][0] == 1 else None


@dataclass(frozen=True)
class Concatenation:
    """`a^b`: the axes of several labels one after the other."""

    labels: tuple[str, ...]


@dataclass(frozen=True)
class Indexed:
    """`[1]`: the index is the element of an operand, counted from 0."""

    operand: int

    @property
    def labels(self) -> tuple[str, ...]:
        return ()


Axis: TypeAlias = "Placeholder | Fixed | Affine | Concatenation | Indexed"


@dataclass(frozen=True)
class Row:
    """The axes left and right of a row variable. Without a variable, all axes are on the right."""

    left: tuple[Axis, ...]
    variable: str | None
    right: tuple[Axis, ...]


@dataclass(frozen=True)
class Spec:
    """The rows of each operand and of the result, by their names."""

    text: str
    operands: tuple[dict[str, Row], ...]
    result: dict[str, Row]


def parse(text: str) -> Spec:
    """Parse a specification. Raises NotationError."""
    left, arrow, right = text.partition("=>")
    if not arrow:
        raise NotationError(f"'{text}': expected '=>' before the result")
    parser = _Parser(text, "," in text)
    operands, start = [], 0
    for shape in left.split(";"):
        operands.append(parser.shape(start, start + len(shape)))
        start += len(shape) + 1
    return Spec(text, tuple(operands), parser.shape(len(text) - len(right), len(text)))


class _Parser:
    """Reads shapes between two positions of the text."""

    def __init__(self, text: str, commas: bool):
        self.text, self.commas = text, commas
        self.label = re.compile(r"[A-Za-z]\w*" if commas else r"[A-Za-z]")
        self.number = re.compile(r"\d+" if commas else r"\d+(?=\*)|\d")

    def error(self, at: int, expected: str) -> NotationError:
        got = f"'{self.text[at]}'" if at < len(self.text) else "the end"
        return NotationError(f"'{self.text}', column {at + 1}: expected {expected}, got {got}")

    def shape(self, start: int, end: int) -> dict[str, Row]:
        rows = {}
        for name, mark in (("batch", "|"), ("input", "->")):
            found = self.text.find(mark, start, end)
            if found >= 0:
                rows[name] = self.row(start, found, name)
                start = found + len(mark)
        return rows | {"output": self.row(start, end, "output")}

    def row(self, start: int, end: int, name: str) -> Row:
        sides: list[list[Axis]] = [[]]
        variable, at, separated = None, self.skip(start, end), True
        while at < end:
            found = _VARIABLE.match(self.text, at, end)
            if self.commas and not separated:
                raise self.error(at, "','")
            if found is None:
                axis, at = self.axis(at, end)
                sides[-1].append(axis)
            elif variable is not None:
                raise self.error(at, "one row variable in a row")
            else:
                variable, at = found[1] or name, found.end()
                sides.append([])
            at = self.skip(at, end)
            separated = found is not None or self.text.startswith(",", at, end)
            if self.text.startswith(",", at, end):
                at = self.skip(at + 1, end)
        left = sides[0] if variable is not None else []
        return Row(tuple(left), variable, tuple(sides[-1]))

    def axis(self, at: int, end: int) -> tuple[Axis, int]:
        if self.text[at] == "_":
            return Placeholder(), at + 1
        if self.text[at] == "[":
            return self.indexed(at, end)
        terms, padded = list[tuple[int, str]](), False
        while True:
            factor, at = self.factor(at, end)
            found = self.label.match(self.text, at, end)
            if factor is not None and not terms and not self.text.startswith("*", at - 1):
                return Fixed(factor), at
            if found is None or factor == 0:
                raise self.error(at, "an axis: a label, a number, '_', or a window such as '2*o+k' with positive factors")
            terms.append((factor or 1, found[0]))
            at = self.skip(found.end(), end)
            if self.text.startswith("^", at, end) and factor is None and len(terms) == 1:
                return self.concatenation(found[0], at, end)
            pads = self.text.startswith("=+", at, end)
            if pads and len(terms) > 1:
                raise self.error(at, "one term on each side of '=+'")
            if not pads and (padded or not self.text.startswith("+", at, end)):
                return Affine(tuple(terms), padded), at
            padded |= pads
            at = self.skip(at + (2 if pads else 1), end)

    def concatenation(self, first: str, at: int, end: int) -> tuple[Axis, int]:
        labels = [first]
        while self.text.startswith("^", at, end):
            at = self.skip(at + 1, end)
            found = self.label.match(self.text, at, end)
            if found is None or found[0] in labels:
                raise self.error(at, "another label")
            labels.append(found[0])
            at = self.skip(found.end(), end)
        return Concatenation(tuple(labels)), at

    def indexed(self, at: int, end: int) -> tuple[Axis, int]:
        found = re.compile(r"\[\s*(\d+)\s*\]").match(self.text, at, end)
        if found is None:
            raise self.error(at + 1, "the number of an operand and ']'")
        return Indexed(int(found[1])), found.end()

    def factor(self, at: int, end: int) -> tuple[int | None, int]:
        """A number, with the '*' after it if there is one."""
        found = self.number.match(self.text, at, end)
        if found is None:
            return None, at
        return int(found[0]), found.end() + self.text.startswith("*", found.end(), end)

    def skip(self, at: int, end: int) -> int:
        while at < end and self.text[at].isspace():
            at += 1
        return at
