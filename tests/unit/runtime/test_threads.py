"""Programs of each kind, at sizes from which threads pay: many calls on two threads give the bits of one on a single thread.

A race may give the right result in one call.
"""

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

import numpy as np
import pytest
import stepwell as sw
from stepwell.tools.fuzz.threads import same_on_threads

RNG = np.random.default_rng(0)


def floats(*shape: int, kind: str = "float32") -> Any:
    return RNG.standard_normal(shape).astype(kind)


def leaves(results: Any) -> tuple[Any, ...]:
    if isinstance(results, dict):
        results = tuple(results.values())
    return tuple(leaf for each in results for leaf in leaves(each)) if isinstance(results, tuple | list) else (results,)


def gradient(function: Callable[..., Any], count: int = 1) -> Callable[..., Any]:
    """The gradients of a weighted sum of a function's results, by its first arguments."""
    return sw.grad(lambda *given: sw.sum(sw.sin(function(*given))), argnums=tuple(range(count)))


X, W, B = floats(200, 300), floats(300, 130), floats(130)
# Few rows, of which threads get some columns or blocks each.
FEW, WIDE, COLUMN = floats(16, 600), floats(80, 600), floats(600, 1)
CUBE, BATCH = floats(24, 60, 50), floats(24, 50, 40)
IMAGES, FILTERS = floats(2, 16, 28, 30), floats(32, 16, 3, 3)
ONE_IMAGE, CHANNELS = floats(1, 16, 28, 30), floats(16, 1, 3, 3)
AT, SHORT = RNG.integers(0, 200, 1000), RNG.integers(0, 7, 5000)
WORDS, TABLE = RNG.integers(0, 100, (16, 40)), floats(100, 64)
QUERY, KEY, VALUE = (floats(2, 4, 96, 32) for _ in range(3))


def layer(x: Any, w: Any, b: Any) -> Any:
    return sw.gelu(x @ w + b)


def attention(q: Any, k: Any, v: Any) -> Any:
    return sw.softmax(q @ sw.matrix_transpose(k) * 0.2, axis=-1) @ v


def recurrence(x: Any, w: Any) -> Any:
    def step(h: Any, entry: Any) -> Any:
        h = sw.tanh(h @ w + entry)
        return h, h

    return sw.scan(step, sw.zeros((200, 130)), sw.stack([x[:, :130], x[:, 130:260], x[:, 170:]]))


def scattered(x: Any, at: Any) -> Any:
    return sw.scatter(sw.zeros((7,)), at, x, op="add")


MODEL = sw.nn.Sequential(sw.nn.Linear(300, 128), sw.relu, sw.nn.Linear(128, 10))
OPTIMIZER = sw.optim.Adam(0.01)
PARAMS = MODEL.init(0)
STATE = OPTIMIZER.init(PARAMS)


def training_step(x: Any, labels: Any) -> Any:
    loss, grads = sw.value_and_grad(lambda params: sw.nn.cross_entropy(MODEL(params, x), labels))(PARAMS)
    params, state = OPTIMIZER.update(PARAMS, grads, STATE)
    return loss, params["0"]["weight"], params["2"]["bias"], state


Program = tuple[Callable[..., Any], *tuple[Any, ...]]
PROGRAMS: Mapping[str, Program] = {
    "sums": (lambda x: (sw.sum(x), sw.sum(x, axis=0), sw.sum(x, axis=1)), X),
    "sums of a long row": (lambda x: (sw.sum(x), sw.max(x), sw.argmax(x), sw.std(x)), floats(100_000)),
    "sums of a cube": (lambda x: tuple(sw.sum(x, axis=axis) for axis in (0, 1, 2, (0, 2), (0, 1), (1, 2))), CUBE),
    "extremes": (lambda x: (sw.max(x, axis=0), sw.argmin(x, axis=0), sw.argmax(x, axis=1), sw.min(x)), X),
    "moments": (lambda x: (sw.var(x, axis=0), sw.std(x, axis=1), sw.logsumexp(x, axis=0), sw.mean(x)), X),
    "few columns": (lambda x: (sw.sum(x, axis=0), sw.max(x, axis=0), sw.cumsum(x, axis=0)), floats(30_000, 3)),
    "product": (lambda x, w: x @ w, X, W),
    "product of a vector": (lambda x, b: (x @ b, b[:200] @ x), X, floats(300)),
    "layer": (layer, X, W, B),
    "gradients of a layer": (gradient(layer, 3), X, W, B),
    "row sums of a product": (lambda x, w: (sw.sum(x @ w, axis=1), sw.sum(x @ w, axis=0)), X, W),
    "maxima of a product with transposed weights": (lambda x, w: sw.max(x @ w.T, axis=-1), FEW, WIDE),
    "softmax of a product with transposed weights": (lambda x, w: sw.softmax(x @ w.T, axis=-1), FEW, WIDE),
    "product with a transposed left operand": (lambda x, w: x.T @ w, X, X),
    "product of one column": (lambda x, w: (sw.relu(x @ w), x.T @ x[:, :1]), WIDE, COLUMN),
    "product of few rows": (lambda x, w: sw.sigmoid(x[:3] @ w), FEW, floats(600, 500)),
    "products of a batch": (lambda x, w: sw.matmul(x, w), CUBE, BATCH),
    "products of half precision": (lambda x, w: sw.silu(x @ w), X.astype("float16"), W.astype("float16")),
    "products of bfloat16": (lambda x, w: sw.astype(sw.astype(x, "bfloat16") @ sw.astype(w, "bfloat16"), "float32"), X, W),
    "integers": (lambda x: (x @ x.T, sw.sum(x, axis=0)), RNG.integers(-9, 9, (150, 200))),
    "distances": (lambda x, y: sw.min(sw.sum((x[:, None] - y[None]) ** 2, axis=-1), axis=1), floats(300, 3), floats(200, 3)),
    "symmetric product": (lambda x: sw.exp(-sw.abs(x @ x.T)), X),
    "einsum": (lambda x, w: sw.einsum("bij,bjk->kb", x, w), CUBE, BATCH),
    "softmax": (lambda x: (sw.softmax(x, axis=1), sw.log_softmax(x, axis=0)), X),
    "norms": (lambda x: (sw.layer_norm(x, 1), sw.rms_norm(x, 1)), X),
    "gradients of norms": (gradient(lambda x: sw.layer_norm(x, 1) * sw.softmax(x, axis=0)), X),
    "norm of groups": (lambda x: sw.group_norm(x, 4), IMAGES),
    "norm of a batch": (lambda x: sw.batch_norm(x, *sw.batch_statistics(x)[:2]), IMAGES),
    "sums along axes": (lambda x: (sw.cumsum(x, axis=0), sw.cumsum(x, axis=1), sw.cummax(x, axis=1)), X),
    "sums along a long row": (lambda x: (sw.cumsum(x), sw.cumprod(1 + x * 1e-4)), floats(100_000)),
    "gradients of sums along axes": (gradient(lambda x: sw.cumsum(x, axis=0) * sw.cummax(x, axis=1)), X),
    "recurrence": (recurrence, X, floats(130, 130)),
    "gradients of a recurrence": (gradient(lambda x, w: recurrence(x, w)[1], 2), X, floats(130, 130)),
    "sort": (lambda x: (sw.sort(x, axis=0), sw.argsort(x, axis=1)), X),
    "largest": (lambda x: sw.topk(x, 5), X),
    "rows at indices": (lambda x, at: sw.take(x, at, axis=0) * 2, X, AT),
    "gradients of rows at indices": (gradient(lambda x: sw.take(x, AT, axis=0)), X),
    "elements at indices": (lambda x, at: sw.take_along_axis(x, at, axis=1), X, RNG.integers(0, 300, (200, 250))),
    "gradients of elements at indices": (gradient(lambda x: sw.take_along_axis(x, AT.reshape(200, 5), axis=1)), X),
    "scatter": (scattered, floats(5000), SHORT),
    "scatter of rows": (lambda x, at: sw.scatter(sw.zeros((200, 300)), at, x, op="add"), floats(1000, 300), AT),
    "embedding": (lambda table, at: sw.layer_norm(table[at], 1), TABLE, WORDS),
    "gradients of an embedding": (gradient(lambda table: sw.tanh(table[WORDS])), TABLE),
    "convolution": (lambda x, w: sw.silu(sw.conv2d(x, w, padding=1)), IMAGES, FILTERS),
    "convolution of one image": (lambda x, w: sw.relu(sw.conv2d(x, w, padding=1, stride=2)), ONE_IMAGE, FILTERS),
    "gradients of a convolution": (gradient(lambda x, w: sw.conv2d(x, w, padding=1), 2), IMAGES, FILTERS),
    "convolution of channels": (lambda x, w: sw.conv2d(x, w, groups=16), IMAGES, CHANNELS),
    "gradients of a convolution of channels": (gradient(lambda x, w: sw.conv2d(x, w, groups=16), 2), IMAGES, CHANNELS),
    "transposed convolution": (lambda x, w: sw.conv_transpose2d(x, w, stride=2), IMAGES, floats(16, 8, 3, 3)),
    "convolution of rows": (lambda x, w: sw.conv1d(x, w), floats(4, 16, 500), floats(24, 16, 5)),
    "pooling": (lambda x: (sw.max_pool2d(x, 3, stride=2), sw.avg_pool2d(x, 2)), IMAGES),
    "gradients of pooling": (gradient(lambda x: sw.max_pool2d(x, 3, stride=2) * sw.avg_pool2d(x, 3, stride=2)), IMAGES),
    "interpolation": (lambda x: sw.interpolate(x, scale_factor=2, mode="bilinear"), IMAGES),
    "transposes": (lambda x: (x.T + 1, x.T * x.T[:, :1]), X),
    "permuted cube": (lambda x: sw.permute_dims(x, (2, 0, 1)) * 2, CUBE),
    "chain": (lambda x: sw.tanh(sw.exp(-x * x) + sw.roll(x, 1, axis=0)) * sw.flip(x, axis=1), X),
    "normalised chain": (lambda x: (x - sw.mean(x, axis=0)) / sw.std(x, axis=0) + sw.max(x, axis=1, keepdims=True), X),
    "stencil": (lambda x: x[1:-1, 1:-1] * 4 - x[2:, 1:-1] - x[:-2, 1:-1] - x[1:-1, 2:] - x[1:-1, :-2], floats(300, 300)),
    "concatenation": (lambda x: sw.concat([x, sw.sum(x, axis=1, keepdims=True), x * 2], axis=1), X),
    "attention": (attention, QUERY, KEY, VALUE),
    "gradients of attention": (gradient(attention, 3), QUERY, KEY, VALUE),
    "training step": (training_step, X, RNG.integers(0, 10, 200)),
}  # fmt: skip


@pytest.mark.parametrize("name", PROGRAMS)
def test_two_threads_give_the_bits_of_one(name: str, some_of: Callable[..., Any]):
    function, *arguments = PROGRAMS[name]
    for static in some_of([False, True], 2, list(PROGRAMS).index(name)):
        compiled = sw.jit(lambda *given: leaves(function(*given)), static=static)
        same_on_threads(partial(compiled, *arguments), 2, calls=20)
