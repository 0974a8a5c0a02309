"""The axis may be given by its position, as NumPy, torch and JAX take it."""

from __future__ import annotations

import numpy as np
import pytest
import stepwell as sw

X = np.arange(1, 13, dtype="float64").reshape(3, 4)
SAME = (
    *("sum", "prod", "max", "min", "any", "all", "count_nonzero", "argmax", "argmin", "mean", "var", "std"),
    *("cumsum", "cumprod", "flip"),
)


@pytest.mark.parametrize("name", SAME)
def test_functions_of_an_array(name):
    ours, theirs = getattr(sw, name), getattr(np, name)
    found = sw.jit(lambda x: [ours(x, axis) for axis in (0, 1, -1)])(X)
    for axis, each in zip((0, 1, -1), found, strict=True):
        np.testing.assert_allclose(each, theirs(X, axis))
    np.testing.assert_allclose(ours(X, 1), theirs(X, 1))


@pytest.mark.parametrize("name", ["sum", "max", "min", "mean", "std", "argmax", "prod", "any", "all"])
def test_methods(name):
    np.testing.assert_allclose(sw.jit(lambda x: getattr(x, name)(0))(X), getattr(X, name)(0))


@pytest.mark.parametrize(
    "name", ["softmax", "log_softmax", "logsumexp", "cumulative_sum", "cumulative_prod", "cummax", "cummin"]
)
def test_functions_that_numpy_lacks(name):
    function = getattr(sw, name)
    np.testing.assert_allclose(function(X, 0), function(X, axis=0))


def test_functions_with_more_arguments():
    np.testing.assert_allclose(sw.concat([X, X], 1), np.concatenate([X, X], 1))
    np.testing.assert_allclose(sw.concatenate([X, X], 1), np.concatenate([X, X], 1))
    np.testing.assert_allclose(sw.stack([X, X], 1), np.stack([X, X], 1))
    np.testing.assert_allclose(sw.roll(X, 1, 1), np.roll(X, 1, 1))
    np.testing.assert_allclose(sw.take(X, np.array([2, 0]), 0), np.take(X, [2, 0], 0))
    np.testing.assert_allclose(sw.repeat(X, 2, 1), np.repeat(X, 2, 1))
    for ours, theirs in zip(sw.split(X, 2, 1), np.split(X, 2, 1), strict=True):
        np.testing.assert_allclose(ours, theirs)
