"""Losses. `reduction` is "mean", "sum", or "none" for the elementwise losses; other values raise ValueError."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..frontend import public as sw
from ..frontend.tracing.tensor import Tensor
from .lookup import entries_at


def cross_entropy(logits: Any, labels: Any, *, axis: int = -1, reduction: str = "mean") -> Any:
    """The negative log-probability of each label: nll_loss(log_softmax(logits), labels).

    `logits` has an axis of classes; the integers `labels` have the shape of its other axes. A label that is not a class, or
    negative, raises IndexError at run time; labels of another shape or dtype raise ShapeError.
    """
    return _reduced(-entries_at(sw.log_softmax(logits, axis=axis), labels, axis, "cross_entropy"), reduction)


def nll_loss(log_probabilities: Any, labels: Any, *, axis: int = -1, reduction: str = "mean") -> Any:
    """The negative log-likelihood: the negative of the entry of `log_probabilities` at each label.

    `log_probabilities` has an axis of classes; the integers `labels` have the shape of its other axes. A label that is not a
    class, or negative, raises IndexError at run time; labels of another shape or dtype raise ShapeError.
    """
    return _reduced(-entries_at(log_probabilities, labels, axis, "nll_loss"), reduction)


def mse_loss(x: Any, target: Any, *, reduction: str = "mean") -> Any:
    """The squared difference of x and target, which broadcast."""
    return _reduced(sw.square(sw.subtract(x, target)), reduction)


def l1_loss(x: Any, target: Any, *, reduction: str = "mean") -> Any:
    """The absolute difference of x and target, which broadcast."""
    return _reduced(sw.abs(sw.subtract(x, target)), reduction)


def huber_loss(x: Any, target: Any, *, delta: float = 1.0, reduction: str = "mean") -> Any:
    """0.5 * d ** 2 for a difference d of at most `delta` in magnitude, and linear beyond: delta * (|d| - 0.5 * delta) (Huber,
    1964). Raises ValueError unless delta > 0."""
    if not isinstance(delta, Tensor) and not (isinstance(delta, int | float | np.number | np.ndarray) and np.all(delta > 0)):
        raise ValueError(f"huber_loss: expected a delta greater than 0, got {delta!r}")
    far = sw.abs(sw.subtract(x, target))
    return _reduced(sw.where(far <= delta, 0.5 * sw.square(far), delta * (far - 0.5 * delta)), reduction)


def binary_cross_entropy_with_logits(logits: Any, target: Any, *, reduction: str = "mean") -> Any:
    """The cross entropy of the probabilities `target` and sigmoid(logits), computed as softplus(logits) - logits * target."""
    value = sw.asarray(logits)
    return _reduced(sw.softplus(value) - value * target, reduction)


def _reduced(losses: Any, reduction: str) -> Any:
    if reduction not in ("mean", "sum", "none"):
        raise ValueError(f"expected the reduction 'mean', 'sum' or 'none', got {reduction!r}")
    return losses if reduction == "none" else sw.mean(losses) if reduction == "mean" else sw.sum(losses)
