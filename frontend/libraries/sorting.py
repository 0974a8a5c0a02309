"""Sorting and searching: NumPy finds the order of elements on the host (`order`), compiled code takes them, with gradients."""

from __future__ import annotations

from typing import Any, Literal

import numpy as np

from ...ir.types.dtypes import INT64
from .. import functions as sw
from ..functions.arguments import axis_of, int_of, tensor
from ..nodes.define import define_op
from ..tracing.tensor import Tensor, TensorLike
from .order import in_order, indices_in_order, indices_of_greatest


def _sort_backward(g: Tensor, x: Tensor, *, descending: bool) -> Tensor:
    return sw.scatter(sw.zeros_like(x), _argsort(x, descending=descending), g, axis=x.ndim - 1)


_sort = define_op("sort", "X[~ n] -> [~ n]", backward=_sort_backward)
_argsort = define_op("argsort", "X[~ n] -> [~ n]")
_topk = define_op("topk", "X[~ n] -> [~ m] where m = min(k, n)")
_searchsorted = define_op("searchsorted", "X[n] V[~] -> [~]")
_nonzero = define_op("nonzero", "X[n] -> [size]")
_unique = define_op("unique", "X[n] -> [size] [n] [size]")


@_sort.impl_host()
def _sort_host(x: Any, descending: bool) -> Any:
    return in_order(x, descending)


@_argsort.impl_host(dtype=INT64)
def _argsort_host(x: Any, descending: bool) -> Any:
    return indices_in_order(x, descending)


@_topk.impl_host(dtype=INT64)
def _topk_host(x: Any, k: int) -> Any:
    return indices_of_greatest(x, k)


@_searchsorted.impl_host(dtype=INT64)
def _searchsorted_host(x: Any, v: Any, side: Literal["left", "right"]) -> Any:
    return np.searchsorted(x, v, side=side)


@_nonzero.impl_host(dtype=INT64)
def _nonzero_host(x: Any, size: int, fill: int) -> Any:
    found = np.flatnonzero(x)[:size]
    return np.concatenate([found, np.full(size - len(found), fill, np.int64)])


@_unique.impl_host(dtype=INT64)
def _unique_host(x: Any, size: int) -> Any:
    """The index of the first of each group of equal elements, in ascending order, len(x) after the last group; the number of
    each element's group; and the size of each group."""
    _, first, inverse, counts = np.unique(x, return_index=True, return_inverse=True, return_counts=True)
    missing = max(size - len(first), 0)
    places = np.concatenate([first[:size], np.full(missing, len(x))])
    return places, inverse.reshape(-1), np.concatenate([counts[:size], np.zeros(missing, np.int64)])


def argsort(x: TensorLike, /, axis: int = -1, *, descending: bool = False) -> Tensor:
    """The indices, int64, that sort x along an axis; equal elements keep their order, NaN is last (first if descending)."""
    value = tensor(x)
    axis = axis_of(axis, value.ndim, value.tracer)
    return sw.moveaxis(_argsort(sw.moveaxis(value, axis, -1), descending=descending), -1, axis)


def sort(x: TensorLike, /, axis: int = -1, *, descending: bool = False) -> Tensor:
    """The elements of x in order along an axis, NaN last (first if descending). Zeros of both signs are equal, in any order. In
    gradients equal elements are in the order of `argsort`."""
    value = tensor(x)
    axis = axis_of(axis, value.ndim, value.tracer)
    return sw.moveaxis(_sort(sw.moveaxis(value, axis, -1), descending=descending), -1, axis)


def topk(x: TensorLike, k: int, /, axis: int = -1) -> tuple[Tensor, Tensor]:
    """The k greatest elements along an axis in descending order, and their indices, int64; all elements if there are fewer. NaN
    counts as the greatest, and of equal elements the first one comes first."""
    value = tensor(x)
    axis = axis_of(axis, value.ndim, value.tracer)
    kept = sw.moveaxis(_topk(sw.moveaxis(value, axis, -1), k=_count_of(k, "topk: k", "k", value)), -1, axis)
    return sw.take_along_axis(value, kept, axis=axis), kept


def median(x: TensorLike, /, axis: int = -1, *, keepdims: bool = False) -> Tensor:
    """The middle element along an axis, the mean of two for an even number of them; NaN if there is a NaN."""
    value = sw.moveaxis(sort(x, axis), axis, -1)
    size = value.shape[-1]
    middle = (sw.getitem(value, (..., slice((size - 1) // 2, (size - 1) // 2 + 1))) + value[..., size // 2 : size // 2 + 1]) / 2
    found = sw.where(sw.isnan(value[..., size - 1 : size]), np.nan, middle) if value.dtype.is_float else middle
    moved = sw.moveaxis(found, -1, axis)
    return moved if keepdims else sw.squeeze(moved, axis=axis)


def searchsorted(x: TensorLike, v: TensorLike, /, *, side: str = "left") -> Tensor:
    """For each element of v the number of elements of the sorted x, which has one axis, that are less than it ("left"), or not
    greater ("right"). Raises ValueError for another side."""
    if side not in ("left", "right"):
        raise ValueError(f"searchsorted: expected side 'left' or 'right', got {side!r}")
    return _searchsorted(tensor(x), tensor(v), side=side)


def nonzero(x: TensorLike, /, *, size: int | None = None, fill_value: int = -1) -> tuple[Tensor, ...]:
    """The indices of the first `size` elements that are not 0, an int64 tensor for each axis, filled up with `fill_value`.

    The number of such elements is known only at run time: compiled functions need `size`, the size of the results, and raise
    ShapeError without it. Outside of compiled functions, results without `size` have one entry for each such element.
    """
    value = tensor(x)
    flat = _nonzero(sw.reshape(value, (-1,)), size=_given_size("nonzero", size, value), fill=-1)
    missing, found = flat < 0, []
    for size_of_axis in reversed(value.shape):
        length = sw.maximum(size_of_axis, 1)
        found.append(sw.where(missing, fill_value, flat % length))
        flat = flat // length
    return tuple(reversed(found))


def unique(
    x: TensorLike,
    /,
    *,
    size: int | None = None,
    fill_value: Any = None,
    return_index: bool = False,
    return_inverse: bool = False,
    return_counts: bool = False,
) -> Any:
    """The distinct elements of x, ascending, NaN once and last, as NumPy's `unique`. Further results, int64, follow in this
    order: the index, in the flattened x, of the first occurrence of each distinct element; for each element of x its number
    among the distinct ones; the count of each distinct element. Their number is known only at run time: compiled functions need
    `size` and return the first `size` distinct elements, filled up with `fill_value`, by default the least element, with index
    -1 and count 0; they raise ShapeError without `size`. Outside of compiled functions, results without `size` have one entry
    for each distinct element. Gradients go to the first of equal elements.
    """
    value = tensor(x)
    flat = sw.reshape(value, (-1,))
    first, inverse, counts = _unique(flat, size=_given_size("unique", size, value))
    is_missing = sw.equal(first, flat.shape[0])
    # The index after the last element stands for the fill value.
    known = sw.concat([flat, sw.full((1,), 0 if fill_value is None else fill_value, value.dtype)])
    places = sw.where(is_missing, first[:1], first) if fill_value is None else first
    results = [sw.take(known, places, axis=0)]
    results += [sw.where(is_missing, -1, first)] if return_index else []
    results += [sw.reshape(inverse, value.shape)] if return_inverse else []
    results += [counts] if return_counts else []
    return results[0] if len(results) == 1 else tuple(results)


def _given_size(name: str, size: Any, x: Tensor) -> int:
    """The size of a result. Raises ShapeError if there is none."""
    if size is None:
        raise x.tracer.error(
            f"{name}: the size of the result is known only at run time: give it in compiled functions, {name}(x, size=...)"
        )
    return _count_of(size, f"{name}: size", "a size", x)


def _count_of(given: Any, name: str, what: str, x: Tensor) -> int:
    """A number of elements. Raises ShapeError for other values."""
    found = int_of(given, name, x.tracer)
    if found < 0:
        raise x.tracer.error(f"{name.partition(':')[0]}: expected {what} of at least 0, got {found}")
    return found


def bincount(x: TensorLike, /, *, length: int, weights: TensorLike | None = None) -> Tensor:
    """How often each number from 0 to length - 1 is in x, or the sum of its weights. Raises IndexError for other numbers."""
    value = sw.reshape(tensor(x), (-1,))
    added = sw.ones(value.shape, "int64") if weights is None else sw.reshape(tensor(weights), (-1,))
    return sw.scatter(sw.zeros((length,), added.dtype), value, added, axis=0, op="add")
