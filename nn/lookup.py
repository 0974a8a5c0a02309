"""Gathers that raise IndexError for negative indices, which `take` counts from the end.

A label or token of -1 usually means padding, so that it should be an error at run time, like one past the end.
"""

from __future__ import annotations

from ..frontend.functions import micro_ops as uop
from ..frontend.functions.arguments import axis_of, tensor
from ..frontend.lazy import lazily
from ..frontend.tracing.tensor import Tensor, TensorLike, tensor_of
from ..ir.types.shapes import format_shape


@lazily
def rows_at(table: TensorLike, rows: TensorLike, name: str, /) -> Tensor:
    """The rows of `table` (rows, columns) at integer indices of any shape (...), to (..., columns).

    Raises ShapeError, which begins with the `name` of the caller, for indices that are not integers.
    """
    value = tensor(table)
    at = _integers(rows, value, f"{name}: expected indices")
    return uop.reindex([*at.shape, value.shape[1]], value, index=["e0", f"i{at.ndim}"], index_from=[at])


@lazily
def entries_at(x: TensorLike, labels: TensorLike, axis: int, name: str, /) -> Tensor:
    """The entry of an axis at each label, without that axis.

    Raises ShapeError, which begins with the `name` of the caller, for labels that are not integers or not of the shape of the
    other axes.
    """
    value = tensor(x)
    axis = axis_of(axis, value.ndim, value.tracer)
    at = _integers(labels, value, f"{name}: expected labels")
    if at.ndim != value.ndim - 1:
        raise value.tracer.error(f"{name}: expected labels with {value.ndim - 1} axes, got {at.ndim}")
    shape = [size for k, size in enumerate(value.sizes) if k != axis]
    # An index map accepts more labels than needed: check the shape here.
    if not all(value.tracer.sizes.unify(a, b) for a, b in zip(at.sizes, shape, strict=True)):
        raise value.tracer.error(f"{name}: expected labels of shape {format_shape(shape)}, got {format_shape(at.sizes)}")
    index = [f"i{k}" for k in range(at.ndim)]
    index.insert(axis, "e0")
    return uop.reindex(shape, value, index=index, index_from=[at])


def _integers(indices: TensorLike, x: Tensor, expected: str) -> Tensor:
    value = tensor_of(indices, x.tracer)
    if value.dtype.kind not in ("int", "uint"):
        raise x.tracer.error(f"{expected} that are integers, got {value.dtype}")
    return value
