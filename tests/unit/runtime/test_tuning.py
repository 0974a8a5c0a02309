"""`stepwell tune`: the candidates, the findings, and their use by later compiles."""

from __future__ import annotations

import re
import stat
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import stepwell as sw
from stepwell.dialects import make_context
from stepwell.ir.diagnostics import CompileError
from stepwell.ir.functions.entry import entry_function
from stepwell.ir.text.parser import parse_module
from stepwell.lowering.machine import AVX2, AVX512, MODELS, Machine, pass_options
from stepwell.passes.loop.contraction.tuned_sizes import LIMITS, sizes_for, tuned_entry
from stepwell.runtime.boundary.signature import Signature
from stepwell.runtime.cache.disk import CacheWarning, default_cache
from stepwell.runtime.cpu.program import CpuProgram
from stepwell.runtime.executable import build_program
from stepwell.runtime.toolchain.host import target_options
from stepwell.runtime.toolchain.tuned_sizes import FILE, Finding, findings_of, keep_finding, tuned_entries
from stepwell.tools.stepwell import main
from stepwell.tools.tune.search import Tuner, alternatives, is_near, seconds

PROGRAM = """import stepwell as sw
def product(a, b):
    return sw.relu(a @ b)
def total(a):
    return sw.sum(a)
"""
KEY = "float32-1x?x?x?"
A, B = (np.random.default_rng(1).standard_normal(shape, np.float32) for shape in ((21, 40), (40, 37)))


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A cache of its own, and a program."""
    monkeypatch.setenv("STEPWELL_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.setenv("STEPWELL_MACHINE", "avx512")
    monkeypatch.delenv("STEPWELL_TUNED", raising=False)
    (tmp_path / "program.py").write_text(PROGRAM)
    return tmp_path


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Three candidates, of which those with six rows are faster."""
    tried = {"tile": [{"rows": 4}, {"rows": 6}, {"rows": 5}]}
    monkeypatch.setattr("stepwell.tools.tune.search.alternatives", lambda *_: tried)

    def times(_: Tuner, *programs: CpuProgram) -> list[float]:
        return [1.0 if "_tile[12] = {}" in each.code.text else 2.0 for each in programs]

    monkeypatch.setattr(Tuner, "_times", times)


def tune(folder: Path, *words: str, function: str = "product", specs: tuple[str, ...] = ("21,40", "40,37")) -> int:
    return main(["tune", f"{folder}/program.py:{function}", *(f"--spec={each}" for each in specs), *words])


def product(a: Any, b: Any) -> Any:
    return sw.relu(a @ b)


def rows_of_tiles(**options: Any) -> str:
    """The type of the registers of the product's tiles, as it is compiled now."""
    text = sw.lower(product, A, B, **options).ir("scheduled")
    return text.partition('loop.alloc "register" : ')[2].partition("\n")[0]


def test_what_is_found_is_used_by_later_compiles(folder: Path, quick: None, monkeypatch: pytest.MonkeyPatch, capsys: Any):
    before = sw.jit(product)(A, B)
    assert rows_of_tiles() == "memref<8x2x16xf32>"
    assert tune(folder) == 0
    assert f"{KEY}: rows=6: 2000.000 ms -> 1000.000 ms" in capsys.readouterr().out
    assert target_options("cpu")["loop-tile-contractions"]["tuned"] == (f"{KEY}:rows=6",)
    assert rows_of_tiles() == "memref<6x2x16xf32>"
    np.testing.assert_allclose(sw.jit(product)(A, B), before, rtol=1e-5, atol=1e-5)
    # Another machine, known sizes, and `$STEPWELL_TUNED`.
    assert rows_of_tiles(static=True) == "memref<8x2x16xf32>"
    monkeypatch.setenv("STEPWELL_TUNED", "0")
    assert rows_of_tiles() == "memref<8x2x16xf32>"
    monkeypatch.delenv("STEPWELL_TUNED")
    monkeypatch.setenv("STEPWELL_MACHINE", "avx2")
    assert rows_of_tiles() == "memref<6x2x8xf32>" and "tuned" not in target_options("cpu")["loop-tile-contractions"]


def test_known_sizes_have_findings_of_their_own(folder: Path, quick: None, capsys: Any):
    assert tune(folder, "--static") == 0
    assert "float32-1x21x37x40: rows=6" in capsys.readouterr().out
    assert rows_of_tiles(static=True) == "memref<6x2x16xf32>" and rows_of_tiles() == "memref<8x2x16xf32>"


def test_wrong_results_are_never_kept(folder: Path, quick: None, monkeypatch: pytest.MonkeyPatch, capsys: Any):
    run = CpuProgram.run

    def wrong(program: CpuProgram, arrays: Any, values: Any) -> list[Any]:
        results = run(program, arrays, values)
        results[0][0, 0] += 1.0 if "_tile[12] = {}" in program.code.text else 0.0
        return results

    monkeypatch.setattr(CpuProgram, "run", wrong)
    assert tune(folder) == 0
    assert f"{KEY}: nothing better than the usual sizes was found" in capsys.readouterr().out
    assert findings_of(default_cache(), AVX512) == {}


def test_what_is_faster_only_once_is_not_kept(folder: Path, quick: None, monkeypatch: pytest.MonkeyPatch, capsys: Any):
    measured: list[int] = []

    def times(_: Tuner, *programs: CpuProgram) -> list[float]:
        measured.append(len(programs))
        return [2.0, 2.0, 1.0] if len(measured) % 2 else [1.0, 2.0, 1.0]

    monkeypatch.setattr(Tuner, "_times", times)
    assert tune(folder) == 0
    assert len(measured) == 6, "each of three twice"
    assert not findings_of(default_cache(), AVX512)


def test_an_interrupted_search_keeps_what_it_found(folder: Path, quick: None, monkeypatch: pytest.MonkeyPatch):
    attempt, tried = Tuner._try, []

    def interrupted(tuner: Tuner, *arguments: Any) -> Any:
        if len(tried) == 2:
            raise KeyboardInterrupt
        tried.append(arguments)
        return attempt(tuner, *arguments)

    monkeypatch.setattr(Tuner, "_try", interrupted)
    assert tune(folder) == 130
    assert findings_of(default_cache(), AVX512)[KEY].sizes == {"rows": 6}


def test_no_time_means_nothing_is_tried(folder: Path, capsys: Any):
    assert tune(folder, "--budget=0") == 0
    assert "0 candidates tried" in capsys.readouterr().out


@pytest.mark.parametrize("seconds", ["nan", "-3", "soon"])
def test_a_budget_is_a_number_of_seconds(folder: Path, seconds: str, capsys: Any):
    with pytest.raises(SystemExit):
        tune(folder, f"--budget={seconds}")
    assert f"argument --budget: expected seconds of at least 0, got {seconds}" in capsys.readouterr().err


def test_a_file_of_python_needs_the_name_of_a_function(folder: Path, capsys: Any):
    assert main(["tune", f"{folder}/program.py"]) == 1
    assert "expected FILE.py:FUNCTION" in capsys.readouterr().err


def test_the_search_itself_runs(folder: Path, capsys: Any):
    """The search does not change results, whatever it finds."""
    assert tune(folder, "--budget=4") == 0
    assert KEY in capsys.readouterr().out
    np.testing.assert_allclose(sw.jit(product)(A, B), np.maximum(A @ B, 0), rtol=1e-5, atol=1e-5)


@pytest.mark.parametrize(
    "text", ["{", "[]", '{"version": 2}', '{"version": 1, "contexts": {"c": {"k": {}}}}', '{"version": 1, "contexts": []}']
)
def test_a_damaged_file_is_set_aside_with_a_warning(text: str, capsys: Any):
    cache = default_cache()
    keep_finding(cache, AVX512, KEY, Finding({"rows": 6}, 2.0, 1.0))
    (cache.root / FILE).write_text(text)
    with pytest.warns(CacheWarning, match=rf"{FILE} are not used: .*'stepwell cache clear --tuned'"):
        assert rows_of_tiles() == "memref<8x2x16xf32>"
    assert main(["cache", "clear", "--tuned"]) == 0 and not (cache.root / FILE).exists()


@pytest.mark.parametrize("sizes", [{"rows": 0}, {"rows": True}, {"rows": 1.5}, {"rows": 1 << 40}, {"threads": 1}])
def test_sizes_that_make_no_sense_are_not_used(sizes: dict[str, Any]):
    cache = default_cache()
    keep_finding(cache, AVX512, KEY, Finding(sizes, 2.0, 1.0))
    with pytest.warns(CacheWarning, match="has sizes"):
        assert tuned_entries(cache, AVX512) == ()


def test_a_file_that_others_may_write_to_is_not_used():
    cache = default_cache()
    keep_finding(cache, AVX512, KEY, Finding({"rows": 6}, 2.0, 1.0))
    assert stat.S_IMODE((cache.root / FILE).stat().st_mode) == 0o600
    (cache.root / FILE).chmod(0o622)
    with pytest.warns(CacheWarning, match="others may write to it"):
        assert tuned_entries(cache, AVX512) == ()


def test_findings_are_by_machine_and_shown(capsys: Any):
    cache = default_cache()
    keep_finding(cache, AVX512, KEY, Finding({"rows": 6}, 2.0, 1.0))
    keep_finding(cache, AVX2, KEY, Finding({"rows": 4}, 2.0, 1.0))
    assert tuned_entries(cache, AVX2) == (f"{KEY}:rows=4",) and tuned_entries(cache, MODELS["aarch64"]) == ()
    assert main(["cache", "tuned"]) == 0 and main(["cache", "info"]) == 0
    assert f"{KEY}: rows=6: 2000.000 ms -> 1000.000 ms" in (out := capsys.readouterr().out) and "tuned    2" in out
    assert main(["cache", "clear", "--tuned"]) == 0
    assert "2 tuned sizes removed" in capsys.readouterr().out and tuned_entries(cache, AVX2) == ()
    assert [path.name for path in cache.root.glob("*.json")] == []


@pytest.mark.parametrize(
    ("function", "specs", "message"),
    [
        ("total", ("8,8",), "nothing to tune"),
        ("product", ("n,8", "8,8"), "--spec n,8: expected sizes as numbers of at least 1"),
        ("product", ("0,8", "8,8"), "--spec 0,8: expected sizes as numbers of at least 1"),
        ("product", ("8,8:int9", "8,8"), "--spec 8,8:int9: unsupported dtype 'int9'"),
        ("product", ("8,-1", "8,8"), "--spec 8,-1: expected sizes as numbers of at least 1"),
        ("product", ("8,8",), "'product' can't be called with 1 times --spec: missing a required argument: 'b'"),
        ("produkt", ("8,8", "8,8"), "no function 'produkt': did you mean 'product'"),
    ],
)
def test_what_can_not_be_tuned(folder: Path, function: str, specs: tuple[str, ...], message: str, capsys: Any):
    assert tune(folder, function=function, specs=specs) == 1
    assert message in capsys.readouterr().err


def test_a_program_as_text(folder: Path, quick: None, capsys: Any):
    low = sw.lower(product, A, B)
    (folder / "product.mlir").write_text(low.ir("graph"))
    np.save(folder / "a.npy", A)
    np.save(folder / "b.npy", B)
    assert main(["tune", f"{folder}/product.mlir", f"--arg=a={folder}/a.npy", f"--arg=b={folder}/b.npy"]) == 0
    assert f"{KEY}: rows=6" in capsys.readouterr().out
    np.save(folder / "b.npy", B.astype(np.float64))
    assert main(["tune", f"{folder}/product.mlir", f"--arg=a={folder}/a.npy", f"--arg=b={folder}/b.npy"]) == 1
    assert "argument 'b': expected dtype float32, got float64" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--param=j=3",), "--param: unknown parameter 'j'; the program's parameters are: none"),
        (("--spec=2:int64",), r"program.py:7:.*: index \S+ is out of range"),
    ],
)
def test_arguments_that_do_not_fit_are_named(folder: Path, words: tuple[str, ...], message: str, capsys: Any):
    (folder / "program.py").write_text(
        PROGRAM + "def taken(a, b, k=None):\n    return a @ b if k is None else (a @ b)[k + 99]\n"
    )
    assert tune(folder, *words, function="taken") == 1
    assert re.search(message, capsys.readouterr().err)


def test_what_is_measured_reads_what_is_donated():
    text = sw.lower(lambda a: a + 1, np.zeros(3, np.float32), donate_argnums=0).ir("graph")
    ctx = make_context()
    module = parse_module(text, ctx)
    signature = Signature.of(entry_function(module))
    program = build_program(module, ctx, "cpu", signature)
    assert isinstance(program, CpuProgram) and signature.donated == (0,)
    x = np.full(3, 4, np.float32)
    call = program.bound([x], signature.bind([x.shape], {}))
    call()
    call()
    assert x.tolist() == [6.0, 6.0, 6.0]
    call.restore()
    assert x.tolist() == [4.0, 4.0, 4.0]


def test_calls_that_are_measured_begin_with_the_same_values_and_may_not_fail():
    """A donated index that each call increases would soon be out of range."""
    text = sw.lower(lambda at, x: (at + 2, sw.take(x, at)), np.zeros(1, np.int64), np.ones(3), donate_argnums=0).ir("graph")
    ctx = make_context()
    module = parse_module(text, ctx)
    signature = Signature.of(entry_function(module))
    program = build_program(module, ctx, "cpu", signature)
    assert isinstance(program, CpuProgram)
    at, x = np.zeros(1, np.int64), np.ones(3)
    call = program.bound([at, x], signature.bind([at.shape, x.shape], {}))
    assert seconds(call, 5) > 0
    call()
    call()
    with pytest.raises(IndexError, match="index 4 is out of range"):
        call()


@pytest.mark.parametrize("machine", MODELS.values(), ids=MODELS)
def test_everything_that_is_tried_is_allowed(machine: Machine):
    usual = pass_options(machine)["loop-tile-contractions"]
    for choices in alternatives(machine, usual).values():
        for sizes in choices:
            assert sizes_for(KEY, [tuned_entry(KEY, sizes)]) == sizes


def test_malformed_entries_are_refused():
    assert sizes_for(KEY, ["float64-1x?x?x?:rows=4", f"{KEY}:rows=4:depth=8", f"{KEY}:rows=5"]) == {"rows": 4, "depth": 8}
    for entry in (f"{KEY}:rows", f"{KEY}:rows=-1", f"{KEY}:rows={LIMITS['rows'][1] + 1}", f"{KEY}:bytes=8", "abc"):
        with pytest.raises(CompileError, match="tuned sizes"):
            sizes_for(KEY, [entry])


def test_results_that_are_near():
    x = np.array([1.0, np.nan, np.inf, 1e-9], np.float32)
    assert is_near(x, x) and is_near(x + np.float32(1e-6), x)
    assert not is_near(x * 2, x) and not is_near(np.nan_to_num(x), x) and not is_near(-x, x)
    assert not is_near(x[:2], x) and not is_near(x.astype(np.float64), x)
    assert is_near(np.arange(3), np.arange(3)) and not is_near(np.arange(3), np.arange(1, 4))
