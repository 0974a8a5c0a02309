"""loop-index-set-split: split a loop into its interior, where guards always hold and are dropped, and its borders.

    for %i in (0, n)                                  for %i in (0, min(1, n)):           as before
      for %k in (0, 3)                                for %i in (min(1, n), max(...)):    without guards
        x[i + k - 1] guard (i + k - 1,         ->     for %i in (max(...), n):            as before
                            n - i - k)

1. A parallel loop is split if it has guards that are a multiple of its index plus terms of inner loop indices and sizes.
2. The bounds of the inner loops give the first and the last index for which such a guard holds in all of their iterations.
3. Split the loop there. A short border of single elements becomes sequential.
4. Simplify: after the split, comparisons of an index with the split point always or never hold.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Block, SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint

from ....dialects import loop
from ....ir.index.expressions import Dim, Index, ceildiv, dim, maximum, minimum
from ....ir.index.simplify import Ranges
from ....ir.nesting import operations
from ....ir.rewrite import Builder, count
from ...analysis.loop_nests import AccessOp, Frame, lowered_blocks
from ...analysis.reductions import statements
from ...manager.options import limited
from ..builder import Writer, over
from .loop_simplify import Simplifier

# A border of at most so many single elements becomes sequential: vectors do not pay.
SHORT_BORDER = 16


@dataclass(frozen=True)
class LoopIndexSetSplit(ModulePass):
    """Loops with more than `statements` operations are not split, since the pass makes three copies of a loop, and nine of a
    nest of two. The limit is far above the size of windows."""

    name = "loop-index-set-split"

    statements: int = limited(300, least=0)

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for block in lowered_blocks(op):
            if self._body(block.body.block, Frame()):
                Simplifier().body(block.body.block, ())

    def _body(self, body: Block, frame: Frame) -> bool:
        """Split the loops of a body. Returns whether any loop was split."""
        found = False
        for op in list(body.ops):
            if isinstance(op, loop.ForOp) and self._is_chosen(op):
                for level in operations(op):
                    if isinstance(level, loop.ForOp):
                        frame.enter(level)
                found = _split(op, frame) or found
            for region in op.regions:
                found = self._body(region.block, frame) or found
        return found

    def _is_chosen(self, op: loop.ForOp) -> bool:
        if op.kind.data != "parallel" or op.carried or op.step.value.data != 1:
            return False
        inside = operations(op.body)
        return len(inside) <= self.statements and any("guards" in each.properties for each in inside)


@dataclass(frozen=True)
class Guarded:
    """An access with the guards that always hold in the interior, and the remaining ones."""

    op: AccessOp
    settled: tuple[Index, ...]
    remaining: tuple[Index, ...]


def _split(op: loop.ForOp, frame: Frame) -> bool:
    """Split a loop where its guards begin and cease to hold. Returns whether it was split."""
    number = frame.number(op.induction)
    inner = {frame.number(level.induction) for level in operations(op.body) if isinstance(level, loop.ForOp)}
    ranges = frame.ranges(inner)
    guarded = list(_guarded(op, number, inner, frame, ranges))
    if not guarded:
        return False
    lower, upper = frame.exprs(op)
    first, last = lower, upper
    for step, least in _tightest({guard: None for each in guarded for guard in each.settled}, number, ranges):
        if step > 0:
            first = maximum(first, ceildiv(-least, step))
        else:
            last = minimum(last, least // -step + 1)
    first = minimum(first, upper) if first != lower else lower
    last = maximum(first, last)
    writer = Writer(frame, Builder(InsertPoint.before(op), op))
    _border(op, writer, lower, first)
    with writer.inside(InsertPoint.after(op)):
        _border(op, writer, last, upper)
    frame.write(op, (first, last))
    for each in guarded:
        frame.write(each.op, frame.exprs(each.op), each.remaining)
    count("loops-split", "Number of loops split into an interior without guards and borders")
    return True


def _guarded(op: loop.ForOp, number: int, inner: set[int], frame: Frame, ranges: Ranges) -> Iterator[Guarded]:
    # In panels that have an interior and a border themselves, only consider guards that hold up to the panels' ends.
    steps = (1, -1) if any(isinstance(each, loop.IfOp) for each in operations(op.body)) else None
    for access in operations(op.body):
        if not isinstance(access, AccessOp):
            continue
        guards = frame.guards(access)
        settled = tuple(guard for guard in guards if _may_always_hold(guard, number, inner, ranges, steps))
        if settled:
            yield Guarded(access, settled, tuple(guard for guard in guards if guard not in settled))


def _may_always_hold(guard: Index, number: int, inner: set[int], ranges: Ranges, steps: tuple[int, ...] | None) -> bool:
    step = _step(guard, number)
    if number not in guard.dims() or not guard.dims() <= inner | {number} or not step or (steps and step not in steps):
        return False
    return ranges.bound(guard - step * dim(number), upper=False) is not None


def _tightest(guards: Iterable[Index], number: int, ranges: Ranges) -> list[tuple[int, Index]]:
    """The step of each guard and the lower bound of its other terms. Of guards that differ by a constant, only the strictest is
    returned."""
    found: list[tuple[int, Index]] = []
    for guard in guards:
        step = _step(guard, number)
        least = ranges.bound(guard - step * dim(number), upper=False)
        assert least is not None, "guards without a bound were excluded"
        for k, (known_step, known) in enumerate(found):
            apart = (least - known).constant
            if known_step == step and apart is not None:
                found[k] = (step, known if apart >= 0 else least)
                break
        else:
            found.append((step, least))
    return found


def _step(guard: Index, number: int) -> int:
    """The coefficient of the loop's index in the guard, 0 if that is not constant."""
    factor = guard.coefficient(Dim(number))
    return factor.constant or 0 if factor is not None else 0


def _border(op: loop.ForOp, writer: Writer, lower: Index, upper: Index) -> None:
    if upper - lower == 0:
        return
    is_short = Ranges().nonnegative(SHORT_BORDER - (upper - lower)) and not any(each.regions for each in statements(op))
    kind = "sequential" if is_short else "parallel"
    with writer.loop(kind, lower, upper, hint=op.induction.name_hint or "i") as i:
        values: dict[SSAValue, SSAValue] = {}
        for statement in statements(op):
            writer.copy(statement, values, over([op.induction], writer.frame, [i]))
