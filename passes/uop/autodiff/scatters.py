"""Gradients of scatters: gather the cotangent at each update's index.

Elements equal to a max or min share its cotangent, including the element scattered into. For "set" the last update gets all of
it. For a product each element gets the product of all others, by recurrences forward and backward over the updates: without a
division, so that zeros need no special case.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple

from xdsl.dialects.builtin import i64
from xdsl.ir import SSAValue

from ....dialects import uop
from ....ir.index.expressions import dim, product
from ....ir.scalars.attributes import number
from ....ir.types.shapes import element_of, row_major, shape_of
from ..builder import Emit
from .base import Cotangents, counting_type, extreme, gradients, gradients_of_all, shared


@gradients.register
def _(op: uop.ScatterOp, cotangent: SSAValue, wanted: Sequence[bool], emit: Emit) -> Cotangents:
    found = _SCATTERS[op.accumulator.data](Scatter(op, emit), cotangent)
    return [*found, *[None] * len(op.indices)]


@gradients_of_all.register
def _(op: uop.ScatterRecurrenceOp, cotangents: Cotangents, wanted: Sequence[bool], emit: Emit) -> Cotangents:
    """The same recurrence backward: the cotangent at an index passes through the factors, from the last update to the first,
    and the cotangent of each update is added."""
    by_last, by_before = cotangents
    start = by_last or emit.full(shape_of(op.last), 0, element_of(op.last))
    by_init, arrived = recurred(op, emit, start, op.factors, by_before, reverse=not op.reverse.value.data)
    return [by_init, emit.map("mul", arrived, op.before), arrived, *[None] * len(op.indices)]


def recurred(
    op: uop.ScatterOp | uop.ScatterRecurrenceOp,
    emit: Emit,
    init: SSAValue,
    factors: SSAValue,
    added: SSAValue | None,
    *,
    reverse: bool,
) -> Sequence[SSAValue]:
    """A recurrence over the updates at each index of the operation. `added` is None for zeros."""
    indices = [(value, access.results) for value, access in op.loads()]
    value = added or emit.full(shape_of(factors), 0, element_of(factors))
    return emit.scatter_recurrence(
        init, factors, value, op.map.data.results, indices, op.guard_exprs(), op.bounds.data, reverse
    )


class Scatter(NamedTuple):
    """A scatter, whose indices are reused for other tensors."""

    op: uop.ScatterOp
    emit: Emit

    def there(self, accumulator: str, init: SSAValue, updates: SSAValue) -> SSAValue:
        """Scatter other updates to the same indices."""
        op = self.op
        indices = [(value, access.results) for value, access in op.loads()]
        return self.emit.scatter(accumulator, init, updates, op.map.data.results, indices, op.guard_exprs(), op.bounds.data)

    def back(self, value: SSAValue) -> SSAValue:
        """Gather `value` at each update's index; 0 (or false) for indices out of bounds."""
        op = self.op
        indices = [(tensor, access.results) for tensor, access in op.loads()]
        fill = number(0, element_of(value))
        shape = shape_of(op.updates)
        made = uop.ReindexOp(value, shape, op.map.data.results, indices=indices, guards=op.guard_exprs(), fill=fill)
        return self.emit.builder.add(made).result

    def both(self, function: Callable[[SSAValue, SSAValue], SSAValue], value: SSAValue) -> list[SSAValue]:
        """Apply a function to the tensor scattered into and `value`, and to the updates and `value` gathered at their
        indices."""
        return [function(self.op.init, value), function(self.op.updates, self.back(value))]

    def counted(self, marks: Sequence[SSAValue]) -> SSAValue:
        """The number of marked elements, of the tensor and the updates, that meet at each index."""
        init, updates = (self.emit.cast(each, counting_type(element_of(self.op.init))) for each in marks)
        return self.there("add", init, updates)

    def full(self, value: float, like: SSAValue) -> SSAValue:
        return self.emit.full(shape_of(like), value, element_of(like))


def _of_sum(scatter: Scatter, cotangent: SSAValue) -> list[SSAValue]:
    return [cotangent, scatter.back(cotangent)]


def _of_set(scatter: Scatter, cotangent: SSAValue) -> list[SSAValue]:
    """The cotangent of the last update of an index, the update with the greatest number."""
    emit, updates = scatter.emit, scatter.op.updates
    shape = shape_of(updates)
    everywhere = [dim(axis) for axis in range(len(shape))]
    number_of = emit.reindex(emit.iota(0, [product(shape)], i64), shape, [row_major(shape, everywhere)])
    nobody = emit.full(shape_of(cotangent), -1, i64)
    last = scatter.there("max", nobody, number_of)
    stays, wins = emit.map("eq", last, nobody), emit.map("eq", scatter.back(last), number_of)
    return [
        emit.map("select", stays, cotangent, scatter.full(0, cotangent)),
        emit.map("select", wins, scatter.back(cotangent), scatter.full(0, updates)),
    ]


def _of_extremum(scatter: Scatter, cotangent: SSAValue) -> list[SSAValue]:
    emit, result = scatter.emit, scatter.op.result
    wins = scatter.both(lambda value, there: extreme(emit, value, there), result)
    share = shared(emit, cotangent, scatter.counted(wins))
    shares = (share, scatter.back(share))
    return [emit.map("select", won, part, scatter.full(0, part)) for won, part in zip(wins, shares, strict=True)]


def _of_product(scatter: Scatter, cotangent: SSAValue) -> list[SSAValue]:
    """The product of the values before each update at its index, times the product of the values after it."""
    updates = scatter.op.updates
    _, before = recurred(scatter.op, scatter.emit, scatter.op.init, updates, None, reverse=False)
    by_init, behind = recurred(scatter.op, scatter.emit, cotangent, updates, None, reverse=True)
    return [by_init, scatter.emit.map("mul", before, behind)]


def _of_logaddexp(scatter: Scatter, cotangent: SSAValue) -> list[SSAValue]:
    """The cotangent, shared in proportion to softmax; infinities equal to the result share it equally."""
    emit, result = scatter.emit, scatter.op.result
    wins = scatter.both(lambda value, there: emit.map("eq", value, there), result)
    most = shared(emit, scatter.full(1, result), scatter.counted(wins))
    shares = scatter.both(lambda value, there: emit.map("exp", emit.map("sub", value, there)), result)
    found = zip(wins, (most, scatter.back(most)), shares, (cotangent, scatter.back(cotangent)), strict=True)
    return [emit.map("mul", arrived, emit.map("select", won, all_of_it, part)) for won, all_of_it, part, arrived in found]


_SCATTERS: Mapping[str, Callable[[Scatter, SSAValue], list[SSAValue]]] = MappingProxyType(
    {
        "add": _of_sum,
        "set": _of_set,
        "max": _of_extremum,
        "min": _of_extremum,
        "mul": _of_product,
        "logaddexp": _of_logaddexp,
    }
)
