"""Prefetches for access streams: loops that traverse memory once, along rows or over several rows at once.

Rows that are prefetched side by side go to the second cache, from which the first cache, busy with other rows, loads them on
use; rows that are prefetched line after line go to the first cache.
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
from .access_streams import AccessStream, enclosing_loop, is_strip_mined, loads, locality_of, size_exceeds, vector_loops


def prefetch_streams(block: loop.BlockOp, ahead: int, nearer: int, into: int) -> None:
    """Prefetch streams along rows, `ahead` bytes further on, or `ahead / nearer` in loops that are bound by memory rather than
    by computation. The rows are those of buffers that the block only reads and has no other prefetches for.

    If a stream continues in the next iteration of a loop further out, prefetch into the second cache.
    """
    frame = Frame()
    _enter_loops(block, frame)
    done = _excluded(block)
    for vector in vector_loops(block):
        level = enclosing_loop(vector)
        if not isinstance(level, loop.ForOp):
            continue
        asked: list[Place] = []
        near = ahead // (1 if cost_of(vector) >= COSTLY else nearer)
        for walk in [AccessStream(load, vector) for load in loads(vector) if load.buffer not in done]:
            if not walk.is_plain() or any(apart is None or apart != 1 for apart in walk.strides([vector, level], frame)):
                continue
            if _is_stream(walk, level, near // walk.itemsize, frame):
                distance, cache = near, into
            elif _continues_further_out(walk, level, frame):
                distance, cache = ahead, 2
            else:
                continue
            *rows, along = at = walk.elsewhere({}, frame)
            if _record(Place(walk.load.buffer, at), asked):
                walk.prefetch([*rows, along + distance // walk.itemsize], frame, locality_of(cache))
                count("streams-prefetched", "Number of loads that prefetch further on in memory")


class Place(NamedTuple):
    """The start of a vector in a buffer."""

    buffer: SSAValue
    at: list[Index]


def _enter_loops(block: loop.BlockOp, frame: Frame) -> None:
    for op in operations(block):
        if isinstance(op, loop.ForOp):
            frame.enter(op)


def _excluded(block: loop.BlockOp) -> set[SSAValue]:
    """The buffers of a block that it writes, or prefetches rows of."""
    return {op.buffer for op in operations(block) if isinstance(op, WriteOp | loop.PrefetchOp)}


def _record(place: Place, asked: list[Place]) -> bool:
    """Record the start of a vector, unless it is within a cache line of a recorded one. Returns whether it was recorded."""
    is_new = not any(_is_near(place, other) for other in asked)
    asked.append(place)
    return is_new


def _is_near(place: Place, other: Place) -> bool:
    """Whether two vectors start in the same row of a buffer, at most a cache line apart."""
    if place.buffer is not other.buffer:
        return False
    *rows, along = (one - two for one, two in zip(place.at, other.at, strict=True))
    apart = along.constant
    itemsize = dtype_of(element_of(place.buffer)).itemsize
    return all(row == 0 for row in rows) and apart is not None and abs(apart) * itemsize <= LINE


def _is_stream(walk: AccessStream, level: loop.ForOp, steps: int, frame: Frame) -> bool:
    """Whether a stream continues in the next iteration of the enclosing loop or, without one, exceeds `steps` elements."""
    whole = unsplit_loop(level, frame)
    outer = enclosing_loop(whole)
    if isinstance(outer, loop.ForOp):
        return _continues(walk, level, outer, frame)
    lower, upper = frame.exprs(whole)
    length = (upper - lower).constant
    return isinstance(outer, loop.BlockOp) and (length is None or length > steps)


def _continues_further_out(walk: AccessStream, level: loop.ForOp, frame: Frame) -> bool:
    """Whether a stream continues in the next iteration of a loop outside of the next enclosing one."""
    outer = enclosing_loop(unsplit_loop(level, frame))
    while isinstance(outer, loop.ForOp):
        outer = enclosing_loop(outer)
        if isinstance(outer, loop.ForOp) and _continues(walk, level, outer, frame):
            return True
    return False


def _continues(walk: AccessStream, level: loop.ForOp, outer: loop.ForOp, frame: Frame) -> bool:
    """Whether a stream continues, up to less than a vector, in the next iteration of an enclosing loop."""
    lower, upper = frame.exprs(unsplit_loop(level, frame))
    apart, *_ = walk.strides([outer, walk.vector, level], frame)
    if apart is None:
        return False
    left, known = apart * outer.step.value.data - (upper - lower), frame.ranges([frame.number(outer.induction)])
    return known.nonnegative(left) and known.nonnegative(level.step.value.data - 1 - left)


def unsplit_loop(level: loop.ForOp, frame: Frame) -> loop.ForOp:
    """The loop over consecutive chunks that a loop was split into; else the loop itself."""
    outer = enclosing_loop(level)
    if not isinstance(outer, loop.ForOp):
        return level
    chunk, end = dim(frame.number(outer.induction)), frame.exprs(outer)[1]
    return outer if frame.exprs(level) == (chunk, minimum(chunk + outer.step.value.data, end)) else level


class Steps(NamedTuple):
    """The loads that vectors along `along` accumulate for each index of `repeated`, in each step of `rows`."""

    walk: AccessStream
    along: loop.ForOp
    repeated: loop.ForOp
    rows: loop.ForOp


def prefetch_steps(block: loop.BlockOp, beyond: int, by_lines: bool) -> None:
    """Prefetch the rows of the next step in loops that add several rows at once, if their buffers all have more than so many
    bytes: side by side or, if `by_lines`, line after line where such a loop covers whole rows."""
    frame = Frame()
    _enter_loops(block, frame)
    done = _excluded(block)
    found: dict[loop.ForOp, list[Steps]] = {}
    for vector in vector_loops(block):
        for steps in _new_steps(vector, frame):
            if steps.walk.load.buffer not in done:
                found.setdefault(steps.along, []).append(steps)
    for along, all_steps in found.items():
        needed = {each: _conditions(each, beyond, by_lines, frame) for each in all_steps}
        chosen = {each: conditions for each, conditions in needed.items() if conditions is not None}
        if unknown := dict.fromkeys(each for conditions in chosen.values() for each in conditions):
            # Test once before the loop, not for each vector.
            put_under(along, list(unknown), frame)
        for steps in chosen:
            _prefetch_step(steps, by_lines, frame)


def _new_steps(vector: loop.ForOp, frame: Frame) -> Iterator[Steps]:
    """The loads of a vector loop from several rows at once, by steps, one for each cache line."""
    asked: list[Place] = []
    for each in _steps(vector, frame):
        first: dict[Atom, IndexLike] = {Dim(frame.number(each.repeated.induction)): frame.exprs(each.repeated)[0]}
        if _record(Place(each.walk.load.buffer, each.walk.elsewhere(first, frame)), asked):
            yield each


def _steps(vector: loop.ForOp, frame: Frame) -> list[Steps]:
    """The loads of a vector loop along several rows at once."""
    along = enclosing_loop(vector)
    rows = enclosing_loop(along) if isinstance(along, loop.ForOp) else None
    if not isinstance(along, loop.ForOp) or along.carried or not isinstance(rows, loop.ForOp) or not is_strip_mined(rows):
        return []
    unrolled = [op for op in statements(vector) if isinstance(op, loop.ForOp) and op.kind.data == "unroll"]
    found = [Steps(AccessStream(load, vector), along, repeated, rows) for repeated in unrolled for load in loads(repeated)]
    return [each for each in found if each.walk.is_plain(each.repeated) and _loads_along_rows(each, frame)]


def _loads_along_rows(steps: Steps, frame: Frame) -> bool:
    """Whether loads are contiguous along a row, a different one for each of the repetitions and steps."""
    walk, along, repeated, rows = steps
    lane, column, *across = walk.strides([walk.vector, along, repeated, rows], frame)
    return lane == column == 1 and all(each is not None and each.constant not in (0, 1) for each in across)


def _conditions(steps: Steps, beyond: int, by_lines: bool, frame: Frame) -> list[Index] | None:
    """The unknown conditions for prefetches to pay, to be tested at run time; None if they never pay. By lines, a loop covers
    its rows except for less than a vector."""
    walk, along, repeated, _ = steps
    conditions = [size_exceeds(walk.load.buffer, beyond)]
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
    """Prefetch a vector's share of the rows of the next step."""
    walk, along, repeated, rows = steps
    place = walk.later(rows, rows.step.value.data, frame)
    row, column = (frame.number(each.induction) for each in (repeated, along))
    (first, last), start, lanes = frame.exprs(repeated), frame.exprs(along)[0], along.step.value.data
    writer = walk.before(frame)
    with writer.loop("unroll", first, last, hint="step") as step:
        # The next row follows the end of a row.
        line = start + (dim(column) - start) * (last - first) + (step - first) * lanes
        there: dict[Atom, IndexLike] = {Dim(row): first, Dim(column): line} if by_lines else {Dim(row): step}
        cache = locality_of(1 if by_lines else 2)
        writer.prefetch(walk.load.buffer, [expr.substitute(there) for expr in place], cache)
    count("steps-prefetched", "Number of loads that prefetch the rows of the next step")
