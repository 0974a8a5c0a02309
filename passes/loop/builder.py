"""Loop builder: inserts loops and accesses whose addresses, bounds and conditions are expressions over a frame's numbers.

with writer.loop("parallel", 0, n, hint="i") as i:
    with writer.loop("vector", 0, 16) as lane:
        writer.store(writer.load(x, [i, lane]), y, [lane, i])
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager

from xdsl.dialects.builtin import FloatAttr, IntegerAttr, i64
from xdsl.ir import Attribute, Block, Operation, SSAValue
from xdsl.rewriter import InsertPoint

from ...dialects import loop
from ...ir.index.expressions import Apply, Atom, Dim, Index, IndexLike, dim, index, maximum, of_atom
from ...ir.index.simplify import Ranges
from ...ir.rewrite import Builder, derive_copy
from ...ir.types.shapes import memref_type
from ..analysis.loop_nests import Frame

LINE = 64  # bytes that a prefetch loads


class Writer:
    """Inserts operations of the loop level at an insertion point, derived from source operations."""

    def __init__(self, frame: Frame, builder: Builder):
        self.frame = frame
        self.builder = builder

    @contextmanager
    def loop(self, kind: str, lower: IndexLike, upper: IndexLike, *, step: int = 1, hint: str = "i") -> Iterator[Index]:
        """A loop without carried values; operations are inserted into its body meanwhile. Yields its index."""
        with self.carrying(kind, lower, upper, (), step=step, hint=hint) as (op, values):
            yield dim(self.frame.number(op.induction))
            assert not values, "nothing is carried"

    @contextmanager
    def carrying(
        self,
        kind: str,
        lower: IndexLike,
        upper: IndexLike,
        start: Sequence[SSAValue],
        *,
        step: int = 1,
        hint: str = "k",
    ) -> Iterator[tuple[loop.ForOp, list[SSAValue]]]:
        """A loop with carried values. Yields it with the values in a list, which the body replaces by the next ones."""
        (low, high), at = self.frame.local((lower, upper))
        op = self.builder.add(loop.ForOp(kind, low, high, at=at, carried=start, step=step, hint=hint))
        self.frame.enter(op)
        values = list(op.carried_args)
        with self.builder.at(op.body.block):
            yield op, values
            self.builder.add(loop.YieldOp(*values))

    @contextmanager
    def branch(self, *conditions: Index) -> Iterator[loop.IfOp]:
        """A branch taken if all conditions are non-negative; `otherwise` inserts into the other one."""
        exprs, at = self.frame.local(conditions)
        op = self.builder.add(loop.IfOp(exprs, at))
        with self.builder.at(op.body.block):
            yield op

    @contextmanager
    def either(self, *conditions: Index) -> Iterator[tuple[Block, Block]]:
        """A condition with both branches, whose blocks the caller fills by `inside`."""
        exprs, at = self.frame.local(conditions)
        op = self.builder.add(loop.IfOp(exprs, at, Block(), Block()))
        yield op.branches[0], op.branches[1]

    @contextmanager
    def inside(self, where: InsertPoint | Block) -> Iterator[None]:
        with self.builder.at(where):
            yield

    def load(
        self,
        buffer: SSAValue,
        exprs: Sequence[IndexLike],
        guards: Sequence[Index] = (),
        fill: FloatAttr | IntegerAttr | None = None,
    ) -> SSAValue:
        local, at = self.frame.local((*exprs, *guards))
        places, conditions = local[: len(exprs)], local[len(exprs) :]
        return self.builder.add(loop.LoadOp(buffer, places, at, conditions, fill if guards else None)).result

    def store(self, value: SSAValue, buffer: SSAValue, exprs: Sequence[IndexLike], guards: Sequence[Index] = ()) -> None:
        local, at = self.frame.local((*exprs, *guards))
        self.builder.add(loop.StoreOp(value, buffer, local[: len(exprs)], at, local[len(exprs) :]))

    def prefetch(self, buffer: SSAValue, exprs: Sequence[IndexLike], locality: int | None = None) -> None:
        local, at = self.frame.local(exprs)
        kept = None if locality is None else IntegerAttr(locality, i64)
        self.builder.add(loop.PrefetchOp(buffer, local, at, kept))

    def misalignment(self, buffer: SSAValue, boundary: int) -> Index:
        """The number of elements between the previous multiple of `boundary` bytes and the first element of a buffer."""
        return self.frame.index(self.builder.add(loop.MisalignmentOp(buffer, boundary)).result)

    def index(self, expr: Index) -> Index:
        """An expression computed once, as an index value."""
        (local,), at = self.frame.local((expr,))
        return self.frame.index(self.builder.add(loop.IndexOp(local, at)).result)

    def test(self, conditions: Sequence[Index]) -> SSAValue:
        """Test whether all conditions are non-negative."""
        exprs, at = self.frame.local(conditions)
        return self.builder.add(loop.TestOp(exprs, at)).result

    def compute(self, function: str, *operands: SSAValue) -> SSAValue:
        return self.builder.add(loop.ComputeOp(function, *operands)).result

    def cast(self, value: SSAValue, element: Attribute) -> SSAValue:
        return value if value.type == element else self.builder.add(loop.CastOp(value, element)).result

    def constant(self, value: FloatAttr | IntegerAttr) -> SSAValue:
        return self.builder.add(loop.ConstantOp(value)).result

    def allocate(self, shape: Sequence[IndexLike], element: Attribute, space: str | None, hint: str) -> SSAValue:
        """A buffer of these sizes, or of the largest if they differ between iterations. The extent of windows is negative if
        there are no windows: allocate nothing then.
        """
        anywhere = Ranges()
        sizes = [size if anywhere.nonnegative(size) else maximum(size, 0) for size in map(self.largest, map(index, shape))]
        result = self.builder.add(loop.AllocOp(memref_type(sizes, element), space)).result
        result.name_hint = hint
        return result

    def largest(self, size: Index) -> Index:
        """A bound of a size over all iterations of the loops that it depends on."""
        dims = size.dims()
        if not dims:
            return size
        ranges = self.frame.ranges(dims)
        largest = ranges.bound(size, upper=True)
        return self._bound_of_factors(size, ranges) if largest is None else largest

    def _bound_of_factors(self, size: Index, ranges: Ranges) -> Index:
        """A bound of a sum of products of extents, from the bounds of its factors, for extents that are not provably
        non-negative. Inside of a running loop all of them are. Negative terms are dropped: bounding them from above is
        invalid."""
        added = Index(term for term in size.terms if term[1] > 0)
        taken = [Index({monomial: 1}) for monomial, factor in size.terms if factor < 0]
        assert all(map(ranges.nonnegative, taken)), f"no bound is known of the size {size}"

        def bounded(atom: Apply) -> Index:
            bound = ranges.bound(of_atom(atom), upper=True) if of_atom(atom).dims() else None
            return of_atom(atom) if bound is None else bound

        largest = ranges.bound(added.with_applications(bounded), upper=True)
        assert largest is not None, f"no bound is known of the size {size}"
        return largest

    def copy(
        self,
        op: Operation,
        values: dict[SSAValue, SSAValue],
        places: Mapping[Atom, IndexLike],
        guards: Sequence[Index] = (),
    ) -> Operation:
        """A copy of a statement or loop with other values and loop indices, optionally under further guards.

        `values` gains the copy's results. Raises AssertionError for a load under guards of an operation with loops.
        """
        new = op.clone(value_mapper=values)
        for old, result in zip(op.results, new.results, strict=True):
            values[old] = result
        derive_copy(new, op)
        self.builder.add(new)
        for inner in new.walk():
            if isinstance(inner, loop.ForOp):
                self.frame.enter(inner)
            if isinstance(inner, loop.IndexedOp):
                self.frame.adapt(inner, places, guards)
        return new


def over(values: Sequence[SSAValue], frame: Frame, replacements: Sequence[IndexLike]) -> dict[Atom, IndexLike]:
    """Substitutions of expressions for values, as `Writer.copy` takes them."""
    return {Dim(frame.number(value)): index(each) for value, each in zip(values, replacements, strict=True)}


def put_under(op: loop.ForOp, conditions: Sequence[Index], frame: Frame) -> None:
    """Put a loop under conditions, with a copy of it in the other branch."""
    writer = Writer(frame, Builder(InsertPoint.before(op), op))
    with writer.either(*conditions) as (chosen, other):
        with writer.inside(other):
            writer.copy(op, {}, {})
        op.detach()
        chosen.add_op(op)
