"""Functions with parameters that are declared inline (`tracing/parameters.py`): their inference, initial values and calls."""

from __future__ import annotations

import zlib
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from ..ir.diagnostics import ShapeError
from ..runtime.boundary.arrays import is_torch, to_numpy
from .calls.traced import trace
from .tracing.parameters import Declaration, MissingParameter, Scope, parameters_of
from .tracing.sizes import SizeSolver
from .tracing.specs import Spec
from .tracing.trees import flatten

if TYPE_CHECKING:
    from .jit import Jitted

Array = Any


class Parameterised:
    """A jitted function that declares parameters: `values` has the parameters by name, and `apply` is the function of the
    parameters and the arguments."""

    def __init__(self, jitted: Jitted):
        function = jitted.function

        def apply(params: Mapping[str, Any], *args: Any, **kwargs: Any) -> Any:
            if not isinstance(params, Mapping):
                raise TypeError(f"apply: expected a dict of the parameters as first argument, got {params!r}")
            with parameters_of(Scope(params)):
                return function(*args, **kwargs)

        self.function = function
        self.values: dict[str, Array] = {}
        self.apply = type(jitted)(apply, jitted.target, jitted.static)

    def __call__(self, args: Sequence[Any], kwargs: Mapping[str, Any]) -> Any:
        """Run on the current parameters; new parameters are inferred from the arguments."""
        try:
            return self.apply(self.values, *args, **kwargs)
        except MissingParameter:
            self._infer(args, kwargs)
        return self.apply(self.values, *args, **kwargs)

    def _infer(self, args: Sequence[Any], kwargs: Mapping[str, Any]) -> None:
        leaves, tree = flatten((tuple(args), dict(kwargs)))
        specs = [_spec(leaf) if hasattr(leaf, "dtype") else leaf for leaf in leaves]
        positional, named = tree.unflatten(specs)
        solver, scopes = SizeSolver(), list[Scope]()

        def infer(*args: Any, **kwargs: Any) -> Any:
            scopes.append(Scope())
            with parameters_of(scopes[-1]):
                return self.function(*args, **kwargs)

        infer.__name__ = getattr(self.function, "__name__", "function")
        infer.__wrapped__ = self.function  # pyright: ignore[reportFunctionMemberAccess]
        trace(infer, positional, named, sizes=solver)
        for name, each in scopes[-1].declared.items():
            if name not in self.values:
                self.values[name] = _initial(name, each, solver)


def _spec(array: Any) -> Spec:
    return Spec.static(to_numpy(array) if is_torch(array) else array)


def _initial(name: str, declared: Declaration, solver: SizeSolver) -> Array:
    """The initial value. Raises ShapeError for a shape that the program does not determine."""
    if declared.value is not None:
        return declared.value
    sizes = [solver.resolve(size) for size in declared.tensor.sizes]
    unknown = next((axis for axis, size in enumerate(sizes) if size.constant is None), None)
    if unknown is not None:
        raise ShapeError(
            f"the program does not determine the size of axis {unknown} of the parameter '{name}', of {len(sizes)} axes: give "
            f"the sizes in sw.param('{name.rpartition('.')[2]}', ...)",
            declared.place,
        )
    shape = [int(size.constant or 0) for size in sizes]
    if declared.init is not None:
        return np.full(shape, declared.init, declared.dtype.numpy)
    inputs = np.prod(shape[1:] or shape, dtype=float)
    bound = 1 / np.sqrt(max(inputs, 1.0))
    drawn = np.random.default_rng(zlib.crc32(name.encode())).uniform(-bound, bound, shape)
    return drawn.astype(declared.dtype.numpy)
