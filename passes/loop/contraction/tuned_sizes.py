"""Tuned sizes: tile and block sizes for single contractions, as lines of text from the tuner.

    float32-1x?x1024x?:depth=384:rows=6

sets the sizes for contractions of float32 with one batch, any number of rows, 1024 columns, and any number of summed indices.
`?` stands for parameters of the program: their code is for all sizes.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from types import MappingProxyType

from ....ir.diagnostics import CompileError
from ....ir.types.dtypes import dtype_of
from ...analysis.contractions import Axis, Contraction, extent
from .tile_builder import MOST_ROWS, MOST_VECTORS

# The tunable options of loop-tile-contractions, each with its least and greatest useful value.
LIMITS: Mapping[str, tuple[int, int]] = MappingProxyType(
    {
        "rows": (1, MOST_ROWS),
        "vectors": (1, MOST_VECTORS),
        "depth": (1, 1 << 16),
        "blocks": (1, 1 << 8),
        "left_panels": (1, 1 << 16),
        "right_panels": (1, 1 << 16),
        "left_group": (1, 1 << 12),
        "right_group": (1, 1 << 12),
        "pack_left": (0, 1),
    }
)


_KEY = re.compile(r"[a-z]+[0-9]+-([0-9]+|\?)(x([0-9]+|\?)){3}")


def contraction_key(found: Contraction) -> str:
    """The key of contractions that share their best sizes."""
    sizes = "x".join(_size(axes) for axes in (found.batch, found.rows, found.columns, found.reduced))
    return f"{dtype_of(found.element).name}-{sizes}"


def tuned_entry(key: str, sizes: Mapping[str, int]) -> str:
    """The line that sets the sizes of a contraction."""
    return ":".join((key, *(f"{name}={sizes[name]}" for name in sorted(sizes))))


def sizes_for(key: str, entries: Iterable[str]) -> dict[str, int]:
    """The sizes in the first line for a contraction; empty if no line names it. Raises CompileError if that line is malformed,
    or if an earlier line names no contraction."""
    found = key
    for entry in entries:
        if not is_key(name := entry.partition(":")[0]):
            raise CompileError(f"tuned sizes '{entry}': expected a contraction, as float32-1x?x1024x?:rows=6, got '{name}'")
        if name == key:
            found = entry
            break
    sizes: dict[str, int] = {}
    for part in found.split(":")[1:]:
        name, _, value = part.partition("=")
        if name in sizes:
            raise CompileError(f"tuned sizes '{found}': '{name}' is set twice, first to {sizes[name]}, then by '{part}'")
        # Allowed sizes have no more digits.
        if not value.isdecimal() or len(value) > 6 or not is_allowed(name, int(value)):
            known = ", ".join(f"{name} from {least} to {most}" for name, (least, most) in LIMITS.items())
            raise CompileError(f"tuned sizes '{found}': expected NAME=NUMBER with {known}, got '{part}'")
        sizes[name] = int(value)
    return sizes


def is_key(text: str) -> bool:
    """Whether a text is a contraction key."""
    return _KEY.fullmatch(text) is not None


def is_allowed(name: str, value: int) -> bool:
    """Whether a size is within its limits."""
    least, most = LIMITS.get(name, (1, 0))
    return least <= value <= most


def _size(axes: tuple[Axis, ...]) -> str:
    size = extent(axes).constant
    return "?" if size is None else str(size)
