"""The graph level: gather and scatter. Indices are integers of any width, and negative ones count from the end."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from xdsl.dialects.builtin import IntegerAttr, StringAttr, TensorType, i64
from xdsl.ir import Attribute, SSAValue
from xdsl.irdl import irdl_op_definition, operand_def, prop_def, var_operand_def
from xdsl.utils.exceptions import VerifyException

from ...ir.index.expressions import Index
from ...ir.scalars.table import misfit, scalar
from ...ir.types.dtypes import dtype_of
from ...ir.types.shapes import Shape, element_of, shape_of
from .base import (
    GraphOp,
    Ints,
    broadcast_shapes,
    expect_axes,
    expect_axis,
    expect_count,
    expect_integers,
    expect_rank,
    expect_same_dtype,
    ints,
    ints_of,
    with_shape,
)
from .rules import array, axis_names, result

SCATTER_ACCUMULATORS = ("set", "add", "mul", "max", "min")


@irdl_op_definition
class TakeOp(GraphOp):
    """Gathers along consecutive axes, which are replaced by the broadcast shape of the index tensors.

    `%2 = graph.take %0 [%1] axes [0] : (tensor<5x3xf32>, tensor<4xi64>) -> tensor<4x3xf32>`
    """

    name = "graph.take"
    input = operand_def(TensorType)
    indices = var_operand_def(TensorType)
    axes = prop_def(Ints)
    assembly_format = "$input `[` $indices `]` `axes` $axes attr-dict `:` functional-type(operands, $result)"

    def __init__(self, input: SSAValue, indices: Sequence[SSAValue], axes: Sequence[int]):
        self.build_from([input, indices], {"axes": ints(axes)})

    def infer(self) -> Attribute:
        shape = shape_of(self.input)
        axes = expect_axes(ints_of(self.axes), len(shape))
        expect_count(self.indices, len(axes), "indices")
        if not axes or list(axes) != list(range(axes[0], axes[-1] + 1)):
            raise VerifyException(f"expected consecutive axes, got {list(axes)}")
        for value in self.indices:
            expect_integers(value, "indices")
        return with_shape([*shape[: axes[0]], *self.index_shape, *shape[axes[-1] + 1 :]], self.input)

    @property
    def index_shape(self) -> Shape:
        """The shape that the index tensors broadcast to."""
        return broadcast_shapes([shape_of(value) for value in self.indices])


@irdl_op_definition
class TakeAlongAxisOp(GraphOp):
    """Gathers along one axis with an index for each element of the result; the other axes broadcast.

    `%2 = graph.take_along_axis %0, %1 axis 1 : (tensor<2x5xf32>, tensor<2x3xi64>) -> tensor<2x3xf32>`
    """

    name = "graph.take_along_axis"
    input = operand_def(TensorType)
    indices = operand_def(TensorType)
    axis = prop_def(IntegerAttr[i64])
    assembly_format = "$input `,` $indices `axis` $axis attr-dict `:` functional-type(operands, $result)"

    def __init__(self, input: SSAValue, indices: SSAValue, axis: int):
        self.build_from([input, indices], {"axis": IntegerAttr(axis, i64)})

    def infer(self) -> Attribute:
        shape, axis = shape_of(self.input), self.axis.value.data
        expect_axis(axis, len(shape))
        expect_integers(self.indices, "indices")
        indices = expect_rank(self.indices, len(shape), "indices")
        others = broadcast_shapes([_without(shape, axis), _without(indices, axis)])
        return with_shape([*others[:axis], indices[axis], *others[axis:]], self.input)


class ScatterBase(GraphOp):
    """Base of both scatters: updates combined into a copy of the input, in order where indices repeat."""

    accumulator = prop_def(StringAttr)
    input = operand_def(TensorType)
    indices = operand_def(TensorType)
    updates = operand_def(TensorType)
    axis = prop_def(IntegerAttr[i64])
    assembly_format = (
        "$accumulator $input `,` $indices `,` $updates `axis` $axis attr-dict `:` functional-type(operands, $result)"
    )

    def __init__(self, accumulator: str, input: SSAValue, indices: SSAValue, updates: SSAValue, axis: int):
        properties = {"accumulator": StringAttr(accumulator), "axis": IntegerAttr(axis, i64)}
        self.build_from([input, indices, updates], properties)

    def infer(self) -> Attribute:
        if self.accumulator.data not in SCATTER_ACCUMULATORS:
            known = ", ".join(SCATTER_ACCUMULATORS)
            raise VerifyException(f"expected one of {known} as accumulator, got '{self.accumulator.data}'")
        expect_axis(self.axis.value.data, len(shape_of(self.input)))
        expect_integers(self.indices, "indices")
        expect_same_dtype([self.input, self.updates])
        if self.accumulator.data != "set":
            wrong = misfit(scalar(self.accumulator.data), [dtype_of(element_of(self.input))] * 2)
            if wrong is not None:
                raise VerifyException(f"'{self.accumulator.data}': {wrong}")
        shapes = [shape_of(each) for each in (self.input, self.indices, self.updates)]
        result(self.rule(len(shapes[0]), len(shapes[1])), shapes)
        return self.input.type

    def rule(self, rank: int, indices: int) -> str:
        """The rule for an input and indices of these ranks."""
        raise NotImplementedError(self.name)


@irdl_op_definition
class ScatterOp(ScatterBase):
    """Updates of whole slices, the adjoint of `graph.take`: update u goes to the slice of index u.

    `%3 = graph.scatter "add" %0, %1, %2 axis 0 : (tensor<5x3xf32>, tensor<4xi64>, tensor<4x3xf32>) -> tensor<5x3xf32>`
    """

    name = "graph.scatter"

    def rule(self, rank: int, indices: int) -> str:
        return _slices(rank, indices, self.axis.value.data)


@irdl_op_definition
class ScatterAlongAxisOp(ScatterBase):
    """Updates of single elements, the adjoint of `graph.take_along_axis`; indices and updates have equal shapes."""

    name = "graph.scatter_along_axis"

    def rule(self, rank: int, indices: int) -> str:
        return _elements(rank, self.axis.value.data)


def _without(shape: Shape, axis: int) -> tuple[Index, ...]:
    return tuple(size for k, size in enumerate(shape) if k != axis)


@lru_cache(maxsize=1 << 10)
def _slices(rank: int, indices: int, axis: int) -> str:
    """`input[a0 a1] indices[i0] updates[i0 a1] -> [a0 a1]`"""
    names, index_names = axis_names("a", rank), axis_names("i", indices)
    updates = [*names[:axis], *index_names, *names[axis + 1 :]]
    return f"{array('input', names)} {array('indices', index_names)} {array('updates', updates)} -> {array('', names)}"


@lru_cache(maxsize=1 << 10)
def _elements(rank: int, axis: int) -> str:
    """`input[a0 a1] indices[n a1] updates[n a1] -> [a0 a1]`"""
    names = axis_names("a", rank)
    picked = [*names[:axis], "n", *names[axis + 1 :]]
    return f"{array('input', names)} {array('indices', picked)} {array('updates', picked)} -> {array('', names)}"


OPS = (TakeOp, TakeAlongAxisOp, ScatterOp, ScatterAlongAxisOp)
