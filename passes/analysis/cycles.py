"""The cycles of one core: the cycles of operations, and how long an iteration waits for the previous one.

Both the predicted cost of scheduled loops (`execution_cost.py`) and the passes that decide before vectorisation use these
numbers.
"""

from __future__ import annotations

from collections.abc import Sequence
from types import MappingProxyType

from xdsl.ir import Block, SSAValue

from ...dialects import loop
from ...ir.scalars.table import scalar
from ...ir.types.dtypes import dtype_of
from ...ir.types.shapes import IndexMap

# Cycles of a unit for one register: two units each for arithmetic and loads, one for stores.
ARITHMETIC, LOAD, STORE = 0.5, 0.5, 1.0
# A cast, in additions.
CAST = 2
# A lane of a gather, or of a scatter.
LANE = 0.7
# Cycles from the operands to the result of a scalar operation on floats, and on integers.
_LATENCY = MappingProxyType({"float": 4.0, "int": 1.0, "uint": 1.0, "bool": 1.0})
# The counter and the branch of an iteration.
ITERATION = 1.0
# A quotient by a run-time number of 64 bits; and entering a loop, which computes bounds and ends with a partial vector.
DIVISION, ENTRY = 7.0, 50.0
# A quotient by a constant, which vectors compute as a product.
CONSTANT_QUOTIENT = 2.0
# An element that is loaded, added to and stored again.
_UPDATE = 8.0


def is_register(buffer: SSAValue) -> bool:
    """Whether a buffer is in registers."""
    return isinstance(buffer.owner, loop.AllocOp) and buffer.owner.space is not None and buffer.owner.space.data == "register"


def chain(op: loop.ForOp) -> float:
    """The cycles by which an iteration waits for the previous one: from the carried values to the yielded values, or through an
    element of memory that each iteration updates."""
    return _chain_through(op.body.block, op.induction, op.carried_args)


def _chain_through(body: Block, induction: SSAValue, carried: Sequence[SSAValue]) -> float:
    """The cycles of the longest chain of a body that begins at a carried value or an element that all iterations update."""
    ready: dict[SSAValue, float] = dict.fromkeys(carried, 0.0)
    updated: dict[tuple[SSAValue, IndexMap], float] = {}
    longest = 0.0
    for each in body.ops:
        starts = [ready[value] for value in each.operands if value in ready]
        match each:
            case loop.LoadOp() if induction not in each.operands_at and is_register(each.buffer):
                ready[each.result] = 0.0
            case loop.StoreOp() if induction not in each.operands_at and starts and is_register(each.buffer):
                longest = max(longest, *starts)
            case loop.UpdateOp() if induction not in each.operands_at:
                key = each.buffer, each.index_map
                updated[key] = updated.get(key, 0.0) + _UPDATE
            case loop.ForOp() if starts:
                steps = each.trips if each.trips is not None else 1
                ready.update(dict.fromkeys(each.results, max(starts) + steps * chain(each)))
            case loop.ForOp() if each.kind.data == "vector":
                longest = max(longest, _chain_through(each.body.block, induction, ()))
            case loop.ComputeOp() | loop.CastOp() if starts:
                latency = _LATENCY[dtype_of(each.results[0].type).kind]
                cost = scalar(each.function.data).cost if isinstance(each, loop.ComputeOp) else 1
                ready[each.results[0]] = max(starts) + latency * max(1.0, cost / 2)
            case loop.YieldOp() if carried and starts:
                longest = max(longest, *starts)
            case _:
                pass
    return max([longest, *updated.values()])
