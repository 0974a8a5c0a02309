"""cloop-plan-memory: place all temporaries of a call in one arena; temporaries with disjoint live ranges share memory.

    %a = cloop.allocate <() -> (n)>                    %m = cloop.arena <() -> (ceildiv(n * 4, 64) * 64, 0)>
    cloop.block { writes %a }                          %a = cloop.slice %m <() -> (0, 0)>
    cloop.block { reads %a }                    ->     cloop.block { writes %a }
    %b = cloop.allocate <() -> (n)>                    cloop.block { reads %a }
    cloop.block { writes %b }                          %b = cloop.slice %m <() -> (0, 0)>
    cloop.block { reads %b }                           ...

1. A temporary is live from the first block that uses it to the last one.
2. In the order of their first blocks, assign each the first free slot of its size (or of any constant size, if its own is
   constant), else a new slot. Sizes that depend on parameters in different ways are never compared.
3. The workspace of a single call shares a slot with the workspaces of other calls, whatever their functions and sizes: the slot
   has the largest size.
4. Slots are laid out at multiples of 64 bytes, per-thread ones last. The offset of each slot is the end of the previous one:
   counted from the start, it would be a sum of as many sizes as there are slots.

Pointers to a slot that several temporaries share are not `restrict`, since they alias.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp
from xdsl.ir import Block, Operation
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint

from ...dialects import cloop
from ...dialects.cloop.base import pointed_to
from ...ir.functions.entry import c_functions
from ...ir.index.expressions import Index, ceildiv, index, maximum
from ...ir.rewrite import Builder, count, replace
from ...ir.types.dtypes import dtype_of


@dataclass(frozen=True)
class CloopPlanMemory(ModulePass):
    name = "cloop-plan-memory"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for function in c_functions(op):
            plan_memory(function)


@dataclass(eq=False)
class Slot:
    """Memory in the arena: the sizes in bytes that it must hold, whether it is per thread, its tenants, and the last block that
    uses it."""

    sizes: dict[Index, None]
    each_thread: bool
    tenants: list[cloop.AllocateOp] = field(default_factory=list)
    last: int = -1

    @property
    def size(self) -> Index:
        return _largest(list(self.sizes))


class _Slots:
    """The slots of a function, indexed by the allocations that they may be shared by."""

    def __init__(self) -> None:
        self.all: list[Slot] = []
        self._alike: defaultdict[object, list[Slot]] = defaultdict(list)

    def place(self, op: cloop.AllocateOp, first: int, last: int) -> None:
        """Assign a slot to an allocation that is live between two positions."""
        size, each_thread = _size(op), op.each_thread is not None
        # Slots of constant sizes are interchangeable, and so are those of single calls.
        key = (each_thread, "call" if _is_for_one_call(op) else "constant" if size.constant is not None else size)
        slot = next((slot for slot in self._alike[key] if slot.last < first), None)
        if slot is None:
            slot = Slot({}, each_thread)
            self._alike[key].append(slot)
            self.all.append(slot)
        slot.sizes[size], slot.last = None, last
        slot.tenants.append(op)


def plan_memory(function: FuncOp) -> None:
    """Place a function's allocations in one arena."""
    body = function.body.block
    slots = slots_of(body)
    if not slots:
        return
    first = next(op for op in body.ops if isinstance(op, cloop.AllocateOp))
    sizes = {slot: slot.size for slot in slots}
    total = [sum((sizes[slot] for slot in slots if slot.each_thread is each), index(0)) for each in (False, True)]
    builder = Builder(InsertPoint.before(first), *(tenant for slot in slots for tenant in slot.tenants))
    ordered = sorted(slots, key=lambda slot: slot.each_thread)
    starts = [builder.add(cloop.ArenaOp(total[0], total[1])).result]
    for slot in ordered[:-1]:
        size = sizes[slot]
        offset = (index(0), size) if slot.each_thread else (size, index(0))
        with builder.source(*slot.tenants):
            starts.append(builder.add(cloop.SliceOp(starts[-1], *offset, starts[-1].type)).result)
        starts[-1].name_hint = "slot"
    for slot, start in zip(ordered, starts, strict=True):
        for tenant in slot.tenants:
            qualifier = "restrict" if len(slot.tenants) == 1 else ""
            pointer = cloop.PointerType.of(pointed_to(tenant.result), qualifier)
            replace(tenant, [cloop.SliceOp(start, index(0), index(0), pointer)])
        count("slots", "Number of slots in the arena")


def slots_of(body: Block) -> list[Slot]:
    """Assign a slot to each allocation at the top of a function, shared where live ranges allow."""
    positions = {op: position for position, op in enumerate(body.ops)}
    lifetimes = [(_lifetime(op, positions), op) for op in body.ops if isinstance(op, cloop.AllocateOp)]
    slots = _Slots()
    for (first, last), op in sorted(lifetimes, key=lambda each: each[0][0]):
        slots.place(op, first, last)
    return slots.all


def _is_for_one_call(op: cloop.AllocateOp) -> bool:
    """Whether an allocation is the workspace of a single call, without other uses."""
    uses = list(op.result.uses)
    return len(uses) == 1 and isinstance(uses[0].operation, cloop.CallOp)


def _largest(sizes: Sequence[Index]) -> Index:
    """The maximum of some sizes, as a balanced tree."""
    if len(sizes) == 1:
        return sizes[0]
    half = len(sizes) // 2
    return maximum(_largest(sizes[:half]), _largest(sizes[half:]))


def _size(op: cloop.AllocateOp) -> Index:
    bytes_ = op.count.data.results[0] * ceildiv(dtype_of(pointed_to(op.result)).bits, 8)
    return ceildiv(bytes_, 64) * 64


def _lifetime(op: cloop.AllocateOp, positions: dict[Operation, int]) -> tuple[int, int]:
    """The positions of the first and the last statement of the function that use an allocation."""
    found = [_position(use.operation, positions) for use in op.result.uses]
    return (min(found), max(found)) if found else (positions[op], positions[op])


def _position(op: Operation, positions: dict[Operation, int]) -> int:
    while op not in positions:
        parent = op.parent_op()
        assert parent is not None, "a use is inside the function"
        op = parent
    return positions[op]
