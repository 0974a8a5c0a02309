"""Step splitting: divides a step that computes its results and its own gradient into a forward and a backward step.

    forward: a = tanh(x @ w)                                  forward: a = tanh(x @ w), which is saved
    backward: g * (1 - a * a)                        ->       backward: reads the saved a; g * (1 - a * a)

1. The operations that the step's results depend on are forward; the others are backward.
2. Save the forward values that the backward part reads if they are expensive, and recompute them if not.
3. Move the backward part to a block of its own, with copies of the recomputed operations.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from xdsl.ir import Block, Operation, SSAValue

from ....ir.rewrite import Builder, erase
from ...analysis.recomputation import dear_values, operands_of


class Parts(NamedTuple):
    """The forward values to save, the operations that the backward part needs, and the forward operations."""

    kept: list[SSAValue]
    needed: list[Operation]
    forward: set[Operation]


def parts_of(body: Block, wanted: Iterable[SSAValue], varying: Iterable[SSAValue]) -> Parts:
    """Split a body that ends with its forward results, and also computes the `wanted` values of the backward step."""
    *statements, end = body.ops
    forward = _computing(statements, end.operands)
    dear = dear_values([each for each in statements if each in forward], varying)
    kept: list[SSAValue] = []
    needed: list[Operation] = []
    found = set(wanted)
    for each in reversed(statements):
        read = [result for result in each.results if result in found]
        if each in forward and not dear.isdisjoint(read):
            kept += read
        elif read:
            needed.append(each)
            found |= operands_of(each)
    return Parts(kept[::-1], needed[::-1], forward)


def move_backward(parts: Parts, values: dict[SSAValue, SSAValue], builder: Builder) -> None:
    """Move the backward part to the builder's insertion point. `values` maps the values that the part reads to values at that
    point; the values that the part computes are added."""
    asking, moving = builder.sources, Builder(builder.point)
    for each in parts.needed:
        if each in parts.forward:
            with builder.source(each, *asking):
                copied = builder.add(each.clone(values))
            values.update(zip(each.results, copied.results, strict=True))
            continue
        each.detach()
        for inner in each.walk():
            inner.operands = [values.get(operand, operand) for operand in inner.operands]
        with moving.source(each):
            moving.add(each)


def erase_backward(body: Block, parts: Parts) -> None:
    """Erase the remaining operations of the backward part, which have no users."""
    for each in list(body.ops)[-2::-1]:
        if each not in parts.forward:
            erase(each)


def _computing(statements: Sequence[Operation], values: Iterable[SSAValue]) -> set[Operation]:
    """The operations that values depend on."""
    found, ops = set(values), set[Operation]()
    for each in reversed(statements):
        if not found.isdisjoint(each.results):
            ops.add(each)
            found |= operands_of(each)
    return ops
