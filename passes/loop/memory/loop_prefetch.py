"""loop-prefetch: insert prefetches of later rows, of streams through memory, and of the next step of several rows.

    for "parallel" %i in (0, n)                        for "parallel" %i in (0, n)
      for %j step 16: vector: ... max(x[i, j])           for %j step 16: vector: ... max(x[i, j])
      for %j step 16: vector: ... exp(x[i, j])     ->    for %j step 16: prefetch x[i + 2, j]
                                                                         vector: ... exp(x[i, j])

1. A nest that reads the same rows several times loads each row from memory in a burst, and then computes without memory
   traffic. A loop over rows is selected if more than one inner loop loads a buffer along its rows. If rows are consecutive in
   memory, one of the inner loops, which finds its own row cached, prefetches the row `rows` later: the last one, or the last
   one before loops that store. A loop unrolled over rows prefetches whole steps ahead. Otherwise the prefetch distance is
   limited so that a row and the prefetched rows fit the first cache. Rows in blocks, as `loop-online-softmax` makes them,
   prefetch the next block of the row if there is one. The prefetch goes to the second cache if a block takes more than half of
   the first; otherwise, in a loop bound by memory rather than by computation, it goes to the cache that streams are prefetched
   into (2.).
2. A loop with contiguous access from end to end, by itself or row after row, in chunks or not, prefetches `ahead` bytes further
   on: hardware prefetchers restart at each page, and look a short way past a long computation. In a loop bound by memory a part
   of that distance is enough. Rows that continue in the next iteration of a loop further out, as in a mean over all axes but
   the second, are prefetched likewise.
3. A loop that adds several rows at once, as `loop-interchange` writes sums down columns, prefetches the rows of its next step
   if they come from memory: side by side, or line after line, whichever order the machine reads faster.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation, SSAValue
from xdsl.passes import ModulePass

from ....dialects import loop
from ....dialects.loop.memory import WriteOp
from ....ir.functions.entry import lowered_functions
from ....ir.index.expressions import Index, maximum, minimum
from ....ir.nesting import operations
from ....ir.rewrite import count
from ...analysis.loop_nests import Frame, lowered_blocks
from ...analysis.reductions import COSTLY, cost_of, statements
from ...manager.options import limited
from .access_streams import AccessStream, enclosing_loop, is_private, is_strip_mined, loads, locality_of, vector_loops
from .prefetch_streams import prefetch_steps, prefetch_streams, unsplit_loop


@dataclass(frozen=True)
class LoopPrefetch(ModulePass):
    """`rows` is the prefetch distance in rows; for rows that are not unrolled, the row and the prefetched rows take at most
    `within` bytes. Streams prefetch `ahead` bytes further on, a page of memory, into the first or second cache (`into`); loops
    cheaper than an exponential prefetch `ahead / nearer` bytes further on. For buffers of more than `beyond` bytes the rows of
    the next step are prefetched: side by side into the second cache or, with `by_lines`, line after line into the first, only
    by loops along whole rows. 0 disables a prefetch."""

    name = "loop-prefetch"

    rows: int = limited(2, least=0)
    # The first cache: larger blocks gain from prefetches into the second one, smaller ones do not.
    within: int = limited(48 << 10, least=0)
    # One page: hardware prefetchers stop at its end.
    ahead: int = limited(4096, least=0)
    # The better cache differs between Zen 4 and Zen 5.
    into: int = limited(2, most=2)
    # Cheap loops of some machines gain from a shorter distance, while wide-typed sums and costly formulas lose by it.
    nearer: int = limited(1)
    # Data in the last-level cache loses by prefetches. The second traversal of a block, as for a variance, does not.
    beyond: int = limited(32 << 20, least=0)
    # Line after line is faster on a single core of Zen 5, if loops go along whole rows.
    by_lines: int = limited(0, least=0, most=1)

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for function in lowered_functions(op):
            for level in [each for each in operations(function) if isinstance(each, loop.ForOp)]:
                if level.kind.data == "parallel":
                    self._prefetch_rows(level)
        for block in lowered_blocks(op):
            if self.ahead > 0:
                prefetch_streams(block, self.ahead, self.nearer, self.into)
            if self.beyond > 0:
                prefetch_steps(block, self.beyond, bool(self.by_lines))

    def _prefetch_rows(self, level: loop.ForOp) -> None:
        if self.rows == 0 or not _reads_again(level):
            return
        frame = Frame()
        frame.tree(level)
        for walks in _streams_of_rows(level, frame):
            if (chosen := _chosen(walks)) is None:
                continue
            for walk in walks[chosen]:
                place = self._target(walk, chosen.parts, level, frame)
                if place != walk.elsewhere({}, frame):
                    walk.prefetch(place, frame, locality_of(self._cache(walk, chosen.parts)))
                    count("rows-prefetched", "Number of loops that prefetch a later row")

    def _cache(self, walk: AccessStream, parts: loop.ForOp | None) -> int:
        """The cache that the prefetch issued with a vector targets."""
        if parts is None:
            return 1
        if parts.step.value.data * walk.itemsize > self.within // 2:
            return 2
        return 1 if cost_of(walk.vector) >= COSTLY else self.into

    def _target(self, walk: AccessStream, parts: loop.ForOp | None, level: loop.ForOp, frame: Frame) -> list[Index]:
        """The start of the vector to prefetch together with another: `rows` rows later, or in the next block of a row that has
        several. Rows that are not unrolled have to stay in the first cache together with the prefetched rows."""
        step = level.step.value.data
        rows = -(-self.rows // step) * step
        if parts is None and step > 1:
            return walk.later(level, rows, frame)
        later = _across(walk, level, frame) * rows
        if parts is not None:
            lower, upper = frame.exprs(parts)
            part = parts.step.value.data
            ahead = later + (part - later) * minimum((upper - lower - 1) // part, 1)
        else:
            room = self.within // walk.itemsize - _across(walk, level, frame)
            # A block of the rows in between is useful only if memory holds nothing else.
            is_dense = _covers_whole_rows(walk, level, frame)
            ahead = minimum(later, maximum(room, 0)) if is_dense else later * minimum(maximum(room - later + 1, 0), 1)
        *others, along = walk.elsewhere({}, frame)
        return [*others, along + ahead]


@dataclass(frozen=True)
class Pass:
    """A statement that reads a row, or a block of it in a loop over blocks."""

    statement: Operation
    parts: loop.ForOp | None

    @property
    def stores(self) -> bool:
        """Whether the statement stores to memory other than the thread's own."""
        return any(isinstance(op, WriteOp) and not is_private(op.buffer) for op in operations(self.statement))


def _chosen(walks: Mapping[Pass, Sequence[AccessStream]]) -> Pass | None:
    """The last pass over a row, or the last before passes that store (which keep memory busy), if it reads as much as the last
    one and is not the first; None if there is none."""
    _, *later = walks
    if not later:
        return None
    quiet = [each for each in later if not each.stores and len(walks[each]) >= len(walks[later[-1]])]
    return (quiet or later)[-1]


def _reads_again(level: loop.ForOp) -> bool:
    """Whether vectors in two statements of a loop, or of blocks in it, load from one buffer: a cheap test that excludes most
    loops before their indices are compared."""
    seen: set[SSAValue] = set()
    for op in statements(level):
        for part in statements(op) if isinstance(op, loop.ForOp) and is_strip_mined(op) else (op,):
            loaded = {load.buffer for vector in vector_loops(part) for load in loads(vector)}
            if any(not isinstance(buffer.owner, loop.AllocOp) for buffer in seen & loaded):
                return True
            seen |= loaded
    return False


def _streams_of_rows(level: loop.ForOp, frame: Frame) -> Iterable[dict[Pass, list[AccessStream]]]:
    """For each buffer that is read along its rows the access streams of each pass, in order."""
    found: dict[SSAValue, dict[Pass, list[AccessStream]]] = {}
    for each in _passes(level, frame):
        for walk in _row_streams(each.statement, level, frame):
            found.setdefault(walk.load.buffer, {}).setdefault(each, []).append(walk)
    return found.values()


def _passes(level: loop.ForOp, frame: Frame) -> Iterator[Pass]:
    for op in statements(level):
        if isinstance(op, loop.ForOp) and _is_over_blocks(op, frame):
            yield from (Pass(each, op) for each in statements(op))
        else:
            yield Pass(op, None)


def _is_over_blocks(op: loop.ForOp, frame: Frame) -> bool:
    """Whether a loop is over blocks of a row, which inner loops traverse."""
    inner = [each for each in statements(op) if isinstance(each, loop.ForOp)]
    part = frame.index(op.induction)
    return is_strip_mined(op) and any(frame.exprs(each)[0] == part for each in inner)


def _row_streams(statement: Operation, level: loop.ForOp, frame: Frame) -> Iterator[AccessStream]:
    """The unguarded loads of a statement with contiguous lanes, in rows that are consecutive in memory."""
    for vector in vector_loops(statement):
        for walk in [AccessStream(load, vector) for load in loads(vector) if not isinstance(load.buffer.owner, loop.AllocOp)]:
            along, across = walk.strides([vector, level], frame)
            if walk.is_plain() and along is not None and along == 1 and across is not None and across.constant not in (0, 1):
                yield walk


def _covers_whole_rows(walk: AccessStream, level: loop.ForOp, frame: Frame) -> bool:
    """Whether a stream covers whole rows, except for the remainder that vectors leave to another loop."""
    along = enclosing_loop(walk.vector)
    if not isinstance(along, loop.ForOp):
        return False
    lower, upper = frame.exprs(unsplit_loop(along, frame))
    left_out = _across(walk, level, frame) - (upper - lower)
    return frame.ranges(left_out.dims()).nonnegative(along.step.value.data - 1 - left_out)


def _across(walk: AccessStream, level: loop.ForOp, frame: Frame) -> Index:
    """The distance in elements between the starts of two rows."""
    _, across = walk.strides([walk.vector, level], frame)
    assert across is not None, "streams go along rows that are consecutive in memory"
    return across
