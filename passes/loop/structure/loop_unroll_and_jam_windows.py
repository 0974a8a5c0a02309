"""loop-unroll-and-jam-windows: unroll and jam rows with overlapping windows, so that each element is loaded once for all.

    for "parallel" %i in (0, n)                        for "parallel" %i in (0, n floordiv 4 * 4) step 4
      for "parallel" %j in (0, m)                        for "parallel" %j in (0, m)
        for %p in (0, 3), %q in (0, 3) carry(%0)   ->      for %p in (0, 3), %q in (0, 3): ... x[i + p, j + q]
          x[i + p, j + q]                                  ...
        y[i, j] = ...                                      for %p in (0, 3), %q in (0, 3): ... x[i + 3 + p, j + q]
                                                           y[i, j] = ...;  ...;  y[i + 3, j] = ...
                                                       for "parallel" %i in (n floordiv 4 * 4, n): as before

1. A parallel loop is unrolled if it holds only one other parallel loop, in which an address adds the index of a short loop of
   constant length to the outer index: successive iterations of the outer loop read the same elements.
2. Write its body for `rows` successive iterations inside one inner loop, as long as the short loops have at most `steps` steps
   in total. Vectorisation and window unrolling then load shared elements once.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint

from ....dialects import loop
from ....ir.functions.entry import lowered_functions
from ....ir.nesting import operations
from ....ir.rewrite import Builder, count, erase
from ...analysis.loop_nests import Frame
from ...analysis.reductions import statements
from ...analysis.windows import is_in_windows
from ...manager.options import limited
from ..builder import Writer, over


@dataclass(frozen=True)
class LoopUnrollAndJamWindows(ModulePass):
    """`rows` is the unroll factor, `steps` the most steps of windows in the unrolled body, `window` the most steps of a short
    loop."""

    name = "loop-unroll-and-jam-windows"

    rows: int = limited(4)
    steps: int = limited(128, least=0)
    window: int = limited(8, least=0)

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for function in lowered_functions(op):
            for level in [each for each in operations(function) if isinstance(each, loop.ForOp)]:
                found = self._rows(level)
                if found is not None:
                    _jam(level, found, self.rows)

    def _rows(self, level: loop.ForOp) -> loop.ForOp | None:
        """The loop along the rows, if windows of successive rows share elements."""
        inner = _only_loop(level)
        if inner is None or level.induction in inner.operands_at:
            return None
        frame = Frame()
        frame.tree(level)
        short = list(_loops(inner))
        if not all(0 < (each.trips or 0) <= self.window for each in short):
            return None
        steps = sum(_steps(each) for each in statements(inner) if isinstance(each, loop.ForOp))
        if not 0 < steps * self.rows <= self.steps:
            return None
        row = frame.number(level.induction)
        loads = (each for each in operations(inner) if isinstance(each, loop.LoadOp))
        summed = {frame.number(each.induction) for each in short}
        ranges = frame.ranges(summed)
        shared = any(is_in_windows(expr, summed, ranges, {row}) for each in loads for expr in frame.exprs(each))
        return inner if shared else None


def _only_loop(level: loop.ForOp) -> loop.ForOp | None:
    """The only statement of a parallel loop, if that is a parallel loop over straight-line statements and short loops."""
    inside = statements(level)
    if level.kind.data != "parallel" or level.carried or level.step.value.data != 1 or len(inside) != 1:
        return None
    inner = inside[0]
    if not isinstance(inner, loop.ForOp) or inner.kind.data != "parallel" or inner.carried or inner.step.value.data != 1:
        return None
    others = [each for each in operations(inner.body) if each.regions and not isinstance(each, loop.ForOp)]
    apart = [each for each in operations(inner.body) if isinstance(each, loop.AllocOp | loop.CheckOp)]
    return None if others or apart or any(each.kind.data == "parallel" for each in _loops(inner)) else inner


def _loops(level: loop.ForOp) -> Iterator[loop.ForOp]:
    """The loops inside a loop."""
    return (each for each in operations(level.body) if isinstance(each, loop.ForOp))


def _steps(level: loop.ForOp) -> int:
    """The innermost steps of loops of constant length."""
    inner = [each for each in statements(level) if isinstance(each, loop.ForOp)]
    return (level.trips or 0) * max(1, sum(map(_steps, inner)))


def _jam(level: loop.ForOp, inner: loop.ForOp, rows: int) -> None:
    frame = Frame()
    lower, upper = frame.exprs(level)
    whole = lower + (upper - lower) // rows * rows
    if whole - lower == 0:
        return
    writer = Writer(frame, Builder(InsertPoint.before(level), level))
    hint, inner_hint = level.induction.name_hint or "i", inner.induction.name_hint or "j"
    with (
        writer.loop("parallel", lower, whole, step=rows, hint=hint) as start,
        writer.loop("parallel", *frame.exprs(inner), hint=inner_hint) as along,
    ):
        inside = statements(inner)
        first = next((k for k, each in enumerate(inside) if isinstance(each, loop.StoreOp | loop.UpdateOp)), len(inside))
        values: list[dict[SSAValue, SSAValue]] = [{} for _ in range(rows)]
        # Store only after all rows are computed: a C compiler would assume that a store changes later loads.
        for part in (inside[:first], inside[first:]):
            for row in range(rows):
                for statement in part:
                    writer.copy(statement, values[row], over([level.induction, inner.induction], frame, [start + row, along]))
    count("windows-jammed", "Number of loops over windows unrolled and jammed")
    if upper - whole == 0:
        erase(level)
    else:
        frame.write(level, (whole, upper))
