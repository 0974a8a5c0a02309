"""Shapes and index maps as attributes, and the tensor and memref types that contain them.

A static shape is that of MLIR's own types. A dynamic size is `?` in the type, with its expression in the encoding:
`tensor<?x4xf32, #sw.shape<[n, 4]>>` has sizes `n` and 4, where `n` is a parameter of the function. Two types are equal when
their sizes are equal as index expressions. Buffers have the shape in a dictionary in place of the memory space,
`memref<?x4xf32, {shape = #sw.shape<[n, 4]>}>`, since MLIR accepts no other attribute of an unregistered dialect there.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, cached_property, lru_cache
from typing import TypeAlias, cast

from xdsl.dialects.builtin import DYNAMIC_INDEX, DictionaryAttr, MemRefType, NoneAttr, TensorType
from xdsl.ir import Attribute, Data, Dialect, SSAValue
from xdsl.irdl import irdl_attr_definition
from xdsl.parser import AttrParser
from xdsl.printer import Printer

from ..index.expressions import ZERO, Atom, Dim, Index, IndexLike, dim, index, param, product
from ..index.parser import dims_or_params, parse_expression

Shape: TypeAlias = tuple[Index, ...]

# Compared with the class of a type, since `isinstance` with xDSL's classes is a call of Python, and on a hot path.
_SHAPED = (MemRefType, TensorType)


@cache
def _dims(count: int) -> tuple[Dim, ...]:
    return tuple(Dim(k) for k in range(count))


@lru_cache(maxsize=1 << 13)  # every pass applies the maps of the same accesses
def _applied(results: tuple[Index, ...], operands: tuple[IndexLike, ...]) -> tuple[Index, ...]:
    replacements: dict[Atom, IndexLike] = dict(zip(_dims(len(operands)), operands, strict=True))
    return tuple(result.substitute(replacements) for result in results)


@dataclass(frozen=True)
class IndexMap:
    """`(d0, ..., d<dims-1>) -> results`: a map from loop or result indices to the indices of an access."""

    dims: int
    results: tuple[Index, ...]

    @staticmethod
    def of(dims: int, results: Sequence[IndexLike]) -> IndexMap:
        return IndexMap(dims, tuple(index(result) for result in results))

    @staticmethod
    def identity(dims: int) -> IndexMap:
        return IndexMap(dims, tuple(dim(k) for k in range(dims)))

    def apply(self, operands: Sequence[IndexLike]) -> tuple[Index, ...]:
        """The results with dimension k replaced by operand k."""
        assert len(operands) == self.dims, f"a map of {self.dims} dimensions applied to {len(operands)} operands"
        return _applied(self.results, tuple(operands))

    @cached_property
    def is_simplest(self) -> bool:
        """Whether ranges of the dimensions could not simplify it, and all of its dimensions are used."""
        used = {number for result in self.results for number in result.dims()}
        return len(used) == self.dims and all(result.is_polynomial for result in self.results)

    def params(self) -> tuple[str, ...]:
        """Names of the parameters in the results, in order of appearance."""
        return tuple(dict.fromkeys(name for result in self.results for name in result.params()))

    def __str__(self) -> str:
        dims = ", ".join(f"d{k}" for k in range(self.dims))
        return f"({dims}) -> ({', '.join(map(str, self.results))})"


@irdl_attr_definition
class ShapeAttr(Data[Shape]):
    """`#sw.shape<[n, 4, n * 2 + 1]>`: the sizes of a type with dynamic axes."""

    name = "sw.shape"

    @classmethod
    def parse_parameter(cls, parser: AttrParser) -> Shape:
        with parser.in_angle_brackets():
            sizes = parser.parse_comma_separated_list(parser.Delimiter.SQUARE, lambda: _parse(parser, names_only=True))
        return tuple(sizes)

    def print_parameter(self, printer: Printer) -> None:
        printer.print_string(f"<[{', '.join(map(str, self.data))}]>")


@irdl_attr_definition
class MapAttr(Data[IndexMap]):
    """`#sw.map<(d0, d1) -> (d1, d0 + n)>`."""

    name = "sw.map"

    @classmethod
    def parse_parameter(cls, parser: AttrParser) -> IndexMap:
        with parser.in_angle_brackets():
            names = parser.parse_comma_separated_list(parser.Delimiter.PAREN, parser.parse_identifier)
            for position, name in enumerate(names):
                if name != f"d{position}":
                    parser.raise_error(f"expected dimension 'd{position}', got '{name}'")
            parser.parse_punctuation("->")
            results = parser.parse_comma_separated_list(parser.Delimiter.PAREN, lambda: _parse(parser))
        beyond = {k for result in results for k in result.dims() if k >= len(names)}
        if beyond:
            parser.raise_error(f"dimension 'd{min(beyond)}' is not among the map's {len(names)} dimensions")
        return IndexMap(len(names), tuple(results))

    def print_parameter(self, printer: Printer) -> None:
        printer.print_string(f"<{self.data}>")


Sw = Dialect("sw", [], [ShapeAttr, MapAttr])


def tensor_type(shape: Sequence[IndexLike], element: Attribute) -> TensorType[Attribute]:
    """The tensor type of these sizes; it has an encoding if a size is not constant."""
    return _tensor_type(tuple(shape), element)


def memref_type(shape: Sequence[IndexLike], element: Attribute) -> MemRefType[Attribute]:
    """The type of a contiguous, row-major buffer of these sizes."""
    return _memref_type(tuple(shape), element)


# Cached: a program has few types, and each consists of several attributes.
@lru_cache(maxsize=1 << 10)
def _tensor_type(shape: tuple[IndexLike, ...], element: Attribute) -> TensorType[Attribute]:
    sizes, encoding = _sizes(shape)
    return TensorType(element, sizes, encoding if encoding is not None else NoneAttr())


@lru_cache(maxsize=1 << 10)
def _memref_type(shape: tuple[IndexLike, ...], element: Attribute) -> MemRefType[Attribute]:
    sizes, encoding = _sizes(shape)
    return MemRefType(element, sizes, memory_space=DictionaryAttr({"shape": encoding}) if encoding is not None else NoneAttr())


def shape_of(value: SSAValue | Attribute) -> Shape:
    """The sizes of a tensor or memref. Raises TypeError for a dynamic axis without an encoding, and for an encoding that
    contradicts the type."""
    kind = value.type if isinstance(value, SSAValue) else value
    if type(kind) not in _SHAPED:
        raise TypeError(f"expected a tensor or memref type, got {kind}")
    kind = cast("TensorType[Attribute] | MemRefType[Attribute]", kind)
    sizes = kind.get_shape()
    encoding = kind.encoding if type(kind) is TensorType else cast("MemRefType[Attribute]", kind).memory_space
    if isinstance(encoding, DictionaryAttr):
        encoding = encoding.data.get("shape")
    if isinstance(encoding, ShapeAttr):
        if len(encoding.data) != len(sizes) or any(
            size != (DYNAMIC_INDEX if expr.constant is None else expr.constant)
            for size, expr in zip(sizes, encoding.data, strict=False)
        ):
            raise TypeError(f"the sizes in {kind} contradict each other")
        return encoding.data
    if DYNAMIC_INDEX in sizes:
        raise TypeError(f"a dynamic size in {kind} needs an encoding such as #sw.shape<[n, 4]>")
    return _constants(tuple(sizes))


@lru_cache(maxsize=1 << 10)
def _constants(sizes: tuple[int, ...]) -> Shape:
    return tuple(map(index, sizes))


def row_major(shape: Sequence[Index], at: Sequence[Index]) -> Index:
    """The offset, in elements, of the element at indices `at` in a contiguous buffer."""
    return sum((position * stride for position, stride in zip(at, strides_of(tuple(shape)), strict=True)), ZERO)


@lru_cache(maxsize=1 << 10)  # needed for each access, while few shapes are distinct
def strides_of(shape: Shape) -> tuple[Index, ...]:
    """The strides, in elements, of a contiguous buffer."""
    return tuple(product(shape[axis + 1 :]) for axis in range(len(shape)))


def element_of(value: SSAValue | Attribute) -> Attribute:
    """The element type of a tensor or memref."""
    kind = value.type if isinstance(value, SSAValue) else value
    assert isinstance(kind, _SHAPED), f"expected a tensor or memref type, got {kind}"
    return cast("TensorType[Attribute]", kind).element_type


def shape_params(shapes: Sequence[Shape]) -> tuple[str, ...]:
    """The names of the parameters that occur in `shapes`, in order of appearance."""
    return tuple(dict.fromkeys(name for shape in shapes for size in shape for name in size.params()))


def format_shape(shape: Sequence[IndexLike]) -> str:
    """`(n, 4)`, the format of error messages."""
    return f"({', '.join(str(size) for size in shape)}{',' if len(shape) == 1 else ''})"


def _sizes(shape: Sequence[IndexLike]) -> tuple[list[int], ShapeAttr | None]:
    exprs = tuple(index(size) for size in shape)
    sizes = [DYNAMIC_INDEX if expr.constant is None else expr.constant for expr in exprs]
    return sizes, ShapeAttr(exprs) if DYNAMIC_INDEX in sizes else None


class _ParserTokens:
    """The tokens of xDSL's parser, as a stream for the parser of index expressions."""

    def __init__(self, parser: AttrParser):
        self.parser = parser

    def peek(self) -> str:
        return self.parser._current_token.text  # pyright: ignore[reportPrivateUsage] - xDSL offers no other lookahead

    def next(self) -> str:
        return self.parser._consume_token().text  # pyright: ignore[reportPrivateUsage]

    def fail(self, message: str) -> Exception:
        return self.parser.raise_error(message)


def _parse(parser: AttrParser, names_only: bool = False) -> Index:
    return parse_expression(_ParserTokens(parser), param if names_only else dims_or_params)
