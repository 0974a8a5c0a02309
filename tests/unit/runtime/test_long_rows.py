"""Kernels that step through axes too long for a tile or a program: rows, K of products, keys that rows do not see."""

from __future__ import annotations

import importlib.util

import numpy as np
import pytest
import stepwell as sw
from stepwell.dialects import loop, make_context, tile
from stepwell.ir.text.parser import parse_module
from stepwell.tests.unit.on_gpu import TRITON

needs_triton = pytest.mark.skipif(
    not (importlib.util.find_spec("triton") and importlib.util.find_spec("torch")),
    reason="Triton and torch are not installed",
)


def cross_entropy(x, y):
    return -sw.mean(sw.sum(sw.log_softmax(x, axis=-1) * y, axis=-1))


def attention(q, k, v):
    return sw.softmax(q @ sw.matrix_transpose(k) * 0.125, axis=-1) @ v


def causal(q, k, v):
    places = sw.arange(q.shape[-2])
    scores = q @ sw.matrix_transpose(k) * 0.125
    return sw.softmax(sw.where(places[:, None] >= places[None, :], scores, -np.inf), axis=-1) @ v


def window(q, k, v):
    i, j = sw.arange(q.shape[-2])[:, None], sw.arange(q.shape[-2])[None, :]
    scores = q @ sw.matrix_transpose(k) * 0.125
    return sw.softmax(sw.where((i >= j) & (i - j <= 20), scores, -np.inf), axis=-1) @ v


def grouped(q, k, v):
    """Two heads of queries for each head of keys and values."""
    scores = sw.einsum("hgqd,hkd->hgqk", q, k) * 0.125
    return sw.einsum("hgqk,hkd->hgqd", sw.softmax(scores, axis=-1), v)


def gradient_of(function):
    def run(q, k, v, g):
        y, back = sw.vjp(function, q, k, v)
        return y, *back(g)

    return run


def launches(low) -> int:
    return sum(isinstance(op, tile.LaunchOp) for op in parse_module(low.ir("tile"), make_context()).walk())


# Functions of rows, the number of arguments, and the number of loads of each element of the first one.
ROWS = {
    "softmax": (lambda x: sw.softmax(x, axis=-1), 1, 2),
    "log-sum-exp": (lambda x: sw.logsumexp(x, axis=-1), 1, 1),
    "variance": (lambda x: sw.var(x, axis=-1), 1, 1),
    "layer norm": (lambda x: sw.layer_norm(x, axis=-1, eps=1e-5), 1, 2),
    "cross entropy": (cross_entropy, 2, 2),
    "cross entropy with gradient": (sw.value_and_grad(cross_entropy), 2, 3),
}


@pytest.mark.parametrize("name", ROWS)
def test_how_often_long_rows_are_loaded(name):
    """On the loop level, where consecutive loads of an element in a loop are one."""
    function, count, most = ROWS[name]
    low = sw.lower(function, *[sw.Spec((512, 100_000))] * count, target="cuda", trace=False)
    module = parse_module(low.ir("tile"), make_context())
    first = [op for op in module.walk() if isinstance(op, tile.LoadOp) and op.buffer.name_hint == "x"]
    assert 0 < len(first) <= most


def test_rows_of_unknown_length_are_streamed_beyond_a_limit():
    low = sw.lower(ROWS["softmax"][0], sw.Spec(("n", "m")), target="cuda", trace=False)
    module = parse_module(low.ir("scheduled"), make_context())
    blocks = [op for op in module.walk() if isinstance(op, loop.BlockOp)]
    streamed = [any(isinstance(op, loop.ForOp) and op.kind.data == "sequential" for op in block.walk()) for block in blocks]
    assert len(blocks) == 5 and sum(streamed) == 1


@pytest.mark.covering(1)
@needs_triton
@pytest.mark.parametrize("length", [16385, 20480])
@pytest.mark.parametrize("name", ROWS)
def test_streamed_rows(name, length):
    """Lengths that parts divide, and other lengths; elements far from 0."""
    function, count, _ = ROWS[name]
    random = np.random.default_rng(3)
    x = (random.standard_normal((3, length)) + 30).astype("float32")
    x[1] = np.sort(x[1])
    given = [x, np.full((3, length), 1 / length, "float32")][:count]
    wanted = sw.jit(function, target="interpret")(*(each.astype("float64") for each in given))
    result = sw.jit(function, target=TRITON)(*given)
    for ours, theirs in zip(_as_tuple(result), _as_tuple(wanted), strict=True):
        np.testing.assert_allclose(ours, theirs, rtol=2e-5, atol=2e-5)


@needs_triton
@pytest.mark.parametrize("name", ["softmax", "log-sum-exp", "variance"])
def test_streamed_rows_with_infinite_elements(name):
    function = ROWS[name][0]
    x = np.random.default_rng(4).standard_normal((5, 16400)).astype("float32")
    x[0, 9000], x[1, 100], x[2, 16399], x[3, :9000] = np.inf, -np.inf, np.nan, -np.inf
    x[4] = -np.inf
    with np.errstate(all="ignore"):
        wanted = sw.jit(function, target="interpret")(x)
        result = sw.jit(function, target=TRITON)(x)
    np.testing.assert_allclose(result, wanted, rtol=1e-5, atol=1e-6)


def _as_tuple(results):
    return results if isinstance(results, tuple) else (results,)


@pytest.mark.covering(1)
@needs_triton
@pytest.mark.parametrize("static", [False, True])
@pytest.mark.parametrize("sizes", [(64, 2048, 64), (40, 1000, 70)])
def test_products_in_parts(sizes, static):
    m, k, n = sizes
    random = np.random.default_rng(5)
    a, b, c = (random.standard_normal(shape).astype("float32") for shape in ((m, k), (k, n), (n,)))

    def layer(a, b, c):
        return sw.relu(a @ b + c)

    low = sw.lower(layer, sw.Spec((m, k)), sw.Spec((k, n)), sw.Spec(n), target="cuda", trace=False)
    assert launches(low) == 2
    result = sw.jit(layer, target=TRITON, static=static)(a, b, c)
    np.testing.assert_allclose(result, np.maximum(a @ b + c, 0), rtol=1e-4, atol=1e-3)


@needs_triton
def test_products_of_bytes():
    """int8 products in int32 are exact, on matrix units; scales follow."""

    def product(a, b, scale):
        return sw.astype(sw.astype(a, "int32") @ sw.astype(b, "int32"), "float32") * scale

    random = np.random.default_rng(6)
    a, b = (random.integers(-128, 128, shape).astype("int8") for shape in ((40, 70), (70, 50)))
    scale = random.standard_normal(50).astype("float32")
    wanted = (a.astype("int32") @ b.astype("int32")).astype("float32") * scale
    np.testing.assert_array_equal(sw.jit(product, target=TRITON)(a, b, scale), wanted)
    kinds = sw.Spec((1024, 1024), "int8"), sw.Spec((1024, 1024), "int8"), sw.Spec(1024)
    (found,) = sw.lower(product, *kinds, target="cuda", trace=False).resources("h100")
    assert found.instructions.get("wgmma", 0) + found.instructions.get("mma", 0) > 0 and found.stack == 0, str(found)


@pytest.mark.parametrize(("function", "lower", "upper"), [(causal, 1, 2), (window, 3, 3)])
def test_gradients_visit_what_rows_see(function, lower, upper):
    """Loops over keys end at the last row of a block, loops over rows begin at the first key."""
    kind = sw.Spec((2, 512, 64), "bfloat16")
    low = sw.lower(gradient_of(function), *[kind] * 4, target="cuda", trace=False)
    module = parse_module(low.ir("scheduled"), make_context())
    blocks = [op for op in module.walk() if isinstance(op, loop.BlockOp)]
    assert len(blocks) == launches(low) == 3
    steps = [op for block in blocks[1:] for op in block.walk() if isinstance(op, loop.ForOp) and op.kind.data == "sequential"]
    assert len(steps) == 3
    assert sum(bool(op.lower.dims()) for op in steps) == lower and sum(bool(op.upper.dims()) for op in steps) == upper


@pytest.mark.covering(1)
@needs_triton
@pytest.mark.parametrize("kind", ["float32", "bfloat16"])
@pytest.mark.parametrize(("function", "heads"), [(window, ()), (causal, ()), (grouped, (2,))])
def test_gradients_of_masked_and_grouped_attention(function, heads, kind):
    import torch

    random = np.random.default_rng(7)
    length = 70 if kind == "float32" else 130  # more than two blocks
    shapes = [(1, *heads, length, 16), (1, length, 16), (1, length, 16), (1, *heads, length, 16)]
    given = [torch.from_numpy(random.standard_normal(shape)).to(getattr(torch, kind)) for shape in shapes]
    wanted = sw.jit(gradient_of(function), target="interpret")(*(each.double() for each in given))
    low = sw.lower(gradient_of(function), *[sw.Spec(shape, kind) for shape in shapes], target=TRITON)
    assert launches(low) == 3
    for ours, theirs in zip(low(*given), wanted, strict=True):
        np.testing.assert_allclose(ours.double().numpy(), theirs.numpy(), atol=1e-5 if kind == "float32" else 6e-2)


@needs_triton
def test_convolutions_whose_channels_are_not_last():
    """Images and weights are copied with their channels last: the products' loads are 16 bytes wide. Results keep their
    order."""
    import torch

    def convolution(x, w, b):
        return sw.relu(sw.conv2d(x, w, padding=1) + b[:, None, None])

    low = sw.lower(convolution, *[sw.Spec(s, "bfloat16") for s in ((2, 64, 28, 28), (64, 64, 3, 3), (64,))], target="cuda")
    product = low.resources("h100")[-1].instructions
    assert product["wgmma"] > 0 and product["copy to shared 16 bytes"] == product["copy to shared"] > 0
    random = np.random.default_rng(9)
    given = [torch.from_numpy(random.standard_normal(s)).bfloat16() for s in ((1, 16, 7, 9), (8, 16, 3, 3), (8,))]
    kinds = [sw.Spec(tuple(each.shape), "bfloat16") for each in given]
    wanted = sw.jit(convolution, target="interpret")(*(each.double() for each in given)).numpy()
    result = sw.lower(convolution, *kinds, target=TRITON)(*given).double().numpy()
    np.testing.assert_allclose(result, wanted, atol=0.2, rtol=2e-2)
