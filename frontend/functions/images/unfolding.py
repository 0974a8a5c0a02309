"""Rearrangements of images, as in torch: blocks to columns and back, channels to pixels and back."""

from __future__ import annotations

from typing import Any, NamedTuple

from ....ir.index.expressions import Index, product
from ...tracing.sizes import size_of
from ...tracing.tensor import Tensor, TensorLike
from ..arguments import int_of, ints_of, shape_from, tensor, window_steps
from ..manipulation import permute_dims, reshape
from ..micro_ops import reindex, scatter


class _Options(NamedTuple):
    """The options of blocks as users write them: a number, or a sequence with one entry an axis."""

    kernel_size: Any
    dilation: Any
    padding: Any
    stride: Any


class _Blocks(NamedTuple):
    """The blocks of an image: their sizes, strides, dilations and numbers along both axes."""

    extents: list[int]
    steps: list[int]
    spreads: list[int]
    padding: list[int]
    counts: list[Index]

    def places(self) -> list[str]:
        """The indices in the image of element (i2, i3) of block (i4, i5)."""
        return [f"i{4 + k} * {self.steps[k]} + i{2 + k} * {self.spreads[k]} - {self.padding[k]}" for k in range(2)]


def _blocks(name: str, x: Tensor, sizes: list[Index], options: _Options) -> _Blocks:
    """Convert the options. Raises ShapeError for those that do not fit an image of these sizes."""
    tracer = x.tracer
    extents = window_steps(options.kernel_size, 2, "kernel_size", tracer)
    steps = window_steps(options.stride, 2, "stride", tracer)
    spreads = window_steps(options.dilation, 2, "dilation", tracer)
    padding = ints_of(options.padding, 2, "padding", tracer)
    if min(padding) < 0:
        raise tracer.error(f"padding: expected at least 0, got {padding}")
    counts: list[Index] = []
    for k, size in enumerate(sizes):
        room = size + (2 * padding[k] - spreads[k] * (extents[k] - 1) - 1)
        if not tracer.sizes.assume(room):
            covered = spreads[k] * (extents[k] - 1) + 1
            raise tracer.error(f"{name}: a block of {covered} does not fit into {size + 2 * padding[k]} padded elements")
        counts.append(room // steps[k] + 1)
    return _Blocks(extents, steps, spreads, padding, counts)


def unfold(x: TensorLike, kernel_size: Any, *, dilation: Any = 1, padding: Any = 0, stride: Any = 1) -> Tensor:
    """The blocks of images as columns (im2col): x (N, C, H, W) to (N, C * KH * KW, blocks), padded with zeros.

    The blocks are those of a convolution with a kernel of `kernel_size`; each option is a number or one an axis. Raises
    ShapeError for other ranks and for blocks larger than the padded image.
    """
    value = tensor(x)
    if value.ndim != 4:
        raise value.tracer.error(f"unfold: expected (batch, channels, H, W), got {value!r}")
    blocks = _blocks("unfold", value, list(value.sizes[2:]), _Options(kernel_size, dilation, padding, stride))
    batch, channels = value.sizes[:2]
    shape = [size_of(each, value.tracer.sizes) for each in (batch, channels, *blocks.counts)]
    shape[2:2] = blocks.extents
    found = reindex(shape, value, index=["i0", "i1", *blocks.places()], fill=0)
    return reshape(found, [batch, channels * product(shape_from(blocks.extents, value.tracer)), product(blocks.counts)])


def fold(x: TensorLike, output_size: Any, kernel_size: Any, *, dilation: Any = 1, padding: Any = 0, stride: Any = 1) -> Tensor:
    """Images of `output_size` from their blocks (col2im): x (N, C * KH * KW, blocks) to (N, C, H, W). Elements of several
    blocks are added: it is the transpose of `unfold`, which has the same options.

    Raises ShapeError for a number of rows that is not a multiple of the block's size, and for a wrong number of blocks.
    """
    value = tensor(x)
    tracer = value.tracer
    if value.ndim != 3:
        raise tracer.error(f"fold: expected (batch, channels * kernel elements, blocks), got {value!r}")
    given = list(output_size) if isinstance(output_size, tuple | list) else [output_size] * 2
    sizes = shape_from(given, tracer)
    if len(sizes) != 2:
        raise tracer.error(f"fold: expected an output_size of 2 sizes, got {len(sizes)}")
    blocks = _blocks("fold", value, sizes, _Options(kernel_size, dilation, padding, stride))
    batch, rows, count = value.sizes
    elements = blocks.extents[0] * blocks.extents[1]
    channels = tracer.sizes.divide(rows, rows * 0 + elements)
    if channels is None:
        raise tracer.error(f"fold: {rows} rows do not divide into blocks of {elements} elements")
    if not tracer.sizes.unify(count, product(blocks.counts)):
        raise tracer.error(f"fold: expected {product(blocks.counts)} blocks for an image of these sizes, got {count}")
    apart = reshape(value, [batch, channels, *blocks.extents, *blocks.counts])
    shape = [size_of(each, tracer.sizes) for each in (batch, channels, *sizes)]
    return scatter(shape, apart, index=["i0", "i1", *blocks.places()], op="add")


def _factor(name: str, given: Any, x: Tensor) -> int:
    factor = int_of(given, f"{name}: a factor", x.tracer)
    if factor < 1 or x.ndim < 3:
        raise x.tracer.error(f"{name}: expected (..., channels, H, W) and a factor of at least 1, got {x!r} and {factor}")
    return factor


def pixel_shuffle(x: TensorLike, upscale_factor: int, /) -> Tensor:
    """x (..., C * r * r, H, W) to (..., C, H * r, W * r): r * r channels become a square of pixels (Shi et al., 2016). Raises
    ShapeError for channels that do not divide."""
    value = tensor(x)
    r = _factor("pixel_shuffle", upscale_factor, value)
    *lead, channels, height, width = value.sizes
    inner = value.tracer.sizes.divide(channels, channels * 0 + r * r)
    if inner is None:
        raise value.tracer.error(f"pixel_shuffle: {channels} channels do not divide by {r * r}")
    apart = reshape(value, [*lead, inner, r, r, height, width])
    n = len(lead)
    order = [*range(n), n, n + 3, n + 1, n + 4, n + 2]
    return reshape(permute_dims(apart, order), [*lead, inner, height * r, width * r])


def pixel_unshuffle(x: TensorLike, downscale_factor: int, /) -> Tensor:
    """The inverse of `pixel_shuffle`: x (..., C, H * r, W * r) to (..., C * r * r, H, W). Raises ShapeError for sizes that do
    not divide."""
    value = tensor(x)
    r = _factor("pixel_unshuffle", downscale_factor, value)
    *lead, channels, height, width = value.sizes
    inner = [value.tracer.sizes.divide(size, size * 0 + r) for size in (height, width)]
    if inner[0] is None or inner[1] is None:
        raise value.tracer.error(f"pixel_unshuffle: sizes ({height}, {width}) do not divide by {r}")
    apart = reshape(value, [*lead, channels, inner[0], r, inner[1], r])
    n = len(lead)
    order = [*range(n), n, n + 2, n + 4, n + 1, n + 3]
    return reshape(permute_dims(apart, order), [*lead, channels * (r * r), inner[0], inner[1]])
