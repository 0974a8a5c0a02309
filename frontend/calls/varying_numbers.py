"""Python numbers among the arguments of jitted functions: constants of the code at first, arguments once they vary.

A number is part of the code that the first call compiles. When a call differs from an earlier one only in the values of
numbers, the numbers that differ become arguments: arrays without axes that take part in the choice of dtypes like Python
numbers. A function that needs the number itself, as an axis, in `range` or in a comparison, is compiled for each value as
before.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ...ir.types.dtypes import INT64
from ..tracing.trees import exact


class VaryingNumber:
    """An argument in place of a number."""

    __slots__ = ("array",)

    def __init__(self, value: float | int):
        self.array = np.array(value, np.int64 if isinstance(value, int) else np.float64)


@dataclass
class Numbers:
    """The numbers of calls that are alike: the first values, and the positions of numbers that vary and of those that have to
    stay constant."""

    first: tuple[Hashable, ...]
    varying: set[int] = field(default_factory=set[int])
    constant: set[int] = field(default_factory=set[int])


class NumberArguments:
    """The numbers among the arguments of one function, by the other properties of its calls."""

    def __init__(self):
        self._known: dict[Hashable, Numbers] = {}

    def replace(self, tree: Hashable, leaves: Sequence[Any], described: Sequence[Hashable]) -> tuple[list[Any], Numbers | None]:
        """The leaves with varying numbers replaced, and the `Numbers` of earlier calls like this one, if there were any.
        `described` has the part of the cache key for each leaf."""
        positions = [k for k, leaf in enumerate(leaves) if _is_number(leaf)]
        if not positions:
            return list(leaves), None
        key = (tree, *(type(leaf) if _is_number(leaf) else described[k] for k, leaf in enumerate(leaves)))
        values = tuple(exact(leaves[k]) for k in positions)
        known = self._known.setdefault(key, Numbers(values))
        differing = {k for k, value, first in zip(positions, values, known.first, strict=True) if value != first}
        known.varying |= differing - known.constant
        if not known.varying:
            return list(leaves), None
        return [VaryingNumber(leaf) if k in known.varying else leaf for k, leaf in enumerate(leaves)], known


def _is_number(leaf: Any) -> bool:
    """Whether a leaf is a float or an int that an array holds; bools choose between programs."""
    return type(leaf) is float or (type(leaf) is int and INT64.lowest <= leaf <= INT64.highest)
