"""Late sums: replace the sum over steps of sums in each step by one sum over both, after the last step.

    in each step: part = sum over n of a[n, i] * b[n, j]              in each step: a, b
    part is added to a carry                                 ->       after: sum over steps k and n of a[k, n, i] * b[k, n, j]

A step that adds a product of a few rows to a matrix reads and writes the whole matrix. After the steps there is one product of
all rows, at the cost of memory for a and b of all steps.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from xdsl.ir import Block, Operation, SSAValue

from ....dialects import uop
from ....ir.index.expressions import Index
from ....ir.scalars.attributes import value_of
from ....ir.types.shapes import shape_of
from ..builder import Emit
from ..vmap import Batch, batched


@dataclass(frozen=True)
class LateSum:
    """A sum in the body of steps: the reindexing of its results, last first; the sum; the operations that compute its terms, in
    order; and the roots of these operations."""

    moves: tuple[uop.ReindexOp, ...]
    sum: uop.ReduceOp
    products: tuple[Operation, ...]
    roots: tuple[SSAValue, ...]

    def write(self, of_all_steps: Mapping[SSAValue, SSAValue], length: Index, emit: Emit) -> SSAValue:
        """The sum over `length` steps, given the stacked roots."""
        batch = Batch(length, emit.builder)
        batch.values.update(of_all_steps)
        asking = emit.builder.sources
        for op in self.products:
            with emit.builder.source(op, *asking):
                batch.values.update(zip(op.results, batched(op, batch), strict=True))
        with emit.builder.source(self.sum, *asking):
            total = emit.reduce("add", batch.values[self.sum.input], [0, *(axis + 1 for axis in self.sum.axis_list)])
        for move in reversed(self.moves):
            with emit.builder.source(move, *asking):
                total = emit.builder.add(move.clone({move.source: total})).result
        return total


def late_sum(part: SSAValue, body: Block, steps_own: int) -> LateSum | None:
    """The late sum for a value computed in each step; None if the value is not a sum of products of smaller tensors. The
    arguments of the body from number `steps_own` on are the same for all steps."""
    moves: list[uop.ReindexOp] = []
    while isinstance(part.owner, uop.ReindexOp) and _commutes_with_sums(part.owner):
        moves.append(part.owner)
        part = part.owner.source
    owner = part.owner
    if not isinstance(owner, uop.ReduceOp) or owner.accumulator.data != "add":
        return None
    products = dict.fromkeys(_products(owner.input))
    ordered = tuple(op for op in body.ops if op in products)
    made = {op.results[0] for op in ordered}
    roots = tuple(dict.fromkeys(each for op in ordered for each in op.operands if each not in made))
    rank = len(shape_of(owner.input))
    if not roots or any(root in body.args[steps_own:] or len(shape_of(root)) >= rank for root in roots):
        return None
    return LateSum(tuple(moves), owner, ordered, roots)


def _commutes_with_sums(op: uop.ReindexOp) -> bool:
    """Whether the reindexing commutes with addition."""
    return not op.indices and (op.fill is None or value_of(op.fill) == 0)


def _products(value: SSAValue) -> Iterator[Operation]:
    """The products that a value consists of, and the reads of their factors."""
    owner = value.owner
    if isinstance(owner, uop.ReindexOp) and not owner.indices:
        yield from (owner, *_products(owner.source))
    elif isinstance(owner, uop.MapOp) and owner.function.data == "mul":
        factors = [op for factor in owner.inputs for op in _products(factor)]
        yield from (owner, *factors) if factors else ()
