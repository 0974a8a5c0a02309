"""Sorting and searching: as NumPy's."""

import numpy as np
import pytest
import stepwell as sw
from stepwell.ir.diagnostics import ShapeError

X = np.array([[3.0, 1.0, np.nan, 1.0, 2.0], [0.0, -1.0, 5.0, 5.0, -2.0]])
TARGETS = pytest.mark.parametrize("target", ["cpu", "interpret"])


@TARGETS
@pytest.mark.parametrize("axis", [0, 1, -1])
def test_elements_are_sorted_along_an_axis(axis, target):
    ordered, order = sw.jit(lambda x: (sw.sort(x, axis), sw.argsort(x, axis)), target=target)(X)
    np.testing.assert_array_equal(ordered, np.sort(X, axis))
    np.testing.assert_array_equal(order, np.argsort(X, axis, kind="stable"))


def test_descending_orders_keep_the_order_of_equal_elements():
    np.testing.assert_array_equal(sw.argsort(X[1], descending=True), [2, 3, 0, 1, 4])
    np.testing.assert_array_equal(sw.argsort(np.array([1, 3, 1], "uint8"), descending=True), [1, 0, 2])


@TARGETS
def test_the_greatest_elements_and_their_gradient(target):
    values, at = sw.jit(lambda x: sw.topk(x, 2), target=target)(X[1])
    assert values.tolist() == [5, 5] and at.tolist() == [2, 3]
    gradient = sw.jit(sw.grad(lambda x: sw.sum(sw.topk(x, 2)[0] * np.array([1.0, 10.0]))), target=target)(X[1])
    np.testing.assert_array_equal(gradient, [0, 0, 1, 10, 0])


@TARGETS
def test_all_elements_are_among_more_greatest_ones_than_there_are(target):
    values, at = sw.jit(lambda x: sw.topk(x, 9), target=target)(X[1])
    assert values.tolist() == [5, 5, 0, -1, -2] and at.tolist() == [2, 3, 0, 1, 4]


@pytest.mark.parametrize("count, message", [(-1, "topk: expected k of at least 0"), (2.5, "expected topk: k as an int")])
def test_a_number_of_greatest_elements_that_is_none(count, message):
    with pytest.raises(ShapeError, match=message):
        sw.jit(lambda x: sw.topk(x, count))(X)


@TARGETS
def test_a_sorted_axis_has_derivatives_of_any_order(target):
    def f(x):
        return sw.sum(sw.sort(x, descending=True) ** 3 * np.array([1.0, 2.0, 3.0]))

    second = sw.jit(sw.grad(lambda x: sw.sum(sw.grad(f)(x))), target=target)(np.array([2.0, 5.0, 1.0]))
    np.testing.assert_array_equal(second, [6 * 2 * 2, 6 * 5, 6 * 3])


@pytest.mark.parametrize("descending, expected", [(False, [1, 2, 3]), (True, [2, 3, 1])])
def test_gradients_of_equal_elements_are_in_the_order_of_argsort(descending, expected):
    gradient = sw.grad(lambda x: sw.sum(sw.sort(x, descending=descending) * np.array([1.0, 2.0, 3.0])))
    np.testing.assert_array_equal(gradient(np.array([1.0, 1.0, 2.0])), expected)


@pytest.mark.parametrize("size", [1, 2, 5, 6])
def test_medians(size):
    x = np.random.default_rng(size).standard_normal((3, size))
    np.testing.assert_allclose(sw.median(x, axis=1), np.median(x, 1))
    np.testing.assert_allclose(sw.median(x.T, axis=0, keepdims=True), np.median(x.T, 0, keepdims=True))


def test_a_median_with_nan_is_nan():
    np.testing.assert_array_equal(sw.median(X, axis=1), [np.nan, 0.0])


@pytest.mark.parametrize("side", ["left", "right"])
def test_places_in_a_sorted_axis(side):
    edges, values = np.array([0.0, 1.0, 1.0, 3.0]), np.array([[-1.0, 0.0, 1.0], [2.0, 3.0, 9.0]])
    np.testing.assert_array_equal(sw.searchsorted(edges, values, side=side), np.searchsorted(edges, values, side=side))


def test_another_side_is_an_error():
    with pytest.raises(ValueError, match="searchsorted: expected side 'left' or 'right', got 'up'"):
        sw.jit(lambda x: sw.searchsorted(x, x, side="up"))(np.ones(3))


@TARGETS
def test_indices_of_elements_that_are_not_zero(target):
    x = np.array([[0, 2, 0], [4, 0, 6]])
    rows, columns = sw.jit(lambda x: sw.nonzero(x, size=4), target=target)(x)
    assert rows.tolist() == [0, 1, 1, -1] and columns.tolist() == [1, 0, 2, -1]
    rows, _ = sw.jit(lambda x: sw.nonzero(x, size=2, fill_value=9), target=target)(x)
    assert rows.tolist() == [0, 1]


@TARGETS
def test_counts_of_numbers(target):
    x, weights = np.array([[0, 3], [3, 1]]), np.array([[0.5, 1.0], [2.0, 4.0]])
    np.testing.assert_array_equal(sw.jit(lambda x: sw.bincount(x, length=5), target=target)(x), [1, 1, 0, 2, 0])
    found = sw.jit(lambda x, w: sw.bincount(x, length=5, weights=w), target=target)(x, weights)
    np.testing.assert_array_equal(found, [0.5, 4, 0, 3, 0])
    with pytest.raises(IndexError):
        sw.jit(lambda x: sw.bincount(x, length=3), target=target)(x)


MIXED = np.array([[3.0, np.nan, 1.0, 3.0], [-0.0, 1.0, np.nan, 0.0]])
ALL = {"return_index": True, "return_inverse": True, "return_counts": True}


@pytest.mark.parametrize("x", [MIXED, MIXED.astype("float32"), np.array([2, 2, 0], "int8"), np.zeros((0, 2)), np.array(7)])
def test_distinct_elements_outside_of_compiled_functions(x):
    for found, expected in zip(sw.unique(x, **ALL), np.unique(x, **ALL), strict=True):
        np.testing.assert_array_equal(found, expected)
    assert str(sw.unique(x).dtype) == str(x.dtype)


@TARGETS
def test_distinct_elements_in_compiled_functions(target):
    values, first, inverse, counts = sw.jit(lambda x: sw.unique(x, size=6, **ALL), target=target)(MIXED)
    np.testing.assert_array_equal(values, [0, 1, 3, np.nan, 0, 0])
    assert first.tolist() == [4, 2, 0, 1, -1, -1] and counts.tolist() == [2, 2, 2, 2, 0, 0]
    np.testing.assert_array_equal(inverse, [[2, 3, 1, 2], [0, 1, 3, 0]])
    two = sw.jit(lambda x: sw.unique(x, size=2), target=target)(np.array([5, 4, 4, 9]))
    assert two.tolist() == [4, 5]
    filled = sw.jit(lambda x: sw.unique(x, size=3, fill_value=-1), target=target)(np.zeros(0, "int32"))
    assert filled.tolist() == [-1, -1, -1] and filled.dtype == np.int32


def test_gradients_of_distinct_elements_go_to_the_first_ones():
    slope = sw.jit(sw.grad(lambda x: sw.sum(sw.unique(x, size=2) * np.array([1.0, 10.0]))))(np.array([2.0, 1.0, 2.0]))
    assert slope.tolist() == [10, 1, 0]


def test_elements_that_are_not_zero_outside_of_compiled_functions():
    x = np.array([[0, 2, 0], [4, 0, 6]])
    for found, expected in zip(sw.nonzero(x), np.nonzero(x), strict=True):
        np.testing.assert_array_equal(found, expected)
    rows, _ = sw.nonzero(x, size=4)
    assert rows.numpy().tolist() == [0, 1, 1, -1]


@pytest.mark.parametrize("name", ["unique", "nonzero"])
def test_compiled_functions_need_a_size(name):
    with pytest.raises(
        sw.ShapeError, match=rf"{name}: the size of the result is known only at run time.*{name}\(x, size=...\)"
    ):
        sw.jit(lambda x: getattr(sw, name)(x))(X)
    with pytest.raises(sw.ShapeError, match=f"{name}: expected a size of at least 0, got -1"):
        getattr(sw, name)(X, size=-1)
