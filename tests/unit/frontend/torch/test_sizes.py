"""Sizes that torch computes from those of arguments: rounded fractions, bits, functions of floats."""

from __future__ import annotations

import math
import warnings
from collections.abc import Iterator
from typing import Any

import pytest

torch = pytest.importorskip("torch")
from stepwell.frontend.torch.report import reporting  # noqa: E402
from stepwell.torch import EagerWarning  # noqa: E402


@pytest.fixture(autouse=True)
def forgetful() -> Iterator[None]:
    torch._dynamo.reset()
    yield
    torch._dynamo.reset()


SIZES = {
    "a truncated product": lambda n: int(n * 0.5),
    "a floor": lambda n: math.floor(n * 0.3) + 1,
    "a ceiling": lambda n: math.ceil(n / 2),
    "a rounded product": lambda n: round(n * 0.7),
    "bits": lambda n: (n & 3) + (n | 4) - 4,
    "a shift": lambda n: n >> 1,
    "a minimum": lambda n: min(n, 7),
    "a distance": lambda n: abs(n - 6),
}


@pytest.mark.parametrize("name", SIZES)
def test_sizes_of_results(name: str):
    size = SIZES[name]

    def function(x: Any) -> Any:
        count = size(x.shape[0])
        return (x * 2)[:count] + 1, x.new_ones(count, 2) * x.sum(), count, torch.cat([x, x])[: 2 * count].tanh()

    call = torch.compile(function, backend="stepwell", options={"target": "interpret"}, dynamic=True)
    with reporting() as report:
        for rows in (8, 11, 5, 8):
            x = torch.arange(rows * 3.0).reshape(rows, 3)
            torch.testing.assert_close(call(x), function(x))
    assert not report.eager
    compiles = {runner.jitted.stats().compiles for graph in report.graphs for runner in graph.programs}
    assert compiles == {2 if name == "a minimum" else 1}, "which side is less is a condition of the code"


def test_gradients_of_results_of_computed_sizes():
    def function(x: Any) -> Any:
        kept = x.exp()[: int(x.shape[0] * 0.5)]
        return (torch.cat([kept, kept * 2]).sin() ** 2).sum()

    call = torch.compile(function, backend="stepwell", options={"target": "interpret"}, dynamic=True)
    for rows in (8, 11, 5):
        grads = []
        for each in (call, function):
            x = torch.linspace(-1, 1, rows * 3).reshape(rows, 3).requires_grad_()
            each(x).backward()
            grads.append(x.grad)
        torch.testing.assert_close(*grads)


@pytest.mark.parametrize(
    "factor",
    [lambda n: math.sqrt(n), lambda n: n**-0.5, lambda n: math.log(n), lambda n: math.exp(-n), lambda n: math.log2(n)],
)
def test_numbers_of_sizes(factor: Any):
    def function(x: Any) -> Any:
        return x * factor(x.shape[0])

    call = torch.compile(function, backend="stepwell", options={"target": "interpret"}, dynamic=True)
    for rows in (8, 11, 5):
        x = torch.ones(rows, 3)
        torch.testing.assert_close(call(x), function(x))


def test_numbers_that_are_no_integers():
    """Numbers that come from data, and Python's numbers that change from call to call."""

    def of_data(x: Any) -> Any:
        number = x.sum().item()
        return x * number + number, torch.full((2,), number)

    def of_python(x: Any, number: float) -> Any:
        return x * number - number / 3, torch.nn.functional.leaky_relu(x, number)

    x = torch.tensor([-1.0, 2.0, 0.25])
    with torch._dynamo.config.patch(capture_scalar_outputs=True, specialize_float=False), warnings.catch_warnings():
        warnings.simplefilter("ignore", EagerWarning)
        for function, arguments in ((of_data, [(x,), (-x,)]), (of_python, [(x, each) for each in (0.5, 0.75, -1.5, math.inf)])):
            call = torch.compile(function, backend="stepwell", options={"target": "interpret"})
            for given in arguments:
                torch.testing.assert_close(call(*given), function(*given), equal_nan=True)
