"""Gradients of scans and recurrences.

A scan is y[k] = f(y[k - 1], x[k]). The cotangent of y[k] is the cotangent that enters at y[k], plus the cotangent of y[k + 1]
times the derivative of f by y[k]: a linear recurrence from the end, for any f, without a division, so that zeros need no
special case. For a sum all factors are 1, and the recurrence is a scan again.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from xdsl.dialects.builtin import i64
from xdsl.ir import Attribute, SSAValue

from ....dialects import uop
from ....ir.index.expressions import dim
from ....ir.scalars.attributes import neutral, number
from ....ir.scalars.table import scalar
from ....ir.types.shapes import Shape, element_of, shape_of
from ..builder import Emit
from .base import Cotangents, counting_type, gradients
from .maps import Scalars


class Direction(NamedTuple):
    """The axis that a scan runs along, and whether it runs from the end."""

    axis: int
    reverse: bool

    def before(self, emit: Emit, value: SSAValue, first: Attribute) -> SSAValue:
        """Shift by one: for each element the previous one in the direction of the scan, and `first` for the first element."""
        return self._moved(emit, value, first, 1 if self.reverse else -1)

    def behind(self, emit: Emit, value: SSAValue) -> SSAValue:
        """For each element the next one in the direction of the scan, and 0 for the last element."""
        return self._moved(emit, value, number(0, element_of(value)), -1 if self.reverse else 1)

    def is_first(self, emit: Emit, shape: Shape) -> SSAValue:
        """The mask of the elements that the scan starts with."""
        first = emit.size(shape[self.axis] - 1) if self.reverse else emit.full((), 0, i64)
        return emit.map("eq", emit.iota(self.axis, shape, i64), emit.broadcast(first, shape))

    def _moved(self, emit: Emit, value: SSAValue, fill: Attribute, by: int) -> SSAValue:
        shape = shape_of(value)
        return emit.window(value, shape, [dim(k) + by if k == self.axis else dim(k) for k in range(len(shape))], fill)

    def back(self, emit: Emit, factors: SSAValue, cotangent: SSAValue) -> SSAValue:
        """The cotangents of a recurrence's results, given the cotangents from outside."""
        return emit.recurrence(self.behind(emit, factors), cotangent, self.axis, not self.reverse)


@gradients.register
def _(op: uop.ScanOp, cotangent: SSAValue, wanted: Sequence[bool], emit: Emit) -> Cotangents:
    kind, exclusive = op.accumulator.data, bool(op.exclusive.value.data)
    along = Direction(op.axis.value.data, bool(op.reverse.value.data))
    if kind == "add":
        return [emit.scan("add", cotangent, along.axis, not along.reverse, exclusive)]
    if exclusive:
        before, after = op.result, emit.map(kind, op.result, op.input)
        cotangent = along.behind(emit, cotangent)
    else:
        before, after = along.before(emit, op.result, neutral(kind, element_of(op.input))), op.result
    if kind in ("max", "min"):
        wide = counting_type(element_of(op.input))
        by_before, by_input = _shares(kind, emit.cast(before, wide), emit.cast(op.input, wide), along, emit)
        arrived = along.back(emit, by_before, emit.cast(cotangent, wide))
        return [emit.cast(emit.map("mul", arrived, by_input), element_of(op.input))]
    derivative = scalar(kind).derivative
    assert derivative is not None, f"'{kind}' of floats has a derivative"
    scalars = Scalars(emit, op.input)
    by_before, by_input = derivative(scalars, before, op.input, after)
    if kind == "logaddexp":
        # The identity before the first element gets no share, even if it equals the first element.
        by_input = scalars.select(along.is_first(emit, op.shape), scalars.const(1.0), by_input)
    return [emit.map("mul", along.back(emit, by_before, cotangent), by_input)]


def _shares(kind: str, before: SSAValue, value: SSAValue, along: Direction, emit: Emit) -> tuple[SSAValue, SSAValue]:
    """The shares of the previous elements and of the current element in each running extremum. Shares are proportional to the
    numbers of elements that equal the extremum; a recurrence counts these. NaN beats any number, and equals another NaN."""
    scalars = Scalars(emit, value)
    one, zero = scalars.const(1.0), scalars.const(0.0)
    better = "gt" if kind == "max" else "lt"
    stays = emit.map("or", emit.map(better, before, value), emit.map("isnan", before))
    comes = emit.map("or", emit.map(better, value, before), emit.map("isnan", value))
    ties = emit.map("or", emit.map("eq", before, value), emit.map("and", stays, comes))
    counted = scalars.select(emit.map("or", comes, ties), one, zero)
    kept = scalars.select(emit.map("or", stays, ties), one, zero)
    # The identity before the first element does not count, even if it equals the first element.
    equal = scalars.max(emit.recurrence(kept, counted, along.axis, along.reverse), one)
    share = scalars.reciprocal(equal)
    by_before = scalars.select(ties, scalars.sub(one, share), scalars.select(stays, one, zero))
    return by_before, scalars.select(ties, share, scalars.select(comes, one, zero))


@gradients.register
def _(op: uop.RecurrenceOp, cotangent: SSAValue, wanted: Sequence[bool], emit: Emit) -> Cotangents:
    along = Direction(op.axis.value.data, bool(op.reverse.value.data))
    by_input = along.back(emit, op.factors, cotangent)
    before = along.before(emit, op.result, number(0, element_of(op.result)))
    return [emit.map("mul", by_input, before), by_input]
