"""Convolutions and poolings of everyday networks, each also with its gradients, for Stepwell and torch."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import stepwell as sw

Array = Any


@dataclass(frozen=True)
class Convolution:
    """A convolution of `inputs` (batch, channels, sizes) with `outputs` filters of size `window`."""

    inputs: tuple[int, ...]
    outputs: int
    window: tuple[int, ...]
    options: Mapping[str, Any] = field(default_factory=dict[str, Any])
    transposed: bool = False
    gradient: bool = False

    @property
    def name(self) -> str:
        kind = "transposed " if self.transposed else ""
        options = "".join(f", {name} {value}" for name, value in self.options.items())
        sizes = " x ".join(map(str, self.inputs))
        found = f"{kind}conv {sizes} by {'x'.join(map(str, self.window))}, {self.outputs} filters{options}"
        return f"gradients of {found}" if self.gradient else found

    def arrays(self) -> list[Array]:
        rng = np.random.default_rng(0)
        groups, channels = self.options.get("groups", 1), self.inputs[1]
        filters = (channels, self.outputs // groups) if self.transposed else (self.outputs, channels // groups)
        scale = np.float32(np.sqrt(1 / np.prod((channels // groups, *self.window))))
        weight = rng.standard_normal((*filters, *self.window), np.float32) * scale
        return [rng.standard_normal(self.inputs, np.float32), weight]

    def ours(self) -> Callable[..., Any]:
        function = getattr(sw, f"conv{'_transpose' if self.transposed else ''}{len(self.window)}d")
        return _ours(lambda x, w: function(x, w, **self.options), 2, self.gradient)

    def torchs(self, torch: Any) -> Callable[..., Any]:
        function = getattr(torch.nn.functional, f"conv{'_transpose' if self.transposed else ''}{len(self.window)}d")
        return _torchs(torch, lambda x, w: function(x, w, **self.options), self.gradient)


@dataclass(frozen=True)
class Pooling:
    """The maxima ("max") or means ("avg") of windows."""

    kind: str
    inputs: tuple[int, ...]
    window: int
    options: Mapping[str, Any] = field(default_factory=dict[str, Any])
    gradient: bool = False

    @property
    def name(self) -> str:
        options = "".join(f", {name} {value}" for name, value in self.options.items())
        found = f"{self.kind} pooling {' x '.join(map(str, self.inputs))} by {self.window}{options}"
        return f"gradients of {found}" if self.gradient else found

    def arrays(self) -> list[Array]:
        return [np.random.default_rng(0).standard_normal(self.inputs, np.float32)]

    def ours(self) -> Callable[..., Any]:
        function = getattr(sw, f"{self.kind}_pool{len(self.inputs) - 2}d")
        return _ours(lambda x: function(x, self.window, **self.options), 1, self.gradient)

    def torchs(self, torch: Any) -> Callable[..., Any]:
        function = getattr(torch.nn.functional, f"{self.kind}_pool{len(self.inputs) - 2}d")
        return _torchs(torch, lambda x: function(x, self.window, **self.options), self.gradient)


def _ours(function: Callable[..., Any], count: int, gradient: bool) -> Callable[..., Any]:
    if not gradient:
        return function
    return sw.grad(lambda *xs: sw.sum(sw.square(function(*xs))), argnums=tuple(range(count)))


def _torchs(torch: Any, function: Callable[..., Any], gradient: bool) -> Callable[..., Any]:
    if not gradient:
        return function

    def gradients(*xs: Any) -> Any:
        given = [x.detach().requires_grad_() for x in xs]
        return torch.autograd.grad(torch.square(function(*given)).sum(), given)

    return gradients


def _with_gradients(layers: list[Any]) -> tuple[Any, ...]:
    return tuple(type(each)(**{**vars(each), "gradient": gradient}) for gradient in (False, True) for each in layers)


LAYERS = _with_gradients(
    [
        Convolution((8, 32, 256), 32, (3,), {"padding": 1}),
        Convolution((8, 16, 1024), 32, (9,), {"padding": 4}),
        Convolution((4, 64, 512), 64, (3,), {"dilation": 4, "padding": 4}),
        Convolution((1, 1, 50_000), 1, (101,)),
        Convolution((8, 32, 1000), 32, (8,), {"stride": 4}),
        Convolution((4, 3, 64, 64), 16, (3, 3), {"padding": 1}),
        Convolution((4, 3, 112, 112), 32, (7, 7), {"stride": 2, "padding": 3}),
        Convolution((2, 32, 56, 56), 32, (3, 3), {"padding": 1}),
        Convolution((2, 32, 56, 56), 32, (3, 3), {"dilation": 2, "padding": 2}),
        Convolution((2, 64, 28, 28), 128, (1, 1)),
        Convolution((2, 64, 28, 28), 64, (3, 3), {"stride": 2, "padding": 1}),
        Convolution((2, 64, 28, 28), 64, (3, 3), {"groups": 64, "padding": 1}),
        Convolution((2, 64, 28, 28), 64, (3, 3), {"groups": 8, "padding": 1}),
        Convolution((2, 32, 28, 28), 32, (5, 5), {"padding": 2}),
        Convolution((1, 1, 200, 300), 1, (1, 9)),
        Convolution((1, 1, 256, 256), 1, (11, 11), {"padding": 5}),
        Convolution((16, 128, 7, 7), 128, (3, 3), {"padding": 1}),
        Convolution((1, 16, 16, 32, 32), 16, (3, 3, 3), {"padding": 1}),
        Convolution((1, 8, 16, 32, 32), 16, (2, 2, 2), {"stride": 2}),
        Convolution((4, 32, 128), 16, (4,), {"stride": 2, "padding": 1}, transposed=True),
        Convolution((2, 32, 28, 28), 16, (4, 4), {"stride": 2, "padding": 1}, transposed=True),
        Convolution((2, 32, 28, 28), 32, (3, 3), {"padding": 1}, transposed=True),
        Convolution((1, 16, 8, 16, 16), 16, (3, 3, 3), {"stride": 2, "padding": 1}, transposed=True),
        Pooling("max", (8, 32, 1024), 2),
        Pooling("max", (4, 32, 56, 56), 2),
        Pooling("max", (4, 32, 56, 56), 3, {"stride": 2, "padding": 1}),
        Pooling("avg", (4, 32, 56, 56), 2),
        Pooling("avg", (4, 32, 56, 56), 11, {"stride": 1}),
        Pooling("avg", (4, 64, 28, 28), 28),
        Pooling("max", (1, 16, 16, 32, 32), 2),
    ]
)
