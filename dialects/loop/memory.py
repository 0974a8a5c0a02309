"""The operations of the loop level that access one element of a buffer, and the alignment of buffers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

from xdsl.dialects.builtin import FloatAttr, IntegerAttr, MemRefType, StringAttr, i64
from xdsl.ir import Attribute, SSAValue
from xdsl.irdl import (
    irdl_op_definition,
    operand_def,
    opt_prop_def,
    prop_def,
    result_def,
    traits_def,
    var_operand_def,
)
from xdsl.traits import MemoryReadEffect, MemoryWriteEffect, Pure
from xdsl.utils.exceptions import VerifyException

from ...ir.index.expressions import Index
from ...ir.op import Op
from ...ir.types.shapes import MapAttr, element_of, shape_of
from ..scalar_ops import IndexedOp, guard_attr, map_attr, verify_accumulator, verify_boundary, verify_locality


class AccessOp(IndexedOp):
    """A load, store or update of one element of `buffer`."""

    def verify_access(self, element: Attribute) -> None:
        buffer = cast("SSAValue", self.buffer)  # type: ignore[attr-defined] - an operand of every subclass
        self.verify_map(len(shape_of(buffer)))
        if element_of(buffer) != element:
            raise VerifyException(f"expected an element of {element_of(buffer)}, got {element}")


@irdl_op_definition
class LoadOp(AccessOp):
    """`%v = loop.load %x[%i, %j] <(d0, d1) -> (d0, d1 + 1)> : (memref<4x5xf32>, index, index) -> f32`, optionally with `guard`
    expressions and the `fill` value for the case that one of them is negative."""

    name = "loop.load"
    buffer = operand_def(MemRefType)
    at = var_operand_def()
    map = prop_def(MapAttr)
    guards = opt_prop_def(MapAttr)
    fill = opt_prop_def(FloatAttr | IntegerAttr)
    result = result_def()
    traits = traits_def(MemoryReadEffect())
    assembly_format = (
        "$buffer `[` $at `]` $map (`guard` $guards^)? (`fill` $fill^)? attr-dict `:` functional-type(operands, $result)"
    )

    def __init__(
        self,
        buffer: SSAValue,
        results: Sequence[Index | int],
        at: Sequence[SSAValue],
        guards: Sequence[Index] = (),
        fill: Attribute | None = None,
    ):
        super().__init__(
            operands=[buffer, at],
            properties={"map": map_attr(at, results), "guards": guard_attr(at, guards), "fill": fill},
            result_types=[element_of(buffer)],
        )

    def verify_(self) -> None:
        self.verify_access(self.result.type)
        if (self.guards is None) != (self.fill is None):
            raise VerifyException("a load must have both guards and a fill value, or neither")
        if self.fill is not None and self.fill.type != self.result.type:
            raise VerifyException(f"fill: expected a value of {self.result.type}, got {self.fill.type}")


class WriteOp(AccessOp):
    """A store or update of one element; it does nothing where a guard is negative."""

    value = operand_def()
    buffer = operand_def(MemRefType)
    at = var_operand_def()
    map = prop_def(MapAttr)
    guards = opt_prop_def(MapAttr)

    def __init__(
        self,
        value: SSAValue,
        buffer: SSAValue,
        results: Sequence[Index | int],
        at: Sequence[SSAValue],
        guards: Sequence[Index] = (),
        **properties: Attribute,
    ):
        super().__init__(
            operands=[value, buffer, at],
            properties={"map": map_attr(at, results), "guards": guard_attr(at, guards), **properties},
        )

    def verify_(self) -> None:
        self.verify_access(self.value.type)


@irdl_op_definition
class StoreOp(WriteOp):
    """`loop.store %v into %y[%i] <(d0) -> (d0)> : f32, memref<4xf32>, index`, optionally with `guard` expressions."""

    name = "loop.store"
    traits = traits_def(MemoryWriteEffect())
    assembly_format = "$value `into` $buffer `[` $at `]` $map (`guard` $guards^)? attr-dict `:` type(operands)"


@irdl_op_definition
class UpdateOp(WriteOp):
    """`loop.update "add" %v into %y[%i] <(d0) -> (d0)> : f32, memref<4xf32>, index`: y[i] = accumulator(y[i], v)."""

    name = "loop.update"
    accumulator = prop_def(StringAttr)
    traits = traits_def(MemoryReadEffect(), MemoryWriteEffect())
    assembly_format = "$accumulator $value `into` $buffer `[` $at `]` $map (`guard` $guards^)? attr-dict `:` type(operands)"

    def __init__(
        self,
        accumulator: str,
        value: SSAValue,
        buffer: SSAValue,
        results: Sequence[Index | int],
        at: Sequence[SSAValue],
        guards: Sequence[Index] = (),
    ):
        super().__init__(value, buffer, results, at, guards, accumulator=StringAttr(accumulator))

    def verify_(self) -> None:
        super().verify_()
        verify_accumulator(self.accumulator.data, self.value.type)


@irdl_op_definition
class PrefetchOp(IndexedOp):
    """A prefetch of an element: `loop.prefetch %x[%i, %j] <(d0, d1) -> (d0 + 2, d1)> : memref<4x5xf32>, index, index`.

    It may be out of bounds, and then has no effect. `locality 2` before the colon does not fetch into the L1 cache.
    """

    name = "loop.prefetch"
    buffer = operand_def(MemRefType)
    at = var_operand_def()
    map = prop_def(MapAttr)
    locality = opt_prop_def(IntegerAttr[i64])
    traits = traits_def(MemoryWriteEffect())
    assembly_format = "$buffer `[` $at `]` $map (`locality` $locality^)? attr-dict `:` type(operands)"

    def __init__(
        self,
        buffer: SSAValue,
        results: Sequence[Index | int],
        at: Sequence[SSAValue],
        locality: IntegerAttr | None = None,
    ):
        super().__init__(operands=[buffer, at], properties={"map": map_attr(at, results), "locality": locality})

    def verify_(self) -> None:
        self.verify_map(len(shape_of(self.buffer)))
        verify_locality(self.locality)


@irdl_op_definition
class MisalignmentOp(Op):
    """`%k = loop.misalignment %x bytes 64 : memref<4x5xf32> -> i64`: the number of elements between the last multiple of
    `bytes` bytes and the first element of a buffer. It depends on the allocation, and may differ from call to call."""

    name = "loop.misalignment"
    buffer = operand_def(MemRefType)
    bytes = prop_def(IntegerAttr[i64])
    result = result_def(i64)
    traits = traits_def(Pure())
    assembly_format = "$buffer `bytes` $bytes attr-dict `:` type($buffer) `->` type($result)"

    def __init__(self, buffer: SSAValue, bytes: int):
        super().__init__(operands=[buffer], properties={"bytes": IntegerAttr(bytes, i64)}, result_types=[i64])

    def verify_(self) -> None:
        verify_boundary(self.bytes, element_of(self.buffer))
