"""Elements at indices that are data, in vectors: every dtype, negative indices, indices out of bounds, and empty arrays."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import stepwell as sw

ml_dtypes = pytest.importorskip("ml_dtypes")
DTYPES = (np.float32, np.float64, np.float16, ml_dtypes.bfloat16, np.int8, np.int32, np.int64, np.uint8, np.bool_)
COUNTS = (0, 1, 15, 16, 17, 100)

take = sw.jit(lambda x, k: sw.take(x, k, axis=0))


@pytest.mark.parametrize("dtype", DTYPES)
def test_elements_of_every_dtype(dtype: Any):
    random = np.random.default_rng(0)
    x = random.integers(0, 2 if dtype is np.bool_ else 100, 37).astype(dtype)
    for count in COUNTS:
        at = random.integers(-37, 37, count)
        np.testing.assert_array_equal(take(x, at), x[at])


@pytest.mark.parametrize("dtype", [np.int8, np.int32, np.int64, np.uint8])
def test_indices_of_every_dtype(dtype: Any):
    random = np.random.default_rng(0)
    x = random.standard_normal(100)
    at = random.integers(0 if dtype is np.uint8 else -100, 100, 70).astype(dtype)
    np.testing.assert_array_equal(take(x, at), x[at])
    chained = sw.jit(lambda x, k: sw.take(sw.take(x * 2, k, axis=0), k % 70, axis=0))
    np.testing.assert_array_equal(chained(x, at), (x * 2)[at][at % 70])


@pytest.mark.covering(1)
@pytest.mark.parametrize("count", [1, 15, 16, 40, 70])
@pytest.mark.parametrize("wrong", [5, -6, 2**40, -(2**63)])
def test_the_first_index_out_of_bounds_is_named(count: int, wrong: int):
    x, at = np.arange(5, dtype=np.float32), np.zeros(count, np.int64)
    at[count // 2] = wrong
    at[-1] = at[-1] or 7
    messages = []
    for target in ("cpu", "interpret"):
        with pytest.raises(IndexError) as caught:
            sw.jit(lambda x, k: sw.exp(sw.take(x, k, axis=0)), target=target)(x, at)
        messages.append(str(caught.value))
    assert messages[0] == messages[1] and str(wrong) in messages[0]


def test_nothing_is_read_of_an_empty_array():
    x = np.empty(0, np.float32)
    assert take(x, np.empty(0, np.int64)).shape == (0,)
    with pytest.raises(IndexError, match="0"):
        take(x, np.zeros(20, np.int64))


def test_sums_and_functions_of_gathered_elements():
    random = np.random.default_rng(0)
    x, w = random.standard_normal((2, 300))
    at = random.integers(-300, 300, 1001)
    total = sw.jit(lambda x, k: sw.sum(sw.take(x, k, axis=0)))
    np.testing.assert_allclose(total(x, at), x[at].sum(), rtol=1e-12)
    weighted = sw.jit(lambda x, w, k: sw.exp(sw.take(x, k, axis=0)) * sw.take(w, k, axis=0))
    np.testing.assert_allclose(weighted(x, w, at), np.exp(x[at]) * w[at], rtol=1e-12)
    table = random.standard_normal((40, 50))
    columns, rows = random.integers(-50, 50, 77), random.integers(-40, 40, 77)
    picked = sw.jit(lambda x, i, j: x[i, j])
    np.testing.assert_array_equal(picked(table, rows, columns), table[rows, columns])
    along = sw.jit(lambda x, k: sw.take_along_axis(x, k, axis=1))
    order = np.argsort(table, axis=1)
    np.testing.assert_array_equal(along(table, order), np.take_along_axis(table, order, axis=1))
    side = sw.jit(lambda x, k: sw.take(x, k, axis=1))
    np.testing.assert_array_equal(side(table, columns), table[:, columns])


@pytest.mark.parametrize("dtype", [np.float32, np.float64, ml_dtypes.bfloat16, np.int32])
@pytest.mark.parametrize("length", [0, 1, 15, 16, 17, 70])
@pytest.mark.parametrize("count", [0, 1, 40])
def test_reductions_of_rows_by_number(count: int, length: int, dtype: Any):
    random = np.random.default_rng(0)
    x, at = random.integers(-50, 50, (9, length)).astype(dtype), random.integers(-9, 9, count)
    f = sw.jit(lambda x, k: (sw.max(sw.take(x, k, axis=0)), sw.sum(sw.take(x, k, axis=0) * 2)))
    largest, total = f(x, at)
    rows = x[at].astype(np.float64)
    assert total == (rows * 2).sum().astype(total.dtype)
    assert rows.size == 0 or largest == rows.max()


def test_reductions_of_rows_by_number_name_the_first_index_out_of_bounds():
    x = np.ones((5, 30), np.float32)
    with pytest.raises(IndexError, match="7"):
        sw.jit(lambda x, k: sw.sum(sw.take(x, k, axis=0)))(x, np.array([0, 1, 7, 9]))


@pytest.mark.parametrize("special", [np.nan, np.inf, -np.inf])
def test_reductions_of_rows_by_number_of_special_values(special: float):
    x = np.full((4, 20), -1.0, np.float32)
    x[2, 18] = special
    f = sw.jit(lambda x, k: (sw.max(sw.take(x, k, axis=0)), sw.sum(sw.take(x, k, axis=0))))
    for at in ([0, 1, 3], [0, 2, 2]):
        np.testing.assert_array_equal(np.array(f(x, np.array(at))), np.array([x[at].max(), x[at].sum()]))


def test_integers_that_are_computed_from_each_other_many_times_compile_in_linear_time():
    """Each step uses the one before three times: a visit for each use would be 3^60 visits."""

    def picked(x):
        k = sw.arange(8)
        for _ in range(60):
            k = k + k - k
        return x[k]

    np.testing.assert_array_equal(sw.jit(picked, static=True)(np.arange(8.0)), np.arange(8.0))
