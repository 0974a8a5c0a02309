"""Runs of blocks of long programs as functions (`loop-outline`): results, memory, sources."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np
import pytest
import stepwell as sw
from stepwell.ir.scalars.table import scalar

RNG = np.random.default_rng(17)


def network(x: sw.Tensor, *weights: sw.Tensor) -> sw.Tensor:
    for weight in weights:
        x = sw.gelu(x @ weight)
    return x


def widths(layers: int) -> list[int]:
    """Fixed sizes, all different, so that no two layers share a function."""
    return [500 + k for k in range(layers + 1)]


def specs(layers: int) -> list[sw.Spec]:
    sizes = widths(layers)
    return [sw.Spec((256, sizes[0])), *map(sw.Spec, pairwise(sizes))]


def arrays(layers: int) -> list[np.ndarray]:
    sizes = widths(layers)
    shapes = [(256, sizes[0]), *pairwise(sizes)]
    return [(RNG.standard_normal(shape) * 0.05).astype(np.float32) for shape in shapes]


def functions_of(lowered: sw.Lowered) -> int:
    return lowered.ir("loop").count("func.func private @blocks_")


def test_a_long_program_is_several_functions():
    lowered, given = sw.lower(network, *specs(8)), arrays(8)
    assert functions_of(lowered) > 1
    exact, *weights = (each.astype(np.float64) for each in given)
    for weight in weights:
        exact = scalar("gelu").numpy(exact @ weight)
    np.testing.assert_allclose(lowered(*given), exact, rtol=1e-4, atol=1e-4)


@pytest.mark.usefixtures("laid_out_for_avx512")
def test_functions_share_their_memory():
    """The next function, and the next block of a function, reuse the memory for products."""
    few, many = (sw.lower(network, *specs(layers)) for layers in (3, 24))
    assert functions_of(few) == 0 and functions_of(many) > 4
    assert many.memory(threads=1) < 2 * few.memory(threads=1)


def test_lines_of_functions_come_from_the_program():
    lowered = sw.lower(network, *specs(8))
    lines = lowered.source().splitlines()
    loops = [number for number, line in enumerate(lines, 1) if line.lstrip().startswith("for (int64_t sw_")]
    assert loops and all(lowered.trace.sources(number) for number in loops)


def pooled(x: sw.Tensor, w: sw.Tensor) -> sw.Tensor:
    return sw.pad(sw.avg_pool2d(x, 3, stride=1), [(0, 0), (2, 1), (0, 0), (1, 1)]) @ w


@pytest.mark.parametrize("shape", [(2, 3, 7, 9), (1, 1, 3, 3), (1, 6, 70, 33)])
def test_rows_of_products_that_are_sums_and_differences_of_sizes(shape: Sequence[int]):
    """Blocks of rows are products of two extents, one of which is proven to be at most 64, but not to be non-negative."""
    x, w = RNG.standard_normal(shape).astype(np.float32), RNG.standard_normal((shape[3], 5)).astype(np.float32)
    low = sw.lower(pooled, sw.Spec(("n", "c", "h", "w")), sw.Spec(("w", "o")))
    exact = sw.jit(pooled, target="interpret")(x.astype(np.float64), w.astype(np.float64))
    np.testing.assert_allclose(low(x, w), exact, rtol=1e-4, atol=1e-5)
