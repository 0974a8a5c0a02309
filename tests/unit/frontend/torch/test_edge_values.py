"""Functions at infinities, NaN, zeros of both signs and poles: results and gradients are those of eager."""

from __future__ import annotations

import math
from collections.abc import Callable
from types import MappingProxyType
from typing import Any

import pytest

torch = pytest.importorskip("torch")
from stepwell.frontend.torch.report import reporting  # noqa: E402
from stepwell.torch import stepwell  # noqa: E402
from torch.nn import functional as F  # noqa: E402

INF, NAN = math.inf, math.nan
EDGES = (NAN, INF, -INF, 0.0, -0.0, 1.0, -1.0, 3.0, -3.0, 2.5, -2.5, 20.0, -20.0, 1e4, -1e4, 1e-8, -1e-8, -1e-30)
Functions = MappingProxyType[str, Callable[..., Any]]
ELEMENTWISE: Functions = MappingProxyType(
    {
        "lgamma": torch.lgamma,
        "digamma": torch.digamma,
        "silu": F.silu,
        "mish": F.mish,
        "softplus": F.softplus,
        "logsigmoid": F.logsigmoid,
        "gelu_tanh": lambda x: F.gelu(x, approximate="tanh"),
        "elu": F.elu,
        "elu_of_half": lambda x: F.elu(x, 0.5),
        "celu": lambda x: F.celu(x, 2.0),
        "selu": F.selu,
        "hardswish": F.hardswish,
        "hardsigmoid": F.hardsigmoid,
        "hardtanh": lambda x: F.hardtanh(x, -2.0, 2.0),
        "smooth_l1": lambda x: F.smooth_l1_loss(x, torch.ones_like(x), reduction="none"),
        "smooth_l1_mean": lambda x: F.smooth_l1_loss(x[5:], torch.ones_like(x[5:]), beta=2.0),
        "smooth_l1_of_0": lambda x: F.smooth_l1_loss(x[1:], torch.ones_like(x[1:]), reduction="sum", beta=0.0),
        "round": torch.round,
        "trunc": torch.trunc,
        "fmod": lambda x: torch.fmod(x, 1.5),
        "remainder": lambda x: torch.remainder(x, 1.5),
        "remainder_of_negative": lambda x: torch.remainder(x, -3),
        "copysign": lambda x: torch.copysign(x, torch.tensor(-0.0)),
        "power": lambda x: x**-0.5,
        "power_of_0": lambda x: x**0.0,
        "sinc": lambda x: torch.sinc(x.clamp(-5, 5)),
        "xlogy": lambda x: torch.xlogy(torch.zeros_like(x), x),
        "logaddexp": lambda x: torch.logaddexp(x, x.flip(0)),
        "hypot": lambda x: torch.hypot(x, x.flip(0)),
        "clamp": lambda x: x.clamp(NAN, 2.0),
        "clamp_at_0": lambda x: x.clamp(0.0, 2.0),
        "clamp_at_negative_0": lambda x: x.clamp(min=-0.0),
        "clamp_max_of_0": lambda x: x.clamp(max=0.0),
        "hardtanh_at_0": lambda x: F.hardtanh(x, 0.0, 2.0),
        "relu6": F.relu6,
        "fmax": lambda x: torch.fmax(x, torch.zeros_like(x)),
        "fmax_of_negative_0": lambda x: torch.fmax(-torch.zeros_like(x), x),
        "fmin": lambda x: torch.fmin(x, torch.zeros_like(x)),
        "fmin_of_reversed": lambda x: torch.fmin(x, x.flip(0)),
        "nan_to_num": lambda x: torch.nan_to_num(x, 1.0),
    }
)
ROWS = ((-INF,) * 4, (INF, 1, 2, -1), (NAN, 1, 2, 0), (1, 2, 3, 5), (INF, -INF, 1, 2), (2, 2, 1, -INF), (1e30, 1e30, 1, 1))
ALONG_ROWS: Functions = MappingProxyType(
    {
        "softmax": lambda x: x.softmax(1),
        "log_softmax": lambda x: x.log_softmax(1),
        "logsumexp": lambda x: x.logsumexp(1),
        "cumsum": lambda x: x.cumsum(1),
        "cumprod": lambda x: x.cumprod(1),
        "logcumsumexp": lambda x: x.logcumsumexp(1),
        "amax": lambda x: x.amax(1),
        "argmax": lambda x: x.argmax(1),
        "std": lambda x: x[:6].std(1),
        "std_of_one": lambda x: x[:, :1].std(1),
        "norm": lambda x: torch.linalg.vector_norm(x[:6], 3, 1),
        "norm_of_one": lambda x: torch.linalg.vector_norm(x[:, 1:2], 3, 1),
        "cosine": lambda x: F.cosine_similarity(x[3:, :1], x[3:, 2:3]),
    }
)


def compare(functions: Functions, x: Any) -> None:
    """Compare results and gradients with eager; nothing may be left to it."""

    def all_of(arguments: list[Any]) -> list[Any]:
        return [function(each) for function, each in zip(functions.values(), arguments, strict=True)]

    torch._dynamo.reset()
    found = []
    with reporting() as report:
        for call in (torch.compile(all_of, backend=stepwell, options={"target": "interpret"}), all_of):
            arguments = [x.clone().requires_grad_() for _ in functions]
            results = call(arguments)
            sum(each.sum() for each in results if each.requires_grad).backward()
            found.append((results, [each.grad for each in arguments]))
    torch._dynamo.reset()
    assert report.graphs and not report.eager
    (ours, our_grads), (theirs, their_grads) = found
    for name, *pairs in zip(functions, ours, theirs, our_grads, their_grads, strict=True):
        for kind, result, expected in (("result", *pairs[:2]), ("gradient", *pairs[2:])):
            if expected is not None:
                kept = ~x.isnan() if kind == "gradient" and x.ndim == 1 else ...
                torch.testing.assert_close(
                    result[kept],
                    expected[kept],
                    rtol=1e-5,
                    atol=1e-7,
                    equal_nan=True,
                    msg=lambda m, n=name, k=kind: f"{k} of {n}: {m}",
                )
        zeros = pairs[1] == 0
        assert torch.equal(torch.signbit(pairs[0][zeros]), torch.signbit(pairs[1][zeros])), name


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_elementwise(dtype: str):
    compare(ELEMENTWISE, torch.tensor(EDGES, dtype=getattr(torch, dtype)))


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_along_rows(dtype: str):
    compare(ALONG_ROWS, torch.tensor(ROWS, dtype=getattr(torch, dtype)))


def test_gradients_at_nan():
    """Eager's own gradients differ between elements computed in vectors and the elements after them."""
    functions = (F.elu, F.celu, F.selu, F.hardswish, lambda x: F.smooth_l1_loss(x, torch.ones_like(x)), F.hardtanh, F.relu6)
    arguments = [torch.tensor(NAN, requires_grad=True) for _ in functions]

    def all_of(*arguments: Any) -> Any:
        return sum(function(each) for function, each in zip(functions, arguments, strict=True))

    torch._dynamo.reset()
    torch.compile(all_of, backend=stepwell, options={"target": "interpret"})(*arguments).backward()
    torch._dynamo.reset()
    *others, hardtanh, relu6 = (each.grad.item() for each in arguments)
    assert all(map(math.isnan, others)) and hardtanh == relu6 == 0


def test_the_gradient_of_the_soft_margin_loss_does_not_cancel():
    """Eager's own gradient is NaN where an exponential overflows."""
    x = torch.tensor([-INF, -1e4, 20.0, 50.0, INF], requires_grad=True)

    def loss(x: Any) -> Any:
        return F.soft_margin_loss(x, torch.ones_like(x))

    torch.compile(loss, backend=stepwell, options={"target": "interpret"})(x).backward()
    expected = -torch.tensor([1.0, 1.0, math.exp(-20), math.exp(-50), 0.0]) / 5
    torch.testing.assert_close(x.grad, expected, rtol=1e-5, atol=0)
    torch._dynamo.reset()


def test_bounds_are_compared_in_the_precision_of_the_function():
    """0.1 is no number of float16: the nearest one is inside of the bounds."""
    x = torch.tensor([1.0, 0.1, -0.1, 0.05], dtype=torch.float16, requires_grad=True)
    torch.compile(lambda x: F.hardtanh(x, -0.1, 0.1).sum(), backend="stepwell")(x).backward()
    assert x.grad.tolist() == [0, 1, 1, 1]
