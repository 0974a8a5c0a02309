"""Parameters declared inline: `sw.param("w")` in a function that `sw.jit` compiles.

    @sw.jit
    def layer(x, config):
        return sw.relu(sw.compose(sw.param("w"), x) + sw.param("b", config["width"]))

A parameter is an argument of the compiled function that its caller does not give: parameters are lifted out of the function.
Sizes that are not given follow from the use. A first trace infers them: it has a free size for each axis, which unification
replaces. Inference terminates, since each step replaces one size by others. Further traces take the parameters from a dict.

Parameters have no batch axes: in an operator with a tensor, a parameter gets the size of the tensor's last axis.

Names: a function with an argument `config` is a block. Its parameters are those of the config: `L1.w` for a config with the
label "L1"; equal configs share parameters, other configs have their own. Jitted functions that are called have their own
parameters too: `a.w` for a parameter of `a`.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from types import FrameType
from typing import Any

import numpy as np
from xdsl.dialects.builtin import LocationAttr

from ...ir.index.expressions import Index, index
from ...ir.index.expressions import param as size_param
from ...ir.types.dtypes import DType
from ...ir.types.dtypes import dtype as dtype_of
from ...ir.types.shapes import Shape, tensor_type
from .sizes import Size
from .tensor import Tensor, is_number
from .tracer import Tracer, current_tracer, identifier, is_tracing

_scope: ContextVar[Scope | None] = ContextVar("parameters", default=None)
# The jitted functions, by name and from outside in, that are being called inside the function whose parameters are declared.
_inner: ContextVar[tuple[tuple[str, Any], ...]] = ContextVar("inner", default=())


class ParametersNeeded(RuntimeError):
    """A parameter is declared outside of a function that may have parameters."""

    def __init__(self, name: str):
        super().__init__(
            f"sw.param('{name}') works inside of a function that sw.jit compiles; transformations and sw.lower take its "
            "`apply`, a function of the parameters and the arguments: sw.grad(f.apply)(f.params(), x)"
        )


class MissingParameter(RuntimeError):
    """A declared parameter is not among the given ones."""

    def __init__(self, name: str, given: Sequence[str]):
        super().__init__(f"the parameter '{name}' is missing: expected it among those given, got {', '.join(given) or 'none'}")


@dataclass
class Declaration:
    """A parameter as it was first declared: the tensor in this trace, its dtype, its initial value if there is one, and the
    user's line."""

    tensor: Tensor
    sizes: Shape | None
    dtype: DType
    init: float | None
    value: Any
    place: LocationAttr


@dataclass
class Scope:
    """The parameters of a function in one trace: those `given` or, while they are inferred, those declared so far."""

    given: Mapping[str, Any] | None = None
    declared: dict[str, Declaration] = field(default_factory=dict[str, Declaration])
    blocks: list[tuple[tuple[Any, ...], str]] = field(default_factory=list[tuple[tuple[Any, ...], str]])

    def prefix(self, configs: Sequence[tuple[str, Any]]) -> str:
        """The prefix of the names in nested blocks, given from outside in by function and config; equal configs share one."""
        key = tuple(config for _, config in configs)
        for known, prefix in self.blocks:
            if _equal(known, key):
                return prefix
        wanted = "".join(f"{_label(config) or function}." for function, config in configs)
        taken = {prefix for _, prefix in self.blocks}
        number, prefix = 1, wanted
        while prefix in taken:
            prefix, number = f"{wanted.removesuffix('.')}_{number}.", number + 1
        self.blocks.append((key, prefix))
        return prefix


@contextmanager
def parameters_of(scope: Scope) -> Iterator[Scope]:
    """Declare, or take, the parameters of the function that is traced inside the block."""
    token, inner = _scope.set(scope), _inner.set(())
    try:
        yield scope
    finally:
        _scope.reset(token)
        _inner.reset(inner)


@contextmanager
def inner_function(name: str, function: Any) -> Iterator[None]:
    """Name the parameters of a jitted function that another one calls."""
    token = _inner.set((*_inner.get(), (identifier(name).strip("_"), function)))
    try:
        yield
    finally:
        _inner.reset(token)


class Parameter(Tensor):
    """A parameter. Without sizes, its shape is not known before its first use: in a product, in `compose`, or beside a tensor
    with an operator."""

    __slots__ = ("_dtype", "_found", "name")

    def __new__(cls, *args: Any, **options: Any) -> Parameter:
        return object.__new__(cls)

    def __init__(self, tracer: Tracer, name: str, element: DType, value: Any = None):
        self.tracer, self.weak = tracer, False
        self.name, self._dtype = name, element
        self._found = value

    @property
    def value(self) -> Any:
        if self._found is None:
            raise self.tracer.error(
                f"the shape of the parameter '{self.name}' is not known here: give its sizes, as in "
                f"sw.param('{self.name.rpartition('.')[2]}', 3), or use it first in `@`, in `compose`, or beside a tensor with "
                "an operator"
            )
        return self._found

    @property
    def is_known(self) -> bool:
        """Whether the shape is known."""
        return self._found is not None

    def take(self, sizes: Sequence[Index | None], met: Tensor | None = None) -> None:
        """Give the parameter a shape, with a free size for each None. Its label consists of its name and the label of the
        operand that it meets."""
        if self._found is not None:
            return
        shape: list[Index] = []
        for axis, size in enumerate(sizes):
            name = f"{identifier(self.name)}_{axis}"
            if size is None:
                self.tracer.sizes.free.add(name)
            shape.append(self.tracer.sizes.resolve(size_param(name) if size is None else size))
        self._found = _argument(self.tracer, shape, self._dtype, self.name, met)

    def _beside(self, other: Any) -> None:
        if isinstance(other, Tensor) and not (isinstance(other, Parameter) and not other.is_known):
            self.take(other.sizes[-1:], other)

    def __matmul__(self, other: Any) -> Any:
        if isinstance(other, Tensor):
            self.take((None, other.sizes[-2 if other.ndim > 1 else 0]), other)
        return super().__matmul__(other)

    def __rmatmul__(self, other: Any) -> Any:
        if isinstance(other, Tensor):
            self.take((other.sizes[-1], None), other)
        return super().__rmatmul__(other)


def _elementwise(name: str) -> Any:
    def operator(self: Parameter, other: Any) -> Any:
        self._beside(other)
        return getattr(super(Parameter, self), name)(other)

    operator.__name__ = operator.__qualname__ = name
    return operator


for _each in ("add", "sub", "mul", "truediv", "pow"):
    for _name in (f"__{_each}__", f"__r{_each}__"):
        setattr(Parameter, _name, _elementwise(_name))


def param(name: str, *sizes: Any, init: float | None = None, value: Any = None, dtype: Any = None) -> Tensor:
    """A parameter of the function that is being compiled: an array that `f.params()` lists under its name.

    `sizes` is its shape; those not given follow from the first use and from all later ones. `value` is its initial value, an
    array, a nested list or a number, and `init` the initial value of all elements; `dtype` is float32 by default. Without
    `value` and `init` they are uniform in plus or minus 1 / sqrt(inputs), where inputs is the product of all sizes except the
    first, or the only size; the name determines the numbers. The same name in the same block is the same parameter. Raises
    TypeError for wrong arguments, ShapeError where a declaration contradicts an earlier one, and RuntimeError outside of
    functions that `sw.jit` compiles.
    """
    if not isinstance(name, str) or not name.isidentifier():
        raise TypeError(f"param: expected a name as an identifier, got {name!r}")
    if value is not None and (sizes or init is not None):
        raise TypeError(f"param: '{name}': `value` has the shape and all elements, got sizes or `init` as well")
    if init is not None and not is_number(init):
        raise TypeError(f"param: '{name}': expected a number as `init`, got {init!r}")
    scope = _scope.get()
    if scope is None or not is_tracing():
        raise ParametersNeeded(name)
    tracer = current_tracer()
    tracer.expect_main()
    full = scope.prefix([*_inner.get(), *_blocks(sys._getframe(1), tracer.base)]) + name
    known = scope.declared.get(full)
    element = dtype_of(dtype) if dtype is not None else known.dtype if known is not None else dtype_of("float32")
    if value is not None:
        value = _initial_value(name, value, element)
        sizes = value.shape
    elif not element.is_float:
        raise TypeError(f"param: '{name}': expected `value` for a parameter of {element}")
    shape = _shape(name, sizes) if sizes or value is not None else None
    if known is not None:
        _expect_same(full, known, shape, element, init, value, tracer)
        return known.tensor
    tensor = _declared(scope, tracer, full, shape, element)
    scope.declared[full] = Declaration(tensor, shape, element, init, value, tracer.user_location())
    return tensor


def _initial_value(name: str, value: Any, element: DType) -> Any:
    try:
        found = np.asarray(value)
    except ValueError as error:
        raise TypeError(f"param: '{name}': expected an array, a nested list or a number as `value`: {error}") from None
    if found.dtype.kind not in "biuf":
        raise TypeError(f"param: '{name}': expected numbers as `value`, got {found.dtype}")
    return found.astype(element.numpy)


def _expect_same(
    name: str, known: Declaration, shape: Shape | None, element: DType, init: float | None, value: Any, tracer: Tracer
) -> None:
    """Raise ShapeError where a declaration contradicts the first one."""
    if shape is not None and known.sizes is not None and shape != known.sizes:
        raise tracer.error(f"the parameter '{name}' has the sizes {_listed(known.sizes)}, got {_listed(shape)}")
    if element != known.dtype:
        raise tracer.error(f"the parameter '{name}' has the dtype {known.dtype}, got {element}")
    if init is not None and init != known.init:
        raise tracer.error(f"the parameter '{name}' has {_start(known)}, got init={init}")
    if value is not None and (known.value is None or not np.array_equal(value, known.value, equal_nan=True)):
        raise tracer.error(f"the parameter '{name}' has {_start(known)}, got another `value`")


def _start(known: Declaration) -> str:
    if known.value is not None:
        return "an initial `value`"
    return f"init={known.init}" if known.init is not None else "no initial value of its own"


def _shape(name: str, sizes: Sequence[Any]) -> Shape:
    flat = sizes[0] if len(sizes) == 1 and isinstance(sizes[0], tuple | list) else sizes
    wrong = [each for each in flat if not isinstance(each, Size) and (not _is_int(each) or int(each) < 0)]
    if wrong:
        raise TypeError(f"param: '{name}': expected sizes as ints that are not negative, got {wrong[0]!r}")
    return tuple(each.index if isinstance(each, Size) else index(int(each)) for each in flat)


def _is_int(value: Any) -> bool:
    return isinstance(value, int | np.integer) and not isinstance(value, bool)


def _declared(scope: Scope, tracer: Tracer, full: str, shape: Shape | None, element: DType) -> Parameter:
    if scope.given is not None:
        if full not in scope.given:
            raise MissingParameter(full, list(scope.given))
        return Parameter(tracer, full, element, scope.given[full].value)
    found = Parameter(tracer, full, element)
    if shape is not None:
        found.take(shape)
    return found


def _argument(tracer: Tracer, shape: Sequence[Index], element: DType, name: str, met: Tensor | None) -> Any:
    """A further argument of the function that is being traced."""
    found = tracer.main.insert_arg(tensor_type(tuple(shape), element.type), len(tracer.main.args))
    beside = met.value.name_hint if met is not None else None
    found.name_hint = identifier(f"{name}_{beside}" if beside else name)
    return found


def _blocks(frame: FrameType | None, base: FrameType | None) -> list[tuple[str, Any]]:
    """The functions with an argument `config` that are running, from outside in, with their configs."""
    found: list[tuple[str, Any]] = []
    while frame is not None and frame is not base:
        code = frame.f_code
        arguments = code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]
        config = frame.f_locals.get("config") if "config" in arguments else None
        if config is not None:
            found.insert(0, (code.co_name, config))
        frame = frame.f_back
    return found


def _label(config: Any) -> str:
    """The label of a config: a string, its entry or its attribute `label`, which may be a list; empty if it has none."""
    if isinstance(config, str):
        return config
    found = config.get("label") if isinstance(config, Mapping) else getattr(config, "label", None)
    return ".".join(map(str, found)) if isinstance(found, list | tuple) else str(found or "")


def _equal(left: tuple[Any, ...], right: tuple[Any, ...]) -> bool:
    if len(left) != len(right):
        return False
    return all(a is b or (type(a) is type(b) and bool(a == b)) for a, b in zip(left, right, strict=True))


def _listed(sizes: Shape) -> str:
    return f"({', '.join(map(str, sizes))})"
