"""Kernel builder: translates loop statements to operations on tiles.

The tiles of a kernel have a fixed rank. Each axis of parallel work (`Lanes`) is an axis of the tiles; tiles of values that do
not depend on it have size 1 there. Lanes outside the domain are masked.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import singledispatchmethod
from typing import TypeAlias

from xdsl.dialects.builtin import FloatAttr, IntegerAttr, i64
from xdsl.ir import Attribute, Block, Operation, SSAValue
from xdsl.traits import Pure

from ...dialects import loop, tile
from ...dialects.tile.base import common_shape, element_type, lanes, tile_type
from ...ir.diagnostics import CompileError, LegalityError
from ...ir.index.expressions import Atom, Dim, Index, IndexLike, dim, index
from ...ir.index.simplify import Ranges
from ...ir.rewrite import Builder, derive
from ...ir.scalars.attributes import is_plus_zero, neutral, number
from ...ir.types.dtypes import dtype_of
from ...passes.loop.kernels.patterns import Nest, flat_offset
from ..emission.divisions import truncating
from .folding import FlatNest, already_selected, through


@dataclass(frozen=True)
class Lanes:
    """Parallel work along axis `position` of the tiles, `size` lanes wide; `mask` is None if no lane is idle."""

    position: int
    size: int
    mask: SSAValue | None


@dataclass(frozen=True)
class PrivateTile:
    """The contents of a private buffer: a tile, whose lanes are the elements at these offsets."""

    value: SSAValue
    offset: Index
    at: tuple[SSAValue, ...]


# A function that writes a loop whose iterations are lanes.
LaneWriter: TypeAlias = Callable[["Kernel", loop.ForOp], None]


@dataclass
class CheckCounter:
    """Numbers the run-time checks of a program, from 1."""

    count: int = 0

    def next(self) -> int:
        self.count += 1
        return self.count


class Kernel:
    """The body of a kernel; `values` maps loop scalars to tiles, `buffers` maps outer buffers to the kernel's arguments."""

    def __init__(
        self,
        builder: Builder,
        rank: int,
        width: Attribute,
        checks: CheckCounter,
        spread: LaneWriter,
        conditions: Sequence[Index] = (),
    ):
        self.conditions = tuple(conditions)
        self.builder = builder
        self.spread = spread
        self.rank = rank
        self.width = width
        self.checks = checks
        self.atomic = False
        # Whether products of float32 round their factors.
        self.tf32 = False
        # The values computed and loaded so far, in the blocks that enclose the insertion point.
        self.known: dict[object, SSAValue] = {}
        self.loaded: dict[tuple[object, ...], SSAValue] = {}
        self.values: dict[SSAValue, SSAValue] = {}
        self.buffers: dict[SSAValue, SSAValue] = {}
        self.reread: set[SSAValue] = set()
        # Private buffers of the program: the tiles that were stored last, and their offsets.
        self.private: dict[SSAValue, PrivateTile | None] = {}
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
        self._forget({op.buffer for op in level.walk() if isinstance(op, loop.StoreOp | loop.UpdateOp)})
        with self.builder.at(body):
            yield
        self.known, self.loaded = saved
        self._forget({op.buffer for op in level.walk() if isinstance(op, loop.StoreOp | loop.UpdateOp)})

    def finish(self, counter: SSAValue, ops: Sequence[Operation]) -> None:
        """Write statements that only the last program to get here runs, outside of all lanes."""
        end = self.builder.add(tile.FinishOp(counter))
        self.axes, self.flats, self.limits = (), (), ()
        # Elements that other programs stored are in memory.
        self.loaded, self.private = {}, {}
        with self.builder.at(end.body.block):
            self.body(ops)

    def _forget(self, buffers: Collection[SSAValue]) -> None:
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

    # Statements

    def body(self, ops: Sequence[Operation]) -> None:
        for op in ops:
            with self.builder.source(op):
                self.lower(op)

    @singledispatchmethod
    def lower(self, op: Operation) -> None:
        """Write one statement. Raises LegalityError for operations of other levels."""
        raise LegalityError(f"'{op.name}': expected a statement of the loop level", op.location)

    @lower.register
    def _(self, op: loop.ConstantOp) -> None:
        self.bind(op.result, self.constant(op.value))

    @lower.register
    def _(self, op: loop.IndexOp) -> None:
        self.bind(op.result, self.cast(self.index(op.index_map.results[0], self._operands(op)), i64))

    @lower.register
    def _(self, op: loop.TestOp) -> None:
        self.bind(op.result, self.test(op.index_map.results, self._operands(op)))

    @lower.register
    def _(self, op: loop.ComputeOp) -> None:
        inputs = [self.values[value] for value in op.inputs]
        kept = already_selected(inputs) if op.function.data == "select" else None
        self.bind(op.result, self.compute(op.function.data, *inputs) if kept is None else kept)

    @lower.register
    def _(self, op: loop.CastOp) -> None:
        self.bind(op.result, self.cast(self.values[op.input], op.result.type))

    @lower.register
    def _(self, op: loop.AllocOp) -> None:
        self.private[op.result] = None

    @lower.register
    def _(self, op: loop.LoadOp) -> None:
        offset, at = self._address(op)
        if op.buffer in self.private:
            held = self.private[op.buffer]
            if held is None or (held.offset, held.at) != (offset, tuple(at)) or op.guard_exprs:
                raise LegalityError(f"'{op.name}': expected a private buffer to be read where it was stored", op.location)
            self.bind(op.result, held.value)
            return
        guard = self.test(op.guard_exprs, self._operands(op)) if op.guard_exprs else None
        shapes = [lanes(value) for value in (*at, guard, *self.limits) if value is not None]
        shape = common_shape([self.ones, *shapes])
        mask = self._mask(guard, shape)
        key = (op.buffer, offset, tuple(at), mask, shape)
        value = self.loaded.get(key)
        if value is None:
            value = self.loaded[key] = self.add(tile.LoadOp(self.buffers[op.buffer], offset, at, mask, shape))
        if guard is not None and op.fill is not None and not is_plus_zero(op.fill):
            value = self.compute("select", guard, value, self.constant(op.fill))
        self.bind(op.result, value)

    @lower.register
    def _(self, op: loop.StoreOp) -> None:
        offset, at = self._address(op)
        guard, shape = self._target(op)
        value = self.fit(self.values[op.value], shape)
        if op.buffer in self.private:
            self.private[op.buffer] = PrivateTile(value, offset, tuple(at))
            return
        mask = self._mask(guard, shape)
        self.builder.add(tile.StoreOp(value, self.buffers[op.buffer], offset, at, mask))
        self._forget({op.buffer})
        # A later load of the same elements gives each lane the value that it stored; masked lanes may have any value.
        self.loaded[(op.buffer, offset, tuple(at), mask, shape)] = value
        self._publish(op.buffer)

    @lower.register
    def _(self, op: loop.UpdateOp) -> None:
        offset, at = self._address(op)
        guard, shape = self._target(op)
        mask, buffer = self._mask(guard, shape), self.buffers[op.buffer]
        value = self.fit(self.values[op.value], shape)
        if self.atomic:
            self.builder.add(tile.AtomicOp(op.accumulator.data, value, buffer, offset, at, mask))
            return
        before = self.add(tile.LoadOp(buffer, offset, at, mask, shape))
        self.builder.add(tile.StoreOp(self.compute_wide(op.accumulator.data, before, value), buffer, offset, at, mask))
        self._forget({op.buffer})
        self.builder.add(tile.BarrierOp())

    @lower.register
    def _(self, op: loop.CheckOp) -> None:
        operands, exprs = self._operands(op), op.index_map.results
        value, zero = self.index(exprs[0], operands), self.constant(number(0, self.width))
        if op.kind.data == "index":
            limit = self.index(exprs[1], operands)
            wrong = self.compute("not", self.test([exprs[0], exprs[1] - exprs[0] - 1], operands))
        else:
            limit, wrong = zero, self.compute("eq", value, zero)
        conditions = [wrong, self.test(op.guard_exprs, operands)] if op.guard_exprs else [wrong]
        shape = common_shape([lanes(each) for each in (value, limit, *conditions, *self.limits)])
        active = self.mask_for(shape)
        failed = self.conjunction([*conditions, active] if active is not None else conditions, shape)
        assert failed is not None, "a check has a condition"
        value, limit = (self.fit(self.cast(each, i64), shape) for each in (value, limit))
        self.builder.add(tile.CheckOp(op.kind.data, self.checks.next(), value, limit, failed))

    @lower.register
    def _(self, op: loop.ForOp) -> None:
        """Write a loop: with its iterations as lanes if its schedule says so, otherwise step by step, by all lanes together."""
        if op.tile_axis is not None:
            self.spread(self, op)
            return
        scalars = self._scalars(op)
        lower, upper = (op.lower, op.upper) if scalars is not None else self._enclosing(op)
        bounds, at = self.compact([lower, upper], scalars or [])
        starts = [self.fit(self.values[value], self.shape) for value in op.carried]
        kept = self._carried_buffers(op)
        starts += [held.value for held in kept.values()]
        level = self.builder.add(tile.ForOp(bounds, at, op.step.value.data, starts, self.width))
        level.induction.name_hint = op.induction.name_hint
        with self.scope(), self.nested(level.body.block, op):
            if not lower.dims() and not upper.dims():
                self.ranges = self.ranges.assuming(upper - lower - 1)
            position = self.add(tile.IndexOp(dim(0), [level.induction], tile_type(self.ones, self.width)))
            self.define_index(op, position)
            if scalars is None:
                self._limit(op, position, (lower, upper - 1))
            for old, new in zip(op.carried_args, level.carried_args, strict=False):
                self.bind(old, new)
            self._hold(kept, level.carried_args[len(op.carried) :])
            self.body(list(op.body.block.ops)[:-1])
            last = op.body.block.last_op
            assert last is not None, "a loop body ends with loop.yield"
            with self.builder.source(last):
                following = [self.fit(self.values[value], self.shape) for value in op.yielded]
                following += [held.value for held in (self.private[buffer] for buffer in kept) if held is not None]
                if scalars is None:
                    pairs = zip(following, level.carried_args, strict=True)
                    following = [self.compute("select", self.limits[-1], new, old) for new, old in pairs]
                self.builder.add(tile.YieldOp(*following))
        for old, new in zip(op.results, level.results, strict=False):
            self.bind(old, new)
        for buffer in self._carried_buffers(op).keys() - kept.keys():
            self.private[buffer] = None
        self._hold(kept, level.results[len(op.results) :])

    def _carried_buffers(self, op: loop.ForOp) -> dict[SSAValue, PrivateTile]:
        """The private buffers that a loop stores to in each iteration, which become carried tiles. Buffers without an earlier
        store belong to an iteration, and are undefined before and after the loop."""
        stored = {each.buffer for each in op.walk() if isinstance(each, loop.StoreOp)}
        held = {buffer: value for buffer, value in self.private.items() if buffer in stored and value is not None}
        return held

    def _hold(self, kept: Mapping[SSAValue, PrivateTile], values: Sequence[SSAValue]) -> None:
        for (buffer, held), value in zip(kept.items(), values, strict=True):
            self.private[buffer] = PrivateTile(value, held.offset, held.at)

    def test(self, exprs: Sequence[Index], at: Sequence[SSAValue]) -> SSAValue:
        """A tile that is true where all of `exprs`, over the tiles `at`, are non-negative."""
        simple, at = self.compact(exprs, at)
        shape = common_shape([self.ones, *(lanes(value) for value in at)])
        return self.add(tile.TestOp(simple, at, shape))

    # Building blocks

    def bind(self, old: SSAValue, new: SSAValue) -> None:
        self.values[old] = new
        if new.name_hint is None:
            new.name_hint = old.name_hint

    def _publish(self, buffer: SSAValue) -> None:
        """Write a barrier: the threads of a program share its tiles, so that a load may read what another thread has stored."""
        if buffer in self.reread:
            self.builder.add(tile.BarrierOp())

    def _target(self, op: loop.StoreOp | loop.UpdateOp) -> tuple[SSAValue | None, tuple[int, ...]]:
        """The guard of a write, and its tile shape: each lane writes its own element."""
        guard = self.test(op.guard_exprs, self._operands(op)) if op.guard_exprs else None
        return guard, self.shape

    def _mask(self, guard: SSAValue | None, shape: Sequence[int]) -> SSAValue | None:
        active = self.mask_for(shape)
        return self.conjunction([mask for mask in (active, guard) if mask is not None], shape)

    def _operands(self, op: loop.IndexedOp) -> list[SSAValue]:
        return [self.cast(self.values[value], self.width) for value in op.operands_at]

    def _scalars(self, op: loop.ForOp) -> list[SSAValue] | None:
        """The operands of a loop's bounds, if they are indices of sequential loops, otherwise None."""
        found: list[SSAValue] = []
        for value in op.operands_at:
            if not lanes(self.values[value]):
                found.append(self.values[value])
                continue
            source = self.values[value].owner
            is_scalar = isinstance(source, tile.IndexOp) and len(source.at) == 1 and not lanes(source.at[0])
            if not isinstance(source, tile.IndexOp) or not is_scalar or source.index_map.results[0] != dim(0):
                return None
            found.append(source.at[0])
        return found

    def _enclosing(self, op: loop.ForOp) -> tuple[Index, Index]:
        """Bounds that cover the iterations of all lanes, for a loop whose bounds vary across lanes."""
        known = self._known(self._operands(op))
        lower, upper = known.bound(known.simplify(op.lower), upper=False), known.bound(known.simplify(op.upper), upper=True)
        if lower is None or upper is None or op.step.value.data != 1:
            raise CompileError(f"'{op.name}': the bounds {op.index_map} vary across lanes without a common limit", op.location)
        return lower, upper

    def _limit(self, op: loop.ForOp, position: SSAValue, bounds: tuple[Index, Index]) -> None:
        """Mask the lanes whose own bounds do not contain the index `position`."""
        self.bounds[position] = bounds
        operands = [*self._operands(op), position]
        here = dim(len(operands) - 1)
        limit = self.test([here - op.lower, op.upper - here - 1], operands)
        limit.name_hint = "within"
        self.limits = (*self.limits, limit)

    def _address(self, op: loop.LoadOp | loop.StoreOp | loop.UpdateOp) -> tuple[Index, list[SSAValue]]:
        """The flat offset of an access, in terms of the position in a flattened nest if it is linear in that."""
        offset, at = flat_offset(op), self._operands(op)
        for nest in self.flats:
            offset, at = through(nest, offset, at)
        (simple,), operands = self.compact([offset], at)
        return simple, operands

    def compact(self, exprs: Sequence[Index], at: Sequence[SSAValue]) -> tuple[list[Index], list[SSAValue]]:
        """Simplified expressions over the operands that they use, each once."""
        unique = list(dict.fromkeys(at))
        merged: dict[Atom, IndexLike] = {Dim(k): dim(unique.index(value)) for k, value in enumerate(at)}
        known = self._known(unique)
        simple = [truncating(known.simplify(expr.substitute(merged)), known) for expr in exprs]
        used = sorted({position for expr in simple for position in expr.dims()})
        packed: dict[Atom, IndexLike] = {Dim(position): dim(k) for k, position in enumerate(used)}
        return [expr.substitute(packed) for expr in simple], [unique[position] for position in used]

    def _known(self, at: Sequence[SSAValue]) -> Ranges:
        return self.ranges.with_dims({k: self.bounds[value] for k, value in enumerate(at) if value in self.bounds})
