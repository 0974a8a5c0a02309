"""Loads, stores and updates of memory: scalar, by contiguous vectors, or lane by lane.

Lanes with stride 1 or -1 are loaded and stored as vectors, lanes that share one element load it once, and lanes with a small
stride are shuffled out of contiguous vectors. Loads at offsets that are data are gathers. All other accesses are scalar, lane
by lane in order.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from xdsl.dialects.builtin import i64
from xdsl.ir import Attribute, SSAValue

from ...dialects import cloop, loop
from ...dialects.cloop import vectors as cloop_vectors
from ...dialects.cloop.base import pointed_to
from ...ir.diagnostics import LegalityError
from ...ir.index.expressions import Index, dim, index, maximum, minimum
from ...ir.scalars.attributes import number
from ...ir.types.dtypes import dtype_of
from ...ir.types.shapes import Shape
from ...passes.analysis.strides import are_strided, may_load_between
from .guards import condition, interval, is_partial, mask, part_of_interval, where
from .indices import Expressions, Guard, Indices, Uniform
from .strides import Strides
from .values import Value, ValueWriter, Vector


@dataclass(frozen=True)
class Memory:
    """A buffer in memory. With `each_lane`, every lane of the enclosing vector loop has a private copy; copies are interleaved
    element by element."""

    pointer: SSAValue
    shape: Shape
    each_lane: bool = False

    @property
    def element(self) -> Attribute:
        return pointed_to(self.pointer)


@dataclass(frozen=True)
class Access:
    """A memory access: the offset in elements, the guards, and the stride across lanes."""

    memory: Memory
    expressions: Expressions
    offset: Index
    guards: tuple[Index, ...]
    guard: Guard
    stride: int | None

    @staticmethod
    def of(indices: Indices, strides: Strides, op: loop.IndexedOp, memory: Memory) -> Access:
        at = list(op.operands_at)
        offset = strides.offset(memory.shape, op.index_map.results, at)
        if memory.each_lane:
            offset = offset * indices.writer.lanes + dim(len(at))
        expressions = indices.of(at, [offset, *op.guard_exprs], memory.each_lane)
        offset, *guards = expressions.exprs
        needed = expressions.needed(guards)
        return Access(memory, expressions, offset, needed, expressions.guard(needed), expressions.stride(offset))

    @property
    def varies(self) -> bool:
        return self.expressions.varies(self.offset, *self.guards)

    @property
    def is_shared(self) -> bool:
        """Whether all lanes access one element, under a guard that is an interval of lanes."""
        return self.stride == 0 and not self.guard.others and is_partial(self.guard, self.expressions.writer.lanes)

    @property
    def has_small_stride(self) -> bool:
        """Whether a few contiguous vectors hold the elements of all lanes."""
        lanes = self.expressions.writer.part_lanes(self.memory.element)
        return are_strided(self.stride, lanes) and not self.guard.others

    @property
    def is_gather(self) -> bool:
        """Whether the lanes are at offsets that are data, all of which vectors hold."""
        return self.stride is None and self.expressions.is_in_vectors(self.offset, *self.guard.others)

    @property
    def lane_by_lane(self) -> bool:
        """Whether no vector access covers the lanes, so that each lane is accessed separately."""
        if self.guard.others:
            return True
        partial = is_partial(self.guard, self.expressions.writer.lanes)
        return self.stride not in ((1, -1) if partial else (0, 1, -1))


class MemoryWriter:
    """Writes loads, stores, updates and prefetches of memory."""

    def __init__(self, writer: ValueWriter, indices: Indices, strides: Strides):
        self.writer = writer
        self.indices = indices
        self.strides = strides

    def load(self, op: loop.LoadOp, memory: Memory) -> Value:
        access = Access.of(self.indices, self.strides, op, memory)
        fill = self.writer.constant(op.fill) if op.fill is not None and access.guards else None
        if access.is_shared and fill is not None:
            return self._load_shared(access, fill)
        if access.has_small_stride and may_load_between(op):
            return self._load_strided(access, fill)
        if access.is_gather:
            return self._gather(access, fill)
        if access.varies and access.lane_by_lane:
            return self.writer.pack([self._load_lane(access, lane, fill) for lane in range(self.writer.lanes)])
        if not access.varies or access.stride == 0:
            return self._load_element(access.memory, access.expressions.uniform((access.offset, *access.guards)), fill)
        return self._load_lanes(access, fill)

    def store(self, op: loop.StoreOp, memory: Memory, value: Value) -> None:
        _expect_no_input(op, memory)
        access = Access.of(self.indices, self.strides, op, memory)
        if access.stride == 0 and (access.varies or isinstance(value, Vector)):
            raise LegalityError(f"'{op.name}': all lanes of a vector loop store to one element", op.location)
        if access.varies and access.lane_by_lane:
            self._each_lane(access, lambda at, lane: self._store_element(memory, at, self.writer.lane(value, lane)))
        elif access.varies:
            with where(self.writer, access.expressions.uniform(self._shared(access))):
                self._store_lanes(access, self.writer.spread(value))
        else:
            assert isinstance(value, SSAValue), "expected a lane-invariant value"
            with where(self.writer, access.expressions.uniform(access.guards)):
                self._store_element(memory, access.expressions.uniform((access.offset,)), value)

    def update(self, op: loop.UpdateOp, memory: Memory, value: Value) -> None:
        _expect_no_input(op, memory)
        access = Access.of(self.indices, self.strides, op, memory)
        accumulator = op.accumulator.data

        def of_element(at: Uniform, value: Value) -> None:
            loaded = self._load_element(memory, at, None)
            total = self._accumulate(accumulator, loaded, value)
            assert isinstance(total, SSAValue), "a scalar element is updated by a scalar"
            self._store_element(memory, at, total)

        if access.varies and (access.lane_by_lane or access.stride == 0):
            self._each_lane(access, lambda at, lane: of_element(at, self.writer.lane(value, lane)))
        elif access.varies:
            with where(self.writer, access.expressions.uniform(self._shared(access))):
                fill = self.writer.constant(number(0, memory.element)) if access.guards else None
                total = self._accumulate(accumulator, self._load_lanes(access, fill, guarded=False), value)
                self._store_lanes(access, self.writer.spread(total))
        else:
            with where(self.writer, access.expressions.uniform(access.guards)):
                of_element(access.expressions.uniform((access.offset,)), self._of_all_lanes(accumulator, value))

    def prefetch(self, op: loop.PrefetchOp, memory: Memory) -> None:
        access = Access.of(self.indices, self.strides, op, memory)
        if access.varies:
            raise LegalityError(f"'{op.name}': expected one address for all lanes of a vector loop", op.location)
        exprs, operands = access.expressions.uniform((access.offset,))
        self.writer.builder.add(cloop.PrefetchOp(memory.pointer, exprs[0], operands, op.locality))

    # Building blocks

    def _accumulate(self, accumulator: str, old: Value, value: Value) -> Value:
        element = old.element if isinstance(old, Vector) else old.type
        compute = dtype_of(element).compute.type
        operands = [self.writer.cast(each, compute) for each in (old, value)]
        return self.writer.cast(self.writer.compute(accumulator, *operands), element)

    def _of_all_lanes(self, accumulator: str, value: Value) -> Value:
        """Reduce the lanes to the scalar that is accumulated into one element."""
        if self.writer.lanes == 1:
            return value
        compute = dtype_of(value.element if isinstance(value, Vector) else value.type).compute.type
        return self.writer.fold(accumulator, self.writer.cast(value, compute))

    def _shared(self, access: Access) -> tuple[Index, ...]:
        """The uniform conditions, unless `interval` includes them in its bounds."""
        return () if is_partial(access.guard, self.writer.lanes) else access.guard.uniform

    def _each_lane(self, access: Access, write: Callable[[Uniform, int], None]) -> None:
        for lane in range(self.writer.lanes):
            (offset, *guards), operands = access.expressions.at_lane((access.offset, *access.guards), lane)
            with where(self.writer, Uniform(tuple(guards), operands)):
                write(Uniform((offset,), operands), lane)

    def _gather(self, access: Access, fill: SSAValue | None) -> Vector:
        """Load the elements of active lanes from offsets that are data; the others get `fill`."""
        element = access.memory.element
        size = min(self.writer.part_lanes(element), self.writer.part_lanes(i64))
        other = fill if fill is not None else self.writer.constant(number(0, element))
        columns = (access.expressions.integer(access.offset), mask(self.writer, access.expressions, access.guard), other)
        parts = zip(*(self.writer.in_parts_of(value, size).parts for value in columns), strict=True)
        found = Vector(tuple(self.writer.add(cloop_vectors.GatherOp(access.memory.pointer, *part)) for part in parts))
        return self.writer.in_parts_of(found, self.writer.part_lanes(element))

    def _load_lane(self, access: Access, lane: int, fill: SSAValue | None) -> SSAValue:
        return self._load_element(access.memory, access.expressions.at_lane((access.offset, *access.guards), lane), fill)

    def _load_shared(self, access: Access, fill: SSAValue) -> Value:
        """Load one element, if any lane is active, into the active lanes; the others get `fill`."""
        first, end = access.guard.first, access.guard.end
        some = (*access.guard.uniform, end - 1, self.writer.lanes - 1 - first, end - 1 - first)
        element = self._load_element(access.memory, access.expressions.uniform((access.offset, *some)), fill)
        active = mask(self.writer, access.expressions, access.guard)
        return self.writer.compute("select", active, element, fill)

    def _load_element(self, memory: Memory, at: Uniform, fill: SSAValue | None) -> SSAValue:
        """Load one element, or `fill` if one of the expressions after the offset is negative."""
        (offset, *guards), operands = at
        tested = condition(self.writer, Uniform(tuple(guards), operands)) if guards else None
        return self.writer.add(cloop.LoadOp(memory.pointer, offset, operands, tested, fill if guards else None))

    def _store_element(self, memory: Memory, at: Uniform, value: SSAValue) -> None:
        self.writer.builder.add(cloop.StoreOp(value, memory.pointer, at.exprs[0], at.operands))

    def _starts(self, access: Access) -> tuple[int, Sequence[Index]]:
        """The lanes of a register, and the offset of each register of the vector, in memory order."""
        size = self.writer.part_lanes(access.memory.element)
        lowest = 0 if access.stride == 1 else self.writer.lanes - 1
        assert access.expressions.lane is not None, "contiguous lanes imply a lane dimension"
        lane = dim(access.expressions.lane) * (access.stride or 0)
        start = access.offset - lane + (access.stride or 0) * lowest
        return size, [start + position for position in range(0, self.writer.lanes, size)]

    def _ordered(self, access: Access, value: Vector) -> Vector:
        """Convert between lane order and memory order: reverses the lanes if the stride is -1."""
        return value if access.stride == 1 else self.writer.reversed(value)

    def _interval(self, access: Access) -> tuple[Index, Index]:
        """The interval of active lanes, in memory order."""
        first, end = interval(access.guard, self.writer.lanes)
        if access.stride == 1:
            return first, end
        return minimum(self.writer.lanes, self.writer.lanes - end), self.writer.lanes - first

    def _load_lanes(self, access: Access, fill: SSAValue | None, guarded: bool = True) -> Vector:
        """Load contiguous lanes. With `guarded`, the uniform conditions are tested here; otherwise the caller tests them."""
        size, starts = self._starts(access)
        load, bounds = self._contiguous_load(access, fill, guarded), self._interval(access)
        loads = [load(start, part_of_interval(bounds, k * size, size, self.writer.lanes)) for k, start in enumerate(starts)]
        return self._ordered(access, Vector(tuple(loads)))

    def _load_strided(self, access: Access, fill: SSAValue | None) -> Vector:
        """Load elements with a small constant stride: each register is shuffled out of `stride` contiguous vectors. The last
        contiguous vector ends with the element of the register's last lane, so that nothing beyond the accessed range is
        read."""
        stride, lanes, lane = access.stride, self.writer.lanes, access.expressions.lane
        assert stride is not None and lane is not None, "a stride implies a lane dimension"
        size, start = self.writer.part_lanes(access.memory.element), access.offset - dim(lane) * stride
        last = (size - 1) * stride + 1 - size
        offsets = [*range(0, last, size), last]
        load, bounds = self._contiguous_load(access, fill), interval(access.guard, lanes)
        parts: list[SSAValue] = []
        for part in range(0, lanes, size):
            first, end = ((bounds[0] - part) * stride, (bounds[1] - part - 1) * stride + 1)
            inside = [(maximum(0, first - offset), minimum(index(size), end - offset)) for offset in offsets]
            found = [load(start + part * stride + offset, each) for offset, each in zip(offsets, inside, strict=True)]
            parts.append(self.writer.every(stride, found, offsets))
        return Vector(tuple(parts))

    def _contiguous_load(
        self, access: Access, fill: SSAValue | None, guarded: bool = True
    ) -> Callable[[Index, tuple[Index, Index]], SSAValue]:
        """A function that loads one register of contiguous elements, given its offset and the interval of active elements."""
        size, pointer, lanes = self.writer.part_lanes(access.memory.element), access.memory.pointer, self.writer.lanes
        filled = self.writer.spread(fill).parts[0] if fill is not None else None
        if is_partial(access.guard, lanes):
            assert filled is not None, "guarded loads have a fill value"

            def load_part(start: Index, inside: tuple[Index, Index]) -> SSAValue:
                exprs, at = access.expressions.uniform((start, *inside))
                return self.writer.add(cloop_vectors.PartialLoadOp(pointer, exprs, at, filled))

            return load_part
        tested = None
        if guarded and access.guard.uniform:
            tested = condition(self.writer, access.expressions.uniform(access.guard.uniform))

        def load(start: Index, inside: tuple[Index, Index]) -> SSAValue:
            (offset,), at = access.expressions.uniform((start,))
            return self.writer.add(cloop.LoadOp(pointer, offset, at, tested, filled if tested is not None else None, size))

        return load

    def _store_lanes(self, access: Access, value: Vector) -> None:
        size, starts = self._starts(access)
        value = self._ordered(access, self.writer.in_parts_of(value, size))
        pointer = access.memory.pointer
        if is_partial(access.guard, self.writer.lanes):
            bounds = self._interval(access)
            for k, (start, part) in enumerate(zip(starts, value.parts, strict=True)):
                exprs, at = access.expressions.uniform((start, *part_of_interval(bounds, k * size, size, self.writer.lanes)))
                self.writer.builder.add(cloop_vectors.PartialStoreOp(part, pointer, exprs, at))
            return
        for start, part in zip(starts, value.parts, strict=True):
            (offset,), at = access.expressions.uniform((start,))
            self.writer.builder.add(cloop.StoreOp(part, pointer, offset, at))


def _expect_no_input(op: loop.StoreOp | loop.UpdateOp, memory: Memory) -> None:
    kind = memory.pointer.type
    if isinstance(kind, cloop.PointerType) and kind.qualifier.data == "const":
        raise LegalityError(f"'{op.name}': expected a result or a temporary, got an input, which is read-only", op.location)
