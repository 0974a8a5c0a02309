"""The arguments of calls: which of their leaves are arrays, and how arrays alone nest."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from typing import Any

import numpy as np

from ..ir.types.dtypes import dtype
from ..runtime.boundary.arrays import is_torch
from .tracing.tensor import Tensor
from .tracing.trees import LEAF, Tree
from .varying_numbers import VaryingNumber


def plain_tree(count: int) -> Tree:
    """The nesting of the arguments in a call of `count` arrays and nothing else."""
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
    """The NumPy dtype of a torch one, so that both share their code. An unsupported one is returned unchanged."""
    try:
        return dtype(found).numpy
    except TypeError:
        return found
