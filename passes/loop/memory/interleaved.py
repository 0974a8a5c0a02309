"""De-interleaved copies of strided memory: elements of each residue modulo the stride become contiguous rows.

An axis that is read with stride 3 becomes three rows of contiguous elements:

    0 1 2 3 4 5 6 7    ->    0 3 6
                             1 4 7
                             2 5 -

Element e of such an axis, counted from the first that is read, is element e floordiv 3 of row e mod 3. Windows with stride
three and length two read two of the rows. An axis with stride 1 is unchanged.
"""

from __future__ import annotations

from collections.abc import Sequence

from ....ir.index.expressions import Index, ceildiv, minimum


def strided_shape(sizes: Sequence[Index], steps: Sequence[int], reaches: Sequence[Index]) -> list[Index]:
    """The shape of the copy of axes of `sizes`, for windows of the lengths `reaches`: first an axis of rows for each step, then
    the elements of each row."""
    rows = [minimum(step, reach) for step, reach in zip(steps, reaches, strict=True) if step > 1]
    return [*rows, *(ceildiv(size, step) for size, step in zip(sizes, steps, strict=True))]


def strided_index(places: Sequence[Index], steps: Sequence[int]) -> list[Index]:
    """The index in the copy of an element."""
    both = list(zip(places, steps, strict=True))
    return [*(place % step for place, step in both if step > 1), *(place // step for place, step in both)]


def place_together(at: Sequence[Index], steps: Sequence[int]) -> list[Index]:
    """The inverse: the element at an index of the copy, which may be out of bounds for the last indices."""
    rows, elements = iter(at[: len(at) - len(steps)]), at[len(at) - len(steps) :]
    return [each * step + next(rows) if step > 1 else each for each, step in zip(elements, steps, strict=True)]
