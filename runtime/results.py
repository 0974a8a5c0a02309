"""Memory for results."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from .boundary import Array

# As in native_memory.c, which does the same.
ALIGNED_FROM = 1 << 16
PAGE = 1 << 12


def fresh(shape: Sequence[int], dtype: np.dtype) -> Array:
    """An array for a result, not yet filled.

    From ALIGNED_FROM bytes on it begins with a page. NumPy's memory begins anywhere, so that most vectors would lie across two
    lines of the cache, and none could go past the caches. Large arrays of NumPy's begin 16 bytes after a page, and a processor
    tells a load from the stores before it by the place in a page: results that began a line after one, where loads come next,
    took up to three times as long (cumsum, layernorm).
    """
    size = math.prod(shape) * dtype.itemsize
    if size < ALIGNED_FROM:
        return np.empty(shape, dtype)
    owner = np.empty(size + PAGE, np.uint8)
    start = -owner.ctypes.data % PAGE
    return owner[start : start + size].view(dtype).reshape(shape)
