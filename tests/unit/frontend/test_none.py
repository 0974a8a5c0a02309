"""None among arguments and results: it nests like an empty tuple, and is returned as None."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import stepwell as sw
from stepwell.frontend.tracing.trees import flatten, map_leaves

Y = np.array([1.0, 2.0])


def summed(carry: Any, entry: Any) -> tuple[Any, None]:
    return carry + entry, None


@pytest.mark.parametrize("target", ["cpu", "interpret"])
def test_results_of_jitted_functions(target: str):
    found = sw.jit(lambda x: {"a": x + 1, "b": None, "c": (None, x * 2)}, target=target)(Y)
    assert found["b"] is None and found["c"][0] is None
    np.testing.assert_array_equal(found["a"], Y + 1)
    np.testing.assert_array_equal(found["c"][1], Y * 2)


def test_a_function_that_returns_nothing_is_told():
    nothing = sw.jit(lambda x: None)
    with pytest.warns(UserWarning, match="returns no arrays, so that nothing is computed: is a return missing"):
        assert nothing(Y) is None
    assert nothing(Y) is None
    assert sw.jit(lambda x: ())(Y) == ()


def test_results_of_scans():
    f = sw.jit(lambda x: sw.scan(summed, 0.0, x))
    for _ in range(3):
        total, ys = f(Y)
        assert total == 3.0 and ys is None
    total, ys = sw.scan(sw.checkpoint(summed), 0.0, Y)
    assert total.item() == 3.0 and ys is None
    carry, ys = sw.scan(lambda c, e: ({"a": c["a"] + e[0], "b": None}, (None, e[0])), {"a": 0.0, "b": None}, (Y, None))
    assert carry["a"].item() == 3.0 and carry["b"] is None and ys[0] is None
    np.testing.assert_array_equal(ys[1], Y)
    assert sw.lower(lambda x: sw.scan(summed, 0.0, x), Y)(Y)[1] is None


def test_results_of_other_transformations():
    assert sw.checkpoint(lambda x: (x, None))(Y)[1] is None
    gradient, aux = sw.grad(lambda x: (sw.sum(x * x), None), has_aux=True)(Y)
    np.testing.assert_array_equal(gradient, 2 * Y)
    assert aux is None
    (value, aux), _ = sw.value_and_grad(lambda x: (sw.sum(x * x), {"a": None}), has_aux=True)(Y)
    assert value == 5.0 and aux == {"a": None}
    mapped, nothing = sw.vmap(lambda x: (x * 2, None))(Y)
    np.testing.assert_array_equal(mapped, Y * 2)
    assert nothing is None
    mapped, nothing = sw.vmap(lambda x: (x * 2, None), out_axes=(0, None))(Y)
    np.testing.assert_array_equal(mapped, Y * 2)
    results, pullback, aux = sw.vjp(lambda x: ((x * x, None), None), Y, has_aux=True)
    assert results[1] is None and aux is None
    np.testing.assert_array_equal(pullback((Y, None))[0], 2 * Y * Y)
    (_, nothing), (tangent, no_tangent) = sw.jvp(
        lambda p: (p["a"] * p["a"], p["b"]), ({"a": Y, "b": None},), ({"a": Y, "b": None},)
    )
    assert nothing is None and no_tangent is None
    np.testing.assert_array_equal(tangent, 2 * Y * Y)
    assert sw.stop_gradient({"b": None}) == {"b": None}


def test_parameters_that_are_not_there():
    params = {"a": Y, "b": None}

    def loss(p: Any) -> Any:
        return sw.sum(p["a"] * p["a"] if p["b"] is None else p["b"])

    grads = sw.grad(loss)(params)
    assert grads["b"] is None
    np.testing.assert_array_equal(grads["a"], 2 * Y)
    mapped = sw.vmap(lambda p: p["a"] + 1)(params)
    np.testing.assert_array_equal(mapped, Y + 1)
    optimizer = sw.optim.Adam()
    after, _ = optimizer.update(params, grads, optimizer.init(params))
    assert after["b"] is None and np.all(np.asarray(after["a"]) < Y)
    clipped, _ = sw.optim.clip_by_global_norm(grads, 1.0)
    assert clipped["b"] is None


def test_none_is_an_argument_of_its_own():
    """The code for None differs from the code for an array, for a missing argument and for a default."""
    f = sw.jit(lambda x, y=2.0: x if y is None else x + y)
    np.testing.assert_array_equal(f(Y, y=None), Y)
    np.testing.assert_array_equal(f(Y), Y + 2)
    np.testing.assert_array_equal(f(Y, Y), Y + Y)
    np.testing.assert_array_equal(f(Y, None), Y)


def test_arrays_in_a_tuple_are_not_plain_arguments():
    """A call with as many arrays as arguments, but nested in a tuple, is another call."""
    f = sw.jit(lambda a, b: a[0] - a[1] if b is None else a * b)
    np.testing.assert_array_equal(f((Y, Y), None), Y - Y)
    np.testing.assert_array_equal(f(Y, Y), Y * Y)
    g = sw.jit(lambda a, b: a[0] - a[1] if b == () else a * b)
    np.testing.assert_array_equal(g((Y, Y), ()), Y - Y)
    np.testing.assert_array_equal(g(Y, Y), Y * Y)


def test_cotangents_that_are_not_there():
    @sw.custom_vjp
    def first(p: Any) -> Any:
        return p["a"] * 3.0

    first.defvjp(lambda p: (p["a"] * 3.0, None), lambda _, g: ({"c": None, "b": None, "a": g * 5},))
    found = sw.grad(lambda p: sw.sum(first(p) + p["b"]))({"a": Y, "b": Y, "c": None})
    np.testing.assert_array_equal(found["a"], [5, 5])
    np.testing.assert_array_equal(found["b"], [1, 1])
    assert found["c"] is None


def test_trees_with_nothing():
    leaves, tree = flatten({"a": None, "b": [1, None]})
    assert leaves == [1] and tree.count == 1 and str(tree) == "{'a': None, 'b': [*, None]}"
    assert tree.unflatten([2]) == {"a": None, "b": [2, None]}
    assert map_leaves(lambda x, y: x + y, (1, None), (2, None)) == (3, None)
    with pytest.raises(ValueError, match="expected None in each argument"):
        map_leaves(max, (1, None), (2, 3))
    with pytest.raises(ValueError, match="expected a leaf in each argument"):
        map_leaves(max, (1, 2), (2, None))


def test_a_function_without_its_pair():
    with pytest.raises(sw.ShapeError, match=r"expected a function that returns a pair \(value, aux\), got Tensor"):
        sw.grad(lambda x: sw.sum(x), has_aux=True)(Y)
