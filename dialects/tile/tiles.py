"""The operations of kernels: program and lane indices, computation on tiles, masked loads and stores, loops, checks."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import (
    FloatAttr,
    IntegerAttr,
    MemRefType,
    StringAttr,
    VectorType,
    i1,
    i32,
    i64,
)
from xdsl.ir import Attribute, Block, Region, SSAValue
from xdsl.irdl import (
    AttrSizedOperandSegments,
    irdl_op_definition,
    operand_def,
    opt_operand_def,
    prop_def,
    region_def,
    result_def,
    traits_def,
    var_operand_def,
    var_result_def,
)
from xdsl.traits import IsTerminator, MemoryReadEffect, MemoryWriteEffect, NoTerminator, Pure
from xdsl.utils.exceptions import VerifyException

from ...ir.index.expressions import Index
from ...ir.op import Op
from ...ir.scalars.table import result_type, scalar
from ...ir.types.shapes import MapAttr, element_of
from ..loop.structure import CHECKS
from ..scalar_ops import map_attr
from .base import AccessOp, TileIndexedOp, element_dtype, element_type, has_atomic, lanes, tile_type


@irdl_op_definition
class ProgramIdOp(Op):
    """The index of the running program: `%p = tile.program_id : i64`."""

    name = "tile.program_id"
    result = result_def()
    traits = traits_def(Pure())
    assembly_format = "attr-dict `:` type($result)"

    def __init__(self, type: Attribute):
        super().__init__(result_types=[type])

    def verify_(self) -> None:
        if self.result.type not in (i32, i64):
            raise VerifyException(f"expected a result of i32 or i64, got {self.result.type}")


@irdl_op_definition
class ArangeOp(Op):
    """The index along the only axis longer than 1: `%l = tile.arange : vector<1x128xi64>`."""

    name = "tile.arange"
    result = result_def(VectorType)
    traits = traits_def(Pure())
    assembly_format = "attr-dict `:` type($result)"

    def __init__(self, type: Attribute):
        super().__init__(result_types=[type])

    @property
    def axis(self) -> int:
        return next((k for k, size in enumerate(lanes(self.result)) if size > 1), 0)

    def verify_(self) -> None:
        if sum(size > 1 for size in lanes(self.result)) > 1:
            raise VerifyException(f"expected one axis longer than 1, got {self.result.type}")
        if any(size & (size - 1) for size in lanes(self.result)):
            raise VerifyException(f"the sizes of a tile must be powers of two, got {self.result.type}")


@irdl_op_definition
class ConstantOp(Op):
    """A tile filled with one value: `%0 = tile.constant 1.0 : f32 : vector<1x1xf32>`."""

    name = "tile.constant"
    value = prop_def(FloatAttr | IntegerAttr)
    result = result_def(VectorType)
    traits = traits_def(Pure())
    assembly_format = "$value attr-dict `:` type($result)"

    def __init__(self, value: FloatAttr | IntegerAttr, shape: Sequence[int]):
        super().__init__(properties={"value": value}, result_types=[tile_type(shape, value.type)])

    def verify_(self) -> None:
        if self.value.type != element_type(self.result):
            raise VerifyException(f"expected a tile of {self.value.type}, got {self.result.type}")


@irdl_op_definition
class IndexOp(TileIndexedOp):
    """An index expression: `%k = tile.index [%p, %l] <(d0, d1) -> (d0 * 8 + d1)> : (i64, vector<8xi64>) -> vector<8xi64>`."""

    name = "tile.index"
    at = var_operand_def()
    map = prop_def(MapAttr)
    result = result_def()
    traits = traits_def(Pure())
    assembly_format = "`[` $at `]` $map attr-dict `:` functional-type($at, $result)"

    def __init__(self, expr: Index | int, at: Sequence[SSAValue], type: Attribute):
        super().__init__(operands=[at], properties={"map": map_attr(at, (expr,))}, result_types=[type])

    def verify_(self) -> None:
        self.verify_map(1)
        self.verify_shape(self.result)


@irdl_op_definition
class TestOp(TileIndexedOp):
    """Whether all expressions are >= 0: `%m = tile.test [%i] <(d0) -> (n - d0 - 1)> : (vector<64xi64>) -> vector<64xi1>`."""

    name = "tile.test"
    at = var_operand_def()
    map = prop_def(MapAttr)
    result = result_def(VectorType)
    traits = traits_def(Pure())
    assembly_format = "`[` $at `]` $map attr-dict `:` functional-type($at, $result)"

    def __init__(self, exprs: Sequence[Index], at: Sequence[SSAValue], shape: Sequence[int]):
        super().__init__(operands=[at], properties={"map": map_attr(at, exprs)}, result_types=[tile_type(shape, i1)])

    def verify_(self) -> None:
        self.verify_map(None)
        self.verify_shape(self.result)


@irdl_op_definition
class ComputeOp(Op):
    """A scalar function, lane by lane: `%2 = tile.compute "add"(%0, %1) : (vector<8xf32>, vector<8xf32>) -> vector<8xf32>`."""

    name = "tile.compute"
    function = prop_def(StringAttr)
    inputs = var_operand_def(VectorType)
    result = result_def(VectorType)
    traits = traits_def(Pure())
    assembly_format = "$function `(` $inputs `)` attr-dict `:` functional-type($inputs, $result)"

    def __init__(self, function: str, *inputs: SSAValue):
        element = result_type(scalar(function), [element_dtype(value) for value in inputs]).type
        super().__init__(
            operands=[inputs],
            properties={"function": StringAttr(function)},
            result_types=[tile_type(lanes(inputs[0]), element)],
        )

    def verify_(self) -> None:
        try:
            expected = result_type(scalar(self.function.data), [element_dtype(value) for value in self.inputs]).type
        except (LookupError, TypeError) as error:
            raise VerifyException(str(error.args[0])) from error
        if {lanes(value) for value in self.inputs} != {lanes(self.result)}:
            raise VerifyException("operands and result must have equal shapes")
        if element_type(self.result) != expected:
            raise VerifyException(f"'{self.function.data}' gives {expected}, got {self.result.type}")
        if self.function.data != "select" and any(element_dtype(v).compute != element_dtype(v) for v in self.inputs):
            raise VerifyException(f"'{self.function.data}' does not compute on half precision; cast first")


@irdl_op_definition
class CastOp(Op):
    """A conversion with the semantics of uop.cast: `%1 = tile.cast %0 : vector<64xi32> -> vector<64xf32>`."""

    name = "tile.cast"
    input = operand_def(VectorType)
    result = result_def(VectorType)
    traits = traits_def(Pure())
    assembly_format = "$input attr-dict `:` type($input) `->` type($result)"

    def __init__(self, input: SSAValue, element: Attribute):
        super().__init__(operands=[input], result_types=[tile_type(lanes(input), element)])

    def verify_(self) -> None:
        if lanes(self.input) != lanes(self.result):
            raise VerifyException("operand and result must have equal shapes")


@irdl_op_definition
class BroadcastOp(Op):
    """Repeats along axes of size 1: `%1 = tile.broadcast %0 : vector<64x1xf32> -> vector<64x32xf32>`."""

    name = "tile.broadcast"
    input = operand_def(VectorType)
    result = result_def(VectorType)
    traits = traits_def(Pure())
    assembly_format = "$input attr-dict `:` type($input) `->` type($result)"

    def __init__(self, input: SSAValue, shape: Sequence[int]):
        super().__init__(operands=[input], result_types=[tile_type(shape, element_type(input))])

    def verify_(self) -> None:
        source, target = lanes(self.input), lanes(self.result)
        if len(source) != len(target) or any(a not in (1, b) for a, b in zip(source, target, strict=True)):
            raise VerifyException(f"{self.input.type} does not broadcast to {self.result.type}")


@irdl_op_definition
class LoadOp(AccessOp):
    """`%v = tile.load %x[%i : vector<64xi64>] <(d0) -> (d0 * 4)> if %m : vector<64xi1> : memref<?xf32> -> vector<64xf32>`."""

    name = "tile.load"
    buffer = operand_def(MemRefType)
    at = var_operand_def()
    mask = opt_operand_def(VectorType)
    map = prop_def(MapAttr)
    result = result_def(VectorType)
    irdl_options = (AttrSizedOperandSegments(as_property=True),)
    traits = traits_def(MemoryReadEffect())
    assembly_format = (
        "$buffer (`[` $at^ `:` type($at) `]`)? $map (`if` $mask^ `:` type($mask))? attr-dict "
        "`:` type($buffer) `->` type($result)"
    )

    def __init__(self, buffer: SSAValue, offset: Index, at: Sequence[SSAValue], mask: SSAValue | None, shape: Sequence[int]):
        super().__init__(
            operands=[buffer, at, mask],
            properties={"map": map_attr(at, [offset])},
            result_types=[tile_type(shape, element_of(buffer))],
        )

    def verify_(self) -> None:
        self.verify_access(self.result)


@irdl_op_definition
class StoreOp(AccessOp):
    """`tile.store %v into %y[%i : vector<64xi64>] <(d0) -> (d0)> if %m : vector<64xi1> : vector<64xf32>, memref<?xf32>`."""

    name = "tile.store"
    value = operand_def(VectorType)
    buffer = operand_def(MemRefType)
    at = var_operand_def()
    mask = opt_operand_def(VectorType)
    map = prop_def(MapAttr)
    irdl_options = (AttrSizedOperandSegments(as_property=True),)
    traits = traits_def(MemoryWriteEffect())
    assembly_format = (
        "$value `into` $buffer (`[` $at^ `:` type($at) `]`)? $map (`if` $mask^ `:` type($mask))? attr-dict "
        "`:` type($value) `,` type($buffer)"
    )

    def __init__(self, value: SSAValue, buffer: SSAValue, offset: Index, at: Sequence[SSAValue], mask: SSAValue | None):
        super().__init__(operands=[value, buffer, at, mask], properties={"map": map_attr(at, [offset])})

    def verify_(self) -> None:
        self.verify_access(self.value)


@irdl_op_definition
class AtomicOp(AccessOp):
    """`tile.atomic "add" %v into %y[%i : vector<64xi64>] <(d0) -> (d0)> : vector<64xf32>, memref<?xf32>`: an atomic update, for
    elements that several lanes or programs update."""

    name = "tile.atomic"
    accumulator = prop_def(StringAttr)
    value = operand_def(VectorType)
    buffer = operand_def(MemRefType)
    at = var_operand_def()
    mask = opt_operand_def(VectorType)
    map = prop_def(MapAttr)
    irdl_options = (AttrSizedOperandSegments(as_property=True),)
    traits = traits_def(MemoryReadEffect(), MemoryWriteEffect())
    assembly_format = (
        "$accumulator $value `into` $buffer (`[` $at^ `:` type($at) `]`)? $map (`if` $mask^ `:` type($mask))? attr-dict "
        "`:` type($value) `,` type($buffer)"
    )

    def __init__(
        self,
        accumulator: str,
        value: SSAValue,
        buffer: SSAValue,
        offset: Index,
        at: Sequence[SSAValue],
        mask: SSAValue | None,
    ):
        super().__init__(
            operands=[value, buffer, at, mask],
            properties={"accumulator": StringAttr(accumulator), "map": map_attr(at, [offset])},
        )

    def verify_(self) -> None:
        self.verify_access(self.value)
        if not has_atomic(self.accumulator.data, element_dtype(self.value)):
            raise VerifyException(f"there is no atomic '{self.accumulator.data}' on {element_type(self.value)}")


@irdl_op_definition
class BarrierOp(Op):
    """Makes all earlier stores of the program visible to its later loads: `tile.barrier`."""

    name = "tile.barrier"
    traits = traits_def(MemoryReadEffect(), MemoryWriteEffect())
    assembly_format = "attr-dict"


@irdl_op_definition
class FinishOp(Op):
    """Runs its body in the last program to get here, when the stores of all others are visible: `tile.finish %counter { ...
    } : memref<1xi32>`. The counter counts the programs, and is 0 before the launch and after it."""

    name = "tile.finish"
    counter = operand_def(MemRefType)
    body = region_def("single_block")
    traits = traits_def(NoTerminator(), MemoryReadEffect(), MemoryWriteEffect())
    assembly_format = "$counter $body attr-dict `:` type($counter)"

    def __init__(self, counter: SSAValue):
        super().__init__(operands=[counter], regions=[Region(Block())])

    def verify_(self) -> None:
        if element_of(self.counter) != i32 or self.counter.type.get_shape() != (1,):  # type: ignore[attr-defined]
            raise VerifyException(f"expected a counter of type memref<1xi32>, got {self.counter.type}")


@irdl_op_definition
class YieldOp(Op):
    """Terminates a loop's body with the next carried tiles: `tile.yield %acc : vector<64xf32>`."""

    name = "tile.yield"
    values = var_operand_def()
    traits = traits_def(IsTerminator())
    assembly_format = "attr-dict ($values^ `:` type($values))?"

    def __init__(self, *values: SSAValue):
        super().__init__(operands=[values])


@irdl_op_definition
class ForOp(TileIndexedOp):
    """`for k in range(lower, upper, step)` with carried tiles: `%s = tile.for <() -> (0, n)> step 64 carry(%z : ...) -> ...
    {`."""

    name = "tile.for"
    at = var_operand_def()
    carried = var_operand_def(VectorType)
    map = prop_def(MapAttr)
    step = prop_def(IntegerAttr[i64])
    results_ = var_result_def(VectorType)
    body = region_def("single_block")
    irdl_options = (AttrSizedOperandSegments(as_property=True),)
    assembly_format = (
        "(`[` $at^ `:` type($at) `]`)? $map `step` $step "
        "(`carry` `(` $carried^ `:` type($carried) `)` `->` type($results_))? attr-dict-with-keyword $body"
    )

    def __init__(
        self,
        bounds: Sequence[Index | int],
        at: Sequence[SSAValue],
        step: int,
        carried: Sequence[SSAValue],
        width: Attribute,
    ):
        types = [value.type for value in carried]
        super().__init__(
            operands=[at, carried],
            properties={"map": map_attr(at, bounds), "step": IntegerAttr(step, i64)},
            result_types=[types],
            regions=[Region(Block(arg_types=[width, *types]))],
        )

    @property
    def induction(self) -> SSAValue:
        return self.body.block.args[0]

    @property
    def carried_args(self) -> tuple[SSAValue, ...]:
        return tuple(self.body.block.args[1:])

    def verify_(self) -> None:
        self.verify_map(2)
        types = [value.type for value in self.carried]
        if self.step.value.data < 1:
            raise VerifyException(f"step must be at least 1, got {self.step.value.data}")
        if any(lanes(value) for value in self.operands_at):
            raise VerifyException("a loop's bounds must be scalars")
        if [arg.type for arg in self.body.block.args[1:]] != types or self.induction.type not in (i32, i64):
            raise VerifyException("the body's arguments must be the index and the carried tiles")
        if [result.type for result in self.results] != types:
            raise VerifyException("results must have the types of the carried tiles")
        last = self.body.block.last_op
        if not isinstance(last, YieldOp) or [value.type for value in last.values] != types:
            raise VerifyException(f"the body must end with tile.yield of ({', '.join(map(str, types))})")


@irdl_op_definition
class CheckOp(Op):
    """Makes the program fail, at its end, if `failed` is true in a lane; `number` is that of the check in the program, from 1.

    `tile.check "index" 1 %value, %limit if %failed : vector<64xi64>, vector<64xi64>, vector<64xi1>`
    """

    name = "tile.check"
    kind = prop_def(StringAttr)
    number = prop_def(IntegerAttr[i64])
    value = operand_def(VectorType)
    limit = operand_def(VectorType)
    failed = operand_def(VectorType)
    traits = traits_def(MemoryWriteEffect())
    assembly_format = (
        "$kind $number $value `,` $limit `if` $failed attr-dict `:` type($value) `,` type($limit) `,` type($failed)"
    )

    def __init__(self, kind: str, number: int, value: SSAValue, limit: SSAValue, failed: SSAValue):
        super().__init__(
            operands=[value, limit, failed],
            properties={"kind": StringAttr(kind), "number": IntegerAttr(number, i64)},
        )

    def verify_(self) -> None:
        if self.kind.data not in CHECKS:
            raise VerifyException(f"kind must be one of {', '.join(CHECKS)}, got '{self.kind.data}'")
        if len({lanes(operand) for operand in self.operands}) != 1:
            raise VerifyException("operands must have equal shapes")
