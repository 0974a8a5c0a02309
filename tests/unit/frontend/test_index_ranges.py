"""Indices stay within 64 bits and within their arrays: conditions on sizes and `$params` are checked at each call."""

import random
from functools import partial

import numpy as np
import pytest
import stepwell as sw
from stepwell import uop

X = np.arange(7.0)
FAR = 1 << 62


def reindex(index, shape=("dA0",), **options):
    return lambda x, **_: uop.reindex(list(shape), x, index=[index], **options)


def gathered(index, bounds_of=(), **options):
    def function(x, at):
        return uop.reindex(["dB0"], x, shape_of=[x, at], index=[index], index_from=[at], **options)

    return function


@pytest.mark.parametrize("index", ["(i0 * 6364136223846793005) % dA0", "(i0 * $p) % dA0", "(i0 * i0 * $p + 5) // dA0 % dA0"])
def test_an_index_that_needs_more_than_64_bits_is_an_error_of_the_call(index):
    params = {"p": FAR} if "$p" in index else {}
    with pytest.raises(
        ValueError, match=r"must not be negative, but s0 = 7.*test_index_ranges.py:\d+:\d+: indices have 64 bits"
    ):
        sw.jit(reindex(index))(X, **params)


def test_an_index_in_range_of_this_call_is_computed_exactly():
    model = sw.jit(reindex("(i0 * $p) % dA0"))
    for p in (3, (1 << 63) // 7 - 1):
        np.testing.assert_array_equal(model(X, p=p), [(i * p) % 7 for i in range(7)])
    with pytest.raises(ValueError, match="indices have 64 bits"):
        model(X, p=(1 << 63) // 7 + 1)


@pytest.mark.parametrize("target", ["cpu", "triton-interpret", "interpret"])
def test_an_element_of_an_index_tensor_does_not_wrap_around(target):
    at = np.array([0, 1, FAR, FAR + 1, -FAR, -1, -(1 << 63), (1 << 63) - 1])
    result = sw.jit(gathered("e0 * 4", fill=-1), target=target)(X, at)
    np.testing.assert_array_equal(result, [0, 4, -1, -1, -1, -1, -1, -1])


@pytest.mark.parametrize("target", ["cpu", "interpret"])
def test_guards_on_elements_of_an_index_tensor_do_not_wrap_around(target):
    at = np.array([-(1 << 63), (1 << 63) - 1, 3, 2, 0])
    model = sw.jit(gathered("0", fill=-1, guard=["e0 >= 3"]), target=target)
    np.testing.assert_array_equal(model(X + 1, at), [-1, 1, 1, -1, -1])


def test_a_scatter_does_not_wrap_around():
    def model(x, at):
        return uop.scatter([3], x, shape_of=[x], index=["e0 * 4"], index_from=[at], bounds="fill")

    np.testing.assert_array_equal(sw.jit(model)(np.ones(4), np.array([0, FAR, -FAR, 1])), [1, 0, 0])


def test_what_an_index_tensor_of_64_bits_leaves_unbounded_is_an_error_at_the_line():
    model = gathered("(e0 * 5) % dA0")
    with pytest.raises(sw.CompileError, match=r"d1 \* 5 is not proven to stay within 64 bits; .* of 32 bits"):
        sw.jit(model)(X, np.array([1, 2]))
    result = sw.jit(model)(X, np.array([1, 2, -(1 << 31)], np.int32))
    np.testing.assert_array_equal(result, [5, 3, -(1 << 31) * 5 % 7])


def random_index(rng, depth):
    if depth == 0:
        return rng.choice(["i0", "i0", "dA0", str(rng.choice([3, 1 << 40])), str((1 << 60) - 1)])
    operation = rng.choice(["+", "*", "*", "*", "//", "%"])
    right = str(rng.choice([3, 5, 1 << 33])) if operation in ("//", "%") else random_index(rng, depth - 1)
    return f"({random_index(rng, depth - 1)} {operation} {right})"


def test_random_indices_are_exact_or_refused():
    rng, refused, count = random.Random(5), 0, 30
    for _ in range(count):
        model = reindex(f"{random_index(rng, 3)} % dA0")
        try:
            result, expected = (sw.jit(model, target=target)(X) for target in ("cpu", "interpret"))
            np.testing.assert_array_equal(result, expected)
        except (ValueError, sw.CompileError) as error:
            assert "64 bits" in str(error) or "in magnitude" in str(error), error
            refused += 1
    assert 3 < refused < count - 3


def convolution(x, w):
    shape = ["dA0", "dA1 - $kh + 1", "dA2 - $kw + 1", "$kh", "$kw", "$kc", "dB0"]
    windows = partial(uop.reindex, shape, shape_of=[x, w])
    pixels = windows(x, index=["i0", "i1 + i3", "i2 + i4", "i5"])
    return sw.sum(pixels * windows(w, index=["i6", "i3", "i4", "i5"]), axis=(3, 4, 5))


def expected_convolution(x, w):
    height, width = w.shape[1:3]
    windows = np.lib.stride_tricks.sliding_window_view(x, (height, width), axis=(1, 2))
    return np.einsum("bijchw,ohwc->bijo", windows, w)


@pytest.mark.feature("U4")
def test_a_convolution_of_parameters_compiles_once_and_checks_its_sizes():
    rng = np.random.default_rng(0)
    x, model = rng.standard_normal((2, 6, 7, 3)), sw.jit(convolution)
    for kh, kw in ((3, 2), (2, 3), (1, 1)):
        w = rng.standard_normal((4, kh, kw, 3))
        np.testing.assert_allclose(model(x, w, kh=kh, kw=kw, kc=3), expected_convolution(x, w))
    assert model.stats().compiles == 1
    with pytest.raises(sw.ShapeError, match=r"index d3 of axis 1 .* sizes for which -kh \+ s5 >= 0\nnote: .* s5 = 1.* kh = 3"):
        model(x, w, kh=3, kw=1, kc=3)


@pytest.mark.feature("U4")
def test_a_lowered_convolution_of_parameters_checks_its_sizes():
    images, weights = sw.Spec(("n", "h", "w", "c"), "float64"), sw.Spec(("o", "p", "q", "r"), "float64")
    lowered = sw.lower(convolution, images, weights)
    rng = np.random.default_rng(0)
    x, w = rng.standard_normal((2, 6, 7, 3)), rng.standard_normal((4, 3, 2, 3))
    np.testing.assert_allclose(lowered(x, w, kh=3, kw=2, kc=3), expected_convolution(x, w))
    with pytest.raises(ValueError, match=r"the sizes do not fit: .* must not be negative, but .*test_index_ranges.py:\d+:\d+"):
        lowered(x, w, kh=4, kw=2, kc=3)


@pytest.mark.feature("U4")
def test_windows_with_a_step_that_is_a_parameter():
    windows = reindex("i0 * $s + i1", ["(dA0 - $k) // $s + 1", "$k"])
    x = np.arange(10.0)
    for model in (sw.jit(windows), sw.lower(windows, sw.Spec(("n",), "float64"))):
        for k, s in ((3, 2), (3, 4), (10, 3), (1, 1), (11, 2)):
            expected = [x[at : at + k] for at in range(0, len(x) - k + 1, s)]
            np.testing.assert_array_equal(model(x, k=k, s=s), np.reshape(expected, (-1, k)))
        with pytest.raises((ZeroDivisionError, sw.ShapeError), match=r"s is 0|expected a positive divisor"):
            model(x, k=3, s=0)


@pytest.mark.feature("U3")
def test_a_remainder_is_inside_of_an_axis_that_is_long_enough():
    model = sw.jit(reindex("(i0 - 4) % 3"))
    np.testing.assert_array_equal(model(X), [(i - 4) % 3 for i in range(7)])
    with pytest.raises(sw.ShapeError, match=r"sizes for which s0 - 3 >= 0\nnote: in this call s0 = 2"):
        model(X[:2])


@pytest.mark.covering(1)
@pytest.mark.parametrize("part", [slice(1, -1), slice(None, -2), slice(3, None), slice(None, None, 2), slice(None, None, -1)])
@pytest.mark.parametrize("rows", ["n", 9])
def test_rows_of_a_part_by_indices_of_64_bits(part, rows):
    """The condition of an index from the end is a difference that the least index would take out of 64 bits."""
    x = np.random.default_rng(0).random((9, 3), np.float32)
    taken = sw.lower(lambda x, k: sw.take(x[part] * 2, k, axis=0), sw.Spec((rows, 3), "float32"), sw.Spec((4,), "int64"))
    count = len(x[part])
    inside = np.array([0, count - 1, -1, -count])
    np.testing.assert_array_equal(np.asarray(taken(x, inside)), np.take(x[part] * 2, inside, axis=0))
    for outside in (count, -count - 1, 2**62, -(2**62), 2**63 - 1, -(2**63)):
        with pytest.raises(IndexError):
            taken(x, np.array([0, outside, -1, 0]))


@pytest.mark.parametrize("target", ["cpu", "interpret"])
def test_indices_into_an_axis_whose_size_is_a_difference_of_sizes(target):
    """A window of unknown size is subtracted from the size of the axis: no requirement of the call follows."""

    def function(x, w, at):
        return sw.take(sw.conv1d(x, w), at, axis=2)

    x, w = np.arange(18.0).reshape(1, 2, 9), np.ones((3, 2, 4))
    found = sw.jit(function, target=target)(x, w, np.array([0, -1, 5, -6]))
    np.testing.assert_array_equal(found[0, 0], [48.0, 88.0, 88.0, 48.0])
    with pytest.raises(IndexError):
        sw.jit(function, target=target)(x, w, np.array([-7]))
