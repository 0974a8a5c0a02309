"""Where tests run Triton's kernels: `TRITON` is the target "cuda" where there is a GPU, and else Triton's interpreter.

Tests that are about the interpreter itself name it.
"""

from __future__ import annotations

import importlib.util
from collections.abc import Sequence
from pathlib import Path
from typing import TypeVar

T = TypeVar("T")
# In Triton's interpreter a kernel takes a second. There tests take one of so many rows of a long table; `stepwell coverage` and
# `stepwell fuzz` run everything.
PARTS = 4


def has_gpu() -> bool:
    """Whether torch finds a GPU that Triton can compile for."""
    # torch takes seconds to import: it is asked only where a driver has made devices.
    if not any(Path("/dev").glob("nvidia*")) or not all(map(importlib.util.find_spec, ("torch", "triton"))):
        return False
    import torch

    return torch.cuda.is_available()


def share(rows: Sequence[T], part: int = 0) -> Sequence[T]:
    """The rows of a table that a test of kernels takes: all of them on a GPU, else those of a part."""
    return rows if TRITON == "cuda" else rows[part % PARTS :: PARTS]


TRITON = "cuda" if has_gpu() else "triton-interpret"
