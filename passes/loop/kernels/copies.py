"""Copies of blocks: for ranges of sizes, each under conditions on the sizes, and for the parts of a long loop."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.ir import Block, Operation, SSAValue
from xdsl.rewriter import InsertPoint

from ....dialects import loop
from ....ir.index.expressions import Atom, Dim, Index, IndexLike, ceildiv, dim, index, maximum, minimum
from ....ir.nesting import operations
from ....ir.rewrite import Builder, derive, derive_copy, erase
from ...analysis.loop_nests import Frame
from .patterns import guarded


def copy_block(block: loop.BlockOp) -> loop.BlockOp:
    """A copy before the block, with copies of the temporaries that only this block uses."""
    values: dict[SSAValue, SSAValue] = {}
    for alloc in _own_temporaries(block):
        values[alloc.result] = Builder(InsertPoint.before(block), alloc).add(loop.AllocOp(alloc.result.type)).result
        values[alloc.result].name_hint = alloc.result.name_hint
    copy = block.clone(values)
    derive_copy(copy, block)
    Builder(InsertPoint.before(block)).add(copy)
    return copy


def _own_temporaries(block: loop.BlockOp) -> list[loop.AllocOp]:
    used = {value.owner: None for op in operations(block) for value in op.operands if isinstance(value.owner, loop.AllocOp)}
    return [alloc for alloc in used if all(block.is_ancestor(use.operation) for use in alloc.result.uses)]


def put_under(block: loop.BlockOp, conditions: Sequence[Index]) -> None:
    """Put all statements of a block under conditions on sizes, in addition to the conditions that it has."""
    own, ops = guarded(block)
    for op in ops:
        op.detach()
    for op in list(block.body.block.ops):
        erase(op)
    branch = loop.IfOp(_implied_dropped([*own, *conditions]), [], Block(ops))
    derive(branch, (block,))
    block.body.block.add_op(branch)


def _implied_dropped(conditions: Sequence[Index]) -> list[Index]:
    """The conditions that no other one implies: n >= 4 implies n >= 2."""
    unique = list(dict.fromkeys(conditions))
    return [each for each in unique if not any(implies(other, each) for other in unique if other is not each)]


def implies(stronger: Index, weaker: Index) -> bool:
    """Whether one expression is non-negative wherever another one is, as n - 2 is wherever n - 4 is."""
    spare = (weaker - stronger).constant
    return spare is not None and spare >= 0


@dataclass(frozen=True)
class Parts:
    """The parts of a long loop: how many, the number that the iterations of each are a multiple of, and the conditions on sizes
    under which the loop is to be split."""

    count: Index
    step: int
    conditions: list[Index]

    def length(self, total: Index) -> Index:
        """The iterations of a part: a multiple, so that all parts are aligned like the first."""
        return ceildiv(ceildiv(total, self.count), self.step) * self.step


def parts_of(
    rows: Index, length: Index, enough: int, grain: int, most: int, step: int, least: int | None = None
) -> Parts | None:
    """The parts of a loop of `length` iterations inside `rows` parallel iterations, of which `enough` fill the GPU: at most
    `most` parts of at least `grain` iterations, and no more than fill the GPU. Loops are split if there are at most half of
    `enough` rows, since more rows would have one part each, and if the loops have at least `least` iterations, by default those
    of two parts. None if the loop is never split."""
    few, long = enough // 2 - rows, length - (2 * grain if least is None else least)
    if any(each.constant is not None and each.constant < 0 for each in (few, long)):
        return None
    count = minimum(minimum(most, index(enough) // maximum(rows, 1)), ceildiv(length, grain))
    # At least 1: the length of a part is a quotient by the count, and may be computed before the conditions are tested.
    return Parts(maximum(count, 1), step, [each for each in (few, long) if each.constant is None])


def keep_for_others(block: loop.BlockOp, parts: Parts) -> None:
    """Keep a copy of a block for the sizes for which its loop is not to be split."""
    if parts.conditions:
        least = parts.conditions[0] if len(parts.conditions) == 1 else minimum(*parts.conditions)
        put_under(copy_block(block), [-least - 1])


def into_part(level: loop.ForOp, around: loop.ForOp, parts: Parts, frame: Frame) -> tuple[loop.ForOp, Index | None]:
    """Put a loop over parts around a nest, and make `level`, a loop in the nest, run through one part. Returns the loop over
    parts, and an expression that is negative after the end of the loop, if the last part exceeds it."""
    part = loop.ForOp("parallel", 0, parts.count, hint="part")
    derive(part, (level,))
    body = around.parent
    assert body is not None, "a loop stands in a body"
    body.insert_op_before(part, around)
    around.detach()
    part.body.block.add_op(around)
    part.body.block.add_op(loop.YieldOp())
    frame.tree(part)
    lower, upper = level.lower, level.upper
    size = parts.length(upper - lower)
    number = frame.number(level.induction)
    at = lower + frame.index(part.induction) * size + dim(number)
    within = None if size * parts.count == upper - lower else upper - 1 - at
    places: dict[Atom, IndexLike] = {Dim(number): at}
    for op in list(operations(level)):
        if isinstance(op, loop.IndexedOp) and op is not level:
            frame.adapt(op, places, [] if within is None or isinstance(op, loop.ForOp) else [within])
    frame.write(level, (Index({}), size))
    return part, within


def erase_after(level: loop.ForOp) -> None:
    """Erase the statements after a loop, up to the end of the body."""
    body = level.parent
    assert body is not None, "a statement stands in a body"
    following: list[Operation] = []
    for op in reversed(list(body.ops)):
        if op is level:
            break
        if not isinstance(op, loop.YieldOp):
            following.append(op)
    for op in following:
        erase(op)
