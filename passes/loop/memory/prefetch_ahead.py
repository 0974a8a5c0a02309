"""Prefetches for walks that go through memory once: what comes next, in each order that memory is gone through.

Rows beside one another are prefetched into the second cache, from which a first one that is busy with other rows takes them as
they are asked for; line after line they come to the first.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from xdsl.ir import SSAValue

from ....dialects import loop
from ....dialects.loop.memory import WriteOp
from ....ir.index.expressions import Atom, Dim, Index, IndexLike, dim, minimum
from ....ir.nesting import operations
from ....ir.rewrite import count
from ....ir.types.dtypes import dtype_of
from ....ir.types.shapes import element_of
from ...analysis.loop_nests import Frame
from ...analysis.reductions import COSTLY, cost_of, statements
from ..builder import LINE, put_under
from .walks import Walk, around, is_over_parts, loads, locality_of, more_than, vector_loops


def prefetch_streams(block: loop.BlockOp, ahead: int, nearer: int, into: int) -> None:
    """Prefetch what comes `ahead` bytes later, or `ahead / nearer` in loops that wait for memory rather than for
    what they compute, for walks along rows of what a block only reads, and what no row is prefetched of.

    Where a walk goes on in the next iteration of a loop further out, what is `ahead` waits in the second cache.
    """
    frame = Frame()
    _enter_loops(block, frame)
    done = _done(block)
    for vector in vector_loops(block):
        level = around(vector)
        if not isinstance(level, loop.ForOp):
            continue
        asked: list[Place] = []
        near = ahead // (1 if cost_of(vector) >= COSTLY else nearer)
        for walk in [Walk(load, vector) for load in loads(vector) if load.buffer not in done]:
            if not walk.is_plain() or any(apart is None or apart != 1 for apart in walk.strides([vector, level], frame)):
                continue
            if _streams(walk, level, near // walk.itemsize, frame):
                distance, cache = near, into
            elif _goes_on_later(walk, level, frame):
                distance, cache = ahead, 2
            else:
                continue
            *rows, along = at = walk.elsewhere({}, frame)
            if _is_new(Place(walk.load.buffer, at), asked):
                walk.prefetch([*rows, along + distance // walk.itemsize], frame, locality_of(cache))
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
    """Whether a walk goes further than `steps` elements, and where its loop ends goes on at its next beginning."""
    whole = uncut(level, frame)
    outer = around(whole)
    if isinstance(outer, loop.ForOp):
        return _goes_on(walk, level, outer, frame)
    lower, upper = frame.exprs(whole)
    length = (upper - lower).constant
    return isinstance(outer, loop.BlockOp) and (length is None or length > steps)


def _goes_on_later(walk: Walk, level: loop.ForOp, frame: Frame) -> bool:
    """Whether a walk goes on where it ended in the next iteration of a loop further out than the next one."""
    outer = around(uncut(level, frame))
    while isinstance(outer, loop.ForOp):
        outer = around(outer)
        if isinstance(outer, loop.ForOp) and _goes_on(walk, level, outer, frame):
            return True
    return False


def _goes_on(walk: Walk, level: loop.ForOp, outer: loop.ForOp, frame: Frame) -> bool:
    """Whether a walk goes on where it ended, but for less than a vector, in the next iteration of a loop around it."""
    lower, upper = frame.exprs(uncut(level, frame))
    apart, *_ = walk.strides([outer, walk.vector, level], frame)
    if apart is None:
        return False
    left, known = apart * outer.step.value.data - (upper - lower), frame.ranges([frame.number(outer.induction)])
    return known.nonnegative(left) and known.nonnegative(level.step.value.data - 1 - left)


def uncut(level: loop.ForOp, frame: Frame) -> loop.ForOp:
    """The loop over chunks that a loop is cut into, each of which begins where the one before ended; else the loop itself."""
    outer = around(level)
    if not isinstance(outer, loop.ForOp):
        return level
    chunk, end = dim(frame.number(outer.induction)), frame.exprs(outer)[1]
    return outer if frame.exprs(level) == (chunk, minimum(chunk + outer.step.value.data, end)) else level


class Steps(NamedTuple):
    """What vectors along `along` add up for each index of `repeated`, in each step of `rows`."""

    walk: Walk
    along: loop.ForOp
    repeated: loop.ForOp
    rows: loop.ForOp


def prefetch_steps(block: loop.BlockOp, beyond: int, by_lines: bool) -> None:
    """Prefetch the rows of the next step in loops that add up several rows at once, where all the buffers that they come from
    have more than so many bytes: row beside row or, if `by_lines`, line after line where such a loop walks along whole rows."""
    frame = Frame()
    _enter_loops(block, frame)
    done = _done(block)
    found: dict[loop.ForOp, list[Steps]] = {}
    for vector in vector_loops(block):
        for steps in _new_steps(vector, frame):
            if steps.walk.load.buffer not in done:
                found.setdefault(steps.along, []).append(steps)
    for along, all_steps in found.items():
        needed = {each: _conditions(each, beyond, by_lines, frame) for each in all_steps}
        chosen = {each: conditions for each, conditions in needed.items() if conditions is not None}
        if unknown := dict.fromkeys(each for conditions in chosen.values() for each in conditions):
            # A branch for each vector would take 1.06 of the time.
            put_under(along, list(unknown), frame)
        for steps in chosen:
            _prefetch_step(steps, by_lines, frame)


def _new_steps(vector: loop.ForOp, frame: Frame) -> Iterator[Steps]:
    """The loads of a vector loop from several rows at once, in steps, one for each line of the cache."""
    asked: list[Place] = []
    for each in _steps(vector, frame):
        first: dict[Atom, IndexLike] = {Dim(frame.number(each.repeated.induction)): frame.exprs(each.repeated)[0]}
        if _is_new(Place(each.walk.load.buffer, each.walk.elsewhere(first, frame)), asked):
            yield each


def _steps(vector: loop.ForOp, frame: Frame) -> list[Steps]:
    """The loads of a vector loop that go along rows, of which it does several at once."""
    along = around(vector)
    rows = around(along) if isinstance(along, loop.ForOp) else None
    if not isinstance(along, loop.ForOp) or along.carried or not isinstance(rows, loop.ForOp) or not is_over_parts(rows):
        return []
    unrolled = [op for op in statements(vector) if isinstance(op, loop.ForOp) and op.kind.data == "unroll"]
    found = [Steps(Walk(load, vector), along, repeated, rows) for repeated in unrolled for load in loads(repeated)]
    return [each for each in found if each.walk.is_plain(each.repeated) and _goes_along_rows(each, frame)]


def _goes_along_rows(steps: Steps, frame: Frame) -> bool:
    """Whether what a walk loads lies side by side in a row, of which there is one for each of the repetitions and steps."""
    walk, along, repeated, rows = steps
    lane, column, *across = walk.strides([walk.vector, along, repeated, rows], frame)
    return lane == column == 1 and all(each is not None and each.constant not in (0, 1) for each in across)


def _conditions(steps: Steps, beyond: int, by_lines: bool, frame: Frame) -> list[Index] | None:
    """What is not known and has to be non-negative for prefetches to pay; None where they do not. By lines, a loop leaves out
    less than a vector of its rows."""
    walk, along, repeated, _ = steps
    conditions = [more_than(walk.load.buffer, beyond)]
    if by_lines:
        (row,) = walk.strides([repeated], frame)
        (lower, upper), (_, lanes) = frame.exprs(along), frame.exprs(walk.vector)
        if row is None or lanes.constant != along.step.value.data:
            return None
        left_out = row - (upper - lower)
        conditions += [left_out, lanes - 1 - left_out]
    ranges = frame.ranges(frozenset[int]().union(*(each.dims() for each in conditions)))
    if any(ranges.nonnegative(-1 - each) for each in conditions):
        return None
    unknown = [each for each in conditions if not ranges.nonnegative(each)]
    _, values = frame.local(unknown)
    return None if any(along.body.block.is_ancestor(value.owner) for value in values) else unknown


def _prefetch_step(steps: Steps, by_lines: bool, frame: Frame) -> None:
    """Ask for a vector's share of the rows of the next step."""
    walk, along, repeated, rows = steps
    place = walk.later(rows, rows.step.value.data, frame)
    row, column = (frame.number(each.induction) for each in (repeated, along))
    (first, last), start, lanes = frame.exprs(repeated), frame.exprs(along)[0], along.step.value.data
    writer = walk.before(frame)
    with writer.loop("unroll", first, last, hint="step") as step:
        # Beyond the end of a row lies the next one.
        line = start + (dim(column) - start) * (last - first) + (step - first) * lanes
        there: dict[Atom, IndexLike] = {Dim(row): first, Dim(column): line} if by_lines else {Dim(row): step}
        cache = locality_of(1 if by_lines else 2)
        writer.prefetch(walk.load.buffer, [expr.substitute(there) for expr in place], cache)
    count("steps-prefetched", "Number of loads that prefetch the rows of the next step")
