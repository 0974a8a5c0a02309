"""loop-unroll-and-jam: unroll a parallel loop over scans or sums and jam the copies, to overlap latencies and memory streams.

    for "parallel" %i in (0, n)                    for "parallel" %i in (0, n floordiv 8 * 8) step 8
      for "sequential" %j carry(%0)         ->       for "sequential" %j carry(%0, ..., %0)
        y[i, j] = s += x[i, j]                         y[i, j] = s0 += x[i, j];  ...;  y[i + 7, j] = s7 += x[i + 7, j]
                                                   for "parallel" %i in (n floordiv 8 * 8, n): as before

A parallel loop over scans is unrolled if it holds straight-line statements and one loop with sequentially carried values: while
a step of one row waits for the previous step, other rows run, in the same loop. It is not unrolled if its own iterations store
contiguously (or load contiguously, if they store nothing), or if its rows are known to be short and costly to compute: then it
is vectorised.

A parallel loop over reductions is unrolled if it holds one or more reductions and no other loop. Each reduction must read
contiguous rows, and take no longer to compute on a line than memory takes to deliver it. A single row is one memory stream,
which a core's prefetcher follows to the end of a page; several streams keep more lines in flight, and meet page ends less
often. If the prefetcher crosses pages, one stream is best, except for sums of exponentials, which are bound by latency rather
than memory. Rows known to be short are not unrolled, and a minimum of groups is left for threads.

Rows in a thread's own buffers are cached and are not unrolled for memory. But folding the lanes at the end of a reduction costs
as much as ten vectors or more: if the reduction's result is followed by an exponential, as a row's maximum in attention,
several rows are interleaved to hide that cost.
"""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation, SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint

from ....dialects import loop
from ....ir.functions.entry import lowered_functions
from ....ir.index.expressions import Index
from ....ir.index.simplify import Ranges
from ....ir.nesting import operations
from ....ir.rewrite import Builder, count
from ...analysis.loop_nests import Frame
from ...analysis.reductions import COSTLY, accumulations, cost_of, statements
from ...analysis.strides import stride
from ...manager.options import limited
from ..builder import Writer, over
from ..memory.access_streams import is_private
from ..vector.short_rows import is_costly_over_short_rows


@dataclass(frozen=True)
class LoopUnrollAndJam(ModulePass):
    """`rows` is the unroll factor of scans. `streams` is that of sums of at most `little` additions an element, which run as
    fast as memory delivers elements; `costly` is that of sums that compute as much as an exponential. Sums are unrolled if rows
    have, or may have, at least `length` elements. At least `groups` iterations are left to threads."""

    name = "loop-unroll-and-jam"

    rows: int = limited(8)
    streams: int = limited(4)
    # Twelve additions admit an exponential, as in logsumexp; a division counts as four.
    little: int = limited(12, least=0)
    # In attention four rows hide the latency of the fold, two do not.
    costly: int = limited(4)
    length: int = limited(256, least=0)
    groups: int = limited(16)

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for function in lowered_functions(op):
            for level in [each for each in operations(function) if isinstance(each, loop.ForOp)]:
                match _carrying_loops(level):
                    case [loop.ForOp(kind=kind) as scan] if kind.data == "sequential":
                        if not _are_contiguous(level, scan) and not is_costly_over_short_rows(level, Frame()):
                            _jam(level, self.rows, self.rows)
                    case [_, *_] as sums if all(self._reduces_rows(level, each) for each in sums):
                        rows = self._unroll_factor(sums)
                        _jam(level, rows, rows * self.groups)

    def _unroll_factor(self, sums: list[loop.ForOp]) -> int:
        """The unroll factor of rows of sums."""
        is_costly = any(cost_of(each) >= COSTLY for each in sums)
        if any(map(_reads_cached, sums)):
            return self.costly if is_costly and len(sums) > 1 else 1
        return self.costly if is_costly else self.streams

    def _reduces_rows(self, level: loop.ForOp, op: loop.ForOp) -> bool:
        """Whether a loop accumulates one value, cheaply, along a row of a buffer: another row in each iteration of `level`."""
        if op.kind.data != "reduction" or len(op.carried) > 1 or accumulations(op) is None:
            return False
        frame, ranges = Frame(), Ranges()
        row, column = frame.number(level.induction), frame.number(op.induction)
        lower, upper = frame.exprs(op)
        extent = (upper - lower).constant
        if (extent is not None and extent < self.length) or cost_of(op) > self.little:
            return False
        loads = [each for each in statements(op) if isinstance(each, loop.LoadOp)]
        along = [stride(each, column, frame, ranges) for each in loads]
        return all(step is not None and (step == 0 or step == 1) for step in along) and any(
            step == 1 and _is_far(stride(each, row, frame, ranges), self.length)
            for each, step in zip(loads, along, strict=True)
        )


def _carrying_loops(level: loop.ForOp) -> list[loop.ForOp]:
    """The loops that a parallel loop holds, if all of them carry values and hold statements only."""
    if level.kind.data != "parallel" or level.carried or level.step.value.data != 1:
        return []
    inside = statements(level)
    loops = [op for op in inside if isinstance(op, loop.ForOp)]
    if not all(_carries(each, level) for each in loops):
        return []
    others = [op for op in inside if not isinstance(op, loop.ForOp)]
    return [] if any(op.regions or isinstance(op, loop.AllocOp | loop.CheckOp) for op in others) else loops


def _carries(op: loop.ForOp, level: loop.ForOp) -> bool:
    """Whether a loop carries values through statements only, with the same bounds in all iterations of the enclosing loop."""
    return (
        bool(op.carried)
        and op.step.value.data == 1
        and not any(level.body.block.is_ancestor(value.owner) for value in op.operands_at)
        and not any(each.regions or isinstance(each, loop.CheckOp) for each in statements(op))
    )


def _are_contiguous(level: loop.ForOp, scan: loop.ForOp) -> bool:
    """Whether neighbouring scans store adjacent elements in each step or, if there are no stores, load adjacent elements."""
    frame, ranges = Frame(), Ranges()
    number = frame.number(level.induction)
    stores, loads = ([op for op in statements(scan) if isinstance(op, kind)] for kind in (loop.StoreOp, loop.LoadOp))
    steps = [stride(op, number, frame, ranges) for op in stores or loads]
    if stores:
        return all(step is not None and step == 1 for step in steps)
    return any(step == 1 for step in steps) and all(step is not None and (step == 0 or step == 1) for step in steps)


def _reads_cached(op: loop.ForOp) -> bool:
    """Whether a loop reads a buffer of the thread's own."""
    return any(is_private(each.buffer) for each in statements(op) if isinstance(each, loop.LoadOp))


def _is_far(step: Index | None, length: int) -> bool:
    """Whether rows are at least `length` elements apart."""
    return step is not None and (step.constant is None or abs(step.constant) >= length)


def _jam(level: loop.ForOp, rows: int, least: int) -> None:
    """Unroll by `rows` and jam, for as many iterations as are a multiple of `least`."""
    frame = Frame()
    lower, upper = frame.exprs(level)
    whole = lower + (upper - lower) // least * least
    if rows == 1 or whole - lower == 0:
        return
    writer = Writer(frame, Builder(InsertPoint.before(level), level))
    with writer.loop("parallel", lower, whole, step=rows, hint=level.induction.name_hint or "i") as start:
        JammedRows(level, frame, writer, [start + row for row in range(rows)]).write()
    count("loops-jammed", "Number of loops unrolled and jammed")
    frame.write(level, (whole, upper))


class JammedRows:
    """Writes the body of a loop for several of its iterations, jammed."""

    def __init__(self, level: loop.ForOp, frame: Frame, writer: Writer, places: list[Index]):
        self.level = level
        self.frame = frame
        self.writer = writer
        self.places = places
        self.values: list[dict[SSAValue, SSAValue]] = [{} for _ in places]

    def write(self) -> list[loop.ForOp]:
        """Write the body. Returns the loops that carry the values of all rows."""
        joined: list[loop.ForOp] = []
        for op in statements(self.level):
            if isinstance(op, loop.ForOp):
                joined.append(self._loop(op))
            else:
                self._copies(op)
        return joined

    def _copies(self, op: Operation, inner: tuple[SSAValue, Index] | None = None) -> None:
        """A copy for each row, in an `inner` loop with its old and new index."""
        for row, values in zip(self.places, self.values, strict=True):
            places = over([self.level.induction], self.frame, [row])
            if inner is not None:
                places |= over([inner[0]], self.frame, [inner[1]])
            self.writer.copy(op, values, places)

    def _loop(self, op: loop.ForOp) -> loop.ForOp:
        """Replace the loops of all rows by one that carries their values, row by row."""
        width = len(op.carried)
        first = [values.get(value, value) for values in self.values for value in op.carried]
        lower, upper = self.frame.exprs(op)
        with self.writer.carrying(op.kind.data, lower, upper, first, hint=op.induction.name_hint or "j") as (joined, carried):
            for row, values in enumerate(self.values):
                values |= dict(zip(op.carried_args, joined.carried_args[row * width :][:width], strict=True))
            for inside in statements(op):
                self._copies(inside, (op.induction, self.frame.index(joined.induction)))
            carried[:] = [values.get(value, value) for values in self.values for value in op.yielded]
        for row, values in enumerate(self.values):
            values |= dict(zip(op.results, joined.results[row * width :][:width], strict=True))
        return joined
