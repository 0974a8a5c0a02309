"""The graph level: elementwise functions, one operation a row of the scalar table, and tensors without operands."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from xdsl.dialects.builtin import DenseIntOrFPElementsAttr, FloatAttr, IntegerAttr, TensorType, i64
from xdsl.ir import Attribute, SSAValue
from xdsl.irdl import irdl_op_definition, operand_def, prop_def, var_operand_def
from xdsl.utils.exceptions import VerifyException

from ...ir.index.expressions import IndexLike
from ...ir.scalars.function import ScalarFunction
from ...ir.scalars.table import SCALARS, misfit, result_type, scalar
from ...ir.types.dtypes import dtype_of
from ...ir.types.shapes import ShapeAttr, element_of, format_shape, shape_of, tensor_type
from .base import GraphOp, broadcast_shapes, expect_axis, expect_count, expect_equal, sizes


class ElementwiseOp(GraphOp):
    """A scalar function of tensors of one dtype, with NumPy's broadcasting.

    `%2 = graph.add %0, %1 : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>`
    """

    inputs = var_operand_def(TensorType)
    assembly_format = "$inputs attr-dict `:` functional-type($inputs, $result)"

    def __init__(self, *inputs: SSAValue):
        self.build_from([inputs])

    @property
    def function(self) -> ScalarFunction:
        return scalar(self.name.removeprefix("graph."))

    def infer(self) -> Attribute:
        operands = [dtype_of(element_of(value)) for value in self.inputs]
        wrong = misfit(self.function, operands)
        if wrong is not None:
            raise VerifyException(wrong)
        element = result_type(self.function, operands)
        return tensor_type(broadcast_shapes([shape_of(value) for value in self.inputs]), element.type)


def _elementwise(function: ScalarFunction) -> type[ElementwiseOp]:
    name = "".join(part.capitalize() for part in function.name.split("_")) + "Op"
    members = {
        "name": f"graph.{function.name}",
        "__module__": __name__,
        "__doc__": f"The scalar function `{function.name}` of each element, with broadcasting.",
    }
    return irdl_op_definition(type(name, (ElementwiseOp,), members))


# The operation of each scalar function, by the function's name.
ELEMENTWISE: Mapping[str, type[ElementwiseOp]] = MappingProxyType(
    {function.name: _elementwise(function) for function in SCALARS.values()}
)


@irdl_op_definition
class CastOp(GraphOp):
    """Conversion of the element type: `%1 = graph.cast %0 : tensor<4xi32> -> tensor<4xf32>`."""

    name = "graph.cast"
    input = operand_def(TensorType)
    assembly_format = "$input attr-dict `:` type($input) `->` type($result)"

    def __init__(self, input: SSAValue, element: Attribute):
        self.build_from([input], result=tensor_type(shape_of(input), element))

    def infer(self) -> Attribute:
        return tensor_type(shape_of(self.input), dtype_of(element_of(self.result)).type)


@irdl_op_definition
class ConstantOp(GraphOp):
    """A tensor filled with one value, or of given elements: `%0 = graph.constant 1.0 : f32 : tensor<4xf32>`."""

    name = "graph.constant"
    value = prop_def(FloatAttr | IntegerAttr | DenseIntOrFPElementsAttr)
    assembly_format = "$value attr-dict `:` type($result)"

    def __init__(self, value: Attribute, type: Attribute):
        self.build_from([], {"value": value}, type)

    def infer(self) -> Attribute:
        if isinstance(self.value, DenseIntOrFPElementsAttr):
            return tensor_type(self.value.get_shape(), self.value.get_element_type())
        return tensor_type(shape_of(self.result), self.value.type)


@irdl_op_definition
class IotaOp(GraphOp):
    """The index along one axis: `%0 = graph.iota 1 : tensor<2x3xi64>` is [[0, 1, 2], [0, 1, 2]]."""

    name = "graph.iota"
    axis = prop_def(IntegerAttr[i64])
    assembly_format = "$axis attr-dict `:` type($result)"

    def __init__(self, axis: int, type: Attribute):
        self.build_from([], {"axis": IntegerAttr(axis, i64)}, type)

    def infer(self) -> Attribute:
        expect_axis(self.axis.value.data, len(self.shape))
        return tensor_type(self.shape, element_of(self.result))


@irdl_op_definition
class SizeOp(GraphOp):
    """A size, which must be non-negative, as a tensor: `%0 = graph.size <[n * 2]> : tensor<i64>`."""

    name = "graph.size"
    value = prop_def(ShapeAttr)
    assembly_format = "$value attr-dict `:` type($result)"

    def __init__(self, value: IndexLike):
        self.build_from([], {"value": sizes([value])})

    def infer(self) -> Attribute:
        expect_count(self.value.data, 1, "value")
        return tensor_type((), i64)


@irdl_op_definition
class BroadcastOp(GraphOp):
    """Repetition along new leading axes and axes of size 1: `%1 = graph.broadcast %0 : tensor<3x1xf32> ->
    tensor<2x3x4xf32>`."""

    name = "graph.broadcast"
    input = operand_def(TensorType)
    assembly_format = "$input attr-dict `:` type($input) `->` type($result)"

    def __init__(self, input: SSAValue, shape: tuple[IndexLike, ...]):
        self.build_from([input], result=tensor_type(shape, element_of(input)))

    def infer(self) -> Attribute:
        shape = shape_of(self.input)
        message = f"shape {format_shape(shape)} does not broadcast to {format_shape(self.shape)}"
        if len(shape) > len(self.shape):
            raise VerifyException(message)
        for found, wanted in zip(broadcast_shapes([self.shape, shape]), self.shape, strict=True):
            expect_equal(found, wanted, message)
        return tensor_type(self.shape, element_of(self.input))


OPS = (*ELEMENTWISE.values(), CastOp, ConstantOp, IotaOp, SizeOp, BroadcastOp)
