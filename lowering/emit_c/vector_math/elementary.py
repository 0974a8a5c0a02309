"""Elementary functions on float32 and float64 vectors in C, branch-free, within the error bounds of `ir/scalars/`.

The methods are those of Cody and Waite (Software Manual for the Elementary Functions, 1980): range reduction subtracts a
multiple of a constant, split into two or three parts, and a polynomial approximates the function on the reduced range. NaN,
infinities, both zeros and denormal numbers give the same results as in libm.

Templates are as in `lowering/emit_c/vector_functions.py`, with the constants of `CONSTANTS` in addition; `$S` is the integer
type of a lane. `sw_mad_$N(a, b, c)` is a * b + c, rounded once if the machine has FMA. Functions that rely on the single
rounding test `$fma`, and call the scalar function lane by lane on machines without it.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

# Constants by type. `magic` is 1.5 * 2^23 or 1.5 * 2^52: adding it rounds to an integer. `log2_high` has so few bits that its
# product with an exponent is exact; the bounds are arguments where results saturate. `roots` are 2^(k / 16), in 512-bit
# registers, `root_magic` is `magic` / 16, and `left` is above log(2) / 32, the greatest reduced argument.
CONSTANTS: Mapping[str, Mapping[str, str]] = MappingProxyType(
    {
        "f32": MappingProxyType(
            {
                "magic": "12582912.0f", "magic_bits": "0x4B400000", "bias": "127", "digits": "23", "fraction": "0x7FFFFF",
                "log2e": "1.44269504f", "log2": "0.693147182f", "log2_high": "0.693359375f", "log2_low": "-2.12194440e-4f",
                "exp_least": "-104.0f", "exp_most": "89.0f", "exp2_least": "-151.0f", "exp2_most": "129.0f",
                "expm1_least": "-18.0f", "tanh_most": "10.0f", "normal": "1.17549435e-38f", "to_normal": "8388608.0f",
                "half_root": "0x3F3504F3", "root_magic": "786432.0f", "left": "0.03125f",
                "roots": "(__typeof__(a)){1.0f, 1.0442737f, 1.0905077f, 1.1387886f, 1.1892071f, 1.2418578f, 1.2968396f, "
                "1.3542556f, 1.4142135f, 1.4768262f, 1.5422108f, 1.6104903f, 1.6817929f, 1.7562522f, 1.8340081f, 1.9152066f}",
            }
        ),
        "f64": MappingProxyType(
            {
                "magic": "6755399441055744.0", "magic_bits": "INT64_C(0x4338000000000000)", "bias": "1023", "digits": "52",
                "fraction": "INT64_C(0xFFFFFFFFFFFFF)", "log2e": "1.4426950408889634", "log2": "0.6931471805599453",
                "log2_high": "6.93147180369123816490e-01", "log2_low": "1.90821492927058770002e-10",
                "exp_least": "-746.0", "exp_most": "710.0", "exp2_least": "-1076.0", "exp2_most": "1025.0",
                "expm1_least": "-38.0", "tanh_most": "20.0", "normal": "2.2250738585072014e-308",
                "to_normal": "4503599627370496.0", "half_root": "INT64_C(0x3FE6A09E667F3BCD)",
                "root_magic": "422212465065984.0", "left": "0.03125",
                "roots": "(__typeof__(a)){1.0, 1.0442737824274138, 1.0905077326652577, 1.1387886347566916, 1.189207115002721, "
                "1.241857812073484, 1.2968395546510096, 1.3542555469368927}, "
                "(__typeof__(a)){1.4142135623730951, 1.4768261459394993, 1.5422108254079407, 1.6104903319492543, "
                "1.681792830507429, 1.7562521603732995, 1.8340080864093424, 1.9152065613971474}",
            }
        ),
    }
)  # fmt: skip

# Building blocks shared by the functions, by name: result, parameters, body.
PARTS: Mapping[str, tuple[str, tuple[str, ...], str]] = MappingProxyType(
    {
        "mad": (
            "$V",
            ("$V a", "$V b", "$V c"),
            "#if $fma\n    return sw_fma_$N(a, b, c);\n#else\n    return a * b + c;\n#endif\n",
        ),
        # float32 rounded to bfloat16, in the upper half of each lane: to nearest even by an addition that carries into the
        # upper half. The addition would destroy NaNs, which are made quiet instead.
        "bfloat16_bits": (
            "sw_u32x$L",
            ("$V a",),
            """\
    sw_u32x$L bits = (sw_u32x$L)a, nan = (sw_u32x$L)(a != a);
    return (nan & (bits | 0x400000)) | (~nan & (bits + 0x7FFF + (bits >> 16 & 1)));
""",
        ),
        "reduce_precision_bf16": ("$V", ("$V a",), "    return ($V)(sw_bfloat16_bits_$N(a) & 0xFFFF0000);\n"),
        "madk": ("$V", ("$V a", "$V b", "$E c"), "    return sw_mad_$N(a, b, sw_splat_$N(c));\n"),
        # Clamping; NaN is preserved.
        "at_least": (
            "$V",
            ("$V a", "$E low"),
            """\
#if $avx512 && !defined(__clang__)
    return __builtin_ia32_max${move}_mask(sw_splat_$N(low), a, a, -1, 4);
#else
    return sw_pick_$N(a < low, sw_splat_$N(low), a);
#endif
""",
        ),
        "at_most": (
            "$V",
            ("$V a", "$E high"),
            """\
#if $avx512 && !defined(__clang__)
    return __builtin_ia32_min${move}_mask(sw_splat_$N(high), a, a, -1, 4);
#else
    return sw_pick_$N(a > high, sw_splat_$N(high), a);
#endif
""",
        ),
        # Selection by a mask of integers as wide as the floats.
        "pick": ("$V", ("$I m", "$V a", "$V b"), "    return ($V)((m & ($I)a) | (~m & ($I)b));\n"),
        # a * b rounded to an integer; and conversions between integral floats and integers.
        "nearest": ("$V", ("$V a", "$E b"), "    return sw_madk_$N(a, sw_splat_$N(b), $magic) - $magic;\n"),
        "whole": ("$I", ("$V n",), "    return ($I)(n + $magic) - $magic_bits;\n"),
        "number": ("$V", ("$I n",), "    return ($V)(n + $magic_bits) - $magic;\n"),
        # a * 2^n for exponents of any size, rounded once: the first factor leaves the product normal.
        "scale": (
            "$V",
            ("$V a", "$V n"),
            """\
#if $avx512
    return __builtin_ia32_scalef${move}_mask(a, n, a, -1, 4);
#else
    $I whole = sw_whole_$N(n), half = whole >> 1;
    return a * ($V)((half + $bias) << $digits) * ($V)((whole - half + $bias) << $digits);
#endif
""",
        ),
        # 2^n, if that is a normal number.
        "power": (
            "$V",
            ("$V n",),
            """\
#if $avx512
    return __builtin_ia32_scalef${move}_mask(sw_splat_$N(1), n, n, -1, 4);
#else
    return ($V)((sw_whole_$N(n) + $bias) << $digits);
#endif
""",
        ),
        # a - n * log(2)
        "minus_logs": (
            "$V",
            ("$V a", "$V n"),
            """\
    $V r = sw_mad_$N(n, sw_splat_$N(-($log2_high)), a);
    return sw_mad_$N(n, sw_splat_$N(-($log2_low)), r);
""",
        ),
        # a + n * log(2), where a has a low-order part
        "plus_logs": (
            "$V",
            ("$V a", "$V small", "$V n"),
            """\
    $V r = sw_mad_$N(n, sw_splat_$N($log2_low), small) + a;
    return sw_mad_$N(n, sw_splat_$N($log2_high), r);
""",
        ),
        # exp(a) between its bounds. AVX-512 keeps the roots of 2 in registers, so that the reduced argument needs few terms.
        # With AVX-512 any argument is allowed: VRANGE clamps the magnitude of the reduced argument to its bound, also for NaN,
        # so that the product is finite and positive, and VSCALEF applies n, which may be NaN or infinite.
        "exp_bounded": (
            "$V",
            ("$V a",),
            """\
#if $table
    $V parts = sw_madk_$N(a, sw_splat_$N($log2e), $root_magic), n = parts - $root_magic;
    $V r = __builtin_ia32_range${move}_mask(sw_minus_logs_$N(a, n), sw_splat_$N($left), 2, a, -1, 4);
    $V root = __builtin_shuffle($roots, ($I)parts);
    return sw_scale_$N(sw_mad_$N(root, sw_expm1_nearer_$N(r), root), n);
#else
    $V n = sw_nearest_$N(a, $log2e);
    return sw_scale_$N(sw_expm1_near_$N(sw_minus_logs_$N(a, n)) + 1, n);
#endif
""",
        ),
        # Clamps arguments to the bounds of `exp_bounded`, if it needs them.
        "exp_least": (
            "$V",
            ("$V a",),
            """\
#if $table
    return a;
#else
    return sw_at_least_$N(a, $exp_least);
#endif
""",
        ),
        "exp_most": (
            "$V",
            ("$V a",),
            """\
#if $table
    return a;
#else
    return sw_at_most_$N(a, $exp_most);
#endif
""",
        ),
        # a = 2^n * (1 + result) for positive a, where 1 + result is about 1; denormal numbers are scaled first. AVX-512 has
        # instructions for the exponent and for the fraction, which is at least 1, of any number.
        "fraction": (
            "$V",
            ("$V a", "$V *n"),
            """\
#if $avx512
    $V exponent = __builtin_ia32_getexp${move}_mask(a, a, -1, 4);
    $I whole = ($I)__builtin_ia32_getmant${move}_mask(a, 0, a, -1, 4), large = whole >= $half_root + (($S)1 << $digits);
    *n = sw_pick_$N(large, exponent + 1, exponent);
    return ($V)(whole - (large & (($S)1 << $digits))) - 1;
#else
    $I tiny = a < $normal;
    $I bits = ($I)sw_pick_$N(tiny, a * $to_normal, a) - $half_root;
    *n = sw_number_$N((bits >> $digits) - (tiny & $digits));
    return ($V)((bits & $fraction) + $half_root) - 1;
#endif
""",
        ),
        # The result of a logarithm of a: `b` for positive finite numbers, otherwise a special value. The digits of the table,
        # from the last to the first, are for NaNs (2: unchanged), zeros (4: -inf), ones (0: b), -inf (3: NaN), inf (5: inf),
        # negative and positive numbers.
        "log_of": (
            "$V",
            ("$V a", "$V b"),
            """\
#if $avx512
    typedef $builtin table __attribute__((vector_size($bytes)));
    return __builtin_ia32_fixupimm${move}_mask(b, a, (table){} + 0x03530422, 0, -1, 4);
#else
    $V limit = sw_pick_$N(a == 0, sw_splat_$N(-INFINITY), sw_pick_$N(a > 0, a, sw_splat_$N(NAN)));
    return sw_pick_$N((a > 0) & (a < INFINITY), b, limit);
#endif
""",
        ),
        "with_sign": ("$V", ("$V a", "$V b"), "    return ($V)((($I)a & ~$sign) | (($I)b & $sign));\n"),
        "any": (
            "int",
            ("$I m",),
            "    $S any = 0;\n    for (int k = 0; k < $L; ++k) any |= m[k];\n    return any != 0;\n",
        ),
        # a = quarter * (pi / 2) + result, for float32 and |a| < 10^5.
        "quarters": (
            "$V",
            ("$V a", "$I *quarter"),
            """\
    $V n = sw_nearest_$N(a, 0.636619772f);
    *quarter = sw_whole_$N(n);
    $V r = sw_mad_$N(n, sw_splat_$N(-1.57079637f), a);
    r = sw_mad_$N(n, sw_splat_$N(4.37113883e-8f), r);
    return sw_mad_$N(n, sw_splat_$N(1.71512451e-15f), r);
""",
        ),
        # The sine for even quarters and the cosine for odd ones, with the sign of the second half turn; for float32.
        "wave": (
            "$V",
            ("$V a", "$I quarter"),
            """\
    $V square = a * a;
    $V s = sw_madk_$N(sw_splat_$N(-1.9515295891e-4f), square, 8.3321608736e-3f);
    s = sw_madk_$N(s, square, -1.6666654611e-1f);
    s = sw_mad_$N(s * square, a, a);
    $V c = sw_madk_$N(sw_splat_$N(2.443315711809948e-5f), square, -1.388731625493765e-3f);
    c = sw_madk_$N(c, square, 4.166664568298827e-2f);
    c = sw_mad_$N(c * square, square, square * -0.5f) + 1.0f;
    $V r = sw_pick_$N((quarter & 1) != 0, c, s);
    return ($V)(($I)r ^ ((quarter & 2) << 30));
""",
        ),
    }
)

_HORNER = "    p = sw_madk_$N(p, {}, {});\n"


def polynomial(argument: str, *coefficients: str) -> str:
    """Statements that evaluate a polynomial into p, coefficients from the highest power down."""
    first, *others = coefficients
    return f"    $V p = sw_splat_$N({first});\n" + "".join(_HORNER.format(argument, each) for each in others)


# The polynomials, by type: exp(a) - 1 for |a| <= log(2) / 2, our own (Remez), to 1.4e-8 and 6e-17; the same with the table of
# roots, for |a| <= log(2) / 32 (Taylor and Remez), to 9.3e-9 and 1.2e-17; and log(1 + a) - a for
# sqrt(1/2) <= 1 + a < sqrt(2), from Cephes (Moshier) and from FreeBSD (Sun Microsystems).
POLYNOMIALS: Mapping[str, Mapping[str, str]] = MappingProxyType(
    {
        "expm1_near": MappingProxyType(
            {
                "f32": polynomial("a", "1.3882327e-3f", "8.366585e-3f", "4.1667204e-2f", "1.6666543e-1f", "4.9999997e-1f")
                + "    return sw_mad_$N(p, a * a, a);\n",
                "f64": polynomial(
                    "a", "2.5054067958784362e-08", "2.7625699737555135e-07", "2.755739728780022e-06",
                    "2.4801506180715363e-05", "0.0001984126974474162", "0.0013888888930686054", "0.00833333333336779",
                    "0.04166666666657999", "0.16666666666666644", "0.5000000000000004",
                )
                + "    return sw_mad_$N(p, a * a, a);\n",
            }
        ),
        "expm1_nearer": MappingProxyType(
            {
                "f32": polynomial("a", "1.6666667e-1f", "0.5f") + "    return sw_mad_$N(p, a * a, a);\n",
                "f64": polynomial(
                    "a", "0.0013888594079607185", "0.008333471920792498", "0.04166666669324882", "0.1666666666441797",
                    "0.49999999999999606",
                )
                + "    return sw_mad_$N(p, a * a, a);\n",
            }
        ),
        # 1 / sqrt(2 * pi) minus t * Phi(-t) / exp(-t * t / 2), where Phi is the normal distribution function and t > 1.25, as a
        # polynomial in a = 1 / (t * t + 2.5); our own (Lawson), with a relative error of 1.3e-8.
        "gelu_far": MappingProxyType(
            {
                "f32": polynomial(
                    "a", "1964.02747f", "-2077.8248f", "1049.30733f", "-314.899351f", "69.3153224f", "-11.0573292f",
                    "2.43853132f", "-1.98739121e-1f", "3.98938781e-1f",
                )
                + "    return p * a;\n",
            }
        ),
        "log_near": MappingProxyType(
            {
                "f32": polynomial(
                    "a", "7.0376836292e-2f", "-1.1514610310e-1f", "1.1676998740e-1f", "-1.2420140846e-1f",
                    "1.4249322787e-1f", "-1.6668057665e-1f", "2.0000714765e-1f", "-2.4999993993e-1f", "3.3333331174e-1f",
                )
                + "    $V square = a * a;\n    return sw_mad_$N(p * a, square, square * -0.5f);\n",
                "f64": "    $V s = a / (a + 2), square = s * s, half = a * a * 0.5;\n"
                + polynomial(
                    "square", "1.479819860511658591e-01", "1.531383769920937332e-01", "1.818357216161805012e-01",
                    "2.222219843214978396e-01", "2.857142874366239149e-01", "3.999999999940941908e-01",
                    "6.666666666666735130e-01",
                )
                + "    return sw_mad_$N(s, sw_mad_$N(p, square, half), -half);\n",
            }
        ),
    }
)  # fmt: skip


def waves(name: str, reduced: str, most: str = "1e5f") -> str:
    """The body of a function of period pi or 2 * pi, from statements on the argument reduced by quarter turns. For arguments
    above `most`, where the reduction is not exact enough, it calls the scalar function lane by lane."""
    return f"""\
#if $fma
    if (!sw_any_$N(~(($V)(($I)a & ~$sign) < {most}))) {{
        $I quarter;
        $V r = sw_quarters_$N(a, &quarter);
{reduced}    }}
#endif
    $V r;
    for (int k = 0; k < $L; ++k) r[k] = {name}f(a[k]);
    return r;
"""


# The function bodies; those for float32 only are in the next table.
FUNCTIONS: Mapping[str, str] = MappingProxyType(
    {
        "exp": "    return sw_exp_bounded_$N(sw_exp_most_$N(sw_exp_least_$N(a)));\n",
        "exp2": """\
    $V c = sw_at_most_$N(sw_at_least_$N(a, $exp2_least), $exp2_most);
    $V n = sw_nearest_$N(c, 1);
    return sw_scale_$N(sw_expm1_near_$N((c - n) * $log2) + 1, n);
""",
        # Scale by 2^(n - 1), then double: 2^n may overflow. Arguments whose half would be denormal, and zeros, are returned
        # unchanged: their result rounds to them.
        "expm1": """\
    $V c = sw_at_most_$N(sw_at_least_$N(a, $expm1_least), $exp_most);
    $V n = sw_nearest_$N(c, $log2e);
    $V m = sw_expm1_near_$N(sw_minus_logs_$N(c, n));
    $V half = sw_power_$N(n - 1);
    return sw_pick_$N(($V)(($I)a & ~$sign) < 2 * $normal, a, sw_mad_$N(m, half, half - 0.5f) * 2);
""",
        # tanh(a) follows from exp(2 * a) - 1.
        "tanh": """\
    $V b = sw_at_most_$N(($V)(($I)a & ~$sign), $tanh_most);
    b = b + b;
    $V n = sw_nearest_$N(b, $log2e);
    $V m = sw_expm1_near_$N(sw_minus_logs_$N(b, n));
    $V power = sw_power_$N(n);
    $V e = sw_mad_$N(m, power, power - 1);
    return ($V)(($I)(e / (e + 2)) | (($I)a & $sign));
""",
        "sigmoid": """\
    $V e = sw_exp_bounded_$N(sw_exp_least_$N(($V)(($I)a | $sign)));
    return sw_pick_$N(a >= 0, sw_splat_$N(1), e) / (e + 1);
""",
        "log": """\
    $V n, f = sw_fraction_$N(a, &n);
    return sw_log_of_$N(a, sw_plus_logs_$N(f, sw_log_near_$N(f), n));
""",
        # The rounding error of 1 + a is added to the fraction.
        "log1p": """\
    $V u = a + 1;
    $V n, f = sw_fraction_$N(u, &n);
    $V lost = sw_pick_$N(a > 1, 1 - (u - a), a - (u - 1));
    $I down = $bias - sw_whole_$N(n);
    f = sw_mad_$N(lost, ($V)((down & (down > 0)) << $digits), f);
    return sw_with_sign_$N(sw_log_of_$N(u, sw_plus_logs_$N(f, sw_log_near_$N(f), n)), a);
""",
        "log2": """\
    $V n, f = sw_fraction_$N(a, &n);
    $V y = sw_log_near_$N(f);
    $V r = sw_mad_$N(f, sw_splat_$N(0.44269504088896340736), y * ($E)0.44269504088896340736);
    return sw_log_of_$N(a, ((r + y) + f) + n);
""",
        "softplus": """\
    $V e = sw_exp_bounded_$N(sw_exp_least_$N(($V)(($I)a | $sign)));
    return sw_pick_$N(a > 0, a, sw_splat_$N(0)) + sw_log1p_$N(e);
""",
        "logaddexp": """\
    $V e = sw_exp_bounded_$N(sw_exp_least_$N(($V)(($I)(a - b) | $sign)));
    return sw_pick_$N(a == b, a + $log2, sw_pick_$N(a > b, a, b) + sw_log1p_$N(e));
""",
    }
)

FLOAT32_FUNCTIONS: Mapping[str, str] = MappingProxyType(
    {
        "log10": """\
    $V n, f = sw_fraction_$N(a, &n);
    $V y = sw_log_near_$N(f);
    $V r = sw_mad_$N(n, sw_splat_$N(2.48745663981195213739e-4f), (f + y) * 7.00731903251827651129e-4f);
    r = sw_mad_$N(y, sw_splat_$N(4.3359375e-1f), r);
    r = sw_mad_$N(f, sw_splat_$N(4.3359375e-1f), r);
    return sw_log_of_$N(a, sw_mad_$N(n, sw_splat_$N(3.0078125e-1f), r));
""",
        # The polynomials are by N. Juffa.
        "erf": """\
    $V t = sw_at_most_$N(($V)(($I)a & ~$sign), 4.0f), square = t * t;
"""
        + polynomial(
            "square", "-5.96761703e-4f", "4.99119423e-3f", "-2.67681349e-2f", "1.12819925e-1f", "-3.76125336e-1f",
            "1.28379166e-1f",
        )
        + """\
    $V q = sw_madk_$N(sw_splat_$N(-1.72853470e-5f), t, 3.83197126e-4f);
    q = sw_mad_$N(q, square, sw_madk_$N(sw_splat_$N(-3.88396438e-3f), t, 2.42546219e-2f));
    q = sw_madk_$N(q, t, -1.06777877e-1f);
    q = sw_madk_$N(q, t, -6.34846687e-1f);
    q = sw_madk_$N(q, t, -1.28717512e-1f);
    q = 1.0f - sw_exp_bounded_$N(sw_mad_$N(q, t, -t));
    return sw_with_sign_$N(sw_pick_$N(t > 0.927734375f, q, sw_mad_$N(p, t, t)), a);
""",
        # For t = |a|, t * Phi(-t), with the normal distribution function Phi, is exp(-t * t / 2) times a polynomial (our own,
        # by Lawson, to 1.3e-8) or, for large t, times a factor close to 1 / sqrt(2 * pi). The rounding error of the square is
        # corrected, since its effect grows with t.
        "gelu": """\
    $V t = sw_at_most_$N(($V)(($I)a & ~$sign), 16.0f), square = t * t, inverse = 1.0f / (square + 2.5f);
#if $fma
    $V lost = sw_fma_$N(t, t, -square);
#else
    $V high = ($V)(($I)t & ~0xFFF), low = t - high;
    $V lost = ((high * high - square) + (high + high) * low) + low * low;
#endif
"""
        + polynomial(
            "t", "2.46256434e-4f", "-2.04392793e-3f", "8.55601771e-3f", "-2.53596839e-2f", "6.20003746e-2f", "-1.32865947e-1f",
            "2.49986964e-1f", "-3.98941764e-1f", "0.5f",
        )
        + "    $V near = p * t;\n    p = sw_gelu_far_$N(inverse);\n"
        + """\
    $V far = 3.98942280e-1f - sw_mad_$N(lost * 0.5f, 3.98942280e-1f - p, p);
    $V y = sw_pick_$N(t > 1.25f, far, near) * sw_exp_bounded_$N(sw_exp_least_$N(square * -0.5f));
    return sw_pick_$N(a > 0, a - y, sw_with_sign_$N(y, a));
""",
        "sin": waves("sin", "        return sw_pick_$N(a == 0, a, sw_wave_$N(r, quarter));\n"),
        "cos": waves("cos", "        return sw_wave_$N(r, quarter + 1);\n"),
    }
)  # fmt: skip
