"""torch's own samples of its operators, a few of those that `benchmarks.torch_ops` runs, and the faults that this command
finds."""

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
    way = operators.Way(target="interpret", samples=2)
    wanted = {"add", "index_add", "nn.functional.gelu", "std_mean", "tile"}
    entries = [entry for entry in way.entries() if entry.name in wanted]
    assert len(entries) == len(wanted)
    for entry in entries:
        for dtype in ("float32", "bool") if entry.name == "index_add" else ("float32",):
            found = operators.outcome_of(entry, dtype, way)
            assert found.outcome == "right", found


@pytest.mark.parametrize(
    ("what", "name"), [("operators", "nn.functional.softplus"), ("modules", "nn.BatchNorm2d"), ("optimizers", "Adagrad")]
)
def test_samples_with_gradients_and_symbolic_sizes_are_right(operators: Any, what: str, name: str):
    pytest.importorskip("expecttest")
    way = operators.Way(what, gradients=what != "optimizers", dynamic=True, target="interpret", samples=1)
    entry = next(entry for entry in way.entries() if entry.name == name)
    found = operators.outcome_of(entry, "float32", way)
    assert found.outcome == "right", found


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
    operators.run_all([("add", "float32")], operators.Way(target="interpret", samples=1), 1, journal)
    assert [json.loads(line)[:3] for line in file.read_text().splitlines()] == [["add", "float32", "right"]]
    table = operators.markdown([*journal.found, operators.Outcome("sort", "int64", "eager", "a | b")], "About.")
    assert "| float32 | 1 | 0 | 0 | 0 | 0 | 1 |" in table and "- sort (int64): a / b" in table
