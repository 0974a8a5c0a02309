"""Indexing, gather and scatter. Index tensors hold integers; negative ones count from the end. Indices in tensors that are out
of range raise IndexError at run time."""

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


def take(x: TensorLike, indices: TensorLike, /, axis: int | None = None) -> Tensor:
    """Gather entries of one axis of x: the axis is replaced by the axes of `indices`, an integer tensor of any rank.

        take(x, indices, axis=1)[a, i, j, c] == x[a, indices[i, j], c]   # x of 3 axes, indices of 2

    `axis=None` gathers from the flattened x. Raises ShapeError for an axis out of range or indices that are not integers, and
    IndexError at run time for an index out of range.
    """
    value = tensor(x)
    if axis is None:
        value, axis = flatten(value), 0
    at = tensor_of(indices, value.tracer)
    return value.tracer.emit(ops.TakeOp, value, [at], [axis_of(axis, value.ndim, value.tracer)])


def take_along_axis(x: TensorLike, indices: TensorLike, /, axis: int = -1) -> Tensor:
    """Gather along an axis with an index for each element of the result, as NumPy: result[a, i] == x[a, indices[a, i]] along
    the last axis. `indices` has the rank of x; the other axes broadcast. Raises IndexError at run time for an index out of
    range."""
    value = tensor(x)
    at = tensor_of(indices, value.tracer)
    return value.tracer.emit(ops.TakeAlongAxisOp, value, at, axis_of(axis, value.ndim, value.tracer))


def scatter(x: TensorLike, index: TensorLike, updates: TensorLike, /, axis: int = 0, *, op: str = "set") -> Tensor:
    """x with `updates` combined into it by "set", "add", "mul", "max" or "min", in row-major order where indices repeat.

    If index and updates have the rank of x, element u of `updates` goes to index[u] along the axis, as in `take_along_axis`.
    Otherwise updates are whole slices, in the shape of `take(x, index, axis=axis)`. Updates are cast to the dtype of x. Raises
    ShapeError for shapes that do not fit, and IndexError at run time for an index out of range.
    """
    value = tensor(x)
    tracer = value.tracer
    at, new = tensor_of(index, tracer), cast(tensor_of(updates, tracer, value.dtype), value.dtype)
    along = at.ndim == value.ndim and new.ndim == value.ndim
    make = ops.ScatterAlongAxisOp if along else ops.ScatterOp
    return tracer.emit(make, op, value, at, new, axis_of(axis, value.ndim, tracer))


def getitem(x: TensorLike, key: Any, /) -> Tensor:
    """x[key] as in NumPy: integers, slices with any step, None, `...` and integer tensors (not boolean masks).

    Slice bounds beyond a known size are clamped. A slice of an axis of unknown size assumes that the axis is long enough, which
    each call checks. Raises ShapeError for an integer out of range.
    """
    value = tensor(x)
    view = _View(value)
    entries = _entries(tuple(map(_entry, key if isinstance(key, tuple) else (key,))), value)
    for entry in entries:
        view.add(entry)
    return view.build(_are_together([_is_advanced(entry) or _is_integer(entry) for entry in entries]))


@dataclass
class _View:
    """Translates the entries of a key to a slice of x, the shape after integers and None, and the axes to gather."""

    x: Tensor
    starts: list[Index] = field(default_factory=list)
    sizes: list[Index] = field(default_factory=list)
    steps: list[int] = field(default_factory=list)
    shape: list[Index] = field(default_factory=list)
    gathers: list[tuple[int, Tensor]] = field(default_factory=list)

    def add(self, entry: Any) -> None:
        """Translate the next entry of the key."""
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
        """Emit the operations for the whole key; gathered axes that are not adjacent move to the front, as in NumPy."""
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
    """The start, length and step of a slice along an axis of `size`. Raises ShapeError for a step of 0."""
    step = 1 if entry.step is None else int_of(entry.step, "the step of a slice", tracer)
    if step == 0:
        raise tracer.error("the step of a slice must not be 0")
    first, last = (index(0), size) if step > 0 else (index(-1), size - 1)
    start = (first if step > 0 else last) if entry.start is None else _bound(entry.start, size, first, last, tracer)
    stop = (last if step > 0 else first) if entry.stop is None else _bound(entry.stop, size, first, last, tracer)
    # The slice is empty for all sizes and steps: it starts past the last element, or stops before the first.
    beyond, before = (last, first) if step > 0 else (first, last)
    if size == 0 or start == beyond or stop == before:
        return index(0), index(0), 1
    span = stop - start if step > 0 else start - stop
    # A step longer than the axis selects the first element only, as does a step of 1 with the length limited to 1.
    first_alone = abs(step) > LONG_STEP and tracer.sizes.assume(abs(step) - size)
    if first_alone:
        step = 1 if step > 0 else -1
    # Going backwards, an empty slice may start outside of the axis: start it at 0.
    if not tracer.sizes.assume(span if step > 0 else span - 1):
        return start if step > 0 else index(0), index(0), step
    return start, minimum(span, 1) if first_alone else ceildiv(span, abs(step)), step


def _bound(given: Any, size: Index, first: Index, last: Index, tracer: Tracer) -> Index:
    """Clamp a bound of a slice to [first, last], counting negative ones from the end."""
    solver, at = tracer.sizes, size_from(given, tracer)
    at = at if at.constant is None else index(near(at.constant))
    if (at.constant is not None and at.constant < 0) or not solver.assume(at):
        at = at + size
        return at if solver.assume(at - first) else first
    return at if solver.assume(last - at) else last


def _entries(key: tuple[Any, ...], x: Tensor) -> list[Any]:
    """The key with `...` and missing trailing entries expanded to full slices."""
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
    """Convert an empty list, which has no dtype, to an integer array; return other entries of a key unchanged."""
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
    """Whether the marked entries are adjacent."""
    places = [k for k, mark in enumerate(marks) if mark]
    return not places or places[-1] - places[0] + 1 == len(places)
