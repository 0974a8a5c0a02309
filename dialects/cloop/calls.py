"""Calls of functions on the C level, and the selection between pointers."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from xdsl.dialects.builtin import FlatSymbolRefAttrConstr, SymbolRefAttr
from xdsl.dialects.func import FuncOp
from xdsl.ir import Operation, SSAValue
from xdsl.irdl import (
    AttrSizedOperandSegments,
    irdl_op_definition,
    operand_def,
    opt_prop_def,
    prop_def,
    result_def,
    traits_def,
    var_operand_def,
)
from xdsl.traits import MemoryReadEffect, MemoryWriteEffect, Pure
from xdsl.utils.exceptions import VerifyException

from ...ir.index.expressions import Index
from ...ir.nesting import operations
from ...ir.op import Op
from ...ir.types.shapes import MapAttr
from ..callees import callee_for_sizes, callee_of
from ..scalar_ops import INDEX, IndexedOp, map_attr
from .base import MayFail, PointerType, pointed_to


@irdl_op_definition
class PickOp(IndexedOp):
    """The selection `expression >= 0 ? a : b` of a pointer: `%p = cloop.pick %a, %b[%k] <(d0) -> (d0)> : (...) ->
    !cloop.ptr<f32, "">`."""

    name = "cloop.pick"
    first = operand_def(PointerType)
    second = operand_def(PointerType)
    at = var_operand_def()
    map = prop_def(MapAttr)
    result = result_def(PointerType)
    traits = traits_def(Pure())
    assembly_format = "$first `,` $second `[` $at `]` $map attr-dict `:` functional-type(operands, $result)"

    def __init__(self, first: SSAValue, second: SSAValue, condition: Index, at: Sequence[SSAValue], qualifier: str):
        super().__init__(
            operands=[first, second, at],
            properties={"map": map_attr(at, [condition])},
            result_types=[PointerType.of(pointed_to(first), qualifier)],
        )

    def verify_(self) -> None:
        self.verify_map(1)
        elements = [pointed_to(each) for each in (self.first, self.second, self.result)]
        if any(each != elements[0] for each in elements):
            raise VerifyException(f"expected pointers to one type, got {', '.join(map(str, elements))}")


@irdl_op_definition
class CallOp(Op):
    """A call: `cloop.call @f(%p, %q) [%i] : !cloop.ptr<f32, "const">, !cloop.ptr<f32, "">`.

    The callee gets the caller's parameters, or other values for them (`sizes <() -> (s0 * 4)>`), and indices as further
    parameters. If it fails, so does the caller. A function called in a loop that threads share must not fail: such a loop has
    no early exit.
    """

    name = "cloop.call"
    function = prop_def(FlatSymbolRefAttrConstr)
    pointers = var_operand_def(PointerType)
    indices = var_operand_def(INDEX)
    sizes = opt_prop_def(MapAttr)
    traits = traits_def(MemoryReadEffect(), MemoryWriteEffect())
    irdl_options = (AttrSizedOperandSegments(as_property=True),)
    assembly_format = "$function `(` $pointers `)` (`sizes` $sizes^)? (`[` $indices^ `]`)? attr-dict `:` type($pointers)"

    def __init__(
        self,
        function: str,
        pointers: Sequence[SSAValue],
        indices: Sequence[SSAValue] = (),
        sizes: MapAttr | None = None,
    ):
        super().__init__(operands=[pointers, indices], properties={"function": SymbolRefAttr(function), "sizes": sizes})

    @property
    def callee(self) -> FuncOp:
        """The called function."""
        if self.sizes is None:
            return callee_of(self, self.function, len(self.indices))
        return callee_for_sizes(self, self.function, self.sizes, len(self.indices))

    def verify_(self) -> None:
        taken = list(self.callee.function_type.inputs)
        elements = [each.element if isinstance(each, PointerType) else None for each in taken]
        if [pointed_to(each) for each in self.pointers] != elements:
            given = [each.type for each in self.pointers]
            expected, found = (", ".join(map(str, types)) for types in (taken, given))
            raise VerifyException(f"'{self.function.root_reference.data}' takes ({expected}), but is called with ({found})")
        if _is_shared(self) and may_fail(self.callee):
            name = self.function.root_reference.data
            raise VerifyException(f"'{name}' may fail, and must not be called in a loop that threads share")


def may_fail(function: FuncOp) -> bool:
    """Whether a function of the C level contains an operation that may fail, or a call of such a function."""
    return any(may_fail(op.callee) if isinstance(op, CallOp) else _kind_may_fail(type(op)) for op in operations(function))


@cache
def _kind_may_fail(kind: type[Operation]) -> bool:
    return kind.has_trait(MayFail, value_if_unregistered=False)


def _is_shared(op: Operation) -> bool:
    """Whether threads share an enclosing loop of an operation."""
    parent = op.parent_op()
    while parent is not None and not isinstance(parent, FuncOp):
        if "threads" in parent.properties:
            return True
        parent = parent.parent_op()
    return False
