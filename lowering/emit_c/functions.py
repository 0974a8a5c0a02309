"""Scalar functions, casts and constants in C.

Arithmetic is on float, double, integers and bool; computations on float16 or bfloat16 cast first. A generated expression is a
call or parenthesised, so that it can be an operand anywhere. Helpers are `static inline` functions that use only the names of
`c_names`, not each other. They need no fast-math flags, do not trap and have no undefined behaviour.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping
from string import Template
from types import MappingProxyType

from ...ir.scalars.table import Spelling, scalar
from ...ir.types.dtypes import BFLOAT16, BOOL, FLOAT32, FLOAT64, DType, dtype_called

_HELPER_NAME = re.compile(r"\bsw_[\w$]+")
_IS_CALL = re.compile(r"[\w$]+\([^()]*\)")


def c_call(name: str, operands: DType, arguments: list[str]) -> tuple[str, set[str]]:
    """A call of scalar function `name` on values of dtype `operands`, and the names of the helpers that it needs.

    `arguments` are names, literals, calls or parenthesised expressions. For a select, `operands` is the dtype of the selected
    values. Only a select accepts float16 and bfloat16.
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
    if BFLOAT16 in (source, target):
        return _cast_bfloat16(source, target, argument)
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


def _cast_bfloat16(source: DType, target: DType, argument: str) -> tuple[str, set[str]]:
    """Casts to and from bfloat16, via float32."""
    if target is BFLOAT16:
        widened, helpers = c_cast(source, FLOAT32, argument)
        return f"sw_cast_f32_bf16({widened})", helpers | {"sw_cast_f32_bf16"}
    widened = f"sw_cast_bf16_f32({argument})"
    expression, helpers = c_cast(FLOAT32, target, widened)
    return expression, helpers | {"sw_cast_bf16_f32"}


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
    body = _BODIES[base].of(type.kind)
    count = scalar(base).arity
    parameters = ", ".join(f"{type.c} {letter}" for letter in "abc"[:count])
    return f"static inline {type.c} {name}({parameters}) {{\n{Template(body).substitute(_symbols(type))}}}\n"


# The helper bodies of scalar functions. Float quotients and remainders follow NumPy's npy_divmod.
_BODIES: Mapping[str, Spelling] = MappingProxyType(
    {
        "floordiv": Spelling(
            float="""\
    if (b == 0) return a / b;
    $T mod = fmod$F(a, b);
    $T div = (a - mod) / b;
    if (mod != 0 && (b < 0) != (mod < 0)) div -= 1;
    if (div == 0) return copysign$F(0, a / b);
    $T floored = floor$F(div);
    return div - floored > ($T)0.5 ? floored + 1 : floored;
""",
            # Divide the complement of a negative dividend, and magnitudes where the divisor is negative: gcc 12 takes a / b of
            # signed integers for the negative of -a / b, also where -a wraps around.
            int="""\
    if (b == 0) return 0;
    const $T sign = a < 0 ? -1 : 0;
    if (b > 0) return ($T)((a ^ sign) / b ^ sign);
    const $U divisor = ($U)(0 - ($U)b);
    return a > 0 ? ($T)~(($U)(a - 1) / divisor) : ($T)(($U)(0 - ($U)a) / divisor);
""",
            uint="    return b == 0 ? 0 : a / b;\n",
        ),
        "mod": Spelling(
            float="""\
    $T mod = fmod$F(a, b);
    if (mod == 0) return copysign$F(0, b);
    return b != 0 && (b < 0) != (mod < 0) ? mod + b : mod;
""",
            int="""\
    if (b == 0 || b == -1) return 0;
    $T mod = a % b;
    return mod != 0 && (mod ^ b) < 0 ? mod + b : mod;
""",
            uint="    return b == 0 ? 0 : a % b;\n",
        ),
        "pow": Spelling(
            int="""\
    if (b < 0) return a == 1 ? 1 : a == -1 ? (b & 1 ? -1 : 1) : 0;
    $U result = 1, factor = ($U)a;
    for ($U exponent = ($U)b; exponent; exponent >>= 1) {
        if (exponent & 1) result *= factor;
        factor *= factor;
    }
    return ($T)result;
""",
            uint="""\
    $U result = 1, factor = a;
    for ($U exponent = b; exponent; exponent >>= 1) {
        if (exponent & 1) result *= factor;
        factor *= factor;
    }
    return ($T)result;
""",
        ),
        "min": Spelling(float="    return a < b || a != a ? a : b;\n", int="    return a < b ? a : b;\n"),
        "max": Spelling(float="    return a > b || a != a ? a : b;\n", int="    return a > b ? a : b;\n"),
        "abs": Spelling(int="    return a < 0 ? ($T)(0 - ($U)a) : a;\n"),
        "sign": Spelling(
            float="    return a != a ? a : ($T)((a > 0) - (a < 0));\n",
            int="    return ($T)((a > 0) - (a < 0));\n",
            uint="    return a > 0;\n",
        ),
        "square": Spelling(float="    return a * a;\n", int="    return ($T)(($U)a * ($U)a);\n"),
        "logaddexp": Spelling(
            float="""\
    if (a == b) return a + ($T)0.69314718055994530942;
    return (a > b ? a : b) + log1p$F(exp$F(-fabs$F(a - b)));
"""
        ),
        "softplus": Spelling(float="    return (a > 0 ? a : 0) + log1p$F(exp$F(-fabs$F(a)));\n"),
        "sigmoid": Spelling(
            float="""\
    $T small = exp$F(-fabs$F(a));
    return (a >= 0 ? 1 : small) / (1 + small);
"""
        ),
        # The rounding error of the argument of erfc is corrected to first order: its effect grows with the argument.
        "gelu": Spelling(
            float="""\
    if (!(fabs$F(a) < 40)) return a > 0 || a != a ? a : -($T)0;
    double z = a * -0.70710678118654752440, lost = fma(a, -0.70710678118654752440, -z) + a * 4.8336466567264567e-17;
    return ($T)(0.5 * a * (erfc(z) - lost * 1.1283791670955126 * exp(-z * z)));
"""
        ),
        "shift_left": Spelling(int="    return ($U)b < $W ? ($T)(($U)a << b) : 0;\n"),
        "shift_right": Spelling(int="    return a >> (($U)b < $W ? b : $W - 1);\n", uint="    return b < $W ? a >> b : 0;\n"),
        "random_bits": Spelling(
            int="""\
    uint32_t c0 = (uint32_t)b, c1 = (uint32_t)((uint64_t)b >> 32), c2 = 0, c3 = 0;
    uint32_t k0 = (uint32_t)a, k1 = (uint32_t)((uint64_t)a >> 32);
    for (int round = 0; round < 10; ++round) {
        uint64_t first = (uint64_t)c0 * 0xD2511F53u, second = (uint64_t)c2 * 0xCD9E8D57u;
        c0 = (uint32_t)(second >> 32) ^ c1 ^ k0;
        c1 = (uint32_t)second;
        c2 = (uint32_t)(first >> 32) ^ c3 ^ k1;
        c3 = (uint32_t)first;
        k0 += 0x9E3779B9u;
        k1 += 0xBB67AE85u;
    }
    return c0;
"""
        ),
    }
)

# The first line is for NaN and for what rounds to 0: without it, gcc turns a cast of the result back to $S into a truncation,
# which gives -0 for -0.5.
_SATURATE = Template("""\
static inline $T $name($S a) {
    if (!(a >= 1 || a <= -1)) return 0;
    if (a >= $high) return $highest;
    if (a <= $low) return $lowest;
    return ($T)a;
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
        # Round to nearest even by an addition that carries into the upper half. That would destroy NaNs: they are made quiet.
        "sw_cast_f32_bf16": """\
static inline uint16_t sw_cast_f32_bf16(float a) {
    union { float value; uint32_t bits; } wide = { a };
    if (a != a) return (uint16_t)(wide.bits >> 16 | 0x40);
    return (uint16_t)((wide.bits + 0x7FFF + (wide.bits >> 16 & 1)) >> 16);
}
""",
    }
)
