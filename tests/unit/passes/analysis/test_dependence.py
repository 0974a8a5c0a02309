"""Dependences against brute force: facts proven of two accesses must hold for all of their iterations on small sizes."""

from __future__ import annotations

from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from stepwell.dialects import make_context
from stepwell.dialects.loop.structure import BlockOp, ForOp
from stepwell.ir.functions.entry import entry_function
from stepwell.ir.index.expressions import Dim, Index, dim, param
from stepwell.ir.index.simplify import Ranges
from stepwell.ir.text.parser import parse_module
from stepwell.passes.analysis.dependence import aligned, dependences, kind
from stepwell.passes.analysis.loop_nests import Access, Frame

# Loop indices 0 and 1 belong to the first access, 2 and 3 to the second.
SIZES = st.integers(1, 4)
NUMBERS = st.integers(-3, 3)


def expressions(first: int) -> st.SearchStrategy[Index]:
    """Linear expressions over two loop indices, some with a parameter as a factor."""

    def build(factors: tuple[int, int], offset: int, scaled: bool) -> Index:
        scale = param("n") if scaled else 1
        return dim(first) * factors[0] * scale + dim(first + 1) * factors[1] + offset

    return st.builds(build, st.tuples(NUMBERS, NUMBERS), NUMBERS, st.booleans())


@st.composite
def pairs(draw: st.DrawFn) -> tuple[list[Index], list[Index], list[int], int]:
    rank = draw(st.integers(1, 2))
    left = [draw(expressions(0)) for _ in range(rank)]
    right = [draw(expressions(2)) for _ in range(rank)]
    return left, right, [draw(SIZES) for _ in range(4)], draw(st.integers(1, 4))


@settings(max_examples=600, deadline=None)
@given(pairs(), st.integers(0, 1), st.integers(2, 3))
def test_what_is_proven_holds_for_every_iteration(case: tuple, i: int, j: int) -> None:
    left, right, sizes, n = case
    ranges = Ranges({k: (Index({}), Index({(): size - 1})) for k, size in enumerate(sizes)}, {"n": 1})
    first, second = (Access(None, None, tuple(exprs)) for exprs in (left, right))  # pyright: ignore[reportArgumentType]
    if not aligned(first, second, i, j, ranges):
        return
    for point in product(*map(range, sizes)):
        values = {Dim(k): value for k, value in enumerate(point)}

        def lookup(atom, values=values):
            return values[atom] if isinstance(atom, Dim) else n

        if all(a.evaluate(lookup) == b.evaluate(lookup) for a, b in zip(left, right, strict=True)):
            assert point[i] == point[j]


@pytest.mark.parametrize(
    ("left", "right", "proven"),
    [
        (dim(0), dim(2), True),
        (dim(0), param("n") - 1 - dim(2), False),
        (dim(0) * 4 + dim(1), dim(2) * 4 + dim(3), True),
        (dim(0) * 3 + dim(1), dim(2) * 3 + dim(3), False),
        (dim(0) * param("n") + 1, dim(2) * param("n") + 1, True),
        (dim(1), dim(2), False),
    ],
)
def test_intervals_decide(left: Index, right: Index, proven: bool) -> None:
    """0 <= d1, d3 < 4: blocks of four do not overlap, blocks of three do."""
    bounds = (Index({}), Index({(): 3}))
    ranges = Ranges(dict.fromkeys(range(4), bounds), {"n": 1})
    first, second = (Access(None, None, (each,)) for each in (left, right))  # pyright: ignore[reportArgumentType]
    assert aligned(first, second, 0, 2, ranges) is proven


def test_dependences_of_two_nests() -> None:
    """A buffer that one nest stores and the other loads is RAW one way round, WAR the other; two stores are WAW."""
    module = parse_module(
        """
        func.func @f(%x: memref<4xf32>, %y: memref<4xf32>) attributes {sw.params = [], sw.inputs = 1 : i64} {
          loop.block {
            loop.for "parallel" <() -> (0, 4)> step 1 {
            ^bb0(%i: index):
              %v = loop.load %x[%i] <(d0) -> (d0)> : (memref<4xf32>, index) -> f32
              loop.store %v into %y[%i] <(d0) -> (d0)> : f32, memref<4xf32>, index
              loop.yield
            }
            loop.for "parallel" <() -> (0, 4)> step 1 {
            ^bb0(%j: index):
              %w = loop.load %y[%j] <(d0) -> (d0)> : (memref<4xf32>, index) -> f32
              loop.store %w into %y[%j] <(d0) -> (d0)> : f32, memref<4xf32>, index
              loop.yield
            }
          }
          func.return
        }
        """,
        make_context(),
    )
    (block,) = [op for op in entry_function(module).body.block.ops if isinstance(op, BlockOp)]
    first, second = (Frame().tree(op) for op in block.body.block.ops if isinstance(op, ForOp))
    assert sorted(kind(a, b) or "" for a, b in dependences(first, second)) == ["RAW", "WAW"]
    assert sorted(kind(a, b) or "" for a, b in dependences(second, first)) == ["WAR", "WAW"]
