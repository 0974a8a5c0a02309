"""loop-pad: windows that reach beyond their source read from a padded copy, without guards.

    for %y, %x                                        %p = loop.alloc : memref<(h + 2) x (w + 2)>
      for %ky, %kx                                    for %i, %j:
        x[y + ky - 1, x + kx - 1] guard (...)    ->     p[i, j] = x[i - 1, j - 1] guard (...)
                                                      for %y, %x
                                                        for %ky, %kx: p[y + ky, x + kx]

So guards are evaluated once for each element of the source, not once for each element of each window.

1. A guarded load is replaced if its guards only test bounds, and one of its addresses adds the index of a reduction to another
   index. The same elements are then read repeatedly, possibly for other results of a contraction.
2. The consecutive loops from the outermost inwards whose index is an address by itself stay outside, and the copy is made
   inside them, in per-thread memory. For a contraction the whole source is copied instead, since its loops are reordered later.
3. If short windows have a stride along the last axis, 2 * x + kx, the copy is de-interleaved, p[kx mod 2][x + kx floordiv 2]:
   vectors along x load it contiguously. (A contraction does not need this: its operands are packed into panels anyway.)
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint

from ....dialects import loop
from ....ir.index.expressions import ONE, ZERO, Dim, Index, dim
from ....ir.nesting import operations
from ....ir.rewrite import Builder, count, replace
from ....ir.types.shapes import element_of, shape_of
from ...analysis.contractions import recognise
from ...analysis.loop_nests import Frame, lowered_blocks
from ...analysis.reductions import statements
from ...analysis.strides import MOST_APART
from ...analysis.windows import repeats
from ..builder import Writer
from ..vector.loop_vectorize import LEAST_LANES, SHORT
from .interleaved import place_together, strided_index, strided_shape


@dataclass(frozen=True)
class LoopPad(ModulePass):
    name = "loop-pad"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for block in lowered_blocks(op):
            _pad_block(block)


def _pad_block(block: loop.BlockOp) -> None:
    # A copy before the block must not read a buffer that the block writes or allocates. (A source without elements is read,
    # under guards that never hold, but not written.)
    own = {*Frame().tree(block).written, *(op.result for op in operations(block) if isinstance(op, loop.AllocOp))}
    for nest in [op for op in block.body.block.ops if isinstance(op, loop.ForOp)]:
        frame = Frame()
        frame.tree(nest)
        contracted = recognise(nest, frame) is not None
        for load in [op for op in operations(nest) if isinstance(op, loop.LoadOp) and op.guard_exprs]:
            window = _window(load, nest, frame, contracted) if load.buffer not in own else None
            if window is not None:
                _pad(load, window, block, frame)


@dataclass(frozen=True)
class Window:
    """The accesses of a load: for each axis the least and the greatest address, or None for the axis of a loop outside the
    copy; the innermost of those loops; the stride along the last axis, and the window's length along it."""

    spans: tuple[tuple[Index, Index] | None, ...]
    inside: loop.ForOp | None
    step: int
    reach: Index


def _window(load: loop.LoadOp, nest: loop.ForOp, frame: Frame, contracted: bool) -> Window | None:
    """The window of a guarded load, if a padded copy can replace its source and this pays."""
    exprs, shape = frame.exprs(load), shape_of(load.buffer)
    bounds = {bound for expr, size in zip(exprs, shape, strict=True) for bound in (expr, size - 1 - expr)}
    around = _enclosing_loops(load, nest)
    numbers = [frame.number(level.induction) for level in around]
    tested = set(frame.guards(load))
    if not tested <= bounds or any(not expr.dims() <= set(numbers) for expr in exprs):
        return None
    reduced = {n for n, level in zip(numbers, around, strict=True) if level.kind.data == "reduction"}
    trips = {n: level.trips for n, level in zip(numbers, around, strict=True)}
    sliding = [expr for expr in exprs if len(expr.dims()) > 1 and expr.dims() & reduced]
    if not any(contracted or repeats(expr, trips, unknown=True) for expr in sliding):
        return None
    kept: list[int] = []
    if not contracted:
        alone = {number for number in numbers if dim(number) in exprs}
        while len(kept) < len(numbers) and numbers[len(kept)] in alone:
            kept.append(numbers[len(kept)])
    ranges = frame.ranges(numbers)
    spans: list[tuple[Index, Index] | None] = []
    for expr, size in zip(exprs, shape, strict=True):
        if any(expr == dim(number) for number in kept):
            spans.append(None)
            continue
        if any(expr == dim(number) for number in numbers) and tested.isdisjoint((expr, size - 1 - expr)):
            # The index of a strip is an address by itself, too: copy the whole axis, once for all strips.
            spans.append((ZERO, size - 1))
            continue
        least, greatest = ranges.bound(expr, upper=False), ranges.bound(expr, upper=True)
        if least is None or greatest is None:
            return None
        spans.append((least, greatest))
    moving = None if contracted else _moving(exprs[-1], around, frame)
    step, reach = (1, ONE) if moving is None or spans[-1] is None else _steps(exprs[-1], moving, spans[-1], frame)
    return Window(tuple(spans), around[len(kept) - 1] if kept else None, step, reach)


def _moving(address: Index, around: Sequence[loop.ForOp], frame: Frame) -> loop.ForOp | None:
    """The loop that moves a short window along an axis; None if several do, or if it has fewer iterations than the window is
    long or vectors have lanes. (Long windows are summed in vectors along themselves.)"""
    inside = [level for level in around if frame.number(level.induction) in address.dims()]
    moving = [level for level in inside if level.kind.data != "reduction"]
    lengths = [level.trips for level in inside if level not in moving]
    known = [length for length in lengths if length is not None and length <= SHORT]
    if len(moving) != 1 or len(known) < len(lengths):
        return None
    few = moving[0].trips is not None and moving[0].trips < max([LEAST_LANES, *known])
    return None if few else moving[0]


def _steps(address: Index, moving: loop.ForOp, span: tuple[Index, Index], frame: Frame) -> tuple[int, Index]:
    """The stride by which a loop moves a window, if that is small, and the window's length."""
    step = (address.coefficient(Dim(frame.number(moving.induction))) or ZERO).constant
    if step is None or not 1 < step <= MOST_APART:
        return 1, ONE
    lower, upper = frame.exprs(moving)
    return step, span[1] - span[0] + 1 - (upper - 1 - lower) * step


def _enclosing_loops(load: loop.LoadOp, nest: loop.ForOp) -> list[loop.ForOp]:
    """The loops that enclose a load, from outside in."""
    found: list[loop.ForOp] = []
    parent = load.parent_op()
    while isinstance(parent, loop.ForOp):
        found.append(parent)
        parent = parent.parent_op()
    return found[::-1] if found and found[-1] is nest else []


def _pad(load: loop.LoadOp, window: Window, block: loop.BlockOp, frame: Frame) -> None:
    """Make the copy, and redirect the load to it."""
    exprs = frame.exprs(load)
    spans = [(expr, span) for expr, span in zip(exprs, window.spans, strict=True) if span is not None]
    steps = [1] * (len(spans) - 1) + [window.step]
    sizes = [greatest - least + 1 for _, (least, greatest) in spans]
    shape = strided_shape(sizes, steps, [*sizes[:-1], window.reach])
    if window.inside is None:
        copy = Builder(InsertPoint.before(block), load).add(loop.BlockOp())
        writer = Writer(frame, Builder(InsertPoint.before(copy), load))
        padded = writer.allocate(shape, element_of(load.buffer), None, "padded")
        writer.builder.point = InsertPoint.at_end(copy.body.block)
    else:
        writer = Writer(frame, Builder(InsertPoint.before(statements(window.inside)[0]), load))
        padded = writer.allocate(shape, element_of(load.buffer), "thread", "padded")
    _copy(load, window, writer, padded, steps)
    reader = Writer(frame, Builder(InsertPoint.before(load), load))
    value = reader.load(padded, strided_index([expr - least for expr, (least, _) in spans], steps))
    replace(load, [], [value])
    count("sources-padded", "Number of sources copied with padding")


def _copy(load: loop.LoadOp, window: Window, writer: Writer, padded: SSAValue, steps: Sequence[int]) -> None:
    """The nest that fills the copy: with the source in bounds, with the load's fill value outside."""
    sizes, given = shape_of(load.buffer), writer.frame.guards(load)
    with ExitStack() as stack:
        at = [stack.enter_context(writer.loop("parallel", 0, size, hint="p")) for size in shape_of(padded)]
        places: list[Index] = []
        guards: list[Index] = []
        inner = iter(place_together(at, steps))
        for expr, span, size in zip(writer.frame.exprs(load), window.spans, sizes, strict=True):
            if span is None:
                places.append(expr)
                guards += [bound for bound in (expr, size - 1 - expr) if bound in given]
                continue
            place = next(inner) + span[0]
            places.append(place)
            guards += [place, size - 1 - place]
        ranges = writer.frame.ranges({number for place in places for number in place.dims()})
        needed = [guard for guard in guards if not ranges.nonnegative(guard)]
        writer.store(writer.load(load.buffer, places, needed, load.fill), padded, at)
