"""Scalar functions that round to integers, test, compare, select, and work on bits."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..types.dtypes import BOOL, DType
from .function import ALL, BITS, ScalarFunction, Spelling, binary, unary


def comparison(name: str, operator: str, oracle: str, of_bools: str) -> ScalarFunction:
    """A comparison. Triton compares bools as signed integers, with true as -1, so that they need another formula there."""
    template = f"$a {operator} $b"
    spelling = Spelling(template, template, bool=of_bools)
    symmetric = operator in ("==", "!=")
    return binary(name, template, spelling, kinds=ALL, oracle=oracle, result="bool", commutative=symmetric)


def _bitwise(name: str, operator: str, identity: Callable[[DType], float | int | bool]) -> ScalarFunction:
    """A bitwise function of integers, which is the logical one on bools."""
    return binary(
        name,
        f"($T)($a {operator} $b)",
        f"$a {operator} $b",
        kinds=BITS,
        oracle=f"bitwise_{name}",
        commutative=True,
        identity=identity,
    )


def _all_ones(dtype: DType) -> float | int | bool:
    return -1 if dtype.kind == "int" else dtype.highest


def _select(f: Any, condition: Any, a: Any, b: Any, y: Any) -> tuple[Any, ...]:
    zero, one = f.const(0.0), f.const(1.0)
    return None, f.select(condition, one, zero), f.select(condition, zero, one)


LOGIC = (
    # Rounding to integers, and tests.
    unary("floor", "floor$F($a)", "tl.floor($a)"),
    unary("ceil", "ceil$F($a)", "tl.ceil($a)"),
    unary("round", "rint$F($a)", "libdevice.rint($a)", oracle="rint"),
    unary("trunc", "trunc$F($a)", "libdevice.trunc($a)"),
    unary(
        "isnan",
        "(bool)isnan($a)",
        "sw_isnan($a)",
        result="bool",
        triton_body="""\
    return a != a
""",
        doc="Whether x is NaN",
    ),
    unary("isinf", "(bool)isinf($a)", 'tl.abs($a) == float("inf")', result="bool", doc="Whether x is infinite"),
    unary(
        "isfinite",
        "(bool)isfinite($a)",
        'tl.abs($a) < float("inf")',
        result="bool",
        doc="Whether x is neither infinite nor NaN",
    ),
    comparison("eq", "==", "equal", "~($a ^ $b)"),
    comparison("ne", "!=", "not_equal", "$a ^ $b"),
    comparison("lt", "<", "less", "~$a & $b"),
    comparison("le", "<=", "less_equal", "~$a | $b"),
    comparison("gt", ">", "greater", "$a & ~$b"),
    comparison("ge", ">=", "greater_equal", "$a | ~$b"),
    # Logic and bits.
    _bitwise("and", "&", _all_ones),
    _bitwise("or", "|", lambda dtype: False if dtype is BOOL else 0),
    _bitwise("xor", "^", lambda dtype: False if dtype is BOOL else 0),
    unary("not", Spelling(int="($T)~$a", bool="!$a"), "~$a", kinds=BITS, oracle="invert"),
    binary(
        "shift_left",
        "sw_shift_left_$N($a, $b)",
        "sw_shift_left($a, $b)",
        kinds=("int", "uint"),
        oracle="left_shift",
        c_body=Spelling(int="    return ($U)b < $W ? ($T)(($U)a << b) : 0;\n"),
        # Shifts by the width or more are undefined, so the shift count is limited.
        triton_body="""\
    inside = (b >= 0) & (b < a.dtype.primitive_bitwidth)
    return tl.where(inside, a << tl.where(inside, b, tl.zeros_like(b)), tl.zeros_like(a))
""",
    ),
    binary(
        "shift_right",
        "sw_shift_right_$N($a, $b)",
        Spelling(int="sw_shift_right_int($a, $b)", uint="sw_shift_right_uint($a, $b)"),
        kinds=("int", "uint"),
        oracle="right_shift",
        c_body=Spelling(int="    return a >> (($U)b < $W ? b : $W - 1);\n", uint="    return b < $W ? a >> b : 0;\n"),
        triton_body=Spelling(
            int="""\
    inside = (b >= 0) & (b < a.dtype.primitive_bitwidth)
    return a >> tl.where(inside, b, tl.full(b.shape, a.dtype.primitive_bitwidth - 1, b.dtype))
""",
            uint="""\
    inside = b < a.dtype.primitive_bitwidth
    return tl.where(inside, a >> tl.where(inside, b, tl.zeros_like(b)), tl.zeros_like(a))
""",
        ),
    ),
    ScalarFunction("select", 3, ALL, "$a ? $b : $c", "tl.where($a, $b, $c)", oracle="where", derivative=_select),
    binary(
        "random_bits",
        "sw_random_bits_i64($a, $b)",
        "sw_random_bits($a, $b)",
        kinds=("int64",),
        cost=60,
        c_body=Spelling(
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
        triton_body="""\
    low = b.to(tl.uint32)
    high = (b >> 32).to(tl.uint32)
    zero = tl.zeros_like(low)
    key_low = a.to(tl.uint32)
    key_high = (a >> 32).to(tl.uint32)
    first, _, _, _ = tl.philox_impl(low, high, zero, zero, key_low, key_high)
    return first.to(tl.int64)
""",
    ),
)
