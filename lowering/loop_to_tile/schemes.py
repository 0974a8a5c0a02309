"""Schemes, which distribute a block over programs and tiles: their base class, and the general scheme.

`PointScheme` applies to every block: one lane for each point of the outer index space, and sequential inner loops.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from xdsl.dialects.builtin import i32, i64
from xdsl.ir import Attribute, Operation, SSAValue

from ...dialects import loop, tile
from ...dialects.scalar_ops import IndexedOp
from ...ir.index.expressions import Index, ceildiv, dim
from ..emission.divisions import magnitude
from .kernel import Kernel
from .patterns import Nest, flat_offset, statements

# The lanes of a program without inner loops, and of one with them.
STRAIGHT_LANES = 1024
LOOPING_LANES = 256
# The greatest distance of an idle lane's index from its loop's range.
SLACK = 4096
WARPS = 4
# Values below this limit, with a margin, fit into 32 bits.
SAFE = 1 << 30


class Scheme(Protocol):
    """The mapping of a block to a kernel: the rank of its tiles, its integer width, and its number of programs."""

    rank: int
    width: Attribute
    warps: int

    @property
    def grid(self) -> Index: ...

    def write(self, kernel: Kernel) -> None: ...


@dataclass
class PointScheme:
    """Each program processes `size` consecutive points of the flattened outer loops, one per lane."""

    block: loop.BlockOp
    nest: Nest
    size: int
    width: Attribute
    rank: int = 1
    warps: int = WARPS

    @property
    def grid(self) -> Index:
        return ceildiv(self.nest.size, self.size)

    def write(self, kernel: Kernel) -> None:
        enter_points(kernel, self.nest, self.size)
        kernel.body(inside(self.block, self.nest))


def point_scheme(block: loop.BlockOp, nest: Nest) -> PointScheme:
    looping = any(isinstance(op, loop.ForOp) for op in inside(block, nest))
    size = bounded_size(nest.size, LOOPING_LANES if looping else STRAIGHT_LANES)
    return PointScheme(block, nest, size, index_width(block))


def enter_points(kernel: Kernel, nest: Nest, size: int) -> None:
    """Distribute the outer loops over programs, and over the lanes of axis 0."""
    kernel.atomic = any(level.kind.data == "reduction" for level in nest.loops)
    if not nest.loops:
        return
    program = kernel.add(tile.ProgramIdOp(kernel.width))
    program.name_hint = "program"
    lane = kernel.arange(0, size)
    flat = kernel.add(tile.IndexOp(dim(0) * size + dim(1), [program, lane], lane.type))
    kernel.enter(0, size, flat, nest)


def inside(block: loop.BlockOp, nest: Nest) -> list[Operation]:
    """The statements inside the outer loops."""
    return statements(nest.body) if nest.loops else list(block.body.block.ops)


def bounded_size(extent: Index, limit: int) -> int:
    """The size of a tile axis: the smallest power of two that holds `extent`, if that is known, but at most `limit`."""
    if extent.constant is None:
        return limit
    return min(limit, power_of_two(extent.constant))


def power_of_two(at_least: int) -> int:
    return 1 << max(at_least - 1, 0).bit_length()


def index_width(block: loop.BlockOp) -> Attribute:
    """The integer type in which no index expression of a block overflows, even in idle lanes."""
    reach: dict[SSAValue, int] = {}
    iterations = 1
    for op in block.walk():
        if isinstance(op, loop.ForOp):
            furthest = magnitude(op.upper, {})
            if furthest is None:
                return i64
            reach[op.induction] = furthest + SLACK
            iterations *= max(furthest, 1)
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
    # Positions in flattened nests go up to the product of the trip counts.
    return i64 if iterations >= SAFE else i32
