"""A compiled model under DistributedDataParallel, on processes that talk over loopback."""

import importlib
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("torch")
ROOT = Path(__file__).resolve().parents[4]


@pytest.fixture(scope="module")
def ddp() -> Any:
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(ROOT))
        yield importlib.import_module("benchmarks.torch_ddp")


@pytest.fixture(scope="module")
def alone(ddp: Any) -> list[float]:
    """The losses of one process on the whole batch."""
    return ddp.losses_of(ddp.Training(1, "interpret"))


def test_training_goes_on_from_checkpoints_with_other_numbers_of_processes(ddp: Any, alone: list[float], tmp_path: Path):
    assert len(alone) == ddp.STEPS and alone[-1] != alone[0]
    runs = ((2, 2), (4, 4), (1, ddp.STEPS))
    assert ddp.resumed(tmp_path / "state.pt", "interpret", runs) == pytest.approx(alone, rel=1e-5)


def test_a_process_that_ends_early_ends_the_others_and_training_goes_on_without_it(
    ddp: Any, alone: list[float], tmp_path: Path
):
    checkpoint = tmp_path / "state.pt"
    with pytest.raises(RuntimeError, match=r"[Cc]onnection|timed out|gloo"):
        ddp.losses_of(ddp.Training(2, "interpret", killed=1, checkpoint=checkpoint))
    found = ddp.losses_of(ddp.Training(1, "interpret", checkpoint=checkpoint))
    assert found == pytest.approx(alone[1:], rel=1e-5)
