"""Autodiff requests: operations that mark what to differentiate, among the operations that compute it.

A request is the identity of its operand, or asks for values that a pass computes. So differentiated functions need no bodies of
their own: a backward traversal of operands finds the operations between the variables and the outputs of an
`autodiff.gradient`. A function with its own derivative or batching has a body, terminated by an `autodiff.yield`. Requests
occur among operations of the graph and uop levels; `uop-grad` expands all of them to micro-ops.

Invariants:

- Outputs, cotangents and variables of an `autodiff.gradient` are floats.
- A cotangent has the type of its output, a gradient that of its variable.
- A body has one block, whose arguments have the types that the operation defines.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import ClassVar

from xdsl.dialects.builtin import TensorType
from xdsl.ir import Attribute, Block, Dialect, Operation, Region, SSAValue
from xdsl.irdl import (
    AttrSizedOperandSegments,
    BaseAttr,
    VarConstraint,
    irdl_op_definition,
    operand_def,
    region_def,
    result_def,
    traits_def,
    var_operand_def,
    var_result_def,
)
from xdsl.traits import IsTerminator, Pure
from xdsl.utils.exceptions import VerifyException

from ..ir.index.expressions import Index
from ..ir.op import Op
from ..ir.types.dtypes import dtype_of
from ..ir.types.shapes import element_of, shape_of, tensor_type
from .graph.base import expect_equal


class IdentityRequest(Op):
    """Base of the requests that are the identity of their operand."""

    T: ClassVar = VarConstraint("T", BaseAttr(TensorType))
    input = operand_def(T)
    result = result_def(T)
    assembly_format = "$input attr-dict `:` type($result)"

    def __init__(self, input: SSAValue):
        super().__init__(operands=[input], result_types=[input.type])


@irdl_op_definition
class VariableOp(IdentityRequest):
    """A variable of differentiation: `%v = autodiff.variable %x : tensor<4xf32>`.

    It is not pure: two variables of one tensor are independent, so that CSE must not merge them.
    """

    name = "autodiff.variable"


@irdl_op_definition
class GivenOp(IdentityRequest):
    """A constant of differentiation, which stops the backward traversal: `%g = autodiff.given %x : tensor<4xf32>`."""

    name = "autodiff.given"
    traits = traits_def(Pure())


@irdl_op_definition
class SaveOp(IdentityRequest):
    """A copy of an input that a backward pass reads: `%s = autodiff.save %x : tensor<4xf32>`.

    Values are never overwritten, so that the copy costs nothing: it is replaced by its operand once gradients are expanded.
    """

    name = "autodiff.save"
    traits = traits_def(Pure())


@irdl_op_definition
class GradientOp(Op):
    """The cotangents of variables, from those of outputs computed from them.

    `%g = autodiff.gradient of %y : tensor<f32> along %c : tensor<f32> by %x : (tensor<4xf32>) -> tensor<4xf32>` is the sum over
    the elements of `%y` of their derivatives by each element of `%x`, weighted by `%c`.
    """

    name = "autodiff.gradient"
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


@irdl_op_definition
class YieldOp(Op):
    """Terminates the body of a function with its results: `autodiff.yield %y : tensor<4xf32>`."""

    name = "autodiff.yield"
    values = var_operand_def(TensorType)
    traits = traits_def(IsTerminator())
    assembly_format = "attr-dict ($values^ `:` type($values))?"

    def __init__(self, *values: SSAValue):
        super().__init__(operands=[values])


class FunctionRequest(Op):
    """Base of the requests with a function as their body, which takes arguments or captures values."""

    results_ = var_result_def(TensorType)
    body = region_def("single_block")

    @property
    def yielded(self) -> Sequence[SSAValue]:
        """The results of the function."""
        last = self.body.block.last_op
        assert isinstance(last, YieldOp), f"the body of '{self.name}' ends with '{YieldOp.name}'"
        return last.values

    def verify_body(self, arguments: Iterable[Attribute], results: Iterable[Attribute]) -> None:
        """Raise VerifyException unless the body has arguments and results of these types."""
        if not isinstance(self.body.block.last_op, YieldOp):
            raise VerifyException(f"expected a body that ends with '{YieldOp.name}'")
        for what, found, wanted in (
            ("arguments", [each.type for each in self.body.block.args], list(arguments)),
            ("results", [each.type for each in self.yielded], list(results)),
        ):
            if found != wanted:
                raise VerifyException(f"expected a body with {what} {_listed(wanted)}, got {_listed(found)}")


@irdl_op_definition
class CustomOp(FunctionRequest):
    """A function with its own backward pass, the body: from cotangents of its results to those of its inputs.

    `%r = autodiff.custom (%y : tensor<4xf32>) forward (%z : tensor<4xf32>) by (%x : tensor<4xf32>) -> tensor<4xf32> { ... }` is
    the function's result `%y`. Where it is differentiated, it is `%z` instead, which was computed together with the values that
    the body captures. Neither `%y` nor `%z` gets a gradient, only the inputs that they depend on.
    """

    name = "autodiff.custom"
    primal = var_operand_def(TensorType)
    forward = var_operand_def(TensorType)
    inputs = var_operand_def(TensorType)
    irdl_options = (AttrSizedOperandSegments(as_property=True),)
    assembly_format = (
        "`(` $primal `:` type($primal) `)` `forward` `(` $forward `:` type($forward) `)` "
        "`by` `(` ($inputs^ `:` type($inputs))? `)` `->` type($results_) attr-dict-with-keyword $body"
    )

    def __init__(self, primal: Sequence[SSAValue], forward: Sequence[SSAValue], inputs: Sequence[SSAValue], body: Block):
        super().__init__(
            operands=[primal, forward, inputs], result_types=[[each.type for each in primal]], regions=[Region(body)]
        )

    def verify_(self) -> None:
        _expect_types("forward value", self.forward, "primal value", self.primal)
        _expect_types("result", self.results, "primal value", self.primal)
        self.verify_body([each.type for each in self.primal], [each.type for each in self.inputs])


@irdl_op_definition
class CheckpointOp(FunctionRequest):
    """The body's results for the inputs; a gradient recomputes the body instead of keeping its values.

    `%y = autodiff.checkpoint (%x : tensor<4xf32>) -> tensor<4xf32> { ... }`; the body captures nothing.
    """

    name = "autodiff.checkpoint"
    inputs = var_operand_def(TensorType)
    assembly_format = "`(` ($inputs^ `:` type($inputs))? `)` `->` type($results_) attr-dict-with-keyword $body"

    def __init__(self, inputs: Sequence[SSAValue], body: Block):
        last = body.last_op
        types = [each.type for each in last.operands] if last is not None else []
        super().__init__(operands=[inputs], result_types=[types], regions=[Region(body)])

    def verify_(self) -> None:
        self.verify_body([each.type for each in self.inputs], [each.type for each in self.results])
        if taken_from_around(self.body.block):
            raise VerifyException("the body captures values: expected them among the inputs")


@irdl_op_definition
class VmapOp(FunctionRequest):
    """The body, a function of single entries, applied to each entry along the first axis of the inputs; the results are
    stacked.

    `%y = autodiff.vmap (%x : tensor<?x4xf32, #sw.shape<[n, 4]>>) -> tensor<?xf32, #sw.shape<[n]>> { ... }`; captured values are
    the same for all entries.
    """

    name = "autodiff.vmap"
    inputs = var_operand_def(TensorType)
    assembly_format = "`(` $inputs `:` type($inputs) `)` `->` type($results_) attr-dict-with-keyword $body"

    def __init__(self, inputs: Sequence[SSAValue], body: Block):
        last = body.last_op
        size = shape_of(inputs[0])[0]
        types = [stacked(each.type, size) for each in last.operands] if last is not None else []
        super().__init__(operands=[inputs], result_types=[types], regions=[Region(body)])

    @property
    def size(self) -> Index:
        """The number of entries."""
        return shape_of(self.inputs[0])[0]

    def verify_(self) -> None:
        if not self.inputs or not all(shape_of(each) for each in self.inputs):
            raise VerifyException("expected inputs with an axis to map over")
        sizes = [shape_of(each)[0] for each in self.inputs]
        for size in sizes:
            expect_equal(sizes[0], size, f"the mapped axes have sizes {', '.join(map(str, sizes))}")
        self.verify_body([entry_type(each) for each in self.inputs], [entry_type(each) for each in self.results])
        if any(shape_of(each)[0] != self.size for each in self.results):
            raise VerifyException(f"expected {self.size} entries in each result")


def taken_from_around(body: Block) -> list[SSAValue]:
    """The values that a body, with its nested regions, captures from enclosing ones."""
    inner = [block for op in body.walk() for region in op.regions for block in region.blocks]
    own = {*body.args, *(arg for block in inner for arg in block.args), *(value for op in body.walk() for value in op.results)}
    return list(dict.fromkeys(operand for op in body.walk() for operand in op.operands if operand not in own))


def stacked(entry: Attribute, size: Index) -> Attribute:
    """The type of `size` tensors of the type of `entry`, stacked along a new first axis."""
    return tensor_type((size, *shape_of(entry)), element_of(entry))


def entry_type(value: SSAValue) -> Attribute:
    """The type of an entry along the first axis."""
    return tensor_type(shape_of(value)[1:], element_of(value))


def _listed(types: Iterable[Attribute]) -> str:
    return "(" + ", ".join(map(str, types)) + ")"


def _expect_types(what: str, values: Sequence[SSAValue], of: str, likes: Sequence[SSAValue]) -> None:
    """Raise VerifyException unless there is one value of the same type for each of `likes`."""
    if len(values) != len(likes):
        raise VerifyException(f"expected a {what} for each of {len(likes)} {of}s, got {len(values)}")
    for position, (value, like) in enumerate(zip(values, likes, strict=True)):
        if value.type != like.type:
            raise VerifyException(f"{what} {position}: expected the {of}'s type {like.type}, got {value.type}")


OPS: tuple[type[Operation], ...] = (
    VariableOp, GivenOp, SaveOp, GradientOp, YieldOp, CustomOp, CheckpointOp, VmapOp,
)  # fmt: skip

Autodiff = Dialect("autodiff", list(OPS), [])
