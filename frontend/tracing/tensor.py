"""The tensors that a traced function works with; those outside of it, which derive from them, are in `lazy.py`.

A `Tensor` stands for a value of the graph. Operators and methods follow the Python array API and NumPy: operands broadcast and
take their common dtype. Python numbers are weak: they take the dtype of the tensor beside them, but a float beside integers
gives `default_float` of them (float64 for int64, float32 for the others), and an int beside bools gives int64. Sizes, and what
functions of one element make of numbers and sizes alone, are weak too: `x / sqrt(x.shape[-1])` has the dtype of x.
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
from .public_names import EXPORTS
from .sizes import Size, SizeLike, size_of
from .trees import flatten

if TYPE_CHECKING:
    from .tracer import Tracer

# Tensors, sizes and numbers, and arrays, which may be of any library.
TensorLike: TypeAlias = Any
# Arrays with more elements become arguments of the compiled function instead of part of its text.
MAX_CONSTANT = 1024
_WEAK: Mapping[type, DType] = MappingProxyType({bool: BOOL, int: INT64, float: FLOAT64})


def _operator(name: str, reflected: bool = False) -> Callable[[Any, Any], Tensor]:
    def operator(self: Any, other: Any) -> Tensor:
        if not is_operand(other):
            return NotImplemented
        function = getattr(self.library, name)
        return function(other, self) if reflected else function(self, other)

    operator.__name__ = operator.__qualname__ = name
    return operator


def _method(name: str) -> Callable[..., Any]:
    def method(self: Any, *args: Any, **kwargs: Any) -> Any:
        return getattr(self.library, name)(self, *args, **kwargs)

    method.__name__ = method.__qualname__ = name
    method.__doc__ = f"The function `{name}` of this tensor."
    return method


class Tensor:
    """A tensor with `shape`, `dtype` and `ndim`: of a program that is being traced, or, as `Tensor(array)`, outside of one."""

    __slots__ = ("tracer", "value", "weak")
    # NumPy arrays leave operators with a Tensor to it; NumPy's functions ask `__array__` for elements.
    __array_priority__ = 1000.0
    # Whether a tensor stands outside of traces, and has elements to look at.
    has_elements: ClassVar[bool] = False
    # The subclass that `Tensor(array)` makes, which is defined above this level.
    _of_arrays: ClassVar[type[Tensor] | None] = None

    def __new__(cls, *args: Any, **options: Any) -> Tensor:
        # As pathlib.Path does, the class makes what fits: an array alone becomes a tensor outside of traces.
        if cls is not Tensor or len(args) != 1:
            return object.__new__(cls)
        assert Tensor._of_arrays is not None, "`frontend/lazy.py` is loaded with the public class"
        return object.__new__(Tensor._of_arrays)

    def __init_subclass__(cls) -> None:
        Tensor._of_arrays = cls

    def __init__(self, tracer: Tracer, value: SSAValue, weak: bool = False):
        """`weak` marks what was computed from numbers and sizes alone: like them it takes the dtype of tensors beside it."""
        self.tracer, self.value, self.weak = tracer, value, weak

    @property
    def library(self) -> Any:
        """What has the functions that operators and methods call."""
        return self.tracer.library

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
        return self.library.permute_dims(self, tuple(reversed(range(self.ndim))))

    @property
    def mT(self) -> Tensor:
        """The last two axes exchanged."""
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
        raise self._unknown("use sw.where(condition, a, b) in the place of `if`, and & | ~ in that of `and`, `or` and `not`")

    def __float__(self) -> float:
        raise self._unknown('use sw.astype(x, "float32") in the place of float(x), and sw.exp(x) in that of math.exp(x)')

    def __int__(self) -> int:
        raise self._unknown('use sw.astype(x, "int64") in the place of int(x)')

    def __index__(self) -> int:
        raise self._unknown("shapes and ranges are made of sizes, as x.shape[0]; sw.take(x, i) reads at tensors")

    def __contains__(self, value: Any) -> bool:
        raise self._unknown("use sw.any(x == value) in the place of `value in x`")

    def _unknown(self, advice: str) -> Exception:
        return self.tracer.error(f"the value of a traced tensor is not known: {advice}")

    def __getitem__(self, key: Any) -> Tensor:
        return self.library.getitem(self, key)

    def __setitem__(self, key: Any, value: Any) -> None:
        raise TypeError(
            "a tensor cannot be written to: sw.scatter(x, index, updates) and sw.where(mask, updates, x) give one with other "
            "elements"
        )

    def astype(self, to: Any) -> Tensor:
        """The elements as another dtype."""
        return self.library.astype(self, to)

    def __array__(self, *args: Any, **options: Any) -> None:
        raise self.tracer.error(
            "a traced tensor has no elements yet: use stepwell's functions in the place of NumPy's, as sw.exp(x) for np.exp(x)"
        )

    def __array_function__(self, function: Callable[..., Any], _types: Any, args: Any, kwargs: Any) -> Any:
        """NumPy's own functions say which one of the library to use; shapes and ranks are known."""
        name = function.__name__
        if name in ("shape", "ndim", "size") and len(args) == 1 and not kwargs:
            return getattr(args[0], name)
        ours = f"sw.{name}" if name in EXPORTS else "stepwell's functions"
        called = f"{function.__module__}.{name}".replace("numpy", "np", 1)
        raise self.tracer.error(f"a traced tensor has no elements yet: use {ours} in the place of {called}")

    def item(self) -> None:
        raise self._unknown("item() works on results only")

    # Operators and methods that only call a function of the library.

    __add__, __radd__ = _operator("add"), _operator("add", reflected=True)
    __sub__, __rsub__ = _operator("subtract"), _operator("subtract", reflected=True)
    __mul__, __rmul__ = _operator("multiply"), _operator("multiply", reflected=True)
    __truediv__, __rtruediv__ = _operator("divide"), _operator("divide", reflected=True)
    __floordiv__, __rfloordiv__ = _operator("floor_divide"), _operator("floor_divide", reflected=True)
    __mod__, __rmod__ = _operator("remainder"), _operator("remainder", reflected=True)
    __pow__, __rpow__ = _operator("pow"), _operator("pow", reflected=True)
    __matmul__, __rmatmul__ = _operator("matmul"), _operator("matmul", reflected=True)
    __and__, __rand__ = _operator("bitwise_and"), _operator("bitwise_and", reflected=True)
    __or__, __ror__ = _operator("bitwise_or"), _operator("bitwise_or", reflected=True)
    __xor__, __rxor__ = _operator("bitwise_xor"), _operator("bitwise_xor", reflected=True)
    __lshift__, __rlshift__ = _operator("bitwise_left_shift"), _operator("bitwise_left_shift", reflected=True)
    __rshift__, __rrshift__ = _operator("bitwise_right_shift"), _operator("bitwise_right_shift", reflected=True)
    __eq__ = _operator("equal")  # pyright: ignore[reportAssignmentType, reportIncompatibleMethodOverride] - gives a tensor
    __ne__ = _operator("not_equal")  # pyright: ignore[reportAssignmentType, reportIncompatibleMethodOverride] - gives a tensor
    __lt__ = _operator("less")
    __le__ = _operator("less_equal")
    __gt__ = _operator("greater")
    __ge__ = _operator("greater_equal")
    __hash__ = object.__hash__
    __neg__ = _method("negative")
    __pos__ = _method("positive")
    __abs__ = _method("abs")
    __invert__ = _method("bitwise_invert")
    sum = _method("sum")
    prod = _method("prod")
    max = _method("max")
    min = _method("min")
    mean = _method("mean")
    var = _method("var")
    std = _method("std")
    any = _method("any")
    all = _method("all")
    argmax = _method("argmax")
    argmin = _method("argmin")
    cumsum = _method("cumsum")
    cumprod = _method("cumprod")
    reshape = _method("reshape")
    transpose = _method("transpose")
    squeeze = _method("squeeze")
    take = _method("take")
    repeat = _method("repeat")
    clip = _method("clip")
    round = _method("round")
    dot = _method("dot")
    flatten = _method("flatten")
    swapaxes = _method("swapaxes")
    diagonal = _method("diagonal")
    trace = _method("trace")


def is_operand(value: Any) -> bool:
    """Whether a value can stand beside a tensor."""
    return isinstance(value, Tensor | Size | bool | int | float) or hasattr(value, "dtype")


def is_number(value: Any) -> bool:
    """Whether a value is a Python number. NumPy's float64 derives from float, but has a dtype to be kept."""
    return isinstance(value, bool | int | float) and not hasattr(value, "dtype")


def is_weak(value: Any) -> bool:
    """Whether a value takes the dtype of the tensors beside it: a number, a size, or what was computed from those."""
    return value.weak if isinstance(value, Tensor) else not hasattr(value, "dtype")


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
    if is_number(value):
        return Tensor(tracer, _scalar(value, tracer, like).value, weak=like is None)
    if isinstance(value, Size):
        result = Tensor(tracer, _size_tensor(value.index, tracer).value, weak=True)
        return result if like is None else cast(result, like)
    return _array(value, tracer)


def common_dtype(values: Sequence[TensorLike], tracer: Tracer) -> DType:
    """The dtype that operands take together."""
    strong = [dtype(value.dtype) for value in values if not is_weak(value)]
    weak = [_weak_dtype(value, tracer) for value in values if is_weak(value)]
    if not strong:
        found = reduce(promote, weak)
        return FLOAT32 if found == FLOAT64 and not any(isinstance(value, Tensor) for value in values) else found
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
    if isinstance(value, Tensor):
        return value.dtype
    if isinstance(value, Size):
        return INT64
    found = _WEAK.get(type(value)) or next((known for kind, known in _WEAK.items() if isinstance(value, kind)), None)
    if found is None:
        raise tracer.error(f"expected a tensor, an array or a number, got {type(value).__name__}")
    return found


def number_of(value: float | int | bool, target: DType, tracer: Tracer) -> FloatAttr | IntegerAttr:
    """A number as an attribute. Raises ShapeError for anything else, and for one that an integer dtype does not hold."""
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
    """A size as an int64 tensor. What may be negative, as `(n - 3) floordiv 2`, is computed from what is not.

    Raises ShapeError for a size that int64 does not hold.
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
    """Whether a size, and all that it divides by, are known not to be negative."""
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
    # Divided by 0, sizes are 0 (`ir/index/expressions.py`).
    zero, one = _size_tensor(index(0), tracer), _size_tensor(index(1), tracer)
    by_zero = map_("eq", rhs, zero)
    return map_("select", by_zero, zero, map_(atom.op, lhs, map_("select", by_zero, one, rhs)))


def _array(value: Any, tracer: Tracer) -> Tensor:
    """An array of the program's surroundings, frozen as it is now: a constant when it is small, else a hidden argument."""
    import numpy as np

    from ...runtime.boundary.arrays import is_torch, to_numpy

    _expect_no_tree(value, tracer)
    try:
        array = to_numpy(value.cpu() if is_torch(value) else value)
    except ValueError as error:  # a nested list whose parts differ in length
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
    """Raise ShapeError for a list or a tuple of traced tensors, which have no elements to make an array of."""
    if isinstance(value, list | tuple) and any(type(leaf) is Tensor for leaf in flatten(value)[0]):
        expected = "lists are trees of arrays, which sw.stack or sw.concat joins to one"
        raise tracer.error(f"expected a tensor, got a {type(value).__name__} of tensors: {expected}")


def _is_splat(array: Any) -> bool:
    """Whether all elements are the same to the bit: 0 and -0 differ, NaN does not differ from itself."""
    return array.tobytes() == array.flat[0].tobytes() * array.size
