"""The roofline, measured in the same run: copies of as many bytes as a workload moves, and its multiply-adds.

A copy reads half of the bytes and writes the other half, plain or with stores that go around the caches. A workload that
moves B bytes and computes F flops takes at least the longer of the faster copy of B bytes and the multiply-adds of F flops.
"""

from __future__ import annotations

import ctypes
import subprocess
import tempfile
from pathlib import Path

import numpy as np

from .base import Array, Call, Peer, Task

SOURCE = Path(__file__).with_name("limits.c")
# Keep the loop of a copy: compilers must not replace it by a call of memcpy.
FLAGS = ("-O3", "-march=native", "-fopenmp", "-ffp-contract=fast", "-fno-tree-loop-distribute-patterns", "-shared", "-fPIC")
ALIGNMENT = 64
SMALLEST = 1024


class Limit(Peer):
    """A kernel of limits.c on OMP_NUM_THREADS threads."""

    def __init__(self, threads: int):
        super().__init__(threads)
        self.library = compiled_limits()


class Copy(Limit):
    name = "limit_copy"

    def prepare(self, task: Task) -> Call | None:
        """A copy that moves the task's bytes; None when they are too few for a limit to mean anything."""
        count = task.traffic // 2 // ALIGNMENT * ALIGNMENT // 4
        if count < SMALLEST:
            return None
        self.kept = aligned(count), aligned(count)
        function = getattr(self.library, self.name)
        return Call(function, [*(ctypes.c_void_p(each.ctypes.data) for each in self.kept), ctypes.c_int64(count)])


class Streaming(Copy):
    name = "limit_streaming"


class FusedMultiplyAdd(Limit):
    def prepare(self, task: Task) -> Call | None:
        """The task's flops; None when none are counted."""
        if not task.flops:
            return None
        return Call(self.library.limit_fma, [ctypes.c_int64(task.flops), ctypes.c_float(0.5)])


def compiled_limits() -> ctypes.CDLL:
    """limits.c, compiled by the system's compiler. Raises OSError without one, CalledProcessError when it fails."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "limits.so"
        subprocess.run(["cc", *FLAGS, SOURCE, "-o", path], check=True)
        library = ctypes.CDLL(str(path))
    library.limit_fma.restype = ctypes.c_float
    return library


def aligned(count: int) -> Array:
    """`count` floats that start at a multiple of ALIGNMENT bytes, on pages that have been written to."""
    memory = np.ones(count + ALIGNMENT, np.float32)
    start = -memory.ctypes.data % ALIGNMENT // 4
    return memory[start : start + count]
