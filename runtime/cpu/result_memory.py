"""Allocation of result arrays: alignment, and offsets that avoid 4 KiB aliasing with the arguments."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from ..boundary.arrays import Array

# The same constants as in native_memory.c.
ALIGNED_FROM = 1 << 16
PAGE = 1 << 12
LINE = 1 << 6


def fresh(shape: Sequence[int], dtype: np.dtype, arguments: Sequence[Array] = ()) -> Array:
    """An array for a result of a call with these arguments, not yet filled. Raises MemoryError if it cannot be allocated. From
    ALIGNED_FROM bytes on the array begins with a cache line. NumPy's memory begins anywhere in a line: most vectors would cross
    a line, and no store could be non-temporal.
    """
    size = math.prod(shape) * dtype.itemsize
    try:
        if size < ALIGNED_FROM:
            return np.empty(shape, dtype)
        owner = np.empty(size + 2 * PAGE, np.uint8)
    except (MemoryError, ValueError) as error:  # ValueError for more bytes than 64 bits count
        raise MemoryError(f"a result of shape {tuple(shape)} and {size} bytes could not be allocated") from error
    start = -owner.ctypes.data % PAGE + quiet_place(arguments)
    return owner[start : start + size].view(dtype).reshape(shape)


def quiet_place(arguments: Sequence[Array]) -> int:
    """The offset in a page, in bytes, at which a result should begin: on the line of an argument, as far as possible after
    those of the other arguments. A processor compares a load with earlier stores by their offsets in a page. If the offset of a
    result is less than a KiB after that of an argument, loads wait for stores a dozen vectors earlier: layernorm of 4096 x 1024
    takes 1.1 times as long at 512 bytes, and 1.4 times and more at 64 to 128 bytes (Zen 4). NumPy's large arrays, each of which
    glibc requests from the system, begin 16 bytes after a page.
    """
    lines = sorted({each.ctypes.data % PAGE // LINE for each in arguments if each.nbytes > LINE})
    gaps = {line: line - before for before, line in pairwise([lines[-1] - PAGE // LINE, *lines])} if lines else {0: 0}
    return max(gaps, key=gaps.__getitem__) * LINE
