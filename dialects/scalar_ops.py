"""Bases of the operations of the levels below the graph: index expressions over integers, scalar operations, accumulators.

`loop` and `cloop` each define their own operations from these bases, so that scalars have the same semantics on both levels.
"""

from __future__ import annotations

import struct
from collections.abc import Sequence
from functools import cache, lru_cache
from typing import Any, ClassVar, NamedTuple, Self, cast

from xdsl.dialects.builtin import (
    DenseArrayBase,
    FloatAttr,
    IndexType,
    IntegerAttr,
    IntegerType,
    StringAttr,
    VectorType,
    i1,
    i32,
    i64,
)
from xdsl.ir import Attribute, SSAValue
from xdsl.irdl import VarOperandDef, operand_def, prop_def, result_def, traits_def, var_operand_def
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import Pure
from xdsl.utils.exceptions import VerifyException

from ..ir.index.expressions import Atom, Dim, Index, IndexLike, dim, index
from ..ir.op import Op, string_attr
from ..ir.scalars.table import result_type, scalar
from ..ir.types.dtypes import dtype_of
from ..ir.types.shapes import IndexMap, MapAttr

INDEX = IndexType()


def lanes_of(kind: Attribute) -> int | None:
    """The number of lanes of a vector type, None for a scalar."""
    if not isinstance(kind, VectorType):
        return None
    (lanes,) = kind.get_shape()
    return lanes


def element_type(kind: Attribute) -> Attribute:
    """The type of a vector's lanes; a scalar's own type."""
    return cast("VectorType[Attribute]", kind).element_type if isinstance(kind, VectorType) else kind


@cache
def with_lanes(element: Attribute, lanes: int | None) -> Attribute:
    """The type of vectors of `element` with `lanes` lanes, or `element` itself for None."""
    return element if lanes is None else VectorType(element, [lanes])


def call_type(function: str, operands: Sequence[Attribute]) -> Attribute:
    """The result type of a scalar function for operands of these types; vectors are computed lane by lane.

    Raises LookupError for an unknown function, TypeError for operands that it does not accept.
    """
    counts = {lanes_of(kind) for kind in operands}
    if len(counts) > 1:
        raise TypeError(f"'{function}': expected operands with the same number of lanes, got {', '.join(map(str, operands))}")
    element = result_type(scalar(function), [dtype_of(element_type(kind)) for kind in operands]).type
    return with_lanes(element, counts.pop() if counts else None)


class _Place(NamedTuple):
    """The index of `at` among an operation's operand definitions, their number, and whether `at` is the only variadic one."""

    position: int
    kinds: int
    is_alone: bool


@cache
def _place_of_at(kind: type[Op]) -> _Place:
    operands = kind.get_irdl_definition().operands
    varying = sum(isinstance(definition, VarOperandDef) for _, definition in operands)  # includes optional ones
    return _Place([name for name, _ in operands].index("at"), len(operands), varying == 1)


@lru_cache(maxsize=1 << 8)
def _segment_sizes(data: bytes) -> tuple[int, ...]:
    return tuple(size for (size,) in struct.iter_unpack("<i", data))  # as xDSL packs i32, on all machines


def _part(operands: tuple[SSAValue, ...], start: int, end: int) -> tuple[SSAValue, ...]:
    """A range of the operands as a plain tuple, bypassing the slower slicing of xDSL's own tuple class."""
    return tuple.__getitem__(operands, slice(start, end))


class IndexedOp(Op):
    """An operation with index expressions (`map`) over the integers `at`, and possibly guards over the same integers."""

    @property
    def operands_at(self) -> tuple[SSAValue, ...]:
        # A hot path of all passes: xDSL's accessor needs 6 to 20 calls for the same.
        operands, place = self._operands, _place_of_at(type(self))
        if place.is_alone:
            end = len(operands) - (place.kinds - place.position - 1)
            return tuple.__getitem__(operands, slice(place.position, end))  # as `_part`
        segments = self.properties.get("operandSegmentSizes")
        if isinstance(segments, DenseArrayBase) and len(segments.data.data) == 4 * place.kinds:
            sizes = _segment_sizes(segments.data.data)
            if sum(sizes) == len(operands) and min(sizes) >= 0:
                first = sum(sizes[: place.position])
                return _part(operands, first, first + sizes[place.position])
        return tuple(cast("Sequence[SSAValue]", self.at))  # type: ignore[attr-defined] - an operand of every subclass

    def set_operands_at(self, values: Sequence[SSAValue]) -> None:
        """Replace the integers that the expressions are over; the caller replaces the maps."""
        position = _place_of_at(type(self)).position
        segments = cast("DenseArrayBase[IntegerType] | None", self.properties.get("operandSegmentSizes"))
        sizes = list(segments.get_values()) if segments is not None else [1] * position
        first = int(sum(sizes[:position]))
        behind = first + len(self.operands_at)
        self.operands = [*self.operands[:first], *values, *self.operands[behind:]]
        if segments is not None:
            sizes[position] = len(values)
            self.properties["operandSegmentSizes"] = DenseArrayBase.from_list(i32, cast("list[int]", sizes))

    @property
    def index_map(self) -> IndexMap:
        found: Any = self.properties["map"]  # a hot path of all passes, in which a cast is a call
        return found.data

    @property
    def guard_exprs(self) -> tuple[Index, ...]:
        """Expressions over `at` that must all be non-negative."""
        guards: Any = self.properties.get("guards")
        return guards.data.results if guards is not None else ()

    def verify_map(self, results: int | None) -> None:
        count = len(self.operands_at)
        for value in self.operands_at:
            if value.type != INDEX and dtype_of(value.type).kind not in ("int", "uint"):
                raise VerifyException(f"index operands are indices or integers, got {value.type}")
        for what in ("map", "guards"):
            attribute = cast("MapAttr | None", self.properties.get(what))
            if attribute is not None and attribute.data.dims != count:
                raise VerifyException(f"{what}: expected {count} dimensions, got {attribute.data.dims}")
        if results is not None and len(self.index_map.results) != results:
            raise VerifyException(f"map: expected {results} results, got {len(self.index_map.results)}")


def constant_trips(lower: Index, upper: Index, step: int) -> int | None:
    """The trip count of a loop, if it is constant."""
    extent = (upper - lower).constant
    return None if extent is None else max(0, -(-extent // step))


def map_attr(at: Sequence[SSAValue], results: Sequence[Index | int]) -> MapAttr:
    """The attribute of expressions whose dimension k is operand k of `at`."""
    return _map_attr(len(at), tuple(map(index, results)))


@lru_cache(maxsize=1 << 12)  # a program has few distinct accesses
def _map_attr(dims: int, results: tuple[Index, ...]) -> MapAttr:
    return MapAttr(IndexMap(dims, results))


def only_used(exprs: Sequence[Index], at: Sequence[SSAValue]) -> tuple[tuple[Index, ...], tuple[SSAValue, ...]]:
    """Restrict expressions to the integers of `at` that occur in them. Returns both."""
    used = sorted(frozenset().union(*(expr.dims() for expr in exprs)))
    places: dict[Atom, IndexLike] = {Dim(position): dim(k) for k, position in enumerate(used)}
    return tuple(expr.substitute(places) for expr in exprs), tuple(at[position] for position in used)


def guard_attr(at: Sequence[SSAValue], guards: Sequence[Index]) -> MapAttr | None:
    return map_attr(at, guards) if guards else None


def verify_locality(locality: IntegerAttr | None) -> None:
    """Raise VerifyException for a locality that `__builtin_prefetch` does not accept (0 to 3); None is its default."""
    if locality is not None and locality.value.data not in range(4):
        raise VerifyException(f"expected a locality of 0 to 3, got {locality.value.data}")


def verify_boundary(boundary: IntegerAttr, element: Attribute) -> None:
    """Raise VerifyException unless the number of bytes is a power of two and a multiple of the element's size."""
    size, itemsize = boundary.value.data, dtype_of(element).itemsize
    if size < itemsize or size & (size - 1):
        raise VerifyException(f"expected a power of two of at least {itemsize} bytes, got {size}")


def verify_accumulator(name: str, element: Attribute) -> None:
    """Raise VerifyException unless `name` is a scalar function that accumulates elements of this type."""
    try:
        function = scalar(name)
        result_type(function, [dtype_of(element)] * 2)
    except (LookupError, TypeError) as error:
        raise VerifyException(str(error.args[0])) from error
    if function.identity is None:
        raise VerifyException(f"'{name}' is not an accumulator: it has no identity")


class ConstantBase(Op):
    """A scalar: `%0 = loop.constant 1.0 : f32`."""

    value = prop_def(FloatAttr | IntegerAttr)
    result = result_def()
    traits = traits_def(Pure())

    def __init__(self, value: FloatAttr | IntegerAttr):
        super().__init__(properties={"value": value}, result_types=[value.type])

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        attributes = parser.parse_optional_attr_dict()
        value = parser.parse_attribute()
        if not isinstance(value, FloatAttr | IntegerAttr):
            parser.raise_error("expected a number")
        op = cls(value)
        op.attributes.update(attributes)
        return op

    def print(self, printer: Printer) -> None:
        printer.print_op_attributes(self.attributes)
        printer.print_string(" ")
        printer.print_attribute(self.value)

    def verify_(self) -> None:
        if self.value.type != self.result.type:
            raise VerifyException(f"expected a result of {self.value.type}, got {self.result.type}")


class IndexBase(IndexedOp):
    """An index expression as an integer: `%k = loop.index [%i, %j] <(d0, d1) -> (d0 * 4 + d1)> : (index, index) -> i64`."""

    at = var_operand_def()
    map = prop_def(MapAttr)
    result = result_def(i64)
    traits = traits_def(Pure())
    assembly_format = "`[` $at `]` $map attr-dict `:` functional-type($at, $result)"

    def __init__(self, expr: Index | int, at: Sequence[SSAValue]):
        super().__init__(operands=[at], properties={"map": map_attr(at, (expr,))}, result_types=[i64])

    def verify_(self) -> None:
        self.verify_map(1)


class TestBase(IndexedOp):
    """Whether all index expressions are non-negative: `%c = loop.test [%i] <(d0) -> (d0 - 1)> : (index) -> i1`."""

    at = var_operand_def()
    map = prop_def(MapAttr)
    result = result_def(i1)
    traits = traits_def(Pure())
    assembly_format = "`[` $at `]` $map attr-dict `:` functional-type($at, $result)"

    def __init__(self, exprs: Sequence[Index], at: Sequence[SSAValue]):
        super().__init__(operands=[at], properties={"map": map_attr(at, exprs)}, result_types=[i1])

    def verify_(self) -> None:
        self.verify_map(None)


class ComputeBase(Op):
    """A scalar function: `%2 = loop.compute "add"(%0, %1) : (f32, f32) -> f32`."""

    VECTORS: ClassVar[bool] = False
    function = prop_def(StringAttr)
    inputs = var_operand_def()
    result = result_def()
    traits = traits_def(Pure())
    assembly_format = "$function `(` $inputs `)` attr-dict `:` functional-type($inputs, $result)"

    def __init__(self, function: str, *inputs: SSAValue):
        kind = call_type(function, [value.type for value in inputs])
        super().__init__(operands=[inputs], properties={"function": string_attr(function)}, result_types=[kind])

    def verify_(self) -> None:
        verify_scalars(self)
        try:
            expected = call_type(self.function.data, [value.type for value in self.inputs])
        except (LookupError, TypeError) as error:
            raise VerifyException(str(error.args[0])) from error
        if self.result.type != expected:
            raise VerifyException(f"'{self.function.data}' gives {expected}, got {self.result.type}")
        if self.function.data != "select":
            self._verify_precision()

    def _verify_precision(self) -> None:
        """Raise VerifyException for operands that are stored in fewer bits than they are computed with."""
        for value in self.inputs:
            kind = dtype_of(element_type(value.type))
            if kind.compute is not kind:
                raise VerifyException(f"'{self.function.data}' computes in {kind.compute}, not in {kind}: cast its operands")


class CastBase(Op):
    """A scalar conversion with the meaning of uop.cast: `%1 = loop.cast %0 : i32 -> f32`."""

    VECTORS: ClassVar[bool] = False
    input = operand_def()
    result = result_def()
    traits = traits_def(Pure())
    assembly_format = "$input attr-dict `:` type($input) `->` type($result)"

    def __init__(self, input: SSAValue, element: Attribute):
        super().__init__(operands=[input], result_types=[element])

    def verify_(self) -> None:
        verify_scalars(self)
        if lanes_of(self.input.type) != lanes_of(self.result.type):
            raise VerifyException(f"expected the same number of lanes, got {self.input.type} and {self.result.type}")
        for type in (self.input.type, self.result.type):
            try:
                dtype_of(element_type(type))
            except TypeError as error:
                raise VerifyException(str(error)) from error


def verify_scalars(op: ComputeBase | CastBase) -> None:
    """Raise VerifyException for a vector on a level without vectors."""
    vector = next((value.type for value in (*op.operands, *op.results) if lanes_of(value.type) is not None), None)
    if vector is not None and not op.VECTORS:
        raise VerifyException(f"expected scalars, got {vector}")
