"""The workloads: for each its inputs, its meaning in float64, and its least cost.

A workload names a kernel. Each peer defines a function of that name, written as a competent user of it would.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any

import numpy as np

Array = Any
SEED = 20
FLOAT = np.float32


@dataclass(frozen=True)
class Workload:
    """One computation on inputs of fixed sizes.

    `reach` is the goal for Stepwell's time over the best peer's. `flops` counts only multiplications and additions of
    contractions. A result is right when it differs from the reference, which is computed from float64 inputs, by at most
    `tolerance` times the greatest magnitude in it. The last `state` inputs are a state, which each call replaces by its
    results, in the same memory where the library can.
    """

    name: str
    what: str
    kernel: str
    make: Callable[[np.random.Generator], tuple[Array, ...]]
    reference: Callable[..., Any]
    reach: float
    flops: int = 0
    tolerance: float = 1e-5
    state: int = 0

    def inputs(self) -> tuple[Array, ...]:
        """The arguments, the same in every process."""
        return self.make(np.random.default_rng(SEED))

    def expected(self) -> tuple[Array, ...]:
        """The results in float64."""
        wide = [each.astype(np.float64) if each.dtype == FLOAT else each for each in self.inputs()]
        result = self.reference(*wide)
        return result if isinstance(result, tuple) else (result,)

    def traffic(self, expected: tuple[Array, ...]) -> int:
        """The bytes that every implementation has to move: each input read and each float32 result written once."""
        return sum(each.nbytes for each in self.inputs()) + sum(each.size * FLOAT().itemsize for each in expected)

    def fault(self, results: tuple[Array, ...], expected: tuple[Array, ...]) -> str | None:
        """The fault of the results; None if they are right."""
        if len(results) != len(expected):
            return f"{len(results)} results in place of {len(expected)}"
        for got, want in zip(results, expected, strict=True):
            if got.shape != want.shape or got.dtype != FLOAT:
                return f"{got.dtype} of shape {got.shape} in place of float32 of shape {want.shape}"
            if not got.flags.c_contiguous:
                return "a result that is not row-major"
            error = np.max(np.abs(got - want)) / np.max(np.abs(want))
            if not error <= self.tolerance:  # NaN is wrong, too.
                return f"an error of {error:.1e}, where {self.tolerance:.0e} is allowed"
        return None


def normal(*shapes: tuple[int, ...]) -> Callable[[np.random.Generator], tuple[Array, ...]]:
    """Inputs of these shapes, normally distributed."""
    return lambda random: tuple(random.standard_normal(shape, FLOAT) for shape in shapes)


def uniform(*shapes: tuple[int, ...]) -> Callable[[np.random.Generator], tuple[Array, ...]]:
    """Inputs of these shapes in [0, 1), for sums that should not be near zero."""
    return lambda random: tuple(random.random(shape, FLOAT) for shape in shapes)


def rows_to_gather(random: np.random.Generator) -> tuple[Array, ...]:
    """A table and the rows to take from it."""
    return random.standard_normal((4096, 1024), FLOAT), random.integers(0, 4096, 4096)


def elementwise(a: Array, b: Array, c: Array) -> Array:
    return np.tanh(a * b + c) / (1 + np.exp(-a)) - 0.5 * b


def softmax(x: Array) -> Array:
    e = np.exp(x - x.max(-1, keepdims=True))
    return e / e.sum(-1, keepdims=True)


def layernorm(x: Array, w: Array, b: Array) -> Array:
    return (x - x.mean(-1, keepdims=True)) / np.sqrt(x.var(-1, keepdims=True) + 1e-5) * w + b


def logsumexp(x: Array) -> Array:
    return np.log(np.exp(x).sum(-1))


def meanvar(x: Array) -> tuple[Array, Array]:
    return x.mean(1), x.var(1)


def conv2d(x: Array, w: Array) -> Array:
    windows = windows_of(x)
    return np.tensordot(windows, w, ((1, 4, 5), (1, 2, 3))).transpose(0, 3, 1, 2)


def depthwise(x: Array, w: Array) -> Array:
    return np.einsum("nchwij,cij->nchw", windows_of(x), w[:, 0])


def windows_of(x: Array) -> Array:
    """The 3 x 3 neighbourhood of each pixel as two more axes, zeros outside."""
    padded = np.pad(x, ((0, 0), (0, 0), (1, 1), (1, 1)))
    return np.lib.stride_tricks.sliding_window_view(padded, (3, 3), (2, 3))


def attention(q: Array, k: Array, v: Array) -> Array:
    return softmax(q @ k.swapaxes(-1, -2) / 8) @ v


def parameters(random: np.random.Generator) -> tuple[Array, ...]:
    """128 images with their classes as rows of 0 and 1, weights and biases of three layers, and their momentum."""
    images, classes = random.random((128, 784), FLOAT), np.eye(10, dtype=FLOAT)[random.integers(0, 10, 128)]
    shapes = [shape for a, b in pairwise(LAYERS) for shape in ((a, b), (b,))]
    given = [random.standard_normal(shape, FLOAT) / FLOAT(math.sqrt(shape[0])) for shape in shapes]
    gathered = [random.standard_normal(shape, FLOAT) * FLOAT(0.01) for shape in shapes]
    return images, classes, *given, *gathered


def mlp_step(x: Array, y: Array, *state: Array) -> tuple[Array, ...]:
    """A step of gradient descent with momentum, on the cross-entropy of three layers."""
    given, gathered = state[:6], state[6:]
    inputs = [x]
    for w, b in zip(given[0:4:2], given[1:4:2], strict=True):
        inputs.append(np.maximum(inputs[-1] @ w + b, 0))
    back = (softmax(inputs[-1] @ given[4] + given[5]) - y) / len(x)
    gradients: list[Array] = []
    for layer in (2, 1, 0):
        gradients = [inputs[layer].T @ back, back.sum(0), *gradients]
        back = back @ given[2 * layer].T * (inputs[layer] > 0)
    after = [0.9 * v + gradient for v, gradient in zip(gathered, gradients, strict=True)]
    return *(p - 0.1 * v for p, v in zip(given, after, strict=True)), *after


def near_one(random: np.random.Generator) -> tuple[Array, ...]:
    """Factors whose product is neither huge nor tiny."""
    return (1 + FLOAT(1e-4) * random.standard_normal(2**24, FLOAT),)


def sum_gradient(x: Array) -> tuple[Array, Array]:
    return x.sum(), np.ones_like(x)


def product_gradient(x: Array) -> tuple[Array, Array]:
    return x.prod(), x.prod() / x


def product(name: str, what: str, left: tuple[int, ...], right: tuple[int, ...], reach: float) -> Workload:
    """A product of matrices, or of stacks of them."""
    flops = 2 * math.prod(left) * right[-1]
    kernel = "matmul" if len(left) == 2 else "batched_matmul"
    return Workload(name, what, kernel, normal(left, right), np.matmul, reach, flops)


ROWS, COLUMNS = (4096, 1024), (1024,)
SQUARE, WIDE = (1024, 1024), (4096, 4096)
IMAGES, HEADS = (8, 64, 56, 56), (2, 8, 512, 64)
LAYERS = (784, 512, 512, 10)
MLP = Workload(
    "mlp",
    "training step 784-512-512-10, batch 128, SGD with momentum",
    "mlp_step",
    parameters,
    mlp_step,
    reach=0.85,
    flops=2 * 128 * (2 * 784 * 512 + 3 * 512 * 512 + 3 * 512 * 10),
    tolerance=1e-4,
)

WORKLOADS = (
    Workload("ew_16m", "tanh(a*b+c)*sigmoid(a)-0.5*b, 2^24", "elementwise", normal(*[(2**24,)] * 3), elementwise, 0.75),
    Workload("ew_64k", "the same, 2^16", "elementwise", normal(*[(2**16,)] * 3), elementwise, 0.6),
    Workload("softmax", "softmax, last axis, 4096x1024", "softmax", normal(ROWS), softmax, 0.65),
    Workload("layernorm", "layer norm with affine, 4096x1024", "layernorm", normal(ROWS, COLUMNS, COLUMNS), layernorm, 0.6),
    Workload("logsumexp", "logsumexp, last axis, 4096x1024", "logsumexp", normal(ROWS), logsumexp, 0.3),
    Workload("rowsum", "sum over rows, 4096x4096", "rowsum", uniform(WIDE), lambda x: x.sum(1), 1.0),
    Workload("colsum", "sum over columns, 4096x4096", "colsum", uniform(WIDE), lambda x: x.sum(0), 0.85),
    Workload("fullsum", "sum of all, 4096x4096", "fullsum", uniform(WIDE), np.sum, 1.0, tolerance=1e-4),
    Workload("meanvar", "mean and variance of rows, 4096x4096", "meanvar", uniform(WIDE), meanvar, 0.75),
    product("mm512", "matmul 512^3", (512, 512), (512, 512), 1.0),
    product("mm1024", "matmul 1024^3", SQUARE, SQUARE, 0.98),
    product("mm2048", "matmul 2048^3", (2048, 2048), (2048, 2048), 1.0),
    product("bmm32", "32 matmuls of 256^3", (32, 256, 256), (32, 256, 256), 0.85),
    product("gemv", "1x4096 @ 4096x4096", (1, 4096), WIDE, 0.9),
    product("tall", "8192x64 @ 64x64", (8192, 64), (64, 64), 1.0),
    # Axes that are short beside long ones: points in space, a layer with three results, many small matrices.
    product("points", "100000x3 @ 3x3", (100_000, 3), (3, 3), 1.0),
    product("thin", "20000x64 @ 64x3", (20_000, 64), (64, 3), 1.0),
    product("bmm3", "100000 matmuls of 3^3", (100_000, 3, 3), (100_000, 3, 3), 1.0),
    Workload("softmax3", "softmax, last axis, 100000x3", "softmax", normal((100_000, 3)), softmax, 1.0),
    Workload("rowsum3", "sum over rows, 100000x3", "rowsum", uniform((100_000, 3)), lambda x: x.sum(1), 1.0),
    replace(
        product("mm_bias_relu", "relu(matmul 1024^3 + bias)", SQUARE, SQUARE, 0.98),
        kernel="matmul_bias_relu",
        make=normal(SQUARE, SQUARE, COLUMNS),
        reference=lambda a, b, bias: np.maximum(a @ b + bias, 0),
    ),
    Workload(
        "conv2d",
        "convolution 8x64x56x56, 64 of 3x3, padding 1",
        "conv2d",
        normal(IMAGES, (64, 64, 3, 3)),
        conv2d,
        reach=0.93,
        flops=2 * 8 * 64 * 56 * 56 * 64 * 9,
    ),
    Workload("dwconv", "depthwise 3x3, 8x64x56x56", "depthwise", normal(IMAGES, (64, 1, 3, 3)), depthwise, 0.5),
    Workload(
        "attention",
        "softmax(QK^T/8)V, 2x8x512x64",
        "attention",
        normal(HEADS, HEADS, HEADS),
        attention,
        reach=0.8,
        flops=4 * 16 * 512 * 512 * 64,
    ),
    MLP,
    # Each call continues the training. Momentum becomes denormal after some 700 calls; a run of default length makes fewer.
    replace(MLP, name="mlp_in_place", what="the same, updated in place", kernel="mlp_step_in_place", reach=1.0, state=12),
    # The second should take at most 1.6 times as long as the first.
    Workload("sum_grad", "sum of 2^24 and its gradient", "sum_gradient", near_one, sum_gradient, 1.0, tolerance=1e-4),
    Workload(
        "prod_grad", "product of 2^24 and its gradient", "product_gradient", near_one, product_gradient, 1.0, tolerance=1e-2
    ),
    Workload("transpose1", "(2048x2048).T + 1, row-major", "transpose1", normal((2048, 2048)), lambda x: x.T + 1, 0.5),
    Workload("gather", "row gather, 4096x1024", "gather", rows_to_gather, lambda x, rows: x[rows], 0.65),
    Workload("cumsum", "cumsum, last axis, 4096x1024", "cumsum", uniform(ROWS), lambda x: x.cumsum(-1), 0.5),
    Workload("add8", "add of two 8-element arrays, per call", "add", normal((8,), (8,)), np.add, 3.5),
)
