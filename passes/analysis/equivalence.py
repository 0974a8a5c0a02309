"""Value equivalence: value numbering by operations, operands and access maps, of two loops or of a nest at exchanged indices.

A product of a matrix with its transpose is symmetric in whatever form: `x.T @ x`, distances between all rows of `x`, a
covariance with its centring. With the indices i and j exchanged, it computes the same functions of the same elements.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from xdsl.ir import Operation, SSAValue

from ...dialects import loop
from ...ir.index.expressions import Atom, Dim, Index, IndexLike
from ...ir.scalars.table import scalar
from .contractions import Contraction
from .loop_nests import Frame


class ValueEquivalence:
    """Decides which values of a loop equal which values of another loop, or of the same loop at other indices: `at` maps the
    first loop's indices to expressions in the second loop's indices."""

    def __init__(self, loops: Sequence[loop.ForOp], frame: Frame, at: Mapping[Atom, IndexLike]):
        self.loops, self.frame, self.at = loops, frame, at
        self._known: dict[tuple[SSAValue, SSAValue], bool] = {}

    @staticmethod
    def of_loops(one: loop.ForOp, other: loop.ForOp, frame: Frame) -> ValueEquivalence:
        """The equivalence of two loops over the same range, at the same index."""
        return ValueEquivalence((one, other), frame, {Dim(frame.number(one.induction)): frame.index(other.induction)})

    def are(self, one: SSAValue, other: SSAValue) -> bool:
        found = self._known.get((one, other))
        if found is None:
            is_outside = not isinstance(one.owner, Operation) or not self._is_inside(one.owner)
            found = one is other if is_outside else self._are_equivalent_definitions(one, other)
            self._known[one, other] = found
        return found

    def _are_equivalent_definitions(self, one: SSAValue, other: SSAValue) -> bool:
        match one.owner, other.owner:
            case loop.LoadOp() as a, loop.LoadOp() as b:
                is_same = a.buffer is b.buffer and a.fill == b.fill and self._addresses(a, self.at) == self._addresses(b, {})
                return is_same and not self._looks_up(a) and not self._looks_up(b)
            case loop.ComputeOp() as a, loop.ComputeOp() as b:
                return a.function == b.function and any(self._all(a.inputs, each) for each in _orders(b))
            case loop.CastOp() as a, loop.CastOp() as b:
                return a.result.type == b.result.type and self.are(a.input, b.input)
            case loop.ConstantOp() as a, loop.ConstantOp() as b:
                return a.value == b.value
            case loop.ForOp() as a, loop.ForOp():
                return one is other and self._all((*a.carried, *a.yielded), (*a.carried, *a.yielded))
            case _:
                return False

    def _all(self, one: Sequence[SSAValue], other: Sequence[SSAValue]) -> bool:
        return len(one) == len(other) and all(map(self.are, one, other))

    def _addresses(self, load: loop.LoadOp, at: Mapping[Atom, IndexLike]) -> list[Index]:
        return [expr.substitute(at) for expr in (*self.frame.exprs(load), *self.frame.guards(load))]

    def _looks_up(self, load: loop.LoadOp) -> bool:
        """Whether an index of a load is a value that the loops compute, as in a gather."""
        return any(isinstance(each.owner, Operation) and self._is_inside(each.owner) for each in load.at)

    def _is_inside(self, op: Operation) -> bool:
        return any(each.is_ancestor(op) for each in self.loops)


def _orders(op: loop.ComputeOp) -> list[tuple[SSAValue, ...]]:
    """The orders of a function's operands that give equal values."""
    inputs = tuple(op.inputs)
    return [inputs, inputs[::-1]] if scalar(op.function.data).commutative else [inputs]


def is_symmetric(found: Contraction, frame: Frame) -> bool:
    """Whether a contraction with one axis of rows and one of columns stores the same at (i, j) as at (j, i)."""
    stores = [op for op in found.after if isinstance(op, loop.StoreOp | loop.UpdateOp)]
    if len(found.rows) != 1 or len(found.columns) != 1 or len(stores) != 1 or not isinstance(stores[0], loop.StoreOp):
        return False
    (rows,), (columns,), (store,) = found.rows, found.columns, stores
    if rows.upper != columns.upper or frame.guards(store):
        return False
    i, j = (frame.number(axis.induction) for axis in (rows, columns))
    exchanged: dict[Atom, IndexLike] = {Dim(i): frame.index(columns.induction), Dim(j): frame.index(rows.induction)}
    return ValueEquivalence((found.nest,), frame, exchanged).are(store.value, store.value)
