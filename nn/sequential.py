"""Composition of modules."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from .keys import fold_in
from .module import Module, Params, Stateful

Layer = Module | Callable[[Any], Any]


@dataclass(frozen=True, init=False)
class Sequential:
    """Applies layers one after the other. A layer is a module, or a function of one tensor such as `sw.relu`.

    The parameters of layer k have the key "k". Each layer gets its own key for random numbers. Raises TypeError for a layer
    with a state, which it does not pass on.
    """

    layers: tuple[Layer, ...]

    def __init__(self, *layers: Layer):
        wrong = [layer for layer in layers if isinstance(layer, Stateful) or not callable(layer)]
        if wrong:
            raise TypeError(f"Sequential: expected functions, and modules without a state, got {wrong[0]!r}")
        object.__setattr__(self, "layers", layers)

    def init(self, key: int) -> Params:
        modules = [(number, layer) for number, layer in enumerate(self.layers) if isinstance(layer, Module)]
        found = {str(number): layer.init(fold_in(key, number)) for number, layer in modules}
        return {number: params for number, params in found.items() if params}

    def __call__(self, params: Params, x: Any, /, *, key: Any = None) -> Any:
        for number, layer in enumerate(self.layers):
            if not isinstance(layer, Module):
                x = layer(x)
                continue
            own = None if key is None else fold_in(key, number)
            x = layer(params.get(str(number), {}), x, key=own)
        return x
