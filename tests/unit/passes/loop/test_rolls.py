"""Rolled and tiled arrays, whose indices are divided by sizes: results equal NumPy's, for all sizes and shifts."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import stepwell as sw

SHAPES = [(7, 9), (1, 1), (3, 2), (20, 33), (17, 16), (2, 50), (0, 4), (4, 0), (2, 700)]


def stencil(xp: Any, x: Any) -> Any:
    """A grid without a border."""
    return xp.roll(x, 1, axis=0) + xp.roll(x, -1, axis=0) + xp.roll(x, 1, axis=1) + xp.roll(x, -1, axis=1) - 4 * x


PROGRAMS: dict[str, Callable[[Any, Any], Any]] = {
    "stencil": stencil,
    "far": lambda xp, x: xp.roll(x, 100, axis=1) - xp.roll(x, -23, axis=1),
    "twice": lambda xp, x: xp.roll(xp.roll(x, 2, axis=1), -5, axis=1) * xp.roll(x, 7, axis=1),
    "flat": lambda xp, x: xp.roll(x, 5),
    "tiled": lambda xp, x: xp.tile(x, (2, 3))[1:, 2:],
    "summed along": lambda xp, x: xp.sum(xp.roll(x, 3, axis=1) * x, axis=1),
    "summed down": lambda xp, x: xp.sum(xp.roll(x, 3, axis=1) * x, axis=0),
    "before others": lambda xp, x: xp.concat([xp.roll(x, 3, axis=1), x[:, :2], xp.tile(x, (1, 3))], axis=1),
    "reshaped before others": lambda xp, x: xp.concat([xp.reshape(x.T, (-1,)), xp.reshape(x, (-1,))[:1]]),
    "padded": lambda xp, x: xp.pad(xp.roll(x, 100, axis=1), ((0, 0), (20, 30))),
    "reshaped": lambda xp, x: xp.reshape(x.T, (-1,)) * 2 + xp.reshape(x, (-1,)),
    "repeated": lambda xp, x: xp.repeat(x, 2, axis=1) * xp.concat([x, x], axis=1),
    "repeated, beside others": lambda xp, x: xp.pad(xp.repeat(x, 3, axis=1), ((0, 0), (4, 5)))[:, :-9] - xp.tile(x, (1, 3)),
    "repeated twice": lambda xp, x: (
        xp.repeat(x, 2, axis=1)[:, 1:] / (1 + xp.square(xp.repeat(x, 4, axis=1)[:, : 2 * x.shape[1] - 1]))
    ),
    "reshaped rolls": lambda xp, x: xp.reshape(xp.roll(x, 1, axis=0), (x.shape[1], x.shape[0])) + 1,
}


def test_what_is_added_to_an_index_may_differ_between_elements():
    f = sw.jit(lambda x, i: sw.diagonal(sw.take(sw.reshape(x.T, x.shape), i, axis=0)))
    x, i = np.arange(96, dtype="float32").reshape(12, 8), np.arange(11, -1, -1)
    np.testing.assert_array_equal(f(x, i), np.diagonal(np.take(np.reshape(x.T, x.shape), i, axis=0)))


def test_an_array_without_elements_before_others():
    joined = sw.jit(lambda x, z: sw.concat([sw.roll(x, 3), z]))
    padded = sw.jit(lambda x: sw.pad(sw.roll(x, 100), ((20, 30),)))
    for size in (5, 0, 40, 1):
        x, z = np.arange(size, dtype="float32"), np.arange(40, dtype="float32")
        np.testing.assert_array_equal(joined(x, z), np.concatenate([np.roll(x, 3), z]))
        np.testing.assert_array_equal(padded(x), np.pad(np.roll(x, 100), ((20, 30),)))


@pytest.mark.covering(1)
@pytest.mark.parametrize("static", [False, True])
@pytest.mark.parametrize("name", PROGRAMS)
def test_rolled_arrays(name: str, static: bool):
    program = PROGRAMS[name]
    ours = sw.jit(lambda x: program(sw, x), static=static)
    for shape in SHAPES if not static else SHAPES[:5]:
        x = np.random.default_rng(0).standard_normal(shape).astype("float32")
        np.testing.assert_allclose(ours(x), program(np, x.astype("float64")), rtol=1e-5, atol=1e-5, err_msg=str(shape))


RESHAPES: dict[str, tuple[tuple[int, ...], tuple[int, ...]]] = {
    "rows of ten": ((60, 100), (-1, 10)),
    "pages": ((60, 100), (-1, 40, 10)),
    "joined": ((6, 10, 100), (-1, 1000)),
}


@pytest.mark.parametrize("name", RESHAPES)
def test_reshaped_arrays_are_walked_over_without_divisions(name: str):
    """Neither loads nor prefetches divide."""
    before, after = RESHAPES[name]
    x = np.arange(np.prod(before), dtype=np.float32).reshape(before)
    np.testing.assert_array_equal(sw.jit(lambda x: sw.reshape(x, after) + 1)(x), x.reshape(after) + 1)
    source = sw.lower(lambda x: sw.reshape(x, after) + 1, x).source()
    walk = source.partition("#pragma omp")[2].partition("\n    }")[0]
    assert "sw_load_" in walk and "__builtin_prefetch(" in walk
    assert not any(division in walk for division in (" / ", " % ", ">>", "sw_floordiv", "sw_mod")), walk
