"""Modules and losses against torch's of the same names, with torch's parameters, in float64: results and gradients."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import pytest
import stepwell as sw
import torch
from stepwell.frontend.tracing.trees import flatten, map_leaves

TOLERANCE = 1e-9


class Case(NamedTuple):
    """A module of Stepwell, torch's module, and the shape of the input."""

    ours: Any
    theirs: Callable[[], torch.nn.Module]
    shape: tuple[int, ...]


CASES = {
    "linear": Case(sw.nn.Linear(5, 3), lambda: torch.nn.Linear(5, 3), (4, 2, 5)),
    "linear-without-bias": Case(sw.nn.Linear(5, 3, bias=False), lambda: torch.nn.Linear(5, 3, bias=False), (4, 5)),
    "conv1d": Case(sw.nn.Conv1d(4, 6, 3, 2, 1, groups=2), lambda: torch.nn.Conv1d(4, 6, 3, 2, 1, groups=2), (2, 4, 9)),
    "conv2d": Case(sw.nn.Conv2d(2, 3, (3, 2), padding=1), lambda: torch.nn.Conv2d(2, 3, (3, 2), padding=1), (2, 2, 5, 4)),
    "conv3d": Case(sw.nn.Conv3d(2, 3, 2, dilation=2), lambda: torch.nn.Conv3d(2, 3, 2, dilation=2), (1, 2, 4, 3, 4)),
    "layer-norm": Case(sw.nn.LayerNorm((3, 5)), lambda: torch.nn.LayerNorm([3, 5]), (4, 3, 5)),
    "rms-norm": Case(sw.nn.RMSNorm(5), lambda: torch.nn.RMSNorm(5, eps=1e-6), (4, 5)),
    "group-norm": Case(sw.nn.GroupNorm(2, 6), lambda: torch.nn.GroupNorm(2, 6), (3, 6, 4)),
    "sequential": Case(
        sw.nn.Sequential(sw.nn.Linear(5, 4), sw.relu, sw.nn.Dropout(), sw.nn.Linear(4, 3)),
        lambda: torch.nn.Sequential(torch.nn.Linear(5, 4), torch.nn.ReLU(), torch.nn.Dropout(), torch.nn.Linear(4, 3)).eval(),
        (6, 5),
    ),
}


def nested(module: torch.nn.Module) -> dict[str, Any]:
    """A module's parameters as nested dicts of arrays, all different from constant initial values."""
    result: dict[str, Any] = {}
    for name, parameter in module.named_parameters():
        parameter.data = torch.randn(parameter.shape, dtype=torch.float64) * 0.5
        *outer, last = name.split(".")
        place = result
        for key in outer:
            place = place.setdefault(key, {})
        place[last] = parameter.detach().numpy()
    return result


def close(found: Any, expected: Any, name: str = "") -> None:
    np.testing.assert_allclose(np.asarray(found), np.asarray(expected), rtol=TOLERANCE, atol=TOLERANCE, err_msg=name)


def gradients_like(theirs: torch.nn.Module, grads: Any) -> None:
    """Compare gradients with those of torch's parameters, by name."""
    named = dict(theirs.named_parameters())
    leaves = dict(by_name(grads))
    assert leaves.keys() == named.keys()
    for name, leaf in leaves.items():
        gradient = named[name].grad
        assert gradient is not None
        close(leaf, gradient, name)


def by_name(params: dict[str, Any], prefix: str = "") -> list[tuple[str, Any]]:
    found: list[tuple[str, Any]] = []
    for key, value in params.items():
        found += by_name(value, f"{prefix}{key}.") if isinstance(value, dict) else [(prefix + key, value)]
    return found


def weighted(result: Any) -> Any:
    """A number to which each element of the tensors, of either library, contributes with a different weight."""
    leaves, _ = flatten(result)
    total: Any = 0.0
    for leaf in leaves:
        count = int(np.prod(leaf.shape))
        weights = np.cos(np.arange(count, dtype=np.float64)).reshape(tuple(map(int, leaf.shape)))
        total = total + (leaf * (torch.from_numpy(weights) if isinstance(leaf, torch.Tensor) else weights)).sum()
    return total


def compare(ours: Callable[..., Any], theirs: torch.nn.Module, params: Any, x: Any, expected: Any) -> None:
    """The result of `ours(params, x)`, and its gradients by both, against torch's."""

    def differentiated(params: Any, x: Any) -> Any:
        result = ours(params, x)
        return weighted(result), result

    step = sw.jit(sw.value_and_grad(differentiated, (0, 1), has_aux=True), static=True)
    (_, result), (by_params, by_x) = step(params, x.detach().numpy())
    for found, wanted in zip(flatten(result)[0], flatten(expected)[0], strict=True):
        close(found, wanted.detach())
    weighted(expected).backward()
    gradients_like(theirs, by_params)
    close(by_x, x.grad, "x")


@pytest.mark.parametrize("name", CASES)
def test_modules(name: str):
    case = CASES[name]
    torch.manual_seed(3)
    theirs = case.theirs()
    params = nested(theirs)
    x = torch.randn(case.shape, dtype=torch.float64, requires_grad=True)
    compare(case.ours, theirs, params, x, theirs(x))


@pytest.mark.parametrize("name", CASES)
def test_fresh_parameters_have_the_names_and_shapes_of_torch(name: str):
    case = CASES[name]
    found = {key: leaf.shape for key, leaf in by_name(case.ours.init(0))}
    assert found == {key: tuple(leaf.shape) for key, leaf in case.theirs().named_parameters()}
    first, again, other = (by_name(case.ours.init(key)) for key in (1, 1, 2))
    assert all(np.array_equal(a, b) for (_, a), (_, b) in zip(first, again, strict=True))
    if "norm" not in name:
        assert not any(np.array_equal(a, b) for (_, a), (_, b) in zip(first, other, strict=True))
    assert all(leaf.dtype == np.float32 for _, leaf in first)


@pytest.mark.parametrize("causal", [False, True])
def test_self_attention(causal: bool):
    theirs = torch.nn.MultiheadAttention(6, 2, batch_first=True)
    params = nested(theirs)
    x = torch.randn(2, 4, 6, dtype=torch.float64, requires_grad=True)
    mask = torch.triu(torch.ones(4, 4, dtype=torch.bool), 1) if causal else None
    expected = theirs(x, x, x, attn_mask=mask)[0]
    compare(sw.nn.MultiHeadAttention(6, 2, causal=causal), theirs, params, x, expected)


def test_attention_to_a_context():
    theirs = torch.nn.MultiheadAttention(6, 3, batch_first=True)
    params = nested(theirs)
    x = torch.randn(2, 4, 6, dtype=torch.float64, requires_grad=True)
    context = torch.randn(2, 5, 6, dtype=torch.float64)
    module = sw.nn.MultiHeadAttention(6, 3)
    expected = theirs(x, context, context)[0]
    compare(lambda params, x: module(params, x, context.numpy()), theirs, params, x, expected)


def test_embedding():
    theirs = torch.nn.Embedding(7, 3)
    params = nested(theirs)
    places = np.array([[1, 6, 1], [0, 2, 1]])
    module = sw.nn.Embedding(7, 3)
    loss = sw.jit(sw.value_and_grad(lambda params, at: weighted(module(params, at))), static=True)
    expected = weighted(theirs(torch.from_numpy(places)))
    expected.backward()
    value, grads = loss(params, places)
    close(value, expected.detach())
    gradients_like(theirs, grads)
    with pytest.raises(IndexError):
        loss(params, np.array([[7, 0, 0], [0, 0, 0]]))


@pytest.mark.parametrize("place", [-1, 7])
def test_a_token_or_label_out_of_range_is_an_error(place: int):
    embed = sw.jit(lambda weight, at: sw.nn.Embedding(7, 3)({"weight": weight}, at), target="interpret")
    message = f"index {place} is out of range for an axis of size 7"
    with pytest.raises(IndexError, match=message):
        embed(np.zeros((7, 3)), np.array([[0, place]]))
    for loss in (sw.nn.cross_entropy, sw.nn.nll_loss):
        with pytest.raises(IndexError, match=message):
            sw.jit(loss, target="interpret")(np.zeros((2, 7)), np.array([0, place]))


def test_lookup_outside_of_a_trace():
    weight = np.arange(6.0).reshape(3, 2)
    assert sw.nn.Embedding(3, 2)({"weight": weight}, np.array([2, 0])).numpy().tolist() == [[4, 5], [0, 1]]
    assert sw.nn.nll_loss(weight, np.array([1, 0, 1]), reduction="none").numpy().tolist() == [-1, -2, -5]


@pytest.mark.parametrize("labels", [np.zeros(2, int), np.zeros((2, 4, 3), int), np.zeros((2, 5), int), np.zeros((2, 3))])
def test_labels_that_do_not_fit_are_named(labels: np.ndarray):
    loss = sw.jit(lambda x, labels: sw.nn.nll_loss(x, labels, axis=1), target="interpret")
    with pytest.raises(sw.ShapeError, match=r"test_modules\.py"):
        loss(np.zeros((2, 4, 3)), labels)


@pytest.mark.parametrize("kind", ["LSTM", "GRU"])
def test_recurrent_runs(kind: str):
    theirs = getattr(torch.nn, kind)(3, 4, batch_first=True)
    params = {name.removesuffix("_l0"): value for name, value in nested(theirs).items()}
    x = torch.randn(2, 3, 3, dtype=torch.float64, requires_grad=True)
    outputs, last = theirs(x)
    last = (last[0][0], last[1][0]) if kind == "LSTM" else last[0]
    renamed = torch.nn.Module()
    for name in params:
        renamed.register_parameter(name, getattr(theirs, f"{name}_l0"))
    compare(getattr(sw.nn, kind)(3, 4), renamed, params, x, (outputs, last))


@pytest.mark.parametrize("kind", ["LSTM", "GRU"])
def test_recurrent_runs_of_any_length_are_compiled_once(kind: str):
    module = getattr(sw.nn, kind)(3, 4)
    params = module.init(0)
    run = sw.jit(lambda params, x: module(params, x))
    x = torch.randn(2, 7, 3).numpy()
    whole, _ = run(params, x)
    for steps in (7, 1, 2, 0):
        outputs, last = run(params, x[:, :steps].copy())
        assert np.allclose(outputs, whole[:, :steps], atol=1e-6)
        hidden = last[0] if kind == "LSTM" else last
        assert np.allclose(hidden, whole[:, steps - 1] if steps else 0, atol=1e-6)
    assert run.stats().compiles == 1


@pytest.mark.parametrize("kind", ["LSTM", "GRU"])
def test_recurrent_cells(kind: str):
    theirs = getattr(torch.nn, f"{kind}Cell")(3, 4, bias=False)
    params = nested(theirs)
    x = torch.randn(2, 3, dtype=torch.float64, requires_grad=True)
    state = torch.randn(2, 2, 4, dtype=torch.float64)
    given = (state[0], state[1]) if kind == "LSTM" else state[0]
    start = map_leaves(lambda leaf: leaf.numpy(), given)
    cell = getattr(sw.nn, f"{kind}Cell")(3, 4, bias=False)
    compare(lambda params, x: cell(params, x, start), theirs, params, x, theirs(x, given))


@pytest.mark.parametrize("training", [True, False])
def test_batch_norm(training: bool):
    theirs = torch.nn.BatchNorm2d(3).train(training)
    params = nested(theirs)
    theirs.running_mean, theirs.running_var = torch.randn(3).double(), torch.rand(3).double() + 0.5
    state = {"running_mean": theirs.running_mean.numpy().copy(), "running_var": theirs.running_var.numpy().copy()}
    x = torch.randn(4, 3, 2, 5, dtype=torch.float64, requires_grad=True)
    norm = sw.nn.BatchNorm(3)
    compare(lambda params, x: norm(params, x, state, training=training)[0], theirs, params, x, theirs(x))
    after = sw.jit(lambda params, x, state: norm(params, x, state, training=training)[1])(params, x.detach().numpy(), state)
    close(after["running_mean"], theirs.running_mean)
    close(after["running_var"], theirs.running_var)
    assert {name: leaf.shape for name, leaf in norm.init_state().items()} == {"running_mean": (3,), "running_var": (3,)}


def test_batch_norm_of_a_single_value_keeps_the_variance():
    norm = sw.nn.BatchNorm(2)
    run = sw.jit(lambda params, x, state: norm(params, x, state, training=True), target="interpret")
    params, state = norm.init(0), norm.init_state()
    x = np.array([[5.0, -3.0]], np.float32)
    _, state = run(params, x, state)
    close(state["running_mean"], 0.1 * x[0])
    assert state["running_var"].tolist() == [1, 1]
    # The same code serves a batch of two, whose unbiased variance is twice the other one.
    _, state = run(params, np.array([[1.0, 0.0], [3.0, 0.0]], np.float32), state)
    np.testing.assert_allclose(state["running_var"], [1.1, 0.9], rtol=1e-6)


def test_batch_norm_counts_past_the_range_of_half_precision():
    norm = sw.nn.BatchNorm(1)
    x = np.tile(np.array([1, -1], np.float16), 35000)[:, None]
    run = sw.jit(lambda params, x, state: norm(params, x, state, training=True)[1], target="interpret")
    np.testing.assert_allclose(run(norm.init(0), x, norm.init_state())["running_var"], 1, rtol=1e-3)


LOSSES = {
    "mse_loss": torch.nn.functional.mse_loss,
    "l1_loss": torch.nn.functional.l1_loss,
    "huber_loss": torch.nn.functional.huber_loss,
    "binary_cross_entropy_with_logits": torch.nn.functional.binary_cross_entropy_with_logits,
}


@pytest.mark.parametrize("reduction", ["mean", "sum", "none"])
@pytest.mark.parametrize("name", LOSSES)
def test_losses(name: str, reduction: str):
    x = (3 * torch.randn(5, 4, dtype=torch.float64)).requires_grad_()
    target = torch.rand(5, 4, dtype=torch.float64)
    expected = LOSSES[name](x, target, reduction=reduction)
    check_loss(lambda x: getattr(sw.nn, name)(x, target.numpy(), reduction=reduction), x, expected)


@pytest.mark.parametrize("name", ["cross_entropy", "nll_loss"])
@pytest.mark.parametrize("reduction", ["mean", "sum", "none"])
def test_losses_of_classes(name: str, reduction: str):
    x = (30 * torch.randn(6, 5, dtype=torch.float64)).requires_grad_()
    labels = torch.tensor([0, 4, 2, 2, 1, 3])
    expected = getattr(torch.nn.functional, name)(x, labels, reduction=reduction)
    check_loss(lambda x: getattr(sw.nn, name)(x, labels.numpy(), reduction=reduction), x, expected)


def test_classes_may_be_any_axis():
    x = torch.randn(2, 5, 3, dtype=torch.float64, requires_grad=True)
    labels = torch.randint(0, 5, (2, 3))
    expected = torch.nn.functional.cross_entropy(x, labels)
    check_loss(lambda x: sw.nn.cross_entropy(x, labels.numpy(), axis=1), x, expected)


def check_loss(loss: Callable[[Any], Any], x: torch.Tensor, expected: torch.Tensor) -> None:
    value = x.detach().numpy()
    close(sw.jit(loss, static=True)(value), expected.detach())
    weighted(expected).backward()
    close(sw.jit(sw.grad(lambda x: weighted(loss(x))), static=True)(value), x.grad)


def test_mistakes_are_named():
    with pytest.raises(ValueError, match="reduction 'mean', 'sum' or 'none', got 'men'"):
        sw.nn.mse_loss(np.zeros(3), np.zeros(3), reduction="men")
    with pytest.raises(ValueError, match="an embed_dim of 5 is not divisible by 2 heads"):
        sw.nn.MultiHeadAttention(5, 2)
    with pytest.raises(ValueError, match="3 to 4 channels do not divide into 2 groups"):
        sw.nn.Conv2d(3, 4, 3, groups=2).init(0)
    with pytest.raises(ValueError, match="Dropout: expected p of at least 0 and below 1, got 1"):
        sw.nn.Dropout(1.0)


@pytest.mark.parametrize("name", ["BatchNorm", "LSTM", "GRU", "LSTMCell", "GRUCell"])
def test_a_sequence_has_no_place_for_a_state(name: str):
    module = sw.nn.BatchNorm(3) if name == "BatchNorm" else getattr(sw.nn, name)(3, 3)
    with pytest.raises(TypeError, match=rf"without a state, got {name}\("):
        sw.nn.Sequential(sw.nn.Linear(3, 3), module)


def test_dropout_is_what_its_key_says():
    drop = sw.jit(lambda x, key: sw.nn.Dropout(0.25)({}, x, key=key))
    x = np.ones((100, 100), np.float32)
    first, again, other = (drop(x, np.array(key)) for key in (1, 1, 2))
    assert np.array_equal(first, again) and not np.array_equal(first, other)
    assert set(np.unique(first)) == {np.float32(0), np.float32(4 / 3)}
    assert abs(first.mean() - 1) < 0.02
    assert sw.nn.Dropout(0.25)({}, x) is x


def test_dropout_in_a_sequence_has_keys_of_its_own():
    model = sw.nn.Sequential(sw.nn.Dropout(), sw.nn.Dropout())
    kept = sw.jit(lambda x, key: model({}, x, key=key))(np.ones(40000, np.float32), np.array(5))
    assert abs((kept != 0).mean() - 0.25) < 0.02


def test_keys_are_the_same_traced_and_as_numbers():
    folded = sw.jit(lambda key, number: sw.nn.fold_in(key, number))
    for key, number in [(0, 0), (7, 1), (2**62, 2**31), (-5, 3)]:
        assert folded(np.array(key), np.array(number)) == sw.nn.fold_in(key, number)
    assert len(set(sw.nn.split(0, 1000))) == 1000


def test_keys_made_of_integers_are_arguments():
    f = sw.jit(lambda x, key: sw.nn.Dropout(0.5)({}, x, key=key))
    results = [f(np.ones(64, np.float32), sw.nn.fold_in(sw.nn.split(7, 2)[1], number)) for number in range(5)]
    assert f.stats().compiles == 1 and len({result.tobytes() for result in results}) == 5


@pytest.mark.parametrize("kind", ["kaiming", "xavier"])
@pytest.mark.parametrize("shape", [(300, 200), (40, 30, 5, 5)])
def test_initializers_have_the_variance_that_they_say(kind: str, shape: tuple[int, ...]):
    window = int(np.prod(shape[2:]))
    variance = {"kaiming": 2 / (shape[1] * window), "xavier": 2 / ((shape[0] + shape[1]) * window)}[kind]
    for form in ("uniform", "normal"):
        values = getattr(sw.nn, f"{kind}_{form}")(3, shape)
        assert values.shape == shape and values.dtype == np.float32
        assert abs(values.mean()) < 0.02 * np.sqrt(variance)
        assert abs(values.var() / variance - 1) < 0.03
        if form == "uniform":
            assert np.abs(values).max() <= np.sqrt(3 * variance) * 1.000001


def test_the_rooms_load_on_first_use():
    assert sw.nn.Linear(2, 1)(sw.nn.Linear(2, 1).init(0), np.zeros((3, 2), np.float32)).shape == (3, 1)
    assert sw.optim.SGD(0.1).learning_rate == 0.1
