"""Scalar functions, casts and constants in Triton.

A generated expression is a call or parenthesised. Arithmetic is on float32, float64, integers and bool; computations on floats
of fewer bits cast first, and floats of 8 bits are held as their bits. Emitted files begin with `TRITON_PREAMBLE` and the
helpers, which are `@triton.jit` functions. Helpers call no other helper except `sw_has_float8`.

Functions come from libdevice, because Triton's own exp, log, division and square root on float32 have errors of many units in
the last place. For Triton's interpreter, which has no libdevice, the preamble substitutes NumPy. Kernels must be compiled with
`enable_fp_fusion=False` and `enable_reflect_ftz=False`; otherwise libdevice flushes denormals.

Up to 3.6 Triton reads -0.0 as 0.0, -a as 0 - a, and Python numbers in `tl.fma` as float32. So a negative zero is computed by a
multiplication, and constants in an FMA get their dtype explicitly.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping
from string import Template
from types import MappingProxyType

from ...ir.scalars.function import Spelling
from ...ir.scalars.table import SCALARS, scalar, scalars_of_plugins
from ...ir.types.dtypes import BOOL, FLOAT8_E4M3FN, FLOAT8_E5M2, FLOAT16, FLOAT32, FLOAT64, DType
from ..emission.float8 import Float8

TRITON_PREAMBLE = """\
import triton
import triton.language as tl

if triton.knobs.runtime.interpret:
    from stepwell.runtime.triton import libdevice
else:
    from triton.language.extra import libdevice

INTERPRETED = tl.constexpr(triton.knobs.runtime.interpret)
"""

_HELPER_NAME = re.compile(r"\bsw_\w+")
_IS_CALL = re.compile(r"[\w.]+\([^()]*\)")


# The spellings of functions of float32 in fast kernels: the GPU's approximations, whose relative errors half precision hides.
# The approximate logarithm is missing: its error is absolute, so that it has no digits near 1.
FAST_SPELLINGS: Mapping[str, str] = MappingProxyType(
    {
        "exp": "tl.exp($a)",
        "exp2": "tl.exp2($a)",
        "div": "($a / $b)",
        "reciprocal": "(1.0 / $a)",
        "sqrt": "tl.sqrt($a)",
        "rsqrt": "tl.rsqrt($a)",
        "sigmoid": "sw_fast_sigmoid($a)",
        "tanh": "sw_fast_tanh($a)",
        "gelu": "sw_fast_gelu($a)",
    }
)


def triton_call(name: str, operands: DType, arguments: list[str], fast: bool = False) -> tuple[str, set[str]]:
    """A call of scalar function `name` on tiles of dtype `operands`, and the names of the helpers that it needs.

    `arguments` are names, calls or parenthesised expressions of tiles. For a select, `operands` is the dtype of the selected
    values. Only a select accepts floats of fewer than 32 bits.
    """
    function = scalar(name)
    assert operands.compute is operands or name == "select", f"'{name}' computes in {operands.compute}, not {operands}"
    template = function.triton.of(operands.kind) if isinstance(function.triton, Spelling) else function.triton
    if fast and operands is FLOAT32:
        template = FAST_SPELLINGS.get(name, template)
    expression = Template(template).substitute(dict(zip("abc", arguments, strict=False)))
    helpers = set(_HELPER_NAME.findall(template))
    return (expression if _IS_CALL.fullmatch(template.replace("$", "")) else f"({expression})"), helpers


def triton_cast(source: DType, target: DType, argument: str) -> tuple[str, set[str]]:
    """A cast of the tile `argument` from dtype `source` to `target` by the rules of `cast_numpy`, and the helpers needed."""
    if source == target:
        return argument, set()
    if source.held_as is not None:
        helper = f"sw_from_{source}"
        expression, helpers = triton_cast(FLOAT32, target, f"{helper}({argument})")
        return expression, helpers | {helper, *_NEEDED.get(helper, ())}
    if source is FLOAT16 and target is not FLOAT32:
        return triton_cast(FLOAT32, target, f"{argument}.to(tl.float32)")
    if target is BOOL:
        return f"({argument} != 0)", set()
    if target.held_as is not None and source is not FLOAT32:
        return triton_cast(FLOAT32, target, f"{argument}.to(tl.float32)")
    if target.held_as is not None:
        helper = f"sw_to_{target}"
        return f"{helper}({argument})", {helper, *_NEEDED.get(helper, ())}
    if target is FLOAT16 and not source.is_float:
        return f"{argument}.to(tl.float32).to(tl.float16)", set()
    if source.is_float and not target.is_float:
        limits = f"{float(target.lowest)!r}, {float(target.highest)!r}, {target.lowest}, {target.highest}"
        return f"sw_saturate({argument}, {limits}, {target.triton})", {"sw_saturate"}
    return f"{argument}.to({target.triton})", set()


def triton_literal(value: float | int | bool, type: DType) -> str:
    """A constant rounded to dtype `type`, as a Python expression (of a Python type)."""
    if type is BOOL:
        return str(bool(value))
    if not type.is_float:
        return str(int(value)) if value >= 0 else f"({int(value)})"
    import numpy as np

    rounded = float(np.asarray(value, np.float64).astype(type.numpy))
    if not math.isfinite(rounded):
        return f'float("{rounded}")'
    shown = str(rounded if type is FLOAT64 else np.float32(rounded))
    return f"({shown})" if math.copysign(1.0, rounded) < 0 else shown


def held_constant(type: DType) -> DType:
    """The dtype that constants are written in before they are cast: Triton's interpreter does not round constants of bfloat16,
    and floats of 8 bits have no literals."""
    return type if type.held_as is None else FLOAT32


def triton_full(shape: str, value: float | int | bool, type: DType) -> str:
    """A tile of a constant rounded to dtype `type`, in the dtype of `held_constant`."""
    held, literal = held_constant(type), triton_literal(value, type)
    if literal == "(-0.0)":
        return f"(tl.full({shape}, 0.0, {held.triton}) * -1.0)"
    return f"tl.full({shape}, {literal}, {held.triton})"


def triton_helpers(names: Iterable[str]) -> str:
    """The source of the helpers, each once, in alphabetical order."""
    bodies = [_HELPERS.get(name) or _helper(name) for name in sorted(set(names))]
    return "".join("\n\n" + ("" if body.startswith("@") else "@triton.jit\n") + body for body in bodies)


def _helper(name: str) -> str:
    """The helper of a scalar function: `sw_<function>`, or `sw_<function>_<kind>` where kinds of operands differ."""
    base, kind = name.removeprefix("sw_"), ""
    if base not in SCALARS and base not in scalars_of_plugins():
        base, _, kind = base.rpartition("_")
    function = scalar(base)
    body = function.triton_body.of(kind) if isinstance(function.triton_body, Spelling) else function.triton_body
    return f"def {name}({', '.join('abc'[: function.arity])}):\n{body}"


# Floats of 8 bits are converted as `lowering/emission/float8.py` explains, or by instructions on NVIDIA's GPUs that have them.
# The instructions saturate: afterwards, numbers that are too large become infinite, or NaN in formats without infinities.
_FROM_FLOAT8 = Template("""\
def sw_from_$name(a):
    native: tl.constexpr = False if INTERPRETED else sw_has_float8()
    if native:
        return a.to($native, bitcast=True).to(tl.float32)
    else:
        wide = a.to(tl.uint32)
        magnitude = wide & 0x7F
        bits = ((magnitude << $shift).to(tl.float32, bitcast=True) * $scale).to(tl.uint32, bitcast=True)
        bits = tl.where(magnitude >= $special, bits | 0x7F800000, bits) | ((wide & 0x80) << 24)
        return bits.to(tl.float32, bitcast=True)
""")
_TO_FLOAT8 = Template("""\
def sw_to_$name(a):
    native: tl.constexpr = False if INTERPRETED else sw_has_float8()
    bits = a.to(tl.uint32, bitcast=True)
    sign = (bits >> 24) & 0x80
    bits = bits & 0x7FFFFFFF
    if native:
        near = a.to($native).to(tl.uint8, bitcast=True)
        return tl.where((bits > $limit) & (bits <= 0x7F800000), (sign | $special).to(tl.uint8), near)
    else:
        near = (bits.to(tl.float32, bitcast=True) + $unit).to(tl.uint32, bitcast=True) - $unit_bits
        rounded = ((bits + $half + ((bits >> $shift) & 1)) >> $shift) - $rebias
        rounded = tl.where(bits < $least, near, tl.where(bits > $limit, $special, rounded))
        return (tl.where(bits > 0x7F800000, $nan, rounded) | sign).to(tl.uint8)
""")
# The options that Triton compiles with tell the GPU.
_HAS_FLOAT8 = """\
@tl.core.builtin
def sw_has_float8(_semantic=None):
    options = _semantic.builder.options
    return tl.constexpr(options.backend_name == "cuda" and "fp8e4nv" in options.supported_fp8_dtypes)
"""
FLOAT8 = MappingProxyType({FLOAT8_E4M3FN: "tl.float8e4nv", FLOAT8_E5M2: "tl.float8e5"})
# The helpers that helpers call.
_NEEDED = MappingProxyType({f"sw_{way}_{element}": ("sw_has_float8",) for element in FLOAT8 for way in ("from", "to")})


def _float8_helpers() -> dict[str, str]:
    found = {"sw_has_float8": _HAS_FLOAT8}
    for element, native in FLOAT8.items():
        symbols = {**Float8.of(element).symbols(), "name": str(element), "native": native}
        found |= {f"sw_from_{element}": _FROM_FLOAT8.substitute(symbols), f"sw_to_{element}": _TO_FLOAT8.substitute(symbols)}
    return found


# The helpers that do not belong to a scalar function.
_HELPERS: Mapping[str, str] = MappingProxyType(
    {
        **_float8_helpers(),
        # With 1 + exp(-|a|) as the denominator, no exponential overflows.
        "sw_fast_sigmoid": """\
def sw_fast_sigmoid(a):
    small = tl.exp(-tl.abs(a))
    return tl.where(a >= 0, 1.0, small) / (1.0 + small)
""",
        # For small arguments, the difference from 1 would lose all digits.
        "sw_fast_tanh": """\
def sw_fast_tanh(a):
    small = tl.exp(-2.0 * tl.abs(a))
    far = (1.0 - small) / (1.0 + small)
    near = tl.abs(a) * (1.0 - a * a * 0.33333334)
    size = tl.where(tl.abs(a) < 0.02, near, far)
    return tl.where(a < 0, -size, size)
""",
        # erfc by the Chebyshev fit of Numerical Recipes (erfcc), whose relative error is below 1.2e-7 however small erfc is.
        "sw_fast_gelu": """\
def sw_fast_gelu(a):
    size = tl.abs(a)
    z = size * 0.70710678
    t = 1.0 / (1.0 + 0.5 * z)
    fit = -0.18628806 + t * (0.27886807 + t * (-1.13520398 + t * (1.48851587 + t * (-0.82215223 + t * 0.17087277))))
    fit = -1.26551223 + t * (1.00002368 + t * (0.37409196 + t * (0.09678418 + t * fit)))
    tail = 0.5 * size * t * tl.exp(fit - z * z)
    return tl.where(a < 0, tl.zeros_like(a), a) - tl.where(size < 40.0, tail, tl.zeros_like(a))
""",
        "sw_saturate": """\
def sw_saturate(a, low, high, lowest, highest, dtype: tl.constexpr):
    inside = (a > low) & (a < high)
    result = tl.where(inside, a, tl.zeros_like(a)).to(dtype)
    result = tl.where(a >= high, tl.full(a.shape, highest, dtype), result)
    return tl.where(a <= low, tl.full(a.shape, lowest, dtype), result)
""",
        # The interpreter's own casts truncate, and are wrong for denormal numbers.
        "sw_from_bfloat16": """\
def sw_from_bfloat16(a):
    return (a.to(tl.uint16, bitcast=True).to(tl.uint32) << 16).to(tl.float32, bitcast=True)
""",
        "sw_to_bfloat16": """\
def sw_to_bfloat16(a):
    if INTERPRETED:
        bits = a.to(tl.uint32, bitcast=True)
        bits = tl.where(a != a, bits | 0x400000, bits + 0x7FFF + ((bits >> 16) & 1))
        return (bits >> 16).to(tl.uint16).to(tl.bfloat16, bitcast=True)
    else:
        return a.to(tl.bfloat16)
""",
    }
)
