"""Blocks of the rows of a reduction down columns, which threads share where there are too few columns for them.

The sums of each block are stored, a row of them, and added up. So that results do not depend on the number of threads, sizes
decide how many rows make a block: at least `FEWEST`, so many that there are at most `MOST` blocks, and that the sums of all
blocks are at most `SUMS`. Threads share more columns without that.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from ....dialects import loop
from ....ir.index.expressions import Index, ceildiv, maximum, minimum, product
from ....ir.index.simplify import Ranges
from ...analysis.loop_nests import Frame

FEWEST, MOST, SUMS = 256, 64, 8192


class Parts(NamedTuple):
    """The number of blocks, the rows of one, and the rows of all: those before `lower` excluded, and those from `upper` on."""

    number: Index
    size: Index
    lower: Index
    upper: Index

    def rows(self, part: Index) -> tuple[Index, Index]:
        """The first row of a block, and the first after it."""
        first = self.lower + part * self.size
        return first, minimum(first + self.size, self.upper)


def blocks_of_rows(columns: loop.ForOp, carrying: Sequence[loop.ForOp], frame: Frame) -> Parts | None:
    """The blocks of the outermost of the carrying loops; None if there is only one for all sizes, or if they are not the same
    for all columns."""
    (lower, upper), (left, right) = frame.exprs(carrying[0]), frame.exprs(columns)
    if left != 0 or any(each.dims() for each in (lower, upper, right)):
        return None
    for level in carrying[1:]:
        frame.enter(level)
    inside = [frame.exprs(level) for level in carrying[1:]]
    rows, each = upper - lower, product(last - first for first, last in inside)
    if each.dims():
        return None
    fewest = FEWEST if not inside else 1
    if Ranges().nonnegative(fewest - rows):
        return None
    size = maximum(1, maximum(ceildiv(rows, MOST * fewest), ceildiv(rows * right, SUMS * fewest))) * fewest
    return Parts(maximum(1, ceildiv(rows, size)), size, lower, upper)
