"""The tile level: operations that combine the lanes of a tile: reductions, scans and matrix products."""

from __future__ import annotations

from xdsl.dialects.builtin import IntegerAttr, StringAttr, UnitAttr, VectorType, f32, i8, i32, i64
from xdsl.ir import SSAValue
from xdsl.irdl import irdl_op_definition, operand_def, opt_prop_def, prop_def, result_def, traits_def
from xdsl.traits import Pure
from xdsl.utils.exceptions import VerifyException

from ...ir.op import Op
from ..scalar_ops import verify_accumulator
from .base import element_dtype, element_type, expect_axis, has_reduction, lanes, tile_type


@irdl_op_definition
class ReduceOp(Op):
    """Reduces one axis to size 1: `%s = tile.reduce "add" %v axis 1 : vector<4x64xf32> -> vector<4x1xf32>`."""

    name = "tile.reduce"
    accumulator = prop_def(StringAttr)
    input = operand_def(VectorType)
    axis = prop_def(IntegerAttr[i64])
    result = result_def(VectorType)
    traits = traits_def(Pure())
    assembly_format = "$accumulator $input `axis` $axis attr-dict `:` type($input) `->` type($result)"

    def __init__(self, accumulator: str, input: SSAValue, axis: int):
        shape = [1 if k == axis else size for k, size in enumerate(lanes(input))]
        super().__init__(
            operands=[input],
            properties={"accumulator": StringAttr(accumulator), "axis": IntegerAttr(axis, i64)},
            result_types=[tile_type(shape, element_type(input))],
        )

    def verify_(self) -> None:
        if not has_reduction(self.accumulator.data, element_dtype(self.input)):
            raise VerifyException(f"there is no reduction '{self.accumulator.data}' of {element_type(self.input)}")
        shape, axis = lanes(self.input), self.axis.value.data
        expect_axis(axis, shape)
        expected = tile_type([1 if k == axis else size for k, size in enumerate(shape)], element_type(self.input))
        if self.result.type != expected:
            raise VerifyException(f"expected a result of {expected}, got {self.result.type}")


@irdl_op_definition
class ScanOp(Op):
    """Prefix accumulation along one axis: `%s = tile.scan "add" %v axis 1 : vector<4x64xf32> -> vector<4x64xf32>`."""

    name = "tile.scan"
    accumulator = prop_def(StringAttr)
    input = operand_def(VectorType)
    axis = prop_def(IntegerAttr[i64])
    result = result_def(VectorType)
    traits = traits_def(Pure())
    assembly_format = "$accumulator $input `axis` $axis attr-dict `:` type($input) `->` type($result)"

    def __init__(self, accumulator: str, input: SSAValue, axis: int):
        super().__init__(
            operands=[input],
            properties={"accumulator": StringAttr(accumulator), "axis": IntegerAttr(axis, i64)},
            result_types=[input.type],
        )

    def verify_(self) -> None:
        verify_accumulator(self.accumulator.data, element_type(self.input))
        expect_axis(self.axis.value.data, lanes(self.input))
        if self.result.type != self.input.type:
            raise VerifyException(f"expected a result of {self.input.type}, got {self.result.type}")


@irdl_op_definition
class DotOp(Op):
    """A matrix product added to an accumulator, computed in float32, or in int32 for int8: `%c = tile.dot %a, %b, %acc :
    vector<64x32xf16>, vector<32x64xf16>, vector<64x64xf32> -> vector<64x64xf32>`. With `tf32`, factors of float32 are rounded
    to tf32."""

    name = "tile.dot"
    a = operand_def(VectorType)
    b = operand_def(VectorType)
    start = operand_def(VectorType)
    tf32 = opt_prop_def(UnitAttr)
    result = result_def(VectorType)
    traits = traits_def(Pure())
    assembly_format = (
        "$a `,` $b `,` $start (`tf32` $tf32^)? attr-dict `:` type($a) `,` type($b) `,` type($start) `->` type($result)"
    )

    def __init__(self, a: SSAValue, b: SSAValue, start: SSAValue, *, tf32: bool = False):
        super().__init__(operands=[a, b, start], properties={"tf32": UnitAttr() if tf32 else None}, result_types=[start.type])

    def verify_(self) -> None:
        shapes = [lanes(operand) for operand in self.operands]
        (a, b, start), is_product = shapes, all(len(shape) == 2 for shape in shapes)
        if not is_product or a[1] != b[0] or start != (a[0], b[1]) or self.result.type != self.start.type:
            raise VerifyException("expected the shapes of a matrix product: MxK, KxN, MxN")
        kinds = [element_dtype(each) for each in (self.a, self.b)]
        if kinds[0] != kinds[1] and not all(each.is_stored_only for each in kinds):
            raise VerifyException("both operands must have one element type, or be floats of 8 bits")
        expected = i32 if element_type(self.a) == i8 else f32
        if element_type(self.start) != expected:
            raise VerifyException(f"expected an accumulator of {expected}, got {element_type(self.start)}")
