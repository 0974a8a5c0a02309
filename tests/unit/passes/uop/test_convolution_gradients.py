"""Convolutions and their gradients beside torch's: strides, padding, dilation and groups, and all of these transposed."""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np
import pytest
import stepwell as sw

torch = pytest.importorskip("torch")
F = torch.nn.functional

# A function, the shape of the images, that of the weights, options.
Case: TypeAlias = "tuple[str, tuple[int, ...], tuple[int, ...], dict[str, Any]]"

CASES: dict[str, Case] = {
    "plain": ("conv2d", (2, 3, 7, 6), (4, 3, 3, 3), {"padding": 1}),
    "steps": ("conv2d", (2, 3, 8, 9), (4, 3, 3, 3), {"stride": 2, "padding": 1}),
    "steps along one axis, a column left out": ("conv2d", (5, 1, 13, 13), (3, 1, 2, 2), {"stride": (1, 2)}),
    "steps as long as the kernel": ("conv2d", (2, 3, 32, 48), (24, 3, 8, 8), {"stride": 8}),
    "steps beyond the kernel": ("conv2d", (1, 2, 9, 9), (3, 2, 2, 1), {"stride": (3, 4)}),
    "steps over many channels": ("conv2d", (2, 20, 17, 16), (18, 20, 3, 3), {"stride": 2, "padding": 1}),
    "two steps, no border": ("conv2d", (2, 17, 21, 19), (33, 17, 4, 5), {"stride": (3, 2)}),
    "long steps over many channels": ("conv1d", (2, 16, 60), (24, 16, 9), {"stride": 5}),
    "spread steps over many channels": ("conv2d", (1, 16, 15, 15), (16, 16, 3, 3), {"stride": 2, "dilation": 3, "padding": 2}),
    "large kernel": ("conv2d", (1, 3, 15, 14), (2, 3, 7, 7), {"stride": 2, "padding": 3}),
    "groups": ("conv2d", (2, 6, 5, 6), (9, 2, 3, 3), {"padding": 1, "groups": 3}),
    "groups with steps": ("conv2d", (2, 4, 7, 7), (6, 2, 3, 2), {"stride": 2, "groups": 2}),
    "a group for each channel": ("conv2d", (2, 4, 6, 6), (4, 1, 3, 3), {"stride": 2, "padding": 1, "groups": 4}),
    "large kernels with steps": ("conv2d", (2, 3, 21, 40), (3, 1, 5, 5), {"stride": 2, "padding": 2, "groups": 3}),
    "spread": ("conv2d", (1, 2, 9, 8), (3, 2, 3, 2), {"dilation": 2, "padding": 2}),
    "spread with steps": ("conv1d", (2, 2, 13), (3, 2, 3), {"dilation": 2, "stride": 2}),
    "transposed": ("conv_transpose2d", (2, 3, 5, 4), (3, 2, 4, 4), {"stride": 2, "padding": 1}),
    "transposed, kernel of three": ("conv_transpose2d", (1, 3, 4, 5), (3, 2, 3, 3), {"stride": 2, "output_padding": 1}),
    "transposed groups": ("conv_transpose2d", (2, 4, 4, 4), (4, 3, 3, 3), {"stride": 2, "padding": 1, "groups": 2}),
    "transposed, long steps": ("conv_transpose1d", (2, 3, 5), (3, 2, 4), {"stride": 20}),
    "transposed and spread": ("conv_transpose1d", (1, 3, 6), (3, 2, 3), {"stride": 2, "dilation": 2, "output_padding": 1}),
    "transposed, one element": ("conv_transpose1d", (1, 2, 1), (2, 1, 5), {"stride": 3, "padding": 2}),
}


@pytest.mark.covering(1)
@pytest.mark.parametrize("static", [False, True], ids=["any size", "static"])
@pytest.mark.parametrize("case", CASES.values(), ids=CASES.keys())
def test_results_and_gradients_are_those_of_torch(
    case: tuple[str, tuple[int, ...], tuple[int, ...], dict[str, Any]], static: bool
):
    name, images, weights, options = case
    random = np.random.default_rng(3)
    x, w = (random.standard_normal(shape).astype(np.float32) for shape in (images, weights))
    their_x, their_w = (torch.from_numpy(each).requires_grad_() for each in (x, w))
    theirs = getattr(F, name)(their_x, their_w, **options)
    c = random.standard_normal(theirs.shape).astype(np.float32)
    (theirs * torch.from_numpy(c)).sum().backward()
    function = getattr(sw, name)

    def with_gradients(x: Any, w: Any, c: Any) -> Any:
        gradients = sw.grad(lambda x, w: sw.sum(function(x, w, **options) * c), (0, 1))(x, w)
        return function(x, w, **options), *gradients

    ours, by_x, by_w = sw.jit(with_gradients, static=static)(x, w, c)
    for found, expected in ((ours, theirs.detach()), (by_x, their_x.grad), (by_w, their_w.grad)):
        np.testing.assert_allclose(found, expected.numpy(), rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize("static", [False, True], ids=["any size", "static"])
def test_steps_beyond_the_kernel_leave_zeros_beside_what_is_infinite(static: bool):
    x, w = np.asarray([[[np.inf, 1, 1]]], np.float32), np.ones((1, 1, 2), np.float32)
    found = sw.jit(lambda x, w: sw.conv_transpose1d(x, w, stride=3), static=static)(x, w)
    np.testing.assert_array_equal(found, F.conv_transpose1d(torch.from_numpy(x), torch.from_numpy(w), stride=3).numpy())


# The sizes of images, the windows along each axis, options: some pixels are in no window, or not in all windows near them.
SPARSE = {
    "every other": ((5,), (1,), {"stride": 2}),
    "the last one left out": ((6,), (3,), {"stride": 2}),
    "one of three": ((7, 6), (1, 1), {"stride": 3}),
    "steps of two": ((7, 8), (3, 3), {"stride": 2}),
    "steps along one axis": ((5, 6), (2, 3), {"stride": (3, 1)}),
    "spread": ((9, 8), (2, 2), {"stride": 2, "dilation": 2}),
    "a cube": ((4, 5, 3), (1, 2, 1), {"stride": 2}),
}


def by_windows(w: Any, g: Any, sizes: tuple[int, ...], stride: Any, dilation: int = 1) -> Any:
    """The gradient by an image of one channel: the sum of the contributions of each window to each of its pixels."""
    found = np.zeros(sizes)
    steps = (stride,) * len(sizes) if isinstance(stride, int) else stride
    with np.errstate(invalid="ignore"):
        for at in np.ndindex(g.shape):
            for tap in np.ndindex(w.shape):
                found[tuple(q * s + k * dilation for q, s, k in zip(at, steps, tap, strict=True))] += g[at] * w[tap]
    return found


@pytest.mark.covering(1)
@pytest.mark.parametrize(("channels", "static"), [(20, False), (1, True)], ids=["any size", "static"])
@pytest.mark.parametrize("case", SPARSE.values(), ids=SPARSE.keys())
def test_pixels_get_nothing_of_windows_that_do_not_read_them(case: Any, channels: int, static: bool):
    sizes, window, options = case
    random = np.random.default_rng(1)
    convolution = getattr(sw, f"conv{len(sizes)}d")
    transposed = getattr(sw, f"conv_transpose{len(sizes)}d")
    x = np.zeros((1, channels, *sizes), np.float32)
    w = random.integers(1, 4, window).astype(np.float32)
    weights = np.broadcast_to(w, (1, channels, *window)).copy()
    result = convolution(x, weights, **options).numpy()

    gradient = sw.grad(lambda x, w, g: sw.sum(convolution(x, w, **options) * g))
    compiled = {
        target: [sw.jit(each, static=static, target=target) for each in (gradient, lambda g, w: transposed(g, w, **options))]
        for target in ("cpu", "interpret")
    }
    for special in (np.inf, -np.inf, np.nan):
        g = random.integers(1, 4, result.shape).astype(np.float32)
        g[(0, 0, *(size // 2 for size in result.shape[2:]))] = special
        expected = by_windows(w, g[0, 0], sizes, **options)
        for target, (back, spreading) in compiled.items():
            found, spread = np.asarray(back(x, weights, g)), np.asarray(spreading(g, weights))
            np.testing.assert_array_equal(found, np.broadcast_to(expected, x.shape), err_msg=target)
            inside = tuple(slice(0, size) for size in spread.shape[2:])
            np.testing.assert_array_equal(spread, np.broadcast_to(expected[inside], spread.shape), err_msg=target)
