"""loop-share: blocks that are the same but for their buffers and sizes become calls of one function.

    block: h[i, j] = sum over k < s1 of x[i, k] * w[k, j]           func @shared_0(%a, %b, %c)
    block: y[i, j] = sum over k < s2 of h[i, k] * v[k, j]     ->      block: c[i, j] = sum over k < n1 of a[i, k] * b[k, j]
                                                                    call @shared_0 sizes (s0, s1, s2) with (%x, %w) into (%h)
                                                                    call @shared_0 sizes (s0, s2, s3) with (%h, %v) into (%y)

What is made of a block later, and its C, is many times as long as it is here. So a network costs what its different layers do.

1. Blocks are the same when their operations are, one by one, with each buffer, parameter and loop index in the same places.
2. The first one's operations become the function's, and come from all of the blocks.
3. Blocks of less than `statements` operations stay: a call takes longer than they may. So do those that check something, since
   a check that fails names its line, and those in steps of scans, of which what is the same in all steps is done once
   (`loop-hoist-steps`). Blocks whose sizes had other hints (`sw.hints`) are scheduled in other ways.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from xdsl.context import Context
from xdsl.dialects.builtin import ArrayAttr, FunctionType, IntegerAttr, MemRefType, ModuleOp, StringAttr, i64
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import Block, Operation, Region, SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint

from ..dialects import loop
from ..ir.functions import free_name, lowered_functions, mark_unit, note_temporaries
from ..ir.index import Atom, IndexLike, Param, param
from ..ir.nesting import free_values, operations
from ..ir.rewrite import Builder, count, derive, erase
from ..ir.substitution import copy_with, params_in, substituted
from ..ir.versions import hints_of, set_hints
from .nests import runs_in_steps
from .options import limited


@dataclass(frozen=True)
class LoopShare(ModulePass):
    """`statements` is the least number of operations in a block that is worth a call."""

    name = "loop-share"

    statements: int = limited(12, least=1)

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        alike: defaultdict[object, list[Shape]] = defaultdict(list)
        for shape in self._candidates(op):
            alike[shape.outline].append(shape)
        first = op.body.block.first_op
        for shapes in [each for each in alike.values() if len(each) > 1]:
            same: defaultdict[object, list[Shape]] = defaultdict(list)
            for shape in shapes:
                same[shape.key].append(shape)
            for each in same.values():
                if len(each) > 1 and first is not None:
                    _share(each, op.body.block, first)

    def _candidates(self, module: ModuleOp) -> Iterator[Shape]:
        """The blocks that may become calls."""
        for function in [each for each in lowered_functions(module) if not runs_in_steps(each)]:
            for block in [op for op in function.body.block.ops if isinstance(op, loop.BlockOp)]:
                inside = operations(block)
                if len(inside) <= self.statements or any(isinstance(op, loop.CheckOp) for op in inside):
                    continue
                shape = Shape(function, block, inside)
                if all(isinstance(each.type, MemRefType) for each in shape.buffers):
                    yield shape


class Shape:
    """What a block is but for its buffers and sizes. Parameters have the names n0, n1 and so on, in the order in which they are
    met."""

    def __init__(self, function: FuncOp, block: loop.BlockOp, inside: Sequence[Operation]):
        self.function, self.block, self.inside = function, block, inside
        self.buffers = free_values([block])
        written = {op.buffer for op in inside if isinstance(op, loop.StoreOp | loop.UpdateOp)}
        self.reads = [each for each in self.buffers if each not in written]
        self.writes = [each for each in self.buffers if each in written]

    @cached_property
    def outline(self) -> object:
        """What is the same in blocks that are alike at a glance."""
        return tuple(op.name for op in self.inside)

    @cached_property
    def names(self) -> dict[str, str]:
        """The function's name for each parameter."""
        attributes = [each.type for each in self.buffers]
        for op in self.inside:
            attributes += [*(result.type for result in op.results), *op.properties.values(), *op.attributes.values()]
        found = dict.fromkeys(name for each in attributes for name in params_in(each))
        return {name: f"n{number}" for number, name in enumerate(found)}

    @cached_property
    def places(self) -> dict[Atom, IndexLike]:
        """What stands in the function for each parameter."""
        return {Param(name): param(new) for name, new in self.names.items()}

    @cached_property
    def hints(self) -> dict[str, int]:
        """The function's hints."""
        found = hints_of(self.function)
        return {new: found[name] for name, new in self.names.items() if name in found}

    @cached_property
    def key(self) -> object:
        """The same for blocks that are the same."""
        numbers = {value: number for number, value in enumerate(self.buffers)}
        types = tuple(substituted(each.type, self.places) for each in self.buffers)
        return types, tuple(self.hints.items()), tuple(self._key_of(op, numbers) for op in self.inside)

    def _key_of(self, op: Operation, numbers: dict[SSAValue, int]) -> object:
        operands = tuple(numbers[each] for each in op.operands)
        made = [*op.results, *(arg for region in op.regions for arg in region.block.args)]
        for value in made:
            numbers[value] = len(numbers)
        said = {**op.properties, **op.attributes}
        properties = tuple((name, substituted(said[name], self.places)) for name in sorted(said))
        bodies = tuple(len(region.block.ops) for region in op.regions)
        return op.name, operands, tuple(substituted(value.type, self.places) for value in made), properties, bodies


def _share(shapes: Sequence[Shape], module: Block, first: Operation) -> None:
    """Make a function of blocks that are the same, in front of all that was in the module, and call it in their places."""
    name = free_name(module, "shared")
    Builder(InsertPoint.before(first)).add(_function(name, shapes))
    for each in shapes:
        call = loop.CallOp(name, [param(size) for size in each.names], each.reads, each.writes)
        Builder(InsertPoint.before(each.block), each.block).add(call)
        erase(each.block)
    count("blocks-shared", "Number of blocks that became calls", by=len(shapes))


def _function(name: str, shapes: Sequence[Shape]) -> FuncOp:
    shape = shapes[0]
    buffers = [*shape.reads, *shape.writes]
    body = Block(arg_types=[substituted(each.type, shape.places) for each in buffers])
    values: dict[SSAValue, SSAValue] = dict(zip(buffers, body.args, strict=True))
    for buffer, arg in values.items():
        arg.name_hint = buffer.name_hint
    block = copy_with(shape.block, values, shape.places)
    for new, *sources in zip(operations(block), *(each.inside for each in shapes), strict=True):
        derive(new, sources)
    body.add_op(block)
    body.add_op(ReturnOp())
    function = FuncOp(name, FunctionType.from_lists(body.arg_types, []), Region(body), StringAttr("private"))
    function.attributes |= {
        "sw.params": ArrayAttr(map(StringAttr, shape.names.values())),
        "sw.inputs": IntegerAttr(len(shape.reads), i64),
    }
    set_hints(function, shape.hints)
    note_temporaries(function, [])
    mark_unit(function)
    derive(function, [each.block for each in shapes])
    return function
