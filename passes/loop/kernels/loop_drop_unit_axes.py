"""loop-drop-unit-axes: drop axes of size 1 from temporaries, such as a batch of one, where no array of the same blocks is
longer.

    %t = loop.alloc : memref<1x1024x64xf32>                      %t = loop.alloc : memref<1024x64xf32>
    loop.store %v into %t[%i, %j] <(d0, d1) -> (0, d0, d1)>  ->   loop.store %v into %t[%i, %j] <(d0, d1) -> (d0, d1)>

loop-simplify has removed loops over such axes, so that their index is always 0. Passes that match the axes of accesses with
loops then treat programs with and without a batch of one alike. An axis is dropped if it has size 1 in all arrays of the
temporary's rank in the blocks that access it; if only some have size 1, it is broadcast and stays. Temporaries with users other
than accesses, and those with axes of size 1 only, are left alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint

from ....dialects import loop
from ....dialects.scalar_ops import map_attr
from ....ir.functions.entry import lowered_functions
from ....ir.rewrite import Builder, count, erase
from ....ir.types.shapes import element_of, memref_type, shape_of
from ...analysis.loop_nests import AccessOp


@dataclass(frozen=True)
class LoopDropUnitAxes(ModulePass):
    name = "loop-drop-unit-axes"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for function in lowered_functions(op):
            blocks = [each for each in function.body.block.ops if isinstance(each, loop.BlockOp)]
            accessed = [{each.buffer for each in block.walk() if isinstance(each, AccessOp)} for block in blocks]
            allocs = [each for each in function.body.block.ops if isinstance(each, loop.AllocOp)]
            kept = {alloc: _axes_kept(alloc.result, accessed) for alloc in allocs}
            for alloc, axes in kept.items():
                if 0 < len(axes) < len(shape_of(alloc.result)):
                    _keep(alloc, axes)


def _axes_kept(buffer: SSAValue, accessed: Sequence[set[SSAValue]]) -> list[int]:
    """The axes that a temporary keeps: those longer than 1 in the temporary itself, or in another array of the same rank that
    the same block accesses. `accessed` has the arrays of each block."""
    rank = len(shape_of(buffer))
    beside = [shape_of(each) for buffers in accessed if buffer in buffers for each in buffers]
    shapes = [shape_of(buffer), *(shape for shape in beside if len(shape) == rank)]
    return [axis for axis in range(rank) if any(shape[axis] != 1 for shape in shapes)]


def _keep(alloc: loop.AllocOp, kept: Sequence[int]) -> None:
    """Drop all other axes of a temporary."""
    shape = shape_of(alloc.result)
    users = [use.operation for use in alloc.result.uses]
    accesses = [op for op in users if isinstance(op, AccessOp)]
    dropped = [axis for axis in range(len(shape)) if axis not in kept]
    if len(accesses) != len(users) or any(op.index_map.results[axis] != 0 for op in accesses for axis in dropped):
        return
    kind = memref_type([shape[axis] for axis in kept], element_of(alloc.result))
    smaller = Builder(InsertPoint.before(alloc), alloc).add(loop.AllocOp(kind)).result
    smaller.name_hint = alloc.result.name_hint
    for op in accesses:
        op.properties["map"] = map_attr(op.operands_at, [op.index_map.results[axis] for axis in kept])
    alloc.result.replace_all_uses_with(smaller)
    erase(alloc)
    count("unit-axes-dropped", "Number of temporaries whose axes of size 1 are dropped")
