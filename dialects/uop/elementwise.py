"""The elementwise micro-ops and others without reductions: constants, iota, maps, casts, interleaving, fences."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from xdsl.dialects.builtin import (
    DenseIntOrFPElementsAttr,
    FloatAttr,
    IntegerAttr,
    StringAttr,
    TensorType,
    i64,
)
from xdsl.ir import Attribute, SSAValue
from xdsl.irdl import (
    BaseAttr,
    VarConstraint,
    irdl_op_definition,
    operand_def,
    prop_def,
    result_def,
    var_operand_def,
)

from ...ir.index.expressions import Index, dim, index, product
from ...ir.index.simplify import Ranges
from ...ir.scalars.table import result_type, scalar
from ...ir.types.dtypes import dtype_of
from ...ir.types.shapes import element_of, row_major, shape_of, tensor_type
from .base import MicroOp, expect_axis, expect_shape, fail


@irdl_op_definition
class ConstantOp(MicroOp):
    """A tensor filled with one value, or of given elements.

    `%0 = uop.constant 1.0 : f32 : tensor<?xf32, #sw.shape<[n]>>`
    """

    name = "uop.constant"
    value = prop_def(FloatAttr | IntegerAttr | DenseIntOrFPElementsAttr)
    result = result_def(TensorType)
    assembly_format = "$value attr-dict `:` type($result)"

    def __init__(self, value: Attribute, type: Attribute):
        super().__init__(properties={"value": value}, result_types=[type])

    def verify_(self) -> None:
        kind = self.value.type if not isinstance(self.value, DenseIntOrFPElementsAttr) else self.value.get_element_type()
        if kind != element_of(self.result):
            raise fail(f"expected a value of type {element_of(self.result)}, got {kind}")
        if isinstance(self.value, DenseIntOrFPElementsAttr):
            expect_shape(self.result, tuple(map(index, self.value.get_shape())), "result")


@irdl_op_definition
class IotaOp(MicroOp):
    """The index along one axis: `%0 = uop.iota 1 : tensor<2x3xi64>` is [[0, 1, 2], [0, 1, 2]]."""

    name = "uop.iota"
    axis = prop_def(IntegerAttr[i64])
    result = result_def(TensorType)
    assembly_format = "$axis attr-dict `:` type($result)"

    def __init__(self, axis: int, type: Attribute):
        super().__init__(properties={"axis": IntegerAttr(axis, i64)}, result_types=[type])

    def verify_(self) -> None:
        expect_axis(self.axis.value.data, self.shape)


@irdl_op_definition
class MapOp(MicroOp):
    """A scalar function, elementwise: `%2 = uop.map "add"(%0, %1) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>`."""

    name = "uop.map"
    function = prop_def(StringAttr)
    inputs = var_operand_def(TensorType)
    result = result_def(TensorType)
    assembly_format = "$function `(` $inputs `)` attr-dict `:` functional-type($inputs, $result)"

    def __init__(self, function: str, *inputs: SSAValue):
        element = result_type(scalar(function), [dtype_of(element_of(value)) for value in inputs]).type
        super().__init__(
            operands=[inputs],
            properties={"function": StringAttr(function)},
            result_types=[tensor_type(shape_of(inputs[0]), element)],
        )

    def verify_(self) -> None:
        try:
            function = scalar(self.function.data)
            expected = result_type(function, [dtype_of(element_of(value)) for value in self.inputs]).type
        except (LookupError, TypeError) as error:
            raise fail(str(error.args[0])) from error
        for position, value in enumerate(self.inputs):
            expect_shape(value, self.shape, f"operand {position} of '{function.name}'")
        if element_of(self.result) != expected:
            raise fail(f"'{function.name}' gives {expected}, got {element_of(self.result)}")


@irdl_op_definition
class CastOp(MicroOp):
    """Conversion of the element type: `%1 = uop.cast %0 : tensor<4xi32> -> tensor<4xf32>`. Floats convert to integers by
    truncation with saturation, NaN to 0; conversion to bool is `!= 0`."""

    name = "uop.cast"
    input = operand_def(TensorType)
    result = result_def(TensorType)
    assembly_format = "$input attr-dict `:` type($input) `->` type($result)"

    def __init__(self, input: SSAValue, element: Attribute):
        super().__init__(operands=[input], result_types=[tensor_type(shape_of(input), element)])

    def verify_(self) -> None:
        expect_shape(self.input, self.shape, "operand")


@irdl_op_definition
class InterleaveOp(MicroOp):
    """Interleaves tensors of equal shape as the rows of many small matrices, concatenated along the last axis of the result.

    `%y = uop.interleave (%0, %1) : (tensor<2x16xf32>, tensor<2x16xf32>) -> tensor<60xf32>`: element (i, j) of source k of r
    goes to (i * r + k) * 16 + j; elements beyond the end are dropped. Leading axes are kept as far as the result has them; the
    others enumerate the matrices.
    """

    name = "uop.interleave"
    sources = var_operand_def(TensorType)
    result = result_def(TensorType)
    assembly_format = "`(` $sources `)` attr-dict `:` functional-type($sources, $result)"

    def __init__(self, sources: Sequence[SSAValue], shape: Sequence[Index | int]):
        super().__init__(operands=[sources], result_types=[tensor_type(shape, element_of(sources[0]))])

    def places(self, source: int) -> tuple[Index, ...]:
        """The index in the result of each element of a source, over its indices."""
        whole, kept = shape_of(self.sources[0]), len(self.shape) - 1
        matrix = row_major(whole[kept:-1], [dim(axis) for axis in range(kept, len(whole) - 1)])
        last = (matrix * len(self.sources) + source) * whole[-1] + dim(len(whole) - 1)
        return (*(dim(axis) for axis in range(kept)), last)

    def verify_(self) -> None:
        if not self.sources or len(shape_of(self.sources[0])) < 2:
            raise fail("expected sources with two axes")
        for position, value in enumerate(self.sources):
            if value.type != self.sources[0].type:
                raise fail(f"source {position}: expected {self.sources[0].type}, got {value.type}")
        whole, kept = shape_of(self.sources[0]), max(0, min(len(self.shape), len(shape_of(self.sources[0])) - 1) - 1)
        lead, rest = whole[:kept], whole[kept:]
        if element_of(self.sources[0]) != element_of(self.result) or self.shape[:-1] != lead:
            kind = tensor_type([*lead, rest[0]], element_of(self.sources[0]))
            raise fail(f"expected a result like {kind}, got {self.result.type}")
        given = product(rest) * len(self.sources)
        if not Ranges.of_shape((*self.shape, *rest)).nonnegative(given - self.shape[-1]):
            raise fail(f"expected rows of at least {self.shape[-1]} elements in all, got {given}")


@irdl_op_definition
class FenceOp(MicroOp):
    """The same tensor, as an optimisation barrier that is ordered after other tensors.

    `%1 = uop.fence %0 after (%g : tensor<2xf32>) : tensor<4xf32>`. Operations after a fence are never merged or fused with
    those before it, so that values computed from it are recomputed.
    """

    name = "uop.fence"
    T: ClassVar = VarConstraint("T", BaseAttr(TensorType))
    input = operand_def(T)
    after = var_operand_def(TensorType)
    result = result_def(T)
    assembly_format = "$input `after` `(` ($after^ `:` type($after))? `)` attr-dict `:` type($result)"

    def __init__(self, input: SSAValue, after: Sequence[SSAValue]):
        super().__init__(operands=[input, after], result_types=[input.type])
