"""The cases of the coverage table for functions on images and on tables of rows."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...frontend import public as sw
from .case import Case
from .micro_ops import ALL, NUMBERS
from .reference import adaptive, along_axes, cubic, windows

# Sampling grids: the positions of the columns, then the rows, of a (5, 6) image, both from the last one to the first; and
# positions between two rows.
_REVERSED = np.stack(np.meshgrid(np.linspace(1, -1, 6), np.linspace(1, -1, 5)), axis=-1)[None].repeat(2, axis=0)
_BETWEEN = np.stack(np.meshgrid(np.linspace(-1, 1, 6), np.linspace(-0.75, 0.75, 4)), axis=-1)[None].repeat(2, axis=0)


def _maxima(image: Any) -> Any:
    """The index in an image of the first maximum of each window of 2 x 2."""
    at = windows(image, 2, 2).argmax(axis=-1)
    rows, columns = np.meshgrid(np.arange(at.shape[-2]) * 2, np.arange(at.shape[-1]) * 2, indexing="ij")
    return (rows + at // 2) * image.shape[-1] + columns + at % 2


def _at_maxima(image: Any) -> Any:
    """Zeros, with the maximum of each window of 2 x 2 at its position."""
    found = np.zeros((*image.shape[:2], image.shape[2] * image.shape[3]), image.dtype)
    at, values = (each.reshape(*image.shape[:2], -1) for each in (_maxima(image), windows(image, 2, 2).max(axis=-1)))
    np.put_along_axis(found, at, values, axis=-1)
    return found.reshape(image.shape)


def _ramps(line: Any, size: int) -> Any:
    """A line resampled between its first and its last element."""
    return np.interp(np.linspace(0, len(line) - 1, size), np.arange(len(line)), line)


def _columns(image: Any) -> Any:
    """The blocks of 2 x 3 of images, as columns."""
    seen = np.lib.stride_tricks.sliding_window_view(image, (2, 3), axis=(2, 3))
    return seen.transpose(0, 1, 4, 5, 2, 3).reshape(len(image), -1, seen.shape[2] * seen.shape[3])


def _shuffled(image: Any) -> Any:
    """4 channels as one channel of twice the height and width."""
    n, _, height, width = image.shape
    return image.reshape(n, 1, 2, 2, height, width).transpose(0, 1, 4, 2, 5, 3).reshape(n, 1, 2 * height, 2 * width)


IMAGE_CASES: tuple[Case, ...] = (
    Case(
        "interpolate nearest", ALL, lambda a: sw.interpolate(a.image, scale_factor=2),
        lambda a: a.image.repeat(2, axis=2).repeat(2, axis=3),
    ),
    Case(
        "interpolate bilinear", ALL, lambda a: sw.interpolate(a.image, (9, 4), mode="bilinear", align_corners=True),
        lambda a: along_axes(a.image, _ramps, (9, 4)),
    ),
    Case(
        "interpolate bicubic", ALL, lambda a: sw.interpolate(a.image, (10, 3), mode="bicubic"),
        lambda a: along_axes(a.image, cubic, (10, 3)),
    ),
    Case(
        "grid_sample", ALL, lambda a: sw.grid_sample(a.image, _REVERSED, align_corners=True),
        lambda a: a.image[:, :, ::-1, ::-1],
    ),
    Case(
        "grid_sample between", ALL, lambda a: sw.grid_sample(a.image, _BETWEEN, align_corners=True, padding_mode="border"),
        lambda a: (a.image[:, :, 1:].astype(float) + a.image[:, :, :-1]) / 2,
    ),
    Case("unfold", ALL, lambda a: sw.unfold(a.image, (2, 3)), lambda a: _columns(a.image)),
    Case(
        "fold", NUMBERS, lambda a: sw.fold(sw.unfold(a.image, 2, stride=2), (5, 6), 2, stride=2),
        lambda a: np.pad(a.image[:, :, :4], ((0, 0), (0, 0), (0, 1), (0, 0))),
    ),
    Case("pixel_shuffle", ALL, lambda a: sw.pixel_shuffle(a.image, 2), lambda a: _shuffled(a.image)),
    Case(
        "pixel_unshuffle", ALL, lambda a: sw.pixel_unshuffle(sw.pixel_shuffle(a.image, 2), 2), lambda a: a.image
    ),
    Case(
        "max_pool2d indices", ALL, lambda a: sw.max_pool2d(a.image, 2, return_indices=True)[1], lambda a: _maxima(a.image)
    ),
    Case(
        "max_unpool2d", ALL,
        lambda a: sw.max_unpool2d(*sw.max_pool2d(a.image, 2, return_indices=True), 2, output_size=(5, 6)),
        lambda a: _at_maxima(a.image),
    ),
    Case(
        "max_pool2d ceil_mode", ALL, lambda a: sw.max_pool2d(a.image, 2, ceil_mode=True),
        lambda a: windows(np.pad(a.image, ((0, 0), (0, 0), (0, 1), (0, 0)), "edge"), 2, 2).max(axis=-1),
    ),
    Case(
        "avg_pool2d ceil_mode", ALL, lambda a: sw.avg_pool2d(a.image, 2, ceil_mode=True),
        lambda a: windows(np.pad(a.image, ((0, 0), (0, 0), (0, 1), (0, 0)), "edge"), 2, 2).mean(axis=-1),
    ),
    Case(
        "adaptive_avg_pool2d", ALL, lambda a: sw.adaptive_avg_pool2d(a.image, (3, 4)),
        lambda a: along_axes(a.image, lambda line, n: adaptive(line, n, np.mean), (3, 4)),
    ),
    Case(
        "adaptive_max_pool2d", ALL, lambda a: sw.adaptive_max_pool2d(a.image, (3, 4)),
        lambda a: along_axes(a.image, lambda line, n: adaptive(line, n, np.max), (3, 4)),
    ),
    *(
        Case(
            f"embedding_bag {mode}", ALL,
            lambda a, mode=mode: sw.embedding_bag(a.k, sw.matrix_transpose(a.y), mode=mode),
            lambda a, mode=mode: getattr(a.y.T[a.k], mode)(axis=1),
        )
        for mode in ("sum", "mean", "max")
    ),
)  # fmt: skip
