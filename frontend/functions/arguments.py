"""Conversion of function arguments before operations are built: axes, shapes, flags, and options with one entry an axis."""

from __future__ import annotations

import operator
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from ...ir.index.expressions import Index
from ...ir.types.overflow import near
from ..tracing.sizes import Size, other_index
from ..tracing.tensor import Tensor, TensorLike, cast, default_float, tensor_of
from ..tracing.tracer import Tracer, current_tracer


def tracer_of(*values: Any) -> Tracer:
    """The tracer of the first tensor among the values, else the current one."""
    return next((value.tracer for value in values if isinstance(value, Tensor)), None) or current_tracer()


def tensor(value: TensorLike) -> Tensor:
    """Convert a tensor-like value to a tensor of the current trace."""
    return value if isinstance(value, Tensor) else tensor_of(value, current_tracer())


def floating(value: TensorLike) -> Tensor:
    """Convert the operand of a floating-point function: integers are cast to their `default_float`."""
    found = tensor(value)
    return cast(found, default_float(found.dtype))


def precise(x: Tensor) -> Tensor:
    """Cast half precision to float32, so that functions of several steps round once, at the end."""
    return cast(x, x.dtype.compute)


def int_of(value: Any, what: str, tracer: Tracer) -> int:
    """Convert a Python, NumPy or traced integer to an int. Raises ShapeError for anything else."""
    if not isinstance(value, bool) and hasattr(value, "__index__"):
        try:
            return operator.index(value)
        except TypeError:
            pass  # an array of more than one element, or of floats
    raise tracer.error(f"expected {what} as an int, got {value!r}")


def flag_of(value: Any, name: str, tracer: Tracer) -> bool:
    """Convert True, False, NumPy's bools, 1 or 0 to a bool. Raises ShapeError for anything else."""
    if isinstance(value, bool | np.bool_) or (isinstance(value, int) and value in (0, 1)):
        return bool(value)
    raise tracer.error(f"expected {name} to be True or False, got {value!r}")


def argument_numbers(given: int | Sequence[int], what: str) -> tuple[int, ...]:
    """Convert one argument number or several to a tuple of ints. Raises TypeError for anything else."""
    numbers = tuple(given) if isinstance(given, Iterable) else (given,)
    if any(isinstance(each, bool) or not hasattr(each, "__index__") for each in numbers):
        raise TypeError(f"{what}: expected the number of an argument, or several, got {given!r}")
    return tuple(map(operator.index, numbers))


def axis_of(axis: int, rank: int, tracer: Tracer) -> int:
    """Normalise an axis to 0 <= axis < rank. Raises ShapeError when it is out of range."""
    found = int_of(axis, "an axis", tracer)
    if not -rank <= found < rank:
        raise tracer.error(f"axis {found} is out of range for {rank} axes")
    return found % rank


def axes_of(axis: int | Sequence[int] | None, rank: int, tracer: Tracer) -> tuple[int, ...]:
    """Normalise axes to 0 <= axis < rank; None gives all. Raises ShapeError when one is out of range or repeats."""
    if axis is None:
        return tuple(range(rank))
    given: tuple[Any, ...] = (axis,)
    if isinstance(axis, Iterable) and not isinstance(axis, str) and getattr(axis, "ndim", 1) > 0:
        given = tuple(axis)
    axes = tuple(axis_of(each, rank, tracer) for each in given)
    if len(set(axes)) != len(axes):
        raise tracer.error(f"axes repeat in {given}")
    return axes


def shape_from(shape: Any, tracer: Tracer) -> list[Index]:
    """Convert a shape, given as an int, a Size or a sequence of them. Raises ShapeError for anything else."""
    entries = list(shape) if isinstance(shape, Iterable) else [shape]
    return [size_from(entry, tracer) for entry in entries]


def expect_sizes(what: str, shape: Any, tracer: Tracer) -> list[Index]:
    """Convert the shape of a new tensor, as `shape_from`. Raises ShapeError, with the function's name `what`, for negative
    sizes."""
    sizes = shape_from(shape, tracer)
    for size in sizes:
        if not tracer.sizes.assume(size):
            raise tracer.error(f"{what}: expected a size of at least 0, got {size}")
    return sizes


def size_from(entry: Any, tracer: Tracer) -> Index:
    """Convert a size, given as an int, a Size or a NumPy integer. Raises ShapeError for anything else."""
    if isinstance(entry, int | Size | Index):
        return other_index(entry)
    return other_index(int_of(entry, "a size", tracer))


def each_axis(value: Any, rank: int, what: str, tracer: Tracer) -> list[Any]:
    """Expand an option to one entry for each of `rank` axes. Raises ShapeError for a sequence of another length."""
    if not isinstance(value, tuple | list):
        return [value] * rank
    if len(value) != rank:
        raise tracer.error(f"{what}: expected {'1 entry' if rank == 1 else f'1 or {rank} entries'}, got {len(value)}")
    return list(value)


def ints_of(value: Any, rank: int, what: str, tracer: Tracer) -> list[int]:
    """Expand an option to one int for each of `rank` axes. Raises ShapeError for anything else."""
    return [int_of(entry, f"a {what}", tracer) for entry in each_axis(value, rank, what, tracer)]


def padding_of(padding: Any, rank: int, tracer: Tracer) -> tuple[list[Index], list[Index]]:
    """The amounts of padding before and after each axis, from one number, one number an axis, or a pair (before, after) an
    axis.

    Raises ShapeError for anything else.
    """
    low: list[Index] = []
    high: list[Index] = []
    for entry in each_axis(padding, rank, "padding", tracer):
        sides = tuple(entry) if isinstance(entry, tuple | list) else (entry, entry)
        if len(sides) != 2 or not all(isinstance(side, Size | Index) or hasattr(side, "__index__") for side in sides):
            expected = "a whole number, or for each axis one or a pair (before, after)"
            raise tracer.error(f"padding: expected {expected}, got {padding!r}")
        low.append(size_from(sides[0], tracer))
        high.append(size_from(sides[1], tracer))
    return low, high


def window_padding(padding: Any, rank: int, tracer: Tracer) -> tuple[list[Index], list[Index]]:
    """Convert the padding of a window. Raises ShapeError for negative amounts: slices crop."""
    low, high = padding_of(padding, rank, tracer)
    for amount in (*low, *high):
        if not tracer.sizes.assume(amount):
            raise tracer.error(f"padding: expected at least 0, got {amount}")
    return low, high


def same_padding(
    name: str, extents: Sequence[Index], steps: Sequence[int], spreads: Sequence[int], tracer: Tracer
) -> list[tuple[Index, Index]]:
    """The padding with which a window of stride 1 gives as many results as there are elements; an odd amount has one more
    element after the axis, as in torch. Raises ShapeError for other strides."""
    if any(step != 1 for step in steps):
        raise tracer.error(f"{name}: padding='same' needs a stride of 1, got {list(steps)}")
    totals = [(extent - 1) * spread for extent, spread in zip(extents, spreads, strict=True)]
    return [(total // 2, total - total // 2) for total in totals]


def window_steps(given: Any, rank: int, what: str, tracer: Tracer) -> list[int]:
    """Convert strides or dilations of a window. Raises ShapeError for those below 1."""
    steps = ints_of(given, rank, what, tracer)
    if any(step < 1 for step in steps):
        raise tracer.error(f"{what}: expected at least 1, got {steps}")
    return steps


def near_steps(steps: Sequence[int]) -> list[int]:
    """Limit steps to `FAR`: all longer steps leave the axis too."""
    return list(map(near, steps))
