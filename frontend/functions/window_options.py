"""Options of windows, of convolutions and pooling: strides, dilations, padding."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ...ir.index.expressions import Index
from ...ir.types.overflow import near
from ..tracing.tracer import Tracer
from .arguments import ints_of, padding_of


def window_padding(padding: Any, rank: int, tracer: Tracer) -> tuple[list[Index], list[Index]]:
    """Convert the padding of a window. Raises ShapeError for negative amounts: slices crop."""
    low, high = padding_of(padding, rank, tracer)
    for amount in (*low, *high):
        if not tracer.sizes.assume(amount):
            raise tracer.error(f"padding: expected at least 0, got {amount}")
    return low, high


def same_padding(
    name: str, extents: Sequence[Index], steps: Sequence[int], spreads: Sequence[int], tracer: Tracer
) -> list[tuple[Index, Index]]:
    """The padding with which a window of stride 1 gives as many results as there are elements; the odd element is behind, as
    in torch. Raises ShapeError for other strides."""
    if any(step != 1 for step in steps):
        raise tracer.error(f"{name}: padding='same' needs a stride of 1, got {list(steps)}")
    totals = [(extent - 1) * spread for extent, spread in zip(extents, spreads, strict=True)]
    return [(total // 2, total - total // 2) for total in totals]


def window_steps(given: Any, rank: int, what: str, tracer: Tracer) -> list[int]:
    """Convert strides or dilations of a window. Raises ShapeError for those below 1."""
    steps = ints_of(given, rank, what, tracer)
    if any(step < 1 for step in steps):
        raise tracer.error(f"{what}: expected at least 1, got {steps}")
    return steps


def near_steps(steps: Sequence[int]) -> list[int]:
    """Limit steps to `FAR`: beyond it they all leave the axis."""
    return list(map(near, steps))
