"""Special functions: the inverse error function, the gamma function's logarithm and its derivative, products with logs."""

from __future__ import annotations

import math
from typing import Any

from ...ir.types.dtypes import FLOAT64
from ..tracing.tensor import Tensor, TensorLike, cast
from .arguments import floating
from .composites import call
from .elementwise import equal, logical_and, logical_not, maximum, minimum, multiply, round, where
from .scalar_functions import abs, copysign, erf, erfc, exp, isinf, isnan, log, log1p, sin, sqrt, square, tan


def erfinv(x: TensorLike, /) -> Tensor:
    """The inverse of the error function, NaN outside of -1 to 1. Integers are cast to their `default_float`."""
    return call(_erfinv, [floating(x)])


def gammaln(x: TensorLike, /) -> Tensor:
    """The logarithm of the gamma function's magnitude, infinite at its poles. Integers are cast to their `default_float`."""
    return call(_gammaln, [floating(x)])


def digamma(x: TensorLike, /) -> Tensor:
    """The derivative of the gamma function's logarithm. Integers are cast to their `default_float`."""
    return call(_digamma, [floating(x)])


def xlogy(x: TensorLike, y: TensorLike, /) -> Tensor:
    """x * log(y), 0 where x is 0 and y is not NaN."""
    return _unless_zero(x, log(y), y)


def xlog1py(x: TensorLike, y: TensorLike, /) -> Tensor:
    """x * log(1 + y), 0 where x is 0 and y is not NaN."""
    return _unless_zero(x, log1p(y), y)


def _unless_zero(x: TensorLike, factor: Tensor, y: TensorLike) -> Tensor:
    return where(logical_and(equal(x, 0), logical_not(isnan(floating(y)))), 0, multiply(x, factor))


def _erfinv(x: Tensor) -> Tensor:
    """The inverse error function: Giles' approximation (2010), then two steps of Newton's method in double precision."""
    wide = cast(x, FLOAT64)
    tail = -log1p(-square(wide))
    near, far = tail - 2.5, sqrt(maximum(tail, 5.0)) - 3.0
    guess = where(tail < 5.0, _polynomial(near, _GILES_NEAR), _polynomial(far, _GILES_FAR)) * wide
    for _ in range(2):
        error = where(abs(guess) < 0.5, erf(guess) - wide, _tail_error(guess, wide))
        guess = guess - error * (math.sqrt(math.pi) / 2) * exp(square(guess))
    edge = copysign(math.inf, wide)
    found = where(abs(wide) < 1, guess, where(equal(abs(wide), 1), edge, math.nan))
    return cast(found, x.dtype)


def _tail_error(guess: Tensor, wide: Tensor) -> Tensor:
    """erf(guess) - x without the cancellation near 1."""
    sign = copysign(1.0, wide)
    return sign * ((1 - abs(wide)) - erfc(abs(guess)))


def _polynomial(x: Tensor, coefficients: tuple[float, ...]) -> Tensor:
    total = x * 0 + coefficients[0]
    for each in coefficients[1:]:
        total = total * x + each
    return total


_GILES_NEAR = (
    *(2.81022636e-08, 3.43273939e-07, -3.5233877e-06, -4.39150654e-06, 0.00021858087),
    *(-0.00125372503, -0.00417768164, 0.246640727, 1.50140941),
)
_GILES_FAR = (
    *(-0.000200214257, 0.000100950558, 0.00134934322, -0.00367342844, 0.00573950773),
    *(-0.0076224613, 0.00943887047, 1.00167406, 2.83297682),
)

# Lanczos' approximation of the gamma function with g = 7 and 9 terms, to 15 digits.
_LANCZOS = (
    *(0.99999999999980993, 676.5203681218851, -1259.1392167224028, 771.32342877765313, -176.61502916214059),
    *(12.507343278686905, -0.13857109526572012, 9.9843695780195716e-6, 1.5056327351493116e-7),
)

# gammaln(2 + z) / z as a polynomial of z, from the power of the highest degree: (-1)^k (zeta(k) - 1) / k for z^(k - 1).
_SERIES_AT_2 = (
    *(-2.7595228851242334e-10, 5.731367241678862e-10, -1.1921401405860912e-09, 2.4836745438024785e-09, -5.183475041970047e-09),
    *(1.0838659214896955e-08, -2.2711094608943164e-08, 4.7698101693639804e-08, -1.0043224823968099e-07, 2.1207184805554665e-07),
    *(-4.492469198764566e-07, 9.55141213040742e-07, -2.039215753801366e-06, 4.374866789907488e-06, -9.439488275268397e-06),
    *(2.050721277567069e-05, -4.492623673813314e-05, 9.945751278180853e-05, -0.00022315475845357939, 0.0005096695247430425),
    *(-0.001192753911703261, 0.0028905103307415234, -0.007385551028673986, 0.020580808427784546, -0.0673523010531981),
    *(0.3224670334241132, 0.42278433509846713),
)


def _gammaln(x: Tensor) -> Tensor:
    """The logarithm of the magnitude of the gamma function: a series from 0.5 to 2.5, with the zeros at 1 and 2, else Lanczos'
    approximation and the reflection formula."""
    wide = cast(x, FLOAT64)
    infinite = isinf(wide)
    finite = where(infinite, 3.0, wide)
    reflected = finite < 0.5
    argument = where(reflected, 1 - finite, finite) - 1
    total = argument * 0 + _LANCZOS[0]
    for k, each in enumerate(_LANCZOS[1:], start=1):
        total = total + each / (argument + k)
    base = argument + 7.5
    direct = 0.5 * math.log(2 * math.pi) + (argument + 0.5) * log(base) - base + log(total)
    near = logical_and(argument >= -0.5, argument <= 1.5)
    direct = where(near, _gammaln_near(where(near, argument, 0.5)), direct)
    fraction = finite - round(finite)  # the nearest integer, as floor would lose small negative numbers
    mirrored = math.log(math.pi) - log(abs(sin(math.pi * fraction))) - direct
    # The square is infinite, and its derivative too.
    return cast(where(infinite, square(wide), where(reflected, mirrored, direct)), x.dtype)


def _gammaln_near(argument: Tensor) -> Tensor:
    """gammaln(1 + argument) for arguments from -0.5 to 1.5."""
    below = argument < 0.5
    z = where(below, argument, argument - 1)
    return _polynomial(z, _SERIES_AT_2) * z - where(below, log1p(z), 0.0)


def _digamma(x: Tensor) -> Tensor:
    """The derivative of the logarithm of the gamma function: recurrence up to 10, then the asymptotic series; reflection for
    negative numbers."""
    wide = cast(x, FLOAT64)
    negative = wide < 0
    argument = where(negative, 1 - wide, wide)
    shift: Any = 0.0
    for _ in range(10):
        small = argument < 10
        shift = shift - where(small, 1 / where(small, argument, 1.0), 0.0)
        argument = where(small, argument + 1, argument)
    inverse = 1 / square(minimum(argument, 1e100))
    series = _polynomial(inverse, (1 / 12, -691 / 32760, 1 / 132, -1 / 240, 1 / 252, -1 / 120, 1 / 12)) * inverse
    found = shift + log(argument) - 0.5 / argument - series
    fraction = where(negative, wide - round(wide), 0.25)  # as in _gammaln
    mirrored = found - math.pi / tan(math.pi * fraction)
    # The derivatives at poles are NaN, too.
    return cast(where(negative, mirrored * where(equal(fraction, 0), math.nan, 1.0), found), x.dtype)
