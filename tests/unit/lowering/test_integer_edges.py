"""Integer operations on the same values in one program, at the edges of their ranges: C compilers share subexpressions."""

import itertools

import numpy as np
import pytest
import stepwell as sw

FIRST = (lambda a: a, lambda a: -a, abs, lambda a: ~a)
SECOND = (
    *(lambda a, b, f=f: f(a, b) for f in (sw.floor_divide, sw.remainder, sw.multiply, sw.add, sw.subtract, sw.minimum)),
    *(lambda a, b, k=k: a // k for k in (2, -2, 3, -3, 7)),
    *(lambda a, b, k=k: a % k for k in (2, -2, 3, -3)),
    lambda a, b: a >> 1,
)


def all_pairs(a, b):
    values = [f(a) for f in FIRST]
    return [second(value, b) for value, second in itertools.product(values, SECOND)]


def edges(dtype):
    least, greatest = np.iinfo(dtype).min, np.iinfo(dtype).max
    numbers = [least, least + 1, -3, -2, -1, 1, 2, 3, greatest - 1, greatest]
    return (np.array(each, dtype) for each in zip(*itertools.product(numbers, numbers), strict=True))


@pytest.mark.parametrize("dtype", ["int8", "int16", "int32", "int64"])
def test_pairs_of_operations_at_the_edges(dtype):
    a, b = edges(dtype)
    model, oracle = sw.jit(all_pairs), sw.jit(all_pairs, target="interpret")
    for found, expected in zip(model(a, b), oracle(a, b), strict=True):
        np.testing.assert_array_equal(found, expected)
    for k in (0, 7, 33, 99):
        for found, expected in zip(model(a[k], b[k]), oracle(a[k], b[k]), strict=True):
            assert found == expected


# Quotients by 49 in float64 are one too small at multiples.
DIVISORS = (7, -7, 49, -49, 1 << 52, (1 << 53) + 1, -(1 << 63))


def test_quotients_of_vectors_of_every_magnitude():
    """Quotients of small 64-bit integers may be computed in float64; quotients of larger ones, and quotients by 0, may not."""
    random = np.random.default_rng(0)
    functions = [lambda a, b: a // b, lambda a, b: a % b]
    functions += [lambda a, b, k=k, f=f: f(a, k) for k in DIVISORS for f in (sw.floor_divide, sw.remainder)]
    models = [(sw.jit(each), sw.jit(each, target="interpret")) for each in functions]
    for bits in (3, 30, 50, 51, 52, 62):
        a, b = (random.integers(-(1 << bits), 1 << bits, 203) for _ in range(2))
        b[b == 0] = 1
        a[::3] = b[::3] * random.integers(-3, 4, len(b[::3])) + random.integers(-1, 2, len(b[::3]))
        a[1::3] = 49 * random.integers(-(1 << bits) // 49, (1 << bits) // 49, len(a[1::3])) + random.integers(
            -1, 2, len(a[1::3])
        )
        for model, oracle in models:
            np.testing.assert_array_equal(model(a, b), oracle(a, b))
