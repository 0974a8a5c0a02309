"""The bounds of sizes that differ between iterations, against all of their values."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import product
from typing import NamedTuple

import pytest
from stepwell.dialects import loop
from stepwell.ir.index.expressions import Atom, Index, maximum, minimum, param
from stepwell.ir.rewrite import Builder
from stepwell.passes.analysis.loop_nests import Frame
from stepwell.passes.loop.builder import Writer
from xdsl.ir import Block
from xdsl.rewriter import InsertPoint

N, H, K = param("n"), param("h"), param("k")


class Size(NamedTuple):
    """A size over the index of a loop from `lower` to n, and its bound."""

    of: Callable[[Index], Index]
    bound: Index
    lower: int = 0


# For the two in the middle, no factor can be proved non-negative.
SIZES: Mapping[str, Size] = {
    "a strip": Size(lambda i: minimum(64, N - i), minimum(64, N)),
    "strips of rows": Size(lambda i: H * minimum(64, K - i + 3), H * minimum(64, K + 3)),
    "what is left of rows": Size(lambda i: (N - i) * (H + K - 2), N * (H + K) + 2 * (N - 1)),
    "from behind the beginning": Size(lambda i: (N - i) * H, (N + 15) * H, -15),
}


def largest(of: Callable[[Index], Index], lower: int) -> tuple[Index, Index, Index]:
    """A loop's index, a size over it, and the computed bound."""
    frame, block = Frame(), Block()
    level = loop.ForOp("parallel", lower, N)
    block.add_op(level)
    frame.enter(level)
    i = frame.index(level.induction)
    return i, of(i), Writer(frame, Builder(InsertPoint.at_end(block), level)).largest(of(i))


@pytest.mark.parametrize("name", SIZES)
def test_bounds_hold_in_each_iteration(name: str):
    size = SIZES[name]
    i, expr, bound = largest(size.of, size.lower)
    assert bound == size.bound

    def atom(each: Index) -> Atom:
        return next(iter(each.leaves()))

    for n, h, k in product((1, 2, 65, 70), (2, 3, 9), (1, 2, 60)):
        for place in range(size.lower, n):
            values = {atom(i): place, atom(N): n, atom(H): h, atom(K): k}
            assert expr.evaluate(values) <= bound.evaluate(values) or expr.evaluate(values) <= 0, values


@pytest.mark.parametrize("of", [lambda i: H - K * minimum(i, N - 5), lambda i: K - (H - 2) * maximum(-i, i - 5)])
def test_what_is_taken_away_must_not_be_negative(of: Callable[[Index], Index]):
    with pytest.raises(AssertionError, match="no bound is known"):
        largest(of, 0)
