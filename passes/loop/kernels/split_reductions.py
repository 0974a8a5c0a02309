"""Reductions in parts: a block that computes the parts side by side, and one that combines them in order."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from xdsl.ir import SSAValue
from xdsl.rewriter import InsertPoint

from ....dialects import loop
from ....ir.index.expressions import Index
from ....ir.nesting import operations
from ....ir.rewrite import Builder, erase
from ....ir.scalars.attributes import neutral
from ...analysis.loop_nests import Frame
from ...analysis.reductions import accumulations, statements
from ..builder import Writer
from .copies import Parts, copy_block, erase_after, into_part, put_under
from .patterns import Nest, carrying_nest, inside, is_rectangular, is_straight_line, outer_nest

# A function that makes a reduction accumulate nothing where an expression is negative.
Mask: TypeAlias = Callable[[Nest, Writer, Index], None]


def only_reduction(block: loop.BlockOp, outer: Nest) -> Nest | None:
    """The only loop inside the parallel loops of a block, if it is a reduction that can be split; otherwise None."""
    loops = [op for op in inside(block, outer) if op.regions]
    if len(loops) != 1 or not isinstance(loops[0], loop.ForOp) or loops[0].kind.data != "reduction":
        return None
    if any(level.kind.data != "parallel" or level.lower != 0 or level.step.value.data != 1 for level in outer.loops):
        return None
    nest = carrying_nest(loops[0])
    plain = is_straight_line(nest.body) and not any(isinstance(op, loop.StoreOp) for op in statements(nest.body))
    if any(isinstance(op, loop.UpdateOp | loop.AllocOp) for op in operations(block)):
        return None
    if not plain or not all(is_rectangular(level) and level.step.value.data == 1 for level in nest.loops):
        return None
    return nest if accumulations(nest.body) is not None else None


def mask_terms(nest: Nest, writer: Writer, within: Index) -> None:
    """Accumulate the neutral element where `within` is negative."""
    results = accumulations(nest.body)
    assert results is not None, "only accumulations are split"
    for result in results:
        with writer.inside(InsertPoint.before(result)):
            value = result.inputs[1]
            nothing = writer.constant(neutral(result.function.data, value.type))
            result.operands[1] = writer.compute("select", writer.test([within]), value, nothing)


class SplitReduction:
    """Splits the reduction of a block: a new block before it computes the parts, and the block combines them."""

    def __init__(self, block: loop.BlockOp, parts: Parts, mask: Mask = mask_terms):
        self.block = block
        self.parts = parts
        self.mask = mask

    def write(self) -> loop.BlockOp:
        """Write the block of the parts, and return it."""
        outer = outer_nest(self.block)
        level = reduction_in(self.block, outer)
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
        return first

    def _compute(self, block: loop.BlockOp, functions: list[str], buffers: list[SSAValue]) -> None:
        """Turn a copy of the block into one that stores the result of each part."""
        outer = outer_nest(block)
        level = reduction_in(block, outer)
        nest, frame = carrying_nest(level), Frame()
        erase_after(level)
        part, within = into_part(level, outer.loops[0] if outer.loops else level, self.parts, frame)
        writer = Writer(frame, Builder(InsertPoint.before(level), level))
        for k, (name, value) in enumerate(zip(functions, list(level.carried), strict=True)):
            level.operands[len(level.operands_at) + k] = writer.constant(neutral(name, value.type))
        if within is not None:
            self.mask(nest, writer, within)
        with writer.inside(InsertPoint.after(level)):
            places = [frame.index(part.induction), *(frame.index(each.induction) for each in outer.loops)]
            for total, buffer in zip(level.results, buffers, strict=True):
                writer.store(total, buffer, places)


def reduction_in(block: loop.BlockOp, outer: Nest) -> loop.ForOp:
    found = next(op for op in inside(block, outer) if op.regions)
    assert isinstance(found, loop.ForOp), "one reduction"
    return found
