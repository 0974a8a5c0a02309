"""Where tests run Triton's kernels: `TRITON` is the target "cuda" where there is a GPU, and else Triton's interpreter.

Tests that are about the interpreter itself name it.
"""

from __future__ import annotations

import importlib.util
from pathlib import Path


def has_gpu() -> bool:
    """Whether torch finds a GPU that Triton can compile for."""
    # torch takes seconds to import: it is asked only where a driver has made devices.
    if not any(Path("/dev").glob("nvidia*")) or not all(map(importlib.util.find_spec, ("torch", "triton"))):
        return False
    import torch

    return torch.cuda.is_available()


TRITON = "cuda" if has_gpu() else "triton-interpret"
