"""Counterexamples: an expression that is negative at one of a few points needs no proof attempt.

    n - m               negative at a point where m is larger than n
    7 - d0              over 0 <= d0 < n: negative at d0 = n - 1, where n is large
    n - 1               negative for n = 0

Most proofs that passes ask for fail, and a failing proof takes ten times as long as an evaluation.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypeAlias
from zlib import crc32

from .expressions import Atom, Dim, Index, Param, divisions

Bounds: TypeAlias = tuple[Index | None, Index | None]

# Larger than any block, tile or vector.
LARGE = 10_000


class _Outside(Exception):
    """A point that refutes nothing: it is out of bounds, or a divisor is not positive there, while proofs assume positive
    divisors."""


class Point(dict[Atom, int]):
    """Values of parameters and dimensions, computed on demand: a parameter is its least value plus an offset that depends on
    its name and `sign`, a dimension is one of its bounds."""

    __slots__ = ("_dims", "_least", "_sign")

    def __init__(self, dims: Mapping[int, Bounds], least: Mapping[str, int], sign: int):
        super().__init__()
        self._dims = dims
        self._least = least
        self._sign = sign

    def __missing__(self, atom: Atom) -> int:
        value = self._of_param(atom.name) if isinstance(atom, Param) else self._of_dim(atom)
        self[atom] = value
        return value

    def _of_param(self, name: str) -> int:
        least = self._least.get(name, 0)
        # Two points with opposite signs order any two parameters both ways.
        return least + 2 * LARGE + self._sign * (crc32(name.encode()) % LARGE) if self._sign else least

    def _of_dim(self, atom: Atom) -> int:
        assert isinstance(atom, Dim), "quotients, remainders and extrema are computed"
        bounds = [None if each is None else self.at(each) for each in self._dims.get(atom.position, ())]
        known = [each for each in bounds if each is not None] or [0]
        if known[0] > known[-1]:
            raise _Outside
        return known[-1 if self._sign < 0 else 0]

    def at(self, expr: Index) -> int:
        """The value of an expression at the point. Raises _Outside."""
        if any(each.rhs.evaluate(self) <= 0 for each in divisions(expr)):
            raise _Outside
        return expr.evaluate(self)


class Points:
    """Three points for dimensions between bounds: two with large parameters, and one with their least values. They are created
    on demand, since many bounds are never queried."""

    __slots__ = ("_dims", "_least", "_made")

    def __init__(self, dims: Mapping[int, Bounds], least: Mapping[str, int]):
        self._dims = dims
        self._least = least
        self._made: Sequence[Point] = ()

    def has_negative(self, expr: Index) -> bool:
        """Whether an expression is negative at one of the points."""
        if not self._made:
            self._made = [Point(self._dims, self._least, sign) for sign in (1, -1, 0)]
        return any(_is_negative(expr, point) for point in self._made)


def _is_negative(expr: Index, point: Point) -> bool:
    try:
        return point.at(expr) < 0
    except _Outside:
        return False
