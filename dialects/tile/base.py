"""Bases of the operations of the tile level: the types of tiles, index expressions over them, and operations of the
hardware."""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

from xdsl.dialects.builtin import VectorType, i1, i32, i64
from xdsl.ir import Attribute, SSAValue
from xdsl.utils.exceptions import VerifyException

from ...ir.types.dtypes import DType, dtype_of
from ...ir.types.shapes import element_of
from ..scalar_ops import IndexedOp

TileType = VectorType[Attribute]

# The accumulators of `tile.reduce` and `tile.atomic`.
REDUCTIONS = ("add", "max", "min", "and", "or", "xor")


def tile_type(shape: Sequence[int], element: Attribute) -> TileType:
    return VectorType(element, list(shape))


def lanes(value: SSAValue) -> tuple[int, ...]:
    """The shape of a tile; empty for a scalar."""
    return tuple(cast("TileType", value.type).get_shape()) if isinstance(value.type, VectorType) else ()


def element_type(value: SSAValue) -> Attribute:
    """The element type of a tile, or the type of a scalar."""
    return cast("TileType", value.type).element_type if isinstance(value.type, VectorType) else value.type


def element_dtype(value: SSAValue) -> DType:
    return dtype_of(element_type(value))


def expect_axis(axis: int, shape: Sequence[int]) -> None:
    """Raise VerifyException for an axis out of range of a tile of `shape`."""
    if not 0 <= axis < len(shape):
        raise VerifyException(f"axis {axis} is out of range for a tile of {list(shape)}")


def common_shape(shapes: Sequence[Sequence[int]]) -> tuple[int, ...]:
    """The common broadcast shape of `shapes`; scalars fit every shape."""
    tiles = [shape for shape in shapes if shape]
    return tuple(max(sizes) for sizes in zip(*tiles, strict=True)) if tiles else ()


class TileIndexedOp(IndexedOp):
    """An operation with index expressions over integers and tiles of integers."""

    def verify_map(self, results: int | None) -> None:
        count = len(self.operands_at)
        for value in self.operands_at:
            if element_type(value) not in (i32, i64):
                raise VerifyException(f"index operands are i32 or i64, got {value.type}")
        if self.index_map.dims != count:
            raise VerifyException(f"map: expected {count} dimensions, got {self.index_map.dims}")
        if results is not None and len(self.index_map.results) != results:
            raise VerifyException(f"map: expected {results} results, got {len(self.index_map.results)}")

    def verify_shape(self, value: SSAValue) -> None:
        """Raise VerifyException unless the expressions broadcast to the shape of `value`."""
        found, wanted = common_shape([lanes(operand) for operand in self.operands_at]), lanes(value)
        if found and common_shape([found, wanted]) != wanted:
            raise VerifyException(f"expressions over tiles of {list(found)} do not fit {list(wanted)}")


class AccessOp(TileIndexedOp):
    """A load, store or atomic update of `buffer` at a flat offset, in the lanes where `mask` is true."""

    def verify_access(self, value: SSAValue) -> None:
        self.verify_map(1)
        self.verify_shape(value)
        buffer, mask = cast("SSAValue", self.buffer), cast("SSAValue | None", self.mask)  # type: ignore[attr-defined] - of all
        if element_of(buffer) != element_type(value):
            raise VerifyException(f"expected a tile of {element_of(buffer)}, got {value.type}")
        if mask is not None and mask.type != tile_type(lanes(value), i1):
            raise VerifyException(f"mask: expected {tile_type(lanes(value), i1)}, got {mask.type}")


def has_atomic(accumulator: str, element: DType) -> bool:
    """Whether hardware has this atomic update. It can add floats; its min and max of floats would lose NaNs."""
    if element.is_float:
        return accumulator == "add" and element.bits >= 32
    return accumulator in REDUCTIONS and element.kind == "int" and element.bits >= 32


def has_reduction(accumulator: str, element: DType) -> bool:
    """Whether a tile of this element type can be reduced by this accumulator."""
    if element.kind == "bool":
        return accumulator in ("and", "or", "max", "min")
    return accumulator in ("add", "max", "min") and element.compute == element
