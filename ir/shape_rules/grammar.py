"""A parsed shape rule."""

from __future__ import annotations

from typing import NamedTuple, TypeAlias, Union

from ..index.expressions import Index
from .terms import Term, names_in

# The symbols of any number of leading sizes: equal sizes, or sizes that broadcast.
EQUAL, BROADCAST = "~", "..."

Shape: TypeAlias = tuple[Index, ...]
Subscript: TypeAlias = Union["Symbol", int]


class Symbol(NamedTuple):
    """A name in brackets; `position` is its offset in the rule."""

    name: str
    position: int

    def __str__(self) -> str:
        return self.name


class ArrayPattern(NamedTuple):
    """An argument or result: its name if it has one, `~` or `...` if it has one, and the subscripts after that."""

    name: str | None
    leading: Symbol | None
    subscripts: tuple[Subscript, ...]
    position: int

    def __str__(self) -> str:
        parts = [*([self.leading] if self.leading is not None else []), *self.subscripts]
        return f"{self.name or ''}[{' '.join(map(str, parts))}]"


class Binding(NamedTuple):
    """`name = term`, with the text of the term."""

    name: str
    term: Term
    text: str
    position: int

    def __str__(self) -> str:
        return f"{self.name} = {self.text}"


class Grammar(NamedTuple):
    """The parts of a rule."""

    inputs: tuple[ArrayPattern, ...]
    outputs: tuple[ArrayPattern, ...]
    bindings: tuple[Binding, ...]

    def __str__(self) -> str:
        sides = " -> ".join(" ".join(map(str, side)) for side in (self.inputs, self.outputs))
        return f"{sides} where {' '.join(map(str, self.bindings))}" if self.bindings else sides

    def symbols(self) -> tuple[str, ...]:
        """The names in brackets and before `=`, each once, in order."""
        written = [each.name for side in (self.inputs, self.outputs) for array in side for each in symbols_of(array)]
        return tuple(dict.fromkeys([*written, *(binding.name for binding in self.bindings)]))


def symbols_of(array: ArrayPattern) -> list[Symbol]:
    """The names among the subscripts of an array."""
    return [each for each in array.subscripts if isinstance(each, Symbol)]


def ordered_bindings(grammar: Grammar) -> list[Binding]:
    """The bindings, each after those that it needs."""
    known = {each.name: each for each in grammar.bindings}
    done: dict[str, Binding] = {}

    def visit(binding: Binding) -> None:
        for name in names_in(binding.term):
            if name.name in known and name.name not in done:
                visit(known[name.name])
        done.setdefault(binding.name, binding)

    for binding in grammar.bindings:
        visit(binding)
    return list(done.values())
