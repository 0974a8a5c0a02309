"""Optimizers: functions of parameters, gradients and a state, all nested as the parameters.

    optimizer = sw.optim.AdamW(sw.optim.cosine(3e-4, steps=1000, warmup=100))
    state = optimizer.init(params)
    params, state = optimizer.update(params, grads, state)

`update` is traced into the jitted training step, with forward and backward passes. A learning rate is a number or a schedule: a
function of the number of previous updates, an int64 tensor. Formulas and names of options are those of torch.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol, TypeAlias

import numpy as np

from ..frontend import public as sw
from ..frontend.tracing.trees import map_leaves
from ..runtime.boundary.arrays import is_torch
from .checks import expect_alike, expect_betas, expect_floats, expect_setting, expect_settings, expect_state
from .clipping import clip_by_global_norm as clip_by_global_norm
from .clipping import clip_by_value as clip_by_value
from .clipping import global_norm as global_norm
from .module import Params
from .schedules import constant as constant
from .schedules import cosine as cosine
from .schedules import step_decay as step_decay
from .schedules import warmup as warmup

LearningRate: TypeAlias = float | Callable[[Any], Any]


class Optimizer(Protocol):
    """Updates parameters by their gradients."""

    def init(self, params: Params) -> Params:
        """The initial state, of arrays."""
        ...

    def update(self, params: Params, grads: Params, state: Params) -> tuple[Params, Params]:
        """The new parameters, of the same dtypes, and the new state."""
        ...


@dataclass(frozen=True)
class SGD:
    """Stochastic gradient descent, with `momentum`, optionally in Nesterov's form, and `weight_decay` added to the gradients.

    The first gradients are not dampened; later ones are scaled by 1 - `dampening`. Raises TypeError for settings that are not
    numbers, ValueError for negative ones, and for Nesterov's form without momentum or with dampening.
    """

    learning_rate: LearningRate
    momentum: float = 0.0
    dampening: float = 0.0
    weight_decay: float = 0.0
    nesterov: bool = False

    def __post_init__(self):
        _expect_rate("SGD", self.learning_rate)
        expect_settings("SGD", momentum=self.momentum, dampening=self.dampening, weight_decay=self.weight_decay)
        if self.nesterov and (self.momentum <= 0 or self.dampening != 0):
            raise ValueError("SGD: nesterov requires a momentum and no dampening")

    def init(self, params: Params) -> Params:
        expect_floats("SGD.init", params)
        velocity = {"velocity": _zeros(params)} if self.momentum else {}
        return {"step": np.zeros((), np.int64), **velocity}

    def update(self, params: Params, grads: Params, state: Params) -> tuple[Params, Params]:
        expect_state("SGD", state, ("step", "velocity") if self.momentum else ("step",))
        expect_alike("SGD", params, grads)
        step = sw.asarray(state["step"])
        rate = _rate(self.learning_rate, step)
        grads = _decayed(grads, params, self.weight_decay)
        after: Params = {"step": step + 1}
        if self.momentum:
            damping = 1.0 - self.dampening * sw.astype(step > 0, "float64") if self.dampening else 1.0
            kept = self.momentum
            velocity = _fitting(state["velocity"], params)
            moved = map_leaves(lambda v, g: kept * v + _times(g, damping), velocity, grads)
            after["velocity"] = moved
            grads = map_leaves(lambda g, v: g + kept * v, grads, moved) if self.nesterov else moved
        return map_leaves(lambda p, g: p - _times(g, rate), params, grads), after


@dataclass(frozen=True)
class Adam:
    """Adam (Kingma and Ba, 2015), with `weight_decay` added to the gradients. Raises TypeError for settings that are not
    numbers, ValueError for negative ones and for `betas` of 1 or more."""

    learning_rate: LearningRate = 1e-3
    betas: tuple[float, float] = (0.9, 0.999)
    eps: float = 1e-8
    weight_decay: float = 0.0

    def __post_init__(self):
        _expect_adam_settings("Adam", self)

    def init(self, params: Params) -> Params:
        expect_floats("Adam.init", params)
        return {"step": np.zeros((), np.int64), "mean": _zeros(params), "square": _zeros(params)}

    def update(self, params: Params, grads: Params, state: Params) -> tuple[Params, Params]:
        _expect_adam("Adam", params, grads, state)
        step = sw.asarray(state["step"])
        grads = _decayed(grads, params, self.weight_decay)
        return _adam_update(self, params, grads, state, _rate(self.learning_rate, step), 0.0)


@dataclass(frozen=True)
class AdamW:
    """Adam with decoupled `weight_decay` (Loshchilov and Hutter, 2019): parameters shrink by it independently of their
    gradients. The errors are those of `Adam`."""

    learning_rate: LearningRate = 1e-3
    betas: tuple[float, float] = (0.9, 0.999)
    eps: float = 1e-8
    weight_decay: float = 1e-2

    def __post_init__(self):
        _expect_adam_settings("AdamW", self)

    def init(self, params: Params) -> Params:
        expect_floats("AdamW.init", params)
        return {"step": np.zeros((), np.int64), "mean": _zeros(params), "square": _zeros(params)}

    def update(self, params: Params, grads: Params, state: Params) -> tuple[Params, Params]:
        _expect_adam("AdamW", params, grads, state)
        rate = _rate(self.learning_rate, sw.asarray(state["step"]))
        return _adam_update(self, params, grads, state, rate, rate * self.weight_decay)


def _expect_rate(owner: str, rate: LearningRate) -> None:
    if not callable(rate):
        expect_setting(owner, "learning_rate", rate)


def _expect_adam_settings(owner: str, options: Adam | AdamW) -> None:
    _expect_rate(owner, options.learning_rate)
    expect_betas(owner, options.betas)
    expect_settings(owner, eps=options.eps, weight_decay=options.weight_decay)


def _expect_adam(owner: str, params: Params, grads: Params, state: Params) -> None:
    expect_state(owner, state, ("step", "mean", "square"))
    expect_alike(owner, params, grads)


def _adam_update(
    options: Adam | AdamW, params: Params, grads: Params, state: Params, rate: Any, shrinkage: Any
) -> tuple[Params, Params]:
    """One update; the parameters shrink by `shrinkage` first."""
    (first, second), eps = options.betas, options.eps
    step = sw.asarray(state["step"]) + 1
    mean, square = (_fitting(state[name], params) for name in ("mean", "square"))
    mean = map_leaves(lambda m, g: m + (1 - first) * (g - m), mean, grads)
    square = map_leaves(lambda v, g: second * v + (1 - second) * sw.square(g), square, grads)
    # Bias correction of both averages, which start at 0. The powers are computed in float64, once for all parameters.
    factor = rate / (1.0 - sw.pow(first, step))
    root = sw.sqrt(1.0 - sw.pow(second, step))

    def moved(param: Any, m: Any, v: Any) -> Any:
        kept = param - _times(param, shrinkage)
        return kept - _times(m, factor) / (_divided(sw.sqrt(v), root) + eps)

    return map_leaves(moved, params, mean, square), {"step": step, "mean": mean, "square": square}


def _rate(learning_rate: LearningRate, step: Any) -> Any:
    return learning_rate(step) if callable(learning_rate) else learning_rate


def _decayed(grads: Params, params: Params, decay: float) -> Params:
    return map_leaves(lambda g, p: g + decay * p, grads, params) if decay else map_leaves(sw.asarray, grads)


def _fitting(values: Params, params: Params) -> Params:
    """A part of the state, checked to have the shapes of the parameters: an axis of size 1 must not broadcast.

    Raises ValueError for other shapes.
    """

    def checked(value: Any, param: Any) -> Any:
        found, shape = sw.asarray(value), tuple(sw.asarray(param).shape)
        if tuple(found.shape) != shape:
            raise ValueError(f"expected a state of the parameters' shapes, {shape}, got {tuple(found.shape)}")
        return found

    return map_leaves(checked, values, params)


def _zeros(params: Params) -> Params:
    """Zeros nested as parameters: an array for each, or a torch tensor where the parameter is one."""
    return map_leaves(lambda leaf: leaf.new_zeros(leaf.shape) if is_torch(leaf) else np.zeros_like(leaf), params)


def _times(x: Any, factor: Any) -> Any:
    """The product in the dtype of x; `factor` is a number or a tensor of one element."""
    return x * _like(factor, x)


def _divided(x: Any, divisor: Any) -> Any:
    """The quotient in the dtype of x."""
    return x / _like(divisor, x)


def _like(factor: Any, x: Any) -> Any:
    return factor if isinstance(factor, float | int) else sw.astype(factor, x.dtype)
