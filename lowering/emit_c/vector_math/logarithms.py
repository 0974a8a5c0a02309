"""Logarithms of float32 vectors in C, with tables in the registers of AVX-512; templates as in `elementary.py`.

A number is 2^n * m with m from 3/4 up to 3/2. For the sixteenth of a binary order that m is in, a table has a reciprocal near
1 / m, and its logarithm, negated. m times the reciprocal is the reduced argument 1 + f, with f from -1/32 to 1/16, whose
logarithm is f times a polynomial, our own (least squares, to 3.7e-9). Next to 1 the table has 1 and 0, so that nothing cancels.
The high parts of the logarithms have so few bits that their sum with that of 2^n is exact.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from types import MappingProxyType

from .elementary import FLOAT32_FUNCTIONS, FUNCTIONS

# The reciprocals, in 256ths, by the first four bits of m after the leading one.
_RECIPROCALS = (256, 234, 221, 210, 200, 191, 182, 174, 334, 321, 309, 298, 287, 278, 269, 256)
# The polynomial log(1 + f) / f, from the highest power down.
_POLYNOMIAL = (0.19042813, -0.25021243, 0.33334518, -0.49999993, 1.0)
# High parts of logarithms are multiples of 1 / _SCALE.
_SCALE = 1 << 16


def _vector(numbers: list[float]) -> str:
    return "(__typeof__(a)){" + ", ".join(f"{each!r}f" for each in numbers) + "}"


def _logarithm(base: float, high: float, otherwise: str) -> str:
    """The body of a logarithm; `high` is the high part of that of 2. Without the instructions it is `otherwise`."""
    logs = [-math.log(each / 256) / math.log(base) if each != 256 else 0.0 for each in _RECIPROCALS]
    highs = [round(each * _SCALE) / _SCALE for each in logs]
    lows, low = [one - other for one, other in zip(logs, highs, strict=True)], math.log(2) / math.log(base) - high
    steps = "".join(f"    p = sw_madk_$N(p, f, {each / math.log(base)!r}f);\n" for each in _POLYNOMIAL[1:])
    return f"""\
#if $table
    $V m = __builtin_ia32_getmant${{move}}_mask(a, 3, a, -1, 4);
    $V n = __builtin_ia32_getexp${{move}}_mask(a, a, -1, 4) - __builtin_ia32_getexp${{move}}_mask(m, m, -1, 4);
    const $I place = ($I)m >> 19;
    $V f = sw_madk_$N(m, __builtin_shuffle({_vector([each / 256 for each in _RECIPROCALS])}, place), -1.0f);
    $V p = sw_splat_$N({_POLYNOMIAL[0] / math.log(base)!r}f);
{steps}\
    $V r = sw_mad_$N(n, sw_splat_$N({low!r}f), __builtin_shuffle({_vector(lows)}, place));
    r = sw_mad_$N(f, p, r);
    $V s = sw_mad_$N(n, sw_splat_$N({high!r}f), __builtin_shuffle({_vector(highs)}, place));
    return sw_log_of_$N(a, s + r);
#else
{otherwise}#endif
"""


LOGARITHMS: Mapping[str, str] = MappingProxyType(
    {
        "log": _logarithm(math.e, 355 / 512, FUNCTIONS["log"]),
        "log2": _logarithm(2, 1.0, FUNCTIONS["log2"]),
        "log10": _logarithm(10, 77 / 256, FLOAT32_FUNCTIONS["log10"]),
    }
)
