"""The shape rules of contractions, convolutions and window reductions, in the shape language."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from types import MappingProxyType

from ...ir.types.shapes import Shape
from .rules import array, axis_names

# Matrix products, by whether each operand has more than one axis.
PRODUCTS: Mapping[tuple[bool, bool], str] = MappingProxyType(
    {
        (True, True): "lhs[... rows inner] rhs[... inner columns] -> [... rows columns]",
        (True, False): "lhs[~ rows inner] rhs[inner] -> [~ rows]",
        (False, True): "lhs[inner] rhs[~ inner columns] -> [~ columns]",
        (False, False): "lhs[inner] rhs[inner] -> []",
    }
)

# The number of positions of a window along axis {0}.
_POSITIONS = "(x{0} + low{0} + high{0} - (k{0} - 1) * dilation{0} - 1) // stride{0} + 1"
# The size of a convolution's input that gives a result of size x{0}, as far as it is determined.
_SPREAD = "(x{0} - 1) * stride{0} - low{0} - high{0} + (k{0} - 1) * dilation{0} + extra{0} + 1"


@lru_cache(maxsize=1 << 10)
def contraction(spec: str, ones: tuple[tuple[bool, ...], ...]) -> str:
    """`ij,jk->ik` is `[i j] [j k] -> [i k]`. An axis of size 1 (`ones_of`) is a number where its label is longer elsewhere."""
    left, _, right = spec.partition("->")
    operands = [list(zip(labels, flags, strict=True)) for labels, flags in zip(left.split(","), ones, strict=True)]
    longer = {label for axes in operands for label, is_one in axes if not is_one}
    arrays = [array("", ["1" if is_one and label in longer else label for label, is_one in axes]) for axes in operands]
    return f"{' '.join(arrays)} -> {array('', right)}"


def ones_of(shapes: Sequence[Shape]) -> tuple[tuple[bool, ...], ...]:
    """For each size whether it is 1."""
    return tuple(tuple(size == 1 for size in shape) for shape in shapes)


@lru_cache(maxsize=1 << 6)
def convolution(space: int) -> str:
    """`input[batch channels x0] weight[out depth k0] -> [batch out y0] where channels = depth * groups y0 = ...`"""
    weight = array("weight", ["out", "depth", *axis_names("k", space)])
    return f"{_images('input', 'channels', 'x', space)} {weight} -> {_images('', 'out', 'y', space)} where " + " ".join(
        ["channels = depth * groups", *_sizes(_POSITIONS, space)]
    )


@lru_cache(maxsize=1 << 6)
def transposed_convolution(space: int) -> str:
    """`input[batch channels x0] weight[channels depth k0] -> [batch out y0] where out = depth * groups y0 = ...`"""
    weight = array("weight", ["channels", "depth", *axis_names("k", space)])
    return f"{_images('input', 'channels', 'x', space)} {weight} -> {_images('', 'out', 'y', space)} where " + " ".join(
        ["out = depth * groups", *_sizes(_SPREAD, space)]
    )


@lru_cache(maxsize=1 << 6)
def windows(space: int) -> str:
    """`input[~ x0] -> [~ y0] where y0 = ...`"""
    where = " ".join(_sizes(_POSITIONS, space))
    sides = f"{array('input', ['~', *axis_names('x', space)])} -> {array('', ['~', *axis_names('y', space)])}"
    return f"{sides} where {where}" if where else sides


def _images(name: str, channels: str, prefix: str, space: int) -> str:
    return array(name, ["batch", channels, *axis_names(prefix, space)])


def _sizes(size: str, space: int) -> list[str]:
    return [f"y{k} = {size.format(k)}" for k in range(space)]
