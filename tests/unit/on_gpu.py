"""Where tests run Triton's kernels: `TRITON` is the target "cuda" if there is a GPU, else Triton's interpreter.

Tests that are about the interpreter itself name it.
"""

from __future__ import annotations

import importlib.util
import os
from collections.abc import Sequence
from datetime import date
from pathlib import Path
from typing import TypeVar

T = TypeVar("T")
# In Triton's interpreter a kernel takes a second. There tests take an eighth of the rows of a long table, a different eighth
# each day; $STEPWELL_TEST_PART, 0 to 7, chooses one. `stepwell coverage` runs all rows.
PARTS = 8
PART = int(os.environ.get("STEPWELL_TEST_PART", date.today().toordinal() % PARTS))


def has_gpu() -> bool:
    """Whether torch finds a GPU that Triton can compile for."""
    # torch takes seconds to import: ask it only if a driver has made device files.
    if not any(Path("/dev").glob("nvidia*")) or not all(map(importlib.util.find_spec, ("torch", "triton"))):
        return False
    import torch

    return torch.cuda.is_available()


def share(rows: Sequence[T], part: int = 0) -> Sequence[T]:
    """The rows of a table that a test of kernels takes: all of them on a GPU, else those of a part."""
    return rows if TRITON == "cuda" else rows[(PART + part) % PARTS :: PARTS]


TRITON = "cuda" if has_gpu() else "triton-interpret"
