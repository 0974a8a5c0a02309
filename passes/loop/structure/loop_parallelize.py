"""loop-parallelize: run the outermost parallel loop of a nest on several threads, if its work pays for starting them.

    for "parallel" %i in (0, n) step 1     ->     for "parallel" %i in (0, n) step 1 threads (n * m - 32768)
      for "vector" %j in (0, m) ...                 for "vector" %j in (0, m) ...

The expression is the condition: threads run the loop if it is not negative, else the calling thread does.

1. The work of a loop is its number of innermost iterations (`passes/analysis/work.py`), over parameters. A loop whose work is
   proven to stay below `threads-from` gets no threads.
2. If the loop may run fewer than `ENOUGH` times, collapse it with the parallel loops perfectly nested in it (`collapse`), so
   that a few rows of many blocks keep all threads busy. The innermost loop over memory is never collapsed: computing its index
   from the collapsed one would slow it down.
3. A loop of one iteration gets no threads, unless it is collapsed.

Parallel loops nested in such a loop or in vectors stay on their thread. The pass runs last among those on loops, since others
change trip counts.
"""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Block
from xdsl.passes import ModulePass

from ....dialects import loop
from ....ir.index.expressions import Index, ceildiv, minimum
from ....ir.index.simplify import Ranges
from ....ir.rewrite import count
from ...analysis.loop_nests import lowered_blocks
from ...analysis.reductions import statements
from ...analysis.work import loops_in, steps_of
from ...manager.options import limited

# A loop with so many iterations keeps the threads of any machine busy by itself.
ENOUGH = 256


@dataclass(frozen=True)
class LoopParallelize(ModulePass):
    """`threads-from` is the number of innermost iterations from which starting threads pays."""

    name = "loop-parallelize"

    threads_from: int = limited(32768, least=0)

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for block in lowered_blocks(op):
            self._parallelize(block.body.block)

    def _parallelize(self, body: Block) -> None:
        for op in body.ops:
            if isinstance(op, loop.ForOp) and (op.kind.data == "vector" or self._annotate(op)):
                continue
            for region in op.regions:
                self._parallelize(region.block)

    def _annotate(self, op: loop.ForOp) -> bool:
        """Annotate a loop with threads. Returns whether it was."""
        if op.kind.data != "parallel" or op.carried:
            return False
        condition, collapsed = self._condition(op)
        if condition is None:
            return False
        op.share(condition, collapsed)
        count("threaded", "loops that run on several threads")
        return True

    def _condition(self, op: loop.ForOp) -> tuple[Index | None, int]:
        """The condition for running on threads, and the number of collapsed loops; None if threads never pay."""
        work = steps_of(op, op.upper - op.lower)
        if Ranges().nonnegative(self.threads_from - 1 - work):
            return None, 1
        collapsed, enough = _collapsible(op), work - self.threads_from
        if collapsed > 1:  # one iteration of this loop may hold many of the next
            return enough, collapsed
        others = ceildiv(op.upper - op.lower, op.step.value.data) - 2
        if Ranges().nonnegative(-1 - others):
            return None, 1
        return enough if Ranges().nonnegative(others) else minimum(enough, others), 1


def _collapsible(op: loop.ForOp) -> int:
    """How many perfectly nested parallel loops may be collapsed into one."""
    around, trips = [op.induction], op.trips
    while trips is None or trips < ENOUGH:
        inside = statements(op)
        inner = inside[0] if len(inside) == 1 else None
        if not isinstance(inner, loop.ForOp) or inner.kind.data != "parallel" or inner.carried:
            break
        if any(each in around for each in inner.operands_at):
            break
        if all(each.kind.data == "vector" for each in loops_in(inner.body.block)):
            break
        op, trips = inner, None if trips is None or inner.trips is None else trips * inner.trips
        around.append(op.induction)
    return len(around)
