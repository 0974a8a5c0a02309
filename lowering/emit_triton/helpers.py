"""Helper functions of emitted Triton code on whole tiles: reductions, scans, matrix products, checks.

Each is a `@triton.jit` function. Unlike Triton's own max and min, they propagate NaNs; and unlike its interpreter, they do not
multiply the raw bits of bfloat16.
"""

from __future__ import annotations

from string import Template
from types import MappingProxyType

from ...ir.types.dtypes import BFLOAT16, BOOL, DType
from .functions import FLOAT8, triton_call

# Triton's interpreter reduces only by its own functions.
REDUCE_FLOAT_EXTREMUM = """\
@triton.jit
def ${name}_combine(a, b):
    return tl.${function}imum(a, b, propagate_nan=tl.PropagateNan.ALL)


@triton.jit
def $name(a, axis: tl.constexpr):
    if INTERPRETED:
        nan = tl.max((a != a).to(tl.int32), axis, keep_dims=True)
        return tl.where(nan != 0, float("nan"), tl.$function(a, axis, keep_dims=True))
    else:
        return tl.reduce(a, axis, ${name}_combine, keep_dims=True)
"""

REDUCE_BOOL = """\
@triton.jit
def $name(a, axis: tl.constexpr):
    return tl.$function(a.to(tl.int32), axis, keep_dims=True) != 0
"""

REDUCE = """\
@triton.jit
def $name(a, axis: tl.constexpr):
    return tl.$function(a, axis, keep_dims=True).to(a.dtype)
"""

SCAN_NATIVE = """\
@triton.jit
def $name(a, axis: tl.constexpr):
    return tl.$function(a, axis).to(a.dtype)
"""

SCAN = """\
@triton.jit
def ${name}_combine(a, b):
    return $combined


@triton.jit
def $name(a, axis: tl.constexpr):
    return tl.associative_scan(a, axis, ${name}_combine)
"""

DOT = """\
@triton.jit
def $name(a, b, start):
    return tl.dot(a, b, start, input_precision="$precision")
"""

DOT_BFLOAT16 = """\
@triton.jit
def $name(a, b, start):
    if INTERPRETED:
        return tl.dot(sw_from_bfloat16(a), sw_from_bfloat16(b), start, input_precision="ieee")
    else:
        return tl.dot(a, b, start)
"""

# Products of floats of 8 bits: in Triton's interpreter in float32, else on matrix units for floats of 8 bits, or, on GPUs
# without these, on those for float16, which represents all of their numbers. Hopper's matrix units add up products in fewer
# bits than a float32 has: sums of 128 products are added in float32.
DOT_FLOAT8 = """\
@triton.jit
def $name(a, b, start):
    native: tl.constexpr = False if INTERPRETED else sw_has_float8()
    if native:
        exact: tl.constexpr = 128 if a.shape[1] > 128 else a.shape[1]
        return tl.dot(a.to($a, bitcast=True), b.to($b, bitcast=True), start, max_num_imprecise_acc=exact)
    elif INTERPRETED:
        return tl.dot(sw_from_$first(a), sw_from_$second(b), start, input_precision="ieee")
    else:
        return tl.dot(sw_from_$first(a).to(tl.float16), sw_from_$second(b).to(tl.float16), start)
"""

CHECK = """\
@triton.jit
def $name(error, number, value, limit, failed):
    if tl.max(tl.ravel(failed.to(tl.int32)), 0) != 0:
        shown = tl.min(tl.ravel(tl.where(failed, value, 9223372036854775807)), 0)
        bound = tl.min(tl.ravel(tl.where(failed, limit, 9223372036854775807)), 0)
        if tl.atomic_cas(error, tl.cast(0, tl.int64), tl.cast(number, tl.int64)) == 0:
            tl.store(error + 1, shown)
            tl.store(error + 2, bound)
"""

# The divisor is positive.
FLOORDIV = """\
@triton.jit
def $name(a, b):
    quotient = a // b
    return tl.where(a - quotient * b < 0, quotient - 1, quotient)
"""

MOD = """\
@triton.jit
def $name(a, b):
    rest = a % b
    return tl.where(rest < 0, rest + b, rest)
"""

FUNCTIONS = MappingProxyType({"add": "sum", "max": "max", "min": "min", "or": "max", "and": "min"})
SCANS = MappingProxyType({"add": "cumsum", "mul": "cumprod"})


def float8_dot(a: DType, b: DType) -> tuple[str, str, set[str]]:
    """The name and source of the helper that multiplies tiles of floats of 8 bits, and the scalar helpers that it needs."""
    name = f"sw_dot_{a}" if a == b else f"sw_dot_{a}_{b}"
    text = _fill(DOT_FLOAT8, name, a=FLOAT8[a], b=FLOAT8[b], first=str(a), second=str(b))
    return name, text, {f"sw_from_{a}", f"sw_from_{b}", "sw_has_float8"}


def tile_helper(kind: str, function: str, element: DType) -> tuple[str, str, set[str]]:
    """The name and source of a helper for tiles of dtype `element`, and the scalar helpers that it needs.

    `kind` is reduce, scan, dot, check, floordiv or mod; `function` is the accumulator of a reduction or a scan, and for a
    product of float32 the precision: ieee or tf32.
    """
    match kind:
        case "reduce":
            template = REDUCE_BOOL if element is BOOL else REDUCE
            if element.is_float and function in ("max", "min"):
                template = REDUCE_FLOAT_EXTREMUM
            name = f"sw_reduce_{function}_{element.kind}"
            return name, _fill(template, name, function=FUNCTIONS[function]), set()
        case "scan" if function in SCANS:
            return f"sw_scan_{function}", _fill(SCAN_NATIVE, f"sw_scan_{function}", function=SCANS[function]), set()
        case "scan":
            combined, needed = triton_call(function, element, ["a", "b"])
            name = f"sw_scan_{function}_{element.kind}"
            return name, _fill(SCAN, name, combined=combined), needed
        case "dot" if element is BFLOAT16:
            return "sw_dot_bfloat16", _fill(DOT_BFLOAT16, "sw_dot_bfloat16"), {"sw_from_bfloat16"}
        case "dot":
            name = "sw_dot" if function == "ieee" else f"sw_dot_{function}"
            return name, _fill(DOT, name, precision=function), set()
        case "check":
            return "sw_check", _fill(CHECK, "sw_check"), set()
        case _:
            name = f"sw_index_{kind}"
            return name, _fill(FLOORDIV if kind == "floordiv" else MOD, name), set()


def _fill(template: str, name: str, **parts: str) -> str:
    return Template(template).substitute(name=name, **parts)
