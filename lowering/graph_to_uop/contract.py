"""Expansions of contractions, convolutions and windows: operands are broadcast to the full index space, multiplied, reduced."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.ir import SSAValue

from ...dialects import graph
from ...dialects.graph import contract as graph_contract
from ...dialects.graph.base import ints_of
from ...ir.index.expressions import Index, dim, index
from ...ir.index.simplify import Ranges
from ...ir.scalars.attributes import neutral, number
from ...ir.types.dtypes import dtype_of
from ...ir.types.shapes import Shape, element_of, shape_of
from ...passes.uop.builder import Emit, aligned
from .base import expand


def multiply_and_sum(emit: Emit, lhs: SSAValue, rhs: SSAValue, axes: Sequence[int]) -> SSAValue:
    """The sum of products of two operands over the same index space; for bools, whether any pair is true."""
    is_bool = dtype_of(element_of(lhs)).kind == "bool"
    return emit.reduce("or" if is_bool else "add", emit.map("and" if is_bool else "mul", lhs, rhs), axes)


@expand.register
def _(op: graph_contract.EinsumOp, emit: Emit) -> SSAValue:
    """Operands are contracted from left to right; each label is summed after its last use."""
    operands, result = op.labels
    extents = op.extents()
    value, labels = op.inputs[0], operands[0]
    for position in range(1, len(operands)):
        needed = result + "".join(operands[position + 1 :])
        space = ordered_labels(labels + operands[position], needed)
        left = spread(emit, value, labels, space, extents)
        right = spread(emit, op.inputs[position], operands[position], space, extents)
        labels = "".join(label for label in space if label in needed)
        value = multiply_and_sum(emit, left, right, range(len(labels), len(space)))
    space = ordered_labels(labels, result)
    value = spread(emit, value, labels, space, extents)
    is_bool = dtype_of(element_of(value)).kind == "bool"
    return emit.reduce("or" if is_bool else "add", value, range(len(result), len(space)))


def ordered_labels(labels: str, needed: str) -> str:
    """The distinct labels: first those in `needed`, in that order, then those that are summed."""
    return "".join(dict.fromkeys([*(label for label in needed if label in labels), *labels]))


def spread(emit: Emit, value: SSAValue, labels: str, space: str, extents: dict[str, Index]) -> SSAValue:
    """An operand broadcast to the index space of the labels in `space`; repeated labels read the diagonal."""
    access = [
        index(0) if size == 1 and extents[label] != 1 else dim(space.index(label))
        for label, size in zip(labels, shape_of(value), strict=True)
    ]
    return emit.reindex(value, [extents[label] for label in space], access)


@expand.register
def _(op: graph_contract.MatmulOp, emit: Emit) -> SSAValue:
    """The index space is (batch ..., m, n, k), without m or n where an operand is a vector."""
    left, right = shape_of(op.lhs), shape_of(op.rhs)
    rows, columns = len(left) > 1, len(right) > 1
    space = (*op.shape, left[-1])
    batch = op.shape[: len(op.shape) - rows - columns]
    inner = dim(len(space) - 1)
    left_access = [*aligned(left[:-2], batch), *([dim(len(batch))] if rows else []), inner]
    right_access = [*aligned(right[:-2], batch), inner, *([dim(len(batch) + rows)] if columns else [])]
    lhs, rhs = emit.reindex(op.lhs, space, left_access), emit.reindex(op.rhs, space, right_access)
    return multiply_and_sum(emit, lhs, rhs, [len(space) - 1])


@expand.register
def _(op: graph_contract.ConvOp, emit: Emit) -> SSAValue:
    """The index space is (batch, out channel, position ..., channel of the group, kernel ...)."""
    shape, weight = shape_of(op.input), shape_of(op.weight)
    rank, groups = len(shape) - 2, op.groups.value.data
    space = (*op.shape, *weight[1:])
    channel, kernel = 2 + rank, 3 + rank
    group = Ranges.of_shape(space).simplify(dim(1) // (weight[0] // groups)) if groups > 1 else index(0)
    steps, spreads = ints_of(op.stride), ints_of(op.dilation)
    positions = [
        dim(2 + k) * steps[k] + dim(kernel + k) * spreads[k] - op.low.data[k] for k in range(rank)
    ]  # fmt: skip
    access = [dim(0), group * weight[1] + dim(channel), *positions]
    padded = any(amount != 0 for amount in (*op.low.data, *op.high.data))
    fill = number(0, element_of(op.input))
    windows = emit.window(op.input, space, access, fill) if padded else emit.reindex(op.input, space, access)
    weights = emit.reindex(op.weight, space, [dim(1), *(dim(channel + k) for k in range(rank + 1))])
    return multiply_and_sum(emit, windows, weights, range(channel, len(space)))


@expand.register
def _(op: graph_contract.ConvTransposeOp, emit: Emit) -> SSAValue:
    """A convolution that reads the input only at multiples of the stride. Channels are split over the groups."""
    shape, weight = shape_of(op.input), shape_of(op.weight)
    rank, groups = len(shape) - 2, op.groups.value.data
    per_group = shape[1] // groups
    space: Shape = (*op.shape, per_group, *weight[2:])
    channel, kernel = 2 + rank, 3 + rank
    group = dim(1) // weight[1] if groups > 1 else index(0)
    steps, spreads = ints_of(op.stride), ints_of(op.dilation)
    offsets = [dim(2 + k) + op.low.data[k] - dim(kernel + k) * spreads[k] for k in range(rank)]
    source = group * per_group + dim(channel)
    guards = [-(at % step) for at, step in zip(offsets, steps, strict=True) if step != 1]
    positions = [at // step for at, step in zip(offsets, steps, strict=True)]
    fill = number(0, element_of(op.input))
    windows = emit.window(op.input, space, [dim(0), source, *positions], fill, guards)
    target = dim(1) % weight[1] if groups > 1 else dim(1)
    taps = [source, target, *(dim(kernel + k) for k in range(rank))]
    # Both operands are 0 between the multiples: the product with an element that is not finite would be NaN.
    weights = emit.window(op.weight, space, taps, fill, guards) if guards else emit.reindex(op.weight, space, taps)
    return multiply_and_sum(emit, windows, weights, range(channel, len(space)))


@expand.register
def _(op: graph_contract.WindowReduceOp, emit: Emit) -> SSAValue:
    kernel, rank = op.kernel.data, len(op.shape)
    kept, accumulator = rank - len(kernel), op.accumulator.data
    steps, spreads = ints_of(op.stride), ints_of(op.dilation)
    positions = [dim(kept + k) * steps[k] + dim(rank + k) * spreads[k] - op.low.data[k] for k in range(len(kernel))]
    access = [*(dim(k) for k in range(kept)), *positions]
    space = (*op.shape, *kernel)
    padded = any(amount != 0 for amount in (*op.low.data, *op.high.data))
    fill = neutral(accumulator, element_of(op.input))
    windows = emit.window(op.input, space, access, fill) if padded else emit.reindex(op.input, space, access)
    return emit.reduce(accumulator, windows, range(rank, len(space)))


@expand.register
def _(op: graph.ReduceOp, emit: Emit) -> SSAValue:
    axes = ints_of(op.axes)
    value = emit.reduce(op.accumulator.data, op.input, axes)
    if not op.keepdims.value.data:
        return value
    return emit.reindex(value, op.shape, [dim(k) for k in range(len(op.shape)) if k not in axes])


@expand.register
def _(op: graph.ScanOp, emit: Emit) -> SSAValue:
    reverse, exclusive = bool(op.reverse.value.data), bool(op.exclusive.value.data)
    return emit.scan(op.accumulator.data, op.input, op.axis.value.data, reverse, exclusive)
