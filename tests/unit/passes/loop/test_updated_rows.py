"""Rows updated at indices that are data, against NumPy: every accumulator, and dtypes that are computed in wider ones."""

import ml_dtypes
import numpy as np
import pytest
import stepwell as sw

UFUNCS = {"add": np.add, "mul": np.multiply, "max": np.maximum, "min": np.minimum}


def scattered(function: str, rows: np.ndarray, at: np.ndarray, updates: np.ndarray) -> np.ndarray:
    """NumPy's results in float64, for rows of small whole numbers, which all dtypes represent."""
    expected = rows.astype(np.float64)
    UFUNCS[function].at(expected, at, updates.astype(np.float64))
    return expected


@pytest.mark.covering(1)
@pytest.mark.parametrize("function", UFUNCS)
@pytest.mark.parametrize("dtype", [ml_dtypes.bfloat16, np.float16, np.float32, np.float64, np.int8, np.int64])
def test_rows_are_updated_in_every_dtype(function: str, dtype):
    random = np.random.default_rng(0)
    update = sw.jit(lambda x, i, u: sw.scatter(x, i, u, 0, op=function))
    # Short rows, rows of several vectors and of more than one part; each index several times, and no index.
    for count, length in ((6, 700), (6, 4), (6, 40), (0, 40)):
        rows = random.integers(-2, 3, (5, length)).astype(dtype)
        at, updates = random.integers(0, 5, count), random.integers(-1, 2, (count, length)).astype(dtype)
        found = np.asarray(update(rows, at, updates)).astype(np.float64)
        np.testing.assert_array_equal(found, scattered(function, rows, at, updates))


@pytest.mark.parametrize("dtype", [ml_dtypes.bfloat16, np.float32])
def test_gradients_of_embeddings(dtype):
    random = np.random.default_rng(0)
    gradient = sw.jit(sw.grad(lambda w, i, c: sw.sum(sw.take(w, i, axis=0) * c)))
    for count, length in ((9, 300), (9, 3)):
        weights, at = random.integers(-3, 4, (5, length)).astype(dtype), random.integers(0, 5, count)
        factors = random.integers(-2, 3, (count, length)).astype(dtype)
        expected = scattered("add", np.zeros((5, length)), at, factors)
        np.testing.assert_array_equal(np.asarray(gradient(weights, at, factors)).astype(np.float64), expected)


def test_gradients_of_gathered_maxima():
    random = np.random.default_rng(0)
    x, at = random.standard_normal((7, 300), np.float32), random.integers(0, 7, 20)
    found = np.asarray(sw.jit(sw.grad(lambda x, at: sw.sum(sw.max(sw.take(x, at, axis=0), axis=0))))(x, at))
    taken = x[at]
    shares = (taken == taken.max(0)) / (taken == taken.max(0)).sum(0)
    np.testing.assert_allclose(found, scattered("add", np.zeros(x.shape), at, shares), rtol=1e-6)
