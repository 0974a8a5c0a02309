"""loop-split-scan: split a long scan of few rows into parts that run side by side.

    for "sequential" %i in (0, n) carry(%0):       for "parallel" %p: t[p] = for "reduction" %i in part p: add x[i]
      a = add(acc, x[i])                           for "sequential" %p carry(%0): s[p] = acc; yield add(acc, t[p])
      y[i] = a                              ->     for "parallel" %p:
      yield a                                        for "sequential" %i in part p carry(s[p]): as before

Parts depend on the sizes alone, so that results repeat bit by bit. Each element is read twice. Where sizes are unknown, the
original block remains next to the split ones, each under conditions on the sizes. Scans with checks or updates, and scans whose
last value is used, are left alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation, SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint

from ....dialects import loop
from ....ir.nesting import operations
from ....ir.rewrite import Builder, count, erase
from ....ir.scalars.attributes import neutral
from ....ir.types.dtypes import dtype_of
from ...analysis.loop_nests import Frame, lowered_blocks
from ...analysis.reductions import Accumulation
from ...manager.options import limited
from ..builder import Writer
from .copies import Parts, copy_block, erase_after, into_part, keep_for_others, parts_of, put_under
from .patterns import Nest, inside, is_rectangular, is_straight_line, outer_nest
from .schedules import TILE, scans


@dataclass(frozen=True)
class LoopSplitScan(ModulePass):
    """`programs` are enough to fill the GPU; a part has at least `along` iterations, and there are at most `parts` parts."""

    name = "loop-split-scan"

    programs: int = limited(512)
    along: int = limited(4096)
    parts: int = limited(1024)

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for block in lowered_blocks(op):
            level = _only_scan(block)
            if level is None:
                continue
            length = Nest((level,)).size
            parts = parts_of(outer_nest(block).size, length, self.programs, self.along, self.parts, TILE)
            if parts is not None:
                keep_for_others(block, parts)
                _Split(block, parts).write()
                count("scans-split", "Number of scans split into parallel parts")


def _only_scan(block: loop.BlockOp) -> loop.ForOp | None:
    """The scan of a block that has one loop inside its parallel loops, if it can be split; otherwise None."""
    outer = outer_nest(block)
    loops = [op for op in inside(block, outer) if op.regions]
    if len(loops) != 1 or not isinstance(loops[0], loop.ForOp) or loops[0].kind.data != "sequential":
        return None
    if any(level.kind.data != "parallel" or level.lower != 0 or level.step.value.data != 1 for level in outer.loops):
        return None
    if any(isinstance(op, loop.UpdateOp | loop.CheckOp | loop.AllocOp) for op in operations(block)):
        return None
    level = loops[0]
    plain = is_straight_line(level) and is_rectangular(level) and level.step.value.data == 1
    used = any(result.uses for result in level.results)
    return level if plain and not used and level.carried and scans(level) is not None else None


class _Split:
    """Splits the scan of a block, which becomes the last of three blocks."""

    def __init__(self, block: loop.BlockOp, parts: Parts):
        self.block = block
        self.parts = parts
        self.scan = _scan_in(block)
        found = scans(self.scan)
        assert found is not None, "only scans are split"
        self.functions = [fold.function for fold in found]

    def write(self) -> None:
        outer = outer_nest(self.block)
        writer = Writer(Frame(), Builder(InsertPoint.before(self.block), self.scan))
        sizes = [self.parts.count, *outer.extents]
        kinds = [value.type for value in self.scan.carried]
        totals = [writer.allocate(sizes, kind, None, "totals") for kind in kinds]
        starts = [writer.allocate(sizes, kind, None, "starts") for kind in kinds]
        first, second = copy_block(self.block), copy_block(self.block)
        self._sum(first, totals)
        self._scan_totals(second, totals, starts)
        self._scan_parts(self.block, starts)
        if self.parts.conditions:
            for each in (first, second, self.block):
                put_under(each, self.parts.conditions)

    def _sum(self, block: loop.BlockOp, totals: Sequence[SSAValue]) -> None:
        """Turn a copy of the block into one that stores the total of each part."""
        outer, level, frame = outer_nest(block), _scan_in(block), Frame()
        erase_after(level)
        part, within = into_part(level, outer.loops[0] if outer.loops else level, self.parts, frame)
        found = scans(level)
        assert found is not None, "a copy of a scan"
        writer = Writer(frame, Builder(InsertPoint.before(level), level))
        start = [writer.constant(neutral(fold.function, value.type)) for fold, value in zip(found, level.carried, strict=True)]
        with (
            writer.inside(InsertPoint.before(level)),
            writer.carrying("reduction", level.lower, level.upper, start, hint="k") as (reduction, values),
        ):
            frame.same(reduction.induction, level.induction)
            mapped: dict[SSAValue, SSAValue] = {level.induction: reduction.induction}
            for op in _needed(level, found):
                writer.copy(op, mapped, {})
            for k, fold in enumerate(found):
                term = mapped.get(fold.value, fold.value)
                if within is not None:
                    nothing = writer.constant(neutral(fold.function, term.type))
                    term = writer.compute("select", writer.test([within]), term, nothing)
                values[k] = _accumulated(writer, fold.function, values[k], term)
        erase(level)
        with writer.inside(InsertPoint.after(reduction)):
            places = [frame.index(part.induction), *(frame.index(each.induction) for each in outer.loops)]
            for total, buffer in zip(reduction.results, totals, strict=True):
                writer.store(total, buffer, places)

    def _scan_totals(self, block: loop.BlockOp, totals: Sequence[SSAValue], starts: Sequence[SSAValue]) -> None:
        """Turn a copy of the block into one that stores the start value of each part."""
        outer, level, frame = outer_nest(block), _scan_in(block), Frame()
        erase_after(level)
        frame.tree(block)
        writer = Writer(frame, Builder(InsertPoint.before(level), level))
        start = list(level.carried)
        with writer.carrying("sequential", 0, self.parts.count, start, hint="part") as (scan, values):
            at = [frame.index(scan.induction), *(frame.index(each.induction) for each in outer.loops)]
            for k, (name, total, buffer) in enumerate(zip(self.functions, totals, starts, strict=True)):
                writer.store(values[k], buffer, at)
                values[k] = _accumulated(writer, name, values[k], writer.load(total, at))
        erase(level)

    def _scan_parts(self, block: loop.BlockOp, starts: Sequence[SSAValue]) -> None:
        """Make the block scan each part from its start value."""
        outer, level, frame = outer_nest(block), _scan_in(block), Frame()
        part, _ = into_part(level, outer.loops[0] if outer.loops else level, self.parts, frame)
        writer = Writer(frame, Builder(InsertPoint.before(level), level))
        at = [frame.index(part.induction), *(frame.index(each.induction) for each in outer.loops)]
        for k, buffer in enumerate(starts):
            level.operands[len(level.operands_at) + k] = writer.load(buffer, at)


def _accumulated(writer: Writer, function: str, value: SSAValue, term: SSAValue) -> SSAValue:
    """The next value of an accumulation, computed in the dtype of arithmetic and rounded to that of `value`."""
    wide = dtype_of(value.type).compute.type
    return writer.cast(writer.compute(function, writer.cast(value, wide), writer.cast(term, wide)), value.type)


def _scan_in(block: loop.BlockOp) -> loop.ForOp:
    found = next(op for op in inside(block, outer_nest(block)) if op.regions)
    assert isinstance(found, loop.ForOp), "one scan"
    return found


def _needed(level: loop.ForOp, found: Sequence[Accumulation]) -> list[Operation]:
    """The statements that the terms of a scan depend on, in order."""
    needed = {fold.value for fold in found}
    kept: list[Operation] = []
    for op in reversed(list(level.body.block.ops)):
        if needed & set(op.results):
            kept.append(op)
            needed |= set(op.operands)
    return kept[::-1]
