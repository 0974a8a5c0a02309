"""Operations on many arrays, each two of which must have equal sizes."""

from __future__ import annotations

import numpy as np
import pytest
import stepwell as sw


@pytest.mark.parametrize(("count", "shape"), [(66, (5,)), (34, (3, 4)), (24, (2, 3, 4)), (18, (2, 3, 2, 2))])
def test_more_arrays_than_a_fixed_number_of_agreements(count, shape):
    arrays = [np.full(shape, k, "float32") for k in range(count)]
    stacked, joined = sw.jit(lambda xs: (sw.stack(xs), sw.concat(xs)), target="interpret")(arrays)
    np.testing.assert_array_equal(stacked, np.stack(arrays))
    np.testing.assert_array_equal(joined, np.concatenate(arrays))


def test_many_arrays_of_one_lazy_expression():
    arrays = [np.full((2, 3, 2, 2), k, "float32") for k in range(18)]
    np.testing.assert_array_equal(sw.stack(arrays), np.stack(arrays))


def test_many_arrays_that_broadcast():
    arrays = [np.full((4, 1) if k % 2 else (3,), k, "float32") for k in range(40)]
    for ours, theirs in zip(sw.broadcast_arrays(*arrays), np.broadcast_arrays(*arrays), strict=True):
        np.testing.assert_array_equal(ours, theirs)


def test_the_one_that_differs_is_an_error():
    arrays = [np.zeros((2, 3), "float32")] * 30 + [np.zeros((2, 4), "float32")]
    with pytest.raises(sw.ShapeError):
        sw.jit(lambda xs: sw.stack(xs), static=True)(arrays)


def test_masks_are_not_lost():
    masked = np.ma.masked_array([1.0, 2.0], mask=[False, True])
    for function in (lambda x: sw.jit(lambda x: x * 2)(x), sw.exp, lambda x: np.asarray(sw.Tensor(x) + 1)):
        with pytest.raises((TypeError, sw.CompileError), match="without a mask"):
            function(masked)
