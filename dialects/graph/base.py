"""What all operations of the graph level share: one result, whose type follows from the operands and attributes.

Each operation states its shape rule once, as `infer`. The constructor takes the result's type from it and the verifier
compares with it.
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

Ints = ArrayAttr[IntegerAttr[i64]]
# What a result has until `infer` has said its type.
_PENDING: Attribute = TensorType(i64, [])


class SizeMismatch(VerifyException):
    """Two sizes that must be equal and are not known to be.

    Whoever builds the graph may know more about the sizes than their expressions tell: it can make `left` and `right`
    equal and try again. With `broadcast`, one of them being 1 would do as well.
    """

    def __init__(self, message: str, left: Index, right: Index, broadcast: bool = False):
        super().__init__(message)
        self.left, self.right, self.broadcast = left, right, broadcast


class GraphOp(Op):
    """Base of all operations of the level: free of side effects, one tensor result."""

    traits = traits_def(Pure())
    result = result_def(TensorType)

    def build_from(
        self,
        operands: Sequence[SSAValue | Sequence[SSAValue]],
        properties: Mapping[str, Attribute | None] | None = None,
        result: Attribute | None = None,
    ) -> None:
        """Initialise the operation with the result's type inferred. Raises VerifyException where it cannot be."""
        super().__init__(operands=operands, properties=properties or {}, result_types=[result or _PENDING])
        inferred = self.infer()
        if result is None:
            self.results[0]._type = inferred  # pyright: ignore[reportPrivateUsage] - nobody has seen the result yet

    def infer(self) -> Attribute:
        """The result's type. Raises VerifyException when the operands or attributes do not fit."""
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
    """Integers as an attribute."""
    return ArrayAttr(IntegerAttr(value, i64) for value in values)


def ints_of(attribute: Ints) -> tuple[int, ...]:
    """The integers in an attribute."""
    return tuple(value.value.data for value in attribute)


def sizes(values: Sequence[IndexLike]) -> ShapeAttr:
    """Index expressions over parameters as an attribute."""
    return ShapeAttr(tuple(index(value) for value in values))


def element_dtype(value: SSAValue) -> DType:
    """The dtype of a tensor's elements."""
    return dtype_of(element_of(value))


def expect_rank(value: SSAValue, rank: int, what: str) -> Shape:
    """The shape of a value that must have `rank` axes."""
    shape = shape_of(value)
    if len(shape) != rank:
        raise VerifyException(f"{what}: expected {rank} axes, got shape {format_shape(shape)}")
    return shape


def expect_axis(axis: int, rank: int) -> int:
    """An axis that must be below the rank."""
    if not 0 <= axis < rank:
        raise VerifyException(f"axis {axis} is out of range for {rank} axes")
    return axis


def expect_axes(axes: Sequence[int], rank: int) -> tuple[int, ...]:
    """Axes that must be below the rank and different from each other."""
    for axis in axes:
        expect_axis(axis, rank)
    if len(set(axes)) != len(axes):
        raise VerifyException(f"axes repeat in {list(axes)}")
    return tuple(axes)


def expect_count(values: Sequence[object], rank: int, what: str) -> None:
    """A list that must have one entry for each axis."""
    if len(values) != rank:
        raise VerifyException(f"{what}: expected {rank} entries, got {len(values)}")


def expect_equal(left: IndexLike, right: IndexLike, message: str) -> Index:
    """The size that two sizes have in common. Raises SizeMismatch unless they are known to be equal."""
    if left != right:
        raise SizeMismatch(message, index(left), index(right))
    return index(left)


def expect_same_dtype(values: Sequence[SSAValue]) -> Attribute:
    """The element type that all values must have."""
    elements = [element_of(value) for value in values]
    for element in elements[1:]:
        if element != elements[0]:
            raise VerifyException(f"expected operands of one dtype, got {', '.join(str(dtype_of(e)) for e in elements)}")
    return elements[0]


def expect_integers(value: SSAValue, what: str) -> None:
    """A tensor that must hold integers."""
    if element_dtype(value).kind not in ("int", "uint"):
        raise VerifyException(f"{what}: expected integers, got {element_dtype(value)}")


def broadcast_shapes(shapes: Sequence[Shape]) -> Shape:
    """The shape that all given ones broadcast to, aligned at their last axes: sizes are equal or 1.

    Raises SizeMismatch for sizes of which neither is known.
    """
    result: list[Index] = [index(1)] * max((len(shape) for shape in shapes), default=0)
    for shape in shapes:
        for axis, size in enumerate(shape, start=len(result) - len(shape)):
            if result[axis] == 1:
                result[axis] = size
            elif size not in (1, result[axis]):
                listed = " and ".join(format_shape(each) for each in shapes)
                raise SizeMismatch(f"shapes {listed} do not broadcast", result[axis], size, broadcast=True)
    return tuple(result)


def with_shape(shape: Sequence[IndexLike], like: SSAValue) -> Attribute:
    """The tensor type of `shape` with the elements of `like`."""
    return tensor_type(shape, element_of(like))
