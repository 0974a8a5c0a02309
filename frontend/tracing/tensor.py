"""The tensors of a traced function; their subclass for tensors outside of traces is in `lazy.py`.

A `Tensor` is a value of the graph. Operators and methods follow the Python array API and NumPy: operands broadcast and are cast
to their common dtype. Python numbers are weak: they are cast to the dtype of the other operands, except that a float with
integers gives the integers' `default_float` (float64 for int64, float32 for other dtypes), and an int with bools gives int64.
Sizes are weak too, and so are results of elementwise functions of numbers and sizes only: `x / sqrt(x.shape[-1])` has the dtype
of x.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial, reduce
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, ClassVar, TypeAlias

from xdsl.dialects.builtin import DenseIntOrFPElementsAttr, FloatAttr, IntegerAttr
from xdsl.ir import SSAValue

from ...dialects.graph import elementwise
from ...dialects.graph.base import element_dtype
from ...ir.index.expressions import Apply, Atom, Index, index, of_atom
from ...ir.index.simplify import Ranges
from ...ir.scalars.attributes import number
from ...ir.types.dtypes import BOOL, FLOAT32, FLOAT64, INT64, DType, dtype, promote
from ...ir.types.shapes import Shape, format_shape, shape_of, tensor_type
from .operators import Operators
from .public_names import EXPORTS
from .sizes import Size, SizeLike, size_of
from .trees import flatten

if TYPE_CHECKING:
    from .tracer import Tracer

# Tensors, sizes, numbers, and arrays of any library.
TensorLike: TypeAlias = Any
# Captured arrays with more elements become arguments of the compiled function instead of constants in its IR.
MAX_CONSTANT = 1024
_WEAK: Mapping[type, DType] = MappingProxyType({bool: BOOL, int: INT64, float: FLOAT64})


class Tensor(Operators):
    """A tensor with `shape`, `dtype` and `ndim`: a value of a program that is being traced, or, as `Tensor(array)`, one outside
    of traces."""

    __slots__ = ("tracer", "value", "weak")
    # NumPy arrays defer operators to a Tensor; NumPy's functions call `__array__` for elements.
    __array_priority__ = 1000.0
    # Whether the tensor is outside of traces and has elements.
    has_elements: ClassVar[bool] = False
    # The subclass of `Tensor(array)`, which is defined in a higher layer.
    _of_arrays: ClassVar[type[Tensor] | None] = None

    def __new__(cls, *args: Any, **options: Any) -> Tensor:
        # Like pathlib.Path, construct the subclass that fits: an array alone becomes a tensor outside of traces.
        if cls is not Tensor or len(args) != 1:
            return object.__new__(cls)
        assert Tensor._of_arrays is not None, "`frontend/lazy.py` is loaded with the public class"
        return object.__new__(Tensor._of_arrays)

    def __init_subclass__(cls) -> None:
        if cls.has_elements:
            Tensor._of_arrays = cls

    def __init__(self, tracer: Tracer, value: SSAValue, weak: bool = False):
        """`weak` marks results computed from numbers and sizes only: they are cast to the dtype of other operands."""
        self.tracer, self.value, self.weak = tracer, value, weak

    @property
    def library(self) -> Any:
        """The functions that operators and methods call."""
        return self.tracer.library

    @property
    def sizes(self) -> Shape:
        """The shape as index expressions."""
        return tuple(map(self.tracer.sizes.resolve, shape_of(self.value)))

    @property
    def shape(self) -> tuple[SizeLike, ...]:
        """The shape; sizes known only at run time are `Size`."""
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
        """The tensor with its axes reversed."""
        return self.library.permute_dims(self, tuple(reversed(range(self.ndim))))

    @property
    def mT(self) -> Tensor:
        """The tensor with its last two axes exchanged."""
        return self.library.matrix_transpose(self)

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
        raise self._unknown("use sw.where(condition, a, b) instead of `if`, and & | ~ instead of `and`, `or` and `not`")

    def __float__(self) -> float:
        raise self._unknown('use sw.astype(x, "float32") instead of float(x), and sw.exp(x) instead of math.exp(x)')

    def __int__(self) -> int:
        raise self._unknown('use sw.astype(x, "int64") instead of int(x)')

    def __index__(self) -> int:
        raise self._unknown("use sizes such as x.shape[0] for shapes and ranges, and sw.take(x, i) to index by tensors")

    def __contains__(self, value: Any) -> bool:
        raise self._unknown("use sw.any(x == value) instead of `value in x`")

    def _unknown(self, advice: str) -> Exception:
        return self.tracer.error(f"the value of a traced tensor is not known: {advice}")

    def __getitem__(self, key: Any) -> Tensor:
        return self.library.getitem(self, key)

    def __setitem__(self, key: Any, value: Any) -> None:
        raise TypeError(
            "tensors are immutable: use sw.scatter(x, index, updates) or sw.where(mask, updates, x) for a new tensor"
        )

    def astype(self, to: Any) -> Tensor:
        """The elements as another dtype."""
        return self.library.astype(self, to)

    def __array__(self, *args: Any, **options: Any) -> None:
        raise self.tracer.error(
            "a traced tensor has no elements yet: use stepwell's functions instead of NumPy's, such as sw.exp(x) for np.exp(x)"
        )

    def __array_function__(self, function: Callable[..., Any], _types: Any, args: Any, kwargs: Any) -> Any:
        """Raise ShapeError that names the library's equivalent of NumPy's function; shape, ndim and size are known."""
        name = function.__name__
        if name in ("shape", "ndim", "size") and len(args) == 1 and not kwargs:
            return getattr(args[0], name)
        ours = f"sw.{name}" if name in EXPORTS else "stepwell's functions"
        called = f"{function.__module__}.{name}".replace("numpy", "np", 1)
        raise self.tracer.error(f"a traced tensor has no elements yet: use {ours} instead of {called}")

    def item(self) -> None:
        raise self._unknown("item() works on results only")


def is_number(value: Any) -> bool:
    """Whether a value is a Python number. NumPy's float64 derives from float, but has a dtype that is kept."""
    return isinstance(value, bool | int | float) and not hasattr(value, "dtype")


def is_weak(value: Any) -> bool:
    """Whether a value is cast to the dtype of other operands: a number, a size, or a result computed only from these."""
    return value.weak if isinstance(value, Tensor) else not hasattr(value, "dtype")


def default_float(given: DType) -> DType:
    """The dtype in which floating-point functions compute operands of dtype `given`: float64 for int64, float32 for other
    integers and bool, and floats' own."""
    if given.is_float:
        return given
    return FLOAT64 if given == INT64 else FLOAT32


def tensor_of(value: TensorLike, tracer: Tracer, like: DType | None = None) -> Tensor:
    """Convert a tensor, array, number or size to a tensor of the trace. Numbers get the dtype `like`, by default that of array
    creation. Raises ShapeError for anything else and for tensors of other traces."""
    if isinstance(value, Tensor):
        if value.tracer is not tracer:
            raise tracer.error("the tensor belongs to another trace: pass it as an argument")
        return value
    if is_number(value):
        return Tensor(tracer, _scalar(value, tracer, like).value, weak=like is None)
    if isinstance(value, Size):
        result = Tensor(tracer, _size_tensor(value.index, tracer).value, weak=True)
        return result if like is None else cast(result, like)
    return _array(value, tracer)


def common_dtype(values: Sequence[TensorLike], tracer: Tracer) -> DType:
    """The common dtype of operands."""
    strong = [dtype(value.dtype) for value in values if not is_weak(value)]
    weak = [_weak_dtype(value, tracer) for value in values if is_weak(value)]
    if not strong:
        found = reduce(promote, weak)
        return FLOAT32 if found == FLOAT64 and not any(isinstance(value, Tensor) for value in values) else found
    try:
        found = reduce(promote, strong)
    except TypeError as error:
        raise tracer.error(str(error)) from error
    for each in weak:
        if each.is_float and not found.is_float:
            found = default_float(found)
        elif each == INT64 and found == BOOL:
            found = INT64
    return found


def harmonise(values: Sequence[TensorLike], tracer: Tracer, to: DType | None = None) -> list[Tensor]:
    """Convert operands to tensors of one dtype: `to`, or their common one."""
    target = to or common_dtype(values, tracer)
    return [cast(tensor_of(value, tracer, target), target) for value in values]


def cast(value: Tensor, to: DType) -> Tensor:
    """The elements as another dtype."""
    return value if value.dtype == to else value.tracer.emit(elementwise.CastOp, value, to.type)


def map_(function: str, *values: Tensor) -> Tensor:
    """Apply a scalar function to tensors of one dtype, with broadcasting."""
    return values[0].tracer.emit(elementwise.ELEMENTWISE[function], *values)


def _weak_dtype(value: Any, tracer: Tracer) -> DType:
    if isinstance(value, Tensor):
        return value.dtype
    if isinstance(value, Size):
        return INT64
    found = _WEAK.get(type(value)) or next((known for kind, known in _WEAK.items() if isinstance(value, kind)), None)
    if found is None:
        raise tracer.error(f"expected a tensor, an array or a number, got {type(value).__name__}")
    return found


def number_of(value: float | int | bool, target: DType, tracer: Tracer) -> FloatAttr | IntegerAttr:
    """Convert a number to an attribute. Raises ShapeError for anything else, and for one out of range of an integer dtype."""
    if not hasattr(value, "__float__"):
        raise tracer.error(f"expected a number, got {value!r}")
    if target.kind in ("int", "uint") and not target.lowest <= value <= target.highest:
        raise tracer.error(f"the number {value} is out of range for {target}")
    return number(value, target.type)


def _scalar(value: float | int | bool, tracer: Tracer, like: DType | None) -> Tensor:
    given = _weak_dtype(value, tracer)
    target = like or (FLOAT32 if given == FLOAT64 else given)
    return tracer.emit(elementwise.ConstantOp, number_of(value, target, tracer), tensor_type((), target.type))


def _size_tensor(size: Index, tracer: Tracer) -> Tensor:
    """A size as an int64 tensor. Parts that may be negative, as `(n - 3) floordiv 2`, are computed by elementwise operations.

    Raises ShapeError for a size out of range of int64.
    """
    known = tracer.sizes.hint_of(size)
    if known is not None and not INT64.lowest <= known <= INT64.highest:
        raise tracer.error(f"the number {known}, from sizes, is out of range for int64")
    if _is_natural(size):
        return tracer.emit(elementwise.SizeOp, size)
    minus = Index([(monomial, -factor) for monomial, factor in size.terms if factor < 0])
    if minus != 0:
        return map_("sub", _size_tensor(size + minus, tracer), _size_tensor(minus, tracer))
    total: list[Tensor] = []
    for monomial, factor in size.terms:
        factors = [] if factor == 1 and monomial else [_size_tensor(index(factor), tracer)]
        total.append(reduce(partial(map_, "mul"), [*factors, *(_atom_tensor(atom, tracer) for atom in monomial)]))
    return reduce(partial(map_, "add"), total)


def _is_natural(size: Index) -> bool:
    """Whether a size and all of its divisors are known to be non-negative."""
    inside = [atom for monomial, _ in size.terms for atom in monomial if isinstance(atom, Apply)]
    if any(atom.op in ("floordiv", "mod") and not Ranges().nonnegative(atom.rhs) for atom in inside):
        return False
    return Ranges().nonnegative(size) and all(_is_natural(side) for atom in inside for side in (atom.lhs, atom.rhs))


def _atom_tensor(atom: Atom, tracer: Tracer) -> Tensor:
    """An atom of a size as an int64 tensor."""
    if not isinstance(atom, Apply) or _is_natural(of_atom(atom)):
        return _size_tensor(of_atom(atom), tracer)
    lhs, rhs = _size_tensor(atom.lhs, tracer), _size_tensor(atom.rhs, tracer)
    if atom.op in ("min", "max") or Ranges().nonnegative(atom.rhs - 1):
        return map_(atom.op, lhs, rhs)
    # Division of sizes by 0 gives 0 (`ir/index/expressions.py`).
    zero, one = _size_tensor(index(0), tracer), _size_tensor(index(1), tracer)
    by_zero = map_("eq", rhs, zero)
    return map_("select", by_zero, zero, map_(atom.op, lhs, map_("select", by_zero, one, rhs)))


def _array(value: Any, tracer: Tracer) -> Tensor:
    """A captured array, copied now: a constant when it is small, else a hidden argument."""
    import numpy as np

    from ...runtime.boundary.arrays import expect_no_gradient, is_torch, to_numpy

    _expect_no_tree(value, tracer)
    try:
        expect_no_gradient(value, "a tensor that the function captures")
    except TypeError as error:
        raise tracer.error(str(error)) from error
    try:
        array = to_numpy(value.cpu() if is_torch(value) else value)
    except ValueError as error:  # a nested list with entries of different lengths
        raise tracer.error(f"expected a tensor, an array or a number, got {type(value).__name__} ({error})") from error
    try:
        found = dtype(array.dtype)
    except TypeError as error:
        raise tracer.error(f"expected a tensor, an array or a number, got {type(value).__name__} ({error})") from error
    type_: Any = tensor_type(array.shape, found.type)
    if array.size > MAX_CONSTANT:
        freeze = value.detach().clone if is_torch(value) else array.copy
        return Tensor(tracer, tracer.capture(value, freeze, type_))
    if array.size and _is_splat(array):
        return tracer.emit(elementwise.ConstantOp, number(array.flat[0].item(), found.type), type_)
    values = DenseIntOrFPElementsAttr.from_list(
        type_, array.astype(np.float64 if found.is_float else array.dtype).ravel().tolist()
    )
    return tracer.emit(elementwise.ConstantOp, values, type_)


def _expect_no_tree(value: Any, tracer: Tracer) -> None:
    """Raise ShapeError for a list or tuple of traced tensors, which cannot be converted to an array."""
    if isinstance(value, list | tuple) and any(type(leaf) is Tensor for leaf in flatten(value)[0]):
        expected = "join them with sw.stack or sw.concat"
        raise tracer.error(f"expected a tensor, got a {type(value).__name__} of tensors: {expected}")


def _is_splat(array: Any) -> bool:
    """Whether all elements are equal bit by bit: 0 and -0 differ, NaN equals itself."""
    return array.tobytes() == array.flat[0].tobytes() * array.size
