"""Strided elements: vectors of every second to fourth element, and copies in which these elements are contiguous."""

import ctypes
import itertools
import mmap
import sys
from contextlib import contextmanager

import numpy as np
import pytest
import stepwell as sw
from stepwell.ir.index.expressions import dim, index
from stepwell.passes.loop.memory.interleaved import place_together, strided_index, strided_shape

# With vectors of 16 and 8 lanes, and without vectors.
SIZES = (0, 1, 2, 7, 15, 16, 17, 33, 100)


@pytest.mark.covering(1)
@pytest.mark.parametrize("step", [2, 3, 4, 5])
@pytest.mark.parametrize("dtype", [np.float32, np.float64, np.int32, np.int8, np.float16, np.bool_])
def test_every_few_elements(step, dtype):
    rng = np.random.default_rng(step)
    combine = (lambda a: a) if dtype is np.bool_ else (lambda a: a + a)
    ours = sw.jit(lambda x: (combine(x[1::step]), x[1::step] == x[:-1:step]))
    for size in SIZES:
        x = (rng.standard_normal(size * step + 1) * 10).astype(dtype)
        double, equal = ours(x)
        np.testing.assert_array_equal(equal, x[1::step] == x[:-1:step])
        np.testing.assert_array_equal(double, combine(x[1::step]).astype(dtype))


@pytest.mark.covering(1)
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


@pytest.mark.covering(1)
@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="protects pages as Linux does")
@pytest.mark.parametrize("step", [2, 3, 4])
@pytest.mark.parametrize("dtype", [np.float32, np.float64, np.int8])
def test_nothing_beside_the_elements_is_read(step, dtype):
    """Arrays begin after an unreadable page, or end before one: a load outside of them ends the process."""
    total, double = sw.jit(lambda x: sw.sum(x[::step])), sw.jit(lambda x: x[::step] + x[::step])
    for size in (1, 16, 17, 40, 64):
        count = (size - 1) * step + 1
        with guarded_page(dtype) as page:
            for x in (page[:count], page[len(page) - count :]):
                x[:] = 1
                assert total(x) == size
                np.testing.assert_array_equal(double(x), np.full(size, 2, dtype))


@contextmanager
def guarded_page(dtype):
    """An array of one page, between unreadable pages."""
    size = mmap.PAGESIZE
    memory = mmap.mmap(-1, 3 * size)
    start = ctypes.addressof(ctypes.c_char.from_buffer(memory))
    protect = ctypes.CDLL(None, use_errno=True).mprotect
    protect.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int]
    for page in (start, start + 2 * size):
        assert protect(page, size, 0) == 0
    try:
        yield np.frombuffer(memory, dtype, size // np.dtype(dtype).itemsize, size)
    finally:
        for page in (start, start + 2 * size):
            assert protect(page, size, mmap.PROT_READ | mmap.PROT_WRITE) == 0


@pytest.mark.parametrize("steps", [(1,), (3,), (1, 2), (2, 4), (3, 1, 2)])
def test_places_apart_and_together(steps):
    sizes = [5 + k for k in range(len(steps))]
    shape = [each.constant for each in strided_shape([index(size) for size in sizes], steps, [index(9)] * len(steps))]
    met = set()
    for places in itertools.product(*map(range, sizes)):
        at = tuple(each.constant for each in strided_index([index(place) for place in places], steps))
        assert all(each in range(size) for each, size in zip(at, shape, strict=True))
        assert [each.constant for each in place_together([index(each) for each in at], steps)] == list(places)
        met.add(at)
    assert len(met) == np.prod(sizes), "no two elements have one place"


def test_rows_that_no_window_reads_are_left_out():
    assert [each.constant for each in strided_shape([index(14), index(9)], (4, 3), [index(2), index(5)])] == [2, 3, 4, 3]


def test_steps_of_one_change_nothing():
    assert strided_index([dim(0), dim(1)], (1, 1)) == place_together([dim(0), dim(1)], (1, 1)) == [dim(0), dim(1)]
