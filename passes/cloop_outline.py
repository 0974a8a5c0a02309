"""cloop-outline: the blocks of a long function become functions of their own, which C compilers work on side by side.

    func.func @f(%x, %y) {                   func.func private @block_0(%x, %y) { cloop.block { ... } }
      cloop.block { ... %x ... %y ... }      func.func private @block_1(%y) { cloop.block { ... } }
      cloop.block { ... %y ... }        ->   func.func @f(%x, %y) {
    }                                          cloop.call @block_0(%x, %y)
                                               cloop.call @block_1(%y) }

Neighbouring blocks go together, up to so many statements; a function that is no longer than that stays whole. A block that
needs more from outside than pointers and parameters stays where it is.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import DYNAMIC_INDEX, ArrayAttr, FunctionType, IntegerAttr, MemRefType, ModuleOp, StringAttr, i64
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import Block, Operation, Region, SSAValue, Use
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint

from ..dialects import cloop
from ..dialects.cloop_base import pointed_to
from ..ir.functions import c_functions, free_name, mark_unit
from ..ir.nesting import operations
from ..ir.rewrite import Builder, count
from .options import limited


@dataclass(frozen=True)
class CloopOutline(ModulePass):
    name = "cloop-outline"

    statements: int = limited(400, least=1)

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for function in c_functions(op):
            if len(operations(function.body)) <= self.statements:
                continue
            groups = list(_groups(function.body.block, self.statements))
            for group in groups if len(groups) > 1 else ():
                _move_out(group, function)
                count("functions-made", "Number of functions made of blocks")


def _groups(body: Block, most: int) -> Iterator[list[cloop.BlockOp]]:
    """The blocks that can be moved out, neighbours together as long as they have not too many statements."""
    group: list[cloop.BlockOp] = []
    total = 0
    for op in body.ops:
        size = len(operations(op))
        fits = isinstance(op, cloop.BlockOp) and all(isinstance(value.type, cloop.PointerType) for value in _taken([op]))
        if group and (not fits or total + size > most):
            yield group
            group, total = [], 0
        if isinstance(op, cloop.BlockOp) and fits:
            group.append(op)
            total += size
    if group:
        yield group


def _taken(group: Sequence[Operation]) -> dict[SSAValue, list[Use]]:
    """What operations use and do not make, in the order in which they do, with its uses in them."""
    inside = dict.fromkeys(inner for op in group for inner in operations(op))
    taken: dict[SSAValue, list[Use]] = {}
    for op in inside:
        for position, value in enumerate(op.operands):
            if _maker(value) not in inside:
                taken.setdefault(value, []).append(Use(op, position))
    return taken


def _maker(value: SSAValue) -> Operation | None:
    """The operation that makes a value, or in whose region it is an argument."""
    return value.owner if isinstance(value.owner, Operation) else value.owner.parent_op()


def _move_out(group: Sequence[cloop.BlockOp], function: FuncOp) -> None:
    """Make a function of blocks, in front of theirs, and call it in their place."""
    module = function.parent
    assert module is not None, "functions stand in a module"
    pointers = _taken(group)
    name = free_name(module, "block")
    Builder(InsertPoint.before(group[0]), *group).add(cloop.CallOp(name, list(pointers)))
    kinds = [pointer.type for pointer in pointers]
    body = Block(arg_types=kinds)
    for (pointer, uses), argument in zip(pointers.items(), body.args, strict=True):
        argument.name_hint = pointer.name_hint
        for use in uses:
            use.operation.operands[use.index] = argument
    for block in group:
        block.detach()
        body.add_op(block)
    Builder(body, function).add(ReturnOp())
    made = FuncOp(name, FunctionType.from_lists(kinds, []), Region(body), StringAttr("private"))
    made.attributes |= {
        "sw.params": function.attributes["sw.params"],
        "sw.inputs": IntegerAttr(len(pointers), i64),
        "sw.types": ArrayAttr([MemRefType(pointed_to(pointer), [DYNAMIC_INDEX]) for pointer in pointers]),
    }
    mark_unit(made)
    Builder(InsertPoint.before(function), *group).add(made)
