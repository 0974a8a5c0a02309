"""Special functions and reductions without NaN, beside the standard library's and NumPy's."""

import math
import warnings

import numpy as np
import pytest
import stepwell as sw

POINTS = np.array([-3.5, -1.2, -0.3, 0.1, 0.5, 0.9, 1.0, 2.5, 7.0, 30.0])
HOLES = np.array([[1.0, np.nan, 3.0], [np.nan, np.nan, np.nan], [2.0, 5.0, -1.0]])
NAMES = ("nansum", "nanprod", "nanmax", "nanmin", "nanmean", "nanvar", "nanstd")


def test_the_gamma_function():
    np.testing.assert_allclose(sw.gammaln(POINTS), [math.lgamma(x) for x in POINTS], rtol=1e-12, atol=1e-13)
    assert sw.gammaln(np.array([0.0, -2.0, np.inf])).numpy().tolist() == [math.inf] * 3
    step = 1e-6
    slopes = [(math.lgamma(x + step) - math.lgamma(x - step)) / (2 * step) for x in POINTS]
    np.testing.assert_allclose(sw.digamma(POINTS), slopes, rtol=1e-6, atol=1e-6)


def test_the_gamma_function_near_its_pole_and_at_infinity():
    x = np.array([-1e-8, -1e-30, -1e-300, 1e-300])
    np.testing.assert_allclose(sw.gammaln(x), [math.lgamma(each) for each in x], rtol=1e-13)
    np.testing.assert_allclose(sw.digamma(x), -1 / x - np.euler_gamma, rtol=1e-13)
    assert sw.digamma(np.array([np.inf, 0.0, -0.0])).numpy().tolist() == [math.inf, -math.inf, math.inf]
    assert np.isnan(sw.digamma(np.array([-1.0, -np.inf, np.nan]))).all()


def test_the_gamma_function_is_accurate_near_its_zeros_at_1_and_2():
    z = np.array([1e-3, -1e-3, 1e-8, -1e-8, 1e-15, 0.0])
    terms = [(-np.euler_gamma, 1 - np.euler_gamma), (math.pi**2 / 12, (math.pi**2 / 6 - 1) / 2)]
    cubic = (-1.2020569031595942 / 3, -0.2020569031595942 / 3)
    for at in (0, 1):
        # The neighbours of 1 and 2 are rounded.
        near = at + 1 + z
        off = near - (at + 1)
        expected = off * (terms[0][at] + off * (terms[1][at] + off * cubic[at]))
        np.testing.assert_allclose(sw.gammaln(near), expected, rtol=1e-8)
        assert sw.gammaln(np.array(at + 1.0)) == 0


def test_derivatives_of_the_gamma_function_at_infinity_and_poles():
    def slopes(function, *points):
        return [float(sw.jit(sw.grad(function), target="interpret")(np.float64(point))) for point in points]

    assert slopes(sw.gammaln, np.inf) == [math.inf]
    assert slopes(sw.digamma, np.inf, 0.0) == [0, math.inf]
    np.testing.assert_allclose(slopes(sw.digamma, 1.0, 0.5), [math.pi**2 / 6, math.pi**2 / 2], rtol=1e-14)
    assert np.isnan([*slopes(sw.gammaln, -1.0, np.nan), *slopes(sw.digamma, -1.0, -np.inf)]).all()


def test_the_inverse_error_function():
    x = np.linspace(-0.999, 0.999, 31)
    np.testing.assert_allclose([math.erf(each) for each in sw.erfinv(x).numpy()], x, rtol=1e-13, atol=1e-14)
    found = sw.erfinv(np.array([1.0, -1.0, 2.0])).numpy()
    assert found[0] == math.inf and found[1] == -math.inf and math.isnan(found[2])


def test_products_with_logarithms():
    x, y = np.array([0.0, 0.0, 2.0, 0.0]), np.array([0.0, -1.0, 3.0, np.nan])
    np.testing.assert_allclose(sw.xlogy(x, y), [0, 0, 2 * math.log(3), np.nan])
    np.testing.assert_allclose(sw.xlog1py(x, y), [0, 0, 2 * math.log(4), np.nan])


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("axis", [None, 0, 1])
def test_reductions_leave_out_nan(name, axis):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)
        expected = getattr(np, name)(HOLES, axis)
    found = sw.jit(lambda x: getattr(sw, name)(x, axis=axis), target="interpret")(HOLES)
    np.testing.assert_allclose(found, expected, rtol=1e-12)


def test_the_gradient_of_a_mean_without_nan_is_zero_there():
    gradient = sw.jit(sw.grad(lambda x: sw.nanmean(x)), target="interpret")(HOLES[0])
    np.testing.assert_allclose(gradient, [0.5, 0, 0.5])
