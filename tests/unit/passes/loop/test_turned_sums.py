"""Sums over one axis whose results come in any order, against NumPy in float64."""

import itertools

import numpy as np
import pytest
import stepwell as sw

SHAPES = [(5, 70, 40), (3, 129, 33), (70, 2, 3), (1, 65, 1), (0, 80, 4), (66, 0, 5)]
ORDERS = ["".join(axes) for count in (1, 2) for axes in itertools.permutations("ijk", count)]


@pytest.mark.parametrize("shape", SHAPES)
def test_axes_that_are_left_come_in_any_order(shape):
    x = np.random.default_rng(1).normal(size=shape).astype(np.float32)
    for order in ORDERS:
        found = sw.jit(lambda x, order=order: sw.einsum(f"ijk->{order}", x))(x)
        np.testing.assert_allclose(found, np.einsum(f"ijk->{order}", x.astype(np.float64)), rtol=1e-5, atol=1e-5)


@pytest.mark.parametrize("shape", SHAPES)
def test_two_operands_and_two_sums(shape):
    x = np.random.default_rng(2).normal(size=shape).astype(np.float32)
    y = np.random.default_rng(3).normal(size=(shape[0], shape[2])).astype(np.float32)
    wide = x.astype(np.float64)
    found = sw.jit(lambda x, y: sw.einsum("ijk,ik->kj", x, y))(x, y)
    np.testing.assert_allclose(found, np.einsum("ijk,ik->kj", wide, y), rtol=1e-5, atol=1e-5)
    if 0 not in shape:
        np.testing.assert_allclose(sw.jit(lambda x: sw.var(x, axis=1).T)(x), wide.var(axis=1).T, rtol=1e-5, atol=1e-6)
        np.testing.assert_array_equal(sw.jit(lambda x: sw.einsum("ijk->kij", x).max(axis=2))(x), x.max(axis=1).T)
