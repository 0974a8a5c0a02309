"""Block comments: `with sw.comment("layer", x):` labels what is computed inside.

    with sw.comment("layer", x):
        with sw.comment("norm"):
            y = sw.layer_norm(x)       # is in the comment "layer x / norm"

Comments nest. They are part of the locations of operations, which passes keep, and so appear at every level, in emitted code
and in errors; the innermost comment names values and kernels.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

from ...ir.locations import plain_comment
from .tensor import Tensor

_path: ContextVar[tuple[str, ...]] = ContextVar("comments", default=())


@contextmanager
def comment(*parts: Any) -> Iterator[None]:
    """Label the computations inside a block by strings, and by tensors, which stand for their names. Line breaks and other
    characters that could end a comment of emitted code become "_". Raises TypeError for other parts, and without parts.
    """
    if not parts:
        raise TypeError("comment: expected strings and tensors, got nothing")
    token = _path.set((*_path.get(), " ".join(map(_text, parts))))
    try:
        yield
    finally:
        _path.reset(token)


def comment_path() -> tuple[str, ...]:
    """The block comments that are open, from outside in."""
    return _path.get()


def _text(part: Any) -> str:
    if isinstance(part, str):
        return plain_comment(part)
    if isinstance(part, Tensor):
        name = getattr(part, "name", None) or getattr(getattr(part, "value", None), "name_hint", None)
        return plain_comment(str(name or "tensor"))
    raise TypeError(f"comment: expected strings and tensors, got {type(part).__name__}")
