"""Losses. `reduction` is "mean", "sum", or "none" for one loss an element."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..frontend import public as sw
from ..frontend.tracing.tensor import Tensor
from .lookup import entries_at


def cross_entropy(logits: Any, labels: Any, *, axis: int = -1, reduction: str = "mean") -> Any:
    """The negative logarithm of the probability of each label; `logits` has an axis of classes that the integers `labels` lack.

    A label that is no class, a negative one too, is an IndexError when the program runs.
    """
    return _reduced(-entries_at(sw.log_softmax(logits, axis=axis), labels, axis, "cross_entropy"), reduction)


def nll_loss(log_probabilities: Any, labels: Any, *, axis: int = -1, reduction: str = "mean") -> Any:
    """The negative of what stands at each label; `log_probabilities` has an axis of classes that the integers `labels` lack.

    A label that is no class, a negative one too, is an IndexError when the program runs.
    """
    return _reduced(-entries_at(log_probabilities, labels, axis, "nll_loss"), reduction)


def mse_loss(x: Any, target: Any, *, reduction: str = "mean") -> Any:
    """The square of the difference."""
    return _reduced(sw.square(sw.subtract(x, target)), reduction)


def l1_loss(x: Any, target: Any, *, reduction: str = "mean") -> Any:
    """The absolute difference."""
    return _reduced(sw.abs(sw.subtract(x, target)), reduction)


def huber_loss(x: Any, target: Any, *, delta: float = 1.0, reduction: str = "mean") -> Any:
    """Half the square of the difference, beyond `delta` linear (Huber, 1964)."""
    if not isinstance(delta, Tensor) and not (isinstance(delta, int | float | np.number | np.ndarray) and np.all(delta > 0)):
        raise ValueError(f"huber_loss: expected a delta above 0, got {delta!r}")
    far = sw.abs(sw.subtract(x, target))
    return _reduced(sw.where(far <= delta, 0.5 * sw.square(far), delta * (far - 0.5 * delta)), reduction)


def binary_cross_entropy_with_logits(logits: Any, target: Any, *, reduction: str = "mean") -> Any:
    """The cross entropy of probabilities `target` and those whose logits are given."""
    value = sw.asarray(logits)
    return _reduced(sw.softplus(value) - value * target, reduction)


def _reduced(losses: Any, reduction: str) -> Any:
    if reduction not in ("mean", "sum", "none"):
        raise ValueError(f"expected the reduction 'mean', 'sum' or 'none', got {reduction!r}")
    return losses if reduction == "none" else sw.mean(losses) if reduction == "mean" else sw.sum(losses)
