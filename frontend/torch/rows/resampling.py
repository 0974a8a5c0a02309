"""Rows of resampling: interpolation, sampling by grids, and their derivatives."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from types import MappingProxyType
from typing import Any

from ... import functions as sw
from ...functions.images.grid_sampling import MODES, PADDINGS
from ...functions.images.resampling import LARGEST_DENOMINATOR, resampled
from ...tracing.tensor import Tensor
from .parts import pulled_back
from .row import Row, Rows, meta, own


def _interpolation(rank: int, mode: str, has_corners: bool) -> tuple[Callable[..., Any], Callable[..., Any]]:
    """The functions of an interpolation over some last axes, and of its derivative."""

    def apply(x: Tensor, out: Sequence[Any], options: Sequence[Any]) -> Tensor:
        align_corners, *scales = options if has_corners else (False, *options)
        if len(scales) == 1 and (isinstance(scales[0], Sequence) or scales[0] is None):
            scales = scales[0] or ()
        return resampled(x, out, [*scales, *[None] * rank][:rank], mode, bool(align_corners))

    def forward(x: Tensor, _: Any, *options: Any) -> Tensor:
        return apply(x, meta().shape[-rank:], options)

    def backward(gradient: Tensor, _: Any, shape: Sequence[Any], *options: Any) -> Tensor:
        out = gradient.shape[-rank:]
        like = sw.zeros(tuple(shape), gradient.dtype)
        return pulled_back(lambda x: apply(x, out, options), [like], gradient)[0]

    return forward, backward


def _resampled(x: Tensor, out: Sequence[Any], scales: Sequence[float], mode: str, align_corners: bool) -> Tensor:
    # The backward pass is a row of its own, so that divisors need not be small for the gradient.
    return resampled(x, meta().shape[2:], scales or [None] * len(out), mode, align_corners, LARGEST_DENOMINATOR)


def _resampled_backward(
    gradient: Tensor, shape: Sequence[Any], scales: Sequence[float], mode: str, align_corners: bool
) -> Tensor:
    out = gradient.shape[2:]
    like = sw.zeros(tuple(shape), gradient.dtype)
    return pulled_back(lambda x: resampled(x, out, scales or [None] * len(out), mode, align_corners), [like], gradient)[0]


def _sampled(x: Tensor, grid: Tensor, mode: int, padding: int, align_corners: bool) -> Tensor:
    return sw.grid_sample(x, grid, mode=MODES[mode], padding_mode=PADDINGS[padding], align_corners=align_corners)


def _sampled_backward(
    gradient: Tensor,
    x: Tensor,
    grid: Tensor,
    mode: int,
    padding: int,
    align_corners: bool,
    wanted: Sequence[bool] = (True, True),
) -> tuple[Any, ...]:
    by_x, by_grid = pulled_back(lambda x, grid: _sampled(x, grid, mode, padding, align_corners), [x, grid], gradient)
    return by_x if wanted[0] else None, by_grid


def _rows() -> dict[str, Row]:
    found = {"stepwell.resample.default": own(_resampled), "stepwell.resample_backward.default": own(_resampled_backward)}

    def add(name: str, functions: tuple[Callable[..., Any], Callable[..., Any]]) -> None:
        forward, backward = functions
        found.update({f"{name}.default": own(forward), f"{name}.vec": own(forward)})
        found[f"{name}_backward.default"] = own(backward)

    for rank in (1, 2, 3):
        add(f"upsample_nearest{rank}d", _interpolation(rank, "nearest", False))
        add(f"_upsample_nearest_exact{rank}d", _interpolation(rank, "nearest-exact", False))
    for rank, mode in ((1, "linear"), (2, "bilinear"), (3, "trilinear")):
        add(f"upsample_{mode}{rank}d", _interpolation(rank, mode, True))
    add("upsample_bicubic2d", _interpolation(2, "bicubic", True))
    for rank in (2, 3):
        found[f"grid_sampler_{rank}d.default"] = own(_sampled)
        found[f"grid_sampler_{rank}d_backward.default"] = own(_sampled_backward)
    return found


RESAMPLING: Rows = MappingProxyType(_rows())
