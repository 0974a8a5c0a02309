"""Vectors in C: types and helper functions in GCC's vector extensions, for gcc (12 or later) and clang.

A vector of 16 floats is a `sw_f32x16`; `c_typedefs` declares the types that a text uses. Vectors of bool are masks, `sw_i1x16`:
32-bit integers that are 0 or -1. A helper is a `static inline` function `sw_<what>_<vector>`, which may call others;
`c_vector_helpers` returns the texts of all needed helpers, and the names of the scalar helpers that they call.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterable, Mapping, Sequence
from string import Template
from types import MappingProxyType
from typing import NamedTuple

from xdsl.ir import Attribute

from ...dialects.scalar_ops import element_type, lanes_of
from ...ir.scalars.function import Spelling
from ...ir.scalars.table import scalar
from ...ir.types.dtypes import BOOL, DTYPES, FLOAT32, FLOAT64, INT64, DType, dtype_called, dtype_of
from .functions import c_call, c_literal
from .vector_casts import bits_of, cast_body, cast_linkage
from .vector_functions import BODIES, EXPRESSIONS, MOVES, QUOTIENTS
from .vector_math.angles import ANGLE_PARTS, ANGLES
from .vector_math.elementary import CONSTANTS, FLOAT32_FUNCTIONS, FUNCTIONS, PARTS, POLYNOMIALS
from .vector_math.logarithms import LOGARITHMS
from .vector_math.power import LINKAGE, POWER_PARTS, POWERS, power_of_size

# C element types by their names in vector types; the unsigned integers are for helpers only.
ELEMENTS: Mapping[str, str] = MappingProxyType(
    {kind.short: kind.c for kind in DTYPES.values()}
    | {"i1": "int32_t", "u16": "uint16_t", "u32": "uint32_t", "u64": "uint64_t"}
)

# The bodies of functions for float32 only, and the building blocks of elementary functions.
_SINGLES = MappingProxyType({**FLOAT32_FUNCTIONS, **ANGLES, **LOGARITHMS, **POWERS})
_SHARED = MappingProxyType({**PARTS, **ANGLE_PARTS, **POWER_PARTS})

INLINE = "static inline"

_NAMES = "|".join(ELEMENTS)
_TYPE_NAME = re.compile(rf"\bsw_({_NAMES})x(\d+)(u?)\b")
_HELPER_NAME = re.compile(rf"\bsw_([a-z]\w*?)_({_NAMES})x(\d+)\b")
_IS_CALL = re.compile(r"\w+\([^()]*\)")


def c_type(kind: Attribute) -> str:
    """The C name of a scalar or vector type."""
    return dtype_of(kind).c if lanes_of(kind) is None else f"sw_{c_vector(kind)}"


def c_vector(kind: Attribute) -> str:
    """The name of a vector type as part of helper names: `f32x16`."""
    return f"{dtype_of(element_type(kind)).short}x{lanes_of(kind)}"


def vector_call(name: str, element: DType, lanes: int, arguments: Sequence[str]) -> str:
    """A call of scalar function `name` on vectors of `element`, lane by lane. `arguments` are as in `c_call`; conditions and
    results of comparisons are masks."""
    template = EXPRESSIONS.get(name, Spelling()).of(element.kind)
    if not template:
        template = f"sw_{name}_$N({', '.join(f'${letter}' for letter in 'abc'[: len(arguments)])})"
    text = Template(template).substitute(symbols(element, lanes), **dict(zip("abc", arguments, strict=False)))
    return text if _IS_CALL.fullmatch(template.replace("$", "")) else f"({text})"


def vector_cast(source: DType, target: DType, lanes: int, argument: str) -> str:
    """A conversion of `argument`, a vector of `source`, to a vector of `target`, by the rules of `c_cast`."""
    return argument if source == target else f"sw_cast_{source.short}_{target.short}x{lanes}({argument})"


def from_lane(element: DType, lane: str) -> str:
    """The scalar value of a lane (masks become bools)."""
    return f"({lane} != 0)" if element is BOOL else lane


def into_lane(element: DType, scalar: str) -> str:
    """The lane value of a scalar (bools become masks)."""
    return f"-(int32_t){scalar}" if element is BOOL else scalar


def c_vector_helpers(text: str) -> tuple[dict[str, str], set[str]]:
    """The texts of the vector helpers that `text` needs, by name, each after its callees, and the names of the scalar
    helpers."""
    sources: dict[str, str] = {}
    scalars: set[str] = set()

    def require(calls: Iterable[_Call]) -> None:
        for call in calls:
            if call.name not in sources:
                helper = _helper(call.what, call.short, call.lanes)
                scalars.update(helper.scalars)
                require(each for each in helper.calls if each.name != call.name)
                sources[call.name] = helper.text

    require(_calls(text))
    return sources, scalars


def c_typedefs(text: str) -> str:
    """Declarations of the vector types in `text`. Types with suffix `u` are for memory: aligned like their elements only."""
    used = sorted({(name, int(lanes), unaligned) for name, lanes, unaligned in _TYPE_NAME.findall(text)})
    sizes = {_itemsize(name) * lanes for name, lanes, _ in used}
    return _for_narrow_registers(sizes) + "".join(_typedef(*each) for each in used)


# The macro that says that the target has registers for vectors of this many bytes. All targets have registers for 16 bytes.
_REGISTERS = MappingProxyType({32: "__AVX__", 64: "__AVX512F__"})


def _for_narrow_registers(sizes: Iterable[int]) -> str:
    """A pragma that turns off gcc's forward propagation where vectors of these sizes, in bytes, are wider than the registers.

    gcc splits such vectors into elements, which its pass forwprop then recombines wrongly. In gcc 12.2 a widened float32
    becomes an integer by its bits, which ends in an internal error, and stores of elements reach the loop vectorizer that
    reorders them (`SAFE_FLAGS` in `runtime/toolchain/compiler.py`). The pragma is part of the text, so that it applies however
    the text is compiled.
    """
    widest = max(sizes, default=0)
    if widest <= 16:
        return ""
    missing = f" && !defined({_REGISTERS[widest]})" if widest in _REGISTERS else ""
    condition = f"defined(__GNUC__) && !defined(__clang__){missing}"
    return f'#if {condition}\n#pragma GCC optimize("no-tree-forwprop")\n#endif\n'


def _itemsize(name: str) -> int:
    """The size of an element in bytes, by its name in vector types."""
    return 4 if name == "i1" else bits_of(name) // 8


def _typedef(name: str, lanes: int, unaligned: str) -> str:
    itemsize = _itemsize(name)
    memory = f", aligned({itemsize}), may_alias" if unaligned else ""
    attribute = f"__attribute__((vector_size({itemsize * lanes}){memory}))"
    return f"typedef {ELEMENTS[name]} sw_{name}x{lanes}{unaligned} {attribute};\n"


# Non-temporal stores by vector width: the macro that tests for the instruction, and its name. Write combining merges stores of
# less than a cache line.
_STREAMS = MappingProxyType(
    {128: ("defined(__SSE__)", "movntps"), 256: ("defined(__AVX__)", "movntps256"), 512: ("defined(__AVX512F__)", "movntps512")}
)


def symbols(element: DType, lanes: int) -> dict[str, str]:
    """The substitutions for the words in templates; see `vector_functions.py`."""
    bits = 32 if element is BOOL else element.bits
    vector = f"{element.short}x{lanes}"
    fused, operation = _fused(element, lanes)
    infinity = {32: "0x7F800000", 64: "INT64_C(0x7FF0000000000000)"}
    streams, past = _STREAMS.get(bits * lanes, ("0", ""))
    return {
        "V": f"sw_{vector}",
        "N": vector,
        "E": element.c,
        "I": f"sw_i{bits}x{lanes}",
        "U": f"sw_u{bits}x{lanes}",
        "M": f"sw_i1x{lanes}",
        "S": f"int{bits}_t",
        "L": str(lanes),
        "B": str(bits),
        "F": "" if element is FLOAT64 else "f",
        "sign": f"INT{bits}_MIN",
        "infinity": infinity.get(bits, ""),
        "mask": "" if bits == 32 else f"sw_cast_i{bits}_i32x{lanes}",
        "wide": "" if bits == 32 else f"sw_cast_i32_i{bits}x{lanes}",
        "fma": "defined(__FMA__) || defined(__ARM_FEATURE_FMA)",
        "fused": fused,
        "operation": operation,
        "from": from_lane(element, "a[k]"),
        "into": into_lane(element, "p[k]"),
        "picked": into_lane(element, "p[k[j]]"),
        "move": f"{'pd' if bits == 64 else 'ps'}{bits * lanes}",
        "builtin": "long long" if bits == 64 else "int",
        "avx512": "defined(__AVX512F__)" if bits * lanes == 512 else "0",
        "table": "defined(__AVX512DQ__) && !defined(__clang__)" if bits * lanes == 512 else "0",
        "bytes": str(bits * lanes // 8),
        "streams": streams,
        "past": past,
        "register": "v" if bits * lanes == 512 else "x",
        "masked": _moves_lanes(element, lanes),
        "all": ", ".join([into_lane(element, "a")] * lanes),
        **_gather(element, lanes),
    }


def _moves_lanes(element: DType, lanes: int) -> str:
    """The preprocessor condition that masked loads and stores of a vector exist."""
    size = element.bits * lanes
    if element.bits not in (32, 64) or size not in (128, 256, 512):
        return "0"
    return "defined(__AVX512F__)" if size == 512 else "defined(__AVX512VL__)"


def _gather(element: DType, lanes: int) -> dict[str, str]:
    """The preprocessor condition that there is a gather of such vectors, the suffix of its builtin, and the type of a lane."""
    if lanes != 8 or element.bits not in (32, 64):
        return {"gathers": "0", "gather": "", "gathered": "int"}
    kinds = {32: ("16sf", "float", "16si", "int"), 64: ("8df", "double", "8di", "long long")}[element.bits]
    suffix, lane = kinds[:2] if element.is_float else kinds[2:]
    return {"gathers": "defined(__AVX512VL__) && !defined(__clang__)", "gather": suffix, "gathered": lane}


def _fused(element: DType, lanes: int) -> tuple[str, str]:
    """The preprocessor condition that gcc has an FMA builtin for such vectors, and the remainder of its call."""
    size, kind = element.bits * lanes, "pd" if element.bits == 64 else "ps"
    if not element.is_float or size not in (128, 256, 512):
        return "0", "(a, b, c)"
    if size == 512:
        return "defined(__AVX512F__) && !defined(__clang__)", f"{kind}512_mask(a, b, c, -1, 4)"
    return "defined(__FMA__) && !defined(__clang__)", f"{kind}{256 if size == 256 else ''}(a, b, c)"


class _Call(NamedTuple):
    """The name of a vector helper, and its components: function, element type, number of lanes."""

    name: str
    what: str
    short: str
    lanes: str


def _calls(text: str) -> tuple[_Call, ...]:
    return tuple(_Call(match[0], match[1], match[2], match[3]) for match in _HELPER_NAME.finditer(text))


class _Helper(NamedTuple):
    """The text of a vector helper, the scalar helpers that it calls, and all vector helpers named in it, itself included."""

    text: str
    scalars: frozenset[str]
    calls: tuple[_Call, ...]


@functools.cache
def _helper(what: str, short: str, count: str) -> _Helper:
    text, scalars = _text_of_helper(what, short, count)
    return _Helper(text, frozenset(scalars), _calls(text))


def _text_of_helper(what: str, short: str, count: str) -> tuple[str, set[str]]:
    """The text of the helper `sw_<what>_<short>x<count>`, and the scalar helpers that it calls."""
    lanes = int(count)
    if what.startswith("cast_"):
        source = what.removeprefix("cast_")
        body = cast_body(source, short, lanes)
        linkage = cast_linkage(source, short)
        return _function(f"sw_{short}x{lanes}", f"sw_{what}_{short}x{lanes}", [f"sw_{source}x{lanes} a"], body, linkage), set()
    element = dtype_called(short)
    meaning = symbols(element, lanes)
    if what in MOVES:
        result, parameters, body = MOVES[what]
        text = _function(result, f"sw_{what}_$N", parameters, body.of(element.kind))
        return Template(text).substitute(meaning), set()
    if (part := _part(what, short)) is not None:
        text = _function(part[0], f"sw_{what}_$N", part[1], part[2], LINKAGE.get(what, INLINE))
        return Template(text).substitute(meaning, **CONSTANTS[short]), set()
    if what.startswith("fold_"):
        body, called = _fold(what.removeprefix("fold_"), element, lanes)
        return _function(element.c, f"sw_{what}_{short}x{lanes}", [f"sw_{short}x{lanes} a"], body), called
    if what.startswith("scan_"):
        return _function(
            f"sw_{short}x{lanes}",
            f"sw_{what}_{short}x{lanes}",
            [f"sw_{short}x{lanes} a"],
            _scan(what.removeprefix("scan_"), element, lanes),
        ), set()
    if what == "transpose":
        return Template(_function("void", "sw_transpose_$N", ["$E *p"], _transpose(lanes))).substitute(meaning), set()
    if what == "power_of_size":
        parameters = [f"sw_{short}x{lanes} {letter}" for letter in "ab"]
        return _function(f"sw_{short}x{lanes}", f"sw_{what}_{short}x{lanes}", parameters, power_of_size(lanes)), set()
    function = scalar(what)
    body, called = _body_of(what, element), set[str]()
    if not body:
        body, called = _lane_by_lane(what, element)
        body = (QUOTIENTS.get(what, "") if element is INT64 else "") + body
    kinds = ["$M" if what == "select" else "$V", "$V", "$V"]
    parameters = [f"{kind} {letter}" for kind, letter in zip(kinds, "abc", strict=True)][: function.arity]
    result = "$M" if function.result == "bool" else "$V"
    text = _function(result, f"sw_{what}_$N", parameters, body, LINKAGE.get(what, INLINE))
    return Template(text).substitute(meaning, **CONSTANTS.get(short, {})), called


def _part(what: str, short: str) -> tuple[str, tuple[str, ...], str] | None:
    """The result, parameters and body of a building block of elementary functions; None for other helpers."""
    if what in POLYNOMIALS:
        return "$V", ("$V a",), POLYNOMIALS[what][short]
    return _SHARED.get(what)


def _body_of(function: str, element: DType) -> str:
    """The template of a function's body on vectors; empty if it has none."""
    body = BODIES.get(function, Spelling()).of(element.kind)
    if element is FLOAT32:
        body = body or _SINGLES.get(function, "")
    return body or (FUNCTIONS.get(function, "") if element in (FLOAT32, FLOAT64) else "")


def _function(result: str, name: str, parameters: Sequence[str], body: str, linkage: str = INLINE) -> str:
    return f"{linkage} {result} {name}({', '.join(parameters)}) {{\n{body}}}\n"


def _lane_by_lane(name: str, element: DType) -> tuple[str, set[str]]:
    """A body that calls the scalar function for each lane."""
    function = scalar(name)
    arguments = [from_lane(element, f"{letter}[k]") for letter in "abc"[: function.arity]]
    expression, called = c_call(name, element, arguments)
    gives_bool = function.result == "bool"
    kept = into_lane(BOOL if gives_bool else element, expression)
    return f"    {'$M' if gives_bool else '$V'} r;\n    for (int k = 0; k < $L; ++k) r[k] = {kept};\n    return r;\n", called


def _fold(name: str, element: DType, lanes: int) -> tuple[str, set[str]]:
    """A body that combines the halves of `a` until two lanes are left, and combines these as scalars."""
    lines: list[str] = []
    if (name, element) == ("or", BOOL) and lanes in (8, 16):
        macro = "__AVX512F__" if lanes == 16 else "__AVX512VL__"
        test = f"__builtin_ia32_ptestmd{32 * lanes}(a, a, -1)"
        lines.append(f"#if defined({macro}) && !defined(__clang__)\n    return {test} != 0;\n#endif\n")
    vector, count = "a", lanes
    while count > 2:
        half = count // 2
        halves = [
            f"__builtin_shufflevector({vector}, {vector}, {', '.join(map(str, range(start, start + half)))})"
            for start in (0, half)
        ]
        lines.append(f"    sw_{element.short}x{half} a{half} = {vector_call(name, element, half, halves)};\n")
        vector, count = f"a{half}", half
    expression, called = c_call(name, element, [from_lane(element, f"{vector}[{lane}]") for lane in (0, 1)])
    return "".join(lines) + f"    return {expression};\n", called


def _scan(name: str, element: DType, lanes: int) -> str:
    """A body that combines each lane of `a` with the one before it, then with the one two lanes before, and so on."""
    identity = scalar(name).identity
    assert identity is not None, f"'{name}' accumulates"
    vector, distance = f"{element.short}x{lanes}", 1
    nothing = c_literal(identity(element), element)
    lines = [f"    const sw_{vector} none = sw_splat_{vector}({nothing});\n"]
    while distance < lanes:
        moved = ", ".join(map(str, range(lanes - distance, 2 * lanes - distance)))
        combined = vector_call(name, element, lanes, [f"__builtin_shufflevector(none, a, {moved})", "a"])
        lines.append(f"    a = {combined};\n")
        distance *= 2
    return "".join(lines) + "    return a;\n"


def _transpose(lanes: int) -> str:
    """A template of a body that transposes a square tile recursively, swapping its off-diagonal quarters."""
    lines = ["    $V r[$L];\n    SW_UNROLL($L)\n    for (int k = 0; k < $L; ++k) r[k] = sw_load_$N(p + k * $L);\n"]
    size = lanes // 2
    while size:
        upper = [lane if lane & size == 0 else lanes + lane - size for lane in range(lanes)]
        lower = [lane + size if lane & size == 0 else lanes + lane for lane in range(lanes)]
        first, second = (f"__builtin_shufflevector(a, b, {', '.join(map(str, chosen))})" for chosen in (upper, lower))
        lines.append(
            f"    SW_UNROLL({lanes // 2})\n    for (int j = 0; j < {lanes // 2}; ++j) {{\n"
            f"        const int k = j + j / {size} * {size};\n        const $V a = r[k], b = r[k + {size}];\n"
            f"        r[k] = {first};\n        r[k + {size}] = {second};\n    }}\n"
        )
        size //= 2
    lines.append("    SW_UNROLL($L)\n    for (int k = 0; k < $L; ++k) sw_store_$N(p + k * $L, r[k]);\n")
    return "".join(lines)
