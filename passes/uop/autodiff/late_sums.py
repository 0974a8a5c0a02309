"""Sums over steps of what each step sums: one sum over both, behind the last step.

    in each step: part = sum over n of a[n, i] * b[n, j]              in each step: a, b
    part is added to what is carried                         ->       behind: sum over steps k and n of a[k, n, i] * b[k, n, j]

A step that adds to a matrix reads and writes all of it for a few rows; behind the steps it is one product of all rows, for the
memory of a and b for all steps.
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
    """A sum in the body of steps: what moves its elements afterwards, the last first; the sum; what makes the elements that are
    summed, in order; and what these are made of."""

    moves: tuple[uop.ReindexOp, ...]
    sum: uop.ReduceOp
    products: tuple[Operation, ...]
    roots: tuple[SSAValue, ...]

    def write(self, of_all_steps: Mapping[SSAValue, SSAValue], length: Index, emit: Emit) -> SSAValue:
        """The sum over so many steps, given the roots of all of them."""
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
    """How to sum what is computed in each step behind the last one; None where it is no sum of products of smaller tensors. The
    arguments of the body from number `steps_own` on are the same for all steps."""
    moves: list[uop.ReindexOp] = []
    while isinstance(part.owner, uop.ReindexOp) and _keeps_sums(part.owner):
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


def _keeps_sums(op: uop.ReindexOp) -> bool:
    """Whether moving elements is the same before and after they are added up."""
    return not op.indices and (op.fill is None or value_of(op.fill) == 0)


def _products(value: SSAValue) -> Iterator[Operation]:
    """The products that a value is, and how their factors are read."""
    owner = value.owner
    if isinstance(owner, uop.ReindexOp) and not owner.indices:
        yield from (owner, *_products(owner.source))
    elif isinstance(owner, uop.MapOp) and owner.function.data == "mul":
        factors = [op for factor in owner.inputs for op in _products(factor)]
        yield from (owner, *factors) if factors else ()
