"""Kernel: translates loop statements to operations on tiles."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import singledispatchmethod
from typing import TypeAlias

from xdsl.dialects.builtin import i64
from xdsl.ir import Attribute, Operation, SSAValue

from ...dialects import loop, tile
from ...dialects.tile.base import common_shape, lanes, tile_type
from ...ir.diagnostics import CompileError, LegalityError
from ...ir.index.expressions import Index, dim
from ...ir.rewrite import Builder
from ...ir.scalars.attributes import is_plus_zero, number
from ...passes.loop.kernels.patterns import flat_offset
from .folding import already_selected, through
from .tile_builder import TileBuilder


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


class Kernel(TileBuilder):
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
        super().__init__(builder, rank, width, conditions)
        self.spread = spread
        self.checks = checks
        self.atomic = False
        # Whether products of float32 round their factors.
        self.tf32 = False
        self.buffers: dict[SSAValue, SSAValue] = {}
        self.reread: set[SSAValue] = set()
        # Private buffers of the program: the tiles that were stored last, and their offsets.
        self.private: dict[SSAValue, PrivateTile | None] = {}

    def body(self, ops: Sequence[Operation]) -> None:
        for op in ops:
            with self.builder.source(op):
                self.lower(op)

    def finish(self, counter: SSAValue, ops: Sequence[Operation]) -> None:
        """Write statements that only the last program to get here runs, outside of all lanes."""
        end = self.builder.add(tile.FinishOp(counter))
        self.axes, self.flats, self.limits = (), (), ()
        # Elements that other programs stored are in memory.
        self.loaded, self.private = {}, {}
        with self.builder.at(end.body.block):
            self.body(ops)

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
        mask = self.guarded_mask(guard, shape)
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
        mask = self.guarded_mask(guard, shape)
        self.builder.add(tile.StoreOp(value, self.buffers[op.buffer], offset, at, mask))
        self.forget({op.buffer})
        # A later load of the same elements gives each lane the value that it stored; masked lanes may have any value.
        self.loaded[(op.buffer, offset, tuple(at), mask, shape)] = value
        self._publish(op.buffer)

    @lower.register
    def _(self, op: loop.UpdateOp) -> None:
        offset, at = self._address(op)
        guard, shape = self._target(op)
        mask, buffer = self.guarded_mask(guard, shape), self.buffers[op.buffer]
        value = self.fit(self.values[op.value], shape)
        if self.atomic:
            self.builder.add(tile.AtomicOp(op.accumulator.data, value, buffer, offset, at, mask))
            return
        before = self.add(tile.LoadOp(buffer, offset, at, mask, shape))
        self.builder.add(tile.StoreOp(self.compute_wide(op.accumulator.data, before, value), buffer, offset, at, mask))
        self.forget({op.buffer})
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

    def _publish(self, buffer: SSAValue) -> None:
        """Write a barrier: the threads of a program share its tiles, so that a load may read what another thread has stored."""
        if buffer in self.reread:
            self.builder.add(tile.BarrierOp())

    def _target(self, op: loop.StoreOp | loop.UpdateOp) -> tuple[SSAValue | None, tuple[int, ...]]:
        """The guard of a write, and its tile shape: each lane writes its own element."""
        guard = self.test(op.guard_exprs, self._operands(op)) if op.guard_exprs else None
        return guard, self.shape

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
        known = self.known_about(self._operands(op))
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
