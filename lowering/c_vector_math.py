"""Elementary functions of float32 vectors in C: no branch, no table, within the errors that `ir/scalars.py` states.

The methods are those of Cody and Waite (Software Manual for the Elementary Functions, 1980): the argument is reduced by
subtracting a multiple of a constant in two or three pieces, a polynomial does the rest. Coefficients are those of Cephes
(Moshier), the polynomials of erf are by N. Juffa. NaN, infinities, both zeros and denormal numbers come out as in libm.

Templates are as in `c_vector_functions.py`. `sw_mad_$N(a, b, c)` is a * b + c, rounded once where the machine can; what needs
that to be exact asks `$fma`, and goes lane by lane on machines without.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

# What the functions share, by name: result, parameters, body.
PARTS: Mapping[str, tuple[str, tuple[str, ...], str]] = MappingProxyType(
    {
        "mad": (
            "$V",
            ("$V a", "$V b", "$V c"),
            "#if $fma\n    return sw_fma_$N(a, b, c);\n#else\n    return a * b + c;\n#endif\n",
        ),
        "madk": ("$V", ("$V a", "$V b", "$E c"), "    return sw_mad_$N(a, b, sw_splat_$N(c));\n"),
        # Bounds; NaN stays.
        "at_least": (
            "$V",
            ("$V a", "$E low"),
            """\
#if $avx512 && !defined(__clang__)
    return __builtin_ia32_max${move}_mask(sw_splat_$N(low), a, a, -1, 4);
#else
    return sw_select_$N(a < low, sw_splat_$N(low), a);
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
    return sw_select_$N(a > high, sw_splat_$N(high), a);
#endif
""",
        ),
        # a * b to a whole number, for less than 2^22: adding 1.5 * 2^23 leaves no room for a fraction.
        "nearest": ("$V", ("$V a", "$E b"), "    return sw_madk_$N(a, sw_splat_$N(b), 12582912.0f) - 12582912.0f;\n"),
        # a * 2^n for |n| <= 252, rounded once: the first factor leaves the product normal.
        "scale": (
            "$V",
            ("$V a", "$V n"),
            """\
#if $avx512
    return __builtin_ia32_scalef${move}_mask(a, n, a, -1, 4);
#else
    $I whole = __builtin_convertvector(n, $I), half = whole >> 1;
    return a * ($V)((half + 127) << 23) * ($V)((whole - half + 127) << 23);
#endif
""",
        ),
        # 2^n for -126 <= n <= 127.
        "power": (
            "$V",
            ("$V n",),
            """\
#if $avx512
    return __builtin_ia32_scalef${move}_mask(sw_splat_$N(1), n, n, -1, 4);
#else
    return ($V)((__builtin_convertvector(n, $I) + 127) << 23);
#endif
""",
        ),
        # exp(a) - 1 for |a| <= log(2) / 2, to 1.4e-8; a polynomial of our own (Remez).
        "expm1_near": (
            "$V",
            ("$V a",),
            """\
    $V p = sw_madk_$N(sw_splat_$N(1.3882327e-3f), a, 8.366585e-3f);
    p = sw_madk_$N(p, a, 4.1667204e-2f);
    p = sw_madk_$N(p, a, 1.6666543e-1f);
    p = sw_madk_$N(p, a, 4.9999997e-1f);
    return sw_mad_$N(p, a * a, a);
""",
        ),
        # a - n * log(2)
        "minus_logs": (
            "$V",
            ("$V a", "$V n"),
            """\
    $V r = sw_mad_$N(n, sw_splat_$N(-0.693359375f), a);
    return sw_mad_$N(n, sw_splat_$N(2.12194440e-4f), r);
""",
        ),
        # exp(a) for -104 <= a <= 89.
        "exp_bounded": (
            "$V",
            ("$V a",),
            """\
    $V n = sw_nearest_$N(a, 1.44269504f);
    return sw_scale_$N(sw_expm1_near_$N(sw_minus_logs_$N(a, n)) + 1.0f, n);
""",
        ),
        # log(1 + a) - a for sqrt(1/2) <= 1 + a < sqrt(2).
        "log_near": (
            "$V",
            ("$V a",),
            """\
    $V p = sw_madk_$N(sw_splat_$N(7.0376836292e-2f), a, -1.1514610310e-1f);
    p = sw_madk_$N(p, a, 1.1676998740e-1f);
    p = sw_madk_$N(p, a, -1.2420140846e-1f);
    p = sw_madk_$N(p, a, 1.4249322787e-1f);
    p = sw_madk_$N(p, a, -1.6668057665e-1f);
    p = sw_madk_$N(p, a, 2.0000714765e-1f);
    p = sw_madk_$N(p, a, -2.4999993993e-1f);
    p = sw_madk_$N(p, a, 3.3333331174e-1f);
    $V square = a * a;
    return sw_mad_$N(p * a, square, square * -0.5f);
""",
        ),
        # a = 2^n * (1 + result) for positive a; denormal numbers are made normal first.
        "fraction": (
            "$V",
            ("$V a", "$V *n"),
            """\
    $I tiny = a < 1.17549435e-38f;
    $I bits = ($I)sw_select_$N(tiny, a * 8388608.0f, a) - 0x3F3504F3;
    *n = __builtin_convertvector((bits >> 23) - (tiny & 23), $V);
    return ($V)((bits & 0x7FFFFF) + 0x3F3504F3) - 1.0f;
""",
        ),
        # What a logarithm of a gives: `b` for positive finite numbers.
        "log_of": (
            "$V",
            ("$V a", "$V b"),
            """\
    $V limit = sw_select_$N(a == 0, sw_splat_$N(-INFINITY), sw_select_$N(a > 0, a, sw_splat_$N(NAN)));
    return sw_select_$N((a > 0) & (a < INFINITY), b, limit);
""",
        ),
        "with_sign": ("$V", ("$V a", "$V b"), "    return ($V)((($I)a & ~$sign) | (($I)b & $sign));\n"),
        "any": (
            "int",
            ("$I m",),
            "    int any = 0;\n    for (int k = 0; k < $L; ++k) any |= m[k];\n    return any;\n",
        ),
        # a = quarter * (pi / 2) + result, for |a| < 10^5.
        "quarters": (
            "$V",
            ("$V a", "$I *quarter"),
            """\
    $V n = sw_nearest_$N(a, 0.636619772f);
    *quarter = __builtin_convertvector(n, $I);
    $V r = sw_mad_$N(n, sw_splat_$N(-1.57079637f), a);
    r = sw_mad_$N(n, sw_splat_$N(4.37113883e-8f), r);
    return sw_mad_$N(n, sw_splat_$N(1.71512451e-15f), r);
""",
        ),
        # The sine for even quarters and the cosine for odd ones, with the sign of the second half turn.
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
    $V r = sw_select_$N((quarter & 1) != 0, c, s);
    return ($V)(($I)r ^ ((quarter & 2) << 30));
""",
        ),
    }
)

_WAVE = """\
#if $fma
    if (!sw_any_$N(~(($V)(($I)a & ~$sign) < 1e5f))) {
        $I quarter;
        $V r = sw_quarters_$N(a, &quarter);
        return %s;
    }
#endif
    $V r;
    for (int k = 0; k < $L; ++k) r[k] = %sf(a[k]);
    return r;
"""

# The bodies of functions of float32.
FLOAT32_BODIES: Mapping[str, str] = MappingProxyType(
    {
        "exp": "    return sw_exp_bounded_$N(sw_at_most_$N(sw_at_least_$N(a, -104.0f), 89.0f));\n",
        "exp2": """\
    $V c = sw_at_most_$N(sw_at_least_$N(a, -151.0f), 129.0f);
    $V n = sw_nearest_$N(c, 1.0f);
    return sw_scale_$N(sw_expm1_near_$N((c - n) * 0.693147182f) + 1.0f, n);
""",
        # Half of 2^n is there for all n.
        "expm1": """\
    $V c = sw_at_most_$N(sw_at_least_$N(a, -18.0f), 89.0f);
    $V n = sw_nearest_$N(c, 1.44269504f);
    $V m = sw_expm1_near_$N(sw_minus_logs_$N(c, n));
    $V half = sw_power_$N(n - 1.0f);
    return sw_with_sign_$N(sw_mad_$N(m, half, half - 0.5f) * 2, a);
""",
        # By exp(2 * a) - 1.
        "tanh": """\
    $V b = sw_at_most_$N(($V)(($I)a & ~$sign), 10.0f);
    b = b + b;
    $V n = sw_nearest_$N(b, 1.44269504f);
    $V m = sw_expm1_near_$N(sw_minus_logs_$N(b, n));
    $V power = sw_power_$N(n);
    $V e = sw_mad_$N(m, power, power - 1.0f);
    return sw_with_sign_$N(e / (e + 2.0f), a);
""",
        "sigmoid": """\
    $V e = sw_exp_bounded_$N(sw_at_least_$N(($V)(($I)a | $sign), -104.0f));
    return sw_select_$N(a >= 0, sw_splat_$N(1.0f), e) / (e + 1.0f);
""",
        "log": """\
    $V n, f = sw_fraction_$N(a, &n);
    $V r = sw_mad_$N(n, sw_splat_$N(-2.12194440e-4f), sw_log_near_$N(f)) + f;
    return sw_log_of_$N(a, sw_mad_$N(n, sw_splat_$N(0.693359375f), r));
""",
        "log2": """\
    $V n, f = sw_fraction_$N(a, &n);
    $V y = sw_log_near_$N(f);
    $V r = sw_mad_$N(f, sw_splat_$N(0.44269504088896340736f), y * 0.44269504088896340736f);
    return sw_log_of_$N(a, ((r + y) + f) + n);
""",
        "log10": """\
    $V n, f = sw_fraction_$N(a, &n);
    $V y = sw_log_near_$N(f);
    $V r = sw_mad_$N(n, sw_splat_$N(2.48745663981195213739e-4f), (f + y) * 7.00731903251827651129e-4f);
    r = sw_mad_$N(y, sw_splat_$N(4.3359375e-1f), r);
    r = sw_mad_$N(f, sw_splat_$N(4.3359375e-1f), r);
    return sw_log_of_$N(a, sw_mad_$N(n, sw_splat_$N(3.0078125e-1f), r));
""",
        # What 1 + a loses in rounding is added to the fraction.
        "log1p": """\
    $V u = a + 1.0f;
    $V n, f = sw_fraction_$N(u, &n);
    $V lost = sw_select_$N(a > 1, 1.0f - (u - a), a - (u - 1.0f));
    $I down = 127 - __builtin_convertvector(n, $I);
    f = sw_mad_$N(lost, ($V)((down & (down > 0)) << 23), f);
    $V r = sw_mad_$N(n, sw_splat_$N(-2.12194440e-4f), sw_log_near_$N(f)) + f;
    return sw_with_sign_$N(sw_log_of_$N(u, sw_mad_$N(n, sw_splat_$N(0.693359375f), r)), a);
""",
        "erf": """\
    $V t = sw_at_most_$N(($V)(($I)a & ~$sign), 4.0f), square = t * t;
    $V p = sw_madk_$N(sw_splat_$N(-5.96761703e-4f), square, 4.99119423e-3f);
    p = sw_madk_$N(p, square, -2.67681349e-2f);
    p = sw_madk_$N(p, square, 1.12819925e-1f);
    p = sw_madk_$N(p, square, -3.76125336e-1f);
    p = sw_madk_$N(p, square, 1.28379166e-1f);
    p = sw_mad_$N(p, t, t);
    $V q = sw_madk_$N(sw_splat_$N(-1.72853470e-5f), t, 3.83197126e-4f);
    q = sw_mad_$N(q, square, sw_madk_$N(sw_splat_$N(-3.88396438e-3f), t, 2.42546219e-2f));
    q = sw_madk_$N(q, t, -1.06777877e-1f);
    q = sw_madk_$N(q, t, -6.34846687e-1f);
    q = sw_madk_$N(q, t, -1.28717512e-1f);
    q = 1.0f - sw_exp_bounded_$N(sw_mad_$N(q, t, -t));
    return sw_with_sign_$N(sw_select_$N(t > 0.927734375f, q, p), a);
""",
        "sin": _WAVE % ("sw_select_$N(a == 0, a, sw_wave_$N(r, quarter))", "sin"),
        "cos": _WAVE % ("sw_wave_$N(r, quarter + 1)", "cos"),
    }
)
