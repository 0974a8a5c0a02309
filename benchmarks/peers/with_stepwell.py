"""Stepwell, as its users write it: plain functions, jitted, sizes symbolic."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import stepwell as sw
from stepwell.dialects.graph import violations
from stepwell.frontend.lowered import function as lowered
from stepwell.lowering import all_passes
from stepwell.lowering.emit_c import emit_c
from stepwell.passes.rules import shipped as shipped_rules
from stepwell.runtime.cpu import background as ahead
from stepwell.runtime.cpu import program as cpu

from .base import Peer

# Imports are not part of a first call: import the modules that functions of the library, gradients and a lowering need.
LOADED = (
    *(sw.jit, sw.grad, sw.softmax, sw.matmul, sw.relu),
    *(lowered, emit_c, cpu, ahead, shipped_rules, violations),
    *map(all_passes().find, all_passes().names()),
)


class Stepwell(Peer):
    def __init__(self, threads: int):
        super().__init__(threads)
        sw.set_num_threads(threads)

    def compile(self, kernel: Callable[..., Any], state: Sequence[int]) -> Callable[..., Any]:
        return sw.jit(kernel, donate_argnums=state)


def elementwise(a, b, c):
    return sw.tanh(a * b + c) * sw.sigmoid(a) - 0.5 * b


def softmax(x):
    return sw.softmax(x, axis=-1)


def layernorm(x, w, b):
    return sw.layer_norm(x, w, b, axis=-1, eps=1e-5)


def logsumexp(x):
    return sw.logsumexp(x, axis=-1)


def rowsum(x):
    return sw.sum(x, axis=1)


def colsum(x):
    return sw.sum(x, axis=0)


def fullsum(x):
    return sw.sum(x)


def meanvar(x):
    return sw.mean(x, axis=1), sw.var(x, axis=1)


def matmul(a, b):
    return a @ b


def batched_matmul(a, b):
    return a @ b


def matmul_bias_relu(a, b, bias):
    return sw.relu(a @ b + bias)


def conv2d(x, w):
    return sw.conv2d(x, w, padding=1)


def depthwise(x, w):
    return sw.conv2d(x, w, padding=1, groups=64)


def attention(q, k, v):
    return sw.softmax(q @ sw.matrix_transpose(k) / 8, axis=-1) @ v


def mlp_loss(parameters, x, y):
    w1, b1, w2, b2, w3, b3 = parameters
    hidden = sw.relu(sw.relu(x @ w1 + b1) @ w2 + b2)
    return -sw.mean(sw.sum(y * sw.log_softmax(hidden @ w3 + b3, axis=1), axis=1))


def mlp_step(x, y, w1, b1, w2, b2, w3, b3, *gathered):
    parameters = (w1, b1, w2, b2, w3, b3)
    gradients = sw.grad(mlp_loss)(parameters, x, y)
    after = [0.9 * v + gradient for v, gradient in zip(gathered, gradients, strict=True)]
    return *(p - 0.1 * v for p, v in zip(parameters, after, strict=True)), *after


mlp_step_in_place = mlp_step


def sum_gradient(x):
    return sw.value_and_grad(sw.sum)(x)


def product_gradient(x):
    return sw.value_and_grad(sw.prod)(x)


def transpose1(x):
    return sw.matrix_transpose(x) + 1


def gather(x, rows):
    return sw.take(x, rows, axis=0)


def cumsum(x):
    return sw.cumulative_sum(x, axis=-1)


def add(a, b):
    return a + b
