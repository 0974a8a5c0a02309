"""The integer type of a kernel's index expressions: 32 bits if all of them fit, for any sizes or for those of a call."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from xdsl.dialects.builtin import i32, i64
from xdsl.ir import Attribute, SSAValue

from ...dialects import loop
from ...dialects.scalar_ops import IndexedOp
from ...ir.index.expressions import Index, ceildiv, index, minimum, product
from ...passes.loop.kernels.patterns import Nest, carrying_nest, flat_offset, outer_nest
from ..emission.divisions import magnitude

# Values below this limit, with a margin, fit into 32 bits.
SAFE = 1 << 30


def index_widths(*blocks: loop.BlockOp) -> list[tuple[Attribute, tuple[Index, ...]]]:
    """The integer types in which no index expression of some blocks overflows, even in idle lanes, each with the conditions on
    sizes under which it is used: 32 bits where all expressions fit, 64 bits otherwise."""
    bounds: list[Index] = []
    for block in blocks:
        found = _bounds(block)
        if found is None or any(each.constant is not None and each.constant >= SAFE for each in found):
            return [(i64, ())]
        bounds += found
    limits = [SAFE - 1 - each for each in _largest([each for each in bounds if each.constant is None])]
    if not limits:
        return [(i32, ())]
    least = limits[0] if len(limits) == 1 else minimum(*limits[:2])
    for each in limits[2:]:
        least = minimum(least, each)
    return [(i32, tuple(limits)), (i64, (-least - 1,))]


def _largest(bounds: Sequence[Index]) -> list[Index]:
    """The bounds that no other bound exceeds for all sizes."""
    unique = list(dict.fromkeys(bounds))
    return [each for each in unique if not any(_exceeds(other, each) for other in unique if other is not each)]


def _exceeds(a: Index, b: Index) -> bool:
    return all(factor >= 0 for _, factor in (a - b).terms)


def _bounds(block: loop.BlockOp) -> list[Index] | None:
    """Upper bounds of all index expressions, over sizes; None if some are unknown."""
    reach: dict[SSAValue, Index] = {}
    for nest in _nests(block):
        inner = index(1)
        for level in reversed(nest.loops):
            furthest = magnitude(level.upper, {k: reach[each] for k, each in enumerate(level.operands_at) if each in reach})
            if furthest is None:
                return None
            reach[level.induction] = furthest
            if level is nest.loops[0] and level.lanes is not None:
                # Idle lanes are after the end of the flattened nest, where the outermost index exceeds its bound.
                lanes = level.lanes.value.data
                reach[level.induction] = furthest + (
                    lanes if inner.constant is None else ceildiv(lanes, max(inner.constant, 1))
                )
            inner = inner * furthest
    found = [*map(_iterations, [outer_nest(block), *_nests(block)])]
    for op in block.walk():
        if not isinstance(op, IndexedOp):
            continue
        exprs = [*op.index_map.results, *op.guard_exprs]
        if isinstance(op, loop.LoadOp | loop.StoreOp | loop.UpdateOp):
            exprs.append(flat_offset(op))
        # Loaded or computed integers are unbounded.
        if any(value not in reach for value in op.operands_at):
            return None
        dims = {k: reach[value] for k, value in enumerate(op.operands_at)}
        sizes = [magnitude(expr, dims) for expr in exprs]
        if any(size is None for size in sizes):
            return None
        found += [size for size in sizes if size is not None]
    return found


def _nests(block: loop.BlockOp) -> Iterator[Nest]:
    """All loops, as the nests that are flattened: outer loops by axis, an inner loop with the loops that it passes its values
    through."""
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


def _iterations(nest: Nest) -> Index:
    """A bound of the positions in a flattened nest; for the nest of outer loops it also bounds the number of programs."""
    return product(magnitude(level.upper, {}) or index(1) for level in nest.loops)
