"""Rows of operations on complex tensors, which programs represent as pairs of real tensors, and of Fourier transforms.

Operations that are linear or only move elements apply the row for real tensors to both parts.
"""

from __future__ import annotations

import builtins
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from types import MappingProxyType
from typing import Any

from ....ir.types.dtypes import FLOAT32, FLOAT64
from ... import functions as sw
from ...libraries import fft
from ...tracing.complex_tensors import Complex
from ...tracing.tensor import Tensor, cast
from .creation import CREATION
from .elementwise import ELEMENTWISE
from .host_kernels import kernel
from .indexing import INDEXING
from .kernels import KERNELS
from .parts import axis_in
from .reductions import REDUCTIONS
from .row import Meta, Row, Rows, Unsupported, computing, meta, own
from .views import VIEWS

# Computed by torch's kernels.
_BY_KERNELS = """
    prod prod.dim_int cumprod tan asin acos atan asinh acosh atanh log2 log10 log1p expm1 exp2 sigmoid rsqrt logcumsumexp
"""
_OF_THEIR_NAME = "abs angle real imag exp log sin cos sinh cosh tanh sqrt square reciprocal isnan isinf isfinite complex"
_REDUCTIONS = "sum.default sum.dim_IntList mean.default mean.dim cumsum.default"
_INDEXING = """
    index.Tensor _unsafe_index.Tensor index_select.default gather.default index_put.default _unsafe_index_put.default
    index_add.default index_copy.default scatter_add.default scatter.src
"""


@dataclass(frozen=True)
class _Part:
    """A part of a fake tensor, with the attributes that rows read."""

    dtype: Any
    shape: Any
    device: Any

    @property
    def ndim(self) -> int:
        return len(self.shape)


def _fake_part(fake: Any) -> Any:
    import torch

    if not hasattr(fake, "is_complex") or not fake.is_complex():
        return fake
    return _Part(torch.float64 if fake.dtype == torch.complex128 else torch.float32, fake.shape, fake.device)


def _as_part(operation: Meta) -> Meta:
    """The operation, with real results in place of complex ones."""
    results = operation.results
    several = isinstance(results, tuple | list)
    return operation._replace(results=tuple(map(_fake_part, results)) if several else _fake_part(results))


def _part_of(value: Any, name: str) -> Any:
    """The real or the imaginary part of an argument; that of a real tensor of floats is zeros."""
    if isinstance(value, Complex | builtins.complex):
        return getattr(value, name)
    is_data = name == "imag" and isinstance(value, Tensor) and value.dtype.is_float
    return sw.zeros_like(value) if is_data else value


def _mapped(value: Any, name: str) -> Any:
    if isinstance(value, list | tuple):
        return type(value)([_mapped(each, name) for each in value])
    return _part_of(value, name)


def _joined(real: Any, imag: Any) -> Any:
    if isinstance(real, list | tuple):
        return type(real)([_joined(a, b) for a, b in zip(real, imag, strict=True)])
    return Complex(real, imag)


def _by_parts(row: Row) -> Row:
    """A linear row, applied to both parts."""

    def apply(*args: Any, **kwargs: Any) -> Any:
        if isinstance(kwargs.get("alpha"), builtins.complex):
            raise Unsupported("a complex factor")
        found: list[Any] = []
        with computing(_as_part(meta())):
            for name in ("real", "imag"):
                options = {key: _mapped(value, name) for key, value in kwargs.items()}
                found.append(row.function(*_mapped(args, name), **options))
        return _joined(*found)

    return own(apply)


def _created(row: Row) -> Row:
    """A row that makes a tensor of numbers; the imaginary part is zeros unless a number is complex."""

    def apply(*args: Any, **kwargs: Any) -> Any:
        with computing(_as_part(meta())):
            real = row.function(*_mapped(args, "real"), **kwargs)
            if any(isinstance(each, builtins.complex) for each in args):
                return Complex(real, row.function(*_mapped(args, "imag"), **kwargs))
        return Complex(real, sw.zeros_like(real))

    return own(apply)


def _padded(row: Row) -> Row:
    def apply(x: Any, widths: Any, value: Any = 0) -> Any:
        if value != 0:
            raise Unsupported("padding of complex tensors by other numbers than 0")
        return _by_parts(row).function(x, widths, 0)

    return own(apply)


def _add(x: Any, y: Any, *, alpha: Any = 1) -> Any:
    return sw.add(x, y if alpha == 1 else sw.multiply(y, alpha))


def _subtract(x: Any, y: Any, *, alpha: Any = 1) -> Any:
    return sw.subtract(x, y if alpha == 1 else sw.multiply(y, alpha))


def _to_copy(x: Any, **_: Any) -> Any:
    """A copy in the dtype of the result. As in torch, a cast to a real dtype drops the imaginary part."""
    return x if isinstance(x, Complex) and meta().first.is_complex() else sw.real(x)


def _index_fill(z: Any, dim: int, at: Tensor, value: Any) -> Complex:
    row = INDEXING["index_fill.int_Scalar"].function
    of_real, of_imag = (
        (value.real, value.imag) if isinstance(value, int | float | builtins.complex) else (sw.real(value), sw.imag(value))
    )
    return Complex(row(sw.real(z), dim, at, of_real), row(sw.imag(z), dim, at, of_imag))


def _view_as_real(z: Any) -> Tensor:
    return sw.stack([sw.real(z), sw.imag(z)], axis=-1)


def _view_as_complex(x: Tensor) -> Complex:
    return Complex(sw.getitem(x, (..., 0)), sw.getitem(x, (..., 1)))


def _polar(size: Tensor, angle: Tensor) -> Complex:
    return Complex(size * sw.cos(angle), size * sw.sin(angle))


def _added_product(x: Any, a: Any, b: Any, *, beta: Any = 1, alpha: Any = 1) -> Any:
    found = sw.multiply(sw.matmul(a, b), alpha)
    return found if beta == 0 else sw.add(sw.multiply(x, beta), found)


def _real_row(name: str) -> Callable[..., Any]:
    return REDUCTIONS[name].function


def _variance(z: Any, *args: Any, **kwargs: Any) -> Tensor:
    """The variance of a complex tensor: the sum of the variances of both parts."""
    row = _real_row("var.correction")
    return row(sw.real(z), *args, **kwargs) + row(sw.imag(z), *args, **kwargs)


def _variance_and_mean(z: Any, dims: Any = None, *, keepdim: bool = False, **kwargs: Any) -> tuple[Tensor, Any]:
    mean = _by_parts(REDUCTIONS["mean.dim"]).function(z, dims, keepdim)
    return _variance(z, dims, keepdim=keepdim, **kwargs), mean


def _scaled(z: Any, sizes: Sequence[Any], normalization: int, is_inverse: bool) -> Any:
    """A transform in torch's normalisation: 0 for none, 1 for division by the root of the number of elements, 2 by that number.
    The library's inverse transforms are divided by it already."""
    count = 1.0
    for size in sizes:
        count *= int(size)
    factor = (1.0, count**-0.5, 1 / count)[normalization] * (count if is_inverse else 1.0)
    return z if factor == 1 else sw.multiply(z, factor)


def _along(function: Callable[..., Any], z: Any, axis: int) -> Any:
    """A function along the last axis, applied along another axis."""
    return sw.moveaxis(function(sw.moveaxis(z, axis, -1)), -1, axis)


def _complex_to_complex(z: Any, dims: Sequence[int], normalization: int, forward: bool) -> Any:
    axes = [axis_in(z, dim) for dim in dims]
    for axis in axes:
        z = _along(fft.fft if forward else fft.ifft, z, axis)
    return _scaled(z, [z.shape[axis] for axis in axes], normalization, not forward)


def _real_to_complex(x: Tensor, dims: Sequence[int], normalization: int, onesided: bool) -> Any:
    axes = [axis_in(x, dim) for dim in dims]
    sizes = [x.shape[axis] for axis in axes]
    *others, last = axes
    z = _along(lambda line: Complex(*fft.rfft(line)), x, last) if onesided else _along(fft.fft, sw.complex(x, 0), last)
    for axis in others:
        z = _along(fft.fft, z, axis)
    return _scaled(z, sizes, normalization, False)


def _complex_to_real(z: Any, dims: Sequence[int], normalization: int, size: Any) -> Tensor:
    axes = [axis_in(z, dim) for dim in dims]
    *others, last = axes
    sizes = [*(z.shape[axis] for axis in others), size]
    for axis in others:
        z = _along(fft.ifft, z, axis)
    return _scaled(_along(partial(fft.irfft, n=int(size)), z, last), sizes, normalization, True)


def _named(function: str) -> Callable[..., Any]:
    return lambda *args: getattr(sw, function)(*args)


_FUNCTIONS: Mapping[str, Callable[..., Any]] = MappingProxyType(
    {
        "add.Tensor": _add,
        "add.Scalar": _add,
        "sub.Tensor": _subtract,
        "sub.Scalar": _subtract,
        "rsub.Tensor": lambda x, y, *, alpha=1: _subtract(y, x, alpha=alpha),
        "rsub.Scalar": lambda x, y, alpha=1: _subtract(y, x, alpha=alpha),
        **{
            f"{name}.{form}": _named(function)
            for name, function in (("mul", "multiply"), ("div", "divide"), ("eq", "equal"), ("ne", "not_equal"))
            for form in ("Tensor", "Scalar")
        },
        **{f"pow.{form}": _named("pow") for form in ("Tensor_Scalar", "Tensor_Tensor", "Scalar")},
        **{f"{name}.default": _named(name) for name in _OF_THEIR_NAME.split()},
        **{f"{name}.default": _named("conj") for name in ("_conj", "_conj_physical", "conj_physical")},
        "sgn.default": _named("sign"),
        "polar.default": _polar,
        "view_as_real.default": _view_as_real,
        "view_as_complex.default": _view_as_complex,
        "resolve_conj.default": lambda z: z,
        "resolve_neg.default": lambda z: z,
        "_to_copy.default": _to_copy,
        **{f"{name}.default": _named("matmul") for name in ("mm", "bmm", "mv", "dot")},
        "addmm.default": _added_product,
        "vdot.default": lambda x, y: sw.sum(sw.multiply(sw.conj(x), y)),
        "where.self": _named("where"),
        **{f"index_fill.int_{form}": _index_fill for form in ("Scalar", "Tensor")},
        "var.correction": _variance,
        "var_mean.correction": _variance_and_mean,
        "linalg_vector_norm.default": lambda z, *args, **kwargs: _real_row("linalg_vector_norm.default")(
            sw.abs(z), *args, **kwargs
        ),
        "_fft_c2c.default": _complex_to_complex,
        "_fft_r2c.default": _real_to_complex,
        "_fft_c2r.default": _complex_to_real,
    }
)


def _rows() -> dict[str, Row]:
    found: dict[str, Row] = {**KERNELS}
    found |= {name if "." in name else f"{name}.default": own(kernel(name)) for name in _BY_KERNELS.split()}
    found |= {name: _by_parts(row) for name, row in VIEWS.items() if name not in ("vdot.default", "fill.Scalar", "fill.Tensor")}
    found |= {name: _created(row) for name, row in CREATION.items()}
    found |= {name: _by_parts(table[name]) for table, names in ((REDUCTIONS, _REDUCTIONS), (INDEXING, _INDEXING))
              for name in names.split()}  # fmt: skip
    found["neg.default"] = _by_parts(ELEMENTWISE["neg.default"])
    found["constant_pad_nd.default"] = _padded(VIEWS["constant_pad_nd.default"])
    return found | {name: own(function) for name, function in _FUNCTIONS.items()}


COMPLEX_ROWS: Rows = MappingProxyType(_rows())


def as_complex(value: Any, fake: Any) -> Complex:
    """A result in the dtype of a fake complex tensor."""
    import torch

    part = FLOAT64 if fake.dtype == torch.complex128 else FLOAT32
    pair = value if isinstance(value, Complex) else sw.complex(value, 0)
    return Complex(cast(pair.real, part), cast(pair.imag, part))
