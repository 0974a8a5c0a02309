"""The tracer: appends the operations of a Python function that runs on traced tensors to a graph.

There is one for each function that is being traced; functions without tensor arguments use the `current_tracer`.
"""

from __future__ import annotations

import inspect
import re
import sys
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from types import FrameType, ModuleType
from typing import Any, NamedTuple, TypeVar

import numpy as np
from xdsl.dialects.builtin import ArrayAttr, FunctionType, LocationAttr, ModuleOp, StringAttr, UnrealizedConversionCastOp
from xdsl.dialects.func import CallOp, FuncOp, ReturnOp
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue
from xdsl.utils.exceptions import VerifyException

from ...dialects import autodiff, uop
from ...dialects.graph.base import element_dtype
from ...dialects.graph.mismatch import SizeMismatch
from ...ir.diagnostics import InternalError, ShapeError
from ...ir.functions.attributes import PARAMS
from ...ir.functions.entry import function_params, params_used
from ...ir.index.expressions import Index
from ...ir.index.simplify import Ranges
from ...ir.locations import UNKNOWN, commented
from ...ir.types.dtypes import dtype
from ...ir.types.overflow import LARGEST, can_be_array
from ...ir.types.shapes import element_of, format_shape, shape_of, tensor_type
from .comments import comment_path
from .grad_mode import differentiates, differentiating
from .sizes import Size, SizeSolver
from .source import SourceLocator, definition
from .tensor import Tensor, tensor_of
from .trees import Tree, flatten, paths

T = TypeVar("T")
_tracer: ContextVar[Tracer | None] = ContextVar("tracer", default=None)


class Captured(NamedTuple):
    """An array of an enclosing scope, kept alive because its id is the key; its copied elements; its argument."""

    array: Any
    frozen: Any
    value: SSAValue


class CapturedArray(Exception):
    """A function that is traced separately uses an array of an enclosing scope, or a parameter, which would become an argument
    of the traced function: it has to be traced inline."""


class Tracer:
    """Records the operations of a function while it runs."""

    def __init__(self, module: ModuleOp, block: Block, sizes: SizeSolver, locator: SourceLocator | None, library: ModuleType):
        """`library` has the functions that the operators and methods of tensors call."""
        self.module, self.block, self.sizes, self.locator = module, block, sizes, locator
        self.library = library
        self.base: FrameType | None = None
        # The location inside of a traced library function, which has no lines of the user.
        self.fallback: LocationAttr = UNKNOWN
        self.params: dict[str, None] = {}
        self.open = True
        # The arguments of the traced function by name: ints, which are `$params` of micro-ops, and other values.
        self.constants: dict[str, int] = {}
        self.arguments: dict[str, Any] = {}
        self.unused: set[str] = set()
        self.captured: dict[int, Captured] = {}
        # The units of sizes, if the program gives them.
        self.units: dict[SSAValue, dict[int, str]] = {}
        self.main = block
        self._visible = (block,)
        self._body: FrameType | None = None
        self._composites: dict[Hashable, tuple[FuncOp, Tree]] = {}
        self._names: set[str] = set()
        self._commented: dict[tuple[tuple[str, ...], LocationAttr], LocationAttr] = {}

    def location(self) -> LocationAttr:
        """The current position in the user's program; inside of a composite, the position in its body."""
        if self.locator is None:
            return UNKNOWN
        found = self.locator.body(self._body) if self._body is not None else self.locator.user(self.base)
        found = self.fallback if found == UNKNOWN else found
        path = comment_path()
        if not path or self._body is not None:  # a composite is shared by calls in different comments
            return found
        return self._commented.setdefault((path, found), commented(path, found))

    def error(self, message: str, reports: Sequence[str] = ()) -> ShapeError:
        """A ShapeError at the user's line, or at the traced function if none of its lines runs."""
        path = comment_path()
        message = f"{message} (in '{' / '.join(path)}')" if path else message
        return ShapeError(message, self.user_location(), reports=reports)

    def user_location(self) -> LocationAttr:
        """The user's line that is running, or the traced function if none of its lines is."""
        found = SourceLocator().user(self.base)
        return self.fallback if found == UNKNOWN else found

    def add(self, op: Operation) -> Operation:
        """Append an operation, at the user's line. Raises ShapeError after the end of the trace."""
        if not self.open:
            raise self.error("the tensor's trace has ended: return it from the traced function")
        op.location = self.location()
        self.block.add_op(op)
        return op

    def emit(self, make: Callable[..., Operation], *args: Any, **options: Any) -> Tensor:
        """Append the operation that `make` builds, as `emit_all`, and return its only result."""
        (result,) = self.emit_all(make, *args, **options)
        return result

    def emit_all(self, make: Callable[..., Operation], *args: Any, **options: Any) -> list[Tensor]:
        """Append the operation that `make` builds from the arguments, with tensors and sizes converted to IR, and return its
        results.

        Sizes that the operation needs to be equal are unified if the solver agrees. Raises ShapeError if not, and for a result
        with a negative size or with more bytes than an array can have.
        """
        op = self.settle(
            _name_of(make),
            lambda: make(*map(self._lowered, args), **{key: self._lowered(value) for key, value in options.items()}),
        )
        results = self.add(op).results
        path = comment_path()
        for result in results:
            self._expect_array(result)
            result.name_hint = identifier(path[-1]) if path else None
        for axis, size in [pair for result in results for pair in enumerate(shape_of(result))]:
            if not self.sizes.assume(size):
                raise self.error(f"'{_name_of(make)}': axis {axis} of the result would have the negative size {size}")
        return [Tensor(self, self._given(result)) for result in results]

    def _expect_array(self, value: SSAValue) -> None:
        shape, element = shape_of(value), element_dtype(value)
        # Unknown sizes may be small.
        if not can_be_array((self.sizes.hint_of(size) or 1 for size in shape), element):
            found = f"one of shape {format_shape(shape)} and dtype {element}"
            raise self.error(f"expected an array of at most {LARGEST} bytes, got {found}")

    def _given(self, value: SSAValue) -> SSAValue:
        """A new value, detached from gradients while `no_grad` is active."""
        if differentiates() or not element_dtype(value).is_float:
            return value
        return self.add(autodiff.GivenOp(value)).results[0]

    def settle(self, what: str, attempt: Callable[[], T]) -> T:
        """The result of `attempt`, after unifying the sizes that it needs to be equal. Raises ShapeError when that fails."""
        seen: set[tuple[Index, Index]] = set()
        required: set[Index] = set()
        refused: ShapeError | None = None
        while True:
            try:
                return attempt()
            except SizeMismatch as mismatch:
                # Unify all sizes that can be made equal: if the next attempt fails, it reports only the remaining ones.
                made = {(left, right) for left, right, broadcast in mismatch.pairs if self.sizes.unify(left, right, broadcast)}
                if not made:
                    raise self.error(f"'{what}': {mismatch}", mismatch.reports) from mismatch
                # Two sizes that were made equal stay equal: each attempt has fewer sizes, so that the last one succeeds.
                if made & seen:
                    raise InternalError(f"the sizes of '{what}' did not settle", self.location()) from mismatch
                seen |= made
            except uop.OutOfBounds as unproven:
                refused = refused or self._unproven(what, unproven)
                if not self._assumed_inside(unproven, required):
                    raise refused from unproven
            except (VerifyException, TypeError) as error:
                raise self.error(f"'{what}': {error}") from error

    def _unproven(self, what: str, unproven: uop.OutOfBounds) -> ShapeError:
        slack = unproven.slack
        needs = f", or sizes for which {self.sizes.given(slack)} >= 0" if slack is not None and slack.constant is None else ""
        return self.error(f"'{what}': {unproven}{needs}")

    def _assumed_inside(self, unproven: uop.OutOfBounds, required: set[Index]) -> bool:
        """Make one more assumption, true in this call, under which an index is in bounds: that a size is large enough, or else
        the value of a parameter. Returns False if there is none."""
        slack = unproven.slack
        known = self.sizes.hint_of(slack) if slack is not None else None
        if known is not None and known < 0:
            return False
        condition = slack if slack is not None else unproven.size - 1
        if condition not in required and not Ranges().nonnegative(condition):
            required.add(condition)
            if self.sizes.require(condition):
                return True
        return self.sizes.fix(unproven.params)

    def _lowered(self, value: Any) -> Any:
        if isinstance(value, Tensor):
            return self.current(value.value)
        if isinstance(value, Size | Index):
            return self.sizes.resolve(value.index if isinstance(value, Size) else value)
        if isinstance(value, tuple | list):
            return type(value)(map(self._lowered, value))
        return value

    def current(self, value: SSAValue) -> SSAValue:
        """The value with its type's sizes resolved. A trace that needs a conversion is repeated.

        Raises ShapeError for a value of a body that has ended.
        """
        place = value.owner if isinstance(value.owner, Block) else value.owner.parent
        if place not in self._visible:
            raise self.error("the tensor's function has ended, such as one passed to vmap: return the tensor from it")
        if not self.sizes.replaced:
            return value
        shape = tuple(map(self.sizes.resolve, shape_of(value)))
        if shape == shape_of(value):
            return value
        return self.add(UnrealizedConversionCastOp.get([value], [tensor_type(shape, element_of(value))])).results[0]

    def expect_main(self) -> None:
        """Raise CapturedArray inside of a composite, which cannot use arguments of the traced function."""
        if self.main not in self._visible:
            raise CapturedArray

    def capture(self, array: Any, freeze: Callable[[], Any], type: Attribute) -> SSAValue:
        """The hidden argument of the traced function for an array of an enclosing scope; `freeze` copies its elements.

        An array has one argument, however often it is used. Raises CapturedArray inside of a composite, which cannot use it.
        """
        self.expect_main()
        known = self.captured.get(id(array))
        if known is None:
            known = self.captured[id(array)] = Captured(array, freeze(), self.main.insert_arg(type, len(self.main.args)))
        return known.value

    def call(
        self,
        name: str,
        body: Callable[..., Any],
        tensors: Sequence[Tensor],
        static: tuple[Hashable, ...],
        cache_id: Hashable = None,
    ) -> tuple[tuple[Tensor, ...], Tree]:
        """Call a composite: `body(*tensors, *static)`, traced once for each combination of types, static values and
        `cache_id`. Returns the leaves of its result, and how they nest. Raises CapturedArray for a body with an array that
        becomes an argument."""
        operands = [self.current(tensor.value) for tensor in tensors]
        key = (body, tuple(value.type for value in operands), static, cache_id)
        known = self._composites.get(key)
        if known is None:
            known = self._composites[key] = self._trace_composite(name, body, operands, static)
        function, tree = known
        call = CallOp(function.sym_name.data, operands, function.function_type.outputs.data)
        call.attributes["sw.composite"] = StringAttr(name)
        return tuple(Tensor(self, self._given(result)) for result in self.add(call).results), tree

    @contextmanager
    def constant_params(self, params: Mapping[str, int]) -> Iterator[set[str]]:
        """Give `$params` of micro-ops values, inside of a function that is called with them. Yields those not used yet."""
        saved, self.unused = (self.constants, self.arguments, self.unused), set(params)
        self.constants = {**self.constants, **params}
        self.arguments = {name: value for name, value in self.arguments.items() if name not in params}
        try:
            yield self.unused
        finally:
            self.constants, self.arguments, self.unused = saved

    @contextmanager
    def region(self, types: Sequence[Attribute], isolated: bool = False) -> Iterator[Block]:
        """Append to a new block with arguments of these types, which the caller terminates and uses. Values of enclosing blocks
        are visible inside, unless it is isolated."""
        saved = self.block, self._visible, self._body
        self.block = Block(arg_types=types)
        self._visible = (self.block,) if isolated else (*self._visible, self.block)
        try:
            yield self.block
        finally:
            self.block, self._visible, self._body = saved

    def _trace_composite(
        self, name: str, body: Callable[..., Any], operands: Sequence[SSAValue], static: tuple[Hashable, ...]
    ) -> tuple[FuncOp, Tree]:
        caller = self.location()
        # Trace it differentiably: other calls of the same function may need gradients.
        with self.region([value.type for value in operands], isolated=True) as block, differentiating(True):
            self._body = sys._getframe()
            results, tree = flatten(body(*(Tensor(self, arg) for arg in block.args), *static))
            values = [self.current(tensor_of(result, self).value) for result in results]
            end = ReturnOp(*values)
            end.location = definition(body) if self.locator is not None else UNKNOWN
            block.add_op(end)
        types = [arg.type for arg in block.args], [value.type for value in values]
        function = FuncOp(self._unique(name), FunctionType.from_lists(*types), Region(block), StringAttr("private"))
        function.location = caller
        outside = [name for name in params_used(function) if name not in function_params(function)]
        if outside:  # sizes that no argument of the composite has
            function.attributes[PARAMS] = ArrayAttr(map(StringAttr, outside))
        self.module.body.block.add_op(function)
        return function, tree

    def _unique(self, name: str) -> str:
        found = next(each for each in _numbered(name) if each not in self._names)
        self._names.add(found)
        return found

    def reserve(self, name: str) -> None:
        """Reserve the name of the traced function."""
        self._names.add(name)


@contextmanager
def tracing(tracer: Tracer) -> Iterator[Tracer]:
    """Make `tracer` the current one, which functions without tensor arguments use."""
    # Skip the frames of contextlib, up to the caller, which runs the traced function.
    tracer.base = sys._getframe(2)
    token = _tracer.set(tracer)
    locate, tracer.sizes.locate = tracer.sizes.locate, lambda: SourceLocator().user(tracer.base)
    try:
        yield tracer
    finally:
        tracer.open = False
        tracer.base = None  # a frame that refers to itself would keep the arguments of the call alive
        _tracer.reset(token)
        tracer.sizes.locate = locate


def current_tracer() -> Tracer:
    """The tracer of the function that is being traced. Raises RuntimeError outside of one."""
    tracer = _tracer.get()
    if tracer is None:
        raise RuntimeError("this function works only on tensors of a jitted function: call it inside of one")
    return tracer


def is_tracing() -> bool:
    """Whether a function is being traced."""
    return _tracer.get() is not None


def accepted_keywords(fn: Callable[..., Any]) -> frozenset[str] | None:
    """The names that a function accepts as keywords; None when it accepts any, or has no signature."""
    accepted = _signature(fn)
    if accepted is None or any(each.kind is inspect.Parameter.VAR_KEYWORD for each in accepted.values()):
        return None
    return frozenset(accepted)


def positional_parameters(fn: Callable[..., Any]) -> Mapping[str, Any]:
    """The parameters whose arguments can be given by position or by name, in order, with their defaults; none for a function
    without a signature, with positional-only parameters, or with a variable number of arguments."""
    accepted = (_signature(fn) or {}).values()
    if any(each.kind in (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.POSITIONAL_ONLY) for each in accepted):
        return {}
    return {each.name: each.default for each in accepted if each.kind is inspect.Parameter.POSITIONAL_OR_KEYWORD}


def split_params(accepted: frozenset[str] | None, kwargs: Mapping[str, Any]) -> tuple[dict[str, Any], dict[str, int]]:
    """Split keywords into those that a function accepts, and others: the `$params` of its micro-ops. Raises TypeError for a
    `$param` that is not an int of Python or NumPy."""
    if accepted is None or accepted.issuperset(kwargs):
        return dict(kwargs), {}
    params = {key: value for key, value in kwargs.items() if key not in accepted}
    for key, value in params.items():
        if isinstance(value, bool | np.bool_) or not isinstance(value, int | np.integer):
            raise TypeError(
                f"got an unexpected keyword argument '{key}' (as a `$param` of micro-ops it would have to be an int, "
                f"got {value!r})"
            )
    return {key: value for key, value in kwargs.items() if key in accepted}, {key: int(params[key]) for key in params}


def named_arguments(fn: Callable[..., Any], args: Sequence[Any], kwargs: Mapping[str, Any]) -> dict[str, Any]:
    """The arguments of a call by the names of the function's parameters, with defaults."""
    try:
        bound = inspect.signature(fn).bind(*args, **kwargs)
    except (TypeError, ValueError):
        return dict(kwargs)  # a callable without a signature, or a call that raises
    bound.apply_defaults()
    return {**bound.arguments, **kwargs}


def leaf_names(fn: Callable[..., Any], args: Sequence[Any], kwargs: Mapping[str, Any]) -> list[str]:
    """A name for each leaf of a call's arguments: that of the parameter, and the path of the leaf inside of it."""
    labelled = [*zip(labels(fn, len(args)), args, strict=True), *kwargs.items()]
    return [path for label, value in labelled for path in paths(value, label)]


def expect_dtypes(fn: Callable[..., Any], tree: Tree, leaves: Sequence[Any]) -> None:
    """Raise TypeError, with the argument's name, for an array of an unsupported dtype among the leaves of a call."""
    args, kwargs = tree.unflatten(leaves)
    for name, leaf in zip(leaf_names(fn, args, kwargs), leaves, strict=True):
        if hasattr(leaf, "dtype"):
            try:
                dtype(leaf.dtype)
            except TypeError as error:
                raise TypeError(f"argument '{name}': {error}") from error


def labels(fn: Callable[..., Any], count: int) -> list[str]:
    """The names of the first `count` positional parameters."""
    accepted = _signature(fn) or {}
    named = [key for key, each in accepted.items() if each.kind in (each.POSITIONAL_ONLY, each.POSITIONAL_OR_KEYWORD)]
    return [named[k] if k < len(named) else f"arg{k}" for k in range(count)]


def _signature(fn: Callable[..., Any]) -> Mapping[str, inspect.Parameter] | None:
    try:
        return inspect.signature(fn).parameters
    except (TypeError, ValueError):
        return None  # some callables written in C have none


def _name_of(make: Callable[..., Any]) -> str:
    """The user-visible name of an operation."""
    return str(getattr(make, "name", getattr(make, "__name__", "operation"))).removeprefix("graph.")


def identifier(text: str) -> str:
    """The name of a value, from a text: xDSL removes digits after the last "_" of a name."""
    cleaned = re.sub(r"\W", "_", text, flags=re.ASCII)
    cleaned = cleaned if re.match(r"[A-Za-z_]", cleaned) else f"_{cleaned}"
    return f"arg{cleaned}" if re.fullmatch(r"(?:_\d+)+", cleaned) else cleaned


def _numbered(name: str) -> Iterator[str]:
    yield name
    number = 1
    while True:
        yield f"{name}_{number}"
        number += 1
