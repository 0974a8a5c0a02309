"""uop-remove-dead-results: what is run step after step keeps what somebody uses, and no more.

    %s, %y, %z = uop.iterate (%a, %b) over (%x) with (%w, %c) ...    ->    %s = uop.iterate (%a) over (%x) with (%w) ...

1. Of results that are the same value of each step one is used.
2. A carry is needed where its last value is used, or where another one or a result is computed from it; a stacked result where
   it is used. What computes nothing that is needed goes, and so do the operands that only it read.
3. Constants of one value are made inside, where they need no memory.

What a gradient asks for, as the carries of all steps, is part of every scan that is traced; it goes where no gradient was asked
for. `dce` removes what was computed for operands that are gone.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence, Set
from dataclasses import dataclass
from itertools import pairwise

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation, SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint

from ...dialects import uop
from ...ir.rewrite import Builder, count, erase
from .builder import splat_of


@dataclass(frozen=True)
class UopRemoveDeadResults(ModulePass):
    name = "uop-remove-dead-results"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        # Inside of what is trimmed others may come to be needed less, and around it.
        pending = True
        while pending:
            pending = sum(_trim(each) for each in list(op.walk()) if isinstance(each, uop.IterateOp)) > 0


def _trim(op: uop.IterateOp) -> bool:
    """Put an operation without what nobody needs in the place of one. Whether there was any."""
    if not any(result.uses for result in op.results):
        return False
    _use_one_of_each(op)
    changed = _take_in_constants(op)
    results = _needed_results(op)
    needed = _needed_values(op, [op.yielded[k] for k in results])
    kept = [k for k, arg in enumerate(op.body.block.args) if (k in results if k < len(op.init) else arg in needed)]
    if len(results) == len(op.results) and len(kept) == len(op.operands):
        return changed
    _narrow(op, kept, results, needed)
    return True


def _use_one_of_each(op: uop.IterateOp) -> None:
    """Let results that are computed as the same value be used as one."""
    first: dict[SSAValue, SSAValue] = {}
    for value, result in zip(op.yielded[len(op.init) :], op.results[len(op.init) :], strict=True):
        if first.setdefault(value, result) is not result:
            result.replace_all_uses_with(first[value])


def _needed_results(op: uop.IterateOp) -> list[int]:
    """The carries and computed values that somebody uses, here or in a later step."""
    results = {k for k, result in enumerate(op.results) if result.uses}
    while True:
        needed = _needed_values(op, [op.yielded[k] for k in results])
        carried = {k for k, arg in enumerate(op.carried_args) if arg in needed}
        if carried <= results:
            return sorted(results)
        results |= carried


def _needed_values(op: uop.IterateOp, wanted: Iterable[SSAValue]) -> Set[SSAValue]:
    """The values in the body that some values are computed from, and these."""
    found = set(wanted)
    for each in reversed(op.statements):
        if any(result in found for result in each.results):
            found.update(operand for inner in each.walk() for operand in inner.operands)
    return found


def _narrow(op: uop.IterateOp, kept: Sequence[int], results: Sequence[int], needed: Set[SSAValue]) -> None:
    """Replace an operation by one with some of its operands and results."""
    body = op.body.block
    ends = [0, len(op.init), len(op.init) + len(op.stacked), len(op.operands)]
    init, stacked, shared = ([op.operands[k] for k in kept if first <= k < last] for first, last in pairwise(ends))
    yielded = [op.yielded[k] for k in results]
    end = body.last_op
    assert end is not None, "a body has an end"
    builder = Builder(body, end)
    builder.add(uop.YieldOp(*yielded))
    erase(end)
    for each in reversed(list(body.ops)[:-1]):
        if not any(result in needed for result in each.results):
            erase(each)
    for k in reversed(range(len(op.operands))):
        if k not in kept:
            body.erase_arg(body.args[k])
    op.body.detach_block(body)
    made = uop.IterateOp(init, stacked, shared, op.length, body, reverse=op.backwards)
    new = Builder(InsertPoint.before(op), op).add(made)
    for k, result in zip(results, new.results, strict=True):
        result.name_hint = op.results[k].name_hint
        op.results[k].replace_all_uses_with(result)
    count("iterations-trimmed", "Number of times that something was trimmed")
    erase(op)


def _take_in_constants(op: uop.IterateOp) -> bool:
    """Let the body make constants of one value, where it has read them from operands. Whether there are any."""
    found = False
    builder = Builder(InsertPoint.at_start(op.body.block), op)
    for arg, value in list(zip(op.body.block.args, op.operands, strict=True))[len(op.init) :]:
        splat = splat_of(value)
        if splat is None or not arg.uses or not isinstance(value.owner, Operation):
            continue
        with builder.source(value.owner):
            arg.replace_all_uses_with(builder.add(uop.ConstantOp(splat, arg.type)).result)
        found = True
    return found
