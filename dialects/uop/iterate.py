"""The micro-op that runs a function of whole tensors step after step."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from xdsl.dialects.builtin import BoolAttr, TensorType
from xdsl.ir import Attribute, Block, Region, SSAValue
from xdsl.irdl import (
    AttrSizedOperandSegments,
    irdl_op_definition,
    prop_def,
    region_def,
    traits_def,
    var_operand_def,
    var_result_def,
)
from xdsl.traits import IsolatedFromAbove, Pure

from ...ir.index.expressions import Index
from ...ir.types.shapes import MapAttr, Shape, element_of, format_shape, shape_of, tensor_type
from ..scalar_ops import map_attr
from .base import fail, listed
from .folds import CarryingOp, YieldOp


@irdl_op_definition
class IterateOp(CarryingOp):
    """Carries tensors from step to step, by any function of tensors.

    `%s, %y = uop.iterate (%i : tensor<4xf32>) over (%x : tensor<3x4xf32>) with (%w : tensor<4x4xf32>) times <() -> (3)>
    reverse false -> tensor<4xf32>, tensor<3x2xf32>
    { ^bb0(%a: tensor<4xf32>, %b: tensor<4xf32>, %c: tensor<4x4xf32>): ...; uop.yield %d, %e : tensor<4xf32>, tensor<2xf32> }`

    The body takes what is carried, at first `init`, the step's entry of each of the stacked inputs, and what is the same for
    all steps; it yields what is carried on, and after that what it computed in this step. The results are what is carried
    behind the last step, and what was computed in each, stacked. With `reverse` the last entry is the first.
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
        """How many steps there are."""
        return self.times.data.results[0]

    @property
    def backwards(self) -> bool:
        """Whether the last entry is the first."""
        return bool(self.reverse.value.data)

    def verify_(self) -> None:
        if self.times.data.dims != 0 or len(self.times.data.results) != 1:
            raise fail("the number of steps is one expression over parameters")
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
        _expect_types("to carry on", [each.type for each in self.yielded[: len(carried)]], carried)
        computed = [stacked_type(each, self.length) for each in self.yielded[len(carried) :]]
        _expect_types("results of", [each.type for each in self.results], [*carried, *computed])


def stacked_type(entry: SSAValue, length: Index) -> Attribute:
    """The type of so many tensors of the type of one, along a new first axis."""
    return tensor_type((length, *shape_of(entry)), element_of(entry))


def entry_type(value: SSAValue) -> Attribute:
    """The type of an entry along the first axis."""
    return tensor_type(entry_shape(value), element_of(value))


def entry_shape(value: SSAValue) -> Shape:
    """The sizes of an entry along the first axis."""
    return shape_of(value)[1:]


def _expect_types(what: str, found: Iterable[Attribute], wanted: Iterable[Attribute]) -> None:
    """Raise VerifyException unless the types are those that are wanted."""
    found, wanted = list(found), list(wanted)
    if found != wanted:
        raise fail(f"expected {what} {listed(wanted)}, got {listed(found)}")
