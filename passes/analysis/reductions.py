"""Loops with carried values: how deep the values are passed through, and by which functions they accumulate."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from xdsl.ir import Attribute, Operation, SSAValue

from ...dialects import loop
from ...ir.scalars.table import scalar
from ...ir.types.dtypes import FLOAT32, FLOAT64, dtype_of


def statements(op: loop.ForOp) -> list[Operation]:
    """The operations of a loop's body, without its yield."""
    return [each for each in op.body.block.ops if not isinstance(each, loop.YieldOp)]


def computing(value: SSAValue, nest: loop.ForOp) -> list[Operation]:
    """The operations of a nest that a value is computed by, in order."""
    found: dict[Operation, None] = {}

    def visit(current: SSAValue) -> None:
        owner = current.owner
        if isinstance(owner, Operation) and nest.is_ancestor(owner) and owner not in found:
            for operand in owner.operands:
                visit(operand)
            found[owner] = None

    visit(value)
    return list(found)


# From this cost on, in additions, an iteration is bound by computation rather than by memory: an exponential.
COSTLY = scalar("exp").cost


def cost_of(op: loop.ForOp) -> int:
    """The cost of an iteration of a loop of statements, in additions."""
    return sum(scalar(each.function.data).cost for each in statements(op) if isinstance(each, loop.ComputeOp))


def carrying(outer: loop.ForOp, kinds: Collection[str] = ("reduction", "sequential")) -> list[loop.ForOp]:
    """The perfect nest of loops that pass on the same carried values, from `outer` inwards. Inner loops must be of one of
    `kinds`; `outer` may be of any kind."""
    found = [outer]
    while True:
        inside = statements(found[-1])
        inner = inside[0] if len(inside) == 1 else None
        if not isinstance(inner, loop.ForOp) or not inner.carried or inner.kind.data not in kinds:
            return found
        if tuple(inner.carried) != found[-1].carried_args or found[-1].yielded != tuple(inner.results):
            return found
        if any(use.operation is not inner for arg in found[-1].carried_args for use in arg.uses):
            return found
        found.append(inner)


def accumulations(op: loop.ForOp) -> list[loop.ComputeOp] | None:
    """For each carried value the operation that accumulates onto it, if the value has no other use."""
    found: list[loop.ComputeOp] = []
    for arg, value in zip(op.carried_args, op.yielded, strict=True):
        result = value.owner
        if not isinstance(result, loop.ComputeOp) or scalar(result.function.data).identity is None:
            return None
        if len(list(arg.uses)) != 1 or result.inputs[0] is not arg or len(list(value.uses)) != 1:
            return None
        found.append(result)
    return found


def running(op: loop.ForOp) -> list[loop.ComputeOp] | None:
    """For each carried value the operation that accumulates onto it, if no earlier operation uses the value."""
    found: list[loop.ComputeOp] = []
    for arg, value in zip(op.carried_args, op.yielded, strict=True):
        result = value.owner
        if not isinstance(result, loop.ComputeOp) or result.parent is not op.body.block or used_before(arg, result):
            return None
        if scalar(result.function.data).identity is None or result.inputs[0] is not arg or result.inputs[1] is arg:
            return None
        found.append(result)
    return found


def used_before(value: SSAValue, op: Operation) -> bool:
    """Whether an operation of the same block uses a value, itself or in its regions, before `op` does."""
    block = op.parent_block()
    assert block is not None, "the operation has a parent block"
    users = {block.find_ancestor_op_in_block(use.operation) for use in value.uses}
    return next((each for each in block.ops if each in users), op) is not op


@dataclass(frozen=True)
class Term:
    """The accumulated term of a loop: the function, and the value of each iteration, before its cast to the carried type."""

    function: str
    value: SSAValue
    carried: Attribute
    skipped: tuple[Operation, ...]

    @property
    def element(self) -> Attribute:
        return self.value.type

    @property
    def is_narrow(self) -> bool:
        return self.element != self.carried


def term_of(result: loop.ComputeOp) -> Term:
    """The term of an accumulating operation. A cast from float32 to float64 before a sum is skipped: it may come later."""
    function, value, carried = result.function.data, result.inputs[1], result.result.type
    cast = value.owner
    if function == "add" and isinstance(cast, loop.CastOp) and _widens(cast) and _used_once(value):
        return Term(function, cast.input, carried, (cast, result))
    return Term(function, value, carried, (result,))


def _widens(cast: loop.CastOp) -> bool:
    return dtype_of(cast.input.type) is FLOAT32 and dtype_of(cast.result.type) is FLOAT64


def _used_once(value: SSAValue) -> bool:
    return len(list(value.uses)) == 1
