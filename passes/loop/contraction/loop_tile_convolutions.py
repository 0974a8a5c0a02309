"""loop-tile-convolutions: tile contractions over overlapping windows, which are read from a copy with joined rows.

    for m, y, x:  s = sum over c, p, q of a(m, c, p, q) * b(c, y + p, x + q);  epilogue(s)

becomes, with n = y * pitch + x for rows of the copy of length `pitch`,

    copy b padded, rows consecutive, with space for the last tile        joined[c][row * pitch + column]
    pack the left operand into panels                                    left[panel][c, p, q][rows]
    for tiles of `rows` x `vectors` vectors of n, in parallel:
      registers = 0
      for c, p, q: registers += left[panel][c, p, q][row] * joined[c][n + p * pitch + q]
      for each row that a vector overlaps: the epilogue, under the guard that n is in that row

1. Packed panels of the right operand (`loop-tile-contractions`) would hold every element once per window. The copy holds it
   once, and each tap of a window is an offset in it.
2. Rows need not be multiples of a vector: tiles cross the ends of rows, where `pitch` has a few padding columns whose sums are
   computed and not stored.
3. Strided windows, b(c, 2 * y + p, 2 * x + q), have stride one in a de-interleaved copy:
   joined[c][p mod 2][q mod 2][n + (p floordiv 2) * pitch + q floordiv 2].
4. Products of bfloat16 are added in pairs, as in `loop-tile-contractions`: those of channel c and channel c + half.
5. Tiles of pixels (`pixel_tiles.py`) have the same copy and panels: vectors lie along the rows of the left operand, as filters,
   and a tile is some pixels of one line. The schedule with fewer unused sums is taken (`tiling_of`), or neither if the tiles
   would compute more than MOST_COMPUTED sums for each that is stored.
6. If the rows of a contraction slide over summed loops, as in gradients of weights, the left operand has a padded copy, which
   rows read as scalars. The right operand, which may be computed, has panels for blocks of the first summed loop
   (`sliding_rows.py`). The sizes of windows must be known.
7. For tiles along columns or of pixels the right operand is one load, which may be cast, guarded by bounds tests only. Each of
   its last addresses is one column loop times a small stride, plus at least one term of summed indices. Loops that both
   operands share are a batch. Windows have a known size; if all sizes are known, they are no longer than the axis that they
   slide over.
8. If the nest is known to have too few rows or columns for tiles, or nothing to sum, it is left alone. Few rows or columns at
   run time are computed in partly unused tiles, to avoid a second nest in every program.
"""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import SSAValue
from xdsl.passes import ModulePass

from ....dialects import loop
from ....ir.index.expressions import ZERO, Dim
from ....ir.rewrite import count
from ....ir.types.shapes import shape_of
from ...analysis.contractions import Contraction, recognise
from ...analysis.loop_nests import Frame, lowered_blocks
from ...analysis.reductions import computing
from ...analysis.strides import MOST_APART
from .padded_copy import Windows, loaded
from .pixel_tiles import tiles_of, tiling_of
from .sliding_rows import SlidingTiling
from .window_tiles import WindowTiles


@dataclass(frozen=True)
class LoopTileConvolutions(WindowTiles, ModulePass):
    """A thread computes `group` tiles along the columns at once. An innermost summed loop of at most `window` steps is fully
    unrolled."""

    name = "loop-tile-convolutions"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for block in lowered_blocks(op):
            self._block(block)

    def _block(self, block: loop.BlockOp) -> None:
        # A copy made before the block must not read a buffer that the block writes.
        written = Frame().tree(block).written
        frame = Frame()
        for nest in [op for op in block.body.block.ops if isinstance(op, loop.ForOp)]:
            frame.tree(nest)
            found = recognise(nest, frame)
            if found is None or self.is_small(found):
                continue
            windows = _windows(found, frame)
            tiling = None
            if windows is not None and windows.load.buffer not in written:
                tiling = tiling_of(found, frame, self, block, windows)
            if tiling is None:
                tiling = self._sliding(found, frame, block, written)
            if tiling is not None:
                count("windows-tiled", "Number of contractions over windows tiled")
                tiling.run()

    def _sliding(self, found: Contraction, frame: Frame, block: loop.BlockOp, written: set[SSAValue]) -> SlidingTiling | None:
        """The tiling by rows that slide over summed loops; None if the rows of neither operand do."""
        for each in (found, found.transposed()):
            windows = _slides(each, frame)
            tiles = tiles_of(each.rows[-1], each.columns[-1], each, self)
            if windows is not None and tiles is not None and windows.load.buffer not in written:
                return SlidingTiling(each, frame, tiles, block, windows)
        return None


def _slides(found: Contraction, frame: Frame) -> Windows | None:
    """The windows of known sizes that the left operand of a contraction reads, whose rows slide over summed loops."""
    load = loaded(found.left)
    packed = [each for each in computing(found.right, found.nest) if isinstance(each, loop.LoadOp)]
    if load is None or any(each.guard_exprs for each in packed):
        return None
    exprs, shape = frame.exprs(load), shape_of(load.buffer)
    if not set(frame.guards(load)) <= {bound for e, size in zip(exprs, shape, strict=True) for bound in (e, size - 1 - e)}:
        return None
    rows, reduced = ({frame.number(level.induction) for level in axes} for axes in (found.rows, found.reduced))
    others = {frame.number(level.induction) for level in found.batch}
    sliding = set[int]().union(*(expr.dims() & rows for expr in exprs if expr.dims() & reduced))
    if not sliding or any(each.upper.constant is None for each in found.rows if frame.number(each.induction) in sliding):
        return None
    if any(not expr.dims() <= rows | reduced | others for expr in exprs):
        return None
    ranges = frame.ranges(rows | reduced | others)
    spans = [(ranges.bound(expr, upper=False), ranges.bound(expr, upper=True)) for expr in exprs]
    known = tuple((least, greatest) for least, greatest in spans if least is not None and greatest is not None)
    return Windows(load, (), known) if len(known) == len(spans) else None


def _windows(found: Contraction, frame: Frame) -> Windows | None:
    """The windows that the right operand of a contraction reads; None if it reads anything else."""
    load = loaded(found.right)
    if load is None:
        return None
    exprs, shape = frame.exprs(load), shape_of(load.buffer)
    if not set(frame.guards(load)) <= {bound for e, size in zip(exprs, shape, strict=True) for bound in (e, size - 1 - e)}:
        return None
    numbers = [frame.number(level.induction) for level in (*found.columns, *found.batch, *found.reduced)]
    columns = set(numbers[: len(found.columns)])
    steps: list[int] = []
    for expr, level in zip(reversed(exprs), reversed(found.columns), strict=False):
        own = frame.number(level.induction)
        step = (expr.coefficient(Dim(own)) or ZERO).constant
        if step is None or not 0 < step <= MOST_APART or expr.dims() & columns != {own}:
            break
        steps.insert(0, step)
    last = [frame.number(level.induction) for level in found.columns[len(found.columns) - len(steps) :]]
    apart = all(expr.dims().isdisjoint(last) for expr in exprs[: len(exprs) - len(steps)])
    shared = any(len(expr.dims()) > 1 for expr in exprs[len(exprs) - len(steps) :])
    if not apart or not shared or any(not expr.dims() <= set(numbers) for expr in exprs):
        return None
    ranges = frame.ranges(numbers)
    spans = [(ranges.bound(expr, upper=False), ranges.bound(expr, upper=True)) for expr in exprs]
    known = tuple((least, greatest) for least, greatest in spans if least is not None and greatest is not None)
    return Windows(load, tuple(steps), known) if len(known) == len(spans) else None
