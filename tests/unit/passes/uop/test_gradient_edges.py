"""Gradients at zeros, ties, kinks and borders, of masked elements, and of empty tensors: the conventions, on each target.

Equal elements share the gradient of an extremum, also of `maximum` and `clip`. An extremum that is NaN passes it to the NaN
elements, `maximum` to both operands, as in torch. The gradients of `relu`, `abs` and rounding functions at kinks, and of jumps,
are 0; so is that of `std` where all elements are equal. A root at 0 has an infinite slope, so that a norm written as a root has
NaN there. Elements that `where` masks have no gradient, whatever their values are.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np
import pytest
import stepwell as sw
from stepwell.tests.unit.on_gpu import TRITON, share

NAN, INF = float("nan"), float("inf")


class Edge(NamedTuple):
    """A function, the point at which it is differentiated, and the gradient of the sum of its results by each argument."""

    function: Callable[..., Any]
    at: Sequence[Any]
    expected: Sequence[Any]


def scattered(op: str) -> Callable[..., Any]:
    """Four updates of three places: the last place is not updated, and the first one twice."""
    return lambda x, updates: sw.scatter(x, sw.asarray([0, 1, 0]), updates, axis=0, op=op) * sw.asarray([1.0, 10.0, 100.0])


EDGES = {
    # Products are without a division.
    "product, no zero": Edge(sw.prod, [[2.0, 3.0, 4.0]], [[12, 8, 6]]),
    "product, one zero": Edge(sw.prod, [[2.0, 0.0, 4.0]], [[0, 8, 0]]),
    "product, two zeros": Edge(sw.prod, [[2.0, 0.0, 0.0]], [[0, 0, 0]]),
    "product of infinities": Edge(sw.prod, [[1e200, 1e200, 1e-200]], [[1, 1, INF]]),
    "product of two axes": Edge(lambda x: sw.prod(x, axis=(0, 1)), [[[2.0, 0.0], [3.0, 5.0]]], [[[0, 30], [0, 0]]]),
    "cumulative product, no zero": Edge(lambda x: sw.cumulative_prod(x, axis=0), [[2.0, 3.0, 4.0]], [[16, 10, 6]]),
    "cumulative product, one zero": Edge(lambda x: sw.cumulative_prod(x, axis=0), [[0.0, 2.0, 3.0]], [[9, 0, 0]]),
    "cumulative product, two zeros": Edge(
        lambda x: sw.cumulative_prod(x, axis=0), [[2.0, 0.0, 3.0, 0.0, 5.0]], [[1, 8, 0, 0, 0]]
    ),
    # Equals share.
    "max": Edge(sw.max, [[1.0, 3.0, 3.0, 2.0]], [[0, 0.5, 0.5, 0]]),
    "min": Edge(sw.min, [[[1.0, 1.0], [1.0, 2.0]]], [[[1 / 3, 1 / 3], [1 / 3, 0]]]),
    "max of infinities": Edge(sw.max, [[-INF, -INF]], [[0.5, 0.5]]),
    "max with NaN": Edge(sw.max, [[1.0, NAN, 2.0]], [[0, 1, 0]]),
    "min with NaN": Edge(sw.min, [[NAN, -INF, NAN]], [[0.5, 0, 0.5]]),
    "maximum with NaN": Edge(sw.maximum, [[NAN, 1.0, 1.0], [2.0, NAN, 1.0]], [[1, 1, 0.5], [1, 1, 0.5]]),
    "minimum with NaN": Edge(sw.minimum, [[NAN, 1.0, 1.0], [2.0, NAN, 3.0]], [[1, 1, 1], [1, 1, 0]]),
    "cummax with NaN": Edge(lambda x: sw.cummax(x, axis=0), [[2.0, NAN, 1.0, NAN, 5.0]], [[1, 3, 0, 1, 0]]),
    "max_pool with NaN": Edge(lambda x: sw.max_pool1d(x, 2), [[[[1.0, NAN, 0.0, 2.0]]]], [[[[0, 1, 0, 1]]]]),
    "scatter max with NaN": Edge(scattered("max"), [[4.0, 2.0, NAN], [NAN, 5.0, 4.0]], [[0, 0, 100], [1, 10, 0]]),
    "maximum": Edge(sw.maximum, [[1.0, 2.0], [1.0, 3.0]], [[0.5, 0], [0.5, 1]]),
    "cummax": Edge(lambda x: sw.cummax(x, axis=0), [[1.0, 3.0, 3.0, 2.0]], [[1, 2, 1, 0]]),
    "argmax": Edge(lambda x: x * sw.argmax(x), [[1.0, 3.0, 3.0]], [[1, 1, 1]]),
    "max_pool": Edge(lambda x: sw.max_pool1d(x, 2), [[[[1.0, 1.0, 0.0, 2.0]]]], [[[[0.5, 0.5, 0, 1]]]]),
    # Kinks and jumps.
    "relu": Edge(sw.relu, [[0.0, 1.0, -1.0]], [[0, 1, 0]]),
    "relu_gate": Edge(
        sw.relu_gate, [[0.0, 1.0, -1.0, NAN, 2.0], [NAN, INF, 3.0, 4.0, 0.0]], [[0, 0, 0, 0, 0], [0, 1, 0, 0, 1]]
    ),
    "abs": Edge(sw.abs, [[0.0, -0.0, -2.0]], [[0, 0, -1]]),
    "asinh": Edge(sw.asinh, [[0.0, -0.0, -0.75, 1e200, INF, -INF, NAN]], [[1, 1, 0.8, 1e-200, 0, 0, NAN]]),
    "hypot": Edge(
        sw.hypot,
        [[0.0, -3.0, 2.0, 1e300, INF, NAN], [0.0, 4.0, 2.0, 0.0, 1.0, 1.0]],
        [[0, -0.6, 0.5**0.5, 1, 0, NAN], [0, 0.8, 0.5**0.5, 0, 0, NAN]],
    ),
    "clip": Edge(lambda x: sw.clip(x, 0, 1), [[0.0, 1.0, 0.5, 2.0]], [[0.5, 0.5, 1, 0]]),
    "sign": Edge(lambda x: sw.sign(x) + sw.floor(x) + sw.round(x) + x, [[0.0, 1.5, 2.0]], [[1, 1, 1]]),
    "std": Edge(sw.std, [[2.0, 2.0]], [[0, 0]]),
    "atan2": Edge(sw.atan2, [[0.0, 1.0], [0.0, 0.0]], [[0, 0], [0, -1]]),
    "sqrt": Edge(sw.sqrt, [[0.0, 4.0]], [[INF, 0.25]]),
    "norm": Edge(lambda x: sw.sqrt(sw.sum(x * x)), [[0.0, 0.0]], [[NAN, NAN]]),
    "safe norm": Edge(lambda x: _norm(sw.sum(x * x)), [[0.0, 0.0]], [[0, 0]]),
    "pow": Edge(lambda a, b: a**b, [[0.0, 0.0, 0.0, 2.0], [0.0, 1.0, 2.0, 0.0]], [[0, 1, 0, 0], [0, 0, 0, np.log(2)]]),
    "pow of the negative": Edge(lambda a: a**3 + a**2.0, [[-2.0, 0.0]], [[8, 0]]),
    "pointpow": Edge(lambda a: sum(sw.pointpow(a, p) for p in (0, 1, 2, 3.0, -1)), [[-2.0, 0.5]], [[8.75, -1.25]]),
    "pointpow at 0": Edge(lambda a: sum(sw.pointpow(a, p) for p in (0, 1, 2, 3.0)), [[0.0]], [[1]]),
    "pointpow of the negative": Edge(lambda a: sw.pointpow(a, 2.5), [[-1.0, 4.0]], [[NAN, 20]]),
    "root as a power": Edge(lambda a: a**0.5, [[0.0, 4.0]], [[INF, 0.25]]),
    # Masked elements.
    "masked log": Edge(lambda x: sw.where(x > 0, sw.log(x), 0.0), [[-1.0, 0.0, 2.0, NAN]], [[0, 0, 0.5, 0]]),
    "masked root": Edge(lambda x: sw.where(x > 0, sw.sqrt(x * 2), x), [[-1.0, 0.0, 2.0]], [[1, 1, 0.5]]),
    "masked quotient": Edge(lambda x: sw.where(x == 0, 1.0, sw.sin(x) / x), [[0.0, np.pi]], [[0, -1 / np.pi]]),
    "masked power": Edge(lambda x: sw.where(x > 0, x**1.5, 0.0), [[-1.0, 0.0, 4.0]], [[0, 0, 3]]),
    "masks in masks": Edge(
        lambda x: sw.where(x < 3, sw.log(sw.where(x > 0, x, 1 / x)) * 2, 0.0), [[0.0, 1.0, 4.0]], [[NAN, 2, 0]]
    ),
    "masked in float32": Edge(
        lambda x: sw.where(x > 0, sw.astype(sw.log(sw.astype(x, "float32")), "float64"), 0.0), [[0.0, 2.0]], [[0, 0.5]]
    ),
    "masked softmax": Edge(
        lambda x: sw.softmax(sw.where(x > 0, x, -INF)) * sw.asarray([0.0, 1.0, 2.0]), [[0.0, 1.0, 1.0]], [[0, -0.25, 0.25]]
    ),
    "softmax of masked scores": Edge(lambda x: sw.softmax(sw.where(x > 9, x, -INF)), [[0.0, 1.0]], [[0, 0]]),
    # The softmax of a row, where there is one.
    "logsumexp": Edge(
        lambda x: sw.logsumexp(x, axis=1),
        [[[-INF, -INF], [-INF, 1.0], [INF, 0.0], [INF, INF]]],
        [[[NAN, NAN], [0, 1], [NAN, 0], [NAN, NAN]]],
    ),
    "logsumexp of masked scores": Edge(
        lambda x: sw.where(sw.any(x > 9), sw.logsumexp(sw.where(x > 9, x, -INF)), 0.0), [[0.0, 1.0]], [[0, 0]]
    ),
    # Infinities that win share.
    "logaddexp": Edge(sw.logaddexp, [[-INF, INF, 0.0], [-INF, INF, -INF]], [[0.5, 0.5, 1], [0.5, 0.5, 0]]),
    "logcumsumexp": Edge(lambda x: sw.logcumsumexp(x, axis=0), [[-INF, -INF, 0.0, 0.0]], [[1.5, 0.5, 1.5, 0.5]]),
    # Scatters, places of which are updated twice.
    "scatter add": Edge(scattered("add"), [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]], [[1, 10, 100], [1, 10, 1]]),
    "scatter set": Edge(scattered("set"), [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]], [[0, 0, 100], [0, 10, 1]]),
    "scatter max": Edge(scattered("max"), [[4.0, 2.0, 3.0], [4.0, 5.0, 4.0]], [[1 / 3, 0, 100], [1 / 3, 10, 1 / 3]]),
    "scatter min": Edge(scattered("min"), [[1.0, 2.0, 3.0], [4.0, 2.0, 6.0]], [[1, 5, 100], [0, 5, 0]]),
    "scatter mul": Edge(scattered("mul"), [[2.0, 3.0, 4.0], [5.0, 6.0, 7.0]], [[35, 60, 100], [14, 30, 10]]),
    "scatter mul, one zero": Edge(scattered("mul"), [[2.0, 0.0, 4.0], [0.0, 6.0, 7.0]], [[0, 60, 100], [14, 0, 0]]),
    "scatter mul, two zeros": Edge(scattered("mul"), [[2.0, 0.0, 4.0], [0.0, 0.0, 0.0]], [[0, 0, 100], [0, 0, 0]]),
}


def _norm(square: Any) -> Any:
    return sw.where(square == 0, 0.0, sw.sqrt(square))


@pytest.mark.usefixtures("compiles_offline")
@pytest.mark.parametrize("target", ["interpret", "cpu", TRITON])
def test_edges(target: str):
    """All edges as one program."""
    names = list(EDGES)
    edges = {name: EDGES[name] for name in (share(names) if target == TRITON else names)}

    def gradients(arrays: dict[str, list[Any]]) -> dict[str, tuple[Any, ...]]:
        return {
            name: sw.grad(lambda *xs, edge=edge: sw.sum(edge.function(*xs)), tuple(range(len(edge.at))))(*arrays[name])
            for name, edge in edges.items()
        }

    found = sw.jit(gradients, target=target)({name: [np.array(x) for x in edge.at] for name, edge in edges.items()})
    for name, edge in edges.items():
        for given, expected in zip(found[name], edge.expected, strict=True):
            np.testing.assert_allclose(given, expected, rtol=1e-6, err_msg=name)


@pytest.mark.usefixtures("compiles_offline")
@pytest.mark.parametrize("target", ["interpret", "cpu", TRITON])
def test_second_derivatives(target: str):
    """All edges as one program."""

    def weighted(edge: Edge, x: Any) -> Any:
        return sw.sum(sw.grad(lambda x: sw.sum(edge.function(x)))(x) * sw.arange(1.0, len(edge.at[0]) + 1))

    def gradients(arrays: dict[str, Any]) -> dict[str, Any]:
        return {name: sw.grad(lambda x, edge=edge: weighted(edge, x))(arrays[name]) for name, edge in SECOND.items()}

    found = sw.jit(gradients, target=target)({name: np.array(edge.at[0]) for name, edge in SECOND.items()})
    for name, edge in SECOND.items():
        np.testing.assert_allclose(found[name], edge.expected[0], rtol=1e-6, atol=1e-12, err_msg=name)


@pytest.mark.parametrize("shape", [(0,), (0, 3), (3, 0)])
@pytest.mark.parametrize("target", ["interpret", "cpu"])
def test_nothing_has_a_gradient_of_nothing(shape: tuple[int, ...], target: str):
    def total(x: Any) -> Any:
        scans = [sw.cumulative_sum, sw.cumulative_prod, sw.cummax, sw.logcumsumexp]
        reductions = [sw.sum, sw.prod, sw.mean, sw.logsumexp]
        return sum(sw.sum(each(x, axis=-1)) for each in (*scans, *reductions)) + sw.sum(sw.softmax(x, axis=-1))

    found = sw.jit(sw.grad(total), target=target)(np.zeros(shape))
    assert found.shape == shape


# Functions of one argument, and the gradient of their gradient, summed with the weights 1, 2, 3...
SECOND = {
    "asinh": Edge(sw.asinh, [[0.0, -0.0, 0.75, 1e200, -INF]], [[0, 0, -1.152, 0, 0]]),
    "logaddexp": Edge(
        lambda x: sw.logaddexp(x, sw.asarray([0.0, 1e20, -INF, INF])), [[0.0, 1e20, -INF, INF]], [[0.25, 0.5, 0, 0]]
    ),
    "logaddexp of itself": Edge(lambda x: sw.logaddexp(x, 2 * x), [[0.0]], [[0.25]]),
    "logcumsumexp": Edge(lambda x: sw.logcumsumexp(x, axis=0), [[3.0, 3.0, 3.0]], [[-7 / 12, 1 / 4, 1 / 3]]),
    "associative scan": Edge(
        lambda x: sw.associative_scan(sw.logaddexp, x, axis=0, identity=-INF), [[3.0, 3.0, 3.0]], [[-7 / 12, 1 / 4, 1 / 3]]
    ),
    "reduction": Edge(lambda x: sw.reduce(sw.logaddexp, x, axis=0, identity=-INF), [[3.0, 3.0, 3.0]], [[-1 / 3, 0, 1 / 3]]),
    "hypot": Edge(lambda x: sw.hypot(x, sw.asarray([1.0, 1.0, -4.0])), [[0.0, 1.0, 3.0]], [[1, 0.5**0.5, 0.384]]),
    "hypot by the other": Edge(lambda x: sw.hypot(sw.asarray([1.0, -1.0]), x), [[0.0, 1.0]], [[1, 0.5**0.5]]),
}

TIED = {
    "max": (sw.max, 70000),
    "min": (sw.min, 70000),
    "scatter max": (
        lambda x: sw.sum(sw.scatter(sw.zeros(1, x.dtype), sw.zeros(x.shape, "int64"), x, axis=0, op="max")),
        5000,
    ),
    "cummax": (lambda x: sw.cummax(x, axis=0)[-1], 5000),
}


@functools.cache
def product_with_gradient(target: str) -> Callable[..., Any]:
    """One program serves all sizes."""
    return sw.jit(sw.value_and_grad(sw.prod), target=target)


@pytest.mark.parametrize("target", ["interpret", "cpu"])
@pytest.mark.parametrize("zeros", [0, 1, 2])
@pytest.mark.parametrize("shape", [(0,), (1,), (96,), (97,), (193,), (3840,), (3841,), (9, 1003), (7, 83), (3, 0), (5, 6, 7)])
def test_a_product_of_everything(shape: tuple[int, ...], zeros: int, target: str):
    """The product is read in blocks: sizes around their ends, zeros, and factors whose product exceeds the range of float32."""
    x = np.exp(np.random.default_rng(0).permutation(np.linspace(-4, 4, int(np.prod(shape))))).astype("float32")
    x[:zeros] = 0
    wide = x.astype("float64")
    logs = np.log(np.where(wide == 0, 1, wide))
    others = np.exp(logs.sum() - logs) * (np.count_nonzero(wide == 0) == (wide == 0))
    value, found = product_with_gradient(target)(x.reshape(shape))
    np.testing.assert_allclose(found.reshape(-1), others, rtol=1e-5)
    np.testing.assert_allclose(value, 0 if 0 in wide else np.exp(logs.sum()), rtol=1e-5)


def test_a_product_with_its_gradient_reads_its_factors_twice():
    """The product comes from the products of the blocks, unless an operation needs it earlier."""
    spec = sw.Spec(("n",), "float32")
    known = sw.lower(sw.value_and_grad(sw.prod), spec, target="interpret").ir("uop")
    assert known.count('uop.reduce "mul"') == 2
    earlier = sw.lower(sw.value_and_grad(lambda x: sw.prod(x) * sw.prod(x * 2)), spec)
    x = np.linspace(0.9, 1.1, 100, dtype="float32")
    value, found = earlier(x)
    expected = np.prod(x.astype("float64")) ** 2 * 2.0**100
    np.testing.assert_allclose(value, expected, rtol=1e-4)
    np.testing.assert_allclose(found, 2 * expected / x, rtol=1e-4)


def test_products_have_second_derivatives():
    def summed(x: Any) -> Any:
        return sw.sum(sw.grad(sw.prod)(x))

    x = np.array([0.5, 2.0, 0.0, 3.0], "float32")
    found = sw.lower(sw.grad(summed), sw.Spec(("n",), "float32"))(x)
    pairs = np.array([[float(np.prod(np.delete(x, [j, k]))) if j != k else 0.0 for j in range(4)] for k in range(4)])
    np.testing.assert_allclose(found, pairs.sum(axis=1), rtol=1e-5)


@pytest.mark.parametrize("target", ["interpret", "cpu", TRITON])
def test_scattered_products_have_derivatives(target: str):
    """Derivatives of any order: several updates of one place, none, and zeros among the updates and in the tensor."""
    generator = np.random.default_rng(0)
    places = np.array([[3, 0], [0, 0], [3, 1], [0, 3], [1, 0]])
    x, updates, weights = (generator.normal(size=shape) for shape in ((4, 2), (5, 2, 2), (4, 2)))
    x[0, 0] = updates[1, 0, 1] = updates[0, 0, 1] = updates[2, 0, 0] = 0

    def summed(x: Any, updates: Any, weights: Any) -> Any:
        return sw.sum(sw.scatter(x, places, updates, axis=0, op="mul") * weights)

    def curved(x: Any, updates: Any, weights: Any) -> Any:
        first = sw.grad(summed, (0, 1))(x, updates, weights)
        return sum(sw.sum(sw.sin(each)) for each in first)

    def spelled(x: Any, updates: Any, weights: Any) -> Any:
        rows = []
        for place in range(4):
            row = x[place]
            for k, j in np.argwhere(places == place):
                row = row * updates[int(k), int(j)]
            rows.append(sw.sum(row * weights[place]))
        return sum(rows)

    def spelled_curved(x: Any, updates: Any, weights: Any) -> Any:
        return sum(sw.sum(sw.sin(each)) for each in sw.grad(spelled, (0, 1))(x, updates, weights))

    for function, expected in ((summed, spelled), (curved, spelled_curved)):
        found = sw.jit(sw.grad(function, (0, 1, 2)), target=target)(x, updates, weights)
        wanted = sw.jit(sw.grad(expected, (0, 1, 2)), target="interpret")(x, updates, weights)
        for each, right in zip(found, wanted, strict=True):
            np.testing.assert_allclose(each, right, rtol=1e-12, atol=1e-12)


def test_gradients_of_scattered_products_in_batches():
    generator = np.random.default_rng(0)
    x, updates = generator.normal(size=(5, 4)), generator.normal(size=(5, 3))
    gradient = sw.grad(lambda x, updates: sw.sum(sw.scatter(x, np.array([0, 2, 0]), updates, axis=0, op="mul")), (0, 1))
    found = sw.vmap(gradient)(x, updates)
    for each, *entries in zip(found, *(gradient(*pair) for pair in zip(x, updates, strict=True)), strict=True):
        np.testing.assert_array_equal(each, entries)


@pytest.mark.parametrize(("function", "count"), TIED.values(), ids=TIED)
def test_many_ties_share_one_cotangent(function: Callable[..., Any], count: int):
    """More ties than a float16 counts, or represents at all."""
    found = sw.jit(sw.grad(function), target="interpret")(np.zeros(count, "float16"))
    np.testing.assert_allclose(found.astype("float64"), np.full(count, 1 / count), rtol=1e-2)


@pytest.mark.parametrize("target", ["interpret", "cpu"])
def test_rank_zero(target: str):
    function = sw.grad(lambda x, y: sw.max(x) * sw.prod(y) + sw.logsumexp(x) + sw.maximum(x, y), (0, 1))
    np.testing.assert_allclose(sw.jit(function, target=target)(np.array(2.0), np.array(3.0)), (4.0, 3.0))


def test_integers_and_bools_pass_no_gradient_on():
    """A float that depends on an argument by way of integers does not vary with it."""

    def through(x: Any) -> Any:
        return sw.sum(x * x) + sw.sum(sw.astype(sw.astype(x, "int32"), "float64")) + sw.sum(sw.where(x > 1, 1.0, 0.0))

    np.testing.assert_array_equal(sw.grad(through)(np.array([1.5, 2.5])), [3, 5])
    np.testing.assert_array_equal(sw.grad(lambda x: sw.sum(sw.astype(sw.astype(x, "bool"), "float64")))(np.ones(2)), [0, 0])


def test_a_chain_of_masks_is_as_long_as_there_are_masks():
    """Each mask adds one select, not one for each mask before it."""

    def chain(length: int) -> int:
        def function(x: Any) -> Any:
            for _ in range(length):
                x = sw.where(x > 0, sw.exp(x), 0.0)
            return sw.sum(x)

        return sw.lower(sw.grad(function), sw.Spec("n", "float64"), trace=False).ir("uop").count('"select"')

    assert chain(8) - chain(4) <= 2 * 4 + 1


def test_windows_that_fit_nowhere():
    """The first call's kernel is longer than its input by one: the result has no elements, and the gradients are zeros."""
    found = sw.grad(lambda x, w: sw.sum(sw.conv1d(x, w)), (0, 1))(np.ones((1, 1, 2)), np.ones((1, 1, 3)))
    np.testing.assert_array_equal(found[0], np.zeros((1, 1, 2)))
    np.testing.assert_array_equal(found[1], np.zeros((1, 1, 3)))
