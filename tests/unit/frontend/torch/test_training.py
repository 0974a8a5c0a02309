"""Training of models by torch with Stepwell's backend: losses follow those of eager, in one compile for all sizes of
batches."""

from __future__ import annotations

import importlib
from pathlib import Path
from typing import Any

import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("sklearn")
from stepwell.torch import stepwell  # noqa: E402

ROOT = Path(__file__).resolve().parents[4]
# Every fourth batch is a smaller one.
STEPS, BATCH = 4, 3


@pytest.fixture
def training(monkeypatch: pytest.MonkeyPatch) -> Any:
    """The module that trains models, which is not part of the package."""
    monkeypatch.syspath_prepend(str(ROOT))
    return importlib.import_module("benchmarks.torch_training")


# The command trains the others too, in C and for longer.
@pytest.mark.parametrize("name", ["transformer"])
def test_losses_are_those_of_eager(name: str, training: Any):
    ours = training.trained(name, stepwell, STEPS, BATCH, target="interpret")
    eager = training.trained(name, None, STEPS, BATCH)
    assert not training.faults(ours, eager)
    assert len(ours.losses) == STEPS and len(ours.compiles) >= 2


def test_faults_are_found(training: Any):
    right = training.Trained([[1.0, 2.0], [0.5, 2.0], [0.25, 2.0]], [1, 1], 0)
    assert not training.faults(right, right)
    assert len(training.faults(right._replace(losses=[[1.0, 2.0], [0.6, 2.0], [0.25, 2.0]]), right)) == 1
    assert len(training.faults(right._replace(losses=[[1.0, 2.0], [0.5, 2.0], [0.25, 3.0]]), right)) == 1
    assert len(training.faults(right._replace(compiles=[2, 1], left_to_eager=3), right)) == 2
