"""Memory layouts, for passing tensors of torch that are dense but not in row-major order without a copy."""

from __future__ import annotations

from collections.abc import Mapping
from math import prod
from types import MappingProxyType
from typing import Any, NamedTuple

from .symbols import evaluate, hint_of


class Layout(NamedTuple):
    """The layout of a tensor in a graph.

    `order` has its axes from the slowest to the fastest: permuted by it, the tensor is contiguous except for its `repeated`
    axes, each with its size, whose elements share memory. `exact` has its sizes and strides if they differ from those of a
    contiguous tensor in that order, as with gaps.
    """

    order: tuple[int, ...]
    repeated: Mapping[int, Any] = MappingProxyType({})
    exact: tuple[tuple[int, ...], tuple[int, ...]] | None = None

    @property
    def is_plain(self) -> bool:
        """Whether the layout is that of contiguous tensors."""
        return self.order == tuple(range(len(self.order))) and not self.repeated and self.exact is None

    @property
    def back(self) -> tuple[int, ...]:
        """The permutation that undoes `order`."""
        found = [0] * len(self.order)
        for place, axis in enumerate(self.order):
            found[axis] = place
        return tuple(found)


def layout_of(fake: Any) -> Layout:
    """The layout of a fake tensor, by its sizes in the call that torch compiles for."""
    sizes, strides = [hint_of(each) for each in fake.shape], [hint_of(each) for each in fake.stride()]
    rank = len(sizes)
    plain = Layout(tuple(range(rank)))
    is_static = all(isinstance(each, int) for each in (*fake.shape, *fake.stride()))
    if 0 in sizes and is_static:
        return Layout(plain.order, exact=(tuple(sizes), tuple(strides)))
    if any(each is None for each in (*sizes, *strides)) or _dense(sizes, strides, plain.order):
        return plain
    repeated = {k: fake.shape[k] for k in range(rank) if strides[k] == 0 and sizes[k] > 1}
    order = tuple(sorted(range(rank), key=lambda k: (-strides[k], k)))
    kept = [1 if k in repeated else size for k, size in enumerate(sizes)]
    if _dense(kept, strides, order):
        return Layout(order, repeated)
    return Layout(plain.order, exact=(tuple(sizes), tuple(strides)) if is_static else None)


def is_whole(fake: Any) -> bool:
    """Whether a fake tensor begins where its memory does, and ends where that ends."""
    if hint_of(fake.storage_offset()) != 0:
        return False
    sizes = [hint_of(each) for each in (*fake.shape, fake.untyped_storage().nbytes())]
    return None in sizes or prod(sizes[:-1]) * fake.itemsize == sizes[-1]


def _dense(sizes: list[int], strides: list[int], order: tuple[int, ...]) -> bool:
    """Whether a tensor is contiguous when permuted; empty axes have the same strides as axes of size 1."""
    expected = 1
    for axis in reversed(order):
        if sizes[axis] > 1 and strides[axis] != expected:
            return False
        expected *= max(sizes[axis], 1)
    return True


def given_layout(result: Any, layout: Layout, bindings: Mapping[Any, Any]) -> Any:
    """A tensor in a layout, from a contiguous one that was computed with its axes permuted by the layout's order and repeated
    axes of size 1. `bindings` has the values of symbols."""
    if layout.exact is not None:
        import torch

        sizes, strides = layout.exact
        if 0 in strides and 0 not in sizes:
            return result
        return torch.empty_strided(sizes, strides, dtype=result.dtype, device=result.device).copy_(result)
    found = result.permute(layout.back)
    if not layout.repeated:
        return found
    sizes = [evaluate(layout.repeated[k], bindings) if k in layout.repeated else -1 for k in range(found.ndim)]
    return found.expand(sizes)
