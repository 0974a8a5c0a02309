"""uop-bound-indices: keep all arithmetic on indices within 64 bits, which is what generated code computes in.

    %1 = uop.reindex %0 <(d0) -> ((d0 * p) mod n)>    ->    the same, and the function requires 2^63 - 1 - n * p >= 0
    %1 = uop.reindex %0 <(d0, d1) -> (d1 * 4)> indexed [%at] fill 0    ->    ... (max(min(d1, 2^59), -2^59) * 4)>

1. Bound the intermediate results of each index, guard and size by those of its terms. Constant bounds are compared here.
2. A bound that depends on parameters becomes a requirement (`sw.requires`), which each call checks in exact integers. A product
   that counts elements of an argument or result needs no check: the elements fit into memory.
3. An element of an index tensor of 64 bits can be any number. Clamp the element where it is multiplied by a constant, or in an
   extremum: beyond the clamp the index is out of bounds either way, or cut off by the extremum. Alone or added to bounded terms
   the element needs no clamp: a sum that wraps around is negative or far beyond any size. Anywhere else the element is an
   error.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp, TensorType
from xdsl.dialects.func import FuncOp
from xdsl.ir import Operation
from xdsl.passes import ModulePass

from ...dialects import uop
from ...dialects.uop.indexed import IndexedOp
from ...ir.diagnostics import CompileError
from ...ir.functions.requirements import Requirement, add_requirements
from ...ir.index.atoms import Apply, Dim, without
from ...ir.index.expressions import Index, dim, index, maximum, minimum, of_atom, product
from ...ir.index.magnitudes import Magnitude, intermediates, size_bound
from ...ir.types.dtypes import dtype_of
from ...ir.types.overflow import FAR, LARGEST, expect_numbers
from ...ir.types.shapes import IndexMap, MapAttr, Shape, element_of, shape_of

# Arrays have fewer than 2^50 elements, since no machine has as much memory: up to 2^10 times as many, in a sum of up to 4
# such terms and a constant, are below 2^63.
_MOST_TIMES, _MOST_TERMS, _MOST_ADDED = 1 << 10, 4, 1 << 62
_ANY = Magnitude.of(LARGEST + 1, LARGEST)


@dataclass(frozen=True)
class UopBoundIndices(ModulePass):
    name = "uop-bound-indices"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for function in op.walk():
            if isinstance(function, FuncOp):
                add_requirements(function, _Function(function).requirements())


class _Function:
    """The bounds of a function's indices."""

    def __init__(self, function: FuncOp):
        self.function = function
        self._checked: dict[object, list[Index]] = {}

    @cached_property
    def counts(self) -> list[Index]:
        """The numbers of elements of arguments and results."""
        types = self.function.function_type
        return list(dict.fromkeys(product(shape_of(each)) for each in (*types.inputs, *types.outputs) if _is_tensor(each)))

    def requirements(self) -> Iterator[Requirement]:
        """Clamp elements of index tensors. Returns the requirements that each call has to check."""
        for op in self.function.walk():
            if isinstance(op, IndexedOp):
                _clamp(op)
            for expr in self._of_op(op):
                yield Requirement.at(expr, op.location, ": indices have 64 bits")

    def _of_op(self, op: Operation) -> list[Index]:
        shapes = [shape_of(result) for result in op.results if _is_tensor(result.type)]
        key = (tuple(shapes), _accesses(op) if isinstance(op, IndexedOp) else None)
        if key not in self._checked:
            self._checked[key] = list(self._of_sizes(op, shapes))
            if isinstance(op, IndexedOp):
                self._checked[key] += self._of_access(op)
        return self._checked[key]

    def _of_sizes(self, op: Operation, shapes: Iterable[Shape]) -> Iterator[Index]:
        for shape in shapes:
            for size in shape:
                yield from self._within(size_bound(size), size_bound(size, exact=True), LARGEST, op, f"size {size}")

    def _of_access(self, op: IndexedOp) -> Iterator[Index]:
        loaded = _magnitudes_of_loads(op)
        loads = [expr for _, access in op.loads() for expr in access.results]
        for expr in (*op.guard_exprs(), *loads):
            yield from self._of_expr(op, expr, loaded)
        for expr in op.map.data.results:
            wide = [position for position in expr.dims() if loaded.get(position) == _ANY]
            yield from self._of_expr(op, _without_plain(expr, wide), loaded)

    def _of_expr(self, op: IndexedOp, expr: Index, loaded: Mapping[int, Magnitude]) -> Iterator[Index]:
        expect_numbers(expr, op.location)
        domain = domain_of(op)

        def parts(exact: bool) -> Iterator[tuple[Index, Magnitude]]:
            def of_dim(position: int) -> Magnitude:
                found = loaded.get(position)
                return found if found is not None else Magnitude.of(0, size_bound(domain[position], exact))

            return intermediates(expr, of_dim, exact)

        for (part, coarse), (_, exact) in zip(parts(False), parts(True), strict=True):
            if part.atom is None:
                yield from self._within(coarse.above, exact.above, LARGEST, op, f"index {part}")
                yield from self._within(coarse.below, exact.below, LARGEST + 1, op, f"index {part}")

    def _within(self, coarse: Index, exact: Index, limit: int, op: Operation, what: str) -> Iterator[Index]:
        """The requirement that a number with these bounds is at most `limit`; none if that is known."""
        if self._fits_memory(coarse) or (exact.constant is not None and exact.constant <= limit):
            return
        if exact.constant is not None:
            raise CompileError(
                f"'{op.name}': {what} is not proven to stay within 64 bits; elements of index tensors of 32 bits are bounded",
                op.location,
            )
        yield limit - exact

    def _fits_memory(self, bound: Index) -> bool:
        """Whether a bound is a small constant, or a small multiple of the number of elements of arrays."""
        counted = [(monomial, factor) for monomial, factor in bound.terms if monomial]
        return (
            bound.offset <= _MOST_ADDED
            and len(counted) <= _MOST_TERMS
            and all(factor <= _MOST_TIMES for _, factor in counted)
            and all(any(self._divides(monomial, count) for count in self.counts) for monomial, _ in counted)
        )

    @staticmethod
    def _divides(monomial: tuple[object, ...], count: Index) -> bool:
        return len(count.terms) == 1 and without(count.terms[0][0], monomial) is not None  # pyright: ignore[reportArgumentType]


def _is_tensor(kind: object) -> bool:
    return isinstance(kind, TensorType)


def domain_of(op: IndexedOp) -> Shape:
    """The shape whose indices are the first dimensions of an access."""
    if isinstance(op, uop.ReindexOp):
        return op.shape
    return shape_of(op.updates if isinstance(op, uop.ScatterOp) else op.operands[op.FIXED_OPERANDS - 1])


def _accesses(op: IndexedOp) -> tuple[object, ...]:
    kinds = tuple(element_of(value) for value, _ in op.loads())
    return (domain_of(op), op.map, op.guards, op.index_maps, kinds)


def _magnitudes_of_loads(op: IndexedOp) -> Mapping[int, Magnitude]:
    """The bounds of elements of index tensors, by dimension."""
    rank = op.map.data.dims - len(op.loads())
    return {rank + k: _of_elements(value) for k, (value, _) in enumerate(op.loads())}


def _of_elements(value: object) -> Magnitude:
    kind = dtype_of(element_of(value))  # pyright: ignore[reportArgumentType]
    if kind.itemsize == 8:
        return _ANY
    bits = 8 * kind.itemsize
    return Magnitude.of(0, (1 << bits) - 1) if kind.kind == "uint" else Magnitude.of(1 << bits - 1, (1 << bits - 1) - 1)


def _without_plain(expr: Index, wide: Iterable[int]) -> Index:
    """The index without its only unbounded element of factor 1 or -1, which needs no clamp: the sum with it may wrap around."""
    terms = dict(expr.terms)
    plain = [position for position in wide if terms.get((Dim(position),)) in (1, -1)]
    return expr - terms[(Dim(plain[0]),)] * dim(plain[0]) if len(plain) == 1 else expr


def _clamp(op: IndexedOp) -> None:
    """Clamp elements of 64 bits where an index or a guard multiplies them by a constant."""
    wide = {position for position, bounds in _magnitudes_of_loads(op).items() if bounds == _ANY}
    if not wide:
        return
    results = [_clamped(expr, wide, 1) for expr in op.map.data.results]
    if results != list(op.map.data.results):
        op.map = MapAttr(IndexMap.of(op.map.data.dims, results))
    if op.guards is not None:
        guards = [_clamped(expr, wide, 0) for expr in op.guard_exprs()]
        op.guards = MapAttr(IndexMap.of(op.map.data.dims, guards))


def _clamped(expr: Index, wide: Iterable[int], plain: int) -> Index:
    """The expression with clamps. Coefficients of magnitude up to `plain` and elements by themselves need no clamp."""
    used = [position for position in wide if position in expr.dims()]
    if len(used) != 1 or expr == dim(used[0]):
        return expr
    element = Dim(used[0])
    factor = expr.coefficient(element)
    if factor is not None and (factor.constant is None or abs(factor.constant) <= plain):
        return expr
    if factor is None and not (_is_piecewise_linear(expr, element) and _overflows(expr, element)):
        return expr
    most = index(FAR // (sum(abs(each) for _, each in expr.terms) if factor is None else abs(factor.constant or 1)))
    return expr.substitute({element: maximum(minimum(of_atom(element), most), -most)})


def _overflows(expr: Index, element: Dim) -> bool:
    """Whether a sum on the way to an index leaves 64 bits for the least or the greatest element, whatever the sizes are."""

    def of_dim(position: int) -> Magnitude:
        return _ANY if position == element.position else Magnitude.of(0, 0)

    sums = intermediates(_without_plain(expr, [element.position]), of_dim)
    return any(bound.below.offset > LARGEST + 1 or bound.above.offset > LARGEST for part, bound in sums if part.atom is None)


def _is_piecewise_linear(expr: Index, element: Dim) -> bool:
    """Whether an expression is piecewise linear in an element: sums of the element times factors that do not depend on it, and
    extrema of such sums. Beyond its last corner the index is out of bounds, or the same as for the clamped element."""
    for monomial, _ in expr.terms:
        inside = [atom for atom in monomial if element.position in of_atom(atom).dims()]
        if len(inside) > 1:
            return False
        for atom in inside:
            if isinstance(atom, Apply) and (
                atom.op not in ("min", "max") or not all(_is_piecewise_linear(side, element) for side in (atom.lhs, atom.rhs))
            ):
                return False
    return True
