"""The micro-ops that read or write through an index map, which may contain elements of index tensors."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from xdsl.dialects.builtin import ArrayAttr, BoolAttr, FloatAttr, IntegerAttr, StringAttr, TensorType
from xdsl.ir import Attribute, SSAValue
from xdsl.irdl import irdl_op_definition, operand_def, opt_prop_def, prop_def, result_def, var_operand_def
from xdsl.utils.exceptions import VerifyException

from ...ir.index.expressions import Index
from ...ir.index.simplify import Ranges
from ...ir.types.dtypes import dtype_of
from ...ir.types.shapes import IndexMap, MapAttr, Shape, element_of, format_shape, shape_of, tensor_type
from ..scalar_ops import verify_accumulator
from .base import MicroOp, fail

BOUNDS = ("fill", "error")


def access_properties(
    rank: int,
    results: Sequence[Index | int],
    indices: Sequence[tuple[SSAValue, Sequence[Index | int]]],
    guards: Sequence[Index],
) -> dict[str, Attribute | None]:
    """The properties of an access over the indices of a tensor of `rank`: its map, that of each index tensor, and guards."""
    dims = rank + len(indices)
    return {
        "map": MapAttr(IndexMap.of(dims, results)),
        "index_maps": ArrayAttr(MapAttr(IndexMap.of(rank, at)) for _, at in indices) if indices else None,
        "guards": MapAttr(IndexMap.of(dims, guards)) if guards else None,
    }


class OutOfBounds(VerifyException):
    """An index that is not proven in bounds of an axis of a `size`. If there is a `slack`, the index is in bounds for sizes
    that make `slack >= 0`. `params` has the parameters that decide, those of the index first."""

    def __init__(self, message: str, slack: Index | None, size: Index, params: Sequence[str]):
        super().__init__(message)
        self.slack, self.size, self.params = slack, size, params


class IndexedOp(MicroOp):
    """Base of reindex and scatter: a map that may contain elements of index tensors, and guards."""

    FIXED_OPERANDS: ClassVar[int]
    map = prop_def(MapAttr)
    index_maps = opt_prop_def(ArrayAttr[MapAttr])
    guards = opt_prop_def(MapAttr)

    def loads(self) -> list[tuple[SSAValue, IndexMap]]:
        """The index tensors, each with the map that it is read at."""
        maps = [attribute.data for attribute in self.index_maps or ()]
        return list(zip(self.operands[self.FIXED_OPERANDS :], maps, strict=True))

    def guard_exprs(self) -> tuple[Index, ...]:
        """Expressions that must be non-negative for an element to be accessed."""
        return self.guards.data.results if self.guards is not None else ()

    def verify_indices(self, domain: Shape, access: IndexMap, target: Shape) -> None:
        tensors = self.operands[self.FIXED_OPERANDS :]
        maps = len(self.index_maps or ())
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
        if self.guards is not None and self.guards.data.dims != access.dims:
            raise fail(f"guards: expected {access.dims} dimensions, got {self.guards.data.dims}")

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
        super().__init__(
            operands=[source, [value for value, _ in indices]],
            properties={**access_properties(len(shape), results, indices, guards), "fill": fill},
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
                continue  # contains an element of an index tensor: checked at run time
            if not ranges.within(at, size):
                message = f"index {at} of axis {axis} is not proven inside 0 <= index < {size}; give a fill value"
                highest = ranges.bound(ranges.simplify(at), upper=True) if ranges.nonnegative(at) else None
                slack = size - 1 - highest if highest is not None else None
                params = dict.fromkeys(name for each in (at, size, *self.shape) for name in each.params())
                raise OutOfBounds(message, slack, size, tuple(params))


@irdl_op_definition
class ScatterOp(IndexedOp):
    """The adjoint of reindex: the result is `init`, and for each index u of `updates`, in row-major order, `result[map(u)] =
    accumulator(result[map(u)], updates[u])`; with "set" the last update wins.

    Updates with a negative guard are skipped. An index out of bounds raises IndexError with `bounds = "error"`, and is skipped
    with "fill".

    `%2 = uop.scatter "add" %init %updates <(d0, d1) -> (d1)> indexed [%at] [#sw.map<(d0) -> (d0)>] bounds "error" : ...`
    """

    name = "uop.scatter"
    FIXED_OPERANDS: ClassVar[int] = 2
    accumulator = prop_def(StringAttr)
    init = operand_def(TensorType)
    updates = operand_def(TensorType)
    indices = var_operand_def(TensorType)
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
        super().__init__(
            operands=[init, updates, [value for value, _ in indices]],
            properties={
                "accumulator": StringAttr(accumulator),
                **access_properties(len(shape_of(updates)), results, indices, guards),
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
class ScatterRecurrenceOp(IndexedOp):
    """A linear recurrence for each element of `init`, over the updates that go to it. `last` is `init`, and for each index u of
    `input`, in row-major order, `before[u] = last[map(u)]` and then `last[map(u)] = factors[u] * last[map(u)] + input[u]`.

    `reverse` runs from the last update to the first. Updates that a scatter skips are skipped, with 0 in `before`. It is to a
    scatter what a recurrence is to a reduction: the gradient of a scattered product consists of such recurrences, and so does
    the gradient of one.

    `%last, %before = uop.scatter_recurrence %init, %a, %x <(d0, d1) -> (d1)> indexed [%at] [#sw.map<(d0) -> (d0)>] bounds
    "error" reverse false : ...`
    """

    name = "uop.scatter_recurrence"
    FIXED_OPERANDS: ClassVar[int] = 3
    init = operand_def(TensorType)
    factors = operand_def(TensorType)
    input = operand_def(TensorType)
    indices = var_operand_def(TensorType)
    bounds = prop_def(StringAttr)
    reverse = prop_def(BoolAttr)
    last = result_def(TensorType)
    before = result_def(TensorType)
    assembly_format = (
        "$init `,` $factors `,` $input $map (`indexed` `[` $indices^ `]` $index_maps)? (`guard` $guards^)? `bounds` $bounds "
        "`reverse` $reverse attr-dict `:` functional-type(operands, results)"
    )

    def __init__(
        self,
        init: SSAValue,
        factors: SSAValue,
        input: SSAValue,
        results: Sequence[Index | int],
        *,
        indices: Sequence[tuple[SSAValue, Sequence[Index | int]]] = (),
        guards: Sequence[Index] = (),
        bounds: str = "error",
        reverse: bool = False,
    ):
        super().__init__(
            operands=[init, factors, input, [value for value, _ in indices]],
            properties={
                **access_properties(len(shape_of(input)), results, indices, guards),
                "bounds": StringAttr(bounds),
                "reverse": BoolAttr.from_bool(reverse),
            },
            result_types=[init.type, input.type],
        )

    def verify_(self) -> None:
        expected = (("factors", self.factors, self.input), ("last", self.last, self.init), ("before", self.before, self.input))
        for what, value, like in expected:
            if value.type != like.type:
                raise fail(f"{what}: expected {like.type}, got {value.type}")
        if element_of(self.input) != element_of(self.init):
            raise fail(f"expected an input of {element_of(self.init)}, got {element_of(self.input)}")
        if self.bounds.data not in BOUNDS:
            raise fail(f"bounds must be one of {', '.join(BOUNDS)}, got '{self.bounds.data}'")
        verify_accumulator("add", element_of(self.input))
        self.verify_indices(shape_of(self.input), self.map.data, self.shape)
