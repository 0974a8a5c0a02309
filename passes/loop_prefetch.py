"""loop-prefetch: while a row is computed with, the memory of a later row is on its way.

    for "parallel" %i in (0, n)                        for "parallel" %i in (0, n)
      for %j step 16: vector: ... max(x[i, j])           for %j step 16: vector: ... max(x[i, j])
      for %j step 16: vector: ... exp(x[i, j])     ->    for %j step 16: prefetch x[i + 2, j]
                                                                         vector: ... exp(x[i, j])

1. A nest that walks over the same rows several times asks memory for a row all at once, and then for nothing while it computes.
   A loop over rows is chosen when a buffer is loaded along its rows by more than one loop inside; the last of these, which
   finds its own row in the cache, prefetches the row that comes `rows` later, where rows lie one after another. A loop that
   does several rows at once prefetches whole steps ahead. One by one, rows are prefetched where they and those between fit into
   the first cache; elsewhere they would push each other out. Of rows that go by parts, as `loop-online` leaves them, the next
   part is prefetched where there is one.
2. A loop that walks through memory from end to end, by itself or row after row, in chunks or not, prefetches what lies `ahead`
   bytes further on: processors foresee such walks, but start anew in each page of memory, and see little of it past a long
   computation.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import nullcontext
from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation, SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint

from ..dialects import loop
from ..ir.dtypes import dtype_of
from ..ir.functions import lowered_functions
from ..ir.index import Atom, Dim, Index, IndexLike, dim, index, minimum
from ..ir.nesting import operations
from ..ir.rewrite import Builder, count
from .loop_writer import LINE, Writer
from .nests import Frame, lowered_blocks
from .options import limited
from .reductions import statements
from .strides import stride


@dataclass(frozen=True)
class LoopPrefetch(ModulePass):
    """`rows` is how many rows later the row is that is prefetched; where rows are done one by one, those up to there must take
    at most `within` bytes. `ahead` is a page of memory. 0 is for nothing."""

    name = "loop-prefetch"

    rows: int = limited(2, least=0)
    within: int = limited(48 << 10, least=0)
    # Over 2^24 elements cumsum takes 0.74 of the time, exp 0.80, an addition 0.94, and what is in the caches no longer: a
    # distance of two pages gains as much, one of a quarter page half of it (Sapphire Rapids). Sums of rows take 0.88 (Zen 5).
    ahead: int = limited(4096, least=0)

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for function in lowered_functions(op):
            for level in [each for each in operations(function) if isinstance(each, loop.ForOp)]:
                if level.kind.data == "parallel":
                    self._prefetch_rows(level)
        if self.ahead > 0:
            for block in lowered_blocks(op):
                _prefetch_streams(block, self.ahead)

    def _prefetch_rows(self, level: loop.ForOp) -> None:
        if self.rows == 0 or not _reads_again(level):
            return
        frame = Frame()
        frame.tree(level)
        step = level.step.value.data
        rows = -(-self.rows // step) * step
        for walks in _walks_of_rows(level, frame):
            last = walks[-1][0]
            if all(each == last for each, _ in walks):
                continue
            for walk in [walk for each, walk in walks if each == last]:
                place, room = _later(walk, level, rows, frame), index(0)
                if last.parts is not None:
                    place = _later_part(walk, last.parts, level, rows, frame)
                elif step == 1:
                    elements = self.within // dtype_of(walk.load.result.type).itemsize
                    room = elements - _across(walk, level, frame) * (rows + 1)
                if room.constant is None or room.constant >= 0:
                    _prefetch(walk, place, frame, room)
                    count("rows-prefetched", "Number of walks that prefetch a later row")


@dataclass(frozen=True)
class Walk:
    """A load along the rows of a buffer in a vector loop."""

    load: loop.LoadOp
    vector: loop.ForOp


@dataclass(frozen=True)
class Pass:
    """A statement that walks over a row, or over a part of it in a loop over parts."""

    statement: Operation
    parts: loop.ForOp | None


def _reads_again(level: loop.ForOp) -> bool:
    """Whether vectors in two statements of a loop, or of parts in it, load from one buffer. Elsewhere no row is walked over
    twice, which takes longer to find out by indices."""
    seen: set[SSAValue] = set()
    for op in statements(level):
        for part in statements(op) if isinstance(op, loop.ForOp) and _is_over_parts(op) else (op,):
            vectors = (each for each in operations(part) if isinstance(each, loop.ForOp) and each.kind.data == "vector")
            loaded = {load.buffer for vector in vectors for load in statements(vector) if isinstance(load, loop.LoadOp)}
            if any(not isinstance(buffer.owner, loop.AllocOp) for buffer in seen & loaded):
                return True
            seen |= loaded
    return False


def _walks_of_rows(level: loop.ForOp, frame: Frame) -> Iterable[list[tuple[Pass, Walk]]]:
    """For each buffer that is read along its rows the walks, in order."""
    found: dict[SSAValue, list[tuple[Pass, Walk]]] = {}
    for each in _passes(level, frame):
        for walk in _walks(each.statement, level, frame):
            found.setdefault(walk.load.buffer, []).append((each, walk))
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
    return _is_over_parts(op) and any(frame.exprs(each)[0] == part for each in inner)


def _is_over_parts(op: loop.ForOp) -> bool:
    return op.kind.data == "sequential" and op.step.value.data > 1


def _walks(statement: Operation, level: loop.ForOp, frame: Frame) -> Iterator[Walk]:
    """The unguarded loads of a statement whose lanes lie side by side, in rows that lie one after another."""
    for vector in operations(statement):
        if not isinstance(vector, loop.ForOp) or vector.kind.data != "vector":
            continue
        lane, row = frame.number(vector.induction), frame.number(level.induction)
        ranges = frame.ranges([lane, row])
        for op in statements(vector):
            if not isinstance(op, loop.LoadOp) or isinstance(op.buffer.owner, loop.AllocOp) or not _is_plain(op, vector):
                continue
            along, across = stride(op, lane, frame, ranges), stride(op, row, frame, ranges)
            if along is not None and along == 1 and across is not None and across.constant not in (0, 1):
                yield Walk(op, vector)


def _is_plain(load: loop.LoadOp, vector: loop.ForOp) -> bool:
    """Whether a load in a vector loop has no guards, and its address is known before that loop but for the lane."""
    owners = [operand.owner for operand in load.at if operand is not vector.induction]
    return not load.guard_exprs and not any(vector.is_ancestor(owner) for owner in owners if isinstance(owner, Operation))


def _prefetch_streams(block: loop.BlockOp, ahead: int) -> None:
    """Prefetch for the walks of a block through what it only reads, and what no row is prefetched of."""
    frame = Frame()
    done = {*frame.tree(block).written, *(op.buffer for op in operations(block) if isinstance(op, loop.PrefetchOp))}
    for vector in [op for op in operations(block) if isinstance(op, loop.ForOp) and op.kind.data == "vector"]:
        level = _around(vector)
        if not isinstance(level, loop.ForOp):
            continue
        asked: list[loop.LoadOp] = []
        for load in [op for op in statements(vector) if isinstance(op, loop.LoadOp) and op.buffer not in done]:
            steps = ahead // dtype_of(load.result.type).itemsize
            if not _is_plain(load, vector) or not _streams(load, vector, level, steps, frame):
                continue
            if not any(_is_near(load, other, frame) for other in asked):
                walk = Walk(load, vector)
                _prefetch(walk, _later(walk, level, steps, frame), frame, index(0))
                count("streams-prefetched", "Number of loads that prefetch what comes later in memory")
            asked.append(load)


def _around(op: loop.ForOp) -> Operation | None:
    """What is around a loop, but for loops that are unrolled."""
    parent = op.parent_op()
    while isinstance(parent, loop.ForOp) and parent.kind.data == "unroll":
        parent = parent.parent_op()
    return parent


def _is_near(load: loop.LoadOp, other: loop.LoadOp, frame: Frame) -> bool:
    """Whether two loads read from the same rows of a buffer, a line of the cache or less apart."""
    if load.buffer is not other.buffer:
        return False
    *rows, along = (one - two for one, two in zip(frame.exprs(load), frame.exprs(other), strict=True))
    apart = along.constant
    return all(row == 0 for row in rows) and apart is not None and abs(apart) * dtype_of(load.result.type).itemsize <= LINE


def _streams(load: loop.LoadOp, vector: loop.ForOp, level: loop.ForOp, steps: int, frame: Frame) -> bool:
    """Whether a load walks along memory, further than `steps` elements, and where the loop ends goes on at its next
    beginning."""
    inner = [frame.number(vector.induction), frame.number(level.induction)]
    if any(apart is None or apart != 1 for apart in (stride(load, each, frame, frame.ranges(inner)) for each in inner)):
        return False
    walk = _uncut(level, frame)
    outer = _around(walk)
    lower, upper = frame.exprs(walk)
    length = upper - lower
    if not isinstance(outer, loop.ForOp):
        return isinstance(outer, loop.BlockOp) and (length.constant is None or length.constant > steps)
    row = frame.number(outer.induction)
    apart = stride(load, row, frame, frame.ranges([row, *inner]))
    if apart is None:
        return False
    left, known = apart * outer.step.value.data - length, frame.ranges([row])
    return known.nonnegative(left) and known.nonnegative(level.step.value.data - 1 - left)


def _uncut(level: loop.ForOp, frame: Frame) -> loop.ForOp:
    """The loop over chunks that a loop is cut into, each of which begins where the one before ended; else the loop itself."""
    outer = _around(level)
    if not isinstance(outer, loop.ForOp):
        return level
    chunk, end = dim(frame.number(outer.induction)), frame.exprs(outer)[1]
    return outer if frame.exprs(level) == (chunk, minimum(chunk + outer.step.value.data, end)) else level


def _later(walk: Walk, level: loop.ForOp, steps: int, frame: Frame) -> list[Index]:
    """Where a vector of a later step of a loop begins."""
    row, lane = Dim(frame.number(level.induction)), Dim(frame.number(walk.vector.induction))
    places: dict[Atom, IndexLike] = {row: dim(row.position) + steps, lane: 0}
    return [expr.substitute(places) for expr in frame.exprs(walk.load)]


def _later_part(walk: Walk, parts: loop.ForOp, level: loop.ForOp, rows: int, frame: Frame) -> list[Index]:
    """Where the same vector of the next part of a row begins, or of a later row where a row is one part."""
    across, part = _across(walk, level, frame), parts.step.value.data
    lower, upper = frame.exprs(parts)
    is_longer = minimum((upper - lower - 1) // part, 1)
    ahead = across * rows + (part - across * rows) * is_longer
    *others, along = _later(walk, level, 0, frame)
    return [*others, along + ahead]


def _across(walk: Walk, level: loop.ForOp, frame: Frame) -> Index:
    """How many elements there are between the beginnings of two rows."""
    row, lane = frame.number(level.induction), frame.number(walk.vector.induction)
    across = stride(walk.load, row, frame, frame.ranges([lane, row]))
    assert across is not None, "walks go along rows that lie one after another"
    return across


def _prefetch(walk: Walk, place: Sequence[Index], frame: Frame, room: Index) -> None:
    """Ask for the vector that begins at a place, before the vector loop, where `room` is not negative."""
    writer = Writer(frame, Builder(InsertPoint.before(walk.vector), walk.load))
    with writer.branch(room) if room.constant is None else nullcontext():
        writer.prefetch(walk.load.buffer, place)
