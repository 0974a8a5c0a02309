"""Gradient of `uop.iterate`: an iteration from the last step to the first by the pullback of the step function.

    s[k], y[k] = f(s[k - 1], x[k], w)
    g[k - 1], cotangent of x[k], part of the cotangent of w = pullback of f at (s[k - 1], x[k], w), of (g[k], cotangent of y[k])

where g[k] is the cotangent of s[k]. It starts from the cotangent of the last s, and ends with that of the first.

1. Write the pullback into the step, after f.
2. Split the pullback off again (`split_steps.py`). Values of f that it reads become further results of the steps, as the
   carries do, if they are expensive by the common prices (`passes/analysis/recomputation.py`); other values are recomputed.
3. Sum the contributions to the cotangent of w, which is the same for all steps. If each is itself a sum, as that of a weight
   over the rows of a product, save its factors instead, and compute one sum after the last step (`deferred_sums.py`).
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.ir import Block, SSAValue
from xdsl.rewriter import InsertPoint

from ....dialects import uop
from ....dialects.uop.folds import entry_type
from ....ir.rewrite import Builder, erase, replace
from ....ir.types.shapes import element_of, shape_of
from ..builder import Emit
from .base import Cotangents, gradients_of_all
from .deferred_sums import late_sum
from .pullback import active_values, is_float, pull_back
from .split_steps import erase_backward, move_backward, parts_of


@gradients_of_all.register
def _(op: uop.IterateOp, cotangents: Cotangents, wanted: Sequence[bool], emit: Emit) -> Cotangents:
    return _Backward(op, cotangents, wanted, emit).cotangents()


class _Backward:
    """The backward pass of one operation. Carries, stacked and shared values are identified by their operand numbers."""

    def __init__(self, op: uop.IterateOp, cotangents: Cotangents, wanted: Sequence[bool], emit: Emit):
        self.op, self.emit = op, emit
        self.operands = list(op.operands)
        self.init, self.over, self.shared_by_all = list(op.init), list(op.stacked), list(op.shared)
        count, last = len(self.init), len(self.init) + len(self.over)
        self.wanted = [k for k, each in enumerate(op.operands) if wanted[k] and is_float(each)]
        self.carried = self._active_carries()
        self.arrived = [k for k, each in enumerate(cotangents) if k >= count and each is not None]
        self.stacked = [k for k in self.wanted if count <= k < last]
        self.shared = [k for k in self.wanted if k >= last]
        # The cotangents of the last carries, and of the values computed in each step.
        self.start, self.given = (
            [cotangents[k] or self._zeros(op.results[k]) for k in results] for results in (self.carried, self.arrived)
        )

    def cotangents(self) -> Cotangents:
        """The cotangents of the operands."""
        body, stacked, found = self._step()
        emit, steps_own = self.emit, len(self.start) + len(stacked)
        with emit.builder.at(body):
            late = {k: sum_ for k in self.shared if (sum_ := late_sum(found[k], body, steps_own)) is not None}
            summed = [k for k in self.shared if k not in late]
            totals = [body.insert_arg(self.operands[k].type, len(self.start) + n) for n, k in enumerate(summed)]
            added = [emit.map("add", total, found[k]) for total, k in zip(totals, summed, strict=True)]
            carried = [*(found[k] for k in self.carried), *added]
            of_all_steps: dict[SSAValue, SSAValue] = dict(zip(body.args[len(carried) :], stacked, strict=False))
            roots = {root: None for each in late.values() for root in each.roots if root not in of_all_steps}
            came = body.args[: len(carried)]
            emit.builder.add(uop.YieldOp(*carried, *(found[k] for k in self.stacked), *came, *roots))
        start = [*map(emit.current, self.start), *(self._zeros(self.operands[k]) for k in summed)]
        results = emit.iterate(start, stacked, self.shared_by_all, self.op.length, body, not self.op.backwards)
        by_operand = dict(zip([*self.carried, *summed, *self.stacked], results, strict=False))
        of_all_steps.update(zip(roots, results[len(results) - len(roots) :], strict=True))
        by_operand |= {k: each.write(of_all_steps, self.op.length, emit) for k, each in late.items()}
        return [by_operand.get(k) for k in range(len(self.operands))]

    def _step(self) -> tuple[Block, list[SSAValue], dict[int, SSAValue]]:
        """The pullback of one step as a block without terminator, its stacked operands, and the cotangents that it computes."""
        step, count = self.op.body.block, len(self.init)
        carries, entries, shared = (step.args[first:last] for first, last in self._ranges())
        came = [step.insert_arg(each.type, len(step.args)) for each in self.start]
        arrived = [step.insert_arg(entry_type(each), len(step.args)) for each in self.given]
        found = self._write_pullback(step, came, arrived)
        parts = parts_of(step, found.values(), step.args[: count + len(entries)])
        order = [*came, *arrived, *entries, *carries, *parts.kept, *shared]
        body = Block(arg_types=[each.type for each in order])
        values: dict[SSAValue, SSAValue] = dict(zip(order, body.args, strict=True))
        with self.emit.builder.at(body):
            move_backward(parts, values, self.emit.builder)
        erase_backward(step, parts)
        for each in reversed((*came, *arrived)):
            step.erase_arg(each)
        kept = self._kept([*carries, *parts.kept])
        # A cotangent may be a result of this operation, which may have been replaced meanwhile.
        stacked = [*map(self.emit.current, self.given), *self.over, *kept]
        return body, stacked, {k: values.get(each, each) for k, each in found.items()}

    def _ranges(self) -> list[tuple[int, int]]:
        """The ranges of the carries, the stacked and the shared values among the operands."""
        count, last = len(self.init), len(self.init) + len(self.over)
        return [(0, count), (count, last), (last, len(self.operands))]

    def _write_pullback(self, step: Block, came: Sequence[SSAValue], arrived: Sequence[SSAValue]) -> dict[int, SSAValue]:
        """Write the pullback into the step. Returns the wanted cotangents of the values that the step reads."""
        outputs = [self.op.yielded[k] for k in (*self.carried, *self.arrived)]
        wanted = [*self.carried, *self.shared, *self.stacked]
        end = step.last_op
        assert end is not None, "a body has a terminator"
        with self.emit.builder.at(InsertPoint.before(end)):
            found = pull_back(outputs, [*came, *arrived], [step.args[k] for k in wanted], self.emit)
        return dict(zip(wanted, found, strict=True))

    def _kept(self, values: Sequence[SSAValue]) -> list[SSAValue]:
        """Values of all steps, stacked: results of the operation, or of a replacement with more results."""
        op, count = self.op, len(self.init)
        yielded = list(op.yielded)
        further = [each for each in dict.fromkeys(values) if each not in yielded[count:]]
        if further:
            step, end = op.body.block, op.body.block.last_op
            assert end is not None, "a body has a terminator"
            Builder(step, end).add(uop.YieldOp(*yielded, *further))
            erase(end)
            op.body.detach_block(step)
            self.op = uop.IterateOp(self.init, self.over, self.shared_by_all, op.length, step, reverse=op.backwards)
            self.emit.moved.update(zip(op.results, self.op.results, strict=False))
            replace(op, [self.op], self.op.results[: len(yielded)])
        known = [*yielded, *further]
        return [self.op.results[known.index(each, count)] for each in values]

    def _active_carries(self) -> list[int]:
        """The carries that depend on the wanted values, possibly through other carries in earlier steps."""
        op = self.op
        carries = [k for k, each in enumerate(op.init) if is_float(each)]
        found = {op.body.block.args[k] for k in self.wanted}
        while True:
            active = active_values(op.statements, found)
            further = {op.body.block.args[k] for k in carries if op.yielded[k] in active} - found
            if not further:
                return [k for k in carries if op.body.block.args[k] in found]
            found |= further

    def _zeros(self, like: SSAValue) -> SSAValue:
        return self.emit.full(shape_of(like), 0, element_of(like))
