"""The expressions after `where`: arithmetic over sizes and lists of sizes."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple, TypeAlias, Union

from ..index.expressions import Index, index, maximum, minimum

# The value of a name: a size, or a flat list of sizes.
Value: TypeAlias = "Index | tuple[Index, ...]"
Term: TypeAlias = Union["Number", "Name", "Operation", "Extremum", "Listed"]


class TermError(ValueError):
    """An expression without a value, such as a division by 0."""


class Undetermined(Exception):
    """The value of an expression with a name whose value is not known."""

    def __init__(self, name: str):
        super().__init__(name)
        self.name = name


class Number(NamedTuple):
    """An integer."""

    value: int


class Name(NamedTuple):
    """The value of another name; `position` is its offset in the rule."""

    name: str
    position: int


class Operation(NamedTuple):
    """`left operator right`, for each entry of lists of one length; sizes count as lists of any length."""

    operator: str
    left: Term
    right: Term


class Extremum(NamedTuple):
    """The largest or smallest of all entries of the operands."""

    function: str
    operands: tuple[Term, ...]


class Listed(NamedTuple):
    """A list, with lists in it flattened."""

    entries: tuple[Term, ...]


def names_in(term: Term) -> Iterator[Name]:
    """The names in an expression, in order of appearance."""
    match term:
        case Number():
            return
        case Name():
            yield term
        case Operation(_, left, right):
            yield from names_in(left)
            yield from names_in(right)
        case Extremum(_, entries) | Listed(entries):
            for entry in entries:
                yield from names_in(entry)


def evaluate(term: Term, lookup: Callable[[str], Value]) -> Value:
    """The value of an expression. `lookup` gives the values of names, or raises Undetermined.

    Raises TermError for a division by 0, and for lists of different lengths.
    """
    match term:
        case Number(value):
            return index(value)
        case Name(name):
            return lookup(name)
        case Listed(entries):
            return tuple(size for entry in entries for size in entries_of(evaluate(entry, lookup)))
        case Extremum(function, operands):
            found = [size for operand in operands for size in entries_of(evaluate(operand, lookup))]
            return _extremum(function, found)
        case Operation(operator, left, right):
            return _each(operator, evaluate(left, lookup), evaluate(right, lookup))


def entries_of(value: Value) -> tuple[Index, ...]:
    """A list, or the list of one size."""
    return value if isinstance(value, tuple) else (value,)


def _extremum(function: str, sizes: Sequence[Index]) -> Index:
    if not sizes:
        raise TermError(f"{function} of an empty list")
    result = sizes[0]
    for size in sizes[1:]:
        result = maximum(result, size) if function == "max" else minimum(result, size)
    return result


def _each(operator: str, left: Value, right: Value) -> Value:
    if isinstance(left, Index) and isinstance(right, Index):
        return _apply(operator, left, right)
    count = len(left) if isinstance(left, tuple) else len(entries_of(right))
    if isinstance(left, tuple) and isinstance(right, tuple) and len(left) != len(right):
        raise TermError(f"'{operator}' of lists of {len(left)} and {len(right)} entries")
    lefts = left if isinstance(left, tuple) else (left,) * count
    rights = right if isinstance(right, tuple) else (right,) * count
    return tuple(_apply(operator, a, b) for a, b in zip(lefts, rights, strict=True))


def _apply(operator: str, left: Index, right: Index) -> Index:
    match operator:
        case "+":
            return left + right
        case "-":
            return left - right
        case "*":
            return left * right
        case _:
            return _divided(operator, left, right)


def _divided(operator: str, left: Index, right: Index) -> Index:
    """The floored quotient or the remainder with the divisor's sign, as in Python."""
    divisor = right.constant
    if divisor == 0:
        raise TermError(f"'{operator}' by 0")
    if divisor is not None and left.constant is not None:
        return index(left.constant // divisor if operator == "//" else left.constant % divisor)
    if divisor is not None and divisor < 0:
        return -left // -right if operator == "//" else -(-left % -right)
    return left // right if operator == "//" else left % right
