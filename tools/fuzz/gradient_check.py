"""Gradient checks against finite differences: along random directions, in float64, on the micro-op interpreter.

The derivative of `f` at `x` along `d` is the limit of (f(x + h d) - f(x - h d)) / 2h. A gradient is right if its product with
`d` equals that limit for a few random `d`. The gradient of that product is checked in the same way, by differences of the
product.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import SimpleNamespace
from typing import Any

import numpy as np

from ...frontend import public as sw
from ...frontend.jit import Jitted
from ...frontend.tracing.tensor import Tensor
from ...frontend.transforms.gradients import grad, value_and_grad

Arrays = Mapping[str, Any]
STEP = 1e-5
DIRECTIONS = 3


def weighted(apply: Callable[[Any], Tensor], others: Arrays) -> Callable[[dict[str, Any]], Tensor]:
    """A function of float arrays by name, as one float: the sum of the results of `apply`, each element with its own weight."""

    def total(floats: dict[str, Any]) -> Tensor:
        result = apply(SimpleNamespace(**others, **floats))
        weights = sw.reshape(sw.sin(sw.arange(1, 1 + result.size, dtype=result.dtype)), result.shape)
        return sw.sum(result * weights)

    return total


def split_floats(arrays: Arrays) -> tuple[dict[str, Any], dict[str, Any]]:
    """The arrays of floats, and the others."""
    floats = {name: array for name, array in arrays.items() if array.dtype.kind == "f"}
    return floats, {name: array for name, array in arrays.items() if name not in floats}


def first_error(apply: Callable[[Any], Tensor], arrays: Arrays, seed: int = 0) -> float:
    """The error of the gradient by all float64 arrays, relative to differences."""
    floats, others = split_floats(arrays)
    both = Jitted(value_and_grad(weighted(apply, others)).function, "interpret", static=True)
    return _error(lambda values: both(values)[0], lambda values: both(values)[1], floats, seed)


def second_error(apply: Callable[[Any], Tensor], arrays: Arrays, seed: int = 0) -> float:
    """The error of second derivatives: of the gradient of (gradient x random direction), relative to differences of that
    product."""
    floats, others = split_floats(arrays)
    first = grad(weighted(apply, others)).function
    along = _direction(np.random.default_rng(seed + 1000), floats)

    def product(values: dict[str, Any]) -> Tensor:
        found = first(values)
        return sw.sum(sw.stack([sw.sum(found[name] * along[name]) for name in found]))

    both = Jitted(value_and_grad(product).function, "interpret", static=True)
    return _error(lambda values: both(values)[0], lambda values: both(values)[1], floats, seed)


def _error(value: Callable[[Arrays], Any], gradient: Callable[[Arrays], Arrays], at: Arrays, seed: int) -> float:
    generator = np.random.default_rng(seed)
    found = gradient(at)
    worst = 0.0
    for _ in range(DIRECTIONS):
        along = _direction(generator, at)
        above, below = (value({name: at[name] + step * along[name] for name in at}) for step in (STEP, -STEP))
        expected = (above - below) / (2 * STEP)
        given = sum(float(np.sum(found[name] * along[name])) for name in at)
        size = 1 + abs(expected) + sum(float(np.sum(np.abs(found[name] * along[name]))) for name in at)
        error = abs(given - expected) / size
        worst = max(worst, error) if np.isfinite(error) else float("inf")
    return worst


def _direction(generator: np.random.Generator, at: Arrays) -> dict[str, Any]:
    return {name: generator.standard_normal(array.shape) for name, array in at.items()}
