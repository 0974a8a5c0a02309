"""Recognition of reductions in loops: accumulations (`reductions.py`), extrema with their positions, and sums of products.

Recognition is structural, and looks through casts between floating-point types: half precision is computed in float32.
"""

from __future__ import annotations

from dataclasses import dataclass
from types import MappingProxyType

from xdsl.ir import Operation, SSAValue

from ...dialects import loop
from .reductions import Accumulation, accumulation, uncast


@dataclass(frozen=True)
class Extremum:
    """Two carried scalars, the first extremum and its position. `order` is "gt" or "lt"; `uses` is how often the comparison and
    the selection read the carried extremum."""

    position: int
    order: str
    uses: int


Fold = Accumulation | Extremum
# The order of a search, by a comparison that is true where the best element so far is kept.
_ORDERS = MappingProxyType({"le": "gt", "ge": "lt"})


def folds(level: loop.ForOp) -> list[Fold] | None:
    """The reduction of each carried scalar of a loop, if nothing else in the loop reads the scalars; None if one is not
    recognised."""
    found: list[Fold] = []
    position = 0
    while position < len(level.carried_args):
        pair = extremum(level, position)
        single = accumulation(level, position)
        if pair is not None:
            found.append(pair)
            position += 2
        elif single is not None and _uses(level.carried_args[position]) == 1:
            found.append(single)
            position += 1
        else:
            return None
    return found


def summed_product(level: loop.ForOp) -> loop.ComputeOp | None:
    """The multiplication whose results a loop adds to its only carried scalar, if nothing else reads the scalar; otherwise
    None."""
    found = accumulation(level, 0) if len(level.carried_args) == 1 and _uses(level.carried_args[0]) == 1 else None
    if found is None or found.function != "add":
        return None
    product = uncast(found.value).owner
    return product if isinstance(product, loop.ComputeOp) and product.function.data == "mul" else None


def extremum(level: loop.ForOp, position: int) -> Extremum | None:
    """The carried pair at `position`, when it is `better ? (value, here) : (best, at)`."""
    if position + 1 >= len(level.carried_args):
        return None
    best, at = level.carried_args[position : position + 2]
    picks = [value.owner for value in level.yielded[position : position + 2]]
    if not all(isinstance(pick, loop.ComputeOp) and pick.function.data == "select" for pick in picks):
        return None
    first, second = (pick.operands for pick in picks if isinstance(pick, Operation))
    if first[0] is not second[0] or first[2] is not best or second[2] is not at:
        return None
    order = _order(first[0], first[1], best)
    return Extremum(position, *order) if order is not None else None


def _order(better: SSAValue, value: SSAValue, best: SSAValue) -> tuple[str, int] | None:
    """ "gt" or "lt" if `better` is that comparison of `value` and `best`, or the negated opposite comparison, which is also
    true for the first NaN; with the number of operations that read `best`, the selection included. None for any other
    condition."""
    test = better.owner
    if not isinstance(test, loop.ComputeOp):
        return None
    if test.function.data in ("gt", "lt"):
        return (test.function.data, 2) if _compares(test, value, best) else None
    kept = test.inputs[0].owner if test.function.data == "not" else None
    if not isinstance(kept, loop.ComputeOp) or kept.function.data != "or":
        return None
    worse, was = (operand.owner for operand in kept.inputs)
    if not isinstance(worse, loop.ComputeOp) or not isinstance(was, loop.ComputeOp) or was.function.data != "isnan":
        return None
    order = _ORDERS.get(worse.function.data)
    return (order, 3) if order and was.inputs[0] is best and _compares(worse, value, best) else None


def _compares(test: loop.ComputeOp, value: SSAValue, best: SSAValue) -> bool:
    a, b = (uncast(operand) for operand in test.inputs)
    return a is uncast(value) and b is best


def _uses(carried: SSAValue) -> int:
    """The number of uses of a carried scalar, except for its cast to the dtype of the computation."""
    users = [use.operation for use in carried.uses]
    return sum(len(list(user.result.uses)) if isinstance(user, loop.CastOp) else 1 for user in users)
