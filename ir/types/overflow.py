"""Overflow checks: generated code computes sizes, indices and the numbers in index expressions in 64 bits.

Python's integers are unbounded. Without these checks only generated code would meet numbers that are too large, and would wrap
around or fail to compile.
"""

from __future__ import annotations

from collections.abc import Iterable
from math import prod

from ..diagnostics import CompileError, Place
from ..index.expressions import Apply, Index
from .dtypes import DType

# The largest size, and the largest number of bytes of an array, as for NumPy.
LARGEST = (1 << 63) - 1
# A distance beyond all elements. The sum of two such distances has 62 bits.
FAR = 1 << 61
# Longer steps are replaced by shorter ones where both leave the axis; the product of two has 62 bits.
LONG_STEP = 1 << 31


def near(distance: int) -> int:
    """Clamp a distance along an axis to -FAR..FAR: beyond it all distances are equivalent."""
    return max(-FAR, min(distance, FAR))


def can_be_array(sizes: Iterable[int], element: DType) -> bool:
    """Whether an array can have these sizes. As for NumPy, an axis of size 0 counts as one of size 1."""
    return prod(max(size, 1) for size in sizes) * element.itemsize <= LARGEST


def number_beyond(expr: Index) -> int | None:
    """A number in an index expression that exceeds LARGEST in magnitude, None when there is none."""
    for monomial, factor in expr.terms:
        if abs(factor) > LARGEST:
            return factor
        for atom in monomial:
            found = (number_beyond(atom.lhs) or number_beyond(atom.rhs)) if isinstance(atom, Apply) else None
            if found is not None:
                return found
    return None


def expect_numbers(expr: Index, place: Place) -> None:
    """Raise CompileError, at a location, for an index expression with a number that exceeds LARGEST in magnitude."""
    number = number_beyond(expr)
    if number is not None:
        expected = f"expected index expressions with numbers of at most {LARGEST} in magnitude"
        raise CompileError(f"{expected}, got {number} in '{expr}'", place)
