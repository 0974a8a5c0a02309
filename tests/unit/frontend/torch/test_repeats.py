"""Layers that repeat in a graph of torch: one program serves all of them, and results are those of eager."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from typing import Any

import pytest

torch = pytest.importorskip("torch")
from stepwell.frontend.torch.graphs import repeats  # noqa: E402
from stepwell.frontend.torch.report import reporting  # noqa: E402
from stepwell.torch import EagerWarning, stepwell  # noqa: E402
from torch import nn  # noqa: E402

WIDTH, ROWS = 6, 5


@pytest.fixture(autouse=True)
def forgetful(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Layers of any size are shared, and torch forgets compiled graphs."""
    monkeypatch.setattr(repeats, "LEAST_ELEMENTS", 1)
    torch._dynamo.reset()
    yield
    torch._dynamo.reset()


class Layer(nn.Module):
    def __init__(self, width: int) -> None:
        super().__init__()
        self.norm, self.up, self.down = nn.LayerNorm(width), nn.Linear(width, 2 * width), nn.Linear(2 * width, width)

    def forward(self, x: Any) -> Any:
        return x + self.down(torch.tanh(self.up(self.norm(x))))


class Deep(nn.Module):
    """Layers of the same widths, or of another one from the middle on."""

    def __init__(self, depth: int, width: int = WIDTH) -> None:
        super().__init__()
        self.layers = nn.ModuleList(Layer(width) for _ in range(depth))

    def forward(self, x: Any) -> Any:
        for layer in self.layers:
            x = layer(x)
        return x


def trained(model: Any, call: Any, x: Any) -> list[Any]:
    model.zero_grad()
    given = x.clone().requires_grad_()
    found = call(given)
    (found**2).mean().backward()
    return [found.detach(), given.grad, *(each.grad.clone() for each in model.parameters())]


def compiled(model: Any, **options: Any) -> Any:
    return torch.compile(model, backend=stepwell, options={"target": "interpret"}, **options)


def operations_compiled(depth: int) -> int:
    """The operations of the programs of a training step, those of a shared one counted once."""
    torch._dynamo.reset()
    model = Deep(depth)
    x = torch.randn(ROWS, WIDTH)
    with reporting() as report:
        ours = trained(model, compiled(model), x)
    torch.testing.assert_close(ours, trained(model, model, x), rtol=1e-4, atol=1e-6)
    assert report.operations > 40 * depth
    return sum(len(runner.program.nodes) for graph in report.graphs for runner in graph.programs)


def test_the_number_of_layers_does_not_matter():
    assert operations_compiled(12) == operations_compiled(8) < 150


def test_small_layers_stay_in_one_program(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(repeats, "LEAST_ELEMENTS", 1 << 12)
    model = Deep(8, 4)
    with reporting() as report:
        trained(model, compiled(model), torch.randn(3, 4))
    assert report.partitions == len(report.graphs) == 2


def test_layers_share_a_program_for_all_batches():
    model = Deep(8)
    with reporting() as report:
        call = compiled(model, dynamic=True)
        for rows in (ROWS, 7, 9):
            x = torch.randn(rows, WIDTH)
            torch.testing.assert_close(trained(model, call, x), trained(model, model, x), rtol=1e-4, atol=1e-6)
    assert any(runner.program.layers for graph in report.graphs for runner in graph.programs)
    assert {runner.jitted.stats().compiles for graph in report.graphs for runner in graph.programs} == {1}


def test_a_layer_of_other_constants_has_a_program_of_its_own():
    """Layers that differ in a number, or in the values that they refer to, do not share a program."""

    class Scaled(Deep):
        def forward(self, x: Any) -> Any:
            first = x
            for number, layer in enumerate(self.layers):
                x = layer(x) * (0.5 if number == 5 else 0.25)
                x = x + (first if number == 9 else x.flip(0))
            return x

    model = Scaled(16)
    x = torch.randn(ROWS, WIDTH)
    with torch.no_grad():
        torch.testing.assert_close(compiled(model)(x), model(x), rtol=1e-4, atol=1e-6)


@torch.library.custom_op("stepwell_tests::halved", mutates_args=())
def halved(x: torch.Tensor) -> torch.Tensor:
    return x * 0.5


@halved.register_fake
def _(x: torch.Tensor) -> torch.Tensor:
    return torch.empty_like(x)


def test_what_eager_computes_in_a_layer_is_eagers_in_all():
    class Foreign(Deep):
        def forward(self, x: Any) -> Any:
            for layer in self.layers:
                x = layer(x) + halved(x)
            return x

    model = Foreign(8)
    x = torch.randn(ROWS, WIDTH)
    with warnings.catch_warnings(), reporting() as report, torch.no_grad():
        warnings.simplefilter("ignore", EagerWarning)
        torch.testing.assert_close(compiled(model)(x), model(x), rtol=1e-4, atol=1e-5)
    assert report.eager_count == 8


def test_the_locations_of_a_shared_program_are_those_of_all_layers():
    model = Deep(8)
    with reporting() as report, torch.no_grad():
        compiled(model)(torch.randn(ROWS, WIDTH))
    (program,) = [runner.program for graph in report.graphs for runner in graph.programs if runner.program.layers]
    found = {str(location) for location in program._locations()}
    assert all(any(f"layers.{number}.up" in each for each in found) for number in range(len(program.layers)))
