"""Outlining of blocks into functions that are called with their own sizes.

The function's parameters are named n0, n1 and so on, in order of first use, so that blocks which differ only in their sizes
give the same function. It is lowered and compiled separately.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

from xdsl.dialects.builtin import ArrayAttr, FunctionType, IntegerAttr, MemRefType, ModuleOp, StringAttr, i64
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import Block, Operation, Region, SSAValue
from xdsl.rewriter import InsertPoint

from ...dialects import loop
from ...ir.functions.entry import free_name, is_step, lowered_functions, mark_unit, note_temporaries
from ...ir.functions.substitution import copy_with, params_in, substituted
from ...ir.functions.versions import hints_of, set_hints
from ...ir.index.expressions import Atom, IndexLike, Param, param
from ...ir.locations import comment_suffix
from ...ir.nesting import free_values, operations
from ...ir.rewrite import Builder, derive, derive_copy, erase


class BlockRun:
    """Consecutive blocks that may be outlined; `inside` are the blocks with all operations in them, and `own` the buffers
    without other users, which become the function's temporaries."""

    def __init__(self, function: FuncOp, blocks: Sequence[loop.BlockOp]):
        self.function, self.blocks = function, blocks
        self.inside = [op for block in blocks for op in operations(block)]
        free, inside = free_values(blocks), set(self.inside)
        allocated = [each.owner for each in free if isinstance(each.owner, loop.AllocOp)]
        self.own = [op for op in allocated if all(use.operation in inside for use in op.result.uses)]
        self.buffers = [each for each in free if each.owner not in self.own]
        written = {op.buffer for op in self.inside if isinstance(op, loop.StoreOp | loop.UpdateOp)}
        self.reads = [each for each in self.buffers if each not in written]
        self.writes = [each for each in self.buffers if each in written]

    @property
    def may_move(self) -> bool:
        """Whether the blocks use whole buffers only and contain no check: a check reports its source line by number."""
        has_checks = any(isinstance(op, loop.CheckOp) for op in self.inside)
        return not has_checks and all(isinstance(each.type, MemRefType) for each in self.buffers)

    @cached_property
    def names(self) -> dict[str, str]:
        """The function's name for each parameter."""
        attributes = [each.type for each in self.buffers]
        for op in (*self.own, *self.inside):
            attributes += [*(result.type for result in op.results), *op.properties.values(), *op.attributes.values()]
        found = dict.fromkeys(name for each in attributes for name in params_in(each))
        return {name: f"n{number}" for number, name in enumerate(found)}

    @cached_property
    def places(self) -> dict[Atom, IndexLike]:
        """The substitution of the function's parameters for the caller's."""
        return {Param(name): param(new) for name, new in self.names.items()}

    @cached_property
    def hints(self) -> dict[str, int]:
        """The function's hints."""
        found = hints_of(self.function)
        return {new: found[name] for name, new in self.names.items() if name in found}


def functions_of_blocks(module: ModuleOp) -> list[FuncOp]:
    """The functions whose blocks may be outlined: not the steps of scans, from which loop-scan-invariant-code-motion hoists
    nests."""
    return [each for each in lowered_functions(module) if not is_step(each)]


def move_to_function(kind: str, runs: Sequence[BlockRun], before: Operation) -> None:
    """Outline equal runs into one function, replace each by a call, and derive the function from all of them."""
    module = before.parent
    assert module is not None, "functions have a parent module"
    name = free_name(module, kind + comment_suffix(*(block.location for each in runs for block in each.blocks)))
    Builder(InsertPoint.before(before)).add(_function(name, runs))
    for run in runs:
        call = loop.CallOp(name, [param(size) for size in run.names], run.reads, run.writes)
        Builder(InsertPoint.before(run.blocks[-1]), *run.blocks).add(call)
        for op in (*run.blocks, *run.own):
            erase(op)


def _function(name: str, runs: Sequence[BlockRun]) -> FuncOp:
    run = runs[0]
    buffers = [*run.reads, *run.writes]
    body = Block(arg_types=[substituted(each.type, run.places) for each in buffers])
    values: dict[SSAValue, SSAValue] = dict(zip(buffers, body.args, strict=True))
    for buffer, arg in values.items():
        arg.name_hint = buffer.name_hint
    copies = [copy_with(op, values, run.places) for op in (*run.own, *run.blocks)]
    for new, *originals in zip(copies, *((*each.own, *each.blocks) for each in runs), strict=True):
        derive_copy(new, *originals)
    body.add_ops([*copies, ReturnOp()])
    function = FuncOp(name, FunctionType.from_lists(body.arg_types, []), Region(body), StringAttr("private"))
    function.attributes |= {
        "sw.params": ArrayAttr(map(StringAttr, run.names.values())),
        "sw.inputs": IntegerAttr(len(run.reads), i64),
    }
    set_hints(function, run.hints)
    note_temporaries(function, [])
    mark_unit(function)
    derive(function, [block for each in runs for block in each.blocks])
    return function
