"""Everyday formulas, as people write them: once for NumPy, Stepwell and torch, which pass themselves as `xp`.

Arrays are named by the letters of their parameters, see `ARRAYS`.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, NamedTuple

import numpy as np

Array = Any


class Formula(NamedTuple):
    """The name of a formula, its field, and the function of `xp` and of arrays, which are found by their names."""

    name: str
    field: str
    function: Callable[..., Any]

    def arrays(self) -> list[Array]:
        """New arrays for the parameters after `xp`."""
        rng = np.random.default_rng(0)
        return [ARRAYS[name](rng) for name in list(inspect.signature(self.function).parameters)[1:]]


def _floats(*shape: int) -> Callable[[np.random.Generator], Array]:
    return lambda rng: rng.standard_normal(shape, np.float32)


def _positive(*shape: int) -> Callable[[np.random.Generator], Array]:
    return lambda rng: rng.random(shape, np.float32) + np.float32(0.5)


def _integers(limit: int, *shape: int) -> Callable[[np.random.Generator], Array]:
    return lambda rng: rng.integers(0, limit, shape)


ARRAYS: Mapping[str, Callable[[np.random.Generator], Array]] = MappingProxyType(
    {
        "X": _floats(4000, 1000),
        "Y": _floats(4000, 1000),
        "Q": _positive(4000, 1000),
        "u": _floats(4000),
        "y": _floats(4000),
        "v": _floats(1000),
        "w": _floats(1000),
        "A": _floats(600, 600),
        "B": _floats(600, 600),
        "a": _floats(600),
        "long": _floats(2_000_000),
        "other": _floats(2_000_000),
        "prices": _positive(250_000),
        "image": _floats(1080, 1080),
        "mask": lambda rng: rng.random((1080, 1080)) > 0.5,
        "photo": _positive(720, 960, 3),
        "batch": _floats(256, 32, 32),
        "stack": _floats(64, 100, 100),
        "points": _floats(1500, 3),
        "centres": _floats(64, 3),
        "many": _floats(20_000, 3),
        "weights": _positive(1500),
        "labels": _integers(1000, 4000),
        "rows": _integers(4000, 3000),
        "classes": _integers(64, 20_000),
        "tall": _floats(200_000, 8),
        "slim": _floats(8, 8),
        "wide": _floats(8, 200_000),
        "small": _floats(8),
        "tiny": _floats(3, 3),
        "hidden": _floats(64, 512),
        "kernel": _floats(512, 512),
        "bias": _floats(512),
        "heads": _floats(8, 128, 64),
        "grid": _floats(512, 512),
        "volume": _floats(96, 96, 96),
        "counts": _integers(256, 1_000_000),
        "matrices": _floats(2000, 4, 4),
        "vectors": _floats(2000, 4),
    }
)


def _norm(xp: Any, x: Array) -> Array:
    return xp.sqrt(xp.sum(x * x))


def _softmax(xp: Any, x: Array) -> Array:
    e = xp.exp(x - xp.max(x, axis=-1, keepdims=True))
    return e / xp.sum(e, axis=-1, keepdims=True)


def _sigmoid(xp: Any, x: Array) -> Array:
    return 1 / (1 + xp.exp(-x))


def _power_step(xp: Any, X: Array, w: Array) -> Array:
    v = X.T @ (X @ w)
    return v / _norm(xp, v)


def _whiten(xp: Any, X: Array) -> Array:
    centred = X - xp.mean(X, axis=0)
    return centred / (xp.sqrt(xp.mean(centred * centred, axis=0)) + 1e-5)


def _gram_of_centred(xp: Any, X: Array) -> Array:
    centred = X - xp.mean(X, axis=0)
    return centred.T @ centred / 3999


def _correlation(xp: Any, u: Array, y: Array) -> Array:
    a, b = u - xp.mean(u), y - xp.mean(y)
    return xp.sum(a * b) / (_norm(xp, a) * _norm(xp, b))


def _cosine(xp: Any, X: Array, Y: Array) -> Array:
    return xp.sum(X * Y, axis=1) / xp.sqrt(xp.sum(X * X, axis=1) * xp.sum(Y * Y, axis=1))


def _distances(xp: Any, points: Array) -> Array:
    difference = points[:, None, :] - points[None, :, :]
    return xp.sqrt(xp.sum(difference * difference, axis=-1))


def _distances_by_product(xp: Any, many: Array, centres: Array) -> Array:
    return xp.sum(many * many, axis=1)[:, None] - 2 * many @ centres.T + xp.sum(centres * centres, axis=1)[None, :]


def _forces(xp: Any, points: Array, weights: Array) -> Array:
    difference = points[None, :, :] - points[:, None, :]
    cubes = (xp.sum(difference * difference, axis=-1) + 0.01) ** -1.5
    return xp.sum(difference * (cubes * weights[None, :])[:, :, None], axis=1)


def _laplace(xp: Any, grid: Array) -> Array:
    return grid[:-2, 1:-1] + grid[2:, 1:-1] + grid[1:-1, :-2] + grid[1:-1, 2:] - 4 * grid[1:-1, 1:-1]


def _blur(xp: Any, image: Array) -> Array:
    rows = (image[:-2] + 2 * image[1:-1] + image[2:]) / 4
    return (rows[:, :-2] + 2 * rows[:, 1:-1] + rows[:, 2:]) / 4


def _sobel(xp: Any, image: Array) -> Array:
    across = image[:, 2:] - image[:, :-2]
    down = image[2:] - image[:-2]
    gx = across[:-2] + 2 * across[1:-1] + across[2:]
    gy = down[:, :-2] + 2 * down[:, 1:-1] + down[:, 2:]
    return xp.sqrt(gx * gx + gy * gy)


def _black_scholes(xp: Any, prices: Array) -> Array:
    d = (xp.log(prices / 1.0) + 0.06) / 0.2
    return prices * _sigmoid(xp, 1.702 * d) - 0.95 * _sigmoid(xp, 1.702 * (d - 0.2))


def _attention(xp: Any, heads: Array) -> Array:
    return _softmax(xp, heads @ xp.swapaxes(heads, -1, -2) / 8.0) @ heads


def _layer_norm(xp: Any, hidden: Array) -> Array:
    mean = xp.mean(hidden, axis=-1, keepdims=True)
    centred = hidden - mean
    return centred / xp.sqrt(xp.mean(centred * centred, axis=-1, keepdims=True) + 1e-5)


def _mlp(xp: Any, hidden: Array, kernel: Array, bias: Array) -> Array:
    return xp.tanh(hidden @ kernel + bias) @ kernel.T


def _logistic_gradient(xp: Any, X: Array, w: Array, y: Array) -> Array:
    return X.T @ (_sigmoid(xp, X @ w) - y) / 4000


def _cross_entropy(xp: Any, X: Array, labels: Array) -> Array:
    top = xp.max(X, axis=1, keepdims=True)
    logs = X - top - xp.log(xp.sum(xp.exp(X - top), axis=1, keepdims=True))
    return -xp.mean(xp.take_along_axis(logs, labels[:, None], axis=1))


FORMULAS: tuple[Formula, ...] = (
    Formula("z-scores of columns", "statistics", lambda xp, X: (X - xp.mean(X, axis=0)) / xp.std(X, axis=0)),
    Formula(
        "z-scores of rows",
        "statistics",
        lambda xp, X: (X - xp.mean(X, axis=1, keepdims=True)) / xp.std(X, axis=1, keepdims=True),
    ),
    Formula(
        "min-max scaling of columns",
        "statistics",
        lambda xp, X: (X - xp.min(X, axis=0)) / (xp.max(X, axis=0) - xp.min(X, axis=0)),
    ),
    Formula("standardise with epsilon", "statistics", _whiten),
    Formula("covariance of columns", "statistics", _gram_of_centred),
    Formula("correlation of two vectors", "statistics", _correlation),
    Formula("cosine similarity of rows", "statistics", _cosine),
    Formula("mean and variance", "statistics", lambda xp, long: (xp.mean(long), xp.var(long))),
    Formula("skewness", "statistics", lambda xp, long: xp.mean(((long - xp.mean(long)) / xp.std(long)) ** 3)),
    Formula(
        "kurtosis of columns",
        "statistics",
        lambda xp, X: xp.mean((X - xp.mean(X, axis=0)) ** 4, axis=0) / xp.var(X, axis=0) ** 2,
    ),
    Formula("geometric mean", "statistics", lambda xp, prices: xp.exp(xp.mean(xp.log(prices)))),
    Formula("weighted mean of rows", "statistics", lambda xp, X, u: xp.sum(X * u[:, None], axis=0) / xp.sum(u)),
    Formula("root mean square", "statistics", lambda xp, long: xp.sqrt(xp.mean(long * long))),
    Formula("greatest column sum", "statistics", lambda xp, X: xp.max(xp.sum(X, axis=0))),
    Formula("sum of absolute differences", "statistics", lambda xp, long, other: xp.sum(xp.abs(long - other))),
    Formula("range of rows", "statistics", lambda xp, X: xp.max(X, axis=1) - xp.min(X, axis=1)),
    Formula("count above mean", "statistics", lambda xp, X: xp.sum(xp.mean(X, axis=0) < X, axis=0)),
    Formula("log-sum-exp of rows", "statistics", lambda xp, X: xp.log(xp.sum(xp.exp(X), axis=1))),
    Formula("softmax of rows", "statistics", lambda xp, X: _softmax(xp, X)),
    Formula("entropy of rows", "statistics", lambda xp, Q: -xp.sum(Q * xp.log(Q), axis=1)),
    Formula("KL divergence", "statistics", lambda xp, Q, X: xp.sum(Q * (xp.log(Q) - X), axis=1)),
    Formula("normal density", "statistics", lambda xp, long: xp.exp(-0.5 * long * long) / 2.5066283),
    Formula("sum of products", "statistics", lambda xp, u, X: xp.sum(u @ X)),
    Formula("argmax of rows", "statistics", lambda xp, X: xp.argmax(X, axis=1)),
    Formula("argmax of columns", "statistics", lambda xp, X: xp.argmax(X, axis=0)),
    Formula("running mean", "statistics", lambda xp, long: xp.cumsum(long, axis=0)),
    Formula("cumulative sum of columns", "statistics", lambda xp, X: xp.cumsum(X, axis=0)),
    Formula("cumulative sum of rows", "statistics", lambda xp, X: xp.cumsum(X, axis=1)),
    Formula("linear prediction", "regression", lambda xp, X, w: X @ w),
    Formula("residuals", "regression", lambda xp, X, w, u: X @ w - u),
    Formula("least squares gradient", "regression", lambda xp, X, w, u: X.T @ (X @ w - u)),
    Formula("squared loss", "regression", lambda xp, X, w, u: xp.sum((X @ w - u) ** 2)),
    Formula("ridge step", "regression", lambda xp, X, w, u: w - 0.01 * (X.T @ (X @ w - u) + 0.1 * w)),
    Formula("logistic gradient", "regression", _logistic_gradient),
    Formula(
        "Huber loss",
        "regression",
        lambda xp, long, other: xp.mean(
            xp.where(xp.abs(long - other) < 1, 0.5 * (long - other) ** 2, xp.abs(long - other) - 0.5)
        ),
    ),
    Formula("weighted normal matrix", "regression", lambda xp, X, u: (X * u[:, None]).T @ X),
    Formula("normal matrix", "regression", lambda xp, X: X.T @ X),
    Formula("hinge loss", "regression", lambda xp, X, w, y: xp.mean(xp.maximum(1 - y * (X @ w), 0.0))),
    Formula("power iteration", "regression", _power_step),
    Formula("Poisson loss", "regression", lambda xp, X, w, y: xp.mean(xp.exp(0.01 * (X @ w)) - y * (X @ w))),
    Formula(
        "R squared", "regression", lambda xp, long, other: 1 - xp.sum((long - other) ** 2) / xp.sum((long - xp.mean(long)) ** 2)
    ),
    Formula("quadratic form", "regression", lambda xp, a, A: a @ (A @ a)),
    Formula("twice applied matrix", "regression", lambda xp, A, a: A @ (A @ a)),
    Formula("outer product", "regression", lambda xp, u, v: u[:, None] * v[None, :]),
    Formula("rank-one update", "regression", lambda xp, X, u, v: X + u[:, None] * v[None, :]),
    Formula("pairwise distances", "clustering", _distances),
    Formula("distances by product", "clustering", _distances_by_product),
    Formula(
        "nearest centre", "clustering", lambda xp, many, centres: xp.argmin(_distances_by_product(xp, many, centres), axis=1)
    ),
    Formula(
        "nearest centre, plain",
        "clustering",
        lambda xp, many, centres: xp.argmin(xp.sum((many[:, None, :] - centres[None, :, :]) ** 2, axis=-1), axis=1),
    ),
    Formula(
        "Gaussian kernel matrix",
        "clustering",
        lambda xp, points: xp.exp(-xp.sum((points[:, None, :] - points[None, :, :]) ** 2, axis=-1)),
    ),
    Formula(
        "Manhattan distances",
        "clustering",
        lambda xp, points, centres: xp.sum(xp.abs(points[:, None, :] - centres[None, :, :]), axis=-1),
    ),
    Formula(
        "centres of classes by mask",
        "clustering",
        lambda xp, tall: xp.sum(xp.where(tall > 0, tall, 0.0), axis=0) / xp.sum(tall > 0, axis=0),
    ),
    Formula("mean of a batch axis", "clustering", lambda xp, batch: xp.mean(batch, axis=0)),
    Formula("moving average", "signals", lambda xp, long: (long[2:] + long[1:-1] + long[:-2]) / 3),
    Formula("differences", "signals", lambda xp, long: long[1:] - long[:-1]),
    Formula("second differences", "signals", lambda xp, long: long[2:] - 2 * long[1:-1] + long[:-2]),
    Formula("energy of differences", "signals", lambda xp, long: xp.sum((long[1:] - long[:-1]) ** 2)),
    Formula("down-sampling", "signals", lambda xp, long: long[::2] + long[1::2]),
    Formula("reversal", "signals", lambda xp, long: xp.flip(long, (0,)) + 1.0),
    Formula("rotation", "signals", lambda xp, long: xp.roll(long, 17, 0) * 0.5 + long),
    Formula("chirp", "signals", lambda xp, long: xp.sin(long * long) * xp.exp(-long * long)),
    Formula("decibels", "signals", lambda xp, prices: 20 * xp.log10(prices)),
    Formula("soft clipping", "signals", lambda xp, long: xp.tanh(1.5 * long)),
    Formula("hard clipping", "signals", lambda xp, long: xp.clip(long, -1.0, 1.0)),
    Formula("autocorrelation at a lag", "signals", lambda xp, long: xp.sum(long[5:] * long[:-5])),
    Formula("frames", "signals", lambda xp, long: xp.mean(xp.reshape(long, (2000, 1000)) ** 2, axis=1)),
    Formula("greyscale", "images", lambda xp, photo: 0.299 * photo[:, :, 0] + 0.587 * photo[:, :, 1] + 0.114 * photo[:, :, 2]),
    Formula("colour matrix", "images", lambda xp, photo, tiny: photo @ tiny),
    Formula("channel means", "images", lambda xp, photo: xp.mean(photo, axis=(0, 1))),
    Formula(
        "normalise channels", "images", lambda xp, photo: (photo - xp.mean(photo, axis=(0, 1))) / xp.std(photo, axis=(0, 1))
    ),
    Formula("gamma correction", "images", lambda xp, photo: photo**2.2),
    Formula("threshold", "images", lambda xp, image: xp.where(image > 0.5, 1.0, 0.0)),
    Formula("blur", "images", _blur),
    Formula("Sobel magnitude", "images", _sobel),
    Formula("masked mean", "images", lambda xp, image, mask: xp.sum(xp.where(mask, image, 0.0)) / xp.sum(mask)),
    Formula("two by two pooling", "images", lambda xp, image: xp.mean(xp.reshape(image, (540, 2, 540, 2)), axis=(1, 3))),
    Formula("transpose of an image", "images", lambda xp, image: xp.swapaxes(image, 0, 1) + 1.0),
    Formula("channels first", "images", lambda xp, photo: xp.moveaxis(photo, -1, 0) * 2.0),
    Formula("flip horizontally", "images", lambda xp, image: xp.flip(image, (1,)) * 0.5),
    Formula("rotate by 90 degrees", "images", lambda xp, image: xp.flip(xp.swapaxes(image, 0, 1), (0,)) + 1.0),
    Formula("Laplacian of a grid", "physics", _laplace),
    Formula("heat step", "physics", lambda xp, grid: grid[1:-1, 1:-1] + 0.1 * _laplace(xp, grid)),
    Formula("gravity", "physics", _forces),
    Formula("kinetic energy", "physics", lambda xp, points, weights: 0.5 * xp.sum(weights[:, None] * points * points)),
    Formula(
        "centre of mass", "physics", lambda xp, points, weights: xp.sum(points * weights[:, None], axis=0) / xp.sum(weights)
    ),
    Formula("Lennard-Jones", "physics", lambda xp, prices: 4 * ((1 / prices) ** 12 - (1 / prices) ** 6)),
    Formula(
        "divergence of a volume",
        "physics",
        lambda xp, volume: (
            volume[1:, 1:, 1:]
            - volume[:-1, 1:, 1:]
            + volume[1:, 1:, 1:]
            - volume[1:, :-1, 1:]
            + volume[1:, 1:, 1:]
            - volume[1:, 1:, :-1]
        ),
    ),
    Formula("mean over the middle axis", "physics", lambda xp, volume: xp.mean(volume, axis=1)),
    Formula("sum over the first axis", "physics", lambda xp, volume: xp.sum(volume, axis=0)),
    Formula("permuted volume", "physics", lambda xp, volume: xp.moveaxis(volume, 0, -1) + 1.0),
    Formula("wave", "physics", lambda xp, long, other: xp.cos(6.28 * (long - 0.1 * other)) * 0.5),
    Formula("Black-Scholes, logistic", "finance", _black_scholes),
    Formula("log returns", "finance", lambda xp, prices: xp.log(prices[1:] / prices[:-1])),
    Formula("volatility", "finance", lambda xp, prices: xp.std(xp.log(prices[1:] / prices[:-1]))),
    Formula("compound growth", "finance", lambda xp, prices: xp.cumsum(xp.log(prices), axis=0)),
    Formula("discounted sum", "finance", lambda xp, long, other: xp.sum(long * xp.exp(-0.05 * other))),
    Formula("portfolio variance", "finance", lambda xp, A, a: a @ (A.T @ (A @ a))),
    Formula("payoff", "finance", lambda xp, prices: xp.mean(xp.maximum(prices - 1.0, 0.0))),
    Formula("layer with tanh", "networks", lambda xp, hidden, kernel, bias: xp.tanh(hidden @ kernel + bias)),
    Formula("two layers", "networks", _mlp),
    Formula("layer norm", "networks", _layer_norm),
    Formula("attention", "networks", _attention),
    Formula("cross entropy", "networks", _cross_entropy),
    Formula("gelu, tanh form", "networks", lambda xp, X: 0.5 * X * (1 + xp.tanh(0.79788456 * (X + 0.044715 * X * X * X)))),
    Formula("sigmoid", "networks", lambda xp, X: _sigmoid(xp, X)),
    Formula("relu and scale", "networks", lambda xp, X: xp.maximum(X, 0.0) * 1.5),
    Formula("momentum step", "networks", lambda xp, X, Y: X - 0.1 * (0.9 * Y + X)),
    Formula("Gram matrix", "networks", lambda xp, A: A.T @ A),
    Formula("transposed product plus one", "networks", lambda xp, A: (A @ A).T + 1.0),
    Formula("product, bias and relu", "networks", lambda xp, A, B, a: xp.maximum(A @ B + a, 0.0)),
    Formula("row norms of a product", "networks", lambda xp, A, B: xp.sqrt(xp.sum((A @ B) ** 2, axis=1))),
    Formula("trace of a product", "networks", lambda xp, A, B: xp.sum(A * B.T)),
    Formula("gathered rows", "indexing", lambda xp, X, rows: xp.take(X, rows, axis=0)),
    Formula("sum of gathered rows", "indexing", lambda xp, X, rows: xp.sum(xp.take(X, rows, axis=0), axis=0)),
    Formula("gathered columns", "indexing", lambda xp, X, labels: xp.take(X, labels, axis=1)),
    Formula("picked from rows", "indexing", lambda xp, X, labels: xp.take_along_axis(X, labels[:, None], axis=1)),
    Formula("reversed rows", "indexing", lambda xp, X: xp.flip(X, (0,)) + 0.0),
    Formula("every other column", "indexing", lambda xp, X: X[:, ::2] * 2.0),
    Formula("block of a matrix", "indexing", lambda xp, X: X[1000:3000, 200:800] + 1.0),
    Formula("concatenated", "indexing", lambda xp, X, Y: xp.concatenate([X, Y], axis=1)),
    Formula("stacked", "indexing", lambda xp, long, other: xp.stack([long, other], axis=1)),
    Formula("tall times small", "batches", lambda xp, tall, slim: tall @ slim),
    Formula("small times wide", "batches", lambda xp, slim, wide: slim @ wide),
    Formula("inner product of tall", "batches", lambda xp, tall: tall.T @ tall),
    Formula("column sums of tall", "batches", lambda xp, tall: xp.sum(tall, axis=0)),
    Formula("row sums of tall", "batches", lambda xp, tall: xp.sum(tall, axis=1)),
    Formula("row maxima of tall", "batches", lambda xp, tall: xp.max(tall, axis=1)),
    Formula("softmax of short rows", "batches", lambda xp, tall: _softmax(xp, tall)),
    Formula("normalised short rows", "batches", lambda xp, tall: tall / xp.sqrt(xp.sum(tall * tall, axis=1, keepdims=True))),
    Formula("transposed tall", "batches", lambda xp, tall: xp.swapaxes(tall, 0, 1) * 2.0),
    Formula("batched products", "batches", lambda xp, stack: stack @ stack),
    Formula("batched small products", "batches", lambda xp, matrices: matrices @ matrices),
    Formula(
        "batched matrix times vector", "batches", lambda xp, matrices, vectors: xp.sum(matrices * vectors[:, None, :], axis=2)
    ),
    Formula("batched transpose", "batches", lambda xp, batch: xp.swapaxes(batch, 1, 2) + 1.0),
    Formula("batched traces", "batches", lambda xp, stack: xp.sum(xp.diagonal(stack, 0, 1, 2), axis=1)),
    Formula("eight numbers", "small arrays", lambda xp, small: small * 2.0 + 1.0),
    Formula("norm of eight numbers", "small arrays", lambda xp, small: _norm(xp, small)),
    Formula("three by three product", "small arrays", lambda xp, tiny: tiny @ tiny),
    Formula("small softmax", "small arrays", lambda xp, small: _softmax(xp, small)),
    Formula("integer squares", "small arrays", lambda xp, counts: counts * counts % 7),
    Formula("integer sum", "small arrays", lambda xp, counts: xp.sum(counts)),
)
