"""The element types of tensors: their names in NumPy, the IR, C and Triton, and type promotion.

Half-precision types are for storage; arithmetic on them is done in `DType.compute` (float32) and rounded once. The floats of 8
bits are for storage only (`DType.is_stored_only`): programs move, select and cast their elements, and multiply matrices of
these with sums in float32. NumPy and ml_dtypes are imported only when a NumPy type is needed.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from xdsl.dialects.builtin import IntegerType, Signedness, bf16, f8E4M3FN, f8E5M2, f16, f32, f64, i1, i8, i16, i32, i64
from xdsl.ir import Attribute

from ..diagnostics import did_you_mean

if TYPE_CHECKING:
    import numpy as np


@dataclass(frozen=True)
class DType:
    """An element type.

    `digits` is the number of value bits: those of a float's significand, or of an integer's magnitude. `c` is the C type of an
    element in memory (bfloat16 and the floats of 8 bits have none, and are stored as their bits). `triton` is the type of a
    tile's element (a bool tile is `tl.int1`; in memory it is one byte; a float of 8 bits is its bits).
    """

    name: str
    type: Attribute = field(repr=False, compare=False)
    kind: str = field(repr=False)
    bits: int = field(repr=False)
    digits: int = field(repr=False)
    c: str = field(repr=False)
    triton: str = field(repr=False)

    def __str__(self) -> str:
        return self.name

    @cached_property
    def short(self) -> str:
        """The name in the IR, valid in identifiers: `f32`, `bf16`, `u8`, `i1`."""
        return "u8" if self.kind == "uint" else str(self.type)

    @property
    def itemsize(self) -> int:
        """The number of bytes of an element in memory."""
        return max(self.bits // 8, 1)

    @property
    def is_float(self) -> bool:
        return self.kind == "float"

    @property
    def compute(self) -> DType:
        """The type of arithmetic on this type."""
        return FLOAT32 if self.is_float and self.bits <= 16 else self

    @property
    def is_stored_only(self) -> bool:
        """Whether elements are only stored, moved, selected and cast, without arithmetic."""
        return self.is_float and self.bits == 8

    @property
    def held_as(self) -> str | None:
        """The integer dtype that holds the bits of elements, if NumPy and torch cannot exchange this dtype; None if they
        can."""
        return "int16" if self.name == "bfloat16" else "uint8" if self.is_stored_only else None

    @cached_property
    def numpy(self) -> np.dtype:
        """The NumPy type; those of bfloat16 and of the floats of 8 bits come from ml_dtypes."""
        import numpy as np

        if self.held_as is None:
            return np.dtype(self.name)
        import ml_dtypes

        return np.dtype(getattr(ml_dtypes, self.name))

    @property
    def lowest(self) -> float | int | bool:
        """The least value: -inf, or the least number of a format without infinities; the least integer; or False."""
        if self.is_float:
            return -self.highest
        if self.kind == "bool":
            return False
        return 0 if self.kind == "uint" else -(1 << (self.bits - 1))

    @property
    def highest(self) -> float | int | bool:
        """The greatest value: inf, or the greatest number of a format without infinities; the greatest integer; or True."""
        if self.is_float:
            return 448.0 if self is FLOAT8_E4M3FN else float("inf")
        return True if self.kind == "bool" else (1 << self.digits) - 1


FLOAT8_E4M3FN = DType("float8_e4m3fn", f8E4M3FN, "float", 8, 4, "uint8_t", "tl.uint8")
FLOAT8_E5M2 = DType("float8_e5m2", f8E5M2, "float", 8, 3, "uint8_t", "tl.uint8")
FLOAT16 = DType("float16", f16, "float", 16, 11, "_Float16", "tl.float16")
BFLOAT16 = DType("bfloat16", bf16, "float", 16, 8, "uint16_t", "tl.bfloat16")
FLOAT32 = DType("float32", f32, "float", 32, 24, "float", "tl.float32")
FLOAT64 = DType("float64", f64, "float", 64, 53, "double", "tl.float64")
INT8 = DType("int8", i8, "int", 8, 7, "int8_t", "tl.int8")
INT16 = DType("int16", i16, "int", 16, 15, "int16_t", "tl.int16")
INT32 = DType("int32", i32, "int", 32, 31, "int32_t", "tl.int32")
INT64 = DType("int64", i64, "int", 64, 63, "int64_t", "tl.int64")
UINT8 = DType("uint8", IntegerType(8, Signedness.UNSIGNED), "uint", 8, 8, "uint8_t", "tl.uint8")
BOOL = DType("bool", i1, "bool", 1, 1, "bool", "tl.int1")

DTYPES: Mapping[str, DType] = MappingProxyType(
    {
        d.name: d
        for d in (FLOAT16, BFLOAT16, FLOAT32, FLOAT64, INT8, INT16, INT32, INT64, UINT8, BOOL, FLOAT8_E4M3FN, FLOAT8_E5M2)
    }
)
_BY_TYPE: Mapping[Attribute, DType] = MappingProxyType({d.type: d for d in DTYPES.values()})
_BY_SHORT_NAME: Mapping[str, DType] = MappingProxyType({d.short: d for d in DTYPES.values()})


def dtype(given: Any) -> DType:
    """The DType named by `given`: a DType, a name (`"float32"`, the IR's `"f32"`, NumPy's `"f4"`), or a dtype of NumPy,
    ml_dtypes or torch.

    Raises TypeError for an unsupported dtype, and for an ambiguous name: one that names different dtypes in the IR and in
    NumPy, as `"i8"`.
    """
    if isinstance(given, DType):
        return given
    if isinstance(given, str):
        return DTYPES.get(given) or _of_short_name(given)
    try:
        hash(given)
    except TypeError:  # such as a list
        return _foreign(given)
    return _known_foreign(given)


def dtype_called(short: str) -> DType:
    """The DType of a short name in the IR and in emitted code."""
    return _BY_SHORT_NAME[short]


def dtype_of(type: Attribute) -> DType:
    """The DType of an IR element type. Raises TypeError for an unsupported one."""
    found = _BY_TYPE.get(type)
    if found is None:
        raise _unsupported(str(type))
    return found


def is_dtype(type: Attribute) -> bool:
    """Whether an IR type is the element type of a DType."""
    return type in _BY_TYPE


def promote(a: DType, b: DType) -> DType:
    """The common type of two, as in NumPy; float16 with bfloat16 gives float32. Raises TypeError for a type without arithmetic
    together with any other type, as in JAX: the program has to say which digits may be lost.

    An integer with a float gives the narrowest float, no narrower than the given one, that represents every value of the
    integer type (float64 for int64, although it does not represent all of them).
    """
    if a == b:
        return a
    if a.is_stored_only or b.is_stored_only:
        raise TypeError(f"no common dtype of {a} and {b}: cast one to the other, as with sw.astype(x, '{a}')")
    if "bool" in (a.kind, b.kind):
        return b if a.kind == "bool" else a
    if a.is_float and b.is_float:
        return FLOAT32 if a.bits == b.bits else max(a, b, key=lambda d: d.bits)
    if a.is_float or b.is_float:
        number, integer = (a, b) if a.is_float else (b, a)
        wider = (f for f in (number, FLOAT32, FLOAT64) if f.bits >= number.bits)
        return next((f for f in wider if f.digits >= integer.digits), FLOAT64)
    if a.kind == b.kind:
        return max(a, b, key=lambda d: d.bits)
    signed = a if a.kind == "int" else b
    return signed if signed.bits > 8 else INT16


def _of_short_name(name: str) -> DType:
    """The DType of a short name in the IR or NumPy."""
    ours, numpys = _BY_SHORT_NAME.get(name), _numpy_name(name)
    # "f16" is not ambiguous: NumPy's float128 has 80 bits and other names.
    if ours is not None and not ours.is_float and numpys not in (name, ours.name):
        raise TypeError(f"ambiguous dtype '{name}': expected '{ours}', as in the IR, or '{numpys}', as in NumPy")
    found = ours or DTYPES.get(numpys)
    if found is not None:
        return found
    hint = f", which is NumPy's {numpys}" if numpys != name else did_you_mean(name, [*DTYPES, *_BY_SHORT_NAME])
    raise _unsupported(name, hint)


def _foreign(given: Any) -> DType:
    """The DType of a dtype of another library."""
    name = _foreign_name(given)
    found = DTYPES.get(name)
    if found is None:
        raise _unsupported(name)  # without a suggestion: the dtype of an array is not misspelled
    return found


# Interpreters ask for the dtype of each array, and NumPy puts the name of a dtype together each time.
_known_foreign = lru_cache(maxsize=1 << 7)(_foreign)


def _foreign_name(given: Any) -> str:
    """The name of a dtype of torch (recognised by its text) or NumPy."""
    text = str(given)
    if text.startswith("torch."):
        return text.removeprefix("torch.")
    if given is None:  # NumPy's default is float64
        return text
    return _numpy_name(given)


def _numpy_name(given: Any) -> str:
    """NumPy's name of the dtype that it converts `given` to; `given` itself when it cannot."""
    import numpy as np

    try:
        found = np.dtype(given)
    except (TypeError, ValueError, SyntaxError):
        return str(given)
    # NumPy's names of string dtypes contain their size, as str32 for one character.
    return found.type.__name__.rstrip("_") if found.kind in "SU" else found.name


def _unsupported(name: str, hint: str = "") -> TypeError:
    if name in ("complex64", "complex128"):
        hint = ": programs compute with pairs of real tensors, which complex arguments of compiled functions and sw.complex are"
    return TypeError(f"unsupported dtype '{name}'{hint} (supported: {', '.join(DTYPES)})")
