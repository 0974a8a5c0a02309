"""Caller-allocated temporaries of outlined functions, so that callers can share their memory.

Temporaries with disjoint live ranges become one argument.

    func.func @g(%x) {                         func.func @g(%x, %t) attributes {sw.temporaries = [<() -> (n0, 0)>]} { ... }
      ... loop.alloc <n0 elements> ... }
    func.func @f(%y) {                         func.func @f(%y) {
      loop.call @g sizes <() -> (s0)>    ->      %t = cloop.allocate <() -> (s0)>
        with (%y) }                              cloop.call @g(%y, %t) sizes <() -> (s0)> }
"""

from __future__ import annotations

from collections.abc import Mapping

from xdsl.dialects.builtin import DYNAMIC_INDEX, ArrayAttr, FunctionType, IntegerAttr, MemRefType, i8, i64
from xdsl.dialects.func import FuncOp
from xdsl.ir import SSAValue

from ...dialects import cloop, loop
from ...dialects.cloop.base import pointed_to
from ...ir.functions.entry import input_count, note_temporaries, temporaries, temporary_args
from ...ir.index.expressions import ZERO
from ...ir.rewrite import Builder, erase, replace
from ...ir.types.shapes import IndexMap, MapAttr
from ...passes.cloop.cloop_plan_memory import Slot, slots_of


def take_temporaries(function: FuncOp) -> None:
    """Replace the allocations of a function on the C level by arguments after its inputs: one argument of bytes for all
    allocations with disjoint live ranges."""
    taken, types = input_count(function), function.attributes["sw.types"]
    assert taken is not None and isinstance(types, ArrayAttr), "lowered functions record the types of their buffers"
    slots = slots_of(function.body.block)
    for position, slot in enumerate(slots, taken):
        _insert_argument(function, slot, position)
    arguments = function.args[taken : taken + len(slots)]
    flat = [MemRefType(pointed_to(arg), [DYNAMIC_INDEX]) for arg in arguments]
    function.attributes["sw.types"] = ArrayAttr([*types.data[:taken], *flat, *types.data[taken:]])
    function.attributes["sw.inputs"] = IntegerAttr(taken + len(slots), i64)
    function.function_type = FunctionType.from_lists([each.type for each in function.args], [])
    note_temporaries(function, list(map(_count_of, slots)))


def _insert_argument(function: FuncOp, slot: Slot, position: int) -> None:
    """Replace the allocations in a slot by an argument."""
    body, first = function.body.block, slot.tenants[0]
    if len(slot.tenants) == 1:
        argument = body.insert_arg(first.result.type, position)
        argument.name_hint = first.result.name_hint
        first.result.replace_all_uses_with(argument)
        erase(first)
        return
    argument = body.insert_arg(cloop.PointerType.of(i8, "restrict"), position)
    argument.name_hint = "slot"
    for tenant in slot.tenants:
        # Not `restrict`: these pointers alias.
        replace(tenant, [cloop.SliceOp(argument, ZERO, ZERO, cloop.PointerType.of(pointed_to(tenant.result), ""))])


def _count_of(slot: Slot) -> MapAttr:
    """The element counts of a slot: shared by all threads, and for each thread. One of them is 0."""
    size = slot.size if len(slot.tenants) > 1 else slot.tenants[0].count.data.results[0]
    return MapAttr(IndexMap.of(0, (ZERO, size) if slot.each_thread else (size, ZERO)))


def write_call(op: loop.CallOp, builder: Builder, pointers: Mapping[SSAValue, SSAValue]) -> None:
    """Write a call of a function that is already on the C level. `pointers` maps the operation's buffers to their pointers."""
    function = op.callee
    places = op.places
    given: list[SSAValue] = []
    for size, argument in zip(temporaries(function) or (), temporary_args(function), strict=True):
        shared, each_thread = (expr.substitute(places) for expr in size.results)
        count = shared if each_thread == 0 else each_thread
        given.append(builder.add(cloop.AllocateOp(count, argument.type, each_thread != 0)).result)
        given[-1].name_hint = argument.name_hint
    arguments = [*(pointers[each] for each in op.reads), *given, *(pointers[each] for each in op.writes)]
    builder.add(cloop.CallOp(function.sym_name.data, arguments, sizes=op.sizes))
