"""Vector conversions in C: the bodies of the helpers `sw_cast_<from>_<to>x<lanes>`.

They follow the rules of `c_cast`. A conversion without an instruction is composed of other conversions.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from string import Template
from types import MappingProxyType

from ...ir.types.dtypes import FLOAT8_E4M3FN, FLOAT8_E5M2, dtype_called
from ..emission.float8 import Float8
from .functions import c_literal

# gcc splits a widening conversion into halves, unless it is the lower half of a conversion twice as long. At -O0 gcc 12 fails
# with an internal error on that form for 16 ints to doubles. The types of twice the length have special names, so that
# `c_typedefs` does not count them among the vectors of the program.
_WIDEN = """\
#ifndef __OPTIMIZE__
    return __builtin_convertvector(a, sw_${T}x$L);
#else
    typedef __typeof__(a[0]) narrows __attribute__((vector_size(2 * sizeof(a))));
    typedef __typeof__(((sw_${T}x$L){})[0]) wides __attribute__((vector_size(2 * sizeof(sw_${T}x$L))));
    narrows both = __builtin_shufflevector(a, a, $lower, $none);
    wides wide = __builtin_convertvector(both, wides);
    return __builtin_shufflevector(wide, wide, $lower);
#endif
"""

_SATURATE = """\
    sw_i${bits}x$L inside = (a > $low) & (a < $high);
    sw_i${bits}x$L whole = __builtin_convertvector((sw_${S}x$L)((sw_i${bits}x$L)a & inside), sw_i${bits}x$L);
    return ${narrow}(whole | ((a >= $high) & $highest) | ((a <= $low) & $lowest));
"""

# gcc 12 converts vectors of _Float16 lane by lane.
_HALVES = """\
#if defined(__clang__)
    return __builtin_convertvector(a, sw_${T}x$L);
#elif $condition
    return (sw_${T}x$L)$builtin;
#else
    sw_${T}x$L r;
    for (int k = 0; k < $L; ++k) r[k] = (${c})a[k];
    return r;
#endif
"""
_BFLOATS = "    return sw_cast_u32_u16x$L(sw_bfloat16_bits_f32x$L(a) >> 16);\n"
# The instruction flushes denormal numbers to zero. Setting their exponent to that of 1.0 makes them normal with the same
# mantissa, so that they round to the same bits; the exponent is subtracted afterwards. Branch-free: a branch slows softmax down
# (Zen 5). clang's builtin has another name.
_BFLOATS_AT_ONCE = f"""\
#if defined(__AVX512BF16__) && defined(__AVX512DQ__) && defined(__AVX512BW__) && defined(__AVX512VL__) && !defined(__clang__)
    const unsigned short denormal = __builtin_ia32_fpclassps512_mask(a, 0x20, -1);
    const sw_i32x$L bits = (sw_i32x$L)a, one = (sw_i32x$L){{}} + 0x3F800000;
    const sw_f32x$L normal = (sw_f32x$L)__builtin_ia32_pord512_mask(bits, one, bits, denormal);
    const sw_i16x$L rounded = (sw_i16x$L)__builtin_ia32_cvtneps2bf16_v16sf(normal);
    return (sw_bf16x$L)__builtin_ia32_psubw256_mask(rounded, (sw_i16x$L){{}} + 0x3F80, rounded, denormal);
#else
{_BFLOATS}#endif
"""
# Rounding to nearest twice, via float32, can go wrong at the midpoint of two float16 numbers. Rounding to odd in the first step
# (truncate, then set the last bit if the result is inexact) avoids that.
_HALVES_OF_DOUBLES = """\
    const sw_f32x$L near = sw_cast_f64_f32x$L(a);
    const sw_f64x$L back = sw_cast_f32_f64x$L(near);
    const sw_i64x$L magnitude = (sw_i64x$L)back & INT64_MAX, exact = (sw_i64x$L)a & INT64_MAX;
    const sw_i32x$L lost = sw_cast_i64_i32x$L(back != a), beyond = sw_cast_i64_i32x$L(magnitude > exact);
    return sw_cast_f32_f16x$L((sw_f32x$L)(((sw_i32x$L)near + beyond) | (lost & 1)));
"""
# To and from floats of 8 bits, as `lowering/emission/float8.py` explains. Comparisons are of signed integers, which have
# instructions everywhere.
_FROM_FLOAT8 = """\
    const sw_i32x$L wide = (sw_i32x$L)sw_cast_u8_u32x$L(a), magnitude = wide & 0x7F;
    const sw_i32x$L special = (magnitude >= $special) & 0x7F800000;
    return (sw_f32x$L)((sw_i32x$L)((sw_f32x$L)(magnitude << $shift) * ${scale}f) | special | (wide & 0x80) << 24);
"""
_TO_FLOAT8 = """\
    const sw_i32x$L bits = (sw_i32x$L)a & 0x7FFFFFFF, small = bits < $least;
    const sw_i32x$L near = (sw_i32x$L)((sw_f32x$L)bits + ${unit}f) - $unit_bits;
    sw_i32x$L rounded = ((bits + $half + (bits >> $shift & 1)) >> $shift) - $rebias;
    rounded = (rounded & ~small) | (near & small);
    const sw_i32x$L large = rounded > $special, nan = bits > 0x7F800000;
    rounded = (((rounded & ~large) | (large & $special)) & ~nan) | (nan & $nan);
    return sw_cast_u32_u8x$L((sw_u32x$L)rounded | ((sw_u32x$L)a >> 24 & 0x80));
"""
_FLOAT8 = MappingProxyType({each.short: each for each in (FLOAT8_E4M3FN, FLOAT8_E5M2)})
_BITS = re.compile(r"\d+")
_HALF_BUILTINS: Mapping[tuple[str, int], tuple[str, str]] = MappingProxyType(
    {
        ("f16", 16): ("defined(__AVX512F__)", "__builtin_ia32_vcvtph2ps512_mask((sw_i16x16)a, (sw_f32x16){0}, -1, 4)"),
        ("f16", 8): ("defined(__F16C__)", "__builtin_ia32_vcvtph2ps256((sw_i16x8)a)"),
        ("f32", 16): ("defined(__AVX512F__)", "__builtin_ia32_vcvtps2ph512_mask(a, 4, (sw_i16x16){0}, -1)"),
        ("f32", 8): ("defined(__F16C__)", "__builtin_ia32_vcvtps2ph256(a, 4)"),
    }
)


def cast_body(source: str, target: str, lanes: int) -> str:
    """The helper body that converts `a`; `source` and `target` are element names such as `f32`."""
    lower = ", ".join(map(str, range(lanes)))
    condition, builtin = _HALF_BUILTINS.get((source, lanes), ("0", "a"))
    symbols = {
        "S": source, "T": target, "L": lanes, "lower": lower, "none": ", ".join(["-1"] * lanes),
        "condition": condition, "builtin": builtin, "c": "float" if target == "f32" else "_Float16",
    }  # fmt: skip
    return Template(_body(source, target, lanes)).safe_substitute(symbols)


def cast_linkage(source: str, target: str) -> str:
    """The declaration specifiers of a helper. Vectors wider than the registers are passed in memory, where gcc 12 assumes a
    greater alignment than it provides: long helpers are always inlined."""
    return "static inline __attribute__((always_inline))" if {source, target} & {*_FLOAT8} else "static inline"


def _body(source: str, target: str, lanes: int) -> str:
    """The template of a helper body."""
    if {source, target} == {"f16", "f32"}:
        return _HALVES
    if target == "f16" and source == "f64":
        return _HALVES_OF_DOUBLES
    if source == "bf16":
        return "    return (sw_f32x$L)(sw_cast_u16_u32x$L(a) << 16);\n" if target == "f32" else _through("f32", source, target)
    if (source, target) == ("f32", "bf16"):
        return _BFLOATS_AT_ONCE if lanes == 16 else _BFLOATS
    if "f32" in (source, target) and _FLOAT8.keys() & {source, target}:
        return _float8(source, target)
    if {"f16", "bf16", *_FLOAT8} & {source, target}:
        return _through("f32", source, target)
    if target == "i1":
        bits = bits_of(source)
        return f"    return {'' if bits == 32 else f'sw_cast_i{bits}_i32x$L'}(a != 0);\n"
    if source == "i1":
        return "    return a & 1;\n" if target == "i32" else "    return sw_cast_i32_${T}x$L(a & 1);\n"
    return _between_numbers(source, target)


def _float8(source: str, target: str) -> str:
    template, element = (_FROM_FLOAT8, source) if source in _FLOAT8 else (_TO_FLOAT8, target)
    return Template(template).safe_substitute(Float8.of(_FLOAT8[element]).symbols())


def _between_numbers(source: str, target: str) -> str:
    """Conversions between integers, float32 and float64."""
    wider, narrower = bits_of(target) > bits_of(source), bits_of(target) < bits_of(source)
    if source[0] == "f" and target[0] != "f":
        return _saturating(source, target)
    if source[0] != "f" and target[0] == "f":
        if source == "u8":
            return _through("i32", source, target)
        direct = (source, target) in (("i32", "f64"), ("i64", "f32")) or bits_of(source) == bits_of(target)
        if not direct:
            return _through(f"i{bits_of(target)}", source, target)
    if wider and bits_of(target) == 2 * bits_of(source):
        return _WIDEN if source[0] != "u" or target[0] == "u" else _through(f"u{bits_of(target)}", source, target)
    if wider:
        return _through(f"{source[0]}{bits_of(source) * 2}", source, target)
    if narrower or "f" in (source[0], target[0]):
        return "    return __builtin_convertvector(a, sw_${T}x$L);\n"
    return "    return (sw_${T}x$L)a;\n"


def _saturating(source: str, target: str) -> str:
    if bits_of(target) > bits_of(source):
        return _through(f"f{bits_of(target)}", source, target)
    float_type, integer = dtype_called(source), dtype_called(target)
    bits = bits_of(source)
    return Template(_SATURATE).safe_substitute(
        bits=bits,
        low=c_literal(float(integer.lowest), float_type),
        high=c_literal(float(integer.highest), float_type),
        lowest=c_literal(integer.lowest, integer),
        highest=c_literal(integer.highest, integer),
        narrow=f"sw_cast_i{bits}_{target}x$L" if target != f"i{bits}" else "",
    )


def _through(middle: str, source: str, target: str) -> str:
    return f"    return sw_cast_{middle}_{target}x$L(sw_cast_{source}_{middle}x$L(a));\n"


def bits_of(name: str) -> int:
    """The bits of an element in a vector, by its name in vector types: masks are as wide as int32."""
    return 32 if name == "i1" else int(_BITS.findall(name)[0])
