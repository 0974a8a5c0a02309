"""Tuned tiles: the schedules of single products of matrices on a GPU, as lines of text from the tuner.

    bfloat16-1x4096x4096x?:group=4:k=64:m=128:n=256:stages=4:warps=8

sets the tile for products of bfloat16 with one batch, 4096 rows and columns, and any number of summed indices. `?` stands for
parameters of the program, `tf32` for products of float32 that matrix units compute.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from types import MappingProxyType

from ....ir.diagnostics import CompileError
from ....ir.index.expressions import Index

# The parameters of a product that can be tuned, each with its least and greatest value.
LIMITS: Mapping[str, tuple[int, int]] = MappingProxyType(
    {"m": (16, 256), "n": (16, 256), "k": (16, 256), "warps": (1, 32), "stages": (1, 8), "group": (1, 64)}
)
_POWERS_OF_TWO = ("m", "n", "k", "warps")


def product_key(kind: str, sizes: Iterable[Index]) -> str:
    """The key of products that share their best tiles: by the factors' dtype or "tf32", and batch, rows, columns and K."""
    return f"{kind}-{'x'.join('?' if size.constant is None else str(size.constant) for size in sizes)}"


def tile_for(key: str, entries: Iterable[str]) -> dict[str, int]:
    """The parameters in the first line for a product; empty if no line names it. Raises CompileError if that line is
    malformed."""
    found = next((entry for entry in entries if entry.partition(":")[0] == key), key)
    numbers: dict[str, int] = {}
    for part in found.split(":")[1:]:
        name, _, value = part.partition("=")
        if name in numbers:
            raise CompileError(f"tuned tile '{found}': '{name}' is set twice, first to {numbers[name]}, then by '{part}'")
        # Allowed numbers have no more digits.
        if not value.isdecimal() or len(value) > 3 or not is_allowed(name, int(value)):
            known = ", ".join(f"{each} from {least} to {most}" for each, (least, most) in LIMITS.items())
            raise CompileError(f"tuned tile '{found}': expected NAME=NUMBER with {known}, got '{part}'")
        numbers[name] = int(value)
    return numbers


def is_allowed(name: str, value: int) -> bool:
    """Whether a number is within its limits."""
    least, most = LIMITS.get(name, (1, 0))
    return least <= value <= most and not (name in _POWERS_OF_TWO and value & (value - 1))
