"""uop-sink-reshapes: compute elementwise operations before reshapes that split axes, not after them.

    %a = uop.reindex %h (i, j, k) -> (i * 32 + j, k)              %b = uop.reindex %s (i, k) -> (k)
    %b = uop.reindex %s (i, j, k) -> (k)                   ->     %c = uop.map "mul"(%h, %b)
    %c = uop.map "mul"(%a, %b)                                    %d = uop.reindex %c (i, j, k) -> (i * 32 + j, k)

A product of matrices with a batch of rows is a reshape to two axes, a contraction, and a reshape back. Elementwise operations
behind the contraction then have its axes, and become its epilogue (`loop-fuse`). The reshape to two axes before the next
product is the inverse of the last one: composing the two index maps removes both.

All operands of the operation have to be reshaped in the same way, to be splat constants, or to be read at indices without the
axes that are split.
"""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import DenseIntOrFPElementsAttr, ModuleOp
from xdsl.ir import SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint

from ...dialects import uop
from ...ir.index.expressions import Atom, Dim, Index, IndexLike, dim, index
from ...ir.index.simplify import Ranges
from ...ir.nesting import operations
from ...ir.rewrite import Builder, count, erase
from ...ir.types.shapes import element_of, shape_of, tensor_type


@dataclass(frozen=True)
class UopSinkReshapes(ModulePass):
    name = "uop-sink-reshapes"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for each in list(operations(op)):
            if isinstance(each, uop.MapOp | uop.CastOp):
                _sink(each)


def _sink(op: uop.MapOp | uop.CastOp) -> None:
    """Compute an operation on the tensors before the reshapes of its operands, if they are all alike."""
    reshapes = [each for each in map(_reshape_of, op.operands) if each is not None]
    if not reshapes or not all(reshapes[0].moves(each) for each in op.operands):
        return
    reshape, builder = reshapes[0], Builder(InsertPoint.before(op), op)
    operands = [reshape.before(each, builder) for each in op.operands]
    if isinstance(op, uop.MapOp):
        new = builder.add(uop.MapOp(op.function.data, *operands))
    else:
        new = builder.add(uop.CastOp(operands[0], element_of(op.result)))
    result = builder.add(uop.ReindexOp(new.result, shape_of(op.result), reshape.op.map.data.results)).result
    op.result.replace_all_uses_with(result)
    erase(op)
    count("operations-before-reshapes", "Number of elementwise operations that are computed before a reshape")


@dataclass(frozen=True)
class Reshape:
    """A reshape that splits axes: `groups` has, for each axis before the reshape, the axes that it becomes."""

    op: uop.ReindexOp
    groups: tuple[tuple[int, ...], ...]

    def moves(self, value: SSAValue) -> bool:
        """Whether a value can be computed in the shape before the reshape."""
        op = value.owner
        if isinstance(op, uop.ConstantOp):
            return not isinstance(op.value, DenseIntOrFPElementsAttr)
        if not isinstance(op, uop.ReindexOp) or not _is_plain(op):
            return False
        if self._is_like(op):
            return True
        split = {axis for group in self.groups if len(group) > 1 for axis in group}
        if any(at.dims() & split for at in op.map.data.results):
            return False
        ranges = Ranges.of_shape(shape_of(self.op.source))
        return all(map(ranges.within, self._on_source(op), shape_of(op.source)))

    def before(self, value: SSAValue, builder: Builder) -> SSAValue:
        """A value in the shape before the reshape."""
        op, shape = value.owner, shape_of(self.op.source)
        if isinstance(op, uop.ConstantOp):
            return builder.add(uop.ConstantOp(op.value, tensor_type(shape, element_of(value)))).result
        assert isinstance(op, uop.ReindexOp)
        if self._is_like(op):
            return op.source
        return builder.add(uop.ReindexOp(op.source, shape, self._on_source(op))).result

    def _is_like(self, op: uop.ReindexOp) -> bool:
        return op.map == self.op.map and shape_of(op.source) == shape_of(self.op.source)

    def _on_source(self, op: uop.ReindexOp) -> list[Index]:
        """The indices at which an operation reads, over the axes before the reshape."""
        axes: dict[Atom, IndexLike] = {Dim(axis): 0 for axis, size in enumerate(shape_of(op.result)) if size == 1}
        axes |= {Dim(group[0]): dim(axis) for axis, group in enumerate(self.groups) if len(group) == 1}
        return [at.substitute(axes) for at in op.map.data.results]


def _reshape_of(value: SSAValue) -> Reshape | None:
    op = value.owner
    if not isinstance(op, uop.ReindexOp) or not _is_plain(op):
        return None
    shape = shape_of(op.result)
    groups = tuple(tuple(sorted(at.dims())) for at in op.map.data.results)
    read = [axis for group in groups for axis in group]
    if read != sorted(set(read)) or all(len(group) < 2 for group in groups):
        return None
    if any(size != 1 for axis, size in enumerate(shape) if axis not in read):
        return None
    for at, size, group in zip(op.map.data.results, shape_of(op.source), groups, strict=True):
        place, stride = index(0), index(1)
        for axis in reversed(group):
            place, stride = place + dim(axis) * stride, stride * shape[axis]
        if (at, size) != (place, stride):
            return None
    return Reshape(op, groups)


def _is_plain(op: uop.ReindexOp) -> bool:
    return op.fill is None and not op.indices and op.guards is None
