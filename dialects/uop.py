"""The uop level: about a dozen micro-ops over tensors in single-static-assignment form.

This is the level on which programs have their meaning: the NumPy interpreter of these operations is the oracle for
everything else, and gradients and compositions of index maps are taken here. It may contain `func.func`, `func.return` and
the operations below, and lowers to `loop`.

Invariants
- Operands of `uop.map` have exactly the result's shape; broadcasting is a `uop.reindex`.
- The scalar function of a map and the accumulator of a reduction are rows of the scalar table.
- Every size is an index expression over parameters that the function's arguments determine, or over its `$params`.
- A `uop.reindex` without `fill` never reads outside: its map is proven in bounds, or goes through index tensors, which are
  checked at run time. With `fill`, an index outside, or a guard that is negative, gives the fill value.

Maps: dimensions `d0 ... d<r-1>` are the result's indices (for a scatter, the updates'), followed by one dimension for each
index tensor: the element loaded from it at its own map in `index_maps`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, cast

from xdsl.dialects.builtin import (
    ArrayAttr,
    DenseIntOrFPElementsAttr,
    FloatAttr,
    IntegerAttr,
    StringAttr,
    TensorType,
    i64,
)
from xdsl.ir import Attribute, Dialect, Operation, SSAValue
from xdsl.irdl import (
    BaseAttr,
    VarConstraint,
    irdl_op_definition,
    operand_def,
    opt_prop_def,
    prop_def,
    result_def,
    var_operand_def,
)

from ..ir.dtypes import dtype_of
from ..ir.index import Index, dim, index, product
from ..ir.scalars import result_type, scalar
from ..ir.shapes import IndexMap, MapAttr, Shape, element_of, format_shape, row_major, shape_of, tensor_type
from ..ir.simplify import Ranges
from .scalar_ops import verify_accumulator
from .uop_base import MicroOp, expect_axis, expect_shape, fail
from .uop_folds import FoldOp, RecurrenceOp, ReduceOp, ScanOp, YieldOp
from .uop_iterate import IterateOp

BOUNDS = ("fill", "error")


def index_maps_attr(dims: int, indices: Sequence[tuple[SSAValue, Sequence[Index | int]]]) -> ArrayAttr[MapAttr] | None:
    """Where each index tensor is read, over the `dims` dimensions of the result (or of the updates)."""
    return ArrayAttr(MapAttr(IndexMap.of(dims, at)) for _, at in indices) if indices else None


@irdl_op_definition
class ConstantOp(MicroOp):
    """A tensor of one value everywhere, or of given elements.

    `%0 = uop.constant 1.0 : f32 : tensor<?xf32, #sw.shape<[n]>>`
    """

    name = "uop.constant"
    value = prop_def(FloatAttr | IntegerAttr | DenseIntOrFPElementsAttr)
    result = result_def(TensorType)
    assembly_format = "$value attr-dict `:` type($result)"

    def __init__(self, value: Attribute, type: Attribute):
        super().__init__(properties={"value": value}, result_types=[type])

    def verify_(self) -> None:
        kind = self.value.type if not isinstance(self.value, DenseIntOrFPElementsAttr) else self.value.get_element_type()
        if kind != element_of(self.result):
            raise fail(f"expected a value of type {element_of(self.result)}, got {kind}")
        if isinstance(self.value, DenseIntOrFPElementsAttr):
            expect_shape(self.result, tuple(map(index, self.value.get_shape())), "result")


@irdl_op_definition
class IotaOp(MicroOp):
    """The index along one axis: `%0 = uop.iota 1 : tensor<2x3xi64>` is [[0, 1, 2], [0, 1, 2]]."""

    name = "uop.iota"
    axis = prop_def(IntegerAttr[i64])
    result = result_def(TensorType)
    assembly_format = "$axis attr-dict `:` type($result)"

    def __init__(self, axis: int, type: Attribute):
        super().__init__(properties={"axis": IntegerAttr(axis, i64)}, result_types=[type])

    def verify_(self) -> None:
        expect_axis(self.axis.value.data, self.shape)


@irdl_op_definition
class MapOp(MicroOp):
    """A scalar function, elementwise: `%2 = uop.map "add"(%0, %1) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>`."""

    name = "uop.map"
    function = prop_def(StringAttr)
    inputs = var_operand_def(TensorType)
    result = result_def(TensorType)
    assembly_format = "$function `(` $inputs `)` attr-dict `:` functional-type($inputs, $result)"

    def __init__(self, function: str, *inputs: SSAValue):
        element = result_type(scalar(function), [dtype_of(element_of(value)) for value in inputs]).type
        super().__init__(
            operands=[inputs],
            properties={"function": StringAttr(function)},
            result_types=[tensor_type(shape_of(inputs[0]), element)],
        )

    def verify_(self) -> None:
        try:
            function = scalar(self.function.data)
            expected = result_type(function, [dtype_of(element_of(value)) for value in self.inputs]).type
        except (LookupError, TypeError) as error:
            raise fail(str(error.args[0])) from error
        for position, value in enumerate(self.inputs):
            expect_shape(value, self.shape, f"operand {position} of '{function.name}'")
        if element_of(self.result) != expected:
            raise fail(f"'{function.name}' gives {expected}, got {element_of(self.result)}")


@irdl_op_definition
class CastOp(MicroOp):
    """Conversion of the element type: `%1 = uop.cast %0 : tensor<4xi32> -> tensor<4xf32>`. Floats become integers by
    truncation, saturating, NaN as 0; anything becomes bool by `!= 0`."""

    name = "uop.cast"
    input = operand_def(TensorType)
    result = result_def(TensorType)
    assembly_format = "$input attr-dict `:` type($input) `->` type($result)"

    def __init__(self, input: SSAValue, element: Attribute):
        super().__init__(operands=[input], result_types=[tensor_type(shape_of(input), element)])

    def verify_(self) -> None:
        expect_shape(self.input, self.shape, "operand")


class IndexedOp(MicroOp):
    """What reindex and scatter share: a map that may go through index tensors, guards, and what happens outside."""

    FIXED_OPERANDS: ClassVar[int]

    def loads(self) -> list[tuple[SSAValue, IndexMap]]:
        """The index tensors, each with the map that says where it is read."""
        return list(zip(self.operands[self.FIXED_OPERANDS :], self._index_maps(), strict=True))

    def _index_maps(self) -> tuple[IndexMap, ...]:
        maps = cast("ArrayAttr[MapAttr] | None", self.properties.get("index_maps"))
        return tuple(attribute.data for attribute in maps) if maps is not None else ()

    def guard_exprs(self) -> tuple[Index, ...]:
        """Expressions that must be non-negative for the element to take part."""
        guards = self.properties.get("guards")
        return cast("MapAttr", guards).data.results if guards is not None else ()

    def verify_indices(self, domain: Shape, access: IndexMap, target: Shape) -> None:
        tensors = self.operands[self.FIXED_OPERANDS :]
        maps = len(self._index_maps())
        if maps != len(tensors):
            raise fail(f"expected one index map for each of {len(tensors)} index tensors, got {maps}")
        ranges = Ranges.of_shape(domain)
        for value, index_map in self.loads():
            shape = shape_of(value)
            if dtype_of(element_of(value)).kind not in ("int", "uint"):
                raise fail(f"index tensors hold integers, got {element_of(value)}")
            self._verify_map(index_map, len(domain), len(shape), "index map")
            if not all(ranges.within(at, size) for at, size in zip(index_map.results, shape, strict=True)):
                raise fail(f"index map {index_map} is not proven in bounds of {format_shape(shape)}")
        self._verify_map(access, len(domain) + len(tensors), len(target), "map")
        guards = cast("MapAttr | None", self.properties.get("guards"))
        if guards is not None and guards.data.dims != access.dims:
            raise fail(f"guards: expected {access.dims} dimensions, got {guards.data.dims}")

    @staticmethod
    def _verify_map(map: IndexMap, dims: int, results: int, what: str) -> None:
        if map.dims != dims:
            raise fail(f"{what}: expected {dims} dimensions, got {map.dims}")
        if len(map.results) != results:
            raise fail(f"{what}: expected {results} results, got {len(map.results)}")


@irdl_op_definition
class ReindexOp(IndexedOp):
    """`result[i] = source[map(i)]`: broadcast, transpose, slice, pad, flip, window, reshape, gather.

    `%1 = uop.reindex %0 <(d0, d1) -> (d1, d0)> : (tensor<2x3xf32>) -> tensor<3x2xf32>`; a gather reads its index tensor at
    its own map: `uop.reindex %0 <(d0, d1, d2) -> (d2, d1)> indexed [%at] [#sw.map<(d0, d1) -> (d0)>] : ...`
    """

    name = "uop.reindex"
    FIXED_OPERANDS: ClassVar[int] = 1
    source = operand_def(TensorType)
    indices = var_operand_def(TensorType)
    map = prop_def(MapAttr)
    index_maps = opt_prop_def(ArrayAttr[MapAttr])
    guards = opt_prop_def(MapAttr)
    fill = opt_prop_def(FloatAttr | IntegerAttr)
    result = result_def(TensorType)
    assembly_format = (
        "$source $map (`indexed` `[` $indices^ `]` $index_maps)? (`guard` $guards^)? (`fill` $fill^)? attr-dict "
        "`:` functional-type(operands, $result)"
    )

    def __init__(
        self,
        source: SSAValue,
        shape: Sequence[Index | int],
        results: Sequence[Index | int],
        *,
        indices: Sequence[tuple[SSAValue, Sequence[Index | int]]] = (),
        guards: Sequence[Index] = (),
        fill: Attribute | None = None,
    ):
        dims = len(shape) + len(indices)
        super().__init__(
            operands=[source, [value for value, _ in indices]],
            properties={
                "map": MapAttr(IndexMap.of(dims, results)),
                "index_maps": index_maps_attr(len(shape), indices),
                "guards": MapAttr(IndexMap.of(dims, guards)) if guards else None,
                "fill": fill,
            },
            result_types=[tensor_type(shape, element_of(source))],
        )

    def verify_(self) -> None:
        if element_of(self.source) != element_of(self.result):
            raise fail(f"expected a result of {element_of(self.source)}, got {element_of(self.result)}")
        self.verify_indices(self.shape, self.map.data, shape_of(self.source))
        if self.fill is not None:
            if self.fill.type != element_of(self.result):
                raise fail(f"fill: expected a value of {element_of(self.result)}, got {self.fill.type}")
            return
        if self.guards is not None:
            raise fail("guards need a fill value")
        ranges = Ranges.of_shape(self.shape)
        for axis, (at, size) in enumerate(zip(self.map.data.results, shape_of(self.source), strict=True)):
            if any(position >= len(self.shape) for position in at.dims()):
                continue  # goes through an index tensor: checked at run time
            if not ranges.within(at, size):
                raise fail(f"index {at} of axis {axis} is not proven inside 0 <= index < {size}; give a fill value")


@irdl_op_definition
class ScatterOp(IndexedOp):
    """The adjoint of reindex: the result is `init`, and for each index u of `updates`, in row-major order,
    `result[map(u)] = accumulator(result[map(u)], updates[u])`; with "set" the last update wins.

    Updates with a negative guard are left out. An index outside is an IndexError with `bounds = "error"`, and is left out
    with "fill".

    `%2 = uop.scatter "add" %init %updates <(d0, d1) -> (d1)> indexed [%at] [#sw.map<(d0) -> (d0)>] bounds "error" : ...`
    """

    name = "uop.scatter"
    FIXED_OPERANDS: ClassVar[int] = 2
    accumulator = prop_def(StringAttr)
    init = operand_def(TensorType)
    updates = operand_def(TensorType)
    indices = var_operand_def(TensorType)
    map = prop_def(MapAttr)
    index_maps = opt_prop_def(ArrayAttr[MapAttr])
    guards = opt_prop_def(MapAttr)
    bounds = prop_def(StringAttr)
    result = result_def(TensorType)
    assembly_format = (
        "$accumulator $init $updates $map (`indexed` `[` $indices^ `]` $index_maps)? (`guard` $guards^)? `bounds` $bounds "
        "attr-dict `:` functional-type(operands, $result)"
    )

    def __init__(
        self,
        accumulator: str,
        init: SSAValue,
        updates: SSAValue,
        results: Sequence[Index | int],
        *,
        indices: Sequence[tuple[SSAValue, Sequence[Index | int]]] = (),
        guards: Sequence[Index] = (),
        bounds: str = "error",
    ):
        rank = len(shape_of(updates))
        dims = rank + len(indices)
        super().__init__(
            operands=[init, updates, [value for value, _ in indices]],
            properties={
                "accumulator": StringAttr(accumulator),
                "map": MapAttr(IndexMap.of(dims, results)),
                "index_maps": index_maps_attr(rank, indices),
                "guards": MapAttr(IndexMap.of(dims, guards)) if guards else None,
                "bounds": StringAttr(bounds),
            },
            result_types=[init.type],
        )

    def verify_(self) -> None:
        if self.init.type != self.result.type:
            raise fail(f"expected a result of {self.init.type}, got {self.result.type}")
        if element_of(self.updates) != element_of(self.result):
            raise fail(f"expected updates of {element_of(self.result)}, got {element_of(self.updates)}")
        if self.bounds.data not in BOUNDS:
            raise fail(f"bounds must be one of {', '.join(BOUNDS)}, got '{self.bounds.data}'")
        if self.accumulator.data != "set":
            verify_accumulator(self.accumulator.data, element_of(self.updates))
        self.verify_indices(shape_of(self.updates), self.map.data, self.shape)


@irdl_op_definition
class InterleaveOp(MicroOp):
    """Tensors of equal shape as the rows of many small matrices, one behind the other along the last axis of the result.

    `%y = uop.interleave (%0, %1) : (tensor<2x16xf32>, tensor<2x16xf32>) -> tensor<60xf32>`: element (i, j) of source k of r
    goes to (i * r + k) * 16 + j, and what would lie behind the end is left out. Axes in front stay as they are where the result
    has them; those that it does not have count through the matrices.
    """

    name = "uop.interleave"
    sources = var_operand_def(TensorType)
    result = result_def(TensorType)
    assembly_format = "`(` $sources `)` attr-dict `:` functional-type($sources, $result)"

    def __init__(self, sources: Sequence[SSAValue], shape: Sequence[Index | int]):
        super().__init__(operands=[sources], result_types=[tensor_type(shape, element_of(sources[0]))])

    def places(self, source: int) -> tuple[Index, ...]:
        """Where the elements of a source go, over its indices."""
        whole, kept = shape_of(self.sources[0]), len(self.shape) - 1
        matrix = row_major(whole[kept:-1], [dim(axis) for axis in range(kept, len(whole) - 1)])
        last = (matrix * len(self.sources) + source) * whole[-1] + dim(len(whole) - 1)
        return (*(dim(axis) for axis in range(kept)), last)

    def verify_(self) -> None:
        if not self.sources or len(shape_of(self.sources[0])) < 2:
            raise fail("expected sources with two axes")
        for position, value in enumerate(self.sources):
            if value.type != self.sources[0].type:
                raise fail(f"source {position}: expected {self.sources[0].type}, got {value.type}")
        whole, kept = shape_of(self.sources[0]), max(0, min(len(self.shape), len(shape_of(self.sources[0])) - 1) - 1)
        lead, rest = whole[:kept], whole[kept:]
        if element_of(self.sources[0]) != element_of(self.result) or self.shape[:-1] != lead:
            kind = tensor_type([*lead, rest[0]], element_of(self.sources[0]))
            raise fail(f"expected a result like {kind}, got {self.result.type}")
        given = product(rest) * len(self.sources)
        if not Ranges.of_shape((*self.shape, *rest)).nonnegative(given - self.shape[-1]):
            raise fail(f"expected rows of {self.shape[-1]} elements together, got {given}")


@irdl_op_definition
class FenceOp(MicroOp):
    """The same tensor, but what is computed from it is computed anew, and not before other tensors are there.

    `%1 = uop.fence %0 after (%g : tensor<2xf32>) : tensor<4xf32>`. Nothing behind a fence becomes one with what stands before
    it.
    """

    name = "uop.fence"
    T: ClassVar = VarConstraint("T", BaseAttr(TensorType))
    input = operand_def(T)
    after = var_operand_def(TensorType)
    result = result_def(T)
    assembly_format = "$input `after` `(` ($after^ `:` type($after))? `)` attr-dict `:` type($result)"

    def __init__(self, input: SSAValue, after: Sequence[SSAValue]):
        super().__init__(operands=[input, after], result_types=[input.type])


OPS: tuple[type[Operation], ...] = (
    ConstantOp, IotaOp, MapOp, CastOp, ReindexOp, ReduceOp, ScatterOp, ScanOp, RecurrenceOp, FoldOp, IterateOp,
    YieldOp, InterleaveOp, FenceOp,
)  # fmt: skip

Uop = Dialect("uop", list(OPS), [])
