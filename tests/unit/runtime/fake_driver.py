"""A simulated driver for GPUs: kernels on the CPU, graphs that call the recorded launches, and launches by address."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any, ClassVar, NamedTuple

import numpy as np
import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("triton")


class AddingKernel:
    """Triton's compiled form of a sum of two arrays: launched on two buffers and one for the result."""

    def __init__(self, launches: list[Any]):
        self.launches = launches

    def __getitem__(self, grid: tuple[int, ...]) -> Callable[..., Any]:
        def launch(*arguments: Any, **options: Any) -> Any:
            self.launches.append(options)
            a, b, *out = [each for each in arguments if isinstance(each, torch.Tensor)]
            # A donated argument takes the result.
            torch.add(a, b, out=out[0] if out else a)
            return self

        return launch


class RecordedGraph:
    """A graph that runs the recorded launches again. Recording runs nothing, and replays are counted."""

    made: ClassVar[list[RecordedGraph]] = []

    def __init__(self, launch: Callable[[], None], device: Any):
        self.launch, self.replays = launch, 0
        self.made.append(self)

    def replay(self) -> None:
        self.replays += 1
        self.launch()


LaunchFunction = ctypes.CFUNCTYPE(
    ctypes.c_int, ctypes.c_void_p, *[ctypes.c_uint] * 7, ctypes.c_void_p, ctypes.POINTER(ctypes.c_void_p), ctypes.c_void_p
)


class LaunchedKernel(NamedTuple):
    """A launch as the driver gets it: programs, threads, bytes of shared memory, stream, and the parameters as integers."""

    programs: int
    threads: int
    shared: int
    stream: int
    parameters: tuple[int, ...]


class Driver:
    """`cuLaunchKernel`, at an address: runs a loaded function on its parameters as integers, or returns `status`."""

    def __init__(self):
        self.launched: list[LaunchedKernel] = []
        self.status = 0
        self._functions: list[tuple[Callable[..., None], int]] = []
        self._callback = LaunchFunction(self._launch)
        self.address = ctypes.cast(self._callback, ctypes.c_void_p).value or 0

    def load(self, function: Callable[..., None], count: int) -> int:
        """The handle of a function of `count` parameters."""
        self._functions.append((function, count))
        return len(self._functions)

    def _launch(self, handle: int, *given: Any) -> int:
        function, count = self._functions[handle - 1]
        programs, _, _, threads, _, _, shared, stream, parameters, _ = given
        found = tuple(ctypes.c_uint64.from_address(parameters[k]).value for k in range(count))
        self.launched.append(LaunchedKernel(programs, threads, shared, stream or 0, found))
        if not self.status:
            function(*found)
        return self.status


class LoadedKernel(AddingKernel):
    """A sum in the form of Triton's compiled kernels: with a function in the driver, and its launcher."""

    metadata = SimpleNamespace(
        target=SimpleNamespace(backend="cuda", warp_size=32), num_ctas=1, num_warps=4, shared=64, global_scratch_size=0,
        profile_scratch_size=0,
    )  # fmt: skip

    def __init__(self, launches: list[Any], driver: Driver):
        super().__init__(launches)
        self.driver = driver
        self.src = SimpleNamespace(signature={"a": "*fp32", "b": "*fp32", "out": "*fp32"})
        self.function = driver.load(self.add, 5)
        self.size = 0

    def __getitem__(self, grid: tuple[int, ...]) -> Callable[..., Any]:
        launch = super().__getitem__(grid)

        def launch_and_note(*arguments: Any, **options: Any) -> Any:
            tensors = [each for each in arguments if isinstance(each, torch.Tensor)]
            self.size = tensors[0].numel()
            kinds = ["*fp32" if isinstance(each, torch.Tensor) else "constexpr" for each in arguments]
            self.src.signature = {str(k): kind for k, kind in enumerate(kinds)}
            self.function = self.driver.load(self.add, len(tensors) + 2)
            return launch(*arguments, **options)

        return launch_and_note

    def add(self, a: int, b: int, *rest: int) -> None:
        """Add float32 numbers at addresses; the last two parameters are Triton's own."""
        *out, _, _ = rest
        first, second, result = (floats_at(each, self.size) for each in (a, b, out[0] if out else a))
        np.add(first, second, out=result)


def floats_at(address: int, count: int) -> Any:
    """The float32 numbers at an address."""
    return np.ctypeslib.as_array(ctypes.cast(address, ctypes.POINTER(ctypes.c_float)), (count,))
