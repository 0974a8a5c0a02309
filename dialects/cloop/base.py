"""Bases of the operations of the C level: pointers to elements, and accesses at flat offsets."""

from __future__ import annotations

from functools import lru_cache
from typing import cast

from xdsl.dialects.builtin import StringAttr, VectorType
from xdsl.ir import Attribute, ParametrizedAttribute, SSAValue, TypeAttribute
from xdsl.irdl import irdl_attr_definition, param_def
from xdsl.traits import OpTrait
from xdsl.utils.exceptions import VerifyException

from ...ir.types.dtypes import is_dtype
from ..scalar_ops import IndexedOp, element_type


class MayFail(OpTrait):
    """An operation that may fail: the enclosing function then returns early, with an error to its caller."""


@irdl_attr_definition
class PointerType(ParametrizedAttribute, TypeAttribute):
    """`!cloop.ptr<f32, "const">`: a pointer to elements. The qualifier is "const" for read-only memory, "restrict" for memory
    that no other pointer aliases, or empty."""

    name = "cloop.ptr"
    element: Attribute = param_def()
    qualifier: StringAttr = param_def()

    @staticmethod
    @lru_cache(maxsize=1 << 8)
    def of(element: Attribute, qualifier: str) -> PointerType:
        return PointerType(element, StringAttr(qualifier))


def pointed_to(pointer: SSAValue) -> Attribute:
    """The type of the elements of a pointer."""
    kind = pointer.type
    assert isinstance(kind, PointerType), f"expected a pointer, got {kind}"
    return kind.element


def is_value_type(kind: Attribute) -> bool:
    """Whether a type is that of a value in C: a scalar of a supported dtype, or a vector of such scalars."""
    if isinstance(kind, VectorType) and kind.get_num_dims() != 1:
        return False
    return is_dtype(element_type(kind))


class ElementOp(IndexedOp):
    """A load or store of one element, or of a vector's lanes, starting at a flat offset."""

    def verify_element(self, kind: Attribute, results: int = 1) -> None:
        self.verify_map(results)
        pointer = cast("SSAValue", self.pointer).type  # type: ignore[attr-defined] - an operand of every subclass
        element = element_type(kind)
        if not isinstance(pointer, PointerType) or pointer.element != element:
            raise VerifyException(f"expected a pointer to {element}, got {pointer}")
