"""Rows of sorting and searching. The rank of each element is the number of elements before it, counted by comparing all pairs:
fast for short axes. Longer axes, and axes of unknown size, are sorted on the host; median, kthvalue and
searchsorted call torch's kernels for them."""

from __future__ import annotations

from collections.abc import Callable
from types import MappingProxyType
from typing import Any

from ....ir.types.dtypes import BOOL, INT64, UINT8
from ... import functions as sw
from ...libraries import sorting
from ...tracing.tensor import Tensor, cast, tensor_of
from ...tracing.tracer import current_tracer
from .host_kernels import expect_on_host, kernel
from .parts import axis_in
from .row import Row, Rows, Unsupported, own

# Counting takes n * n comparisons to sort n elements, and n to search one.
LONGEST_SORTED, LONGEST_SEARCHED = 64, 1024


def _less(a: Tensor, b: Tensor) -> Tensor:
    """Whether a comes before b, where NaN is greater than all numbers."""
    if not a.dtype.is_float:
        return sw.less(a, b)
    return sw.logical_or(sw.less(a, b), sw.logical_and(sw.isnan(b), sw.logical_not(sw.isnan(a))))


def _last(x: Tensor, dim: int) -> Tensor:
    """x with an axis moved to the end; bools, which cannot be compared by order, as integers."""
    if not x.ndim:
        x = sw.reshape(x, (1,))
    found = sw.moveaxis(x, axis_in(x, dim), -1)
    return cast(found, UINT8) if x.dtype == BOOL else found


def _ranks(x: Tensor, descending: bool = False) -> Tensor:
    """The position of each element in the sorted last axis; equal elements keep their order."""
    own_place = sw.arange(x.shape[-1])
    a, b = sw.expand_dims(x, -1), sw.expand_dims(x, -2)
    is_before = _less(a, b) if descending else _less(b, a)
    is_after = _less(b, a) if descending else _less(a, b)
    is_equal = sw.logical_not(sw.logical_or(is_before, is_after))
    earlier = sw.less(sw.expand_dims(own_place, -2), sw.expand_dims(own_place, -1))
    return sw.sum(cast(sw.logical_or(is_before, sw.logical_and(is_equal, earlier)), INT64), axis=-1)


def _back(found: Tensor, x: Tensor, dim: int) -> Tensor:
    """The last axis moved to where it was, in the dtype of x or as integers."""
    return sw.reshape(found, ()) if not x.ndim else sw.moveaxis(found, -1, axis_in(x, dim))


def _sorted(x: Tensor, dim: int = -1, descending: bool = False) -> tuple[Tensor, Tensor]:
    line = _last(x, dim)
    if not _is_at_most(LONGEST_SORTED, line.shape[-1]):
        expect_on_host()
        indices = sorting.argsort(line, descending=descending)
        return cast(_back(sw.take_along_axis(line, indices, axis=-1), x, dim), x.dtype), _back(indices, x, dim)
    places = _ranks(line, descending)
    own_places = sw.broadcast_to(sw.arange(line.shape[-1]), line.shape)
    values = sw.scatter(sw.zeros_like(line), places, line, axis=line.ndim - 1)
    indices = sw.scatter(sw.zeros_like(places), places, own_places, axis=line.ndim - 1)
    return cast(_back(values, x, dim), x.dtype), _back(indices, x, dim)


def _top(x: Tensor, count: Any, dim: int = -1, largest: bool = True, is_sorted: bool = True) -> tuple[Tensor, Tensor]:
    if not x.ndim:
        return x, sw.zeros((), INT64)
    axis = axis_in(x, dim)
    cut = tuple(slice(0, count) if k == axis else slice(None) for k in range(x.ndim))
    if largest and isinstance(count, int) and not _is_at_most(LONGEST_SORTED, x.shape[axis]):
        expect_on_host()
        values, indices = sorting.topk(_last(x, dim), count)
        return cast(_back(values, x, dim), x.dtype), _back(indices, x, dim)
    values, indices = _sorted(x, dim, largest)
    return sw.getitem(values, cut), sw.getitem(indices, cut)


def _chosen(line: Tensor, ranks: Tensor, rank: Any) -> tuple[Tensor, Tensor]:
    """The element with a given rank along the last axis, and its index."""
    is_it = sw.equal(ranks, rank)
    at = sw.sum(sw.where(is_it, sw.arange(line.shape[-1]), 0), axis=-1, keepdims=True)
    return sw.take_along_axis(line, at, axis=-1), at


def _at_rank(rank_of: Callable[[Tensor], Any]) -> Callable[..., Any]:
    """A row for the element along an axis whose rank a function gives, and its index."""

    def apply(x: Tensor, dim: int = -1, keepdim: bool = False) -> tuple[Tensor, Tensor]:
        line = _last(x, dim)
        found = _chosen(line, _ranks(line), rank_of(line))
        if keepdim or not x.ndim:
            value, at = (_back(each, x, dim) for each in found)
        else:
            value, at = (sw.squeeze(each, -1) for each in found)
        return cast(value, x.dtype), at

    return apply


def _middle(line: Tensor) -> Any:
    """The rank of the lower median; the rank of the first NaN if there is one."""
    size = line.shape[-1]
    if not line.dtype.is_float:
        return (size - 1) // 2
    numbers = sw.sum(cast(sw.logical_not(sw.isnan(line)), INT64), axis=-1, keepdims=True)
    return sw.where(sw.less(numbers, size), numbers, (size - 1) // 2)


def _middle_of_numbers(line: Tensor) -> Any:
    """The rank of the lower median of the elements that are not NaN."""
    if not line.dtype.is_float:
        return (line.shape[-1] - 1) // 2
    numbers = sw.sum(cast(sw.logical_not(sw.isnan(line)), INT64), axis=-1, keepdims=True)
    return sw.floor_divide(sw.maximum(numbers - 1, 0), 2)


def _of_all(rank_of: Callable[[Tensor], Any]) -> Callable[[Tensor], Tensor]:
    """The element with a given rank among all elements."""

    def apply(x: Tensor) -> Tensor:
        flat = sw.reshape(x, (-1,))
        if isinstance(flat.shape[0], int) and flat.shape[0] == 0:
            raise Unsupported("the median of no elements")
        return _at_rank(rank_of)(flat, 0)[0]

    return apply


def _kth(x: Tensor, number: int, dim: int = -1, keepdim: bool = False) -> tuple[Tensor, Tensor]:
    return _at_rank(lambda _: number - 1)(x, dim, keepdim)


def _searched(
    boundaries: Tensor,
    values: Any,
    *,
    out_int32: bool = False,
    right: bool = False,
    side: str | None = None,
    sorter: Tensor | None = None,
) -> Tensor:
    """The number of boundaries before each value: boundaries that are less or, with `right`, not greater."""
    line = boundaries if sorter is None else sw.take_along_axis(boundaries, sorter, axis=-1)
    found = values if isinstance(values, Tensor) else tensor_of(values, current_tracer(), line.dtype)
    a = sw.expand_dims(line, -2) if line.ndim > 1 else line
    b = sw.expand_dims(found, -1)
    is_before = sw.logical_not(_less(b, a)) if right or side == "right" else _less(a, b)
    return sw.sum(cast(is_before, INT64), axis=-1)


def _bucket(values: Any, boundaries: Tensor, *, out_int32: bool = False, right: bool = False) -> Tensor:
    return _searched(boundaries, values, right=right)


def _along(name: str, function: Callable[..., Any], position: int) -> Row:
    """A row that computes by counting if the axis, the argument at `position`, is short, and else calls torch's kernel."""

    def apply(x: Tensor, *args: Any, **kwargs: Any) -> Any:
        dim = args[position] if len(args) > position else kwargs.get("dim", -1)
        size = x.shape[axis_in(x, dim)] if x.ndim else 1
        return (function if _is_at_most(LONGEST_SORTED, size) else kernel(name))(x, *args, **kwargs)

    return own(apply)


def _by_size(name: str, function: Callable[..., Any], longest: int, chosen: Callable[..., Any], operands: str = "own") -> Row:
    """A row that computes by counting if the size that `chosen` gives is at most `longest`, and else calls torch's kernel."""

    def apply(*args: Any, **kwargs: Any) -> Any:
        return (function if _is_at_most(longest, chosen(*args)) else kernel(name))(*args, **kwargs)

    return Row(apply, operands)


def _is_at_most(longest: int, size: Any) -> bool:
    return isinstance(size, int) and size <= longest


def _count(x: Tensor) -> Any:
    return sw.reshape(x, (-1,)).shape[0]


def _boundaries(x: Tensor, *_: Any) -> Any:
    return x.shape[-1]


def _stably_sorted(x: Tensor, *, stable: Any = None, dim: int = -1, descending: bool = False) -> tuple[Tensor, Tensor]:
    return _sorted(x, dim, descending)


SORTING: Rows = MappingProxyType(
    {
        "sort.default": own(_sorted),
        "sort.stable": own(_stably_sorted),
        "topk.default": own(_top),
        "kthvalue.default": _along("kthvalue", _kth, 1),
        "median.default": _by_size("median", _of_all(_middle), LONGEST_SORTED, _count),
        "median.dim": _along("median.dim", _at_rank(_middle), 0),
        "nanmedian.default": _by_size("nanmedian", _of_all(_middle_of_numbers), LONGEST_SORTED, _count),
        "nanmedian.dim": _along("nanmedian.dim", _at_rank(_middle_of_numbers), 0),
        "searchsorted.Tensor": _by_size("searchsorted.Tensor", _searched, LONGEST_SEARCHED, _boundaries, "common"),
        "searchsorted.Scalar": _by_size("searchsorted.Scalar", _searched, LONGEST_SEARCHED, _boundaries, "common"),
        "bucketize.Tensor": _by_size("bucketize.Tensor", _bucket, LONGEST_SEARCHED, lambda _, x: x.shape[-1], "common"),
        "bucketize.Scalar": _by_size("bucketize.Scalar", _bucket, LONGEST_SEARCHED, lambda _, x: x.shape[-1], "common"),
    }
)
