"""What modules are."""

from __future__ import annotations

from typing import Any, Protocol, TypeAlias, runtime_checkable

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
