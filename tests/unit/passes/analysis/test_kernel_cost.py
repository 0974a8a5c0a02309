"""The predicted cost of kernels, beside the times of an H100 in benchmarks/results/gpu.md."""

from __future__ import annotations

import math

import pytest
import stepwell as sw
from stepwell.dialects import make_context
from stepwell.ir.diagnostics import CompileError
from stepwell.ir.text.parser import parse_module
from stepwell.lowering.machine import GPUS, gpu_model
from stepwell.passes.analysis.kernel_cost import KernelCost, kernel_costs


def softmax(x):
    return sw.softmax(x, axis=-1)


def attention(q, k, v):
    return sw.softmax(q @ sw.matrix_transpose(k) * 0.125, axis=-1) @ v


def causal(q, k, v):
    places = sw.arange(q.shape[-2])
    scores = q @ sw.matrix_transpose(k) * 0.125
    return sw.softmax(sw.where(places[:, None] >= places[None, :], scores, -math.inf), axis=-1) @ v


def costs(function, *arguments: sw.Spec, gpu: str = "h100", **sizes: int) -> list[KernelCost]:
    low = sw.lower(function, *arguments, target="cuda", trace=False)
    return list(kernel_costs(parse_module(low.ir("tile"), make_context()), sizes, gpu_model(gpu)).values())


def half(*sizes: int) -> sw.Spec:
    return sw.Spec(sizes, "bfloat16")


HEADS = (half(2, 8, 4096, 64),) * 3
# name -> (function, arguments, measured microseconds, what bounds it)
MEASURED = {
    "elementwise": (lambda a, b, c: sw.tanh(a * b + c) * sw.sigmoid(a) - 0.5 * b, (sw.Spec(1 << 26),) * 3, 347, "memory"),
    "softmax": (softmax, (sw.Spec((65536, 1024)),), 181, "memory"),
    "sum of rows": (lambda x: sw.sum(x, axis=1), (sw.Spec((8192, 8192)),), 89, "memory"),
    "sum of columns": (lambda x: sw.sum(x, axis=0), (sw.Spec((8192, 8192)),), 100, "memory"),
    "transpose": (lambda x: sw.permute_dims(x, (1, 0)), (sw.Spec((8192, 8192)),), 188, "memory"),
    "product": (lambda a, b: a @ b, (half(4096, 4096),) * 2, 184, "matrix units"),
    "product of float32": (lambda a, b: a @ b, (sw.Spec((4096, 4096)),) * 2, 3046, "matrix units"),
    "attention": (attention, HEADS, 221, "arithmetic"),
    "causal attention": (causal, HEADS, 202, "arithmetic"),
}


@pytest.mark.parametrize("name", MEASURED)
def test_predictions_are_near_what_was_measured(name):
    function, arguments, microseconds, bound = MEASURED[name]
    found = costs(function, *arguments)
    assert 0.5 < sum(each.seconds for each in found) / (microseconds * 1e-6) < 2
    assert max(found, key=lambda each: each.seconds).bound == bound


def test_bytes_and_operations_of_a_product():
    (cost,) = costs(lambda a, b: a @ b, half(512, 1024), half(1024, 256))
    assert cost.matrix_flops == 2 * 512 * 1024 * 256
    assert cost.bytes["memory"] == 2 * (512 * 1024 + 1024 * 256 + 512 * 256)
    assert sum(cost.shares.values()) == pytest.approx(1)


def test_only_kernels_that_these_sizes_launch_count():
    few, many = (costs(softmax, sw.Spec(("n", "m")), n=n, m=m) for n, m in ((4, 100), (1 << 20, 20000)))
    assert len(few) == len(many) == 1 and few[0].kernel != many[0].kernel
    assert few[0].bound == "launch" and many[0].bound in ("memory", "L2")
    (nothing,) = costs(softmax, sw.Spec(("n", "m")), n=0, m=5)
    assert nothing.seconds == 0


def test_slower_memory_takes_longer():
    times = [costs(softmax, sw.Spec((65536, 1024)), gpu=name)[0].seconds for name in ("h200", "h100", "a100", "rtx4090", "l4")]
    assert times == sorted(times)


def test_a_gpu_that_is_not_known():
    with pytest.raises(CompileError, match="unknown GPU 'h10': did you mean 'h100'"):
        gpu_model("h10")
    assert {"h100", "h200", "a100", "l4", "mi300x"} <= {*GPUS}
