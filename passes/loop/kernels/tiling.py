"""Elements of the schedules of kernels: versions for ranges of sizes, and the numbers of lanes and warps of a block."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

from xdsl.dialects.builtin import IntegerAttr, i64

from ....dialects import loop
from ....ir.index.expressions import Index
from ....ir.types.dtypes import dtype_of
from .patterns import Nest

# The smallest tile of matrix units.
LEAST = 16
# The fewest steps of K of a tile of 8-bit elements.
LEAST_BYTES = 32
# The usual warps of a program.
WARPS = 4


# A function that writes a schedule onto a block with these outer loops.
Annotate: TypeAlias = Callable[[loop.BlockOp, Nest], None]


@dataclass(frozen=True)
class Version:
    """A schedule for the sizes for which all `conditions` are non-negative; `annotate` writes it onto a copy of the block."""

    conditions: tuple[Index, ...]
    annotate: Annotate


def set_program(block: loop.BlockOp, warps: int, stages: int = 1, group: int = 1) -> None:
    """Set how a program of a block runs."""
    block.warps, block.stages = IntegerAttr(warps, i64), IntegerAttr(stages, i64)
    if group > 1:
        block.group = IntegerAttr(group, i64)


def spread(nest: Nest, axis: int, lanes: int) -> None:
    """Map the iterations of all loops of a nest to lanes along an axis."""
    for level in nest.loops:
        level.spread(axis, lanes)


def stores_halves(block: loop.BlockOp) -> bool:
    """Whether a block stores only floats of at most 16 bits."""
    stored = [dtype_of(op.value.type) for op in block.walk() if isinstance(op, loop.StoreOp | loop.UpdateOp)]
    return all(each.is_float and each.bits <= 16 for each in stored)


def least_depth(itemsize: int) -> int:
    """The fewest steps of K that matrix units take, by the bytes of a factor's element."""
    return LEAST_BYTES if itemsize == 1 else LEAST


def bounded_size(extent: Index, limit: int) -> int:
    """The size of a tile axis: the smallest power of two that holds `extent`, if that is known, but at most `limit`."""
    if extent.constant is None:
        return limit
    return min(limit, power_of_two(extent.constant))


def power_of_two(at_least: int) -> int:
    return 1 << max(at_least - 1, 0).bit_length()
