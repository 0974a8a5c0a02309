"""uop-grad: expand autodiff requests to micro-ops, gradients in reverse mode.

    %v = autodiff.variable %x                              %y = uop.map "exp"(%x)
    %y = uop.map "exp"(%v)                        ->   %g = uop.map "mul"(%c, %y)
    %g = autodiff.gradient of %y along %c by %v

Expand requests in program order, those in a body before the operation with that body, so that each request meets only
micro-ops, also in gradients of gradients, batched gradients, and gradients of batched functions.
1. Replace `autodiff.gradient` by the operations of the backward pass (`pullback.py`). Its rules, the modules in `RULES` below,
   emit micro-ops, so that later levels know nothing of gradients.
2. Replace `autodiff.vmap` by the operations of the whole batch (`passes/uop/vmap.py`).
3. The other requests remain until all gradients have passed through them. Then replace each by its operand, or by its body.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation, SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint

from ....dialects import autodiff
from ....ir.locations import gradient_of
from ....ir.rewrite import Builder, OpT, replace
from ...manager.options import limited
from ..builder import Emit
from ..vmap import over_batch
from . import bodies as uop_gradient_bodies
from . import functions as uop_gradient_functions
from . import iterate as uop_gradient_iterate
from . import maps as uop_gradient_maps
from . import reductions as uop_gradient_reductions
from . import scans as uop_gradient_scans
from . import scatters as uop_gradient_scatters
from .functions import inline
from .pullback import pull_back

# Importing a rule file registers its rules with `gradients`.
RULES = (
    uop_gradient_bodies,
    uop_gradient_functions,
    uop_gradient_iterate,
    uop_gradient_maps,
    uop_gradient_reductions,
    uop_gradient_scans,
    uop_gradient_scatters,
)


@dataclass(frozen=True)
class UopGrad(ModulePass):
    """Expands the autodiff requests of the module. With `one_hot`, as for GPUs, the gradient of a gather of one element of each
    row selects by index in place of a scatter (`one_hot.py`)."""

    name = "uop-grad"
    illegal: ClassVar[tuple[str, ...]] = ("autodiff",)

    one_hot: int = limited(0, least=0, most=1)

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        expand(op, one_hot=bool(self.one_hot))
        # Requests inside a body come after the operation with that body.
        for each in reversed(list(op.walk())):
            settle(each)


class GradientBuilder(Builder):
    """Inserts operations derived from the first source, tagged as its gradient."""

    def add(self, op: OpT) -> OpT:
        added = super().add(op)
        added.location = gradient_of(self.sources[0].location)
        return added


def expand(op: Operation, *, one_hot: bool) -> None:
    """Expand the gradients and the mapped functions in the regions of an operation."""
    for each in [inner for region in op.regions for block in region.blocks for inner in block.ops]:
        expand(each, one_hot=one_hot)
        if isinstance(each, autodiff.GradientOp):
            emit = Emit(GradientBuilder(InsertPoint.before(each), each), one_hot=one_hot)
            replace(each, [], pull_back(each.outputs, each.cotangents, each.variables, emit))
        elif isinstance(each, autodiff.VmapOp):
            replace(each, [], over_batch(each))


def settle(op: Operation) -> None:
    """Replace a request by the values that it stands for."""
    match op:
        case autodiff.IdentityRequest():
            results: Sequence[SSAValue] = [op.input]
        case autodiff.CustomOp():
            results = op.primal
        case autodiff.CheckpointOp():
            results = inline(op)
        case _:
            return
    replace(op, [], results)
