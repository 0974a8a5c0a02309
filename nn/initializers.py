"""Initial values of parameters: float32 arrays determined by a key and a shape.

A weight has shape (outputs, inputs, window ...): `fan_in` is the number of inputs of one output, `fan_out` the number of
outputs of one input. Kaiming: He et al., 2015. Xavier: Glorot and Bengio, 2010.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from ..frontend import public as sw
from ..frontend.jit import Jitted
from .keys import expect_key

Array = Any


def uniform(key: int, shape: Sequence[int], low: float = 0.0, high: float = 1.0) -> Array:
    """Uniformly distributed in [low, high); all of them `low` where float32 has no number between the limits."""
    drawn = _draw(sw.random_uniform, key, shape) * np.float32(high - low) + np.float32(low)
    # The sum is rounded, also up to `high`.
    return np.minimum(drawn, max(np.float32(low), np.nextafter(np.float32(high), np.float32(low))))


def normal(key: int, shape: Sequence[int], mean: float = 0.0, std: float = 1.0) -> Array:
    """Normally distributed."""
    return _draw(sw.random_normal, key, shape) * np.float32(std) + np.float32(mean)


def kaiming_uniform(key: int, shape: Sequence[int], gain: float = math.sqrt(2)) -> Array:
    """Uniform, with variance gain² / fan_in; the default gain is that of relu. Raises ValueError unless the shape is that of a
    weight."""
    bound = gain * math.sqrt(3 / _fans(shape)[0])
    return uniform(key, shape, -bound, bound)


def kaiming_normal(key: int, shape: Sequence[int], gain: float = math.sqrt(2)) -> Array:
    """Normal, with variance gain² / fan_in; the default gain is that of relu. Raises ValueError unless the shape is that of a
    weight."""
    return normal(key, shape, std=gain / math.sqrt(_fans(shape)[0]))


def xavier_uniform(key: int, shape: Sequence[int], gain: float = 1.0) -> Array:
    """Uniform, with variance 2 gain² / (fan_in + fan_out). Raises ValueError unless the shape is that of a weight."""
    bound = gain * math.sqrt(6 / sum(_fans(shape)))
    return uniform(key, shape, -bound, bound)


def xavier_normal(key: int, shape: Sequence[int], gain: float = 1.0) -> Array:
    """Normal, with variance 2 gain² / (fan_in + fan_out). Raises ValueError unless the shape is that of a weight."""
    return normal(key, shape, std=gain * math.sqrt(2 / sum(_fans(shape))))


def _fans(shape: Sequence[int]) -> tuple[int, int]:
    if len(shape) < 2 or 0 in shape:
        raise ValueError(f"expected the shape of a weight, (outputs, inputs, window ...), none of them 0, got {tuple(shape)}")
    outputs, inputs, *window = shape
    return inputs * math.prod(window), outputs * math.prod(window)


def _draw(function: Any, key: int, shape: Sequence[int]) -> Array:
    """Draw along one axis and reshape: element k depends only on the key and k, so that all shapes share one program."""
    expect_key(key)
    return _drawing(function)(np.array(key, np.int64), np.empty(math.prod(shape), np.float32)).reshape(shape)


@functools.cache
def _drawing(function: Any) -> Jitted:
    """The draw in NumPy: it would not amortise a C compile."""
    return Jitted(lambda key, like: function(key, like.shape), target="interpret")
