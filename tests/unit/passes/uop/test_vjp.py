"""Derivatives as linear maps, functions with a backward pass of their own, saved values, and recomputed values."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import stepwell as sw
from stepwell.tests.unit.on_gpu import TRITON
from stepwell.tools.coverage.functions import CASES, Case, inputs, scalar_cases
from stepwell.tools.fuzz.gradient_check import split_floats

NARROW = ("cast to f16", "cast to bf16", "cast to f32")
FLOATS = [case for case in (*scalar_cases(), *CASES) if "float64" in case.dtypes and case.name not in NARROW]
Array = Any


class Namespace:
    """Arrays by name, as the functions of the coverage table take them."""

    def __init__(self, **arrays: Any):
        self.__dict__.update(arrays)


def arguments() -> dict[str, Array]:
    """Numbers that lie inside of the functions' domains, none of which is near another or near a border."""
    generator = np.random.default_rng(3)
    return {
        name: generator.uniform(0.1, 0.9, array.shape) if array.dtype.kind == "f" else array
        for name, array in inputs("float64").items()
    }


@pytest.mark.parametrize("case", FLOATS, ids=lambda case: case.name)
def test_tangents_are_the_adjoint_of_cotangents(case: Case):
    """<u, J t> = <J' u, t>, for a random t and a u that depends on the result; the right side is checked by differences."""
    floats, others = split_floats(arguments())
    generator = np.random.default_rng(5)
    along = {name: generator.standard_normal(array.shape) for name, array in floats.items()}

    def both(floats: dict[str, Any], along: dict[str, Any]) -> Any:
        def apply(values: dict[str, Any]) -> Any:
            return sw.astype(case.apply(Namespace(**others, **values)), "float64")

        result, tangent = sw.jvp(apply, (floats,), (along,))
        weights = sw.sin(sw.reshape(sw.arange(1, 1 + result.size, dtype=result.dtype), result.shape))
        again, pullback = sw.vjp(apply, floats)
        (cotangents,) = pullback(weights)
        right = [sw.sum(cotangents[name] * along[name]) for name in floats]
        return sw.sum(tangent * weights), sw.sum(sw.stack(right)), sw.sum(abs(result - again))

    left, right, difference = sw.jit(both, target="interpret", static=True)(floats, along)
    np.testing.assert_allclose(left, right, rtol=1e-9, atol=1e-12)
    assert difference == 0


def network(x: Any, w: Any) -> Any:
    hidden = sw.tanh(x @ w)
    return {"hidden": hidden, "sums": (sw.cumsum(hidden, axis=0), sw.prod(hidden, axis=1))}


def data(dtype: str = "float64") -> tuple[Array, Array]:
    generator = np.random.default_rng(0)
    return generator.standard_normal((3, 4)).astype(dtype), generator.standard_normal((4, 2)).astype(dtype)


def torch_network() -> Any:
    torch = pytest.importorskip("torch")

    def called(x: Any, w: Any) -> Any:
        hidden = torch.tanh(x @ w)
        return hidden, torch.cumsum(hidden, 0), torch.prod(hidden, 1)

    return torch, called


def leaves(value: Any) -> list[Array]:
    return [value["hidden"], *value["sums"]]


@pytest.mark.parametrize("target", ["cpu", "interpret"])
def test_vjp_and_jvp_against_torch(target: str):
    torch, called = torch_network()
    x, w = data()
    along = (np.cos(x), np.sin(w))
    function = sw.jit(network, target=target)
    results, tangents = sw.jvp(function, (x, w), along)
    expected, wanted = torch.func.jvp(called, tuple(map(torch.tensor, (x, w))), tuple(map(torch.tensor, along)))
    for found, other in zip((*leaves(results), *leaves(tangents)), (*expected, *wanted), strict=True):
        np.testing.assert_allclose(found, other, rtol=1e-10)
    outputs, pullback = sw.vjp(function, x, w)
    found = pullback(results)
    _, pulled = torch.func.vjp(called, torch.tensor(x), torch.tensor(w))
    for each, other in zip(found, pulled(tuple(expected)), strict=True):
        np.testing.assert_allclose(each, other, rtol=1e-10)
    np.testing.assert_array_equal(outputs["hidden"], results["hidden"])


def test_float32_in_kernels():
    pytest.importorskip("triton")
    x, w = data("float32")
    function = sw.jit(lambda x, t, w: sw.jvp(lambda x: sw.tanh(x @ w), (x,), (t,))[1], target=TRITON)
    np.testing.assert_allclose(function(x, x, w), (1 - np.tanh(x @ w) ** 2) * (x @ w), rtol=1e-4, atol=1e-6)


def test_vjp_inside_of_a_jitted_function_computes_the_forward_pass_once():
    def function(x: Any) -> Any:
        value, pullback = sw.vjp(lambda x: sw.exp(sw.sin(x)), x)
        return value, pullback(value)[0]

    low = sw.lower(function, sw.Spec("n", "float64"))
    assert low.ir("uop").count('"exp"') == 1
    x = np.linspace(0, 1, 5)
    np.testing.assert_allclose(low(x)[1], np.exp(np.sin(x)) ** 2 * np.cos(x))


def test_forward_mode_leaves_nothing_of_the_pass_back():
    text = sw.lower(lambda x, t: sw.jvp(sw.exp, (x,), (t,)), sw.Spec("n"), sw.Spec("n"), target="interpret").ir("uop")
    assert text.count("uop.map") == 2 and "uop.constant" not in text


def test_second_derivatives_both_ways():
    def along(x: Any) -> Any:
        return sw.jvp(lambda x: sw.grad(lambda x: sw.sum(x**3))(x), (x,), (sw.ones_like(x),))[1]

    x = np.array([1.0, 2.0, 3.0])
    np.testing.assert_allclose(sw.jit(along)(x), 6 * x)
    np.testing.assert_allclose(sw.grad(lambda x: sw.sum(sw.jvp(lambda x: x**3, (x,), (x,))[1]))(x), 9 * x**2)


def test_lazy_tensors_and_aux():
    x = sw.Tensor(np.array([1.0, 2.0]))
    value, pullback, aux = sw.vjp(lambda x: (sw.sum(x * x), x + 1), x, has_aux=True)
    assert value.item() == 5.0
    np.testing.assert_array_equal(pullback(2.0)[0], [4, 8])
    np.testing.assert_array_equal(aux, [2, 3])
    value, tangent, aux = sw.jvp(lambda x: (sw.sum(x * x), {"a": x}), (x,), (x,), has_aux=True)
    assert tangent.item() == 10.0
    np.testing.assert_array_equal(aux["a"], [1, 2])


def test_sizes_that_meet_in_a_cotangent_become_equal():
    function = sw.jit(lambda x, g: sw.vjp(sw.exp, x)[1](g)[0])
    np.testing.assert_allclose(function(np.zeros(3), np.arange(3.0)), np.arange(3.0))
    with pytest.raises(sw.ShapeError, match=r"cotangent"):
        function(np.zeros(3), np.arange(4.0))


@pytest.mark.parametrize(
    ("cotangent", "message"),
    [
        ((np.zeros(2),), r"expected cotangents nested as \*, got \(\*,\)"),
        (np.zeros((2, 2)), r"expected a cotangent of shape .* and dtype float64, got shape .* and dtype float64"),
        (np.zeros(2, "float32"), "expected a cotangent of shape .* and dtype float64, got shape .* and dtype float32"),
    ],
)
def test_cotangents_that_do_not_fit(cotangent: Any, message: str):
    with pytest.raises(sw.ShapeError, match=message) as error:
        sw.vjp(lambda x: sw.exp(x), np.zeros(2))[1](cotangent)
    assert "test_vjp.py" in str(error.value)


def test_cotangents_and_tangents_of_dicts_come_in_any_order():
    def pulled(x: Any, by_sine: Any, by_double: Any) -> Any:
        _, pullback = sw.vjp(lambda p: ({"sine": sw.sin(p["x"]), "double": p["y"] * 2.0},), {"x": x, "y": x})
        (found,) = pullback(({"double": by_double, "sine": by_sine},))
        _, (tangent,) = sw.jvp(lambda p: (p["x"] * p["y"] ** 2.0,), [{"x": x, "y": x}], [{"y": 0.0 * x, "x": x}])
        return found, tangent

    x = np.array([0.5, 2.0])
    found, tangent = sw.jit(pulled, target="interpret")(x, np.ones(2), np.array([1.0, 3.0]))
    np.testing.assert_allclose(found["x"], np.cos(x))
    np.testing.assert_allclose(found["y"], [2.0, 6.0])
    np.testing.assert_allclose(tangent, x**3)


def test_what_bwd_gives_of_a_dict_comes_in_any_order():
    @sw.custom_vjp
    def product(p: dict[str, Any]) -> Any:
        return p["a"] * p["b"]

    product.defvjp(lambda p: (p["a"] * p["b"], p), lambda p, g: ({"b": g * p["a"], "a": g * p["b"]},))
    a, b = np.array([2.0, 3.0]), np.array([5.0, 7.0])
    found = sw.jit(sw.grad(lambda p: sw.sum(product(p))), target="interpret")({"a": a, "b": b})
    np.testing.assert_array_equal(found["a"], b)
    np.testing.assert_array_equal(found["b"], a)


def test_arguments_and_results_that_are_no_floats():
    with pytest.raises(sw.ShapeError, match="only floats have gradients, but argument 'k' is int64"):
        sw.jit(lambda x: sw.vjp(lambda k: k * 1.0, x)[0])(np.arange(3))
    with pytest.raises(sw.ShapeError, match="only floats have derivatives, but the function returns"):
        sw.jvp(lambda x: x > 0, (np.ones(2),), (np.ones(2),))


def test_no_grad():
    def function(x: Any) -> Any:
        with sw.no_grad():
            scale = sw.exp(x)
        return sw.sum(x * scale)

    x = np.array([0.0, 1.0])
    np.testing.assert_allclose(sw.grad(function)(x), np.exp(x))
    assert '"cos"' not in sw.lower(sw.grad(lambda x: sw.sum(x * sw.no_grad(sw.sin)(x))), x, target="interpret").ir("uop")


def test_no_grad_of_a_composite_does_not_change_other_calls_of_it():
    def function(x: Any) -> Any:
        with sw.no_grad():
            given = sw.softmax(x, axis=0)
        return sw.sum(given * sw.softmax(x, axis=0))

    x = np.array([0.0, 1.0, 3.0])
    p = np.exp(x) / np.exp(x).sum()
    np.testing.assert_allclose(sw.grad(function)(x), p * (p - (p * p).sum()))


def test_a_gradient_inside_of_no_grad_is_one():
    @sw.no_grad()
    def step(x: Any) -> Any:
        return x - sw.grad(lambda x: sw.sum(x * x))(x)

    x = np.array([1.0, 2.0])
    np.testing.assert_array_equal(sw.jit(step)(x), -x)
    np.testing.assert_array_equal(sw.grad(lambda x: sw.sum(step(x) + x))(x), [1, 1])


@sw.custom_vjp
def scaled(x: Any, factor: Any, names: tuple[Any, ...]) -> Any:
    """`x * factor`, whose gradient by x is clipped at 1; `names` are numbers without gradients."""
    return x * factor + 0 * names[0]


def scaled_forward(x: Any, factor: Any, names: tuple[Any, ...]) -> Any:
    return x * factor + 0 * names[0], (x, {"factor": factor})


def scaled_backward(residuals: Any, cotangent: Any) -> Any:
    x, rest = residuals
    return sw.minimum(cotangent * rest["factor"], 1.0), sw.sum(cotangent * x), None


scaled.defvjp(scaled_forward, scaled_backward)


def test_custom_vjp():
    x = np.array([1.0, 2.0])
    np.testing.assert_array_equal(scaled(x, np.float64(3.0), (1,)), 3 * x)
    by_x, by_factor = sw.grad(lambda x, f: sw.sum(scaled(x, f, names=(1,))), (0, 1))(x, np.float64(3.0))
    np.testing.assert_array_equal(by_x, [1, 1])
    assert by_factor == 3.0
    assert sw.grad(lambda f: sw.sum(scaled(x, f, (1,))))(np.float64(3.0)) == 3.0


def test_none_is_zeros_whatever_the_argument_is():
    @sw.custom_vjp
    def constant(x: Any) -> Any:
        return x * 1.0

    constant.defvjp(lambda x: (x * 1.0, None), lambda _, g: (None,))
    found = sw.jit(sw.grad(lambda x: sw.sum(constant(x))), target="interpret")(np.array([1.0, np.inf, np.nan], "float16"))
    np.testing.assert_array_equal(found, np.zeros(3, "float16"), strict=True)


def test_what_runs_without_a_gradient_is_the_function_itself():
    text = sw.lower(lambda x: logarithm(x), sw.Spec("n")).ir("uop")
    assert '"log"' in text and '"exp"' not in text


@sw.custom_vjp
def logarithm(x: Any) -> Any:
    return sw.log(x)


logarithm.defvjp(lambda x: (sw.log(x), sw.exp(x)), lambda kept, g: (g * kept,))


def test_second_derivatives_of_a_custom_backward_pass():
    """The backward pass uses exp, whose derivative is exp; forward mode and mapping differentiate it too."""
    x = np.array([0.5, 1.5])
    first = sw.grad(lambda x: sw.sum(logarithm(x)))
    np.testing.assert_allclose(first(x), np.exp(x))
    np.testing.assert_allclose(sw.grad(lambda x: sw.sum(first(x) * x))(x), np.exp(x) * (1 + x))
    np.testing.assert_allclose(sw.jvp(logarithm, (x,), (x,))[1], np.exp(x) * x)
    np.testing.assert_allclose(sw.vmap(sw.grad(logarithm))(x), np.exp(x))
    np.testing.assert_allclose(sw.grad(lambda x: sw.sum(sw.vmap(logarithm)(x)))(x), np.exp(x))
    np.testing.assert_allclose(sw.grad(lambda x: sw.sum(sw.checkpoint(logarithm)(x)))(x), np.exp(x))


def test_rules_that_call_their_function():
    """Inside of its own rule a function is the plain one: otherwise it would call its rule forever."""

    @sw.custom_vjp
    def sine(x: Any) -> Any:
        return sw.sin(x)

    sine.defvjp(lambda x: (sine(x), x), lambda x, g: (2 * g * sw.cos(x) + 0 * sine(x),))
    x = np.array([0.5, 1.5])
    np.testing.assert_allclose(sine(x), np.sin(x))
    np.testing.assert_allclose(sw.grad(lambda x: sw.sum(sine(x)))(x), 2 * np.cos(x))
    np.testing.assert_allclose(sw.grad(sw.grad(sine))(x[0]), -2 * np.sin(x[0]))


def test_rules_that_call_each_other():
    """Of two functions whose rules call each other, one is the plain one inside of the other's rule."""

    @sw.custom_vjp
    def inner(x: Any) -> Any:
        return sw.sin(x)

    @sw.custom_vjp
    def outer(x: Any) -> Any:
        return sw.sin(x)

    inner.defvjp(lambda x: (outer(x), x), lambda x, g: (3 * g * sw.cos(x),))
    outer.defvjp(lambda x: (inner(x), x), lambda x, g: (2 * g * sw.cos(x),))
    assert sw.grad(outer)(np.float64(0.0)) == 2.0
    assert sw.grad(lambda x: outer(x) + inner(x))(np.float64(0.0)) == 5.0


def wrong(fwd: Any, bwd: Any) -> Any:
    @sw.custom_vjp
    def function(x: Any, k: Any) -> Any:
        return x * 2.0

    function.defvjp(fwd, bwd)
    return function


def right_forward(x: Any, k: Any) -> Any:
    return x * 2.0, None


@pytest.mark.parametrize(
    ("fwd", "bwd", "message"),
    [
        (right_forward, lambda _, g: (g,), "bwd of 'function' to return a tuple of 2 cotangents, one for each argument, got 1"),
        (right_forward, lambda _, g: g, "bwd of 'function' to return a tuple of 2 cotangents"),
        (right_forward, lambda _, g: ((g, g), None), "return cotangents nested as argument 'x'"),
        (right_forward, lambda _, g: (sw.sum(g), None), r"expected a cotangent of argument 'x' of shape \(s0,\)"),
        (right_forward, lambda _, g: (sw.astype(g, "float32"), None), "expected a cotangent .* dtype float64, got .* float32"),
        (right_forward, lambda _, g: (g, g), "argument 'k' is not a tensor of floats: expected None from bwd"),
        (lambda x, k: x * 2.0, lambda _, g: (g, None), r"fwd of 'function' to return a pair \(results, residuals\)"),
        (lambda x, k: ((x, x), None), lambda _, g: (g, None), r"expected result of fwds nested as \*, got \(\*, \*\)"),
        (lambda x, k: (sw.sum(x), None), lambda _, g: (g, None), r"expected a result of fwd of shape \(s0,\)"),
    ],
)
def test_rules_that_do_not_fit(fwd: Any, bwd: Any, message: str):
    with pytest.raises(sw.ShapeError, match=message) as error:
        sw.grad(lambda x, k: sw.sum(wrong(fwd, bwd)(x, k)))(np.ones(2), np.arange(2))
    assert "test_vjp.py" in str(error.value)


def test_a_function_without_its_rule():
    with pytest.raises(sw.ShapeError, match="'exp' has no backward pass: give it one with exp"):
        sw.custom_vjp(sw.exp)(np.ones(2))


def test_a_custom_backward_pass_does_not_lead_outside():
    """A gradient by a captured value would be lost: this is an error."""

    def outer(w: Any) -> Any:
        @sw.custom_vjp
        def inner(x: Any) -> Any:
            return x * w

        inner.defvjp(lambda x: (x * w, None), lambda _, g: (g * w,))
        return sw.sum(inner(w * 2))

    with pytest.raises(sw.CompileError, match="expected it among the arguments, or passed through stop_gradient") as error:
        sw.grad(outer)(np.ones(2))
    assert "test_vjp.py" in str(error.value)


def layers(wrap: Any, count: int = 3) -> Any:
    def loss(ws: list[Any], x: Any) -> Any:
        for w in ws:
            x = wrap(lambda x, w=w: sw.tanh(sw.tanh(x @ w) @ w.T))(x)
        return sw.sum(x * x)

    return loss


def test_checkpoint_gives_the_same_gradients():
    generator = np.random.default_rng(1)
    ws = [generator.standard_normal((4, 5)) for _ in range(3)]
    x = generator.standard_normal((6, 4))
    plain, again = (sw.grad(layers(wrap), (0, 1))(ws, x) for wrap in (lambda f: f, sw.checkpoint))
    np.testing.assert_allclose(again[1], plain[1], rtol=1e-12)
    for one, other in zip(again[0], plain[0], strict=True):
        np.testing.assert_allclose(one, other, rtol=1e-12)


def test_checkpoint_computes_again_and_keeps_less():
    def loss(wrap: Any) -> Any:
        def layer(x: Any) -> Any:
            return sw.tanh(sw.cumsum(sw.tanh(sw.cumsum(x, axis=0)), axis=0))

        def total(x: Any) -> Any:
            for _ in range(3):
                x = wrap(layer)(x)
            return sw.sum(x * x)

        return total

    plain, again = (sw.lower(sw.grad(loss(wrap)), sw.Spec(("n", "m")), trace=False) for wrap in (lambda f: f, sw.checkpoint))
    assert again.ir("uop").count('"tanh"') > plain.ir("uop").count('"tanh"')
    assert "uop.fence" in again.ir("uop") and "loop.fence" in again.ir("loop")
    assert again.memory(n=512, m=64, threads=1) < 0.8 * plain.memory(n=512, m=64, threads=1)


def test_second_derivatives_through_checkpoint():
    x = np.array([0.3, 0.7])
    function = sw.grad(lambda x: sw.sum(sw.grad(lambda x: sw.sum(sw.checkpoint(lambda x: sw.sin(x) ** 2)(x)))(x) * x))
    np.testing.assert_allclose(function(x), np.sin(2 * x) + 2 * x * np.cos(2 * x))


def test_checkpoint_of_trees_numbers_and_what_is_around():
    w = np.array([2.0, 3.0])

    def function(x: Any) -> Any:
        scale = sw.exp(x)

        def inner(pair: dict[str, Any], power: int) -> Any:
            return [pair["x"] ** power * scale, w * pair["x"]]

        first, second = sw.checkpoint(inner)({"x": x}, power=2)
        return sw.sum(first + second)

    x = np.array([0.5, 1.5])
    np.testing.assert_allclose(sw.grad(function)(x), (2 * x + x**2) * np.exp(x) + w)
