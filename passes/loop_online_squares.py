"""loop-online-squares: squares of distances from a mean are summed in one pass over a row, a part at a time.

    s = for %j in (0, n): s + x[j]                  a, m = a mean of few elements
    c = s / n                                       d, q, m = for "sequential" part of (0, n) carry(0, 0, m):
    q = for %j in (0, n): q + (x[j] - c)^2            d' = for %j in part: d' + (x[j] - m);  m = m + d' / length
                                             ->       q' = for %j in part: q' + (x[j] - m)^2
                                                      yield d + (d' from a), q + (q' from a), m
                                                    s = d + n a;  c = s / n;  (q from c)

The second loop of a part finds it in the first cache, and memory is asked for one part after the other, not for a row all at
once and then for nothing. Rows of no more than a part keep their two loops, to the bit, as do those that the caches hold.

1. Two reductions over the same range are looked for, the first of sums, among them one of elements x, the second of nothing
   but squares of what lies between x and a value that the loop does not change. That need not be the mean. Where a third loop
   walks along the same rows, as in a layer norm, they have to be brought near all the same (1.04 to 1.12 of the time by parts,
   on a Zen 4), and are left alone.
2. Squares are summed from the mean of the part, m. With d = sum(x - a), over the same n elements and for any a and c,

       sum((x - c)^2) = sum((x - a)^2) - (c - a) (2 d - n (c - a)),

   by which what was summed from m is brought to an origin that all parts share, a, and in the end to c.
3. The first loop sums how far elements are from the mean of the part before, the first time from that of a few elements. If
   sums of the elements themselves were not exact to the last bit, d would not be either, which counts for more the farther a
   row is from 0. One origin for all would not do, since far from it sums of small elements were less exact than they are by
   themselves. Where a mean is not finite, or so large that differences overflow, the next part counts from 0.
4. Sums have to be of float32 in float64: what is subtracted in the end may be as many times greater than the result as there
   are parts. Squares whose sum is not finite are left as they are, since infinity less infinity is no number.

Where sizes are not known before the code runs, the loop around is there twice. Rows are loops inside of another: what is summed
over everything is done in parts by threads (`loop-split-reduction`).

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

from ..dialects import loop
from ..ir.index import Index, maximum, minimum
from ..ir.nesting import operations
from ..ir.rewrite import Builder, count, erase
from ..ir.values import number, value_of
from .loop_writer import Writer, over
from .nests import Frame, lowered_blocks
from .options import limited
from .reductions import accumulations, computing, statements, term_of
from .sameness import Sameness
from .walks import more_than

FEW = 256  # elements that the first origin is the mean of

# Elements up to here can be subtracted from one another, and most squares of larger ones overflow anyway.
LARGEST_ORIGIN = 2.0**64

PLAIN = (loop.LoadOp, loop.ComputeOp, loop.CastOp, loop.ConstantOp, loop.IndexOp, loop.TestOp)


@dataclass(frozen=True)
class LoopOnlineSquares(ModulePass):
    """`elements` is the length of a part, `beyond` how many bytes the elements come from at the least."""

    name = "loop-online-squares"

    # Means and variances of 4096 x 4096 take 0.66 to 0.74 of the time in parts of 512 and 1024, 0.80 in parts of 2048 (Zen 4).
    elements: int = limited(1024)
    # Of what the caches hold they take 1.2 to 1.4 of the time: a part is short.
    beyond: int = limited(32 << 20, least=0)

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for block in lowered_blocks(op):
            frame = Frame()
            frame.tree(block)
            for level in [each for each in operations(block) if isinstance(each, loop.ForOp)]:
                self._rewrite(level, frame)

    def _rewrite(self, level: loop.ForOp, frame: Frame) -> None:
        for chain in _chains(level, frame):
            unknown = self._unknown(chain, level, frame)
            if unknown is not None:
                _version(level, unknown, frame)
                _Parts(chain, self.elements, frame).write()
                count("squares-online", "Number of sums of squares that are done in one pass with their means")
                return

    def _unknown(self, chain: Chain, level: loop.ForOp, frame: Frame) -> list[Index] | None:
        """What has to be non-negative for parts to pay, and may be so or not; None where it is not, or where that is not the
        same all through a loop."""
        lower, upper = frame.exprs(chain.sums)
        comes_from_memory = reduce(maximum, [more_than(each, self.beyond) for each in chain.buffers])
        conditions = [upper - lower - self.elements - 1, comes_from_memory]
        ranges = frame.ranges((upper - lower).dims())
        if any(ranges.nonnegative(-1 - each) for each in conditions):
            return None
        unknown = [each for each in conditions if not ranges.nonnegative(each)]
        changes = bool(level.carried) or any(_is_inside(value, level) for value in chain.sums.operands_at)
        return None if unknown and changes else unknown


class Distance(NamedTuple):
    """What a loop sums the squares of: elements that are summed before, as that result, less an origin."""

    result: int
    origin: SSAValue


@dataclass(frozen=True)
class Chain:
    """Two loops over one range, for each result of the second what it sums the squares of, and where the elements come from."""

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
    """Whether a loop only accumulates, one element after the other."""
    is_reduction = op.kind.data == "reduction" and op.step.value.data == 1 and bool(op.carried)
    return is_reduction and accumulations(op) is not None and all(isinstance(each, PLAIN) for each in statements(op))


def _is_inside(value: SSAValue, op: Operation) -> bool:
    owner = value.owner if isinstance(value.owner, Operation) else value.owner.parent_op()
    return owner is not None and op.is_ancestor(owner)


def _chain(level: loop.ForOp, sums: loop.ForOp, squares: loop.ForOp, frame: Frame) -> Chain | None:
    """The chain of two loops, if the second one does nothing but sum squares of distances of what the first one sums, and if
    nothing else in the loop around touches the buffers that it loads from."""
    same = Sameness(sums, squares, frame)
    elements = {k: term_of(op).value for k, op in enumerate(accumulations(sums) or ()) if _sums_floats(op, sums)}
    distances: list[Distance] = []
    for op in accumulations(squares) or ():
        operands = _squared(term_of(op).value) if _sums_floats(op, squares) else ()
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


def _squared(value: SSAValue) -> Sequence[SSAValue]:
    """The operands of the difference that a value is the square of; none if it is not one."""
    match value.owner:
        case loop.ComputeOp(inputs=(factor, *others), function=function) if function.data in ("square", "mul"):
            difference = factor.owner if all(other is factor for other in others) else None
            if isinstance(difference, loop.ComputeOp) and difference.function.data == "sub":
                return tuple(difference.inputs)
    return ()


def _touches(op: Operation, buffers: Sequence[SSAValue]) -> bool:
    return any(operand in buffers for each in op.walk() for operand in each.operands)


def _version(level: loop.ForOp, conditions: Sequence[Index], frame: Frame) -> None:
    """Put a loop under conditions, if there are any, and a copy where one does not hold."""
    if not conditions:
        return
    writer = Writer(frame, Builder(InsertPoint.before(level), level))
    with writer.either(*conditions) as (chosen, other):
        with writer.inside(other):
            writer.copy(level, {}, {})
        level.detach()
        chosen.add_op(level)


class _Parts:
    """Writes one chain as a loop over parts."""

    def __init__(self, chain: Chain, elements: int, frame: Frame):
        self.chain = chain
        self.elements = elements
        self.frame = frame
        self.lower, self.upper = frame.exprs(chain.sums)
        self.terms = [term_of(op) for op in accumulations(chain.sums) or ()]
        self.bases = sorted({each.result for each in chain.distances})
        self.writer = Writer(frame, Builder(InsertPoint.before(chain.sums), chain.sums, chain.squares))

    def write(self) -> None:
        sums, squares, writer = self.chain.sums, self.chain.squares, self.writer
        origins = self._origins()
        start = [*sums.carried, *squares.carried, *origins.values()]
        with writer.carrying("sequential", self.lower, self.upper, start, step=self.elements, hint="part") as (parts, values):
            first = self.frame.index(parts.induction)
            values[:] = self._with_part(first, minimum(first + self.elements, self.upper), values, origins)
        totals, found = parts.results[: len(self.terms)], parts.results[len(self.terms) :]
        length = self._number(self.upper - self.lower)
        wide = {k: writer.cast(origin, f64) for k, origin in origins.items()}
        for k, total in enumerate(totals):
            whole = writer.compute("add", total, writer.compute("mul", length, wide[k])) if k in wide else total
            sums.results[k].replace_all_uses_with(whole)
        with writer.inside(InsertPoint.before(squares)):
            for result, square, (k, origin) in zip(squares.results, found, self.chain.distances, strict=False):
                shift = writer.compute("sub", writer.cast(origin, f64), wide[k])
                result.replace_all_uses_with(self._shifted("sub", square, totals[k], shift, length))
        erase(squares)
        erase(sums)

    def _origins(self) -> dict[int, SSAValue]:
        """Means of a few elements, one for each result that is a sum of some that squares are summed of."""
        writer, end = self.writer, minimum(self.lower + FEW, self.upper)
        zero = [self.chain.sums.carried[k] for k in self.bases]
        with writer.carrying("reduction", self.lower, end, zero, hint="j") as (few, values):
            for position, k in enumerate(self.bases):
                element = self._element(k, self.frame.index(few.induction))
                values[position] = writer.compute("add", values[position], writer.cast(element, f64))
        length = self._number(end - self.lower)
        means = [writer.compute("div", total, length) for total in few.results]
        return {k: self._settled(writer.cast(mean, self.terms[k].element)) for k, mean in zip(self.bases, means, strict=True)}

    def _settled(self, mean: SSAValue) -> SSAValue:
        """A mean as an origin: 0 where it is too large or no number."""
        writer = self.writer
        is_small = writer.compute("lt", writer.compute("abs", mean), writer.constant(number(LARGEST_ORIGIN, mean.type)))
        return writer.compute("select", is_small, mean, writer.constant(number(0, mean.type)))

    def _with_part(
        self, first: Index, end: Index, before: Sequence[SSAValue], origins: Mapping[int, SSAValue]
    ) -> list[SSAValue]:
        """What the loop over parts carries after another part: sums, in which elements that squares are summed of count from
        the origins; sums of squares from there; and means of the part."""
        writer, sums, squares = self.writer, len(self.terms), len(self.chain.distances)
        nearer = dict(zip(self.bases, before[sums + squares :], strict=True))
        found = list(self._sums(first, end, before[:sums], nearer))
        length = self._number(end - first)
        means: dict[int, SSAValue] = {}
        shifts: dict[int, SSAValue] = {}
        for k, near in nearer.items():
            wide, origin = writer.cast(near, f64), writer.cast(origins[k], f64)
            means[k] = writer.cast(writer.compute("add", wide, writer.compute("div", found[k], length)), near.type)
            shifts[k] = writer.compute("sub", writer.cast(means[k], f64), origin)
            found[k] = writer.compute("add", found[k], writer.compute("mul", length, writer.compute("sub", wide, origin)))
        parts = [
            self._shifted("add", square, found[k], shifts[k], length)
            for square, (k, _) in zip(self._squares(first, end, means), self.chain.distances, strict=True)
        ]
        after = [writer.compute("add", before[k], part) if k in means else part for k, part in enumerate(found)]
        after += [writer.compute("add", square, part) for square, part in zip(before[sums:], parts, strict=False)]
        return [*after, *map(self._settled, means.values())]

    def _sums(
        self, first: Index, end: Index, totals: Sequence[SSAValue], origins: Mapping[int, SSAValue]
    ) -> Sequence[SSAValue]:
        """What the first loop accumulates in a part: elements less their origins from 0 on, others onto what was before."""
        writer, sums = self.writer, self.chain.sums
        start = [sums.carried[k] if k in origins else total for k, total in enumerate(totals)]
        with writer.carrying("reduction", first, end, start, hint="j") as (walk, values):
            for k, term in enumerate(self.terms):
                element = self._element(k, self.frame.index(walk.induction))
                value = writer.compute("sub", element, origins[k]) if k in origins else element
                values[k] = writer.compute(term.function, values[k], writer.cast(value, term.carried))
        return walk.results

    def _squares(self, first: Index, end: Index, means: Mapping[int, SSAValue]) -> Sequence[SSAValue]:
        """The sums of squares of elements of a part less their means."""
        writer = self.writer
        with writer.carrying("reduction", first, end, self.chain.squares.carried, hint="j") as (walk, values):
            for position, (k, _) in enumerate(self.chain.distances):
                distance = writer.compute("sub", self._element(k, self.frame.index(walk.induction)), means[k])
                square = writer.cast(writer.compute("square", distance), f64)
                values[position] = writer.compute("add", values[position], square)
        return walk.results

    def _element(self, k: int, place: Index) -> SSAValue:
        """What the first loop accumulates as its result `k`, for an index of its."""
        term, sums = self.terms[k], self.chain.sums
        values: dict[SSAValue, SSAValue] = {}
        for op in computing(term.value, sums):
            self.writer.copy(op, values, over([sums.induction], self.frame, [place]))
        return values[term.value]

    def _shifted(self, how: str, squares: SSAValue, distances: SSAValue, shift: SSAValue, length: SSAValue) -> SSAValue:
        """A sum of squares from another origin, between which and that of the distances lies `shift`: from the latter to the
        former ("sub"), or back ("add")."""
        writer = self.writer
        twice = writer.compute("add", distances, distances)
        excess = writer.compute("mul", shift, writer.compute("sub", twice, writer.compute("mul", length, shift)))
        is_finite = writer.compute("isfinite", squares)
        return writer.compute("select", is_finite, writer.compute(how, squares, excess), squares)

    def _number(self, length: Index) -> SSAValue:
        """An index as float64."""
        (local,), at = self.frame.local((length,))
        return self.writer.cast(self.writer.builder.add(loop.IndexOp(local, at)).result, f64)
