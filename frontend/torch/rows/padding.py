"""Rows of padding by elements of the tensor, mirrored or repeated, and of its derivatives."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from types import MappingProxyType
from typing import Any

from ... import functions as sw
from ...functions.images.padding import padded_by_reads
from ...tracing.tensor import Tensor
from .parts import pulled_back
from .row import Row, Rows, own

# NumPy's names of the modes, by torch's.
_MODES = MappingProxyType({"reflection": "reflect", "replication": "edge"})


def _cuts(amount: Any) -> bool:
    """Whether an amount of padding is known to be negative: it removes elements."""
    return isinstance(amount, int) and amount < 0


def _padded(mode: str, is_differentiated: bool = False) -> Callable[..., Any]:
    def padded(x: Tensor, padding: Sequence[Any]) -> Tensor:
        rank = len(padding) // 2
        last = [(padding[2 * k], padding[2 * k + 1]) for k in reversed(range(rank))]
        added = [(0 if _cuts(before) else before, 0 if _cuts(after) else after) for before, after in last]
        for k, (before, after) in enumerate(added[:-1] if not is_differentiated else ()):
            read = padded_by_reads(x, x.ndim - rank + k, before, after, mode) if (before, after) != (0, 0) else None
            x, added[k] = (x, (before, after)) if read is None else (read, (0, 0))
        wide = sw.pad(x, [(0, 0)] * (x.ndim - rank) + added, mode=mode)
        cut = [slice(-low if _cuts(low) else None, high if _cuts(high) else None) for low, high in last]
        return wide[(..., *cut)] if any(map(_cuts, padding)) else wide

    return padded


def _backward(mode: str) -> Callable[..., Any]:
    padded = _padded(mode, is_differentiated=True)

    def backward(gradient: Tensor, x: Tensor, padding: Sequence[Any]) -> Tensor:
        return pulled_back(lambda value: padded(value, padding), [x], gradient)[0]

    return backward


def _rows() -> dict[str, Row]:
    found: dict[str, Row] = {}
    for name, mode in _MODES.items():
        for rank in (1, 2, 3):
            found[f"{name}_pad{rank}d.default"] = own(_padded(mode))
            found[f"{name}_pad{rank}d_backward.default"] = own(_backward(mode))
    return found


PADDING: Rows = MappingProxyType(_rows())
