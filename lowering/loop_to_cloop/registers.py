"""Buffers in registers: an array with one for each element, or for each group of elements that are the lanes of a vector.

A buffer of one element, or one group, is a variable. An array is kept in registers where every access has a constant index
once loops are unrolled, here or by the C compiler; the lane is no part of it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import prod

from xdsl.ir import Attribute, Block, Operation, SSAValue

from ...dialects import cloop, loop
from ...dialects.cloop.registers import GetOp, RegistersOp, SetOp
from ...dialects.scalar_ops import only_used, with_lanes
from ...ir.diagnostics import LegalityError
from ...ir.index.expressions import Dim, dim, index
from ...ir.scalars.attributes import number
from ...ir.types.dtypes import dtype_of
from ...ir.types.shapes import element_of, row_major, shape_of
from .guards import condition, mask, where
from .indices import Indices, Uniform
from .values import Value, ValueWriter, Vector


@dataclass(frozen=True)
class Registers:
    """The place of a buffer, of which the last size counts groups of `group` elements. With `each_lane`, the lanes of the
    vector loop around the buffer have one each, and every element is a vector. Vectors are of `parts` registers each, side by
    side in an array; a single one is a variable, `single`."""

    element: Attribute
    group: int
    each_lane: bool
    sizes: tuple[int, ...]
    parts: int
    single: Value | None
    array: SSAValue | None

    @staticmethod
    def allocate(writer: ValueWriter, op: loop.AllocOp) -> Registers:
        group, each_lane = _group(op), writer.lanes > 1
        if each_lane or group == 1:
            return Registers._allocate(writer, op, group, each_lane)
        with writer.vectors_of(group):
            return Registers._allocate(writer, op, group, each_lane)

    @staticmethod
    def _allocate(writer: ValueWriter, op: loop.AllocOp, group: int, each_lane: bool) -> Registers:
        element = element_of(op.result)
        *outer, last = [size.constant or 0 for size in shape_of(op.result)] or [1]
        sizes = (*outer, last // group)
        lanes = writer.part_lanes(element) if writer.lanes > 1 else None
        parts = writer.lanes // lanes if lanes is not None else 1
        single = array = None
        if prod(sizes) == 1:
            zero = writer.constant(number(0, element))
            single = writer.variable(zero if lanes is None else writer.spread(zero), op.result.name_hint or "register")
        else:
            # A buffer of no elements is reached under guards that never hold.
            array = writer.add(RegistersOp(max(1, prod(sizes) * parts), with_lanes(element, lanes)))
            array.name_hint = op.result.name_hint or "registers"
        return Registers(element, group, each_lane, sizes, parts, single, array)

    @property
    def is_vector(self) -> bool:
        """Whether what is read is a vector of parts."""
        return self.each_lane or self.group > 1


class RegisterWriter:
    """Writes the accesses of registers."""

    def __init__(self, writer: ValueWriter, indices: Indices):
        self.writer = writer
        self.indices = indices

    def load(self, op: loop.LoadOp, registers: Registers) -> Value:
        access = _Access(self.writer, self.indices, op, registers)
        if access.never:
            assert op.fill is not None, "a guarded load has a fill value"
            return self.writer.constant(op.fill)
        value = access.read()
        if not access.guards:
            return value
        assert op.fill is not None, "a guarded load has a fill value"
        fill = self.writer.constant(op.fill)
        if isinstance(value, Vector) or access.expressions.varies(*access.guards):
            taking_part = mask(self.writer, access.expressions, access.expressions.guard(access.guards))
            return self.writer.compute("select", taking_part, value, fill)
        tested = condition(self.writer, access.expressions.uniform(access.guards))
        return self.writer.compute("select", tested, value, fill)

    def store(self, op: loop.StoreOp, registers: Registers, value: Value) -> None:
        access = _Access(self.writer, self.indices, op, registers)
        if not access.never:
            self._write(access, value)

    def update(self, op: loop.UpdateOp, registers: Registers, value: Value) -> None:
        access = _Access(self.writer, self.indices, op, registers)
        if access.never:
            return
        compute = dtype_of(registers.element).compute.type
        if access.one_for_all_lanes:
            access.refuse_varying_guards()
            value = self.writer.fold(op.accumulator.data, self.writer.cast(value, compute))
        operands = [self.writer.cast(each, compute) for each in (access.read(snapshot=False), value)]
        total = self.writer.compute(op.accumulator.data, *operands)
        self._write(access, self.writer.cast(total, registers.element))

    def _write(self, access: _Access, value: Value) -> None:
        guards = access.guards
        if access.one_for_all_lanes and isinstance(value, Vector):
            raise LegalityError(f"'{access.op.name}': all lanes of a vector loop store to one element", access.op.location)
        if guards and access.expressions.varies(*guards):
            access.refuse_varying_guards()
            taking_part = mask(self.writer, access.expressions, access.expressions.guard(guards))
            access.assign(self.writer.compute("select", taking_part, value, access.read(snapshot=False)))
            return
        with where(self.writer, access.expressions.uniform(guards)):
            access.assign(value)


class _Access:
    """Which variables an operation reads or writes, and when."""

    def __init__(self, writer: ValueWriter, indices: Indices, op: loop.IndexedOp, registers: Registers):
        self.writer = writer
        self.indices = indices
        self.op = op
        self.registers = registers
        self.expressions = indices.of(op.operands_at, [*op.index_map.results, *op.guard_exprs])
        rank = len(op.index_map.results)
        self.at = self.expressions.exprs[:rank]
        self.guards = self.expressions.needed(self.expressions.exprs[rank:])
        if registers.each_lane and self.expressions.varies(*self.at):
            raise LegalityError(f"'{op.name}': each lane of a vector loop reaches for another register", op.location)

    @property
    def never(self) -> bool:
        """Whether a guard is known not to hold."""
        return any(guard.constant is not None for guard in self.guards)

    @property
    def one_for_all_lanes(self) -> bool:
        """Whether the lanes of a vector loop share the element."""
        return self.writer.lanes > 1 and not self.registers.each_lane and not self.expressions.varies(*self.at)

    def refuse_varying_guards(self) -> None:
        if self.one_for_all_lanes and self.expressions.varies(*self.guards):
            raise LegalityError(f"'{self.op.name}': some lanes of a vector loop write to one element", self.op.location)

    def read(self, snapshot: bool = True) -> Value:
        """The value; a `snapshot` stays as it is when the variable is assigned to."""
        if self._is_scattered:
            lanes = [self._read(self._at_lane(lane), snapshot) for lane in range(self.writer.lanes)]
            return self.writer.pack([each for each in lanes if isinstance(each, SSAValue)])
        return self._read(self._of_group(), snapshot)

    def assign(self, value: Value) -> None:
        if not self._is_scattered:
            self._assign(self._of_group(), value)
            return
        values = [self.writer.lane(value, lane) for lane in range(self.writer.lanes)]
        for lane, scalar in enumerate(values):
            self._assign(self._at_lane(lane), scalar)

    @property
    def _is_scattered(self) -> bool:
        """Whether each lane has a scalar of its own."""
        return self.registers.group == 1 and self.expressions.varies(*self.at)

    def _at_lane(self, lane: int) -> Uniform:
        return self._place(self.expressions.at_lane(self.at, lane))

    def _of_group(self) -> Uniform:
        """The place of the group, whose last index is that of lane 0."""
        varies = self.expressions.varies(*self.at)
        at, operands = self.expressions.at_lane(self.at, 0) if varies else self.expressions.uniform(self.at)
        *outer, last = at or (index(0),)
        return self._place(Uniform((*outer, last // self.registers.group), operands))

    def _place(self, at: Uniform) -> Uniform:
        """The number of the register, at an index that C knows once its compiler has unrolled loops."""
        sizes = [index(size) for size in self.registers.sizes]
        number, operands = only_used((row_major(sizes, at.exprs) * self.registers.parts,), at.operands)
        if not all(_is_unrolled(value) for value in operands):
            what = ", ".join(str(expr) for expr in at.exprs if expr.constant is None)
            message = f"'{self.op.name}': registers are reached at constant indices once loops are unrolled, got {what}"
            raise LegalityError(message, self.op.location)
        ranges = self.indices.ranges_over(at.operands)
        if not all(ranges.within(place, size) for place, size in zip(at.exprs, sizes, strict=True)):
            place = ", ".join(map(str, at.exprs))
            raise LegalityError(f"'{self.op.name}': there is no register at [{place}]", self.op.location)
        return Uniform(number, operands)

    def _read(self, at: Uniform, snapshot: bool) -> Value:
        registers = self.registers
        if registers.single is not None:
            return self.writer.variable(registers.single) if snapshot else registers.single
        assert registers.array is not None, "there is a variable or an array"
        places = [at.exprs[0] + part for part in range(registers.parts)]
        values = [self.writer.add(GetOp(registers.array, place, at.operands)) for place in places]
        return Vector(tuple(values)) if registers.is_vector else values[0]

    def _assign(self, at: Uniform, value: Value) -> None:
        registers = self.registers
        if registers.single is not None:
            self.writer.assign(registers.single, value)
            return
        assert registers.array is not None, "there is a variable or an array"
        if registers.is_vector:
            parts: Sequence[SSAValue] = self.writer.in_parts_of(value, self.writer.part_lanes(registers.element)).parts
        else:
            assert isinstance(value, SSAValue), "a scalar takes what is the same in all lanes"
            parts = (value,)
        for part, each in enumerate(parts):
            self.writer.builder.add(SetOp(registers.array, at.exprs[0] + part, at.operands, each))


def _is_unrolled(value: SSAValue) -> bool:
    """Whether a value is the index of a loop that the C compiler unrolls."""
    level = value.owner.parent_op() if isinstance(value.owner, Block) else None
    return isinstance(level, cloop.ForOp) and level.unroll is not None


def _group(op: loop.AllocOp) -> int:
    """How many neighbours along the last axis every access reaches at once, as the lanes of a vector loop."""
    shape = shape_of(op.result)
    widths = {_width(use.operation) for use in op.result.uses} if shape else set[int]()
    width = widths.pop() if len(widths) == 1 else 1
    return width if shape and (shape[-1].constant or 0) % width == 0 else 1


def _width(access: Operation) -> int:
    assert isinstance(access, loop.IndexedOp), "a buffer is used by accesses"
    *outer, last = access.index_map.results
    for k, value in enumerate(access.operands_at):
        level = value.owner.parent_op() if isinstance(value.owner, Block) else None
        if not isinstance(level, loop.ForOp) or level.kind.data != "vector" or last.coefficient(Dim(k)) != 1:
            continue
        lanes = level.trips or 1
        terms = [*(last - dim(k)).terms, *level.lower.terms]
        aligned = level.step.value.data == 1 and all(factor % lanes == 0 for _, factor in terms)
        return lanes if aligned and not any(k in expr.dims() for expr in outer) else 1
    return 1
