"""Sums of products of two factors, which matrix units compute: recognition by the indices that the factors depend on.

The accesses determine the role of each loop: the parallel loops around the reduction that index both factors (or neither) are
the batch, those that index only the first factor are M, those that index only the second are N. The reduction's own loops are
K. This covers matrix products, einsums of two operands and convolutions alike. A factor is any expression of loads.

Products and sums are exact or rounded to float32. Factors of half precision and floats of 8 bits are multiplied as stored, and
so are factors of int8, whose products are summed in int32.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from xdsl.dialects.builtin import f32, i8, i32
from xdsl.ir import Block, BlockArgument, Operation, SSAValue

from ....dialects import loop
from ....ir.types.dtypes import INT8, DType, dtype_of
from ...analysis.folds import summed_product
from ...analysis.reductions import statements
from .patterns import Nest, is_rectangular, is_straight_line


@dataclass(frozen=True)
class Factor:
    """One factor of the products: its value, the statements that compute it, and the loops whose indices it depends on."""

    value: SSAValue
    statements: tuple[Operation, ...]
    loops: frozenset[loop.ForOp]

    @property
    def dtype(self) -> DType:
        return dtype_of(self.value.type)


def factors(reduction: Nest) -> tuple[Factor, Factor] | None:
    """The two factors of a reduction that only sums products, in float32, or in int32 of int8; None for any other reduction."""
    body = reduction.body
    if body.kind.data != "reduction" or not is_straight_line(body) or not all(map(is_rectangular, reduction.loops)):
        return None
    product = summed_product(body)
    if product is None:
        return None
    kind = body.carried_args[0].type
    if kind not in (f32, i32) or product.result.type != kind:
        return None
    if any(isinstance(op, loop.StoreOp | loop.UpdateOp | loop.CheckOp) for op in statements(body)):
        return None
    stored = _as_stored(*product.inputs)
    if kind == i32 and stored[0].type != i8:
        return None
    first, second = map(_factor, stored)
    if first is None or second is None or not all(first.loops & second.loops >= {level} for level in reduction.loops):
        return None
    return first, second


def _as_stored(a: SSAValue, b: SSAValue) -> tuple[SSAValue, SSAValue]:
    """The factors before their casts, if both have the same half-precision type, both are floats of 8 bits, or both are of int8
    and multiplied in int32."""
    before = [value.owner.input if isinstance(value.owner, loop.CastOp) else value for value in (a, b)]
    kinds = [dtype_of(value.type) for value in before]
    narrow = (kinds[0].is_float and kinds[0].bits == 16) or (kinds[0] is INT8 and a.type == i32)
    alike = kinds[0] == kinds[1] if narrow else all(kind.is_stored_only for kind in kinds)
    return (before[0], before[1]) if alike else (a, b)


def _factor(value: SSAValue) -> Factor | None:
    """A factor with the statements that compute it; None unless these are only loads and arithmetic."""
    needed: dict[Operation, None] = {}
    loops: set[loop.ForOp] = set()
    pending = [value]
    while pending:
        current = pending.pop()
        if isinstance(current, BlockArgument):
            level = current.block.parent_op()
            if isinstance(level, loop.ForOp) and current is not level.induction:
                return None
            if isinstance(level, loop.ForOp):
                loops.add(level)
            continue
        op = current.owner
        if isinstance(op, Block) or op in needed:
            continue
        if op.regions:
            return None
        needed[op] = None
        pending += _used(op)
    return Factor(value, tuple(_in_order(needed)), frozenset(loops))


def _used(op: Operation) -> Sequence[SSAValue]:
    """The scalars that an operation depends on, except indices that none of its expressions uses."""
    if not isinstance(op, loop.LoadOp | loop.IndexOp | loop.TestOp):
        return [] if isinstance(op, loop.AllocOp | loop.DataOp) else list(op.operands)
    exprs = [*op.index_map.results, *op.guard_exprs]
    return [value for k, value in enumerate(op.operands_at) if any(k in expr.dims() for expr in exprs)]


def _in_order(ops: dict[Operation, None]) -> Iterator[Operation]:
    blocks = {op.parent for op in ops}
    for block in blocks:
        if block is not None:
            yield from (op for op in block.ops if op in ops)
