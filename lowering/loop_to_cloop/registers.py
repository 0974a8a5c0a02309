"""Buffers in registers: C variables, or arrays that the C compiler keeps in registers.

A buffer has one register for each element, or for each group of elements that are the lanes of a vector. A buffer of a single
register is a variable. Every access to an array needs an index that, except for the lane, is constant after loops are unrolled,
here or by the C compiler.
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
    """The storage of a buffer of shape `sizes`, whose last size counts groups of `group` elements. With `each_lane`, every
    lane of the enclosing vector loop has a private copy, so that every element is a vector. A vector takes `parts` consecutive
    registers of `array`; a single element is the variable `single`."""

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
            # An empty buffer gets one register: its accesses are under guards that never hold.
            array = writer.add(RegistersOp(max(1, prod(sizes) * parts), with_lanes(element, lanes)))
            array.name_hint = op.result.name_hint or "registers"
        return Registers(element, group, each_lane, sizes, parts, single, array)

    @property
    def is_vector(self) -> bool:
        """Whether a read yields a vector."""
        return self.each_lane or self.group > 1


class RegisterWriter:
    """Writes loads, stores and updates of registers."""

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
            active = mask(self.writer, access.expressions, access.expressions.guard(access.guards))
            return self.writer.compute("select", active, value, fill)
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
            access.reject_varying_guards()
            value = self.writer.fold(op.accumulator.data, self.writer.cast(value, compute))
        operands = [self.writer.cast(each, compute) for each in (access.read(snapshot=False), value)]
        total = self.writer.compute(op.accumulator.data, *operands)
        self._write(access, self.writer.cast(total, registers.element))

    def _write(self, access: _Access, value: Value) -> None:
        guards = access.guards
        if access.one_for_all_lanes and isinstance(value, Vector):
            raise LegalityError(f"'{access.op.name}': all lanes of a vector loop store to one element", access.op.location)
        if guards and access.expressions.varies(*guards):
            access.reject_varying_guards()
            active = mask(self.writer, access.expressions, access.expressions.guard(guards))
            access.assign(self.writer.compute("select", active, value, access.read(snapshot=False)))
            return
        with where(self.writer, access.expressions.uniform(guards)):
            access.assign(value)


class _Access:
    """A register access: the registers that an operation reads or writes, and its guards."""

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
            message = f"'{op.name}': expected the same register index in all lanes of a vector loop"
            raise LegalityError(message, op.location)

    @property
    def never(self) -> bool:
        """Whether some guard never holds."""
        return any(guard.constant is not None for guard in self.guards)

    @property
    def one_for_all_lanes(self) -> bool:
        """Whether all lanes of a vector loop access the same element."""
        return self.writer.lanes > 1 and not self.registers.each_lane and not self.expressions.varies(*self.at)

    def reject_varying_guards(self) -> None:
        if self.one_for_all_lanes and self.expressions.varies(*self.guards):
            message = f"'{self.op.name}': expected the same guards in all lanes of a vector loop, which write one element"
            raise LegalityError(message, self.op.location)

    def read(self, snapshot: bool = True) -> Value:
        """Read the value. A `snapshot` is a copy, which later assignments to the variable do not change."""
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
        """Whether each lane accesses a scalar register of its own."""
        return self.registers.group == 1 and self.expressions.varies(*self.at)

    def _at_lane(self, lane: int) -> Uniform:
        return self._register(self.expressions.at_lane(self.at, lane))

    def _of_group(self) -> Uniform:
        """The register index of the group, from the element index of lane 0."""
        varies = self.expressions.varies(*self.at)
        at, operands = self.expressions.at_lane(self.at, 0) if varies else self.expressions.uniform(self.at)
        *outer, last = at or (index(0),)
        return self._register(Uniform((*outer, last // self.registers.group), operands))

    def _register(self, at: Uniform) -> Uniform:
        """The register index of an element index. Raises LegalityError if it is out of bounds, or not constant after the C
        compiler unrolls loops."""
        sizes = [index(size) for size in self.registers.sizes]
        number, operands = only_used((row_major(sizes, at.exprs) * self.registers.parts,), at.operands)
        if not all(_is_unrolled(value) for value in operands):
            what = ", ".join(str(expr) for expr in at.exprs if expr.constant is None)
            message = f"'{self.op.name}': expected register indices that are constant once loops are unrolled, got {what}"
            raise LegalityError(message, self.op.location)
        ranges = self.indices.ranges_over(at.operands)
        if not all(ranges.within(each, size) for each, size in zip(at.exprs, sizes, strict=True)):
            position = ", ".join(map(str, at.exprs))
            raise LegalityError(f"'{self.op.name}': register index [{position}] is out of bounds", self.op.location)
        return Uniform(number, operands)

    def _read(self, at: Uniform, snapshot: bool) -> Value:
        registers = self.registers
        if registers.single is not None:
            return self.writer.variable(registers.single) if snapshot else registers.single
        assert registers.array is not None, "registers are a variable or an array"
        numbers = [at.exprs[0] + part for part in range(registers.parts)]
        values = [self.writer.add(GetOp(registers.array, number, at.operands)) for number in numbers]
        return Vector(tuple(values)) if registers.is_vector else values[0]

    def _assign(self, at: Uniform, value: Value) -> None:
        registers = self.registers
        if registers.single is not None:
            self.writer.assign(registers.single, value)
            return
        assert registers.array is not None, "registers are a variable or an array"
        if registers.is_vector:
            parts: Sequence[SSAValue] = self.writer.in_parts_of(value, self.writer.part_lanes(registers.element)).parts
        else:
            assert isinstance(value, SSAValue), "a scalar register takes a lane-invariant value"
            parts = (value,)
        for part, each in enumerate(parts):
            self.writer.builder.add(SetOp(registers.array, at.exprs[0] + part, at.operands, each))


def _is_unrolled(value: SSAValue) -> bool:
    """Whether a value is the index of a loop that the C compiler unrolls."""
    level = value.owner.parent_op() if isinstance(value.owner, Block) else None
    return isinstance(level, cloop.ForOp) and level.unroll is not None


def _group(op: loop.AllocOp) -> int:
    """The number of consecutive elements along the last axis that every access touches as the lanes of a vector loop; 1 if the
    accesses differ."""
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
