"""Vectors of the C level: construction from scalars and vectors, extraction, partial loads and stores, and gathers.

A vector is MLIR's `vector<16xf32>`, in one register or a few. Scalar functions, casts, loads, stores and variables accept
vectors as well as scalars, lane by lane. Vectors of `i1` are masks.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

from xdsl.dialects.builtin import DenseArrayBase, IntegerAttr, IntegerType, StringAttr, VectorType, f32, i1, i64
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.irdl import (
    irdl_op_definition,
    operand_def,
    prop_def,
    result_def,
    traits_def,
    var_operand_def,
)
from xdsl.traits import MemoryReadEffect, MemoryWriteEffect, Pure
from xdsl.utils.exceptions import VerifyException

from ...ir.index.expressions import Index
from ...ir.op import Op
from ...ir.types.shapes import MapAttr
from ..scalar_ops import element_type, lanes_of, map_attr, verify_accumulator, with_lanes
from .base import ElementOp, PointerType, pointed_to


@irdl_op_definition
class BroadcastOp(Op):
    """A scalar in all lanes: `%v = cloop.broadcast %s : f32 -> vector<16xf32>`."""

    name = "cloop.broadcast"
    input = operand_def()
    result = result_def(VectorType)
    traits = traits_def(Pure())
    assembly_format = "$input attr-dict `:` type($input) `->` type($result)"

    def __init__(self, input: SSAValue, lanes: int):
        super().__init__(operands=[input], result_types=[with_lanes(input.type, lanes)])

    def verify_(self) -> None:
        if element_type(self.result.type) != self.input.type:
            raise VerifyException(f"expected a vector of {self.input.type}, got {self.result.type}")


@irdl_op_definition
class LanesOp(Op):
    """Consecutive integers: `%v = cloop.lanes 8 : vector<4xi32>` has 8, 9, 10 and 11 in its lanes."""

    name = "cloop.lanes"
    first = prop_def(IntegerAttr[i64])
    result = result_def(VectorType)
    traits = traits_def(Pure())
    assembly_format = "$first attr-dict `:` type($result)"

    def __init__(self, first: int, kind: Attribute):
        super().__init__(properties={"first": IntegerAttr(first, i64)}, result_types=[kind])

    def verify_(self) -> None:
        if not isinstance(element_type(self.result.type), IntegerType):
            raise VerifyException(f"expected a vector of integers, got {self.result.type}")


@irdl_op_definition
class FromElementsOp(Op):
    """A vector with one scalar for each lane: `%v = cloop.from_elements %a, %b : (f32, f32) -> vector<2xf32>`."""

    name = "cloop.from_elements"
    elements = var_operand_def()
    result = result_def(VectorType)
    traits = traits_def(Pure())
    assembly_format = "$elements attr-dict `:` functional-type($elements, $result)"

    def __init__(self, elements: Sequence[SSAValue]):
        super().__init__(operands=[elements], result_types=[with_lanes(elements[0].type, len(elements))])

    def verify_(self) -> None:
        if lanes_of(self.result.type) != len(self.elements):
            raise VerifyException(f"expected an element for each lane of {self.result.type}, got {len(self.elements)}")
        for value in self.elements:
            if value.type != element_type(self.result.type):
                raise VerifyException(f"expected elements of {self.result.type}, got {value.type}")


@irdl_op_definition
class ExtractOp(Op):
    """One lane: `%s = cloop.extract %v 3 : vector<4xf32> -> f32`."""

    name = "cloop.extract"
    vector = operand_def(VectorType)
    lane = prop_def(IntegerAttr[i64])
    result = result_def()
    traits = traits_def(Pure())
    assembly_format = "$vector $lane attr-dict `:` type($vector) `->` type($result)"

    def __init__(self, vector: SSAValue, lane: int):
        super().__init__(
            operands=[vector],
            properties={"lane": IntegerAttr(lane, i64)},
            result_types=[element_type(vector.type)],
        )

    def verify_(self) -> None:
        if self.lane.value.data not in range(lanes_of(self.vector.type) or 0):
            raise VerifyException(f"{self.vector.type} has no lane {self.lane.value.data}")
        if self.result.type != element_type(self.vector.type):
            raise VerifyException(f"expected a result of {element_type(self.vector.type)}, got {self.result.type}")


@irdl_op_definition
class ShuffleOp(Op):
    """Lanes of one or two vectors, numbered consecutively, in any order: `%v = cloop.shuffle %a, %b array<i64: 0, 2> :
    (vector<2xf32>, vector<2xf32>) -> vector<2xf32>` has lane 0 of each."""

    name = "cloop.shuffle"
    vectors = var_operand_def(VectorType)
    lanes = prop_def(DenseArrayBase)
    result = result_def(VectorType)
    traits = traits_def(Pure())
    assembly_format = "$vectors qualified($lanes) attr-dict `:` functional-type($vectors, $result)"

    def __init__(self, vectors: Sequence[SSAValue], lanes: Sequence[int]):
        super().__init__(
            operands=[vectors],
            properties={"lanes": DenseArrayBase.from_list(i64, list(lanes))},
            result_types=[with_lanes(element_type(vectors[0].type), len(lanes))],
        )

    @property
    def chosen(self) -> tuple[int, ...]:
        return tuple(int(lane) for lane in cast("DenseArrayBase[IntegerType]", self.lanes).get_values())

    def verify_(self) -> None:
        if len(self.vectors) not in (1, 2) or any(value.type != self.vectors[0].type for value in self.vectors):
            raise VerifyException("expected one vector or two of one type")
        count = sum(lanes_of(value.type) or 0 for value in self.vectors)
        if any(lane not in range(count) for lane in self.chosen):
            raise VerifyException(f"the vectors have lanes 0 to {count - 1}, got {max(self.chosen)}")
        expected = with_lanes(element_type(self.vectors[0].type), len(self.chosen))
        if self.result.type != expected:
            raise VerifyException(f"expected a result of {expected}, got {self.result.type}")


@irdl_op_definition
class FoldOp(Op):
    """The reduction of all lanes by an accumulator: `%s = cloop.fold "add" %v : vector<16xf32> -> f32`. It combines the two
    halves of the vector lane by lane, and repeats this until one lane remains, so that rounding is the same on every
    machine."""

    name = "cloop.fold"
    function = prop_def(StringAttr)
    vector = operand_def(VectorType)
    result = result_def()
    traits = traits_def(Pure())
    assembly_format = "$function $vector attr-dict `:` type($vector) `->` type($result)"

    def __init__(self, function: str, vector: SSAValue):
        super().__init__(
            operands=[vector],
            properties={"function": StringAttr(function)},
            result_types=[element_type(vector.type)],
        )

    def verify_(self) -> None:
        verify_accumulator(self.function.data, element_type(self.vector.type))
        lanes = lanes_of(self.vector.type) or 0
        if lanes & (lanes - 1):
            raise VerifyException(f"expected a power of two of lanes, got {self.vector.type}")
        if self.result.type != element_type(self.vector.type):
            raise VerifyException(f"expected a result of {element_type(self.vector.type)}, got {self.result.type}")


@irdl_op_definition
class ReducePrecisionOp(Op):
    """Each lane rounded to bfloat16 and converted back: `%w = cloop.reduce_precision %v to bf16 : vector<16xf32> ->
    vector<16xf32>`. The name is XLA's."""

    name = "cloop.reduce_precision"
    vector = operand_def(VectorType)
    result = result_def(VectorType)
    traits = traits_def(Pure())
    assembly_format = "$vector `to` `bf16` attr-dict `:` type($vector) `->` type($result)"

    def __init__(self, vector: SSAValue):
        super().__init__(operands=[vector], result_types=[vector.type])

    def verify_(self) -> None:
        if element_type(self.vector.type) != f32:
            raise VerifyException(f"expected a vector of f32, got {self.vector.type}")
        if self.result.type != self.vector.type:
            raise VerifyException(f"expected a result of {self.vector.type}, got {self.result.type}")


@irdl_op_definition
class HoldOp(Op):
    """The same vector, pinned in a register: `%w = cloop.hold %v : vector<16xf32> -> vector<16xf32>`. Without it, a C compiler
    may rematerialise a load for each use, where it estimates a load to be cheaper than a register."""

    name = "cloop.hold"
    vector = operand_def(VectorType)
    result = result_def(VectorType)
    traits = traits_def(Pure())
    assembly_format = "$vector attr-dict `:` type($vector) `->` type($result)"

    def __init__(self, vector: SSAValue):
        super().__init__(operands=[vector], result_types=[vector.type])

    def verify_(self) -> None:
        if self.result.type != self.vector.type:
            raise VerifyException(f"expected a result of {self.vector.type}, got {self.result.type}")


@irdl_op_definition
class ScanOp(Op):
    """The inclusive prefix accumulation of the lanes: `%w = cloop.scan "add" %v : vector<16xf32> -> vector<16xf32>`. It
    combines each lane with the lane 1 before, the results with those 2 lanes before, then 4, so that rounding is the same on
    every machine."""

    name = "cloop.scan"
    function = prop_def(StringAttr)
    vector = operand_def(VectorType)
    result = result_def(VectorType)
    traits = traits_def(Pure())
    assembly_format = "$function $vector attr-dict `:` type($vector) `->` type($result)"

    def __init__(self, function: str, vector: SSAValue):
        super().__init__(
            operands=[vector],
            properties={"function": StringAttr(function)},
            result_types=[vector.type],
        )

    def verify_(self) -> None:
        verify_accumulator(self.function.data, element_type(self.vector.type))
        if self.result.type != self.vector.type:
            raise VerifyException(f"expected a result of {self.vector.type}, got {self.result.type}")


class PartialOp(ElementOp):
    """A load or store of the lanes `first <= lane < end` only. The map gives the offset of lane 0, `first` and `end`, with 0 <=
    first and `end` at most the number of lanes; there are no lanes if end <= first."""


@irdl_op_definition
class PartialLoadOp(PartialOp):
    """`%v = cloop.partial_load %p[%i] <(d0) -> (d0, 0, -d0 + n)> else %fill : (!cloop.ptr<f32, "const">, index, vector<16xf32>)
    -> vector<16xf32>`: the other lanes are those of `fill`, and their memory is not accessed."""

    name = "cloop.partial_load"
    pointer = operand_def(PointerType)
    at = var_operand_def()
    fill = operand_def(VectorType)
    map = prop_def(MapAttr)
    result = result_def(VectorType)
    traits = traits_def(MemoryReadEffect())
    assembly_format = "$pointer `[` $at `]` $map `else` $fill attr-dict `:` functional-type(operands, $result)"

    def __init__(self, pointer: SSAValue, exprs: Sequence[Index], at: Sequence[SSAValue], fill: SSAValue):
        assert element_type(fill.type) == pointed_to(pointer), "the fill value has elements of the memory"
        super().__init__(operands=[pointer, at, fill], properties={"map": map_attr(at, exprs)}, result_types=[fill.type])

    def verify_(self) -> None:
        self.verify_element(self.result.type, results=3)
        if self.fill.type != self.result.type:
            raise VerifyException(f"fill: expected a value of {self.result.type}, got {self.fill.type}")


@irdl_op_definition
class PartialStoreOp(PartialOp):
    """`cloop.partial_store %v into %p[%i] <(d0) -> (d0, 0, -d0 + n)> : vector<16xf32>, !cloop.ptr<f32, "restrict">, index`."""

    name = "cloop.partial_store"
    value = operand_def(VectorType)
    pointer = operand_def(PointerType)
    at = var_operand_def()
    map = prop_def(MapAttr)
    traits = traits_def(MemoryWriteEffect())
    assembly_format = "$value `into` $pointer `[` $at `]` $map attr-dict `:` type(operands)"

    def __init__(self, value: SSAValue, pointer: SSAValue, exprs: Sequence[Index], at: Sequence[SSAValue]):
        super().__init__(operands=[value, pointer, at], properties={"map": map_attr(at, exprs)})

    def verify_(self) -> None:
        self.verify_element(self.value.type, results=3)


@irdl_op_definition
class GatherOp(Op):
    """`%v = cloop.gather %p[%k], %mask else %fill : (!cloop.ptr<f32, "const">, vector<8xi64>, vector<8xi1>, vector<8xf32>) ->
    vector<8xf32>`: the elements at the offsets `%k`. Lanes that are not in the mask are those of `fill`, and their memory is
    not accessed."""

    name = "cloop.gather"
    pointer = operand_def(PointerType)
    offsets = operand_def(VectorType)
    mask = operand_def(VectorType)
    fill = operand_def(VectorType)
    result = result_def(VectorType)
    traits = traits_def(MemoryReadEffect())
    assembly_format = "$pointer `[` $offsets `]` `,` $mask `else` $fill attr-dict `:` functional-type(operands, $result)"

    def __init__(self, pointer: SSAValue, offsets: SSAValue, mask: SSAValue, fill: SSAValue):
        super().__init__(operands=[pointer, offsets, mask, fill], result_types=[fill.type])

    def verify_(self) -> None:
        element, lanes = pointed_to(self.pointer), lanes_of(self.result.type) or 0
        expected = [with_lanes(i64, lanes), with_lanes(i1, lanes), with_lanes(element, lanes)]
        for value, kind in zip((self.offsets, self.mask, self.result), expected, strict=True):
            if value.type != kind:
                raise VerifyException(f"expected a value of {kind}, got {value.type}")
        if self.fill.type != self.result.type:
            raise VerifyException(f"fill: expected a value of {self.result.type}, got {self.fill.type}")


@irdl_op_definition
class TransposeOp(ElementOp):
    """Transposes a contiguous square matrix of `lanes` rows in memory, in place: `cloop.transpose %p[%i] <(d0) -> (d0 * 256)>
    lanes 16 : !cloop.ptr<f32, "restrict">, index`."""

    name = "cloop.transpose"
    pointer = operand_def(PointerType)
    at = var_operand_def()
    map = prop_def(MapAttr)
    lanes = prop_def(IntegerAttr[i64])
    traits = traits_def(MemoryReadEffect(), MemoryWriteEffect())
    assembly_format = "$pointer `[` $at `]` $map `lanes` $lanes attr-dict `:` type(operands)"

    def __init__(self, pointer: SSAValue, offset: Index, at: Sequence[SSAValue], lanes: int):
        properties = {"map": map_attr(at, [offset]), "lanes": IntegerAttr(lanes, i64)}
        super().__init__(operands=[pointer, at], properties=properties)

    def verify_(self) -> None:
        self.verify_element(pointed_to(self.pointer))
        lanes = self.lanes.value.data
        if lanes < 2 or lanes & (lanes - 1):
            raise VerifyException(f"lanes: expected a power of two of at least 2, got {lanes}")


OPS: tuple[type[Operation], ...] = (
    BroadcastOp, LanesOp, FromElementsOp, ExtractOp, ShuffleOp, FoldOp, ReducePrecisionOp, HoldOp, ScanOp, PartialLoadOp,
    PartialStoreOp, GatherOp, TransposeOp,
)  # fmt: skip
