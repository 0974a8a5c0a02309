"""What a backward pass keeps of the forward pass, and what it computes again: the stated cost model, in prices of elements.

Elementwise values of at most `RECOMPUTE` additions an element are computed where they are read, and so are index maps; dearer
ones that several read are kept, and so are sums, products and scans. Where forward and backward become loops of one function,
`loop-inline` goes by that. The steps of `uop.iterate` are functions apart from each other: what is kept from the one for the
other has to be said when the gradient is written.
"""

from __future__ import annotations

from collections.abc import Iterable

from xdsl.ir import Operation, SSAValue

from ...dialects import autodiff, uop
from ...ir.nesting import operations
from ...ir.scalars.table import scalar

# The additions that each further reader of an element may repeat.
RECOMPUTE = 4


def dear_values(statements: Iterable[Operation], varying: Iterable[SSAValue]) -> set[SSAValue]:
    """The values of a step that are kept where its gradient reads them; `varying` are the arguments that differ between steps.

    The price of a value includes that of what is computed again with it. What is the same in all steps is not worth keeping for
    each of them.
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
    """What an operation and those inside of it read."""
    return {operand for inner in operations(op) for operand in inner.operands}


def _price(op: Operation) -> int | None:
    """The additions that an element costs; None for what is no function of single elements."""
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
