"""What functions do with their arguments before they make operations: axes, shapes, and entries for each axis."""

from __future__ import annotations

import operator
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from ...ir.index.expressions import Index
from ..tracing.sizes import Size, other_index
from ..tracing.tensor import Tensor, TensorLike, cast, default_float, tensor_of
from ..tracing.tracer import Tracer, current_tracer


def tracer_of(*values: Any) -> Tracer:
    """The tracer of the first tensor among the values, else the current one."""
    return next((value.tracer for value in values if isinstance(value, Tensor)), None) or current_tracer()


def tensor(value: TensorLike) -> Tensor:
    """Anything that can be a tensor as one of the current trace."""
    return value if isinstance(value, Tensor) else tensor_of(value, current_tracer())


def floating(value: TensorLike) -> Tensor:
    """The operand of a function of floats: integers become `default_float` of them."""
    found = tensor(value)
    return cast(found, default_float(found.dtype))


def precise(x: Tensor) -> Tensor:
    """Half precision as float32, so that what is computed in several steps is rounded once, at the end."""
    return cast(x, x.dtype.compute)


def int_of(value: Any, what: str, tracer: Tracer) -> int:
    """A Python, NumPy or traced integer as an int. Raises ShapeError for anything else."""
    if not isinstance(value, bool) and hasattr(value, "__index__"):
        try:
            return operator.index(value)
        except TypeError:
            pass  # an array of more than one element, or of floats
    raise tracer.error(f"expected {what} as an int, got {value!r}")


def flag_of(value: Any, name: str, tracer: Tracer) -> bool:
    """True or False, NumPy's too, or 1 or 0. Raises ShapeError for anything else."""
    if isinstance(value, bool | np.bool_) or (isinstance(value, int) and value in (0, 1)):
        return bool(value)
    raise tracer.error(f"expected {name} to be True or False, got {value!r}")


def argument_numbers(given: int | Sequence[int], what: str) -> tuple[int, ...]:
    """Numbers of arguments as users say them: one, or several. Raises TypeError for anything else."""
    numbers = tuple(given) if isinstance(given, Iterable) else (given,)
    if any(isinstance(each, bool) or not hasattr(each, "__index__") for each in numbers):
        raise TypeError(f"{what}: expected the number of an argument, or several, got {given!r}")
    return tuple(map(operator.index, numbers))


def axis_of(axis: int, rank: int, tracer: Tracer) -> int:
    """An axis counted from the front. Raises ShapeError when it is out of range."""
    found = int_of(axis, "an axis", tracer)
    if not -rank <= found < rank:
        raise tracer.error(f"axis {found} is out of range for {rank} axes")
    return found % rank


def axes_of(axis: int | Sequence[int] | None, rank: int, tracer: Tracer) -> tuple[int, ...]:
    """Axes counted from the front, all for None. Raises ShapeError when one is out of range or repeats."""
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
    """A shape given as an int, a Size, or a sequence of them. Raises ShapeError for anything else."""
    entries = list(shape) if isinstance(shape, Iterable) else [shape]
    return [size_from(entry, tracer) for entry in entries]


def expect_sizes(what: str, shape: Any, tracer: Tracer) -> list[Index]:
    """`shape_from`, of a tensor that is made. Raises ShapeError, which says what makes it, for negative sizes too."""
    sizes = shape_from(shape, tracer)
    for size in sizes:
        if not tracer.sizes.assume(size):
            raise tracer.error(f"{what}: expected a size of at least 0, got {size}")
    return sizes


def size_from(entry: Any, tracer: Tracer) -> Index:
    """A size given as an int, a Size or a NumPy integer."""
    if isinstance(entry, int | Size | Index):
        return other_index(entry)
    return other_index(int_of(entry, "a size", tracer))


def each_axis(value: Any, rank: int, what: str, tracer: Tracer) -> list[Any]:
    """One entry for each of `rank` axes: a sequence of them, or one for all."""
    if not isinstance(value, tuple | list):
        return [value] * rank
    if len(value) != rank:
        raise tracer.error(f"{what}: expected {'1 entry' if rank == 1 else f'1 or {rank} entries'}, got {len(value)}")
    return list(value)


def ints_of(value: Any, rank: int, what: str, tracer: Tracer) -> list[int]:
    """One int for each of `rank` axes: a sequence of them, or one for all."""
    return [int_of(entry, f"a {what}", tracer) for entry in each_axis(value, rank, what, tracer)]


def padding_of(padding: Any, rank: int, tracer: Tracer) -> tuple[list[Index], list[Index]]:
    """What is added before and after each axis: one number, one an axis, or a pair (before, after) an axis.

    Raises ShapeError for anything else, as names of paddings.
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
