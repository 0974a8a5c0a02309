"""Learning-rate schedules: functions of the number of previous updates, an int64 tensor, to a float64 tensor."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from ..frontend import public as sw
from .checks import expect_setting, expect_settings

Schedule = Callable[[Any], Any]


def constant(rate: float) -> Schedule:
    """A constant rate. Raises TypeError for a rate that is not a number, ValueError for a negative one, as all schedules do."""
    expect_setting("constant", "rate", rate)
    return lambda step: sw.astype(step, "float64") * 0.0 + rate


def step_decay(rate: float, every: int, factor: float = 0.1) -> Schedule:
    """The rate, multiplied by `factor` after every `every` updates. Raises ValueError if `every` is less than 1."""
    expect_settings("step_decay", rate=rate, factor=factor)
    _expect_updates("step_decay", "every", every)
    return lambda step: rate * sw.pow(factor, sw.astype(step // every, "float64"))


def cosine(rate: float, steps: int, *, final: float = 0.0, warmup: int = 0) -> Schedule:
    """Cosine annealing from `rate` to `final` at update `steps`, and `final` afterwards (Loshchilov and Hutter, 2017). The
    first `warmup` of these updates increase the rate linearly. Raises ValueError unless `steps` exceeds `warmup`."""
    expect_settings("cosine", rate=rate, final=final)
    _expect_updates("cosine", "warmup", warmup, least=0)
    _expect_updates("cosine", "steps", steps, least=warmup + 1)

    def annealed(step: Any) -> Any:
        done = sw.clip(sw.astype(step - warmup, "float64") / (steps - warmup), 0.0, 1.0)
        return final + (rate - final) * 0.5 * (1.0 + sw.cos(math.pi * done))

    return _led_up_to(annealed, warmup) if warmup else annealed


def warmup(rate: float | Schedule, steps: int) -> Schedule:
    """A rate, or another schedule, times a factor that increases linearly to 1 within the first `steps` updates. Raises
    ValueError if `steps` is less than 1."""
    _expect_updates("warmup", "steps", steps)
    return _led_up_to(rate if callable(rate) else constant(rate), steps)


def _expect_updates(owner: str, name: str, count: int, least: int = 1) -> None:
    if isinstance(count, bool) or not isinstance(count, int | np.integer):
        raise TypeError(f"{owner}: expected {name} as a number of updates, an int, got {count!r}")
    if count < least:
        raise ValueError(f"{owner}: expected {name} of at least {least}, got {count}")


def _led_up_to(schedule: Schedule, steps: int) -> Schedule:
    return lambda step: schedule(step) * sw.minimum((sw.astype(step, "float64") + 1.0) / steps, 1.0)
