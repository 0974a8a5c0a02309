"""loop-outline-similar: blocks that are equal except for their buffers and sizes become calls of one function.

    block: h[i, j] = sum over k < s1 of x[i, k] * w[k, j]           func @shared_0(%a, %b, %c)
    block: y[i, j] = sum over k < s2 of h[i, k] * v[k, j]     ->      block: c[i, j] = sum over k < n1 of a[i, k] * b[k, j]
                                                                    call @shared_0 sizes (s0, s1, s2) with (%x, %w) into (%h)
                                                                    call @shared_0 sizes (s0, s2, s3) with (%h, %v) into (%y)

Later levels and C code are many times as long as blocks on this level, so that a network with repeated layers compiles about as
fast as with one layer of each kind.

1. Blocks are equal if their operations are, one by one, with corresponding buffers, parameters and loop indices.
2. The function gets the first block's operations, with the sources of all of the blocks.
3. Blocks of less than `statements` operations are not outlined: a call costs more. Blocks with checks and steps of scans are
   not outlined either (see `block_functions.py`). Blocks with different hints for their sizes (`sw.hints`) are not equal, since
   they are scheduled differently.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation, SSAValue
from xdsl.passes import ModulePass

from ...dialects import loop
from ...ir.functions.substitution import substituted
from ...ir.rewrite import count
from ..manager.options import limited
from .block_functions import BlockRun, functions_of_blocks, move_to_function


@dataclass(frozen=True)
class LoopOutlineSimilar(ModulePass):
    """`statements` is the least number of operations in a block that is worth a call."""

    name = "loop-outline-similar"

    statements: int = limited(12, least=1)

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        alike: defaultdict[object, list[BlockRun]] = defaultdict(list)
        for run in self._candidates(op):
            alike[tuple(each.name for each in run.inside)].append(run)  # at a glance
        first = op.body.block.first_op
        for runs in [each for each in alike.values() if len(each) > 1]:
            same: defaultdict[object, list[BlockRun]] = defaultdict(list)
            for run in runs:
                same[_key(run)].append(run)
            for each in same.values():
                if len(each) > 1 and first is not None:
                    move_to_function("shared", each, first)
                    count("blocks-shared", "Number of blocks that became calls", by=len(each))

    def _candidates(self, module: ModuleOp) -> Iterator[BlockRun]:
        """The blocks that may be outlined."""
        for function in functions_of_blocks(module):
            for block in [op for op in function.body.block.ops if isinstance(op, loop.BlockOp)]:
                run = BlockRun(function, [block])
                if len(run.inside) > self.statements and run.may_move:
                    yield run


def _key(run: BlockRun) -> object:
    """A key that is the same for equal blocks."""
    buffers = [*run.buffers, *(op.result for op in run.own)]
    numbers = {value: number for number, value in enumerate(buffers)}
    types = tuple(substituted(each.type, run.places) for each in buffers)
    own = tuple(tuple(op.properties.items()) for op in run.own)
    return own, types, tuple(run.hints.items()), tuple(_key_of(op, run, numbers) for op in run.inside)


def _key_of(op: Operation, run: BlockRun, numbers: dict[SSAValue, int]) -> object:
    operands = tuple(numbers[each] for each in op.operands)
    made = [*op.results, *(arg for region in op.regions for arg in region.block.args)]
    for value in made:
        numbers[value] = len(numbers)
    said = {**op.properties, **op.attributes}
    properties = tuple((name, substituted(said[name], run.places)) for name in sorted(said))
    bodies = tuple(len(region.block.ops) for region in op.regions)
    return op.name, operands, tuple(substituted(value.type, run.places) for value in made), properties, bodies
