"""Conversion between float32 and floats of 8 bits, in integer operations that every processor and GPU has.

Widening shifts exponent and mantissa into the bits of a float32. The two exponents have different biases: a multiplication by a
power of 2 corrects the difference, and is exact for denormal numbers too. Narrowing rounds the float32's bits to nearest even
by an addition that carries. Denormal results are rounded by adding a float32 whose last place has the weight of the format's
smallest denormal number.
"""

from __future__ import annotations

from typing import NamedTuple

from ...ir.types.dtypes import FLOAT8_E4M3FN, DType

BIAS = 127  # of float32
MANTISSA = 23  # bits of float32


class Float8(NamedTuple):
    """The constants of a format, as integers: bits of the format or, where noted, of a float32."""

    shift: int  # the shift from the format's bits to those of a float32
    bias: int
    nan: int
    special: int  # the least magnitude that is not finite: an infinity, or NaN in formats without infinities

    @staticmethod
    def of(element: DType) -> Float8:
        """The constants of a dtype of 8 bits."""
        shift = MANTISSA + 1 - element.digits
        return Float8(shift, 7, 0x7F, 0x7F) if element is FLOAT8_E4M3FN else Float8(shift, 15, 0x7E, 0x7C)

    @property
    def _limit(self) -> int:
        """The bits of the greatest float32 that rounds to a finite number. A tie rounds to even, which may be infinite."""
        highest = self.special - 1
        return (highest + (BIAS - self.bias << MANTISSA - self.shift) << self.shift) + (1 << self.shift - 1) - (highest & 1)

    def symbols(self) -> dict[str, str]:
        """The substitutions for templates: integers, and the powers of 2 `scale` and `unit` as decimal literals."""
        smallest = 1 - self.bias - (MANTISSA - self.shift)  # the exponent of the smallest denormal number
        unit = MANTISSA + smallest
        found = {
            "half": (1 << self.shift - 1) - 1,
            "rebias": BIAS - self.bias << MANTISSA - self.shift,
            "unit_bits": BIAS + unit << MANTISSA,
            "least": BIAS + 1 - self.bias << MANTISSA,
            "nan": self.nan,
            "special": self.special,
            "limit": self._limit,
        }
        powers = {"scale": repr(2.0 ** (BIAS - self.bias)), "unit": repr(2.0**unit)}
        return {"shift": str(self.shift), **powers, **{name: f"0x{number:X}" for name, number in found.items()}}
