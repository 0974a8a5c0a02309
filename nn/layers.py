"""Layers with a weight and a bias, embeddings, and dropout."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from ..frontend import public as sw
from .checks import expect_setting
from .initializers import kaiming_uniform, normal, uniform
from .keys import split
from .lookup import rows_at
from .module import Params, parameter


@dataclass(frozen=True)
class Linear:
    """x (..., in_features) times the transpose of `weight` (out_features, in_features), plus `bias` (out_features,), to (...,
    out_features)."""

    in_features: int
    out_features: int
    bias: bool = True

    def init(self, key: int) -> Params:
        return _weight_and_bias(key, (self.out_features, self.in_features), self.bias)

    def __call__(self, params: Params, x: Any, /, *, key: Any = None) -> Any:
        weight = parameter(self, params, "weight", (self.out_features, self.in_features))
        return linear(x, weight, parameter(self, params, "bias", (self.out_features,)) if self.bias else None)


def linear(x: Any, weight: Any, bias: Any = None) -> Any:
    """x (..., inputs) times the transpose of `weight` (outputs, inputs), plus `bias` (outputs,)."""
    result = sw.matmul(x, sw.matrix_transpose(weight))
    return result if bias is None else result + bias


@dataclass(frozen=True)
class _Conv:
    """Base of convolutions of all ranks; options are a number, or a tuple with one for each axis. Raises ValueError for a
    kernel_size or groups below 1, and for channels that are not divisible by the groups."""

    in_channels: int
    out_channels: int
    kernel_size: int | tuple[int, ...]
    stride: int | tuple[int, ...] = 1
    padding: int | tuple[int, ...] = 0
    dilation: int | tuple[int, ...] = 1
    groups: int = 1
    bias: bool = True
    # The number of spatial axes.
    rank: ClassVar[int]

    def __post_init__(self):
        if self.groups < 1:
            raise ValueError(f"{type(self).__name__}: expected groups of at least 1, got {self.groups}")
        if isinstance(self.kernel_size, tuple) and len(self.kernel_size) != self.rank:
            raise ValueError(f"{type(self).__name__}: expected a kernel_size of {self.rank} sizes, got {self.kernel_size}")
        if any(size < 1 for size in self.weight_shape[2:]):
            raise ValueError(f"{type(self).__name__}: expected a kernel_size of at least 1, got {self.kernel_size}")
        if self.in_channels % self.groups or self.out_channels % self.groups:
            channels = f"{self.in_channels} to {self.out_channels} channels"
            raise ValueError(f"{type(self).__name__}: {channels} do not divide into {self.groups} groups")

    @property
    def weight_shape(self) -> tuple[int, ...]:
        """(out_channels, in_channels / groups, kernel sizes ...)."""
        given = self.kernel_size
        window = (given,) * self.rank if isinstance(given, int) else given
        return self.out_channels, self.in_channels // self.groups, *window

    def init(self, key: int) -> Params:
        return _weight_and_bias(key, self.weight_shape, self.bias)

    def __call__(self, params: Params, x: Any, /, *, key: Any = None) -> Any:
        convolve = (sw.conv1d, sw.conv2d, sw.conv3d)[self.rank - 1]
        return convolve(
            x,
            parameter(self, params, "weight", self.weight_shape),
            bias=parameter(self, params, "bias", (self.out_channels,)) if self.bias else None,
            stride=self.stride,
            padding=self.padding,
            dilation=self.dilation,
            groups=self.groups,
        )


@dataclass(frozen=True)
class Conv1d(_Conv):
    """Cross-correlation of (N, in_channels, L) with `weight` (out_channels, in_channels / groups, K), plus `bias`
    (out_channels,). The size of the result is that of `sw.conv1d`."""

    rank: ClassVar[int] = 1


@dataclass(frozen=True)
class Conv2d(_Conv):
    """Cross-correlation of (N, in_channels, H, W) with `weight` (out_channels, in_channels / groups, KH, KW), plus `bias`
    (out_channels,). The sizes of the result are those of `sw.conv2d`."""

    rank: ClassVar[int] = 2


@dataclass(frozen=True)
class Conv3d(_Conv):
    """Cross-correlation of (N, in_channels, D, H, W), with the parameters and options of Conv2d in three dimensions."""

    rank: ClassVar[int] = 3


@dataclass(frozen=True)
class Embedding:
    """Rows of `weight` (num_embeddings, embedding_dim) at integer indices of any shape (...), to (..., embedding_dim). An index
    out of range, or a negative one, raises IndexError at run time."""

    num_embeddings: int
    embedding_dim: int

    def init(self, key: int) -> Params:
        return {"weight": normal(key, (self.num_embeddings, self.embedding_dim))}

    def __call__(self, params: Params, x: Any, /, *, key: Any = None) -> Any:
        return rows_at(parameter(self, params, "weight", (self.num_embeddings, self.embedding_dim)), x, "Embedding")


@dataclass(frozen=True)
class Dropout:
    """Dropout (Srivastava et al., 2014): with a key, each element is 0 with probability `p`, and the others are scaled by 1 /
    (1 - p). Without a key it is the identity. Raises ValueError unless 0 <= p < 1."""

    p: float = 0.5

    def __post_init__(self):
        expect_setting("Dropout", "p", self.p, below=1.0)

    def init(self, key: int) -> Params:
        return {}

    def __call__(self, params: Params, x: Any, /, *, key: Any = None) -> Any:
        if key is None or self.p == 0:
            return x
        value = sw.asarray(x)
        kept = sw.random_uniform(key, value.shape) >= self.p
        return sw.where(kept, value * (1 / (1 - self.p)), 0)


def _weight_and_bias(key: int, shape: tuple[int, ...], bias: bool) -> Params:
    """Initial values as in torch: both uniform within sqrt(1 / fan_in)."""
    for_weight, for_bias = split(key, 2)
    params: dict[str, np.ndarray] = {"weight": kaiming_uniform(for_weight, shape, gain=math.sqrt(1 / 3))}
    if bias:
        bound = 1 / math.sqrt(math.prod(shape[1:]))
        params["bias"] = uniform(for_bias, shape[:1], -bound, bound)
    return params
