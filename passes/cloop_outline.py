"""cloop-outline: the blocks of a long function become functions of their own, which C compilers work on side by side.

    func.func @f(%x, %y) {                   func.func private @block_0(%x, %y) { cloop.block { ... } }
      cloop.block { ... %x ... %y ... }      func.func private @block_1(%y) { cloop.block { ... } }
      cloop.block { ... %y ... }        ->   func.func @f(%x, %y) {
    }                                          cloop.call @block_0(%x, %y)
                                               cloop.call @block_1(%y) }

1. Neighbouring blocks go together, up to so many statements; a function that is no longer than that stays whole. A block stays
   where it is when it needs from outside more than parameters and pointers to whole buffers.
2. What is longer even so is cut inside of its blocks: neighbours in some body, which nothing behind them asks for a value, move
   out in the same way. They may need indices besides, which are further parameters of their function, and pointers into
   buffers of which they need nothing else: two pointers into one would not be `restrict`.

(`outline.py` makes functions for the eye alone.)
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate

from xdsl.context import Context
from xdsl.dialects.builtin import DYNAMIC_INDEX, ArrayAttr, FunctionType, IntegerAttr, MemRefType, ModuleOp, StringAttr, i64
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import Block, Operation, Region, SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint

from ..dialects import cloop
from ..dialects.cloop_base import pointed_to
from ..dialects.cloop_calls import ENDING
from ..dialects.scalar_ops import INDEX
from ..ir.functions import c_functions, free_name, function_params, mark_unit
from ..ir.index import param
from ..ir.nesting import free_values, operations
from ..ir.rewrite import Builder, count
from .options import limited


@dataclass(frozen=True)
class CloopOutline(ModulePass):
    """Of 300 `statements` gcc has enough to do for a third of a second, ten times what it takes to start it."""

    name = "cloop-outline"

    statements: int = limited(300, least=1)

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for function in c_functions(op):
            if _length(function) <= self.statements:
                continue
            groups = list(_groups(function.body.block, self.statements))
            made = [_move_out(group, function) for group in groups] if len(groups) > 1 else []
            for each in (function, *made):
                self._cut(each)

    def _cut(self, function: FuncOp) -> None:
        """Move parts of equal length out of the blocks of a function, while it is too long."""
        while (length := _length(function)) > self.statements:
            wanted = length // -(-length // self.statements)
            blocks = [op for op in function.body.block.ops if isinstance(op, cloop.BlockOp)]
            runs = [run for block in blocks for run in _runs(block, wanted) if (length - run.length) * 2 > wanted]
            best = next((run for run in sorted(runs, key=lambda run: abs(run.length - wanted)) if run.can_be_called()), None)
            if best is None:
                return
            _move_out(best.statements, function)


def _length(function: FuncOp) -> int:
    return len(operations(function.body))


def _size(op: Operation) -> int:
    return len(operations(op))


def _groups(body: Block, most: int) -> Iterator[list[cloop.BlockOp]]:
    """The blocks that can be moved out, neighbours together as long as they have not too many statements."""
    group: list[cloop.BlockOp] = []
    total = 0
    for op in body.ops:
        size = _size(op)
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


@dataclass(frozen=True)
class Run:
    """Neighbours in a body, which may be that of a loop, with all that they hold."""

    statements: list[Operation]
    length: int
    in_loop: bool

    def can_be_called(self) -> bool:
        """Whether a function can do what they do."""
        inside = {op for each in self.statements for op in operations(each)}
        if any(use.operation not in inside for op in self.statements for result in op.results for use in result.uses):
            return False
        if any(isinstance(op, cloop.SliceOp) or (self.in_loop and isinstance(op, ENDING)) for op in inside):
            return False
        needed = free_values(self.statements)
        if any(isinstance(op, cloop.AssignOp) and op.variable in needed for op in inside):
            return False
        pointers = [value for value in needed if value.type != INDEX]
        roots = [value.owner.pointer if isinstance(value.owner, cloop.OffsetOp) else value for value in pointers]
        # Calls with indices are those inside of loops.
        has_indices = len(pointers) < len(needed)
        return all(map(_is_buffer, roots)) and len(set(roots)) == len(roots) and has_indices == self.in_loop


def _runs(op: Operation, wanted: int, closed: frozenset[Block] = frozenset()) -> Iterator[Run]:
    """Runs inside of an operation that have at least half of the statements that are wanted: from one loop or branch, or the
    test of one, to another. Loops that threads share hold each other and nothing else: these bodies are `closed`."""
    if isinstance(op, cloop.ForOp):
        closed |= set(op.shared_blocks[:-1])
    for region in op.regions:
        body = list(region.block.ops)
        before = [0, *accumulate(map(_size, body))]
        ends = [number + 1 for number, each in enumerate(body) if each.regions and region.block not in closed]
        for first in (number for number, each in enumerate(body) if each.regions or isinstance(each, cloop.TestOp)):
            for end in ends:
                if (before[end] - before[first]) * 2 >= wanted:
                    yield Run(body[first:end], before[end] - before[first], not isinstance(op, cloop.BlockOp))
        for inner in body:
            if inner.regions and _size(inner) * 2 >= wanted:
                yield from _runs(inner, wanted, closed)


def _move_out(group: Sequence[Operation], function: FuncOp) -> FuncOp:
    """Make a function of statements, in front of theirs, and call it in their place."""
    module = function.parent
    assert module is not None, "functions stand in a module"
    needed = free_values(group)
    pointers, indices = ([value for value in needed if (value.type == INDEX) is each] for each in (False, True))
    name = free_name(module, "block")
    Builder(InsertPoint.before(group[0]), *group).add(cloop.CallOp(name, pointers, indices))
    body = Block(arg_types=[pointer.type for pointer in pointers])
    builder = Builder(body, *group)
    params = function_params(function)
    added = [each for each in map("at{}".format, range(len(params) + len(indices))) if each not in params][: len(indices)]
    inner = [builder.add(cloop.IndexOp(param(each), [])).result for each in added]
    _use(group, [*pointers, *indices], [*body.args, *inner])
    place = body if isinstance(group[0], cloop.BlockOp) else builder.add(cloop.BlockOp()).body.block
    for each in group:
        each.detach()
        place.add_op(each)
    builder.add(ReturnOp())
    made = FuncOp(name, FunctionType.from_lists(body.arg_types, []), Region(body), StringAttr("private"))
    made.attributes |= {
        "sw.params": ArrayAttr([StringAttr(each) for each in (*params, *added)]),
        "sw.inputs": IntegerAttr(len(pointers), i64),
        "sw.types": ArrayAttr([MemRefType(pointed_to(pointer), [DYNAMIC_INDEX]) for pointer in pointers]),
    }
    mark_unit(made)
    Builder(InsertPoint.before(function), *group).add(made)
    count("functions-made", "Number of functions made of blocks")
    return made


def _use(group: Sequence[Operation], values: Sequence[SSAValue], others: Sequence[SSAValue]) -> None:
    """Let statements use others of their values."""
    inside = {op for each in group for op in operations(each)}
    for value, other in zip(values, others, strict=True):
        other.name_hint = value.name_hint
        value.replace_uses_with_if(other, lambda use: use.operation in inside)
