"""Blocks that differ only in their buffers and sizes share one function, which is compiled while the rest is lowered."""

from __future__ import annotations

import subprocess
import sys
import threading
import time
import warnings
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import stepwell as sw
from stepwell.dialects import make_context
from stepwell.ir.diagnostics import CompileError, InternalError
from stepwell.ir.functions.entry import entry_function, function_params, is_unit
from stepwell.ir.text.parser import parse_module
from stepwell.lowering.emit_c.emit_c import CEmitter
from stepwell.passes.outline import cloop_outline
from stepwell.runtime.cpu import background as ahead
from stepwell.runtime.cpu import units
from stepwell.runtime.cpu.background import Ahead
from stepwell.runtime.interpret.loop import run_loops
from stepwell.runtime.toolchain import compiler as toolchain
from stepwell.tests.unit.on_gpu import TRITON
from xdsl.dialects.func import FuncOp

RNG = np.random.default_rng(11)
# Sizes that fill tiles, sizes that do not, and 0.
SIZES = ((5, 7, 7), (64, 33, 90), (1, 1, 1), (0, 3, 4), (40, 260, 0))


def layers(x: sw.Tensor, *weights: sw.Tensor) -> sw.Tensor:
    for weight in weights:
        x = sw.relu(x @ weight + 1)
    return x


def arguments(batch: int, width: int, hidden: int) -> list[Any]:
    shapes = [(batch, width), (width, hidden), (hidden, width), (width, hidden)]
    return [RNG.standard_normal(shape).astype(np.float32) for shape in shapes]


def exact(x: Any, *weights: Any) -> Any:
    for weight in weights:
        x = np.maximum(x.astype(np.float64) @ weight + 1, 0)
    return x


@pytest.mark.parametrize("sizes", SIZES, ids=str)
def test_one_function_serves_all_layers(sizes: tuple[int, int, int]):
    given = arguments(*sizes)
    lowered = sw.lower(layers, *arguments(9, 17, 19))
    assert lowered.ir("loop").count("loop.call @shared_0") == 3
    assert lowered.structure().blocks == 3
    np.testing.assert_allclose(sw.jit(layers)(*given), exact(*given), rtol=1e-4, atol=1e-4)


@pytest.mark.parametrize("level", ["loop", "scheduled", "cloop"])
def test_each_level_means_the_same(level: str):
    given = arguments(9, 17, 19)
    text = sw.lower(layers, *given).ir(level)
    assert ("sw.part" in text) == (level == "cloop")
    module = parse_module(text, make_context())
    function, out = entry_function(module), np.zeros((9, 19), np.float32)
    values = dict(zip(function_params(function), (9, 17, 19, 17, 19), strict=True))
    run_loops(function, [*given, out], values)
    np.testing.assert_allclose(out, exact(*given), rtol=1e-5, atol=1e-5)


def test_loops_with_calls_become_kernels():
    given = arguments(9, 17, 19)
    text = sw.lower(layers, *given).ir("loop")
    assert "loop.call" in text
    np.testing.assert_allclose(sw.compile(text, target=TRITON)(*given), exact(*given), rtol=1e-5, atol=1e-5)


def test_the_memory_of_calls_is_their_callers():
    """All calls share one arena, which counts for `memory`: consecutive calls reuse its memory."""

    def memory(count: int) -> int:
        widths = [300 + 10 * k for k in range(count + 1)]
        weights = [np.ones(shape, np.float32) for shape in pairwise(widths)]
        lowered = sw.lower(layers, np.ones((30, 300), np.float32), *weights)
        assert lowered.ir("cloop").count("cloop.arena") == 1
        return lowered.memory(threads=1)

    few, many = memory(4), memory(8)
    between = 4 * 4 * 30 * 380
    assert few > 1 << 19
    assert many <= few * 380 / 340 + between + 64 * 8


def test_a_name_that_is_taken_is_not_made(monkeypatch: pytest.MonkeyPatch):
    """Functions that are outlined from separately lowered functions get no name that the program has."""
    monkeypatch.setattr(cloop_outline.CloopOutline, "statements", 20)

    def shared_0_part_0(x: sw.Tensor, *weights: sw.Tensor) -> sw.Tensor:
        return layers(x, *weights)

    given = arguments(9, 17, 19)
    np.testing.assert_allclose(sw.jit(shared_0_part_0)(*given), exact(*given), rtol=1e-5, atol=1e-5)


def test_versions_and_results_in_place_share_too():
    def both(x: sw.Tensor, kernel: sw.Tensor, *state: sw.Tensor) -> tuple[sw.Tensor, ...]:
        windows = sw.conv2d(x[None, None], kernel[None, None])[0, 0]
        return windows, *(layers(each, each.T @ each) for each in state)

    x, kernel = RNG.standard_normal((30, 40)), RNG.standard_normal((3, 3))
    state = [RNG.standard_normal(shape) for shape in ((12, 13), (21, 22))]
    given = [each.astype(np.float32) for each in (x, kernel, *state)]
    lowered = sw.lower(both, *given)
    assert lowered.ir("loop").count("loop.call @shared_0") >= 2
    wanted = [exact(each, each.T @ each) for each in given[2:]]
    kept = [each.copy() for each in given]
    results = sw.jit(both, donate_argnums=(2, 3))(*kept)
    for result, right in zip(results[1:], wanted, strict=True):
        np.testing.assert_allclose(result, right, rtol=1e-4, atol=1e-4)


def test_a_long_chain_before_a_product_needs_no_recursion():
    """The chain has more operations than Python's calls may nest."""
    length = sys.getrecursionlimit() + 100

    def chain(x: sw.Tensor, w: sw.Tensor) -> sw.Tensor:
        for _ in range(length):
            x = sw.flip(x, axis=1)
        return x @ w

    x, w = RNG.standard_normal((9, 10)).astype(np.float32), np.eye(10, 11, dtype=np.float32)
    np.testing.assert_allclose(sw.jit(chain)(x, w), (x[:, ::-1] if length % 2 else x) @ w, rtol=1e-5)


def test_every_operation_of_a_shared_function_comes_from_each_place():
    def two(x: sw.Tensor, y: sw.Tensor) -> tuple[sw.Tensor, sw.Tensor]:
        a = sw.softmax(x, axis=1)
        return a, sw.softmax(y, axis=1)

    given = [np.ones((13, 14), np.float32), np.ones((15, 16), np.float32)]
    lowered = sw.lower(two, *given)
    first = two.__code__.co_firstlineno + 1
    found = [set(lowered.trace.products(f"test_sharing.py:{line}")) for line in (first, first + 1)]
    for level in ("loop", "scheduled", "cloop", "c"):
        lines = (lowered.source() if level == "c" else lowered.ir(level)).splitlines()
        number = next(k for k, line in enumerate(lines, 1) if "exp" in line and (level != "c" or "const sw" in line))
        assert all((level, number) in products for products in found), lines[number - 1]


@pytest.fixture
def fresh(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """An empty cache, and two processors."""
    monkeypatch.setenv("STEPWELL_CACHE_DIR", str(tmp_path))
    for module in (ahead, units):
        monkeypatch.setattr(module, "available_processors", lambda: 2)
    return tmp_path


def test_units_are_known_again_in_the_whole_text(fresh: Path, monkeypatch: pytest.MonkeyPatch):
    seen: list[dict[int, Any]] = []
    begun = Ahead.begun

    def watched(self: Ahead, sections: Any) -> Any:
        monkeypatch.setattr("concurrent.futures.Future.cancel", lambda future: False)
        seen.append(dict(begun(self, sections)))
        return seen[-1]

    monkeypatch.setattr(Ahead, "begun", watched)
    given = arguments(9, 17, 19)
    np.testing.assert_allclose(sw.jit(layers)(*given), exact(*given), rtol=1e-5, atol=1e-5)
    assert [list(each) for each in seen] == [[1]]
    assert seen[0][1].result() is not None


def test_the_same_bits_without_compiling_ahead(fresh: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    linked: list[int] = []
    begun = Ahead.begun

    def watched(self: Ahead, sections: Any) -> Any:
        found = begun(self, sections)
        linked.extend(found)
        return found

    monkeypatch.setattr(Ahead, "begun", watched)
    monkeypatch.setattr("concurrent.futures.Future.cancel", lambda future: False)
    given = arguments(64, 33, 90)
    result = sw.jit(layers)(*given)
    assert linked == [1]
    monkeypatch.setenv("STEPWELL_CACHE_DIR", str(tmp_path / "other"))
    monkeypatch.setattr(Ahead, "start", lambda self, function: None)
    np.testing.assert_array_equal(result, sw.jit(layers)(*given))


def test_units_are_printed_once_and_as_all_at_once(fresh: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    printed: list[FuncOp] = []
    texts: list[str] = []
    one, whole = CEmitter._print, CEmitter.emit

    def printing(self: CEmitter, function: FuncOp, *rest: Any) -> Any:
        printed.append(function)
        return one(self, function, *rest)

    def emitting(self: CEmitter, module: Any) -> Any:
        source = whole(self, module)
        texts.append(source.text)
        return source

    monkeypatch.setattr(CEmitter, "_print", printing)
    monkeypatch.setattr(CEmitter, "emit", emitting)
    given = arguments(9, 17, 19)
    sw.jit(layers)(*given)
    callees = [each for each in printed if is_unit(each)]
    assert callees and len(set(callees)) == len(callees)
    monkeypatch.setenv("STEPWELL_CACHE_DIR", str(tmp_path / "other"))
    monkeypatch.setattr(Ahead, "start", lambda self, function: None)
    sw.jit(layers)(*given)
    assert texts[0] == texts[1]


TWO_CALLS = """
func.func private @part() attributes {sw.inputs = 0 : i64, sw.types = [], sw.part} { func.return }
func.func @f() attributes {sw.inputs = 0 : i64, sw.types = []} {
  cloop.call @part() :
  cloop.call @part() :
  func.return
}
"""


def test_a_part_is_called_by_one_function_alone():
    with pytest.raises(CompileError, match=r"sw\.part: expected one call of @part, got a second one"):
        CEmitter().emit(parse_module(TWO_CALLS, make_context()))


def test_a_unit_that_does_not_compile_ahead_is_told_of_once(fresh: Path, monkeypatch: pytest.MonkeyPatch):
    """The warning names the whole program, which compiles."""
    monkeypatch.setattr(ahead, "begin_unit", lambda compiler, _, output: units.begin_unit(compiler, Path("nowhere.c"), output))
    given = arguments(9, 17, 19)
    with pytest.warns(toolchain.CompilerWarning, match="compiled a program as a whole"):
        result = sw.jit(layers)(*given)
    np.testing.assert_allclose(result, exact(*given), rtol=1e-5, atol=1e-5)


def test_a_compiler_that_hangs_is_stopped(fresh: Path, monkeypatch: pytest.MonkeyPatch):
    def hang(*given: Any) -> subprocess.Popen[bytes]:
        return subprocess.Popen(["sleep", "60"], process_group=0)

    monkeypatch.setattr(ahead, "begin_unit", hang)
    monkeypatch.setattr(ahead, "COMPILE_SECONDS", 0.2)
    monkeypatch.setattr("concurrent.futures.Future.cancel", lambda future: False)
    begin = time.monotonic()
    given = arguments(9, 17, 19)
    with pytest.warns(toolchain.CompilerWarning, match="compiled a program as a whole"):
        result = sw.jit(layers)(*given)
    np.testing.assert_allclose(result, exact(*given), rtol=1e-5, atol=1e-5)
    assert time.monotonic() - begin < 30


@pytest.mark.parametrize("place", ["concurrent.futures.ThreadPoolExecutor.submit", "threading.Timer.start"])
def test_programs_compile_where_no_thread_can_be_started(fresh: Path, monkeypatch: pytest.MonkeyPatch, place: str):
    """The failure is the one that occurs when Python ends."""

    def refuse(*given: Any) -> Any:
        raise RuntimeError("can't start new thread")

    monkeypatch.setattr(place, refuse)
    given = arguments(9, 17, 19)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", toolchain.CompilerWarning)  # units that were to be compiled ahead did not
        np.testing.assert_allclose(sw.jit(layers)(*given), exact(*given), rtol=1e-5, atol=1e-5)


def test_nothing_runs_on_behind_an_error(fresh: Path, monkeypatch: pytest.MonkeyPatch):
    """Compilers that hang, or that are started after the error, are not waited for either."""
    started: list[subprocess.Popen[bytes]] = []
    is_over = threading.Event()

    def hang(*given: Any) -> subprocess.Popen[bytes]:
        is_over.wait(5)
        started.append(subprocess.Popen(["sleep", "60"], process_group=0))
        return started[-1]

    def fail(module: Any, options: Any, emit: Any, settled: bool) -> Any:
        emit()
        threading.Timer(0.2, is_over.set).start()
        raise RuntimeError("stop here")

    monkeypatch.setattr(ahead, "begin_unit", hang)
    monkeypatch.setattr("stepwell.runtime.executable.kept_code", fail)
    begin = time.monotonic()
    with pytest.raises(RuntimeError, match="stop here"):
        sw.jit(layers)(*arguments(9, 17, 19))
    assert [each.poll() is not None for each in started] == [True]
    assert time.monotonic() - begin < 30


def test_users_that_look_on_are_shown_whole_modules(fresh: Path):
    """A hook on the last level sees the bodies of all functions."""
    seen: list[int] = []

    def look(module: Any) -> None:
        seen.append(sum(op.name == "cloop.store" for op in module.walk()))

    with sw.on_finalize("cpu", look):
        sw.jit(layers)(*arguments(9, 17, 19))
    assert seen and seen[0] > 2


def test_checks_stay_where_their_lines_are():
    def taken(x: sw.Tensor, rows: sw.Tensor, y: sw.Tensor, others: sw.Tensor) -> tuple[sw.Tensor, sw.Tensor]:
        a = sw.exp(sw.take(x, rows, axis=0))
        return a, sw.exp(sw.take(y, others, axis=0))

    line = taken.__code__.co_firstlineno
    x, rows = np.ones((3, 4), np.float32), np.array([0, 1])
    compiled = sw.jit(taken)
    compiled(x, rows, x, rows)
    for given, at in (([x, rows + 2, x, rows], line + 1), ([x, rows, x, rows + 2], line + 2)):
        with pytest.raises(IndexError, match=rf"test_sharing.py:{at}\b"):
            compiled(*given)


def test_a_bug_in_printing_a_unit_is_told_as_one(fresh: Path, monkeypatch: pytest.MonkeyPatch):
    def fail(emitter: Any, function: Any) -> Any:
        raise KeyError("lost")

    monkeypatch.setattr("stepwell.lowering.emit_c.emit_c.CEmitter.emit_unit", fail)
    with pytest.raises(InternalError, match="emitting c failed: KeyError: 'lost'"):
        sw.jit(layers)(*arguments(9, 17, 19))
