"""Padding beside NumPy's, and draws of integers and categories."""

import numpy as np
import pytest
import stepwell as sw


@pytest.mark.covering
@pytest.mark.parametrize("mode", ["edge", "reflect", "symmetric", "wrap"])
@pytest.mark.parametrize("shape", [(3, 4), (1, 2), (5, 1)])
@pytest.mark.parametrize("static", [True, False])
def test_modes_are_those_of_numpy(mode, shape, static):
    x = np.arange(np.prod(shape), dtype=float).reshape(shape)
    model = sw.jit(lambda x: sw.pad(x, ((2, 7), (0, 5)), mode=mode), static=static, target="interpret")
    np.testing.assert_array_equal(model(x), np.pad(x, ((2, 7), (0, 5)), mode))


@pytest.mark.parametrize("mode", ["edge", "reflect", "symmetric", "wrap"])
def test_amounts_beyond_an_axis_are_those_of_numpy_after_others(mode):
    model = sw.jit(lambda x: sw.pad(x, ((0, 0), (3, 2)), mode=mode))
    lowered = sw.lower(lambda x: sw.pad(x, ((0, 0), (3, 2)), mode=mode), sw.Spec((3, "n")))
    for size in (28, 9, 3, 2, 1, 40):
        x = np.random.default_rng(size).standard_normal((3, size)).astype(np.float32)
        expected = np.pad(x, ((0, 0), (3, 2)), mode)
        np.testing.assert_array_equal(model(x), expected)
        np.testing.assert_array_equal(lowered(x), expected)
    assert model.stats().compiles <= 2


@pytest.mark.parametrize("static", [True, False])
def test_windows_read_zeros_beyond_a_padded_axis_that_one_loop_indexes(static):
    """An axis that the copy for windows has, too: rows, which are summed or are channels, under guards of their own."""
    rng = np.random.default_rng(0)
    x, w = rng.integers(-3, 4, (2, 9, 10, 5)).astype(np.float32), rng.integers(-3, 4, (8, 1, 3, 3)).astype(np.float32)

    def rows(x):
        return sw.conv1d(sw.pad(x[0, 0].T, ((0, 4), (1, 1)))[None], sw.ones((1, 9, 3), "float32"))

    def weights(x, w):
        channels = sw.transpose(sw.pad(x, ((0, 0), (0, 0), (0, 0), (0, 3))), (0, 3, 1, 2))
        return sw.grad(lambda w: sw.sum(sw.square(sw.conv2d(channels, w, groups=8, padding=1))))(w)

    for function, arrays in ((rows, (x,)), (weights, (x, w))):
        found, wanted = (np.asarray(sw.jit(function, target=each, static=static)(*arrays)) for each in ("cpu", "interpret"))
        np.testing.assert_array_equal(found, wanted)


def test_the_gradient_of_a_padding_counts_the_copies():
    gradient = sw.jit(sw.grad(lambda x: sw.sum(sw.pad(x, 2, mode="edge"))))(np.ones(4))
    np.testing.assert_array_equal(gradient, [3, 1, 1, 3])


def test_wrong_modes_are_errors():
    with pytest.raises(sw.CompileError, match=r"pad: expected a mode of .*, got 'reflct': did you mean 'reflect'"):
        sw.jit(lambda x: sw.pad(x, 1, mode="reflct"))(np.ones(3))
    with pytest.raises(sw.CompileError, match="pad: expected a number as constant_values, got 'edge'"):
        sw.jit(lambda x: sw.pad(x, 1, "edge"))(np.ones(3))


def test_integers_are_drawn_evenly():
    found = np.asarray(sw.random_integers(3, (60_000,), low=-2, high=4))
    counts = np.bincount(found + 2)
    assert len(counts) == 6 and abs(counts - 10_000).max() < 500
    with pytest.raises(sw.CompileError, match="random_integers: expected low < high"):
        sw.jit(lambda: sw.random_integers(0, (2,), low=3, high=3))()


def test_categories_are_drawn_with_their_probabilities():
    logits = np.log([0.1, 0.2, 0.7])
    found = np.asarray(sw.categorical(5, np.broadcast_to(logits, (60_000, 3))))
    assert found.dtype == np.int64
    np.testing.assert_allclose(np.bincount(found) / 60_000, [0.1, 0.2, 0.7], atol=0.01)
