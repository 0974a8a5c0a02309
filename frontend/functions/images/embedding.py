"""Sums, means and maxima of rows of a table, bag by bag, with the values of torch's `embedding_bag`."""

from __future__ import annotations

import math
from typing import Any

from ....ir.diagnostics import did_you_mean
from ....ir.types.dtypes import INT64
from ...tracing.tensor import Tensor, TensorLike, cast, tensor_of
from ..arguments import flag_of, floating, int_of, precise, tensor
from ..creation import arange, full, ones, zeros
from ..elementwise import equal, logical_not, logical_or, maximum, where
from ..indexing import getitem, scatter, take
from ..manipulation import broadcast_to, expand_dims, flatten, reshape
from ..reductions import any as any_of
from ..reductions import cumulative_sum

MODES = ("sum", "mean", "max")


def embedding_bag(
    indices: TensorLike,
    weight: TensorLike,
    offsets: TensorLike | None = None,
    /,
    *,
    mode: str = "mean",
    per_sample_weights: TensorLike | None = None,
    include_last_offset: bool = False,
    padding_idx: int | None = None,
) -> Tensor:
    """The "sum", "mean" or "max" of the rows of weight (rows, D) at the indices of each bag, to (bags, D).

    Indices (bags, L) are bags of equal length; indices (n,) come with `offsets` (bags,), ascending from 0: the position of
    each bag's first index, with `include_last_offset` also that of the end. A bag without indices gives zeros. Entries equal
    to `padding_idx` are left out. `per_sample_weights`, in the shape of the indices, multiply the rows of a sum.

    Raises ShapeError for arguments that do not fit. Raises IndexError at run time for an index out of range, for offsets that
    do not ascend from 0 and, with `include_last_offset`, for offsets that do not end with the number of indices.
    """
    at, table = tensor(indices), floating(tensor(weight))
    tracer = at.tracer
    if mode not in MODES:
        raise tracer.error(
            f"embedding_bag: expected a mode of {', '.join(MODES)}, got {mode!r}{did_you_mean(str(mode), MODES)}"
        )
    if table.ndim != 2:
        raise tracer.error(f"embedding_bag: expected a table (rows, D), got {table!r}")
    if per_sample_weights is not None and mode != "sum":
        raise tracer.error(f"embedding_bag: per_sample_weights are for mode 'sum', got mode {mode!r}")
    bag, count = bags_of(at, offsets, flag_of(include_last_offset, "include_last_offset", tracer))
    flat = flatten(at)
    if per_sample_weights is not None and tensor_of(per_sample_weights, tracer).ndim != at.ndim:
        raise tracer.error(f"embedding_bag: expected per_sample_weights in the shape of the indices, {at!r}")
    if padding_idx is not None:
        row = int_of(padding_idx, "padding_idx", tracer)
        kept = logical_not(equal(flat, row if row >= 0 else table.shape[0] + row))
    else:
        kept = None
    rows = precise(take(table, flat, axis=0))
    if per_sample_weights is not None:
        given = tensor_of(per_sample_weights, tracer, rows.dtype)
        rows = rows * expand_dims(cast(flatten(given), rows.dtype), 1)
    return cast(_combined(mode, rows, bag, count, kept), table.dtype)


def bags_of(at: Tensor, offsets: Any, include_last: bool) -> tuple[Tensor, Any]:
    """The bag of each index, in the order of the flattened indices, and the number of bags. If offsets do not ascend from 0, or
    do not end with the number of indices, the bag of all indices is that number, which is out of range."""
    tracer = at.tracer
    if at.ndim == 2 and offsets is None:
        bags, length = at.shape
        return flatten(broadcast_to(expand_dims(arange(bags), 1), (bags, length))), bags
    if at.ndim != 1 or offsets is None:
        raise tracer.error(f"embedding_bag: expected indices (bags, L), or (n,) with offsets (bags,), got {at!r}")
    starts = tensor_of(offsets, tracer)
    if starts.ndim != 1:
        raise tracer.error(f"embedding_bag: expected offsets (bags,), got {starts!r}")
    size, count = at.shape[0], starts.shape[0]
    # The number of bags that have started; one more position, after the last index, is for empty bags at the end.
    started = scatter(zeros((size + 1,), INT64), starts, ones(starts.shape, INT64), axis=0, op="add")
    bag = getitem(cumulative_sum(started, axis=0), slice(0, size)) - 1
    # One bag too many gives an index out of range when rows are added to bags.
    before = take(starts, maximum(arange(starts.shape[0]) - 1, 0), axis=0)
    descends = any_of(starts < before)
    bags = count - 1 if include_last else count
    return where(logical_or(logical_or(bag < 0, bag >= bags), descends), bags, bag), bags


def _combined(mode: str, rows: Tensor, bag: Tensor, count: Any, kept: Tensor | None) -> Tensor:
    """Combine the rows of each bag to one."""
    width = rows.shape[1]
    numbers = ones(bag.shape, rows.dtype) if kept is None else cast(kept, rows.dtype)
    total = scatter(zeros((count,), rows.dtype), bag, numbers, axis=0, op="add")
    if mode == "max":
        low = -math.inf
        known = rows if kept is None else where(expand_dims(kept, 1), rows, low)
        found = scatter(full((count, width), low, dtype=rows.dtype), bag, known, axis=0, op="max")
        return where(reshape(equal(total, 0), (-1, 1)), 0, found)
    if kept is not None:
        rows = where(expand_dims(kept, 1), rows, 0)
    found = scatter(zeros((count, width), rows.dtype), bag, rows, axis=0, op="add")
    return found / reshape(maximum(total, 1), (-1, 1)) if mode == "mean" else found
