"""What `copy` does with functions that are objects."""

from __future__ import annotations

from typing import Any, Self


class CopiedAsItself:
    """A function that is an object: as Python's functions it is copied as itself, with what it has compiled.

    A copy would have locks and addresses to copy, and compile anew. So it is in models and settings that are copied.
    """

    def __copy__(self) -> Self:
        return self

    def __deepcopy__(self, memo: dict[int, Any]) -> Self:
        return self
