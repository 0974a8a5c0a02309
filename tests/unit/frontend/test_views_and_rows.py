"""Views compose into one index map, gradients are built where they are needed, and the inference of rows ends."""

import math

import numpy as np
import pytest
import stepwell as sw

from tests.fuzz_languages import check_rows

X = np.arange(600.0).reshape(20, 30)


def chain(x):
    y = sw.swapaxes(sw.flip(x[2:], (0,)), 0, 1)[::3, None, 1:]
    return sw.broadcast_to(y, (10, 4, 17)) + 1.0


@pytest.mark.feature("N10")
def test_a_chain_of_views_is_one_index_map():
    lowered = sw.lower(chain, X, static=True)
    assert (lowered.structure().blocks, lowered.structure().temporaries) == (1, 0)
    assert lowered.ir("loop").count("loop.load ") == 1
    view = X[2:][::-1].swapaxes(0, 1)[::3, None, 1:]
    np.testing.assert_array_equal(lowered(X), np.broadcast_to(view, (10, 4, 17)) + 1)


@pytest.mark.feature("N10")
def test_contiguous_axes_collapse_into_one_loop():
    lowered = sw.lower(lambda x: x * 2.0 + 1.0, sw.Spec((100, 100)))
    assert "(0, 10000)" in lowered.ir("scheduled") and "(0, 100)" not in lowered.ir("scheduled")


@pytest.mark.feature("E11")
def test_gradients_are_built_only_where_they_are_needed():
    def loss(w, frozen, x):
        with sw.no_grad():
            scale = sw.sum(sw.exp(frozen @ x))
        return sw.sum(sw.tanh(w @ x) * scale)

    arrays = [sw.Spec(shape) for shape in ((8, 9), (8, 9), (9, 7))]
    one = sw.lower(sw.grad(loss, argnums=0), *arrays, target="interpret").ir("uop")
    both = sw.lower(sw.grad(loss, argnums=(0, 2)), *arrays, target="interpret").ir("uop")
    assert one.count('uop.reduce "add"') < both.count('uop.reduce "add"')
    gradients = sw.jit(sw.grad(loss, argnums=(0, 1)))(*(np.ones(shape) for shape in ((8, 9), (8, 9), (9, 7))))
    assert np.all(gradients[1] == 0)


@pytest.mark.feature("E9")
def test_the_inference_of_rows_ends():
    """`python -m tests.fuzz_languages --only rows` runs thousands of systems, and measures them."""
    outcomes = {check_rows(seed, limit=math.inf) for seed in range(150)}
    assert outcomes == {"fit", "do not fit"}
