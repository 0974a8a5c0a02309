"""A step that computes what it does and its own gradient becomes two: the forward step, and the backward step from the end.

    forward: a = tanh(x @ w)                                  forward: a = tanh(x @ w), which is kept
    backward: g * (1 - a * a)                        ->       backward: takes a of the same step; g * (1 - a * a)

1. What the step's results are computed from is forward; the rest is backward.
2. What the backward part reads of the forward one is kept where it is dear, and computed again where it is not.
3. The backward part moves to a block of its own, with copies of what it computes again.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from xdsl.ir import Block, Operation, SSAValue

from ....ir.rewrite import Builder, erase
from ...analysis.recomputation import dear_values, operands_of


class Parts(NamedTuple):
    """What goes where: the forward part's values that are kept, and those of the backward part's operations that it needs."""

    kept: list[SSAValue]
    needed: list[Operation]
    forward: set[Operation]


def parts_of(body: Block, wanted: Iterable[SSAValue], varying: Iterable[SSAValue]) -> Parts:
    """How to split a body that ends with its forward results, and also computes what is `wanted` of the backward step."""
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
    """Move the backward part to where the builder writes; `values` has what stands there for what it reads, and is told what
    stands for what it computes."""
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
    """Erase what is left of the backward part, which nothing needs."""
    for each in list(body.ops)[-2::-1]:
        if each not in parts.forward:
            erase(each)


def _computing(statements: Sequence[Operation], values: Iterable[SSAValue]) -> set[Operation]:
    """The operations that compute some values."""
    found, ops = set(values), set[Operation]()
    for each in reversed(statements):
        if not found.isdisjoint(each.results):
            ops.add(each)
            found |= operands_of(each)
    return ops
