"""NumPy: whole arrays, with temporaries reused where that is simple."""

from __future__ import annotations

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view

from .base import Peer


class NumPy(Peer):
    """The kernels are called directly."""


def elementwise(a, b, c):
    inner = a * b
    inner += c
    np.tanh(inner, out=inner)
    gate = np.exp(-a)
    gate += 1
    inner /= gate
    np.multiply(b, np.float32(0.5), out=gate)
    inner -= gate
    return inner


def softmax(x):
    e = x - x.max(-1, keepdims=True)
    np.exp(e, out=e)
    e /= e.sum(-1, keepdims=True)
    return e


def layernorm(x, w, b):
    centred = x - x.mean(-1, keepdims=True)
    variance = np.einsum("ij,ij->i", centred, centred)[:, None] / np.float32(x.shape[-1])
    centred /= np.sqrt(variance + np.float32(1e-5))
    centred *= w
    centred += b
    return centred


def logsumexp(x):
    greatest = x.max(-1, keepdims=True)
    e = x - greatest
    np.exp(e, out=e)
    return np.log(e.sum(-1)) + greatest[:, 0]


def rowsum(x):
    return x.sum(1)


def colsum(x):
    return x.sum(0)


def fullsum(x):
    return x.sum()


def meanvar(x):
    return x.mean(1), x.var(1)


def matmul(a, b):
    return a @ b


def batched_matmul(a, b):
    return a @ b


def matmul_bias_relu(a, b, bias):
    result = a @ b
    result += bias
    return np.maximum(result, 0, out=result)


def conv2d(x, w):
    """One product of matrices, over materialised windows."""
    n, c, height, width = x.shape
    padded = np.pad(x, ((0, 0), (0, 0), (1, 1), (1, 1)))
    windows = sliding_window_view(padded, (3, 3), (2, 3)).transpose(0, 1, 4, 5, 2, 3)
    columns = windows.reshape(n, c * 9, height * width)
    return (w.reshape(len(w), -1) @ columns).reshape(n, len(w), height, width)


def depthwise(x, w):
    height, width = x.shape[2:]
    padded = np.pad(x, ((0, 0), (0, 0), (1, 1), (1, 1)))
    result = np.zeros_like(x)
    for i in range(3):
        for j in range(3):
            result += padded[:, :, i : i + height, j : j + width] * w[:, 0, i, j][:, None, None]
    return result


def attention(q, k, v):
    return softmax(q @ k.swapaxes(-1, -2) * np.float32(0.125)) @ v


def mlp_gradients(x, y, w1, b1, w2, b2, w3, b3):
    first = matmul_bias_relu(x, w1, b1)
    second = matmul_bias_relu(first, w2, b2)
    back = softmax(second @ w3 + b3)
    back -= y
    back /= np.float32(len(x))
    gradients = [second.T @ back, back.sum(0)]
    back = back @ w3.T
    back *= second > 0
    gradients = [first.T @ back, back.sum(0), *gradients]
    back = back @ w2.T
    back *= first > 0
    return [x.T @ back, back.sum(0), *gradients]


def mlp_step(x, y, *state):
    parameters, gathered = state[:6], state[6:]
    gradients, updated = mlp_gradients(x, y, *parameters), []
    for parameter, v, gradient in zip(parameters, gathered, gradients, strict=True):
        gradient += np.float32(0.9) * v
        updated.append(parameter - np.float32(0.1) * gradient)
    return *updated, *gradients


def mlp_step_in_place(x, y, *state):
    parameters, gathered = state[:6], state[6:]
    for parameter, v, gradient in zip(parameters, gathered, mlp_gradients(x, y, *parameters), strict=True):
        v *= np.float32(0.9)
        v += gradient
        parameter -= np.multiply(v, np.float32(0.1), out=gradient)
    return state


def sum_gradient(x):
    return x.sum(), np.ones_like(x)


def product_gradient(x):
    """The gradient for factors that are not zero."""
    value = x.prod()
    return value, value / x


def transpose1(x):
    return np.add(x.T, 1, order="C")


def gather(x, rows):
    return x.take(rows, 0)


def cumsum(x):
    return x.cumsum(-1)


add = np.add
