"""Index expressions on the C level: over integers that exist there, and over the lane number.

The index of an unrolled loop becomes an expression, `lower + 3` in the body's fourth copy, and that of a vector loop becomes
`lower + lane`. `Indices` substitutes these for loop indices and returns `Expressions`, which know their strides across lanes.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import reduce
from typing import NamedTuple, TypeAlias

from xdsl.dialects.builtin import i64
from xdsl.ir import SSAValue

from ...dialects import cloop, loop
from ...dialects.scalar_ops import IndexedOp, only_used
from ...ir.diagnostics import LegalityError
from ...ir.index.expressions import (
    Apply,
    Atom,
    Dim,
    Index,
    IndexLike,
    ceildiv,
    dim,
    index,
    maximum,
    minimum,
    of_atom,
    quotients,
)
from ...ir.index.simplify import Ranges
from ...ir.scalars.attributes import number
from ..emission.divisions import truncating
from .values import Value, ValueWriter, Vector

# The minimum and maximum of an index, each None if unknown.
Bounds: TypeAlias = tuple[Index | None, Index | None]


class Position(NamedTuple):
    """The index of an unrolled or vector loop, as an expression over integers of the C level and the lane number."""

    expr: Index
    operands: tuple[SSAValue, ...]


class Uniform(NamedTuple):
    """Lane-invariant expressions with their operands, as operations of the C level take them."""

    exprs: tuple[Index, ...]
    operands: tuple[SSAValue, ...]


class Guard(NamedTuple):
    """The active lanes: if `uniform` holds, the lanes in `[first, end)` for which `others` hold."""

    uniform: tuple[Index, ...]
    first: Index
    end: Index
    others: tuple[Index, ...]


@dataclass(frozen=True)
class Expressions:
    """Index expressions over `operands`. Dimension `lane` is the lane number; the dimensions in `vectors` are integers that
    vary across lanes."""

    writer: ValueWriter
    exprs: tuple[Index, ...]
    operands: tuple[SSAValue, ...]
    ranges: Ranges
    lane: int | None = None
    vectors: Mapping[int, Vector] | None = None

    def varies(self, *exprs: Index) -> bool:
        """Whether any of the expressions varies across lanes."""
        if self.lane is None and not self.vectors:
            return False
        varying = {self.lane, *(self.vectors or ())}
        return any(varying & expr.dims() for expr in exprs)

    def stride(self, expr: Index) -> int | None:
        """The increment of an expression per lane; None if it is not constant."""
        if not self.varies(expr):
            return 0
        if self.lane is None or any(position in expr.dims() for position in self.vectors or ()):
            return None
        factor = expr.coefficient(Dim(self.lane))
        return None if factor is None else factor.constant

    def at_lane(self, exprs: Sequence[Index], lane: int) -> Uniform:
        """The expressions specialised to one lane."""
        replacements: dict[Atom, IndexLike] = {} if self.lane is None else {Dim(self.lane): lane}
        exprs = [expr.substitute(replacements) for expr in exprs]
        used = frozenset().union(*(expr.dims() for expr in exprs))
        operands = list(self.operands)
        for position, vector in (self.vectors or {}).items():
            if position in used:
                operands[position] = self.writer.lane(vector, lane)
        return self._for_c(exprs, operands)

    def uniform(self, exprs: Sequence[Index]) -> Uniform:
        """Lane-invariant expressions, as operands of an operation of the C level."""
        return self._for_c(exprs, self.operands)

    def invariant(self, expr: Index) -> Uniform:
        """A lane-invariant expression, for substitution into others."""
        return self._drop_unused((expr,), self.operands)

    def scalar(self, expr: Index) -> SSAValue:
        """Write a lane-invariant expression as an integer value."""
        (uniform,), operands = self.uniform((expr,))
        return self.writer.add(cloop.IndexOp(uniform, operands))

    def integer(self, expr: Index) -> Value:
        """Write an expression as an integer value, a vector if it varies across lanes."""
        stride = self.stride(expr)
        if stride == 0:
            return self.scalar(expr)
        if self.is_in_vectors(expr):
            return self._in_vectors(self.ranges.simplify(expr))
        if stride is None or self.lane is None:
            lanes = (self.at_lane((expr,), lane) for lane in range(self.writer.lanes))
            return self.writer.pack([self.writer.add(cloop.IndexOp(exprs[0], operands)) for exprs, operands in lanes])
        steps = self.writer.count_up(i64)
        if stride != 1:
            steps = self.writer.compute("mul", steps, self.writer.constant(number(stride, i64)))
        return self.writer.compute("add", self.scalar(expr - dim(self.lane) * stride), steps)

    def is_in_vectors(self, *exprs: Index) -> bool:
        """Whether the expressions depend on integers that vary across lanes, and vectors have instructions for them: sums,
        products and extrema of these integers, but no quotients."""
        used = frozenset().union(*(expr.dims() for expr in exprs))
        divided = (each for expr in exprs for each in quotients(expr))
        return not used.isdisjoint(self.vectors or ()) and not any(self.varies(of_atom(each)) for each in divided)

    def _in_vectors(self, expr: Index) -> Value:
        """Write an expression in vectors of 64-bit integers: one scalar, to which the terms that vary are added."""
        varying = [(monomial, factor) for monomial, factor in expr.terms if self.varies(Index([(monomial, 1)]))]
        rest = expr - Index(varying)
        total: Value | None = self.scalar(rest) if rest != 0 or not varying else None
        for monomial, factor in varying:
            lanes = [atom for atom in monomial if self.varies(of_atom(atom))]
            value = reduce(lambda a, b: self.writer.compute("mul", a, b), map(self._atom_in_vectors, lanes))
            scale = Index([(tuple(atom for atom in monomial if atom not in lanes), abs(factor))])
            if scale != 1 and all(map(self._is_bit, lanes)):
                # Machines multiply vectors of 64-bit integers in several instructions.
                value = self.writer.compute("and", self.writer.compute("neg", value), self.scalar(scale))
            elif scale != 1:
                value = self.writer.compute("mul", value, self.scalar(scale))
            if total is None:
                total = value if factor > 0 else self.writer.compute("neg", value)
            else:
                total = self.writer.compute("add" if factor > 0 else "sub", total, value)
        assert total is not None, "a sum without terms is the scalar 0"
        return total

    def _is_bit(self, atom: Atom) -> bool:
        """Whether a number is known to be 0 or 1."""
        expr = of_atom(atom)
        return self.ranges.nonnegative(expr) and self.ranges.nonnegative(1 - expr)

    def _atom_in_vectors(self, atom: Atom) -> Value:
        if isinstance(atom, Apply):
            return self.writer.compute(atom.op, *map(self._in_vectors, (atom.lhs, atom.rhs)))
        assert isinstance(atom, Dim), "parameters are the same in all lanes"
        if atom.position == self.lane:
            return self.writer.count_up(i64)
        return self.writer.cast((self.vectors or {})[atom.position], i64)

    def needed(self, guards: Sequence[Index]) -> tuple[Index, ...]:
        """The guards that the ranges do not prove."""
        return tuple(expr for expr in guards if not self.ranges.nonnegative(expr))

    def guard(self, exprs: Sequence[Index]) -> Guard:
        """The guard that all the expressions are non-negative."""
        uniform: list[Index] = []
        others: list[Index] = []
        first, end = index(0), index(self.writer.lanes)
        for expr in exprs:
            stride = self.stride(expr)
            if stride is None:
                others.append(expr)
            elif stride == 0:
                uniform.append(expr)
            else:
                assert self.lane is not None, "a stride other than 0 implies a lane"
                start = expr - dim(self.lane) * stride
                if stride > 0:
                    first = maximum(first, ceildiv(-start, stride))
                else:
                    end = minimum(end, start // -stride + 1)
        return Guard(tuple(uniform), self.ranges.simplify(first), self.ranges.simplify(end), tuple(others))

    def _for_c(self, exprs: Sequence[Index], operands: Sequence[SSAValue]) -> Uniform:
        """The expressions with truncating divisions, as in C, where these equal floor divisions."""
        finished = [truncating(self.ranges.simplify(expr), self.ranges) for expr in exprs]
        return self._drop_unused(finished, operands)

    def _drop_unused(self, exprs: Sequence[Index], operands: Sequence[SSAValue]) -> Uniform:
        """Drop unused operands, and with them the lane and varying integers, which no operation may take."""
        if self.lane is None and not self.vectors:
            return Uniform(tuple(exprs), tuple(operands))
        return Uniform(*only_used(exprs, operands))


class Indices:
    """Facts about loop indices: expressions for the indices of unrolled and vector loops, and ranges for those of other
    loops."""

    def __init__(self, writer: ValueWriter, values: Mapping[SSAValue, Value]):
        self.writer = writer
        self.values = values
        self.ranges = Ranges()  # of parameters
        self.positions: dict[SSAValue, Position] = {}
        self.lane: SSAValue | None = None
        self._bounds: dict[SSAValue, Bounds] = {}
        self._ranges_of: dict[tuple[Bounds | None, ...], Ranges] = {}

    def of(self, at: Sequence[SSAValue], exprs: Sequence[Index], with_lane: bool = False) -> Expressions:
        """Expressions over the integers `at`; with `with_lane`, over the lane number as the last dimension too."""
        if with_lane or any(self._is_replaced(value) for value in at):
            return self._expanded(at, exprs)
        operands = tuple(self.scalar(value) for value in at)
        ranges = self.ranges_over(operands)
        return Expressions(self.writer, tuple(map(ranges.simplify, exprs)), operands, ranges)

    def as_written(self, at: Sequence[SSAValue], exprs: Sequence[Index]) -> Sequence[Index]:
        """The expressions that `of` returns, but unsimplified if `at` are integers of the C level. This saves compile time for
        long expressions that are evaluated once."""
        return self.of(at, exprs).exprs if any(self._is_replaced(value) for value in at) else exprs

    def invariant(self, op: IndexedOp) -> Expressions:
        """The expressions of an operation that must be lane-invariant. Raises LegalityError if they vary."""
        expressions = self.of(op.operands_at, op.index_map.results)
        if expressions.varies(*expressions.exprs):
            message = f"'{op.name}': expected the same index expressions in all lanes of a vector loop"
            raise LegalityError(message, op.location)
        return expressions

    def scalar(self, value: SSAValue) -> SSAValue:
        """The C-level integer of a loop-level integer."""
        found = self.values[value]
        assert isinstance(found, SSAValue), "expected a lane-invariant value"
        return found

    @contextmanager
    def inside(self, induction: SSAValue, level: Expressions) -> Iterator[None]:
        """Within a loop's body, record the range of the loop's index, and that the loop runs at least once."""
        lower, upper = level.exprs
        least = level.ranges.bound(lower, upper=False) if lower.dims() else lower
        greatest = level.ranges.bound(upper - 1, upper=True) if upper.dims() else upper - 1
        self._bounds[induction] = (least, greatest)
        outside, known = self.ranges, self._ranges_of
        if not lower.dims() and not upper.dims():
            self.ranges = outside.assuming(upper - lower - 1)
        # Ranges are cached by index bounds; assumptions about parameters need a cache of their own.
        if self.ranges is not outside:
            self._ranges_of = {}
        yield
        self.ranges, self._ranges_of = outside, known

    @contextmanager
    def lanes_of(self, op: loop.ForOp, lanes: int) -> Iterator[None]:
        """Within a vector loop's body, set the loop's index to `lower + lane * step`."""
        (lower,), operands = self._lower(op)
        self.positions[op.induction] = Position(lower + dim(len(operands)) * op.step.value.data, (*operands, op.induction))
        self._bounds[op.induction] = (index(0), index(lanes - 1))
        self.lane = op.induction
        yield
        self.lane = None

    def enter_copy(self, op: loop.ForOp, copy: int) -> None:
        """Set the index of an unrolled loop to `lower + copy * step`."""
        (lower,), operands = self._lower(op)
        self.positions[op.induction] = Position(lower + copy * op.step.value.data, operands)

    def _lower(self, op: loop.ForOp) -> Uniform:
        bounds = self.invariant(op)
        return bounds.invariant(bounds.exprs[0])

    def _is_replaced(self, value: SSAValue) -> bool:
        return value in self.positions or isinstance(self.values[value], Vector)

    def _expanded(self, at: Sequence[SSAValue], exprs: Sequence[Index]) -> Expressions:
        """Substitute positions for the loop indices that they define."""
        operands: dict[SSAValue, int] = {}
        vectors: dict[int, Vector] = {}
        replacements: dict[Atom, IndexLike] = {}
        for k, value in enumerate(at):
            position = self.positions.get(value)
            if position is not None:
                numbers = [operands.setdefault(operand, len(operands)) for operand in position.operands]
                inner: dict[Atom, IndexLike] = {Dim(i): dim(number) for i, number in enumerate(numbers)}
                replacements[Dim(k)] = position.expr.substitute(inner)
                continue
            found = self.values[value]
            key = found if isinstance(found, SSAValue) else value
            number = operands.setdefault(key, len(operands))
            if isinstance(found, Vector):
                vectors[number] = found
            replacements[Dim(k)] = dim(number)
        if self.lane is not None:
            replacements[Dim(len(at))] = dim(operands.setdefault(self.lane, len(operands)))
        ranges = self.ranges_over(tuple(operands))
        expanded = tuple(ranges.simplify(expr.substitute(replacements)) for expr in exprs)
        lane = operands[self.lane] if self.lane is not None else None
        return Expressions(self.writer, expanded, tuple(operands), ranges, lane, vectors)

    def ranges_over(self, operands: tuple[SSAValue, ...]) -> Ranges:
        """The ranges of expressions over these integers. Integers with the same bounds share one object, and with it the cache
        of simplified expressions."""
        bounds = tuple(self._bounds.get(value) for value in operands)
        if bounds not in self._ranges_of:
            self._ranges_of[bounds] = self.ranges.with_dims({k: both for k, both in enumerate(bounds) if both is not None})
        return self._ranges_of[bounds]
