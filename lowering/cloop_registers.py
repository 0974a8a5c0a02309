"""Buffers in registers: a variable for each element, or for each group of elements that are the lanes of a vector.

C has no array of registers, so every access must name its variable: once loops are unrolled its indices are constants, but
for the lane in the last one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import product

from xdsl.ir import Attribute, Block, Operation, SSAValue

from ..dialects import loop
from ..ir.diagnostics import LegalityError
from ..ir.dtypes import dtype_of
from ..ir.index import Dim, Index, dim
from ..ir.shapes import element_of, shape_of
from ..ir.values import number
from .cloop_guards import condition, mask, where
from .cloop_indices import Indices
from .cloop_values import Value, ValueWriter, Vector


@dataclass(frozen=True)
class Registers:
    """The variables of a buffer by index, of which the last counts groups of `group` elements. With `each_lane`, the lanes of
    the vector loop around the buffer have one each, and every variable is a vector."""

    element: Attribute
    group: int
    each_lane: bool
    variables: dict[tuple[int, ...], Value] = field(default_factory=dict)

    @staticmethod
    def allocate(writer: ValueWriter, op: loop.AllocOp) -> Registers:
        registers = Registers(element_of(op.result), _group(op), writer.lanes > 1)
        *outer, last = [size.constant or 0 for size in shape_of(op.result)] or [1]
        keys = list(product(*map(range, outer), range(last // registers.group)))
        zero = writer.constant(number(0, registers.element))

        def declare(start: Value) -> None:
            for key in keys if shape_of(op.result) else [()]:
                hint = (op.result.name_hint or "register") + "x".join(map(str, key))
                registers.variables[key] = writer.variable(start, hint)

        if registers.each_lane:
            declare(writer.spread(zero))
        elif registers.group > 1:
            with writer.vectors_of(registers.group):
                declare(writer.spread(zero))
        else:
            declare(zero)
        return registers


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
        self.op = op
        self.registers = registers
        self.expressions = indices.of(op, [*op.index_map.results, *op.guard_exprs])
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
            return self.writer.pack([self._scalar(lane) for lane in range(self.writer.lanes)])
        variable = self._variable(self.at, self.registers.group)
        return self.writer.variable(variable) if snapshot else variable

    def assign(self, value: Value) -> None:
        if not self._is_scattered:
            self.writer.assign(self._variable(self.at, self.registers.group), value)
            return
        values = [self.writer.lane(value, lane) for lane in range(self.writer.lanes)]
        for lane, scalar in enumerate(values):
            self.writer.assign(self._scalar(lane), scalar)

    @property
    def _is_scattered(self) -> bool:
        """Whether each lane has a scalar variable of its own."""
        return self.registers.group == 1 and self.expressions.varies(*self.at)

    def _scalar(self, lane: int) -> SSAValue:
        found = self._variable(self.expressions.at_lane(self.at, lane).exprs, 1)
        assert isinstance(found, SSAValue), "one element"
        return found

    def _variable(self, at: Sequence[Index], group: int) -> Value:
        """The variable at constant indices, whose last is that of lane 0."""
        first = self.expressions.at_lane(at, 0).exprs if self.expressions.varies(*at) else at
        numbers = [expr.constant for expr in first]
        known = [position for position in numbers if position is not None]
        if len(known) < len(numbers):
            what = ", ".join(str(expr) for expr in first if expr.constant is None)
            message = f"'{self.op.name}': registers are reached at constant indices once loops are unrolled, got {what}"
            raise LegalityError(message, self.op.location)
        key = (*known[:-1], known[-1] // group) if known else ()
        if key not in self.registers.variables:
            place = ", ".join(map(str, known))
            raise LegalityError(f"'{self.op.name}': there is no register at [{place}]", self.op.location)
        return self.registers.variables[key]


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
