"""The demo: it agrees with scikit-learn and torch, writes all files that it names, and runs without optional packages."""

from __future__ import annotations

import importlib.util
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

ROOT = Path(__file__).resolve().parents[3]
EXAMPLES, OUT = ROOT / "examples", ROOT / "out" / "demo"
WRITTEN = ("graph.mlir", "uop.mlir", "loop.mlir", "scheduled.mlir", "cloop.mlir", "kernel.c", "kernel.c.map.json")
WRITTEN_FOR_TRITON = ("tile.mlir", "kernel.py", "kernel.py.map.json")
needs_sklearn = pytest.mark.skipif(importlib.util.find_spec("sklearn") is None, reason="scikit-learn is not installed")
has_triton = all(importlib.util.find_spec(name) for name in ("torch", "triton"))


def run_demo(prelude: str = "", **environment: str) -> subprocess.CompletedProcess[str]:
    """The demo in a process of its own, after the statements of `prelude`."""
    code = f"import sys, runpy\nsys.path.insert(0, {str(EXAMPLES)!r})\n{prelude}\n"
    code += f"runpy.run_path({str(EXAMPLES / 'demo.py')!r}, run_name='__main__')"
    command = [sys.executable, "-c", code]
    return subprocess.run(command, env={**os.environ, **environment}, capture_output=True, text=True, timeout=300)


@needs_sklearn
def test_every_target_agrees_and_everything_is_written():
    # Only some of the images, since Triton's interpreter takes a millisecond for each program of a kernel.
    few = "import digits\nall_images = digits.images\ndigits.images = lambda: tuple(each[:100] for each in all_images())"
    done = run_demo(few, OMP_NUM_THREADS="1")
    assert done.returncode == 0, done.stdout + done.stderr
    targets = ("cpu", "triton-interpret", "interpret") if has_triton else ("cpu", "interpret")
    verdicts = [line for line in done.stdout.splitlines() if "max abs difference" in line]
    assert len(verdicts) == len(targets) * (2 if has_triton else 1)
    assert all(line.endswith("on 100 images  ok") for line in verdicts)
    assert "Cleared from the environment: " in done.stdout and "OMP_NUM_THREADS" in done.stdout
    for program in ("perceptron", "convolution") if has_triton else ("perceptron",):
        for name in (*WRITTEN, *(WRITTEN_FOR_TRITON if has_triton else ())):
            assert (OUT / program / name).stat().st_size > 0
    assert "| perceptron | stepwell cpu |" in (OUT / "times.md").read_text()


@needs_sklearn
def test_without_a_compiler_torch_and_triton_it_says_so_and_interprets(tmp_path: Path):
    prelude = "import sklearn.neural_network\nsys.modules['torch'] = sys.modules['triton'] = None"
    done = run_demo(prelude, PATH=str(tmp_path), CC="")
    if "Target cpu is left out" not in done.stdout:
        pytest.skip("the package ziglang is installed, which is a compiler")
    assert done.returncode == 0, done.stdout + done.stderr
    assert "no C compiler was found" in done.stdout and "not installed: torch, triton" in done.stdout
    verdicts = [line for line in done.stdout.splitlines() if "max abs difference" in line]
    assert [line.split()[0] for line in verdicts] == ["interpret"]


def demo_module(monkeypatch: pytest.MonkeyPatch) -> Any:
    """examples/demo.py as a module."""
    monkeypatch.syspath_prepend(str(EXAMPLES))
    spec = importlib.util.spec_from_file_location("demo", EXAMPLES / "demo.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("wrong", [1e-4, np.nan])
def test_a_difference_fails(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], wrong: float):
    demo = demo_module(monkeypatch)
    report, images = demo.make_report(), np.zeros((3, 4), np.float32)
    peer = demo.Peer("a peer", lambda images: images)
    assert demo.check(report, "cpu", lambda images: images + np.float32(1e-6), [images], peer)
    assert not demo.check(report, "cpu", lambda images: images + np.float32(wrong), [images], peer)
    assert "FAILED: more than 1e-05" in capsys.readouterr().out


def test_texts_are_shortened(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.syspath_prepend(str(EXAMPLES))
    report = importlib.import_module("report")
    assert report.shortened("a\nb\nc", 2) == "a\nb\n... 1 more lines"
    assert report.shortened("a\nb", 2) == "a\nb"
    assert len(report.shortened("x" * 500, 1)) == report.WIDTH
    assert report.columns([["a", "1"], ["long", "22"]]) == ["a      1", "long  22"]
