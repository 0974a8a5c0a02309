"""Parameters declared inline."""

from dataclasses import dataclass

import numpy as np
import pytest
import stepwell as sw

X = np.linspace(-1, 1, 20, dtype=np.float32).reshape(4, 5)


def block(x, *, config):
    return sw.relu(sw.compose(sw.param("w"), x) + sw.param("b", config["width"]))


def shapes(f):
    return {name: value.shape for name, value in f.params().items()}


@pytest.mark.feature("E10")
def test_sizes_follow_from_use():
    @sw.jit
    def layer(x):
        return x @ sw.param("w") + sw.param("b", 8)

    found = layer(X)
    assert shapes(layer) == {"w": (5, 8), "b": (8,)}
    np.testing.assert_allclose(found, X @ layer.params()["w"] + layer.params()["b"], rtol=1e-5, atol=1e-6)
    layer(X[:2])
    assert layer.stats().compiles == 1


@pytest.mark.feature("E10")
def test_initial_values():
    @sw.jit
    def f(x):
        scaled = x * sw.param("c", init=0.5) + sw.param("d", value=[[1, 2, 3, 4, 5]])
        return scaled + sw.param("e", 5) + sw.param("f", 5)

    f(X)
    values = f.params()
    np.testing.assert_array_equal(values["c"], np.full(5, 0.5, np.float32))
    np.testing.assert_array_equal(values["d"], [[1, 2, 3, 4, 5]])
    assert (np.abs(values["e"]) <= 5**-0.5).all() and len(np.unique(values["e"])) == 5
    assert not np.array_equal(values["e"], values["f"])


@pytest.mark.feature("E10")
def test_blocks_have_the_parameters_of_their_configs():
    """Equal configs share parameters, and different ones have their own. Parameters of nested configs have the names of the
    outer configs before their own."""

    @sw.jit
    def mlp(x):
        first = block(x, config={"label": "L1", "width": 6})
        return block(block(first, config={"label": "L2", "width": 6}), config={"label": "L2", "width": 6})

    found = mlp(X[0])
    assert shapes(mlp) == {"L1.w": (6, 5), "L1.b": (6,), "L2.w": (6, 6), "L2.b": (6,)}
    p, expected = mlp.params(), X[0]
    for label in ("L1", "L2", "L2"):
        expected = np.maximum(p[f"{label}.w"] @ expected + p[f"{label}.b"], 0)
    np.testing.assert_allclose(found, expected, rtol=1e-5, atol=1e-6)


@dataclass(frozen=True)
class Config:
    label: list[str]
    width: int


@pytest.mark.feature("E10")
def test_configs_of_one_label_and_nested_configs_have_names_of_their_own():
    def inner(x, config):
        return x * sw.param("s", config.width)

    def outer(x, config):
        return inner(x, Config(["in"], config.width)) + inner(x, Config(["in", "two"], config.width))

    @sw.jit
    def f(x):
        return outer(outer(x, Config(["a"], 5)), Config(["a"], 1))

    f(X)
    assert shapes(f) == {"a.in.s": (5,), "a.in.two.s": (5,), "a.in_1.s": (1,), "a.in.two_1.s": (1,)}


@pytest.mark.feature("E10")
def test_gradients_and_steps():
    @sw.jit
    def loss(x, y):
        return sw.mean((x @ sw.param("w") + sw.param("b") - y) ** 2)

    y = np.stack([X.sum(1), X[:, 0]], axis=1)
    first = float(loss(X, y))
    assert shapes(loss) == {"w": (5, 2), "b": (2,)}
    step = sw.jit(sw.value_and_grad(loss.apply))
    for _ in range(50):
        _, gradients = step(loss.params(), X, y)
        loss.params().update({name: value - 0.1 * gradients[name] for name, value in loss.params().items()})
    assert float(loss(X, y)) < first / 10


@pytest.mark.feature("E10")
def test_labels_are_the_names_and_what_they_meet():
    @sw.jit
    def layer(signal):
        return signal @ sw.param("w", 5, 2)

    layer(X)
    text = layer.apply.lower(layer.params(), X).ir("graph")
    assert "%params_w" in text


@pytest.mark.feature("E10")
def test_parameters_belong_to_no_batch():
    """A bias has one number for each output, so that other batches fit."""

    @sw.jit
    def layer(x):
        return x @ sw.param("w", 5, 2) + sw.param("b")

    layer(X)
    assert shapes(layer) == {"w": (5, 2), "b": (2,)} and layer(X[:3]).shape == (3, 2)


@pytest.mark.feature("E10")
def test_other_jitted_functions_have_parameters_of_their_own():
    @sw.jit
    def scale(x):
        return x * sw.param("w", 5)

    @sw.jit
    def both(x):
        return scale(scale(x)) @ sw.param("w", 5, 2)

    both(X)
    assert shapes(both) == {"scale.w": (5,), "w": (5, 2)}


def test_apply_before_the_first_call():
    layer = sw.jit(lambda x: x @ sw.param("w") + 1)
    w = np.ones((5, 2), np.float32)
    np.testing.assert_allclose(layer.apply({"w": w}, X), X @ w + 1, rtol=1e-5)
    assert sw.grad(lambda p, x: sw.sum(layer.apply(p, x)))({"w": w}, X)["w"].shape == (5, 2)
    with pytest.raises(TypeError, match="apply: expected a dict of the parameters as first argument, got None"):
        layer.apply(None, X)


@pytest.mark.feature("E10")
def test_operations_declare_the_parameters_of_their_caller():
    scaled = sw.define_op("scaled", "A[~] -> [~]")
    scaled.impl()(lambda x: x * sw.param("w", 5, init=2))
    layer = sw.jit(lambda x: scaled(scaled(x)))
    np.testing.assert_allclose(layer(X), 4 * X, rtol=1e-6)
    assert shapes(layer) == {"w": (5,)}


@pytest.mark.parametrize(
    ("function", "error", "message"),
    [
        (lambda x: x @ sw.param("w"), sw.ShapeError, "does not determine the size of axis 1 of the parameter 'w'"),
        (lambda x: sw.exp(sw.param("w")) + x, sw.ShapeError, "the shape of the parameter 'w' is not known here"),
        (lambda x: x * sw.param("w", 5) * sw.param("w", 1), sw.ShapeError, r"has the sizes \(5\), got \(1\)"),
        (lambda x: x * sw.param("w w"), TypeError, "expected a name as an identifier"),
        (lambda x: x * sw.param("w", 5, value=1), TypeError, "got sizes or `init` as well"),
        (lambda x: x * sw.param("w", 5, init=1) * sw.param("w", init=2), sw.ShapeError, "'w' has init=1, got init=2"),
        (
            lambda x: x * sw.param("w", 5) * sw.param("w", value=[1] * 5),
            sw.ShapeError,
            "no initial value of its own, got another",
        ),
        (lambda x: x * sw.param("w", 5) * sw.param("w", dtype="float64"), sw.ShapeError, "has the dtype float32, got float64"),
        (lambda x: x * sw.param("w", 5, dtype="int32"), TypeError, "'w': expected `value` for a parameter of int32"),
        (lambda x: x * sw.param("w", -5), TypeError, "expected sizes as ints that are not negative, got -5"),
        (lambda x: x * sw.param("w", 5, init="zeros"), TypeError, "expected a number as `init`, got 'zeros'"),
        (lambda x: x * sw.param("w", value=[[1], [2, 3]]), TypeError, "'w': expected an array, a nested list or a number"),
    ],
)
def test_errors(function, error, message):
    with pytest.raises(error, match=message) as caught:
        sw.jit(function)(X)
    if error is sw.ShapeError:
        assert "test_parameters.py" in str(caught.value)


def test_outside_of_compiled_functions():
    with pytest.raises(RuntimeError, match=r"sw.param\('w'\) works inside of a function that sw.jit compiles"):
        sw.param("w")
    with pytest.raises(RuntimeError, match="has no parameters yet"):
        sw.jit(sw.exp).params()
