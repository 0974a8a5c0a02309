"""loop-permute: move the parallel loop of a nest innermost along which its reductions access memory contiguously.

    for "parallel" %i in (0, n)                      for "parallel" %j in (0, m)
      for "parallel" %j in (0, m)                      for "parallel" %i in (0, n)
        %s = for %k in (0, r): add x[j, k, i]    ->      %s = for %k in (0, r): add x[j, k, i]
        y[i, j] = %s                                     y[i, j] = %s

1. The nest is perfect, and no contraction, whose tiles have an order of their own. Of the loops that `loop-interchange` would
   move inside of the reductions (`reduction_nests.py`), the one is chosen with which they move the fewest cache lines.
2. If the loops around the chosen one would read more again and again than a cache holds, it is strip-mined, and the loop over
   strips comes outermost.
3. The pass comes before padded copies are made: `loop-pad` copies what the loops outside of a window do not index. If the
   gradient of a depthwise convolution's weights reads images whose channels are contiguous, a copy for each channel would be a
   transpose.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import prod

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass

from ....dialects import loop
from ....ir.rewrite import count
from ....ir.types.dtypes import dtype_of
from ....ir.types.shapes import element_of
from ...analysis.contractions import recognise
from ...analysis.cost import LINE_BYTES, Group, Level
from ...analysis.loop_nests import Frame, lowered_blocks, rewrite_loops
from ...manager.options import limited
from .parallel_nests import make_innermost, parallel_nest, strip_mine
from .reduction_nests import Nest, gains_along, reduction_nest


@dataclass(frozen=True)
class LoopPermute(ModulePass):
    """Reductions of at most `window` steps are left to loop-vectorize. Strips are read again from a cache of `cache` bytes."""

    name = "loop-permute"

    window: int = limited(64, least=0)
    cache: int = limited(1 << 19)

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for block in lowered_blocks(op):
            frame = Frame()
            rewrite_loops(block.body.block, frame, lambda level, around, frame=frame: self._rewrite(level, frame, around))

    def _rewrite(self, op: loop.ForOp, frame: Frame, around: Sequence[int]) -> bool:
        levels = parallel_nest(op)
        found = reduction_nest(levels[-1]) if len(levels) > 1 else None
        if found is None or recognise(op, frame) is not None:
            return False
        for level in levels:
            frame.enter(level)
        everywhere = [*around, *(frame.number(level.induction) for level in levels[1:])]
        gaining = [each for each in reversed(levels) if gains_along(each, found, frame, everywhere, self.window)]
        along = min(gaining, key=lambda each: _lines(found, levels, each, frame, around), default=levels[-1])
        if along is not levels[-1]:
            length = self._strip_length(found, levels, along, frame, around)
            make_innermost(levels, along)
            count("loops-permuted", "Number of parallel loops moved inside of others")
            if length is not None:
                # The loops have exchanged their indices.
                strip_mine(levels, length, Frame())
        return True

    def _strip_length(
        self, found: Nest, levels: Sequence[loop.ForOp], along: loop.ForOp, frame: Frame, around: Sequence[int]
    ) -> int | None:
        """The iterations of a strip of the chosen loop whose data stay in the cache while the other parallel loops run; None if
        all data stay there, or are read once, or if sizes are not known."""
        reductions = [each for stage in found.stages for each in stage.carrying]
        if any(each.trips is None for each in (*levels, *reductions)):
            return None
        others = {frame.number(each.induction) for each in levels if each is not along}
        accesses = [access for stage in found.stages for access in stage.accesses(frame)]
        for each in reductions:
            frame.enter(each)
        own = frame.number(along.induction)
        trips = {frame.number(each.induction): each.trips or 1 for each in (along, *reductions)}
        taken, itemsizes = 0, list[int]()
        for access in accesses:
            dims = set[int]().union(*(expr.dims() for expr in access.exprs))
            if own in dims:
                itemsizes.append(dtype_of(element_of(access.buffer)).itemsize)
                taken += itemsizes[-1] * prod(size for number, size in trips.items() if number in dims)
        is_read_again = any(not others <= set[int]().union(*(expr.dims() for expr in access.exprs)) for access in accesses)
        if taken <= self.cache or not is_read_again:
            return None
        line = LINE_BYTES // min(itemsizes)
        length = max(trips[own] * self.cache // taken // line, 1) * line
        return length if length < trips[own] else None


def _lines(found: Nest, levels: Sequence[loop.ForOp], innermost: loop.ForOp, frame: Frame, around: Sequence[int]) -> float:
    """The cache lines that the reductions move with a parallel loop innermost."""
    parallel = [Level.of(each, frame) for each in levels]
    reductions = ([Level.of(each, frame) for each in stage.carrying] for stage in found.stages)
    groups = (
        Group.of(stage.accesses(frame), [*parallel, *inner], frame, around)
        for stage, inner in zip(found.stages, reductions, strict=True)
    )
    return sum(group.lines(Level.of(innermost, frame)) for group in groups)
