"""Whether what is traced can be differentiated: `sw.no_grad`, and where gradients turn it off again."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

_differentiates: ContextVar[bool] = ContextVar("differentiates", default=True)


def differentiates() -> bool:
    """Whether gradients go through what is traced now."""
    return _differentiates.get()


@contextmanager
def differentiating(on: bool) -> Iterator[None]:
    """Let gradients go through what is traced inside the block, or have it given."""
    token = _differentiates.set(on)
    try:
        yield
    finally:
        _differentiates.reset(token)


def no_grad(function: Callable[..., Any] | None = None, /) -> Any:
    """Take what is computed as given: no gradient goes through it, and nothing is kept for one.

    As `with sw.no_grad():` for a part of a function, and as `@sw.no_grad` or `@sw.no_grad()` for a whole one. A gradient that
    is asked for inside is not affected: `sw.grad(f)` differentiates all of f but what f itself takes as given.
    """
    if function is None:
        return differentiating(False)

    @functools.wraps(function)
    def given(*args: Any, **kwargs: Any) -> Any:
        with differentiating(False):
            return function(*args, **kwargs)

    return given
