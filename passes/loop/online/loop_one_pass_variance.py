"""loop-one-pass-variance: compute a mean and a sum of squared distances from it in one pass over a row, block by block.

    s = for %j in (0, n): s + x[j]                  a, m = a mean of few elements
    c = s / n                                       d, q, m = for "sequential" block of (0, n) carry(0, 0, m):
    q = for %j in (0, n): q + (x[j] - c)^2            d' = for %j in block: d' + (x[j] - m);  m = m + d' / length
                                             ->       q' = for %j in block: q' + (x[j] - m)^2
                                                      yield d + (d' from a), q + (q' from a), m
                                                    s = d + n a;  c = s / n;  (q from c)

The second loop of a block reads it from the first cache, and memory traffic is spread over all blocks. Rows of no more than a
block keep their two loops, bit by bit, and so do rows in buffers that fit the caches.

1. Find two reductions over the same range. The first one sums elements x, and possibly others. The second one only sums squared
   distances of x from a loop-invariant value, which need not be the mean. Nothing else in the enclosing loop may access the
   buffers of x: if a third loop reads the same rows, as in a layer norm, the rows must be loaded again anyway.
2. Squares are summed relative to the mean of the block, m. With d = sum(x - a), over the same n elements and for any a and c,

       sum((x - c)^2) = sum((x - a)^2) - (c - a) (2 d - n (c - a)),

   which moves the sum from m to a common origin of all blocks, a, and in the end to c.
3. The first loop sums distances from the mean of the previous block, in the first block from the mean of a few elements. If it
   summed the elements themselves, d would contain the rounding of the sums, which grows with the distance of a row from 0. One
   origin for all blocks would not do, since far from it sums of small elements lose accuracy. If a mean is not finite, or so
   large that differences overflow, the next block uses the origin 0.
4. Sums must be of float32 in float64: the subtracted terms may exceed the result by a factor of the number of blocks. inf - inf
   is NaN, so sums of squares that are not finite are not moved, nor are those from an infinite mean if there are infinite
   elements.

If sizes are unknown at compile time, the enclosing loop is versioned: which version runs, and with that the last bits of a
row's result, depends on the size of the whole. Rows are loops inside another: reductions over everything are split into blocks
for threads (`loop-split-reduction`).

Source: Chan, Golub and LeVeque, Algorithms for computing the sample variance, 1983.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from typing import NamedTuple

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp, f64
from xdsl.ir import Operation, SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint

from ....dialects import loop
from ....ir.index.expressions import Index, maximum, minimum
from ....ir.rewrite import Builder, count, erase
from ....ir.scalars.attributes import number, value_of
from ...analysis.equivalence import ValueEquivalence
from ...analysis.loop_nests import Frame, loops_that_carry
from ...analysis.reductions import accumulations, computing, statements, term_of
from ...manager.options import limited
from ..builder import Writer, over, put_under
from ..memory.access_streams import size_exceeds

FEW = 256  # elements whose mean is the first origin

# The largest mean that is used as an origin: the differences from it do not overflow. Rows with larger means mostly have
# squares that overflow anyway.
LARGEST_ORIGIN = 2.0**64

PLAIN = (loop.LoadOp, loop.ComputeOp, loop.CastOp, loop.ConstantOp, loop.IndexOp, loop.TestOp)


@dataclass(frozen=True)
class LoopOnePassVariance(ModulePass):
    """`elements` is the length of a block; buffers of x with fewer than `beyond` bytes are left alone."""

    name = "loop-one-pass-variance"

    # Longer blocks pay if memory is faster, since each block waits for its own mean (`Machine.part`).
    elements: int = limited(1024)
    # Buffers in the caches lose by the pass.
    beyond: int = limited(32 << 20, least=0)

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for frame, levels in loops_that_carry(op):
            for level in levels:
                self._rewrite(level, frame)

    def _rewrite(self, level: loop.ForOp, frame: Frame) -> None:
        chosen: dict[Chain, list[Index]] = {}
        taken: set[loop.ForOp] = set()
        for chain in _chains(level, frame):
            conditions = self._conditions(chain, level, frame)
            if conditions is not None and taken.isdisjoint((chain.sums, chain.squares)):
                chosen[chain] = conditions
                taken |= {chain.sums, chain.squares}
        if unknown := list(dict.fromkeys(each for conditions in chosen.values() for each in conditions)):
            put_under(level, unknown, frame)
        for chain in chosen:
            _Blocks(chain, self.elements, frame).write()
            count("squares-online", "Number of sums of squares computed in one pass with their means", len(chain.distances))

    def _conditions(self, chain: Chain, level: loop.ForOp, frame: Frame) -> list[Index] | None:
        """The unknown conditions for blocks to pay, tested at run time; None if they never pay, or cannot be tested before the
        loop."""
        lower, upper = frame.exprs(chain.sums)
        comes_from_memory = reduce(maximum, [size_exceeds(each, self.beyond) for each in chain.buffers])
        conditions = [upper - lower - self.elements - 1, comes_from_memory]
        ranges = frame.ranges((upper - lower).dims())
        if any(ranges.nonnegative(-1 - each) for each in conditions):
            return None
        unknown = [each for each in conditions if not ranges.nonnegative(each)]
        changes = bool(level.carried) or any(_is_inside(value, level) for value in chain.sums.operands_at)
        return None if unknown and changes else unknown


class Distance(NamedTuple):
    """The term whose squares a loop sums: elements that an earlier loop sums, minus an origin."""

    result: int
    origin: SSAValue


@dataclass(frozen=True)
class Chain:
    """Two loops over one range, for each result of the second its distance, and the buffers of the elements."""

    sums: loop.ForOp
    squares: loop.ForOp
    distances: tuple[Distance, ...]
    buffers: tuple[SSAValue, ...]


def _chains(level: loop.ForOp, frame: Frame) -> Iterator[Chain]:
    """The chains in a loop."""
    reductions = [op for op in statements(level) if isinstance(op, loop.ForOp) and _is_plain(op)]
    for at, sums in enumerate(reductions):
        for squares in reductions[at + 1 :]:
            if frame.exprs(sums) == frame.exprs(squares) and (chain := _chain(level, sums, squares, frame)) is not None:
                yield chain


def _is_plain(op: loop.ForOp) -> bool:
    """Whether a loop only accumulates, with step 1."""
    is_reduction = op.kind.data == "reduction" and op.step.value.data == 1 and bool(op.carried)
    return is_reduction and accumulations(op) is not None and all(isinstance(each, PLAIN) for each in statements(op))


def _is_inside(value: SSAValue, op: Operation) -> bool:
    owner = value.owner if isinstance(value.owner, Operation) else value.owner.parent_op()
    return owner is not None and op.is_ancestor(owner)


def _chain(level: loop.ForOp, sums: loop.ForOp, squares: loop.ForOp, frame: Frame) -> Chain | None:
    """The chain of two loops, if the second one only sums squared distances of elements that the first one sums, and nothing
    else in the enclosing loop accesses the buffers that it loads from."""
    same = ValueEquivalence.of_loops(sums, squares, frame)
    elements = {k: term_of(op).value for k, op in enumerate(accumulations(sums) or ()) if _sums_floats(op, sums)}
    distances: list[Distance] = []
    for op in accumulations(squares) or ():
        operands = squared_difference(term_of(op).value) if _sums_floats(op, squares) else ()
        found = [
            Distance(k, origin)
            for element, origin in zip(operands, reversed(operands), strict=True)
            if not _is_inside(origin, squares)
            for k, other in elements.items()
            if same.are(other, element)
        ]
        if not found:
            return None
        distances.append(found[0])
    loaded = [op for each in distances for op in computing(elements[each.result], sums) if isinstance(op, loop.LoadOp)]
    buffers = tuple(dict.fromkeys(op.buffer for op in loaded))
    others = [op for op in statements(level) if op is not sums and op is not squares]
    is_alone = bool(buffers) and not any(_touches(op, buffers) for op in others)
    return Chain(sums, squares, tuple(distances), buffers) if is_alone else None


def _sums_floats(op: loop.ComputeOp, level: loop.ForOp) -> bool:
    """Whether a loop sums float32 in float64, from 0 on."""
    start = level.carried[level.carried_args.index(op.inputs[0])].owner
    is_from_zero = isinstance(start, loop.ConstantOp) and value_of(start.value) == 0
    return op.function.data == "add" and term_of(op).is_narrow and is_from_zero


def squared_difference(value: SSAValue) -> Sequence[SSAValue]:
    """The operands of the difference of which a value is the square; empty for any other value."""
    match value.owner:
        case loop.ComputeOp(inputs=(factor, *others), function=function) if function.data in ("square", "mul"):
            difference = factor.owner if all(other is factor for other in others) else None
            if isinstance(difference, loop.ComputeOp) and difference.function.data == "sub":
                return tuple(difference.inputs)
    return ()


def _touches(op: Operation, buffers: Sequence[SSAValue]) -> bool:
    return any(operand in buffers for each in op.walk() for operand in each.operands)


class Carried(NamedTuple):
    """The values that the loop over blocks carries: sums, relative to an origin for elements whose squares are summed; sums of
    squares relative to that origin; and for each sum of such elements their mean in the previous block."""

    sums: Sequence[SSAValue]
    squares: Sequence[SSAValue]
    means: Mapping[int, SSAValue]


class _Blocks:
    """Writes one chain as a loop over blocks."""

    def __init__(self, chain: Chain, elements: int, frame: Frame):
        self.chain = chain
        self.elements = elements
        self.frame = frame
        self.lower, self.upper = frame.exprs(chain.sums)
        self.terms = [term_of(op) for op in accumulations(chain.sums) or ()]
        self.bases = sorted({each.result for each in chain.distances})
        self.writer = Writer(frame, Builder(InsertPoint.before(chain.sums), chain.sums, chain.squares))
        self.zero = self.writer.constant(number(0, f64))

    def write(self) -> None:
        sums, squares, writer = self.chain.sums, self.chain.squares, self.writer
        origins = self._origins()
        start = [*sums.carried, *(self.zero for _ in squares.results), *origins.values()]
        with writer.carrying("sequential", self.lower, self.upper, start, step=self.elements, hint="part") as (parts, values):
            first = self.frame.index(parts.induction)
            after = self._add_block(first, minimum(first + self.elements, self.upper), self._carried(values), origins)
            values[:] = [*after.sums, *after.squares, *after.means.values()]
        found, length = self._carried(parts.results), self._number(self.upper - self.lower)
        for k, (result, total) in enumerate(zip(sums.results, found.sums, strict=True)):
            whole = self._plus(total, "mul", length, self._wide(origins[k])) if k in origins else total
            result.replace_all_uses_with(whole)
        with writer.inside(InsertPoint.before(squares)):
            for result, square, (k, to) in zip(squares.results, found.squares, self.chain.distances, strict=True):
                shift = writer.compute("sub", self._wide(to), self._wide(origins[k]))
                result.replace_all_uses_with(self._from_origin(square, found.sums[k], shift, length))
        erase(squares)
        erase(sums)

    def _carried(self, values: Sequence[SSAValue]) -> Carried:
        sums, others = len(self.terms), len(self.terms) + len(self.chain.distances)
        return Carried(values[:sums], values[sums:others], dict(zip(self.bases, values[others:], strict=True)))

    def _origins(self) -> dict[int, SSAValue]:
        """Means of a few elements, one for each sum of elements whose squares are summed."""
        writer, end = self.writer, minimum(self.lower + FEW, self.upper)
        start = [self.zero for _ in self.bases]
        with writer.carrying("reduction", self.lower, end, start, hint="j") as (few, values):
            for position, k in enumerate(self.bases):
                element = self._element(k, self.frame.index(few.induction))
                values[position] = writer.compute("add", values[position], self._wide(element))
        length = self._number(end - self.lower)
        means = [writer.compute("div", total, length) for total in few.results]
        return {k: self._safe_origin(mean, k) for k, mean in zip(self.bases, means, strict=True)}

    def _safe_origin(self, mean: SSAValue, k: int) -> SSAValue:
        """A mean as an origin of elements: 0 if it is too large, infinite or NaN."""
        writer, element = self.writer, self.terms[k].element
        near = writer.cast(mean, element)
        is_small = writer.compute("lt", writer.compute("abs", near), writer.constant(number(LARGEST_ORIGIN, element)))
        return writer.compute("select", is_small, near, writer.constant(number(0, element)))

    def _add_block(self, first: Index, end: Index, before: Carried, origins: Mapping[int, SSAValue]) -> Carried:
        """The carried values after another block."""
        writer = self.writer
        found = list(self._sums(first, end, before))
        length = self._number(end - first)
        means: dict[int, SSAValue] = {}
        shifts: dict[int, SSAValue] = {}
        for k, nearer in before.means.items():
            wide, origin = self._wide(nearer), self._wide(origins[k])
            means[k] = self._safe_origin(self._plus(wide, "div", found[k], length), k)
            shifts[k] = writer.compute("sub", self._wide(means[k]), origin)
            found[k] = self._plus(found[k], "mul", length, writer.compute("sub", wide, origin))
        squares = [
            writer.compute("add", square, self._to_origin(part, found[k], shifts[k], length))
            for square, part, (k, _) in zip(before.squares, self._squares(first, end, means), self.chain.distances, strict=True)
        ]
        sums = [writer.compute("add", before.sums[k], part) if k in means else part for k, part in enumerate(found)]
        return Carried(sums, squares, means)

    def _sums(self, first: Index, end: Index, before: Carried) -> Sequence[SSAValue]:
        """The first loop over a block: sums of elements minus means start from 0, others continue."""
        writer, means = self.writer, before.means
        start = [self.zero if k in means else total for k, total in enumerate(before.sums)]
        with writer.carrying("reduction", first, end, start, hint="j") as (walk, values):
            for k, term in enumerate(self.terms):
                element = self._element(k, self.frame.index(walk.induction))
                value = writer.compute("sub", element, means[k]) if k in means else element
                values[k] = writer.compute(term.function, values[k], writer.cast(value, term.carried))
        return walk.results

    def _squares(self, first: Index, end: Index, means: Mapping[int, SSAValue]) -> Sequence[SSAValue]:
        """The sums of squares of a block's elements minus their means."""
        writer = self.writer
        start = [self.zero for _ in self.chain.distances]
        with writer.carrying("reduction", first, end, start, hint="j") as (walk, values):
            for position, (k, _) in enumerate(self.chain.distances):
                distance = writer.compute("sub", self._element(k, self.frame.index(walk.induction)), means[k])
                values[position] = writer.compute("add", values[position], self._wide(writer.compute("square", distance)))
        return walk.results

    def _element(self, k: int, place: Index) -> SSAValue:
        """The value that the first loop accumulates as its result `k`, at an index."""
        term, sums = self.terms[k], self.chain.sums
        values: dict[SSAValue, SSAValue] = {}
        for op in computing(term.value, sums):
            self.writer.copy(op, values, over([sums.induction], self.frame, [place]))
        return values[term.value]

    def _to_origin(self, squares: SSAValue, distances: SSAValue, shift: SSAValue, length: SSAValue) -> SSAValue:
        """Move a sum of squares to the origin of the distances, from an origin at distance `shift`."""
        excess = self._excess(distances, shift, length)
        return self._where_finite(squares, self.writer.compute("add", squares, excess), squares)

    def _from_origin(self, squares: SSAValue, distances: SSAValue, shift: SSAValue, length: SSAValue) -> SSAValue:
        """Move a sum of squares from the origin of the distances to one at distance `shift`. With infinite elements and a shift
        that is not finite it is NaN (inf - inf)."""
        writer = self.writer
        moved = writer.compute("sub", squares, self._excess(distances, shift, length))
        infinite = self._plus(squares, "sub", shift, shift)
        return self._where_finite(squares, moved, self._where_finite(distances, squares, infinite))

    def _excess(self, distances: SSAValue, shift: SSAValue, length: SSAValue) -> SSAValue:
        writer = self.writer
        twice = writer.compute("add", distances, distances)
        return writer.compute("mul", shift, writer.compute("sub", twice, writer.compute("mul", length, shift)))

    def _where_finite(self, value: SSAValue, then: SSAValue, otherwise: SSAValue) -> SSAValue:
        return self.writer.compute("select", self.writer.compute("isfinite", value), then, otherwise)

    def _plus(self, value: SSAValue, function: str, a: SSAValue, b: SSAValue) -> SSAValue:
        return self.writer.compute("add", value, self.writer.compute(function, a, b))

    def _wide(self, value: SSAValue) -> SSAValue:
        return self.writer.cast(value, f64)

    def _number(self, length: Index) -> SSAValue:
        """An index as float64."""
        (local,), at = self.frame.local((length,))
        return self._wide(self.writer.builder.add(loop.IndexOp(local, at)).result)
