"""`sw.fft`: Fourier transforms along the last axis, computed by pocketfft through NumPy, with gradients.

Programs compute with complex tensors as pairs of a real and an imaginary part: arguments and results are either the two parts
or one complex tensor (`sw.complex`).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ...ir.diagnostics import ShapeError
from .. import functions as sw
from ..tracing.complex_tensors import Complex, joined, separated
from ..tracing.tensor import Tensor
from ..tracing.tracer import current_tracer, is_tracing
from .host_operations import host_operation, with_gradient

Pair = tuple[Tensor, Tensor]


def _expect_elements(name: str, x: Any) -> None:
    """Raise ShapeError for a transform along an axis without elements."""
    shape = getattr(x, "shape", ())  # a tensor without axes is refused by the operation
    if shape and isinstance(shape[-1], int) and not shape[-1]:
        message = f"fft.{name}: expected at least one element along the last axis, got 0"
        raise current_tracer().error(message) if is_tracing() else ShapeError(message)


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
    """The sum over the kept frequencies; the others are 0."""
    size, kept = x.shape[-1], gs[0].shape[-1]
    padded = [sw.pad(each, [*[(0, 0)] * (x.ndim - 1), (0, size - kept)]) for each in gs]
    return _ifft(*padded)[0] * size


def _irfft_backward(g: Tensor, re: Tensor, im: Tensor) -> Pair:
    """Each frequency between the first and the middle one stands for two."""
    size, kept = g.shape[-1], re.shape[-1]
    at = sw.arange(kept)
    single = sw.logical_or(sw.equal(at, 0), sw.equal(at * 2, size))
    weights = sw.astype(sw.where(single, 1, 2), g.dtype) / size
    found = _rfft(g)
    return found[0] * weights, found[1] * weights


_whole = with_gradient(_fft, _fft_backward, "The discrete Fourier transform of a pair, as a pair.")
_inverse = with_gradient(_ifft, _ifft_backward, "The inverse of `fft`.")
_half = with_gradient(
    _rfft, _rfft_backward, "The first half of the transform of a real tensor, which determines the rest, as a pair."
)
_to_real = with_gradient(_irfft, _irfft_backward, "The inverse of `rfft`, of `n` elements: `sw.fft.irfft(re, im, n=8)`.")


def fft(real: Any, imag: Any = None, /) -> Any:
    """The discrete Fourier transform: a complex tensor of a complex tensor, a pair of two parts of a pair."""
    _expect_elements("fft", real)
    return _of_parts(_whole, real) if imag is None else _whole(real, imag)


def rfft(x: Any, /) -> Any:
    """The first half of the transform of a real tensor, which determines the rest, as a pair."""
    _expect_elements("rfft", x)
    return _half(x)


def ifft(real: Any, imag: Any = None, /) -> Any:
    """The inverse of `fft`."""
    _expect_elements("ifft", real)
    return _of_parts(_inverse, real) if imag is None else _inverse(real, imag)


def irfft(real: Any, imag: Any = None, /, *, n: int | None = None) -> Any:
    """The inverse of `rfft`, of `n` elements, for a complex tensor or its two parts: `sw.fft.irfft(re, im, n=8)`.

    Frequencies that `n` elements do not have are left out, missing ones are 0. By default there are twice as many elements as
    frequencies, minus two."""
    _expect_elements("irfft", real)

    def inverse(re: Any, im: Any) -> Tensor:
        kept = re.shape[-1]
        length = 2 * (kept - 1) if n is None else n
        return _to_real(*(_of_length(part, length // 2 + 1) for part in (re, im)), n=length)

    return _of_parts(inverse, real) if imag is None else inverse(real, imag)


def _of_length(x: Any, length: Any) -> Any:
    """x cut, or filled up with zeros, to a length along the last axis."""
    size = x.shape[-1]
    if isinstance(size, int) and size == length:
        return x
    longer = sw.pad(x, [*[(0, 0)] * (len(x.shape) - 1), (0, length)])
    return sw.getitem(longer, (..., slice(0, length)))


def _of_parts(operation: Any, given: Any, **options: Any) -> Any:
    """An operation on the parts of a complex tensor or array; a pair of results is a complex tensor or array too."""
    value = separated(given)
    if not isinstance(value, Complex):
        value = Complex(value, value * 0)
    found = operation(value.real, value.imag, **options)
    return joined(Complex(*found)) if isinstance(found, tuple) else found
