"""Implementations of an operation for devices: traced functions, and functions of the host."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from xdsl.ir import Attribute

from ...dialects import host
from ...ir.diagnostics import did_you_mean
from ...ir.types.dtypes import DType, dtype
from ...ir.types.shapes import Shape, tensor_type
from ...runtime.host.registry import name_of
from ..tracing.sizes import Size
from ..tracing.tensor import Tensor, common_dtype, tensor_of
from ..tracing.tracer import CapturedArray, Tracer
from ..tracing.trees import flatten, is_hashable

Predicate = Callable[..., Any]


@dataclass(frozen=True, eq=False)
class Implementation:
    """The implementation of an operation for a device, None for any. `reject` says for which arguments it is skipped;
    `cache_id` returns the values that its code depends on besides dtypes, ranks and layouts."""

    device: str | None
    function: Callable[..., Any]
    reject: Predicate | None
    cache_id: Callable[..., Hashable] | None

    @property
    def label(self) -> str:
        """The device in messages."""
        return f"'{self.device}'" if self.device is not None else "any device"

    def rejects(self, values: Sequence[Any], options: Mapping[str, Any]) -> bool:
        """Whether `reject` skips the implementation for these arguments."""
        return self.reject is not None and bool(self.reject(*values, **accepted(self.reject, options)))

    def identity(self, values: Sequence[Any], options: Mapping[str, Any]) -> Hashable:
        """The value of `cache_id` for these arguments."""
        if self.cache_id is None:
            return None
        found = self.cache_id(*values, **accepted(self.cache_id, options))
        if not is_hashable(found):
            raise TypeError(f"cache_id of the implementation for {self.label}: expected a hashable value, got {found!r}")
        return found

    def result(self, call: Call) -> Any:
        """Trace the operation. Returns its result, or several in a tuple."""
        raise NotImplementedError


class Call(Protocol):
    """One traced call of an operation."""

    @property
    def name(self) -> str: ...
    @property
    def tracer(self) -> Tracer: ...
    @property
    def inputs(self) -> Sequence[Tensor]: ...
    @property
    def arguments(self) -> Sequence[Any]:
        """The arguments as the function takes them, with tensors nested in tuples, lists and dicts."""
        ...

    @property
    def options(self) -> Mapping[str, Any]: ...
    @property
    def shapes(self) -> Sequence[Shape] | None:
        """The shapes of the results, None for an operation without a rule."""
        ...

    @property
    def overwrites(self) -> Sequence[int]: ...


class TracedImplementation(Implementation):
    """A function of tensors, traced once for each combination of types and options in a program, which calls it."""

    def result(self, call: Call) -> Any:
        options = accepted(self.function, call.options)
        statics = self._positional(call, options)
        if statics is not None:
            identity = self.identity(call.inputs, call.options)
            try:
                found, tree = call.tracer.call(call.name, self.function, call.inputs, statics, identity)
            except CapturedArray:
                pass  # only the function that is being traced can take it as an argument
            else:
                return tree.unflatten(found)
        return self.function(*call.arguments, **options)

    def _positional(self, call: Call, options: Mapping[str, Any]) -> tuple[Hashable, ...] | None:
        """The options by position, as a composite takes them; None if a composite cannot take the call: with nested arguments,
        or options that are keyword-only, not hashable, or sizes known only at run time."""
        if _captures(self.function) or any(not isinstance(each, Tensor) for each in call.arguments):
            return None
        if not options:
            return ()
        bound = inspect.signature(self.function).bind(*call.arguments, **options)
        bound.apply_defaults()
        if bound.kwargs:
            return None
        rest = bound.args[len(call.arguments) :]
        # No sizes: comparing symbolic sizes in a key would decide in the trace whether they are equal.
        return rest if is_hashable(rest) and not any(isinstance(each, Size) for each in flatten(rest)[0]) else None


@dataclass(frozen=True, eq=False)
class HostImplementation(Implementation):
    """A Python function on NumPy arrays, called while the program runs. `dtypes` are those of the results: by default the
    common one of the arguments."""

    operation: str
    dtypes: Any = None

    def result(self, call: Call) -> Any:
        assert call.shapes is not None, "host functions need a rule"
        kinds = self._dtypes(call)
        types: list[Attribute] = [tensor_type(shape, kind.type) for shape, kind in zip(call.shapes, kinds, strict=True)]
        label = f"{self.operation}@{self.device or 'any'}"
        options = accepted(self.function, call.options)
        numbers = {name: value for name, value in options.items() if _is_run_time_number(value)}
        constants = {name: value for name, value in options.items() if name not in numbers}
        self._expect_constants(call, constants)
        name = name_of(label, self.function, constants, tuple(numbers))
        inputs = [*call.inputs, *(tensor_of(each, call.tracer) for each in numbers.values())]
        return tuple(call.tracer.emit_all(host.CallOp, name, inputs, types, list(call.overwrites)))

    def _expect_constants(self, call: Call, options: Mapping[str, Any]) -> None:
        """Raise ShapeError for options whose values are known only at run time: host functions get these as arguments."""
        for name, value in options.items():
            if any(isinstance(leaf, Size | Tensor) for leaf in flatten(value)[0]):
                expected = "expected a constant, a size or a number, and all else that depends on the call as arguments"
                raise call.tracer.error(f"'{call.name}': option '{name}' of a host function: {expected}, got {value!r}")

    def _dtypes(self, call: Call) -> list[DType]:
        assert call.shapes is not None, "host functions need a rule"
        count, given = len(call.shapes), self.dtypes
        if given is None:
            return [common_dtype(call.inputs, call.tracer)] * count
        if callable(given) and not isinstance(given, type | DType):
            given = given(*(each.dtype for each in call.inputs))
        kinds = list(given) if isinstance(given, tuple | list) else [given] * count
        if len(kinds) != count:
            raise call.tracer.error(f"'{call.name}': expected {count} dtypes of results for {self.label}, got {len(kinds)}")
        return [dtype(each) for each in kinds]


def accepted(function: Callable[..., Any], options: Mapping[str, Any]) -> dict[str, Any]:
    """The options for which a function has a parameter."""
    if not options:
        return {}
    parameters = inspect.signature(function).parameters
    if any(each.kind is inspect.Parameter.VAR_KEYWORD for each in parameters.values()):
        return dict(options)
    return {name: value for name, value in options.items() if name in parameters}


def expect_known(name: str, options: Mapping[str, Any], known: Sequence[str]) -> None:
    """Raise TypeError, as Python does, for an option that neither the rule nor a function of the operation has."""
    unknown = next((each for each in options if each not in known), None)
    if unknown is not None:
        raise TypeError(f"{name}() got an unexpected keyword argument '{unknown}'{did_you_mean(unknown, known)}")


def tensors_of(values: Sequence[Any], tracer: Tracer) -> list[Tensor]:
    """The arguments as tensors; numbers get the dtype that they would have as operands of the others."""
    strong = [each for each in values if hasattr(each, "dtype")]
    like = common_dtype(values, tracer) if strong and len(strong) < len(values) else None
    return [tensor_of(each, tracer, None if hasattr(each, "dtype") else like) for each in values]


def _is_run_time_number(value: Any) -> bool:
    """Whether an option is a number that differs from call to call."""
    return isinstance(value, Size) or (isinstance(value, Tensor) and not value.ndim)


def _captures(function: Callable[..., Any]) -> bool:
    """Whether a function captures tensors of a trace: a composite cannot, since it is traced separately."""
    cells = getattr(function, "__closure__", None) or ()
    return any(isinstance(_content(cell), Tensor) for cell in cells)


def _content(cell: Any) -> Any:
    try:
        return cell.cell_contents
    except ValueError:  # an empty cell
        return None
