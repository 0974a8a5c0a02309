"""Allocation of result arrays: alignment, and offsets that avoid 4 KiB aliasing with the arguments."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from ..boundary.arrays import Array

# As in native_memory.c, which does the same.
ALIGNED_FROM = 1 << 16
PAGE = 1 << 12
LINE = 1 << 6


def fresh(shape: Sequence[int], dtype: np.dtype, arguments: Sequence[Array] = ()) -> Array:
    """An array for a result of a call with these arguments, not yet filled. Raises MemoryError where there is no memory of
    that size.

    From ALIGNED_FROM bytes on it begins with a line of the cache. NumPy's memory begins anywhere, so that most vectors would
    lie across two lines, and none could go past the caches.
    """
    size = math.prod(shape) * dtype.itemsize
    try:
        if size < ALIGNED_FROM:
            return np.empty(shape, dtype)
        owner = np.empty(size + 2 * PAGE, np.uint8)
    except (MemoryError, ValueError) as error:  # ValueError for what has more bytes than 64 bits count
        raise MemoryError(f"a result of shape {tuple(shape)} and {size} bytes could not be allocated") from error
    start = -owner.ctypes.data % PAGE + quiet_place(arguments)
    return owner[start : start + size].view(dtype).reshape(shape)


def quiet_place(arguments: Sequence[Array]) -> int:
    """Where in a page a result should begin, in bytes: in the line of an argument, as far as can be behind the others'.

    A processor tells a load from the stores before it by their places in a page. Where a result begins less than a KiB behind
    an argument, counted so, loads wait for stores of a dozen vectors before: layernorm of 4096 x 1024 takes 1.1 of the time
    512 bytes behind, 1.4 and more 64 to 128 bytes behind (Zen 4), where glibc asks the system for each large array, and
    NumPy's begin 16 bytes behind a page.
    """
    lines = sorted({each.ctypes.data % PAGE // LINE for each in arguments if each.nbytes > LINE})
    gaps = {line: line - before for before, line in pairwise([lines[-1] - PAGE // LINE, *lines])} if lines else {0: 0}
    return max(gaps, key=gaps.__getitem__) * LINE
