"""PyTensor, compiled to C, with the BLAS of the system."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from typing import Any

# OpenBLAS of a Linux distribution may not know the processor, and then uses half of its vectors.
os.environ.setdefault("OPENBLAS_CORETYPE", "SkylakeX")

import pytensor
import pytensor.tensor as pt
from pytensor.compile.sharedvalue import SharedVariable

from .base import Array, Call, Peer, Task


class PyTensor(Peer):
    def __init__(self, threads: int):
        super().__init__(threads)
        pytensor.config.floatX = "float32"
        pytensor.config.blas__ldflags = "-lopenblas"

    def prepare(self, task: Task) -> Call | None:
        kernel = self.kernel(task.kernel)
        if kernel is None:
            return None
        inputs, state = task.parted()
        return Call(compiled(kernel, inputs, [pytensor.shared(each) for each in state]), inputs)

    def give(self, result: Any) -> tuple[Array, ...]:
        """A state is passed as the variables that hold it."""
        if not isinstance(result, list):
            return super().give(result)
        return super().give([each.get_value() if isinstance(each, SharedVariable) else each for each in result])


def compiled(kernel: Callable[..., Any], inputs: Sequence[Array], state: list[SharedVariable]) -> Callable[..., Any]:
    """The kernel for arrays of these dtypes and ranks. If there is a state, the kernel updates it and returns it."""
    variables = [pt.tensor(dtype=each.dtype, shape=(None,) * each.ndim) for each in inputs]
    result = kernel(*variables, *state)
    if not state:
        results = list(result) if isinstance(result, tuple) else result
        return pytensor.function(variables, results, mode="CVM", trust_input=True)
    update = pytensor.function(variables, [], updates=list(zip(state, result, strict=True)), mode="CVM", trust_input=True)

    def call(*arguments: Array) -> list[SharedVariable]:
        update(*arguments)
        return state

    return call


def elementwise(a, b, c):
    return pt.tanh(a * b + c) * pt.sigmoid(a) - 0.5 * b


def softmax(x):
    return pt.special.softmax(x, axis=-1)


def layernorm(x, w, b):
    centred = x - x.mean(-1, keepdims=True)
    return centred / pt.sqrt(pt.sqr(centred).mean(-1, keepdims=True) + 1e-5) * w + b


def logsumexp(x):
    return pt.logsumexp(x, axis=-1)


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
    return pt.matmul(a, b)


def matmul_bias_relu(a, b, bias):
    return pt.maximum(a @ b + bias, 0)


# PyTensor has no convolution of images.
conv2d = depthwise = None


def attention(q, k, v):
    return pt.matmul(softmax(pt.matmul(q, k.swapaxes(-1, -2)) / 8), v)


def mlp_step(x, y, w1, b1, w2, b2, w3, b3, *gathered):
    parameters = [w1, b1, w2, b2, w3, b3]
    hidden = pt.maximum(pt.maximum(x @ w1 + b1, 0) @ w2 + b2, 0)
    loss = -(y * pt.special.log_softmax(hidden @ w3 + b3, axis=1)).sum(1).mean()
    after = [0.9 * v + gradient for v, gradient in zip(gathered, pt.grad(loss, parameters), strict=True)]
    return *(p - 0.1 * v for p, v in zip(parameters, after, strict=True)), *after


mlp_step_in_place = mlp_step


def sum_gradient(x):
    return x.sum(), pt.grad(x.sum(), x)


def product_gradient(x):
    return x.prod(), pt.grad(x.prod(), x)


# The result has the layout of `x.T`: PyTensor simplifies all copies away.
transpose1 = None


def gather(x, rows):
    return x[rows]


def cumsum(x):
    return pt.cumsum(x, -1)


def add(a, b):
    return a + b
