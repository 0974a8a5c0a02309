"""The blocks of a tiled contraction: the buffers and indices of one block, and the operands of the next product."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from xdsl.ir import SSAValue

from ....dialects import loop
from ....ir.index.expressions import Index


class NextProduct(NamedTuple):
    """The loads of the next iteration of the loop with the index `level`, up to `upper`, and the number of tiles in this
    iteration; `before` of the tiles belong to earlier blocks of rows."""

    level: SSAValue
    upper: Index
    loads: list[loop.LoadOp]
    before: Index
    tiles: Index


@dataclass(frozen=True)
class Block:
    """The buffers of a block of k; the first panel of rows, the first of columns, the first summed index of all blocks packed
    together, and the block's own first."""

    left: SSAValue | None
    right: SSAValue | None
    kept: SSAValue | None
    rows: Index
    columns: Index
    deep: Index
    first: Index
