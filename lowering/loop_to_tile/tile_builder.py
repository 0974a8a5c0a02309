"""Builder of operations on tiles: axes of parallel work, index expressions, masks and scalar functions.

The tiles of a kernel have a fixed rank. Each axis of parallel work (`Lanes`) is an axis of the tiles; tiles of values that do
not depend on it have size 1 there. Lanes outside the domain are masked.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

from xdsl.dialects.builtin import FloatAttr, IntegerAttr
from xdsl.ir import Attribute, Block, Operation, SSAValue
from xdsl.traits import Pure

from ...dialects import loop, tile
from ...dialects.tile.base import common_shape, element_type, lanes, tile_type
from ...ir.index.expressions import Atom, Dim, Index, IndexLike, dim, index
from ...ir.index.simplify import Ranges
from ...ir.rewrite import Builder, derive
from ...ir.scalars.attributes import neutral
from ...ir.types.dtypes import dtype_of
from ...passes.loop.kernels.patterns import Nest
from ..emission.divisions import truncating
from .folding import FlatNest


@dataclass(frozen=True)
class Lanes:
    """Parallel work along axis `position` of the tiles, `size` lanes wide; `mask` is None if no lane is idle."""

    position: int
    size: int
    mask: SSAValue | None


class TileBuilder:
    """Writes tiles at the insertion point of `builder`; `values` maps loop scalars to tiles.

    `conditions` are expressions that are non-negative whenever the kernel runs.
    """

    def __init__(self, builder: Builder, rank: int, width: Attribute, conditions: Sequence[Index] = ()):
        self.builder = builder
        self.rank = rank
        self.width = width
        self.conditions = tuple(conditions)
        # The values computed and loaded so far, in the blocks that enclose the insertion point.
        self.known: dict[object, SSAValue] = {}
        self.loaded: dict[tuple[object, ...], SSAValue] = {}
        self.values: dict[SSAValue, SSAValue] = {}
        self.axes: tuple[Lanes, ...] = ()
        # Masks of lanes that are still active in loops whose bounds vary across lanes.
        self.limits: tuple[SSAValue, ...] = ()
        self.flats: tuple[FlatNest, ...] = ()
        self.bounds: dict[SSAValue, tuple[Index, Index]] = {}
        self.ranges = Ranges()

    # Axes and indices

    @property
    def ones(self) -> tuple[int, ...]:
        return (1,) * self.rank

    @property
    def shape(self) -> tuple[int, ...]:
        """The shape of a tile that varies along all axes of parallel work."""
        return tuple(max([axis.size for axis in self.axes if axis.position == k], default=1) for k in range(self.rank))

    def along(self, position: int, size: int) -> tuple[int, ...]:
        return tuple(size if k == position else 1 for k in range(self.rank))

    @contextmanager
    def scope(self) -> Iterator[None]:
        """Restore the lanes and ranges at the end of the `with` body."""
        saved = self.axes, self.flats, self.ranges, self.limits
        yield
        self.axes, self.flats, self.ranges, self.limits = saved

    @contextmanager
    def nested(self, body: Block, level: loop.ForOp) -> Iterator[None]:
        """Write into the body of a loop, in which loads from buffers that the loop stores to must be repeated."""
        saved = dict(self.known), dict(self.loaded)
        self.forget({op.buffer for op in level.walk() if isinstance(op, loop.StoreOp | loop.UpdateOp)})
        with self.builder.at(body):
            yield
        self.known, self.loaded = saved
        self.forget({op.buffer for op in level.walk() if isinstance(op, loop.StoreOp | loop.UpdateOp)})

    def forget(self, buffers: Collection[SSAValue]) -> None:
        """Forget values loaded from these buffers, which are about to change."""
        self.loaded = {key: value for key, value in self.loaded.items() if key[0] not in buffers}

    def add(self, op: Operation) -> SSAValue:
        """Add an operation, unless the kernel has an equal one already. Returns the result."""
        if not op.has_trait(Pure):
            return self.builder.add(op).results[0]
        key = (op.name, tuple(op.operands), tuple(sorted(op.properties.items())), op.results[0].type)
        found = self.known.get(key)
        if found is None:
            found = self.known[key] = self.builder.add(op).results[0]
            return found
        op.drop_all_references()
        assert isinstance(found.owner, Operation), "the result of an operation"
        derive(found.owner, self.builder.sources)
        return found

    def arange(self, position: int, size: int) -> SSAValue:
        lane = self.add(tile.ArangeOp(tile_type(self.along(position, size), self.width)))
        lane.name_hint = "lane"
        self.bounds[lane] = (index(0), index(size - 1))
        return lane

    def index(self, expr: Index, at: Sequence[SSAValue], shape: Sequence[int] | None = None) -> SSAValue:
        """A tile of an index expression; a scalar if `shape` is empty."""
        (simple,), operands = self.compact([expr], at)
        found = common_shape([lanes(value) for value in operands]) or self.ones
        wanted = found if shape is None else tuple(shape)
        if simple == dim(0) and lanes(operands[0]) == wanted:
            return operands[0]
        return self.add(tile.IndexOp(simple, operands, tile_type(wanted, self.width) if wanted else self.width))

    def enter(self, position: int, size: int, flat: SSAValue, nest: Nest, *, once: bool = False) -> None:
        """Map the iterations of `nest` at the positions `flat`, a tile along one axis, to lanes. With `once` no loop over
        chunks encloses the lanes: they exist even if there are no iterations."""
        total = nest.size
        flat.name_hint = flat.name_hint or "flat"
        whole = total == size if once else nest.body.whole is not None or total % size == 0
        self.bounds[flat] = (index(0), total - 1)
        mask = None
        if not whole:
            mask = self.add(tile.TestOp([total - 1 - dim(0)], [flat], lanes(flat)))
            mask.name_hint = "inside"
        self.axes = (*self.axes, Lanes(position, size, mask))
        self.enter_indices(flat, nest)

    def enter_indices(self, flat: SSAValue, nest: Nest) -> None:
        """The indices of a nest's loops at the positions `flat`."""
        self.ranges = self.ranges.assuming(*(size - 1 for size in nest.extents))
        rest, stride = dim(0), index(1)
        indices: list[SSAValue] = []
        strides: list[Index] = []
        for k, level in reversed(list(enumerate(nest.loops))):
            size = nest.extents[k]
            position = rest % size if k else rest
            value = position * level.step.value.data + level.lower
            at = flat if value == dim(0) else self.index(value, [flat], None if lanes(flat) else ())
            self.define_index(level, at)
            indices.append(at)
            strides.append(stride)
            rest, stride = rest // size, stride * size
        if all(level.lower == 0 and level.step.value.data == 1 for level in nest.loops):
            self.flats = (*self.flats, FlatNest(flat, tuple(indices), tuple(strides)))

    def define_index(self, level: loop.ForOp, at: SSAValue) -> None:
        """Bind a loop's index to the tile `at`."""
        if at.name_hint in (None, "flat"):
            at.name_hint = level.induction.name_hint
        self.values[level.induction] = at
        if not level.lower.dims() and not level.upper.dims():
            self.bounds.setdefault(at, (level.lower, level.upper - 1))

    def is_within(self, size: Index, limit: int) -> bool:
        """Whether a size is at most `limit`, for any sizes or by the conditions under which the kernel runs."""
        spare = [limit - size, *(limit - size - condition for condition in self.conditions)]
        return any(each.constant is not None and each.constant >= 0 for each in spare)

    def mask_for(self, shape: Sequence[int]) -> SSAValue | None:
        """The mask of active lanes of a tile of `shape`; None if all are active."""
        masks = [axis.mask for axis in self.axes if axis.mask is not None and shape[axis.position] > 1]
        return self.conjunction([*masks, *self.limits], shape)

    # Tiles

    def constant(self, value: FloatAttr | IntegerAttr, shape: Sequence[int] | None = None) -> SSAValue:
        return self.add(tile.ConstantOp(value, shape or self.ones))

    def identity(self, function: str, element: Attribute, shape: Sequence[int]) -> SSAValue:
        """A tile of the neutral element of an accumulator."""
        return self.constant(neutral(function, element), shape)

    def fit(self, value: SSAValue, shape: Sequence[int]) -> SSAValue:
        """`value` broadcast to `shape`."""
        if lanes(value) == tuple(shape):
            return value
        source = value.owner
        repeated = (
            tile.ConstantOp(source.value, shape) if isinstance(source, tile.ConstantOp) else tile.BroadcastOp(value, shape)
        )
        return self.add(repeated)

    def cast(self, value: SSAValue, element: Attribute) -> SSAValue:
        return value if element_type(value) == element else self.add(tile.CastOp(value, element))

    def compute(self, function: str, *operands: SSAValue) -> SSAValue:
        shape = common_shape([lanes(value) for value in operands])
        return self.add(tile.ComputeOp(function, *(self.fit(value, shape) for value in operands)))

    def compute_wide(self, function: str, *operands: SSAValue) -> SSAValue:
        """Write a scalar function, computed in the dtype of arithmetic and rounded once to the operands' dtype."""
        element = element_type(operands[-1])
        wide = [self.cast(value, dtype_of(element_type(value)).compute.type) for value in operands]
        return self.cast(self.compute(function, *wide), element)

    def conjunction(self, masks: Sequence[SSAValue], shape: Sequence[int]) -> SSAValue | None:
        if not masks:
            return None
        total = self.fit(masks[0], shape)
        for mask in masks[1:]:
            total = self.add(tile.ComputeOp("and", total, self.fit(mask, shape)))
        return total

    def test(self, exprs: Sequence[Index], at: Sequence[SSAValue]) -> SSAValue:
        """A tile that is true where all of `exprs`, over the tiles `at`, are non-negative."""
        simple, at = self.compact(exprs, at)
        shape = common_shape([self.ones, *(lanes(value) for value in at)])
        return self.add(tile.TestOp(simple, at, shape))

    def compact(self, exprs: Sequence[Index], at: Sequence[SSAValue]) -> tuple[list[Index], list[SSAValue]]:
        """Simplified expressions over the operands that they use, each once."""
        unique = list(dict.fromkeys(at))
        merged: dict[Atom, IndexLike] = {Dim(k): dim(unique.index(value)) for k, value in enumerate(at)}
        known = self.known_about(unique)
        simple = [truncating(known.simplify(expr.substitute(merged)), known) for expr in exprs]
        used = sorted({position for expr in simple for position in expr.dims()})
        packed: dict[Atom, IndexLike] = {Dim(position): dim(k) for k, position in enumerate(used)}
        return [expr.substitute(packed) for expr in simple], [unique[position] for position in used]

    def known_about(self, at: Sequence[SSAValue]) -> Ranges:
        return self.ranges.with_dims({k: self.bounds[value] for k, value in enumerate(at) if value in self.bounds})

    def guarded_mask(self, guard: SSAValue | None, shape: Sequence[int]) -> SSAValue | None:
        active = self.mask_for(shape)
        return self.conjunction([mask for mask in (active, guard) if mask is not None], shape)

    def bind(self, old: SSAValue, new: SSAValue) -> None:
        self.values[old] = new
        if new.name_hint is None:
            new.name_hint = old.name_hint
