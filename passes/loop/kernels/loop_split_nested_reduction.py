"""loop-split-nested-reduction: split a long reduction with too few results to fill a GPU.

    for "parallel" %j in (0, m):                          for "parallel" %p in (0, parts):
      s = for "reduction" %i in (0, n): add x[i, j]         for "parallel" %j in (0, m):
      y[j] = f(s)                                   ->        t[p, j] = for "reduction" %i in part p of (0, n): add x[i, j]
                                                          for "parallel" %j in (0, m):
                                                            s = for "reduction" %p in (0, parts): add t[p, j]
                                                            y[j] = f(s)

The parts depend on the sizes alone and are added in order, so that results repeat bit by bit. A reduction along consecutive
memory occupies a program for each result, one down columns a program for a tile of results (`schedules.py`). Where sizes are
unknown, the block remains beside the split one, each under conditions on the sizes. Products that matrix units compute,
reductions with checks, updates or stores, and several reductions in one block are left alone.
"""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint

from ....dialects import loop
from ....ir.index.expressions import Index
from ....ir.nesting import operations
from ....ir.rewrite import Builder, count, erase
from ....ir.scalars.attributes import neutral
from ...analysis.loop_nests import Frame, lowered_blocks
from ...analysis.reductions import accumulations, statements
from ...manager.options import limited
from ..builder import Writer
from .copies import Parts, copy_block, erase_after, into_part, keep_for_others, parts_of, put_under
from .patterns import Nest, carrying_nest, inside, is_rectangular, is_straight_line, outer_nest
from .schedules import ACROSS, DOWN, TILE, is_contiguous, is_product


@dataclass(frozen=True)
class LoopSplitNestedReduction(ModulePass):
    """`programs` are enough to fill the GPU. A part has at least `along` iterations of a reduction along consecutive memory, or
    `down` of one down columns, and there are at most `parts`."""

    name = "loop-split-nested-reduction"

    programs: int = limited(512)
    along: int = limited(4096)
    down: int = limited(64)
    parts: int = limited(1024)

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for block in lowered_blocks(op):
            outer = outer_nest(block)
            reduction = _only_reduction(block, outer)
            if reduction is not None and not is_product(block, outer):
                self._split(block, outer, reduction)

    def _split(self, block: loop.BlockOp, outer: Nest, reduction: Nest) -> None:
        contiguous = is_contiguous(reduction, outer)
        enough, grain = (self.programs, self.along) if contiguous else (self.programs * ACROSS, self.down)
        length = Nest(reduction.loops[:1]).size
        parts = parts_of(outer.size, length, enough, grain, self.parts, TILE if contiguous else DOWN)
        if parts is not None:
            keep_for_others(block, parts)
            _Split(block, parts).write()
            count("reductions-split", "Number of reductions split into parallel parts")


def _only_reduction(block: loop.BlockOp, outer: Nest) -> Nest | None:
    """The reduction of a block that has one loop inside its parallel loops, if it can be split; otherwise None."""
    loops = [op for op in inside(block, outer) if op.regions]
    if len(loops) != 1 or not isinstance(loops[0], loop.ForOp) or loops[0].kind.data != "reduction":
        return None
    if any(level.kind.data != "parallel" or level.lower != 0 or level.step.value.data != 1 for level in outer.loops):
        return None
    nest = carrying_nest(loops[0])
    plain = is_straight_line(nest.body) and not any(isinstance(op, loop.StoreOp) for op in statements(nest.body))
    if any(isinstance(op, loop.UpdateOp | loop.CheckOp | loop.AllocOp) for op in operations(block)):
        return None
    if not plain or not all(is_rectangular(level) and level.step.value.data == 1 for level in nest.loops):
        return None
    return nest if accumulations(nest.body) is not None else None


class _Split:
    """Splits the reduction of a block: a new block before it computes the parts, which the block combines."""

    def __init__(self, block: loop.BlockOp, parts: Parts):
        self.block = block
        self.parts = parts

    def write(self) -> None:
        outer = outer_nest(self.block)
        level = _reduction_in(self.block, outer)
        results = accumulations(carrying_nest(level).body)
        assert results is not None, "only accumulations are split"
        functions = [result.function.data for result in results]
        frame = Frame()
        writer = Writer(frame, Builder(InsertPoint.before(self.block), level))
        sizes = [self.parts.count, *outer.extents]
        buffers = [writer.allocate(sizes, value.type, None, "parts") for value in level.carried]
        first = copy_block(self.block)
        self._compute(first, functions, buffers)
        frame.tree(self.block)
        with (
            writer.inside(InsertPoint.before(level)),
            writer.carrying("reduction", 0, self.parts.count, list(level.carried), hint="part") as (combine, values),
        ):
            at = [frame.index(combine.induction), *(frame.index(each.induction) for each in outer.loops)]
            for k, (name, buffer) in enumerate(zip(functions, buffers, strict=True)):
                values[k] = writer.compute(name, values[k], writer.load(buffer, at))
        for old, new in zip(level.results, combine.results, strict=True):
            old.replace_all_uses_with(new)
        erase(level)
        if self.parts.conditions:
            put_under(self.block, self.parts.conditions)
            put_under(first, self.parts.conditions)

    def _compute(self, block: loop.BlockOp, functions: list[str], buffers: list[SSAValue]) -> None:
        """Turn a copy of the block into one that stores the result of each part."""
        outer = outer_nest(block)
        level = _reduction_in(block, outer)
        nest, frame = carrying_nest(level), Frame()
        erase_after(level)
        part, within = into_part(level, outer.loops[0] if outer.loops else level, self.parts, frame)
        writer = Writer(frame, Builder(InsertPoint.before(level), level))
        for k, (name, value) in enumerate(zip(functions, list(level.carried), strict=True)):
            level.operands[len(level.operands_at) + k] = writer.constant(neutral(name, value.type))
        if within is not None:
            mask_terms(nest.body, writer, within)
        with writer.inside(InsertPoint.after(level)):
            places = [frame.index(part.induction), *(frame.index(each.induction) for each in outer.loops)]
            for total, buffer in zip(level.results, buffers, strict=True):
                writer.store(total, buffer, places)


def mask_terms(body: loop.ForOp, writer: Writer, within: Index) -> None:
    """Accumulate the neutral element where `within` is negative."""
    results = accumulations(body)
    assert results is not None, "only accumulations are split"
    for result in results:
        with writer.inside(InsertPoint.before(result)):
            value = result.inputs[1]
            nothing = writer.constant(neutral(result.function.data, value.type))
            result.operands[1] = writer.compute("select", writer.test([within]), value, nothing)


def _reduction_in(block: loop.BlockOp, outer: Nest) -> loop.ForOp:
    found = next(op for op in inside(block, outer) if op.regions)
    assert isinstance(found, loop.ForOp), "one reduction"
    return found
