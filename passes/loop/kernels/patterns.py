"""Loop patterns of kernels: outermost parallel nests, nests that carry scalars, strides."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from xdsl.ir import Operation
from xdsl.traits import Pure

from ....dialects import loop
from ....dialects.tile.base import has_atomic
from ....ir.index.expressions import Dim, Index, ceildiv, index, product
from ....ir.index.simplify import Ranges
from ....ir.types.dtypes import dtype_of
from ....ir.types.shapes import row_major, shape_of
from ...analysis.reductions import statements


@dataclass(frozen=True)
class Nest:
    """A perfect nest of loops over a rectangular domain."""

    loops: tuple[loop.ForOp, ...]

    @property
    def extents(self) -> tuple[Index, ...]:
        return tuple(extent(level) for level in self.loops)

    @property
    def size(self) -> Index:
        return product(self.extents)

    @property
    def body(self) -> loop.ForOp:
        """The innermost loop."""
        return self.loops[-1]


def extent(level: loop.ForOp) -> Index:
    """The trip count of a loop with bounds over parameters, as an expression; never negative if the bounds are sizes."""
    return ceildiv(level.upper - level.lower, index(level.step.value.data))


def is_rectangular(level: loop.ForOp) -> bool:
    return not level.lower.dims() and not level.upper.dims()


def guarded(block: loop.BlockOp) -> tuple[tuple[Index, ...], list[Operation]]:
    """The conditions on sizes under which a block runs, and its statements."""
    ops = list(block.body.block.ops)
    if len(ops) == 1 and isinstance(ops[0], loop.IfOp) and ops[0].otherwise is None and not ops[0].operands_at:
        return ops[0].index_map.results, list(ops[0].body.block.ops)
    return (), ops


def outer_nest(block: loop.BlockOp) -> Nest:
    """The parallel loops that enclose all statements of a block, except scalars, which each program may recompute."""
    atomic = updates_are_atomic(block)
    found: list[loop.ForOp] = []
    _, ops = guarded(block)
    while (level := _only_loop(ops)) is not None:
        independent = level.kind.data == "parallel" or (level.kind.data == "reduction" and atomic)
        if not independent or level.carried or not is_rectangular(level):
            break
        found.append(level)
        ops = statements(level)
    return Nest(tuple(found))


def _only_loop(ops: Sequence[Operation]) -> loop.ForOp | None:
    """The loop among statements that otherwise only compute scalars; None if there is any other statement."""
    others = [op for op in ops if op.regions or not op.has_trait(Pure)]
    return others[0] if len(others) == 1 and isinstance(others[0], loop.ForOp) else None


def inside(block: loop.BlockOp, outer: Nest) -> list[Operation]:
    """The statements inside the outer loops of a block, with the scalars that are computed outside of them."""
    bodies = [guarded(block)[1], *map(statements, outer.loops)]
    return [op for ops in bodies[:-1] for op in ops if op not in outer.loops] + bodies[-1]


def permute(loops: Sequence[loop.ForOp], order: Sequence[loop.ForOp]) -> None:
    """Reorder a perfect rectangular nest whose bounds are over parameters. The operations stay, and get the bounds and indices
    of the loops that move to their positions.
    """
    ranges = [(level.properties["map"], level.properties["step"]) for level in order]
    users = [list(level.induction.uses) for level in order]
    for level, (bounds, step), uses in zip(loops, ranges, users, strict=True):
        level.properties["map"], level.properties["step"] = bounds, step
        for use in uses:
            use.operation.operands[use.index] = level.induction


def updates_are_atomic(block: loop.BlockOp) -> bool:
    """Whether the block writes only by updates with a hardware atomic, to buffers that it does not read."""
    updates = [op for op in block.walk() if isinstance(op, loop.UpdateOp)]
    if not updates or any(isinstance(op, loop.StoreOp) for op in block.walk()):
        return False
    updated = {op.buffer for op in updates}
    if any(isinstance(op, loop.LoadOp) and op.buffer in updated for op in block.walk()):
        return False
    return all(has_atomic(op.accumulator.data, dtype_of(op.value.type)) for op in updates)


def carrying_nest(level: loop.ForOp) -> Nest:
    """The perfect nest of `level` and the inner loops that it only passes its carried scalars to."""
    loops = [level]
    while True:
        inside = statements(loops[-1])
        if len(inside) != 1 or not isinstance(inside[0], loop.ForOp):
            return Nest(tuple(loops))
        inner = inside[0]
        handed = tuple(inner.carried) == loops[-1].carried_args and tuple(inner.results) == loops[-1].yielded
        if not handed or inner.kind.data != level.kind.data or not is_rectangular(inner):
            return Nest(tuple(loops))
        loops.append(inner)


def is_straight_line(level: loop.ForOp) -> bool:
    return not any(op.regions for op in statements(level))


def flat_offset(op: loop.LoadOp | loop.StoreOp | loop.UpdateOp) -> Index:
    """The address of an access in elements, over the dimensions of its map."""
    return Ranges().simplify(row_major(shape_of(op.buffer), op.index_map.results))


def stride(op: loop.LoadOp | loop.StoreOp | loop.UpdateOp, level: loop.ForOp) -> Index | None:
    """The stride of an access along `level`, in elements; None if the address is not linear in the index."""
    offset, total = flat_offset(op), index(0)
    for k, value in enumerate(op.operands_at):
        if value is level.induction:
            factor = offset.coefficient(Dim(k))
            if factor is None:
                return None
            total = total + factor
    return total * level.step.value.data


def accesses(ops: Sequence[Operation]) -> Iterator[loop.LoadOp | loop.StoreOp | loop.UpdateOp]:
    """All accesses in `ops`, at any depth."""
    for op in ops:
        for inner in op.walk():
            if isinstance(inner, loop.LoadOp | loop.StoreOp | loop.UpdateOp):
                yield inner


def is_flat(op: loop.LoadOp | loop.StoreOp | loop.UpdateOp, nest: Nest) -> bool:
    """Whether the address of an access is linear in the position in the flattened nest."""
    steps = [stride(op, level) for level in nest.loops]
    flat = steps[-1]
    for step, size in zip(reversed(steps), reversed(nest.extents), strict=True):
        if flat is None or step != flat:
            return False
        flat = flat * size
    return True
