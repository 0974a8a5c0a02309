"""The GPU that kernels are made for: this machine's card, by the name that its driver gives, or a named model.

`$STEPWELL_GPU` names a model (`lowering/machine.py`) to use instead of the card. Without a card, and for a card without a
model, the H100 is used.
"""

from __future__ import annotations

import functools
import os
from collections.abc import Iterator
from pathlib import Path

from ...ir.diagnostics import CompileError
from ...lowering.machine import GPUS, H100, gpu_model
from ...passes.analysis.kernel_cost import Gpu

# NVIDIA's driver describes each card in a file here, with a line `Model: NVIDIA H100 80GB HBM3`.
DRIVER = Path("/proc/driver/nvidia/gpus")


def target_gpu() -> Gpu:
    """The GPU to make kernels for. Raises CompileError if `$STEPWELL_GPU` names no model."""
    name = os.environ.get("STEPWELL_GPU")
    if name is None:
        return native_gpu(DRIVER) or H100
    try:
        return gpu_model(name)
    except CompileError as error:
        raise CompileError(f"$STEPWELL_GPU: {error.message}") from error


@functools.cache
def native_gpu(driver: Path) -> Gpu | None:
    """The model of the first card that the driver describes; None without a card, and for other cards."""
    for name in _cards(driver):
        words = name.upper().replace("-", " ").split()
        for model in GPUS.values():
            wanted = model.name.upper().split()
            if any(words[k : k + len(wanted)] == wanted for k in range(len(words))):
                return model
    return None


def _cards(driver: Path) -> Iterator[str]:
    try:
        files = sorted(driver.glob("*/information"))
        for file in files:
            for line in file.read_text(encoding="utf-8", errors="replace").splitlines():
                if line.startswith("Model:"):
                    yield line.removeprefix("Model:").strip()
    except OSError:
        return
