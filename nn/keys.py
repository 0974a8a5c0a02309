"""Keys of random numbers: integers, of which others can be made that have nothing to do with them."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..frontend import public as sw
from ..ir.scalars.table import scalar
from ..ir.types.dtypes import dtype

# Streams of a key, held by the high half of a counter, beside those that random numbers are drawn from
# (`frontend/functions/random_numbers.py`).
_LOW, _HIGH = 3 << 32, 4 << 32


def fold_in(key: Any, number: Any) -> Any:
    """A new key made of a key and a number of at most 32 bits, both integers or tensors of one.

    Of integers it is a NumPy integer: to a compiled function that is an argument, where an int would be a constant of its code,
    and each key another program.
    """
    expect_key(key)
    if isinstance(key, int | np.integer) and isinstance(number, int | np.integer):
        low, high = (int(_bits(int(key), int(number) + stream)) for stream in (_LOW, _HIGH))
        return np.int64((high << 31) ^ low)
    low, high = (sw.random_bits(key, sw.astype(number, "int64") + stream) for stream in (_LOW, _HIGH))
    return (high << 31) ^ low


def expect_key(key: Any) -> None:
    """Raise TypeError for what is neither an integer nor a tensor of one."""
    if isinstance(key, int) or (hasattr(key, "dtype") and dtype(key.dtype).kind in ("int", "uint")):
        return
    raise TypeError(f"expected a key that is an integer, or a tensor of one, got {key!r}")


def split(key: Any, count: int) -> list[Any]:
    """`count` keys made of one."""
    return [fold_in(key, number) for number in range(count)]


def _bits(key: int, counter: int) -> Any:
    """What `random_bits` computes, for numbers."""
    return scalar("random_bits").numpy(np.array([key]), np.array([counter]))[0]
