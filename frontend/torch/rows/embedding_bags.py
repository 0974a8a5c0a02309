"""Rows of sums, means and maxima of rows of a table, bag by bag, and their derivatives."""

from __future__ import annotations

from types import MappingProxyType
from typing import Any

from ....ir.types.dtypes import INT64
from ... import functions as sw
from ...functions.images.embedding import MODES, bags_of
from ...tracing.tensor import Tensor, cast
from .parts import from_the_start
from .row import Rows, Unsupported, meta, own

_MAX = MODES.index("max")


def _embedding_bag(
    weight: Tensor,
    indices: Tensor,
    offsets: Tensor,
    scale_by_frequency: bool = False,
    mode: int = 0,
    sparse: bool = False,
    per_sample_weights: Tensor | None = None,
    include_last_offset: bool = False,
    padding: int = -1,
) -> tuple[Tensor, ...]:
    """The bags, the bag of each index, the number of indices of each bag, and, for maxima, the row of each maximum."""
    at = from_the_start(indices, weight.shape[0])
    found = sw.embedding_bag(
        at,
        weight,
        offsets,
        mode=MODES[mode],
        per_sample_weights=per_sample_weights,
        include_last_offset=include_last_offset,
        padding_idx=padding if padding >= 0 else None,
    )
    bag, count = bags_of(at, offsets, include_last_offset)
    kept = cast(sw.not_equal(at, padding), INT64)
    sizes = sw.scatter(sw.zeros((count,), INT64), bag, kept, axis=0, op="add")
    rows = _rows_of_maxima(sw.take(weight, at, axis=0), at, bag, found, padding) if mode == _MAX else sizes
    # torch leaves out the bags of indices if its kernel does not need them.
    is_left_out = meta().shapes[1] == (0,)
    return found, sw.zeros((0,), INT64) if is_left_out else bag, sizes, rows


def _rows_of_maxima(rows: Tensor, at: Tensor, bag: Tensor, found: Tensor, padding: int) -> Tensor:
    """The row of the table that each maximum is from, the first one among equals; 0 for bags without indices."""
    count = at.shape[0]
    own_maxima = sw.take(found, bag, axis=0)
    is_it = sw.logical_or(sw.equal(rows, own_maxima), sw.isnan(rows))
    is_it = sw.logical_and(is_it, sw.expand_dims(sw.not_equal(at, padding), 1))
    positions = sw.where(is_it, sw.expand_dims(sw.arange(count), 1), count)
    first = sw.scatter(sw.full(found.shape, count, INT64), bag, positions, axis=0, op="min")
    known = sw.concat([at, sw.zeros((1,), INT64)])
    return sw.take(known, first, axis=0)


def _dense_backward(
    gradient: Tensor,
    indices: Tensor,
    bag: Tensor,
    sizes: Tensor,
    rows_of_maxima: Tensor,
    rows: Any,
    scale_by_frequency: bool,
    mode: int,
    per_sample_weights: Tensor | None,
    padding: int = -1,
) -> Tensor:
    """The gradient by the table."""
    width, at = gradient.shape[1], cast(indices, INT64)
    start = sw.zeros((rows, width), gradient.dtype)
    if mode == _MAX:
        is_empty = sw.equal(sw.expand_dims(sizes, 1), 0)
        return sw.scatter(start, rows_of_maxima, sw.where(is_empty, 0, gradient), axis=0, op="add")
    each = sw.take(gradient, cast(bag, INT64), axis=0)
    if MODES[mode] == "mean":
        each = each / sw.expand_dims(cast(sw.take(sw.maximum(sizes, 1), bag, axis=0), each.dtype), 1)
    if per_sample_weights is not None:
        each = each * sw.expand_dims(per_sample_weights, 1)
    if scale_by_frequency:
        counts = sw.scatter(sw.zeros((rows,), INT64), at, sw.ones(at.shape, INT64), axis=0, op="add")
        each = each / sw.expand_dims(cast(sw.take(counts, at, axis=0), each.dtype), 1)
    each = sw.where(sw.expand_dims(sw.equal(at, padding), 1), 0, each)
    return sw.scatter(start, at, each, axis=0, op="add")


def _backward(
    gradient: Tensor, indices: Tensor, offsets: Tensor, _: Tensor, sizes: Tensor, rows_of_maxima: Tensor, *options: Any
) -> Tensor:
    """The gradient by the table, for bags given by offsets."""
    given: tuple[Any, ...] = (*options, -1)
    rows, scale_by_frequency, mode, sparse, per_sample_weights, padding = given[:6]
    if sparse:
        raise Unsupported("a sparse gradient")
    bag = bags_of(cast(indices, INT64), offsets, False)[0]
    weighted = (rows, scale_by_frequency, mode, per_sample_weights, padding)
    return _dense_backward(gradient, indices, bag, sizes, rows_of_maxima, *weighted)


def _weights_backward(
    gradient: Tensor, weight: Tensor, indices: Tensor, offsets: Tensor, bag: Tensor, mode: int, padding: int = -1
) -> Tensor:
    """The gradient by the weights of the rows."""
    at = cast(indices, INT64)
    each = sw.take(gradient, bags_of(at, offsets, False)[0], axis=0) * sw.take(weight, at, axis=0)
    return sw.where(sw.equal(at, padding), 0, sw.sum(each, axis=1))


EMBEDDING_BAGS: Rows = MappingProxyType(
    {
        "_embedding_bag.default": own(_embedding_bag),
        "_embedding_bag_forward_only.default": own(_embedding_bag),
        "_embedding_bag_backward.default": own(_backward),
        "_embedding_bag_dense_backward.default": own(_dense_backward),
        "_embedding_bag_per_sample_weights_backward.default": own(_weights_backward),
    }
)
