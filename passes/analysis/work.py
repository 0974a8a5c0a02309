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
    """An estimate of the innermost iterations of a loop over `extent`, as an expression of `extent` and parameters: each
    iteration counts as the longest one, unless inner loops split a range between them."""
    frame, ranges = Frame(), Ranges()
    for level in reversed([each for each in enclosing(op) if isinstance(each, loop.ForOp)]):
        ranges = _inside(level, frame, ranges)
    along, each = _steps(op, frame, ranges)
    return extent * along + ceildiv(extent, op.step.value.data) * each


def _steps(op: loop.ForOp, frame: Frame, ranges: Ranges) -> tuple[Index, Index]:
    """The innermost iterations of a loop, over parameters, as two summands: those for each unit of the loop's extent, and those
    for each iteration. `ranges` are those of the enclosing loops. Extents of similar inner loops are added before they are
    bounded: a vector loop and its remainder together have the length of the loop that they were split from. A vector counts as
    its lanes.
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
            # A block may be the only one, and shorter than a full block.
            along = along + (part // step if step > 1 else reduce(minimum, most)) * steps
        else:
            once = index(sum(by for _, by in loops))
            each = each + ceildiv(reduce(minimum, most or [once]), unit) * steps
    if not alike:
        each = ONE
    whole, rest = split_multiples(each, index(step))
    return (along + whole, ZERO) if rest == 0 else (along, each)


def _inside(op: loop.ForOp, frame: Frame, ranges: Ranges) -> Ranges:
    """The known ranges, with that of a loop's index if an inner loop's bounds use the index."""
    if not any(isinstance(use.operation, loop.ForOp) for use in op.induction.uses):
        return ranges
    lower, upper = frame.exprs(op)
    bounds = ranges.bound(lower, upper=False), ranges.bound(upper - 1, upper=True)
    return ranges if None in bounds else ranges.with_dims({frame.number(op.induction): bounds})


def _bounds(extent: Index, ranges: Ranges) -> list[Index]:
    """The upper bounds of an expression: with its minimum kept, and with either side of the minimum substituted."""
    if not extent.dims():
        return [extent]
    found = [ranges.bound(each, upper=True) for each in (extent, *_with_sides(extent))]
    return list(dict.fromkeys(each for each in found if each is not None))


def _with_sides(extent: Index) -> Iterator[Index]:
    """The expression with a minimum replaced by one of the minimum's sides, for each side: none is smaller than the expression.
    The minimum is a term, or in the dividend of a quotient, as in the number of full blocks of a range."""
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
    """The loops in a block and its branches, except loops that only prefetch, which do no work."""
    for op in block.ops:
        if isinstance(op, loop.ForOp):
            inside = statements(op)
            if not inside or not all(isinstance(each, loop.PrefetchOp) for each in inside):
                yield op
        elif isinstance(op, loop.IfOp):
            for branch in op.branches:
                yield from loops_in(branch)
