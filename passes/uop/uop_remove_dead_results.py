"""uop-remove-dead-results: remove unused carries, results and operands of `uop.iterate`.

    %s, %y, %z = uop.iterate (%a, %b) over (%x) with (%w, %c) ...    ->    %s = uop.iterate (%a) over (%x) with (%w) ...

1. If several results are the same value of each step, replace them by one.
2. A carry is live if its last value is used, or if another carry or a live result depends on it; a stacked result is live if it
   is used. Remove the other ones, and the operands that only they read.
3. Move splat constants into the body, where they need no memory.

Every traced scan has the results that a gradient would use, such as the carries of all steps; this pass removes them if no
gradient was requested. `dce` then removes the operations that computed removed operands.
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
        # Removal may make values of other iterations dead, inside the body and outside.
        pending = True
        while pending:
            pending = sum(_trim(each) for each in list(op.walk()) if isinstance(each, uop.IterateOp)) > 0


def _trim(op: uop.IterateOp) -> bool:
    """Remove the dead results of an operation. Returns whether there were any."""
    if not any(result.uses for result in op.results):
        return False
    _merge_equal_results(op)
    changed = _sink_constants(op)
    results = _needed_results(op)
    needed = _needed_values(op, [op.yielded[k] for k in results])
    kept = [k for k, arg in enumerate(op.body.block.args) if (k in results if k < len(op.init) else arg in needed)]
    if len(results) == len(op.results) and len(kept) == len(op.operands):
        return changed
    _without(op, kept, results, needed)
    return True


def _merge_equal_results(op: uop.IterateOp) -> None:
    """Replace results that are computed as the same value by one of them."""
    first: dict[SSAValue, SSAValue] = {}
    for value, result in zip(op.yielded[len(op.init) :], op.results[len(op.init) :], strict=True):
        if first.setdefault(value, result) is not result:
            result.replace_all_uses_with(first[value])


def _needed_results(op: uop.IterateOp) -> list[int]:
    """The live carries and results, used here or in a later step."""
    results = {k for k, result in enumerate(op.results) if result.uses}
    while True:
        needed = _needed_values(op, [op.yielded[k] for k in results])
        carried = {k for k, arg in enumerate(op.carried_args) if arg in needed}
        if carried <= results:
            return sorted(results)
        results |= carried


def _needed_values(op: uop.IterateOp, wanted: Iterable[SSAValue]) -> Set[SSAValue]:
    """The values in the body that some values depend on, including these."""
    found = set(wanted)
    for each in reversed(op.statements):
        if any(result in found for result in each.results):
            found.update(operand for inner in each.walk() for operand in inner.operands)
    return found


def _without(op: uop.IterateOp, kept: Sequence[int], results: Sequence[int], needed: Set[SSAValue]) -> None:
    """Replace an operation by one with a subset of its operands and results."""
    body = op.body.block
    ends = [0, len(op.init), len(op.init) + len(op.stacked), len(op.operands)]
    init, stacked, shared = ([op.operands[k] for k in kept if first <= k < last] for first, last in pairwise(ends))
    yielded = [op.yielded[k] for k in results]
    end = body.last_op
    assert end is not None, "a body has a terminator"
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
    count("iterations-trimmed", "Number of iterations with dead results removed")
    erase(op)


def _sink_constants(op: uop.IterateOp) -> bool:
    """Move splat constants of operands into the body. Returns whether there were any."""
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
