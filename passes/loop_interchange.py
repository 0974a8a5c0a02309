"""loop-interchange: a reduction that strides through memory under a loop that runs along it.

    for "parallel" %j in (0, n) {                 for "parallel" %b in (0, n) step 1024 {
      %s = for %i in (0, m) carry(%0) {             %t = loop.alloc "thread" : memref<1024>
        add x[i, j]                         ->      for "parallel" %j in block b: t[j] = 0
      }                                             for "sequential" %i in (0, m):
      y[j] = %s                                       for "parallel" %j in block b: t[j] += x[i, j]
    }                                               for "parallel" %j in block b: y[j] = t[j]
                                                  }

1. A parallel loop is chosen when it holds one carrying nest and straight-line statements, and inside the nest more accesses
   have stride 1 along the parallel loop than along the carrying ones. Small constant windows are left for vectors to carry.
2. The parallel loop is cut into blocks of `block`. Carried values become rows of the thread's memory, and the loops change
   places.
3. The innermost carrying loop does `unroll` steps at once, fewer long ones, so that the row is read and written less often, and
   that as many rows of memory are on their way at once. The order in which each value is accumulated stays as it was, but that
   float32 values of these few steps are added before they become float64.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation, SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint

from ..dialects import loop
from ..ir.index import Index, IndexLike, index, minimum, product
from ..ir.rewrite import Builder, count, erase
from .loop_writer import Writer, over
from .nests import Frame, lowered_blocks, rewrite_loops
from .options import limited
from .reductions import Term, accumulations, carrying, statements, term_of
from .strides import strides

# The statements that are written out for several steps at once. Chosen, not measured: sixteen steps of ten.
LONGEST = 160


@dataclass(frozen=True)
class LoopInterchange(ModulePass):
    """`block` is the length of a row in elements, `unroll` the steps done at once; windows up to `window` steps are left
    alone."""

    name = "loop-interchange"

    block: int = limited(2048)
    unroll: int = limited(16)
    window: int = limited(64, least=0)

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for block in lowered_blocks(op):
            frame = Frame()
            rewrite_loops(block.body.block, frame, lambda level, around, frame=frame: self._rewrite(level, frame, around))

    def _rewrite(self, op: loop.ForOp, frame: Frame, around: Sequence[int]) -> bool:
        found = _nest(op)
        if found is None or not self._pays(found, frame, around):
            return False
        Interchange(found, frame, self).run()
        return True

    def _pays(self, found: Nest, frame: Frame, around: Sequence[int]) -> bool:
        steps = product(level.upper for level in found.carrying).constant
        if steps is not None and steps <= self.window:
            return False
        for level in found.carrying:
            frame.enter(level)
        inner = [frame.number(level.induction) for level in found.carrying]
        ranges = frame.ranges([*around, *inner])
        ops = found.carrying[-1].body.block.ops
        along = _contiguous(strides(ops, around[-1], frame, ranges))
        return along > 0 and along >= max(_contiguous(strides(ops, number, frame, ranges)) for number in inner)


def _contiguous(found: Sequence[Index | None]) -> int:
    return sum(each is not None and each == 1 for each in found)


@dataclass(frozen=True)
class Nest:
    """A parallel loop, the statements before the carrying loops inside it, those loops, and the statements after."""

    outer: loop.ForOp
    before: tuple[Operation, ...]
    carrying: tuple[loop.ForOp, ...]
    after: tuple[Operation, ...]


def _nest(op: loop.ForOp) -> Nest | None:
    """The parts of a parallel loop that can change places with the carrying loops inside it."""
    if op.kind.data != "parallel" or op.carried or op.step.value.data != 1:
        return None
    inside = statements(op)
    loops = [each for each in inside if each.regions]
    if len(loops) != 1 or not isinstance(loops[0], loop.ForOp) or not loops[0].carried:
        return None
    at = inside.index(loops[0])
    levels = carrying(loops[0])
    straight = (*inside[:at], *inside[at + 1 :], *statements(levels[-1]))
    if any(each.regions or isinstance(each, loop.AllocOp) for each in straight):
        return None
    if any(op.induction in level.operands or level.step.value.data != 1 for level in levels):
        return None
    # What is computed before the carrying loops is computed again where it is used: it must not have been stored meanwhile.
    if any(isinstance(each, loop.StoreOp | loop.UpdateOp) for each in inside[:at]):
        return None
    return Nest(op, tuple(inside[:at]), tuple(levels), tuple(inside[at + 1 :]))


class Interchange:
    """Writes the nest with its loops in the other order."""

    def __init__(self, found: Nest, frame: Frame, sizes: LoopInterchange):
        self.found = found
        self.frame = frame
        self.sizes = sizes
        self.writer = Writer(frame, Builder(InsertPoint.before(found.outer), found.outer))

    def run(self) -> None:
        lower, upper = self.frame.exprs(self.found.outer)
        size = minimum(self.sizes.block, upper - lower)
        with self.writer.loop("parallel", lower, upper, step=self.sizes.block, hint="block") as start:
            rows = [self.writer.allocate([size], arg.type, "thread", "row") for arg in self.found.carrying[0].carried_args]
            length = minimum(self.sizes.block, upper - start)
            self._start(rows, start, length)
            self._carry(rows, start, length)
            self._finish(rows, start, length)
        erase(self.found.outer)
        count("loops-interchanged", "Number of reductions that now walk along memory")

    def _start(self, rows: Sequence[SSAValue], start: Index, length: Index) -> None:
        with self.writer.loop("parallel", 0, length, hint="j") as j:
            values = self._copy(self.found.before, {}, j, start)
            for row, value in zip(rows, self.found.carrying[0].carried, strict=True):
                self.writer.store(values.get(value, value), row, [j])

    def _carry(self, rows: Sequence[SSAValue], start: Index, length: Index) -> None:
        """The carrying loops around the parallel one, several steps of the innermost at a time."""
        at: list[Index] = []
        self._levels(rows, start, length, at)

    def _levels(self, rows: Sequence[SSAValue], start: Index, length: Index, at: list[Index]) -> None:
        level = self.found.carrying[len(at)]
        lower, upper = self.frame.exprs(level)
        if len(at) < len(self.found.carrying) - 1:
            with self.writer.loop("sequential", lower, upper, hint=level.induction.name_hint or "k") as k:
                self._levels(rows, start, length, [*at, k])
            return
        each_step = len(self.found.before) + len(statements(level))
        unroll = max(1, min(self.sizes.unroll, LONGEST // max(1, each_step)))
        whole = lower + (upper - lower) // unroll * unroll
        for low, high, steps in ((lower, whole, unroll), (whole, upper, 1)):
            if high - low == 0:
                continue
            with (
                self.writer.loop("sequential", low, high, step=steps, hint=level.induction.name_hint or "k") as k,
                self.writer.loop("parallel", 0, length, hint="j") as j,
            ):
                self._steps(rows, j, start, [[*at, k + step] for step in range(steps)])

    def _steps(self, rows: Sequence[SSAValue], j: Index, start: Index, positions: Sequence[Sequence[Index]]) -> None:
        """Some steps of the innermost carrying loop for one element of the rows."""
        innermost = self.found.carrying[-1]
        results = accumulations(innermost)
        terms = [term_of(result) for result in results] if results is not None else []
        if terms and all(term.is_narrow for term in terms):
            self._narrow_steps(rows, j, start, positions, terms)
            return
        current = [self.writer.load(row, [j]) for row in rows]
        for position in positions:
            values = self._copy(self.found.before, {}, j, start)
            values |= dict(zip(innermost.carried_args, current, strict=True))
            values = self._copy(statements(innermost), values, j, start, position)
            current = [values.get(value, value) for value in innermost.yielded]
        for row, value in zip(rows, current, strict=True):
            self.writer.store(value, row, [j])

    def _narrow_steps(
        self, rows: Sequence[SSAValue], j: Index, start: Index, positions: Sequence[Sequence[Index]], terms: Sequence[Term]
    ) -> None:
        """Steps whose float32 values are added to one another, and then to the rows of float64."""
        skipped = {op for term in terms for op in term.skipped}
        inside = [op for op in statements(self.found.carrying[-1]) if op not in skipped]
        sums: list[SSAValue] | None = None
        for position in positions:
            values = self._copy([*self.found.before, *inside], {}, j, start, position)
            step = [values.get(term.value, term.value) for term in terms]
            sums = step if sums is None else [self.writer.compute("add", *pair) for pair in zip(sums, step, strict=True)]
        for row, total, term in zip(rows, sums or [], terms, strict=True):
            wide = self.writer.cast(total, term.carried)
            self.writer.store(self.writer.compute(term.function, self.writer.load(row, [j]), wide), row, [j])

    def _finish(self, rows: Sequence[SSAValue], start: Index, length: Index) -> None:
        with self.writer.loop("parallel", 0, length, hint="j") as j:
            values = self._copy(self.found.before, {}, j, start)
            for result, row in zip(self.found.carrying[0].results, rows, strict=True):
                values[result] = self.writer.load(row, [j])
            self._copy(self.found.after, values, j, start)

    def _copy(
        self,
        ops: Sequence[Operation],
        values: dict[SSAValue, SSAValue],
        j: Index,
        start: Index,
        position: Sequence[IndexLike] = (),
    ) -> dict[SSAValue, SSAValue]:
        """Copies of statements at one place of the new loops; gives the values that they compute."""
        levels = self.found.carrying[: len(position)]
        inductions = [self.found.outer.induction, *(level.induction for level in levels)]
        places = over(inductions, self.frame, [start + j, *map(index, position)])
        for op in ops:
            self.writer.copy(op, values, places)
        return values
