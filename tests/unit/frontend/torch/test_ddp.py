"""A compiled model under DistributedDataParallel, on processes that talk over loopback."""

import importlib
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("torch")
ROOT = Path(__file__).resolve().parents[4]


@pytest.fixture
def ddp(monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.syspath_prepend(str(ROOT))
    return importlib.import_module("benchmarks.torch_ddp")


def test_losses_of_two_processes_are_those_of_one(ddp: Any):
    alone = ddp.losses_of(1, "interpret")
    assert len(alone) == ddp.STEPS and alone[-1] != alone[0]
    assert ddp.losses_of(2, "interpret") == pytest.approx(alone, rel=1e-5)


def test_a_process_that_ends_early_ends_the_others_with_an_error_of_torch(ddp: Any):
    with pytest.raises(RuntimeError, match=r"[Cc]onnection|timed out|gloo"):
        ddp.losses_of(2, "interpret", killed=1)
