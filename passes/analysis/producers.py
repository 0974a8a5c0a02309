"""Inlinable producers: blocks that compute a temporary elementwise, and the loads that may inline them (for loop-inline)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TypeAlias

from xdsl.dialects.builtin import FloatAttr, IntegerAttr
from xdsl.dialects.func import FuncOp
from xdsl.ir import BlockArgument, Operation, SSAValue

from ...dialects import loop
from ...ir.index.expressions import Index, dim
from ...ir.nesting import free_values, operations
from ...ir.scalars.table import scalar
from ...ir.types.shapes import shape_of


@dataclass(frozen=True)
class Producer:
    """An inlinable block: for each axis the loop's index (None for an axis without a loop), its statements, and the value that
    it stores."""

    block: loop.BlockOp
    indices: tuple[SSAValue | None, ...]
    statements: tuple[Operation, ...]
    value: SSAValue
    cost: int


@dataclass(frozen=True)
class Read:
    """The producer that a load inlines, with the load's guards and fill value. If the load is a copy in another block, the
    operation also carries the guards of its new position; where these fail, its value is not used."""

    producer: Producer
    guards: Sequence[Index]
    fill: FloatAttr | IntegerAttr | None


Plan: TypeAlias = dict[Operation, Read]


def producer_of(buffer: SSAValue, consumer: loop.BlockOp | None, plan: Plan, gathered: int = 0) -> Producer | None:
    """The producer of an element of `buffer`, if it can be inlined into `consumer`; None otherwise. A load of an element at
    indices that are data costs as much as `gathered` additions."""
    if not isinstance(buffer.owner, loop.AllocOp):
        return None
    writers = [use.operation for use in buffer.uses if not isinstance(use.operation, loop.LoadOp)]
    if len(writers) != 1 or not isinstance(writers[0], loop.StoreOp) or writers[0].guards is not None:
        return None
    store = writers[0]
    nest = list(enclosing(store))
    block = nest[-1] if nest else None
    if not isinstance(block, loop.BlockOp) or block is consumer:
        return None
    loops = nest[-2::-1]
    statements = _straight_line(loops, store)
    indices = _axes(loops, store)
    if statements is None or indices is None or _has_outer_operations(block, loops, [*statements, store]):
        return None
    return Producer(block, indices, statements, store.value, sum(_cost(op, plan, gathered) for op in statements))


def obstacle(buffer: SSAValue, consumer: loop.BlockOp) -> str:
    """Why `buffer`, a temporary, has no producer that can be inlined into `consumer`."""
    writers = [use.operation for use in buffer.uses if not isinstance(use.operation, loop.LoadOp)]
    if any(isinstance(each, loop.RunOp) for each in writers):
        return "a function that runs step by step computes it"
    if any(isinstance(each, loop.UpdateOp) for each in writers):
        return "a scatter computes it"
    if len(writers) != 1:
        return f"{len(writers)} statements write to it"
    if not isinstance(writers[0], loop.StoreOp):
        return f"'{writers[0].name}' computes it"
    around = [each for each in enclosing(writers[0]) if isinstance(each, loop.ForOp | loop.BlockOp)]
    block = around[-1]
    if block is consumer:
        return "the nest that computes it reads it"
    carried = {op.kind.data for op in operations(block) if isinstance(op, loop.ForOp) and op.carried}
    if "sequential" in carried:
        return "a scan computes it"
    return "a reduction computes it" if carried else "the nest that computes it is not elementwise over its own axes"


def _axes(loops: list[Operation], store: loop.StoreOp) -> tuple[SSAValue | None, ...] | None:
    """For each axis of the store the index of its loop, None for an axis of size 1 without a loop; None if there are other
    loops, or if the loops are in another order."""
    indices = tuple(level.induction for level in loops if isinstance(level, loop.ForOp))
    exprs = store.index_map.results
    single = {axis for axis, size in enumerate(shape_of(store.buffer)) if size == 1 and exprs[axis] == 0}
    walked = tuple(expr for axis, expr in enumerate(exprs) if axis not in single)
    if store.operands_at != indices or walked != tuple(map(dim, range(len(indices)))):
        return None
    order = iter(indices)
    return tuple(None if axis in single else next(order) for axis in range(len(exprs)))


def enclosing(op: Operation) -> Iterator[Operation]:
    parent = op.parent_op()
    while isinstance(parent, loop.ForOp | loop.IfOp | loop.BlockOp):
        yield parent
        parent = parent.parent_op()


def _straight_line(loops: list[Operation], store: loop.StoreOp) -> tuple[Operation, ...] | None:
    """The statements before `store` if the nest is perfect and parallel, its loops start at 0, and it writes nothing else."""
    for outer, inner in pairwise(loops):
        if not isinstance(outer, loop.ForOp) or list(outer.body.block.ops)[:-1] != [inner]:
            return None
    if not all(isinstance(level, loop.ForOp) and level.kind.data == "parallel" and level.lower == 0 for level in loops):
        return None
    assert store.parent is not None, "a store has a parent block"
    *statements, last, _ = [*store.parent.ops, *([] if loops else [store])]
    if last is not store or any(op.regions or isinstance(op, loop.StoreOp | loop.UpdateOp) for op in statements):
        return None
    return tuple(statements)


def _has_outer_operations(block: loop.BlockOp, loops: Sequence[Operation], statements: Sequence[Operation]) -> bool:
    """Whether a block has checks outside these statements, or computes their operands before the enclosing loops, as
    loop-invariant-code-motion does."""
    if any(isinstance(op, loop.CheckOp) and op not in statements for op in operations(block)):
        return True
    inductions = {level.induction for level in loops if isinstance(level, loop.ForOp)}
    used = (value for value in free_values(statements) if value not in inductions)
    return any(block.is_ancestor(value.owner) for value in used)


def _cost(op: Operation, plan: Plan, gathered: int) -> int:
    """The cost of a statement in additions, including the producers that it inlines."""
    if isinstance(op, loop.ComputeOp):
        return scalar(op.function.data).cost
    read, own = plan.get(op), gathered if isinstance(op, loop.LoadOp) and _is_gathered(op) else 0
    if read is None:
        return own
    return own + read.producer.cost + (0 if read.fill is None else scalar("select").cost)


def _is_gathered(load: loop.LoadOp) -> bool:
    """Whether neighbouring elements of a load are at indices that are data."""
    last = load.index_map.results[-1].dims() if load.index_map.results else ()
    return any(not isinstance(load.operands_at[position], BlockArgument) for position in last)


class Overwritten:
    """The buffers of a function that are written after a block has read them: recomputing that block after the write would
    change the block's result."""

    def __init__(self, function: FuncOp):
        self._places = {op: place for place, op in enumerate(function.body.block.ops)}
        self._writes: dict[SSAValue, list[int]] = {}
        self._reads: dict[Operation, frozenset[SSAValue]] = {}
        read: set[SSAValue] = set()
        for op, place in self._places.items():
            if isinstance(op, loop.BlockOp):
                read |= _loaded_in(op)
            for buffer in read.intersection(_written_by(op)):
                self._writes.setdefault(buffer, []).append(place)

    def note(self, block: loop.BlockOp, plan: Plan) -> None:
        """Record what a block reads, after its inlining is planned and its producers are recorded."""
        if self._writes:
            loads = [op for op in operations(block) if isinstance(op, loop.LoadOp)]
            taken_in = [self._reads[plan[op].producer.block] if op in plan else {op.buffer} for op in loads]
            self._reads[block] = frozenset().union(*taken_in) & self._writes.keys()

    def keeps(self, producer: Producer, consumer: loop.BlockOp) -> bool:
        """Whether a producer computes the same in another block: a later one, if no buffer that it reads is written between the
        two or in that block."""
        first, last = self._places[producer.block], self._places[consumer]
        reads = self._reads.get(producer.block, frozenset())
        return first < last and not any(first < place <= last for buffer in reads for place in self._writes[buffer])


def _written_by(op: Operation) -> Sequence[SSAValue]:
    """The buffers that an operation at the top of a function may write."""
    if isinstance(op, loop.BlockOp):
        return written_in(op)
    return op.operands if isinstance(op, loop.RunOp) else ()


def _loaded_in(block: loop.BlockOp) -> set[SSAValue]:
    return {op.buffer for op in operations(block) if isinstance(op, loop.LoadOp)}


def written_in(block: loop.BlockOp) -> list[SSAValue]:
    return [op.buffer for op in operations(block) if isinstance(op, loop.StoreOp | loop.UpdateOp)]


def is_plain(load: loop.LoadOp) -> bool:
    """Whether a load reads the element at its loops' indices without guards."""
    return not load.guard_exprs and load.index_map.results == tuple(map(dim, range(load.index_map.dims)))
