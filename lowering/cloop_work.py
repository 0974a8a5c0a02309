"""How much work a nest of loops is, and which of its loops threads share: what decides whether and how threads start."""

from __future__ import annotations

from collections.abc import Iterator

from xdsl.ir import Block

from ..dialects import loop
from ..ir.index import ONE, ZERO, Apply, Index, ceildiv, index, of_atom, split_multiples
from ..ir.simplify import Ranges
from ..passes.nests import Frame
from ..passes.reductions import statements

# A loop that runs as often keeps the threads of any machine busy by itself.
ENOUGH = 256


def steps_of(op: loop.ForOp, extent: Index) -> Index:
    """About how many innermost steps a loop over `extent` is, as an expression of that and parameters."""
    return _times(extent, op.step.value.data, _inside(op, Frame(), Ranges()))


def _inside(op: loop.ForOp, frame: Frame, ranges: Ranges) -> Index:
    """The innermost steps of one iteration, at most, over parameters; `ranges` are those of the loops around `op`.

    The loops of a body are added up first: what vectors leave to a rest is then as long as before it was split.
    """
    lower, upper = frame.exprs(op)
    bounds = ranges.bound(lower, upper=False), ranges.bound(upper - 1, upper=True)
    if None not in bounds:
        ranges = ranges.with_dims({frame.number(op.induction): bounds})
    total = ZERO
    for inner in _loops_in(op.body.block):
        lower, upper = frame.exprs(inner)
        extent, step = upper - lower, inner.step.value.data
        if not extent.dims() <= ranges.dims.keys():
            extent = _most(extent, ranges, step)
        total = total + _times(extent, step, _inside(inner, frame, ranges))
    if total == 0:
        return ONE
    return _most(total, ranges, 1) if total.dims() else total


def _most(expr: Index, ranges: Ranges, unknown: int) -> Index:
    """The simplest upper bound that is found with a minimum as it is, or with one of its sides in its place; `unknown` if there
    is none."""
    minima = [(monomial[0], factor) for monomial, factor in expr.terms if len(monomial) == 1 and factor > 0]
    sides = [
        expr + factor * (side - of_atom(atom))
        for atom, factor in minima
        if isinstance(atom, Apply) and atom.op == "min"
        for side in (atom.lhs, atom.rhs)
    ]
    bounds = [ranges.bound(each, upper=True) for each in (expr, *sides)]
    return min(
        (each for each in bounds if each is not None),
        key=lambda each: (each.constant is None, len(each.terms)),
        default=index(unknown),
    )


def _times(extent: Index, step: int, inside: Index) -> Index:
    """`inside` for each `step` of an extent. A constant is shared out among them, which leaves out how many steps there are."""
    if inside.constant is not None:
        return extent * max(1, round(inside.constant / step))
    whole, rest = split_multiples(inside, index(step))
    return extent * whole if rest == 0 else ceildiv(extent, step) * inside


def _loops_in(block: Block) -> Iterator[loop.ForOp]:
    """The loops that stand in a block and in the branches in it."""
    for op in block.ops:
        if isinstance(op, loop.ForOp):
            yield op
        elif isinstance(op, loop.IfOp):
            for branch in op.branches:
                yield from _loops_in(branch)


def shared_loops(op: loop.ForOp) -> int:
    """How many parallel loops, each all that the one around it holds, threads share, so that few rows of many blocks keep them
    busy. The innermost of them holds loops itself: that it is counted through costs a loop over memory its speed."""
    around, trips = [op.induction], op.trips
    while trips is None or trips < ENOUGH:
        inside = statements(op)
        inner = inside[0] if len(inside) == 1 else None
        if not isinstance(inner, loop.ForOp) or inner.kind.data != "parallel" or inner.carried:
            break
        if any(each in around for each in inner.operands_at):
            break
        if all(each.kind.data == "vector" for each in _loops_in(inner.body.block)):
            break
        op, trips = inner, None if trips is None or inner.trips is None else trips * inner.trips
        around.append(op.induction)
    return len(around)
