"""Full unrolling of short loops, with simplification of each iteration at its known index.

An iteration whose guards fail uses the fill value, a select with a known condition becomes its operand, and additions of zero
to a sum that started from zero are dropped.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from xdsl.dialects.builtin import FloatAttr, IntegerAttr, i1
from xdsl.ir import Operation, SSAValue
from xdsl.rewriter import InsertPoint
from xdsl.traits import is_side_effect_free

from ....dialects import loop
from ....ir.index.expressions import Atom, Dim, IndexLike
from ....ir.index.simplify import Ranges
from ....ir.rewrite import Builder, erase
from ....ir.scalars.attributes import is_plus_zero, number
from ...analysis.loop_nests import Frame
from ...analysis.reductions import statements
from ..builder import Writer
from ..vector.loop_vectorize import WINDOW
from .conditions import selected_value, truth_of


def short_trips(op: loop.ForOp) -> int | None:
    """The trip count of a loop short enough to unroll fully; None for others."""
    return op.trips if op.trips is not None and op.trips <= WINDOW else None


def unroll_fully(level: loop.ForOp, frame: Frame) -> None:
    """Replace a short loop by its iterations, and the short loops inside of it by theirs."""
    numbers = []
    around = level.parent_op()
    while isinstance(around, loop.ForOp):
        numbers.append(frame.number(around.induction))
        around = around.parent_op()
    Iterations(frame, numbers, Builder(InsertPoint.before(level), level)).run(level)


def simplify_all(op: Operation, frame: Frame, around: Sequence[int]) -> None:
    """Simplify the expressions of a statement inside loops, and of the statements in its regions."""
    if isinstance(op, loop.IndexedOp):
        simplify(op, frame, frame.ranges(around))
    if isinstance(op, loop.ForOp):
        frame.enter(op)
        around = (*around, frame.number(op.induction))
    for region in op.regions:
        for each in region.block.ops:
            simplify_all(each, frame, around)


def simplify(op: loop.IndexedOp, frame: Frame, ranges: Ranges) -> None:
    """Simplify the expressions of an operation, and drop guards that always hold."""
    exprs, guards = (list(map(ranges.simplify, each)) for each in (frame.exprs(op), frame.guards(op)))
    frame.write(op, exprs, [guard for guard in guards if not ranges.nonnegative(guard)])


class Iterations:
    """Writes iterations before a loop; `sums` are values that are never -0, since their first summand was zero."""

    def __init__(self, frame: Frame, around: Sequence[int], builder: Builder):
        self.frame = frame
        self.around = around
        self.ranges = frame.ranges(around)
        self.writer = Writer(frame, builder)
        self.sums: set[SSAValue] = set()
        self.written: list[Operation] = []

    def run(self, level: loop.ForOp) -> None:
        for result, value in zip(level.results, self._loop(level, {}, {}), strict=True):
            result.replace_all_uses_with(value)
        erase(level)
        for op in reversed(self.written):
            if not any(result.uses for result in op.results) and (isinstance(op, loop.LoadOp) or is_side_effect_free(op)):
                erase(op)

    def _loop(self, level: loop.ForOp, values: Mapping[SSAValue, SSAValue], places: Mapping[Atom, IndexLike]) -> list[SSAValue]:
        """Write all iterations. Returns the carried values after the last."""
        trips = short_trips(level)
        assert trips is not None, "only short loops are unrolled"
        carried = [values.get(each, each) for each in level.carried]
        self.sums.update(value for value in carried if _is_plus_zero(value))
        lower, index = self.frame.exprs(level)[0].substitute(places), Dim(self.frame.number(level.induction))
        for trip in range(trips):
            inner = {**values, **dict(zip(level.carried_args, carried, strict=True))}
            here = {**places, index: lower + trip * level.step.value.data}
            for statement in statements(level):
                self._statement(statement, inner, here)
            carried = [inner.get(each, each) for each in level.yielded]
        return carried

    def _statement(self, op: Operation, values: dict[SSAValue, SSAValue], places: Mapping[Atom, IndexLike]) -> None:
        if isinstance(op, loop.ForOp) and short_trips(op) is not None:
            values.update(zip(op.results, self._loop(op, values, places), strict=True))
            return
        copy = self.writer.copy(op, values, places)
        if copy.regions:
            simplify_all(copy, self.frame, self.around)
        elif isinstance(copy, loop.IndexedOp):
            simplify(copy, self.frame, self.ranges)
        known = self._known(copy)
        if known is None:
            self.written.append(copy)
            return
        values[op.results[0]] = known
        erase(copy)

    def _known(self, op: Operation) -> SSAValue | None:
        """The simplified result of an operation, if there is one."""
        match op:
            case loop.LoadOp(fill=fill) if fill is not None and self._never(op):
                return self._constant(fill)
            case loop.TestOp() | loop.ComputeOp() if (holds := truth_of(op, self.frame, self.ranges)) is not None:
                return self._constant(number(holds, i1))
            case loop.ComputeOp() if (value := selected_value(op)) is not None:
                return value
            case loop.ComputeOp(function=function) if function.data == "add" and op.inputs[0] in self.sums:
                if _is_plus_zero(op.inputs[1]):
                    return op.inputs[0]
                self.sums.add(op.result)
        return None

    def _constant(self, value: FloatAttr | IntegerAttr) -> SSAValue:
        made = self.writer.builder.add(loop.ConstantOp(value))
        self.written.append(made)
        return made.result

    def _never(self, op: loop.LoadOp) -> bool:
        """Whether one of the guards of a load never holds."""
        return any(self.ranges.nonnegative(-1 - each) for each in self.frame.guards(op))


def _is_plus_zero(value: SSAValue) -> bool:
    return isinstance(value.owner, loop.ConstantOp) and is_plus_zero(value.owner.value)
