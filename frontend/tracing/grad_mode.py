"""Whether traced operations are differentiable: `sw.no_grad`, and transformations that override it."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

_differentiates: ContextVar[bool] = ContextVar("differentiates", default=True)


def differentiates() -> bool:
    """Whether gradients propagate through operations traced now."""
    return _differentiates.get()


@contextmanager
def differentiating(on: bool) -> Iterator[None]:
    """Set whether gradients propagate through operations traced inside the block."""
    token = _differentiates.set(on)
    try:
        yield
    finally:
        _differentiates.reset(token)


def no_grad(function: Callable[..., Any] | None = None, /) -> Any:
    """Exclude computations from gradients: they count as constants, and nothing is kept for a backward pass.

    Use it as `with sw.no_grad():` for a part of a function, and as `@sw.no_grad` or `@sw.no_grad()` for a whole one. Gradients
    requested inside are not affected: `sw.grad(f)` differentiates all of f except parts that f itself excludes.
    """
    if function is None:
        return differentiating(False)

    @functools.wraps(function)
    def given(*args: Any, **kwargs: Any) -> Any:
        with differentiating(False):
            return function(*args, **kwargs)

    return given
