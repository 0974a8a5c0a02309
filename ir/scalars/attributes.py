"""Conversion between numbers and attributes: the scalars in constants, fills and identities."""

from __future__ import annotations

import math
from typing import Any

from xdsl.dialects.builtin import AnyFloat, DenseIntOrFPElementsAttr, FloatAttr, IntegerAttr
from xdsl.ir import Attribute

from ..types.dtypes import dtype_of
from .table import scalar


def number(value: float | int | bool, type: Attribute) -> FloatAttr | IntegerAttr:
    """The attribute of `value` in the given element type. Integers wrap around to the type's width; floats that are too large
    for it become infinite."""
    element = dtype_of(type)
    if element.kind == "float":
        assert isinstance(type, AnyFloat), f"{type} is a float type"
        try:
            return FloatAttr(float(value), type)
        except OverflowError:
            return FloatAttr(math.inf if value > 0 else -math.inf, type)
    if element.kind == "bool":
        return IntegerAttr(int(bool(value)), type)  # pyright: ignore[reportArgumentType, reportCallIssue] - any integer type
    wrapped = int(value) % (1 << element.bits)
    if element.kind == "int" and wrapped >= 1 << (element.bits - 1):
        wrapped -= 1 << element.bits
    return IntegerAttr(wrapped, type)  # pyright: ignore[reportArgumentType, reportCallIssue] - any integer type


def neutral(accumulator: str, type: Attribute) -> FloatAttr | IntegerAttr:
    """The neutral element of an accumulator, the identity of its scalar function, in an element type."""
    identity = scalar(accumulator).identity
    assert identity is not None, f"'{accumulator}' accumulates"
    return number(identity(dtype_of(type)), type)


def value_of(attribute: FloatAttr | IntegerAttr) -> float | int | bool:
    """The Python number of an attribute."""
    value = attribute.value.data
    return bool(value) if dtype_of(attribute.type).kind == "bool" else value


def is_plus_zero(attribute: FloatAttr | IntegerAttr) -> bool:
    """Whether a number is 0 and not -0."""
    value = value_of(attribute)
    return value == 0 and math.copysign(1, value) > 0


def elements_of(attribute: DenseIntOrFPElementsAttr) -> Any:
    """The elements of a dense attribute as a NumPy array, in its shape and dtype."""
    import numpy as np

    element = dtype_of(attribute.get_element_type())
    values = np.array(attribute.get_values())
    if element.kind == "bool":
        values = values != 0
    return values.astype(element.numpy).reshape(attribute.get_shape())
