"""The Mandelbrot set: for each point, how many of 50 iterations of z * z + c stay within 2."""

import numpy as np
import stepwell as sw
from comparison import compare

STEPS = 50


@sw.jit
def mandelbrot(x, y):
    def step(state, _):
        re, im, count = state
        inside = re * re + im * im <= 4
        return (
            sw.where(inside, re * re - im * im + x, re),
            sw.where(inside, 2 * re * im + y, im),
            count + sw.astype(inside, sw.int32),
        ), None

    x, y = sw.broadcast_arrays(x, y[:, None])
    zero = sw.zeros_like(x)
    (_, _, count), _ = sw.scan(step, (zero, zero, sw.astype(zero, sw.int32)), length=STEPS)
    return count


def mandelbrot_numpy(x, y):
    x, y = np.broadcast_arrays(x, y[:, None])
    re, im, count = np.zeros_like(x), np.zeros_like(x), np.zeros(x.shape, np.int32)
    for _ in range(STEPS):
        inside = re * re + im * im <= 4
        re, im = np.where(inside, re * re - im * im + x, re), np.where(inside, 2 * re * im + y, im)
        count += inside
    return count


def arguments(width=600, height=400):
    return np.linspace(-2, 1, width, dtype=np.float32), np.linspace(-1, 1, height, dtype=np.float32)


if __name__ == "__main__":
    compare(mandelbrot, mandelbrot_numpy, arguments())
