"""Whether inlining a producer into a reduction or scan, which has an order to keep, moves more cache lines."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from xdsl.ir import Block

from ....dialects import loop
from ....ir.index.expressions import Index, dim, index
from ....ir.types.shapes import shape_of
from ...analysis.cost import Group, Level
from ...analysis.loop_nests import Access, AccessOp, Frame
from ...analysis.producers import Plan, Producer, enclosing
from ...analysis.reductions import statements


def in_order(load: loop.LoadOp, producer: Producer, plan: Plan, *, affine_tiles: bool, checks: bool) -> bool:
    """Whether inlining a producer into a load moves no more lines than storing and loading its result. Only the loops of
    reductions and scans have an order to keep: a nest of parallel loops reads across rows in tiles, and a contraction packs its
    operands. With `affine_tiles`, tiles have affine addresses and no checks of indices; `checks` says that the producer checks
    indices.
    """
    loops = [level for level in enclosing(load) if isinstance(level, loop.ForOp)][::-1]
    if len(shape_of(load.buffer)) < 2 or not loops:
        return True
    is_parallel = all(level.kind.data == "parallel" for level in loops)
    frame = Frame()
    for level in loops:
        frame.enter(level)
    levels = [Level.of(level, frame) for level in loops]
    read = Access.of(load, frame)
    if is_parallel and not (affine_tiles and (checks or frame.loops_of_data(read.exprs))):
        return True
    others = [Access.of(op, frame) for op in statements(loops[-1]) if isinstance(op, AccessOp) and op is not load]
    inlined = list(_loads(producer, read.exprs, frame, plan))
    if not is_parallel and _are_reused([*others, *inlined], levels):
        return True
    together, apart = (Group.of([*others, *own], levels, frame) for own in (inlined, [read]))
    # Without inlining, a separate nest stores the producer's result. The nest loads its operands once, in tiles, and moves the
    # lines of the result twice, as a line is read before it is written.
    if frame.loops_of_data(read.exprs):
        levels, moved = _own_nest(load, producer, frame, plan)
    else:
        moved = [read, *inlined]
    stored = [Group.of([each], levels, frame).least(is_alone=True) for each in moved]
    return together.least() <= apart.least(is_alone=is_parallel) + stored[0] + sum(stored)


def _own_nest(load: loop.LoadOp, producer: Producer, frame: Frame, plan: Plan) -> tuple[list[Level], list[Access]]:
    """The loops of the producer's own nest, and its accesses, first that to the result."""
    loops = [each.owner.parent_op() for each in producer.indices if each is not None and isinstance(each.owner, Block)]
    own = [each for each in loops if isinstance(each, loop.ForOp)]
    for level in own:
        frame.enter(level)
    at = [index(0) if each is None else dim(frame.number(each)) for each in producer.indices]
    return [Level.of(level, frame) for level in own], [Access(load, load.buffer, tuple(at)), *_loads(producer, at, frame, plan)]


def _are_reused(accesses: Sequence[Access], levels: Sequence[Level]) -> bool:
    """Whether each of two accesses has the same address for all iterations of a loop that the other's address depends on, as
    the operands of contractions have."""
    missing = [{level.number for level in levels} - access.dims for access in accesses]
    return any(a - b and b - a for k, a in enumerate(missing) for b in missing[:k])


def _loads(producer: Producer, at: Sequence[Index], frame: Frame, plan: Plan) -> Iterator[Access]:
    """The loads of a producer's element at indices over the frame's numbers, with those of the producers inlined into it."""
    pending = [(producer, at)]
    while pending:
        current, exprs = pending.pop()
        places = {induction: expr for induction, expr in zip(current.indices, exprs, strict=True) if induction is not None}
        for op in current.statements:
            if isinstance(op, loop.LoadOp):
                read = op.index_map.apply([places.get(value, dim(frame.number(value))) for value in op.operands_at])
                if op in plan:
                    pending.append((plan[op].producer, read))
                else:
                    yield Access(op, op.buffer, tuple(read))
