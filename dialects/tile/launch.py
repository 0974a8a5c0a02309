"""The launch plan: the operations of the tile level outside of kernels."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import (
    DenseIntOrFPElementsAttr,
    FlatSymbolRefAttrConstr,
    IntegerAttr,
    MemRefType,
    SymbolRefAttr,
    i32,
    i64,
)
from xdsl.dialects.func import FuncOp
from xdsl.ir import Attribute, SSAValue
from xdsl.irdl import irdl_op_definition, opt_prop_def, prop_def, result_def, var_operand_def
from xdsl.traits import SymbolTable
from xdsl.utils.exceptions import VerifyException

from ...ir.index.expressions import Index, index
from ...ir.op import Op
from ...ir.types.shapes import MapAttr, element_of, shape_of
from ..loop.iterate import IterateBase
from ..scalar_ops import map_attr


@irdl_op_definition
class AllocOp(Op):
    """A temporary buffer with the lifetime of the call: `%t = tile.alloc : memref<4xf32>`."""

    name = "tile.alloc"
    result = result_def(MemRefType)
    assembly_format = "attr-dict `:` type($result)"

    def __init__(self, type: Attribute):
        super().__init__(result_types=[type])


@irdl_op_definition
class DataOp(Op):
    """A buffer of constant elements: `%c = tile.data dense<[1.0, 2.0]> : tensor<2xf32> : memref<2xf32>`."""

    name = "tile.data"
    value = prop_def(DenseIntOrFPElementsAttr)
    result = result_def(MemRefType)
    assembly_format = "$value attr-dict `:` type($result)"

    def __init__(self, value: DenseIntOrFPElementsAttr, type: Attribute):
        super().__init__(properties={"value": value}, result_types=[type])

    def verify_(self) -> None:
        if tuple(map(index, self.value.get_shape())) != shape_of(self.result):
            raise VerifyException("the shapes of data and buffer must be equal")
        if self.value.get_element_type() != element_of(self.result):
            raise VerifyException(f"expected a buffer of {self.value.get_element_type()}, got {self.result.type}")


@irdl_op_definition
class CounterOp(Op):
    """The counter of a `tile.finish`, 0 before and after each launch: `%c = tile.counter : memref<1xi32>`."""

    name = "tile.counter"
    result = result_def(MemRefType)
    assembly_format = "attr-dict `:` type($result)"

    def __init__(self):
        super().__init__(result_types=[MemRefType(i32, [1])])

    def verify_(self) -> None:
        if self.result.type != MemRefType(i32, [1]):
            raise VerifyException(f"expected a counter of type memref<1xi32>, got {self.result.type}")


@irdl_op_definition
class LaunchOp(Op):
    """Launches a kernel in a grid of programs: `tile.launch @k <() -> (n ceildiv 256)> warps 4 stages 3 (%x, %y) :
    memref<?xf32>, ...`, optionally only `when` expressions over parameters are non-negative."""

    name = "tile.launch"
    kernel = prop_def(FlatSymbolRefAttrConstr)
    grid = prop_def(MapAttr)
    warps = prop_def(IntegerAttr[i64])
    stages = prop_def(IntegerAttr[i64])
    when = opt_prop_def(MapAttr)
    buffers = var_operand_def(MemRefType)
    assembly_format = (
        "$kernel $grid `warps` $warps `stages` $stages (`when` $when^)? `(` $buffers `)` attr-dict `:` type($buffers)"
    )

    def __init__(
        self,
        kernel: str,
        grid: Index,
        warps: int,
        stages: int,
        buffers: Sequence[SSAValue],
        when: Sequence[Index] = (),
    ):
        super().__init__(
            operands=[buffers],
            properties={
                "kernel": SymbolRefAttr(kernel),
                "grid": map_attr((), [grid]),
                "warps": IntegerAttr(warps, i64),
                "stages": IntegerAttr(stages, i64),
                "when": map_attr((), when) if when else None,
            },
        )

    @property
    def programs(self) -> Index:
        return self.grid.data.results[0]

    @property
    def conditions(self) -> tuple[Index, ...]:
        """The expressions that must be non-negative for the kernel to run."""
        return self.when.data.results if self.when is not None else ()

    def verify_(self) -> None:
        if self.grid.data.dims != 0 or len(self.grid.data.results) != 1:
            raise VerifyException("the grid must be one expression over parameters")
        if self.when is not None and self.when.data.dims != 0:
            raise VerifyException("the conditions of a launch must be expressions over parameters")
        name = self.kernel.root_reference.data
        found = SymbolTable.lookup_symbol(self, self.kernel)
        if not isinstance(found, FuncOp) or "sw.kernel" not in found.attributes:
            raise VerifyException(f"there is no kernel '{name}'")
        expected = list(found.function_type.inputs)
        given = [buffer.type for buffer in self.buffers]
        if given != expected:
            taken, found = (", ".join(map(str, types)) for types in (expected, given))
            raise VerifyException(f"'{name}' takes ({taken}), but is called with ({found})")


@irdl_op_definition
class IterateOp(IterateBase):
    """`tile.iterate @f times <() -> (n)> reverse false from (%i : ...) last (%l : ...) spare (%s : ...) over (%x : ...) with ()
    into (%y : ...)` runs the launch plan `@f` for each of n steps, as `loop.iterate` calls a function."""

    name = "tile.iterate"
