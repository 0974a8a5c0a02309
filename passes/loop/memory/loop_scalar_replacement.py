"""loop-scalar-replacement: replace a load by the value last stored to, or loaded from, the same address.

    loop.store %a into %t[%i]                loop.store %a into %t[%i]
    %b = loop.load %t[%i]             ->     ... %a ...

1. Traverse blocks in order with the known contents of memory, by buffer and address: stored and loaded values. Replace a load
   of a known value.
2. A write invalidates the known contents of its buffer. A loop invalidates the contents of all buffers that it writes; the
   contents of other buffers stay known inside it.
3. Erase temporaries without loads, with their stores.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import TypeAlias

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.passes import ModulePass

from ....dialects import loop
from ....ir.functions.entry import lowered_functions
from ....ir.index.expressions import Index
from ....ir.nesting import operations
from ....ir.rewrite import absorb, count, erase
from ...analysis.loop_nests import Frame, Node

# The address, guards and fill value under which the contents of a buffer are known.
Place: TypeAlias = tuple[tuple[Index, ...], tuple[Index, ...], Attribute | None]
Known: TypeAlias = dict[SSAValue, dict[Place, SSAValue]]


@dataclass(frozen=True)
class LoopScalarReplacement(ModulePass):
    name = "loop-scalar-replacement"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for function in lowered_functions(op):
            forward_stores(function)


def forward_stores(function: FuncOp) -> None:
    """Replace loads of known values, and erase temporaries that are then only written."""
    frame = Frame()
    for op in function.body.block.ops:
        if isinstance(op, loop.BlockOp):
            _forward(frame.tree(op).items, {}, frame)
    for op in reversed(operations(function)):
        if isinstance(op, loop.AllocOp) and _is_unread(op.result):
            for use in list(op.result.uses):
                erase(use.operation)
            erase(op)
            count("temporaries-removed", "Number of temporaries removed")


def _is_unread(buffer: SSAValue) -> bool:
    return not any(isinstance(use.operation, loop.LoadOp | loop.RunOp) for use in buffer.uses)


def _forward(items: Sequence[Node], known: Known, frame: Frame) -> None:
    for node in items:
        op = node.op
        if isinstance(op, loop.LoadOp):
            _load(op, known, frame)
            continue
        for buffer in node.written:
            known.pop(buffer, None)
        if isinstance(op, loop.StoreOp) and not op.guard_exprs:
            known[op.buffer] = {(frame.exprs(op), (), None): op.value}
        for _, inside in groupby(node.items, key=lambda item: item.op.parent):
            _forward(list(inside), {buffer: dict(places) for buffer, places in known.items()}, frame)


def _load(op: loop.LoadOp, known: Known, frame: Frame) -> None:
    place = (frame.exprs(op), frame.guards(op), op.fill)
    value = known.setdefault(op.buffer, {}).setdefault(place, op.result)
    if value is op.result:
        return
    op.result.replace_all_uses_with(value)
    if isinstance(value.owner, Operation):
        absorb(value.owner, op)
    erase(op)
    count("loads-forwarded", "Number of loads replaced by values")
