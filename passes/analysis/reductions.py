"""Loops with carried values: the nests that pass the values on, and the functions by which the values accumulate.

`accumulation` is the one recogniser; `accumulations`, `folds.folds` and others put further conditions on its results.
"""

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
    """The operations of a nest that compute a value, in order."""
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


@dataclass(frozen=True)
class Accumulation:
    """A carried scalar that becomes `compute` of itself and `value`, where `value` is in the dtype of the computation."""

    position: int
    carried: SSAValue
    compute: loop.ComputeOp
    value: SSAValue
    next: SSAValue

    @property
    def function(self) -> str:
        return self.compute.function.data

    @property
    def is_plain(self) -> bool:
        """Whether the accumulation computes with the carried scalar itself, without casts before or after."""
        return self.carried in self.compute.inputs and self.compute.result is self.next

    @property
    def is_running(self) -> bool:
        """Whether other operations read the scalar, before or after it becomes the next one, as in a scan."""
        return len(list(self.carried.uses)) + len(list(self.next.uses)) > 2

    @property
    def is_read_before(self) -> bool:
        """Whether an operation uses the scalar before the accumulating operation."""
        return _is_used_before(self.carried, self.compute)


def accumulation(level: loop.ForOp, position: int) -> Accumulation | None:
    """The accumulation of one carried scalar by a function with an identity; None if the scalar is updated in another way.
    There may be casts between floating-point types, since half precision is computed in float32."""
    carried, result = level.carried_args[position], level.yielded[position]
    compute = uncast(result).owner
    if not isinstance(compute, loop.ComputeOp) or compute.parent_op() is not level:
        return None
    function = scalar(compute.function.data)
    if function.identity is None or not function.commutative:
        return None
    sides = [uncast(value) is carried for value in compute.inputs]
    if sides.count(True) != 1:
        return None
    return Accumulation(position, carried, compute, compute.inputs[sides.index(False)], result)


def uncast(value: SSAValue) -> SSAValue:
    """The operand of a chain of casts between floating-point types."""
    while isinstance(value.owner, loop.CastOp) and dtype_of(value.type).is_float:
        if not dtype_of(value.owner.input.type).is_float:
            break
        value = value.owner.input
    return value


def accumulations(op: loop.ForOp) -> list[loop.ComputeOp] | None:
    """For each carried value the operation that accumulates onto it, as its first operand and without casts; None if one of
    the values is updated in another way, or has another use."""
    found = _plain_accumulations(op)
    return [each.compute for each in found] if found is not None and not any(each.is_running for each in found) else None


def running_accumulations(op: loop.ForOp) -> list[loop.ComputeOp] | None:
    """Like `accumulations`, but later operations may use the values, as in a scan; earlier operations may not."""
    found = _plain_accumulations(op)
    return [each.compute for each in found] if found is not None and not any(each.is_read_before for each in found) else None


def _plain_accumulations(op: loop.ForOp) -> list[Accumulation] | None:
    found: list[Accumulation] = []
    for position, carried in enumerate(op.carried_args):
        each = accumulation(op, position)
        if each is None or not each.is_plain or each.compute.inputs[0] is not carried:
            return None
        found.append(each)
    return found


def _is_used_before(value: SSAValue, op: Operation) -> bool:
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
