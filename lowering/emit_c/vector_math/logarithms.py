"""Logarithms of float32 vectors in C, with tables in the registers of AVX-512; templates as in `elementary.py`.

A number is 2^n * m with m from 3/4 up to 3/2. For the sixteenth of a binary order that m is in, a table has a number near
1 / m, and its logarithm, negated: what is left of m is 1 + f with f from -1/32 to 1/16, whose logarithm is f times a
polynomial, our own (least squares, to 3.7e-9). Next to 1 the table has 1 and 0, so that nothing cancels. The first parts of the
logarithms have so few digits that their sum with that of 2^n is exact.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from types import MappingProxyType

from .elementary import FLOAT32_FUNCTIONS, FUNCTIONS

# The numbers near 1 / m, in 256ths, by the first four digits of m after the leading one.
_NEAR = (256, 234, 221, 210, 200, 191, 182, 174, 334, 321, 309, 298, 287, 278, 269, 256)
# log(1 + f) / f, from the highest power down.
_LEFT = (0.19042813, -0.25021243, 0.33334518, -0.49999993, 1.0)
# Digits of the first parts of logarithms.
_FIRST = 1 << 16


def _vector(numbers: list[float]) -> str:
    return "(__typeof__(a)){" + ", ".join(f"{each!r}f" for each in numbers) + "}"


def _logarithm(base: float, high: float, other: str) -> str:
    """The body of a logarithm; `high` is the first part of that of 2. Without the instructions it is another one."""
    logs = [-math.log(each / 256) / math.log(base) if each != 256 else 0.0 for each in _NEAR]
    first = [round(each * _FIRST) / _FIRST for each in logs]
    rest, low = [one - other for one, other in zip(logs, first, strict=True)], math.log(2) / math.log(base) - high
    steps = "".join(f"    p = sw_madk_$N(p, f, {each / math.log(base)!r}f);\n" for each in _LEFT[1:])
    return f"""\
#if $table
    $V m = __builtin_ia32_getmant${{move}}_mask(a, 3, a, -1, 4);
    $V n = __builtin_ia32_getexp${{move}}_mask(a, a, -1, 4) - __builtin_ia32_getexp${{move}}_mask(m, m, -1, 4);
    const $I place = ($I)m >> 19;
    $V f = sw_madk_$N(m, __builtin_shuffle({_vector([each / 256 for each in _NEAR])}, place), -1.0f);
    $V p = sw_splat_$N({_LEFT[0] / math.log(base)!r}f);
{steps}\
    $V r = sw_mad_$N(n, sw_splat_$N({low!r}f), __builtin_shuffle({_vector(rest)}, place));
    r = sw_mad_$N(f, p, r);
    $V s = sw_mad_$N(n, sw_splat_$N({high!r}f), __builtin_shuffle({_vector(first)}, place));
    return sw_log_of_$N(a, s + r);
#else
{other}#endif
"""


LOGARITHMS: Mapping[str, str] = MappingProxyType(
    {
        "log": _logarithm(math.e, 355 / 512, FUNCTIONS["log"]),
        "log2": _logarithm(2, 1.0, FUNCTIONS["log2"]),
        "log10": _logarithm(10, 77 / 256, FLOAT32_FUNCTIONS["log10"]),
    }
)
