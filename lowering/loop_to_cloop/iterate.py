"""Lowering of `loop.iterate`: a sequential loop that calls the step function, with pointers computed for each step."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from xdsl.ir import SSAValue

from ...dialects import cloop, loop
from ...ir.index.expressions import Index, dim, index, product
from ...ir.index.simplify import Ranges
from ...ir.types.shapes import shape_of
from ..emission.divisions import truncating
from .values import ValueWriter


def write_iteration(op: loop.IterateOp, writer: ValueWriter, pointers: Mapping[SSAValue, SSAValue]) -> None:
    """Write the loop. `pointers` maps the operation's buffers to their pointers."""
    steps = writer.builder.add(cloop.ForOp([index(0), op.length], [], 1))
    steps.induction.name_hint = "step"
    with writer.inside(steps.body.block):
        call = _Call(op, writer, pointers, steps.induction)
        before = [call.carry_in(*each) for each in zip(op.init, op.last, op.spare, strict=True)]
        after = [call.carry_out(*each) for each in zip(op.last, op.spare, strict=True)]
        shared = [pointers[each] for each in op.shared]
        arguments = [*before, *map(call.entry, op.stacked), *shared, *after, *map(call.entry, op.into)]
        writer.builder.add(cloop.CallOp(op.function.root_reference.data, arguments))


class _Call:
    """The pointer arguments of the call in step number `step`."""

    def __init__(self, op: loop.IterateOp, writer: ValueWriter, pointers: Mapping[SSAValue, SSAValue], step: SSAValue):
        self.op, self.writer, self.pointers = op, writer, pointers
        self.at: Sequence[SSAValue] = [step]
        self.ranges = Ranges({0: (index(0), op.length - 1)})

    def entry(self, buffer: SSAValue) -> SSAValue:
        """A pointer to the slice of a stacked buffer that the step reads or writes."""
        number = self.op.length - 1 - dim(0) if self.op.backwards else dim(0)
        offset = number * product(shape_of(buffer)[1:])
        return self.writer.add(cloop.OffsetOp(self.pointers[buffer], offset, self.at))

    def carry_in(self, init: SSAValue, last: SSAValue, spare: SSAValue) -> SSAValue:
        """The buffer that the step reads a carried value from: the previous step's output, or `init` in the first step."""
        previous = self._pick(spare, last, (self.op.length - dim(0)) % 2 - 1, "const")
        return self.writer.add(cloop.PickOp(previous, self.pointers[init], dim(0) - 1, self.at, "const"))

    def carry_out(self, last: SSAValue, spare: SSAValue) -> SSAValue:
        """The buffer that the step writes a carried value to: `last` and `spare` alternately; the final step writes `last`."""
        return self._pick(spare, last, (self.op.length - dim(0) - 1) % 2 - 1, "")

    def _pick(self, first: SSAValue, second: SSAValue, condition: Index, qualifier: str) -> SSAValue:
        expr = truncating(self.ranges.simplify(condition), self.ranges)
        return self.writer.add(cloop.PickOp(self.pointers[first], self.pointers[second], expr, self.at, qualifier))
