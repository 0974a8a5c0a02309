"""Functions whose results have a size that the elements decide: outside of compiled functions they need none.

NumPy computes them there at once; with a size they are lazy as the others.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

import numpy as np


def _nonzero(x: Any, *, fill_value: Any = None) -> Any:
    return np.nonzero(x) if np.ndim(x) else ()


def _unique(x: Any, *, fill_value: Any = None, **wanted: Any) -> Any:
    return np.unique(x, **wanted)


EXACT: Mapping[str, Callable[..., Any]] = MappingProxyType({"nonzero": _nonzero, "unique": _unique})


def exactly(name: str, with_size: Callable[..., Any], in_trace: Callable[..., bool], made: Callable[[Any], Any]) -> Any:
    """The public form of a function of `EXACT`: `with_size`, but for calls outside of a trace without a size, whose arrays
    `made` turns into tensors."""

    @functools.wraps(with_size)
    def called(x: Any, /, *, size: int | None = None, **options: Any) -> Any:
        if size is not None or in_trace([x]):
            return with_size(x, size=size, **options)
        found = EXACT[name](made(x).numpy(), **options)
        return tuple(map(made, found)) if isinstance(found, tuple) else made(found)

    return called
