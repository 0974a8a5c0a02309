"""loop-parallelize: run the outermost parallel loop of a nest on several threads, if its work pays for starting them.

    for "parallel" %i in (0, n) step 1     ->     for "parallel" %i in (0, n) step 1 threads (n * m - 32768)
      for "vector" %j in (0, m) ...                 for "vector" %j in (0, m) ...

The expression is the condition: threads run the loop if it is not negative, else the calling thread does.

1. The work of a loop is its number of innermost iterations, an expression over parameters (`passes/analysis/work.py`). A loop
   whose work is proven to stay below `threads-from` gets no threads.
2. If the loop may run fewer than `ENOUGH` times, collapse it with the parallel loops perfectly nested in it (`collapse`), so
   that a few rows of many blocks keep all threads busy. The innermost loop over memory is never collapsed: computing its index
   from the collapsed one would slow it down.
3. A loop of one iteration gets no threads, unless it is collapsed.
4. At most `FEW` iterations that are each worth a thread are distributed as threads become free (`dynamic`): contiguous parts of
   a few strips, the last of which is shorter, would leave threads idle. Other iterations are distributed in contiguous parts,
   so that a thread finds its results of the previous loop, or of the previous call, in its cache. Sizes that are not known
   count as `TYPICAL`.
5. Allocate buffers in the thread's memory or registers inside of the loop whose threads write to them: all threads would share
   a buffer outside of that loop, which remains where a loop of one iteration was removed. If other loops use the buffer too, or
   an enclosing loop runs the loop again, each loop gets a buffer of its own. A buffer stays shared if threads write to
   different elements, since later runs may read them, or if other loops only read it: they read the results of the one
   iteration that writes to it.

Parallel loops inside a loop on threads or inside vectors stay on their thread. The pass runs last among passes on loops, since
others change trip counts.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import prod

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Block, Operation, SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint, Rewriter

from ....dialects import loop
from ....ir.index.expressions import Index, Param, ceildiv, index, minimum
from ....ir.index.simplify import Ranges
from ....ir.rewrite import count, derive
from ...analysis.loop_nests import lowered_blocks
from ...analysis.reductions import statements
from ...analysis.work import loops_in, steps_of
from ...manager.options import limited

# A loop with at least this many iterations keeps the threads of any machine busy by itself.
ENOUGH = 256
# With more iterations than this the last ones of a static split leave no thread idle for long.
FEW = 32
# A size that is not known counts as this many elements.
TYPICAL = 64


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
        """Annotate a loop with threads. Returns whether the loop was annotated."""
        if op.kind.data != "parallel" or op.carried:
            return False
        condition, collapsed = self._condition(op)
        if condition is None:
            return False
        op.share(condition, collapsed, dynamic=self._is_coarse(op, collapsed))
        _privatize(op, collapsed)
        count("threaded", "loops that run on several threads")
        return True

    def _is_coarse(self, op: loop.ForOp, collapsed: int) -> bool:
        """Whether a loop, with those collapsed into it, has few iterations, each with the work from which threads pay."""
        levels = _collapsed_into(op, collapsed)
        if any(level.trips is None for level in levels) or prod(level.trips or 1 for level in levels) > FEW:
            return False
        inner = levels[-1]
        work = steps_of(inner, index(inner.step.value.data))
        typical = work.substitute({Param(name): TYPICAL for name in work.params()}).constant
        return typical is not None and typical >= self.threads_from

    def _condition(self, op: loop.ForOp) -> tuple[Index | None, int]:
        """The condition for running on threads, and the number of collapsed loops; None if threads never pay."""
        work = steps_of(op, op.upper - op.lower)
        if Ranges().nonnegative(self.threads_from - 1 - work):
            return None, 1
        collapsed, enough = _collapsible(op), work - self.threads_from
        if collapsed > 1:  # one iteration of this loop may hold many iterations of the next
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


def _collapsed_into(op: loop.ForOp, collapsed: int) -> list[loop.ForOp]:
    """A loop and the next ones in it that threads share with it."""
    levels = [op]
    for _ in range(collapsed - 1):
        levels.append(next(each for each in statements(levels[-1]) if isinstance(each, loop.ForOp)))
    return levels


def _privatize(op: loop.ForOp, collapsed: int) -> None:
    """Give each iteration of a loop on threads its own copy of the private buffers that it writes to."""
    levels = _collapsed_into(op, collapsed)
    for alloc in _written(op):
        used = any(not op.is_ancestor(use.operation) for use in alloc.result.uses)
        kept = used or _outlives_run(alloc, op)
        if used and _is_read_after(alloc.result, op):
            continue
        if not kept or not all(_writes_apart(alloc.result, op, level.induction) for level in levels):
            own = loop.AllocOp(alloc.result.type, alloc.space.data if alloc.space is not None else None)
            derive(own, [alloc])
            own.result.name_hint = alloc.result.name_hint
            alloc.result.replace_uses_with_if(own.result, lambda use: op.is_ancestor(use.operation))
            Rewriter.insert_op(own, InsertPoint.at_start(levels[-1].body.block))
            if not used:
                Rewriter.erase_op(alloc)


def _outlives_run(alloc: loop.AllocOp, op: loop.ForOp) -> bool:
    """Whether a buffer is allocated outside of a loop that encloses this one and runs it again: a run may then read elements
    that another thread stored in the previous run, such as sums of earlier blocks of k."""
    around = op.parent_op()
    while around is not None and around is not alloc.parent_op():
        if isinstance(around, loop.ForOp):
            return True
        around = around.parent_op()
    return False


def _is_read_after(buffer: SSAValue, op: loop.ForOp) -> bool:
    """Whether a statement beside a loop, or beside a loop around it, reads a buffer without writing to it."""
    reads: set[Operation] = set()
    writes: set[Operation] = set()
    for use in buffer.uses:
        if not op.is_ancestor(use.operation):
            (writes if _writes(use.operation) else reads).add(_statement_beside(use.operation, op))
    return not reads <= writes


def _statement_beside(inner: Operation, op: loop.ForOp) -> Operation:
    """The statement with `inner` in a block that another statement has the loop in."""
    while (around := inner.parent_op()) is not None and not around.is_ancestor(op):
        inner = around
    return inner


def _written(op: loop.ForOp) -> list[loop.AllocOp]:
    """The private buffers from outside of a loop that are written to in it."""
    found: dict[loop.AllocOp, None] = {}
    for inner in op.walk():
        for value in inner.operands if _writes(inner) else ():
            owner = value.owner
            if isinstance(owner, loop.AllocOp) and owner.space is not None and not op.is_ancestor(owner):
                found[owner] = None
    return list(found)


def _writes(op: Operation) -> bool:
    return not isinstance(op, loop.LoadOp | loop.PrefetchOp)


def _writes_apart(buffer: SSAValue, op: loop.ForOp, induction: SSAValue) -> bool:
    """Whether the elements of a buffer that a loop writes to depend on an index."""
    dependent = {induction}
    for inner in op.walk():
        if isinstance(inner, loop.ForOp):
            if not dependent.isdisjoint(inner.operands_at):
                dependent.add(inner.induction)
        elif not dependent.isdisjoint(inner.operands):
            dependent.update(inner.results)
    inside = [use.operation for use in buffer.uses if op.is_ancestor(use.operation) and _writes(use.operation)]
    return not any(dependent.isdisjoint(_address(each)) for each in inside)


def _address(op: Operation) -> Sequence[SSAValue]:
    return op.at if isinstance(op, loop.StoreOp | loop.UpdateOp) else op.operands
