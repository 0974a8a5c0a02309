"""cloop-outline: outline the blocks of a long function into functions that C compilers compile concurrently.

    func.func @f(%x, %y) {                   func.func private @block_0(%x, %y) { cloop.block { ... } }
      cloop.block { ... %x ... %y ... }      func.func private @block_1(%y) { cloop.block { ... } }
      cloop.block { ... %y ... }        ->   func.func @f(%x, %y) {
    }                                          cloop.call @block_0(%x, %y)
                                               cloop.call @block_1(%y) }

1. Group consecutive blocks, up to `statements` statements. A function of at most that many statements stays whole, and so does
   a unit of several blocks of at most twice that many. A block is outlined only if it uses nothing but parameters and pointers
   to whole buffers from outside.
2. Cut longer functions inside their blocks:

    cloop.for %i ... {                       func.func private @block_0(%x) { %i = cloop.index <() -> (at0)> ... }
      cloop.for %j ... { x[i, j] ... }  ->   cloop.for %i ... {
      cloop.for %k ... { y[i, k] ... }         cloop.call @block_0(%x) [%i]
    }                                          cloop.for %k ... { y[i, k] ... } }

   Consecutive statements in a body are outlined if no later statement uses their values. They may use indices, which become
   further parameters of their function, numbers that few operations recompute, and one pointer into each buffer: two pointers
   into one buffer would not be `restrict`. Nothing is outlined from loops that threads share, nor from any loop if it may fail.

(`passes/trace/outlined_view.py` outlines for display only. `cloop_outline_tiles.py` outlines loops within their unit.)
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import count as naturals
from itertools import islice
from typing import NamedTuple

from xdsl.context import Context
from xdsl.dialects.builtin import DYNAMIC_INDEX, ArrayAttr, FunctionType, IntegerAttr, MemRefType, ModuleOp, StringAttr, i64
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import Block, Operation, Region, SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint
from xdsl.traits import Pure

from ...dialects import cloop
from ...dialects.cloop.base import MayFail, pointed_to
from ...dialects.scalar_ops import INDEX
from ...ir.functions.entry import c_functions, free_name, function_params, is_part, is_unit, mark_unit
from ...ir.index.expressions import param
from ...ir.locations import comment_suffix
from ...ir.nesting import free_values, operations
from ...ir.rewrite import Builder, count, erase
from ..manager.options import limited

# The most operations that an outlined function recomputes for the values that it uses from outside.
AGAIN = 16


@dataclass(frozen=True)
class CloopOutline(ModulePass):
    """Functions of more than `statements` statements are cut: compiling that many takes gcc several times its start-up."""

    name = "cloop-outline"

    statements: int = limited(320, least=1)

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for function in c_functions(op):
            # A unit of several blocks is compiled while the others are lowered.
            is_one_of_many = is_unit(function) and len(list(_blocks(function))) > 1
            if is_part(function) or _length(function) <= self.statements * (2 if is_one_of_many else 1):
                continue
            groups = list(_groups(function.body.block, self.statements))
            made = [_unit_of(group, function) for group in groups] if len(groups) > 1 else []
            for each in (function, *made):
                self._cut(each)

    def _cut(self, function: FuncOp) -> None:
        """Outline pieces of about equal length from the blocks of a function, while it is too long."""
        while (length := _length(function)) > self.statements:
            wanted = length // -(-length // self.statements)
            bodies = [block.body.block for block in _blocks(function)]
            runs = [run for body in bodies for run in _runs(body, wanted) if (length - run.length) * 2 > wanted]
            best = next((run for run in sorted(runs, key=lambda run: abs(run.length - wanted)) if run.can_be_called()), None)
            if best is None:
                return
            _unit_of(best.statements, function)


def _unit_of(group: Sequence[Operation], function: FuncOp) -> FuncOp:
    made = move_out(group, function)
    mark_unit(made)
    return made


def _blocks(function: FuncOp) -> Iterator[cloop.BlockOp]:
    return (op for op in function.body.block.ops if isinstance(op, cloop.BlockOp))


def _length(function: FuncOp) -> int:
    return len(operations(function.body))


def _size(op: Operation) -> int:
    return len(operations(op))


def _groups(body: Block, most: int) -> Iterator[list[cloop.BlockOp]]:
    """The blocks that can be outlined, in groups of consecutive ones up to the limit on statements."""
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
    """Whether a block uses whole buffers only."""
    slices = any(isinstance(op, cloop.SliceOp) for op in operations(block))
    return not slices and all(_is_buffer(value) for value in free_values([block]))


def _is_buffer(value: SSAValue) -> bool:
    made = isinstance(value.owner, Block | cloop.AllocateOp | cloop.SliceOp | cloop.DataOp)
    return made and isinstance(value.type, cloop.PointerType)


class Run(NamedTuple):
    """Consecutive statements of a body: the position of the first statement, and the position after the last one, and the
    number of operations, nested ones included."""

    body: Sequence[Operation]
    first: int
    end: int
    length: int

    @property
    def statements(self) -> Sequence[Operation]:
        return self.body[self.first : self.end]

    def can_be_called(self) -> bool:
        """Whether the values that the statements use from outside can be passed to a function or recomputed there. All
        statements can be moved (`can_move`)."""
        needed = _needed(self.statements)
        if needed is None:
            return False
        roots = [each.owner.pointer if isinstance(each.owner, cloop.OffsetOp) else each for each in needed.pointers]
        return all(map(_is_buffer, roots)) and len(set(roots)) == len(roots)


class _Needed(NamedTuple):
    """The values that statements use from outside: pointers, indices, and the operations, in order, that recompute the other
    values."""

    pointers: list[SSAValue]
    indices: list[SSAValue]
    again: list[Operation]


def _needed(statements: Sequence[Operation]) -> _Needed | None:
    """The values that statements use from outside; None if one cannot be recomputed, or if recomputing takes more than AGAIN
    operations."""
    found = _Needed([], [], [])
    seen: set[SSAValue] = set()
    numbers = naturals()

    def take(value: SSAValue) -> bool:
        if value in seen:
            return True
        seen.add(value)
        if isinstance(value.type, cloop.PointerType):
            found.pointers.append(value)
            return True
        if value.type == INDEX:
            found.indices.append(value)
            return True
        owner = value.owner
        if not isinstance(owner, Operation) or not owner.has_trait(Pure):
            return False
        # Functions of parameters alone, such as strides, are negligible next to a call.
        if owner.operands and next(numbers) == AGAIN:
            return False
        if not all(map(take, owner.operands)):
            return False
        found.again.append(owner)
        return True

    return found if all(map(take, free_values(statements))) else None


def _runs(block: Block, wanted: int, in_loop: bool = False, shared: frozenset[Block] = frozenset()) -> Iterator[Run]:
    """The runs in a body with half to one and a half times the wanted number of operations. A body in `shared` belongs to a
    collapsed loop that threads share, and holds only the next such loop."""
    body = list(block.ops)
    inside = [operations(op) for op in body]
    if block not in shared:
        yield from _runs_of_body(body, inside, wanted, in_loop)
    for op, ops in zip(body, inside, strict=True):
        if len(ops) * 2 < wanted:
            continue
        is_loop = isinstance(op, cloop.ForOp)
        bodies = shared | set(op.shared_blocks[:-1]) if is_loop else shared
        for region in op.regions:
            yield from _runs(region.block, wanted, in_loop or is_loop, bodies)


def _runs_of_body(
    body: Sequence[Operation], inside: Sequence[Sequence[Operation]], wanted: int, in_loop: bool
) -> Iterator[Run]:
    """The runs that begin with a loop, a branch or the test of a branch, and end with a loop or a branch: shorter runs are not
    worth a call. No statement after a run uses its values, and all of its statements can be moved. `inside` has each statement
    with those nested in it."""
    if 2 * sum(map(len, inside)) < wanted:
        return
    last, movable = _last_users(body), [can_move(ops, in_loop) for ops in inside]
    for first, op in enumerate(body):
        if not op.regions and not isinstance(op, cloop.TestOp):
            continue
        furthest, length = first, 0
        for end in range(first, len(body)):
            length += len(inside[end])
            if length * 2 > wanted * 3 or not movable[end]:
                break
            furthest = max(furthest, last[end])
            if length * 2 >= wanted and body[end].regions and furthest <= end:
                yield Run(body, first, end + 1, length)


def can_move(ops: Iterable[Operation], in_loop: bool) -> bool:
    """Whether a statement, given with those nested in it, may stand in another function. A call passes on the parameters of its
    enclosing function, and the outlined function has other ones."""
    kinds = {type(op) for op in ops}
    return not any(issubclass(kind, cloop.SliceOp | cloop.CallOp) or (in_loop and kind.has_trait(MayFail)) for kind in kinds)


def _last_users(body: Sequence[Operation]) -> list[int]:
    """For each statement of a body, the position of the last statement that uses its results, possibly in a region; its own
    position if none does."""
    positions = {op: place for place, op in enumerate(body)}

    def position(user: Operation) -> int:
        while user not in positions:
            parent = user.parent_op()
            assert parent is not None, "values are used in the body that has them, or inside of its statements"
            user = parent
        return positions[user]

    return [
        max((position(use.operation) for result in op.results for use in result.uses), default=place)
        for place, op in enumerate(body)
    ]


def move_out(group: Sequence[Operation], function: FuncOp) -> FuncOp:
    """Outline statements into a function, inserted before the current one, and replace them by a call."""
    module = function.parent
    assert module is not None, "functions have a parent module"
    needed = _needed(group)
    assert needed is not None, "asked before"
    pointers, indices, again = needed
    name = free_name(module, f"{function.sym_name.data}_part{comment_suffix(*(op.location for op in group))}")
    Builder(InsertPoint.before(group[0]), *group).add(cloop.CallOp(name, pointers, indices))
    body = Block(arg_types=[pointer.type for pointer in pointers])
    builder = Builder(body, *group)
    params = function_params(function)
    added = _new_names(len(indices), params)
    given = [builder.add(cloop.IndexOp(param(each), [])).result for each in added]
    values: dict[SSAValue, SSAValue] = dict(zip((*pointers, *indices), (*body.args, *given), strict=True))
    for op in again:
        with builder.source(op):
            builder.add(op.clone(values))
    _replace_inside(group, values)
    place = body if isinstance(group[0], cloop.BlockOp) else builder.add(cloop.BlockOp()).body.block
    for each in group:
        each.detach()
        place.add_op(each)
    for op in reversed(again):
        if not op.results[0].uses:
            erase(op)
    builder.add(ReturnOp())
    made = FuncOp(name, FunctionType.from_lists(body.arg_types, []), Region(body), StringAttr("private"))
    made.attributes |= {
        "sw.params": ArrayAttr([StringAttr(each) for each in (*params, *added)]),
        "sw.inputs": IntegerAttr(len(pointers), i64),
        "sw.types": ArrayAttr([MemRefType(pointed_to(pointer), [DYNAMIC_INDEX]) for pointer in pointers]),
    }
    Builder(InsertPoint.before(function), *group).add(made)
    count("functions-made", "Number of functions outlined from blocks, or from parts of them")
    return made


def _new_names(number: int, taken: Sequence[str]) -> list[str]:
    """`number` unused names of parameters."""
    free = (name for name in map("at{}".format, naturals()) if name not in taken)
    return list(islice(free, number))


def _replace_inside(group: Sequence[Operation], values: Mapping[SSAValue, SSAValue]) -> None:
    """Replace values by others in the operands of statements, keeping the names."""
    for value, other in values.items():
        other.name_hint = value.name_hint
    # Traverse the statements rather than the uses of the values: a long function has many uses elsewhere.
    for op in (op for each in group for op in operations(each)):
        for k, operand in enumerate(op.operands):
            if operand in values:
                op.operands[k] = values[operand]
