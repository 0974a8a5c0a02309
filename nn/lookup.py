"""Entries that integers name: unlike `take`, which counts negative ones from the end, for integers from 0 on alone.

A label or token of -1 mostly stands for padding. It is an IndexError when the program runs, as one past the end is.
"""

from __future__ import annotations

from ..frontend import uop_api as uop
from ..frontend.arguments import axis_of, tensor
from ..frontend.lazy import lazily
from ..frontend.tensor import Tensor, TensorLike, tensor_of


@lazily
def rows_at(table: TensorLike, rows: TensorLike, /) -> Tensor:
    """The rows (rows, columns) that integers of any rank name, as one more axis behind theirs."""
    value = tensor(table)
    at = tensor_of(rows, value.tracer)
    return uop.reindex([*at.shape, value.shape[1]], value, index=["e0", f"i{at.ndim}"], index_from=[at])


@lazily
def entries_at(x: TensorLike, labels: TensorLike, axis: int, name: str, /) -> Tensor:
    """The entry of an axis that each label names, without that axis.

    Raises ShapeError, which begins with the `name` of the caller, for labels that are no integers or lack other axes.
    """
    value = tensor(x)
    axis = axis_of(axis, value.ndim, value.tracer)
    at = tensor_of(labels, value.tracer)
    if at.dtype.kind not in ("int", "uint"):
        raise value.tracer.error(f"{name}: expected labels that are integers, got {at.dtype}")
    if at.ndim != value.ndim - 1:
        raise value.tracer.error(f"{name}: expected labels with {value.ndim - 1} axes, got {at.ndim}")
    shape = [size for k, size in enumerate(value.shape) if k != axis]
    if any(isinstance(a, int) and isinstance(b, int) and a != b for a, b in zip(at.shape, shape, strict=True)):
        raise value.tracer.error(f"{name}: expected labels of shape {tuple(shape)}, got {tuple(at.shape)}")
    index = [f"i{k}" for k in range(at.ndim)]
    index.insert(axis, "e0")
    return uop.reindex(shape, value, index=index, index_from=[at])
