"""Sums of long rows that are unrolled and jammed, and sums of everything in blocks, compiled for CPUs."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import stepwell as sw
from stepwell.runtime.cpu.program import THREADS

ROWS = (1, 3, 63, 64, 65, 130)
COLUMNS = (0, 1, 15, 255, 256, 1029)
SUMS: dict[str, tuple[Callable[[Any], Any], Callable[[Any], Any]]] = {
    "sum": (lambda v: sw.sum(v, axis=1), lambda v: v.sum(axis=1)),
    "sum and maximum": (lambda v: (sw.sum(v, axis=1), sw.max(v, axis=1)), lambda v: (v.sum(axis=1), v.max(axis=1))),
    "variance": (lambda v: sw.var(v, axis=1), lambda v: v.var(axis=1)),
    "variance of columns": (lambda v: (sw.mean(v, axis=0), sw.var(v, axis=0)), lambda v: (v.mean(axis=0), v.var(axis=0))),
    "everything": (sw.sum, lambda v: v.sum()),
    "a matrix by a vector": (lambda v: v @ sw.ones((v.shape[1],), "float32"), lambda v: v.sum(axis=1)),
}


@pytest.mark.parametrize("name", SUMS)
def test_sums_of_all_sizes(name: str):
    ours, oracle = SUMS[name]
    compiled = sw.lower(ours, sw.Spec(("n", "m"), "float32"))
    for rows in ROWS:
        for columns in COLUMNS[2:] if name in ("sum and maximum", "variance", "variance of columns") else COLUMNS:
            x = np.random.default_rng(rows + columns).normal(size=(rows, columns)).astype(np.float32)
            for got, expected in zip(_tuple(compiled(x)), _tuple(oracle(x.astype(np.float64))), strict=True):
                np.testing.assert_allclose(got, expected, rtol=1e-6, atol=1e-6 * np.abs(x).sum() / max(1, rows))


def _tuple(results: Any) -> tuple[Any, ...]:
    return results if isinstance(results, tuple) else (results,)


def test_a_row_has_the_same_sum_wherever_it_stands():
    row = np.random.default_rng(7).normal(size=5000).astype(np.float32)
    sums = np.asarray(sw.jit(lambda v: sw.sum(v, axis=1))(np.tile(row, (67, 1))))
    assert len(np.unique(sums)) == 1


@pytest.mark.parametrize("length", [0, 1, 8191, 8192, 8193, 3 * 8192 + 17, 70 * 8192 + 1])
def test_sums_of_everything_in_parts(length: int):
    x = np.random.default_rng(length).normal(size=length).astype(np.float32)
    got = sw.jit(lambda v: (sw.sum(v), sw.prod(v * 0 + 1)))(x)
    np.testing.assert_allclose(got[0], x.sum(dtype=np.float64), rtol=1e-6, atol=1e-8 * length)
    assert got[1] == 1


def test_what_is_cast_to_an_integer_before_it_is_summed_is_truncated_first():
    x = np.random.default_rng(0).normal(size=(3, 100)).astype(np.float32) * 3
    got = sw.jit(lambda v: sw.sum(sw.astype(v, "int64"), axis=1))(x)
    np.testing.assert_array_equal(got, x.astype(np.int64).sum(axis=1))


@pytest.mark.parametrize("columns", [2, 3, 5, 8, 15, 16])
def test_reductions_down_few_columns(columns: int):
    sums = sw.jit(lambda x: (sw.sum(x, axis=0), sw.sum(x * x, axis=0) / 3))
    others = sw.jit(lambda x: (sw.max(x, axis=0), sw.std(x, axis=0)))
    whole = sw.jit(lambda x: sw.sum(x, axis=0))
    weighted = sw.jit(lambda x, w: sw.sum(x * w[:, None], axis=0))
    for rows in (20011, 5000, 4095, 1500, 100, 1, 0):  # the first call decides that columns are a constant
        x = np.random.default_rng(rows).standard_normal((rows, columns)).astype("float32")
        exact = x.astype("float64")
        total, squares = sums(x)
        np.testing.assert_allclose(total, exact.sum(axis=0), rtol=1e-5, atol=1e-3)
        np.testing.assert_allclose(squares, (exact * exact).sum(axis=0) / 3, rtol=1e-5)
        weights = np.linspace(0, 1, rows, dtype="float32")
        np.testing.assert_allclose(weighted(x, weights), weights.astype("float64") @ exact, rtol=1e-5, atol=1e-3)
        numbers = (x * 10).astype("int64")
        np.testing.assert_array_equal(whole(numbers), numbers.sum(axis=0))
        if rows:
            greatest, deviation = others(x)
            np.testing.assert_array_equal(greatest, x.max(axis=0))
            np.testing.assert_allclose(deviation, exact.std(axis=0), rtol=1e-4, atol=1e-6)


@pytest.mark.parametrize("is_known", [True, False], ids=["known", "unknown"])
def test_reductions_down_many_columns_in_blocks_of_rows(is_known: bool, monkeypatch: pytest.MonkeyPatch):
    """Without rows, one block and many blocks, remainders, and more columns than blocks have; any number of threads gives the
    same bits."""

    def reductions(x: sw.Tensor, w: sw.Tensor) -> tuple[sw.Tensor, ...]:
        return sw.mean(x, axis=0), sw.max(x, axis=0) + 1, sw.sum(x * w[:, None], axis=0)

    compiled = sw.jit(reductions)
    sizes = ((600, 16384), (20_011, 20), (997, 333), (40, 40_000), (1639, 20), (256, 20), (15, 4000), (1, 20), (0, 20))
    for rows, columns in sizes[:4:2] if is_known else sizes:
        f = sw.jit(reductions, static=True) if is_known else compiled
        x = np.random.default_rng(rows).standard_normal((rows, columns)).astype("float32")
        w = np.linspace(0, 1, rows, dtype="float32")
        if rows == 0:
            np.testing.assert_array_equal(f(x, w)[2], np.zeros(columns))
            continue
        mean, greatest, weighted = found = f(x, w)
        exact = x.astype("float64")
        np.testing.assert_allclose(mean, exact.mean(axis=0), rtol=1e-5, atol=1e-6)
        np.testing.assert_array_equal(greatest, x.max(axis=0) + 1)
        np.testing.assert_allclose(weighted, w.astype("float64") @ exact, rtol=1e-5, atol=1e-3)
        for count in (1, 3):
            monkeypatch.setattr(THREADS, "count", count)
            for one, other in zip(f(x, w), found, strict=True):
                np.testing.assert_array_equal(one, other)
