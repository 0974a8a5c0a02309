"""Logarithms of float32 vectors in C, with tables in the registers of AVX-512; templates as in `elementary.py`.

A number is 2^n * m with m from 3/4 up to 3/2. For each sixteenth of a binary order, tables have an approximate reciprocal c of
the m in it, and -log(c). The reduced argument f = m * c - 1 is from -1/32 to 1/16; log(1 + f) is f times a polynomial (our own,
by least squares: its error in that interval is at most 3.7e-9). Next to 1 the tables have 1 and 0, so that nothing cancels.
High parts of logarithms have so few bits that adding the high part of the logarithm of 2^n is exact.

Of the numbers in calls of builtins, 3 is the interval from 3/4 to 3/2, the mask -1 has all lanes, and 4 is the current
rounding mode.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from types import MappingProxyType

from .elementary import FLOAT32_FUNCTIONS, FUNCTIONS

# Approximate reciprocals of m, in 256ths, by the first four bits of m after the leading one.
_RECIPROCALS = (256, 234, 221, 210, 200, 191, 182, 174, 334, 321, 309, 298, 287, 278, 269, 256)
# The polynomial for log(1 + f) / f, from the highest power down.
_POLYNOMIAL = (0.19042813, -0.25021243, 0.33334518, -0.49999993, 1.0)
# High parts of logarithms are multiples of 1 / _SCALE.
_SCALE = 1 << 16


def _vector(numbers: list[float]) -> str:
    return "(__typeof__(a)){" + ", ".join(f"{each!r}f" for each in numbers) + "}"


def _logarithm(base: float, high_of_two: float, without_tables: str) -> str:
    """The body of a logarithm; `high_of_two` is the high part of the logarithm of 2. `without_tables` is the body on machines
    that lack the instructions."""
    logs = [-math.log(each / 256) / math.log(base) if each != 256 else 0.0 for each in _RECIPROCALS]
    high = [round(each * _SCALE) / _SCALE for each in logs]
    low = [whole - part for whole, part in zip(logs, high, strict=True)]
    low_of_two = math.log(2) / math.log(base) - high_of_two
    start = f"sw_mad_$N(n, sw_splat_$N({low_of_two!r}f), %s)" if low_of_two else "%s"
    steps = "".join(f"    p = sw_madk_$N(p, f, {each / math.log(base)!r}f);\n" for each in _POLYNOMIAL[1:])
    return f"""\
#if $table
    $V m = __builtin_ia32_getmant${{move}}_mask(a, 3, a, -1, 4);
    $V n = __builtin_ia32_getexp${{move}}_mask(a, a, -1, 4) - __builtin_ia32_getexp${{move}}_mask(m, m, -1, 4);
    const $I place = ($I)m >> 19;
    $V f = sw_madk_$N(m, __builtin_shuffle({_vector([each / 256 for each in _RECIPROCALS])}, place), -1.0f);
    $V p = sw_splat_$N({_POLYNOMIAL[0] / math.log(base)!r}f);
{steps}\
    $V r = {start % f"__builtin_shuffle({_vector(low)}, place)"};
    r = sw_mad_$N(f, p, r);
    $V s = sw_mad_$N(n, sw_splat_$N({high_of_two!r}f), __builtin_shuffle({_vector(high)}, place));
    return sw_log_of_$N(a, s + r);
#else
{without_tables}#endif
"""


LOGARITHMS: Mapping[str, str] = MappingProxyType(
    {
        "log": _logarithm(math.e, 355 / 512, FUNCTIONS["log"]),
        "log2": _logarithm(2, 1.0, FUNCTIONS["log2"]),
        "log10": _logarithm(10, 77 / 256, FLOAT32_FUNCTIONS["log10"]),
    }
)
