"""The operation of the loop level that runs a function once, for sizes of its own."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import FlatSymbolRefAttrConstr, MemRefType, SymbolRefAttr
from xdsl.dialects.func import FuncOp
from xdsl.ir import SSAValue
from xdsl.irdl import (
    AttrSizedOperandSegments,
    irdl_op_definition,
    prop_def,
    traits_def,
    var_operand_def,
)
from xdsl.traits import MemoryReadEffect, MemoryWriteEffect
from xdsl.utils.exceptions import VerifyException

from ...ir.functions.entry import function_params, input_count
from ...ir.functions.substitution import substituted
from ...ir.index.expressions import Atom, Index, IndexLike, Param
from ...ir.op import Op
from ...ir.types.shapes import MapAttr
from ..callees import callee_for_sizes
from ..scalar_ops import map_attr


@irdl_op_definition
class CallOp(Op):
    """Runs a function of buffers: `loop.call @f sizes <() -> (s0, s0 * 4)> with (%x : ...) into (%y : ...)`.

    It stands at the top of a function. What it runs takes the buffers of `with` as inputs, which it only reads, and those of
    `into`, which it may read, too, as outputs; none of these is given twice. `sizes` are the values of its parameters, over
    those of the function around.
    """

    name = "loop.call"
    function = prop_def(FlatSymbolRefAttrConstr)
    sizes = prop_def(MapAttr)
    reads_ = var_operand_def(MemRefType)
    writes_ = var_operand_def(MemRefType)
    traits = traits_def(MemoryReadEffect(), MemoryWriteEffect())
    irdl_options = (AttrSizedOperandSegments(as_property=True),)
    assembly_format = (
        "$function `sizes` $sizes `with` `(` ($reads_^ `:` type($reads_))? `)` "
        "`into` `(` ($writes_^ `:` type($writes_))? `)` attr-dict"
    )

    def __init__(self, function: str, sizes: Sequence[Index], reads: Sequence[SSAValue], writes: Sequence[SSAValue]):
        super().__init__(
            operands=[reads, writes], properties={"function": SymbolRefAttr(function), "sizes": map_attr((), sizes)}
        )

    @property
    def reads(self) -> list[SSAValue]:
        """The buffers that are only read."""
        return list(self.reads_)

    @property
    def writes(self) -> list[SSAValue]:
        """The buffers that are written."""
        return list(self.writes_)

    @property
    def callee(self) -> FuncOp:
        """The function that is run."""
        return callee_for_sizes(self, self.function, self.sizes)

    @property
    def places(self) -> dict[Atom, IndexLike]:
        """What stands here for each of the function's parameters."""
        return {Param(name): size for name, size in zip(function_params(self.callee), self.sizes.data.results, strict=True)}

    def verify_(self) -> None:
        name = self.function.root_reference.data
        if not isinstance(self.parent_op(), FuncOp):
            raise VerifyException("expected at the top of a function")
        if input_count(self.callee) != len(self.reads_):
            raise VerifyException(f"'{name}' has {input_count(self.callee) or 'no'} inputs, is given {len(self.reads_)}")
        if len(set(self.operands)) != len(set(self.reads_)) + len(self.writes_):
            raise VerifyException("what is written can't be another one of the buffers")
        places = self.places
        expected = [substituted(each, places) for each in self.callee.function_type.inputs]
        if expected != [each.type for each in self.operands]:
            taken, found = (", ".join(map(str, types)) for types in (expected, [each.type for each in self.operands]))
            raise VerifyException(f"'{name}' takes ({taken}), is run with ({found})")
