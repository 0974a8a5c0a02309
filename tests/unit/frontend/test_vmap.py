"""Functions of entries as functions of batches: each function against a loop, axes, gradients, random numbers, mistakes."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import stepwell as sw
from stepwell.tests.unit.on_gpu import TRITON
from stepwell.tools.coverage.functions import CASES, Case, inputs, scalar_cases

NARROW = ("cast to f16", "cast to bf16", "cast to f32")
FLOATS = [case for case in (*scalar_cases(), *CASES) if "float64" in case.dtypes and case.name not in NARROW]
Array = Any
ENTRIES = 3


class Namespace:
    """Arrays by name, as the functions of the coverage table take them."""

    def __init__(self, **arrays: Any):
        self.__dict__.update(arrays)


def entries() -> list[dict[str, Array]]:
    """For each entry the arguments of all functions: floats in the functions' domains, and indices, both different in each
    entry."""
    generator = np.random.default_rng(3)
    return [
        {
            name: generator.uniform(0.1, 0.9, array.shape) if array.dtype.kind == "f" else np.roll(array, k)
            for name, array in inputs("float64").items()
        }
        for k in range(ENTRIES)
    ]


@pytest.mark.parametrize("case", FLOATS, ids=lambda case: case.name)
def test_every_function_against_a_loop(case: Case):
    """The batch is along the last axis of the arguments; the second pass maps over the floats alone."""

    def apply(arrays: dict[str, Any]) -> Any:
        return case.apply(Namespace(**arrays))

    def both(each: list[dict[str, Any]], stacked: dict[str, Any]) -> Any:
        some = {name: -1 if each[0][name].dtype.is_float else None for name in stacked}
        first = {name: each[0][name] if axis is None else stacked[name] for name, axis in some.items()}
        shared = [{name: each[0][name] if some[name] is None else one[name] for name in one} for one in each]
        return (
            sw.vmap(apply, in_axes=-1)(stacked), sw.stack(list(map(apply, each))),
            sw.vmap(apply, in_axes=(some,))(first), sw.stack(list(map(apply, shared))),
        )  # fmt: skip

    each = entries()
    stacked = {name: np.stack([one[name] for one in each], axis=-1) for name in each[0]}
    found, expected, shared, wanted = sw.jit(both, target="interpret", static=True)(each, stacked)
    np.testing.assert_allclose(found, expected, rtol=1e-12, atol=1e-14)
    np.testing.assert_allclose(shared, wanted, rtol=1e-12, atol=1e-14)


def loss(params: dict[str, Any], x: Any, y: Any) -> Any:
    return sw.sum((sw.tanh(x @ params["w"]) + params["b"] - y) ** 2)


def network() -> tuple[dict[str, Array], Array, Array]:
    generator = np.random.default_rng(0)
    params = {"w": generator.standard_normal((4, 2)), "b": generator.standard_normal(2)}
    return params, generator.standard_normal((5, 4)), generator.standard_normal((5, 2))


@pytest.mark.parametrize("target", ["cpu", "interpret"])
def test_gradients_of_samples_against_torch(target: str):
    torch = pytest.importorskip("torch")

    def same(params: dict[str, Any], x: Any, y: Any) -> Any:
        return ((torch.tanh(x @ params["w"]) + params["b"] - y) ** 2).sum()

    params, x, y = network()
    given = ({name: torch.tensor(each) for name, each in params.items()}, torch.tensor(x), torch.tensor(y))
    expected = torch.func.vmap(torch.func.grad(same), in_dims=(None, 0, 0))(*given)
    found = sw.jit(sw.vmap(sw.grad(loss), in_axes=(None, 0, 0)), target=target)(params, x, y)
    for name, each in found.items():
        assert each.shape == (5, *params[name].shape)
        np.testing.assert_allclose(each, expected[name], rtol=1e-10)


def test_in_kernels():
    pytest.importorskip("triton")
    x = np.arange(6, dtype="float32").reshape(2, 3)
    found = sw.jit(sw.vmap(sw.grad(lambda x: sw.sum(sw.softmax(x, axis=0) * x))), target=TRITON)(x)
    p = np.exp(x - x.max(1, keepdims=True))
    p /= p.sum(1, keepdims=True)
    np.testing.assert_allclose(found, p * (1 + x - (p * x).sum(1, keepdims=True)), rtol=1e-4, atol=1e-5)


def test_the_gradient_of_what_is_mapped_is_that_of_the_sum():
    params, x, y = network()
    whole = sw.grad(lambda p: sw.sum(sw.vmap(lambda x, y: loss(p, x, y))(x, y)))(params)
    each = sw.vmap(sw.grad(loss), in_axes=(None, 0, 0))(params, x, y)
    for name, found in whole.items():
        np.testing.assert_allclose(found, each[name].sum(0), rtol=1e-10)


def test_jacobians_both_ways():
    """Each row of the identity is pulled back, and each is pushed forward."""

    def function(x: Any) -> Any:
        return sw.cumprod(sw.sin(x))

    def reverse(x: Any) -> Any:
        value, pullback = sw.vjp(function, x)
        return sw.vmap(pullback)(sw.eye(3, dtype=value.dtype))[0]

    def forward(x: Any) -> Any:
        along = sw.eye(3, dtype=x.dtype)
        return sw.vmap(lambda t: sw.jvp(function, (x,), (t,))[1], out_axes=1)(along)

    x = np.array([0.3, 0.6, 1.1])
    step = 1e-6 * np.eye(3)
    expected = np.stack([(np.cumprod(np.sin(x + d)) - np.cumprod(np.sin(x - d))) / 2e-6 for d in step], axis=1)
    np.testing.assert_allclose(sw.jit(reverse)(x), expected, rtol=1e-8, atol=1e-8)
    np.testing.assert_allclose(sw.jit(forward)(x), expected, rtol=1e-8, atol=1e-8)


def test_one_compile_serves_all_sizes():
    function = sw.jit(sw.vmap(lambda x, y: sw.sum(x * y)))
    for entries_, length in ((2, 3), (5, 4), (0, 3), (1, 1)):
        x = np.arange(entries_ * length, dtype="float32").reshape(entries_, length)
        np.testing.assert_allclose(function(x, x), (x * x).sum(1))


def test_nested_maps_axes_and_trees():
    x = np.arange(24.0).reshape(2, 3, 4)

    def inner(pair: dict[str, Any], scale: float) -> Any:
        return pair["a"] * scale, [pair["b"] - pair["a"]]

    twice = sw.vmap(sw.vmap(inner, in_axes=(0, None)), in_axes=({"a": 1, "b": None}, None), out_axes=(-1, [0]))
    product, (difference,) = sw.jit(twice)({"a": x, "b": x[:, 0]}, 2.0)
    np.testing.assert_array_equal(product, np.moveaxis(2 * x, 1, -1))
    np.testing.assert_array_equal(difference, np.moveaxis(x[:, :1] - x, 1, 0))


def test_axes_of_dicts_come_in_any_order():
    x = np.arange(6.0).reshape(2, 3)
    mapped = sw.vmap(lambda p: {"y": p["a"] + p["b"], "z": p["b"]}, in_axes=({"b": 1, "a": None},), out_axes={"z": 0, "y": 1})
    found = sw.jit(mapped, target="interpret")({"a": x[:, 0], "b": x})
    np.testing.assert_array_equal(found["y"], x[:, :1] + x)
    np.testing.assert_array_equal(found["z"], x.T)
    with pytest.raises(sw.ShapeError, match="expected in_axes as an int, None, or nested as"):
        sw.vmap(lambda p: p["a"], in_axes=({"c": 0},))({"a": x})


def test_random_numbers_of_many_keys():
    keys = np.arange(4)
    found = sw.vmap(lambda key: sw.random_uniform(key, (3,)))(keys)
    expected = np.stack([sw.random_uniform(int(key), (3,)).numpy() for key in keys])
    np.testing.assert_array_equal(found, expected)


def test_an_index_out_of_range_is_found():
    function = sw.vmap(lambda x, k: sw.take(x, k))
    x = np.arange(6.0).reshape(2, 3)
    np.testing.assert_array_equal(function(x, np.array([2, 0])), [2, 3])
    with pytest.raises(IndexError, match=r"test_vmap\.py"):
        function(x, np.array([2, 3]))


def test_results_that_are_the_same_for_all():
    x = np.arange(6.0).reshape(2, 3)
    same, scaled = sw.vmap(lambda x: (sw.ones(2), x * 2), out_axes=(None, 0))(x)
    assert same.shape == (2,) and scaled.shape == (2, 3)
    assert sw.vmap(lambda x: sw.ones(2))(x).shape == (2, 2)
    with pytest.raises(sw.ShapeError, match="None for a result that depends on the entry"):
        sw.vmap(lambda x: x, out_axes=None)(x)


@pytest.mark.parametrize(
    ("in_axes", "args", "message"),
    [
        (0, (np.ones(2), np.float64(1.0)), "argument 'y' has no axis 0 to map over, its shape is \\(\\): give None"),
        (0, (np.ones(2), 1.0), "argument 'y' has no axis 0 to map over"),
        ((0, 1), (np.ones(2), np.ones(2)), "argument 'y' has no axis 1 to map over"),
        ((0,), (np.ones(2), np.ones(2)), "expected in_axes as an int, None, or nested as \\(\\*, \\*\\)"),
        (({"a": 0}, 0), (np.ones(2), np.ones(2)), "expected in_axes as an int, None, or nested as"),
        ((None, None), (np.ones(2), np.ones(2)), "expected an argument to map over"),
        ("ab", (np.ones(2), np.ones(2)), "expected in_axes as an int, None, or nested as"),
        (((), 0), (np.ones(2), np.ones(2)), "expected in_axes as an int, None, or nested as"),
    ],
)
def test_axes_that_do_not_fit(in_axes: Any, args: tuple[Any, ...], message: str):
    with pytest.raises(sw.ShapeError, match=message) as error:
        sw.vmap(lambda x, y: x + y, in_axes=in_axes)(*args)
    assert "test_vmap.py" in str(error.value)


def test_batches_of_two_sizes():
    with pytest.raises(sw.ShapeError, match=r"argument 'x' has .* entries, argument 'y' has"):
        sw.jit(sw.vmap(lambda x, y: x + y), static=True)(np.ones(2), np.ones(3))


def test_a_tensor_that_leaves_its_map_is_an_error():
    kept: list[Any] = []

    def leaking(x: Any) -> Any:
        sw.vmap(lambda e: kept.append(e * 2) or e)(x)
        return x + kept[-1]

    with pytest.raises(sw.ShapeError, match="the tensor's function has ended"):
        sw.jit(leaking)(np.ones((2, 3)))


def host(rule: str, function: Any, **options: Any) -> Any:
    """An operation whose implementation is a function on NumPy arrays."""
    made = sw.define_op("mapped", rule, **options)
    made.impl_host()(function)
    return made


def test_host_functions_are_called_for_each_entry():
    """Entries come from one argument or from both, in nested and in empty batches."""
    shapes: list[tuple[int, ...]] = []
    add = host("A[n] B[n] -> [n]", lambda a, b: (shapes.append(a.shape), a[::-1] + 2 * b)[1])
    x, y = np.arange(12.0).reshape(2, 2, 3), np.arange(6.0).reshape(2, 3)
    np.testing.assert_array_equal(sw.vmap(add)(y, x[0]), y[:, ::-1] + 2 * x[0])
    assert shapes == [(3,)] * 2
    np.testing.assert_array_equal(sw.vmap(add, in_axes=(None, 1))(y[0], y.T), y[0, ::-1] + 2 * y)
    nested = sw.vmap(sw.vmap(add, in_axes=(0, None)))
    np.testing.assert_array_equal(nested(x, y), x[..., ::-1] + 2 * y[:, None])
    assert sw.vmap(add)(np.ones((0, 3)), np.ones((0, 3))).shape == (0, 3)


def test_host_functions_that_write_to_their_arguments():
    """Each entry gets a copy of its own."""

    def doubled(a: Array) -> Array:
        a *= 2
        return a

    x = np.arange(6.0).reshape(2, 3)
    op = host("A[n] -> A[n]", doubled)
    both = sw.vmap(lambda row: op(row * 1.5) + row)
    np.testing.assert_array_equal(both(x), x * 4)


def test_libraries_in_mapped_functions():
    x = np.random.default_rng(0).normal(size=(3, 4, 4))
    np.testing.assert_allclose(sw.vmap(sw.linalg.inv)(x), np.linalg.inv(x), rtol=1e-8)
    grads = sw.vmap(sw.grad(lambda a: sw.linalg.det(a)))(x)
    expected = np.linalg.det(x)[:, None, None] * np.linalg.inv(x).transpose(0, 2, 1)
    np.testing.assert_allclose(grads, expected, rtol=1e-8)
