"""torch's own samples of its operators, a few of those that `benchmarks.torch_ops` runs, and what that command finds wrong."""

from __future__ import annotations

import importlib
import json
from pathlib import Path
from typing import Any

import pytest

torch = pytest.importorskip("torch")

ROOT = Path(__file__).resolve().parents[4]


@pytest.fixture
def operators(monkeypatch: pytest.MonkeyPatch) -> Any:
    """The module of the command, which is not part of the package."""
    monkeypatch.syspath_prepend(str(ROOT))
    return importlib.import_module("benchmarks.torch_ops")


def test_samples_of_operators_are_right(operators: Any):
    pytest.importorskip("expecttest")  # torch's tests need it
    wanted = {"add", "index_add", "nn.functional.gelu", "std_mean", "tile"}
    entries = [entry for entry in operators.cases(None) if operators.name_of(entry) in wanted]
    assert len(entries) == len(wanted)
    for entry in entries:
        for dtype in ("float32", "bool") if entry.name == "index_add" else ("float32",):
            found = operators.outcome_of(entry, dtype, 2, operators.Mode("interpret"))
            assert found.outcome == "right", found


def test_gradients_and_symbolic_sizes_of_samples_are_right(operators: Any):
    pytest.importorskip("expecttest")
    for entry in operators.cases(None):
        if operators.name_of(entry) in ("add", "nn.functional.gelu"):
            for mode in (operators.Mode("interpret", gradients=True), operators.Mode("interpret", dynamic=True)):
                found = operators.outcome_of(entry, "float64", 2, mode)
                assert found.outcome == "right", found


def test_gradients_are_compared(operators: Any):
    x, y = torch.ones(3, requires_grad=True), torch.ones(3)
    assert operators._gradients((x * 2, y), [x, y])[0].tolist() == [1, 2, 3]


def test_differences_are_found(operators: Any):
    ones = torch.ones(2, 3)
    difference = operators._difference
    assert difference(ones, ones, False) is None
    assert "not close" in difference(ones + 0.1, ones, False)
    assert "float64" in difference(ones.double(), ones, False)
    assert "strides" in difference(torch.ones(3, 2).t(), ones, False)
    assert "results" in difference([ones, ones], [ones], False)
    assert difference(ones + 1, ones, True) is None  # random numbers


def test_an_interrupted_run_goes_on(operators: Any, tmp_path: Path):
    file = tmp_path / "outcomes"
    operators.Journal(file).append(operators.Outcome("add", "float32", "right", ""))
    journal = operators.Journal(file)
    operators.run_all([("add", "float32")], 1, operators.Mode("interpret"), 1, journal)
    assert [json.loads(line)[:3] for line in file.read_text().splitlines()] == [["add", "float32", "right"]]
    table = operators.markdown([*journal.found, operators.Outcome("sort", "int64", "eager", "a | b")], "About.")
    assert "| float32 | 1 | 0 | 0 | 0 | 0 | 1 |" in table and "- sort (int64): a / b" in table
