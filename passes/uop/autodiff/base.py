"""Gradient rules: the dispatch function that they extend, and the helpers that they share.

A rule gets the operation, the cotangent of its result, and which operands need a cotangent; it returns a cotangent for each
operand, or None for zeros. It may use the operands and results of the forward operation, and should use few of them, since they
are saved: the derivative of exp is its own result, so that nothing else is saved.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import singledispatch
from typing import TypeAlias

from xdsl.ir import Attribute, Operation, SSAValue

from ....ir.diagnostics import CompileError
from ....ir.index.expressions import Index, dim
from ....ir.index.simplify import Ranges
from ....ir.scalars.attributes import number
from ....ir.types.dtypes import dtype_of
from ....ir.types.shapes import Shape, element_of, shape_of
from ..builder import Emit

Cotangents: TypeAlias = Sequence[SSAValue | None]


@singledispatch
def gradients(op: Operation, cotangent: SSAValue, wanted: Sequence[bool], emit: Emit) -> Cotangents:
    """The cotangent of each operand of `op`, None for zeros. Raises CompileError for an operation without a rule."""
    raise CompileError(f"'{op.name}' has no gradient: expected micro-ops between variables and outputs", op.location)


@singledispatch
def gradients_of_all(op: Operation, cotangents: Cotangents, wanted: Sequence[bool], emit: Emit) -> Cotangents:
    """Like `gradients`, for an operation with any number of results; a cotangent is None for zeros."""
    (cotangent,) = cotangents
    assert cotangent is not None, f"'{op.name}' has no result with a cotangent"
    return gradients(op, cotangent, wanted, emit)


def read(emit: Emit, value: SSAValue, shape: Shape, at: Sequence[Index], guards: Sequence[Index] = ()) -> SSAValue:
    """`value` read at `at` over indices of `shape`; zeros out of bounds and where a guard fails."""
    if not guards:
        return emit.reindex(value, shape, at)
    ranges = Ranges.of_shape(shape)
    return emit.window(value, shape, [ranges.simplify(each) for each in at], number(0, element_of(value)), guards)


def spread(emit: Emit, value: SSAValue, like: SSAValue, axes: Sequence[int]) -> SSAValue:
    """Broadcast one value for each slice of `like` along some axes to all elements of the slice."""
    shape = shape_of(like)
    return emit.reindex(value, shape, [dim(axis) for axis in range(len(shape)) if axis not in axes])


def cotangent_type(value: SSAValue) -> Attribute:
    """The element type of a value's cotangent: the value's own, or float32 if arithmetic lacks that type."""
    element = dtype_of(element_of(value))
    return element.compute.type if element.is_stored_only else element.type


def counting_type(element: Attribute) -> Attribute:
    """The float type for counting the elements of a tensor: 16-bit floats cannot represent large counts."""
    return dtype_of(element).compute.type


def extreme(emit: Emit, value: SSAValue, extremum: SSAValue) -> SSAValue:
    """The mask of elements equal to the extremum. If the extremum is NaN, all NaN elements are marked, so that the cotangent is
    not lost."""
    return emit.map("or", emit.map("eq", value, extremum), emit.map("isnan", value))


def shared(emit: Emit, cotangent: SSAValue, winners: SSAValue) -> SSAValue:
    """The cotangent divided by the number of elements in `winners`; undivided where there are none."""
    wide = element_of(winners)
    most = emit.map("max", winners, emit.full(shape_of(winners), 1, wide))
    return emit.cast(emit.map("div", emit.cast(cotangent, wide), most), element_of(cotangent))
