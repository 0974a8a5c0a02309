"""Contractions: recognises sums of products from access maps.

    for m, n:  s = sum over k of a(m, k) * b(k, n);  epilogue(s)

is a contraction whatever its operation was called: matmul, any einsum, any convolution. Its parallel loops fall into three
groups by the operands whose addresses depend on them: both (batch), the left one only (rows), the right one only (columns). An
operand is any expression of loads, so a cast, a scaling or a padded window may be part of it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from xdsl.ir import Attribute, Block, Operation, SSAValue

from ...dialects import loop
from ...ir.index.expressions import ONE, Index, product
from ...ir.scalars.attributes import is_plus_zero
from ...ir.types.dtypes import BFLOAT16, FLOAT32, dtype_of
from .folds import summed_product
from .loop_nests import Frame
from .reductions import carrying, computing, statements
from .strides import stride, strides

ELEMENTS = ("float32", "float64", "int32", "int64")
# Axes shorter than this are short: the window axes of convolutions, and axes below a vector of AVX2.
SHORT_AXIS = 8


@dataclass(frozen=True)
class Axis:
    """A loop of a contraction, from 0 to `upper`, which may depend on loops enclosing the nest."""

    op: loop.ForOp
    upper: Index

    @property
    def induction(self) -> SSAValue:
        return self.op.induction

    @property
    def is_short(self) -> bool:
        """Whether the loop is known to have few iterations, like the axes of a window."""
        return self.upper.constant is not None and self.upper.constant <= SHORT_AXIS

    def is_longer(self, short: Axis) -> bool:
        """Whether the loop has more iterations than a short one. A loop of unknown length counts as longer."""
        return not self.is_short or (short.upper.constant or 0) < (self.upper.constant or 0)


@dataclass(frozen=True)
class Contraction:
    """A recognised nest. Loops are in the nest's order, except that `columns` ends with the loop along which results are
    contiguous, and `rows` ends with a loop that is not known to be short, if there is one. Results may be contiguous along a
    short axis that slides over a longer one, as gradients of a convolution's weights are along the kernel. Then, if the other
    operand has a longer axis, the axes of the other operand are the columns. `reduced` ends with a loop along which an operand
    is contiguous, if there is one. `sum_loops` are the loops that sum, in the nest's order.
    """

    nest: loop.ForOp
    batch: tuple[Axis, ...]
    rows: tuple[Axis, ...]
    columns: tuple[Axis, ...]
    reduced: tuple[Axis, ...]
    sum_loops: tuple[loop.ForOp, ...]
    left: SSAValue
    right: SSAValue
    element: Attribute
    before: tuple[Operation, ...]
    after: tuple[Operation, ...]

    @property
    def result(self) -> SSAValue:
        return self.sum_loops[0].results[0]

    def transposed(self) -> Contraction:
        """The same contraction with rows and columns swapped."""
        return replace(self, rows=self.columns, columns=self.rows, left=self.right, right=self.left)

    @property
    def addition(self) -> Operation:
        """The operation that adds a product."""
        (value,) = self.sum_loops[-1].yielded
        assert isinstance(value.owner, Operation), "sums of products only are recognised"
        return value.owner


def extent(axes: Sequence[Axis]) -> Index:
    """The iteration count of nested loops."""
    return product(axis.upper for axis in axes)


def is_of_bfloat16(found: Contraction, size: Index) -> bool:
    """Whether both operands are bfloat16 numbers that are cast to float32 and multiplied, and summed loops of `size` iterations
    split into halves: the size is known to be even, or products beyond the end have a zero factor."""
    casts = [value.owner for value in (found.left, found.right) if isinstance(value.owner, loop.CastOp)]
    if len(casts) < 2 or any(dtype_of(cast.input.type) is not BFLOAT16 for cast in casts):
        return False
    return dtype_of(found.element) is FLOAT32 and (size % 2 == 0 or all(map(_is_zero_outside, casts)))


def _is_zero_outside(cast: loop.CastOp) -> bool:
    """Whether a cast load gives zero where its guards fail."""
    load = cast.input.owner
    return isinstance(load, loop.LoadOp) and (load.fill is None or is_plus_zero(load.fill))


def recognise(nest: loop.ForOp, frame: Frame) -> Contraction | None:
    """The contraction whose outermost loop is `nest`; None if the nest is no contraction."""
    loops = _perfect(nest)
    inside = statements(loops[-1])
    inner = [op for op in inside if op.regions]
    if len(inner) != 1 or not isinstance(inner[0], loop.ForOp):
        return None
    sums = _reductions(inner[0])
    axes = _axes([*loops, *sums], frame)
    if not sums or axes is None:
        return None
    parallel, reduced = axes[: len(loops)], tuple(axes[len(loops) :])
    multiplied = summed_product(sums[-1])
    if multiplied is None or dtype_of(multiplied.result.type).name not in ELEMENTS:
        return None
    # A sum that is carried in half precision is rounded at each step.
    if dtype_of(sums[-1].carried_args[0].type).bits < dtype_of(multiplied.result.type).bits:
        return None
    left, right = multiplied.inputs
    around = {frame.number(level.induction): level for level in parallel}
    mine, others = (_dims(value, nest, frame) & around.keys() for value in (left, right))
    rows = tuple(level for number, level in around.items() if number in mine - others)
    columns = tuple(level for number, level in around.items() if number in others - mine)
    if not rows or not columns:
        return None
    at = inside.index(inner[0])
    before, after = tuple(inside[:at]), tuple(inside[at + 1 :])
    along = _contiguous(after, (*rows, *columns), frame)
    if along in rows:
        rows, columns, left, right = columns, rows, right, left
    slides = along is not None and along.is_short and _slides(right, along, reduced, nest, frame)
    if along is not None and slides and any(level.is_longer(along) for level in rows):
        rows, columns, left, right = _long_last(columns), _long_last(rows), right, left
    elif along is not None:
        rows, columns = _long_last(rows), (*(level for level in columns if level is not along), along)
    batch = tuple(level for level in parallel if level not in rows and level not in columns)
    reduced = _contiguous_last(reduced, [op for each in (left, right) for op in computing(each, nest)], frame)
    return Contraction(nest, batch, rows, columns, reduced, tuple(sums), left, right, multiplied.result.type, before, after)


def _contiguous_last(axes: tuple[Axis, ...], ops: Sequence[Operation], frame: Frame) -> tuple[Axis, ...]:
    """The axes in order, except that the last one along which a load is contiguous follows all others."""
    numbers = [frame.number(axis.induction) for axis in axes]
    ranges = frame.ranges(numbers)
    along = [axis for axis, number in zip(axes, numbers, strict=True) if ONE in strides(ops, number, frame, ranges)]
    return (*(axis for axis in axes if axis is not along[-1]), along[-1]) if along else axes


def _long_last(axes: Sequence[Axis]) -> tuple[Axis, ...]:
    """The axes in order, the short ones by length and then the others: tiles are cut from the last one."""
    return tuple(sorted(axes, key=lambda axis: (axis.upper.constant or 0) if axis.is_short else SHORT_AXIS + 1))


def contractions_in(
    body: Block, frame: Frame, around: tuple[loop.ForOp, ...] = ()
) -> Iterator[tuple[Contraction, tuple[loop.ForOp, ...]]]:
    """The contractions of a body, and of parallel loops and branches in it, each with its enclosing loops. The caller may
    replace one before it asks for the next."""
    for op in list(body.ops):
        if isinstance(op, loop.IfOp):
            for branch in op.branches:
                yield from contractions_in(branch, frame, around)
        if not isinstance(op, loop.ForOp) or op.kind.data != "parallel":
            continue
        found = recognise(op, frame)
        if found is None:
            yield from contractions_in(op.body.block, frame, (*around, op))
        else:
            yield found, around


def is_same_in(outside: loop.ForOp, value: SSAValue, nest: loop.ForOp) -> bool:
    """Whether a value computed in a nest inside the loop `outside` is invariant in that loop."""
    written = {op.buffer for op in outside.walk() if isinstance(op, loop.StoreOp | loop.UpdateOp)}
    ops = computing(value, nest)
    if any(isinstance(op, loop.LoadOp) and op.buffer in written for op in ops):
        return False
    return not any(_is_defined_in(outside, operand, nest) for op in ops for operand in op.operands)


def _is_defined_in(outside: loop.ForOp, value: SSAValue, nest: loop.ForOp) -> bool:
    """Whether a value is defined in a loop, but outside the nest inside it."""
    owner = value.owner if isinstance(value.owner, Operation) else value.owner.parent_op()
    return owner is not None and outside.is_ancestor(owner) and not nest.is_ancestor(owner)


def _perfect(nest: loop.ForOp) -> list[loop.ForOp]:
    """The parallel loops that are perfectly nested."""
    found = [nest]
    while True:
        inside = statements(found[-1])
        if len(inside) != 1 or not isinstance(inside[0], loop.ForOp) or inside[0].kind.data != "parallel":
            return found
        found.append(inside[0])


def _reductions(outer: loop.ForOp) -> list[loop.ForOp]:
    """The loops that only sum one value, starting from 0; empty if the nest does anything else."""
    found = carrying(outer)
    if any(level.kind.data != "reduction" or len(level.carried) != 1 for level in found):
        return []
    start = outer.carried[0].owner
    if not isinstance(start, loop.ConstantOp) or not is_plus_zero(start.value):
        return []
    return found if all(_is_pure(op) for op in statements(found[-1])) else []


def _is_pure(op: Operation) -> bool:
    return not op.regions and not isinstance(op, loop.StoreOp | loop.UpdateOp | loop.CheckOp | loop.AllocOp)


def _axes(loops: Sequence[loop.ForOp], frame: Frame) -> list[Axis] | None:
    """The loops as axes; None if one does not start at 0 with step 1, or has a bound that depends on another loop."""
    own = {frame.number(level.induction) for level in loops}
    uppers = [frame.exprs(level)[1] for level in loops]
    if any(level.lower != 0 or level.step.value.data != 1 for level in loops) or any(own & upper.dims() for upper in uppers):
        return None
    return [Axis(level, upper) for level, upper in zip(loops, uppers, strict=True)]


def _dims(value: SSAValue, nest: loop.ForOp, frame: Frame) -> set[int]:
    """The loop indices that a value computed inside the nest depends on."""
    found: set[int] = set()
    pending, seen = [value], set[SSAValue]()
    while pending:
        current = pending.pop()
        owner = current.owner
        if current in seen or not isinstance(owner, Operation) or not nest.is_ancestor(owner):
            continue
        seen.add(current)
        pending.extend(owner.operands)
        if isinstance(owner, loop.IndexedOp):
            found.update(number for expr in (*frame.exprs(owner), *frame.guards(owner)) for number in expr.dims())
    return found


def _slides(value: SSAValue, along: Axis, reduced: Sequence[Axis], nest: loop.ForOp, frame: Frame) -> bool:
    """Whether the address of a load in the value's computation adds this short axis to a longer reduced axis."""
    own = frame.number(along.induction)
    long = {frame.number(level.induction) for level in reduced if level.is_longer(along)}
    loads = [op for op in computing(value, nest) if isinstance(op, loop.LoadOp)]
    return any(own in expr.dims() and expr.dims() & long for op in loads for expr in frame.exprs(op))


def _contiguous(after: Sequence[Operation], axes: Sequence[Axis], frame: Frame) -> Axis | None:
    """The axis along which the first stored result is contiguous."""
    stores = [op for op in after if isinstance(op, loop.StoreOp)]
    numbers = [frame.number(axis.induction) for axis in axes]
    for store in stores[:1]:
        for number, axis in zip(numbers, axes, strict=True):
            if stride(store, number, frame, frame.ranges(numbers)) == 1:
                return axis
    return None
