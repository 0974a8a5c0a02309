"""Functions with special cases: powers by numbers, and gates."""

import numpy as np
import pytest
import stepwell as sw


def run(function, *xs):
    return sw.jit(function, target="interpret")(*xs)


@pytest.mark.feature("E16")
@pytest.mark.parametrize(("power", "is_power"), [(1, False), (2, False), (3, True), (3.0, True)])
def test_pointpow_of_1_and_2_is_no_power_and_integers_take_negative_bases(power: float, is_power: bool):
    def total(x):
        return sw.sum(sw.pointpow(x, power))

    x = np.array([-2.0, -0.5, 0.0, 3.0], np.float32)
    np.testing.assert_allclose(run(lambda x: sw.pointpow(x, power), x), x**power, rtol=1e-6)
    low = sw.lower(sw.grad(total), x, target="interpret")
    np.testing.assert_allclose(low(x), power * x ** (power - 1), rtol=1e-6)
    assert ('"pow"' in low.ir("uop")) == is_power


@pytest.mark.feature("E16")
def test_relu_gate_is_closed_at_0_and_for_nan():
    x, y = np.array([1.0, 0.0, -0.0, -1.0, np.nan], np.float32), np.array([5.0, 6.0, 7.0, 8.0, 9.0], np.float32)
    np.testing.assert_array_equal(run(sw.relu_gate, x, y), [5, 0, 0, 0, 0])
