"""The programs whose kernels `test_kernels.py` counts, compiles and runs."""

from __future__ import annotations

import numpy as np
import stepwell as sw


def spec(*sizes: int | str, dtype: str = "float32") -> sw.Spec:
    return sw.Spec(sizes, dtype)


def half(*sizes: int | str) -> sw.Spec:
    return spec(*sizes, dtype="bfloat16")


def softmax(x):
    return sw.softmax(x, axis=-1)


def layer_norm(x, w, b):
    return sw.layer_norm(x, w, b, axis=-1, eps=1e-5)


def cross_entropy(x, y):
    return -sw.mean(sw.sum(sw.log_softmax(x, axis=-1) * y, axis=-1))


def cross_entropy_of_labels(x, labels):
    return -sw.mean(sw.take_along_axis(sw.log_softmax(x, axis=-1), labels[:, None], axis=-1))


def attention(q, k, v):
    return sw.softmax(q @ sw.matrix_transpose(k) * 0.125, axis=-1) @ v


def causal_attention(q, k, v):
    places = sw.arange(q.shape[-2])
    scores = q @ sw.matrix_transpose(k) * 0.125
    return sw.softmax(sw.where(places[:, None] >= places[None, :], scores, -np.inf), axis=-1) @ v


def window_attention(q, k, v):
    """Each row sees itself and the 100 keys before it."""
    i, j = sw.arange(q.shape[-2])[:, None], sw.arange(q.shape[-2])[None, :]
    scores = q @ sw.matrix_transpose(k) * 0.125
    return sw.softmax(sw.where((i >= j) & (i - j <= 100), scores, -np.inf), axis=-1) @ v


def attention_with_lengths(q, k, v, lengths):
    """The keys from a length on are padding, a length for each entry of the batch."""
    scores = q @ sw.matrix_transpose(k) * 0.125
    seen = sw.arange(k.shape[-2]) < lengths[:, None, None, None]
    return sw.softmax(sw.where(seen, scores, -np.inf), axis=-1) @ v


def attention_with_relative_bias(q, k, v, table):
    """The bias is a function of the distance of row and key, from a table."""
    i, j = sw.arange(q.shape[-2])[:, None], sw.arange(k.shape[-2])[None, :]
    bias = sw.take(table, i - j + (k.shape[-2] - 1), axis=0)
    return sw.softmax(q @ sw.matrix_transpose(k) * 0.125 + sw.astype(bias, "bfloat16"), axis=-1) @ v


def gradient_with_lengths(q, k, v, lengths, g):
    return gradient_of(lambda q, k, v: attention_with_lengths(q, k, v, lengths))(q, k, v, g)


def convolution(x, w, b):
    return sw.relu(sw.conv2d(x, w, padding=1) + b[:, None, None])


def convolution_channels_last(x, w):
    first = (0, 3, 1, 2)
    result = sw.conv2d(sw.permute_dims(x, first), sw.permute_dims(w, first), padding=1)
    return sw.relu(sw.permute_dims(result, (0, 2, 3, 1)))


def product_with_epilogue(a, b, bias):
    return sw.gelu(a @ b + bias)


def mlp_step(w1, b1, w2, b2, x, y):
    def loss(w1, b1, w2, b2):
        return cross_entropy(sw.relu(x @ w1 + b1) @ w2 + b2, y)

    value, grads = sw.value_and_grad(loss, argnums=(0, 1, 2, 3))(w1, b1, w2, b2)
    return value, *[each - 0.1 * grad for each, grad in zip((w1, b1, w2, b2), grads, strict=True)]


def gradient_of(function):
    """The results of a function of queries, keys and values, and their gradients."""

    def run(q, k, v, g):
        y, back = sw.vjp(function, q, k, v)
        return y, *back(g)

    return run


def gradient_alone(function):
    """The gradients of a function of queries, keys and values, without its results."""
    return lambda q, k, v, g: sw.vjp(function, q, k, v)[1](g)


Q = half(2, 8, 1024, 64)
# name -> (function, arguments, the most kernels that a call launches)
PROGRAMS = {
    "softmax": (softmax, (spec(4096, 1000),), 1),
    "softmax of half precision": (softmax, (half(4096, 1024),), 1),
    "layer norm": (layer_norm, (spec(4096, 1024), spec(1024), spec(1024)), 1),
    "log-sum-exp": (lambda x: sw.logsumexp(x, axis=-1), (spec(4096, 1024),), 1),
    "cross entropy": (cross_entropy, (spec(4096, 1024), spec(4096, 1024)), 1),
    "cross entropy with gradient": (sw.value_and_grad(cross_entropy), (spec(4096, 1024), spec(4096, 1024)), 1),
    "cross entropy of labels": (cross_entropy_of_labels, (spec(4096, 1024), spec(4096, dtype="int64")), 1),
    "cross entropy of labels with gradient": (
        sw.value_and_grad(cross_entropy_of_labels),
        (spec(4096, 1024), spec(4096, dtype="int64")),
        1,
    ),
    "sum of everything": (sw.sum, (spec(4096, 4096),), 1),
    "sum of columns": (lambda x: sw.sum(x, axis=0), (spec(8192, 8192),), 2),
    "sum of rows": (lambda x: sw.sum(x, axis=1), (spec(8192, 8192),), 1),
    "transpose": (lambda x: sw.permute_dims(x, (1, 0)), (spec(4096, 4096),), 1),
    "bias": (lambda x, b: sw.relu(x + b), (spec(4096, 4096), spec(4096)), 1),
    "attention": (attention, (Q, Q, Q), 1),
    "causal attention": (causal_attention, (Q, Q, Q), 1),
    "window attention": (window_attention, (Q, Q, Q), 1),
    "attention with lengths": (attention_with_lengths, (Q, Q, Q, spec(2, dtype="int32")), 1),
    "attention with lengths, with gradient": (gradient_with_lengths, (Q, Q, Q, spec(2, dtype="int32"), Q), 3),
    "attention with relative bias": (attention_with_relative_bias, (Q, Q, Q, spec(2047)), 1),
    "attention with gradient": (gradient_of(attention), (Q, Q, Q, Q), 3),
    "attention with gradient, float32": (gradient_of(attention), (spec(2, 8, 1024, 64),) * 4, 3),
    "causal attention with gradient": (gradient_of(causal_attention), (Q, Q, Q, Q), 3),
    "attention's gradient alone": (gradient_alone(attention), (Q, Q, Q, Q), 3),
    "causal attention's gradient alone": (gradient_alone(causal_attention), (Q, Q, Q, Q), 3),
    "product": (lambda a, b: a @ b, (half(4096, 4096), half(4096, 4096)), 1),
    "product with epilogue": (product_with_epilogue, (half(4096, 4096), half(4096, 4096), half(4096)), 1),
    # The image and the weights are copied with their channels last.
    "convolution": (convolution, (half(32, 64, 56, 56), half(64, 64, 3, 3), half(64)), 3),
    "convolution, channels last": (convolution_channels_last, (half(32, 56, 56, 64), half(64, 3, 3, 64)), 1),
    "training step": (mlp_step, (spec(784, 512), spec(512), spec(512, 10), spec(10), spec(256, 784), spec(256, 10)), 12),
}
PRODUCTS = tuple(
    name
    for name in PROGRAMS
    if name.startswith(("product", "conv", "attention", "causal", "window")) and not name.endswith("float32")
)
# Programs bound by memory: most of their bytes are moved 16 at a time.
BOUND_BY_MEMORY = (
    *(
        "softmax",
        "softmax of half precision",
        "layer norm",
        "log-sum-exp",
        "cross entropy with gradient",
        "sum of rows",
        "bias",
    ),
    *("sum of everything", "sum of columns"),
)
