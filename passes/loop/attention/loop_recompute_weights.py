"""loop-recompute-weights: sums over the weights of attention compute them again, from the statistics of rows.

    for i, j: s[i, j] = f(q(i) . k(j))                       m[i] is stored
    for i: m = ...; e[i, j] = exp(s[i, j] - m); ...          for "parallel" block of i, "parallel" %i in it:
    ...                                                        acc[d] = 0 for all d
    for i, j: p[i, j] = g(i) . v(j)                   ->       for "sequential" block of j:
    for i, d: y[i, d] = h(sum over j of                          w[j] = w(exp(f(q(i) . k(j)) - m[i]), g(i) . v(j)) for all j
                 w(e[i, j], p[i, j]) * k(j, d))                  acc[d] += sum over the block of w[j] * k(j, d), for all d
                                                               y[i, d] = h(acc[d]) for all d

A gradient of attention reads scores and exponentials of each row and key, and the gradient of the weights. The pass applies if
all readers of these are sums over keys or over rows (`recomputation.py`). A program then takes a block of `rows` points of the
other axis, steps through blocks of `keys` points of the summed axis, and computes the elements from their products. Where
scores are -inf unless a condition on row and key holds, it visits only blocks in which the condition can hold. After the pass
only the attention itself reads its scores and exponentials, and `loop-fuse-attention` removes them.

Sums in the loop of a softmax's total get a block of their own first (`other_sums.py`).

1. Store the scalars that the elements of a row are computed from: its maximum, and others that a block computes from a whole
   row.
2. Group the sums along the same axis: one block computes the elements once for several sums. A sum that needs the result of
   another one in its group gets a loop of its own, behind that of the other.
3. Write a block for each group, and erase the sums and the products that only they read.

Source: Dao et al., FlashAttention, 2022 (algorithm 4).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field

from xdsl.context import Context
from xdsl.dialects.builtin import IntegerAttr, ModuleOp, UnitAttr, f32, i64
from xdsl.ir import Operation, SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint

from ....dialects import loop
from ....ir.functions.entry import lowered_functions
from ....ir.index.expressions import Atom, Dim, Index, IndexLike, index
from ....ir.nesting import operations
from ....ir.rewrite import Builder, count, erase
from ....ir.scalars.attributes import number
from ...analysis.loop_nests import Frame
from ...analysis.reductions import accumulations
from ..builder import Writer
from ..kernels.patterns import Nest, inside, outer_nest
from ..kernels.row_blocks import BlockSizes, Order, RowWriter, order_of, spread_product, unrounded, write_versions
from ..kernels.tiling import LEAST, bounded_size, stores_halves
from .attention import loads_of
from .masks import KeySteps, RowBlock, conditions, growth, seen_from
from .other_sums import divide_sums
from .recomputation import Definition, Reader, Recomputation, recomputations

Places = Mapping[Atom, IndexLike]


@dataclass(frozen=True)
class LoopRecomputeWeights(BlockSizes, ModulePass):
    """`rows` and `keys` are the sizes of a block; both are `single` for products of float32, which need more registers. Rows of
    more than `wide` results take twice the `warps`. Rows that see the most keys come first: within a head or, if a cache of
    `cache-mib` MiB holds all buffers that are read, in all heads. An H100's second-level cache has 50."""

    name = "loop-recompute-weights"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for function in lowered_functions(op):
            for block in [each for each in function.body.block.ops if isinstance(each, loop.BlockOp)]:
                divide_sums(block)
            blocks = [each for each in function.body.block.ops if isinstance(each, loop.BlockOp)]
            for found in list(recomputations(blocks)):
                groups = _groups(found)
                if groups is not None:
                    _recompute(found, groups, self)
                    count("weights-recomputed", "Number of attentions whose weights are computed again by their gradients")


@dataclass
class _Group:
    """Sums along one axis, and the `outer_axes` around it, in phases: sums of a later phase read the results of earlier
    ones."""

    reduced: int
    outer_axes: tuple[int, ...]
    phases: list[list[Reader]] = field(default_factory=list)

    @property
    def readers(self) -> list[Reader]:
        return [reader for phase in self.phases for reader in phase]


def _groups(found: Recomputation) -> list[_Group] | None:
    """The sums in groups, each at the position of its last member; None if some sum cannot be moved there."""
    groups: dict[tuple[int, ...], _Group] = {}
    for reader in found.readers:
        along = (reader.reduced, *reader.outer_axes)
        group = groups.setdefault(along, _Group(reader.reduced, reader.outer_axes))
        loaded, needed = _accessed(reader.block, loop.LoadOp), found.needed(reader.block)
        earlier = [
            k for k, phase in enumerate(group.phases) if any(_stored(each) & loaded or each.block in needed for each in phase)
        ]
        last = max(earlier, default=-1)
        if last + 1 == len(group.phases):
            group.phases.append([])
        group.phases[last + 1].append(reader)
    dropped = {definition.block for definition in found.definitions.values()} | {reader.block for reader in found.readers}
    in_order = all(_is_ordered(group, groups, found) for group in groups.values())
    return list(groups.values()) if in_order and all(_can_move(each, groups, dropped) for each in groups.values()) else None


def _is_ordered(group: _Group, groups: Mapping[tuple[int, ...], _Group], found: Recomputation) -> bool:
    """Whether other groups, each at the position of its last sum, compute the scalars that a group needs before it."""
    needed = {block for reader in group.readers for block in found.needed(reader.block)}
    sources = [other for other in groups.values() if any(reader.block in needed for reader in other.readers)]
    return all(other is group or _is_before(_last(other), _last(group)) for other in sources)


def _can_move(group: _Group, groups: Mapping[tuple[int, ...], _Group], dropped: set[loop.BlockOp]) -> bool:
    """Whether the sums of a group can move down to the last of them, past the blocks in between."""
    members = [reader.block for reader in group.readers]
    ends = {each: _last(other) for other in groups.values() for each in (reader.block for reader in other.readers)}
    stored = {buffer for block in members for buffer in _accessed(block, loop.StoreOp)}
    loaded = {buffer for block in members for buffer in _accessed(block, loop.LoadOp)}
    first, last = _first(group), _last(group)
    op: Operation | None = first
    while op is not None and op is not last:
        op = op.next_op
        if isinstance(op, loop.FenceOp | loop.RunOp):
            return False
        if not isinstance(op, loop.BlockOp) or op in members:
            continue
        # Sums of another group move to the last sum of that group, and products are computed where they are used.
        if op in dropped and (op not in ends or _is_before(last, ends[op])):
            continue
        if _accessed(op, loop.StoreOp) & (stored | loaded) or _accessed(op, loop.LoadOp) & stored:
            return False
    return True


def _first(group: _Group) -> loop.BlockOp:
    blocks = [reader.block for reader in group.readers]
    return next(each for each in blocks if all(each is other or _is_before(each, other) for other in blocks))


def _last(group: _Group) -> loop.BlockOp:
    blocks = [reader.block for reader in group.readers]
    return next(each for each in blocks if all(each is other or _is_before(other, each) for other in blocks))


def _is_before(a: Operation, b: Operation) -> bool:
    op = a.next_op
    while op is not None and op is not b:
        op = op.next_op
    return op is b


def _accessed(block: loop.BlockOp, kind: type[loop.LoadOp] | type[loop.StoreOp]) -> set[SSAValue]:
    kinds = (kind, loop.UpdateOp)
    return {op.buffer for op in operations(block) if isinstance(op, kinds)}


def _stored(reader: Reader) -> set[SSAValue]:
    return _accessed(reader.block, loop.StoreOp)


def _recompute(found: Recomputation, groups: Sequence[_Group], sizes: LoopRecomputeWeights) -> None:
    scalars = _allocate_scalars(found)
    _store_maxima(found, scalars)
    for group in groups:
        write_versions(lambda even, group=group: _Sums(found, group, scalars, sizes, even=even))
    own = (found.attention.store.buffer, found.attention.stored.buffer)
    others = [each for buffer, each in found.definitions.items() if buffer not in own]
    for block in dict.fromkeys([*(reader.block for reader in found.readers), *(each.block for each in others)]):
        erase(block)
    for each in others:
        assert isinstance(each.store.buffer.owner, loop.AllocOp), "elements are in temporaries"
        erase(each.store.buffer.owner)


def _allocate_scalars(found: Recomputation) -> dict[SSAValue, SSAValue]:
    """Allocate a buffer for each scalar of a row that elements are computed from. The axes of the buffer are the outer loops of
    the block that computes the scalar."""
    buffers: dict[SSAValue, SSAValue] = {}
    for definition in found.definitions.values():
        for value in definition.scalars:
            function = definition.block.parent_op()
            assert function is not None and function.regions[0].block.first_op is not None, "blocks stand in functions"
            builder = Builder(InsertPoint.before(function.regions[0].block.first_op), definition.store)
            sizes = outer_nest(definition.block).extents
            buffers[value] = Writer(Frame(), builder).allocate(list(sizes), value.type, None, "rows")
    return buffers


def _store_maxima(found: Recomputation, scalars: Mapping[SSAValue, SSAValue]) -> None:
    """Store the maximum of each row after the loop that finds it."""
    maxima, frame = found.attention.maxima, Frame()
    frame.tree(found.attention.softmax)
    writer = Writer(frame, Builder(InsertPoint.after(maxima), maxima))
    (value,) = maxima.results
    places = [frame.index(level.induction) for level in outer_nest(found.attention.softmax).loops]
    writer.store(value, scalars[value], places)


class _Sums(RowWriter):
    """Writes the block of one group of sums."""

    def __init__(
        self,
        found: Recomputation,
        group: _Group,
        scalars: Mapping[SSAValue, SSAValue],
        sizes: LoopRecomputeWeights,
        *,
        even: bool,
    ):
        last = _last(group)
        frame = Frame()
        sources = {
            **{reader.block: None for reader in group.readers},
            **{definition.block: None for definition in found.definitions.values()},
        }
        for block in sources:
            frame.tree(block)
        super().__init__(
            Writer(frame, Builder(InsertPoint.before(last), *(reader.block for reader in group.readers))), even=even
        )
        self.found, self.group, self.scalars = found, group, scalars
        self.tiled = found.tiled(group.reduced)
        self.size, self.length = (Nest((found.axes[k],)).size for k in (self.tiled, group.reduced))
        halves = found.attention.itemsize == 2
        self.rows = max(LEAST, bounded_size(self.size, sizes.rows if halves else sizes.single))
        self.keys = max(LEAST, bounded_size(self.length, sizes.keys if halves else sizes.single))
        widest = max((_width(reader) for reader in group.readers), default=0)
        self.warps = sizes.warps * (2 if widest > sizes.wide else 1)
        self.stages = sizes.stages
        self.cache_mib = sizes.cache_mib
        # The guard of accesses at a key.
        self.within = Index({})
        # Elements of rows and keys that are computed already, in the blocks that enclose the insertion point.
        self.known: dict[tuple[SSAValue, tuple[Index, ...]], SSAValue] = {}

    @property
    def rests(self) -> tuple[Index, Index]:
        """The remainders of rows and keys after their last whole block."""
        return self.size % self.rows, self.length % self.keys

    def write(self) -> loop.BlockOp:
        """The block, inserted before the last sum of the group."""
        writer = self.writer
        block = writer.builder.add(loop.BlockOp())
        block.warps, block.stages = IntegerAttr(self.warps, i64), IntegerAttr(self.stages, i64)
        with ExitStack() as stack:
            stack.enter_context(writer.inside(block.body.block))
            along = (self.tiled, self.group.reduced, *self.group.outer_axes)
            others = {k: level for k, level in enumerate(self.found.axes) if k not in along}
            loops = self.programs(others, self.tiled, self.size, self.rows, self._order())
            places, self.start, lane = stack.enter_context(loops)
            self.places = {k: place for k, place in places.items() if k != self.tiled}
            self.row_guard = self.size - 1 - self.start - lane
            self.here = {
                Dim(self.frame.number(reader.axes[k].induction)): place
                for reader in self.group.readers
                for k, place in places.items()
            }
            for phase in self.group.phases:
                self._write_phase(phase)
        if all(stores_halves(reader.block) for reader in self.group.readers):
            block.fast = UnitAttr()
        return block

    # Phases

    def _write_phase(self, phase: Sequence[Reader]) -> None:
        writer, zero = self.writer, number(0, f32)
        products = [reader for reader in phase if reader.depth is not None]
        scalars = [reader for reader in phase if reader.depth is None]
        weights = {reader.block: writer.allocate([self.keys], f32, "thread", "weights") for reader in phase}
        sums = {reader.block: writer.allocate([_width(reader)], f32, "thread", "sums") for reader in products}
        for reader in products:
            with self.lanes(_width(reader), 1, "d") as d:
                writer.store(writer.constant(zero), sums[reader.block], [d])

        def write_step(part: Index, values: list[SSAValue]) -> None:
            with self.lanes(self.keys, 1, "key") as lane, self._remembering():
                for reader in phase:
                    self._write_weight(reader, part + lane, lane, weights[reader.block])
            for reader in products:
                self._accumulate(reader, part, weights[reader.block], sums[reader.block])
            for k, reader in enumerate(scalars):
                with self.reduction(self.keys, values[k], 1) as (inner, carried):
                    term = writer.load(weights[reader.block], [self.frame.index(inner.induction)])
                    carried[0] = writer.compute("add", carried[0], term)
                values[k] = inner.results[0]

        starts = [writer.constant(zero) for _ in scalars]
        for reader, total in zip(scalars, self._through(phase, self.group.outer_axes, starts, write_step), strict=True):
            self._write_results(reader, total, {})
        for reader in products:
            assert reader.depth is not None, "sums of products have a row of results"
            with self.lanes(_width(reader), 1, "d") as d:
                place: dict[Atom, IndexLike] = {Dim(self.frame.number(reader.depth.induction)): d}
                self._write_results(reader, writer.load(sums[reader.block], [d]), place)

    def _through(
        self,
        phase: Sequence[Reader],
        outer_axes: Sequence[int],
        starts: Sequence[SSAValue],
        write_step: Callable[[Index, list[SSAValue]], None],
    ) -> Sequence[SSAValue]:
        """Write the loops over the outer axes and, in steps, over the summed axis. Returns the values carried at the end."""
        writer = self.writer
        if not outer_axes:
            lower, upper = self._visited(phase)
            with writer.carrying("sequential", lower, upper, starts, step=self.keys, hint="part") as (level, values):
                write_step(self.frame.index(level.induction), values)
            return level.results
        size = self.found.axes[outer_axes[0]].upper
        with writer.carrying("sequential", 0, size, starts, hint="other") as (level, values):
            place = self.frame.index(level.induction)
            self.places[outer_axes[0]] = place
            for reader in self.group.readers:
                self.here[Dim(self.frame.number(reader.axes[outer_axes[0]].induction))] = place
            values[:] = self._through(phase, outer_axes[1:], values, write_step)
        return level.results

    def _order(self) -> Order:
        found = self.found
        tiled, reduced = (Dim(self.frame.number(found.axes[k].induction)) for k in (self.tiled, self.group.reduced))
        products = [each.block for each in found.definitions.values() if each.is_product]
        blocks = dict.fromkeys([*(reader.block for reader in self.group.readers), *products])
        read = [load.buffer for block in blocks for load in loads_of(block) if load.buffer not in found.definitions]
        return order_of(growth(conditions(found.attention.store.value, self.frame), reduced, tiled), read, self.cache_mib)

    def _visited(self, phase: Sequence[Reader]) -> tuple[Index, Index]:
        """The part of the summed axis where scores may be other than -inf, if all terms of a phase are 0 elsewhere."""
        found = self.found
        if not all(found.vanishes(_term(reader)) for reader in phase):
            return index(0), self.length
        axes = [Dim(self.frame.number(level.induction)) for level in found.axes]
        seen = seen_from(
            conditions(found.attention.store.value, self.frame),
            axes[self.group.reduced],
            RowBlock(axes[self.tiled], self.start, self.rows),
            {axes[k]: place for k, place in self.places.items()},
            KeySteps(self.length, self.keys),
        )
        return seen.lower, seen.upper

    @contextmanager
    def _remembering(self) -> Iterator[None]:
        """Reuse elements that are computed in the `with` body until its end."""
        yield
        self.known.clear()

    def _write_weight(self, reader: Reader, key: Index, lane: Index, buffer: SSAValue) -> None:
        """Compute the term of a key in a sum, or the weight of the key's values: 0 after the last key."""
        writer = self.writer
        place: dict[Atom, IndexLike] = {Dim(self.frame.number(reader.summed.induction)): key}
        self.within = self.length - 1 - key
        value = writer.cast(unrounded(writer.cast(self._scalar(_term(reader), {}, place), f32)), f32)
        if not self.even:
            value = writer.compute("select", writer.test([self.within]), value, writer.constant(number(0, f32)))
        writer.store(value, buffer, [lane])

    def _accumulate(self, reader: Reader, part: Index, weights: SSAValue, sums: SSAValue) -> None:
        """Add the products of a block of weights and values."""
        assert reader.depth is not None and reader.weights is not None and reader.values is not None, "a sum of products"
        writer = self.writer
        with self.lanes(_width(reader), 1, "d") as d:
            with self.reduction(self.keys, writer.load(sums, [d]), 2) as (level, carried):
                lane = self.frame.index(level.induction)
                self.within = self.length - 1 - part - lane
                place: dict[Atom, IndexLike] = {
                    Dim(self.frame.number(reader.depth.induction)): d,
                    Dim(self.frame.number(reader.summed.induction)): part + lane,
                }
                value = self._scalar(reader.values.value, {}, place)
                weight = writer.cast(writer.load(weights, [lane]), reader.weights.value.type)
                product = writer.compute("mul", writer.cast(weight, f32), writer.cast(value, f32))
                carried[0] = writer.compute("add", carried[0], product)
            writer.store(level.results[0], sums, [d])

    def _write_results(self, reader: Reader, total: SSAValue, place: Places) -> None:
        """Write the statements that follow a sum in its block: stores, and the operations that compute their operands."""
        values: dict[SSAValue, SSAValue] = {reader.total: total}
        for op in inside(reader.block, reader.outer):
            if isinstance(op, loop.StoreOp):
                self._scalar(op.value, values, place)
                self.copy(op, values, place, [])
        rows = [self.frame.index(level.induction).substitute(self.here) for level in reader.outer.loops]
        for value in reader.scalars:
            stored = self._scalar(value, values, place)
            self.writer.store(stored, self.scalars[value], rows, [] if self.even else self._limits(rows))

    # Elements

    def _scalar(self, value: SSAValue, values: dict[SSAValue, SSAValue], places: Places) -> SSAValue:
        """A copy of a scalar and of the operations that compute it, at these indices."""
        op = value.owner
        if value in values:
            return values[value]
        assert isinstance(op, Operation), "a scalar is the result of a statement"
        if isinstance(op, loop.LoadOp) and op.buffer in self.found.definitions:
            exprs = tuple(expr.substitute({**self.here, **places}) for expr in self.frame.exprs(op))
            values[value] = self._element(op.buffer, exprs)
            return values[value]
        for operand in [] if isinstance(op, loop.LoadOp | loop.IndexOp | loop.TestOp) else op.operands:
            self._scalar(operand, values, places)
        self.copy(op, values, places, [self.within])
        return values[value]

    def _element(self, buffer: SSAValue, exprs: tuple[Index, ...]) -> SSAValue:
        """An element of a buffer of rows and keys, computed by a copy of its definition."""
        if (buffer, exprs) not in self.known:
            definition = self.found.definitions[buffer]
            places: dict[Atom, IndexLike] = {
                Dim(self.frame.number(level.induction)): expr for level, expr in zip(definition.loops, exprs, strict=True)
            }
            write = self._product if definition.is_product else self._computed
            self.known[buffer, exprs] = self.writer.cast(write(definition, places), definition.store.value.type)
        return self.known[buffer, exprs]

    def _computed(self, definition: Definition, places: Places) -> SSAValue:
        rows = [self.frame.index(level.induction).substitute(places) for level in outer_nest(definition.block).loops]
        guards = [] if self.even else self._limits(rows)
        values = {
            value: self.writer.load(self.scalars[value], rows, guards, number(0, value.type)) for value in definition.scalars
        }
        return self._scalar(definition.store.value, values, places)

    def _limits(self, exprs: Sequence[Index]) -> list[Index]:
        """The guards of an access at these indices."""
        dims = {position for expr in exprs for position in expr.dims()}
        return [each for each in (self.row_guard, self.within) if each.dims() & dims]

    def _product(self, definition: Definition, places: Places) -> SSAValue:
        values: dict[SSAValue, SSAValue] = {}
        product = None
        for op in inside(definition.block, outer_nest(definition.block)):
            if op is not definition.store:
                new = self.copy(op, values, places, [self.within])
                product = new if isinstance(new, loop.ForOp) else product
        assert product is not None, "a product computes the elements"
        spread_product(product)
        return unrounded(values[definition.store.value])


def _term(reader: Reader) -> SSAValue:
    """The term of a sum, or the weight that multiplies the values."""
    if reader.weights is not None:
        return reader.weights.value
    totals = accumulations(reader.nest.body)
    assert totals is not None, "sums have been matched"
    return totals[0].inputs[1]


def _width(reader: Reader) -> int:
    width = Nest((reader.depth,)).size.constant if reader.depth is not None else 0
    assert width is not None, "rows of results are short"
    return width
