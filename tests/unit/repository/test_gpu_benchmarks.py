"""The GPU benchmarks, without a GPU: their results, the errors that they find, the choice of the best, and the table."""

from __future__ import annotations

import importlib
import sys
import time
from pathlib import Path
from typing import Any

import pytest
import stepwell as sw

torch = pytest.importorskip("torch")
pytest.importorskip("triton")
pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="benchmarks are for Linux")
ROOT = Path(__file__).resolve().parents[3]
NAMES = (
    *("softmax", "mm_bf16", "attention64", "attention128", "conv2d", "fullsum", "colsum", "rowsum", "layernorm"),
    *(
        "cross_entropy",
        "attention64_grad",
        "attention128_grad",
        "causal64",
        "causal64_grad",
        "causal128",
        "elementwise",
        "softmax_long",
        "mm_thin",
        "mm_relu",
        "mm_gelu",
        "mm_bf16_8k",
        "transpose",
        "cumsum",
    ),
    *("cumsum_long", "gather", "conv2d_nchw", "mm_f32", "mm_tf32", "mm_relu_8k", "add8"),
)


@pytest.fixture
def gpu(monkeypatch: pytest.MonkeyPatch) -> Any:
    """benchmarks/gpu.py, which is not part of the package."""
    monkeypatch.syspath_prepend(str(ROOT))
    return importlib.import_module("benchmarks.gpu")


def workload(gpu: Any, name: str) -> Any:
    return next(each for each in gpu.WORKLOADS if each.name == name)


def test_the_workloads_are_those_that_are_tested(gpu: Any):
    assert tuple(each.name for each in gpu.WORKLOADS) == NAMES


@pytest.mark.parametrize("name", NAMES)
def test_all_kernels_of_a_workload_compute_the_same(gpu: Any, name: str):
    given = workload(gpu, name)
    inputs = given.inputs("cpu", largest=12)
    expected = given.expected(inputs)
    kernels = [sw.jit(given.ours, target="interpret"), given.theirs, *([given.unfused] if given.unfused else [])]
    assert [given.fault(kernel(*inputs), expected) for kernel in kernels] == [""] * len(kernels)


@pytest.mark.parametrize(
    ("result", "fault"),
    [
        (torch.tensor([1.0, 2.001]), "an error of 5.0e-04, where 1e-05 is allowed"),
        (torch.tensor([1.0, torch.nan]), "an error of nan"),
        (torch.tensor([1.0, 2.0]).double(), "torch.float64 of (2,) in place of torch.float32"),
        (torch.tensor([[1.0, 2.0]]), "torch.float32 of (1, 2)"),
    ],
)
def test_wrong_results_are_found(gpu: Any, result: Any, fault: str):
    expected = torch.tensor([1.0, 2.0]).double()
    assert fault in workload(gpu, "add8").fault(result, expected)
    assert workload(gpu, "add8").fault(expected.float(), expected) == ""


def test_the_table_says_how_fast_we_are_and_what_went_wrong(gpu: Any):
    timing = gpu.Timing
    fast = {"torch": timing(seconds=[1e-4], error="an error of nan"), "inductor": timing(seconds=[4e-4, 4e-4])}
    rows = [
        gpu.Row(workload(gpu, "softmax"), {gpu.OURS: timing(1.5, [1e-3]), **fast, gpu.COPY: timing(seconds=[2e-4])}),
        gpu.Row(workload(gpu, "mm_bf16"), {gpu.OURS: timing(2.5, [1e-3]), "torch": timing(seconds=[2e-3])}),
        gpu.Row(workload(gpu, "conv2d"), {gpu.OURS: timing(error="OutOfTimeError: took more than 20 s")}),
    ]
    text = gpu.markdown(rows, "Machine: none.")
    lines = [[cell.strip() for cell in line.split("|")[2:-1]] for line in text.splitlines() if line.startswith("|")]
    header, _, softmax, matmul, convolution = lines
    assert header == ["stepwell", "torch", "inductor", "copy", "best peer", "ratio", "speed", "first"]
    assert softmax == ["1 (0%)", "wrong", "0.4 (0%)", "0.2 (0%)", "inductor", "2.5", "20% of copy", "1.5"]
    assert matmul == ["1 (0%)", "2 (0%)", "-", "-", "torch", "0.5", "137 TFLOP/s", "2.5"]
    assert convolution == ["failed", "-", "-", "-", "", "", "", ""]
    assert "- softmax, torch: an error of nan\n- conv2d, stepwell: OutOfTimeError: took more than 20 s\n" in text


def test_what_takes_too_long_is_stopped_even_where_exceptions_are_ignored(gpu: Any):
    def stubborn() -> None:
        try:
            time.sleep(30)
        except gpu.OutOfTimeError:
            time.sleep(30)

    start = time.perf_counter()
    with pytest.raises(gpu.OutOfTimeError, match=r"took more than 0\.1 s"), gpu.at_most(0.1):
        stubborn()
    assert time.perf_counter() - start < 10


def test_after_a_lost_gpu_the_table_says_who_was_not_timed(gpu: Any, monkeypatch: pytest.MonkeyPatch):
    def lost() -> None:
        raise RuntimeError("an illegal memory access")

    monkeypatch.setattr(torch.cuda, "synchronize", lost)
    row = gpu.Row(workload(gpu, "softmax"), {gpu.OURS: gpu.Timing(1.0), "torch": gpu.Timing(error="RuntimeError: bad")})
    with pytest.raises(gpu.LostError) as raised:
        gpu.expect_gpu(row, "torch")
    assert raised.value.args == (row, "softmax, torch: an illegal memory access")
    text = gpu.markdown([row], "Machine: none.")
    assert "- softmax, stepwell: not timed, as torch lost the GPU\n- softmax, torch: RuntimeError: bad\n" in text


def test_a_rehearsal_goes_through_all_steps_without_a_gpu(gpu: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    """Kernels are compiled at their sizes, contenders run on small inputs, and the table is written."""
    out = tmp_path / "table.md"
    contenders = "stepwell,static,torch,unfused"
    given = ["--rehearse", "--only", "softmax,gather,add8", "--contenders", contenders, "--repeats", "1", "--out", str(out)]
    assert gpu.main([*given, "--budget", "200", "--minutes", "10"]) == 0
    printed, text = capsys.readouterr().out, out.read_text(encoding="utf-8")
    assert printed.count("stepwell: sw_kernel_") == printed.count("static: sw_kernel_") == 3
    assert "A rehearsal: times mean nothing." in text
    rows = [line.split("|")[1].split(":")[0].strip() for line in text.splitlines() if line.startswith("|")]
    assert rows[2:] == ["softmax", "gather", "add8"] and "failed" not in text and "wrong" not in text
