"""Whole networks in small sizes, in inference and in a training step: results, gradients and buffers are those of eager."""

from __future__ import annotations

import importlib
from pathlib import Path
from typing import Any

import pytest

torch = pytest.importorskip("torch")
from stepwell.frontend.torch.report import reporting  # noqa: E402
from stepwell.torch import stepwell  # noqa: E402

ROOT = Path(__file__).resolve().parents[4]
# The others take longer; `benchmarks.torch_models` runs all.
NAMES = ("convnext_tiny", "vae", "dcgan_generator", "lstm")


@pytest.fixture
def models(monkeypatch: pytest.MonkeyPatch) -> Any:
    """The module that compares networks, which is not part of the package."""
    monkeypatch.syspath_prepend(str(ROOT))
    return importlib.import_module("benchmarks.torch_models")


@pytest.mark.parametrize(("name", "dtype"), [*((name, "float32") for name in NAMES), ("vae", "bfloat16")])
def test_a_network_is_that_of_eager(name: str, dtype: str, models: Any):
    with reporting() as report, torch._dynamo.config.patch(allow_rnn=True):
        found = models.differences(name, stepwell, dtype, target="interpret")
    assert found.is_right(dtype) and found.rounding < 2 * models.TOLERANCES[dtype]
    assert len(report.graphs) == 3 and not report.eager  # inference, forward and backward


def test_a_difference_is_found(models: Any):
    """The comparison can fail: a backend that adds to each result is found out."""

    def wrong(module: Any, _: Any) -> Any:
        return lambda *args: [each + 0.1 for each in module(*args)]

    found = models.differences("vae", wrong)
    assert not found.is_right("float32") and found.error > models.TOLERANCES["bfloat16"]


def test_a_nan_is_a_difference(models: Any):
    ones, nan = torch.ones(3), torch.tensor([1.0, torch.nan, 1.0])
    assert not models.Wanted([ones, ones], [1e-7, 1e-7]).differences([ones, nan]).is_right("float32")
    assert not models.Wanted([nan, ones], [1e-7, 1e-7]).differences([ones, ones]).is_right("float32")
    assert models.Wanted([nan, ones], [1e-7, 1e-7]).differences([nan, ones]).is_right("float32")
