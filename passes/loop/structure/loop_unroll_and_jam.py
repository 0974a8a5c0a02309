"""loop-unroll-and-jam: several rows at once, of scans, whose steps wait for one another, and of sums, whose rows come from
memory.

    for "parallel" %i in (0, n)                    for "parallel" %i in (0, n floordiv 8 * 8) step 8
      for "sequential" %j carry(%0)         ->       for "sequential" %j carry(%0, ..., %0)
        y[i, j] = s += x[i, j]                         y[i, j] = s0 += x[i, j];  ...;  y[i + 7, j] = s7 += x[i + 7, j]
                                                   for "parallel" %i in (n floordiv 8 * 8, n): as before

A parallel loop over scans is chosen when all that it holds besides straight-line statements is one loop that carries values in
order, unless its own iterations store side by side, or load where they store nothing: they run in vectors then.

A parallel loop over reductions is chosen when it holds one or more of them, no other loop, and each walks along rows with
little to compute on the way. One row after the other is one stream of memory, which a core's prefetcher follows to the end of
a page; from several streams more lines are on their way at once, and what ends a row is met a fraction as often. Where the
prefetcher goes on behind the page one stream is best, but for sums of exponentials, which wait for their steps and not for
memory. Rows known to be short are in the cache before that counts, and few rows are left to one thread each.

Rows that a thread has in its cache do not wait for memory, and are done one by one. But what ends a reduction, where lanes
become one, takes as long as ten vectors and more. Where an exponential waits for it, as for a row's maximum in attention, that
is done for several rows at once.
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
from ..memory.walks import is_private

# What may be computed for each element of a sum, in additions; a division is four. With an exponential, as in logsumexp, four
# rows at once take 0.88 of the time of one by one (Sapphire Rapids); more was not measured.
LITTLE = 12


@dataclass(frozen=True)
class LoopUnrollAndJam(ModulePass):
    """`rows` is the number of rows of a scan that are done at once, `streams` that of rows of sums, `costly` where they compute
    as much as an exponential, if rows have `length` elements or may have, and that leaves `groups` to threads."""

    name = "loop-unroll-and-jam"

    rows: int = limited(8)
    streams: int = limited(4)
    # Attention takes 0.97 of the time with four rows at once, 0.98 with three, 1.0 with two (Zen 5).
    costly: int = limited(4)
    length: int = limited(256, least=0)
    groups: int = limited(16)

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for function in lowered_functions(op):
            for level in [each for each in operations(function) if isinstance(each, loop.ForOp)]:
                match _carrying_loops(level):
                    case [loop.ForOp(kind=kind) as scan] if kind.data == "sequential":
                        if not _lie_side_by_side(level, scan):
                            _jam(level, self.rows, self.rows)
                    case [_, *_] as sums if all(_reduces_rows(level, each, self.length) for each in sums):
                        rows = self._at_once(sums)
                        _jam(level, rows, rows * self.groups)

    def _at_once(self, sums: list[loop.ForOp]) -> int:
        """How many rows of sums are done at once."""
        is_costly = any(cost_of(each) >= COSTLY for each in sums)
        if any(map(_reads_cached, sums)):
            return self.costly if is_costly and len(sums) > 1 else 1
        return self.costly if is_costly else self.streams


def _carrying_loops(level: loop.ForOp) -> list[loop.ForOp]:
    """The loops that a parallel loop holds, when all of them carry values and hold statements alone."""
    if level.kind.data != "parallel" or level.carried or level.step.value.data != 1:
        return []
    inside = statements(level)
    loops = [op for op in inside if isinstance(op, loop.ForOp)]
    if not all(_carries(each, level) for each in loops):
        return []
    others = [op for op in inside if not isinstance(op, loop.ForOp)]
    return [] if any(op.regions or isinstance(op, loop.AllocOp | loop.CheckOp) for op in others) else loops


def _carries(op: loop.ForOp, level: loop.ForOp) -> bool:
    """Whether a loop carries values through statements alone, as often in all iterations of the loop around it."""
    return (
        bool(op.carried)
        and op.step.value.data == 1
        and not any(level.body.block.is_ancestor(value.owner) for value in op.operands_at)
        and not any(each.regions or isinstance(each, loop.CheckOp) for each in statements(op))
    )


def _lie_side_by_side(level: loop.ForOp, scan: loop.ForOp) -> bool:
    """Whether what each step of the scans stores lies along memory, from one scan to the next; what it loads, where it stores
    nothing."""
    frame, ranges = Frame(), Ranges()
    number = frame.number(level.induction)
    stores, loads = ([op for op in statements(scan) if isinstance(op, kind)] for kind in (loop.StoreOp, loop.LoadOp))
    steps = [stride(op, number, frame, ranges) for op in stores or loads]
    if stores:
        return all(step is not None and step == 1 for step in steps)
    return any(step == 1 for step in steps) and all(step is not None and (step == 0 or step == 1) for step in steps)


def _reduces_rows(level: loop.ForOp, op: loop.ForOp, length: int) -> bool:
    """Whether a loop accumulates one value, cheaply, along a row of a buffer, which is another one in each iteration around."""
    if op.kind.data != "reduction" or len(op.carried) > 1 or accumulations(op) is None:
        return False
    frame, ranges = Frame(), Ranges()
    row, column = frame.number(level.induction), frame.number(op.induction)
    lower, upper = frame.exprs(op)
    extent = (upper - lower).constant
    if extent is not None and extent < length:
        return False
    if cost_of(op) > LITTLE:
        return False
    loads = [each for each in statements(op) if isinstance(each, loop.LoadOp)]
    along = [stride(each, column, frame, ranges) for each in loads]
    return all(step is not None and (step == 0 or step == 1) for step in along) and any(
        step == 1 and _is_far(stride(each, row, frame, ranges), length) for each, step in zip(loads, along, strict=True)
    )


def _reads_cached(op: loop.ForOp) -> bool:
    """Whether a loop reads what a thread has written to a buffer of its own."""
    return any(is_private(each.buffer) for each in statements(op) if isinstance(each, loop.LoadOp))


def _is_far(step: Index | None, length: int) -> bool:
    """Whether rows lie at least their least length apart."""
    return step is not None and (step.constant is None or abs(step.constant) >= length)


def _jam(level: loop.ForOp, rows: int, least: int) -> None:
    """Do `rows` iterations at once, of as many as fill whole multiples of `least`."""
    frame = Frame()
    lower, upper = frame.exprs(level)
    whole = lower + (upper - lower) // least * least
    if rows == 1 or whole - lower == 0:
        return
    writer = Writer(frame, Builder(InsertPoint.before(level), level))
    with writer.loop("parallel", lower, whole, step=rows, hint=level.induction.name_hint or "i") as start:
        _Rows(level, frame, writer, [start + row for row in range(rows)]).write()
    count("loops-jammed", "Number of loops whose rows are done several at a time")
    frame.write(level, (whole, upper))


class _Rows:
    """Writes what a loop holds for several of its iterations at once."""

    def __init__(self, level: loop.ForOp, frame: Frame, writer: Writer, places: list[Index]):
        self.level = level
        self.frame = frame
        self.writer = writer
        self.places = places
        self.values: list[dict[SSAValue, SSAValue]] = [{} for _ in places]

    def write(self) -> None:
        for op in statements(self.level):
            if isinstance(op, loop.ForOp):
                self._loop(op)
            else:
                self._copies(op)

    def _copies(self, op: Operation, inner: tuple[SSAValue, Index] | None = None) -> None:
        """A copy for each row, in an `inner` loop with its old and new index."""
        for row, values in zip(self.places, self.values, strict=True):
            places = over([self.level.induction], self.frame, [row])
            if inner is not None:
                places |= over([inner[0]], self.frame, [inner[1]])
            self.writer.copy(op, values, places)

    def _loop(self, op: loop.ForOp) -> None:
        """One loop in the place of one for each row; it carries what they carry, row by row."""
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
