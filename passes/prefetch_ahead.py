"""Prefetches for walks that go through memory once: what comes next, in each order that memory is gone through.

Rows are prefetched into the second cache, from which a first one that is busy with other rows takes them as they are asked for.
"""

from __future__ import annotations

from typing import NamedTuple

from xdsl.ir import SSAValue

from ..dialects import loop
from ..dialects.loop_memory import WriteOp
from ..ir.dtypes import dtype_of
from ..ir.index import Atom, Dim, Index, IndexLike, dim, minimum
from ..ir.nesting import operations
from ..ir.rewrite import count
from ..ir.shapes import element_of
from .loop_writer import LINE
from .nests import Frame
from .reductions import COSTLY, cost_of, statements
from .walks import SECOND, Walk, around, is_over_parts, loads, may_hold, more_than, vector_loops


def prefetch_streams(block: loop.BlockOp, ahead: int, nearer: int, locality: int | None) -> None:
    """Prefetch what comes `ahead` bytes later, or `ahead / nearer` in loops that wait for memory rather than for
    what they compute, for walks from end to end of what a block only reads, and what no row is prefetched of."""
    frame = Frame()
    _enter_loops(block, frame)
    done = _done(block)
    for vector in vector_loops(block):
        level = around(vector)
        if not isinstance(level, loop.ForOp):
            continue
        asked: list[Place] = []
        for walk in [Walk(load, vector) for load in loads(vector) if load.buffer not in done]:
            steps = ahead // (1 if cost_of(vector) >= COSTLY else nearer) // walk.itemsize
            if not walk.is_plain() or not _streams(walk, level, steps, frame):
                continue
            if _is_new(Place(walk.load.buffer, walk.elsewhere({}, frame)), asked):
                walk.prefetch(walk.later(level, steps, frame), frame, locality=locality)
                count("streams-prefetched", "Number of loads that prefetch what comes later in memory")


class Place(NamedTuple):
    """Where in a buffer a vector begins."""

    buffer: SSAValue
    at: list[Index]


def _enter_loops(block: loop.BlockOp, frame: Frame) -> None:
    for op in operations(block):
        if isinstance(op, loop.ForOp):
            frame.enter(op)


def _done(block: loop.BlockOp) -> set[SSAValue]:
    """The buffers of a block that it writes, or that rows are prefetched of."""
    return {op.buffer for op in operations(block) if isinstance(op, WriteOp | loop.PrefetchOp)}


def _is_new(place: Place, asked: list[Place]) -> bool:
    """Whether a vector begins more than a line of the cache from all that are asked for, which it then is too."""
    is_new = not any(_is_near(place, other) for other in asked)
    asked.append(place)
    return is_new


def _is_near(place: Place, other: Place) -> bool:
    """Whether two vectors begin in the same row of a buffer, a line of the cache or less apart."""
    if place.buffer is not other.buffer:
        return False
    *rows, along = (one - two for one, two in zip(place.at, other.at, strict=True))
    apart = along.constant
    itemsize = dtype_of(element_of(place.buffer)).itemsize
    return all(row == 0 for row in rows) and apart is not None and abs(apart) * itemsize <= LINE


def _streams(walk: Walk, level: loop.ForOp, steps: int, frame: Frame) -> bool:
    """Whether a walk goes along memory, further than `steps` elements, and where its loop ends goes on at its next
    beginning."""
    if any(apart is None or apart != 1 for apart in walk.strides([walk.vector, level], frame)):
        return False
    whole = _uncut(level, frame)
    outer = around(whole)
    lower, upper = frame.exprs(whole)
    length = upper - lower
    if not isinstance(outer, loop.ForOp):
        return isinstance(outer, loop.BlockOp) and (length.constant is None or length.constant > steps)
    apart, *_ = walk.strides([outer, walk.vector, level], frame)
    if apart is None:
        return False
    left, known = apart * outer.step.value.data - length, frame.ranges([frame.number(outer.induction)])
    return known.nonnegative(left) and known.nonnegative(level.step.value.data - 1 - left)


def _uncut(level: loop.ForOp, frame: Frame) -> loop.ForOp:
    """The loop over chunks that a loop is cut into, each of which begins where the one before ended; else the loop itself."""
    outer = around(level)
    if not isinstance(outer, loop.ForOp):
        return level
    chunk, end = dim(frame.number(outer.induction)), frame.exprs(outer)[1]
    return outer if frame.exprs(level) == (chunk, minimum(chunk + outer.step.value.data, end)) else level


def prefetch_steps(block: loop.BlockOp, beyond: int) -> None:
    """Prefetch the rows of the next step in loops that add up several rows at once, of buffers of more than so many bytes."""
    frame = Frame()
    _enter_loops(block, frame)
    done = _done(block)
    for vector in vector_loops(block):
        level = around(vector)
        rows = around(level) if isinstance(level, loop.ForOp) else None
        if not isinstance(level, loop.ForOp) or not isinstance(rows, loop.ForOp) or not is_over_parts(rows):
            continue
        asked: list[Place] = []
        for repeated in [op for op in statements(vector) if isinstance(op, loop.ForOp) and op.kind.data == "unroll"]:
            for walk in [Walk(load, vector) for load in loads(repeated) if load.buffer not in done]:
                if not walk.is_plain(repeated) or not _goes_along_rows(walk, level, repeated, rows, frame):
                    continue
                first: dict[Atom, IndexLike] = {Dim(frame.number(repeated.induction)): frame.exprs(repeated)[0]}
                if _is_new(Place(walk.load.buffer, walk.elsewhere(first, frame)), asked):
                    _prefetch_step(walk, repeated, rows, beyond, frame)


def _goes_along_rows(walk: Walk, along: loop.ForOp, repeated: loop.ForOp, rows: loop.ForOp, frame: Frame) -> bool:
    """Whether what a walk loads lies side by side in a row, of which there is one for each of the repetitions and steps."""
    lane, column, *across = walk.strides([walk.vector, along, repeated, rows], frame)
    return lane == column == 1 and all(each is not None and each.constant not in (0, 1) for each in across)


def _prefetch_step(walk: Walk, repeated: loop.ForOp, rows: loop.ForOp, beyond: int, frame: Frame) -> None:
    """Ask for a vector's elements of each row of the next step. Whether to is asked for each vector: a test that always comes
    out the same costs nothing beside eight loads, and a second loop would be code."""
    condition = more_than(walk.load.buffer, beyond)
    if not may_hold(condition):
        return
    later = walk.later(rows, rows.step.value.data, frame)
    with walk.before(frame, [condition]) as writer, writer.loop("unroll", *frame.exprs(repeated), hint="step") as step:
        row: dict[Atom, IndexLike] = {Dim(frame.number(repeated.induction)): step}
        writer.prefetch(walk.load.buffer, [expr.substitute(row) for expr in later], SECOND)
    count("steps-prefetched", "Number of loads that prefetch the rows of the next step")
