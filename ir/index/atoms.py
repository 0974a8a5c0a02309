"""The atoms of index expressions: dimensions, parameters, applications of functions; and products of them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

if TYPE_CHECKING:
    from .expressions import Index


class Dim(NamedTuple):
    """Dimension `d<position>`."""

    position: int

    @property
    def key(self) -> tuple[int, int, str]:
        return (0, self.position, "")

    def __str__(self) -> str:
        return f"d{self.position}"


class Param(NamedTuple):
    """A named integer known only at run time: a size, or a `$param`. It is non-negative, which each call checks."""

    name: str

    @property
    def key(self) -> tuple[int, int, str]:
        return (1, 0, self.name)

    def __str__(self) -> str:
        return self.name


@dataclass(frozen=True)
class Apply:
    """`op` applied to two expressions: floordiv, mod, min, max, or (below the loop level, for operands known to be
    non-negative) C's truncating `div` and `rem`."""

    op: str
    lhs: Index
    rhs: Index

    @cached_property
    def key(self) -> tuple[int, int, str]:
        return (2, 0, str(self))

    @cached_property
    def _hash(self) -> int:
        return hash((self.op, self.lhs, self.rhs))

    def __hash__(self) -> int:
        return self._hash

    def __str__(self) -> str:
        if self.op in ("min", "max"):
            return f"{self.op}({self.lhs}, {self.rhs})"
        return f"{_wrap(self.lhs)} {self.op} {_wrap(self.rhs)}"


Atom: TypeAlias = Dim | Param | Apply
Monomial: TypeAlias = tuple[Atom, ...]


# Products of atoms.


def without(monomial: Monomial, atoms: Monomial) -> Monomial | None:
    """A product divided by another one; None if it is not divisible."""
    rest = monomial
    for atom in atoms:
        if atom not in rest:
            return None
        at = rest.index(atom)
        rest = (*rest[:at], *rest[at + 1 :])
    return rest


def mentions(atom: Atom, wanted: Atom) -> bool:
    """Whether an atom is another one, or an application that contains it."""
    if atom == wanted:
        return True
    if not isinstance(atom, Apply):
        return False
    if not isinstance(wanted, Apply):
        return wanted in atom.lhs.leaves() or wanted in atom.rhs.leaves()
    return any(mentions(a, wanted) for expr in (atom.lhs, atom.rhs) for m, _ in expr.terms for a in m)


@lru_cache(maxsize=1 << 13)
def joined(left: Monomial, right: Monomial) -> Monomial:
    """The product of two products."""
    return tuple(sorted(left + right, key=_atom_key)) if left and right else left or right


def _atom_key(atom: Atom) -> tuple[int, int, str]:
    return atom.key


def term_key(term: tuple[Monomial, int]) -> tuple[bool, tuple[tuple[int, int, str], ...]]:
    """The sort key of a term in a sum."""
    return _product_key(term[0])


@lru_cache(maxsize=1 << 13)
def _product_key(monomial: Monomial) -> tuple[bool, tuple[tuple[int, int, str], ...]]:
    return (not monomial, tuple([atom.key for atom in monomial]))


# Text.


def _wrap(expr: Index) -> str:
    """The text of an expression, in parentheses unless it is a constant or a single atom other than a quotient."""
    if expr.constant is not None and expr.constant >= 0:
        return str(expr)
    atom = expr.atom
    simple = atom is not None and (not isinstance(atom, Apply) or atom.op in ("min", "max"))
    return str(expr) if simple else f"({expr})"


def format_index(expr: Index) -> str:
    """The text of an expression, in MLIR's syntax."""
    if not expr.terms:
        return "0"
    text = ""
    for monomial, factor in expr.terms:
        sign = "-" if factor < 0 else "+"
        # A leading minus would bind to the dividend of a bare quotient.
        body = _format_product(monomial, abs(factor), bare=bool(text) or factor > 0)
        text += f" {sign} {body}" if text else (f"-{body}" if factor < 0 else body)
    return text


def _format_product(monomial: Monomial, factor: int, bare: bool) -> str:
    if not monomial:
        return str(factor)
    alone = bare and len(monomial) == 1 and factor == 1
    parts = [
        f"({atom})" if isinstance(atom, Apply) and atom.op not in ("min", "max") and not alone else str(atom)
        for atom in monomial
    ]
    if factor != 1:
        parts.append(str(factor))
    return " * ".join(parts)
