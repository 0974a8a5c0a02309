"""The scalar functions in NumPy: the oracle that all generated code is tested against.

A function that IEEE arithmetic rounds correctly is NumPy's own. The others are computed in float64 for float32 and rounded,
which is correctly rounded except for about one result in 10^8; float16 and bfloat16 are computed in float32 and rounded once,
as in generated code.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from fractions import Fraction
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import numpy as np

from ..types.dtypes import FLOAT32, FLOAT64, DType, dtype

if TYPE_CHECKING:
    from .function import ScalarFunction

Array = np.ndarray[Any, Any]


def evaluate(function: ScalarFunction, *operands: Any) -> Array:
    """Apply `function` to arrays of equal shape."""
    arrays = [np.asarray(operand) for operand in operands]
    given = dtype(arrays[-1].dtype)  # the last operand: the first may be a condition
    working = _working_type(function, given)
    with np.errstate(all="ignore"):
        if working is given:
            return np.asarray(oracle(function)(*arrays))
        arrays = [array.astype(working.numpy) if array.dtype == given.numpy else array for array in arrays]
        result = evaluate(function, *arrays)
        return result if result.dtype == np.bool_ else _round(result, given)


def oracle(function: ScalarFunction) -> Callable[..., Any]:
    """The NumPy function of a row: a function of this file or of NumPy, by its name, or the given function itself."""
    if not isinstance(function.oracle, str):
        return function.oracle
    return _OWN.get(function.oracle) or getattr(np, function.oracle)


def cast_numpy(array: Any, to: DType) -> Array:
    """Convert `array` to dtype `to`, by the rules of all targets.

    Floats convert to integers by truncation with saturation, NaN to 0; integers wrap around; conversion to bool is `!= 0`.
    Conversion to float16, bfloat16 and floats of 8 bits rounds to nearest even; integers and (except to float16) float64 are
    rounded to float32 first. Numbers that are too large become infinite, or NaN in formats without infinities.
    """
    array = np.asarray(array)
    source = dtype(array.dtype)
    if source == to:
        return array
    with np.errstate(all="ignore"):
        if to.kind == "bool":
            return array != 0
        if source.is_float and not to.is_float:
            return _saturate(array.astype(np.float64), to)
        return _round(array, to)


def _working_type(function: ScalarFunction, given: DType) -> DType:
    if given.compute is not given:
        return given.compute
    return FLOAT64 if function.ulp and given is FLOAT32 else given


def _round(array: Array, to: DType) -> Array:
    """Convert `array` to a float by rounding, or to an integer by wrapping; float64 to float16 directly, not through
    float32."""
    if to.compute is not to and (to.is_stored_only or array.dtype != np.float64):
        array = array.astype(np.float32)
    return array.astype(to.numpy)


def _saturate(array: Array, to: DType) -> Array:
    """Truncate float64 to an integer type, with saturation. As a float, the limit 2**63 - 1 is 2**63, which is out of range."""
    above, below = array >= float(int(to.highest)), array <= float(int(to.lowest))
    inside = np.where(above | below | np.isnan(array), 0, array).astype(to.numpy)
    return np.where(above, to.numpy.type(to.highest), np.where(below, to.numpy.type(to.lowest), inside))


def _power(a: Array, b: Array) -> Array:
    if a.dtype.kind != "i":
        return np.power(a, b)
    magnitude = np.power(a, np.maximum(b, 0))
    fraction = np.where(a == 1, 1, np.where(a == -1, np.where(b % 2 == 0, 1, -1), 0))
    return np.where(b < 0, fraction, magnitude).astype(a.dtype)


def _fma(a: Array, b: Array, c: Array) -> Array:
    if a.dtype.kind != "f":
        return a * b + c
    if a.dtype == np.float64:
        return np.vectorize(_fma_exactly, otypes=[np.float64])(a, b, c)
    # The product of two float32 is exact in float64; rounding the sum to odd makes the second rounding, to float32, correct.
    product, addend = a.astype(np.float64) * b.astype(np.float64), c.astype(np.float64)
    total = product + addend
    part = total - product
    error = (product - (total - part)) + (addend - part)
    even = (total.view(np.int64) & 1) == 0
    inexact = np.isfinite(error) & (error != 0) & np.isfinite(total)
    towards = np.where(error > 0, np.inf, -np.inf)
    return np.where(inexact & even, np.nextafter(total, towards), total).astype(np.float32)


def _fma_exactly(a: float, b: float, c: float) -> float:
    if not (math.isfinite(a) and math.isfinite(b) and math.isfinite(c)):
        return a * b + c
    exact = Fraction(a) * Fraction(b) + Fraction(c)
    if exact == 0:
        return a * b + c if c == 0 else 0.0  # a sum of zeros has their sign; cancellation gives +0
    try:
        return float(exact)
    except OverflowError:
        return math.inf if exact > 0 else -math.inf


def _rsqrt(x: Array) -> Array:
    return 1 / np.sqrt(x)


def _erf(x: Array) -> Array:
    return np.vectorize(math.erf, otypes=[np.float64])(x)


def _erfc(x: Array) -> Array:
    return np.vectorize(math.erfc, otypes=[np.float64])(x)


def _sigmoid(x: Array) -> Array:
    small = np.exp(-np.abs(x))
    return np.where(x >= 0, 1, small) / (1 + small)


def _gelu(x: Array) -> Array:
    """x times the normal distribution function. An error in the argument of erfc matters more the larger the argument is: split
    the product exactly (Dekker, 1971), and add its low part times the derivative."""
    with np.errstate(over="ignore"):
        inside = np.where(np.abs(x) < 40, x, 0).astype(np.float64)
    root, rest = math.sqrt(0.5), -4.8336466567264567e-17
    x_high, root_high = (each * 134217729.0 - (each * 134217729.0 - each) for each in (inside, root))
    x_low, root_low = inside - x_high, root - root_high
    z = inside * root
    lost = ((x_high * root_high - z) + x_high * root_low + x_low * root_high) + x_low * root_low + inside * rest
    twice = _erfc(-z) + lost * (2 / math.sqrt(math.pi)) * np.exp(-z * z)
    far = np.where(x < 0, -0.0, x)
    return np.where(np.abs(x) < 40, inside * twice / 2, far)


def _softplus(x: Array) -> Array:
    return np.maximum(x, 0) + np.log1p(np.exp(-np.abs(x)))


def _random_bits(key: Array, counter: Array) -> Array:
    """The first word of Philox4x32-10 (Salmon et al., 2011) for counter (low, high, 0, 0) and key (low, high)."""
    low, high, key_low, key_high = (
        half for word in (counter, key) for half in (word.view(np.uint64) & 0xFFFFFFFF, word.view(np.uint64) >> 32)
    )
    words = [low, high, np.zeros_like(low), np.zeros_like(low)]
    for _ in range(10):
        first, second = words[0] * 0xD2511F53, words[2] * 0xCD9E8D57
        words = [
            (second >> 32) ^ words[1] ^ key_low,
            second & 0xFFFFFFFF,
            (first >> 32) ^ words[3] ^ key_high,
            first & 0xFFFFFFFF,
        ]
        key_low, key_high = (key_low + 0x9E3779B9) & 0xFFFFFFFF, (key_high + 0xBB67AE85) & 0xFFFFFFFF
    return words[0].astype(np.int64)


_OWN: Mapping[str, Callable[..., Array]] = MappingProxyType(
    {
        "power": _power,
        "fma": _fma,
        "rsqrt": _rsqrt,
        "erf": _erf,
        "erfc": _erfc,
        "sigmoid": _sigmoid,
        "gelu": _gelu,
        "softplus": _softplus,
        "random_bits": _random_bits,
    }
)
