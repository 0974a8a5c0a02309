"""loop-pad: a window that reaches beyond its source reads from a copy with the border around it.

    for %y, %x                                        %p = loop.alloc : memref<(h + 2) x (w + 2)>
      for %ky, %kx                                    for %i, %j:
        x[y + ky - 1, x + kx - 1] guard (...)    ->     p[i, j] = x[i - 1, j - 1] guard (...)
                                                      for %y, %x
                                                        for %ky, %kx: p[y + ky, x + kx]

Every element of the source is then looked at once with a guard, in place of once for each element of the window.

1. A guarded load is chosen when its guards say no more than that it is in bounds, and one of its addresses mixes the index of a
   reduction with another so that the same elements are read again and again, if only for other results of a contraction.
2. The loops from the outermost inwards whose index is an address by itself keep their place, and the copy is made inside of
   them, in the thread's memory. A contraction reads a copy of everything instead, since it changes the order of its loops.
3. Where short windows move by several elements along the last axis, 2 * x + kx, the copy holds what lies as far apart side by
   side, p[kx mod 2][x + kx floordiv 2]: vectors along x load it as it lies. (Panels of a contraction are copied once more.)
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
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
from ..builder import Writer
from ..vector.loop_vectorize import LEAST_LANES, SHORT
from .interleaved import place_apart, place_together, shape_apart


@dataclass(frozen=True)
class LoopPad(ModulePass):
    name = "loop-pad"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for block in lowered_blocks(op):
            _pad_block(block)


def _pad_block(block: loop.BlockOp) -> None:
    # A copy made before the block knows nothing of what the block itself has yet to write, or of its own buffers: one of no
    # elements is read, under guards that never hold, and not written.
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
    """What a load reads: for each axis the least and the greatest address, or None for an axis of a loop that keeps its place;
    the innermost of those loops; by how many elements it moves along the last axis, and of how many it reads some at once."""

    spans: tuple[tuple[Index, Index] | None, ...]
    inside: loop.ForOp | None
    step: int
    reach: Index


def _window(load: loop.LoadOp, nest: loop.ForOp, frame: Frame, contracted: bool) -> Window | None:
    """What a guarded load reads, when a padded copy can stand for it and pays."""
    exprs, shape = frame.exprs(load), shape_of(load.buffer)
    bounds = {bound for expr, size in zip(exprs, shape, strict=True) for bound in (expr, size - 1 - expr)}
    around = _around(load, nest)
    numbers = [frame.number(level.induction) for level in around]
    if not set(frame.guards(load)) <= bounds or any(not expr.dims() <= set(numbers) for expr in exprs):
        return None
    reduced = {n for n, level in zip(numbers, around, strict=True) if level.kind.data == "reduction"}
    trips = {n: level.trips for n, level in zip(numbers, around, strict=True)}
    if not any(len(expr.dims()) > 1 and expr.dims() & reduced and (contracted or _overlaps(expr, trips)) for expr in exprs):
        return None
    kept: list[int] = []
    if not contracted:
        alone = {number for number in numbers if dim(number) in exprs}
        while len(kept) < len(numbers) and numbers[len(kept)] in alone:
            kept.append(numbers[len(kept)])
    ranges = frame.ranges(numbers)
    spans: list[tuple[Index, Index] | None] = []
    for expr in exprs:
        if any(expr == dim(number) for number in kept):
            spans.append(None)
            continue
        least, greatest = ranges.bound(expr, upper=False), ranges.bound(expr, upper=True)
        if least is None or greatest is None:
            return None
        spans.append((least, greatest))
    moving = None if contracted else _moving(exprs[-1], around, frame)
    step, reach = (1, ONE) if moving is None or spans[-1] is None else _steps(exprs[-1], moving, spans[-1], frame)
    return Window(tuple(spans), around[len(kept) - 1] if kept else None, step, reach)


def _moving(address: Index, around: Sequence[loop.ForOp], frame: Frame) -> loop.ForOp | None:
    """The loop with which a short window moves along an axis, unless it moves with several, or takes fewer steps than the
    window is long or vectors have lanes. (What is long is summed in vectors along itself.)"""
    inside = [level for level in around if frame.number(level.induction) in address.dims()]
    moving = [level for level in inside if level.kind.data != "reduction"]
    lengths = [level.trips for level in inside if level not in moving]
    known = [length for length in lengths if length is not None and length <= SHORT]
    if len(moving) != 1 or len(known) < len(lengths):
        return None
    few = moving[0].trips is not None and moving[0].trips < max([LEAST_LANES, *known])
    return None if few else moving[0]


def _steps(address: Index, moving: loop.ForOp, span: tuple[Index, Index], frame: Frame) -> tuple[int, Index]:
    """By how many elements a window moves with a loop, where these are few, and how many it reads at once."""
    step = (address.coefficient(Dim(frame.number(moving.induction))) or ZERO).constant
    if step is None or not 1 < step <= MOST_APART:
        return 1, ONE
    lower, upper = frame.exprs(moving)
    return step, span[1] - span[0] + 1 - (upper - 1 - lower) * step


def _overlaps(expr: Index, trips: Mapping[int, int | None]) -> bool:
    """Whether iterations may read the same address: not where each index counts whole blocks of what those inside reach."""
    steps = [(number, expr.coefficient(Dim(number))) for number in expr.dims()]
    known = sorted((step.constant, number) for number, step in steps if step is not None and step.constant is not None)
    reach: int | None = 0
    for step, number in known:
        if reach is None or step <= reach:
            return True
        count = trips[number]
        reach = None if count is None else reach + step * (count - 1)
    return len(known) < len(steps)


def _around(load: loop.LoadOp, nest: loop.ForOp) -> list[loop.ForOp]:
    """The loops around a load, from outside in."""
    found: list[loop.ForOp] = []
    parent = load.parent_op()
    while isinstance(parent, loop.ForOp):
        found.append(parent)
        parent = parent.parent_op()
    return found[::-1] if found and found[-1] is nest else []


def _pad(load: loop.LoadOp, window: Window, block: loop.BlockOp, frame: Frame) -> None:
    """Make the copy, and let the load read from it."""
    exprs = frame.exprs(load)
    spans = [(expr, span) for expr, span in zip(exprs, window.spans, strict=True) if span is not None]
    steps = [1] * (len(spans) - 1) + [window.step]
    sizes = [greatest - least + 1 for _, (least, greatest) in spans]
    shape = shape_apart(sizes, steps, [*sizes[:-1], window.reach])
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
    value = reader.load(padded, place_apart([expr - least for expr, (least, _) in spans], steps))
    replace(load, [], [value])
    count("sources-padded", "Number of sources copied with a border around them")


def _copy(load: loop.LoadOp, window: Window, writer: Writer, padded: SSAValue, steps: Sequence[int]) -> None:
    """The nest that fills the copy: the source where there is one, the load's fill value around it."""
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
