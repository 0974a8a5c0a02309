"""Keys of random numbers: integers, from which independent keys can be derived."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..frontend import public as sw
from ..ir.scalars.table import scalar
from ..ir.types.dtypes import dtype

# Streams of a key, in the high 32 bits of the counter, apart from those of random numbers
# (`frontend/functions/random_numbers.py`).
_LOW, _HIGH = 3 << 32, 4 << 32


def fold_in(key: Any, number: Any) -> Any:
    """Derive a new key from a key and a number of at most 32 bits, both integers or integer tensors without axes.

    For integers the result is a NumPy integer, which is an argument of compiled functions. An int would be a constant, so that
    each key would recompile.
    """
    expect_key(key)
    if isinstance(key, int | np.integer) and isinstance(number, int | np.integer):
        low, high = (int(_bits(int(key), int(number) + stream)) for stream in (_LOW, _HIGH))
        return np.int64((high << 31) ^ low)
    low, high = (sw.random_bits(key, sw.astype(number, "int64") + stream) for stream in (_LOW, _HIGH))
    return (high << 31) ^ low


def expect_key(key: Any) -> None:
    """Raise TypeError unless a key is an integer or an integer tensor."""
    if isinstance(key, int) or (hasattr(key, "dtype") and dtype(key.dtype).kind in ("int", "uint")):
        return
    raise TypeError(f"expected a key that is an integer, or a tensor of one, got {key!r}")


def split(key: Any, count: int) -> list[Any]:
    """Derive `count` keys from one."""
    return [fold_in(key, number) for number in range(count)]


def _bits(key: int, counter: int) -> Any:
    """`random_bits` of Python integers."""
    return scalar("random_bits").numpy(np.array([key]), np.array([counter]))[0]
