"""Functions that are called for sizes of their own take their temporaries from their callers, where these share memory with
others.

    func.func @g(%x) {                         func.func @g(%x, %t) attributes {sw.temporaries = [<() -> (n0, 0)>]} { ... }
      ... loop.alloc <n0 elements> ... }
    func.func @f(%y) {                         func.func @f(%y) {
      loop.call @g sizes <() -> (s0)>    ->      %t = cloop.allocate <() -> (s0)>
        with (%y) }                              cloop.call @g(%y, %t) sizes <() -> (s0)> }
"""

from __future__ import annotations

from collections.abc import Mapping

from xdsl.dialects.builtin import DYNAMIC_INDEX, ArrayAttr, FunctionType, IntegerAttr, MemRefType, i64
from xdsl.dialects.func import FuncOp
from xdsl.ir import SSAValue

from ..dialects import cloop, loop
from ..dialects.cloop_base import pointed_to
from ..ir.functions import input_count, note_temporaries, temporaries, temporary_args
from ..ir.index import ZERO
from ..ir.rewrite import Builder, erase
from ..ir.shapes import IndexMap, MapAttr


def take_temporaries(function: FuncOp) -> None:
    """Let a function on the C level take what it allocates as arguments behind its inputs."""
    taken, types = input_count(function), function.attributes["sw.types"]
    own = [op for op in function.body.block.ops if isinstance(op, cloop.AllocateOp)]
    assert taken is not None and isinstance(types, ArrayAttr), "lowered functions say what their buffers were"
    sizes: list[MapAttr] = []
    for position, each in enumerate(own, taken):
        argument = function.body.block.insert_arg(each.result.type, position)
        argument.name_hint = each.result.name_hint
        each.result.replace_all_uses_with(argument)
        size = each.count.data.results[0]
        sizes.append(MapAttr(IndexMap.of(0, (size, ZERO) if each.each_thread is None else (ZERO, size))))
        erase(each)
    flat = [MemRefType(pointed_to(arg), [DYNAMIC_INDEX]) for arg in function.args[taken : taken + len(own)]]
    function.attributes["sw.types"] = ArrayAttr([*types.data[:taken], *flat, *types.data[taken:]])
    function.attributes["sw.inputs"] = IntegerAttr(taken + len(own), i64)
    function.function_type = FunctionType.from_lists([each.type for each in function.args], [])
    note_temporaries(function, sizes)


def write_call(op: loop.CallOp, builder: Builder, pointers: Mapping[SSAValue, SSAValue]) -> None:
    """Write a call of a function that is on the C level already. `pointers` are those to the operation's buffers."""
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
