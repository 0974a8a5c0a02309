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
3. The innermost carrying loop does `steps` steps for an element of the row before the next element, so that the row is read
   and written less often, and that as many rows of memory are on their way at once. The order in which each value is
   accumulated stays as it was, but that float32 values of these few steps are added before they become float64.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TypeAlias

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation, SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint

from ..dialects import loop
from ..ir.index import Index, minimum, product
from ..ir.rewrite import Builder, count, erase
from ..ir.values import number
from .loop_writer import Writer, over
from .nests import AccessOp, Frame, lowered_blocks, rewrite_loops
from .options import limited
from .reductions import Term, accumulations, carrying, statements, term_of
from .strides import strides

STORES = (loop.StoreOp, loop.UpdateOp)

# What one step makes of carried values at a position of the carrying loops.
Step: TypeAlias = Callable[[Sequence[SSAValue], Sequence[Index]], list[SSAValue]]
Values: TypeAlias = Mapping[SSAValue, SSAValue]


@dataclass(frozen=True)
class LoopInterchange(ModulePass):
    """`block` is the length of a row in elements, `steps` those done for an element at once; windows up to `window` steps are
    left alone."""

    name = "loop-interchange"

    block: int = limited(2048)
    steps: int = limited(16)
    window: int = limited(64, least=0)

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for block in lowered_blocks(op):
            frame = Frame()
            rewrite_loops(block.body.block, frame, lambda level, around, frame=frame: self._rewrite(level, frame, around))

    def _rewrite(self, op: loop.ForOp, frame: Frame, around: Sequence[int]) -> bool:
        found = _nest(op)
        if found is None or not all(self._pays(stage, frame, around) for stage in found.stages):
            return False
        Interchange(found, frame, self).run()
        return True

    def _pays(self, stage: Stage, frame: Frame, around: Sequence[int]) -> bool:
        steps = product(level.upper for level in stage.carrying).constant
        if steps is not None and steps <= self.window:
            return False
        for level in stage.carrying:
            frame.enter(level)
        inner = [frame.number(level.induction) for level in stage.carrying]
        ranges = frame.ranges([*around, *inner])
        ops = stage.carrying[-1].body.block.ops
        along = _contiguous(strides(ops, around[-1], frame, ranges))
        return along > 0 and along >= max(_contiguous(strides(ops, number, frame, ranges)) for number in inner)


def _contiguous(found: Sequence[Index | None]) -> int:
    return sum(each is not None and each == 1 for each in found)


@dataclass(frozen=True)
class Stage:
    """Carrying loops, and the statements between them and those of the stage before."""

    before: tuple[Operation, ...]
    carrying: tuple[loop.ForOp, ...]


@dataclass(frozen=True)
class Nest:
    """A parallel loop, the stages in it, each of which may need what the others have found, and the statements after them."""

    outer: loop.ForOp
    stages: tuple[Stage, ...]
    after: tuple[Operation, ...]


def _nest(op: loop.ForOp) -> Nest | None:
    """The parts of a parallel loop that can change places with the carrying loops inside it."""
    if op.kind.data != "parallel" or op.carried or op.step.value.data != 1:
        return None
    stages: list[Stage] = []
    straight: list[Operation] = []
    fixed: set[SSAValue] = {op.induction}
    for each in statements(op):
        if not isinstance(each, loop.ForOp):
            straight.append(each)
        else:
            levels = carrying(each) if each.carried else []
            if not levels or any(level.step.value.data != 1 or not fixed.isdisjoint(level.operands_at) for level in levels):
                return None
            stages.append(Stage(tuple(straight), tuple(levels)))
            straight = []
        fixed.update(each.results)
    found = Nest(op, tuple(stages), tuple(straight))
    return found if stages and _may_wait(found) else None


def _may_wait(nest: Nest) -> bool:
    """Whether what stands before the loops can be computed again wherever it is used, and stored after all of them."""
    before = [op for stage in nest.stages for op in stage.before]
    inside = [op for stage in nest.stages for op in statements(stage.carrying[-1])]
    if any(op.regions or isinstance(op, loop.AllocOp) for op in (*before, *inside, *nest.after)):
        return False
    stored, meanwhile = _stored(before), _stored(inside)
    return not any(isinstance(op, AccessOp) and op.buffer in stored for op in inside) and not any(
        isinstance(op, loop.LoadOp) and op.buffer in stored | meanwhile for op in before
    )


def _stored(ops: Sequence[Operation]) -> set[SSAValue]:
    return {op.buffer for op in ops if isinstance(op, STORES)}


@dataclass(frozen=True)
class Block:
    """A part of the parallel loop: where it starts, how long it is, and for each stage the rows of its carried values."""

    start: Index
    length: Index
    rows: Sequence[Sequence[SSAValue]]


@dataclass(frozen=True)
class Element:
    """One iteration of the parallel loop: its place in the rows of its block, and its index."""

    block: Block
    place: Index
    index: Index


def _narrow_terms(innermost: loop.ForOp) -> list[Term]:
    """What is added to float64 values, when all that is carried are those and all that is added is float32."""
    results = accumulations(innermost)
    terms = [term_of(result) for result in results] if results is not None else []
    return terms if all(term.is_narrow for term in terms) else []


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
            rows = [
                [self.writer.allocate([size], arg.type, "thread", "row") for arg in stage.carrying[0].carried_args]
                for stage in self.found.stages
            ]
            block = Block(start, minimum(self.sizes.block, upper - start), rows)
            for stage in range(len(rows)):
                self._start(block, stage)
                self._levels(block, stage, ())
            self._finish(block)
        erase(self.found.outer)
        count("loops-interchanged", "Number of reductions that now walk along memory", len(rows))

    def _start(self, block: Block, stage: int) -> None:
        with self._elements(block) as element:
            values = self._before(stage, element)
            first = [values.get(value, value) for value in self.found.stages[stage].carrying[0].carried]
            self._store(first, element, stage)

    def _levels(self, block: Block, stage: int, at: tuple[Index, ...]) -> None:
        """The carrying loops around the parallel one, several steps of the innermost at a time."""
        levels = self.found.stages[stage].carrying
        level = levels[len(at)]
        lower, upper = self.frame.exprs(level)
        hint = level.induction.name_hint or "k"
        if level is not levels[-1]:
            with self.writer.loop("sequential", lower, upper, hint=hint) as k:
                self._levels(block, stage, (*at, k))
            return
        whole = lower + (upper - lower) // self.sizes.steps * self.sizes.steps
        for low, high, steps in ((lower, whole, self.sizes.steps), (whole, upper, 1)):
            if high - low == 0:
                continue
            with self.writer.loop("sequential", low, high, step=steps, hint=hint) as k, self._elements(block) as element:
                self._steps(element, stage, (*at, k), steps)

    def _steps(self, element: Element, stage: int, at: tuple[Index, ...], steps: int) -> None:
        """Some steps of the innermost carrying loop for one element of the rows."""
        levels = self.found.stages[stage].carrying
        kind = levels[-1].kind.data
        values, rows = self._before(stage, element), self._load(element, stage)
        terms = _narrow_terms(levels[-1]) if steps > 1 else []
        if not terms:
            step = self._carried_step(levels, element, values)
            self._store(self._repeat(kind, step, rows, at, steps), element, stage)
            return
        zeros = [self.writer.constant(number(0, term.value.type)) for term in terms]
        step = self._narrow_step(levels, terms, element, values)
        totals = zip(rows, self._repeat(kind, step, zeros, at, steps), terms, strict=True)
        wide = [self.writer.compute(term.function, row, self.writer.cast(total, term.carried)) for row, total, term in totals]
        self._store(wide, element, stage)

    def _carried_step(self, levels: Sequence[loop.ForOp], element: Element, values: Values) -> Step:
        def step(current: Sequence[SSAValue], position: Sequence[Index]) -> list[SSAValue]:
            own = {**values, **dict(zip(levels[-1].carried_args, current, strict=True))}
            self._copy(statements(levels[-1]), own, element, levels, position)
            return [own.get(value, value) for value in levels[-1].yielded]

        return step

    def _narrow_step(self, levels: Sequence[loop.ForOp], terms: Sequence[Term], element: Element, values: Values) -> Step:
        """A step whose float32 values are added to those of other steps, before all of them are to the rows of float64."""
        skipped = {op for term in terms for op in term.skipped}
        inside = [op for op in statements(levels[-1]) if op not in skipped]

        def step(current: Sequence[SSAValue], position: Sequence[Index]) -> list[SSAValue]:
            own = dict(values)
            self._copy(inside, own, element, levels, position)
            added = [own.get(term.value, term.value) for term in terms]
            return [self.writer.compute("add", *pair) for pair in zip(current, added, strict=True)]

        return step

    def _repeat(
        self, kind: str, step: Step, start: Sequence[SSAValue], at: tuple[Index, ...], steps: int
    ) -> Sequence[SSAValue]:
        """The carried values after so many steps, one after another, from a position on."""
        if steps == 1:
            return step(start, at)
        with self.writer.carrying(kind, 0, steps, start, hint="step") as (repeated, current):
            current[:] = step(current, (*at[:-1], at[-1] + self.frame.index(repeated.induction)))
        return repeated.results

    def _finish(self, block: Block) -> None:
        with self._elements(block) as element:
            last = len(self.found.stages)
            self._copy(self.found.after, self._before(last, element, storing=True), element)

    # Pieces

    @contextmanager
    def _elements(self, block: Block) -> Iterator[Element]:
        """The parallel loop over a block, inside of which its elements are."""
        with self.writer.loop("parallel", 0, block.length, hint="j") as j:
            yield Element(block, j, block.start + j)

    def _before(self, stage: int, element: Element, *, storing: bool = False) -> dict[SSAValue, SSAValue]:
        """What is known of an element before a stage: what the stages before it found, and copies of the statements."""
        values: dict[SSAValue, SSAValue] = {}
        for k, each in enumerate(self.found.stages[: stage + 1]):
            self._copy([op for op in each.before if storing or not isinstance(op, STORES)], values, element)
            if k < stage:
                values |= zip(each.carrying[0].results, self._load(element, k), strict=True)
        return values

    def _load(self, element: Element, stage: int) -> list[SSAValue]:
        return [self.writer.load(row, [element.place]) for row in element.block.rows[stage]]

    def _store(self, values: Sequence[SSAValue], element: Element, stage: int) -> None:
        for value, row in zip(values, element.block.rows[stage], strict=True):
            self.writer.store(value, row, [element.place])

    def _copy(
        self,
        ops: Sequence[Operation],
        values: dict[SSAValue, SSAValue],
        element: Element,
        levels: Sequence[loop.ForOp] = (),
        position: Sequence[Index] = (),
    ) -> None:
        """Copies of statements for an element at a position of carrying loops; `values` gains what they compute."""
        inductions = [self.found.outer.induction, *(level.induction for level in levels)]
        places = over(inductions, self.frame, [element.index, *position])
        for op in ops:
            self.writer.copy(op, values, places)
