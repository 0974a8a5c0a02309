"""Attention under masks that are not comparisons of indices alone: none of them is dropped where a row sees whole blocks."""

from __future__ import annotations

import importlib.util

import numpy as np
import pytest
import stepwell as sw
from stepwell.tests.unit.on_gpu import TRITON

pytestmark = pytest.mark.skipif(
    not (importlib.util.find_spec("triton") and importlib.util.find_spec("torch")),
    reason="Triton and torch are not installed",
)

# Rows and keys: two blocks, so that the last rows see a whole block.
LENGTH = 70
# Whether a row i sees a key j, besides that the key is not a later one; `data` are numbers of the keys.
MASKS = {
    "data": lambda i, j, data: data[None, :] != 1,
    "equal segments": lambda i, j, data: data[:, None] == data[None, :],
    "or": lambda i, j, data: (i - j < 20) | (data[None, :] == 1),
    "not": lambda i, j, data: ~((j >= 5) & (j <= 40)),
    "few keys": lambda i, j, data: j <= 50,
}


def masked_attention(mask, nested):
    """Causal attention under a mask, in one `where` or two."""

    def run(q, k, v, data):
        i, j = sw.arange(q.shape[0])[:, None], sw.arange(q.shape[0])[None, :]
        earlier, seen = j <= i, mask(i, j, data)
        scores = q @ sw.matrix_transpose(k) * 0.125
        if nested:
            scores = sw.where(seen, sw.where(earlier, scores, -np.inf), -np.inf)
        else:
            scores = sw.where(earlier & seen, scores, -np.inf)
        return sw.softmax(scores, axis=-1) @ v

    return run


def gradients_of(function):
    def run(q, k, v, data, g):
        y, back = sw.vjp(lambda q, k, v: function(q, k, v, data), q, k, v)
        return y, *back(g)

    return run


@pytest.mark.parametrize(
    ("name", "sizes", "nested"),
    [*((name, (LENGTH, 32), False) for name in MASKS), ("data", (LENGTH, 32), True), ("data", ("n", 32), False)],
)
def test_causal_attention_under_a_mask(name, sizes, nested):
    random = np.random.default_rng(4)
    q, k, v, g = (random.standard_normal((LENGTH, 32)) for _ in range(4))
    data = np.arange(LENGTH) // 3 % 3
    function = masked_attention(MASKS[name], nested)
    rows, numbers = sw.Spec(sizes, "float32"), sw.Spec(sizes[:1], "int64")
    attention = sw.lower(function, rows, rows, rows, numbers, target=TRITON)
    assert 'loop.for "sequential"' in attention.ir("scheduled"), "rows step through blocks of keys"
    gradients = sw.lower(gradients_of(function), rows, rows, rows, numbers, rows, target=TRITON)
    wanted = sw.jit(gradients_of(function), target="interpret")(q, k, v, data, g)
    q, k, v, g = (each.astype("float32") for each in (q, k, v, g))
    found = attention(q, k, v, data), *gradients(q, k, v, data, g)
    for ours, theirs in zip(found, (wanted[0], *wanted), strict=True):
        np.testing.assert_allclose(ours, theirs, atol=1e-5)


@pytest.mark.covering(1)
@pytest.mark.parametrize("wanted", [(0, 1, 2), (0,), (1, 2)], ids=str)
@pytest.mark.parametrize("is_causal", [False, True])
def test_gradients_without_the_output(is_causal, wanted):
    """A kernel computes statistics of rows, and no array of rows times keys is stored."""

    def attend(q, k, v):
        places = sw.arange(q.shape[-2])
        scores = q @ sw.matrix_transpose(k) * 0.25
        seen = sw.where(places[:, None] >= places[None, :], scores, -np.inf) if is_causal else scores
        return sw.softmax(seen, axis=-1) @ v

    def gradients(q, k, v, g):
        found = sw.vjp(attend, q, k, v)[1](g)
        return [found[each] for each in wanted]

    given = [np.random.default_rng(k).standard_normal((2, 40, 16)).astype("float32") for k in range(4)]
    low = sw.lower(gradients, *[sw.Spec(each.shape) for each in given], target=TRITON)
    assert "40x40" not in low.ir("tile") and low.ir("tile").count("tile.launch") <= 3
    for ours, theirs in zip(low(*given), sw.jit(gradients, target="interpret")(*given), strict=True):
        np.testing.assert_allclose(ours, theirs, rtol=1e-4, atol=1e-5)
