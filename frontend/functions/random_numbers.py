"""Random numbers from a counter-based generator: element k of a draw depends only on the key and on k, so that a program gives
the same numbers on every target and in any order of evaluation."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ...ir.index.expressions import product
from ...ir.types.dtypes import FLOAT32, INT64, DType, dtype
from ..tracing.tensor import Tensor, TensorLike, cast, tensor_of
from .arguments import expect_sizes, floating, tracer_of
from .creation import iota
from .elementwise import minimum, random_bits
from .manipulation import reshape
from .reductions import argmax
from .scalar_functions import cos, log, sqrt


def random_uniform(key: TensorLike, shape: Any, *, low: float = 0.0, high: float = 1.0, dtype: Any = None) -> Tensor:
    """Uniformly distributed numbers in [low, high) of `shape`, float32 unless a float dtype is given. `key` is an integer or an
    integer tensor without axes; equal keys give equal numbers.

    Raises ShapeError for negative sizes, a key that is not an integer, a dtype that is not a float, and limits between which
    the dtype has no number.
    """
    target = _float(dtype, key)
    value = _unit(key, shape, target, stream=0)
    if (low, high) == (0.0, 1.0):
        return value
    last = float(np.nextafter(target.numpy.type(high), target.numpy.type(low)))
    if not low <= last < high:
        raise value.tracer.error(f"random_uniform: {target} has no number in [{low}, {high})")
    # The sum is rounded, also up to `high`.
    return minimum(value * (high - low) + low, last)


def random_normal(key: TensorLike, shape: Any, *, mean: float = 0.0, std: float = 1.0, dtype: Any = None) -> Tensor:
    """Normally distributed numbers of `shape` (Box and Muller, 1958), float32 unless a float dtype is given, with the `key` and
    the errors of `random_uniform`."""
    target = _float(dtype, key)
    wide = target.compute
    # 1 - u is in (0, 1], where the logarithm is finite.
    radius = sqrt(-2.0 * log(1.0 - _unit(key, shape, wide, stream=1)))
    value = radius * cos((2 * math.pi) * _unit(key, shape, wide, stream=2))
    return cast(value if (mean, std) == (0.0, 1.0) else value * std + mean, target)


def random_integers(key: TensorLike, shape: Any, *, low: int = 0, high: int) -> Tensor:
    """Integers, int64, of `shape`, each from low to high - 1 with the same probability up to 2^-32, with the `key` of
    `random_uniform`. Raises ShapeError unless low < high <= low + 2^31."""
    tracer = tracer_of(key)
    if not low < high <= low + (1 << 31):
        raise tracer.error(f"random_integers: expected low < high <= low + 2^31, got {low} and {high}")
    sizes = expect_sizes("random numbers", shape, tracer)
    bits = cast(random_bits(_seed(key), iota(product(sizes)) + (3 << 32)), INT64)
    return reshape((bits * (high - low)) // (1 << 32) + low, sizes)


def categorical(key: TensorLike, logits: TensorLike, *, axis: int = -1) -> Tensor:
    """A random index along an axis, int64, with probabilities proportional to exp(logits): the maximum of logits with noise
    (Gumbel, 1954), with the `key` of `random_uniform`."""
    value = floating(logits)
    wide = cast(value, value.dtype.compute)
    uniform = _unit(key, value.shape, FLOAT32, stream=4) + 2.0**-25
    return argmax(wide - cast(log(-log(uniform)), wide.dtype), axis=axis)


def _seed(key: TensorLike) -> Tensor:
    tracer = tracer_of(key)
    seed = tensor_of(key, tracer)
    if seed.dtype.kind not in ("int", "uint"):
        raise tracer.error(f"expected a key that is an integer, or a tensor of one, got {key!r}")
    return cast(seed, INT64)


def _unit(key: TensorLike, shape: Any, target: DType, stream: int) -> Tensor:
    """Uniform numbers in [0, 1), with as many random bits as the dtype holds, at most 24, so that none rounds to 1. Streams of
    one key are independent."""
    seed = _seed(key)
    sizes = expect_sizes("random numbers", shape, tracer_of(key))
    counters = iota(product(sizes))
    # The high 32 bits of the counter hold the stream's number.
    bits = random_bits(seed, counters + (stream << 32))
    digits = min(target.digits, FLOAT32.digits)
    value = cast(bits // 2 ** (32 - digits), FLOAT32) * 2.0**-digits
    return reshape(cast(value, target), sizes)


def _float(given: Any, key: TensorLike) -> DType:
    found = FLOAT32 if given is None else dtype(given)
    if not found.is_float:
        raise tracer_of(key).error(f"random numbers are floats, got dtype {found}")
    return found
