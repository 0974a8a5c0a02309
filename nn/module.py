"""What modules are."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol, TypeAlias, runtime_checkable

from ..frontend import public as sw

# Nested dicts of arrays, or of tensors while a function is traced.
Params: TypeAlias = dict[str, Any]


@runtime_checkable
class Module(Protocol):
    """A function of parameters and data. It holds no arrays, so that it can be a constant of a compiled function."""

    def init(self, key: int) -> Params:
        """Fresh float32 parameters, the same for the same key."""
        ...

    def __call__(self, params: Params, x: Any, /, *, key: Any = None) -> Any:
        """The module's result. Modules that draw random numbers do so when there is a key, in training that is."""
        ...


class Stateful:
    """A module that derives from this one takes a state beside the data, and hands back the next one beside its result."""


def parameter(module: object, params: Params, name: str, shape: Sequence[int]) -> Any:
    """A module's parameter, of the shape that the module says: compiled code then knows its sizes.

    Raises ValueError when it is missing or has another shape.
    """
    found = params.get(name)
    if found is None:
        raise ValueError(f"{module}: the parameter '{name}' is missing")
    value = sw.asarray(found)
    if tuple(value.shape) != tuple(shape):
        raise ValueError(f"{module}: expected '{name}' of shape {tuple(shape)}, got {tuple(value.shape)}")
    return value
