"""Blocks of rows of a reduction down columns, for threads to share where there are too few columns for all threads.

Each block stores a row of sums, and the rows are added up. Sizes alone decide how many rows make a block, so that results do
not depend on the number of threads: at least `grain` rows, at most `most` blocks, and at most `SUMS` sums in all blocks
together. With more than `SUMS` columns, the columns are work enough for all threads.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from ....dialects import loop
from ....ir.index.expressions import Index, ceildiv, maximum, minimum, product
from ....ir.index.simplify import Ranges
from ...analysis.loop_nests import Frame

# Elements of the temporary that holds the sums of all blocks.
SUMS = 8192


class RowBlocks(NamedTuple):
    """The number of blocks, the number of rows in one, and the range of all rows, from `lower` up to `upper`."""

    number: Index
    size: Index
    lower: Index
    upper: Index

    def rows(self, part: Index) -> tuple[Index, Index]:
        """The first row of a block, and the first after it."""
        first = self.lower + part * self.size
        return first, minimum(first + self.size, self.upper)


def blocks_of_rows(
    columns: loop.ForOp, carrying: Sequence[loop.ForOp], frame: Frame, most: int, grain: int
) -> RowBlocks | None:
    """The blocks of the outermost carrying loop, at most `most`; None if there is only one block for all sizes, or if the
    blocks differ between columns. A block has at least `grain` rows if the loop is the only one with carried values."""
    if most == 1:
        return None
    (lower, upper), (left, right) = frame.exprs(carrying[0]), frame.exprs(columns)
    if left != 0 or any(each.dims() for each in (lower, upper, right)):
        return None
    for level in carrying[1:]:
        frame.enter(level)
    inside = [frame.exprs(level) for level in carrying[1:]]
    rows, each = upper - lower, product(last - first for first, last in inside)
    if each.dims():
        return None
    fewest = grain if not inside else 1
    if Ranges().nonnegative(fewest - rows):
        return None
    size = maximum(1, maximum(ceildiv(rows, most * fewest), ceildiv(rows * right, SUMS * fewest))) * fewest
    return RowBlocks(number=maximum(1, ceildiv(rows, size)), size=size, lower=lower, upper=upper)
