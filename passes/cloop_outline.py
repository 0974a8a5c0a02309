"""cloop-outline: the blocks of a long function become functions of their own, which C compilers work on side by side.

    func.func @f(%x, %y) {                   func.func private @block_0(%x, %y) { cloop.block { ... } }
      cloop.block { ... %x ... %y ... }      func.func private @block_1(%y) { cloop.block { ... } }
      cloop.block { ... %y ... }        ->   func.func @f(%x, %y) {
    }                                          cloop.call @block_0(%x, %y)
                                               cloop.call @block_1(%y) }

Neighbouring blocks go together, up to so many statements; a function that is no longer than that stays whole. A block stays
where it is when it needs from outside more than parameters and pointers to whole buffers: beside a pointer derived from
another, which would come into the new function by itself, that could not be `restrict`. (`outline.py` makes functions for the
eye alone.)
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import DYNAMIC_INDEX, ArrayAttr, FunctionType, IntegerAttr, MemRefType, ModuleOp, StringAttr, i64
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import Block, Region, SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint

from ..dialects import cloop
from ..dialects.cloop_base import pointed_to
from ..ir.functions import c_functions, free_name, mark_unit
from ..ir.nesting import free_values, operations
from ..ir.rewrite import Builder, count
from .options import limited


@dataclass(frozen=True)
class CloopOutline(ModulePass):
    """Of 400 `statements` gcc has enough to do for a third of a second, ten times what it takes to start it."""

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
        movable = isinstance(op, cloop.BlockOp) and _is_movable(op)
        if group and (not movable or total + size > most):
            yield group
            group, total = [], 0
        if isinstance(op, cloop.BlockOp) and movable:
            group.append(op)
            total += size
    if group:
        yield group


def _is_movable(block: cloop.BlockOp) -> bool:
    """Whether a block needs whole buffers alone."""
    slices = any(isinstance(op, cloop.SliceOp) for op in operations(block))
    return not slices and all(_is_buffer(value) for value in free_values([block]))


def _is_buffer(value: SSAValue) -> bool:
    made = isinstance(value.owner, Block | cloop.AllocateOp | cloop.SliceOp | cloop.DataOp)
    return made and isinstance(value.type, cloop.PointerType)


def _move_out(group: Sequence[cloop.BlockOp], function: FuncOp) -> None:
    """Make a function of blocks, in front of theirs, and call it in their place."""
    module = function.parent
    assert module is not None, "functions stand in a module"
    pointers = free_values(group)
    kinds = [pointer.type for pointer in pointers]
    name = free_name(module, "block")
    Builder(InsertPoint.before(group[0]), *group).add(cloop.CallOp(name, pointers))
    inside = {op for block in group for op in operations(block)}
    body = Block(arg_types=kinds)
    for pointer, argument in zip(pointers, body.args, strict=True):
        argument.name_hint = pointer.name_hint
        pointer.replace_uses_with_if(argument, lambda use: use.operation in inside)
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
