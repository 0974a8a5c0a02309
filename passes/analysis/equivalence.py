"""Value equivalence of two loops: value numbering by operations, operands and access maps."""

from __future__ import annotations

from xdsl.ir import Block, Operation, SSAValue

from ...dialects import loop
from ...ir.index.expressions import Atom, Dim, Index, IndexLike
from .loop_nests import Frame


class ValueEquivalence:
    """Decides which values of two loops over the same range are equivalent, at the same index."""

    def __init__(self, one: loop.ForOp, other: loop.ForOp, frame: Frame):
        self.frame = frame
        self.at: dict[Atom, IndexLike] = {Dim(frame.number(one.induction)): frame.index(other.induction)}
        self._known: dict[tuple[SSAValue, SSAValue], bool] = {}

    def are(self, one: SSAValue, other: SSAValue) -> bool:
        found = self._known.get((one, other))
        if found is None:
            found = self._known[one, other] = one is other or self._are_equivalent_definitions(one.owner, other.owner)
        return found

    def _are_equivalent_definitions(self, one: Operation | Block, other: Operation | Block) -> bool:
        match one, other:
            case loop.LoadOp(), loop.LoadOp():
                return one.buffer is other.buffer and one.fill == other.fill and self._addresses(one) == self._addresses(other)
            case loop.ComputeOp(), loop.ComputeOp():
                same_function = one.function == other.function and len(one.inputs) == len(other.inputs)
                return same_function and all(self.are(a, b) for a, b in zip(one.inputs, other.inputs, strict=True))
            case loop.CastOp(), loop.CastOp():
                return one.result.type == other.result.type and self.are(one.input, other.input)
            case loop.ConstantOp(), loop.ConstantOp():
                return one.value == other.value
            case _:
                return False

    def _addresses(self, load: loop.LoadOp) -> list[Index]:
        return [expr.substitute(self.at) for expr in (*self.frame.exprs(load), *self.frame.guards(load))]
