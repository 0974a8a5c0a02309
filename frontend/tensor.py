"""The tensors that a traced function works with.

A `Tensor` stands for a value of the graph. Operators and methods follow the Python array API and NumPy: operands broadcast and
take their common dtype. Python numbers are weak: they take the dtype of the tensor beside them, but a float beside integers
gives `default_float` of them (float64 for int64, float32 for the others), and an int beside bools gives int64.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import reduce
from typing import TYPE_CHECKING, Any, TypeAlias

from xdsl.dialects.builtin import DenseIntOrFPElementsAttr, TensorType
from xdsl.ir import SSAValue

from ..dialects import graph_elementwise as elementwise
from ..dialects.graph_base import element_dtype
from ..ir.dtypes import BOOL, FLOAT32, FLOAT64, INT64, DType, dtype, promote
from ..ir.index import Index
from ..ir.shapes import Shape, format_shape, shape_of, tensor_type
from ..ir.simplify import Ranges
from ..ir.values import number
from .sizes import Size, SizeLike, size_of

if TYPE_CHECKING:
    from .tracing import Tracer

# Tensors, sizes and numbers, and arrays, which may be of any library.
TensorLike: TypeAlias = Any
# Arrays with more elements become arguments of the compiled function instead of part of its text.
MAX_CONSTANT = 1024
_WEAK: dict[type, DType] = {bool: BOOL, int: INT64, float: FLOAT64}


def _functions() -> Any:
    """The library's functions, which are written with Tensor and so come after it."""
    from . import functions

    return functions


class Tensor:
    """A tensor of a program that is being traced, with `shape`, `dtype` and `ndim`."""

    __slots__ = ("tracer", "value")
    # NumPy arrays leave operators with a Tensor to it.
    __array_ufunc__ = None

    def __init__(self, tracer: Tracer, value: SSAValue):
        self.tracer, self.value = tracer, value

    @property
    def sizes(self) -> Shape:
        """The shape as index expressions."""
        return tuple(map(self.tracer.sizes.resolve, shape_of(self.value)))

    @property
    def shape(self) -> tuple[SizeLike, ...]:
        """The shape; sizes that are known only at run time are `Size`."""
        return tuple(size_of(size, self.tracer.sizes) for size in self.sizes)

    @property
    def dtype(self) -> DType:
        return element_dtype(self.value)

    @property
    def ndim(self) -> int:
        return len(shape_of(self.value))

    @property
    def size(self) -> SizeLike:
        """The number of elements."""
        return reduce(lambda a, b: a * b, self.shape, 1)

    @property
    def T(self) -> Tensor:
        """The axes reversed."""
        return _functions().permute_dims(self, tuple(reversed(range(self.ndim))))

    @property
    def mT(self) -> Tensor:
        """The last two axes exchanged."""
        return _functions().matrix_transpose(self)

    def __repr__(self) -> str:
        return f"Tensor(shape={format_shape(self.sizes)}, dtype={self.dtype})"

    def __len__(self) -> int:
        if not self.ndim:
            raise TypeError("a tensor of rank 0 has no length")
        return int(self.shape[0])

    def __iter__(self):
        if not self.ndim:
            raise TypeError("a tensor of rank 0 cannot be iterated over")
        return (self[k] for k in range(len(self)))

    def __bool__(self) -> bool:
        raise self.tracer.error(
            "the value of a traced tensor is not known: use where() in the place of `if`, and & | ~ for logic"
        )

    __float__ = __int__ = __index__ = __bool__

    def __getitem__(self, key: Any) -> Tensor:
        return _functions().getitem(self, key)

    def astype(self, to: Any) -> Tensor:
        """The elements as another dtype."""
        return cast(self, dtype(to))

    def item(self) -> None:
        raise self.tracer.error("the value of a traced tensor is not known: item() works on results only")


def _operator(name: str, reflected: bool = False) -> Callable[[Tensor, Any], Tensor]:
    def operator(self: Tensor, other: Any) -> Tensor:
        if not is_operand(other):
            return NotImplemented
        function = getattr(_functions(), name)
        return function(other, self) if reflected else function(self, other)

    operator.__name__ = operator.__qualname__ = name
    return operator


def _method(name: str) -> Callable[..., Any]:
    def method(self: Tensor, *args: Any, **kwargs: Any) -> Any:
        return getattr(_functions(), name)(self, *args, **kwargs)

    method.__name__ = method.__qualname__ = name
    method.__doc__ = f"The function `{name}` of this tensor."
    return method


_OPERATORS = {
    "add": "add", "sub": "subtract", "mul": "multiply", "truediv": "divide", "floordiv": "floor_divide", "mod": "remainder",
    "pow": "pow", "matmul": "matmul", "and": "bitwise_and", "or": "bitwise_or", "xor": "bitwise_xor",
    "lshift": "bitwise_left_shift", "rshift": "bitwise_right_shift",
}  # fmt: skip
_COMPARISONS = {
    "eq": "equal", "ne": "not_equal", "lt": "less", "le": "less_equal", "gt": "greater", "ge": "greater_equal",
}  # fmt: skip
_UNARY = {"neg": "negative", "pos": "positive", "abs": "abs", "invert": "bitwise_invert"}
_METHODS = (
    "sum", "prod", "max", "min", "mean", "var", "std", "any", "all", "argmax", "argmin", "cumsum", "cumprod", "reshape",
    "transpose", "squeeze", "take", "repeat", "clip", "round", "dot", "flatten", "swapaxes", "diagonal", "trace",
)  # fmt: skip


def _complete(kind: type[Tensor]) -> None:
    """Give the class the operators and methods that only call a function."""
    for name, function in _OPERATORS.items():
        setattr(kind, f"__{name}__", _operator(function))
        setattr(kind, f"__r{name}__", _operator(function, reflected=True))
    for name, function in _COMPARISONS.items():
        setattr(kind, f"__{name}__", _operator(function))
    for name, function in _UNARY.items():
        setattr(kind, f"__{name}__", _method(function))
    for name in _METHODS:
        setattr(kind, name, _method(name))


_complete(Tensor)


def is_operand(value: Any) -> bool:
    """Whether a value can stand beside a tensor."""
    return isinstance(value, Tensor | Size | bool | int | float) or hasattr(value, "dtype")


def default_float(given: DType) -> DType:
    """The dtype in which a function of floats computes numbers of dtype `given`: float64 for int64, float32 for the others."""
    if given.is_float:
        return given
    return FLOAT64 if given == INT64 else FLOAT32


def tensor_of(value: TensorLike, tracer: Tracer, like: DType | None = None) -> Tensor:
    """A tensor, array, number or size as a tensor of the trace. Numbers take the dtype `like`, else that of array creation."""
    if isinstance(value, Tensor):
        if value.tracer is not tracer:
            raise tracer.error("a tensor of another trace: pass it as an argument")
        return value
    if isinstance(value, bool | int | float):
        return _scalar(value, tracer, like)
    if isinstance(value, Size):
        result = _size_tensor(value.index, tracer)
        return result if like is None else cast(result, like)
    return _array(value, tracer)


def common_dtype(values: Sequence[TensorLike], tracer: Tracer) -> DType:
    """The dtype that operands take together."""
    strong = [dtype(value.dtype) for value in values if hasattr(value, "dtype")]
    weak = [_weak_dtype(value, tracer) for value in values if not hasattr(value, "dtype")]
    if not strong:
        found = reduce(promote, weak)
        return FLOAT32 if found == FLOAT64 else found
    found = reduce(promote, strong)
    for each in weak:
        if each.is_float and not found.is_float:
            found = default_float(found)
        elif each == INT64 and found == BOOL:
            found = INT64
    return found


def harmonise(values: Sequence[TensorLike], tracer: Tracer, to: DType | None = None) -> list[Tensor]:
    """The operands as tensors of one dtype: `to`, or the one they take together."""
    target = to or common_dtype(values, tracer)
    return [cast(tensor_of(value, tracer, target), target) for value in values]


def cast(value: Tensor, to: DType) -> Tensor:
    """The elements as another dtype."""
    return value if value.dtype == to else value.tracer.emit(elementwise.CastOp, value, to.type)


def map_(function: str, *values: Tensor) -> Tensor:
    """A scalar function of tensors of one dtype, with broadcasting."""
    return values[0].tracer.emit(elementwise.ELEMENTWISE[function], *values)


def _weak_dtype(value: Any, tracer: Tracer) -> DType:
    if isinstance(value, Size):
        return INT64
    found = _WEAK.get(type(value)) or next((known for kind, known in _WEAK.items() if isinstance(value, kind)), None)
    if found is None:
        raise tracer.error(f"expected a tensor, an array or a number, got {type(value).__name__}")
    return found


def _scalar(value: float | int | bool, tracer: Tracer, like: DType | None) -> Tensor:
    given = _weak_dtype(value, tracer)
    target = like or (FLOAT32 if given == FLOAT64 else given)
    if given == INT64 and target.kind in ("int", "uint") and not target.lowest <= value <= target.highest:
        raise tracer.error(f"the number {value} is out of range for {target}")
    return tracer.emit(elementwise.ConstantOp, number(value, target.type), tensor_type((), target.type))


def _size_tensor(size: Index, tracer: Tracer) -> Tensor:
    """A size as an int64 tensor. What may be negative is the difference of two parts that are not."""
    if Ranges().nonnegative(size):
        return tracer.emit(elementwise.SizeOp, size)
    plus = Index([(monomial, factor) for monomial, factor in size.terms if factor > 0])
    minus = Index([(monomial, -factor) for monomial, factor in size.terms if factor < 0])
    if not (Ranges().nonnegative(plus) and Ranges().nonnegative(minus)):
        raise tracer.error(f"the sign of {size} is not known: it cannot become a tensor")
    return map_("sub", tracer.emit(elementwise.SizeOp, plus), tracer.emit(elementwise.SizeOp, minus))


def _array(value: Any, tracer: Tracer) -> Tensor:
    """An array of the program's surroundings: a constant when it is small, else a hidden argument."""
    import numpy as np

    array = value.detach().cpu().numpy() if hasattr(value, "detach") else np.asarray(value)
    try:
        found = dtype(array.dtype)
    except TypeError as error:
        raise tracer.error(f"expected a tensor, an array or a number, got {type(value).__name__} ({error})") from error
    type_ = tensor_type(array.shape, found.type)
    if array.size > MAX_CONSTANT:
        return Tensor(tracer, tracer.capture(value, type_))
    if array.size and (array.ndim == 0 or (array == array.flat[0]).all()):
        return tracer.emit(elementwise.ConstantOp, number(array.flat[0].item(), found.type), type_)
    assert isinstance(type_, TensorType), "arrays have static sizes"
    values = DenseIntOrFPElementsAttr.from_list(
        type_, array.astype(np.float64 if found.is_float else array.dtype).ravel().tolist()
    )
    return tracer.emit(elementwise.ConstantOp, values, type_)
