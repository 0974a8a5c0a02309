"""The graph level: reductions and scans along axes."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from xdsl.dialects.builtin import BoolAttr, IntegerAttr, StringAttr, TensorType, i64
from xdsl.ir import Attribute, SSAValue
from xdsl.irdl import irdl_op_definition, operand_def, prop_def
from xdsl.utils.exceptions import VerifyException

from ...ir.scalars.table import scalar
from ...ir.types.shapes import element_of, shape_of, tensor_type
from .base import GraphOp, Ints, element_dtype, expect_axes, expect_axis, ints, ints_of
from .rules import array, axis_names, result

REDUCTIONS = ("add", "mul", "max", "min", "and", "or")
ARG_REDUCTIONS = ("argmax", "argmin")
SCANS = ("add", "mul", "max", "min", "logaddexp")


@irdl_op_definition
class ReduceOp(GraphOp):
    """Reduction over axes, which disappear or, with `keepdims`, get size 1.

    `%1 = graph.reduce "add" %0 axes [1] keepdims false : tensor<2x3xf32> -> tensor<2xf32>`. `argmax` and `argmin` reduce one
    axis to the i64 index of the first extremum.
    """

    name = "graph.reduce"
    accumulator = prop_def(StringAttr)
    input = operand_def(TensorType)
    axes = prop_def(Ints)
    keepdims = prop_def(BoolAttr)
    assembly_format = "$accumulator $input `axes` $axes `keepdims` $keepdims attr-dict `:` type($input) `->` type($result)"

    def __init__(self, accumulator: str, input: SSAValue, axes: Sequence[int], keepdims: bool = False):
        properties = {"axes": ints(sorted(axes)), "keepdims": BoolAttr.from_bool(keepdims)}
        self.build_from([input], {"accumulator": StringAttr(accumulator), **properties})

    def infer(self) -> Attribute:
        kind, shape = self.accumulator.data, shape_of(self.input)
        reduced = expect_axes(ints_of(self.axes), len(shape))
        if list(reduced) != sorted(reduced):
            raise VerifyException(f"axes must be increasing, got {list(reduced)}")
        element = element_of(self.input)
        if kind in ARG_REDUCTIONS:
            if len(reduced) != 1:
                raise VerifyException(f"'{kind}' reduces one axis, got {len(reduced)}")
            if shape[reduced[0]] == 0:
                raise VerifyException(f"'{kind}' of an empty axis")
            element = i64
        else:
            expect_accumulator(kind, self.input, REDUCTIONS)
        return tensor_type(result(_reduction(len(shape), reduced, self.keepdims.value.data), [shape]), element)


@lru_cache(maxsize=1 << 10)
def _reduction(rank: int, reduced: tuple[int, ...], keepdims: bool) -> str:
    """The rule of a reduction: `input[a0 a1] -> [a0]`."""
    names = axis_names("a", rank)
    kept = ["1" if axis in reduced else name for axis, name in enumerate(names) if keepdims or axis not in reduced]
    return f"{array('input', names)} -> {array('', kept)}"


@irdl_op_definition
class ScanOp(GraphOp):
    """Prefix accumulation along an axis: `%1 = graph.scan "add" %0 axis 1 reverse false exclusive false : tensor<2x3xf32> ->
    tensor<2x3xf32>`."""

    name = "graph.scan"
    accumulator = prop_def(StringAttr)
    input = operand_def(TensorType)
    axis = prop_def(IntegerAttr[i64])
    reverse = prop_def(BoolAttr)
    exclusive = prop_def(BoolAttr)
    assembly_format = (
        "$accumulator $input `axis` $axis `reverse` $reverse `exclusive` $exclusive attr-dict "
        "`:` type($input) `->` type($result)"
    )

    def __init__(self, accumulator: str, input: SSAValue, axis: int, reverse: bool = False, exclusive: bool = False):
        flags = {"reverse": BoolAttr.from_bool(reverse), "exclusive": BoolAttr.from_bool(exclusive)}
        self.build_from([input], {"accumulator": StringAttr(accumulator), "axis": IntegerAttr(axis, i64), **flags})

    def infer(self) -> Attribute:
        expect_accumulator(self.accumulator.data, self.input, SCANS)
        expect_axis(self.axis.value.data, len(shape_of(self.input)))
        return self.input.type


def expect_accumulator(kind: str, value: SSAValue, known: Sequence[str]) -> None:
    """Raise VerifyException unless `kind` is one of the known accumulators and accepts the elements of `value`."""
    if kind not in known:
        raise VerifyException(f"expected one of {', '.join(known)} as accumulator, got '{kind}'")
    if not scalar(kind).accepts(element_dtype(value)):
        raise VerifyException(f"'{kind}' does not accumulate elements of dtype {element_dtype(value)}")
