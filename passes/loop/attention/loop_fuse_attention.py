"""loop-fuse-attention: one pass over the keys in place of scores, softmax and output in memory.

    for i, j: s[i, j] = f(q(i) . k(j))          for "parallel" block of i, "parallel" %i in it:
    for i: m[i] = max over j of s[i, j]           acc[d] = 0 for all d
           e[i, j] = exp(s[i, j] - m[i])          m, l = for "sequential" block of j carry(-inf, 0):
           l[i] = sum over j of e[i, j]     ->      t[j] = f(q(i) . k(j)) for %j in block
    for i, d: y[i, d] = sum over j of               w = max of m and t[j] over the block
                 e[i, j] / l[i] * v[j, d]           e[j] = exp(t[j] - w), r = exp(m - w)
                                                    acc[d] = acc[d] * r + sum over the block of e[j] * v(j, d), for all d
                                                    yield w, l * r + sum over the block of e[j]
                                                  y[i, d] = acc[d] / l for all d

1. Find three blocks that compute this (`attention.py`).
2. Write one block: programs take blocks of `rows` rows, step through blocks of `keys` keys, and hold one block of scores. Sums
   relative to an earlier maximum are rescaled by r.
3. Where scores are -inf unless a condition on i and j holds, such as j <= i, visit only the blocks of keys in which the
   condition can hold for some row of the block.

Scores of half precision are no longer rounded before their exponential, and weights are rounded before they are divided by
their sum. A row whose maximum is not finite gives NaN, as before.

Source: Dao et al., FlashAttention, 2022; Milakov and Gimelshein, Online normalizer calculation for softmax, 2018.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import IntegerAttr, ModuleOp, UnitAttr, f32, i64
from xdsl.ir import Operation, SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint

from ....dialects import loop
from ....ir.functions.entry import lowered_functions
from ....ir.index.expressions import Atom, Dim, Index, IndexLike
from ....ir.rewrite import Builder, count, erase
from ....ir.scalars.attributes import neutral, number, value_of
from ...analysis.loop_nests import Frame
from ...analysis.reductions import statements
from ...manager.options import limited
from ..builder import Writer
from ..kernels.patterns import Nest, inside, outer_nest
from ..kernels.row_blocks import BlockSizes, Order, RowWriter, order_of, spread_product, unrounded, write_versions
from ..kernels.tiling import LEAST, bounded_size, stores_halves
from .attention import Attention, Output, attentions, loads_of
from .masks import KeySteps, RowBlock, conditions, growth, is_infinite, seen_from

LOG2_E = 1.4426950408889634


@dataclass(frozen=True)
class LoopFuseAttention(BlockSizes, ModulePass):
    """`rows` and `keys` are the sizes of a block; both are `single` for products of float32, which need more registers. Rows of
    more than `wide` results get half as many keys, and one more of the `stages` of the pipeline that loads keys and values.
    Rows that see the most keys come first: within a head or, if keys and values of all heads fit a cache of `cache-mib` MiB, in
    all heads. An H100's second-level cache has 50."""

    name = "loop-fuse-attention"

    # Measured with 4096 keys on an H100: 64 x 128 for 64 results, 64 x 64 for 128.
    keys: int = limited(128, power_of_two=True)

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for function in lowered_functions(op):
            blocks = [each for each in function.body.block.ops if isinstance(each, loop.BlockOp)]
            for found in list(attentions(blocks)):
                _fuse(found, self)
                count("attentions-fused", "Number of softmax rows fused with the products around them")


def _fuse(found: Attention, sizes: LoopFuseAttention) -> None:
    write_versions(lambda even: _Fusion(found, sizes, even=even))
    for block in found.blocks[::-1]:
        erase(block)
    for buffer in (found.store.buffer, found.stored.buffer):
        assert isinstance(buffer.owner, loop.AllocOp), "scores and weights are temporaries"
        erase(buffer.owner)


class _Fusion(RowWriter):
    """Writes one attention, for sizes that blocks divide (`even`) or for all."""

    def __init__(self, found: Attention, sizes: LoopFuseAttention, *, even: bool):
        frame = Frame()
        for block in found.blocks:
            frame.tree(block)
        super().__init__(Writer(frame, Builder(InsertPoint.before(found.blocks[-1]), *found.blocks[::-1])), even=even)
        self.found = found
        width = 0 if found.output is None else Nest((found.output.depth,)).size.constant
        assert width is not None, "rows of results are short"
        self.width = width
        queries, keys = Nest(found.rows[found.tiled][:1]).size, Nest((found.keys,)).size
        rows, most = sizes.rows, sizes.keys if width <= sizes.wide else sizes.keys // 2
        if found.itemsize != 2:
            rows = most = sizes.single
        self.rows = max(LEAST, bounded_size(queries, rows))
        self.keys = max(LEAST, bounded_size(keys, most))
        self.warps = sizes.warps
        self.stages = sizes.stages + (width > sizes.wide)
        # Exponentials to base 2 of scores times log2(e) save a multiplication each; half precision hides their rounding.
        self.fast = found.output is not None and stores_halves(found.output.block)
        self.power = "exp2" if self.fast else "exp"
        self.queries, self.length = queries, keys
        self.cache_mib = sizes.cache_mib

    @property
    def rests(self) -> tuple[Index, Index]:
        """The remainders of rows and keys after their last whole block."""
        return self.queries % self.rows, self.length % self.keys

    def write(self) -> loop.BlockOp:
        """The block, inserted before that of the output."""
        found, writer = self.found, self.writer
        block = writer.builder.add(loop.BlockOp())
        block.warps, block.stages = IntegerAttr(self.warps, i64), IntegerAttr(self.stages, i64)
        with ExitStack() as stack:
            stack.enter_context(writer.inside(block.body.block))
            others = {k: triple[0] for k, triple in enumerate(found.rows) if k != found.tiled}
            loops = self.programs(others, found.tiled, self.queries, self.rows, self._order())
            places, self.start, lane = stack.enter_context(loops)
            self.row_guard = self.queries - 1 - self.start - lane
            self.here = {
                Dim(self.frame.number(level.induction)): places[k] for k, triple in enumerate(found.rows) for level in triple
            }
            self._write_row()
        if self.fast:
            block.fast = UnitAttr()
        return block

    def _write_row(self) -> None:
        writer = self.writer
        self.scores = writer.allocate([self.keys], f32, "thread", "scores")
        if self.found.output is not None:
            self.powers = writer.allocate([self.keys], f32, "thread", "weights")
            self.sums = writer.allocate([self.width], f32, "thread", "sums")
            with self.lanes(self.width, 1, "d") as d:
                writer.store(writer.constant(number(0, f32)), self.sums, [d])
        first = [writer.constant(neutral("max", f32)), writer.constant(number(0, f32))]
        results: Sequence[SSAValue] = first
        for lower, upper, masked in self._visited():
            with writer.carrying("sequential", lower, upper, results, step=self.keys, hint="part") as (level, values):
                part = self.frame.index(level.induction)
                values[:] = self._write_part(part, masked, *values)
            results = level.results
        self._write_statistics(*results)
        if self.found.output is not None:
            self._write_results(self.found.output)

    # One block of keys

    def _write_part(self, part: Index, masked: bool, best: SSAValue, total: SSAValue) -> list[SSAValue]:
        writer = self.writer
        with self.lanes(self.keys, 1, "key") as lane:
            self._write_score(part + lane, lane, masked)
        with self.reduction(self.keys, best, 1) as (level, values):
            score = writer.load(self.scores, [self.frame.index(level.induction)])
            values[0] = writer.compute("max", values[0], score)
        (highest,) = level.results
        shift = self._finite(highest)
        # No term was accumulated yet relative to -inf.
        before = writer.compute("min", best, self._finite(best))
        factor = writer.compute(self.power, writer.compute("sub", before, shift))
        with self.reduction(self.keys, writer.constant(number(0, f32)), 1) as (level, values):
            lane = self.frame.index(level.induction)
            power = writer.compute(self.power, writer.compute("sub", writer.load(self.scores, [lane]), shift))
            if self.found.output is not None:
                writer.store(power, self.powers, [lane])
            values[0] = writer.compute("add", values[0], power)
        if self.found.output is not None:
            with self.lanes(self.width, 1, "d") as d:
                self._accumulate(self.found.output, part, d, factor)
        return [highest, writer.compute("add", writer.compute("mul", total, factor), level.results[0])]

    def _finite(self, value: SSAValue) -> SSAValue:
        writer = self.writer
        return writer.compute("select", writer.compute("isfinite", value), value, writer.constant(number(0, f32)))

    def _write_score(self, key: Index, lane: Index, masked: bool) -> None:
        """Compute the score of a key, -inf after the last key. Unless `masked`, all conditions on rows and keys hold."""
        found, writer = self.found, self.writer
        values: dict[SSAValue, SSAValue] = {}
        within = self.length - 1 - key
        place: dict[Atom, IndexLike] = {Dim(self.frame.number(found.keys.induction)): key}
        outer = outer_nest(found.scores)
        product = None
        for op in inside(found.scores, outer):
            if op is found.store:
                continue
            new = self.copy(op, values, place, [within])
            if isinstance(new, loop.ForOp):
                product = new
        assert product is not None, "a product computes the scores"
        spread_product(product)
        score = writer.cast(unrounded(values[found.store.value]), f32)
        if not masked:
            score = _unmasked(score)
        if self.fast:
            score = self._in_bits(score)
        if not self.even:
            score = writer.compute("select", writer.test([within]), score, writer.constant(neutral("max", f32)))
        writer.store(score, self.scores, [lane])

    def _in_bits(self, score: SSAValue) -> SSAValue:
        """A score times log2(e), folded into a constant factor of the score if it has one."""
        writer, op = self.writer, score.owner
        if isinstance(op, loop.ComputeOp) and op.function.data == "select" and is_infinite(op.inputs[2]):
            return writer.compute("select", op.inputs[0], self._in_bits(op.inputs[1]), writer.cast(op.inputs[2], f32))
        factor = LOG2_E
        if isinstance(op, loop.ComputeOp) and op.function.data == "mul":
            for value, other in (op.inputs, op.inputs[::-1]):
                constant = _constant(other)
                if constant is not None:
                    score, factor = unrounded(value), constant * LOG2_E
                    break
        return writer.compute("mul", score, writer.constant(number(factor, f32)))

    def _accumulate(self, found: Output, part: Index, d: Index, factor: SSAValue) -> None:
        """Add the products of a block of weights and values to the rescaled sums."""
        writer = self.writer
        start = writer.compute("mul", writer.load(self.sums, [d]), factor)
        with self.reduction(self.keys, start, 2) as (level, carried):
            lane = self.frame.index(level.induction)
            key = part + lane
            values: dict[SSAValue, SSAValue] = {}
            place: dict[Atom, IndexLike] = {
                Dim(self.frame.number(found.depth.induction)): d,
                Dim(self.frame.number(found.summed.induction)): key,
            }
            for op in found.values.statements:
                self.copy(op, values, place, [self.length - 1 - key])
            weight = writer.cast(writer.load(self.powers, [lane]), found.weights.value.type)
            value = values.get(found.values.value, found.values.value)
            product = writer.compute("mul", writer.cast(weight, f32), writer.cast(value, f32))
            carried[0] = writer.compute("add", carried[0], product)
        writer.store(level.results[0], self.sums, [d])

    # Results

    def _write_statistics(self, best: SSAValue, total: SSAValue) -> None:
        """Store the statistics of a row that the softmax's block stores."""
        found, writer = self.found, self.writer
        if not found.is_finite:
            nothing = writer.compute("sub", best, best)
            total = writer.compute("select", writer.test([self.length - 1]), writer.compute("add", total, nothing), total)
        if self.fast:
            best = writer.compute("mul", best, writer.constant(number(1 / LOG2_E, f32)))
        values: dict[SSAValue, SSAValue] = {found.maxima.results[0]: best, found.sums.results[0]: total}
        for op in inside(found.softmax, outer_nest(found.softmax)):
            if op not in (found.maxima, found.sums):
                self.copy(op, values, {}, [])

    def _write_results(self, found: Output) -> None:
        """The row of results."""
        writer = self.writer
        with self.lanes(self.width, 1, "d") as d:
            place: dict[Atom, IndexLike] = {Dim(self.frame.number(found.depth.induction)): d}
            result = writer.load(self.sums, [d])
            own: dict[SSAValue, SSAValue] = {}
            body = inside(found.block, outer_nest(found.block))
            before = body[: body.index(found.summed)]
            for op in before:
                self.copy(op, own, place, [])
            scaled = result
            for scale in reversed(found.scales):
                scaled = writer.compute(scale.function, scaled, self._invariant(found, scale.value, own, place))
            # Without keys there is nothing to scale, and the sum of the weights is 0.
            own[found.summed.results[0]] = writer.compute("select", writer.test([self.length - 1]), scaled, result)
            for op in body[len(before) + 1 :]:
                self.copy(op, own, place, [])

    def _invariant(
        self, found: Output, value: SSAValue, own: dict[SSAValue, SSAValue], place: Mapping[Atom, IndexLike]
    ) -> SSAValue:
        """A copy of a scalar that is computed inside the sum, but does not depend on the sum's index."""
        for op in statements(found.summed):
            if op in found.weights.statements and value not in own and not _needs_key(op, found.summed):
                self.copy(op, own, place, [])
        return self.writer.cast(own.get(value, value), f32)

    # Masks

    def _order(self) -> Order:
        found = self.found
        key, row = (Dim(self.frame.number(each.induction)) for each in (found.keys, found.rows[found.tiled][0]))
        loads = [load for block in found.blocks if block is not found.softmax for load in loads_of(block)]
        read = [load.buffer for load in loads if load.buffer is not found.stored.buffer]
        return order_of(growth(conditions(found.store.value, self.frame), key, row), read, self.cache_mib)

    def _visited(self) -> list[tuple[Index, Index, bool]]:
        """The ranges of keys with scores other than -inf for some row of the block, and whether the scores of other rows must
        be masked in each range."""
        loops = [triple[0] for triple in self.found.rows]
        tiled = loops.pop(self.found.tiled)
        seen = seen_from(
            conditions(self.found.store.value, self.frame),
            Dim(self.frame.number(self.found.keys.induction)),
            RowBlock(Dim(self.frame.number(tiled.induction)), self.start, self.rows),
            {Dim(self.frame.number(level.induction)): self.here[Dim(self.frame.number(level.induction))] for level in loops},
            KeySteps(self.length, self.keys),
        )
        if seen.has_other_conditions or seen.full == self.length:
            return [(seen.lower, seen.upper, True)]
        return [(seen.lower, seen.full, False), (seen.full, seen.upper, True)]


def _needs_key(op: Operation, summed: loop.ForOp) -> bool:
    """Whether a statement depends on the summed index."""
    pending: list[SSAValue] = list(op.operands)
    while pending:
        value = pending.pop()
        if value is summed.induction:
            used = op.operands_at if isinstance(op, loop.IndexedOp) else []
            exprs = [*op.index_map.results, *op.guard_exprs] if isinstance(op, loop.IndexedOp) else []
            positions = [k for k, each in enumerate(used) if each is value]
            if not positions or any(k in expr.dims() for expr in exprs for k in positions):
                return True
            continue
        if isinstance(value.owner, Operation) and summed.is_ancestor(value.owner):
            pending += value.owner.operands
    return False


def _unmasked(score: SSAValue) -> SSAValue:
    """A score without the tests that mask it."""
    op = score.owner
    if isinstance(op, loop.ComputeOp) and op.function.data == "select" and is_infinite(op.inputs[2]):
        return _unmasked(unrounded(op.inputs[1]))
    return score


def _constant(value: SSAValue) -> float | None:
    while isinstance(value.owner, loop.CastOp):
        value = value.owner.input
    return float(value_of(value.owner.value)) if isinstance(value.owner, loop.ConstantOp) else None
