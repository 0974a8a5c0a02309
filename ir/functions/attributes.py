"""The attributes that Stepwell puts on functions: their names, types and meanings. The verifier rejects all others."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import NamedTuple

from xdsl.dialects.builtin import (
    ArrayAttr,
    DenseArrayBase,
    DictionaryAttr,
    IntegerAttr,
    MemRefType,
    StringAttr,
    UnitAttr,
)
from xdsl.dialects.func import FuncOp
from xdsl.ir import Attribute

from ..diagnostics import did_you_mean
from ..types.shapes import MapAttr

PARAMS, INPUTS, TYPES = "sw.params", "sw.inputs", "sw.types"
DONATED, TEMPORARIES = "sw.donated", "sw.temporaries"
HINTS, SIZES, VERSION, REQUIRES = "sw.hints", "sw.sizes", "sw.version", "sw.requires"
UNIT, PART, STEP, KERNEL = "sw.unit", "sw.part", "sw.step", "sw.kernel"
FAST, NARROW = "sw.fast", "sw.narrow"
OUTLINED = "sw.outlined"


class FunctionAttribute(NamedTuple):
    """One row of the table: the meaning of an attribute, the form of its value, and whether only private functions have it."""

    meaning: str
    expected: str
    accepts: Callable[[Attribute], bool]
    private: bool = False


def _all(element: type[Attribute]) -> Callable[[Attribute], bool]:
    return lambda value: isinstance(value, ArrayAttr) and all(isinstance(each, element) for each in value)


def _is_a(kind: type[Attribute]) -> Callable[[Attribute], bool]:
    return lambda value: isinstance(value, kind)


def _integers_by_name(value: Attribute) -> bool:
    return isinstance(value, DictionaryAttr) and all(isinstance(each, IntegerAttr) for each in value.data.values())


def _maps_by_text(value: Attribute) -> bool:
    return isinstance(value, DictionaryAttr) and all(isinstance(each, MapAttr) for each in value.data.values())


_MARKER = ("a unit attribute", _is_a(UnitAttr))

ATTRIBUTES: Mapping[str, FunctionAttribute] = MappingProxyType(
    {
        PARAMS: FunctionAttribute("names of the integer parameters, in order", "an array of strings", _all(StringAttr)),
        INPUTS: FunctionAttribute("how many of the buffers are inputs; they come first", "an integer", _is_a(IntegerAttr)),
        TYPES: FunctionAttribute("C level: the types of the buffers", "an array of memref types", _all(MemRefType)),
        DONATED: FunctionAttribute("for each result the input whose memory it takes", "a dense array", _is_a(DenseArrayBase)),
        TEMPORARIES: FunctionAttribute(
            "sizes of the temporaries that callers allocate, the last inputs", "an array of maps", _all(MapAttr), private=True
        ),
        HINTS: FunctionAttribute("small sizes of the first call", "integers by the names of parameters", _integers_by_name),
        SIZES: FunctionAttribute("parameters that are constants", "integers by the names of parameters", _integers_by_name),
        VERSION: FunctionAttribute(
            "runs in the place of the public function where these are non-negative", "a map", _is_a(MapAttr), private=True
        ),
        REQUIRES: FunctionAttribute(
            "expressions that each call has to make non-negative, by the lines that need them", "maps by text", _maps_by_text
        ),
        UNIT: FunctionAttribute("may be a translation unit of its own", *_MARKER, private=True),
        PART: FunctionAttribute("stands in the translation unit of its only caller", *_MARKER, private=True),
        STEP: FunctionAttribute("one step of a scan: the body of a `loop.iterate`", *_MARKER, private=True),
        OUTLINED: FunctionAttribute("outlined view: the operations of one source", *_MARKER, private=True),
        KERNEL: FunctionAttribute("tile level: a kernel, which `tile.launch` runs", *_MARKER),
        NARROW: FunctionAttribute("a kernel whose indices have 32 bits", *_MARKER, private=True),
        FAST: FunctionAttribute("a kernel that fuses operations and approximates functions", *_MARKER, private=True),
    }
)


def wrong_attribute(function: FuncOp) -> str | None:
    """The error in the attributes of a function whose names begin with `sw.`; None if there is none."""
    for name, value in function.attributes.items():
        if not name.startswith("sw."):
            continue
        row = ATTRIBUTES.get(name)
        if row is None:
            return f"unknown attribute '{name}'{did_you_mean(name, ATTRIBUTES)}"
        if not row.accepts(value):
            return f"'{name}': expected {row.expected} ({row.meaning}), got {value}"
        if row.private and (function.sym_visibility is None or function.sym_visibility.data != "private"):
            return f"'{name}': expected a private function ({row.meaning})"
    return None
