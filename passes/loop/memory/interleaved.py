"""Copies of memory that hold side by side what lies some elements apart in it.

An axis of which every third element is read together becomes three rows, in each of which these lie side by side:

    0 1 2 3 4 5 6 7    ->    0 3 6
                             1 4 7
                             2 5 -

Element e of such an axis, counted from the first that is read, is element e floordiv 3 of row e mod 3. Windows that move by
three elements and are two long read two of the rows. An axis whose step is 1 stays as it is.
"""

from __future__ import annotations

from collections.abc import Sequence

from ....ir.index.expressions import Index, ceildiv, minimum


def shape_apart(sizes: Sequence[Index], steps: Sequence[int], reaches: Sequence[Index]) -> list[Index]:
    """The shape of the copy of axes of these sizes, on which windows of these lengths move: first an axis of rows for each
    step, then the elements that lie so far apart."""
    rows = [minimum(step, reach) for step, reach in zip(steps, reaches, strict=True) if step > 1]
    return [*rows, *(ceildiv(size, step) for size, step in zip(sizes, steps, strict=True))]


def place_apart(places: Sequence[Index], steps: Sequence[int]) -> list[Index]:
    """Where an element is in the copy."""
    both = list(zip(places, steps, strict=True))
    return [*(place % step for place, step in both if step > 1), *(place // step for place, step in both)]


def place_together(at: Sequence[Index], steps: Sequence[int]) -> list[Index]:
    """Which element is at a place of the copy, the other way round; that of a last place may lie beyond the end."""
    rows, elements = iter(at[: len(at) - len(steps)]), at[len(at) - len(steps) :]
    return [each * step + next(rows) if step > 1 else each for each, step in zip(elements, steps, strict=True)]
