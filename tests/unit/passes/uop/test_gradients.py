"""Gradients of every micro-op and function against differences, networks against torch, and the forms of `sw.grad`."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import stepwell as sw
from stepwell.ir.scalars.table import SCALARS
from stepwell.tests.unit.on_gpu import TRITON, share
from stepwell.tools.coverage import gradients as coverage_gradients
from stepwell.tools.coverage.gradients import NONE, OK, ONCE
from stepwell.tools.fuzz.gradient_check import first_error
from stepwell.tools.fuzz.gradients import with_gradients

Array = Any


def case_of(name: str, make: coverage_gradients.Make) -> Any:
    return pytest.param(name, make, id=name)


@pytest.mark.parametrize(
    ("name", "make"), [case_of(name, make) for names, make in coverage_gradients.topics().values() for name in names]
)
def test_first_and_second_derivatives(name: str, make: coverage_gradients.Make):
    outcomes = coverage_gradients.both_orders(lambda: make([name], "float64"), name)
    assert set(outcomes.values()) <= {OK, NONE}
    function = SCALARS.get(name)
    if function is not None:
        assert outcomes[ONCE] == (OK if function.derivative else NONE)


@pytest.mark.usefixtures("compiles_offline")
@pytest.mark.parametrize("topic", coverage_gradients.topics())
@pytest.mark.parametrize("target", ["cpu", TRITON])
def test_gradients_on_targets(topic: str, target: str):
    names, make = coverage_gradients.topics()[topic]
    active = [name for name in (share(names) if target == TRITON else names) if has_gradient(name, make)]
    outcomes = coverage_gradients.on_target(active, make, target)
    assert {name: outcome for name, outcome in outcomes.items() if outcome != OK} == {}


def has_gradient(name: str, make: coverage_gradients.Make) -> bool:
    found = with_gradients(make([name], "float64"))
    return found is not None and any(found.bounds)


def test_a_wrong_gradient_is_found():
    def wrong(a: Any) -> Any:
        return sw.stop_gradient(a.x) * a.x

    assert first_error(wrong, {"x": np.ones(3)}) > 0.1


def loss(params: dict[str, Any], x: Any) -> Any:
    hidden = sw.relu(x @ params["layers"][0] + params["bias"])
    return sw.mean(sw.square(sw.log_softmax(hidden @ params["layers"][1])))


def network() -> tuple[dict[str, Any], Array]:
    generator = np.random.default_rng(0)
    layers = [generator.standard_normal(shape).astype("float32") for shape in ((4, 6), (6, 3))]
    return {"layers": layers, "bias": np.ones(6, "float32")}, generator.standard_normal((5, 4)).astype("float32")


def torch_gradients(params: dict[str, Any], x: Array) -> dict[str, Any]:
    torch = pytest.importorskip("torch")
    first, second = (torch.tensor(each, requires_grad=True) for each in params["layers"])
    bias = torch.tensor(params["bias"], requires_grad=True)
    hidden = torch.relu(torch.tensor(x) @ first + bias)
    torch.log_softmax(hidden @ second, -1).square().mean().backward()
    return {"layers": [first.grad.numpy(), second.grad.numpy()], "bias": bias.grad.numpy()}


def expect_equal(found: dict[str, Any], expected: dict[str, Any]) -> None:
    np.testing.assert_allclose(found["bias"], expected["bias"], rtol=1e-4, atol=1e-6)
    for each, wanted in zip(found["layers"], expected["layers"], strict=True):
        np.testing.assert_allclose(each, wanted, rtol=1e-4, atol=1e-6)


@pytest.mark.parametrize("target", ["cpu", "interpret"])
def test_a_network_against_torch(target: str):
    params, x = network()
    expect_equal(sw.jit(sw.grad(loss), target=target)(params, x), torch_gradients(params, x))


def test_a_jitted_function_can_be_differentiated():
    params, x = network()
    value, found = sw.value_and_grad(sw.jit(loss))(params, x)
    expect_equal(found, torch_gradients(params, x))
    np.testing.assert_allclose(value, sw.jit(loss)(params, x), rtol=1e-6)


def test_one_compile_serves_all_sizes():
    function = sw.grad(lambda w, x: sw.sum(sw.tanh(x @ w)))
    for rows in (2, 5, 9):
        assert function(np.ones((3, 4), "float32"), np.ones((rows, 3), "float32")).shape == (3, 4)
    assert function.stats().compiles == 1


def test_several_arguments_and_what_comes_beside():
    def function(x: Any, y: Any, scale: float) -> Any:
        return sw.sum(x * y) * scale, {"sum": x + y}

    x, y = np.array([1.0, 2.0]), np.array([3.0, 4.0])
    (by_x, by_y), aux = sw.grad(function, (0, 1), has_aux=True)(x, y, 2.0)
    np.testing.assert_array_equal(by_x, 2 * y)
    np.testing.assert_array_equal(by_y, 2 * x)
    np.testing.assert_array_equal(aux["sum"], x + y)
    (value, aux), by_last = sw.value_and_grad(function, -2, has_aux=True)(x, y, 2.0)
    assert value == 22.0
    np.testing.assert_array_equal(by_last, 2 * x)


def test_the_same_array_twice_is_two_variables():
    x = np.array([2.0, 3.0])
    by_first, by_second = sw.grad(lambda a, b: sw.sum(a * a * b), (0, 1))(x, x)
    np.testing.assert_array_equal(by_first, 2 * x * x)
    np.testing.assert_array_equal(by_second, x * x)


def test_what_a_function_takes_from_outside_is_given():
    @sw.jit
    def outer(x: Any) -> Any:
        return sw.grad(lambda y: sw.sum(x * y))(x)

    np.testing.assert_array_equal(outer(np.array([2.0, 3.0])), [2.0, 3.0])


def test_gradients_of_gradients():
    third = sw.grad(lambda x: sw.grad(lambda y: sw.grad(lambda z: z**4)(y))(x))
    np.testing.assert_allclose(third(np.float64(3.0)), 72.0)


def test_lazy_tensors():
    x = sw.Tensor(np.array([1.0, 2.0]))
    found = sw.grad(lambda x: sw.sum(sw.exp(x)))(x * 2)
    assert isinstance(found, sw.Tensor)
    np.testing.assert_allclose(found, np.exp([2.0, 4.0]))


@pytest.mark.parametrize("dtype", ["int32", "bool"])
def test_only_floats_have_gradients(dtype: str):
    with pytest.raises(sw.ShapeError, match="only floats have gradients, but argument 'p_k' is " + dtype) as error:
        sw.grad(lambda p: sw.sum(p["x"]))({"x": np.ones(2), "k": np.ones(2, dtype)})
    assert "test_gradients.py" in str(error.value)


@pytest.mark.parametrize("function", [lambda x: x, lambda x: sw.sum(x) > 0, lambda x: (x, x)])
def test_only_one_float_is_differentiated(function: Any):
    with pytest.raises(sw.ShapeError, match="expected a function that returns one float, got"):
        sw.grad(function)(np.ones(2))


def test_arguments_that_are_not_there():
    with pytest.raises(sw.ShapeError, match="argnums has argument 1, but there are 1 positional arguments"):
        sw.grad(sw.sum, 1)(np.ones(2))


@pytest.mark.parametrize("argnums", [(0, 0), (0, -2), (-1, 0, 1)])
def test_an_argument_is_wanted_once(argnums: tuple[int, ...]):
    with pytest.raises(sw.ShapeError, match=f"argument {argnums[-1]} repeats in argnums") as error:
        sw.grad(lambda x, y: sw.sum(x * y), argnums)(np.ones(2), np.ones(2))
    assert "test_gradients.py" in str(error.value)


def test_gradients_say_of_which_line_they_are():
    def function(x: Any) -> Any:
        return sw.sum(sw.sin(x))

    low = sw.lower(sw.grad(function), sw.Spec("n"))
    level = next(level for level in low.trace.levels if level.name == "uop")
    line = next(number for number, text in enumerate(level.text.splitlines(), 1) if '"cos"' in text)
    assert {frame.function for frame in level.lines[line]} == {"gradient of function"}
