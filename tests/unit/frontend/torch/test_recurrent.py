"""Recurrent layers of torch: training is a loop over the steps, with the results and gradients of eager."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from typing import Any

import pytest

torch = pytest.importorskip("torch")
from stepwell.frontend.torch.recurrent import recurrent_layer  # noqa: E402
from stepwell.frontend.torch.report import EagerWarning, Report, reporting  # noqa: E402
from stepwell.torch import stepwell  # noqa: E402
from torch import nn  # noqa: E402


@pytest.fixture(autouse=True)
def forgetful() -> Iterator[None]:
    torch._dynamo.reset()
    with torch._dynamo.config.patch(allow_rnn=True):
        yield
    torch._dynamo.reset()


def compiled(model: Any, target: str = "interpret", **options: Any) -> Any:
    return torch.compile(model, backend=stepwell, options={"target": target}, **options)


def trained(model: Any, call: Any, *given: Any) -> list[Any]:
    """The results, and the gradients by the arguments and the parameters, of a sum in which each result counts differently."""
    model.zero_grad()
    given = tuple(each.clone().requires_grad_() for each in given)
    out, state = call(given[0], given[1:] if len(given) > 2 else given[1] if len(given) > 1 else None)
    leaves = [out, *(state if isinstance(state, tuple) else (state,))]
    sum((each * (1.5 + torch.arange(each.numel()).reshape(each.shape) % 3)).sum() for each in leaves).backward()
    return [*(each.detach() for each in leaves), *(each.grad for each in given), *(p.grad.clone() for p in model.parameters())]


def check(model: Any, *given: Any, target: str = "interpret") -> Report:
    """A gradient sums hundreds of terms of both signs: errors are relative to the largest element of its tensor."""
    with reporting() as report, warnings.catch_warnings():
        warnings.simplefilter("error", EagerWarning)
        ours = trained(model, compiled(model, target), *given)
    model.double()
    for got, exact in zip(ours, trained(model, model, *(each.double() for each in given)), strict=True):
        torch.testing.assert_close(got.double(), exact, rtol=0, atol=5e-6 * float(exact.abs().max()))
    assert not report.eager and len(report.graphs) == 2
    return report


@pytest.mark.covering(1)
@pytest.mark.parametrize("kind", [nn.LSTM, nn.GRU, nn.RNN])
@pytest.mark.parametrize(
    "options",
    [{}, {"num_layers": 2, "bidirectional": True, "bias": False, "batch_first": True}],
    ids=["one", "both-directions"],
)
def test_gradients_are_those_of_eager(kind: Any, options: dict[str, Any]):
    check(kind(3, 4, **options), torch.randn(2, 5, 3))


def test_a_layer_of_relu_and_first_states():
    check(nn.RNN(3, 4, nonlinearity="relu"), torch.randn(6, 2, 3), torch.randn(1, 2, 4))
    torch._dynamo.reset()
    check(nn.LSTM(3, 4, bidirectional=True), torch.randn(6, 2, 3), torch.randn(2, 2, 4), torch.randn(2, 2, 4))


@pytest.mark.parametrize(
    "kind, options", [(nn.LSTM, {}), (nn.GRU, {"num_layers": 2, "bidirectional": True})], ids=["lstm", "gru"]
)
def test_layers_in_c(kind: Any, options: dict[str, Any]):
    check(kind(3, 4, **options), torch.randn(100, 3, 3), target="cpu")


@pytest.mark.parametrize("kind", [nn.LSTM, nn.GRU])
def test_the_number_of_steps_does_not_matter(kind: Any):
    """Long sequences have as many operations as short ones."""
    counts = []
    for steps in (3, 20):
        torch._dynamo.reset()
        model = kind(3, 4)
        counts.append(check(model, torch.randn(steps, 2, 3)).operations)
    assert counts[0] == counts[1] < 60


def test_one_compile_serves_all_lengths():
    model = nn.GRU(3, 4)
    with reporting() as report:
        call = compiled(model, dynamic=True)
        for steps, batch in ((5, 3), (4, 2)):
            x = torch.randn(steps, batch, 3)
            torch.testing.assert_close(trained(model, call, x), trained(model, model, x), rtol=1e-4, atol=1e-5)
    assert {runner.jitted.stats().compiles for graph in report.graphs for runner in graph.programs} == {1}


def test_dropout_between_layers():
    """With dropout in training, a seed gives the same results; in evaluation they are those of eager."""
    model = nn.LSTM(3, 4, num_layers=2, dropout=0.5)
    call, x = compiled(model), torch.randn(5, 2, 3)
    found = []
    for seed in (1, 1, 2):
        torch.manual_seed(seed)
        found.append(call(x)[0].detach())
    assert torch.equal(found[0], found[1]) and not torch.equal(found[0], found[2])
    model.eval()
    torch.testing.assert_close(call(x), model(x), rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize("kind", ["lstm", "gru", "rnn_tanh", "rnn_relu"])
def test_the_operation_alone_is_torchs(kind: str):
    """Operations left to eager are interpreted: torch checks the operation's registration, and its gradients by differences."""
    blocks = {"lstm": 4, "gru": 3}.get(kind, 1)
    states = [(2, 4)] * (2 if kind == "lstm" else 1)
    sizes = [(3, 2, 3), (4 * blocks, 3), (4 * blocks, 4), (4 * blocks,), (4 * blocks,), *states]
    given = [torch.randn(size, dtype=torch.float64, requires_grad=True) for size in sizes]
    torch.library.opcheck(recurrent_layer, (kind, given, True), test_utils=("test_schema", "test_faketensor"))
    for count in range(1, len(states) + 1):
        assert torch.autograd.gradcheck(lambda *args, k=count: recurrent_layer(kind, args, True)[:k], given, fast_mode=True)


def test_mixed_dtypes_stay_torchs():
    """Under autocast torch computes in half precision; Stepwell leaves these layers to torch's decompositions."""
    model = nn.GRU(3, 4)
    x = torch.randn(3, 2, 3)
    with torch.autocast("cpu", torch.bfloat16), torch.no_grad():
        torch.testing.assert_close(compiled(model)(x), model(x), rtol=2e-2, atol=2e-2)


def test_packed_sequences_are_eagers():
    """Torch puts neither packing nor layers over packed sequences into graphs: the operations before and after them are
    compiled, as two graphs forward and two backward."""

    class Packed(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.first, self.steps, self.last = nn.Linear(3, 3), nn.GRU(3, 4, batch_first=True), nn.Linear(4, 2)

        def forward(self, x: Any, lengths: Any) -> Any:
            packed = nn.utils.rnn.pack_padded_sequence(self.first(x), lengths, batch_first=True, enforce_sorted=False)
            out, _ = self.steps(packed)
            return self.last(nn.utils.rnn.pad_packed_sequence(out, batch_first=True)[0])

    model, x, lengths = Packed(), torch.randn(3, 5, 3), torch.tensor([2, 5, 3])
    found = []
    with reporting() as report:
        for call in (compiled(model), model):
            model.zero_grad()
            out = call(x, lengths)
            out.square().sum().backward()
            found.append([out.detach(), *(each.grad.clone() for each in model.parameters())])
    torch.testing.assert_close(*found)
    assert len(report.graphs) == 4 and not report.eager
