"""Casts from floats to integers and back: what truncates to zero is +0, for all pairs of dtypes, with and without vectors."""

import itertools

import numpy as np
import pytest
import stepwell as sw

FLOATS = ("float16", "bfloat16", "float32", "float64")
INTEGERS = ("int8", "int16", "int32", "int64", "uint8")
NUMBERS = np.array([-0.5, -0.0, 0.0, 0.5, -0.99, -1, -1.5, 1.5, 7.25, np.nan])
PAIRS = tuple(itertools.product(FLOATS, INTEGERS, FLOATS))


def there_and_back(x):
    exact = [sw.astype(sw.astype(sw.astype(sw.astype(x, a), b), c), "float64") for a, b, c in PAIRS]
    return [1 / each for each in exact]


@pytest.mark.parametrize("shape", [(), (1,), (3,), (10,), (3, 19)])
def test_zeros_from_integers_are_positive(shape):
    model = sw.jit(there_and_back)
    given = [np.asarray(a) for a in NUMBERS] if shape == () else [np.resize(NUMBERS, shape)]
    for x in given:
        for pair, found, wanted in zip(PAIRS, model(x), sw.jit(there_and_back, target="interpret")(x), strict=True):
            np.testing.assert_array_equal(found, wanted, err_msg=f"{pair} of {x}")
            assert (np.asarray(found)[np.abs(x) < 1] == np.inf).all(), pair
