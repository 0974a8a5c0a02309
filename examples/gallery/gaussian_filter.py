"""A Gaussian filter of images: two windows of weights, one along each axis, as einsums."""

import numpy as np
import stepwell as sw
from comparison import compare

RADIUS = 4
_WEIGHTS = np.exp(-0.5 * (np.arange(-RADIUS, RADIUS + 1) / 1.5) ** 2)
WEIGHTS = (_WEIGHTS / _WEIGHTS.sum()).astype(np.float32)


@sw.jit
def gaussian_filter(image, weights):
    rows = sw.einsum("y+v,x; v => y,x", image, weights)
    return sw.einsum("y,x+u; u => y,x", rows, weights)


def gaussian_filter_numpy(image, weights):
    size = len(weights)
    rows = sum(weights[k] * image[k : image.shape[0] - size + 1 + k] for k in range(size))
    return sum(weights[k] * rows[:, k : rows.shape[1] - size + 1 + k] for k in range(size))


def arguments(height=1000, width=1000):
    return np.random.default_rng(0).random((height, width), dtype=np.float32), WEIGHTS


if __name__ == "__main__":
    compare(gaussian_filter, gaussian_filter_numpy, arguments())
