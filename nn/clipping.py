"""Gradient clipping."""

from __future__ import annotations

from typing import Any

from ..frontend import public as sw
from ..frontend.tracing.trees import flatten, map_leaves
from .checks import expect_floats, expect_setting
from .module import Params


def global_norm(grads: Params) -> Any:
    """The square root of the sum of the squares of all elements in nested arrays; float32 for half precision, whose squares
    overflow. Raises ValueError if there are no arrays."""
    leaves, _ = flatten(grads)
    if not leaves:
        raise ValueError("global_norm: expected at least one array")
    first, *others = (sw.sum(sw.square(sw.astype(leaf, leaf.dtype.compute))) for leaf in map(sw.asarray, leaves))
    return sw.sqrt(sum(others, first))


def clip_by_global_norm(grads: Params, max_norm: float) -> tuple[Params, Any]:
    """Scale gradients down to a global norm of at most `max_norm` (Pascanu et al., 2013). Returns them, and the norm before.
    Raises TypeError for gradients that are not floats, ValueError for a negative `max_norm`."""
    expect_setting("clip_by_global_norm", "max_norm", max_norm)
    expect_floats("clip_by_global_norm", grads)
    norm = global_norm(grads)
    factor = sw.minimum(max_norm / (norm + 1e-6), 1.0)
    return map_leaves(lambda grad: sw.astype(sw.asarray(grad) * factor, grad.dtype), grads), norm


def clip_by_value(grads: Params, limit: float) -> Params:
    """Clip each element of gradients to -limit..limit. Raises ValueError for a negative limit."""
    expect_setting("clip_by_value", "limit", limit)
    return map_leaves(lambda grad: sw.clip(grad, -limit, limit), grads)
