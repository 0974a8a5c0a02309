"""Expansions of gather and scatter: index maps through index tensors, bounds-checked at run time."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import i64
from xdsl.ir import SSAValue

from ...dialects.graph import index as graph_index
from ...ir.index.expressions import Index, dim, maximum, minimum
from ...ir.types.dtypes import dtype_of
from ...ir.types.overflow import FAR
from ...ir.types.shapes import element_of, shape_of
from ...passes.uop.builder import Emit, aligned
from .base import expand


def from_the_end(value: SSAValue, position: int, size: Index) -> Index:
    """The index loaded as dimension `position`, with `size` added if it is from -size to -1, which counts from the end.

    An index beyond that is unchanged, so that the error shows the index that was given.
    """
    loaded = dim(position)
    if dtype_of(element_of(value)).kind == "uint":
        return loaded
    # `counts` is 1 for indices from -size to -1, 0 elsewhere; clamping keeps the sums from overflowing at either end of int64.
    negative = minimum(loaded, 0)
    if any(factor < 0 for monomial, factor in size.terms if monomial):
        negative = maximum(negative, -FAR)  # without this, subtracted terms would be added to the least integer
    counts = maximum(minimum(-maximum(loaded, -1), negative + size + 1), 0)
    return loaded + size * counts


def _from_the_start(value: SSAValue, size: Index, emit: Emit) -> SSAValue:
    """The indices, all counted from the start: `size` is added to negative ones, as by `from_the_end`."""
    if dtype_of(element_of(value)).kind == "uint":
        return value
    shape = shape_of(value)
    at, whole = emit.cast(value, i64), emit.reindex(emit.size(size), shape, [])
    inside = emit.map("ge", emit.map("add", at, whole), emit.full(shape, 0, i64))
    from_end = emit.map("and", emit.map("lt", at, emit.full(shape, 0, i64)), inside)
    return emit.map("select", from_end, emit.map("add", at, whole), at)


@expand.register
def _(op: graph_index.TakeOp, emit: Emit) -> SSAValue:
    shape, axes = shape_of(op.input), [axis.value.data for axis in op.axes]
    first, index_shape, rank = axes[0], op.index_shape, len(op.shape)
    behind = len(index_shape) - len(axes)
    # With axes before the indexed ones each index is read many times: negative indices are converted once, before.
    counted = [_from_the_start(value, shape[first + k], emit) if first else value for k, value in enumerate(op.indices)]
    indices = [(value, aligned(shape_of(value), index_shape, first)) for value in counted]
    loaded = [dim(rank + k) for k in range(len(axes))]
    access = [
        *(dim(k) for k in range(first)),
        *(loaded if first else (from_the_end(value, rank + k, shape[k]) for k, value in enumerate(op.indices))),
        *(dim(k + behind) for k in range(first + len(axes), len(shape))),
    ]
    return emit.reindex(op.input, op.shape, access, indices)


@expand.register
def _(op: graph_index.TakeAlongAxisOp, emit: Emit) -> SSAValue:
    axis, rank = op.axis.value.data, len(op.shape)
    shape = shape_of(op.input)
    access = aligned(shape, op.shape)
    access[axis] = from_the_end(op.indices, rank, shape[axis])
    return emit.reindex(op.input, op.shape, access, [(op.indices, aligned(shape_of(op.indices), op.shape))])


@expand.register
def _(op: graph_index.ScatterOp, emit: Emit) -> SSAValue:
    axis, depth = op.axis.value.data, len(shape_of(op.indices))
    access = [dim(k) if k < axis else dim(k + depth - 1) for k in range(len(op.shape))]
    return _scatter(op, emit, access, [dim(axis + k) for k in range(depth)])


@expand.register
def _(op: graph_index.ScatterAlongAxisOp, emit: Emit) -> SSAValue:
    everywhere = [dim(k) for k in range(len(op.shape))]
    return _scatter(op, emit, everywhere, everywhere)


def _scatter(op: graph_index.ScatterBase, emit: Emit, access: Sequence[Index], read_at: Sequence[Index]) -> SSAValue:
    axis = op.axis.value.data
    at = list(access)
    at[axis] = from_the_end(op.indices, len(shape_of(op.updates)), op.shape[axis])
    return emit.scatter(op.accumulator.data, op.input, op.updates, at, [(op.indices, read_at)])
