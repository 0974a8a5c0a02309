"""Scalar functions on vectors in C: expression templates, and the bodies of the helpers that some of them call.

In templates `$a`, `$b`, `$c` are the operands. `$V` is their vector type, and `$N` its name without prefix (`f32x16`). `$E` is
the element type, `$I` and `$U` are the signed and unsigned integer vectors of the same size, and `$M` is the mask type with as
many lanes. `$L` is the number of lanes, `$B` the bits of an element, and `$F` the suffix of <math.h> names. `$mask(...)`
converts the result of a C comparison, integers as wide as its operands, to a mask; `$wide(...)` converts back. A function
without a row calls the scalar function lane by lane. `$masked` is the condition for masked loads and stores, `$streams` for
non-temporal stores of `$bytes` bytes by the builtin `$past`, `$avx512` for AVX-512 registers, `$table` for those with AVX-512DQ
under gcc, whose builtins clang lacks; `$move` is the type suffix of instructions, `$builtin` their type of integers as wide as
a lane. `$gathers` is the condition for gathers, whose builtin ends in `$gather` and takes lanes of type `$gathered`.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from ...ir.scalars.function import Spelling

_LANES_OF_PART = "    unsigned lanes = end > first ? (~0u >> (32 - (end - first))) << first : 0;\n"
# An empty mask is tested first: a masked access to unmapped memory is a hundred times slower, even if no lane is active.
_LOAD_PART = f"""\
#if $masked
    if (end <= first) return a;
{_LANES_OF_PART}    return ($V)__builtin_ia32_loadu${{move}}_mask((const void *)p, (sw_f${{B}}x$L)a, lanes);
#else
    for (int64_t k = first; k < end; ++k) a[k] = $into;
    return a;
#endif
"""
_STORE_PART = f"""\
#if $masked
    if (end <= first) return;
{_LANES_OF_PART}    __builtin_ia32_storeu${{move}}_mask((void *)p, (sw_f${{B}}x$L)a, lanes);
#else
    for (int64_t k = first; k < end; ++k) p[k] = $from;
#endif
"""

EXPRESSIONS: Mapping[str, Spelling] = MappingProxyType(
    {
        "add": Spelling(float="$a + $b", int="($V)(($U)$a + ($U)$b)"),
        "sub": Spelling(float="$a - $b", int="($V)(($U)$a - ($U)$b)"),
        "mul": Spelling(float="$a * $b", int="($V)(($U)$a * ($U)$b)"),
        "div": Spelling(float="$a / $b"),
        "neg": Spelling(float="-$a", int="($V)(0 - ($U)$a)"),
        "reciprocal": Spelling(float="1 / $a"),
        "abs": Spelling(float="($V)(($I)$a & ~$sign)", int="sw_abs_$N($a)", uint="$a", bool="$a"),
        "sign": Spelling(float="sw_sign_$N($a)", int="sw_sign_$N($a)"),
        "square": Spelling(float="sw_square_$N($a)", int="sw_square_$N($a)"),
        "min": Spelling(float="sw_min_$N($a, $b)", int="sw_min_$N($a, $b)", bool="$a & $b"),
        "max": Spelling(float="sw_max_$N($a, $b)", int="sw_max_$N($a, $b)", bool="$a | $b"),
        "fma": Spelling(float="sw_fma_$N($a, $b, $c)", int="($V)(($U)$a * ($U)$b + ($U)$c)"),
        "copysign": Spelling(float="($V)((($I)$a & ~$sign) | (($I)$b & $sign))"),
        "sqrt": Spelling(float="sw_sqrt_$N($a)"),
        "rsqrt": Spelling(float="1 / sw_sqrt_$N($a)"),
        "floor": Spelling(float="sw_floor_$N($a)"),
        "ceil": Spelling(float="sw_ceil_$N($a)"),
        "trunc": Spelling(float="sw_trunc_$N($a)"),
        "round": Spelling(float="sw_round_$N($a)"),
        "isnan": Spelling(float="sw_isnan_$N($a)"),
        "isinf": Spelling(float="$mask((($I)$a & ~$sign) == $infinity)"),
        "isfinite": Spelling(float="$mask((($I)$a & ~$sign) < $infinity)"),
        "eq": Spelling(int="$mask($a == $b)", bool="~($a ^ $b)"),
        "ne": Spelling(int="$mask($a != $b)", bool="$a ^ $b"),
        "lt": Spelling(int="$mask($a < $b)", bool="~$a & $b"),
        "le": Spelling(int="$mask($a <= $b)", bool="~$a | $b"),
        "gt": Spelling(int="$mask($a > $b)", bool="$a & ~$b"),
        "ge": Spelling(int="$mask($a >= $b)", bool="$a | ~$b"),
        "and": Spelling(int="$a & $b"),
        "or": Spelling(int="$a | $b"),
        "xor": Spelling(int="$a ^ $b"),
        "not": Spelling(int="~$a"),
        "shift_left": Spelling(int="sw_shift_left_$N($a, $b)"),
        "shift_right": Spelling(int="sw_shift_right_$N($a, $b)"),
        "select": Spelling(int="sw_select_$N($a, $b, $c)"),
        "pack_bfloat16": Spelling(float="($V)((($U)$a >> 16) | (($U)$b & 0xFFFF0000u))"),
        "dot_bfloat16": Spelling(float="sw_dot_bfloat16_$N($a, $b, $c)"),
    }
)

_STORE_BOOLS = "    *(sw_i8x${L}u *)p = sw_cast_i32_i8x$L(a & 1);\n"

# Non-temporal stores need vectors that are aligned to their size.
_STREAM = """\
#if $streams
    typedef float part __attribute__((vector_size($bytes)));
    if (past && ((uintptr_t)p & ($bytes - 1)) == 0) {
#ifdef __clang__
        __builtin_nontemporal_store((part)a, (part *)p);
#else
        __builtin_ia32_$past((float *)p, (part)a);
#endif
        return;
    }
#endif
    *(${V}u *)p = a;
"""

# Most gathers have all of their lanes. The instruction takes a bit for each lane, predicate -1 all of them.
_GATHER = """\
#if $gathers
    typedef long long places __attribute__((vector_size(64)));
    typedef $gathered lanes __attribute__((vector_size(8 * sizeof($gathered))));
    return ($V)__builtin_ia32_gatherdiv$gather((lanes)a, p, (places)k, __builtin_ia32_ptestmd256(m, m, -1), sizeof($E));
#else
    if (sw_fold_and_i1x$L(m)) {
        for (int j = 0; j < $L; ++j) a[j] = $picked;
        return a;
    }
    for (int j = 0; j < $L; ++j) if (m[j]) a[j] = $picked;
    return a;
#endif
"""

# An opaque value: under gcc's cost model for Zen 3, also used for Zen 4 and Zen 5, gcc would otherwise repeat the load at each
# use.
_HOLD = """\
#if $streams && !defined(__clang__)
    __asm__("" : "+$register"(a));
#endif
    return a;
"""

# Helpers that access memory or take scalars: result, parameters and body.
MOVES: Mapping[str, tuple[str, tuple[str, ...], Spelling]] = MappingProxyType(
    {
        "splat": ("$V", ("$E a",), Spelling(int="    return ($V){$all};\n")),
        "load": (
            "$V",
            ("const $E *p",),
            Spelling(
                int="    return *(const ${V}u *)p;\n",
                bool="    return sw_cast_i8_i32x$L(*(const sw_i8x${L}u *)p != 0);\n",
            ),
        ),
        "hold": ("$V", ("$V a",), Spelling(int=_HOLD)),
        "store": (
            "void",
            ("$E *p", "$V a"),
            Spelling(int="    *(${V}u *)p = a;\n", bool=_STORE_BOOLS),
        ),
        "stream": ("void", ("$E *p", "$V a", "_Bool past"), Spelling(int=_STREAM, bool=_STORE_BOOLS)),
        "load_part": ("$V", ("const $E *p", "int64_t first", "int64_t end", "$V a"), Spelling(int=_LOAD_PART)),
        "store_part": ("void", ("$E *p", "int64_t first", "int64_t end", "$V a"), Spelling(int=_STORE_PART)),
        "gather": ("$V", ("const $E *p", "sw_i64x$L k", "$M m", "$V a"), Spelling(int=_GATHER)),
    }
)

_EACH_LANE = "    $V r;\n    for (int k = 0; k < $L; ++k) r[k] = {};\n    return r;\n"

# The instruction returns the second operand if either is NaN; the mask keeps NaNs of the first operand.
_EXTREMUM = """\
#if $avx512 && !defined(__clang__)
    return __builtin_ia32_{0}${{move}}_mask(a, b, a, __builtin_ia32_cmp${{move}}_mask(a, a, 7, -1, 4), 4);
#else
    $I m = (a {1} b) | (a != a);
    return ($V)((m & ($I)a) | (~m & ($I)b));
#endif
"""

# The helper bodies of scalar functions.
BODIES: Mapping[str, Spelling] = MappingProxyType(
    {
        # Bitwise selection by a mask, which compilers recognise as a blend.
        "select": Spelling(int="    $I m = $wide(a);\n    return ($V)((m & ($I)b) | (~m & ($I)c));\n"),
        "min": Spelling(
            float=_EXTREMUM.format("min", "<"),
            int="    $I m = a < b;\n    return ($V)((m & ($I)a) | (~m & ($I)b));\n",
        ),
        "max": Spelling(
            float=_EXTREMUM.format("max", ">"),
            int="    $I m = a > b;\n    return ($V)((m & ($I)a) | (~m & ($I)b));\n",
        ),
        "abs": Spelling(int="    $I m = a < 0;\n    return ($V)(($U)(a ^ m) - ($U)m);\n"),
        "sign": Spelling(
            float="""\
    $I m = a != a;
    $V s = __builtin_convertvector((a < 0) - (a > 0), $V);
    return ($V)((m & ($I)a) | (~m & ($I)s));
""",
            int="    return (a < 0) - (a > 0);\n",
            uint="    return ($V)-(a > 0);\n",
        ),
        "square": Spelling(float="    return a * a;\n", int="    return ($V)(($U)a * ($U)a);\n"),
        "isnan": Spelling(float="    return $mask(a != a);\n"),
        "shift_left": Spelling(
            int="    return ($V)((($U)a << (($U)b & ($B - 1))) & ($U)(($U)b < $B));\n",
        ),
        "shift_right": Spelling(
            int="    $U far = ($U)(($U)b >= $B);\n    return a >> ($V)((($U)b & ~far) | (far & ($B - 1)));\n",
            uint="    return (a >> (b & ($B - 1))) & ($U)(b < $B);\n",
        ),
        # Compilers turn this loop into one instruction if the target has it, but take longer to compile it than a builtin.
        "fma": Spelling(
            float="#if $fused\n    return __builtin_ia32_vfmadd$operation;\n#else\n"
            + _EACH_LANE.format("__builtin_fma$F(a[k], b[k], c[k])")
            + "#endif\n"
        ),
        # gcc 13 has a type for bfloat16 numbers, which earlier versions take as short integers; clang's builtin has another
        # name.
        "dot_bfloat16": Spelling(
            float="""\
#if $L >= 4 && defined(__AVX512BF16__) && defined(__AVX512VL__) && !defined(__clang__)
#if __GNUC__ >= 13
    typedef __bf16 pairs __attribute__((vector_size($bytes)));
#else
    typedef short pairs __attribute__((vector_size($bytes)));
#endif
    return __builtin_ia32_dpbf16ps_v${L}sf(c, (pairs)a, (pairs)b);
#else
    const $V low = ($V)(($U)a << 16) * ($V)(($U)b << 16);
    return c + (low + ($V)(($U)a & 0xFFFF0000u) * ($V)(($U)b & 0xFFFF0000u));
#endif
"""
        ),
        "sqrt": Spelling(float=_EACH_LANE.format("__builtin_sqrt$F(a[k])")),
        "floor": Spelling(float=_EACH_LANE.format("__builtin_floor$F(a[k])")),
        "ceil": Spelling(float=_EACH_LANE.format("__builtin_ceil$F(a[k])")),
        "trunc": Spelling(float=_EACH_LANE.format("__builtin_trunc$F(a[k])")),
        "round": Spelling(float=_EACH_LANE.format("__builtin_rint$F(a[k])")),
    }
)

# The fast path of quotients and remainders of 64-bit integers, which have no vector instructions; otherwise they are computed
# lane by lane. Numbers below 2^51 are exact in float64. The quotient may be off by one; the remainder, exact by fused
# multiply-add, tells if it is. Of the numbers in calls, predicate 5 is "not less", 0 is "equal", and the mask -1 has all lanes.
_SMALL_QUOTIENT = """\
#if $table
    typedef $builtin lanes __attribute__((vector_size($bytes)));
    const lanes zero = {{0}}, most = zero + (INT64_C(1) << 51);
    if (!(__builtin_ia32_ucmpq512_mask((lanes)a + most, most + most, 5, -1)
          | __builtin_ia32_ucmpq512_mask((lanes)b + most, most + most, 5, -1)
          | __builtin_ia32_cmpq512_mask((lanes)b, zero, 0, -1))) {{
        const sw_f64x$L by = __builtin_convertvector(b, sw_f64x$L), from = __builtin_convertvector(a, sw_f64x$L);
        sw_f64x$L q = sw_floor_f64x$L(from * (1 / by)), r = sw_fma_f64x$L(-q, by, from);
        const $V low = (r != 0) & ((r < 0) ^ (by < 0)), high = ((by > 0) & (r >= by)) | ((by < 0) & (r <= by));
        return {};
    }}
#endif
"""
QUOTIENTS: Mapping[str, str] = MappingProxyType(
    {
        "floordiv": _SMALL_QUOTIENT.format("__builtin_convertvector(q, $V) + low - high"),
        "mod": _SMALL_QUOTIENT.format("__builtin_convertvector(r, $V) + (low & b) - (high & b)"),
    }
)
