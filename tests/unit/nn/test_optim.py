"""Optimizers, clipping and schedules against torch's, over 20 updates in float64."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import ml_dtypes
import numpy as np
import pytest
import stepwell as sw
import torch

STEPS = 20

CASES = {
    "sgd": (sw.optim.SGD(0.1), lambda p: torch.optim.SGD(p, 0.1)),
    "sgd-decay": (sw.optim.SGD(0.1, weight_decay=0.3), lambda p: torch.optim.SGD(p, 0.1, weight_decay=0.3)),
    "sgd-momentum": (
        sw.optim.SGD(0.1, momentum=0.9, dampening=0.2, weight_decay=0.1),
        lambda p: torch.optim.SGD(p, 0.1, momentum=0.9, dampening=0.2, weight_decay=0.1),
    ),
    "sgd-nesterov": (
        sw.optim.SGD(0.1, momentum=0.9, nesterov=True),
        lambda p: torch.optim.SGD(p, 0.1, momentum=0.9, nesterov=True),
    ),
    "adam": (sw.optim.Adam(0.1), lambda p: torch.optim.Adam(p, 0.1)),
    "adam-decay": (
        sw.optim.Adam(0.1, betas=(0.8, 0.95), eps=1e-3, weight_decay=0.2),
        lambda p: torch.optim.Adam(p, 0.1, betas=(0.8, 0.95), eps=1e-3, weight_decay=0.2),
    ),
    "adamw": (sw.optim.AdamW(0.1, weight_decay=0.3), lambda p: torch.optim.AdamW(p, 0.1, weight_decay=0.3)),
}


def start() -> dict[str, Any]:
    generator = np.random.default_rng(0)
    return {"first": {"weight": generator.normal(size=(3, 4))}, "last": generator.normal(size=(4,))}


def loss_of(weight: Any, last: Any, x: Any) -> Any:
    """A function that is not quadratic, for tensors of either library."""
    hidden = x @ weight
    return ((hidden * hidden * hidden) * last + (last * last) * hidden).sum() / 10


@pytest.mark.covering(1)
@pytest.mark.parametrize("donate", [(), (0, 1)], ids=["fresh", "donated"])
@pytest.mark.parametrize("name", CASES)
def test_optimizers(name: str, donate: tuple[int, ...]):
    optimizer, theirs = CASES[name]
    params = start()
    weight, last = (torch.nn.Parameter(torch.from_numpy(array.copy())) for array in (params["first"]["weight"], params["last"]))
    reference = theirs([weight, last])

    @sw.jit(donate_argnums=donate)
    def step(params: Any, state: Any, x: Any) -> Any:
        loss, grads = sw.value_and_grad(lambda p: loss_of(p["first"]["weight"], p["last"], x))(params)
        return *optimizer.update(params, grads, state), loss

    state = optimizer.init(params)
    for number in range(STEPS):
        x = np.random.default_rng(number).normal(size=(2, 3))
        params, state, loss = step(params, state, x)
        reference.zero_grad()
        expected = loss_of(weight, last, torch.from_numpy(x))
        expected.backward()
        reference.step()
        np.testing.assert_allclose(loss, expected.detach(), rtol=1e-9)
        np.testing.assert_allclose(params["first"]["weight"], weight.detach(), rtol=1e-9, atol=1e-12)
        np.testing.assert_allclose(params["last"], last.detach(), rtol=1e-9, atol=1e-12)
    assert state["step"] == STEPS and state["step"].dtype == np.int64
    assert step.stats().compiles == 1


def test_parameters_keep_their_dtypes():
    params = {"half": np.ones(3, np.float16), "single": np.ones(2, np.float32)}
    for optimizer in (sw.optim.SGD(0.1, momentum=0.9), sw.optim.Adam(sw.optim.cosine(0.1, 10)), sw.optim.AdamW()):
        after, state = sw.jit(optimizer.update, target="interpret")(params, params, optimizer.init(params))
        assert {name: leaf.dtype for name, leaf in after.items()} == {"half": np.float16, "single": np.float32}
        after, _ = sw.jit(optimizer.update, target="interpret")(after, params, state)
        assert all(np.all(np.isfinite(leaf)) and np.all(leaf < 1) for leaf in after.values())


def test_clipping():
    grads = {"a": np.array([[3.0, -4.0]]), "b": {"c": np.array([12.0])}}
    for limit in (6.5, 100.0):
        tensors = [torch.nn.Parameter(torch.zeros(1, 2).double()), torch.nn.Parameter(torch.zeros(1).double())]
        tensors[0].grad, tensors[1].grad = torch.from_numpy(grads["a"].copy()), torch.from_numpy(grads["b"]["c"].copy())
        expected = torch.nn.utils.clip_grad_norm_(tensors, limit)
        clipped, norm = sw.jit(sw.optim.clip_by_global_norm)(grads, limit)
        np.testing.assert_allclose(norm, expected.numpy())
        np.testing.assert_allclose(clipped["a"], tensors[0].grad)
        np.testing.assert_allclose(clipped["b"]["c"], tensors[1].grad)
    clipped = sw.jit(sw.optim.clip_by_value)(grads, 3.5)
    assert np.array_equal(clipped["a"], [[3.0, -3.5]]) and np.array_equal(clipped["b"]["c"], [3.5])
    assert sw.optim.global_norm(grads).item() == 13.0
    with pytest.raises(ValueError, match="at least one array"):
        sw.optim.global_norm({})


def test_the_norm_of_half_precision_does_not_overflow():
    grads = {"a": np.full(3, 30000, np.float16), "b": np.full(1, 30000, np.float16)}
    # The second limit needs a factor that half precision would round to 0.
    for limit in (60.0, 0.001):
        clipped, norm = sw.jit(sw.optim.clip_by_global_norm, target="interpret")(grads, limit)
        assert norm.dtype == np.float32 and norm == 60000
        assert clipped["a"].dtype == np.float16
        np.testing.assert_allclose(clipped["a"], limit / 2, rtol=1e-3)


def rates(schedule: Callable[[Any], Any], steps: int) -> list[float]:
    return [float(rate) for rate in sw.jit(schedule, target="interpret")(np.arange(steps))]


def rates_of_torch(make: Callable[[Any], Any], rate: float, steps: int) -> list[float]:
    optimizer = torch.optim.SGD([torch.nn.Parameter(torch.zeros(1))], rate)
    schedule = make(optimizer)
    found = []
    for _ in range(steps):
        found.append(optimizer.param_groups[0]["lr"])
        optimizer.step()
        schedule.step()
    return found


def test_schedules():
    schedulers = torch.optim.lr_scheduler
    expected = rates_of_torch(lambda each: schedulers.StepLR(each, 3, 0.5), 0.2, 10)
    np.testing.assert_allclose(rates(sw.optim.step_decay(0.2, 3, 0.5), 10), expected)
    expected = rates_of_torch(lambda each: schedulers.CosineAnnealingLR(each, 8, 0.01), 0.2, 8)
    np.testing.assert_allclose(rates(sw.optim.cosine(0.2, 8, final=0.01), 8), expected)
    expected = rates_of_torch(lambda each: schedulers.LinearLR(each, 0.25, 1.0, 3), 0.2, 6)
    np.testing.assert_allclose(rates(sw.optim.warmup(0.2, 4), 6), expected)
    assert rates(sw.optim.constant(0.3), 3) == [0.3] * 3
    assert rates(sw.optim.cosine(0.2, 8), 12)[8:] == [0.0] * 4
    warm = rates(sw.optim.cosine(1.0, 10, warmup=4), 11)
    assert warm[:4] == [0.25, 0.5, 0.75, 1.0] and warm[4] == 1.0 and warm[7] == pytest.approx(0.5) and warm[10] == 0.0
    assert rates(sw.optim.warmup(sw.optim.step_decay(1.0, 2, 0.5), 2), 4) == [0.5, 1.0, 0.5, 0.5]


@pytest.mark.parametrize("kind", [torch.float32, torch.bfloat16])
def test_parameters_of_torch_modules(kind: Any):
    """The parameters require gradients, and a step is not differentiated, as with torch's optimizers. The state consists of
    torch tensors too."""
    params = dict(torch.nn.Linear(3, 2).to(kind).named_parameters())
    optimizer = sw.optim.Adam(0.1)
    state = optimizer.init(params)
    assert all(isinstance(each, torch.Tensor) and each.dtype == kind for each in state["mean"].values())
    step = sw.jit(lambda params, grads, state: optimizer.update(params, grads, state))
    expected = {name: (each.detach().float() - 0.3).numpy() for name, each in params.items()}
    for _ in range(3):
        with torch.no_grad():
            params, state = step(params, {name: torch.ones_like(each) for name, each in params.items()}, state)
    assert step.stats().compiles == 1
    for name, each in params.items():
        assert isinstance(each, torch.Tensor) and each.dtype == kind
        np.testing.assert_allclose(
            each.float().numpy(), expected[name], rtol=1e-4 if kind == torch.float32 else 0.02, atol=4e-3
        )


@pytest.mark.parametrize("optimizer", [sw.optim.SGD(0.1, momentum=0.9), sw.optim.Adam(0.1)], ids=["sgd", "adam"])
def test_an_axis_of_size_1_is_updated_in_place(optimizer: Any):
    """If the state broadcast, the result would have another shape than the parameter, and memory of its own."""
    params = {"w": np.ones((3, 1))}
    update = sw.jit(optimizer.update, donate_argnums=(0, 2))
    state = optimizer.init(params)
    after, moved = update(params, {"w": np.ones((3, 1))}, state)
    assert after["w"] is params["w"] and all(moved[name]["w"] is state[name]["w"] for name in moved if name != "step")
    with pytest.raises(ValueError, match="expected a state of the parameters' shapes"):
        sw.jit(optimizer.update, target="interpret")(params, params, optimizer.init({"w": np.ones((3, 2))}))


def test_what_does_not_fit_is_named():
    params = start()
    optimizer = sw.optim.SGD(0.1)
    with pytest.raises(ValueError, match="keys first, last"):
        sw.jit(optimizer.update, target="interpret")(params, {"first": params["first"]}, optimizer.init(params))
    with pytest.raises(ValueError, match="step_decay: expected every of at least 1, got 0"):
        sw.optim.step_decay(0.1, every=0)
    with pytest.raises(ValueError, match="nesterov requires a momentum"):
        sw.optim.SGD(0.1, nesterov=True)


@pytest.mark.parametrize(
    ("make", "error", "message"),
    [
        (lambda: sw.optim.warmup(0.1, -5), ValueError, "warmup: expected steps of at least 1, got -5"),
        (lambda: sw.optim.warmup("x", 5), TypeError, "constant: expected rate as a number of at least 0, got 'x'"),
        (lambda: sw.optim.cosine(0.1, 0), ValueError, "cosine: expected steps of at least 1, got 0"),
        (lambda: sw.optim.cosine(0.1, 10, warmup=20), ValueError, "cosine: expected steps of at least 21, got 10"),
        (lambda: sw.optim.cosine(0.1, "x"), TypeError, "cosine: expected steps as a number of updates, an int, got 'x'"),
        (lambda: sw.optim.step_decay(-0.1, 3), ValueError, "step_decay: expected rate of at least 0, got -0.1"),
    ],
)
def test_schedules_of_no_sense(make: Any, error: type[Exception], message: str):
    with pytest.raises(error, match=message):
        make()


@pytest.mark.parametrize(
    ("make", "error", "message"),
    [
        (lambda: sw.optim.Adam(-1), ValueError, "Adam: expected learning_rate of at least 0, got -1"),
        (lambda: sw.optim.Adam("a"), TypeError, "Adam: expected learning_rate as a number of at least 0, got 'a'"),
        (lambda: sw.optim.Adam(True), TypeError, "Adam: expected learning_rate as a number"),
        (lambda: sw.optim.Adam(float("nan")), ValueError, "Adam: expected learning_rate of at least 0, got nan"),
        (lambda: sw.optim.SGD(np.ones(2)), TypeError, "SGD: expected learning_rate as a number"),
        (lambda: sw.optim.Adam(betas=(1.1, 2)), ValueError, r"Adam: expected betas\[0\] of at least 0 and below 1, got 1.1"),
        (lambda: sw.optim.AdamW(betas=(0.9, 1.0)), ValueError, r"expected betas\[1\] of at least 0 and below 1, got 1.0"),
        (lambda: sw.optim.Adam(betas=0.9), TypeError, "Adam: expected betas as a pair of numbers, got 0.9"),
        (lambda: sw.optim.Adam(betas=(0.9, None)), TypeError, r"expected betas\[1\] as a number of at least 0 and below 1"),
        (lambda: sw.optim.Adam(eps=-1e-8), ValueError, "Adam: expected eps of at least 0, got -1e-08"),
        (lambda: sw.optim.AdamW(weight_decay=-0.1), ValueError, "AdamW: expected weight_decay of at least 0, got -0.1"),
        (lambda: sw.optim.SGD(0.1, momentum=-0.9), ValueError, "SGD: expected momentum of at least 0, got -0.9"),
        (lambda: sw.optim.SGD(0.1, dampening="x"), TypeError, "SGD: expected dampening as a number"),
        (lambda: sw.optim.SGD(0.1, weight_decay=-1), ValueError, "SGD: expected weight_decay of at least 0, got -1"),
        (lambda: sw.optim.clip_by_global_norm({"w": np.ones(2)}, -1.0), ValueError, "clip_by_global_norm: expected max_norm"),
        (lambda: sw.optim.clip_by_value({"w": np.ones(2)}, "a"), TypeError, "clip_by_value: expected limit as a number"),
    ],
)
def test_settings_that_make_no_sense(make: Callable[[], Any], error: type[Exception], message: str):
    with pytest.raises(error, match=message):
        make()


def test_settings_that_are_right():
    sw.optim.Adam(0, betas=[0.0, 0.5])  # type: ignore[arg-type] - a list, as it comes out of a configuration file
    sw.optim.SGD(np.float32(0.1), momentum=1.5)

    @sw.jit
    def step(params: Any, rate: Any) -> Any:
        optimizer = sw.optim.SGD(rate)
        return optimizer.update(params, params, {"step": np.int64(0)})[0]

    np.testing.assert_array_equal(step({"w": np.ones(2)}, np.float64(0.5))["w"], [0.5, 0.5])


@pytest.mark.parametrize("optimizer", [sw.optim.SGD(0.1, momentum=0.9), sw.optim.Adam(), sw.optim.AdamW()])
def test_parameters_and_states_that_do_not_fit(optimizer: Any):
    name = type(optimizer).__name__
    params = {"w": np.ones(2)}
    state = optimizer.init(params)
    with pytest.raises(TypeError, match=rf"{name}\.init: expected 'first\.n' as a tensor of floats, got int64"):
        optimizer.init({"w": np.ones(2), "first": {"n": np.arange(2)}})
    with pytest.raises(TypeError, match=rf"{name}\.init: expected tensors of floats nested in dicts, got str"):
        optimizer.init("params")
    with pytest.raises(TypeError, match=rf"{name}\.init: expected 'w' as a tensor of floats, got complex128"):
        optimizer.init({"w": np.ones(2, complex)})
    with pytest.raises(TypeError, match=rf"{name}\.update: expected the state from {name}\.init, .* step, .*got list"):
        optimizer.update(params, params, [state])
    with pytest.raises(ValueError, match=rf"{name}\.update: expected the state from {name}\.init, .*got the keys w"):
        optimizer.update(params, params, params)
    with pytest.raises(ValueError, match=rf"{name}\.update: grads are not nested as params: expected dicts with the keys w"):
        optimizer.update(params, {"v": np.ones(2)}, state)


def test_gradients_of_integers_are_not_clipped():
    with pytest.raises(TypeError, match=r"clip_by_global_norm: expected 'a\.0' as a tensor of floats, got int64"):
        sw.optim.clip_by_global_norm({"a": [np.arange(2)], "b": np.ones(2)}, 1.0)


@pytest.mark.parametrize("dtype", ["float16", ml_dtypes.bfloat16])
def test_the_norm_of_half_precision_is_float32_outside_of_functions(dtype: Any):
    grads = {"a": np.ones(2, dtype)}
    norm = sw.optim.global_norm(grads)
    assert norm.numpy().dtype == "float32"
    assert norm.item() == np.float32(np.sqrt(2))
    clipped, norm = sw.optim.clip_by_global_norm(grads, 1.0)
    assert clipped["a"].numpy().dtype == dtype
    np.testing.assert_allclose(clipped["a"].numpy().astype("float64"), np.sqrt(0.5), rtol=1e-2)
