"""Orders of elements are those of NumPy's stable sort, for each dtype, with ties, NaN, infinities and both zeros."""

from typing import Any

import ml_dtypes
import numpy as np
import pytest
from stepwell.frontend.libraries.order import in_order, indices_in_order, indices_of_greatest

DTYPES = ["float32", "float64", "float16", "int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64", "bool"]
FLOATS_OF_NUMPY_EXTENSIONS = (ml_dtypes.bfloat16, ml_dtypes.float8_e4m3fn, ml_dtypes.float8_e5m2)
SHAPES = ((7,), (3, 5), (2, 0), (0, 3), (1,), (30, 500), (2, 1, 70000))
SPECIAL = (np.nan, np.inf, -np.inf, 0.0, -0.0)


def samples(dtype: Any, shape: tuple[int, ...]) -> list[Any]:
    """Elements with few ties, with many, and with the limits of the dtype or special values among them."""
    random, found = np.random.default_rng(0), np.dtype(dtype)
    if found.kind == "b":
        return [random.integers(0, 2, shape).astype(bool)]
    if found.kind in "iu":
        limits = np.iinfo(found)
        nasty = random.integers(limits.min, limits.max, shape, found, endpoint=True)
        nasty.flat[:2] = [limits.min, limits.max][: nasty.size]
        return [random.integers(limits.max - 9, limits.max, shape, found), nasty]
    nasty = random.standard_normal(shape).astype(found)
    for each in SPECIAL:
        nasty[random.random(shape) < 0.05] = each
    return [random.standard_normal(shape).astype(found), nasty]


def stable(x: Any, descending: bool) -> Any:
    if descending:
        return x.shape[-1] - 1 - np.argsort(x[..., ::-1], -1, kind="stable")[..., ::-1]
    return np.argsort(x, -1, kind="stable")


@pytest.mark.parametrize("dtype", [*DTYPES, *FLOATS_OF_NUMPY_EXTENSIONS], ids=lambda each: np.dtype(each).name)
def test_orders_are_stable(dtype: Any):
    for x in (x for shape in SHAPES for x in samples(dtype, shape)):
        plain = x if x.dtype.kind in "iub" else x.astype(np.float64)
        np.testing.assert_array_equal(indices_in_order(x), stable(plain, False))
        np.testing.assert_array_equal(indices_in_order(x, descending=True), stable(plain, True))
        for count in (0, 1, 3, 9):
            np.testing.assert_array_equal(indices_of_greatest(x, count), stable(plain, True)[..., :count])
        found = in_order(x)
        assert found.dtype == x.dtype
        np.testing.assert_array_equal(found.astype(plain.dtype), np.sort(plain, -1))


def test_integers_far_apart_have_no_keys_of_32_bits():
    x = np.array([[2**40, -(2**62), 5, 2**40], [2**63 - 1, -(2**63), 0, 0]])
    np.testing.assert_array_equal(indices_in_order(x), [[1, 2, 0, 3], [1, 2, 3, 0]])
    np.testing.assert_array_equal(indices_of_greatest(x.astype("uint64"), 1), [[1], [1]])
