"""The work of a loop nest: its number of innermost iterations, as an expression over sizes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import reduce

from xdsl.ir import Block

from ...dialects import loop
from ...ir.index.expressions import ONE, ZERO, Apply, Index, ceildiv, index, minimum, of_atom, split_multiples
from ...ir.index.simplify import Ranges
from .loop_nests import Frame
from .producers import enclosing
from .reductions import statements


def steps_of(op: loop.ForOp, extent: Index) -> Index:
    """About how many innermost steps a loop over `extent` is, as an expression of that and parameters: as many for each of its
    iterations as for the longest, but for those that its range is shared out among."""
    frame, ranges = Frame(), Ranges()
    for level in reversed([each for each in enclosing(op) if isinstance(each, loop.ForOp)]):
        ranges = _inside(level, frame, ranges)
    along, each = _steps(op, frame, ranges)
    return extent * along + ceildiv(extent, op.step.value.data) * each


def _steps(op: loop.ForOp, frame: Frame, ranges: Ranges) -> tuple[Index, Index]:
    """The innermost steps for what a loop's extent grows by one, and for each iteration besides, over parameters. `ranges` are
    those of the loops around it.

    Inner loops alike are added up before they are bounded: vectors and their rest are as long as what they were split from. A
    vector counts as what it holds.
    """
    step, number = op.step.value.data, frame.number(op.induction)
    alike: dict[tuple[Index, int, frozenset[int]], list[tuple[Index, int]]] = {}
    inside = list(loops_in(op.body.block))
    ranges = _inside(op, frame, ranges)
    for inner in inside:
        lower, upper = frame.exprs(inner)
        extent, by = upper - lower, inner.step.value.data
        for steps, unit in zip(_steps(inner, frame, ranges), (1, by), strict=True):
            if steps != 0:
                alike.setdefault((steps, unit, extent.dims()), []).append((extent, by))
    along = each = ZERO
    for (steps, unit, dims), loops in alike.items():
        most = _bounds(sum((extent for extent, _ in loops), start=ZERO), ranges)
        part = next((bound.constant for bound in most if bound.constant and bound.constant % step == 0), None)
        if part is not None and unit == 1 and number in dims:
            # A strip may be the only one, and hold less than others would.
            along = along + (part // step if step > 1 else reduce(minimum, most)) * steps
        else:
            once = index(sum(by for _, by in loops))
            each = each + ceildiv(reduce(minimum, most or [once]), unit) * steps
    if not alike:
        each = ONE
    whole, rest = split_multiples(each, index(step))
    return (along + whole, ZERO) if rest == 0 else (along, each)


def _inside(op: loop.ForOp, frame: Frame, ranges: Ranges) -> Ranges:
    """What is known inside of a loop, too; of one whose index is in no other loop's bounds, nobody asks."""
    if not any(isinstance(use.operation, loop.ForOp) for use in op.induction.uses):
        return ranges
    lower, upper = frame.exprs(op)
    bounds = ranges.bound(lower, upper=False), ranges.bound(upper - 1, upper=True)
    return ranges if None in bounds else ranges.with_dims({frame.number(op.induction): bounds})


def _bounds(extent: Index, ranges: Ranges) -> list[Index]:
    """The upper bounds that are found with a minimum as it is, or with one of its sides in its place."""
    if not extent.dims():
        return [extent]
    found = [ranges.bound(each, upper=True) for each in (extent, *_with_sides(extent))]
    return list(dict.fromkeys(each for each in found if each is not None))


def _with_sides(extent: Index) -> Iterator[Index]:
    """An expression with one of the sides of a minimum in its place, which is no less: of a term, or of what a term is a
    quotient of, as the whole steps of a range are."""
    for monomial, factor in extent.terms:
        if len(monomial) != 1 or factor < 0 or not isinstance(atom := monomial[0], Apply):
            continue
        sides: Iterable[Index] = ()
        if atom.op == "min":
            sides = (atom.lhs, atom.rhs)
        elif atom.op == "floordiv" and (atom.rhs.constant or 0) > 0:
            sides = (side // atom.rhs for side in _with_sides(atom.lhs))
        yield from (extent + factor * (side - of_atom(atom)) for side in sides)


def loops_in(block: Block) -> Iterator[loop.ForOp]:
    """The loops that stand in a block and in the branches in it, but for those that only ask for memory, which is no work."""
    for op in block.ops:
        if isinstance(op, loop.ForOp):
            inside = statements(op)
            if not inside or not all(isinstance(each, loop.PrefetchOp) for each in inside):
                yield op
        elif isinstance(op, loop.IfOp):
            for branch in op.branches:
                yield from loops_in(branch)
