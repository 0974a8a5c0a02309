"""Recognition of the gradients of attention: sums that read its scores and weights.

    for rows:    t[rows] = g(sum over j of f(rows, j)), then for j: e[rows, j] = h(t[rows], rows, j)
    for rows, d: y[rows, d] = g(sum over j of f(rows, j) * v(j, d))

where f and h read elements that an attention, another product, or another such block stored for each row and key. `rows` and
`j` may change places: gradients of keys and values sum over rows. Blocks are recognised by their loops and accesses, not by the
operations that they came from.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from xdsl.dialects.builtin import f32
from xdsl.ir import BlockArgument, Operation, SSAValue

from ....dialects import loop
from ....ir.nesting import operations
from ...analysis.reductions import accumulations
from ..kernels.patterns import Nest, carrying_nest, guarded, inside, is_straight_line, outer_nest
from ..kernels.products import Factor, factors
from .attention import (
    WIDEST,
    Attention,
    attention_of,
    block_of,
    is_movable,
    is_plain,
    is_zero,
    loads_of,
    loops_of,
    only_sum,
    statistics_of,
)


@dataclass(frozen=True)
class Definition:
    """The definition of a buffer of rows and keys: `store` writes `store.value` at the indices of `loops`, one for each axis;
    `axes` are the loops among them for the axes of the scores. The elements are those of a product in a block of its own, or
    are computed from other such elements and from `scalars` of the row, which its block computes from a whole row."""

    store: loop.StoreOp
    loops: tuple[loop.ForOp, ...]
    axes: tuple[loop.ForOp, ...]
    scalars: tuple[SSAValue, ...] = ()
    is_product: bool = False

    @property
    def block(self) -> loop.BlockOp:
        return block_of(self.store)


@dataclass(frozen=True)
class Reader:
    """A block that sums over keys, or over rows. `axes` are its loops for the axes of the scores. The sum runs along `summed`,
    and may run along others too, as over the heads that share keys. If it sums products of `weights` and `values`, `depth` is
    the loop along the row of results. `scalars` of each row have to be stored, for elements that are computed from them."""

    block: loop.BlockOp
    axes: tuple[loop.ForOp, ...]
    nest: Nest
    summed: loop.ForOp
    depth: loop.ForOp | None = None
    weights: Factor | None = None
    values: Factor | None = None
    scalars: tuple[SSAValue, ...] = ()

    @property
    def reduced(self) -> int:
        """The axis of the scores that the sum runs along."""
        return self.axes.index(self.summed)

    @property
    def outer_axes(self) -> tuple[int, ...]:
        """The other axes of the scores that the sum runs along."""
        return tuple(k for k, level in enumerate(self.axes) if level in self.nest.loops and level is not self.summed)

    @property
    def total(self) -> SSAValue:
        """The sum."""
        return self.nest.loops[0].results[0]

    @property
    def outer(self) -> Nest:
        return outer_nest(self.block)


@dataclass(frozen=True)
class Recomputation:
    """An attention whose scores or exponentials are read by sums alone, which can compute them again. `definitions` has each
    buffer of rows and keys that becomes unnecessary: scores, exponentials, other products, and elements computed from them."""

    attention: Attention
    definitions: Mapping[SSAValue, Definition]
    readers: tuple[Reader, ...]

    @property
    def axes(self) -> tuple[loop.ForOp, ...]:
        """The loops of the scores, one for each axis."""
        return self.definitions[self.attention.store.buffer].loops

    def tiled(self, reduced: int) -> int:
        """The axis of the scores along which a program computes several points, for sums along `reduced`."""
        keys = self.axes.index(self.attention.keys)
        rows = self.axes.index(self.attention.rows[self.attention.tiled][0])
        return rows if reduced == keys else keys

    def vanishes(self, value: SSAValue) -> bool:
        """Whether a finite value is 0 for a row and a key whose score is -inf: the exponential is 0, and so is every value
        proportional to it."""
        op = value.owner
        match op:
            case loop.LoadOp():
                if op.buffer is self.attention.stored.buffer:
                    return True
                return op.buffer in self.definitions and self.vanishes(self.definitions[op.buffer].store.value)
            case loop.ConstantOp():
                return is_zero(value)
            case loop.CastOp():
                return self.vanishes(op.input)
            case loop.ComputeOp():
                proportional = {"mul": any, "add": all, "sub": all, "neg": all}.get(op.function.data)
                if op.function.data in ("select", "div"):
                    inputs = op.inputs[1:] if op.function.data == "select" else op.inputs[:1]
                    return all(map(self.vanishes, inputs))
                return proportional is not None and proportional(map(self.vanishes, op.inputs))
            case _:
                return False

    def needed(self, block: loop.BlockOp) -> set[loop.BlockOp]:
        """The blocks that compute scalars for the elements that `block` reads."""
        found: set[loop.BlockOp] = set()
        pending, seen = [load.buffer for load in loads_of(block)], set[SSAValue]()
        while pending:
            buffer = pending.pop()
            if buffer not in self.definitions or buffer in seen:
                continue
            seen.add(buffer)
            definition = self.definitions[buffer]
            if definition.scalars:
                found.add(definition.block)
            # The operands of a product or a softmax are in memory, unless they are elements that become unnecessary.
            pending += [load.buffer for load in loads_of(definition.block)]
        return found - {block}


def recomputations(blocks: Sequence[loop.BlockOp]) -> Iterator[Recomputation]:
    """All attentions whose weights are otherwise read by sums alone. Callers collect them before they replace blocks."""
    known: set[loop.BlockOp] = set()
    for find in (attention_of, statistics_of):
        for block in blocks:
            found = find(block, read_elsewhere=True)
            if found is None or found.softmax in known:
                continue
            known.add(found.softmax)
            whole = _Search(found).run(blocks) if is_movable(found) else None
            if whole is not None:
                yield whole


class _Search:
    """Collects the readers of the scores and exponentials of an attention, in program order."""

    def __init__(self, found: Attention):
        self.found = found
        self.definitions: dict[SSAValue, Definition] = {}
        self.readers: list[Reader] = []

    def run(self, blocks: Sequence[loop.BlockOp]) -> Recomputation | None:
        """The recomputation; None if a reader of the elements neither sums nor computes other elements."""
        found = self.found
        scores, weights = loops_of(found.store), loops_of(found.stored)
        assert scores is not None and weights is not None, "attention has been matched"
        in_softmax = {**{each[0]: each[1] for each in found.rows}, found.keys: found.sums}
        axes = tuple(in_softmax[level] for level in scores)
        self.definitions[found.store.buffer] = Definition(found.store, tuple(scores), tuple(scores), is_product=True)
        self.definitions[found.stored.buffer] = Definition(found.stored, tuple(weights), axes, (found.maxima.results[0],))
        own, reading = found.blocks, list[loop.BlockOp]()
        for block in blocks:
            if block not in own and any(load.buffer in self.definitions for load in loads_of(block)):
                reading.append(block)
                if not self._take(block):
                    return None
        whole = Recomputation(found, self.definitions, tuple(self.readers))
        if not reading or not all(self._is_private(buffer, (*own, *reading)) for buffer in self.definitions):
            return None
        return whole if all(_can_tile(reader, whole) for reader in self.readers) else None

    def _is_private(self, buffer: SSAValue, blocks: Sequence[loop.BlockOp]) -> bool:
        """Whether a buffer is a temporary with one store, and only these blocks read it."""
        users = [use.operation for use in buffer.uses if use.operation is not self.definitions[buffer].store]
        is_read = all(isinstance(each, loop.LoadOp) and block_of(each) in blocks for each in users)
        return isinstance(buffer.owner, loop.AllocOp) and is_read

    def _take(self, block: loop.BlockOp) -> bool:
        """Add a block that reads elements of rows and keys: a sum, elements that it computes, or both."""
        outer, (conditions, _) = outer_nest(block), guarded(block)
        if conditions or not outer.loops or not all(map(is_plain, outer.loops)):
            return False
        inner = [op for op in inside(block, outer) if op.regions]
        loops = [op for op in inner if isinstance(op, loop.ForOp)]
        if len(loops) != len(inner) or not all(is_straight_line(carrying_nest(op).body) for op in loops):
            return False
        if not loops:
            self._add_products(block)
            return self._define(block, outer.loops, outer.body, None) is not None
        summed, others = carrying_nest(loops[0]), loops[1:]
        if not _is_sum(summed):
            return False
        self._add_products(block)
        scalars: list[SSAValue] = []
        for level in others:
            found = self._define(block, (*outer.loops, level), level, summed.loops[0])
            if found is None:
                return False
            scalars += found.scalars
        reader = self._reader(block, outer, summed, others)
        if reader is not None:
            self.readers.append(replace(reader, scalars=tuple(dict.fromkeys(scalars))))
        return reader is not None

    def _add_products(self, block: loop.BlockOp) -> None:
        """Add the products that a block reads next to elements whose axes are known."""
        for load in loads_of(block):
            level = load.parent_op()
            if load.buffer in self.definitions or not isinstance(level, loop.ForOp):
                continue
            loops, axes, store = loops_of(load), self._axes(level), product_store(load.buffer)
            stored = loops_of(store) if store is not None else None
            if store is not None and loops and axes and stored and {*loops} == {*axes}:
                order = tuple(stored[loops.index(each)] for each in axes)
                self.definitions[load.buffer] = Definition(store, tuple(stored), order, is_product=True)

    def _axes(self, level: loop.ForOp) -> tuple[loop.ForOp, ...] | None:
        """The loops in a loop's body for the axes of the scores, which are the same for all elements read; None if they are not
        unique."""
        axes: tuple[loop.ForOp, ...] | None = None
        for load in loads_of(level):
            definition = self.definitions.get(load.buffer)
            if definition is None:
                continue
            loops = loops_of(load)
            if loops is None or load.guard_exprs:
                return None
            here = tuple(loops[definition.loops.index(each)] for each in definition.axes)
            if axes not in (None, here):
                return None
            axes = here
        if axes is None:
            return None
        same = zip(axes, self.definitions[self.found.store.buffer].loops, strict=True)
        return axes if all((a.lower, a.upper) == (b.lower, b.upper) for a, b in same) else None

    def _define(
        self, block: loop.BlockOp, loops: Sequence[loop.ForOp], level: loop.ForOp, summed: loop.ForOp | None
    ) -> Definition | None:
        """Add the elements that a loop of a block computes one at a time; None if the loop does anything else."""
        effects = _effects(level)
        axes = self._axes(level)
        if len(effects) != 1 or not is_plain(level) or axes is None:
            return None
        (store,) = effects
        stored = loops_of(store) if isinstance(store, loop.StoreOp) and not store.guard_exprs else None
        if not isinstance(store, loop.StoreOp) or not stored or not {*stored} == {*axes} == {*loops}:
            return None
        scalars = [value for value in _captured(level) if summed is not None and _depends_on(value, summed.results[0])]
        self.definitions[store.buffer] = Definition(store, tuple(stored), axes, tuple(scalars))
        return self.definitions[store.buffer]

    def _reader(self, block: loop.BlockOp, outer: Nest, nest: Nest, elements: Sequence[loop.ForOp]) -> Reader | None:
        axes = self._axes(nest.body)
        summed = self._summed(axes, nest) if axes is not None else None
        if axes is None or summed is None:
            return None
        computed = [each for level in elements for each in _effects(level)]
        if not all(isinstance(op, loop.StoreOp) and not op.guard_exprs for op in _effects(block) if op not in computed):
            return None
        others = [level for level in outer.loops if level not in axes]
        if not others:
            return Reader(block, axes, nest, summed)
        pair = factors(nest)
        if len(others) != 1 or pair is None or elements:
            return None
        depth = others[0]
        width = Nest((depth,)).size.constant
        weights, values = pair if depth not in pair[0].loops else pair[::-1]
        reads = [op for op in values.statements if isinstance(op, loop.LoadOp) and op.buffer in self.definitions]
        if reads or depth in weights.loops or depth not in values.loops or width is None or width > WIDEST:
            return None
        return Reader(block, axes, nest, summed, depth, weights, values)

    def _summed(self, axes: Sequence[loop.ForOp], nest: Nest) -> loop.ForOp | None:
        """The loop of a sum along the keys or the rows; None if there is none, or if the sum runs along an axis that the scores
        lack."""
        scores = self.definitions[self.found.store.buffer].loops
        ends = [scores.index(each) for each in (self.found.keys, self.found.rows[self.found.tiled][0])]
        found = [axes[k] for k in ends if axes[k] in nest.loops]
        return found[0] if len(found) == 1 and all(level in axes for level in nest.loops) else None


def product_store(buffer: SSAValue) -> loop.StoreOp | None:
    """The store of a block that only writes products to a temporary."""
    stores = [use.operation for use in buffer.uses if not isinstance(use.operation, loop.LoadOp)]
    store = stores[0] if len(stores) == 1 else None
    if not isinstance(buffer.owner, loop.AllocOp) or not isinstance(store, loop.StoreOp):
        return None
    block, loops = block_of(store), loops_of(store)
    nest = outer_nest(block)
    inner = only_sum(block, nest)
    if loops is None or inner is None or factors(carrying_nest(inner)) is None or store.guard_exprs:
        return None
    return store if {*loops} == {*nest.loops} and _effects(block) == [store] else None


def _effects(op: Operation) -> list[Operation]:
    return [each for each in operations(op) if isinstance(each, loop.StoreOp | loop.UpdateOp | loop.CheckOp)]


def _captured(level: loop.ForOp) -> list[SSAValue]:
    """The scalars computed outside a loop that the loop uses."""
    used = dict.fromkeys(value for op in operations(level) for value in op.operands)
    return [each for each in used if isinstance(each.owner, Operation) and not level.is_ancestor(each.owner)]


def _depends_on(value: SSAValue, source: SSAValue) -> bool:
    if value is source:
        return True
    op = value.owner
    return isinstance(op, Operation) and any(_depends_on(each, source) for each in op.operands)


def _is_sum(nest: Nest) -> bool:
    """Whether a nest is one sum of float32, from 0 on, and nothing else."""
    first = nest.loops[0]
    if first.kind.data != "reduction" or any(level.lower != 0 or level.step.value.data != 1 for level in nest.loops):
        return False
    if len(first.carried) != 1 or first.results[0].type != f32 or not is_zero(first.carried[0]):
        return False
    total = accumulations(nest.body)
    return total is not None and [each.function.data for each in total] == ["add"] and not _effects(first)


def _can_tile(reader: Reader, whole: Recomputation) -> bool:
    """Whether a program can compute several points of the axis that is not summed, as rows of a product of tiles."""
    keys = whole.axes.index(whole.attention.keys)
    rows = whole.axes.index(whole.attention.rows[whole.attention.tiled][0])
    if reader.reduced not in (keys, rows):
        return False
    tiled = reader.axes[whole.tiled(reader.reduced)]
    if reader.values is not None and tiled in reader.values.loops:
        return False
    for definition in whole.definitions.values():
        if definition.is_product and not _is_turned_product(definition, whole, reader):
            return False
    # Addresses are over loops, not over computed integers.
    return all(isinstance(value, BlockArgument) for load in loads_of(reader.block) for value in load.operands_at)


def _is_turned_product(definition: Definition, whole: Recomputation, reader: Reader) -> bool:
    """Whether one factor of a product depends on the tiled axis and not on the summed axis, and the other factor the
    reverse."""
    inner = only_sum(definition.block, outer_nest(definition.block))
    pair = factors(carrying_nest(inner)) if inner is not None else None
    if pair is None:
        return False
    row, key = (definition.axes[k] for k in (whole.tiled(reader.reduced), reader.reduced))
    return {(row in factor.loops, key in factor.loops) for factor in pair} == {(True, False), (False, True)}
