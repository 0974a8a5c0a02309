"""loop-unroll-windows: fully unroll reductions over overlapping windows, interleaved by the elements that they read.

    for "vector" %v in (0, 16)                             for "vector" %v in (0, 16)
      %a = for "unroll" %p in (0, 3): ... x[i + p, v]        %x0 = x[i, v];      %a = ... %x0
      %b = for "unroll" %p in (0, 3): ... x[i + 1 + p, v]    %x1 = x[i + 1, v];  %a = ... %x1;  %b = ... %x1
                                                      ->     %x2 = x[i + 2, v];  %a = ... %x2;  %b = ... %x2
                                                             %x3 = x[i + 3, v];                 %b = ... %x3

1. Select the unrolled loops in one vector loop that carry values and perfectly nest loads and computations, if all of them read
   one buffer at offsets that differ by constants only.
2. Order the steps of all loops by the offset that they read. The order of steps within each loop is kept, so that no sum is
   reassociated; loops whose steps do not go forwards in memory are left alone.
3. `cse` then merges the loads, and each element stays in a register while all of its users run. Unrolled one after the other,
   the loops would keep all shared elements in registers, or load them again.
"""

from __future__ import annotations

import heapq
import itertools
import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation, SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint
from xdsl.traits import Pure

from ....dialects import loop
from ....ir.functions.entry import lowered_functions
from ....ir.index.expressions import Atom, Index, IndexLike
from ....ir.nesting import operations
from ....ir.rewrite import Builder, count, erase
from ...analysis.loop_nests import Frame
from ...analysis.reductions import carrying, statements
from ...manager.options import limited
from ..builder import Writer, over

# The index of each loop of a window, from outside in.
Step = tuple[int, ...]
# The address in a step: the constant in each index of an access.
Offset = tuple[int, ...]


@dataclass(frozen=True)
class LoopUnrollWindows(ModulePass):
    """`steps` is the most unrolled steps of the loops in one vector loop."""

    name = "loop-unroll-windows"

    steps: int = limited(128, least=0)

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for function in lowered_functions(op):
            for vector in [each for each in operations(function) if isinstance(each, loop.ForOp)]:
                if vector.kind.data == "vector":
                    self._unroll(vector)

    def _unroll(self, vector: loop.ForOp) -> None:
        frame = Frame()
        found = [loops for loops in map(_loops_of_window, statements(vector)) if loops]
        if len(found) < 2 or sum(math.prod(map(len, map(_numbers, loops))) for loops in found) > self.steps:
            return
        windows = [Window(loops, frame) for loops in found]
        places = _offsets(windows, vector.induction, frame)
        if places is not None and _make_adjacent([each.outer for each in windows]):
            _write(windows, places, frame)
            count("windows-unrolled", "Number of windows unrolled and interleaved with others", len(windows))


class Window:
    """Perfectly nested loops of constant lengths, from outside in."""

    def __init__(self, loops: Sequence[loop.ForOp], frame: Frame):
        self.outer, self.inner = loops[0], loops[-1]
        self.indices = [each.induction for each in loops]
        self.frame = frame
        self.steps: list[Step] = list(itertools.product(*map(_numbers, loops)))

    def loads(self, buffer: SSAValue) -> list[loop.LoadOp]:
        """The loads of a step from a buffer."""
        return [each for each in statements(self.inner) if isinstance(each, loop.LoadOp) and each.buffer is buffer]

    def at(self, step: Step) -> Mapping[Atom, IndexLike]:
        """The values of the loops' indices in a step."""
        return over(self.indices, self.frame, step)

    def reads(self, load: loop.LoadOp) -> list[tuple[Index, ...]]:
        """The addresses of a load, for each step."""
        exprs = self.frame.exprs(load)
        return [tuple(expr.substitute(self.at(step)) for expr in exprs) for step in self.steps]


def _loops_of_window(op: Operation) -> list[loop.ForOp]:
    """The loops of a window, from outside in; empty for any other operation."""
    if not isinstance(op, loop.ForOp) or op.kind.data != "unroll" or not op.carried:
        return []
    loops = carrying(op, ("unroll",))
    return loops if all(_only_reads(each) for each in statements(loops[-1])) and all(_numbers(each) for each in loops) else []


def _only_reads(statement: Operation) -> bool:
    return isinstance(statement, loop.LoadOp) or statement.has_trait(Pure)


def _numbers(op: loop.ForOp) -> range:
    """The values of a loop's index; empty if its bounds are not constant."""
    first, trips, step = op.lower.constant, op.trips, op.step.value.data
    return range(0) if first is None or trips is None else range(first, first + trips * step, step)


def _offsets(windows: Sequence[Window], lane: SSAValue, frame: Frame) -> list[list[Offset]] | None:
    """The offsets that the steps of each window read of a shared buffer; None if there is no buffer in which the steps of all
    windows go forwards."""
    for buffer in dict.fromkeys(each.buffer for each in statements(windows[0].inner) if isinstance(each, loop.LoadOp)):
        loads = [window.loads(buffer) for window in windows]
        if any(len(each) != 1 for each in loads):
            continue
        reads = [window.reads(each) for window, (each,) in zip(windows, loads, strict=True)]
        apart = {tuple(expr - expr.offset for expr in exprs) for each in reads for exprs in each}
        along = any(frame.number(lane) in expr.dims() for exprs in apart for expr in exprs)
        places = [[tuple(expr.offset for expr in exprs) for exprs in each] for each in reads]
        shared = Counter(place for each in places for place in set(each))
        if along and len(apart) == 1 and max(shared.values()) > 1 and all(each == sorted(each) for each in places):
            return places
    return None


def _make_adjacent(loops: Sequence[loop.ForOp]) -> bool:
    """Move the statements between loops before the first one, unless they depend on a loop. False if a loop depends on another
    one, or if a statement does more than read and compute."""
    first, block = loops[0], loops[0].parent_block()
    assert block is not None, "loops have a parent vector loop"
    after = itertools.dropwhile(lambda each: each is not first, block.ops)
    between = itertools.takewhile(lambda each: each is not loops[-1], after)
    found, free = set[SSAValue](), list[Operation]()
    for statement in [*between, loops[-1]]:
        depends = any(operand in found for inner in statement.walk() for operand in inner.operands)
        if (depends and statement in loops) or (statement not in loops and not _only_reads(statement)):
            return False
        if depends or statement in loops:
            found.update(statement.results)
        else:
            free.append(statement)
    for statement in free:
        statement.detach()
        block.insert_op_before(statement, first)
    return True


def _write(windows: Sequence[Window], places: Sequence[Sequence[Offset]], frame: Frame) -> None:
    """Write the steps of all windows in the order of their offsets, replacing the first window."""
    writer = Writer(frame, Builder(InsertPoint.before(windows[0].outer), *(each.outer for each in windows)))
    carried = [list(each.outer.carried) for each in windows]
    turns = [
        [(place, number, step) for place, step in zip(each, window.steps, strict=True)]
        for number, (each, window) in enumerate(zip(places, windows, strict=True))
    ]
    for _, number, step in heapq.merge(*turns):
        inner = windows[number].inner
        values = dict[SSAValue, SSAValue](zip(inner.carried_args, carried[number], strict=True))
        for statement in statements(inner):
            writer.copy(statement, values, windows[number].at(step))
        carried[number] = [values.get(each, each) for each in inner.yielded]
    for window, last in zip(windows, carried, strict=True):
        for old, new in zip(window.outer.results, last, strict=True):
            old.replace_all_uses_with(new)
        erase(window.outer)
