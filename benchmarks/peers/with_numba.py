"""numba: loops written by hand, parallel over rows or tiles.

Of the options of fast mathematics, only the reordering of sums is on: without it sums would not be vectorised.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numba
import numpy as np
from numba import prange

from .base import Array, Peer

REORDERING = frozenset({"reassoc", "nsz"})
TILE = 32


class Numba(Peer):
    def compile(self, kernel: Callable[..., Any], state: Sequence[int]) -> Callable[..., Any]:
        numba.set_num_threads(self.threads)
        return jitted(kernel)

    def give(self, result: Any) -> tuple[Array, ...]:
        """Scalars come as Python floats."""
        results = result if isinstance(result, tuple) else (result,)
        return super().give([np.float32(each) if isinstance(each, float) else each for each in results])


def jitted(kernel: Callable[..., Any]) -> Callable[..., Any]:
    """The compiled function, for a kernel or for one of its parts."""
    return numba.njit(parallel=True, fastmath=set(REORDERING))(kernel)


def elementwise(a, b, c):
    result = np.empty_like(a)
    one, half = np.float32(1), np.float32(0.5)
    for i in prange(a.size):
        result[i] = np.tanh(a[i] * b[i] + c[i]) / (one + np.exp(-a[i])) - half * b[i]
    return result


def softmax(x):
    result = np.empty_like(x)
    for i in prange(x.shape[0]):
        top = x[i].max()
        total = np.float32(0)
        for j in range(x.shape[1]):
            result[i, j] = np.exp(x[i, j] - top)
            total += result[i, j]
        scale = np.float32(1) / total
        for j in range(x.shape[1]):
            result[i, j] *= scale
    return result


def layernorm(x, w, b):
    result = np.empty_like(x)
    width = np.float32(x.shape[1])
    for i in prange(x.shape[0]):
        mean = np.float32(0)
        for j in range(x.shape[1]):
            mean += x[i, j]
        mean /= width
        variance = np.float32(0)
        for j in range(x.shape[1]):
            variance += (x[i, j] - mean) * (x[i, j] - mean)
        scale = np.float32(1) / np.sqrt(variance / width + np.float32(1e-5))
        for j in range(x.shape[1]):
            result[i, j] = (x[i, j] - mean) * scale * w[j] + b[j]
    return result


def logsumexp(x):
    result = np.empty(x.shape[0], np.float32)
    for i in prange(x.shape[0]):
        top = x[i].max()
        total = np.float32(0)
        for j in range(x.shape[1]):
            total += np.exp(x[i, j] - top)
        result[i] = np.log(total) + top
    return result


def rowsum(x):
    result = np.empty(x.shape[0], np.float32)
    for i in prange(x.shape[0]):
        total = np.float32(0)
        for j in range(x.shape[1]):
            total += x[i, j]
        result[i] = total
    return result


def colsum(x):
    """Each thread sums the rows of its part, a row at a time."""
    parts = numba.get_num_threads()
    sums = np.zeros((parts, x.shape[1]), np.float32)
    for part in prange(parts):
        for i in range(part * x.shape[0] // parts, (part + 1) * x.shape[0] // parts):
            for j in range(x.shape[1]):
                sums[part, j] += x[i, j]
    return sums.sum(0)


def fullsum(x):
    total = np.float32(0)
    for i in prange(x.shape[0]):
        row = np.float32(0)
        for j in range(x.shape[1]):
            row += x[i, j]
        total += row
    return total


def meanvar(x):
    """Means and variances of rows in one pass. Sums are relative to a row's first element: a large mean costs no digits."""
    means = np.empty(x.shape[0], np.float32)
    variances = np.empty(x.shape[0], np.float32)
    width = np.float32(x.shape[1])
    for i in prange(x.shape[0]):
        centre, total, squares = x[i, 0], np.float32(0), np.float32(0)
        for j in range(x.shape[1]):
            distance = x[i, j] - centre
            total += distance
            squares += distance * distance
        means[i] = centre + total / width
        variances[i] = squares / width - (total / width) * (total / width)
    return means, variances


def matmul(a, b):
    return np.dot(a, b)


def batched_matmul(a, b):
    result = np.empty((a.shape[0], a.shape[1], b.shape[2]), np.float32)
    for k in range(a.shape[0]):
        np.dot(a[k], b[k], out=result[k])
    return result


def matmul_bias_relu(a, b, bias):
    result = np.dot(a, b)
    for i in prange(result.shape[0]):
        for j in range(result.shape[1]):
            result[i, j] = max(result[i, j] + bias[j], np.float32(0))
    return result


def conv2d(x, w):
    """One product of matrices for each image, over materialised windows."""
    n, c, height, width = x.shape
    padded = np.zeros((n, c, height + 2, width + 2), np.float32)
    for k in prange(n * c):
        padded[k // c, k % c, 1:-1, 1:-1] = x[k // c, k % c]
    columns = np.empty((n, c * 9, height, width), np.float32)
    for k in prange(n * c * 9):
        image, row = k // (c * 9), k % (c * 9)
        i, j = row % 9 // 3, row % 3
        columns[image, row] = padded[image, row // 9, i : i + height, j : j + width]
    result = np.empty((n, w.shape[0], height * width), np.float32)
    flat = np.ascontiguousarray(w).reshape(w.shape[0], c * 9)
    for image in range(n):
        np.dot(flat, columns[image].reshape(c * 9, height * width), out=result[image])
    return result.reshape(n, w.shape[0], height, width)


def depthwise(x, w):
    n, c, height, width = x.shape
    result = np.empty_like(x)
    for k in prange(n * c):
        image, channel = k // c, k % c
        padded = np.zeros((height + 2, width + 2), np.float32)
        padded[1:-1, 1:-1] = x[image, channel]
        f = w[channel, 0]
        for i in range(height):
            for j in range(width):
                upper = padded[i, j] * f[0, 0] + padded[i, j + 1] * f[0, 1] + padded[i, j + 2] * f[0, 2]
                middle = padded[i + 1, j] * f[1, 0] + padded[i + 1, j + 1] * f[1, 1] + padded[i + 1, j + 2] * f[1, 2]
                lower = padded[i + 2, j] * f[2, 0] + padded[i + 2, j + 1] * f[2, 1] + padded[i + 2, j + 2] * f[2, 2]
                result[image, channel, i, j] = upper + middle + lower
    return result


def attention(q, k, v):
    batch, heads, time = q.shape[:3]
    result = np.empty_like(q)
    for head in range(batch * heads):
        m, h = head // heads, head % heads
        scores = np.dot(q[m, h], k[m, h].T)
        for i in prange(time):
            row = scores[i]
            top = row.max()
            total = np.float32(0)
            for j in range(time):
                row[j] = np.exp((row[j] - top) * np.float32(0.125))
                total += row[j]
            scale = np.float32(1) / total
            for j in range(time):
                row[j] *= scale
        np.dot(scores, v[m, h], out=result[m, h])
    return result


@jitted
def mlp_gradients(x, y, w1, b1, w2, b2, w3, b3):
    """Products by BLAS, everything else in loops."""
    zero, count = np.float32(0), len(x)
    first = np.dot(x, w1)
    for i in prange(count):
        for j in range(first.shape[1]):
            first[i, j] = max(first[i, j] + b1[j], zero)
    second = np.dot(first, w2)
    for i in prange(count):
        for j in range(second.shape[1]):
            second[i, j] = max(second[i, j] + b2[j], zero)
    back3 = np.dot(second, w3)
    for i in prange(count):
        row = np.exp(back3[i] + b3 - (back3[i] + b3).max())
        back3[i] = (row / row.sum() - y[i]) / np.float32(count)
    back2 = np.dot(back3, w3.T)
    for i in prange(count):
        for j in range(back2.shape[1]):
            back2[i, j] = back2[i, j] if second[i, j] > zero else zero
    back1 = np.dot(back2, w2.T)
    for i in prange(count):
        for j in range(back1.shape[1]):
            back1[i, j] = back1[i, j] if first[i, j] > zero else zero
    return np.dot(x.T, back1), back1.sum(0), np.dot(first.T, back2), back2.sum(0), np.dot(second.T, back3), back3.sum(0)


def mlp_step(x, y, w1, b1, w2, b2, w3, b3, v1, c1, v2, c2, v3, c3):
    rate, decay = np.float32(0.1), np.float32(0.9)
    g1, d1, g2, d2, g3, d3 = mlp_gradients(x, y, w1, b1, w2, b2, w3, b3)
    v1, v2, v3 = g1 + decay * v1, g2 + decay * v2, g3 + decay * v3
    c1, c2, c3 = d1 + decay * c1, d2 + decay * c2, d3 + decay * c3
    w1, w2, w3 = w1 - rate * v1, w2 - rate * v2, w3 - rate * v3
    b1, b2, b3 = b1 - rate * c1, b2 - rate * c2, b3 - rate * c3
    return w1, b1, w2, b2, w3, b3, v1, c1, v2, c2, v3, c3


@jitted
def descend(p, v, gradient):
    """Update parameters and their momentum in one pass."""
    parameters, gathered, gradients = p.reshape(-1), v.reshape(-1), gradient.reshape(-1)
    for i in prange(p.size):
        gathered[i] = gradients[i] + np.float32(0.9) * gathered[i]
        parameters[i] -= np.float32(0.1) * gathered[i]


def mlp_step_in_place(x, y, w1, b1, w2, b2, w3, b3, v1, c1, v2, c2, v3, c3):
    g1, d1, g2, d2, g3, d3 = mlp_gradients(x, y, w1, b1, w2, b2, w3, b3)
    descend(w1, v1, g1)
    descend(b1, c1, d1)
    descend(w2, v2, g2)
    descend(b2, c2, d2)
    descend(w3, v3, g3)
    descend(b3, c3, d3)
    return w1, b1, w2, b2, w3, b3, v1, c1, v2, c2, v3, c3


def sum_gradient(x):
    gradient, total = np.empty_like(x), np.float32(0)
    for i in prange(x.size):
        total += x[i]
        gradient[i] = np.float32(1)
    return total, gradient


def product_gradient(x):
    """The gradient for factors that are not zero."""
    gradient, total = np.empty_like(x), np.float32(1)
    for i in prange(x.size):
        total *= x[i]
    for i in prange(x.size):
        gradient[i] = total / x[i]
    return total, gradient


def transpose1(x):
    rows, columns = x.shape
    result = np.empty((columns, rows), np.float32)
    for tile in prange(columns // TILE):
        for start in range(0, rows, TILE):
            for j in range(tile * TILE, tile * TILE + TILE):
                for i in range(start, start + TILE):
                    result[j, i] = x[i, j] + np.float32(1)
    return result


def gather(x, rows):
    result = np.empty((rows.size, x.shape[1]), np.float32)
    for i in prange(rows.size):
        result[i] = x[rows[i]]
    return result


def cumsum(x):
    result = np.empty_like(x)
    for i in prange(x.shape[0]):
        total = np.float32(0)
        for j in range(x.shape[1]):
            total += x[i, j]
            result[i, j] = total
    return result


def add(a, b):
    return a + b
