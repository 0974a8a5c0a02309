"""Overflow checks of allocation sizes: a number of bytes beyond 64 bits would wrap around to a small one.

The checks bound sizes by doubles, which do not wrap around, adding up the magnitudes of all intermediate results of sums,
products and quotients. Operands of a minimum, a maximum or a remainder may be far larger than the result: each gets its own
condition, unless constants bound it.
"""

from __future__ import annotations

from collections.abc import Callable
from math import inf, prod

from ...ir.index.expressions import Apply, Atom, Index, of_atom
from ...ir.index.simplify import Ranges

# No machine has a pebibyte (2^50 bytes). A number that is below it after division by up to 2^12 has at most 62 bits, and so do
# the intermediate results of a number below 2^62.
_ROOM, _DIVISORS = "0x1p50", 1 << 12
_WHOLE = "0x1p62"
# Bytes that need no check: even for 2^10 threads, the most that there can be, they are far below 2^50.
_SMALL = 1 << 31


def beyond_room(shared: Index, each_thread: Index, spell: Callable[[Atom], str]) -> str:
    """The C condition that `shared` bytes plus `each_thread` bytes for each of `sw_threads` exceed any machine's memory, or
    that computing them overflows 64 bits; empty if they are constant and small. `spell` prints an atom in integer arithmetic.
    """
    if all(size.constant is not None and abs(size.constant) < _SMALL for size in (shared, each_thread)):
        return ""
    bounds = _Bounds(spell)
    parts = [bounds.of(shared)] if shared != 0 else []
    parts += [f"({bounds.of(each_thread)}) * sw_threads"] if each_thread != 0 else []
    return " || ".join([*bounds.conditions(), f"{' + '.join(parts)} > {_ROOM}"])


class _Bounds:
    """Bounds of integers as doubles. `_inner` maps the bound of each operand of a minimum, maximum or remainder, after the
    bounds that it depends on, to the largest constant added to it anywhere."""

    def __init__(self, spell: Callable[[Atom], str]):
        self.spell = spell
        self._inner: dict[str, int] = {}

    def conditions(self) -> list[str]:
        """The conditions on operands of minima, maxima and remainders."""
        return [f"{f'{float(added)} + ' if added else ''}{bound} > {_WHOLE}" for bound, added in self._inner.items()]

    def of(self, expr: Index, divisors: int = _DIVISORS) -> str:
        """A bound of an expression, and of all its intermediate results divided by up to `divisors`."""
        return " + ".join(self._term(atoms, factor, divisors) for atoms, factor in reversed(expr.terms)) or "0.0"

    def _term(self, atoms: tuple[Atom, ...], factor: int, divisors: int) -> str:
        divided, texts = 1, list[str]()
        for atom in atoms:
            divisor = divided * _divisor(atom)
            if isinstance(atom, Apply) and 0 < divisor <= divisors:
                texts.append(f"({self.of(atom.lhs, divisors // divisor)})")
                divided = divisor
            else:
                texts.append(self._whole(atom))
        return " * ".join([repr(abs(factor) / divided), *texts])

    def _whole(self, atom: Atom) -> str:
        """An atom in integer arithmetic, with conditions on its operands."""
        if not isinstance(atom, Apply):
            return self.spell(atom)
        for side in (atom.lhs, atom.rhs):
            if side.atom is not None:
                self._whole(side.atom)
            elif side.constant is None:
                bound = self.of(side - side.offset, 1)
                if _most(side) >= float.fromhex(_WHOLE):
                    self._inner[bound] = max(self._inner.get(bound, 0), abs(side.offset))
        return f"fabs({self.spell(atom)})"


def _most(expr: Index) -> float:
    """A constant upper bound of the magnitudes of an expression and its intermediate products."""
    return sum(abs(factor) * prod(max(1, _most_of_atom(atom)) for atom in atoms) for atoms, factor in expr.terms)


def _most_of_atom(atom: Atom) -> float:
    if not isinstance(atom, Apply):
        return inf
    left, right = _most(atom.lhs), _most(atom.rhs)
    match atom.op:
        case "min" if Ranges().nonnegative(of_atom(atom)):
            return min(left, right)
        case "min" | "max":
            return max(left, right)
        case "mod" | "rem":
            return right
        case _:
            return left


def _divisor(atom: Atom) -> int:
    """The constant divisor of an atom, 0 if there is none."""
    if not isinstance(atom, Apply) or atom.op not in ("div", "floordiv"):
        return 0
    return atom.rhs.constant or 0
