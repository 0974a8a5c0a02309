"""Memory for results."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from .boundary import Array

# As in native_memory.c, which does the same.
ALIGNED_FROM = 1 << 16
LINE = 64


def fresh(shape: Sequence[int], dtype: np.dtype) -> Array:
    """An array for a result, not yet filled.

    From ALIGNED_FROM bytes on it begins with a line of the cache: NumPy's memory begins anywhere, so that most vectors would
    lie across two lines, and none could go past the caches.
    """
    size = math.prod(shape) * dtype.itemsize
    if size < ALIGNED_FROM:
        return np.empty(shape, dtype)
    owner = np.empty(size + LINE, np.uint8)
    start = -owner.ctypes.data % LINE
    return owner[start : start + size].view(dtype).reshape(shape)
