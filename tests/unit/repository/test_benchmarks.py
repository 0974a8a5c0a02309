"""The benchmarks: the errors that they find, the choice of the best, the behaviour of workers, and a small run from end to
end."""

from __future__ import annotations

import ast
import dataclasses
import importlib
import json
import os
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import stepwell as sw
from stepwell.runtime.cpu.program import THREADS

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="workers are pinned to processors by Linux's interface")
ROOT = Path(__file__).resolve().parents[3]


@pytest.fixture
def bench(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Imports a module of benchmarks/, which is not part of the package."""
    monkeypatch.syspath_prepend(str(ROOT))
    return lambda name: importlib.import_module(f"benchmarks.{name}")


def workload(bench: Any, name: str) -> Any:
    return next(each for each in bench("workloads").WORKLOADS if each.name == name)


def run(*arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "benchmarks", *arguments]
    return subprocess.run(command, cwd=ROOT, env={**os.environ, **environment}, capture_output=True, text=True, timeout=120)


def test_a_small_run_from_end_to_end(tmp_path: Path):
    selection = ("--only", "ew_64k,add8", "--peers", "numpy", "--threads", "1", "--repeats", "2")
    done = run(*selection, "--out", str(tmp_path), OPENBLAS_CORETYPE="Haswell")
    assert done.returncode == 0, done.stdout + done.stderr
    assert "OPENBLAS_CORETYPE=Haswell" in done.stdout
    report = (tmp_path / "results.md").read_text()
    assert "| ew_64k: " in report and "OPENBLAS_CORETYPE=Haswell" in report
    rows = json.loads((tmp_path / "results.json").read_text())["rows"]
    assert [row["workload"] for row in rows] == ["ew_64k", "add8"]
    assert set(rows[0]["timings"]) == {"stepwell", "numpy", "copy", "streaming"}
    assert all(len(timing["seconds"]) == 2 and not timing["error"] for row in rows for timing in row["timings"].values())


def test_an_unknown_name_is_a_mistake_of_the_call():
    done = run("--only", "softmux")
    assert done.returncode == 2 and "'softmux' is none of" in done.stderr


@pytest.mark.parametrize(
    ("result", "fault"),
    [
        (np.array([1, 2], np.float32), None),
        (np.array([1, 2.001], np.float32), "an error of 5.0e-04"),
        (np.array([1, np.nan], np.float32), "an error of nan"),
        (np.array([1, 2], np.float64), "float64 of shape"),
        (np.array([[1, 2]], np.float32), "float32 of shape (1, 2)"),
    ],
)
def test_wrong_results_are_found(bench: Any, result: Any, fault: str | None):
    found = workload(bench, "add8").fault((result,), (np.array([1.0, 2.0]),))
    assert found is None if fault is None else fault in found


def test_every_peer_has_every_kernel(bench: Any):
    kernels = {each.kernel for each in bench("workloads").WORKLOADS}
    for place in bench("peers").PEERS.values():
        module = "with_torch" if place.module == "with_inductor" else place.module
        tree = ast.parse((ROOT / "benchmarks" / "peers" / f"{module}.py").read_text())
        functions = {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}
        assigned = [target for node in tree.body if isinstance(node, ast.Assign) for target in node.targets]
        constants = {target.id for target in assigned if isinstance(target, ast.Name)}
        assert kernels <= functions | constants, place.module


@pytest.mark.parametrize("name", ["softmax", "layernorm", "logsumexp", "tall", "dwconv", "mlp", "gather", "cumsum"])
def test_kernels_of_numpy_are_right(bench: Any, name: str):
    """The references that check all results are right too, by the workloads' meaning."""
    chosen = workload(bench, name)
    inputs = chosen.inputs()
    peer = bench("peers").load("numpy", 1)
    call = peer.prepare(bench("peers.base").Task(chosen.kernel, inputs, 0, 0))
    assert chosen.fault(peer.give(call.function(*call.arguments)), chosen.expected()) is None


@pytest.mark.parametrize(
    ("name", "kernel"), [("numpy", "mlp_step"), ("numpy", "mlp_step_in_place"), ("stepwell", "mlp_step_in_place")]
)
def test_a_state_is_carried_on(bench: Any, name: str, kernel: str):
    """Two calls train twice, with fresh results or in-place ones; the workload's inputs are not changed."""
    chosen = workload(bench, "mlp_in_place")
    inputs, expected = chosen.inputs(), chosen.expected()
    peer = bench("peers").load(name, THREADS.count)
    call = peer.prepare(bench("peers.base").Task(kernel, inputs, 0, 0, chosen.state))
    first = call.function(*call.arguments)
    assert chosen.fault(peer.give(first), expected) is None
    second = call.function(*call.arguments)
    images, classes = (each.astype(np.float64) for each in inputs[:2])
    assert chosen.fault(peer.give(second), chosen.reference(images, classes, *expected)) is None
    in_place = [np.shares_memory(one, other) for one, other in zip(first, second, strict=True)]
    assert in_place == [kernel == "mlp_step_in_place"] * chosen.state
    assert all(np.array_equal(one, other) for one, other in zip(inputs, chosen.inputs(), strict=True))


def test_the_best_peer_is_right_and_not_ourselves(bench: Any):
    measure = bench("measure")

    def timing(seconds: float, error: str = "") -> Any:
        return measure.Timing(seconds=[seconds] * 3, error=error)

    timings = {"stepwell": timing(2), "numpy": timing(4), "torch": timing(5), "jax": timing(1, "wrong"), "copy": timing(0.5)}
    row = measure.Row(workload(bench, "softmax"), 1, 100, {**timings, "streaming": timing(0.25), "fma": timing(0.125)})
    assert (row.best, row.ratio, row.limit) == ("numpy", 0.5, 0.25)
    assert dataclasses.replace(row, timings={"numpy": timing(1)}).ratio is None


def test_slow_peers_get_turns_all_along(bench: Any):
    is_chosen = bench("measure").is_chosen
    assert [turn for turn in range(20) if is_chosen(turn, 20, 4)] == [0, 5, 10, 15]
    assert all(is_chosen(turn, 3, 5) for turn in range(3))


def stops(process: int) -> bool:
    """Whether a process comes to rest within a second; a signal takes effect a little after it was sent."""
    for _ in range(100):
        if Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] == "T":
            return True
        time.sleep(0.01)
    return False


def test_a_worker_rests_while_it_is_not_asked(bench: Any):
    processes = bench("processes")
    worker = processes.WorkerProcess("numpy", 1, dict(os.environ))
    try:
        assert stops(worker.pid)
        worker.ask(do="prepare", workload="add8", traffic=0, result="")
        assert worker.ask(do="time", calls=2, warm=True)["seconds"] > 0
        with pytest.raises(processes.WorkerError, match="StopIteration"):
            worker.ask(do="prepare", workload="nothing", traffic=0, result="")
        assert worker.alive
    finally:
        worker.close()
    assert not worker.alive


@pytest.mark.parametrize(
    ("code", "timeout", "found", "said"),
    [
        ("print('building', [1], sep='\\n')", 60, [1], ""),
        ("print('no numbers')", 60, None, "a, b: "),
        ("import sys; print([1]); sys.exit('out of memory')", 60, None, "a, b: out of memory"),
        ("import time; time.sleep(60)", 1, None, "a, b: no result in 1 s"),
    ],
)
def test_a_row_in_a_process_of_its_own(
    bench: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Any, code: str, timeout: int, found: Any, said: str
):
    run_worker = bench("processes").run_worker
    (tmp_path / "benchmarks").mkdir()
    (tmp_path / "benchmarks" / "__init__.py").touch()
    (tmp_path / "benchmarks" / "fake.py").write_text(code)
    monkeypatch.chdir(tmp_path)
    assert run_worker("fake", ("a", "b"), (), timeout) == found
    assert said in capsys.readouterr().err


def test_a_library_that_is_not_there_is_left_out(bench: Any):
    peers = bench("peers")
    assert peers.Place("with_nothing", "Nothing", ("numpy", "no_such_package")).missing() == ["no_such_package"]


def test_formats_are_measured_beside_float32(bench: Any):
    formats = bench("formats")
    matmul, *_, addition = formats.COMPUTATIONS
    kinds = formats.FORMATS
    assert [formats.predicted(matmul, kinds[name]) for name in ("float64", "bfloat16", "int32")] == [2, 1, 1]
    assert [formats.predicted(addition, kinds[name]) for name in ("float64", "float16", "int32")] == [2, 0.5, 1]
    lines = formats.rows(addition._replace(shapes=((64,),) * 3), threads=1, repeats=2)
    assert [line[2] for line in lines] == ["float64", "bfloat16", "float16", "int32"]
    assert all(float(line[-2]) > 0 and line[-1] in ("yes", "no") for line in lines)


@pytest.mark.parametrize("program", ["chain", "graph"])
def test_first_calls_grow(bench: Any, program: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    """The measured calls compile, and give numbers."""
    monkeypatch.setenv("STEPWELL_CACHE_DIR", str(tmp_path))
    growth = bench("growth")
    function = getattr(growth, program)
    lines = growth.rows(program, function, [5, 20])
    assert [line[1] for line in lines] == ["5", "20"] and not lines[0][-1] and float(lines[1][-1]) < 3
    x = np.random.default_rng(1).standard_normal(growth.SHAPE)
    result = sw.jit(lambda x: function(x, 60), target="interpret")(x)
    assert np.isfinite(result).all() and np.ptp(result) > 0


def test_first_calls_are_measured(bench: Any, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]):
    first_calls = bench("first_calls")
    monkeypatch.setattr(first_calls, "WORKLOADS", [workload(bench, "add8")])
    assert first_calls.main(["--repeats", "1"]) == 0
    name, empty, *_ = capsys.readouterr().out.split()
    assert name == "add8" and float(empty) > 0


IMPORTED = """
import sys
from benchmarks.peers import load
from benchmarks.peers.base import Task
from benchmarks.workloads import MLP

peer, before = load("stepwell", 1), set(sys.modules)
call = peer.prepare(Task(MLP.kernel, MLP.inputs(), 0, MLP.flops, MLP.state))
call.function(*call.arguments)
print(sorted(name for name in set(sys.modules) - before if name.startswith("stepwell.")))
"""


def test_imports_are_no_part_of_first_calls(tmp_path: Path):
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "STEPWELL_CACHE_DIR": str(tmp_path)}
    done = subprocess.run([sys.executable, "-c", IMPORTED], env=environment, capture_output=True, text=True, timeout=120)
    assert done.stdout == "[]\n", done.stderr
