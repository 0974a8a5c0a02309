"""loop-drop-unit-axes: temporaries without the axes along which all arrays of their rank have size 1, as a batch of one.

    %t = loop.alloc : memref<1x1024x64xf32>                      %t = loop.alloc : memref<1024x64xf32>
    loop.store %v into %t[%i, %j] <(d0, d1) -> (0, d0, d1)>  ->   loop.store %v into %t[%i, %j] <(d0, d1) -> (d0, d1)>

Loops over such axes are gone, so that their index is always 0. Passes that match the axes of accesses with loops then see the
same in programs with and without a batch of one. Axes that are 1 for some arrays alone stay: these are broadcast. Temporaries
that something else than an access uses are left alone, as are those that are all of size 1.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
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
            allocs = [each for each in function.body.block.ops if isinstance(each, loop.AllocOp)]
            shapes = [shape_of(each) for each in (*function.args, *(alloc.result for alloc in allocs))]
            for alloc in allocs:
                rank = len(shape_of(alloc.result))
                same = [shape for shape in shapes if len(shape) == rank]
                kept = [axis for axis in range(rank) if any(shape[axis] != 1 for shape in same)]
                if 0 < len(kept) < rank:
                    _keep(alloc, kept)


def _keep(alloc: loop.AllocOp, kept: Sequence[int]) -> None:
    """Keep these axes of a temporary alone."""
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
