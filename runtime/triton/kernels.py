"""Emitted Triton files as Python modules, and launching their kernels on torch tensors. Imports torch and Triton."""

from __future__ import annotations

import hashlib
import importlib.util
import threading
from collections.abc import Callable, Sequence
from pathlib import Path
from types import MappingProxyType, ModuleType
from typing import Any, NamedTuple

import numpy as np
import torch

from ...ir.types.dtypes import DType

# The alignment of a pointer, in bytes, and the divisor of an integer for which Triton compiles a kernel anew.
ALIGNMENT = 16
_RECORDING = threading.Lock()
# The dtypes that kernels see as other dtypes.
_SEEN_AS = MappingProxyType({"bool": torch.int8, "float8_e4m3fn": torch.uint8, "float8_e5m2": torch.uint8})


def options(warps: int, stages: int, fast: bool) -> dict[str, Any]:
    """The options with which Triton compiles a kernel. Only `fast` kernels fuse multiplications with additions."""
    # Triton 3.10 turns fusion off by default. With `enable_reflect_ftz`, denormals would be flushed inside of libdevice.
    return {"num_warps": warps, "num_stages": stages, "enable_fp_fusion": fast, "enable_reflect_ftz": False}


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
    """The torch dtype in which kernels see a buffer: a bool is an int8, a float of 8 bits its bits."""
    return _SEEN_AS.get(dtype) or getattr(torch, dtype)


def as_in_memory(tensor: torch.Tensor) -> torch.Tensor:
    """A tensor as kernels see it."""
    seen = _SEEN_AS.get(str(tensor.dtype).removeprefix("torch."))
    return tensor if seen is None else tensor.view(seen)


def on_device(array: torch.Tensor | np.ndarray, element: DType, device: torch.device) -> torch.Tensor:
    """A contiguous tensor on `device`, in the dtype that kernels see."""
    if not isinstance(array, torch.Tensor):
        # The bits of dtypes that NumPy lacks travel as integers.
        held = element.held_as or ("int8" if element.name == "bool" else None)
        bits = array if held is None else array.view(held)
        array = torch.from_numpy(np.ascontiguousarray(bits))
    tensor = array.detach().to(device).contiguous()
    return tensor if tensor.dtype == in_memory(element.name) else tensor.view(in_memory(element.name))


def part_of(buffer: torch.Tensor, start: int, count: int) -> torch.Tensor:
    """`count` elements of a contiguous buffer, from `start` on."""
    return buffer if count == buffer.numel() else buffer.view(-1)[start : start + count]


def launch(
    module: ModuleType, kernel: str, programs: int, warps: int, stages: int, fast: bool, arguments: Sequence[Any]
) -> None:
    """Run one kernel; without programs there is nothing to do."""
    if programs > 0:
        getattr(module, kernel)[(programs,)](*arguments, **options(warps, stages, fast))


def current_stream(device: torch.device) -> int:
    """The handle of torch's current stream of a GPU; 0 for another device."""
    if device.type != "cuda":
        return 0
    index = torch.cuda.current_device() if device.index is None else device.index
    # As torch's own compiler does: making an object for the stream takes ten times as long.
    return torch._C._cuda_getCurrentRawStream(index)  # pyright: ignore[reportAttributeAccessIssue, reportPrivateUsage]


class Compiled(NamedTuple):
    """A kernel compiled by Triton, and the function that launches it."""

    kernel: Any
    launch: Callable[..., Any]


class Launcher:
    """Launches one kernel on a GPU repeatedly, with equal integers. At every call, Triton's own launch inspects all arguments
    to find the kernel compiled for them, and queries device and stream. Here, only the alignment of buffers and the stream can
    differ from call to call.
    """

    def __init__(self, module: ModuleType, kernel: str, programs: int, warps: int, stages: int, fast: bool):
        self.kernel = getattr(module, kernel)
        self.programs = programs
        self.options = options(warps, stages, fast)
        self._compiled: dict[tuple[object, ...], Compiled] = {}

    def launch(self, device: torch.device, stream: int, buffers: Sequence[torch.Tensor], others: Sequence[Any]) -> None:
        """Run the kernel on the current device and its current stream, whose handle is `stream`."""
        key = self._key(device, buffers)
        compiled = self._compiled.get(key)
        if compiled is None:
            made = self.kernel[(self.programs,)](*buffers, *others, **self.options)
            if made is None:  # Triton's interpreter, in this process, compiles nothing
                return
            self._compiled[key] = Compiled(made, made[(self.programs, 1, 1)])
        else:
            compiled.launch(*buffers, *others, stream=stream)

    def compiled(self, device: torch.device, buffers: Sequence[torch.Tensor]) -> Any:
        """The kernel that Triton has compiled for buffers aligned like these; None before the first launch on such buffers."""
        found = self._compiled.get(self._key(device, buffers))
        return None if found is None else found.kernel

    def _key(self, device: torch.device, buffers: Sequence[torch.Tensor]) -> tuple[object, ...]:
        return (device, *[buffer.data_ptr() % ALIGNMENT == 0 for buffer in buffers])


class Graph:
    """The launches of a function on a GPU, recorded by the driver, and replayed on torch's current stream."""

    def __init__(self, launch: Callable[[], None], device: torch.device):
        """Record a function whose kernels have been compiled. Nothing runs yet."""
        self._graph = torch.cuda.CUDAGraph()
        # Other threads may call the driver meanwhile, but record nothing: torch has one recording at a time.
        with _RECORDING, torch.cuda.device(device), torch.cuda.graph(self._graph, capture_error_mode="thread_local"):
            launch()

    def replay(self) -> None:
        """Run the launches on the memory that they were recorded with."""
        self._graph.replay()
