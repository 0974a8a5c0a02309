"""What the unit tests share."""

from __future__ import annotations

import importlib.util
import os

import pytest

# Tests run in several processes on the same cores: a thread that waits must not keep others from working. It is read when the
# first compiled program is loaded, here and in the processes that tests start.
os.environ.setdefault("OMP_WAIT_POLICY", "passive")


@pytest.fixture
def compiles_offline(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every kernel that the test runs in Triton's interpreter is compiled to PTX and to a cubin for sm_90 as well."""
    if importlib.util.find_spec("triton") is None:
        pytest.skip("triton is not installed")
    from stepwell.runtime.triton.program import InterpretedTritonProgram

    run = InterpretedTritonProgram.run

    def compile_and_run(program, arrays, values):
        binaries = program.compile_offline()
        assert all(binary["ptx"] and binary["cubin"] for binary in binaries.values())
        return run(program, arrays, values)

    monkeypatch.setattr(InterpretedTritonProgram, "run", compile_and_run)
