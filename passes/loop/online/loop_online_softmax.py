"""loop-online-softmax: compute a row's maximum and sums of exponentials relative to it in one pass, block by block.

    m = for %j in (0, n): max(m, x[j])              m, s = for "sequential" block of (0, n) carry(-inf, 0):
    s = for %j in (0, n): s + exp(x[j] - m)           w = for %j in block carry(m): max(w, x[j])
                                             ->       t = for %j in block: t + exp(x[j] - w)
                                                      yield w, s * exp(m - w) + t

A row longer than the cache is read from memory once instead of twice: the second loop of a block finds it in the cache. Rows of
one block are computed as before, bit by bit. Rows are loops inside another: reductions over everything are split into blocks
for threads (`loop-split-reduction`).

1. Find two reductions over the same range (`exponential_chains.py`), the first of maxima, the second of sums. The summed terms
   are linear in an exponential of the same elements minus such a maximum; the second reduction uses the maximum for nothing
   else. A shift that is 0 where the maximum is not finite, as in logsumexp, qualifies.
2. In one loop over blocks of `elements`, a block continues the maxima of the previous ones. Their sums of exp(x - m) are
   rescaled to exp(x - w) by exp(m - w), since they are linear in the exponential.
3. Exponentials stored for later parallel loops, each of which loads them once, as in softmax, are relative to the maximum at
   the time. Such a loop multiplies them by exp(w - m), once for each block, and is blocked too.

Sums of rows with infinite maxima equal those of two passes: blocks use the shift 0 where their maximum is not finite, since
exp(inf - inf) is NaN, and sums relative to a maximum of -inf are 0 and remain so. Weights may overflow where two passes would
not, if their product with exponentials relative to a block's maximum does. Exponentials that are stored but not divided by
their sum differ in a row with an infinity: those of later finite elements are 0 only if they do not overflow.

Source: Milakov and Gimelshein, Online normalizer calculation for softmax, 2018; blocks as in Dao et al., FlashAttention, 2022.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint, Rewriter

from ....dialects import loop
from ....ir.index.expressions import Index, ceildiv, minimum
from ....ir.rewrite import Builder, count, erase
from ....ir.scalars.attributes import number
from ...analysis.loop_nests import Frame, loops_that_carry
from ...manager.options import limited
from ..builder import Writer
from .exponential_chains import Chain, Shift, chains


@dataclass(frozen=True)
class LoopOnlineSoftmax(ModulePass):
    """`elements` is the length of a block, which the first cache should hold with its exponentials."""

    name = "loop-online-softmax"

    # Any length from 2048 to 16,384 is as fast.
    elements: int = limited(4096)

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for frame, levels in loops_that_carry(op):
            for level in levels:
                while (chain := next(chains(level, frame, self.elements), None)) is not None:
                    _Online(chain, self.elements, frame).write()
                    count("chains-online", "Number of sums of exponentials computed in one pass with their maxima")


class SafeShift(NamedTuple):
    """The finite shift of a block, and the maximum to rescale by later: -inf if all of its terms are 0."""

    shift: SSAValue
    floor: SSAValue


class _Online:
    """Writes one chain as a loop over blocks."""

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
            self._write_block(self.frame.index(online.induction), values, floors)
        maxima, sums = online.results[: len(chain.maxima.results)], online.results[len(chain.maxima.results) :]
        totals = [self._total(value, shift, maxima) for value, shift in zip(sums, chain.shifts, strict=True)]
        for op in chain.between:
            op.detach()
            Rewriter.insert_op(op, writer.builder.point)
        for old, new in zip((*chain.maxima.results, *chain.sums.results), (*maxima, *totals), strict=True):
            old.replace_all_uses_with(new)
        for kept, floor in zip(chain.kept, floors, strict=True):
            for load in kept.loads:
                self._scale(load, floor, maxima[kept.shift.maximum])
        erase(chain.sums)
        erase(chain.maxima)

    def _write_block(self, first: Index, values: list[SSAValue], floors: Sequence[SSAValue]) -> None:
        """Continue the maxima and sums in `values`, of the previous blocks, over a block."""
        chain, writer, length = self.chain, self.writer, len(self.chain.maxima.results)
        used = {each.maximum for each in chain.subtracted}
        before = {k: self._safe_shift(values[k]) for k in used}
        values[:length] = self._over_block(chain.maxima, first, values[:length], {})
        settled = {k: self._safe_shift(values[k]) for k in used}
        below = {each.value: settled[each.maximum].shift for each in chain.subtracted}
        sums = self._over_block(chain.sums, first, chain.sums.carried, below)
        for k, (shift, part) in enumerate(zip(chain.shifts, sums, strict=True), start=length):
            if shift is not None:
                factor = _power(writer, before[shift.maximum].floor, settled[shift.maximum].shift)
                values[k] = writer.compute("mul", values[k], writer.cast(factor, values[k].type))
            values[k] = writer.compute("add", values[k], part)
        for kept, floor in zip(chain.kept, floors, strict=True):
            writer.store(settled[kept.shift.maximum].floor, floor, [(first - self.lower) // self.elements])

    def _over_block(
        self, reduction: loop.ForOp, first: Index, start: Sequence[SSAValue], below: Mapping[SSAValue, SSAValue]
    ) -> Sequence[SSAValue]:
        """The values carried by a loop over a block, from `start` on, with substituted shifts."""
        copy = self.writer.copy(reduction, dict(below), {})
        assert isinstance(copy, loop.ForOp), "a copy of a loop"
        for k, value in enumerate(start, start=len(copy.operands_at)):
            copy.operands[k] = value
        self._block_reader(copy, first)
        return copy.results

    def _block_reader(self, op: loop.ForOp, first: Index) -> None:
        self.frame.write(op, (first, minimum(first + self.elements, self.upper)))
        self.frame.enter(op)

    def _safe_shift(self, maximum: SSAValue) -> SafeShift:
        zero = self.writer.constant(number(0, maximum.type))
        shift = self.writer.compute("select", self.writer.compute("isfinite", maximum), maximum, zero)
        return SafeShift(shift, self.writer.compute("min", maximum, shift))

    def _total(self, value: SSAValue, shift: Shift | None, maxima: Sequence[SSAValue]) -> SSAValue:
        """A sum as two passes would give it: NaN if there are elements and the shift is the maximum itself and not finite."""
        if shift is None or shift.is_finite:
            return value
        writer, maximum = self.writer, maxima[shift.maximum]
        nothing = writer.cast(writer.compute("sub", maximum, maximum), value.type)
        has_elements = writer.test([self.upper - self.lower - 1])
        return writer.compute("select", has_elements, writer.compute("add", value, nothing), value)

    def _scale(self, load: loop.LoadOp, floor: SSAValue, shift: SSAValue) -> None:
        """Rescale the loaded exponentials of each block to the last maximum."""
        reader = load.parent_op()
        assert isinstance(reader, loop.ForOp), "exponentials are loaded in a loop"
        writer = Writer(self.frame, Builder(InsertPoint.before(reader), load))
        with writer.loop("parallel", self.lower, self.upper, step=self.elements, hint="part") as first:
            below = writer.load(floor, [(first - self.lower) // self.elements])
            factor = writer.cast(_power(writer, below, shift), load.result.type)
            reader.detach()
            Rewriter.insert_op(reader, writer.builder.point)
            self._block_reader(reader, first)
        with writer.inside(InsertPoint.after(load)):
            scaled = writer.compute("mul", load.result, factor)
        load.result.replace_uses_with_if(scaled, lambda use: use.operation is not scaled.owner)


def _power(writer: Writer, value: SSAValue, shift: SSAValue) -> SSAValue:
    return writer.compute("exp", writer.compute("sub", value, shift))
