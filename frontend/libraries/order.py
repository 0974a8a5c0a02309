"""The order of elements, found by NumPy's sorting functions on the host.

NumPy vectorises `sort`, but not a stable `argsort`. A number of at most 32 bits and its index fit in an integer of 64 bits.
Such integers are distinct, so that sorting them gives a stable order. NaN is greater than all numbers and equal to itself.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

# Elements sorted at once: their packed integers stay in the L2.
_BLOCK = 1 << 16
_INDEX_BITS = 32


def in_order(x: Any, descending: bool = False) -> Any:
    """The elements in order along the last axis; zeros of both signs are equal."""
    found = np.sort(_native(x), axis=-1).astype(x.dtype, copy=False)
    return found[..., ::-1] if descending else found


def indices_in_order(x: Any, descending: bool = False) -> Any:
    """The indices, int64, that sort the last axis; equal elements keep their order."""
    return _by_blocks(lambda rows: _order(rows, descending), _native(x), x.shape[-1])


def indices_of_greatest(x: Any, count: int) -> Any:
    """The indices, int64, of the `count` greatest elements of the last axis, or of all if it has fewer, in descending order; of
    equal elements the first."""
    count = min(count, x.shape[-1])
    return _by_blocks(lambda rows: _greatest(rows, count), _native(x), count)


def _native(x: Any) -> Any:
    """Numbers of a type that NumPy sorts in vectors."""
    if x.dtype.kind == "b":
        return x.view(np.uint8)
    return x if x.dtype.kind in "iu" or x.dtype in (np.float32, np.float64) else x.astype(np.float32)


def _by_blocks(function: Callable[[Any], Any], x: Any, results: int) -> Any:
    """The results of a function of rows, `results` for each row, block by block."""
    found = np.empty((*x.shape[:-1], results), np.int64)
    if found.size:
        rows, flat = x.reshape(-1, x.shape[-1]), found.reshape(-1, results)
        step = max(_BLOCK // x.shape[-1], 1)
        for start in range(0, len(rows), step):
            flat[start : start + step] = function(rows[start : start + step])
    return found


def _order(rows: Any, descending: bool) -> Any:
    packed = _packed(rows, descending)
    if packed is not None:
        packed.sort(axis=-1)
        return packed & ((1 << _INDEX_BITS) - 1)
    if descending:
        return rows.shape[-1] - 1 - _order(rows[:, ::-1], False)[:, ::-1]
    order = np.argsort(rows, axis=-1)  # in vectors, where the processor has them, but not stable
    ordered = np.take_along_axis(rows, order, axis=-1)
    # NaN is last, and not equal to itself.
    is_tied = ((ordered[:, 1:] == ordered[:, :-1]) | np.isnan(ordered[:, :-1])).any(axis=-1)
    order[is_tied] = np.argsort(rows[is_tied], axis=-1, kind="stable")
    return order


def _packed(rows: Any, descending: bool) -> Any:
    """Integers of 64 bits in the order of elements and then of their indices, which are their lower halves; None for elements
    of more than 32 bits."""
    keys = _keys(rows)
    if keys is None:
        return None
    packed = (~keys if descending else keys) << _INDEX_BITS
    packed |= np.arange(rows.shape[-1])
    return packed


def _keys(rows: Any) -> Any:
    """Integers of 32 bits, as int64, in the order of the elements; None if 32 bits do not suffice."""
    if rows.dtype.kind != "f":
        least = rows.min()
        if int(rows.max()) - int(least) >= 1 << 32:
            return None
        return rows.astype(np.int64) - least.astype(np.int64) - (1 << 31)  # differences of uint64 fit, modulo 2^64
    if rows.dtype.itemsize > 4:
        return None
    bits = np.ascontiguousarray(rows).view(np.int32)
    keys = bits ^ ((bits >> 31) & 0x7FFFFFFF)
    keys += keys < 0  # give -0.0 the key of 0.0
    keys[np.isnan(rows)] = 0x7FFFFFFF
    return keys.astype(np.int64)


def _greatest(rows: Any, count: int) -> Any:
    length = rows.shape[-1]
    if 4 * count >= length:
        return _order(rows, descending=True)[:, :count]
    least = np.partition(rows, length - count, axis=-1)[:, length - count, None]
    is_one = ~(rows < least)  # NaN is not less
    if np.count_nonzero(is_one) > count * len(rows):  # ties with the least one
        return _order(rows, descending=True)[:, :count]
    places = np.nonzero(is_one)[1].reshape(-1, count)
    return np.take_along_axis(places, _order(np.take_along_axis(rows, places, axis=-1), descending=True), axis=-1)
