"""Powers of float32 vectors in C: exp2(b * log2(a)) in float64, accurate to float32; templates as in `elementary.py`.

The polynomials are our own (Remez), with these errors:

- log2(1 + a) / a for |a| < 0.0301: 2^-38
- log2((1 + s) / (1 - s)) / s, in the square of s, for (1 + s) / (1 - s) between sqrt(1/2) and sqrt(2): 2^-37
- exp2(a) for |a| <= 1/2: 2^-28
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from .elementary import polynomial

# AVX-512 keeps a table in registers: for each of 16 intervals from 0.69921875 (whose bits these are) to twice that, the inverse
# of the midpoint, and its logarithm. The midpoint of the interval around 1 is 1, so that logarithms of numbers near 1 keep all
# digits.
_FIRST = "INT64_C(0x3FE6600000000000)"
_INVERSES = (
    "($V){1.3989071038251366, 1.3403141361256545, 1.2864321608040201, 1.2367149758454106, 1.1906976744186046, "
    "1.147982062780269, 1.1082251082251082, 1.0711297071129706}, ($V){1.0364372469635628, 1.0, 0.9481481481481482, "
    "0.8951048951048951, 0.847682119205298, 0.8050314465408805, 0.7664670658682635, 0.7314285714285714}"
)
_LOGARITHMS = (
    "($V){-0.4843001617159575, -0.4225711719642514, -0.3633753794563512, -0.3065130425006747, -0.2518071504105397, "
    "-0.19910010007969525, -0.14825095858394247, -0.09913319201925132}, ($V){-0.05163276841532236, 0.0, "
    "0.07681559705083084, 0.1598713367783894, 0.2384047393250789, 0.3128829552843553, 0.38370429247405213, 0.4512111118323288}"
)

POWER_PARTS: Mapping[str, tuple[str, tuple[str, ...], str]] = MappingProxyType(
    {
        # log2(a) of a positive float32 number, in float64, where no float32 number is denormal.
        "log2_of_single": (
            "$V",
            ("$V a",),
            f"""\
#if $table
    $I part = ($I)a - {_FIRST};
    $V n = sw_number_$N(part >> $digits), near = ($V)(($I)a - (part & ~$fraction));
    part >>= 48;
    $V r = sw_fma_$N(near, __builtin_shuffle({_INVERSES}, part), sw_splat_$N(-1));
"""
            + polynomial(
                "r", "-0.2407295252074206", "0.28881933035143251", "-0.36067363715102383", "0.48089825169654302",
                "-0.72134752045767265", "1.4426950408937592",
            )
            + f"""\
    return sw_fma_$N(p, r, __builtin_shuffle({_LOGARITHMS}, part) + n);
#else
    $I bits = ($I)a - $half_root;
    $V n = sw_number_$N(bits >> $digits), f = ($V)((bits & $fraction) + $half_root) - 1, s = f / (f + 2), square = s * s;
"""
            + polynomial(
                "square", "0.34073709612497527", "0.41167235854027692", "0.57708359065887612", "0.96179667331378515",
                "2.8853900817901069",
            )
            + "    return sw_mad_$N(p, s, n);\n#endif\n",
        ),
        # exp2(a) in float64, accurate enough for rounding to float32.
        "exp2_to_single": (
            "$V",
            ("$V a",),
            "    $V c = sw_at_most_$N(sw_at_least_$N(a, -160), 130), n = sw_nearest_$N(c, 1), r = c - n;\n"
            + polynomial(
                "r", "0.00015594678161326619", "0.0013406643902351759", "0.0096176929729930623", "0.055503105510137972",
                "0.24022652782887737", "0.6931472149680279",
            )
            + "    $V power = sw_power_$N(n);\n    return sw_mad_$N(p * r, power, power);\n",
        ),
        # Corrects r, the power of the magnitude of a, for operands that are not positive numbers: 0 or infinity with a sign,
        # NaN, or 1.
        "pow_odd": (
            "$V",
            ("$V a", "$V b", "$V r"),
            """\
    $V size = ($V)(($I)a & ~$sign), half = b * 0.5f;
    $I whole = sw_trunc_$N(b) == b, even = sw_trunc_$N(half) == half, none = size == 0;
    r = sw_pick_$N(none | (size == INFINITY), sw_pick_$N(none ^ (b < 0), sw_splat_$N(0), sw_splat_$N(INFINITY)), r);
    r = ($V)(($I)r | (($I)a & $sign & whole & ~even));
    r = sw_pick_$N(((a < 0) & (a > -INFINITY) & ~whole) | (a != a) | (b != b), sw_splat_$N(NAN), r);
    return sw_pick_$N((b == 0) | (a == 1) | ((size == 1) & (half == b) & (b != 0)), sw_splat_$N(1), r);
""",
        ),
    }
)  # fmt: skip

# Declaration specifiers of helpers that are not just `static inline`. Powers are always inlined, so that loops load their 30
# constants once; calls take 1.25 times as long.
LINKAGE: Mapping[str, str] = MappingProxyType(
    {"pow": "static inline __attribute__((always_inline))", "pow_odd": "static __attribute__((noinline))"}
)

POWERS: Mapping[str, str] = MappingProxyType(
    {
        "pow": """\
    $V size = ($V)(($I)a & ~$sign), r = sw_power_of_size_$N(size, b);
    $I odd = ~((a > 0) & (a < INFINITY) & (($V)(($I)b & ~$sign) < INFINITY));
    return sw_any_$N(odd) ? sw_pow_odd_$N(a, b, r) : r;
""",
    }
)


def power_of_size(lanes: int) -> str:
    """The body of the power of vectors of positive numbers; vectors that exceed a register in float64 are processed in
    halves."""
    if lanes <= 8:
        wide = f"sw_cast_f32_f64x{lanes}"
        return (
            f"    sw_f64x{lanes} power = {wide}(b) * sw_log2_of_single_f64x{lanes}({wide}(a));\n"
            f"    return sw_cast_f64_f32x{lanes}(sw_exp2_to_single_f64x{lanes}(power));\n"
        )
    half = lanes // 2
    low, high, both = (", ".join(map(str, range(*ends))) for ends in ((0, half), (half, lanes), (0, lanes)))
    parts = [
        f"sw_power_of_size_f32x{half}(__builtin_shufflevector(a, a, {part}), __builtin_shufflevector(b, b, {part}))"
        for part in (low, high)
    ]
    return f"    return __builtin_shufflevector({parts[0]}, {parts[1]}, {both});\n"
