"""The base of all operations of the graph level: one result, whose type follows from the operands and attributes.

Each operation states its shape rule once, in `infer`: in the shape language (`rules.py`), unless attributes give the sizes. The
constructor sets the result's type to the inferred one, and the verifier compares them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from xdsl.dialects.builtin import ArrayAttr, IntegerAttr, TensorType, i64
from xdsl.ir import Attribute, SSAValue
from xdsl.irdl import result_def, traits_def
from xdsl.traits import Pure
from xdsl.utils.exceptions import VerifyException

from ...ir.index.expressions import Index, IndexLike, index
from ...ir.op import Op
from ...ir.types.dtypes import DType, dtype_of
from ...ir.types.shapes import Shape, ShapeAttr, element_of, format_shape, shape_of, tensor_type
from .mismatch import SizeMismatch
from .rules import broadcasting, result

Ints = ArrayAttr[IntegerAttr[i64]]
# The placeholder type of a result before `infer`.
_PENDING: Attribute = TensorType(i64, [])


class GraphOp(Op):
    """Base of all operations of the level: pure, with one tensor result."""

    traits = traits_def(Pure())
    result = result_def(TensorType)

    def build_from(
        self,
        operands: Sequence[SSAValue | Sequence[SSAValue]],
        properties: Mapping[str, Attribute | None] | None = None,
        result: Attribute | None = None,
    ) -> None:
        """Initialise the operation, and infer the result's type. Raises VerifyException for operands and attributes that do not
        fit."""
        super().__init__(operands=operands, properties=properties or {}, result_types=[result or _PENDING])
        inferred = self.infer()
        if result is None:
            self.results[0]._type = inferred  # pyright: ignore[reportPrivateUsage] - the result has no uses yet

    def infer(self) -> Attribute:
        """The result's type. Raises VerifyException for operands and attributes that do not fit."""
        raise NotImplementedError(self.name)

    def verify_(self) -> None:
        try:
            expected = self.infer()
        except TypeError as error:
            raise VerifyException(str(error)) from error
        if expected != self.result.type:
            raise VerifyException(f"expected a result of {expected}, got {self.result.type}")

    @property
    def shape(self) -> Shape:
        return shape_of(self.result)


def ints(values: Sequence[int]) -> Ints:
    """Convert integers to an attribute."""
    return ArrayAttr(IntegerAttr(value, i64) for value in values)


def ints_of(attribute: Ints) -> tuple[int, ...]:
    """The integers of an attribute."""
    return tuple(value.value.data for value in attribute)


def sizes(values: Sequence[IndexLike]) -> ShapeAttr:
    """Convert index expressions over parameters to an attribute."""
    return ShapeAttr(tuple(index(value) for value in values))


def element_dtype(value: SSAValue) -> DType:
    """The dtype of a tensor's elements."""
    return dtype_of(element_of(value))


def expect_rank(value: SSAValue, rank: int, what: str) -> Shape:
    """The shape of a value. Raises VerifyException unless it has `rank` axes."""
    shape = shape_of(value)
    if len(shape) != rank:
        raise VerifyException(f"{what}: expected {rank} axes, got shape {format_shape(shape)}")
    return shape


def expect_axis(axis: int, rank: int) -> int:
    """Return an axis. Raises VerifyException unless 0 <= axis < rank."""
    if not 0 <= axis < rank:
        raise VerifyException(f"axis {axis} is out of range for {rank} axes")
    return axis


def expect_axes(axes: Sequence[int], rank: int) -> tuple[int, ...]:
    """Return the axes. Raises VerifyException unless they are in range and distinct."""
    for axis in axes:
        expect_axis(axis, rank)
    if len(set(axes)) != len(axes):
        raise VerifyException(f"axes repeat in {list(axes)}")
    return tuple(axes)


def expect_count(values: Sequence[object], rank: int, what: str) -> None:
    """Raise VerifyException unless there is one entry for each axis."""
    if len(values) != rank:
        raise VerifyException(f"{what}: expected {rank} entries, got {len(values)}")


def expect_equal(left: IndexLike, right: IndexLike, message: str) -> Index:
    """The common value of two sizes. Raises SizeMismatch unless they are known to be equal."""
    if left != right:
        raise SizeMismatch(message, index(left), index(right))
    return index(left)


def expect_same_dtype(values: Sequence[SSAValue]) -> Attribute:
    """The common element type of values. Raises VerifyException if there is none."""
    elements = [element_of(value) for value in values]
    for element in elements[1:]:
        if element != elements[0]:
            raise VerifyException(f"expected operands of one dtype, got {', '.join(str(dtype_of(e)) for e in elements)}")
    return elements[0]


def expect_integers(value: SSAValue, what: str) -> None:
    """Raise VerifyException unless a tensor has integers."""
    if element_dtype(value).kind not in ("int", "uint"):
        raise VerifyException(f"{what}: expected integers, got {element_dtype(value)}")


def broadcast_shapes(shapes: Sequence[Shape]) -> Shape:
    """The common broadcast shape, aligned at the last axes: sizes are equal or 1.

    Raises SizeMismatch for sizes that are not known to be equal or 1.
    """
    return result(broadcasting(len(shapes)), shapes)


def with_shape(shape: Sequence[IndexLike], like: SSAValue) -> Attribute:
    """The tensor type of `shape` with the elements of `like`."""
    return tensor_type(shape, element_of(like))
