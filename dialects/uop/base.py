"""Bases and checks of all micro-ops."""

from __future__ import annotations

from collections.abc import Iterable

from xdsl.dialects.builtin import TensorType
from xdsl.ir import Attribute, SSAValue
from xdsl.irdl import traits_def
from xdsl.traits import Pure
from xdsl.utils.exceptions import VerifyException

from ...ir.op import Op
from ...ir.types.shapes import Shape, format_shape, shape_of

Tensor = TensorType[Attribute]


def fail(message: str) -> VerifyException:
    return VerifyException(message)


def expect_shape(value: SSAValue, expected: Shape, what: str) -> None:
    """Raise VerifyException unless `value` has the expected sizes."""
    try:
        found = shape_of(value)
    except TypeError as error:
        raise fail(str(error)) from error
    if found != expected:
        raise fail(f"{what}: expected shape {format_shape(expected)}, got {format_shape(found)}")


def listed(types: Iterable[Attribute]) -> str:
    """Types as a list in a message."""
    return "(" + ", ".join(map(str, types)) + ")"


def expect_axis(axis: int, shape: Shape) -> None:
    """Raise VerifyException for an axis out of range of a shape."""
    if not 0 <= axis < len(shape):
        raise fail(f"axis {axis} is out of range for shape {format_shape(shape)}")


class MicroOp(Op):
    """Base of all micro-ops: pure, with tensors as results."""

    traits = traits_def(Pure())

    @property
    def shape(self) -> Shape:
        """The first result's sizes."""
        return shape_of(self.results[0])
