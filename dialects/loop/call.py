"""The call of a function on the loop level, with its own sizes."""

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
    """A call of a function of buffers: `loop.call @f sizes <() -> (s0, s0 * 4)> with (%x : ...) into (%y : ...)`.

    It is at the top level of a function. The callee's inputs are the buffers of `with`, which it only reads; its outputs are
    those of `into`, which it may read and write. An output must not repeat. `sizes` are the values of the callee's parameters,
    over those of the caller.
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
        """The called function."""
        return callee_for_sizes(self, self.function, self.sizes)

    @property
    def places(self) -> dict[Atom, IndexLike]:
        """The substitution of the callee's parameters by the caller's expressions."""
        return {Param(name): size for name, size in zip(function_params(self.callee), self.sizes.data.results, strict=True)}

    def verify_(self) -> None:
        name = self.function.root_reference.data
        if not isinstance(self.parent_op(), FuncOp):
            raise VerifyException("expected at the top level of a function")
        if input_count(self.callee) != len(self.reads_):
            raise VerifyException(f"'{name}' has {input_count(self.callee) or 'no'} inputs, but gets {len(self.reads_)}")
        if len(set(self.operands)) != len(set(self.reads_)) + len(self.writes_):
            raise VerifyException("an output buffer must differ from all other buffers")
        places = self.places
        expected = [substituted(each, places) for each in self.callee.function_type.inputs]
        if expected != [each.type for each in self.operands]:
            taken, found = (", ".join(map(str, types)) for types in (expected, [each.type for each in self.operands]))
            raise VerifyException(f"'{name}' takes ({taken}), but is called with ({found})")
