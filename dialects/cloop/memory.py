"""Memory of the C level: allocations, the share of each thread, and pointers into them."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import DenseIntOrFPElementsAttr, IntegerAttr, UnitAttr, i8, i64
from xdsl.ir import Attribute, Block, SSAValue
from xdsl.irdl import (
    irdl_op_definition,
    operand_def,
    opt_prop_def,
    prop_def,
    result_def,
    traits_def,
    var_operand_def,
)
from xdsl.traits import Pure
from xdsl.utils.exceptions import VerifyException

from ...ir.index.expressions import Index
from ...ir.op import Op
from ...ir.types.shapes import MapAttr
from ..scalar_ops import map_attr, verify_boundary
from .base import ElementOp, MayFail, PointerType, pointed_to


@irdl_op_definition
class AllocateOp(Op):
    """Memory for `count` elements, freed when the function returns: `%t = cloop.allocate <() -> (n * 4)> : !cloop.ptr<...>`. It
    is aligned to 64 bytes. With `each_thread` it has `count` elements for each thread."""

    name = "cloop.allocate"
    count = prop_def(MapAttr)
    each_thread = opt_prop_def(UnitAttr)
    result = result_def(PointerType)
    traits = traits_def(MayFail())
    assembly_format = "$count (`each_thread` $each_thread^)? attr-dict `:` type($result)"

    def __init__(self, count: Index, type: Attribute, each_thread: bool = False):
        super().__init__(
            properties={"count": map_attr((), [count]), "each_thread": UnitAttr() if each_thread else None},
            result_types=[type],
        )

    def verify_(self) -> None:
        if self.count.data.dims != 0 or len(self.count.data.results) != 1:
            raise VerifyException("the count must be one expression over parameters")


@irdl_op_definition
class ArenaOp(Op):
    """Memory for all temporaries of a call: `%m = cloop.arena <() -> (n * 64, 128)> : !cloop.ptr<i8, "">` has n * 64 bytes, and
    128 for each thread. It is aligned to 64 bytes, and kept for later calls."""

    name = "cloop.arena"
    size = prop_def(MapAttr)
    result = result_def(PointerType)
    traits = traits_def(MayFail())
    assembly_format = "$size attr-dict `:` type($result)"

    def __init__(self, shared: Index, each_thread: Index):
        super().__init__(properties={"size": map_attr((), [shared, each_thread])}, result_types=[PointerType.of(i8, "")])

    def verify_(self) -> None:
        if self.size.data.dims != 0 or len(self.size.data.results) != 2:
            raise VerifyException("the size must be two expressions over parameters")


@irdl_op_definition
class SliceOp(Op):
    """A range of the arena, or of bytes that a function gets as an argument: `%t = cloop.slice %m <() -> (n * 64, 0)> :
    !cloop.ptr<i8, ""> -> !cloop.ptr<f32, "restrict">`.

    Its offset from the start of the arena, or from another slice, is the first number of bytes, and the second for each thread.
    """

    name = "cloop.slice"
    arena = operand_def(PointerType)
    offset = prop_def(MapAttr)
    result = result_def(PointerType)
    assembly_format = "$arena $offset attr-dict `:` type($arena) `->` type($result)"

    def __init__(self, arena: SSAValue, shared: Index, each_thread: Index, type: Attribute):
        super().__init__(operands=[arena], properties={"offset": map_attr((), [shared, each_thread])}, result_types=[type])

    def verify_(self) -> None:
        if self.offset.data.dims != 0 or len(self.offset.data.results) != 2:
            raise VerifyException("the offset must be two expressions over parameters")
        if not isinstance(self.arena.owner, ArenaOp | SliceOp | Block) or pointed_to(self.arena) != i8:
            raise VerifyException("expected an arena, a slice of one, or bytes as a function's argument")


@irdl_op_definition
class ThreadOp(Op):
    """The number of the running thread, from 0: `%t = cloop.thread : i64`."""

    name = "cloop.thread"
    result = result_def(i64)
    assembly_format = "attr-dict `:` type($result)"

    def __init__(self):
        super().__init__(result_types=[i64])


@irdl_op_definition
class OffsetOp(ElementOp):
    """`pointer + offset`: `%q = cloop.offset %p[%t] <(d0) -> (d0 * 64)> : (!cloop.ptr<f32, "restrict">, i64) -> !cloop.ptr<f32,
    "restrict">`."""

    name = "cloop.offset"
    pointer = operand_def(PointerType)
    at = var_operand_def()
    map = prop_def(MapAttr)
    result = result_def(PointerType)
    traits = traits_def(Pure())
    assembly_format = "$pointer `[` $at `]` $map attr-dict `:` functional-type(operands, $result)"

    def __init__(self, pointer: SSAValue, offset: Index, at: Sequence[SSAValue]):
        super().__init__(operands=[pointer, at], properties={"map": map_attr(at, [offset])}, result_types=[pointer.type])

    def verify_(self) -> None:
        self.verify_element(pointed_to(self.result))


@irdl_op_definition
class DataOp(Op):
    """A static array of constants: `%c = cloop.data dense<[1.0, 2.0]> : tensor<2xf32> : !cloop.ptr<f32, "const">`."""

    name = "cloop.data"
    value = prop_def(DenseIntOrFPElementsAttr)
    result = result_def(PointerType)
    assembly_format = "$value attr-dict `:` type($result)"

    def __init__(self, value: DenseIntOrFPElementsAttr, type: Attribute):
        super().__init__(properties={"value": value}, result_types=[type])

    def verify_(self) -> None:
        kind = self.result.type
        if not isinstance(kind, PointerType) or kind.element != self.value.get_element_type():
            raise VerifyException(f"expected a pointer to {self.value.get_element_type()}, got {kind}")


@irdl_op_definition
class MisalignmentOp(Op):
    """The number of elements between the last multiple of `bytes` bytes and a pointer, `((uintptr_t)pointer & 63) / 4`: `%k =
    cloop.misalignment %p bytes 64 : !cloop.ptr<f32, "const"> -> i64`."""

    name = "cloop.misalignment"
    pointer = operand_def(PointerType)
    bytes = prop_def(IntegerAttr[i64])
    result = result_def(i64)
    traits = traits_def(Pure())
    assembly_format = "$pointer `bytes` $bytes attr-dict `:` type($pointer) `->` type($result)"

    def __init__(self, pointer: SSAValue, bytes: IntegerAttr):
        super().__init__(operands=[pointer], properties={"bytes": bytes}, result_types=[i64])

    def verify_(self) -> None:
        verify_boundary(self.bytes, pointed_to(self.pointer))
