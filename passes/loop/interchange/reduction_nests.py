"""Nests of reductions in a parallel loop, which may be interchanged with that loop."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from xdsl.ir import Operation, SSAValue

from ....dialects import loop
from ....ir.index.expressions import product
from ....ir.nesting import operations
from ...analysis.cost import Level, gains_inside, has_longer_vectors, loses_nothing_inside
from ...analysis.loop_nests import Access, AccessOp, Frame
from ...analysis.reductions import carrying, statements

STORES = (loop.StoreOp, loop.UpdateOp)


@dataclass(frozen=True, eq=False)
class Stage:
    """Carrying loops, and the statements between the previous stage and them."""

    before: tuple[Operation, ...]
    carrying: tuple[loop.ForOp, ...]

    def accesses(self, frame: Frame) -> list[Access]:
        """The accesses of the carrying loops, with their indices numbered."""
        for each in self.carrying:
            frame.enter(each)
        inside = (op for each in self.carrying[-1].body.block.ops for op in operations(each))
        return [Access.of(op, frame) for op in inside if isinstance(op, AccessOp)]


@dataclass(frozen=True)
class Nest:
    """A parallel loop, its stages in order, and the statements after them. A stage may use the results of earlier stages."""

    outer: loop.ForOp
    stages: tuple[Stage, ...]
    after: tuple[Operation, ...]

    @property
    def before(self) -> list[Operation]:
        """The statements before the carrying loops of all stages."""
        return [op for stage in self.stages for op in stage.before]

    @property
    def inside(self) -> list[Operation]:
        """The statements in the carrying loops of all stages."""
        return [op for stage in self.stages for op in statements(stage.carrying[-1])]


def reduction_nest(op: loop.ForOp) -> Nest | None:
    """The nest of a parallel loop that can be interchanged with its carrying loops; None for any other loop."""
    stages: list[Stage] = []
    straight: list[Operation] = []
    fixed: set[SSAValue] = {op.induction}
    for each in statements(op):
        if not isinstance(each, loop.ForOp):
            straight.append(each)
        else:
            levels = carrying(each) if each.carried else []
            fixed.update(level.induction for level in levels)
            if not levels or any(level.step.value.data != 1 or not fixed.isdisjoint(level.operands_at) for level in levels):
                return None
            stages.append(Stage(tuple(straight), tuple(levels)))
            straight = []
        fixed.update(each.results)
    found = Nest(op, tuple(stages), tuple(straight))
    return found if stages and _is_straight(found) and _may_recompute(found) else None


def _is_straight(nest: Nest) -> bool:
    """Whether only the carrying loops hold other statements, and nothing allocates memory."""
    ops = [*nest.before, *nest.inside, *nest.after]
    return not any(op.regions or isinstance(op, loop.AllocOp) for op in ops)


def _may_recompute(nest: Nest) -> bool:
    """Whether the statements before the loops may be recomputed at each use, and their results stored after all nests."""
    late, meanwhile = ({op.buffer for op in ops if isinstance(op, STORES)} for ops in (nest.before, nest.inside))
    # A nest must neither read nor overwrite the results that are stored after it.
    if any(isinstance(op, AccessOp) and op.buffer in late for op in nest.inside):
        return False
    # Repeated loads must give the same values.
    return not any(isinstance(op, loop.LoadOp) and op.buffer in late | meanwhile for op in nest.before)


def gains_along(level: loop.ForOp, found: Nest, frame: Frame, around: Sequence[int], window: int) -> bool:
    """Whether moving a parallel loop inside of the reductions is legal and improves their locality. Reductions of at most
    `window` steps stay inside."""
    bounds = {value for stage in found.stages for each in stage.carrying for value in each.operands_at}
    if level.induction in bounds or any(_is_window(stage, window) for stage in found.stages):
        return False

    def asked(question: Callable[..., bool], stage: Stage) -> bool:
        levels = [Level.of(each, frame) for each in stage.carrying]
        return question(stage.accesses(frame), Level.of(level, frame), levels, frame, around)

    if any(asked(has_longer_vectors, each) for each in found.stages):
        return False
    return all(asked(loses_nothing_inside, each) for each in found.stages) and any(
        asked(gains_inside, each) for each in found.stages
    )


def _is_window(stage: Stage, window: int) -> bool:
    steps = product(each.upper for each in stage.carrying).constant
    return steps is not None and steps <= window
