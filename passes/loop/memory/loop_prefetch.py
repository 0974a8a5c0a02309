"""loop-prefetch: while a row is computed with, the memory of a later row is on its way.

    for "parallel" %i in (0, n)                        for "parallel" %i in (0, n)
      for %j step 16: vector: ... max(x[i, j])           for %j step 16: vector: ... max(x[i, j])
      for %j step 16: vector: ... exp(x[i, j])     ->    for %j step 16: prefetch x[i + 2, j]
                                                                         vector: ... exp(x[i, j])

1. A nest that walks over the same rows several times asks memory for a row all at once, and then for nothing while it computes.
   A loop over rows is chosen when a buffer is loaded along its rows by more than one loop inside. One of these, which finds
   its own row in the cache, prefetches the row that comes `rows` later, where rows lie one after another: the last, or the last
   before those that store (layernorm of 4096 x 1024 takes 0.8 to 0.95 of the time by that on a Zen 5). A loop that does
   several rows at once prefetches whole steps ahead. One by one, rows are prefetched as far ahead as the first cache has room
   beside a row; elsewhere they would push each other out. Of rows that go by parts, as `loop-online-softmax` leaves them, the
   next part is prefetched where there is one, into the second cache if a part takes more than half of the first, and where it
   waits for memory rather than for what it computes as walks through memory are (2.).
2. A loop that walks through memory from end to end, by itself or row after row, in chunks or not, prefetches what lies `ahead`
   bytes further on: processors foresee such walks, but start anew in each page of memory, and see little of it past a long
   computation. Where it waits for memory rather than for that, a part may be enough. So does one along rows that go on in the
   next iteration of a loop further out, as a mean over all axes but the second does: it takes 0.4 of the time over 64 x 256 x
   512 (Zen 4).
3. A loop that adds up several rows at once, as `loop-interchange` leaves sums down columns, prefetches the rows of its next
   step, where they come from memory: row beside row, or line after line, as memory is read fastest.
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
from .prefetch_ahead import prefetch_steps, prefetch_streams, uncut
from .walks import Walk, around, is_over_parts, is_private, loads, locality_of, vector_loops


@dataclass(frozen=True)
class LoopPrefetch(ModulePass):
    """`rows` is how many rows later the row is that is prefetched; where rows are done one by one, it and those up to there
    take at most `within` bytes. Walks prefetch `ahead` bytes, a page of memory, further on into the first or second cache
    (`into`), those that compute less than an exponential `ahead / nearer`. Of buffers of more than `beyond` bytes the rows of
    the next step are prefetched into the second cache, one beside the other, or if `by_lines` into the first, one after the
    other, by loops along whole rows alone. 0 is for nothing."""

    name = "loop-prefetch"

    rows: int = limited(2, least=0)
    # Softmax of 4096 x 1024 in float64 takes 0.88 of the time with parts, of 32 KiB, into the second cache; in float32, of 16
    # KiB, 1.04, logsumexp 1.08, layernorm's rows 1.04 (Zen 4).
    within: int = limited(48 << 10, least=0)
    # Into the first cache: over 2^24 elements cumsum takes 0.74 of the time, exp 0.80, an addition 0.94, and what is in the
    # caches no longer; a distance of two pages gains as much, one of a quarter page half of it (Sapphire Rapids). Sums of rows
    # take 0.88 (Zen 5). Two pages ahead take 1.33 (Zen 4).
    ahead: int = limited(4096, least=0)
    # Into the second cache sums of rows take 0.89 of the time on a Zen 4, and 1.22 on a Zen 5.
    into: int = limited(2, most=2)
    # With 4, largest elements of rows of float32 take 0.91 of the time, sums of int32 0.64, of int16 0.74 to 0.95, of float32
    # 1.0, of float64 1.03 to 1.06, a * b + c 0.82 to 0.94; with 2 sums of int16 take 1.6. An elementwise formula with tanh and
    # sigmoid would take 1.24 with 4 and 1.03 with 2 (Zen 4).
    nearer: int = limited(1)
    # Down columns of 65,536 x 256 sums take 0.57 of the time, of 4096 x 4096 0.84, and of what the last cache holds up to 1.2.
    # Variances of 128 x 262,144, whose second walk down a block finds it in the second cache, take 0.92 all the same (Zen 4).
    beyond: int = limited(32 << 20, least=0)
    # Where programs have one core of a Zen 5, sums down columns of 4096 x 4096 take 0.78 of the time by lines and 0.91 without
    # prefetches; on two cores, where no loop goes along whole rows, 0.87.
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
        for walks in _walks_of_rows(level, frame):
            if (chosen := _chosen(walks)) is None:
                continue
            for walk in walks[chosen]:
                place = self._place(walk, chosen.parts, level, frame)
                if place != walk.elsewhere({}, frame):
                    walk.prefetch(place, frame, locality_of(self._cache(walk, chosen.parts)))
                    count("rows-prefetched", "Number of walks that prefetch a later row")

    def _cache(self, walk: Walk, parts: loop.ForOp | None) -> int:
        """The cache that what is prefetched along with a vector comes to."""
        if parts is None:
            return 1
        if parts.step.value.data * walk.itemsize > self.within // 2:
            return 2
        return 1 if cost_of(walk.vector) >= COSTLY else self.into

    def _place(self, walk: Walk, parts: loop.ForOp | None, level: loop.ForOp, frame: Frame) -> list[Index]:
        """Where a vector begins that is prefetched along with another: `rows` later, or in the next part of a row where it has
        several. Rows that are done one by one have to stay in the first cache beside what is prefetched."""
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
            # A part of the rows between is of use where memory holds nothing else.
            is_dense = _walks_along_all(walk, level, frame)
            ahead = minimum(later, maximum(room, 0)) if is_dense else later * minimum(maximum(room - later + 1, 0), 1)
        *others, along = walk.elsewhere({}, frame)
        return [*others, along + ahead]


@dataclass(frozen=True)
class Pass:
    """A statement that walks over a row, or over a part of it in a loop over parts."""

    statement: Operation
    parts: loop.ForOp | None

    @property
    def stores(self) -> bool:
        """Whether it stores to memory, and not to the thread's own."""
        return any(isinstance(op, WriteOp) and not is_private(op.buffer) for op in operations(self.statement))


def _chosen(walks: Mapping[Pass, Sequence[Walk]]) -> Pass | None:
    """Of the passes over a row the last, or the last before those that store, which have memory busy, if it reads as much and
    is not the first. None where there is one."""
    _, *later = walks
    if not later:
        return None
    quiet = [each for each in later if not each.stores and len(walks[each]) >= len(walks[later[-1]])]
    return (quiet or later)[-1]


def _reads_again(level: loop.ForOp) -> bool:
    """Whether vectors in two statements of a loop, or of parts in it, load from one buffer. Elsewhere no row is walked over
    twice, which takes longer to find out by indices."""
    seen: set[SSAValue] = set()
    for op in statements(level):
        for part in statements(op) if isinstance(op, loop.ForOp) and is_over_parts(op) else (op,):
            loaded = {load.buffer for vector in vector_loops(part) for load in loads(vector)}
            if any(not isinstance(buffer.owner, loop.AllocOp) for buffer in seen & loaded):
                return True
            seen |= loaded
    return False


def _walks_of_rows(level: loop.ForOp, frame: Frame) -> Iterable[dict[Pass, list[Walk]]]:
    """For each buffer that is read along its rows the walks of each pass, in order."""
    found: dict[SSAValue, dict[Pass, list[Walk]]] = {}
    for each in _passes(level, frame):
        for walk in _walks(each.statement, level, frame):
            found.setdefault(walk.load.buffer, {}).setdefault(each, []).append(walk)
    return found.values()


def _passes(level: loop.ForOp, frame: Frame) -> Iterator[Pass]:
    for op in statements(level):
        if isinstance(op, loop.ForOp) and _goes_by_parts(op, frame):
            yield from (Pass(each, op) for each in statements(op))
        else:
            yield Pass(op, None)


def _goes_by_parts(op: loop.ForOp, frame: Frame) -> bool:
    """Whether a loop is one over parts of a row, where others in it begin."""
    inner = [each for each in statements(op) if isinstance(each, loop.ForOp)]
    part = frame.index(op.induction)
    return is_over_parts(op) and any(frame.exprs(each)[0] == part for each in inner)


def _walks(statement: Operation, level: loop.ForOp, frame: Frame) -> Iterator[Walk]:
    """The unguarded loads of a statement whose lanes lie side by side, in rows that lie one after another."""
    for vector in vector_loops(statement):
        for walk in [Walk(load, vector) for load in loads(vector) if not isinstance(load.buffer.owner, loop.AllocOp)]:
            along, across = walk.strides([vector, level], frame)
            if walk.is_plain() and along is not None and along == 1 and across is not None and across.constant not in (0, 1):
                yield walk


def _walks_along_all(walk: Walk, level: loop.ForOp, frame: Frame) -> bool:
    """Whether a walk goes along whole rows, but for what vectors side by side leave to another loop."""
    along = around(walk.vector)
    if not isinstance(along, loop.ForOp):
        return False
    lower, upper = frame.exprs(uncut(along, frame))
    left_out = _across(walk, level, frame) - (upper - lower)
    return frame.ranges(left_out.dims()).nonnegative(along.step.value.data - 1 - left_out)


def _across(walk: Walk, level: loop.ForOp, frame: Frame) -> Index:
    """How many elements there are between the beginnings of two rows."""
    _, across = walk.strides([walk.vector, level], frame)
    assert across is not None, "walks go along rows that lie one after another"
    return across
