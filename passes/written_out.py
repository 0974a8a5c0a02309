"""Short loops written out: each iteration on its own, without what its index settles.

What guards leave out of an iteration is its fill value, a choice whose condition is known is the value that it chooses, and
zeros add nothing to a sum that began with one.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from xdsl.dialects.builtin import FloatAttr, IntegerAttr, i1
from xdsl.ir import Operation, SSAValue
from xdsl.rewriter import InsertPoint
from xdsl.traits import is_side_effect_free

from ..dialects import loop
from ..ir.index import Atom, Dim, IndexLike
from ..ir.rewrite import Builder, erase
from ..ir.values import is_plus_zero, number, value_of
from .loop_writer import Writer
from .nests import Frame
from .reductions import statements


def write_out(level: loop.ForOp, frame: Frame) -> None:
    """Put a loop's iterations, and those of the short loops inside of it, in its place."""
    numbers = []
    around = level.parent_op()
    while isinstance(around, loop.ForOp):
        numbers.append(frame.number(around.induction))
        around = around.parent_op()
    Iterations(frame, numbers, Builder(InsertPoint.before(level), level)).run(level)


class Iterations:
    """Writes iterations before a loop; `sums` are values that are never -0, since zero was the first of what they add."""

    def __init__(self, frame: Frame, around: Sequence[int], builder: Builder):
        self.frame = frame
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
        """Write all iterations. Gives what is carried behind the last."""
        assert level.trips is not None, "a loop that is written out has a constant number of iterations"
        carried = [values.get(each, each) for each in level.carried]
        self.sums.update(value for value in carried if _is_plus_zero(value))
        lower, index = self.frame.exprs(level)[0].substitute(places), Dim(self.frame.number(level.induction))
        for trip in range(level.trips):
            inner = {**values, **dict(zip(level.carried_args, carried, strict=True))}
            here = {**places, index: lower + trip * level.step.value.data}
            for statement in statements(level):
                self._statement(statement, inner, here)
            carried = [inner.get(each, each) for each in level.yielded]
        return carried

    def _statement(self, op: Operation, values: dict[SSAValue, SSAValue], places: Mapping[Atom, IndexLike]) -> None:
        if isinstance(op, loop.ForOp) and op.trips is not None:
            values.update(zip(op.results, self._loop(op, values, places), strict=True))
            return
        copy = self.writer.copy(op, values, places)
        if isinstance(copy, loop.IndexedOp):
            exprs, guards = (
                list(map(self.ranges.simplify, each)) for each in (self.frame.exprs(copy), self.frame.guards(copy))
            )
            self.frame.write(copy, exprs, [guard for guard in guards if not self.ranges.nonnegative(guard)])
        known = self._known(copy)
        if known is None:
            self.written.append(copy)
            return
        values[op.results[0]] = known
        erase(copy)

    def _known(self, op: Operation) -> SSAValue | None:
        """A value that stands for what an operation computes, if there is one."""
        match op:
            case loop.LoadOp(fill=fill) if fill is not None and self._never(op):
                return self._constant(fill)
            case loop.TestOp() if self._never(op):
                return self._constant(number(False, i1))
            case loop.TestOp() if all(map(self.ranges.nonnegative, self.frame.exprs(op))):
                return self._constant(number(True, i1))
            case loop.ComputeOp(function=function) if function.data == "select":
                chosen = op.inputs[0].owner
                return op.inputs[1 if value_of(chosen.value) else 2] if isinstance(chosen, loop.ConstantOp) else None
            case loop.ComputeOp(function=function) if function.data == "add" and op.inputs[0] in self.sums:
                if _is_plus_zero(op.inputs[1]):
                    return op.inputs[0]
                self.sums.add(op.result)
        return None

    def _constant(self, value: FloatAttr | IntegerAttr) -> SSAValue:
        made = self.writer.builder.add(loop.ConstantOp(value))
        self.written.append(made)
        return made.result

    def _never(self, op: loop.LoadOp | loop.TestOp) -> bool:
        """Whether one of the conditions of an operation never holds."""
        conditions = self.frame.exprs(op) if isinstance(op, loop.TestOp) else self.frame.guards(op)
        return any(self.ranges.nonnegative(-1 - each) for each in conditions)


def _is_plus_zero(value: SSAValue) -> bool:
    return isinstance(value.owner, loop.ConstantOp) and is_plus_zero(value.owner.value)
