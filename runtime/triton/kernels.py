"""Emitted Triton files as Python modules, and launching their kernels on torch tensors. Imports torch and Triton."""

from __future__ import annotations

import hashlib
import importlib.util
from collections.abc import Sequence
from pathlib import Path
from types import MappingProxyType, ModuleType
from typing import Any

import torch

# Triton 3.10 turns fusion off by itself; reflecting FTZ would flush denormals inside libdevice.
OPTIONS = MappingProxyType({"enable_fp_fusion": False, "enable_reflect_ftz": False})


def load_kernels(path: str, digest: str) -> ModuleType:
    """The module in the file at `path`, which must have this SHA-256. Triton reads the file again when it compiles."""
    found = hashlib.sha256(Path(path).read_bytes()).hexdigest()
    if found != digest:
        raise RuntimeError(f"the kernels in {path} are not those that were written there")
    spec = importlib.util.spec_from_file_location(f"stepwell_kernels_{digest}", path)
    assert spec is not None and spec.loader is not None, f"{path} is a Python file"
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def in_memory(dtype: str) -> torch.dtype:
    """The torch dtype in which kernels see a buffer: a bool is an int8."""
    return torch.int8 if dtype == "bool" else getattr(torch, dtype)


def part_of(buffer: torch.Tensor, start: int, count: int) -> torch.Tensor:
    """So many elements of a contiguous buffer, from one on."""
    return buffer if count == buffer.numel() else buffer.view(-1)[start : start + count]


def launch(module: ModuleType, kernel: str, programs: int, warps: int, arguments: Sequence[Any]) -> None:
    """Run one kernel; no programs means that there is nothing to do."""
    if programs > 0:
        getattr(module, kernel)[(programs,)](*arguments, num_warps=warps, **OPTIONS)
