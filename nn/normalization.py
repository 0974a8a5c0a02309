"""Normalisation layers."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..frontend import public as sw
from ..frontend.functions.arguments import precise
from .module import Params, Stateful, parameter


@dataclass(frozen=True)
class LayerNorm:
    """`sw.layer_norm` over the last axes, of sizes `normalized_shape`, which is also the shape of `weight` and `bias` (Ba et
    al., 2016)."""

    normalized_shape: int | tuple[int, ...]
    eps: float = 1e-5

    def init(self, key: int) -> Params:
        return {"weight": np.ones(self.normalized_shape, np.float32), "bias": np.zeros(self.normalized_shape, np.float32)}

    def __call__(self, params: Params, x: Any, /, *, key: Any = None) -> Any:
        shape = _shape(self.normalized_shape)
        weight, bias = (parameter(self, params, name, shape) for name in ("weight", "bias"))
        return sw.layer_norm(x, weight, bias, axis=tuple(range(-len(shape), 0)), eps=self.eps)


@dataclass(frozen=True)
class RMSNorm:
    """`sw.rms_norm` over the last axes, of sizes `normalized_shape`, which is also the shape of `weight` (Zhang and Sennrich,
    2019)."""

    normalized_shape: int | tuple[int, ...]
    eps: float = 1e-6

    def init(self, key: int) -> Params:
        return {"weight": np.ones(self.normalized_shape, np.float32)}

    def __call__(self, params: Params, x: Any, /, *, key: Any = None) -> Any:
        shape = _shape(self.normalized_shape)
        weight = parameter(self, params, "weight", shape)
        return sw.rms_norm(x, weight, axis=tuple(range(-len(shape), 0)), eps=self.eps)


@dataclass(frozen=True)
class GroupNorm:
    """`sw.group_norm` of (N, C, space ...) over groups of channels and space, with `weight` and `bias` (C) (Wu and He, 2018).
    Raises ValueError unless the channels are divisible by the groups."""

    num_groups: int
    num_channels: int
    eps: float = 1e-5

    def __post_init__(self):
        if self.num_channels % self.num_groups:
            raise ValueError(f"GroupNorm: {self.num_channels} channels do not divide into {self.num_groups} groups")

    def init(self, key: int) -> Params:
        return {"weight": np.ones(self.num_channels, np.float32), "bias": np.zeros(self.num_channels, np.float32)}

    def __call__(self, params: Params, x: Any, /, *, key: Any = None) -> Any:
        weight, bias = (parameter(self, params, name, (self.num_channels,)) for name in ("weight", "bias"))
        return sw.group_norm(x, self.num_groups, weight, bias, eps=self.eps)


@dataclass(frozen=True)
class BatchNorm(Stateful):
    """`sw.batch_norm` of (N, C, space ...) over each channel, with `weight` and `bias` (C) (Ioffe and Szegedy, 2015).

    The running statistics are not parameters but a separate state: `y, state = norm(params, x, state, training=True)`. In
    training, it normalises by the statistics of the batch, and moves the running ones towards these by `momentum`; otherwise it
    normalises by the running ones. A batch with a single value a channel has no estimate of the variance, and leaves the
    running variance unchanged.
    """

    num_features: int
    eps: float = 1e-5
    momentum: float = 0.1

    def init(self, key: int) -> Params:
        return {"weight": np.ones(self.num_features, np.float32), "bias": np.zeros(self.num_features, np.float32)}

    def init_state(self) -> Params:
        """The initial running statistics: mean 0 and variance 1."""
        zeros, ones = np.zeros(self.num_features, np.float32), np.ones(self.num_features, np.float32)
        return {"running_mean": zeros, "running_var": ones}

    def __call__(self, params: Params, x: Any, state: Params, /, *, training: bool) -> tuple[Any, Params]:
        shape = (self.num_features,)
        weight, bias = (parameter(self, params, name, shape) for name in ("weight", "bias"))
        mean, var = (parameter(self, state, name, shape) for name in ("running_mean", "running_var"))
        if training:
            value = sw.asarray(x)
            mean, var = sw.batch_statistics(value)
            state = self._moved(state, mean, var, value)
        return sw.batch_norm(x, mean, var, weight, bias, eps=self.eps), state

    def _moved(self, state: Params, mean: Any, var: Any, x: Any) -> Params:
        """The running statistics after a batch; the running variance is that of the unbiased estimate."""
        mean, var = (precise(sw.stop_gradient(each)) for each in (mean, var))
        count = sw.astype(math.prod((x.shape[0], *x.shape[2:])), var.dtype)
        unbiased = var * (count / sw.maximum(count - 1, 1))
        found = {"running_mean": mean, "running_var": sw.where(count > 1, unbiased, state["running_var"])}
        return {name: state[name] + self.momentum * (new - state[name]) for name, new in found.items()}


def _shape(given: int | tuple[int, ...]) -> tuple[int, ...]:
    return (given,) if isinstance(given, int) else given
