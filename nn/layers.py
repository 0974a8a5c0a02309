"""Layers with a weight and a bias, lookup tables, and dropout."""

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
    """(..., in_features) times the transposed `weight` (out_features, in_features), plus `bias`."""

    in_features: int
    out_features: int
    bias: bool = True

    def init(self, key: int) -> Params:
        return _weight_and_bias(key, (self.out_features, self.in_features), self.bias)

    def __call__(self, params: Params, x: Any, /, *, key: Any = None) -> Any:
        weight = parameter(self, params, "weight", (self.out_features, self.in_features))
        return linear(x, weight, parameter(self, params, "bias", (self.out_features,)) if self.bias else None)


def linear(x: Any, weight: Any, bias: Any = None) -> Any:
    """(..., inputs) times the transposed weight (outputs, inputs), plus the bias."""
    result = sw.matmul(x, sw.matrix_transpose(weight))
    return result if bias is None else result + bias


@dataclass(frozen=True)
class _Conv:
    """What convolutions of all ranks share; options are a number, or a tuple with one for each axis. Raises ValueError for a
    kernel_size or groups below 1, and channels that do not divide into the groups."""

    in_channels: int
    out_channels: int
    kernel_size: int | tuple[int, ...]
    stride: int | tuple[int, ...] = 1
    padding: int | tuple[int, ...] = 0
    dilation: int | tuple[int, ...] = 1
    groups: int = 1
    bias: bool = True
    # The number of axes of space.
    rank: ClassVar[int]

    def __post_init__(self):
        if self.groups < 1:
            raise ValueError(f"{type(self).__name__}: expected groups of at least 1, got {self.groups}")
        if isinstance(self.kernel_size, tuple) and len(self.kernel_size) != self.rank:
            raise ValueError(f"{type(self).__name__}: expected {self.rank} sizes of the kernel, got {self.kernel_size}")
        if any(size < 1 for size in self.weight_shape[2:]):
            raise ValueError(f"{type(self).__name__}: expected a kernel_size of at least 1, got {self.kernel_size}")
        if self.in_channels % self.groups or self.out_channels % self.groups:
            channels = f"{self.in_channels} to {self.out_channels} channels"
            raise ValueError(f"{type(self).__name__}: {channels} do not divide into {self.groups} groups")

    @property
    def weight_shape(self) -> tuple[int, ...]:
        """(out_channels, in_channels / groups, sizes of the kernel)."""
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
    """Cross-correlation of (N, in_channels, L) with `weight` (out_channels, in_channels / groups, K), plus `bias`."""

    rank: ClassVar[int] = 1


@dataclass(frozen=True)
class Conv2d(_Conv):
    """Cross-correlation of (N, in_channels, H, W) with `weight` (out_channels, in_channels / groups, KH, KW), plus `bias`."""

    rank: ClassVar[int] = 2


@dataclass(frozen=True)
class Conv3d(_Conv):
    """As Conv2d, on (N, in_channels, D, H, W)."""

    rank: ClassVar[int] = 3


@dataclass(frozen=True)
class Embedding:
    """The rows of `weight` (num_embeddings, embedding_dim) that integers name. A negative one, too, is an IndexError."""

    num_embeddings: int
    embedding_dim: int

    def init(self, key: int) -> Params:
        return {"weight": normal(key, (self.num_embeddings, self.embedding_dim))}

    def __call__(self, params: Params, x: Any, /, *, key: Any = None) -> Any:
        return rows_at(parameter(self, params, "weight", (self.num_embeddings, self.embedding_dim)), x, "Embedding")


@dataclass(frozen=True)
class Dropout:
    """With a key, each element is 0 with probability `p`, and the others grow by 1 / (1 - p). Without one nothing changes."""

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
    """As torch: both within the root of 1 / fan_in."""
    for_weight, for_bias = split(key, 2)
    params: dict[str, np.ndarray] = {"weight": kaiming_uniform(for_weight, shape, gain=math.sqrt(1 / 3))}
    if bias:
        bound = 1 / math.sqrt(math.prod(shape[1:]))
        params["bias"] = uniform(for_bias, shape[:1], -bound, bound)
    return params
