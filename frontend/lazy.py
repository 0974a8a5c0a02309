"""Tensors outside of jitted functions: lazy expressions, compiled and run when their elements are needed.

A `LazyTensor` holds an array, or one output of a `Call` of a library function. Shapes, dtypes and errors are found when the
call is recorded. To compute a tensor, its calls become a `Program`, which is compiled as a jitted function. Expressions of one
structure share their code, whatever their elements, and for as many sizes as calls of one jitted function would.

In a loop, expressions of two iterations have calls in common. A tensor that was computed inside an earlier expression becomes
an output of the next expression that needs it, and is kept: each iteration computes only its own calls, with the code of the
iteration before. A chain of `_LONGEST_CHAIN` calls whose elements are not read is computed as a whole number of iterations, so
that its code is reused.

`lazily` makes the public form of a library function: inside of a trace it is the function itself, outside it records a call. A
call that takes a user's function is computed at once, since variables of that function may change later.
"""

from __future__ import annotations

import functools
import operator
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

import numpy as np
from xdsl.dialects.builtin import LocationAttr, ModuleOp
from xdsl.ir import Block, SSAValue

from ..ir.index.expressions import index
from ..ir.types.dtypes import DType
from ..ir.types.dtypes import dtype as dtype_from
from ..ir.types.shapes import Shape, tensor_type
from ..runtime.boundary.arrays import is_torch, to_numpy
from . import functions
from .jit import Jitted
from .lowered.notebook import tensor_html
from .tracing.complex_tensors import Complex, is_complex, is_complex_array, separated
from .tracing.sizes import SizeSolver
from .tracing.source import SourceLocator
from .tracing.tensor import Tensor, TensorLike, is_number, tensor_of
from .tracing.tracer import Tracer, current_tracer, expect_dtypes, is_tracing, tracing
from .tracing.trees import Tree, exact, flatten, map_nodes

_MOST_PROGRAMS = 1024
_LONGEST_CHAIN = 128


class LazyTensor(Tensor):
    """A tensor outside of a trace. `numpy()`, `item()`, NumPy's functions and printing compute it, once."""

    __slots__ = ("_array", "_call", "_dtype", "_output", "_shape", "_units")
    has_elements = True

    def __init__(self, array: Any, dtype: Any = None):
        """Copy a NumPy array, a torch tensor, a nested list or a number. Raises TypeError for anything that is not an array of
        a supported dtype, and for a tensor on another device."""
        found = to_numpy(array)
        if is_complex_array(found):
            raise TypeError(f"unsupported dtype '{found.dtype}': sw.asarray makes a complex tensor of complex arrays")
        wanted = dtype_from(found.dtype if dtype is None else dtype)
        dtype_from(found.dtype)
        self._hold(found.astype(wanted.numpy))
        self._shape, self._dtype, self.weak, self._units = found.shape, wanted, False, {}

    @classmethod
    def of(cls, call: Call, output: int, result: Tensor) -> LazyTensor:
        """Output number `output` of a call; `result` is its tensor in a trace with constant sizes."""
        made = object.__new__(cls)
        made._array, made._call, made._output = None, call, output
        made._shape, made._dtype, made.weak = tuple(map(int, result.shape)), result.dtype, result.weak
        made._units = result.tracer.units.get(result.value, {})
        return made

    @property
    def shape(self) -> tuple[int, ...]:
        """The shape."""
        return self._shape

    @property
    def dtype(self) -> DType:
        return self._dtype

    @property
    def ndim(self) -> int:
        return len(self._shape)

    @property
    def sizes(self) -> Shape:
        return tuple(map(index, self._shape))

    @property
    def library(self) -> Any:
        """The functions in their public form."""
        return _PUBLIC

    # Inside of a trace, a lazy tensor is a captured array.

    @property
    def tracer(self) -> Tracer:
        """The tracer of the function that is being traced. Raises RuntimeError outside of one."""
        return current_tracer()

    @property
    def value(self) -> SSAValue:
        """The elements, captured, as a value of the function that is being traced."""
        return tensor_of(self.numpy(), current_tracer()).value

    def numpy(self) -> Any:
        """The elements as a read-only NumPy array, computed if necessary.

        Raises CompileError as a jitted function would, and IndexError and ZeroDivisionError with the line of the call.
        """
        if self._array is None:
            self._hold(self._computed())
        return self._array

    def compiled(self) -> Jitted:
        """The compiled function of the expression, with one argument for each array in it, shared by all expressions of the
        structure; its `stats()` count their compiles and calls. Raises ValueError when the tensor is computed already."""
        return _compiled(self._expression()[0])

    def item(self) -> Any:
        """The only element as a Python number. Raises ValueError unless there is exactly one."""
        return self.numpy().item()

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Any:
        return np.array(self.numpy(), dtype=dtype, copy=copy)

    def __dlpack__(self, **options: Any) -> Any:
        """The elements for other libraries: `np.from_dlpack(t)` shares the memory, which is read-only; others may copy."""
        return self.numpy().__dlpack__(**options)

    def __dlpack_device__(self) -> tuple[int, int]:
        return self.numpy().__dlpack_device__()

    def __format__(self, spec: str) -> str:
        """As NumPy: a tensor without axes is formatted as a number. Raises TypeError for a format of one with axes."""
        return format(self.item(), spec) if self.ndim == 0 and spec else format(self.numpy(), spec) if spec else str(self)

    def __array_function__(self, function: Callable[..., Any], _types: Any, args: Any, kwargs: Any) -> Any:
        """Apply NumPy's own function to the elements."""
        leaves, tree = flatten((args, kwargs))
        args, kwargs = tree.unflatten([leaf.numpy() if isinstance(leaf, LazyTensor) else leaf for leaf in leaves])
        return function(*args, **kwargs)

    def __reduce__(self) -> tuple[Any, ...]:
        """A copy is a tensor of the same elements."""
        return LazyTensor, (self.numpy(),)

    def __bool__(self) -> bool:
        return bool(self.item())

    def __contains__(self, value: Any) -> bool:
        return value in self.numpy()

    def __float__(self) -> float:
        return float(self.item())

    def __int__(self) -> int:
        return int(self.item())

    def __index__(self) -> int:
        return operator.index(self.item())

    def __repr__(self) -> str:
        return f"Tensor({np.array2string(self.numpy(), separator=', ', prefix='Tensor(')}, dtype={self.dtype})"

    def _repr_html_(self) -> str:
        """The elements as a table, for notebooks."""
        return tensor_html(self.numpy(), self.dtype)

    def _hold(self, array: Any) -> None:
        """Store the elements, and drop the call that computed them."""
        array.flags.writeable = False
        self._array, self._call, self._output = array, None, 0

    def _computed(self) -> Any:
        call = self._call
        assert call is not None, "a tensor without elements is the output of a call"
        calls = list(_in_order(call))
        repeated = [each for each in _repeated(calls) if each is not self]
        program, arrays = _expression(calls, [self, *repeated])
        try:
            results = _compiled(program)(*arrays)
        except (IndexError, ZeroDivisionError):
            # The shared code may stem from an equal expression on other lines: recompile, so that the error names this
            # expression's lines.
            _compiled.__wrapped__(program)(*arrays)
            raise
        for each in calls:
            each.is_known = True
        first, *others = results if repeated else (results,)
        for tensor, array in zip(repeated, others, strict=True):
            tensor._hold(array)
        return first

    def _expression(self) -> tuple[Program, list[Any]]:
        if self._call is None:
            raise ValueError("the tensor holds its elements: there is nothing to compile")
        return _expression(list(_in_order(self._call)), [self])


@dataclass(eq=False)
class Call:
    """A recorded call of a library function, with the leaves of `(args, kwargs)`, and its location. `is_known` says whether it
    was computed inside an expression; `length` is the number of calls before it in the longest chain that is not computed."""

    function: Callable[..., Any]
    tree: Tree
    leaves: tuple[Any, ...]
    location: LocationAttr
    is_known: bool = False
    length: int = field(init=False)

    def __post_init__(self) -> None:
        self.length = max((call.length + 1 for call in self.before()), default=0)

    def before(self) -> Iterator[Call]:
        """The calls not computed yet whose outputs are operands of this one."""
        return (leaf._call for leaf in self.leaves if isinstance(leaf, LazyTensor) and leaf._call is not None)


@dataclass(frozen=True)
class Input:
    """An array of an expression; `weak` is as for tensors."""

    number: int
    weak: bool


@dataclass(frozen=True)
class Result:
    """An output of an earlier step."""

    step: int
    output: int


@dataclass(frozen=True)
class Constant:
    """Any other argument; `key` identifies it."""

    key: Hashable
    value: Any = field(compare=False)


@dataclass(frozen=True)
class Step:
    """A call without its data."""

    function: Callable[..., Any]
    tree: Tree
    leaves: tuple[Input | Result | Constant, ...]
    location: LocationAttr = field(compare=False)


@dataclass(frozen=True)
class Program:
    """The structure of an expression: its steps, and which outputs of them are its results."""

    steps: tuple[Step, ...]
    results: tuple[Result, ...]

    def run(self, inputs: Sequence[Tensor]) -> Any:
        """Trace the steps, each at the line of its call. Returns the result, or a list of several."""
        tracer = current_tracer()
        made: list[list[Any]] = []
        for step in self.steps:
            tracer.fallback = step.location
            args, kwargs = step.tree.unflatten([_value(leaf, inputs, made) for leaf in step.leaves])
            made.append(flatten(step.function(*args, **kwargs))[0])
        results = [made[each.step][each.output] for each in self.results]
        return results[0] if len(results) == 1 else results


def lazily(function: Callable[..., Any], *, at_once: bool = False) -> Callable[..., Any]:
    """The public form of a function on traced tensors: outside of a trace it returns lazy tensors.

    With `at_once`, or when an argument is a function, they are computed immediately.
    """

    @functools.wraps(function)
    def called(*args: Any, **kwargs: Any) -> Any:
        leaves, tree = flatten((args, kwargs))
        if in_trace(leaves):
            return function(*args, **kwargs)
        if any(map(is_complex_array, leaves)):
            args, kwargs = tree.unflatten([map_nodes(_lazy_pair, separated(leaf)) for leaf in leaves])
            return called(*args, **kwargs)
        try:
            operands = tuple(LazyTensor(leaf) if isinstance(leaf, np.ndarray) or is_torch(leaf) else leaf for leaf in leaves)
        except TypeError:
            expect_dtypes(function, tree, leaves)
            raise
        call = Call(function, tree, operands, SourceLocator().innermost())
        if call.length >= _LONGEST_CHAIN and call.length % _period(call) == 0:
            _cut(call)
        results = _record(call)
        if at_once or any(callable(leaf) and not isinstance(leaf, type | DType) for leaf in leaves):
            _compute(call, [each for each in flatten(results)[0] if isinstance(each, LazyTensor)])
        return results

    return called


def in_trace(leaves: Sequence[Any]) -> bool:
    """Whether to trace a function of these arguments inline: a trace is open, or they are tensors of one."""
    return is_tracing() or any(isinstance(leaf, Tensor) and not isinstance(leaf, LazyTensor) for leaf in leaves)


def asarray(x: TensorLike, dtype: Any = None) -> Tensor:
    """Convert an array, nested list or number to a tensor, in its own dtype unless one is given. Outside of a trace it is a
    copy. Raises TypeError for an unsupported dtype."""
    if is_tracing() or is_number(x) or isinstance(x, Tensor) or is_complex(x):
        return lazily(functions.asarray)(x, dtype)
    return LazyTensor(x, dtype)


def _lazy_pair(pair: Complex) -> Complex:
    return Complex(LazyTensor(pair.real), LazyTensor(pair.imag))


@functools.cache
def public(name: str) -> Callable[..., Any]:
    """A function of the library in its public form. Raises AttributeError for an unknown name."""
    if name in ("asarray", "array"):
        return asarray
    made = lazily(getattr(functions, name))
    return _exactly(name, made) if name in _EXACT else made


def _nonzero(x: Any, *, fill_value: Any = None) -> Any:
    return np.nonzero(x)


def _unique(x: Any, *, fill_value: Any = None, **wanted: Any) -> Any:
    return np.unique(x, **wanted)


# Functions whose results have a size that depends on the elements. Outside of traces NumPy computes them at once.
_EXACT: Mapping[str, Callable[..., Any]] = MappingProxyType({"nonzero": _nonzero, "unique": _unique})


def _exactly(name: str, with_size: Callable[..., Any]) -> Callable[..., Any]:
    """The public form of a function of `_EXACT`, which needs a size inside of traces only."""

    @functools.wraps(with_size)
    def called(x: Any, /, *, size: int | None = None, **options: Any) -> Any:
        if size is not None or in_trace([x]):
            return with_size(x, size=size, **options)
        found = _EXACT[name](np.asarray(asarray(x)), **options)
        return tuple(map(asarray, found)) if isinstance(found, tuple) else asarray(found)

    return called


class _Public:
    def __getattr__(self, name: str) -> Callable[..., Any]:
        return public(name)


_PUBLIC = _Public()


def _record(call: Call) -> Any:
    """The outputs of a call. Raises ShapeError, at the call's line, for operands that the function does not allow."""
    operands = [leaf for leaf in call.leaves if isinstance(leaf, LazyTensor)]
    block = Block(arg_types=[tensor_type(each.shape, each.dtype.type) for each in operands])
    tracer = Tracer(ModuleOp([]), block, SizeSolver(), None, functions)
    tracer.fallback = call.location
    with tracing(tracer):
        values = iter(block.args)
        tracer.units |= {value: each._units for value, each in zip(block.args, operands, strict=True) if each._units}
        leaves = [Tensor(tracer, next(values), leaf.weak) if isinstance(leaf, LazyTensor) else leaf for leaf in call.leaves]
        args, kwargs = call.tree.unflatten(leaves)
        results, tree = flatten(call.function(*args, **kwargs))
    outputs = [LazyTensor.of(call, k, each) if isinstance(each, Tensor) else each for k, each in enumerate(results)]
    return tree.unflatten(outputs)


def _compute(call: Call, results: Sequence[LazyTensor]) -> None:
    """Compute all results of a call, with code that is not shared."""
    calls = list(_in_order(call))
    computed = [*results, *_repeated(calls)]
    program, arrays = _expression(calls, computed)
    arrays = _compiled.__wrapped__(program)(*arrays)
    for each in calls:
        each.is_known = True
    for tensor, array in zip(computed, arrays if len(computed) > 1 else [arrays], strict=True):
        tensor._hold(array)


def _repeated(calls: Sequence[Call]) -> list[LazyTensor]:
    """The tensors that calls of an expression would compute again, and that new calls use."""
    leaves = (leaf for call in calls if not call.is_known for leaf in call.leaves if isinstance(leaf, LazyTensor))
    return list(dict.fromkeys(leaf for leaf in leaves if leaf._call is not None and leaf._call.is_known))


def _period(call: Call) -> int:
    """The number of calls in an iteration of the loop that makes a chain: those since the same call on the same line; 1 if
    there is none."""
    steps, current = 1, _longest(call)
    while current is not None:
        if current.location == call.location and current.function is call.function:
            return steps
        steps, current = steps + 1, _longest(current)
    return 1


def _longest(call: Call) -> Call | None:
    """The previous call in the longest chain."""
    return max(call.before(), key=lambda each: each.length, default=None)


def _cut(call: Call) -> None:
    """Compute the operands of a call."""
    for leaf in call.leaves:
        if isinstance(leaf, LazyTensor):
            leaf.numpy()
    call.length = 0


def _expression(calls: Sequence[Call], results: Sequence[LazyTensor]) -> tuple[Program, list[Any]]:
    """The structure of the expression of some calls, in order, and its arrays."""
    inputs: dict[LazyTensor, int] = {}
    numbers: dict[Call, int] = {}
    steps: list[Step] = []
    for call in calls:
        numbers[call] = len(steps)
        leaves = tuple(_described(leaf, inputs, numbers) for leaf in call.leaves)
        steps.append(Step(call.function, call.tree, leaves, call.location))
    outputs = (Result(numbers[each._call], each._output) for each in results if each._call is not None)
    return Program(tuple(steps), tuple(outputs)), [each.numpy() for each in inputs]


@functools.lru_cache(maxsize=_MOST_PROGRAMS)
def _compiled(program: Program) -> Jitted:
    """The compiled function that all expressions of one structure share."""

    def expression(*inputs: Tensor) -> Any:
        return program.run(inputs)

    return Jitted(expression)


def _in_order(last: Call) -> Iterator[Call]:
    """The calls that `last` depends on and itself, each once, in topological order."""
    done: set[Call] = set()
    pending = [last]
    while pending:
        call = pending[-1]
        missing = [] if call in done else [each for each in call.before() if each not in done]
        if missing:
            pending += missing
            continue
        pending.pop()
        if call not in done:
            done.add(call)
            yield call


def _described(leaf: Any, inputs: dict[LazyTensor, int], numbers: dict[Call, int]) -> Input | Result | Constant:
    if not isinstance(leaf, LazyTensor):
        return Constant(_key(leaf), leaf)
    if leaf._call is not None:
        return Result(numbers[leaf._call], leaf._output)
    return Input(inputs.setdefault(leaf, len(inputs)), leaf.weak)


def _key(value: Any) -> Hashable:
    """The cache key of a constant. Slices are hashable only since Python 3.12."""
    return exact((slice, value.start, value.stop, value.step) if isinstance(value, slice) else value)


def _value(leaf: Input | Result | Constant, inputs: Sequence[Tensor], made: Sequence[Sequence[Any]]) -> Any:
    if isinstance(leaf, Constant):
        return leaf.value
    if isinstance(leaf, Result):
        return made[leaf.step][leaf.output]
    given = inputs[leaf.number]
    return Tensor(given.tracer, given.value, leaf.weak)
