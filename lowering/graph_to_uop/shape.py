"""Expansions of elementwise operations, tensor creation and data movement: maps and index maps."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import i64
from xdsl.ir import SSAValue

from ...dialects.graph import elementwise
from ...dialects.graph import shape as shape_ops
from ...dialects.graph.base import ints_of
from ...ir.index.expressions import ONE, ZERO, Index, dim, index, product, split_multiples
from ...ir.scalars.attributes import number
from ...ir.types.shapes import Shape, element_of, shape_of
from ...passes.uop.builder import Emit
from .base import expand


@expand.register
def _(op: elementwise.ElementwiseOp, emit: Emit) -> SSAValue:
    return emit.map(op.function.name, *(emit.broadcast(value, op.shape) for value in op.inputs))


@expand.register
def _(op: elementwise.CastOp, emit: Emit) -> SSAValue:
    return emit.cast(op.input, element_of(op.result))


@expand.register
def _(op: elementwise.ConstantOp, emit: Emit) -> SSAValue:
    return emit.constant(op.value, op.result.type)


@expand.register
def _(op: elementwise.IotaOp, emit: Emit) -> SSAValue:
    return emit.iota(op.axis.value.data, op.shape, element_of(op.result))


@expand.register
def _(op: elementwise.SizeOp, emit: Emit) -> SSAValue:
    return emit.size(op.value.data[0])


@expand.register
def _(op: elementwise.BroadcastOp, emit: Emit) -> SSAValue:
    return emit.broadcast(op.input, op.shape)


@expand.register
def _(op: shape_ops.ReshapeOp, emit: Emit) -> SSAValue:
    return emit.reindex(op.input, op.shape, reshape_access(shape_of(op.input), op.shape))


@expand.register
def _(op: shape_ops.PermuteOp, emit: Emit) -> SSAValue:
    order = ints_of(op.order)
    return emit.reindex(op.input, op.shape, [dim(order.index(axis)) for axis in range(len(order))])


@expand.register
def _(op: shape_ops.SliceOp, emit: Emit) -> SSAValue:
    access = [start + dim(k) * step for k, (start, step) in enumerate(zip(op.starts.data, ints_of(op.steps), strict=True))]
    return emit.reindex(op.input, op.shape, access)


@expand.register
def _(op: shape_ops.PadOp, emit: Emit) -> SSAValue:
    return emit.window(op.input, op.shape, [dim(k) - low for k, low in enumerate(op.low.data)], op.fill)


@expand.register
def _(op: shape_ops.ConcatOp, emit: Emit) -> SSAValue:
    """Operands are joined by a balanced tree of selects, so that the selects per element grow with the logarithm of their
    number."""
    axis = op.axis.value.data
    fill = number(0, element_of(op.result))  # for reads that the select discards
    starts: list[Index] = [ZERO]
    for value in op.inputs:
        starts.append(starts[-1] + shape_of(value)[axis])
    if len(op.inputs) == 1:
        return op.inputs[0]
    position = emit.iota(axis, op.shape, i64)

    def joined(first: int, last: int) -> SSAValue:
        if last - first == 1:
            access = [dim(k) - starts[first] if k == axis else dim(k) for k in range(len(op.shape))]
            return emit.window(op.inputs[first], op.shape, access, fill)
        middle = (first + last) // 2
        left, right = joined(first, middle), joined(middle, last)
        border = emit.broadcast(emit.size(starts[middle]), op.shape)
        return emit.map("select", emit.map("lt", position, border), left, right)

    return joined(0, len(op.inputs))


@expand.register
def _(op: shape_ops.FlipOp, emit: Emit) -> SSAValue:
    axes = ints_of(op.axes)
    return emit.reindex(op.input, op.shape, [n - 1 - dim(k) if k in axes else dim(k) for k, n in enumerate(op.shape)])


@expand.register
def _(op: shape_ops.RollOp, emit: Emit) -> SSAValue:
    access = [dim(k) for k in range(len(op.shape))]
    for axis, shift in zip(ints_of(op.axes), op.shifts.data, strict=True):
        access[axis] = (dim(axis) - shift) % op.shape[axis]
    return emit.reindex(op.input, op.shape, access)


@expand.register
def _(op: shape_ops.TileOp, emit: Emit) -> SSAValue:
    return emit.reindex(op.input, op.shape, [dim(k) % size for k, size in enumerate(shape_of(op.input))])


@expand.register
def _(op: shape_ops.RepeatOp, emit: Emit) -> SSAValue:
    access = [dim(k) for k in range(len(op.shape))]
    access[op.axis.value.data] = dim(op.axis.value.data) // op.count.data[0]
    return emit.reindex(op.input, op.shape, access)


@expand.register
def _(op: shape_ops.DiagonalOp, emit: Emit) -> SSAValue:
    first, second = ints_of(op.axes)
    down, right = op.skipped
    along = dim(len(op.shape) - 1)
    kept = iter(range(len(op.shape) - 1))
    access = [
        along + down if axis == first else along + right if axis == second else dim(next(kept))
        for axis in range(len(shape_of(op.input)))
    ]
    return emit.reindex(op.input, op.shape, access)


def reshape_access(before: Shape, after: Shape) -> list[Index]:
    """The index map of a reshape: the index in a tensor of shape `before` of each element of shape `after`.

    Axes are grouped so that each group has the same number of elements on both sides, which keeps index expressions short: an
    unchanged axis is a group by itself.
    """
    access = [ZERO] * len(before)
    for sources, targets in reshape_groups(before, after):
        linear = ZERO
        for axis in targets:
            linear = linear * after[axis] + dim(axis)
        if len(sources) == 1:
            access[sources[0]] = linear
            continue
        inner = ONE
        for position, axis in reversed(list(enumerate(sources))):
            quotient = linear // inner
            access[axis] = quotient % before[axis] if position else quotient
            inner = inner * before[axis]
    return access


def reshape_groups(before: Shape, after: Shape) -> list[tuple[list[int], list[int]]]:
    """The shortest runs of axes of both shapes whose sizes have provably equal products; axes of size 1 belong to no run."""
    sources = [axis for axis, size in enumerate(before) if size != 1]
    targets = [axis for axis, size in enumerate(after) if size != 1]
    groups: list[tuple[list[int], list[int]]] = []
    i = j = 0
    while i < len(sources) and j < len(targets):
        k, m = i + 1, j + 1
        while (left := _product(before, sources[i:k])) != (right := _product(after, targets[j:m])):
            more_left = k < len(sources) and (m == len(targets) or split_multiples(right, left)[1] == 0)
            if not more_left and m == len(targets):
                return [(sources, targets)]
            k, m = (k + 1, m) if more_left else (k, m + 1)
        groups.append((sources[i:k], targets[j:m]))
        i, j = k, m
    return groups if i == len(sources) and j == len(targets) else [(sources, targets)]


def _product(shape: Sequence[Index], axes: Sequence[int]) -> Index:
    return product(index(shape[axis]) for axis in axes)
