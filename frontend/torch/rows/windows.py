"""Rows of pooling and of blocks of images."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from types import MappingProxyType
from typing import Any

from ... import functions as sw
from ...tracing.tensor import Tensor
from .parts import pulled_back
from .row import Rows, Unsupported, own


def _spread(amounts: Any, rank: int) -> list[Any]:
    """One amount for each axis."""
    given = list(amounts) if isinstance(amounts, Sequence) else [amounts]
    return given * rank if len(given) == 1 else given


def _window_options(rank: int, kernel: Any, stride: Any, padding: Any) -> tuple[list[Any], dict[str, Any]]:
    """The kernel of a pooling, and its stride and padding in the form of the library's functions."""
    return _spread(kernel, rank), {"stride": _spread(stride, rank) if stride else None, "padding": _spread(padding, rank)}


def max_pool_with_places(rank: int) -> Callable[..., Any]:
    """The maximum of each window, and its index in the flattened last axes of the input: the first one among equals."""

    def apply(
        x: Tensor, kernel: Any, stride: Any = (), padding: Any = 0, dilation: Any = 1, ceil_mode: bool = False
    ) -> tuple[Tensor, Tensor]:
        extents, options = _window_options(rank, kernel, stride, padding)
        options |= {"dilation": _spread(dilation, rank), "ceil_mode": ceil_mode, "return_indices": True}
        return getattr(sw, f"max_pool{rank}d")(x, extents, **options)

    return apply


def max_pool_backward(rank: int) -> Callable[..., Any]:
    """A row that adds up the gradients at the indices of the maxima."""

    def apply(gradient: Tensor, x: Tensor, *rest: Any) -> Tensor:
        places = rest[-1]
        lead = x.ndim - rank
        flat = sw.reshape(sw.zeros_like(x), (*x.shape[:lead], _count(x.shape[lead:])))
        at, new = (sw.reshape(each, (*each.shape[:lead], _count(each.shape[lead:]))) for each in (places, gradient))
        return sw.reshape(sw.scatter(flat, at, new, axis=lead, op="add"), x.shape)

    return apply


def _count(sizes: Sequence[Any]) -> Any:
    total: Any = 1
    for size in sizes:
        total = total * size
    return total


def _average_pool(
    x: Tensor,
    rank: int,
    kernel: Any,
    stride: Any = (),
    padding: Any = 0,
    ceil_mode: bool = False,
    count_include_pad: bool = True,
    divisor: int | None = None,
) -> Tensor:
    if not x.dtype.is_float:
        raise Unsupported("means of integers")
    extents, options = _window_options(rank, kernel, stride, padding)
    options |= {"ceil_mode": ceil_mode, "count_include_pad": count_include_pad, "divisor_override": divisor}
    return getattr(sw, f"avg_pool{rank}d")(x, extents, **options)


def average_pool(rank: int) -> Callable[..., Any]:
    """The mean of each window."""
    return lambda x, *options: _average_pool(x, rank, *options)


def average_pool_backward(rank: int) -> Callable[..., Any]:
    """The derivative of `average_pool`."""

    def apply(gradient: Tensor, x: Tensor, *options: Any) -> Tensor:
        return pulled_back(lambda x: _average_pool(x, rank, *options), [x], gradient)[0]

    return apply


def adaptive_means(rank: int) -> Callable[..., Any]:
    """Means over windows that cover each axis evenly."""
    return lambda x, out: getattr(sw, f"adaptive_avg_pool{rank}d")(x, list(out))


def adaptive_backward(rank: int) -> Callable[..., Any]:
    """The derivative of adaptive means."""

    def apply(gradient: Tensor, x: Tensor) -> Tensor:
        out = gradient.shape[-rank:]
        return pulled_back(lambda x: adaptive_means(rank)(x, out), [x], gradient)[0]

    return apply


def adaptive_maxima(rank: int) -> Callable[..., Any]:
    """Maxima over windows that cover each axis evenly, and their indices in the flattened last axes of the input."""
    return lambda x, out: getattr(sw, f"adaptive_max_pool{rank}d")(x, list(out), return_indices=True)


def _blocks(x: Tensor, kernel: Any, dilation: Any, padding: Any, stride: Any) -> Tensor:
    """The blocks of an image, or of a batch of them, as columns."""
    options = {"dilation": list(dilation), "padding": list(padding), "stride": list(stride)}
    if x.ndim == 4:
        return sw.unfold(x, list(kernel), **options)
    return sw.squeeze(sw.unfold(sw.expand_dims(x, 0), list(kernel), **options), 0)


def _from_blocks(x: Tensor, out: Any, kernel: Any, dilation: Any, padding: Any, stride: Any) -> Tensor:
    """The image, or batch of images, that is the sum of its blocks."""
    options = {"dilation": list(dilation), "padding": list(padding), "stride": list(stride)}
    if x.ndim == 3:
        return sw.fold(x, list(out), list(kernel), **options)
    return sw.squeeze(sw.fold(sw.expand_dims(x, 0), list(out), list(kernel), **options), 0)


WINDOWS: Rows = MappingProxyType(
    {
        "max_pool2d_with_indices.default": own(max_pool_with_places(2)),
        "max_pool3d_with_indices.default": own(max_pool_with_places(3)),
        "max_pool2d_with_indices_backward.default": own(max_pool_backward(2)),
        "max_pool3d_with_indices_backward.default": own(max_pool_backward(3)),
        "adaptive_max_pool2d.default": own(adaptive_maxima(2)),
        "adaptive_max_pool3d.default": own(adaptive_maxima(3)),
        "adaptive_max_pool2d_backward.default": own(max_pool_backward(2)),
        "adaptive_max_pool3d_backward.default": own(max_pool_backward(3)),
        "avg_pool2d.default": own(average_pool(2)),
        "avg_pool3d.default": own(average_pool(3)),
        "avg_pool1d.default": own(average_pool(1)),
        "avg_pool2d_backward.default": own(average_pool_backward(2)),
        "avg_pool3d_backward.default": own(average_pool_backward(3)),
        "_adaptive_avg_pool2d.default": own(adaptive_means(2)),
        "_adaptive_avg_pool3d.default": own(adaptive_means(3)),
        "im2col.default": own(_blocks),
        "col2im.default": own(_from_blocks),
        "_adaptive_avg_pool2d_backward.default": own(adaptive_backward(2)),
        "_adaptive_avg_pool3d_backward.default": own(adaptive_backward(3)),
    }
)
