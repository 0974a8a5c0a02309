"""Fixtures of tests of the runtime."""

from __future__ import annotations

from typing import Any

import pytest


@pytest.fixture
def launches(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """The buffers and programs of kernel launches; the CPU stands in for the GPU."""
    from stepwell.runtime.triton import kernels
    from stepwell.runtime.triton.program import CudaProgram
    from stepwell.tests.unit.runtime.fake_driver import AddingKernel, RecordedGraph

    made: list[Any] = []
    start = kernels.Launcher.__init__

    def init(self: Any, *arguments: Any) -> None:
        start(self, *arguments)
        self.kernel = AddingKernel(made)

    monkeypatch.setattr(kernels.Launcher, "__init__", init)
    monkeypatch.setattr(CudaProgram, "device", "cpu")
    monkeypatch.setattr(kernels, "Graph", RecordedGraph)
    return made


@pytest.fixture
def driver(launches: list[Any], monkeypatch: pytest.MonkeyPatch) -> Any:
    """A driver that kernels are loaded into, with launches that run on the CPU."""
    from stepwell.runtime.triton import kernels, native_launches
    from stepwell.tests.unit.runtime.fake_driver import Driver, LoadedKernel

    found = Driver()
    start = kernels.Launcher.__init__

    def init(self: Any, *arguments: Any) -> None:
        start(self, *arguments)
        self.kernel = LoadedKernel(launches, found)

    monkeypatch.setattr(kernels.Launcher, "__init__", init)
    monkeypatch.setattr(native_launches, "launch_address", lambda: found.address)
    return found
