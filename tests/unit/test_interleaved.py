"""Elements that lie some steps apart: vectors of every second to fourth one, and copies that hold these side by side."""

import itertools

import numpy as np
import pytest
import stepwell as sw
from stepwell.ir.index import dim, index
from stepwell.passes.interleaved import place_apart, place_together, shape_apart

# Beside vectors of 16 and 8 lanes, and none at all.
SIZES = (0, 1, 2, 7, 15, 16, 17, 33, 100)


@pytest.mark.parametrize("step", [2, 3, 4, 5])
@pytest.mark.parametrize("dtype", [np.float32, np.float64, np.int32, np.int8, np.float16])
def test_every_few_elements(step, dtype):
    rng = np.random.default_rng(step)
    double = sw.jit(lambda x: x[1::step] + x[1::step])
    for size in SIZES:
        x = (rng.standard_normal(size * step + 1) * 10).astype(dtype)
        np.testing.assert_array_equal(double(x), (x[1::step] + x[1::step]).astype(dtype))


@pytest.mark.parametrize("step", [2, 3, 4, 5])
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_reductions_of_every_few_elements(step, dtype):
    rng = np.random.default_rng(step)
    total = sw.jit(lambda x: (sw.sum(x[::step]), sw.argmax(x[1::step])))
    rows = sw.jit(lambda x: (sw.sum(x * x, axis=1), sw.max(x, axis=1) - x[:, 0]))
    for size in SIZES[1:]:
        x = rng.standard_normal(size * step + 1).astype(dtype)
        found, place = total(x)
        np.testing.assert_allclose(found, x[::step].astype(np.float64).sum(), rtol=1e-5, atol=1e-5)
        assert place == x[1::step].argmax()
        matrix = rng.standard_normal((size, step)).astype(dtype)
        squares, beyond = rows(matrix)
        np.testing.assert_allclose(squares, (matrix.astype(np.float64) ** 2).sum(axis=1), rtol=1e-5)
        np.testing.assert_array_equal(beyond, matrix.max(axis=1) - matrix[:, 0])


def test_nothing_behind_the_last_element_is_read():
    """The last element is the last of its page, and what follows is another result: NaN there must not come through."""
    memory = np.full(4096, np.nan, np.float32)
    memory[: 2 * 33 : 2] = 1
    x = memory[: 2 * 33 - 1]
    assert sw.jit(lambda x: sw.sum(x[::2]))(x) == 33


@pytest.mark.parametrize("steps", [(1,), (3,), (1, 2), (2, 4), (3, 1, 2)])
def test_places_apart_and_together(steps):
    sizes = [5 + k for k in range(len(steps))]
    shape = [each.constant for each in shape_apart([index(size) for size in sizes], steps)]
    met = set()
    for places in itertools.product(*map(range, sizes)):
        at = tuple(each.constant for each in place_apart([index(place) for place in places], steps))
        assert all(each in range(size) for each, size in zip(at, shape, strict=True))
        assert [each.constant for each in place_together([index(each) for each in at], steps)] == list(places)
        met.add(at)
    assert len(met) == np.prod(sizes), "no two elements have one place"


def test_steps_of_one_change_nothing():
    assert place_apart([dim(0), dim(1)], (1, 1)) == place_together([dim(0), dim(1)], (1, 1)) == [dim(0), dim(1)]
