"""A driver for GPUs that is not there: kernels that run on the CPU, and graphs that call what they recorded."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar

import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("triton")


class AddingKernel:
    """What Triton compiles a sum of two arrays to: launched on two buffers and one for the result."""

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
    """A graph that runs what it recorded again. Recording runs nothing, and replays are counted."""

    made: ClassVar[list[RecordedGraph]] = []

    def __init__(self, launch: Callable[[], None], device: Any):
        self.launch, self.replays = launch, 0
        self.made.append(self)

    def replay(self) -> None:
        self.replays += 1
        self.launch()
