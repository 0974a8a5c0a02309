"""What the unit tests share."""

from __future__ import annotations

import importlib.util
import os
import platform

import pytest

# Tests run in several processes on the same cores: a thread that waits must not keep others from working. It is read when the
# first compiled program is loaded, here and in the processes that tests start.
os.environ.setdefault("OMP_WAIT_POLICY", "passive")


def pytest_sessionstart(session: pytest.Session) -> None:
    """Say which machine the tests run on: code is laid out for it wherever a test names no other."""
    if hasattr(session.config, "workerinput"):
        return
    from stepwell.runtime.toolchain.compiler import available_processors, find_compiler
    from stepwell.runtime.toolchain.host import target_machine

    machine, compiler = target_machine(), find_compiler()
    session.config.get_terminal_writer().line(
        f"machine: {platform.machine()}, vectors of {machine.vector_bits} bits, {machine.registers} registers, "
        f"{available_processors()} processors; {compiler.version}; CFLAGS {' '.join(compiler.flags)}"
    )


@pytest.fixture
def avx512_layout(monkeypatch: pytest.MonkeyPatch) -> None:
    """Code is laid out for AVX-512 on any machine, for tests that look at its text, its units or the size of its memory."""
    monkeypatch.setenv("STEPWELL_MACHINE", "avx512")


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
