"""Recomputation in backward passes: decides which forward values to save and which to recompute, by price per element.

Elementwise values of at most `RECOMPUTE` additions per element, and index maps, are recomputed at each reader. More expensive
elementwise values with several readers are saved, and so are sums, products and scans. If forward and backward pass become
loops of one function, `loop-inline` decides by the same bound. The steps of `uop.iterate` are separate functions: the values
saved between steps must be chosen when the gradient is written.
"""

from __future__ import annotations

from collections.abc import Iterable

from xdsl.ir import Operation, SSAValue

from ...dialects import autodiff, uop
from ...ir.nesting import operations
from ...ir.scalars.table import scalar

# The most additions per element that each further reader may repeat.
RECOMPUTE = 4


def dear_values(statements: Iterable[Operation], varying: Iterable[SSAValue]) -> set[SSAValue]:
    """The values of a step to save for its gradient; `varying` are the arguments that differ between steps.

    The price of a value includes that of the values recomputed with it. Values that are the same in all steps are not saved per
    step.
    """
    prices: dict[SSAValue, int] = {}
    dear: set[SSAValue] = set()
    differing = set(varying)
    for each in statements:
        own, is_same = _price(each), differing.isdisjoint(operands_of(each))
        total = sum(prices.get(operand, 0) for operand in set(each.operands)) + (own or 0)
        if not is_same:
            differing.update(each.results)
        if is_same or isinstance(each, uop.ReindexOp) or (own is not None and total <= RECOMPUTE):
            prices.update(dict.fromkeys(each.results, total))
        else:
            dear.update(each.results)
    return dear


def operands_of(op: Operation) -> set[SSAValue]:
    """The values that an operation and its regions read."""
    return {operand for inner in operations(op) for operand in inner.operands}


def _price(op: Operation) -> int | None:
    """The price of an element in additions; None for operations that are not elementwise."""
    match op:
        case uop.MapOp():
            return scalar(op.function.data).cost
        case uop.InterleaveOp():
            return scalar("select").cost
        case uop.ReindexOp():
            return 0 if op.fill is None else scalar("select").cost
        case uop.CastOp() | uop.ConstantOp() | uop.IotaOp() | uop.FenceOp() | autodiff.IdentityRequest():
            return 0
        case _:
            return None
