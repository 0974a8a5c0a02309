"""Scalar functions, casts and constants in C.

Arithmetic is on float, double, integers and bool; computations on floats of fewer bits cast first. A generated expression is a
call or parenthesised, so that it can be an operand anywhere. Helpers are `static inline` functions that use only the names of
`c_names`, not each other. They need no fast-math flags, do not trap and have no undefined behaviour.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping
from string import Template
from types import MappingProxyType

from ...ir.scalars.function import Spelling
from ...ir.scalars.table import scalar
from ...ir.types.dtypes import BOOL, FLOAT32, FLOAT64, DType, dtype_called
from ..emission.float8 import Float8

_HELPER_NAME = re.compile(r"\bsw_[\w$]+")
_IS_CALL = re.compile(r"[\w$]+\([^()]*\)")


def c_call(name: str, operands: DType, arguments: list[str]) -> tuple[str, set[str]]:
    """A call of scalar function `name` on values of dtype `operands`, and the names of the helpers that it needs.

    `arguments` are names, literals, calls or parenthesised expressions. For a select, `operands` is the dtype of the selected
    values. Only a select accepts floats of fewer than 32 bits.
    """
    function = scalar(name)
    assert operands.compute is operands or name == "select", f"'{name}' computes in {operands.compute}, not {operands}"
    template = function.c.of(operands.kind) if isinstance(function.c, Spelling) else function.c
    symbols = _symbols(operands)
    helpers = {Template(helper).substitute(symbols) for helper in _HELPER_NAME.findall(template)}
    expression = Template(template).substitute(symbols, **dict(zip("abc", arguments, strict=False)))
    return (expression if _IS_CALL.fullmatch(template) else f"({expression})"), helpers


def c_cast(source: DType, target: DType, argument: str) -> tuple[str, set[str]]:
    """A cast of `argument` from dtype `source` to `target` by the rules of `cast_numpy`, and the names of the helpers
    needed."""
    if source == target:
        return argument, set()
    if source.held_as is not None or target.held_as is not None:
        return _cast_bits(source, target, argument)
    if target is BOOL:
        return f"({argument} != 0)", set()
    if source.is_float and not target.is_float:
        widened, helpers = c_cast(source, source.compute, argument)
        helper = f"sw_cast_{source.compute.short}_{target.short}"
        return f"{helper}({widened})", helpers | {helper}
    if target.compute is not target and not source.is_float:
        return f"(({target.c})(float){argument})", set()
    return f"(({target.c}){argument})", set()


def c_literal(value: float | int | bool, type: DType) -> str:
    """A C literal of a constant rounded to dtype `type`; its C type is the one that `type` computes in."""
    if type is BOOL:
        return "true" if value else "false"
    if not type.is_float:
        return _integer_literal(int(value), type)
    import numpy as np

    rounded = np.asarray(value, np.float64).astype(type.numpy).astype(type.compute.numpy)[()]
    if math.isnan(rounded):
        return "((float)NAN)" if type.compute is FLOAT32 else "((double)NAN)"
    suffix = "f" if type.compute is FLOAT32 else ""
    text = "INFINITY" if math.isinf(rounded) else f"{abs(rounded)!s}{suffix}"
    return f"(-{text})" if math.copysign(1.0, rounded) < 0 else text


def c_helpers(names: Iterable[str]) -> str:
    """The source of the helpers, each once, in alphabetical order."""
    return "\n".join(_helper(name) for name in sorted(set(names)))


def _cast_bits(source: DType, target: DType, argument: str) -> tuple[str, set[str]]:
    """Casts to and from dtypes that are stored as their bits, via float32."""
    if target.held_as is not None:
        widened, helpers = c_cast(source, FLOAT32, argument)
        helper = f"sw_cast_f32_{target.short}"
        return f"{helper}({widened})", helpers | {helper}
    helper = f"sw_cast_{source.short}_f32"
    expression, helpers = c_cast(FLOAT32, target, f"{helper}({argument})")
    return expression, helpers | {helper}


def _integer_literal(value: int, type: DType) -> str:
    if value == type.lowest and type.kind == "int":
        return f"INT{type.bits}_MIN"  # its magnitude does not fit the type
    text = f"INT64_C({abs(value)})" if type.bits == 64 else str(abs(value))
    return f"(-{text})" if value < 0 else text


def _symbols(type: DType) -> dict[str, str]:
    """The substitutions for the letters in templates. Unsigned types have at least 32 bits, since C promotes narrower ones."""
    return {
        "T": type.c,
        "U": "uint64_t" if type.bits == 64 else "uint32_t",
        "N": type.short,
        "F": "" if type is FLOAT64 else "f",
        "W": str(type.bits),
    }


def _helper(name: str) -> str:
    if name in _CONVERSIONS:
        return _CONVERSIONS[name]
    base, *types = name.removeprefix("sw_").rsplit("_", 2 if name.startswith("sw_cast_") else 1)
    if base == "cast":
        source, target = map(dtype_called, types)
        if target.is_stored_only:
            return _NARROW.substitute(Float8.of(target).symbols(), name=name)
        if source.is_stored_only:
            return _WIDEN.substitute(Float8.of(source).symbols(), name=name)
        return _SATURATE.substitute(
            name=name,
            S=source.c,
            T=target.c,
            low=c_literal(float(target.lowest), source),
            high=c_literal(float(target.highest), source),
            lowest=c_literal(target.lowest, target),
            highest=c_literal(target.highest, target),
        )
    type = dtype_called(types[0])
    function = scalar(base)
    body = function.c_body.of(type.kind) if isinstance(function.c_body, Spelling) else function.c_body
    parameters = ", ".join(f"{type.c} {letter}" for letter in "abc"[: function.arity])
    return f"static inline {type.c} {name}({parameters}) {{\n{Template(body).substitute(_symbols(type))}}}\n"


# The first line handles NaN and numbers that round to 0: without it, gcc turns a cast of the result back to $S into a
# truncation, which gives -0 for -0.5.
_SATURATE = Template("""\
static inline $T $name($S a) {
    if (!(a >= 1 || a <= -1)) return 0;
    if (a >= $high) return $highest;
    if (a <= $low) return $lowest;
    return ($T)a;
}
""")

# To and from floats of 8 bits, as `lowering/emission/float8.py` explains.
_WIDEN = Template("""\
static inline float $name(uint8_t a) {
    const uint32_t magnitude = a & 0x7F;
    union { uint32_t bits; float value; } wide = { magnitude << $shift };
    wide.value *= ${scale}f;
    wide.bits |= (uint32_t)(a & 0x80) << 24 | (magnitude >= $special ? 0x7F800000 : 0);
    return wide.value;
}
""")
_NARROW = Template("""\
static inline uint8_t $name(float a) {
    union { float value; uint32_t bits; } given = { a }, small;
    const uint32_t sign = given.bits >> 24 & 0x80;
    given.bits &= 0x7FFFFFFF;
    uint32_t rounded = ((given.bits + $half + (given.bits >> $shift & 1)) >> $shift) - $rebias;
    small.value = given.value + ${unit}f;
    if (given.bits < $least) rounded = small.bits - $unit_bits;
    if (rounded > $special) rounded = $special;
    if (given.bits > 0x7F800000) rounded = $nan;
    return (uint8_t)(rounded | sign);
}
""")

_CONVERSIONS: Mapping[str, str] = MappingProxyType(
    {
        "sw_cast_bf16_f32": """\
static inline float sw_cast_bf16_f32(uint16_t a) {
    union { uint32_t bits; float value; } wide = { (uint32_t)a << 16 };
    return wide.value;
}
""",
        # Round to nearest even by an addition that carries into the upper half. The addition would destroy NaNs, which are made
        # quiet instead.
        "sw_cast_f32_bf16": """\
static inline uint16_t sw_cast_f32_bf16(float a) {
    union { float value; uint32_t bits; } wide = { a };
    if (a != a) return (uint16_t)(wide.bits >> 16 | 0x40);
    return (uint16_t)((wide.bits + 0x7FFF + (wide.bits >> 16 & 1)) >> 16);
}
""",
    }
)
