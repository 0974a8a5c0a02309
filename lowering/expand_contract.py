"""Expansions of contractions, convolutions and windows: operands read into the full index space, multiplied, reduced."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.ir import SSAValue

from ..dialects import graph, graph_contract
from ..dialects.graph_base import ints_of
from ..ir.dtypes import dtype_of
from ..ir.index import Index, dim, index
from ..ir.shapes import Shape, element_of, shape_of
from ..ir.simplify import Ranges
from ..ir.values import neutral, number
from ..passes.phases import MOST_PHASES
from ..passes.uop_writer import Emit, aligned
from .expand_base import expand


def multiply_and_sum(emit: Emit, lhs: SSAValue, rhs: SSAValue, axes: Sequence[int]) -> SSAValue:
    """The contraction of two operands over the same index space; of bools, whether any pair is true."""
    is_bool = dtype_of(element_of(lhs)).kind == "bool"
    return emit.reduce("or" if is_bool else "add", emit.map("and" if is_bool else "mul", lhs, rhs), axes)


@expand.register
def _(op: graph_contract.EinsumOp, emit: Emit) -> SSAValue:
    """The operands are contracted from left to right, each label summed as soon as nothing needs it any more."""
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
    """Each label once: first those that are needed, in that order, then those that are summed."""
    return "".join(dict.fromkeys([*(label for label in needed if label in labels), *labels]))


def spread(emit: Emit, value: SSAValue, labels: str, space: str, extents: dict[str, Index]) -> SSAValue:
    """An operand over the index space of the labels in `space`; repeated labels read the diagonal."""
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


@dataclass(frozen=True)
class _Channels:
    """How the index space of a convolution begins, and where a group and an out channel in it are found there:

    one group                       (batch, channel)          group 0, channel d1
    several of many channels        (batch, group, channel)   group d1, channel d2: a product for each group
    several that sum one channel    (batch, channel)          group d1 floordiv in_group, channel d1 mod in_group
    """

    sizes: Shape
    group: Index
    channel: Index
    in_group: Index

    @staticmethod
    def of(batch: Index, groups: int, summed: Index, in_group: Index) -> _Channels:
        """For so many groups, which sum so many channels for each of `in_group` out channels."""
        if groups == 1:
            return _Channels((batch, in_group), index(0), dim(1), in_group)
        if summed == 1 or in_group == 1:
            return _Channels((batch, in_group * groups), dim(1) // in_group, dim(1) % in_group, in_group)
        return _Channels((batch, index(groups), in_group), dim(1), dim(2), in_group)

    def at(self, channel: Index) -> list[Index]:
        """Where an out channel, of those of all groups, lies on these axes."""
        return [dim(0), *([channel] if len(self.sizes) == 2 else [channel // self.in_group, channel % self.in_group])]


@expand.register
def _(op: graph_contract.ConvOp, emit: Emit) -> SSAValue:
    """The index space is (batch, out channel by groups, position ..., channel of the group, kernel ...)."""
    shape, weight = shape_of(op.input), shape_of(op.weight)
    rank, groups = len(shape) - 2, op.groups.value.data
    channels = _Channels.of(shape[0], groups, weight[1], weight[0] // groups)
    space = (*channels.sizes, *op.shape[2:], *weight[1:])
    first = len(channels.sizes)
    channel, kernel = first + rank, first + rank + 1
    steps, spreads = ints_of(op.stride), ints_of(op.dilation)
    positions = [
        dim(first + k) * steps[k] + dim(kernel + k) * spreads[k] - op.low.data[k] for k in range(rank)
    ]  # fmt: skip
    access = [dim(0), channels.group * weight[1] + dim(channel), *positions]
    padded = any(amount != 0 for amount in (*op.low.data, *op.high.data))
    fill = number(0, element_of(op.input))
    windows = emit.window(op.input, space, access, fill) if padded else emit.reindex(op.input, space, access)
    target = channels.group * channels.in_group + channels.channel
    weights = emit.reindex(op.weight, space, [target, *(dim(channel + k) for k in range(rank + 1))])
    result = multiply_and_sum(emit, windows, weights, range(channel, len(space)))
    return emit.reindex(result, op.shape, [*channels.at(dim(1)), *(dim(2 + k) for k in range(rank))])


@expand.register
def _(op: graph_contract.ConvTransposeOp, emit: Emit) -> SSAValue:
    """Elements of the result that are a step apart read the same elements of the kernel, every `step`-th one: for each of so
    many phases it is a convolution of the input with these, with zeros behind the kernel where the step does not divide it. The
    phases of an out channel are channels side by side. Along axes that are spread, too, the input is read only where the step
    divides.

    The index space is (batch, out channel by groups, position in the phase ..., channel of the group, kernel ...).
    """
    shape, weight = shape_of(op.input), shape_of(op.weight)
    rank, groups = len(shape) - 2, op.groups.value.data
    axes = range(rank)
    steps, spreads, low = ints_of(op.stride), ints_of(op.dilation), op.low.data
    phases = [step if spread == 1 and step <= MOST_PHASES else 1 for step, spread in zip(steps, spreads, strict=True)]
    count = math.prod(phases)
    per_group = shape[1] // groups
    channels = _Channels.of(shape[0], groups, per_group, weight[1] * count)
    first = len(channels.sizes)
    channel, kernel = first + rank, first + rank + 1
    # Where the first element of the result lies, in whole phases.
    begins = [low[k] // phases[k] for k in axes]
    lengths = [(op.shape[2 + k] + low[k] - 1) // phases[k] - begins[k] + 1 for k in axes]
    taps = [(weight[2 + k] + phases[k] - 1) // phases[k] for k in axes]
    space = (*channels.sizes, *lengths, per_group, *taps)
    source = channels.group * per_group + dim(channel)
    offsets = [dim(first + k) + begins[k] - dim(kernel + k) * spreads[k] for k in axes]
    left = [steps[k] // phases[k] for k in axes]
    guards = [-(at % step) for at, step in zip(offsets, left, strict=True) if step != 1]
    positions = [at // step for at, step in zip(offsets, left, strict=True)]
    fill = number(0, element_of(op.input))
    windows = emit.window(op.input, space, [dim(0), source, *positions], fill, guards)
    inner = [math.prod(phases[k + 1 :]) for k in axes]
    chosen = [dim(kernel + k) * phases[k] + channels.channel // inner[k] % phases[k] for k in axes]
    weights = emit.reindex(op.weight, space, [source, channels.channel // count, *chosen])
    result = multiply_and_sum(emit, windows, weights, range(channel, len(space)))
    places = [dim(2 + k) + low[k] for k in axes]
    phase = sum((places[k] % phases[k] * inner[k] for k in axes), index(0))
    access = [*channels.at(dim(1) * count + phase), *(places[k] // phases[k] - begins[k] for k in axes)]
    # Steps beyond the kernel leave elements with nothing, which are 0 whatever the input is.
    reached = [weight[2 + k] - 1 - places[k] % phases[k] for k in axes if phases[k] > 1]
    ranges = Ranges.of_shape(op.shape)
    missed = [each for each in reached if not ranges.nonnegative(each)]
    if missed:
        return emit.window(result, op.shape, [*map(ranges.simplify, access)], fill, missed)
    return emit.reindex(result, op.shape, access)


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
