"""The graph level: contractions, convolutions and window reductions."""

from __future__ import annotations

import re
from collections.abc import Sequence

from xdsl.dialects.builtin import IntegerAttr, StringAttr, TensorType, i64
from xdsl.ir import Attribute, SSAValue
from xdsl.irdl import irdl_op_definition, operand_def, prop_def, var_operand_def
from xdsl.utils.exceptions import VerifyException

from ...ir.index.expressions import Index, IndexLike, index
from ...ir.types.shapes import Shape, ShapeAttr, format_shape, shape_of, tensor_type
from .base import (
    GraphOp,
    Ints,
    expect_count,
    expect_rank,
    expect_same_dtype,
    ints,
    ints_of,
    sizes,
    with_shape,
)
from .contraction_rules import PRODUCTS, contraction, convolution, ones_of, transposed_convolution, windows
from .rules import numbered
from .rules import result as result_shape

_SPEC = re.compile(r"[A-Za-z]*(,[A-Za-z]*)*->[A-Za-z]*")
WINDOW_ACCUMULATORS = ("add", "max", "min")


@irdl_op_definition
class EinsumOp(GraphOp):
    """A sum of products over the labels that the result lacks; on bools, a disjunction of conjunctions.

    `%2 = graph.einsum "ij,jk->ik" %0, %1 : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x4xf32>`. A label that repeats within
    an operand takes its diagonal. Axes of size 1 broadcast.
    """

    name = "graph.einsum"
    spec = prop_def(StringAttr)
    inputs = var_operand_def(TensorType)
    assembly_format = "$spec $inputs attr-dict `:` functional-type($inputs, $result)"

    def __init__(self, spec: str, inputs: Sequence[SSAValue]):
        self.build_from([inputs], {"spec": StringAttr(spec)})

    @property
    def labels(self) -> tuple[list[str], str]:
        """The labels of each operand and of the result."""
        left, _, right = self.spec.data.partition("->")
        return left.split(","), right

    def infer(self) -> Attribute:
        if not _SPEC.fullmatch(self.spec.data):
            raise VerifyException(f"malformed specification '{self.spec.data}': expected the form 'ij,jk->ik'")
        operands, result = self.labels
        if len(operands) != len(self.inputs):
            raise VerifyException(f"'{self.spec.data}' has {len(operands)} operands, got {len(self.inputs)}")
        for label in result:
            if not any(label in each for each in operands):
                raise VerifyException(f"label '{label}' of the result does not occur in an operand")
        if len(set(result)) != len(result):
            raise VerifyException(f"labels repeat in the result '{result}'")
        ranked = enumerate(zip(self.inputs, operands, strict=True))
        shapes = [expect_rank(value, len(each), f"operand {k} ('{each}')") for k, (value, each) in ranked]
        rule = contraction(self.spec.data, ones_of(shapes))
        return tensor_type(result_shape(rule, shapes, broadcast=True), expect_same_dtype(self.inputs))

    def extents(self) -> dict[str, Index]:
        """The size of each label; axes of size 1 broadcast."""
        found: dict[str, Index] = {}
        for labels, value in zip(self.labels[0], self.inputs, strict=True):
            for label, size in zip(labels, shape_of(value), strict=True):
                if found.get(label, 1) == 1:
                    found[label] = size
        return found


@irdl_op_definition
class MatmulOp(GraphOp):
    """NumPy's matmul: leading axes broadcast; an operand with one axis is a row on the left and a column on the right.

    `%2 = graph.matmul %0, %1 : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x4xf32>`
    """

    name = "graph.matmul"
    lhs = operand_def(TensorType)
    rhs = operand_def(TensorType)
    assembly_format = "$lhs `,` $rhs attr-dict `:` functional-type(operands, $result)"

    def __init__(self, lhs: SSAValue, rhs: SSAValue):
        self.build_from([lhs, rhs])

    def infer(self) -> Attribute:
        left, right = shape_of(self.lhs), shape_of(self.rhs)
        if not left or not right:
            raise VerifyException(f"expected at least one axis each, got {format_shape(left)} and {format_shape(right)}")
        shape = result_shape(PRODUCTS[len(left) > 1, len(right) > 1], [left, right])
        return tensor_type(shape, expect_same_dtype([self.lhs, self.rhs]))


class WindowedOp(GraphOp):
    """Base of convolutions and window reductions: the strides, padding and dilation of a window over the last axes."""

    stride = prop_def(Ints)
    low = prop_def(ShapeAttr)
    high = prop_def(ShapeAttr)
    dilation = prop_def(Ints)

    def expect_windows(self, rank: int) -> None:
        """Raise VerifyException unless there is one entry for each of `rank` axes, with positive steps and non-negative
        padding."""
        for what in ("stride", "dilation"):
            steps = ints_of(getattr(self, what))
            expect_count(steps, rank, what)
            if any(step < 1 for step in steps):
                raise VerifyException(f"{what}: expected at least 1, got {list(steps)}")
        for what, amounts in (("low", self.low.data), ("high", self.high.data)):
            expect_count(amounts, rank, what)
            if any(amount.constant is not None and amount.constant < 0 for amount in amounts):
                raise VerifyException(f"{what}: expected at least 0, got {format_shape(amounts)}")

    def steps(self) -> dict[str, Index]:
        """The values of the names that rules have for strides, padding and dilation."""
        return {
            **numbered("stride", ints_of(self.stride)),
            **numbered("dilation", ints_of(self.dilation)),
            **numbered("low", self.low.data),
            **numbered("high", self.high.data),
        }


class ConvolutionOp(WindowedOp):
    """Base of both convolutions: an input (batch, channels, space ...), and groups of channels."""

    input = operand_def(TensorType)
    weight = operand_def(TensorType)
    groups = prop_def(IntegerAttr[i64])

    def expect_operands(self) -> tuple[Shape, Shape, int]:
        shape = shape_of(self.input)
        if len(shape) < 3:
            raise VerifyException(f"input: expected (batch, channels, space ...), got {format_shape(shape)}")
        self.expect_windows(len(shape) - 2)
        groups = self.groups.value.data
        if groups < 1:
            raise VerifyException(f"groups: expected at least 1, got {groups}")
        return shape, expect_rank(self.weight, len(shape), "weight"), groups


@irdl_op_definition
class ConvOp(ConvolutionOp):
    """Cross-correlation of (batch, channels, space ...) with (out channels, channels / groups, kernel ...).

    `%2 = graph.conv %0, %1 stride [1] low <[0]> high <[0]> dilation [1] groups 1 : (tensor<1x2x5xf32>, ...`
    """

    name = "graph.conv"
    assembly_format = (
        "$input `,` $weight `stride` $stride `low` $low `high` $high `dilation` $dilation `groups` $groups attr-dict "
        "`:` functional-type(operands, $result)"
    )

    def __init__(
        self,
        input: SSAValue,
        weight: SSAValue,
        stride: Sequence[int],
        low: Sequence[IndexLike],
        high: Sequence[IndexLike],
        dilation: Sequence[int],
        groups: int,
    ):
        window = {"stride": ints(stride), "low": sizes(low), "high": sizes(high), "dilation": ints(dilation)}
        self.build_from([input, weight], {**window, "groups": IntegerAttr(groups, i64)})

    def infer(self) -> Attribute:
        shape, weight, groups = self.expect_operands()
        if weight[0].constant is not None and weight[0].constant % groups:
            raise VerifyException(f"{weight[0]} output channels are not divisible by {groups} groups")
        found = result_shape(convolution(len(shape) - 2), [shape, weight], {**self.steps(), "groups": index(groups)})
        return tensor_type(found, expect_same_dtype([self.input, self.weight]))


@irdl_op_definition
class ConvTransposeOp(ConvolutionOp):
    """Transposed convolution of (batch, channels, space ...) with (channels, out channels / groups, kernel ...).

    `extra` elements extend the end of each axis of the result: several input sizes of a convolution have the same result size.
    """

    name = "graph.conv_transpose"
    extra = prop_def(Ints)
    assembly_format = (
        "$input `,` $weight `stride` $stride `low` $low `high` $high `dilation` $dilation `groups` $groups `extra` $extra "
        "attr-dict `:` functional-type(operands, $result)"
    )

    def __init__(
        self,
        input: SSAValue,
        weight: SSAValue,
        stride: Sequence[int],
        low: Sequence[IndexLike],
        high: Sequence[IndexLike],
        dilation: Sequence[int],
        groups: int,
        extra: Sequence[int],
    ):
        window = {"stride": ints(stride), "low": sizes(low), "high": sizes(high), "dilation": ints(dilation)}
        self.build_from([input, weight], {**window, "groups": IntegerAttr(groups, i64), "extra": ints(extra)})

    def infer(self) -> Attribute:
        shape, weight, groups = self.expect_operands()
        expect_count(ints_of(self.extra), len(shape) - 2, "extra")
        if weight[0].constant is not None and weight[0].constant % groups:
            raise VerifyException(f"{weight[0]} channels are not divisible by {groups} groups")
        given = {**self.steps(), **numbered("extra", ints_of(self.extra)), "groups": index(groups)}
        found = result_shape(transposed_convolution(len(shape) - 2), [shape, weight], given)
        return tensor_type(found, expect_same_dtype([self.input, self.weight]))


@irdl_op_definition
class WindowReduceOp(WindowedOp):
    """Reduction of a window that moves over the last axes; padding is not reduced.

    `%1 = graph.window_reduce "max" %0 kernel <[2]> stride [2] low <[0]> high <[0]> dilation [1] : tensor<1x4xf32> -> ...`
    """

    name = "graph.window_reduce"
    accumulator = prop_def(StringAttr)
    input = operand_def(TensorType)
    kernel = prop_def(ShapeAttr)
    assembly_format = (
        "$accumulator $input `kernel` $kernel `stride` $stride `low` $low `high` $high `dilation` $dilation attr-dict "
        "`:` type($input) `->` type($result)"
    )

    def __init__(
        self,
        accumulator: str,
        input: SSAValue,
        kernel: Sequence[IndexLike],
        stride: Sequence[int],
        low: Sequence[IndexLike],
        high: Sequence[IndexLike],
        dilation: Sequence[int],
    ):
        window = {"stride": ints(stride), "low": sizes(low), "high": sizes(high), "dilation": ints(dilation)}
        self.build_from([input], {**window, "accumulator": StringAttr(accumulator), "kernel": sizes(kernel)})

    def infer(self) -> Attribute:
        shape, kernel = shape_of(self.input), self.kernel.data
        if self.accumulator.data not in WINDOW_ACCUMULATORS:
            known = ", ".join(WINDOW_ACCUMULATORS)
            raise VerifyException(f"expected one of {known} as accumulator, got '{self.accumulator.data}'")
        if len(kernel) > len(shape):
            raise VerifyException(f"expected a window of at most {len(shape)} axes, got {len(kernel)}")
        self.expect_windows(len(kernel))
        given = {**self.steps(), **numbered("k", kernel)}
        return with_shape(result_shape(windows(len(kernel)), [shape], given), self.input)


OPS = (EinsumOp, MatmulOp, ConvOp, ConvTransposeOp, WindowReduceOp)
