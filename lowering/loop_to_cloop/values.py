"""Computation on the C level with scalars, and with vectors of values that vary across the lanes of a vector loop.

A `Vector` has a value for each lane. It consists of parts, each of which fits into a machine register of `vector_bits`: 16
float64 lanes are two parts in registers of 512 bits. Vectors of one element type have parts of the same size, except for
masks, which keep the parts that they were computed in and are converted where they meet other operands.
"""

from __future__ import annotations

from collections import ChainMap
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import pairwise
from typing import TypeAlias

from xdsl.dialects.builtin import FloatAttr, IntegerAttr, bf16, f32, i1
from xdsl.dialects.func import FuncOp
from xdsl.ir import Attribute, Block, Operation, SSAValue
from xdsl.rewriter import InsertPoint

from ...dialects import cloop
from ...dialects.cloop import vectors as cloop_vectors
from ...dialects.scalar_ops import element_type, lanes_of, with_lanes
from ...ir.nesting import operations
from ...ir.rewrite import Builder, derive, erase
from ...ir.types.dtypes import dtype_of


@dataclass(frozen=True)
class Vector:
    """A value that varies across lanes: C-level vectors of equal size (`parts`), in lane order."""

    parts: tuple[SSAValue, ...]

    @property
    def element(self) -> Attribute:
        return element_type(self.parts[0].type)

    @property
    def part_lanes(self) -> int:
        lanes = lanes_of(self.parts[0].type)
        assert lanes is not None, "parts of a vector are vectors"
        return lanes


Value: TypeAlias = SSAValue | Vector


def element_of_value(value: Value) -> Attribute:
    """The type of a scalar, or the element type of a vector."""
    return value.element if isinstance(value, Vector) else value.type


class ValueWriter:
    """Writes computations at the builder's insertion point; `lanes` is the lane count of the current vector loop."""

    def __init__(self, builder: Builder, vector_bits: int):
        self.builder = builder
        self.vector_bits = vector_bits
        self.lanes = 1
        self._narrowings: dict[cloop.CastOp, None] = {}
        # Broadcasts and constants written so far, scoped by block: inner blocks see those of outer blocks.
        self._spread: ChainMap[SSAValue, Vector] = ChainMap()
        self._constants: ChainMap[Attribute, cloop.ConstantOp] = ChainMap()

    @contextmanager
    def inside(self, block: Block) -> Iterator[None]:
        """Write at the end of `block`."""
        outer = self._spread, self._constants
        self._spread, self._constants = self._spread.new_child(), self._constants.new_child()
        with self.builder.at(block):
            yield
        self._spread, self._constants = outer

    @contextmanager
    def vectors_of(self, lanes: int) -> Iterator[None]:
        """Set the lane count while the body of a vector loop is written."""
        outer = self._spread, self.lanes
        self._spread, self.lanes = ChainMap(), lanes
        yield
        self._spread, self.lanes = outer

    def add(self, op: Operation) -> SSAValue:
        return self.builder.add(op).results[0]

    def part_lanes(self, element: Attribute) -> int:
        """The lanes of one part for an element type; masks are held in 32-bit integers."""
        kind = dtype_of(element)
        return min(self.lanes, self.vector_bits // (32 if kind.kind == "bool" else kind.bits))

    # Scalars and vectors alike

    def constant(self, value: FloatAttr | IntegerAttr) -> SSAValue:
        """Write a constant, or reuse an equal one of this or an enclosing block."""
        known = self._constants.get(value)
        if known is None:
            known = self._constants[value] = self.builder.add(cloop.ConstantOp(value))
        else:
            derive(known, self.builder.sources)
        return known.result

    def compute(self, function: str, *operands: Value) -> Value:
        """Write a scalar function, applied lane by lane if an operand is a vector."""
        scalars = [value for value in operands if isinstance(value, SSAValue)]
        if len(scalars) == len(operands):
            return self.add(cloop.ComputeOp(function, *scalars))
        vectors = [value for value in operands if isinstance(value, Vector)]
        if all(value.element == i1 for value in vectors):
            size = min(value.part_lanes for value in vectors)  # masks stay as they are
        else:
            size = min(self.part_lanes(element_of_value(value)) for value in operands)
        columns = zip(*(self.in_parts_of(value, size).parts for value in operands), strict=True)
        return Vector(tuple(self.add(cloop.ComputeOp(function, *column)) for column in columns))

    def cast(self, value: Value, element: Attribute) -> Value:
        if element_of_value(value) == element:
            return value
        if isinstance(value, SSAValue):
            return self.add(cloop.CastOp(value, element))
        if value.element == bf16 and (rounded := self._rounded(value)) is not None:
            return self.cast(rounded, element)
        size = min(self.part_lanes(value.element), self.part_lanes(element))
        parts = self.in_parts_of(value, size).parts
        converted = Vector(tuple(self.add(cloop.CastOp(part, with_lanes(element, size))) for part in parts))
        return converted if element == i1 else self.in_parts_of(converted, self.part_lanes(element))

    def _rounded(self, value: Vector) -> Vector | None:
        """The float32 values of a vector of bfloat16 that was converted from float32, part by part, by rounding them in
        float32; None for other vectors. `finish` erases the conversion if it has no other use."""
        casts = [part.owner for part in value.parts if isinstance(part.owner, cloop.CastOp)]
        if len(casts) < len(value.parts) or any(element_type(each.input.type) != f32 for each in casts):
            return None
        self._narrowings.update(dict.fromkeys(casts))
        return Vector(tuple(self.add(cloop_vectors.ReducePrecisionOp(each.input)) for each in casts))

    def finish(self) -> None:
        """Erase conversions to bfloat16 without uses."""
        for op in self._narrowings:
            if not op.result.uses:
                erase(op)

    # Conversions between scalars and vectors

    def spread(self, value: Value) -> Vector:
        """Broadcast a scalar to all lanes; vectors are returned unchanged."""
        if isinstance(value, Vector):
            return value
        if value in self._spread:
            return self._spread[value]
        size = self.part_lanes(value.type)
        vector = Vector((self.add(cloop_vectors.BroadcastOp(value, size)),) * (self.lanes // size))
        if not isinstance(value.owner, cloop.VariableOp):
            self._spread[value] = vector
        return vector

    def in_parts_of(self, value: Value, size: int) -> Vector:
        """Convert to a vector with parts of `size` lanes."""
        vector = self.spread(value)
        while vector.part_lanes > size:
            half = vector.part_lanes // 2
            slices = [(part, range(start, start + half)) for part in vector.parts for start in (0, half)]
            vector = Vector(tuple(self.add(cloop_vectors.ShuffleOp([part], list(lanes))) for part, lanes in slices))
        while vector.part_lanes < size:
            both = list(range(2 * vector.part_lanes))
            pairs = zip(vector.parts[::2], vector.parts[1::2], strict=True)
            vector = Vector(tuple(self.add(cloop_vectors.ShuffleOp(pair, both)) for pair in pairs))
        return vector

    def lane(self, value: Value, lane: int) -> SSAValue:
        """The value of one lane."""
        if isinstance(value, SSAValue):
            return value
        return self.add(cloop_vectors.ExtractOp(value.parts[lane // value.part_lanes], lane % value.part_lanes))

    def pack(self, scalars: Sequence[SSAValue]) -> Vector:
        """A vector of one scalar for each lane."""
        size = self.part_lanes(scalars[0].type)
        slices = [scalars[start : start + size] for start in range(0, len(scalars), size)]
        return Vector(tuple(self.add(cloop_vectors.FromElementsOp(part)) for part in slices))

    def count_up(self, element: Attribute) -> Vector:
        """The vector of lane numbers, from 0."""
        size = self.part_lanes(element)
        kind = with_lanes(element, size)
        return Vector(tuple(self.add(cloop_vectors.LanesOp(first, kind)) for first in range(0, self.lanes, size)))

    def reversed(self, value: Vector) -> Vector:
        """The lanes in the opposite order."""
        backwards = list(range(value.part_lanes))[::-1]
        return Vector(tuple(self.add(cloop_vectors.ShuffleOp([part], backwards)) for part in value.parts[::-1]))

    def every(self, step: int, vectors: Sequence[SSAValue], offsets: Sequence[int]) -> SSAValue:
        """Shuffle every `step`-th element, from the first one on, out of contiguous vectors into one. `offsets` are those of
        the vectors' first elements, in order and without gaps."""
        size = lanes_of(vectors[0].type)
        assert size is not None, "vectors have lanes"
        found, at = vectors[0], [lane * step for lane in range(size)]
        for (before, offset), vector in zip(pairwise(offsets), vectors[1:], strict=True):
            new = [at[lane] if lane * step < before + size else size + lane * step - offset for lane in range(size)]
            # Lanes that a later vector provides may hold anything before that.
            found = self.add(cloop_vectors.ShuffleOp([found, vector], [lane if lane < 2 * size else 0 for lane in new]))
            at = list(range(size))
        return found

    def fold(self, function: str, value: Value) -> SSAValue:
        """Reduce all lanes: halves are combined until one lane is left, so that the result does not depend on the part size."""
        parts = list(self.spread(value).parts)
        while len(parts) > 1:
            pairs = zip(parts[: len(parts) // 2], parts[len(parts) // 2 :], strict=True)
            parts = [self.add(cloop.ComputeOp(function, *pair)) for pair in pairs]
        return self.add(cloop_vectors.FoldOp(function, parts[0]))

    def scan(self, function: str, start: Value, value: Value) -> tuple[Vector, Value]:
        """Write an inclusive scan of the lanes with initial value `start`: returns the vector of running values and the total,
        which is a broadcast vector if `start` is."""
        found: list[SSAValue] = []
        vector = self.spread(value)
        # The parts of a masked value have the size of the mask's parts.
        size = vector.part_lanes
        for part in vector.parts:
            own = self.add(cloop_vectors.ScanOp(function, part))
            before = self.in_parts_of(start, size).parts[0]
            found.append(self.add(cloop.ComputeOp(function, before, own)))
            if isinstance(start, Vector):
                last = self.add(cloop_vectors.ShuffleOp([own], [size - 1] * size))
                start = Vector((self.add(cloop.ComputeOp(function, before, last)),) * (self.lanes // size))
            else:
                last = self.add(cloop_vectors.ExtractOp(own, size - 1))
                start = self.add(cloop.ComputeOp(function, start, last))
        return Vector(tuple(found)), start

    def shift_in(self, first: Value, vector: Vector) -> Vector:
        """Shift the vector by one lane: each lane gets the value of the previous lane, the first lane gets `first`."""
        size = vector.part_lanes
        before = [self.in_parts_of(first, size).parts[0], *vector.parts[:-1]]
        lanes = [size - 1, *range(size, 2 * size - 1)]
        moved = [self.add(cloop_vectors.ShuffleOp(pair, lanes)) for pair in zip(before, vector.parts, strict=True)]
        return Vector(tuple(moved))

    # Variables

    def variable(self, start: Value, hint: str | None = None) -> Value:
        """A mutable local variable, initialised to `start`."""
        if isinstance(start, SSAValue):
            return self._variable(start, hint)
        return Vector(tuple(self._variable(part, hint) for part in start.parts))

    def _variable(self, start: SSAValue, hint: str | None) -> SSAValue:
        value = self.add(cloop.VariableOp(start))
        value.name_hint = hint
        return value

    def assign(self, variable: Value, value: Value) -> None:
        if isinstance(variable, SSAValue):
            assert isinstance(value, SSAValue), "a scalar variable takes a lane-invariant value"
            self.builder.add(cloop.AssignOp(variable, value))
            return
        for target, part in zip(variable.parts, self.in_parts_of(value, variable.part_lanes).parts, strict=True):
            self.builder.add(cloop.AssignOp(target, part))


def hold_shared(function: FuncOp) -> None:
    """Pin vector loads with several uses in a register, so that the C compiler does not repeat the load."""
    for load in [each for each in operations(function) if isinstance(each, cloop.LoadOp)]:
        uses = list(load.result.uses)
        if lanes_of(load.result.type) is not None and len(uses) > 1:
            held = Builder(InsertPoint.after(load), load).add(cloop_vectors.HoldOp(load.result)).result
            held.name_hint = load.result.name_hint
            for use in uses:
                use.operation.operands[use.index] = held
