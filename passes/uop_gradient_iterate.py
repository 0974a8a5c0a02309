"""The gradient of a function of tensors that is run step after step: the same from the last step, by the function's pullback.

    s[k], y[k] = f(s[k - 1], x[k], w)
    g[k - 1], cotangent of x[k], part of the cotangent of w = pullback of f at (s[k - 1], x[k], w), of (g[k], cotangent of y[k])

where g[k] is the cotangent of s[k]. It starts from the cotangent of the last s, and ends with that of the first. What f is made
of is computed again from what was carried to each step, which is kept: memory for the carries of all steps, and one more
evaluation of f for each.

The parts of the cotangent of w, which is the same for all steps, are added up. Where each is a sum already, as that of a weight
is over the rows of a product, its factors are kept instead, and all is one sum behind the last step (`uop_late_sums.py`).
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.ir import Block, SSAValue

from ..dialects import uop
from ..dialects.uop_iterate import entry_type
from ..ir.shapes import element_of, shape_of
from .uop_bodies import carried_before, copy_body
from .uop_gradient_base import Cotangents, gradients_of_all
from .uop_late_sums import late_sum
from .uop_pullback import active_values, is_float, pull_back
from .uop_writer import Emit


@gradients_of_all.register
def _(op: uop.IterateOp, cotangents: Cotangents, wanted: Sequence[bool], emit: Emit) -> Cotangents:
    return _Backward(op, cotangents, wanted, emit).cotangents()


class _Backward:
    """The backward pass of one operation. Carries, stacked and shared values are told by their numbers among the operands."""

    def __init__(self, op: uop.IterateOp, cotangents: Cotangents, wanted: Sequence[bool], emit: Emit):
        self.op, self.emit = op, emit
        count = len(op.init)
        self.given = cotangents
        self.wanted = [k for k, each in enumerate(op.operands) if wanted[k] and is_float(each)]
        self.carried = self._active_carries()
        self.arrived = [k for k, each in enumerate(cotangents) if k >= count and each is not None]
        last = count + len(op.stacked)
        self.stacked = [k for k in self.wanted if count <= k < last]
        self.shared = [k for k in self.wanted if k >= last]

    def cotangents(self) -> Cotangents:
        op, emit = self.op, self.emit
        before = _before(op, emit)
        stacked = [*(self._arrived_at(k) for k in self.arrived), *before, *op.stacked]
        start = [self._arrived_at(k) for k in self.carried]
        body = Block(arg_types=[*(each.type for each in start), *map(entry_type, stacked), *(each.type for each in op.shared)])
        with emit.builder.at(body):
            found = self._pulled(body)
            late = {k: sum_ for k in self.shared if (sum_ := late_sum(found[k], body, len(start) + len(stacked))) is not None}
            summed = [k for k in self.shared if k not in late]
            totals = [body.insert_arg(op.operands[k].type, len(start) + n) for n, k in enumerate(summed)]
            added = [emit.map("add", total, found[k]) for total, k in zip(totals, summed, strict=True)]
            carried = [*(found[k] for k in self.carried), *added]
            of_all_steps: dict[SSAValue, SSAValue] = dict(zip(body.args[len(carried) :], stacked, strict=False))
            roots = {root: None for each in late.values() for root in each.roots if root not in of_all_steps}
            came = body.args[: len(carried)]
            emit.builder.add(uop.YieldOp(*carried, *(found[k] for k in self.stacked), *came, *roots))
        start += [self._zeros(op.operands[k]) for k in summed]
        results = emit.iterate(start, stacked, op.shared, op.length, body, not op.backwards)
        by_operand = dict(zip([*self.carried, *summed, *self.stacked], results, strict=False))
        of_all_steps.update(zip(roots, results[len(results) - len(roots) :], strict=True))
        by_operand |= {k: each.write(of_all_steps, op.length, emit) for k, each in late.items()}
        return [by_operand.get(k) for k in range(len(op.operands))]

    def _pulled(self, body: Block) -> dict[int, SSAValue]:
        """Write the pullback of one step. Gives the cotangents of what the step reads."""
        first = len(self.carried)
        inner = body.args[first + len(self.arrived) :]
        values = copy_body(self.op, inner, self.emit)
        outputs = [values[self.op.yielded[k]] for k in (*self.carried, *self.arrived)]
        wanted = [*self.carried, *self.shared, *self.stacked]
        found = pull_back(outputs, body.args[: first + len(self.arrived)], [inner[k] for k in wanted], self.emit)
        return dict(zip(wanted, found, strict=True))

    def _active_carries(self) -> list[int]:
        """The carries that depend on what is wanted, be it by way of others in earlier steps."""
        op = self.op
        carries = [k for k, each in enumerate(op.init) if is_float(each)]
        found = {op.body.block.args[k] for k in self.wanted}
        while True:
            active = active_values(op.statements, found)
            further = {op.body.block.args[k] for k in carries if op.yielded[k] in active} - found
            if not further:
                return [k for k in carries if op.body.block.args[k] in found]
            found |= further

    def _arrived_at(self, result: int) -> SSAValue:
        return self.given[result] or self._zeros(self.op.results[result])

    def _zeros(self, like: SSAValue) -> SSAValue:
        return self.emit.full(shape_of(like), 0, element_of(like))


def _before(op: uop.IterateOp, emit: Emit) -> list[SSAValue]:
    """What is carried to each step."""
    return carried_before(op, emit, lambda body: emit.iterate(op.init, op.stacked, op.shared, op.length, body, op.backwards))
