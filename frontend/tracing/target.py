"""The target that a function is traced for, which chooses the implementations of operations."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

_target: ContextVar[str] = ContextVar("target", default="cpu")


def current_target() -> str:
    """The target of the function that is being traced, "cpu" outside of traces."""
    return _target.get()


@contextmanager
def tracing_for(target: str) -> Iterator[None]:
    """Set the target inside a `with` block."""
    token = _target.set(target)
    try:
        yield
    finally:
        _target.reset(token)
