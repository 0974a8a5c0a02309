"""Descriptions of array arguments without their elements."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ...ir.index.expressions import Index, index
from ...ir.index.parser import check_name, parse_index
from ...ir.types import dtypes
from ...ir.types.dtypes import DType
from ...ir.types.overflow import LARGEST
from ...ir.types.shapes import Shape, format_shape
from .complex_tensors import Complex, part_dtype
from .sizes import Size, SizeSolver


class Spec:
    """The shape and dtype of an argument: `Spec(("n", 4), "float32")`.

    A size is an int or an index expression over named parameters, as text (`"n"`, `"2 * n + 1"`). Equal names are equal sizes
    in all arguments. A `weak` argument takes part in the choice of dtypes like a Python number. Raises IndexSyntaxError for
    malformed text, TypeError for an unknown dtype and for an entry that is not a size, ValueError for a negative or too large
    size. With a complex dtype it is a `Complex` of the specs of both parts.
    """

    __slots__ = ("dtype", "shape", "weak")

    def __new__(
        cls, shape: Sequence[int | str | Index | Size] | int | str, dtype: Any = "float32", *, weak: bool = False
    ) -> Spec:
        part = part_dtype(dtype)
        if part is None:
            return object.__new__(cls)
        parts = [Spec(shape, part, weak=weak) for _ in range(2)]
        return Complex(*parts)  # pyright: ignore[reportReturnType] - a tree of two specs

    def __init__(self, shape: Sequence[int | str | Index | Size] | int | str, dtype: Any = "float32", *, weak: bool = False):
        entries = (shape,) if isinstance(shape, int | str) else tuple(shape)
        self.shape: Shape = tuple(_size(entry) for entry in entries)
        self.dtype: DType = dtypes.dtype(dtype)
        self.weak = weak

    def __getnewargs__(self) -> tuple[Shape, DType]:
        return self.shape, self.dtype

    @staticmethod
    def of(array: Any, solver: SizeSolver) -> Spec:
        """The spec of an array (anything with shape and dtype): each axis is a new parameter, with its size as hint."""
        return Spec([solver.fresh(int(size)) for size in array.shape], array.dtype)

    @staticmethod
    def static(array: Any) -> Spec:
        """The spec of an array with its sizes as constants."""
        return Spec([int(size) for size in array.shape], array.dtype)

    def __repr__(self) -> str:
        return f"Spec({format_shape(self.shape)}, {self.dtype})"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Spec) and (self.shape, self.dtype, self.weak) == (other.shape, other.dtype, other.weak)

    def __hash__(self) -> int:
        return hash((self.shape, self.dtype, self.weak))


def _size(entry: int | str | Index | Size) -> Index:
    if isinstance(entry, Size):
        return entry.index
    if isinstance(entry, str):
        found = parse_index(entry)
        for name in found.params():
            check_name(name)
        return found
    if not isinstance(entry, Index) and not hasattr(entry, "__index__"):
        raise TypeError(f"expected a size as an int or as text, got {entry!r}")
    size = index(entry)
    if size.constant is not None and size.constant < 0:
        raise ValueError(f"expected a size of at least 0, got {size}")
    if size.constant is not None and size.constant > LARGEST:
        raise ValueError(f"expected a size of at most {LARGEST}, got {size}")
    return size
