"""Backward passes of operations: the inputs that they get, and the cotangents that they return."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from ...dialects import autodiff
from ..functions.creation import zeros_like
from ..tracing.grad_mode import differentiating
from ..tracing.tensor import Tensor, cast, tensor_of
from ..tracing.tracer import Tracer
from ..tracing.trees import Tree
from ..transforms.variables import alike, variable


class Unsaved:
    """An input that is not saved for the backward pass: it has a shape and a dtype, and no value."""

    has_elements = False

    def __init__(self, tensor: Tensor, message: str):
        self.tensor, self.message = tensor, message

    @property
    def shape(self) -> Any:
        return self.tensor.shape

    @property
    def dtype(self) -> Any:
        return self.tensor.dtype

    @property
    def ndim(self) -> int:
        return self.tensor.ndim

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__array_") and name != "__array__":
            raise AttributeError(name)
        raise self.tensor.tracer.error(self.message)

    def _value(self, *_: Any) -> Any:
        raise self.tensor.tracer.error(self.message)

    __array__ = _value
    __add__ = __radd__ = __sub__ = __rsub__ = __mul__ = __rmul__ = __truediv__ = __rtruediv__ = _value
    __matmul__ = __rmatmul__ = __pow__ = __rpow__ = __neg__ = __getitem__ = __lt__ = __gt__ = __le__ = __ge__ = _value


class Backward:
    """The backward pass of an operation: `function(g, *inputs)`, where g is the result's cotangent, or a tuple of those of all
    results, and `saved` says for each input whether the pass reads it."""

    def __init__(self, name: str, names: Sequence[str], function: Callable[..., Any], saved: Sequence[bool] | None):
        self.name, self.names, self.function, self.saved = name, names, function, saved

    def call(
        self, tracer: Tracer, inputs: Sequence[Tensor], forward: Callable[[Sequence[Tensor]], list[Tensor]]
    ) -> list[Tensor]:
        """The results of `forward(inputs)`, with this backward pass."""
        with differentiating(True):
            entered = [variable(each) if each.dtype.is_float else each for each in inputs]
            made = forward(entered)
            kept = [self._kept(number, each) for number, each in enumerate(entered)]
        floats = [number for number, each in enumerate(made) if each.dtype.is_float]
        sources = [each for each in entered if each.dtype.is_float]
        if not floats or not sources:
            return made
        with tracer.region([made[number].value.type for number in floats]) as body, differentiating(True):
            arrived = dict(zip(floats, (Tensor(tracer, each) for each in body.args), strict=True))
            cotangents = tuple(arrived.get(number) for number in range(len(made)))
            found = self._cotangents(tracer, self.function(cotangents[0] if len(made) == 1 else cotangents, *kept), entered)
            tracer.add(autodiff.YieldOp(*(tracer.current(each.value) for each in found)))
        values = [made[number] for number in floats]
        results = tracer.emit_all(autodiff.CustomOp, values, values, sources, body)
        for number, result in zip(floats, results, strict=True):
            made[number] = result
        return made

    def _kept(self, number: int, value: Tensor) -> Any:
        if self.saved is None or self.saved[number]:
            return value.tracer.emit(autodiff.SaveOp, value)
        name = self.names[number]
        message = f"'{self.name}': its backward pass reads input {name}, which is not saved: flag it in save_for_backward"
        return Unsaved(value, message)

    def _cotangents(self, tracer: Tracer, found: Any, entered: Sequence[Tensor]) -> list[Tensor]:
        """A cotangent for each float input."""
        given = tuple(found) if isinstance(found, tuple | list) else (found,)
        if len(given) != len(entered):
            raise tracer.error(
                f"'{self.name}': expected its backward pass to return {len(entered)} cotangents, one for each input, "
                f"got {len(given)}"
            )
        made: list[Tensor] = []
        for name, each, like in zip(self.names, given, entered, strict=True):
            if not like.dtype.is_float:
                if each is not None:
                    expected = "expected None as its cotangent"
                    raise tracer.error(f"'{self.name}': input {name} is {like.dtype}: {expected}, got {each!r}")
            elif each is None:
                made.append(zeros_like(like))
            else:
                value = tensor_of(each, tracer, like.dtype)
                # cotangents may have any precision, as in torch
                value = cast(value, like.dtype) if value.dtype.is_float else value
                made += alike(tracer, f"cotangent of input {name} of '{self.name}'", value, Tree(), [like])
        return made
