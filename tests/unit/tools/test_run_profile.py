"""`stepwell run`: functions of Python files, and profiles as a table, a trace and a page."""

from __future__ import annotations

import json
import re
from pathlib import Path

import numpy as np
import pytest
from stepwell.frontend.explorer.page import data_of
from stepwell.tools.stepwell import main

MODEL = """import stepwell as sw


def layer(x, w):
    y = x @ w
    return sw.tanh(y)
"""
GRAPH = """func.func @layer(%x: tensor<?x3xf32, #sw.shape<[n, 3]>>) -> tensor<?x3xf32, #sw.shape<[n, 3]>> {
  %0 = graph.exp %x : (tensor<?x3xf32, #sw.shape<[n, 3]>>) -> tensor<?x3xf32, #sw.shape<[n, 3]>>
  func.return %0 : tensor<?x3xf32, #sw.shape<[n, 3]>>
}
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with the programs and their arrays, the working directory of the test."""
    monkeypatch.chdir(tmp_path)
    Path("model.py").write_text(MODEL, encoding="utf-8")
    Path("layer.mlir").write_text(GRAPH, encoding="utf-8")
    random = np.random.default_rng(0)
    np.save("x.npy", random.random((4, 3)).astype(np.float32))
    np.save("w.npy", random.random((3, 2)).astype(np.float32))
    return tmp_path


def test_a_function_of_a_file_runs_and_is_measured(folder: Path, capsys: pytest.CaptureFixture[str]):
    given = ["run", "model.py:layer", "--arg", "x=x.npy", "--arg", "w=w.npy", "--out", "y.npy"]
    assert main([*given, "--profile", "--profile-trace", "t.json", "--profile-page", "p.html"]) == 0
    np.testing.assert_allclose(np.load("y.npy"), np.tanh(np.load("x.npy") @ np.load("w.npy")), rtol=1e-5)
    shown = capsys.readouterr()
    assert not shown.out and "us a call, the fastest of" in shown.err
    assert re.search(r"model.py:5 +matmul +y = x @ w", shown.err) and re.search(r"model.py:6 +tanh +return sw.tanh", shown.err)
    events = json.loads(Path("t.json").read_text(encoding="utf-8"))["traceEvents"]
    assert {event["args"].get("line", "").rpartition(":")[2] for event in events} >= {"5", "6"}
    data = data_of(Path("p.html").read_text(encoding="utf-8"))
    assert {line for _, line, _ in data["profile"]["lines"]} == {5, 6}


def test_a_program_in_text_is_measured(folder: Path, capsys: pytest.CaptureFixture[str]):
    assert main(["run", "layer.mlir", "--arg", "x=x.npy", "--profile"]) == 0
    shown = capsys.readouterr()
    assert re.search(r"layer.mlir:2 +exp +%0 = graph.exp %x", shown.err) and max(map(len, shown.err.splitlines())) < 140
    assert shown.out.startswith("[[")


@pytest.mark.parametrize(
    "given, message",
    [
        (["model.py:layer", "--arg", "x=x.npy"], "argument 'w' is missing: give --arg w=FILE.npy"),
        (["model.py:layer", "--arg", "x=x.npy", "--arg", "v=w.npy"], "the program has no argument 'v'; its arguments are x, w"),
        (["model.py:layr", "--arg", "x=x.npy"], "did you mean 'layer'"),
        (["layer.mlir", "--arg", "x=x.npy", "--target", "interpret", "--profile"], "target 'interpret' has no profile"),
    ],
)
def test_mistakes_are_named(folder: Path, capsys: pytest.CaptureFixture[str], given: list[str], message: str):
    assert main(["run", *given]) == 1
    assert message in capsys.readouterr().err
