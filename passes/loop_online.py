"""loop-online: exponentials below the maximum of a row are summed in one pass over it, a part at a time.

    m = for %j in (0, n): max(m, x[j])              m, s = for "sequential" part of (0, n) carry(-inf, 0):
    s = for %j in (0, n): s + exp(x[j] - m)           w = for %j in part carry(m): max(w, x[j])
                                             ->       t = for %j in part: t + exp(x[j] - w)
                                                      yield w, s * exp(m - w) + t

A row that is longer than the cache is read from memory once, in place of twice: the second loop of a part finds it there.
Rows of one part are computed as before, to the bit.

1. Two reductions over the same range are looked for, the first of maxima, the second of sums of terms that are proportional to
   an exponential of something less such a maximum, which is all that the second does with it. A shift that is 0 where the
   maximum is not finite, as in logsumexp, is a maximum too.
2. In one loop over parts of `elements` a part continues the maxima of those before. What they summed was exp(x - m), and is
   exp(x - w) after multiplication with exp(m - w): both shifts stand in front of a sum that is linear in the exponential.
3. Exponentials that are kept for a later loop, as in softmax, lie below the maximum at their time. The loop multiplies them
   with exp(w - m), once for each part, by which it goes too.

Maxima that are infinite follow what two passes give: parts are shifted by 0 where theirs is not finite, since exp(inf - inf) is
no number, and what was summed below a maximum of -inf is 0 and stays it.

Source: Milakov and Gimelshein, Online normalizer calculation for softmax, 2018; parts as in Dao et al., FlashAttention, 2022.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from typing import TypeGuard

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Block, Operation, SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint, Rewriter

from ..dialects import loop
from ..ir.dtypes import FLOAT32, FLOAT64, dtype_of
from ..ir.index import Atom, Dim, Index, IndexLike, ceildiv, minimum
from ..ir.rewrite import Builder, count, erase
from ..ir.values import number, value_of
from .loop_writer import Writer
from .nests import Frame, lowered_blocks
from .options import limited
from .reductions import accumulations, statements


@dataclass(frozen=True)
class LoopOnline(ModulePass):
    """`elements` is the length of a part, which the first cache should hold with its exponentials."""

    name = "loop-online"

    # Parts of 2048 to 16,384 take the same time: logsumexp of rows of 2^20 a third of that of two passes, softmax half
    # (Sapphire Rapids).
    elements: int = limited(4096)

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for block in lowered_blocks(op):
            frame = Frame()
            frame.tree(block)
            for level in [each for each in block.walk() if isinstance(each, loop.ForOp)]:
                while (chain := next(_chains(level, frame, self.elements), None)) is not None:
                    _Online(chain, self.elements, frame).write()
                    count("chains-online", "Number of sums of exponentials that are done in one pass with their maxima")


@dataclass(frozen=True)
class Shift:
    """A value that exponentials are taken below: which maximum of the first loop it is, and whether it is 0 where that one is
    not finite."""

    value: SSAValue
    maximum: int
    is_finite: bool


@dataclass(frozen=True)
class Kept:
    """Exponentials that are stored, and loaded by later loops over the same range."""

    store: loop.StoreOp
    shift: Shift
    loads: tuple[loop.LoadOp, ...]


@dataclass(frozen=True)
class Chain:
    """Two loops over one range, with what uses the exponentials of the second.

    `shifts` has for each of its sums what their exponentials are below, None for a sum of something else; `between` are the
    statements that stand between the loops and use the maxima."""

    maxima: loop.ForOp
    sums: loop.ForOp
    shifts: tuple[Shift | None, ...]
    kept: tuple[Kept, ...]
    between: tuple[Operation, ...]


def _chains(level: loop.ForOp, frame: Frame, elements: int) -> Iterator[Chain]:
    """The chains in a loop whose range may be longer than a part."""
    reductions = [op for op in statements(level) if isinstance(op, loop.ForOp) and op.kind.data == "reduction" and op.carried]
    for at, maxima in enumerate(reductions):
        functions = [result.function.data for result in accumulations(maxima) or ()]
        lower, upper = frame.exprs(maxima)
        longest = frame.ranges((upper - lower).dims()).bound(upper - lower, upper=True)
        if set(functions) != {"max"} or (longest is not None and (longest.constant or elements + 1) <= elements):
            continue
        for sums in reductions[at + 1 :]:
            if frame.exprs(sums) == (lower, upper) and (chain := _chain(maxima, sums, frame)) is not None:
                yield chain


def _chain(maxima: loop.ForOp, sums: loop.ForOp, frame: Frame) -> Chain | None:
    results = accumulations(sums)
    if maxima.step.value.data != 1 or sums.step.value.data != 1 or not (_is_plain(maxima) and _is_plain(sums)):
        return None
    if results is None or not all(op.function.data == "add" and _starts_at_zero(op, sums) for op in results):
        return None
    if not all(dtype_of(value.type) in (FLOAT32, FLOAT64) for value in (*maxima.results, *sums.results)):
        return None
    between = _between(maxima, sums)
    if between is None or _writes(maxima):
        return None
    below = _exponentials(maxima, sums, between)
    shifts: list[Shift | None] = [None] * len(results)
    kept: list[Kept] = []
    for exponential, shift in below.items():
        for user in _uses(exponential, _made_of(below, sums)):
            if isinstance(user, loop.ComputeOp) and user in results:
                shifts[results.index(user)] = shift
            elif isinstance(user, loop.StoreOp) and (loads := _loads_of(user, sums, frame)) is not None:
                kept.append(Kept(user, shift, loads))
            else:
                return None
    stores = [op for op in statements(sums) if isinstance(op, loop.StoreOp)]
    if not below or stores != [each.store for each in kept]:
        return None
    return Chain(maxima, sums, tuple(shifts), tuple(kept), tuple(between))


def _is_plain(reduction: loop.ForOp) -> bool:
    return not any(op.regions or isinstance(op, loop.UpdateOp) for op in statements(reduction))


def _writes(op: Operation) -> bool:
    return any(isinstance(each, loop.StoreOp | loop.UpdateOp) for each in op.walk())


def _starts_at_zero(accumulation: loop.ComputeOp, sums: loop.ForOp) -> bool:
    """Whether a sum is one of the second loop's own, from 0 on."""
    start = sums.carried[sums.carried_args.index(accumulation.inputs[0])].owner
    return isinstance(start, loop.ConstantOp) and value_of(start.value) == 0


def _between(maxima: loop.ForOp, sums: loop.ForOp) -> list[Operation] | None:
    """The statements between two loops that use the maxima of the first, which only compute; None if others do, or write what
    it may read."""
    found: list[Operation] = []
    values = set(maxima.results)
    op = maxima.next_op
    while op is not sums:
        assert op is not None, "the second loop comes later in the block"
        if any(operand in values for each in op.walk() for operand in each.operands):
            if not isinstance(op, loop.ComputeOp | loop.CastOp):
                return None
            found.append(op)
            values.update(op.results)
        elif _writes(op):
            return None
        op = op.next_op
    return found


def _exponentials(maxima: loop.ForOp, sums: loop.ForOp, between: Sequence[Operation]) -> dict[SSAValue, Shift]:
    """The exponentials in the second loop, with what they are below; none if the loop does something else with a maximum."""
    values = {*maxima.results, *(result for op in between for result in op.results)}
    found: dict[SSAValue, Shift] = {}
    for op in statements(sums):
        for position in [k for k, operand in enumerate(op.operands) if operand in values]:
            shift = _shift(op.operands[position], maxima)
            is_difference = isinstance(op, loop.ComputeOp) and op.function.data == "sub" and position == 1
            powers = [use.operation for use in op.results[0].uses] if is_difference else []
            if shift is None or len(powers) != 1 or not _is(powers[0], "exp"):
                return {}
            found[powers[0].results[0]] = shift
    return found


def _shift(value: SSAValue, maxima: loop.ForOp) -> Shift | None:
    """A maximum, or one where it is finite and 0 where not."""
    numbers: dict[SSAValue, int] = {result: k for k, result in enumerate(maxima.results)}
    if value in numbers:
        return Shift(value, numbers[value], is_finite=False)
    chosen = value.owner
    if not _is(chosen, "select"):
        return None
    asked, maximum, otherwise = chosen.operands
    is_zero = isinstance(otherwise.owner, loop.ConstantOp) and value_of(otherwise.owner.value) == 0
    asks_of_it = _is(asked.owner, "isfinite") and asked.owner.operands[0] is maximum
    return Shift(value, numbers[maximum], is_finite=True) if is_zero and asks_of_it and maximum in numbers else None


def _is(op: Operation | Block, function: str) -> TypeGuard[loop.ComputeOp]:
    return isinstance(op, loop.ComputeOp) and op.function.data == function


def _made_of(exponentials: Iterable[SSAValue], sums: loop.ForOp) -> Set[SSAValue]:
    """The values in a loop that are computed from exponentials, and these."""
    found = set(exponentials)
    for op in statements(sums):
        if not found.isdisjoint(op.operands):
            found.update(op.results)
    return found


def _uses(value: SSAValue, made_of_exponentials: Set[SSAValue]) -> Iterator[Operation]:
    """What an exponential is for, itself or multiplied with what is made of none."""
    for use in list(value.uses):
        user = use.operation
        widens = isinstance(user, loop.CastOp) and dtype_of(user.result.type) is FLOAT64
        scales = _is(user, "mul") and user.operands[1 - use.index] not in made_of_exponentials
        if widens or scales:
            yield from _uses(user.results[0], made_of_exponentials)
        else:
            yield user


def _loads_of(store: loop.StoreOp, sums: loop.ForOp, frame: Frame) -> tuple[loop.LoadOp, ...] | None:
    """The loads of what the second loop stores into a buffer that nothing else touches: each in a later loop over the same
    range beside it, of what was stored for the same index. None if there are others."""
    if not isinstance(store.buffer.owner, loop.AllocOp) or store.guard_exprs:
        return None
    found: list[loop.LoadOp] = []
    for load in [use.operation for use in store.buffer.uses if use.operation is not store]:
        reader = load.parent_op()
        if not isinstance(load, loop.LoadOp) or load.guard_exprs or not isinstance(reader, loop.ForOp) or reader.carried:
            return None
        at: dict[Atom, IndexLike] = {Dim(frame.number(reader.induction)): frame.index(sums.induction)}
        stored_there = tuple(expr.substitute(at) for expr in frame.exprs(load)) == frame.exprs(store)
        same_range = frame.exprs(reader) == frame.exprs(sums) and reader.step.value.data == 1
        if not (stored_there and same_range and _comes_after(reader, sums)):
            return None
        found.append(load)
    return tuple(found)


def _comes_after(op: Operation, other: Operation) -> bool:
    """Whether an operation stands behind another one in the same block."""
    following = other.next_op
    while following is not None and following is not op:
        following = following.next_op
    return following is op


class _Online:
    """Writes one chain as a loop over parts."""

    def __init__(self, chain: Chain, elements: int, frame: Frame):
        self.chain = chain
        self.elements = elements
        self.frame = frame
        self.lower, self.upper = frame.exprs(chain.maxima)
        self.writer = Writer(frame, Builder(InsertPoint.before(chain.sums), chain.maxima, chain.sums))

    def write(self) -> None:
        chain, writer = self.chain, self.writer
        parts = ceildiv(self.upper - self.lower, self.elements)
        floors = [writer.allocate([parts], each.shift.value.type, "thread", "floor") for each in chain.kept]
        start = [*chain.maxima.carried, *chain.sums.carried]
        with writer.carrying("sequential", self.lower, self.upper, start, step=self.elements, hint="part") as (online, values):
            self._write_part(self.frame.index(online.induction), values, floors)
        maxima, sums = online.results[: len(chain.maxima.results)], online.results[len(chain.maxima.results) :]
        totals = [self._total(value, shift, maxima) for value, shift in zip(sums, chain.shifts, strict=True)]
        for op in chain.between:
            op.detach()
            Rewriter.insert_op(op, writer.builder.point)
        for old, new in zip((*chain.maxima.results, *chain.sums.results), (*maxima, *totals), strict=True):
            old.replace_all_uses_with(new)
        for kept, floor in zip(chain.kept, floors, strict=True):
            shift = kept.shift.value if kept.shift.is_finite else maxima[kept.shift.maximum]
            for load in kept.loads:
                self._scale(load, floor, shift)
        erase(chain.sums)
        erase(chain.maxima)

    def _write_part(self, first: Index, values: list[SSAValue], floors: Sequence[SSAValue]) -> None:
        """Continue the maxima and sums of what comes before a part, which `values` has, with those of the part."""
        chain, writer, length = self.chain, self.writer, len(self.chain.maxima.results)
        shifts = {each.maximum: each for each in (*chain.shifts, *(kept.shift for kept in chain.kept)) if each is not None}
        before = {k: self._settled(values[k])[1] for k in shifts}
        values[:length] = self._of_part(chain.maxima, first, values[:length], {})
        settled = {k: self._settled(values[k]) for k in shifts}
        below = {each.value: settled[k][0] for k, each in shifts.items()}
        sums = self._of_part(chain.sums, first, chain.sums.carried, below)
        for k, (shift, part) in enumerate(zip(chain.shifts, sums, strict=True), start=length):
            if shift is not None:
                factor = self._power(before[shift.maximum], settled[shift.maximum][0])
                values[k] = writer.compute("mul", values[k], writer.cast(factor, values[k].type))
            values[k] = writer.compute("add", values[k], part)
        for kept, floor in zip(chain.kept, floors, strict=True):
            writer.store(settled[kept.shift.maximum][1], floor, [(first - self.lower) // self.elements])

    def _of_part(
        self, reduction: loop.ForOp, first: Index, start: Sequence[SSAValue], below: Mapping[SSAValue, SSAValue]
    ) -> Sequence[SSAValue]:
        """What a part of a loop carries in the end, from `start` on, with other values to take exponentials below."""
        copy = self.writer.copy(reduction, dict(below), {})
        assert isinstance(copy, loop.ForOp), "a copy of a loop"
        for k, value in enumerate(start, start=len(copy.operands_at)):
            copy.operands[k] = value
        self._go_by_part(copy, first)
        return copy.results

    def _go_by_part(self, op: loop.ForOp, first: Index) -> None:
        carried = list(op.carried)
        self.frame.write(op, (first, minimum(first + self.elements, self.upper)))
        assert carried == list(op.carried), "bounds are not what a loop carries"
        self.frame.enter(op)

    def _settled(self, maximum: SSAValue) -> tuple[SSAValue, SSAValue]:
        """What to take exponentials below, which is finite, and where what was summed so far stands: -inf while it is 0."""
        zero = self.writer.constant(number(0, maximum.type))
        shift = self.writer.compute("select", self.writer.compute("isfinite", maximum), maximum, zero)
        return shift, self.writer.compute("min", maximum, shift)

    def _power(self, value: SSAValue, shift: SSAValue) -> SSAValue:
        return self.writer.compute("exp", self.writer.compute("sub", value, shift))

    def _total(self, value: SSAValue, shift: Shift | None, maxima: Sequence[SSAValue]) -> SSAValue:
        """A sum as two passes would give it: no number where there are elements, and the maximum itself is what they are below,
        and is not finite."""
        if shift is None or shift.is_finite:
            return value
        writer, maximum = self.writer, maxima[shift.maximum]
        nothing = writer.cast(writer.compute("sub", maximum, maximum), value.type)
        has_elements = writer.test([self.upper - self.lower - 1])
        return writer.compute("select", has_elements, writer.compute("add", value, nothing), value)

    def _scale(self, load: loop.LoadOp, floor: SSAValue, shift: SSAValue) -> None:
        """Multiply exponentials of each part, as they are loaded, with what they lack of the last maximum."""
        reader = load.parent_op()
        assert isinstance(reader, loop.ForOp), "exponentials are loaded in a loop"
        writer = Writer(self.frame, Builder(InsertPoint.before(reader), load))
        with writer.loop("parallel", self.lower, self.upper, step=self.elements, hint="part") as first:
            below = writer.load(floor, [(first - self.lower) // self.elements])
            factor = writer.compute("exp", writer.compute("sub", below, shift))
            reader.detach()
            Rewriter.insert_op(reader, writer.builder.point)
            self._go_by_part(reader, first)
        with writer.inside(InsertPoint.after(load)):
            scaled = writer.compute("mul", load.result, factor)
        load.result.replace_uses_with_if(scaled, lambda use: use.operation is not scaled.owner)
