"""loop-jam: several rows of a scan at once, since each step of one row waits for the step before.

    for "parallel" %i in (0, n)                    for "parallel" %i in (0, n floordiv 8 * 8) step 8
      for "sequential" %j carry(%0)         ->       for "sequential" %j carry(%0, ..., %0)
        y[i, j] = s += x[i, j]                         y[i, j] = s0 += x[i, j];  ...;  y[i + 7, j] = s7 += x[i + 7, j]
                                                   for "parallel" %i in (n floordiv 8 * 8, n): as before

A parallel loop is chosen when all that it holds besides straight-line statements is one loop that carries values in order,
unless its own iterations store side by side: they run in vectors then.
"""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation, SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint

from ..dialects import loop
from ..ir.functions import lowered_functions
from ..ir.rewrite import Builder, count
from ..ir.simplify import Ranges
from .loop_writer import Writer, over
from .nests import Frame
from .reductions import statements
from .strides import stride


@dataclass(frozen=True)
class LoopJam(ModulePass):
    """`rows` is the number of rows done at once."""

    name = "loop-jam"

    rows: int = 8

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for function in lowered_functions(op):
            for level in [each for each in function.walk() if isinstance(each, loop.ForOp)]:
                scan = _scan(level)
                if scan is not None and not _stores_side_by_side(level, scan):
                    _jam(level, scan, self.rows)


def _scan(level: loop.ForOp) -> loop.ForOp | None:
    """The loop that carries values in order, when a parallel loop holds one and no other."""
    if level.kind.data != "parallel" or level.carried or level.step.value.data != 1:
        return None
    inside = statements(level)
    loops = [op for op in inside if op.regions]
    scan = loops[0] if len(loops) == 1 else None
    if not isinstance(scan, loop.ForOp) or scan.kind.data != "sequential" or not scan.carried:
        return None
    if level.induction in scan.operands_at or any(op.regions or isinstance(op, loop.CheckOp) for op in statements(scan)):
        return None
    return None if any(isinstance(op, loop.AllocOp) for op in inside) else scan


def _stores_side_by_side(level: loop.ForOp, scan: loop.ForOp) -> bool:
    """Whether what each step of the scans stores lies along memory, from one scan to the next."""
    frame, ranges = Frame(), Ranges()
    number = frame.number(level.induction)
    steps = [stride(op, number, frame, ranges) for op in statements(scan) if isinstance(op, loop.StoreOp)]
    return bool(steps) and all(step is not None and step == 1 for step in steps)


def _jam(level: loop.ForOp, scan: loop.ForOp, rows: int) -> None:
    frame = Frame()
    lower, upper = frame.exprs(level)
    whole = lower + (upper - lower) // rows * rows
    if whole - lower == 0:
        return
    inside = statements(level)
    at = inside.index(scan)
    writer = Writer(frame, Builder(InsertPoint.before(level), level))
    with writer.loop("parallel", lower, whole, step=rows, hint=level.induction.name_hint or "i") as start:
        values: list[dict[SSAValue, SSAValue]] = [{} for _ in range(rows)]

        def copy(op: Operation, *moved: SSAValue) -> None:
            for row in range(rows):
                places = over([level.induction], frame, [start + row])
                if moved:
                    places |= over([scan.induction], frame, [frame.index(moved[0])])
                writer.copy(op, values[row], places)

        for op in inside[:at]:
            copy(op)
        first = [values[row].get(value, value) for row in range(rows) for value in scan.carried]
        low, high = frame.exprs(scan)
        with writer.carrying("sequential", low, high, first, hint=scan.induction.name_hint or "j") as (joined, carried):
            width = len(scan.carried)
            for row in range(rows):
                values[row] |= dict(zip(scan.carried_args, joined.carried_args[row * width :][:width], strict=True))
            for op in statements(scan):
                copy(op, joined.induction)
            carried[:] = [values[row].get(value, value) for row in range(rows) for value in scan.yielded]
        for row in range(rows):
            values[row] |= dict(zip(scan.results, joined.results[row * width :][:width], strict=True))
        for op in inside[at + 1 :]:
            copy(op)
    count("loops-jammed", "Number of loops whose rows are scanned several at a time")
    frame.write(level, (whole, upper))
