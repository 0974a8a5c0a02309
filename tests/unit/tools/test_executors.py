"""Commands that do their work on executors: the results of factories, and their errors."""

import re
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from pathlib import Path
from types import MappingProxyType
from typing import Any

import numpy as np
import pytest
from stepwell.ir.diagnostics import CompileError
from stepwell.lowering.machine import AVX512
from stepwell.runtime.cache.disk import default_cache
from stepwell.runtime.cpu.program import CpuProgram
from stepwell.runtime.toolchain.tuned_sizes import findings_of
from stepwell.tools.executors import executor_of, results_of
from stepwell.tools.fuzz import command as fuzz
from stepwell.tools.stepwell import main
from stepwell.tools.tune.search import Tuner

THREADS, PROCESSES = "concurrent.futures:ThreadPoolExecutor", "executors_of_a_user:processes"
FACTORIES = """
import multiprocessing
from concurrent.futures import ProcessPoolExecutor

number = 3

def processes():
    return ProcessPoolExecutor(2, multiprocessing.get_context("fork"))

def broken():
    raise OSError("no cluster here")

def other():
    return [1, 2]
"""
EXECUTORS = pytest.mark.parametrize("executor", [THREADS, PROCESSES])


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a module of factories, in which commands run."""
    (tmp_path / "executors_of_a_user.py").write_text(FACTORIES)
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    return tmp_path


@EXECUTORS
def test_the_fuzzer_finds_the_same_on_an_executor(executor: str, folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: Any):
    def wrong(program: Any) -> Any:
        results = [np.array(each) for each in fuzz._interpreted("loop")(program)]
        results[0] = results[0] + 1 if results[0].dtype != bool else ~results[0]
        return results

    monkeypatch.setattr(fuzz, "LEVELS", MappingProxyType({"loop": fuzz.LEVELS["loop"], "cpu": wrong}))
    monkeypatch.setattr(fuzz, "cut_down", lambda failure, check, shown: failure)
    words = ["fuzz", "--programs", "3", "--seed", "40", "--targets", "loop,cpu"]
    assert main([*words, "--out", "alone"]) == 1
    alone = capsys.readouterr().out
    assert main([*words, "--out", "together", "--executor", executor]) == 1
    assert capsys.readouterr().out.replace("together", "alone") == alone
    names = sorted(path.name for path in (folder / "alone").iterdir())
    assert len(names) == 3 and names == sorted(path.name for path in (folder / "together").iterdir())
    for name in names:
        assert (folder / "alone" / name).read_text() == (folder / "together" / name).read_text()


@EXECUTORS
def test_the_tuner_measures_on_an_executor(executor: str, folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: Any):
    monkeypatch.setenv("STEPWELL_CACHE_DIR", str(folder / "cache"))
    monkeypatch.setenv("STEPWELL_MACHINE", "avx512")
    (folder / "program.py").write_text("def product(a, b):\n    return a @ b\n")
    tried = {"tile": [{"rows": 4}, {"rows": 6}, {"rows": 5}]}
    monkeypatch.setattr("stepwell.tools.tune.search.alternatives", lambda *_: tried)

    def times(_: Tuner, *programs: CpuProgram) -> list[float]:
        # Six rows are faster, and five a little faster.
        rows = [next((n for n in (6, 5) if f"_tile[{2 * n}] = {{}}" in each.code.text), 8) for each in programs]
        return [{6: 1.0, 5: 1.5, 8: 2.0}[each] for each in rows]

    monkeypatch.setattr(Tuner, "_times", times)
    assert main(["tune", "program.py:product", "--spec=21,40", "--spec=40,37", "--executor", executor]) == 0
    assert "3 candidates tried" in capsys.readouterr().out
    (finding,) = findings_of(default_cache(), AVX512).values()
    assert finding.sizes == {"rows": 6} and (finding.before, finding.after) == (2.0, 1.0)


def test_workers_on_another_machine_are_an_error(folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: Any):
    monkeypatch.setenv("STEPWELL_CACHE_DIR", str(folder / "cache"))
    monkeypatch.setenv("STEPWELL_MACHINE", "avx512")
    (folder / "program.py").write_text("def product(a, b):\n    return a @ b\n")
    (folder / "elsewhere.py").write_text(
        "import os\n"
        "from concurrent.futures import ThreadPoolExecutor\n"
        "def pool():\n"
        "    return ThreadPoolExecutor(1, initializer=lambda: os.environ.update(STEPWELL_MACHINE='avx2'))\n"
    )
    words = ["tune", "program.py:product", "--spec=21,40", "--spec=40,37"]
    assert main([*words, "--executor", "elsewhere:pool"]) == 1
    assert "the worker's machine has l1 = 32768, findings are for one with 49152" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("executor", "message"),
    [
        ("concurrent.futures", "expected MODULE:FACTORY, as in .*:ProcessPoolExecutor, got 'concurrent.futures'"),
        ("no_such_module:pool", "cannot import 'no_such_module': ModuleNotFoundError"),
        ("executors_of_a_user:proceses", "'executors_of_a_user' has no 'proceses': did you mean 'processes'"),
        ("executors_of_a_user:number", "expected MODULE:FACTORY, .* but 'executors_of_a_user:number' is a int"),
        ("executors_of_a_user:broken", r"executors_of_a_user:broken\(\) failed: OSError: no cluster here"),
        ("executors_of_a_user:other", r"expected an executor .* from .*:other\(\), got a list without submit\(\)"),
    ],
)
def test_wrong_factories_are_errors(executor: str, message: str, capsys: Any):
    assert main(["fuzz", "--programs", "1", "--executor", executor]) == 1
    error = capsys.readouterr().err
    assert re.search(message, error), error


def test_a_worker_that_is_lost_is_an_error():
    class Lost(ThreadPoolExecutor):
        def submit(self, *_: Any, **__: Any) -> Future[Any]:
            future: Future[Any] = Future()
            future.set_exception(OSError("a worker is gone"))
            return future

    with pytest.raises(CompileError, match="task 1 of 2 gave no result: OSError: a worker is gone"):
        list(results_of(Lost(1), abs, [(1,), (2,)], int))


def test_executors_are_shut_down():
    with executor_of(THREADS) as executor:
        assert isinstance(executor, Executor) and list(results_of(executor, pow, [(2, 3), (3, 2)], int)) == [8, 9]
    with pytest.raises(RuntimeError, match="shutdown"):
        executor.submit(abs, 1)


@pytest.mark.parametrize("other", ["--speed", "--sanitize=address"])
def test_an_executor_goes_with_neither_times_nor_sanitizers(other: str, capsys: Any):
    assert main(["fuzz", "--programs", "1", "--executor", THREADS, other]) == 2
    assert f"--executor and {other.partition('=')[0]}: choose one" in capsys.readouterr().err


def test_results_of_another_kind_are_an_error():
    with (
        executor_of(THREADS) as executor,
        pytest.raises(CompileError, match="gave 8, which is no result of this command"),
    ):
        list(results_of(executor, pow, [(2, 3)], list))
