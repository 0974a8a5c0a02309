"""Whole programs in C: the same bits in every run and on any number of threads; right results from all compilers, for all
machines."""

import importlib.util
import os
import platform
import shlex
import shutil
import subprocess
import sys
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pytest
import stepwell as sw
from stepwell.lowering.emit_c.helpers import RUNTIME, c_names

RANDOM = np.random.default_rng(4)


def normal(*shape: int) -> Any:
    return RANDOM.standard_normal(shape, np.float32)


def scattered(x: Any, at: Any, updates: Any) -> Any:
    return sw.scatter(x, at, updates, axis=0, op="add")


def attention(q: Any, k: Any, v: Any) -> Any:
    return sw.softmax(q @ sw.matrix_transpose(k) / 8, axis=-1) @ v


def steps(x: Any, hidden: Any, weight: Any) -> Any:
    def step(hidden: Any, entry: Any) -> Any:
        hidden = sw.tanh(hidden @ weight / 32 + entry)
        return hidden, sw.sum(hidden, axis=0)

    return sw.sum(sw.scan(step, hidden, x)[1])


WIDE = normal(700, 1029)
# Large enough for threads; odd sizes, so that the shares of two and of three threads end in the middle of tiles and vectors.
PROGRAMS: dict[str, tuple[Callable[..., Any], tuple[Any, ...]]] = {
    "elementwise": (lambda x: sw.tanh(x) * sw.sigmoid(x), (WIDE,)),
    "rows": (lambda x: sw.sum(x, axis=1), (WIDE,)),
    "columns": (lambda x: sw.sum(x, axis=0), (WIDE,)),
    "everything": (sw.sum, (WIDE,)),
    "product": (lambda x: sw.prod(1 + x * 1e-3), (WIDE,)),
    "variance": (lambda x: sw.var(x, axis=1), (WIDE,)),
    "softmax": (lambda x: sw.softmax(x, axis=-1), (WIDE,)),
    "logsumexp": (lambda x: sw.logsumexp(x, axis=0), (WIDE,)),
    "scan": (lambda x: sw.cumulative_sum(x, axis=1), (WIDE,)),
    "matmul": (lambda a, b: sw.relu(a @ b), (normal(251, 517), normal(517, 133))),
    "vector": (lambda a, b: a @ b, (normal(1, 1029), normal(1029, 517))),
    "convolution": (lambda x, w: sw.conv2d(x, w, padding=1), (normal(2, 5, 33, 31), normal(7, 5, 3, 3))),
    "attention": (attention, (normal(3, 65, 16), normal(3, 65, 16), normal(3, 65, 16))),
    "steps": (sw.grad(steps, 2), (normal(3, 70, 97), normal(70, 97), normal(97, 97))),
    "scatter": (scattered, (normal(64, 99), RANDOM.integers(0, 64, 3000), normal(3000, 99))),
}


@pytest.fixture
def threads():
    """`sw.set_num_threads`, undone after the test."""
    from stepwell.runtime.cpu.program import THREADS

    before = THREADS.count
    yield sw.set_num_threads
    THREADS.count = before


@pytest.mark.parametrize("name", PROGRAMS)
def test_the_same_bits_in_every_run_and_on_any_number_of_threads(name: str, threads: Callable[[int], None]):
    function, arguments = PROGRAMS[name]
    jitted = sw.jit(function)
    results = []
    for count in (1, 2, 3, 2, 1):
        threads(count)
        results.append(jitted(*arguments).tobytes())
    assert len(set(results)) == 1


ZIG = f"{sys.executable} -m ziglang cc" if importlib.util.find_spec("ziglang") else ""
# Besides the machine's own instructions: AVX2 without AVX-512, and the baseline of x86-64.
MACHINES = ("-mno-avx512f", "-march=x86-64")


@pytest.fixture(scope="module")
def usual():
    """The results from the usual compiler, for this machine."""
    return {name: sw.jit(function)(*arguments) for name, (function, arguments) in PROGRAMS.items()}


def expect_near(got: Any, usual: Any) -> None:
    """The lengths of vectors differ, and with them the order of sums, and whether multiplications are fused with sums."""
    np.testing.assert_allclose(got, usual, rtol=2e-6, atol=2e-6 * np.abs(usual).max())


@pytest.mark.parametrize("name", PROGRAMS)
@pytest.mark.skipif(platform.machine() != "x86_64", reason="flags of another machine")
def test_smaller_machines(
    name: str, usual: dict[str, Any], monkeypatch: pytest.MonkeyPatch, some_of: Callable[..., Sequence[str]]
):
    """Each program for one of them."""
    function, arguments = PROGRAMS[name]
    for flags in some_of(MACHINES, 2, list(PROGRAMS).index(name)):
        monkeypatch.setenv("STEPWELL_CFLAGS", flags)
        expect_near(sw.jit(function)(*arguments), usual[name])


@pytest.mark.parametrize("name", PROGRAMS)
def test_code_laid_out_for_arm_runs_here(name: str, usual: dict[str, Any], monkeypatch: pytest.MonkeyPatch):
    """Small vectors in many registers, a combination that no machine of this kind has."""
    function, arguments = PROGRAMS[name]
    monkeypatch.setenv("STEPWELL_MACHINE", "aarch64")
    expect_near(sw.jit(function)(*arguments), usual[name])


@pytest.mark.parametrize("name", PROGRAMS)
@pytest.mark.parametrize("compiler", [shutil.which("clang") or "", ZIG], ids=["clang", "zig"])
def test_other_compilers(name: str, compiler: str, usual: dict[str, Any], monkeypatch: pytest.MonkeyPatch):
    if not compiler:
        pytest.skip("this compiler is not installed")
    function, arguments = PROGRAMS[name]
    monkeypatch.setenv("CC", compiler)
    expect_near(sw.jit(function)(*arguments), usual[name])


@pytest.mark.parametrize("name", PROGRAMS)
@pytest.mark.skipif(not ZIG, reason="the package ziglang is not installed")
def test_the_c_is_for_arm_as_well(name: str, tmp_path: Any, monkeypatch: pytest.MonkeyPatch):
    function, arguments = PROGRAMS[name]
    monkeypatch.setenv("STEPWELL_MACHINE", "aarch64")
    source = tmp_path / "kernel.c"
    source.write_text(sw.lower(function, *arguments).source())
    command = [*shlex.split(ZIG), "-target", "aarch64-linux-gnu", "-O2", "-Wall", "-Werror=implicit-function-declaration"]
    done = subprocess.run([*command, "-c", source, "-o", tmp_path / "kernel.o"], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "kernel.o").read_bytes()[18] == 0xB7  # the machine's number in an ELF header


@pytest.mark.parametrize("name", RUNTIME)
def test_helpers_declare_what_they_use(name: str, tmp_path: Any):
    source = tmp_path / "helper.c"
    source.write_text(c_names(RUNTIME[name]) + RUNTIME[name])
    flags = ["-std=gnu11", "-fopenmp", "-Wall", "-Werror", "-Wno-unused", "-fsyntax-only"]
    subprocess.run([os.environ.get("CC", "cc"), *flags, source], check=True)
