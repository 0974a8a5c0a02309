"""The micro-ops along axes: reductions, scans, folds from element to element, and iterations from step to step."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, ClassVar

from xdsl.dialects.builtin import ArrayAttr, BoolAttr, IntegerAttr, StringAttr, TensorType, i64
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue
from xdsl.irdl import (
    AttrSizedOperandSegments,
    BaseAttr,
    VarConstraint,
    VarOperand,
    irdl_op_definition,
    lazy_traits_def,
    operand_def,
    prop_def,
    region_def,
    result_def,
    traits_def,
    var_operand_def,
    var_result_def,
)
from xdsl.traits import HasParent, IsolatedFromAbove, IsTerminator, Pure

from ...ir.index.expressions import Index
from ...ir.op import Op
from ...ir.types.shapes import MapAttr, Shape, element_of, format_shape, shape_of, tensor_type
from ..scalar_ops import map_attr, verify_accumulator
from .base import MicroOp, expect_axis, expect_shape, fail, listed

ARG_REDUCTIONS = ("argmax", "argmin")


@irdl_op_definition
class ReduceOp(MicroOp):
    """Reduction over axes, which disappear: `%1 = uop.reduce "add" %0 axes [1] : tensor<2x3xf32> -> tensor<2xf32>`.

    An empty reduction gives the accumulator's identity. `argmax` and `argmin` reduce one axis to the i64 index of the first
    extremum (of the first NaN, if there is one); the axis must not be empty. max and min propagate NaN.
    """

    name = "uop.reduce"
    accumulator = prop_def(StringAttr)
    input = operand_def(TensorType)
    axes = prop_def(ArrayAttr[IntegerAttr[i64]])
    result = result_def(TensorType)
    assembly_format = "$accumulator $input `axes` $axes attr-dict `:` type($input) `->` type($result)"

    def __init__(self, accumulator: str, input: SSAValue, axes: Sequence[int]):
        shape = tuple(size for axis, size in enumerate(shape_of(input)) if axis not in axes)
        element = i64 if accumulator in ARG_REDUCTIONS else element_of(input)
        super().__init__(
            operands=[input],
            properties={
                "accumulator": StringAttr(accumulator),
                "axes": ArrayAttr(IntegerAttr(axis, i64) for axis in sorted(axes)),
            },
            result_types=[tensor_type(shape, element)],
        )

    @property
    def axis_list(self) -> tuple[int, ...]:
        return tuple(axis.value.data for axis in self.axes)

    def verify_(self) -> None:
        axes, kind = self.axis_list, self.accumulator.data
        rank = len(shape_of(self.input))
        if list(axes) != sorted(set(axes)) or any(not 0 <= axis < rank for axis in axes):
            raise fail(f"axes must be increasing and below the rank {rank}, got {list(axes)}")
        if kind in ARG_REDUCTIONS:
            if len(axes) != 1:
                raise fail(f"'{kind}' reduces one axis, got {len(axes)}")
            expected: Attribute = i64
        else:
            verify_accumulator(kind, element_of(self.input))
            expected = element_of(self.input)
        if element_of(self.result) != expected:
            raise fail(f"expected a result of {expected}, got {element_of(self.result)}")
        kept = tuple(size for axis, size in enumerate(shape_of(self.input)) if axis not in axes)
        expect_shape(self.result, kept, "result")


@irdl_op_definition
class ScanOp(MicroOp):
    """Prefix accumulation along one axis: `%1 = uop.scan "add" %0 axis 1 reverse false exclusive false : tensor<2x3xf32> ->
    tensor<2x3xf32>`.

    `reverse` runs from the end; `exclusive` leaves out element k itself (the first result is the identity).
    """

    name = "uop.scan"
    accumulator = prop_def(StringAttr)
    input = operand_def(TensorType)
    axis = prop_def(IntegerAttr[i64])
    reverse = prop_def(BoolAttr)
    exclusive = prop_def(BoolAttr)
    result = result_def(TensorType)
    assembly_format = (
        "$accumulator $input `axis` $axis `reverse` $reverse `exclusive` $exclusive attr-dict "
        "`:` type($input) `->` type($result)"
    )

    def __init__(self, accumulator: str, input: SSAValue, axis: int, *, reverse: bool = False, exclusive: bool = False):
        super().__init__(
            operands=[input],
            properties={
                "accumulator": StringAttr(accumulator),
                "axis": IntegerAttr(axis, i64),
                "reverse": BoolAttr.from_bool(reverse),
                "exclusive": BoolAttr.from_bool(exclusive),
            },
            result_types=[input.type],
        )

    def verify_(self) -> None:
        verify_accumulator(self.accumulator.data, element_of(self.input))
        if self.input.type != self.result.type:
            raise fail(f"expected a result of {self.input.type}, got {self.result.type}")
        expect_axis(self.axis.value.data, self.shape)


@irdl_op_definition
class RecurrenceOp(MicroOp):
    """A linear recurrence along one axis: result[k] = factors[k] * result[k - 1] + input[k], with 0 before the first.

    `%2 = uop.recurrence %0, %1 axis 1 reverse false : tensor<2x3xf32>`, factors first. `reverse` runs from the end, from
    result[k + 1]. The gradient of every scan is a recurrence, and so is the gradient of a recurrence.
    """

    name = "uop.recurrence"
    T: ClassVar = VarConstraint("T", BaseAttr(TensorType))
    factors = operand_def(T)
    input = operand_def(T)
    axis = prop_def(IntegerAttr[i64])
    reverse = prop_def(BoolAttr)
    result = result_def(T)
    assembly_format = "$factors `,` $input `axis` $axis `reverse` $reverse attr-dict `:` type($result)"

    def __init__(self, factors: SSAValue, input: SSAValue, axis: int, *, reverse: bool = False):
        super().__init__(
            operands=[factors, input],
            properties={"axis": IntegerAttr(axis, i64), "reverse": BoolAttr.from_bool(reverse)},
            result_types=[input.type],
        )

    def verify_(self) -> None:
        verify_accumulator("add", element_of(self.input))
        expect_axis(self.axis.value.data, self.shape)


@irdl_op_definition
class YieldOp(Op):
    """Terminates the body of a fold or an iteration: `uop.yield %s, %y : tensor<f32>, tensor<f32>`."""

    name = "uop.yield"
    values = var_operand_def(TensorType)
    traits = lazy_traits_def(lambda: (IsTerminator(), HasParent(FoldOp, IterateOp)))
    assembly_format = "attr-dict ($values^ `:` type($values))?"

    def __init__(self, *values: SSAValue):
        super().__init__(operands=[values])


class CarryingOp(MicroOp):
    """An operation whose body takes carried values, at first `init`, and yields their next values, then other results."""

    if TYPE_CHECKING:  # Each operation defines them, in the order of its operands.
        init: VarOperand
        body: Region

    @property
    def carried_args(self) -> Sequence[SSAValue]:
        """The carried values, as arguments of the body."""
        return self.body.block.args[: len(self.init)]

    @property
    def yielded(self) -> Sequence[SSAValue]:
        """The next carried values, and then the body's other results."""
        last = self.body.block.last_op
        assert isinstance(last, YieldOp), f"the body of '{self.name}' ends with '{YieldOp.name}'"
        return last.values

    @property
    def statements(self) -> list[Operation]:
        """The operations of the body, without its terminator."""
        return list(self.body.block.ops)[:-1]


@irdl_op_definition
class FoldOp(CarryingOp):
    """Carries any number of values along one axis, by any function of scalars.

    `%s, %y = uop.fold (%x : tensor<2x3xf32>) from (%i : tensor<2xf32>) axis 1 reverse false -> tensor<2xf32>, tensor<2x3xf32> {
    ^bb0(%a: tensor<f32>, %b: tensor<f32>): ...; uop.yield %c, %d : tensor<f32>, tensor<f32> }`

    The body takes the carried values, at first `init`, and an element of each input; it yields the next carried values, and
    then its results for these elements. The results are the values carried after the last element, without the axis, and the
    body's results for each element, in the inputs' shape. `reverse` runs from the last element to the first.
    """

    name = "uop.fold"
    inputs = var_operand_def(TensorType)
    init = var_operand_def(TensorType)
    axis = prop_def(IntegerAttr[i64])
    reverse = prop_def(BoolAttr)
    results_ = var_result_def(TensorType)
    body = region_def("single_block")
    irdl_options = (AttrSizedOperandSegments(as_property=True),)
    traits = traits_def(Pure(), IsolatedFromAbove())
    assembly_format = (
        "`(` $inputs `:` type($inputs) `)` `from` `(` ($init^ `:` type($init))? `)` `axis` $axis `reverse` $reverse "
        "`->` type($results_) attr-dict-with-keyword $body"
    )

    def __init__(self, inputs: Sequence[SSAValue], init: Sequence[SSAValue], axis: int, body: Block, *, reverse: bool = False):
        whole = shape_of(inputs[0])
        carried = [each.type for each in init]
        yielded = body.last_op.operands[len(init) :] if body.last_op is not None else ()
        super().__init__(
            operands=[inputs, init],
            properties={"axis": IntegerAttr(axis, i64), "reverse": BoolAttr.from_bool(reverse)},
            result_types=[[*carried, *(tensor_type(whole, element_of(each)) for each in yielded)]],
            regions=[Region(body)],
        )

    @property
    def whole(self) -> Shape:
        """The sizes of the inputs."""
        return shape_of(self.inputs[0])

    @property
    def element_args(self) -> Sequence[SSAValue]:
        """The elements of the inputs, as arguments of the body."""
        return self.body.block.args[len(self.init) :]

    def verify_(self) -> None:
        if not self.inputs:
            raise fail("expected at least one input")
        for position, value in enumerate(self.inputs):
            expect_shape(value, self.whole, f"input {position}")
        axis = self.axis.value.data
        expect_axis(axis, self.whole)
        kept = (*self.whole[:axis], *self.whole[axis + 1 :])
        for position, value in enumerate(self.init):
            expect_shape(value, kept, f"initial value {position}")
        self._verify_body()
        wanted = [kept] * len(self.init) + [self.whole] * (len(self.yielded) - len(self.init))
        expected = [tensor_type(shape, element_of(value)) for shape, value in zip(wanted, self.yielded, strict=True)]
        if [each.type for each in self.results] != expected:
            raise fail(f"expected results of {listed(expected)}, got {listed([each.type for each in self.results])}")

    def _verify_body(self) -> None:
        """Raise VerifyException unless the body computes on scalars, with arguments and yielded values of the right types."""
        if not isinstance(self.body.block.last_op, YieldOp):
            raise fail(f"expected a body that ends with '{YieldOp.name}'")
        wanted = [tensor_type((), element_of(each)) for each in (*self.init, *self.inputs)]
        found = [each.type for each in self.body.block.args]
        if found != wanted:
            raise fail(f"expected a body with arguments {listed(wanted)}, got {listed(found)}")
        for op in self.body.block.ops:
            if any(shape_of(each) for each in op.results):
                raise fail(f"'{op.name}' in the body: expected scalars, got {listed([each.type for each in op.results])}")
        carried = [each.type for each in self.yielded[: len(self.init)]]
        if carried != wanted[: len(self.init)]:
            raise fail(f"expected to yield carried values {listed(wanted[: len(self.init)])}, got {listed(carried)}")


@irdl_op_definition
class IterateOp(CarryingOp):
    """Carries tensors from step to step, by any function of tensors.

    `%s, %y = uop.iterate (%i : tensor<4xf32>) over (%x : tensor<3x4xf32>) with (%w : tensor<4x4xf32>) times <() -> (3)> reverse
    false -> tensor<4xf32>, tensor<3x2xf32> { ^bb0(%a: tensor<4xf32>, %b: tensor<4xf32>, %c: tensor<4x4xf32>): ...; uop.yield
    %d, %e : tensor<4xf32>, tensor<2xf32> }`

    The body takes the carried values, at first `init`, the step's entry of each of the stacked inputs, and the shared inputs;
    it yields the next carried values, and then its results for this step. The results are the values carried after the last
    step, and the body's results of all steps, stacked. `reverse` runs from the last entry to the first.
    """

    name = "uop.iterate"
    init = var_operand_def(TensorType)
    stacked = var_operand_def(TensorType)
    shared = var_operand_def(TensorType)
    times = prop_def(MapAttr)
    reverse = prop_def(BoolAttr)
    results_ = var_result_def(TensorType)
    body = region_def("single_block")
    irdl_options = (AttrSizedOperandSegments(as_property=True),)
    traits = traits_def(Pure(), IsolatedFromAbove())
    assembly_format = (
        "`(` ($init^ `:` type($init))? `)` `over` `(` ($stacked^ `:` type($stacked))? `)` "
        "`with` `(` ($shared^ `:` type($shared))? `)` `times` $times `reverse` $reverse "
        "`->` type($results_) attr-dict-with-keyword $body"
    )

    def __init__(
        self,
        init: Sequence[SSAValue],
        stacked: Sequence[SSAValue],
        shared: Sequence[SSAValue],
        length: Index,
        body: Block,
        *,
        reverse: bool = False,
    ):
        yielded = body.last_op.operands[len(init) :] if body.last_op is not None else ()
        super().__init__(
            operands=[init, stacked, shared],
            properties={"times": map_attr((), [length]), "reverse": BoolAttr.from_bool(reverse)},
            result_types=[[*(each.type for each in init), *(stacked_type(each, length) for each in yielded)]],
            regions=[Region(body)],
        )

    @property
    def length(self) -> Index:
        """The number of steps."""
        return self.times.data.results[0]

    @property
    def backwards(self) -> bool:
        """Whether the iteration runs from the last entry to the first."""
        return bool(self.reverse.value.data)

    def verify_(self) -> None:
        if self.times.data.dims != 0 or len(self.times.data.results) != 1:
            raise fail("the number of steps must be one expression over parameters")
        for position, value in enumerate(self.stacked):
            shape = shape_of(value)
            if not shape or shape[0] != self.length:
                raise fail(f"stacked input {position}: expected {self.length} entries, got shape {format_shape(shape)}")
        if not isinstance(self.body.block.last_op, YieldOp):
            raise fail(f"expected a body that ends with '{YieldOp.name}'")
        entries = [entry_type(each) for each in self.stacked]
        _expect_types(
            "a body with arguments",
            [each.type for each in self.body.block.args],
            [*(each.type for each in self.init), *entries, *(each.type for each in self.shared)],
        )
        carried = [each.type for each in self.init]
        _expect_types("to yield carried values", [each.type for each in self.yielded[: len(carried)]], carried)
        computed = [stacked_type(each, self.length) for each in self.yielded[len(carried) :]]
        _expect_types("results of", [each.type for each in self.results], [*carried, *computed])


def stacked_type(entry: SSAValue, length: Index) -> Attribute:
    """The type of `length` tensors of the type of `entry`, stacked along a new first axis."""
    return tensor_type((length, *shape_of(entry)), element_of(entry))


def entry_type(value: SSAValue) -> Attribute:
    """The type of an entry along the first axis."""
    return tensor_type(entry_shape(value), element_of(value))


def entry_shape(value: SSAValue) -> Shape:
    """The sizes of an entry along the first axis."""
    return shape_of(value)[1:]


def _expect_types(what: str, found: Iterable[Attribute], wanted: Iterable[Attribute]) -> None:
    """Raise VerifyException unless the types are as wanted."""
    found, wanted = list(found), list(wanted)
    if found != wanted:
        raise fail(f"expected {what} {listed(wanted)}, got {listed(found)}")
