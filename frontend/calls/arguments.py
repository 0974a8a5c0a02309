"""The arguments of calls: finds the leaves that are arrays. Errors name an argument that is neither an array nor a constant, or
whose complex dtype is too wide."""

from __future__ import annotations

import functools
import re
from collections.abc import Callable, Hashable, Sequence
from typing import Any

import numpy as np

from ...ir.types.dtypes import dtype
from ...runtime.boundary.arrays import is_torch
from ..tracing.complex_tensors import is_complex_array, separated
from ..tracing.tensor import Tensor
from ..tracing.tracer import leaf_names
from ..tracing.trees import LEAF, Tree, flatten, is_hashable
from .varying_numbers import VaryingNumber


def plain_tree(count: int) -> Tree:
    """The nesting of the arguments in a call with `count` arrays and no other argument."""
    return Tree(tuple, (Tree(tuple, (LEAF,) * count), Tree(dict)))


def arrays_among(leaves: Sequence[Any]) -> list[Any]:
    """The arrays among the leaves."""
    return [leaf.array if isinstance(leaf, VaryingNumber) else leaf for leaf in leaves if is_argument(leaf)]


def is_argument(leaf: Any) -> bool:
    return isinstance(leaf, VaryingNumber) or is_array(leaf)


def is_array(leaf: Any) -> bool:
    """Whether an argument is an array, and not a constant of the program."""
    return isinstance(leaf, np.ndarray | np.generic) or is_torch(leaf) or (isinstance(leaf, Tensor) and leaf.has_elements)


@functools.cache
def dtype_of_torch(found: Any) -> Any:
    """The NumPy dtype of a torch dtype, so that both share their code. An unsupported dtype is returned unchanged."""
    try:
        return dtype(found).numpy
    except TypeError:
        return found


def expect_hashable(function: Callable[..., Any], tree: Tree, leaves: Sequence[Any], key: Sequence[Hashable]) -> None:
    """Raise TypeError, with the argument's name, for a constant that is not hashable. `key` has the part of the cache key for
    each leaf."""
    if is_hashable(key):
        return
    names = leaf_names(function, *tree.unflatten(leaves))
    wrong = [(name, leaf) for name, leaf, part in zip(names, leaves, key, strict=True) if not is_hashable(part)]
    name, leaf = wrong[0]
    expected = "arrays in tuples, lists and dicts, or a constant that can be hashed"
    raise TypeError(f"argument '{name}': expected {expected}, got {type(leaf).__name__}")


def separated_leaves(function: Callable[..., Any], tree: Tree, leaves: Sequence[Any], donated: Sequence[int] = ()) -> list[Any]:
    """The leaves of a call, with a pair in place of each array of a complex dtype. Raises TypeError, with the argument's name,
    for a dtype wider than two float64, and for a donated complex argument."""
    args, kwargs = tree.unflatten(leaves)
    for number in donated:
        if number < len(args) and any(map(is_complex_array, flatten(args[number])[0])):
            (name, *_) = leaf_names(function, args[: number + 1], {})[-1:]
            raise TypeError(f"argument '{name}': complex arrays cannot be donated: programs take copies of their parts")
    found: list[Any] = []
    for name, leaf in zip(leaf_names(function, args, kwargs), leaves, strict=True):
        try:
            found.append(separated(leaf))
        except TypeError as error:
            raise TypeError(f"argument '{name}': {error}") from error
    return found


def explain_lists(error: Exception, arguments: Sequence[tuple[str, Any]]) -> None:
    """Add a note to an error about lists: name the arguments that are lists of numbers, which the function gets unchanged."""
    for name, value in arguments:
        kind = type(value).__name__
        python_says = rf"'{kind}'|\b{kind} indices|concatenate {kind}\b|multiply sequence"
        if isinstance(value, list | tuple) and _holds_numbers(value) and re.search(python_says, str(error)):
            error.add_note(
                f"argument '{name}': expected an array to compute with, got a {kind}, whose numbers are constants of the "
                f"compiled code: pass np.asarray({name})"
            )


def _holds_numbers(value: Any) -> bool:
    """Whether a value is a number, or a non-empty list or tuple of numbers, nested or not."""
    if isinstance(value, list | tuple):
        return bool(value) and all(map(_holds_numbers, value))
    return isinstance(value, int | float)
