"""Recognition of sums that read the scores and weights of attention: what gradients of attention consist of.

    for rows:    t[rows] = g(sum over j of f(rows, j))
    for rows, d: y[rows, d] = g(sum over j of f(rows, j) * v(j, d))

where f reads what an attention or another product stored for each row and key, and `rows` and `j` may change places: gradients
of keys and values sum over rows. Nothing is known of the operations that the blocks came from.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from xdsl.dialects.builtin import f32
from xdsl.ir import BlockArgument, Operation, SSAValue

from ....dialects import loop
from ....ir.nesting import operations
from ...analysis.reductions import accumulations
from .attention import WIDEST, Attention, attention_of, block_of, is_movable, is_plain, is_zero, loops_of, only_sum
from .patterns import Nest, carrying_nest, guarded, inside, is_straight_line, outer_nest, statements
from .products import Factor, factors


@dataclass(frozen=True)
class Definition:
    """What a buffer of rows and keys holds: `store` writes `store.value` at the indices of `loops`, one for each axis. The
    elements are those of a product that has a block of its own, unless they are exponentials."""

    store: loop.StoreOp
    loops: tuple[loop.ForOp, ...]

    @property
    def block(self) -> loop.BlockOp:
        return block_of(self.store)


@dataclass(frozen=True)
class Reader:
    """A block that sums over keys, or over rows. `axes` are its loops for the axes of the scores; `depth` is the one besides,
    along the row of results, if its sum is one of products of `weights` and `values`."""

    block: loop.BlockOp
    axes: tuple[loop.ForOp, ...]
    summed: loop.ForOp
    depth: loop.ForOp | None
    weights: Factor | None
    values: Factor | None

    @property
    def reduced(self) -> int:
        """The axis of the scores that the sum runs along."""
        return self.axes.index(self.summed)

    @property
    def outer(self) -> Nest:
        return outer_nest(self.block)


@dataclass(frozen=True)
class Recomputation:
    """An attention whose scores or exponentials are read by sums alone, which can compute them again.

    `definitions` are those of all buffers of rows and keys that go: scores, exponentials, and other products that only the
    readers need."""

    attention: Attention
    definitions: Mapping[SSAValue, Definition]
    readers: tuple[Reader, ...]

    @property
    def axes(self) -> tuple[loop.ForOp, ...]:
        """The loops of the scores, one for each axis."""
        return self.definitions[self.attention.store.buffer].loops

    def tiled(self, reduced: int) -> int:
        """The axis of the scores of which a program takes several, for sums along `reduced`."""
        keys = self.axes.index(self.attention.keys)
        rows = self.axes.index(self.attention.rows[self.attention.tiled][0])
        return rows if reduced == keys else keys


def recomputations(blocks: Sequence[loop.BlockOp]) -> Iterator[Recomputation]:
    """All attentions whose weights only sums read besides. The caller may replace the blocks of each meanwhile."""
    for output in blocks:
        found = attention_of(output, read_elsewhere=True)
        if found is not None and is_movable(found):
            whole = _recomputation(found, blocks)
            if whole is not None:
                yield whole


def _recomputation(found: Attention, blocks: Sequence[loop.BlockOp]) -> Recomputation | None:
    own = (found.scores, found.softmax, found.output)
    definitions: dict[SSAValue, Definition] = {}
    for store in (found.store, found.stored):
        loops = loops_of(store)
        assert loops is not None, "attention has been matched"
        definitions[store.buffer] = Definition(store, tuple(loops))
    reading = _reading(blocks, definitions, own)
    if not reading:
        return None
    for buffer in {load.buffer: None for block in reading for load in _loads(block)}:
        product = _product(buffer, reading)
        if product is not None:
            definitions[buffer] = product
    # What reads the other products is a reader, too.
    if _reading(blocks, definitions, own) != reading:
        return None
    readers = [_reader(block, found, definitions) for block in reading]
    if any(reader is None for reader in readers):
        return None
    whole = Recomputation(found, definitions, tuple(reader for reader in readers if reader is not None))
    return whole if all(_can_tile(reader, whole) for reader in whole.readers) else None


def _reading(
    blocks: Sequence[loop.BlockOp], definitions: Mapping[SSAValue, Definition], own: Sequence[loop.BlockOp]
) -> list[loop.BlockOp]:
    """The blocks, besides those of the attention, that read its scores or exponentials, or a product beside them."""
    return [each for each in blocks if each not in own and any(load.buffer in definitions for load in _loads(each))]


def _loads(block: loop.BlockOp) -> list[loop.LoadOp]:
    return [op for op in operations(block) if isinstance(op, loop.LoadOp)]


def _product(buffer: SSAValue, reading: Sequence[loop.BlockOp]) -> Definition | None:
    """The definition of a temporary that a block of products stores, and that only these blocks read."""
    if not isinstance(buffer.owner, loop.AllocOp):
        return None
    users = [use.operation for use in buffer.uses]
    stores = [each for each in users if isinstance(each, loop.StoreOp)]
    loads = [each for each in users if isinstance(each, loop.LoadOp)]
    if len(stores) != 1 or len(stores) + len(loads) != len(users) or any(block_of(each) not in reading for each in loads):
        return None
    (store,) = stores
    block, loops = block_of(store), loops_of(store)
    nest = outer_nest(block)
    inner = only_sum(block, nest)
    if loops is None or inner is None or factors(carrying_nest(inner)) is None or store.guard_exprs:
        return None
    if {*loops} != {*nest.loops} or _effects(block) != [store]:
        return None
    return Definition(store, tuple(loops))


def _effects(block: loop.BlockOp) -> list[Operation]:
    return [op for op in operations(block) if isinstance(op, loop.StoreOp | loop.UpdateOp | loop.CheckOp)]


def _reader(block: loop.BlockOp, found: Attention, definitions: Mapping[SSAValue, Definition]) -> Reader | None:
    outer = outer_nest(block)
    summed = _sum(block, outer)
    if summed is None:
        return None
    axes = _axes(block, found, definitions)
    if axes is None or summed not in axes:
        return None
    others = [level for level in outer.loops if level not in axes]
    if not others:
        return Reader(block, axes, summed, None, None, None)
    pair = factors(Nest((summed,)))
    if len(others) != 1 or pair is None:
        return None
    depth = others[0]
    width = Nest((depth,)).size.constant
    weights, values = pair if depth not in pair[0].loops else pair[::-1]
    reads = [op for op in values.statements if isinstance(op, loop.LoadOp) and op.buffer in definitions]
    if reads or depth in weights.loops or depth not in values.loops or width is None or width > WIDEST:
        return None
    return Reader(block, axes, summed, depth, weights, values)


def _sum(block: loop.BlockOp, outer: Nest) -> loop.ForOp | None:
    """The only loop inside the parallel loops of a block, if it is one sum."""
    conditions, _ = guarded(block)
    loops = [op for op in inside(block, outer) if op.regions]
    if conditions or len(loops) != 1 or not outer.loops or not all(map(is_plain, outer.loops)):
        return None
    (summed,) = loops
    if not isinstance(summed, loop.ForOp) or summed.kind.data != "reduction" or not is_straight_line(summed):
        return None
    if summed.lower != 0 or summed.step.value.data != 1 or len(summed.carried) != 1 or summed.results[0].type != f32:
        return None
    total = accumulations(summed)
    if total is None or [each.function.data for each in total] != ["add"] or not is_zero(summed.carried[0]):
        return None
    if any(isinstance(op, loop.StoreOp) for op in statements(summed)):
        return None
    if not all(isinstance(op, loop.StoreOp) and not op.guard_exprs for op in _effects(block)):
        return None
    return summed


def _axes(block: loop.BlockOp, found: Attention, definitions: Mapping[SSAValue, Definition]) -> tuple[loop.ForOp, ...] | None:
    """The loops of a block for the axes of the scores, the same in all its loads of buffers of rows and keys."""
    scores, weights = definitions[found.store.buffer], definitions[found.stored.buffer]
    pairs = [(a, b) for a, b, _ in found.rows] + [(found.keys, found.sums)]
    # The axis of the exponentials for each axis of the scores.
    turned = [weights.loops.index(next(b for a, b in pairs if a is level)) for level in scores.loops]
    axes: tuple[loop.ForOp, ...] | None = None
    used: set[loop.ForOp] = set()
    for load in _loads(block):
        if load.buffer not in definitions:
            continue
        loops = loops_of(load)
        if loops is None or load.guard_exprs:
            return None
        used |= {*loops}
        if load.buffer in (found.store.buffer, found.stored.buffer):
            here = tuple(loops) if load.buffer is found.store.buffer else tuple(loops[k] for k in turned)
            if axes not in (None, here):
                return None
            axes = here
    if axes is None or used != {*axes}:
        return None
    same = zip(axes, scores.loops, strict=True)
    return axes if all((a.lower, a.upper) == (b.lower, b.upper) for a, b in same) else None


def _can_tile(reader: Reader, whole: Recomputation) -> bool:
    """Whether a program can take several points of the axis that is not summed, as rows of a product of tiles."""
    keys = whole.axes.index(whole.attention.keys)
    rows = whole.axes.index(whole.attention.rows[whole.attention.tiled][0])
    if reader.reduced not in (keys, rows):
        return False
    tiled = reader.axes[whole.tiled(reader.reduced)]
    if reader.values is not None and tiled in reader.values.loops:
        return False
    for buffer in {load.buffer for load in _loads(reader.block)} & {*whole.definitions}:
        definition = whole.definitions[buffer]
        if definition.store is not whole.attention.stored and not _is_turned_product(definition, reader, tiled):
            return False
    # Addresses are over loops, not over computed integers.
    return all(isinstance(value, BlockArgument) for load in _loads(reader.block) for value in load.operands_at)


def _is_turned_product(definition: Definition, reader: Reader, tiled: loop.ForOp) -> bool:
    """Whether one factor of a product depends on the tiled axis and not on the summed one, and the other one the reverse."""
    inner = only_sum(definition.block, outer_nest(definition.block))
    pair = factors(carrying_nest(inner)) if inner is not None else None
    load = next(each for each in _loads(reader.block) if each.buffer is definition.store.buffer)
    loops = loops_of(load)
    if pair is None or loops is None:
        return False
    row, key = (definition.loops[loops.index(level)] for level in (tiled, reader.summed))
    found = {(row in factor.loops, key in factor.loops) for factor in pair}
    return found == {(True, False), (False, True)}
