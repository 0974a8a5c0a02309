"""Copying of functions that are objects."""

from __future__ import annotations

from typing import Any, Self


class CopiedAsItself:
    """A function object that `copy` and `deepcopy` return unchanged, as Python does with functions.

    A copy would have locks and addresses to copy, and would recompile. Such functions occur in copied models and settings.
    """

    def __copy__(self) -> Self:
        return self

    def __deepcopy__(self, memo: dict[int, Any]) -> Self:
        return self
