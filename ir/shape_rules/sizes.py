"""Sizes as users write them, and unification of sizes.

A size is an integer or the text of an expression over names, such as "n" or "2 * n + 1". A number and a name are made equal:
the number then stands for the name everywhere. A number and an expression are made equal too, if the expression has one name
and can be solved for it. Two expressions with names are equal if they are equal as polynomials.
"""

from __future__ import annotations

import operator
import re
from collections.abc import Sequence
from typing import Any, Protocol

from ..diagnostics import ShapeError
from ..index.expressions import Atom, Index, index, param
from ..index.parser import IndexSyntaxError, parse_index
from .terms import Value

# A size, or a list of sizes, as users give them: integers if they are known, else text.
Given = Any  # The sizes are integers, text, index expressions, or sizes of traced tensors


class Unifier(Protocol):
    """Decides whether two sizes are equal."""

    def unify(self, left: Index, right: Index) -> bool: ...
    def resolve(self, size: Index) -> Index: ...


class Rigid:
    """Sizes are equal if their expressions are: names are run-time sizes, about which nothing else is known."""

    def unify(self, left: Index, right: Index) -> bool:
        return left == right

    def resolve(self, size: Index) -> Index:
        return size


class Unification:
    """Names stand for unknown sizes: a number and a name are made equal."""

    def __init__(self) -> None:
        self.known: dict[Atom, Index] = {}

    def resolve(self, size: Index) -> Index:
        return size.substitute(self.known) if self.known else size

    def unify(self, left: Index, right: Index) -> bool:
        left, right = self.resolve(left), self.resolve(right)
        if left == right:
            return True
        if left.constant is None and right.constant is None:
            return False
        return self._solve(left - right)

    def _solve(self, zero: Index) -> bool:
        """Make `zero`, which is not a constant, 0 by a value of its only name. Returns whether there is one."""
        names = zero.leaves()
        if len(names) != 1:
            return False
        (name,) = names
        slope = dict(zero.terms).get((name,))
        offset = zero.offset
        if slope is None or zero != index(slope) * param(str(name)) + offset or offset % slope:
            return False
        value = -offset // slope
        if value < 0:
            return False
        self.known[name] = index(value)
        return True


def size_from(given: Given, what: str) -> Index:
    """A size from an integer or text. Raises ShapeError, naming `what`, for negative ones and malformed text, TypeError for
    anything else."""
    if isinstance(given, Index):
        return given
    own = getattr(given, "index", None)  # sizes of traced tensors have one
    if isinstance(own, Index):
        return own
    if isinstance(given, str):
        try:
            return parse_index(given, param)
        except IndexSyntaxError as error:
            raise ShapeError(f"{what}: expected a size such as 4, 'n' or '2 * n', got '{given}': {error}") from error
    try:
        value = operator.index(given)
    except TypeError:
        raise TypeError(f"{what}: expected a size (an integer or text such as 'n'), got {given!r}") from None
    if value < 0:
        raise ShapeError(f"{what}: expected a size of at least 0, got {value}")
    return index(value)


def shape_from(given: Sequence[Given], what: str) -> tuple[Index, ...]:
    """A shape from integers and text. Raises as `size_from`."""
    if isinstance(given, str) or not hasattr(given, "__iter__"):
        raise TypeError(f"{what}: expected a shape such as (2, 'n'), got {given!r}")
    return tuple(size_from(size, f"{what}, axis {axis}") for axis, size in enumerate(given))


def value_from(given: Given, what: str) -> Value:
    """The value of a name: a size, or a list of them. Integers may be negative. Raises as `size_from`."""
    if not isinstance(given, str) and hasattr(given, "__iter__"):
        return tuple(_number_from(each, f"{what}, entry {number}") for number, each in enumerate(given))
    return _number_from(given, what)


def _number_from(given: Given, what: str) -> Index:
    is_negative = isinstance(given, int) and given < 0
    return index(given) if is_negative else size_from(given, what)


def size_to(size: Index) -> int | str:
    """A size for a user: an integer if it is known, else text that `size_from` reads."""
    return size.constant if size.constant is not None else text_of(size)


def value_to(value: Value) -> Any:
    """The value of a name for a user."""
    return tuple(map(size_to, value)) if isinstance(value, tuple) else size_to(value)


def text_of(size: Index | None) -> str:
    """The text of a size, with Python's operators; `?` for an unknown size."""
    return "?" if size is None else re.sub(r"\bfloordiv\b", "//", re.sub(r"\bmod\b", "%", str(size)))


def shape_text(shape: Sequence[Index | None]) -> str:
    """`(n, 4)`."""
    return f"({', '.join(map(text_of, shape))}{',' if len(shape) == 1 else ''})"
