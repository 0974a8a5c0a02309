"""Folding while kernels are written: addresses along flattened nests, and selects that masked loads make redundant."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.ir import SSAValue

from ...dialects import tile
from ...ir.index.expressions import Dim, Index, dim, index
from ...ir.scalars.attributes import is_plus_zero


@dataclass(frozen=True)
class FlatNest:
    """A flattened loop nest: the tile of flat positions, and the tiles of the loop indices with their strides in it."""

    flat: SSAValue
    indices: tuple[SSAValue, ...]
    strides: tuple[Index, ...]


def already_selected(inputs: Sequence[SSAValue]) -> SSAValue | None:
    """The load that a select repeats: a load whose mask fails gives 0 already, so selecting 0 there has no effect. None for
    other selects."""
    guard, value, other = (each.owner.input if isinstance(each.owner, tile.BroadcastOp) else each for each in inputs)
    if not isinstance(value.owner, tile.LoadOp) or not isinstance(other.owner, tile.ConstantOp):
        return None
    return value if is_plus_zero(other.owner.value) and guard in _conjuncts(value.owner.mask) else None


def _conjuncts(mask: SSAValue | None) -> list[SSAValue]:
    """The masks that all hold where `mask` does, before their broadcasts."""
    if mask is None:
        return []
    source = mask.owner
    if isinstance(source, tile.BroadcastOp):
        return _conjuncts(source.input)
    if isinstance(source, tile.ComputeOp) and source.function.data == "and":
        return [each for operand in source.inputs for each in _conjuncts(operand)]
    return [mask]


def through(nest: FlatNest, offset: Index, at: list[SSAValue]) -> tuple[Index, list[SSAValue]]:
    """`offset` with a nest's indices replaced by the flat position in the nest, if the offset has a constant stride along the
    nest."""
    if len(nest.indices) < 2 or not offset.is_polynomial:
        return offset, at
    factors: list[Index] = []
    rest = offset
    for value in nest.indices:
        factor = index(0)
        for k, operand in enumerate(at):
            if operand is value:
                part = offset.coefficient(Dim(k))
                if part is None or part.dims():
                    return offset, at
                factor, rest = factor + part, rest - part * dim(k)
        factors.append(factor)
    if any(factor != factors[0] * step for factor, step in zip(factors, nest.strides, strict=True)):
        return offset, at
    return rest + factors[0] * dim(len(at)), [*at, nest.flat]
