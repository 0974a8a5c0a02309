"""The protocol of modules."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol, TypeAlias, runtime_checkable

from ..frontend import public as sw

# Nested dicts of arrays, or of tensors during a trace.
Params: TypeAlias = dict[str, Any]


@runtime_checkable
class Module(Protocol):
    """A function of parameters and data. It contains no arrays, so that it can be a constant of a compiled function."""

    def init(self, key: int) -> Params:
        """New float32 parameters, determined by the key."""
        ...

    def __call__(self, params: Params, x: Any, /, *, key: Any = None) -> Any:
        """The module's result. A `key`, given in training, enables random behaviour such as dropout."""
        ...


class Stateful:
    """Base of modules that take a state besides the data, and return the next state besides the result."""


def parameter(module: object, params: Params, name: str, shape: Sequence[int]) -> Any:
    """A module's parameter, checked to have the shape that the module defines: its sizes are then constants in compiled code.

    Raises ValueError if it is missing or has another shape.
    """
    found = params.get(name)
    if found is None:
        raise ValueError(f"{module}: the parameter '{name}' is missing")
    value = sw.asarray(found)
    if tuple(value.shape) != tuple(shape):
        raise ValueError(f"{module}: expected '{name}' of shape {tuple(shape)}, got {tuple(value.shape)}")
    return value
