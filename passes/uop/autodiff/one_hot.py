"""Gradients of gathers that read one element of each row, as a loss reads the score of each label: a selection, no scatter.

    y[i, 0] = x[i, k[i]]    ->    dx[i, j] = j == k[i] ? dy[i, 0] : 0

A scatter would fill all of dx with zeros, and readers of dx would read it from memory; a selection is part of their loops.
"""

from __future__ import annotations

from xdsl.dialects.builtin import i64
from xdsl.ir import SSAValue

from ....dialects import uop
from ....ir.index.expressions import dim, index
from ....ir.types.shapes import element_of, shape_of
from ..builder import Emit


def one_of_each_row(op: uop.ReindexOp, cotangent: SSAValue, emit: Emit) -> SSAValue | None:
    """The cotangent of the source of a gather; None if the gather may read several elements along the axis of its indices, or
    one element for all rows."""
    rank, source = len(op.shape), shape_of(op.source)
    access = op.map.data.results
    data = [axis for axis, at in enumerate(access) if any(position >= rank for position in at.dims())]
    if op.fill is not None or len(data) != 1 or any(position < rank for position in access[data[0]].dims()):
        return None
    axes = _axes_of_rows(op, data[0])
    if axes is None or not any(axes.keys() & at.dims() for _, read in op.loads() for at in read.results):
        return None
    # Checks each index, and adds the size to negative ones.
    indices = [(value, read.results) for value, read in op.loads()]
    places = emit.iota(0, [source[data[0]]], i64)
    chosen = emit.builder.add(uop.ReindexOp(places, op.shape, [access[data[0]]], indices=indices)).result
    rows = [dim(axes[position]) if position in axes else index(0) for position in range(rank)]
    is_chosen = emit.map("eq", emit.iota(data[0], source, i64), emit.reindex(chosen, source, rows))
    zeros = emit.full(source, 0, element_of(cotangent))
    return emit.map("select", is_chosen, emit.reindex(cotangent, source, rows), zeros)


def _axes_of_rows(op: uop.ReindexOp, along: int) -> dict[int, int] | None:
    """For each dimension of the result the axis of the source that it runs along, other than the axis `along` of the indices.
    None unless each element of these axes is read once."""
    found: dict[int, int] = {}
    for axis, (at, size) in enumerate(zip(op.map.data.results, shape_of(op.source), strict=True)):
        if axis == along or (at == 0 and size == 1):
            continue
        position = next(iter(at.dims()), None)
        if position is None or at != dim(position) or position in found or op.shape[position] != size:
            return None
        found[position] = axis
    others = [size for position, size in enumerate(op.shape) if position not in found]
    return found if all(size == 1 for size in others) else None
