"""Index expressions: exact integer arithmetic over dimensions and named parameters, kept in a normal form.

An expression is a sum of integer multiples of products of atoms. There are three kinds of atoms: a dimension `d0, d1, ...` (a
loop index, or an index of a result); a named parameter (`n`, a size known only at run time); and `floordiv`, `mod`, `min` or
`max` of two expressions. Since sums are always collected and products distributed, two expressions that are equal as
polynomials over their atoms are equal objects; `i - i` is `0`. `a ceildiv b` is written `(a + b - 1) floordiv b`.

xDSL's AffineExpr is not used: it has no named parameters, no min and max, and rejects a product of two symbols, which every
flattened shape `n * m` needs. The syntax is that of MLIR's affine expressions.

Divisors are positive; with a zero divisor (an empty axis), quotient and remainder evaluate to 0, and no result is used. Rules
that need ranges of dimensions are in `simplify.py`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache, lru_cache
from math import gcd
from typing import TypeAlias, Union

from .atoms import Apply, Atom, Dim, Monomial, Param, format_index, joined, mentions, term_key, without

IndexLike: TypeAlias = Union["Index", int]


class Index:
    """An index expression in normal form: `terms` maps each product of atoms (sorted; empty = constant) to its factor."""

    # Hash, leaves and dimensions are computed on demand: most expressions are intermediate results and never need them.
    __slots__ = ("_dims", "_hash", "_leaves", "terms")

    def __init__(self, terms: Mapping[Monomial, int] | Iterable[tuple[Monomial, int]]):
        kept = [term for term in dict(terms).items() if term[1]]
        if len(kept) > 1:
            kept.sort(key=term_key)
        self.terms: tuple[tuple[Monomial, int], ...] = tuple(kept)
        self._hash: int | None = None
        self._leaves: Mapping[Dim | Param, None] | None = None
        self._dims: frozenset[int] | None = None

    @staticmethod
    def _ordered(terms: Iterable[tuple[Monomial, int]]) -> Index:
        """An expression of sorted, distinct terms with non-zero factors."""
        result = Index.__new__(Index)
        result.terms = tuple(terms)
        result._hash = result._leaves = result._dims = None
        return result

    def __hash__(self) -> int:
        if self._hash is None:
            self._hash = hash(self.terms)
        return self._hash

    def __eq__(self, other: object) -> bool:
        if isinstance(other, Index):
            return self.terms == other.terms
        return isinstance(other, int) and self.constant == other

    def __str__(self) -> str:
        return format_index(self)

    __repr__ = __str__

    @property
    def constant(self) -> int | None:
        """The value of a constant expression, else None."""
        if not self.terms:
            return 0
        return self.terms[0][1] if len(self.terms) == 1 and not self.terms[0][0] else None

    @property
    def offset(self) -> int:
        """The constant term of the sum."""
        return next((factor for monomial, factor in self.terms if not monomial), 0)

    @property
    def atom(self) -> Atom | None:
        """The atom of an expression that is a single atom with factor 1, else None."""
        if len(self.terms) == 1 and self.terms[0][1] == 1 and len(self.terms[0][0]) == 1:
            return self.terms[0][0][0]
        return None

    def __add__(self, other: IndexLike) -> Index:
        if not isinstance(other, Index):
            return self._shifted(int(other))
        if not other.terms:
            return self
        return self._plus(other, 1) if self.terms else other

    __radd__ = __add__

    def __sub__(self, other: IndexLike) -> Index:
        if not isinstance(other, Index):
            return self._shifted(-int(other))
        return self._plus(other, -1) if other.terms else self

    def _plus(self, other: Index, times: int) -> Index:
        """The sum with `times` times an expression that is not 0."""
        if len(other.terms) == 1 and not other.terms[0][0]:
            return self._shifted(other.terms[0][1] * times)
        terms = dict(self.terms)
        for monomial, factor in other.terms:
            terms[monomial] = terms.get(monomial, 0) + factor * times
        if len(terms) == len(self.terms):  # no term was added: the order is unchanged
            return Index._ordered([term for term in terms.items() if term[1]])
        return Index(terms)

    def _shifted(self, number: int) -> Index:
        """The sum with a constant, which is the last term."""
        if not number:
            return self
        if not self.terms:
            return _constant(number)
        *others, (monomial, factor) = self.terms
        if monomial:
            return Index._ordered((*self.terms, ((), number)))
        return Index._ordered((*others, ((), factor + number)) if factor + number else others)

    def __neg__(self) -> Index:
        return Index._ordered([(monomial, -factor) for monomial, factor in self.terms])

    def __rsub__(self, other: IndexLike) -> Index:
        return index(other) + -self

    def __mul__(self, other: IndexLike) -> Index:
        other = index(other)
        if other.constant is not None:
            return self._scaled(other.constant)
        if self.constant is not None:
            return other._scaled(self.constant)
        terms: dict[Monomial, int] = {}
        for left, a in self.terms:
            for right, b in other.terms:
                both = joined(left, right)
                terms[both] = terms.get(both, 0) + a * b
        return Index(terms)

    __rmul__ = __mul__

    def _scaled(self, factor: int) -> Index:
        if factor in (0, 1):
            return self if factor else ZERO
        return Index._ordered([(monomial, own * factor) for monomial, own in self.terms])

    def __floordiv__(self, other: IndexLike) -> Index:
        return apply("floordiv", self, index(other))

    def __mod__(self, other: IndexLike) -> Index:
        return apply("mod", self, index(other))

    def substitute(self, replacements: Mapping[Atom, IndexLike]) -> Index:
        """The expression with dimensions and parameters replaced, in normal form."""
        if replacements.keys().isdisjoint(self.leaves()):
            return self
        total: dict[Monomial, int] = {}
        for monomial, factor in self.terms:
            for inner, number in _substitute_product(monomial, replacements):
                total[inner] = total.get(inner, 0) + number * factor
        return Index(total)

    def with_applications(self, replace: Callable[[Apply], Index]) -> Index:
        """The expression with its quotients, remainders and extrema replaced."""
        total: dict[Monomial, int] = {}
        for monomial, factor in self.terms:
            applied = [replace(atom) for atom in monomial if isinstance(atom, Apply)]
            if not applied:
                total[monomial] = total.get(monomial, 0) + factor
                continue
            others = tuple([atom for atom in monomial if not isinstance(atom, Apply)])
            for inner, number in product(applied).terms:
                both = joined(others, inner)
                total[both] = total.get(both, 0) + number * factor
        return Index(total)

    def evaluate(self, values: Mapping[Atom, int] | Callable[[Atom], int]) -> int:
        """The value for given dimensions and parameters, which may be NumPy arrays."""
        lookup = values if callable(values) else values.__getitem__
        total = 0
        for monomial, factor in self.terms:
            product = factor
            for atom in monomial:
                product = product * (_evaluate_apply(atom, lookup) if isinstance(atom, Apply) else lookup(atom))
            total = total + product
        return total

    def leaves(self) -> Mapping[Dim | Param, None]:
        """The dimensions and parameters in the expression, each once, in order of appearance."""
        if self._leaves is None:
            found: dict[Dim | Param, None] = {}
            for monomial, _ in self.terms:
                for atom in monomial:
                    found.update({**atom.lhs.leaves(), **atom.rhs.leaves()} if isinstance(atom, Apply) else {atom: None})
            self._leaves = found
        return self._leaves

    def dims(self) -> frozenset[int]:
        """The positions of the dimensions in the expression."""
        if self._dims is None:
            self._dims = frozenset([leaf.position for leaf in self.leaves() if isinstance(leaf, Dim)])
        return self._dims

    def params(self) -> tuple[str, ...]:
        """The names of the parameters in the expression, in order of appearance."""
        return tuple(leaf.name for leaf in self.leaves() if isinstance(leaf, Param))

    @property
    def is_polynomial(self) -> bool:
        """Whether the expression is a sum of products of dimensions and parameters, without quotients and extrema."""
        for monomial, _ in self.terms:
            for atom in monomial:
                if isinstance(atom, Apply):
                    return False
        return True

    def coefficient(self, atom: Atom) -> Index | None:
        """The factor of `atom` if the expression is linear in it, else None."""
        terms: dict[Monomial, int] = {}
        for monomial, factor in self.terms:
            rest = without(monomial, (atom,))
            if rest is not None:
                terms[rest] = factor
            for other in monomial if rest is None else rest:
                if mentions(other, atom):
                    return None
        return Index(terms)


ZERO = Index({})
ONE = Index({(): 1})


def index(value: IndexLike) -> Index:
    """Convert an int to an expression; return an expression unchanged."""
    return value if isinstance(value, Index) else _constant(int(value))


def of_atom(atom: Atom) -> Index:
    """The expression of a single atom."""
    return Index._ordered((((atom,), 1),))


@cache
def dim(position: int) -> Index:
    return of_atom(Dim(position))


@cache
def param(name: str) -> Index:
    return of_atom(Param(name))


@lru_cache(maxsize=4096)
def _constant(value: int) -> Index:
    return Index({(): value})


def ceildiv(a: IndexLike, b: IndexLike) -> Index:
    return (index(a) + b - 1) // b


def minimum(a: IndexLike, b: IndexLike) -> Index:
    return apply("min", index(a), index(b))


def maximum(a: IndexLike, b: IndexLike) -> Index:
    return apply("max", index(a), index(b))


def product(factors: Iterable[IndexLike]) -> Index:
    result = ONE
    for factor in factors:
        result = result * factor
    return result


# Cached: a program has few distinct quotients and extrema, and passes build each of them hundreds of times.
@lru_cache(maxsize=1 << 14)
def apply(op: str, lhs: Index, rhs: Index) -> Index:
    """Apply `op`, by name, and normalise."""
    match op:
        case "floordiv":
            return _quotient(lhs, rhs)
        case "mod":
            return _remainder(lhs, rhs)
        case "min" | "max":
            return _extremum(op, lhs, rhs)
        case _:
            return of_atom(Apply(op, lhs, rhs))


def _quotient(lhs: Index, rhs: Index) -> Index:
    whole, rest = split_multiples(lhs, rhs)
    divisor = rhs.constant
    if rest.constant == 0:
        return whole
    if divisor is not None:
        if rest.constant is not None:
            return whole + (rest.constant // divisor if divisor else 0)
        common = gcd(divisor, *(factor for monomial, factor in rest.terms if monomial))
        if common > 1:
            rest = Index([(m, f // common) for m, f in rest.terms if m]) + rest.offset // common
            return whole + rest // (divisor // common)
        inner = rest.atom
        if isinstance(inner, Apply) and inner.op == "floordiv" and inner.rhs.constant:
            return whole + inner.lhs // (inner.rhs * rhs)
    return whole + of_atom(Apply("floordiv", rest, rhs))


def _remainder(lhs: Index, rhs: Index) -> Index:
    rest = split_multiples(lhs, rhs)[1]
    divisor = rhs.constant
    if rest.constant == 0:
        return ZERO
    if divisor is not None:
        if rest.constant is not None:
            return index(rest.constant % divisor if divisor else 0)
        inner = rest.atom
        if isinstance(inner, Apply) and inner.op == "mod" and inner.rhs.constant and inner.rhs.constant % divisor == 0:
            return inner.lhs % rhs
    return of_atom(Apply("mod", rest, rhs))


# Long division by the term of the highest degree terminates. A longer division is cut off, which leaves a valid remainder.
_MAX_DIVISION_STEPS = 64


def split_multiples(expr: Index, divisor: Index) -> tuple[Index, Index]:
    """`(q, r)` with `expr == q * divisor + r`, where q covers every term that the divisor divides."""
    if len(divisor.terms) != 1:
        return _divide_polynomial(expr, divisor)
    atoms, number = divisor.terms[0]
    whole: list[tuple[Monomial, int]] = []
    rest: list[tuple[Monomial, int]] = []
    for monomial, factor in expr.terms:
        remaining = without(monomial, atoms)
        if remaining is None:
            rest.append((monomial, factor))
            continue
        quotient, left = divmod(factor, number) if not monomial or factor % number == 0 else (0, factor)
        if quotient:
            whole.append((remaining, quotient))
        if left:
            rest.append((monomial, left))
    return Index(whole), Index(rest)


def _divide_polynomial(expr: Index, divisor: Index) -> tuple[Index, Index]:
    """`split_multiples` for a divisor of several terms, by long division by its term of the highest degree."""
    if not divisor.terms:
        return ZERO, expr
    atoms, number = max(divisor.terms, key=_degree_key)
    quotient, rest = ZERO, expr
    for _ in range(_MAX_DIVISION_STEPS):
        divisible = [
            Index({left: factor // number})
            for monomial, factor in rest.terms
            if factor % number == 0 and (left := without(monomial, atoms)) is not None
        ]
        if not divisible:
            break
        quotient, rest = quotient + divisible[0], rest - divisible[0] * divisor
    return quotient, rest


def _degree_key(term: tuple[Monomial, int]) -> tuple[int, tuple[tuple[int, int, str], ...]]:
    return len(term[0]), tuple(atom.key for atom in term[0])


def _extremum(op: str, a: Index, b: Index) -> Index:
    difference = (a - b).constant
    if difference is not None:
        return (a if difference < 0 else b) if op == "min" else (b if difference < 0 else a)
    first, second = sorted((a, b), key=str)
    return of_atom(Apply(op, first, second))


def _substitute_product(monomial: Monomial, replacements: Mapping[Atom, IndexLike]) -> tuple[tuple[Monomial, int], ...]:
    """The terms of a product with dimensions and parameters replaced."""
    if len(monomial) != 1:
        return product(_substitute_atom(atom, replacements) for atom in monomial).terms
    return _substitute_atom(monomial[0], replacements).terms


def _substitute_atom(atom: Atom, replacements: Mapping[Atom, IndexLike]) -> Index:
    if isinstance(atom, Apply):
        return apply(atom.op, atom.lhs.substitute(replacements), atom.rhs.substitute(replacements))
    return index(replacements[atom]) if atom in replacements else of_atom(atom)


def _evaluate_apply(atom: Apply, lookup: Callable[[Atom], int]) -> int:
    lhs, rhs = atom.lhs.evaluate(lookup), atom.rhs.evaluate(lookup)
    match atom.op:
        case "floordiv" | "div":
            return 0 if isinstance(rhs, int) and rhs == 0 else lhs // rhs
        case "mod" | "rem":
            return 0 if isinstance(rhs, int) and rhs == 0 else lhs % rhs
        case "min":
            return lhs + (rhs - lhs) * (rhs < lhs)
        case _:
            return lhs + (rhs - lhs) * (rhs > lhs)


@lru_cache(maxsize=1 << 12)
def divisions(expr: Index) -> Sequence[Apply]:
    """The divisions in an expression by divisors that are not constant."""
    return tuple(each for each in quotients(expr) if each.rhs.constant is None)


def quotients(expr: Index) -> Iterator[Apply]:
    """The quotients and remainders in an expression, those inside of others first."""
    for monomial, _ in expr.terms:
        for atom in monomial:
            if isinstance(atom, Apply):
                yield from quotients(atom.lhs)
                yield from quotients(atom.rhs)
                if atom.op not in ("min", "max"):
                    yield atom
