"""The integer type of a kernel's index expressions."""

from __future__ import annotations

from collections.abc import Iterator
from math import ceil, prod

from xdsl.dialects.builtin import i32, i64
from xdsl.ir import Attribute, SSAValue

from ...dialects import loop
from ...dialects.scalar_ops import IndexedOp
from ...passes.loop.kernels.patterns import Nest, carrying_nest, flat_offset, outer_nest
from ..emission.divisions import magnitude

# Values below this limit, with a margin, fit into 32 bits.
SAFE = 1 << 30


def index_width(block: loop.BlockOp) -> Attribute:
    """The integer type in which no index expression of a block overflows, even in idle lanes."""
    reach: dict[SSAValue, int] = {}
    for nest in _nests(block):
        inner = 1
        for level in reversed(nest.loops):
            furthest = magnitude(level.upper, {})
            if furthest is None:
                return i64
            reach[level.induction] = furthest
            if level is nest.loops[0] and level.lanes is not None:
                # Idle lanes are behind the end of the flattened nest, where the outermost index goes on.
                reach[level.induction] += ceil(level.lanes.value.data / inner)
            inner *= max(furthest, 1)
    if any(count >= SAFE for count in _flattened(block)):
        return i64
    for op in block.walk():
        if not isinstance(op, IndexedOp):
            continue
        exprs = [*op.index_map.results, *op.guard_exprs]
        if isinstance(op, loop.LoadOp | loop.StoreOp | loop.UpdateOp):
            exprs.append(flat_offset(op))
        # Loaded or computed integers are unbounded.
        if any(value not in reach for value in op.operands_at):
            return i64
        dims = {k: reach[value] for k, value in enumerate(op.operands_at)}
        sizes = [magnitude(expr, dims) for expr in exprs]
        if any(size is None or size >= SAFE for size in sizes):
            return i64
    return i32


def _nests(block: loop.BlockOp) -> Iterator[Nest]:
    """All loops, as the nests that are flattened: outer loops by axis, inner ones with those that they pass values through."""
    outer = outer_nest(block)
    yield from (Nest(tuple(each for each in outer.loops if each.tile_axis == axis)) for axis in (0, 1))
    yield from (Nest((each,)) for each in outer.loops if each.tile_axis is None)
    seen = set(outer.loops)
    for op in block.walk():
        if isinstance(op, loop.ForOp) and op not in seen:
            for axis in dict.fromkeys(each.lanes for each in carrying_nest(op).loops):
                nest = Nest(tuple(each for each in carrying_nest(op).loops if each.lanes == axis))
                seen.update(nest.loops)
                yield nest


def _flattened(block: loop.BlockOp) -> Iterator[int]:
    """Bounds of the positions in flattened nests, and of the number of programs."""
    yield _iterations(outer_nest(block))
    yield from map(_iterations, _nests(block))


def _iterations(nest: Nest) -> int:
    return prod(max(magnitude(level.upper, {}) or 1, 1) for level in nest.loops)
