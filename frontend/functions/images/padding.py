"""Padding, by a constant or by elements of the tensor."""

from __future__ import annotations

from typing import Any

from ....dialects.graph import shape as ops
from ....ir.diagnostics import did_you_mean
from ....ir.index.expressions import index
from ...tracing.tensor import Tensor, TensorLike, number_of
from ..arguments import size_from, tensor
from ..creation import arange
from ..elementwise import clip, maximum, minimum
from ..indexing import getitem, take
from ..manipulation import concat, flip, repeat
from ..micro_ops import reindex

MODES = ("constant", "edge", "reflect", "symmetric", "wrap")


def pad(x: TensorLike, /, pad_width: Any, constant_values: float | int | bool = 0, *, mode: str = "constant") -> Tensor:
    """x padded by one amount everywhere, a pair (before, after) for all axes, or one pair an axis.

    The modes are NumPy's: "constant" adds `constant_values`; "edge" repeats the first and the last element; "reflect" mirrors
    the elements without the first and the last, "symmetric" with them; "wrap" continues at the other end. Raises ShapeError for
    another mode and for amounts that do not fit, and at run time IndexError for an axis without elements unless they are
    constants.
    """
    value = tensor(x)
    if isinstance(constant_values, str):
        raise value.tracer.error(f"pad: expected a number as constant_values, got {constant_values!r}: modes are mode=...")
    if mode not in MODES:
        raise value.tracer.error(f"pad: expected a mode of {', '.join(MODES)}, got {mode!r}{did_you_mean(mode, MODES)}")
    pairs = _pairs(pad_width, value)
    if mode == "constant":
        low = [size_from(before, value.tracer) for before, _ in pairs]
        high = [size_from(after, value.tracer) for _, after in pairs]
        return value.tracer.emit(ops.PadOp, value, low, high, number_of(constant_values, value.dtype, value.tracer))
    for axis, (before, after) in enumerate(pairs):
        if (before, after) == (0, 0):
            continue
        joined = _joined(value, axis, before, after, mode)
        value = joined if joined is not None else take(value, _places(value.shape[axis], before, after, mode), axis=axis)
    return value


def _joined(value: Tensor, axis: int, before: Any, after: Any, mode: str) -> Tensor | None:
    """The axis between slices of itself; None if the slices may have to be longer than the axis."""
    size, sizes = value.shape[axis], value.tracer.sizes
    low, high = (size_from(amount, value.tracer) for amount in (before, after))
    least = {"edge": [index(1)], "reflect": [low + 1, high + 1]}.get(mode, [low, high])
    room = [low, high, *(value.sizes[axis] - each for each in least)]
    if not all(sizes.hint_of(each) is not None and sizes.assume(each) for each in room):
        return None

    def part(start: Any, stop: Any) -> Tensor:
        return getitem(value, (*[slice(None)] * axis, slice(start, stop)))

    match mode:
        case "edge":
            sides = [repeat(part(0, 1), before, axis=axis), repeat(part(size - 1, size), after, axis=axis)]
        case "wrap":
            sides = [part(size - before, size), part(0, after)]
        case "reflect":
            sides = [flip(part(1, before + 1), axis=axis), flip(part(size - 1 - after, size - 1), axis=axis)]
        case _:
            sides = [flip(part(0, before), axis=axis), flip(part(size - after, size), axis=axis)]
    return concat([sides[0], value, sides[1]], axis=axis)


def padded_by_reads(value: Tensor, axis: int, before: Any, after: Any, mode: str) -> Tensor | None:
    """An axis padded in mode "edge" or "reflect", each element read at its place; None where sizes are symbolic or the mirror
    is shorter than the padding. For axes other than the last one this is faster than `pad`; its gradient is slower."""
    size = value.shape[axis]
    if not all(isinstance(each, int) for each in (size, before, after)):
        return None
    mirrored = mode == "reflect"
    if size < 1 or (mirrored and max(before, after) >= size):
        return None
    low = f"max(i{axis} - {before}, {before} - i{axis})" if mirrored else f"i{axis} - {before}"
    high = f"{2 * (size - 1) + before} - i{axis}" if mirrored else size - 1
    shape = [before + size + after if k == axis else each for k, each in enumerate(value.shape)]
    at = f"max(min(min({low}, {high}), {size - 1}), 0)"
    return reindex(shape, value, index=[at if k == axis else f"i{k}" for k in range(value.ndim)])


def _places(size: Any, before: Any, after: Any, mode: str) -> Tensor:
    """The indices along an axis of the elements that the padded axis consists of."""
    at = arange(before + size + after) - before
    if mode == "edge":
        return clip(at, 0, size - 1)
    if mode == "wrap":
        return at % maximum(size, 1)
    period, last = (2 * size, 2 * size - 1) if mode == "symmetric" else (2 * size - 2, 2 * size - 2)
    folded = at % maximum(period, 1)
    return minimum(folded, last - folded)


def _pairs(pad_width: Any, value: Tensor) -> list[tuple[Any, Any]]:
    """The amounts of padding before and after each axis, given once for all axes or for each."""
    each = isinstance(pad_width, tuple | list) and any(isinstance(entry, tuple | list) for entry in pad_width)
    entries = list(pad_width) if each else [pad_width]
    if len(entries) == 1:
        entries *= value.ndim
    if len(entries) != value.ndim:
        raise value.tracer.error(f"pad_width: expected 1 or {value.ndim} pairs, got {len(entries)}")
    return [_pair(entry, value) for entry in entries]


def _pair(entry: Any, value: Tensor) -> tuple[Any, Any]:
    amounts = tuple(entry) if isinstance(entry, tuple | list) else (entry,)
    if len(amounts) not in (1, 2):
        raise value.tracer.error(f"pad_width: expected an amount or a pair (before, after), got {entry!r}")
    return amounts[0], amounts[-1]
