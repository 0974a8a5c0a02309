"""`sw.fft`: Fourier transforms along the last axis, computed by pocketfft through NumPy, with gradients.

There are no complex dtypes: a complex tensor is a pair of its real and its imaginary part.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from .. import functions as sw
from ..tracing.tensor import Tensor
from .host_operations import host_operation, with_gradient

Pair = tuple[Tensor, Tensor]


def _parts(x: Any) -> tuple[Any, Any]:
    return np.ascontiguousarray(x.real), np.ascontiguousarray(x.imag)


_fft = host_operation("fft.fft", "Re[~ n] Im[~ n] -> [~ n] [~ n]", lambda re, im: _parts(np.fft.fft(re + 1j * im)))
_ifft = host_operation("fft.ifft", "Re[~ n] Im[~ n] -> [~ n] [~ n]", lambda re, im: _parts(np.fft.ifft(re + 1j * im)))
_rfft = host_operation("fft.rfft", "X[~ n] -> [~ m] [~ m] where m = n // 2 + 1", lambda x: _parts(np.fft.rfft(x)))
_irfft = host_operation("fft.irfft", "Re[~ m] Im[~ m] -> [~ n]", lambda re, im, n: np.fft.irfft(re + 1j * im, n))


def _fft_backward(gs: Pair, re: Tensor, im: Tensor) -> Pair:
    size = re.shape[-1]
    found = _ifft(*gs)
    return found[0] * size, found[1] * size


def _ifft_backward(gs: Pair, re: Tensor, im: Tensor) -> Pair:
    size = re.shape[-1]
    found = _fft(*gs)
    return found[0] / size, found[1] / size


def _rfft_backward(gs: Pair, x: Tensor) -> Tensor:
    """The sum over the kept frequencies, those that are left out being 0."""
    size, kept = x.shape[-1], gs[0].shape[-1]
    padded = [sw.pad(each, [*[(0, 0)] * (x.ndim - 1), (0, size - kept)]) for each in gs]
    return _ifft(*padded)[0] * size


def _irfft_backward(g: Tensor, re: Tensor, im: Tensor) -> Pair:
    """Frequencies between the first and the middle one stand for two."""
    size, kept = g.shape[-1], re.shape[-1]
    at = sw.arange(kept)
    single = sw.logical_or(sw.equal(at, 0), sw.equal(at * 2, size))
    weights = sw.astype(sw.where(single, 1, 2), g.dtype) / size
    found = _rfft(g)
    return found[0] * weights, found[1] * weights


fft = with_gradient(_fft, _fft_backward, "The discrete Fourier transform of a pair, as a pair.")
ifft = with_gradient(_ifft, _ifft_backward, "The inverse of `fft`.")
rfft = with_gradient(
    _rfft, _rfft_backward, "The first half of the transform of a real tensor, which determines the rest, as a pair."
)
irfft = with_gradient(_irfft, _irfft_backward, "The inverse of `rfft`, of `n` elements: `sw.fft.irfft(re, im, n=8)`.")
