"""Indexing, gather and scatter. Index tensors hold integers; negative ones count from the end, and one out of range is an
IndexError when the program runs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ...dialects.graph import index as ops
from ...dialects.graph import shape as graph_shape
from ...ir.index.expressions import Index, ceildiv, index, minimum
from ...ir.types.overflow import LONG_STEP, near
from ..tracing.sizes import Size
from ..tracing.tensor import Tensor, TensorLike, cast, tensor_of
from ..tracing.tracer import Tracer
from .arguments import axis_of, int_of, size_from, tensor
from .manipulation import flatten, permute_dims, reshape


def take(x: TensorLike, indices: TensorLike, /, *, axis: int | None = None) -> Tensor:
    """The entries of an axis that `indices`, of any rank, name; its shape stands in the place of the axis. None flattens."""
    value = tensor(x)
    if axis is None:
        value, axis = flatten(value), 0
    at = tensor_of(indices, value.tracer)
    return value.tracer.emit(ops.TakeOp, value, [at], [axis_of(axis, value.ndim, value.tracer)])


def take_along_axis(x: TensorLike, indices: TensorLike, /, *, axis: int = -1) -> Tensor:
    """For each position, the entry of the axis that the index there names. The other axes broadcast."""
    value = tensor(x)
    at = tensor_of(indices, value.tracer)
    return value.tracer.emit(ops.TakeAlongAxisOp, value, at, axis_of(axis, value.ndim, value.tracer))


def scatter(x: TensorLike, index: TensorLike, updates: TensorLike, /, *, axis: int = 0, op: str = "set") -> Tensor:
    """x with updates combined into it by "set", "add", "mul", "max" or "min", in order where indices repeat.

    With an index of the rank of x, element u of `updates` (of the index's shape) goes to the entry of the axis that index u
    names. Otherwise the updates are whole rows, of the shape that `take(x, index, axis=axis)` has. Updates take the dtype of x.
    """
    value = tensor(x)
    tracer = value.tracer
    at, new = tensor_of(index, tracer), cast(tensor_of(updates, tracer, value.dtype), value.dtype)
    along = at.ndim == value.ndim and new.ndim == value.ndim
    make = ops.ScatterAlongAxisOp if along else ops.ScatterOp
    return tracer.emit(make, op, value, at, new, axis_of(axis, value.ndim, tracer))


def getitem(x: TensorLike, key: Any, /) -> Tensor:
    """x[key] as in NumPy: integers, slices with any step, None, `...` and tensors of integers (not of bools).

    A slice's end may lie outside of a size that is known; sizes that are not known are taken to be large enough for the slice,
    which each call checks. Raises ShapeError for an index out of range.
    """
    value = tensor(x)
    view = _View(value)
    entries = _entries(tuple(map(_entry, key if isinstance(key, tuple) else (key,))), value)
    for entry in entries:
        view.add(entry)
    return view.build(_are_together([_is_advanced(entry) or _is_integer(entry) for entry in entries]))


@dataclass
class _View:
    """Collects what a key says of each axis: a slice of it, then which axes go, come, and are gathered."""

    x: Tensor
    starts: list[Index] = field(default_factory=list)
    sizes: list[Index] = field(default_factory=list)
    steps: list[int] = field(default_factory=list)
    shape: list[Index] = field(default_factory=list)
    gathers: list[tuple[int, Tensor]] = field(default_factory=list)

    def add(self, entry: Any) -> None:
        """Take the next entry of the key."""
        if entry is None:
            self.shape.append(index(1))
            return
        size = self.x.sizes[len(self.starts)]
        if isinstance(entry, slice):
            start, length, step = slice_bounds(entry, size, self.x.tracer)
            self._slice(start, length, step)
            self.shape.append(length)
        elif _is_integer(entry):
            self._slice(self._position(entry, size), index(1), 1)
        else:
            self.gathers.append((len(self.shape), tensor_of(entry, self.x.tracer)))
            self._slice(index(0), size, 1)
            self.shape.append(size)

    def build(self, together: bool) -> Tensor:
        """The indexed tensor; gathered axes that do not stand together move to the front."""
        value = self.x
        if (tuple(self.sizes), set(self.steps)) != (value.sizes, {1}):
            value = value.tracer.emit(graph_shape.SliceOp, value, self.starts, self.sizes, self.steps)
        if tuple(self.shape) != tuple(self.sizes):
            value = reshape(value, self.shape)
        if not self.gathers:
            return value
        axes = [axis for axis, _ in self.gathers]
        if not together:
            value = permute_dims(value, [*axes, *(k for k in range(value.ndim) if k not in axes)])
            axes = list(range(len(axes)))
        return value.tracer.emit(ops.TakeOp, value, [at for _, at in self.gathers], axes)

    def _slice(self, start: Index, size: Index, step: int) -> None:
        self.starts.append(start)
        self.sizes.append(size)
        self.steps.append(step)

    def _position(self, entry: Any, size: Index) -> Index:
        solver, at = self.x.tracer.sizes, size_from(entry, self.x.tracer)
        position = at + size if (at.constant is not None and at.constant < 0) or not solver.assume(at) else at
        if not (solver.assume(position) and solver.assume(size - 1 - position)):
            raise self.x.tracer.error(f"index {at} is out of range for axis {len(self.starts)} of size {size}")
        return position


def slice_bounds(entry: slice, size: Index, tracer: Tracer) -> tuple[Index, Index, int]:
    """Where a slice starts, how many elements it has, and its step. Raises ShapeError for a step of 0."""
    step = 1 if entry.step is None else int_of(entry.step, "the step of a slice", tracer)
    if step == 0:
        raise tracer.error("the step of a slice must not be 0")
    first, last = (index(0), size) if step > 0 else (index(-1), size - 1)
    start = (first if step > 0 else last) if entry.start is None else _bound(entry.start, size, first, last, tracer)
    stop = (last if step > 0 else first) if entry.stop is None else _bound(entry.stop, size, first, last, tracer)
    # Empty whatever the sizes are, with any step: it begins where no element is, or ends before the first one.
    beyond, before = (last, first) if step > 0 else (first, last)
    if size == 0 or start == beyond or stop == before:
        return index(0), index(0), 1
    span = stop - start if step > 0 else start - stop
    # Where a step leads out of the axis, any other one gives the first element alone as well.
    first_alone = abs(step) > LONG_STEP and tracer.sizes.assume(abs(step) - size)
    if first_alone:
        step = 1 if step > 0 else -1
    # Backwards, no element is one that would lie outside of the axis.
    if not tracer.sizes.assume(span if step > 0 else span - 1):
        return start if step > 0 else index(0), index(0), step
    return start, minimum(span, 1) if first_alone else ceildiv(span, abs(step)), step


def _bound(given: Any, size: Index, first: Index, last: Index, tracer: Tracer) -> Index:
    """A bound of a slice, counted from the end when negative, and limited to where elements are."""
    solver, at = tracer.sizes, size_from(given, tracer)
    at = at if at.constant is None else index(near(at.constant))
    if (at.constant is not None and at.constant < 0) or not solver.assume(at):
        at = at + size
        return at if solver.assume(at - first) else first
    return at if solver.assume(last - at) else last


def _entries(key: tuple[Any, ...], x: Tensor) -> list[Any]:
    """The key with `...`, and what is missing at the end, written out as slices."""
    tracer = x.tracer
    for entry in key:
        _check_entry(entry, tracer)
    used = sum(1 for entry in key if entry is not None and entry is not Ellipsis)
    if used > x.ndim:
        raise tracer.error(f"{used} indices for {x.ndim} axes")
    dots = [k for k, entry in enumerate(key) if entry is Ellipsis]
    if len(dots) > 1:
        raise tracer.error("an index can have one `...` only")
    place = dots[0] if dots else len(key)
    return [*key[:place], *[slice(None)] * (x.ndim - used), *key[place + 1 :]]


def _entry(given: Any) -> Any:
    """An entry of a key as it is, but an empty list, which has no dtype of its own, as an array of integers."""
    return np.zeros(np.shape(given), np.int64) if isinstance(given, list) and np.size(given) == 0 else given


def _check_entry(entry: Any, tracer: Tracer) -> None:
    if entry is None or entry is Ellipsis or isinstance(entry, slice) or _is_integer(entry):
        return
    if isinstance(entry, bool) or not (isinstance(entry, list) or hasattr(entry, "dtype")):
        raise tracer.error(f"expected an integer, a slice, None, `...` or a tensor of integers as index, got {entry!r}")
    if tensor_of(entry, tracer).dtype.kind not in ("int", "uint"):
        raise tracer.error(f"expected an index tensor of integers, got {entry!r}; use where() to select by a mask")


def _is_integer(entry: Any) -> bool:
    if isinstance(entry, int | Size):
        return not isinstance(entry, bool)
    return not isinstance(entry, Tensor) and hasattr(entry, "__index__") and getattr(entry, "ndim", 1) == 0


def _is_advanced(entry: Any) -> bool:
    return isinstance(entry, list | Tensor) or (hasattr(entry, "dtype") and not _is_integer(entry))


def _are_together(marks: Sequence[bool]) -> bool:
    """Whether the marked entries follow each other."""
    places = [k for k, mark in enumerate(marks) if mark]
    return not places or places[-1] - places[0] + 1 == len(places)
