"""Inverse trigonometric and hyperbolic functions, tangent and cube root of float32 vectors in C.

Templates are as in `elementary.py`. The polynomials are our own (Lawson), in the square of the argument: of atan(a) / a to
1.7e-8 for a up to 1, of asin(a) / a to 4.8e-9 for a up to 1/2, of tan(a) / a to 1.8e-8 for a up to pi / 4, and of sinh(a) / a
to 2.4e-8 for a up to 1.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from .elementary import polynomial, waves


def _series(result: str, *coefficients: str) -> str:
    """The body of a helper that computes a result from a, its square, and a polynomial p in the square."""
    return "    $V square = a * a;\n" + polynomial("square", *coefficients) + f"    return {result};\n"


def _odd(*coefficients: str) -> str:
    """The body of an odd function close to its argument: a + a^3 * p."""
    return _series("sw_mad_$N(p * square, a, a)", *coefficients)


def _beside(*coefficients: str) -> str:
    """The body of the difference between an odd function (see `_odd`) and its argument."""
    return _series("p * square * a", *coefficients)


# pi and pi / 2, each as a float32 and its rounding error.
ANGLE_PARTS: Mapping[str, tuple[str, tuple[str, ...], str]] = MappingProxyType(
    {
        "size": ("$V", ("$V a",), "    return ($V)(($I)a & ~$sign);\n"),
        "half_turn_minus": ("$V", ("$V a",), "    return (3.14159274f - a) - 8.74227766e-8f;\n"),
        "quarter_turn_minus": ("$V", ("$V a",), "    return (1.57079637f - a) - 4.37113883e-8f;\n"),
        # atan(a) for 0 <= a <= 1, asin(a) - a for 0 <= a <= 1/2, tan(a) for |a| <= pi / 4, sinh(a) for 0 <= a <= 1.
        "atan_near": (
            "$V",
            ("$V a",),
            _odd(
                "2.92069302e-3f", "-1.63679309e-2f", "4.32118662e-2f", "-7.55221471e-2f", "1.06660046e-1f", "-1.42110556e-1f",
                "1.99937731e-1f", "-3.33331525e-1f",
            ),
        ),
        "asin_beside": (
            "$V",
            ("$V a",),
            _beside("4.21663076e-2f", "2.41795145e-2f", "4.54703756e-2f", "7.49529749e-2f", "1.66667521e-1f"),
        ),
        "tan_near": (
            "$V",
            ("$V a",),
            _odd("9.38665029e-3f", "3.11783818e-3f", "2.44314168e-2f", "5.34109287e-2f", "1.33388042e-1f", "3.33331555e-1f"),
        ),
        "sinh_near": ("$V", ("$V a",), _odd("2.03721938e-4f", "8.33028369e-3f", "1.66667163e-1f")),
        # exp(a) / 4 for a >= 0: sinh and cosh are finite for some arguments for which exp overflows.
        "exp_quarter": (
            "$V",
            ("$V a",),
            """\
    $V b = sw_at_most_$N(a, 89.5f), n = sw_nearest_$N(b, $log2e), power = sw_power_$N(n - 2);
    return sw_mad_$N(sw_expm1_near_$N(sw_minus_logs_$N(b, n)), power, power);
""",
        ),
        # For 1/2 < a <= 1, the sine of half the complementary angle, where the difference is exact; otherwise a.
        "sine_halved": (
            "$V",
            ("$V a",),
            "    return sw_pick_$N(a > 0.5f, sw_sqrt_$N((1 - a) * 0.5f), a);\n",
        ),
        # One step of Halley's method for the cube root of a.
        "nearer_root": (
            "$V",
            ("$V y", "$V a"),
            "    $V cube = y * y * y;\n    return y - y * ((cube - a) / (cube + cube + a));\n",
        ),
    }
)  # fmt: skip

ANGLES: Mapping[str, str] = MappingProxyType(
    {
        "atan": """\
    $V b = sw_size_$N(a);
    $I far = b > 1;
    $V r = sw_atan_near_$N(sw_pick_$N(far, 1 / b, b));
    return sw_with_sign_$N(sw_pick_$N(far, sw_quarter_turn_minus_$N(r), r), a);
""",
        # Two infinities are treated as equal coordinates; two zeros give 0 or pi, with the sign of a.
        "atan2": """\
    $V y = sw_size_$N(a), x = sw_size_$N(b);
    $I steep = y > x;
    $V low = sw_pick_$N(steep, x, y), high = sw_pick_$N(steep, y, x);
    $V t = sw_pick_$N((low == high) & (low == INFINITY), sw_splat_$N(1), low / high);
    $V r = sw_atan_near_$N(sw_pick_$N(high == 0, low, t));
    r = sw_pick_$N(steep, sw_quarter_turn_minus_$N(r), r);
    return sw_with_sign_$N(sw_pick_$N(($I)b < 0, sw_half_turn_minus_$N(r), r), a);
""",
        "asin": """\
    $V b = sw_size_$N(a), s = sw_sine_halved_$N(b), more = sw_asin_beside_$N(s);
    $V far = 0.785398185f + ((0.785398185f - (s + s)) - ((more + more) + 4.37113883e-8f));
    return sw_with_sign_$N(sw_pick_$N(b > 0.5f, far, s + more), a);
""",
        "acos": """\
    $V b = sw_size_$N(a), s = sw_sine_halved_$N(b), r = s + sw_asin_beside_$N(s), far = r + r;
    far = sw_pick_$N(a < 0, sw_half_turn_minus_$N(far), far);
    return sw_pick_$N(b > 0.5f, far, sw_quarter_turn_minus_$N(sw_with_sign_$N(r, a)));
""",
        "tan": waves(
            "tan",
            """\
        r = sw_tan_near_$N(r);
        return sw_pick_$N(a == 0, a, sw_pick_$N((quarter & 1) != 0, -1 / r, r));
""",
            most="1e4f",
        ),
        "sinh": """\
    $V b = sw_size_$N(a), e = sw_exp_quarter_$N(b);
    return sw_with_sign_$N(sw_pick_$N(b > 1, (e + e) - 0.125f / e, sw_sinh_near_$N(b)), a);
""",
        "cosh": "    $V e = sw_exp_quarter_$N(sw_size_$N(a));\n    return (e + e) + 0.125f / e;\n",
        # A third of the bits, read as an integer, approximates a third of the logarithm. Small numbers are scaled by 2^24 and
        # large ones by 2^-24, and the roots back by 2^-8 and 2^8, so that no cube overflows or loses bits.
        "cbrt": """\
    $V b = sw_size_$N(a);
    $I small = b < $normal, large = b > 1e30f;
    $V c = b * sw_pick_$N(small, sw_splat_$N(16777216.0f), sw_pick_$N(large, sw_splat_$N(0x1p-24f), sw_splat_$N(1)));
    $I third = (($I)c >> 2) + (($I)c >> 4);
    third += third >> 4;
    third += third >> 8;
    $V r = sw_nearer_root_$N(sw_nearer_root_$N(($V)(third + 0x2A5137A0), c), c);
    r *= sw_pick_$N(small, sw_splat_$N(0x1p-8f), sw_pick_$N(large, sw_splat_$N(256.0f), sw_splat_$N(1)));
    return sw_pick_$N((b > 0) & (b < INFINITY), sw_with_sign_$N(r, a), a);
""",
    }
)
