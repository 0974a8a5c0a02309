"""Windows: indices that add a summed index to another one, as convolutions read images."""

from __future__ import annotations

from collections.abc import Set

from ...ir.index.expressions import ZERO, Dim, Index
from ...ir.index.simplify import Ranges


def is_in_windows(expr: Index, summed: Set[int], ranges: Ranges) -> bool:
    """Whether an index is in windows that overlap: they begin no further apart than the summed dimensions reach. Rows of a
    reshaped array do not overlap, nor do windows whose length or distance is unknown."""
    places = expr.dims() - summed
    within = expr.substitute({Dim(axis): 0 for axis in places})
    least, most = (ranges.bound(within, upper=upper) for upper in (False, True))
    reach = (most - least).constant if most is not None and least is not None else None
    apart = [(expr.coefficient(Dim(axis)) or ZERO).constant or 0 for axis in places]
    return reach is not None and any(0 < abs(each) <= reach for each in apart)
