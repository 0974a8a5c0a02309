"""Shared by the unit tests."""

from __future__ import annotations

import gc
import importlib.util
import os
import platform
import sys
from collections import Counter, defaultdict
from collections.abc import Callable, Generator, Mapping, Sequence
from dataclasses import replace
from itertools import count
from pathlib import Path
from typing import Any

import pytest

# Flags that make code for machines with fewer features, and the features of a processor (as Linux names them) that can run that
# code but has more: an AVX-512 machine runs tests of values as all three kinds, an AVX2 machine as two.
LESSER_MACHINES = {"-march=x86-64-v3": "avx512f", "-march=x86-64-v2": "avx2"}

# Tests run in several processes on the same cores: a thread that waits must not keep others from working. The variable is
# read when the first compiled program is loaded, here and in the processes that tests start.
os.environ.setdefault("OMP_WAIT_POLICY", "passive")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--whole", action="store_true", help="run all cases of tests that are marked as covering")


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Collect no garbage while tests are imported and collected: nearly all objects stay."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.enable()


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out the cases that a covering set of a marked test does not need (`covering.py`), and all but every N-th case of
    tests that are marked so."""
    from stepwell.tests.unit.covering import covering

    if config.getoption("--whole"):
        return
    marked: dict[tuple[str, int], dict[pytest.Item, Mapping[str, int]]] = {}
    seen: Counter[str] = Counter()
    left_out: set[pytest.Item] = set()
    # Cases of a test share the objects of their values.
    numbers: defaultdict[int, int] = defaultdict(count().__next__)
    for item in items:
        if not isinstance(item, pytest.Function):
            continue
        test = item.nodeid.partition("[")[0]
        if (mark := item.get_closest_marker("covering")) is not None:
            of_test = marked.setdefault((test, mark.args[0] if mark.args else 2), {})
            of_test[item] = {name: numbers[id(value)] for name, value in item.callspec.params.items()}
        if (mark := item.get_closest_marker("every")) is not None:
            if seen[test] % mark.args[0]:
                left_out.add(item)
            seen[test] += 1
    for (_, strength), cases in marked.items():
        left_out |= set(cases) - set(covering(cases, strength))
    if left_out:
        config.hook.pytest_deselected(items=list(left_out))
        items[:] = [item for item in items if item not in left_out]


@pytest.fixture(autouse=True)
def same_random_numbers() -> None:
    """Weights and samples drawn by torch's own generator are those of the last run, whatever ran before."""
    if "torch" in sys.modules:
        sys.modules["torch"].manual_seed(0)


@pytest.fixture
def some_of(request: pytest.FixtureRequest) -> Callable[..., Sequence[Any]]:
    """`some_of(rows, step, first)`: every `step`-th row of a long table from a first one on, or, with --whole, all of them."""
    is_whole = request.config.getoption("--whole")

    def chosen(rows: Sequence[Any], step: int, first: int = 0) -> Sequence[Any]:
        return rows if is_whole else rows[first % step :: step]

    return chosen


def machine_found() -> str:
    """The machine that code is laid out and compiled for here."""
    from stepwell.ir.diagnostics import CompileError
    from stepwell.lowering.machine import MODELS
    from stepwell.runtime.toolchain.compiler import CompilerError, CompilerNotFound, find_compiler, own_flags
    from stepwell.runtime.toolchain.host import target_machine

    try:
        machine, compiler, own = target_machine(), find_compiler(), own_flags()
    except (CompileError, CompilerNotFound, CompilerError) as error:
        return f"machine: {error}"
    found = {"l1": machine.l1, "l2": machine.l2, "l3": machine.l3, "line": machine.line, "cores": machine.cores}
    found["pairs"] = machine.pairs  # a builtin of gcc alone
    name = next(name for name, model in MODELS.items() if replace(model, **found) == machine)
    caches = "/".join(str(size >> 10) for size in (machine.l1, machine.l2, machine.l3))
    layout = f"machine: {name}, vectors of {machine.vector_bits} bits, caches of {caches} KiB, {machine.cores} cores"
    return f"{layout}; {compiler.version}{''.join(f' {flag}' for flag in own)}"


@pytest.hookimpl(trylast=True)
def pytest_sessionstart(session: pytest.Session) -> None:
    """Print which machine this is: -q suppresses `pytest_report_header`."""
    reporter = session.config.pluginmanager.get_plugin("terminalreporter")
    if reporter is not None and not hasattr(session.config, "workerinput"):
        reporter.write_line(machine_found())


def pytest_collection_finish(session: pytest.Session) -> None:
    """Exclude the objects of imports and of the collection from garbage collection, and run it less often."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(20_000, 20, 20)


def lesser_machines() -> list[str]:
    """The compiler flags for lesser machines whose code runs on this one."""
    if platform.machine() != "x86_64":
        return []
    from stepwell.runtime.toolchain.compiler import cpu_features

    return [flags for flags, feature in LESSER_MACHINES.items() if feature in cpu_features()]


@pytest.fixture(params=["", *lesser_machines()], ids=lambda flags: flags or "this machine")
def as_each_machine(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """Compile for this machine, and for lesser ones by these flags: for tests of values."""
    own = os.environ.get("STEPWELL_CFLAGS", "")
    if request.param:
        monkeypatch.setenv("STEPWELL_CFLAGS", f"{own} {request.param}")
    return request.param


@pytest.fixture
def laid_out_for_avx512(monkeypatch: pytest.MonkeyPatch) -> None:
    """Lay code out for one model, whatever this machine is: for tests of schedules, text and sizes."""
    monkeypatch.setenv("STEPWELL_MACHINE", "avx512")


@pytest.fixture(scope="session")
def known_lines(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder that all processes of a test run share, for the lines of kernels that have been compiled."""
    own = tmp_path_factory.getbasetemp()
    folder = (own.parent if "PYTEST_XDIST_WORKER" in os.environ else own) / "kernel-lines"
    folder.mkdir(exist_ok=True)
    return folder


@pytest.fixture
def compiles_offline(monkeypatch: pytest.MonkeyPatch, known_lines: Path) -> None:
    """The kernels that the test runs in Triton's interpreter are compiled to PTX and to a cubin for sm_90 as well, if they have
    a line that no kernel compiled before has (`new_kernels.py`)."""
    if importlib.util.find_spec("triton") is None:
        pytest.skip("triton is not installed")
    from stepwell.runtime.triton.program import InterpretedTritonProgram
    from stepwell.tests.unit.new_kernels import kernels_with_new_lines, note

    run = InterpretedTritonProgram.run

    def compile_and_run(program, arrays, values):
        wanted = kernels_with_new_lines(program, known_lines)
        binaries = program.compile_offline(only=wanted) if wanted else {}
        assert binaries.keys() == wanted.keys()
        assert all(binary["ptx"] and binary["cubin"] for binary in binaries.values())
        note(wanted)
        return run(program, arrays, values)

    monkeypatch.setattr(InterpretedTritonProgram, "run", compile_and_run)
