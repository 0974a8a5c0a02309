"""Sums of exponentials below the maximum of a row, in one pass with it: rows of several parts, compiled for CPUs."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import stepwell as sw

PART = 4096
LENGTHS = (1, PART - 1, PART, PART + 1, 3 * PART + 17)
INF, NAN = np.inf, np.nan


def _below(v: Any) -> Any:
    return sw.exp(v - sw.max(v, axis=-1, keepdims=True))


CHAINS: dict[str, tuple[Callable[[Any], Any], Callable[[Any], Any]]] = {
    "softmax": (lambda v: sw.softmax(v, axis=-1), lambda v: _exp(v) / _exp(v).sum(axis=-1, keepdims=True)),
    "logsumexp": (lambda v: sw.logsumexp(v, axis=-1), lambda v: _logsumexp(v)),
    "sum of exponentials": (lambda v: sw.sum(_below(v), axis=-1), lambda v: _exp(v).sum(axis=-1)),
    "weighted sum": (lambda v: sw.sum(_below(v) * sw.cos(v), axis=-1), lambda v: (_exp(v) * np.cos(v)).sum(axis=-1)),
    "exponentials and one more": (lambda v: _share(sw, v), lambda v: _share(np, v)),
    "two sums": (
        lambda v: (sw.sum(_below(v), axis=-1), sw.sum(_below(v) * 2 * _below(v), axis=-1)),
        lambda v: (_exp(v).sum(axis=-1), (_exp(v) * 2 * _exp(v)).sum(axis=-1)),
    ),
}


def _exp(v: Any) -> Any:
    return np.exp(v - v.max(axis=-1, keepdims=True))


def _share(library: Any, v: Any) -> Any:
    """What is below a maximum where that is finite, over one more than their sum."""
    top = library.max(v, axis=-1, keepdims=True)
    powers = library.exp(v - library.where(library.isfinite(top), top, library.zeros_like(top)))
    return powers / (library.sum(powers, axis=-1, keepdims=True) + 1)


def _logsumexp(v: Any) -> Any:
    top = v.max(axis=-1, keepdims=True)
    top = np.where(np.isfinite(top), top, 0)
    return (np.log(np.exp(v - top).sum(axis=-1, keepdims=True)) + top)[..., 0]


def _rows(length: int) -> Any:
    """Rows whose maximum comes early and late, rises by a lot, is infinite, is met in some parts only, or is not a number."""
    generator = np.random.default_rng(length)
    rows = generator.normal(size=(9, length)).astype(np.float32)
    first, last = slice(0, (length + 1) // 2), slice(length // 2, length)
    rows[1] = np.sort(rows[1]) * 100
    rows[2] = np.sort(rows[2])[::-1] * 100
    rows[3] -= 200
    rows[3, first] = -INF
    rows[4, last] = -INF
    rows[5] = -INF
    rows[6, -1] = INF
    rows[7, 0] = INF
    rows[8, last] = NAN
    return rows


@pytest.mark.parametrize("name", CHAINS)
@pytest.mark.filterwarnings("ignore:invalid value:RuntimeWarning", "ignore:divide by zero:RuntimeWarning")
def test_rows_of_several_parts(name: str):
    ours, oracle = CHAINS[name]
    compiled = sw.lower(ours, sw.Spec(("n", "m"), "float32"))
    for length in LENGTHS:
        # As many rows as are done several at a time, and one by one.
        for x in (_rows(length), np.tile(_rows(length), (8, 1))):
            wide = x.astype(np.float64)
            for got, expected in zip(_tuple(compiled(x)), _tuple(oracle(wide)), strict=True):
                np.testing.assert_allclose(got, expected, rtol=1e-5, atol=1e-6, err_msg=f"{name}, {x.shape}")


def _tuple(results: Any) -> tuple[Any, ...]:
    return results if isinstance(results, tuple) else (results,)


def test_rows_without_elements_have_sums_of_zero():
    compiled = sw.lower(lambda v: sw.sum(_below(v), axis=-1), sw.Spec(("n", "m"), "float32"))
    np.testing.assert_array_equal(compiled(np.zeros((3, 0), np.float32)), np.zeros(3, np.float32))


@pytest.mark.parametrize("dtype", ["float64", "float16", "bfloat16"])
def test_other_floats(dtype: str):
    x = np.random.default_rng(3).normal(size=(5, 2 * PART + 5)) * 4
    x = np.asarray(sw.astype(x, dtype))
    wide = x.astype(np.float64)
    got = np.asarray(sw.jit(lambda v: sw.softmax(v, axis=-1))(x)).astype(np.float64)
    tolerance = {"float64": 1e-12, "float16": 2e-3, "bfloat16": 2e-2}[dtype]
    np.testing.assert_allclose(got, _exp(wide) / _exp(wide).sum(axis=-1, keepdims=True), rtol=tolerance, atol=1e-7)


def test_a_row_of_one_part_has_the_bits_of_two_passes():
    """The first part of a row of two, whose second part is far below, has the same sum as alone."""
    row = np.random.default_rng(5).normal(size=(1, PART)).astype(np.float32)
    longer = np.concatenate([row, np.full_like(row, -1000)], axis=1)
    total = sw.jit(lambda v: sw.sum(_below(v), axis=-1))
    np.testing.assert_array_equal(total(row), total(longer))
