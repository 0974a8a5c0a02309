"""A case of the coverage table."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple


class Case(NamedTuple):
    """A function of the inputs, the dtypes that it takes, and the same function in NumPy."""

    name: str
    dtypes: tuple[str, ...]
    apply: Callable[[Any], Any]
    expected: Callable[[Any], Any]
