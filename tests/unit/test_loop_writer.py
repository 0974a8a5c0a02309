"""The bounds of sizes that differ from iteration to iteration, against all that they come to."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import pytest
from stepwell.dialects import loop
from stepwell.ir.index import Atom, Index, ceildiv, minimum, param
from stepwell.ir.rewrite import Builder
from stepwell.passes.loop_writer import Writer
from stepwell.passes.nests import Frame
from xdsl.ir import Block
from xdsl.rewriter import InsertPoint

N, H, K = param("n"), param("h"), param("k")
SIZES: Mapping[str, Callable[[Index], Index]] = {
    "a strip": lambda i: minimum(64, N - i),
    "strips of rows": lambda i: H * minimum(64, N - i),
    "strips of rows of windows": lambda i: (H - 2) * minimum(64, N - i),
    "panels of windows in strips": lambda i: (H - 2) * (K - 1) * ceildiv(minimum(64, N - i), 8),
    "what is left of rows": lambda i: (N - i) * (H + K - 2),
}


@pytest.mark.parametrize("name", SIZES)
def test_bounds_hold_in_each_iteration(name: str):
    frame, block = Frame(), Block()
    level = loop.ForOp("parallel", 0, N, step=64)
    block.add_op(level)
    frame.enter(level)
    i = frame.index(level.induction)
    size = SIZES[name](i)
    bound = Writer(frame, Builder(InsertPoint.at_end(block), level)).largest(size)
    assert not bound.dims()
    for n, h, k in ((n, h, k) for n in (1, 63, 64, 65, 200) for h in (2, 3, 9) for k in (1, 2, 7)):
        for place in range(0, n, 64):
            values: dict[Atom, int] = {next(iter(i.leaves())): place}
            values |= {next(iter(each.leaves())): number for each, number in ((N, n), (H, h), (K, k))}
            assert size.evaluate(values) <= bound.evaluate(values), (n, h, k, place)
