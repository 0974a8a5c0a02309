"""Perfect nests of parallel loops, which may be permuted."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from xdsl.dialects.builtin import LocationAttr
from xdsl.ir import Attribute, SSAValue
from xdsl.rewriter import InsertPoint, Rewriter

from ....dialects import loop
from ....ir.index.expressions import minimum
from ....ir.rewrite import Builder
from ...analysis.loop_nests import Frame
from ...analysis.reductions import statements
from ..builder import Writer


def parallel_nest(outer: loop.ForOp) -> list[loop.ForOp]:
    """The perfectly nested parallel loops from `outer` inwards, as long as no bound depends on another's index."""
    levels: list[loop.ForOp] = []
    inside: Sequence[object] = [outer]
    while len(inside) == 1 and isinstance(level := inside[0], loop.ForOp) and _is_free(level, levels):
        levels.append(level)
        inside = statements(level)
    return levels


def _is_free(level: loop.ForOp, around: Sequence[loop.ForOp]) -> bool:
    if level.kind.data != "parallel" or level.carried or level.step.value.data != 1:
        return False
    return {each.induction for each in around}.isdisjoint(level.operands_at)


def make_innermost(levels: Sequence[loop.ForOp], chosen: loop.ForOp) -> None:
    """Move the chosen loop of a nest innermost, and keep the order of the others. The operations keep their positions and
    exchange their bounds and indices.
    """
    order = [*(level for level in levels if level is not chosen), chosen]
    # Read all bounds before writing any.
    taken = [_Bounds(level.operands_at, level.properties["map"], level.location, level.induction.name_hint) for level in order]
    uses = [list(level.induction.uses) for level in order]
    for level, new, users in zip(levels, taken, uses, strict=True):
        level.set_operands_at(new.at)
        level.properties["map"] = new.bounds
        level.location = new.location
        level.induction.name_hint = new.hint
        for use in users:
            use.operation.operands[use.index] = level.induction


def strip_mine(levels: Sequence[loop.ForOp], length: int, frame: Frame) -> None:
    """Strip-mine the innermost loop of a nest into strips of `length` iterations, with the loop over strips outermost."""
    outer, inner = levels[0], levels[-1]
    lower, upper = frame.exprs(inner)
    writer = Writer(frame, Builder(InsertPoint.before(outer), inner))
    with writer.loop("parallel", lower, upper, step=length, hint="strip") as start:
        end = start + length
        is_whole = (upper - lower).constant is not None and (upper - lower) % length == 0
        outer.detach()
        Rewriter.insert_op(outer, writer.builder.point)
        frame.write(inner, (start, end if is_whole else minimum(end, upper)))


class _Bounds(NamedTuple):
    """The bounds and index of a loop."""

    at: tuple[SSAValue, ...]
    bounds: Attribute
    location: LocationAttr
    hint: str | None
