"""Complex tensors: pairs of a real and an imaginary part, with which programs compute separately.

No level below the frontend has complex dtypes. A `Complex` is a node of trees (`trees.py`) with two leaves, so that functions
of functions take it. Arrays of complex dtypes become a `Complex` when they enter a program, and results become such arrays
again. Its operators are the functions of `functions/complex_numbers.py`.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

import numpy as np

from ...runtime.boundary.arrays import is_torch
from .operators import Operators
from .trees import Node, map_nodes

# The complex dtypes, each with the dtype of its parts.
PARTS: Mapping[str, str] = MappingProxyType({"complex64": "float32", "complex128": "float64"})
# Attributes that are read before they are set, as while a copy is made.
_UNSET = ("real", "imag")


class Complex(Operators, Node):
    """A complex tensor, of the parts `real` and `imag`: tensors of one shape and dtype, float32 or float64."""

    __slots__ = ("imag", "real")
    # NumPy's operators defer to those of this class; its functions call `__array__` for elements, as for `Tensor`.
    __array_priority__ = 1000.0

    def __init__(self, real: Any, imag: Any):
        self.real, self.imag = real, imag

    def parts(self) -> dict[str, Any]:
        """The leaves of the tree."""
        return {"real": self.real, "imag": self.imag}

    @property
    def library(self) -> Any:
        """The functions that operators and methods call."""
        return self.real.library

    @property
    def shape(self) -> tuple[Any, ...]:
        """The sizes, ints or symbolic."""
        return self.real.shape

    @property
    def ndim(self) -> int:
        """The number of axes."""
        return self.real.ndim

    @property
    def size(self) -> Any:
        """The number of elements."""
        return self.real.size

    @property
    def dtype(self) -> Any:
        """NumPy's complex64 or complex128."""
        return np.dtype("complex128" if str(self.real.dtype) == "float64" else "complex64")

    @property
    def T(self) -> Any:
        """The axes in reverse order."""
        return self.library.transpose(self)

    @property
    def mT(self) -> Any:
        """The last two axes swapped."""
        return self.library.matrix_transpose(self)

    def __len__(self) -> int:
        return len(self.real)

    def __getitem__(self, key: Any) -> Complex:
        return Complex(self.real[key], self.imag[key])

    def __iter__(self) -> Any:
        return iter([self[k] for k in range(len(self))])

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Any:
        return np.array(joined_arrays(np.asarray(self.real), np.asarray(self.imag)), dtype=dtype, copy=copy)

    def numpy(self) -> Any:
        """The elements as an array, outside of traces."""
        return np.asarray(self)

    def __repr__(self) -> str:
        return f"Complex({self.real!r}, {self.imag!r})"

    def __bool__(self) -> bool:
        return bool(self.real) or bool(self.imag)

    def __complex__(self) -> complex:
        return complex(float(self.real), float(self.imag))

    def __float__(self) -> float:
        raise TypeError("a complex tensor is no real number: take z.real, z.imag or abs(z)")

    __int__ = __float__  # pyright: ignore[reportAssignmentType] - it only raises

    def item(self) -> complex:
        """The value of a tensor with one element. Raises an error inside of a trace."""
        return complex(self.real.item(), self.imag.item())

    def astype(self, to: Any) -> Any:
        """This tensor as complex64 or complex128."""
        return self.library.astype(self, to)

    def __getattr__(self, name: str) -> Any:
        if name in _UNSET or name.startswith("__"):
            raise AttributeError(name)
        raise AttributeError(f"complex tensors have no '{name}': call it on z.real, z.imag or abs(z)")


def part_dtype(dtype: Any) -> str | None:
    """The dtype of the parts of a tensor of a complex dtype, of NumPy or torch or as a name; None for other dtypes."""
    is_class = dtype in (complex, np.complex64, np.complex128)
    return PARTS.get(np.dtype(dtype).name if is_class else str(dtype).removeprefix("torch."))


def is_complex_array(value: Any) -> bool:
    """Whether a value is an array, of NumPy or torch, of a complex dtype."""
    if isinstance(value, np.ndarray | np.generic):
        return value.dtype.kind == "c"
    return is_torch(value) and value.is_complex()


def is_complex(value: Any) -> bool:
    """Whether a value is a complex tensor, array or number, or a list or tuple with one."""
    kind = type(value)
    if kind is Complex or kind is complex:
        return True
    if kind is list or kind is tuple:
        return any(map(is_complex, value))
    return hasattr(value, "__array__") and is_complex_array(value)


def separated(value: Any) -> Any:
    """An array of a complex dtype as a pair of arrays; any other value unchanged. Raises TypeError for wider dtypes."""
    if not is_complex_array(value):
        return value
    if is_torch(value):
        found = value.resolve_conj()
        return Complex(found.real.contiguous(), found.imag.contiguous())
    if value.dtype.name not in PARTS:
        raise TypeError(f"unsupported dtype '{value.dtype}' (complex dtypes: {', '.join(PARTS)})")
    array: Any = np.asarray(value)
    return Complex(array.real.copy(), array.imag.copy())


def joined(value: Any) -> Any:
    """A nested value with its pairs of arrays joined to arrays of complex dtypes; pairs of tensors stay pairs."""
    return map_nodes(_joined, value)


def _joined(pair: Any) -> Any:
    real, imag = pair.real, pair.imag
    if is_torch(real):
        import torch

        return torch.complex(real, imag)
    return joined_arrays(real, imag) if isinstance(real, np.ndarray) else pair


def joined_arrays(real: Any, imag: Any) -> Any:
    """An array of a complex dtype from its parts."""
    found = np.empty(real.shape, "complex128" if real.dtype == np.float64 else "complex64")
    found.real, found.imag = real, imag
    return found
