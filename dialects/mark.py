"""The marks: what is differentiated, written beside the operations that compute it.

A mark is a value of its own, the same as its operand, or asks for values that a pass computes. Differentiated functions need no
bodies of their own that way: what lies between the variables and the outputs of a `mark.gradient` is found by walking the
operands back. Marks stand among operations of the graph and uop levels; `uop-grad` turns them into micro-ops, and leaves none.

Invariants
- What a `mark.gradient` asks for are floats: its outputs, their cotangents and the variables.
- A cotangent has its output's type, a gradient that of its variable.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from xdsl.dialects.builtin import TensorType
from xdsl.ir import Dialect, Operation, SSAValue
from xdsl.irdl import (
    AttrSizedOperandSegments,
    BaseAttr,
    IRDLOperation,
    VarConstraint,
    irdl_op_definition,
    operand_def,
    result_def,
    traits_def,
    var_operand_def,
    var_result_def,
)
from xdsl.traits import Pure
from xdsl.utils.exceptions import VerifyException

from ..ir.dtypes import dtype_of
from ..ir.shapes import element_of


class IdentityMark(IRDLOperation):
    """Base of the marks that are what they mark."""

    T: ClassVar = VarConstraint("T", BaseAttr(TensorType))
    input = operand_def(T)
    result = result_def(T)
    assembly_format = "$input attr-dict `:` type($result)"

    def __init__(self, input: SSAValue):
        super().__init__(operands=[input], result_types=[input.type])


@irdl_op_definition
class VariableOp(IdentityMark):
    """What is differentiated by: `%v = mark.variable %x : tensor<4xf32>`.

    It is not free of effects: two variables of one tensor vary on their own, so that they never become one.
    """

    name = "mark.variable"


@irdl_op_definition
class GivenOp(IdentityMark):
    """What is taken as given, where the search for variables ends: `%g = mark.given %x : tensor<4xf32>`."""

    name = "mark.given"
    traits = traits_def(Pure())


@irdl_op_definition
class GradientOp(IRDLOperation):
    """The cotangents of some values, given those of what is computed from them.

    `%g = mark.gradient of %y : tensor<f32> along %c : tensor<f32> by %x : (tensor<4xf32>) -> tensor<4xf32>` is the sum over the
    elements of `%y` of their derivatives by each element of `%x`, weighted with `%c`.
    """

    name = "mark.gradient"
    outputs = var_operand_def(TensorType)
    cotangents = var_operand_def(TensorType)
    variables = var_operand_def(TensorType)
    gradients = var_result_def(TensorType)
    irdl_options = (AttrSizedOperandSegments(as_property=True),)
    traits = traits_def(Pure())
    assembly_format = (
        "`of` $outputs `:` type($outputs) `along` $cotangents `:` type($cotangents) `by` $variables attr-dict "
        "`:` functional-type($variables, $gradients)"
    )

    def __init__(self, outputs: Sequence[SSAValue], cotangents: Sequence[SSAValue], variables: Sequence[SSAValue]):
        super().__init__(operands=[outputs, cotangents, variables], result_types=[[each.type for each in variables]])

    def verify_(self) -> None:
        for what, values in (("output", self.outputs), ("variable", self.variables)):
            for position, value in enumerate(values):
                if not dtype_of(element_of(value)).is_float:
                    raise VerifyException(f"{what} {position}: only floats have gradients, got {element_of(value)}")
        _expect_types("cotangent", self.cotangents, "output", self.outputs)
        _expect_types("gradient", self.gradients, "variable", self.variables)


def _expect_types(what: str, values: Sequence[SSAValue], of: str, likes: Sequence[SSAValue]) -> None:
    """Raise VerifyException unless there is one value of the same type for each of `likes`."""
    if len(values) != len(likes):
        raise VerifyException(f"expected a {what} for each of {len(likes)} {of}s, got {len(values)}")
    for position, (value, like) in enumerate(zip(values, likes, strict=True)):
        if value.type != like.type:
            raise VerifyException(f"{what} {position}: expected the {of}'s type {like.type}, got {value.type}")


OPS: tuple[type[Operation], ...] = (VariableOp, GivenOp, GradientOp)

Mark = Dialect("mark", list(OPS), [])
