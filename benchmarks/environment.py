"""The environment variables of measuring processes. Variables that limit the threads or the instruction set of a library are
removed, and so is the variable that makes Python compile modules again in each process."""

from __future__ import annotations

import os
import platform
from collections.abc import Mapping, MutableMapping
from pathlib import Path

PREFIXES = (
    *("OPENBLAS_", "MKL_", "OMP_", "GOTO_", "VECLIB_", "BLIS_", "GOMP_", "KMP_", "NVPL_BLAS_"),
    *("NUMBA_", "NUMEXPR_", "NPY_", "XLA_FLAGS", "ATEN_CPU_CAPABILITY", "PYTHONDONTWRITEBYTECODE"),
)
THREAD_SETTINGS = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NUMBA_NUM_THREADS")
CACHE_SETTINGS = (
    *("XDG_CACHE_HOME", "STEPWELL_CACHE_DIR", "TORCHINDUCTOR_CACHE_DIR", "TRITON_CACHE_DIR", "NUMBA_CACHE_DIR"),
    "JAX_COMPILATION_CACHE_DIR",
)


def clear_settings(environment: MutableMapping[str, str]) -> list[str]:
    """Remove the settings from the environment, and return the removed ones, as NAME=value."""
    names = sorted(name for name in environment if name.startswith(PREFIXES))
    return [f"{name}={environment.pop(name)}" for name in names]


def thread_settings(threads: int) -> dict[str, str]:
    """Variables that set the number of threads; libraries read them when they are loaded."""
    return dict.fromkeys(THREAD_SETTINGS, str(threads))


def cache_settings(folder: Path) -> Mapping[str, str]:
    """Caches on disk below `folder`, each library's own."""
    return {name: str(folder / name.lower()) for name in CACHE_SETTINGS}


def processors() -> list[int]:
    """The processors that this process may use."""
    return sorted(os.sched_getaffinity(0))


def machine() -> str:
    """The processor, the number of processors, and their load at the time of the call."""
    model = platform.processor() or platform.machine()
    info = Path("/proc/cpuinfo")
    if info.exists():
        lines = info.read_text(encoding="utf-8", errors="replace").splitlines()
        model = next((line.partition(":")[2].strip() for line in lines if line.startswith("model name")), model)
    load = os.getloadavg()[0]
    return f"{model}, {len(processors())} processors, load {load:.1f} at the start, Python {platform.python_version()}"
