"""Scalar functions on pairs of bfloat16 numbers in the halves of a float32, which processors with AVX512-BF16 multiply and add
at once. Only passes create them, for the register tiles of products; programs have no such operations.

The sum of a pair's two products is rounded once, then added. The instruction treats denormal numbers as zeros, unlike the C for
other processors: passes choose it for products of bfloat16, whose normal numbers begin at 1e-38.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

import numpy as np

from .function import ScalarFunction

Array = np.ndarray


def _pack(low: Array, high: Array) -> Array:
    bits = (low.view(np.uint32) >> 16) | (high.view(np.uint32) & 0xFFFF0000)
    return bits.view(np.float32)


def _halves(packed: Array) -> tuple[Array, Array]:
    """The numbers in the lower and in the upper half."""
    bits = packed.view(np.uint32)
    return (bits << 16).view(np.float32).astype(np.float64), (bits & 0xFFFF0000).view(np.float32).astype(np.float64)


def _dot(a: Array, b: Array, total: Array) -> Array:
    (a_low, a_high), (b_low, b_high) = _halves(a), _halves(b)
    return total + (a_low * b_low + a_high * b_high).astype(np.float32)


PACKED: Mapping[str, ScalarFunction] = MappingProxyType(
    {
        row.name: row
        for row in (
            ScalarFunction(
                "pack_bfloat16",
                2,
                ("float32",),
                c="sw_pack_bfloat16_$N($a, $b)",
                triton="sw_pack_bfloat16($a, $b)",
                oracle=_pack,
                c_body="""\
    uint32_t low, high;
    __builtin_memcpy(&low, &a, 4);
    __builtin_memcpy(&high, &b, 4);
    low = low >> 16 | (high & 0xFFFF0000u);
    __builtin_memcpy(&a, &low, 4);
    return a;
""",
                triton_body="""\
    low, high = a.to(tl.uint32, bitcast=True), b.to(tl.uint32, bitcast=True)
    return ((low >> 16) | (high & 0xFFFF0000)).to(tl.float32, bitcast=True)
""",
            ),
            ScalarFunction(
                "dot_bfloat16",
                3,
                ("float32",),
                c="sw_dot_bfloat16_$N($a, $b, $c)",
                triton="sw_dot_bfloat16($a, $b, $c)",
                oracle=_dot,
                cost=2,
                c_body="""\
    uint32_t x, y, upper;
    float a_low, a_high, b_low, b_high;
    __builtin_memcpy(&x, &a, 4);
    __builtin_memcpy(&y, &b, 4);
    upper = x & 0xFFFF0000u;
    x <<= 16;
    __builtin_memcpy(&a_low, &x, 4);
    __builtin_memcpy(&a_high, &upper, 4);
    upper = y & 0xFFFF0000u;
    y <<= 16;
    __builtin_memcpy(&b_low, &y, 4);
    __builtin_memcpy(&b_high, &upper, 4);
    return c + (a_low * b_low + a_high * b_high);
""",
                triton_body="""\
    x, y = a.to(tl.uint32, bitcast=True), b.to(tl.uint32, bitcast=True)
    low = (x << 16).to(tl.float32, bitcast=True) * (y << 16).to(tl.float32, bitcast=True)
    x, y = x & 0xFFFF0000, y & 0xFFFF0000
    return c + (low + x.to(tl.float32, bitcast=True) * y.to(tl.float32, bitcast=True))
""",
            ),
        )
    }
)
