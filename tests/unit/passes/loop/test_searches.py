"""argmax and argmin along memory, in vectors with a remainder: the first extremum, or the first NaN, as in NumPy."""

from __future__ import annotations

import functools
from typing import Any

import numpy as np
import pytest
import stepwell as sw
from stepwell.passes.loop.vector import searches

RNG = np.random.default_rng(0)
INF, NAN = np.inf, np.nan


@functools.cache
def both(static: bool) -> Any:
    """One program, compiled once for each dtype; of two arguments, so that the searches share no loops."""
    return sw.jit(lambda x, y: (sw.argmax(x, axis=-1), sw.argmin(y, axis=-1)), static=static)


def expect_same(x: np.ndarray, static: bool = False) -> None:
    for found, wanted in zip(both(static)(x, x.copy()), (np.argmax(x, axis=-1), np.argmin(x, axis=-1)), strict=True):
        np.testing.assert_array_equal(found, wanted)


@pytest.mark.parametrize("dtype", ["float32", "float64", "float16", "int8", "int32", "int64", "uint8"])
def test_values_that_occur_often(dtype: str):
    for size in (100, 1, 31, 32, 33, 64, 1000):
        expect_same(RNG.integers(0, 4, (20, size)).astype(dtype))
        expect_same(RNG.integers(0, 100, (20, size)).astype(dtype))


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_nan_and_infinities_at_every_place(dtype: str):
    size = 70
    for special in (INF, -INF, NAN, 0.0, -0.0):
        rows = RNG.standard_normal((size, size)).astype(dtype)
        rows[np.arange(size), np.arange(size)] = special
        expect_same(rows)
        expect_same(np.full((2, size), special, dtype))
        rows[:, 40:] = special
        expect_same(rows)


def test_extreme_integers():
    for info in (np.iinfo("int32"), np.iinfo("int64"), np.iinfo("uint8")):
        rows = RNG.choice(np.array([info.min, info.max], info.dtype), (10, 70))
        expect_same(rows)
        expect_same(np.full((2, 70), info.min, info.dtype))
        expect_same(np.full((2, 70), info.max, info.dtype))


def test_searches_of_what_is_computed_and_of_short_rows():
    x = RNG.standard_normal((50, 200)).astype("float32")
    found = sw.jit(lambda x: sw.argmax(sw.sin(x) * 2 - x, axis=1))(x)
    np.testing.assert_array_equal(found, np.argmax(np.sin(x.astype("float64")) * 2 - x, axis=1))
    for size in (2, 3, 8, 9):
        expect_same(RNG.integers(0, 3, (40, size)).astype("float32"), static=True)


def test_what_is_longer_than_positions_of_32_bits_goes_part_by_part(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(searches, "LONGEST", 128)
    rows = RNG.integers(0, 50, (20, 1000)).astype("float32")
    rows[0, 700] = NAN
    rows[1, 3] = rows[1, 999] = 60
    for ours, theirs in ((sw.argmax, np.argmax), (sw.argmin, np.argmin)):
        low = sw.lower(lambda x, ours=ours: ours(x, axis=1), sw.Spec((20, 1000), "float32"))
        assert "step 128" in low.ir("scheduled")
        np.testing.assert_array_equal(low(rows), theirs(rows, axis=1))
