"""Convolutions and their gradients in tiles of pixels and filters: values, beside the interpreter's."""

import numpy as np
import pytest
import stepwell as sw
from stepwell.ir.types.dtypes import BFLOAT16

# Batch, channels, filters, size, window and options.
CASES = [
    (2, 6, 40, 7, 3, {"padding": 1}),  # a line of seven pixels is a tile
    (1, 5, 33, 13, 3, {"padding": 1}),  # an odd number of channels, filters and pixels beyond the last tile
    (2, 16, 32, 9, 4, {"padding": 1, "stride": 2}),  # phases of the gradient have fewer taps
    (1, 24, 24, 8, 3, {"padding": 1, "groups": 3}),
    (2, 3, 16, 12, 5, {"dilation": 2}),
    (1, 4, 4, 5, 3, {}),  # lines of three pixels, and as few filters as half a vector
]


def arrays(case, kind):
    batch, channels, filters, size, window, options = case
    rng = np.random.default_rng(0)
    shapes = (batch, channels, size, size), (filters, channels // options.get("groups", 1), window, window)
    return [rng.integers(-3, 4, shape).astype(kind) for shape in shapes]


def gradients(options):
    """Gradients of a sum of squares of small integers: sums of these are exact in any order."""

    def loss(x, w):
        return sw.sum(sw.square(sw.astype(sw.conv2d(x, w, **options), "float32")))

    return sw.grad(loss, argnums=(0, 1))


@pytest.mark.parametrize("case", CASES, ids=str)
def test_gradients_are_exact(case):
    given = arrays(case, np.float32)
    found, wanted = (sw.jit(gradients(case[-1]), target=target, static=True)(*given) for target in ("cpu", "interpret"))
    for ours, exact in zip(found, wanted, strict=True):
        assert (np.asarray(ours) == np.asarray(exact)).all()


def leaky(y):
    return sw.where(y > 0, y, y * np.float32(0.5))


# What follows a convolution of `x`: of its sums, a value of each filter, and an array of results.
EPILOGUES = {
    "of filters": lambda y, b, z: leaky(y + b),
    "of pixels": lambda y, b, z: leaky(y + z),
    "of both": lambda y, b, z: leaky(leaky(y * b) - z),
    "used twice": lambda y, b, z: leaky(y) * y + z,
    "of another type": lambda y, b, z: sw.astype(leaky(y + b), "bfloat16"),
    "two results": lambda y, b, z: (leaky(y), leaky(y + b) + z),
    "before the sum": lambda y, b, z: sw.where(b > z, leaky(y), z),
}


@pytest.mark.parametrize("epilogue", EPILOGUES.values(), ids=EPILOGUES.keys())
@pytest.mark.parametrize("case", [CASES[0], CASES[1], (2, 3, 64, 9, 4, {"stride": 2, "padding": 1})], ids=str)
def test_epilogues_are_exact(case, epilogue):
    x, w = arrays(case, np.float32)
    shape = sw.conv2d(x, w, **case[-1]).shape
    rng = np.random.default_rng(1)
    b, z = (rng.integers(-3, 4, size).astype(np.float32) for size in ((shape[1], 1, 1), shape))

    def program(x, w, b, z):
        return epilogue(sw.conv2d(x, w, **case[-1]), b, z)

    found, wanted = (sw.jit(program, target=target, static=True)(x, w, b, z) for target in ("cpu", "interpret"))
    for ours, exact in zip(*((each if isinstance(each, tuple) else (each,)) for each in (found, wanted)), strict=True):
        np.testing.assert_array_equal(np.asarray(ours), np.asarray(exact))


# Batches, channels, filters and sizes of calls of one compiled function: whole tiles and partial ones, and nothing.
CALLS = [(2, 40, 40, 20), (1, 3, 70, 11), (3, 13, 1, 9), (0, 24, 40, 20), (2, 7, 33, 300)]


@pytest.mark.parametrize("rank", [1, 2])
@pytest.mark.parametrize("options", [{}, {"padding": 2, "stride": 2}, {"padding": 1, "dilation": 2}], ids=str)
def test_gradients_of_weights_are_exact_for_sizes_of_any_call(options, rank):
    def loss(x, w):
        return sw.sum(sw.square(getattr(sw, f"conv{rank}d")(x, w, **options)))

    compiled, oracle = (sw.jit(sw.grad(loss, argnums=(1,)), target=target) for target in ("cpu", "interpret"))
    rng = np.random.default_rng(0)
    for batch, channels, filters, size in CALLS:
        x = rng.integers(-1, 2, (batch, channels, *(size, 9)[:rank])).astype(np.float32)
        w = rng.integers(-1, 2, (filters, channels, *(3, 3)[:rank])).astype(np.float32)
        np.testing.assert_array_equal(np.asarray(compiled(x, w)[0]), np.asarray(oracle(x, w)[0]))


@pytest.mark.parametrize("case", CASES[:2], ids=str)
def test_sums_of_bfloat16_in_pairs_are_exact(monkeypatch, case):
    monkeypatch.setenv("STEPWELL_MACHINE", "zen4")  # in pairs, on every processor
    given = arrays(case, BFLOAT16.numpy)
    low = sw.lower(lambda x, w: sw.conv2d(x, w, **case[-1]), *given, static=True)
    assert "dot_bfloat16" in low.source()
    found = sw.jit(lambda x, w: sw.conv2d(x, w, **case[-1]), static=True)(*given)
    exact = sw.jit(lambda x, w: sw.conv2d(x, w, **case[-1]), static=True)(*(each.astype(np.float32) for each in given))
    assert (np.asarray(found) == np.asarray(exact).astype(BFLOAT16.numpy)).all()


@pytest.mark.parametrize("padding", [1, 2])
def test_pixels_that_no_window_reaches_may_be_infinite(padding):
    x, w = np.ones((1, 2, 2), np.float32), np.ones((4, 2, 3), np.float32)
    x[0, 0, 1] = np.inf
    padded = np.pad(x, ((0, 0), (0, 0), (padding, padding)))
    expected = [padded[0, :, k : k + 3].sum() for k in range(padded.shape[2] - 2)]
    found = sw.jit(lambda x, w: sw.conv1d(x, w, padding=padding), static=True)(x, w)
    np.testing.assert_array_equal(np.asarray(found), np.broadcast_to(expected, (1, 4, len(expected))))
