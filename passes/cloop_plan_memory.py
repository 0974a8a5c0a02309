"""cloop-plan-memory: all temporaries of a call lie in one arena, and those that are never alive together share its memory.

    %a = cloop.allocate <() -> (n)>                    %m = cloop.arena <() -> (ceildiv(n * 4, 64) * 64, 0)>
    cloop.block { writes %a }                          %a = cloop.slice %m <() -> (0, 0)>
    cloop.block { reads %a }                    ->     cloop.block { writes %a }
    %b = cloop.allocate <() -> (n)>                    cloop.block { reads %a }
    cloop.block { writes %b }                          %b = cloop.slice %m <() -> (0, 0)>
    cloop.block { reads %b }                           ...

1. A temporary is alive from the first block that names it to the last one.
2. In the order of their first blocks, each takes the first slot that is free and of its size, or of a constant size if its own
   is constant; else a new one. Sizes that depend on parameters in different ways are never said to be larger or smaller.
3. Slots lie one after another at multiples of 64 bytes; those of which each thread has one come last. Each begins behind the
   one before: counted from the start, places would be sums of as many sizes as there are slots.

Pointers to a slot that several temporaries use are not `restrict`, since they do reach the same memory.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp
from xdsl.ir import Block, Operation
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint

from ..dialects import cloop
from ..dialects.cloop_base import pointed_to
from ..ir.dtypes import dtype_of
from ..ir.functions import c_functions
from ..ir.index import Index, ceildiv, index, maximum
from ..ir.rewrite import Builder, count, replace


@dataclass(frozen=True)
class CloopPlanMemory(ModulePass):
    name = "cloop-plan-memory"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for function in c_functions(op):
            plan_memory(function)


@dataclass
class Slot:
    """Memory in the arena: its size in bytes, whether each thread has one, its tenants, and the last block that needs it."""

    size: Index
    each_thread: bool
    tenants: list[cloop.AllocateOp] = field(default_factory=list)
    last: int = -1

    def takes(self, size: Index, each_thread: bool, first: int) -> bool:
        if self.last >= first or self.each_thread != each_thread:
            return False
        return self.size == size or (self.size.constant is not None and size.constant is not None)


def plan_memory(function: FuncOp) -> None:
    """Put a function's allocations into one arena."""
    body = function.body.block
    slots = _slots(body)
    if not slots:
        return
    first = next(op for op in body.ops if isinstance(op, cloop.AllocateOp))
    tenants = [tenant for slot in slots for tenant in slot.tenants]
    total = [sum((slot.size for slot in slots if slot.each_thread is each), index(0)) for each in (False, True)]
    builder = Builder(InsertPoint.before(first), *tenants)
    ordered = sorted(slots, key=lambda slot: slot.each_thread)
    starts = [builder.add(cloop.ArenaOp(total[0], total[1])).result]
    for slot in ordered[:-1]:
        sizes = (index(0), slot.size) if slot.each_thread else (slot.size, index(0))
        starts.append(builder.add(cloop.SliceOp(starts[-1], *sizes, starts[-1].type)).result)
        starts[-1].name_hint = "slot"
    for slot, start in zip(ordered, starts, strict=True):
        for tenant in slot.tenants:
            qualifier = "restrict" if len(slot.tenants) == 1 else ""
            pointer = cloop.PointerType.of(pointed_to(tenant.result), qualifier)
            replace(tenant, [cloop.SliceOp(start, index(0), index(0), pointer)])
        count("slots", "Number of slots in the arena")


def _slots(body: Block) -> list[Slot]:
    """A slot for each allocation, shared where lifetimes allow."""
    positions = {op: position for position, op in enumerate(body.ops)}
    lifetimes = [(_lifetime(op, positions), op) for op in body.ops if isinstance(op, cloop.AllocateOp)]
    slots: list[Slot] = []
    for (first, last), op in sorted(lifetimes, key=lambda each: each[0][0]):
        size, each_thread = _size(op), op.each_thread is not None
        slot = next((slot for slot in slots if slot.takes(size, each_thread, first)), None)
        if slot is None:
            slot = Slot(size, each_thread)
            slots.append(slot)
        slot.size, slot.last = maximum(slot.size, size), last
        slot.tenants.append(op)
    return slots


def _size(op: cloop.AllocateOp) -> Index:
    bytes_ = op.count.data.results[0] * ceildiv(dtype_of(pointed_to(op.result)).bits, 8)
    return ceildiv(bytes_, 64) * 64


def _lifetime(op: cloop.AllocateOp, positions: dict[Operation, int]) -> tuple[int, int]:
    """The positions of the first and the last statement of the function that name an allocation."""
    found = [_position(use.operation, positions) for use in op.result.uses]
    return (min(found), max(found)) if found else (positions[op], positions[op])


def _position(op: Operation, positions: dict[Operation, int]) -> int:
    while op not in positions:
        parent = op.parent_op()
        assert parent is not None, "a use stands in the function"
        op = parent
    return positions[op]
