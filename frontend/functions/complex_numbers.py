"""Functions of complex tensors, on pairs of a real and an imaginary part.

`complex_form` gives the form of a library function for complex operands: a row of `FORMS`, or, for functions that are linear or
only move elements, the function itself on both parts. Real operands stay real: products with them cost half.
"""

from __future__ import annotations

import builtins
import functools
import math
from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Any

import numpy as np

from ...ir.types.dtypes import FLOAT32, FLOAT64
from ..tracing.complex_tensors import Complex, is_complex, is_complex_array, separated
from ..tracing.tensor import Tensor, TensorLike, cast, is_number
from ..tracing.tracer import current_tracer
from .arguments import floating, tensor
from .contractions import einsum as real_einsum
from .contractions import matmul as real_matmul
from .contractions import tensordot as real_tensordot
from .creation import full, zeros_like
from .elementwise import divide, equal, hypot, logical_and, logical_not, logical_or, maximum, where
from .elementwise import multiply as real_multiply
from .elementwise import subtract as real_subtract
from .indexing import scatter as real_scatter
from .reductions import sum as real_sum
from .scalar_functions import abs as real_abs
from .scalar_functions import add as real_add
from .scalar_functions import atan2, copysign, cos, cosh, exp, isfinite, isinf, isnan, log, sin, sinh, sqrt, tanh

# A part of a complex number: None for an imaginary part that is 0.
_Part = TensorLike | None

# Functions that are applied to both parts of their first argument.
_BY_PARTS = frozenset(
    (
        *("broadcast_to", "concat", "cumsum", "cumulative_sum", "diagonal", "expand", "expand_dims", "flatten", "flip"),
        *("getitem", "matrix_transpose", "mean", "moveaxis", "negative", "permute_dims", "positive", "repeat", "reshape"),
        *("roll", "split", "squeeze", "stack", "stop_gradient", "sum", "swapaxes", "take", "take_along_axis", "tile", "trace"),
        *("transpose", "tril", "triu", "unstack"),
    )
)


def _parts(value: Any) -> tuple[_Part, _Part]:
    found = separated(value)
    if isinstance(found, Complex):
        return found.real, found.imag
    return (value.real, value.imag) if isinstance(value, builtins.complex) and not hasattr(value, "dtype") else (value, None)


def _pair(real: Any, imag: _Part) -> Complex:
    """A complex tensor of float32 or float64."""
    a = floating(real)
    b = zeros_like(a) if imag is None else floating(imag)
    wide = FLOAT64 if FLOAT64 in (a.dtype, b.dtype) and not (a.weak and b.weak) else FLOAT32
    a, b = cast(a, wide), cast(b, wide)
    if a.sizes != b.sizes:
        a, b = real_add(a, zeros_like(b)), real_add(b, zeros_like(a))
    return Complex(a, b)


def complex(real: TensorLike, imag: TensorLike, /) -> Complex:
    """The complex tensor of two parts, which broadcast: complex128 if one is float64, else complex64."""
    if is_complex(real) or is_complex(imag):
        raise current_tracer().error(f"complex: expected real parts, got {real!r} and {imag!r}")
    return _pair(real, imag)


def real(x: Any, /) -> Tensor:
    """The real part; of a real tensor, itself."""
    return tensor(_parts(x)[0])


def imag(x: Any, /) -> Tensor:
    """The imaginary part; zeros for a real tensor."""
    own, other = _parts(x)
    return zeros_like(own) if other is None else tensor(other)


def conj(x: Any, /) -> Any:
    """The complex conjugate; of a real tensor, itself."""
    own, other = _parts(x)
    return tensor(own) if other is None else Complex(tensor(own), -tensor(other))


def angle(x: Any, /) -> Tensor:
    """The angle of each element, from -pi to pi; of real ones 0, or pi for those below 0."""
    own, other = _parts(x)
    if other is not None:
        return atan2(other, own)
    value = floating(own)
    return where(isnan(value), value, where(value < 0, math.pi, zeros_like(value)))


def _add(x: Any, y: Any, subtract: bool = False) -> Complex:
    (a, b), (c, d) = _parts(x), _parts(y)
    join = real_subtract if subtract else real_add
    if d is None:
        return _pair(join(a, c), b)
    return _pair(join(a, c), (-tensor(d) if subtract else d) if b is None else join(b, d))


def _multiplied(x: Any, y: Any, product: Callable[[Any, Any], Tensor]) -> Complex:
    """A product that is linear in both operands."""
    (a, b), (c, d) = _parts(x), _parts(y)
    if d is None:
        return _pair(product(a, c), product(b, c))
    if b is None:
        return _pair(product(a, c), product(a, d))
    return _pair(product(a, c) - product(b, d), product(a, d) + product(b, c))


def _multiply(x: Any, y: Any) -> Complex:
    return _multiplied(x, y, real_multiply)


def _divide(x: Any, y: Any) -> Complex:
    """A quotient; the divisor is scaled by its larger part, so that squares stay in range. Finite numbers over infinite ones
    are 0."""
    (a, b), (c, d) = _parts(x), _parts(y)
    if d is None:
        return _pair(divide(a, c), divide(b, c))
    scale = maximum(real_abs(c), real_abs(d))
    is_far = isinf(scale)
    scale = where(equal(scale, 0), 1, scale)
    # For an infinite divisor only its direction counts: inf / inf would be NaN.
    c, d = (where(is_far, where(isinf(part), copysign(1.0, part), 0), divide(part, scale)) for part in (c, d))
    top = _multiply(a if b is None else Complex(tensor(a), tensor(b)), Complex(c, -d))
    below = (c * c + d * d) * scale
    return _pair(top.real / below, top.imag / below)


def _abs(x: Any) -> Tensor:
    return hypot(*_parts(x))


def _exp(x: Any) -> Complex:
    a, b = _parts(x)
    size = exp(a)
    return _pair(size * cos(b), where(logical_and(equal(b, 0), isinf(size)), b, size * sin(b)))


def _log(x: Any) -> Complex:
    return _pair(log(_abs(x)), angle(x))


def _square(x: Any) -> Complex:
    a, b = map(tensor, _parts(x))
    return _pair((a - b) * (a + b), 2 * a * b)


def _sqrt(x: Any) -> Complex:
    """The root with a real part of at least 0."""
    a, b = map(tensor, _parts(x))
    t = sqrt(_abs(x) / 2 + real_abs(a) / 2)
    half = b / (2 * where(equal(t, 0), 1, t))
    is_right = logical_not(a < 0)
    return _pair(where(is_right, t, half * copysign(1.0, b)), where(is_right, half, copysign(t, b)))


def _sign(x: Any) -> Complex:
    """x / |x|, 0 for 0. As in NumPy, the sign of a number with one infinite part is that part's."""
    a, b = map(tensor, _parts(x))
    is_far = isinf(_abs(x))
    both = logical_and(isinf(a), isinf(b))
    a, b = (where(is_far, where(isinf(part), copysign(1.0, part), 0), part) for part in (a, b))
    size = hypot(a, b)
    found = _divide(Complex(a, b), where(equal(size, 0), 1, size))
    return Complex(*(where(both, math.nan, part) for part in (found.real, found.imag)))


def _sin(x: Any) -> Complex:
    a, b = _parts(x)
    return _pair(sin(a) * cosh(b), cos(a) * sinh(b))


def _cos(x: Any) -> Complex:
    a, b = _parts(x)
    return _pair(cos(a) * cosh(b), -(sin(a) * sinh(b)))


def _sinh(x: Any) -> Complex:
    a, b = _parts(x)
    return _pair(sinh(a) * cos(b), cosh(a) * sin(b))


def _cosh(x: Any) -> Complex:
    a, b = _parts(x)
    return _pair(cosh(a) * cos(b), sinh(a) * sin(b))


def _tanh(x: Any) -> Complex:
    """(t + i (1 - t^2) s c) / (c^2 + t^2 s^2), with t = tanh(a), s = sin(b), c = cos(b): nothing overflows."""
    a, b = map(tensor, _parts(x))
    t, c, s = tanh(a), cos(b), sin(b)
    below = c * c + t * t * s * s
    return _pair(t / below, (1 - t * t) * s * c / below)


def _pow(x: Any, y: Any) -> Complex:
    """Small whole exponents by products, other exponents by exp(y * log(x)); 0 to the power of 0 is 1, and to any other power
    0."""
    if isinstance(y, float) and y.is_integer():
        y = int(y)
    if isinstance(y, int) and not isinstance(y, bool) and abs(y) <= 8:
        if y == 0:
            return _pair(real_add(zeros_like(_parts(x)[0]), 1), None)
        found = functools.reduce(_multiply, [_pair(*_parts(x))] * abs(y))
        return found if y > 0 else _divide(1, found)
    base = _pair(*_parts(x))
    if is_number(x) or isinstance(x, builtins.complex):
        base = Complex(*(cast(part, tensor(_parts(y)[0]).dtype) for part in (base.real, base.imag)))
    found = _exp(_multiply(y, _log(base)))
    is_zero = _equal(base, 0)
    return Complex(where(is_zero, cast(_equal(y, 0), found.real.dtype), found.real), where(is_zero, 0, found.imag))


def _equal(x: Any, y: Any) -> Tensor:
    (a, b), (c, d) = _parts(x), _parts(y)
    return logical_and(equal(a, c), equal(0 if b is None else b, 0 if d is None else d))


def _where(condition: Any, x: Any, y: Any) -> Complex:
    if is_complex(condition):
        raise current_tracer().error("where: expected a condition of bool, got a complex tensor")
    (a, b), (c, d) = _parts(x), _parts(y)
    return _pair(where(condition, a, c), where(condition, 0 if b is None else b, 0 if d is None else d))


def _scatter(x: Any, index: Any, updates: Any, axis: int = 0, *, op: str = "set") -> Complex:
    if op not in ("set", "add"):
        raise current_tracer().error(f"scatter: complex tensors take op 'set' or 'add', got {op!r}")
    (a, b), (c, d) = _parts(x), _parts(updates)
    zero = zeros_like(c) if d is None else d
    start = zeros_like(a) if b is None else b
    return _pair(real_scatter(a, index, c, axis, op=op), real_scatter(start, index, zero, axis, op=op))


def _einsum(spec: str, *operands: Any, **options: Any) -> Any:
    if not 0 < len(operands) < 3 or options:
        raise current_tracer().error("einsum: complex tensors take at most two operands and no options")
    first, *others = operands
    if not others:
        return _by_parts(functools.partial(real_einsum, spec), first)
    return _multiplied(first, others[0], lambda a, b: real_einsum(spec, a, b))


def _vecdot(x: Any, y: Any, axis: int = -1) -> Complex:
    found = _multiply(conj(x), y)
    return _by_parts(lambda part: real_sum(part, axis=axis), found)


def _pad(x: Any, pad_width: Any, constant_values: Any = 0, *, mode: str = "constant") -> Complex:
    (a, b), (real_constant, imag_constant) = _parts(x), _parts(constant_values)
    imag_part, imag_constant = zeros_like(a) if b is None else b, 0 if imag_constant is None else imag_constant
    assert real_constant is not None, "only imaginary parts may be missing"
    pad = tensor(a).library.pad
    return _pair(pad(a, pad_width, real_constant, mode=mode), pad(imag_part, pad_width, imag_constant, mode=mode))


def _astype(x: Any, to: Any) -> Complex:
    name = str(np.dtype(to)) if not isinstance(to, str) else to
    if name not in ("complex64", "complex128"):
        raise current_tracer().error(
            f"astype: expected a complex dtype for a complex tensor, got {name}: take real(x) or abs(x)"
        )
    part = FLOAT64 if name == "complex128" else FLOAT32
    return Complex(*(cast(tensor(each), part) for each in _parts(x)))


def _full(shape: Any, fill_value: Any, dtype: Any = None) -> Complex:
    own, other = _parts(fill_value)
    found = _pair(full(shape, own), full(shape, 0 if other is None else other))
    return found if dtype is None else _astype(found, dtype)


def _full_like(x: Any, fill_value: Any) -> Complex:
    own, other = _parts(fill_value)
    start = zeros_like(_parts(x)[0])
    return _pair(real_add(start, own), real_add(start, 0 if other is None else other))


def _asarray(x: Any, dtype: Any = None) -> Complex:
    found = _pair(*_parts(np.asarray(x) if isinstance(x, list | tuple) else x))
    return found if dtype is None else _astype(found, dtype)


def _any_part(test: Callable[[Any], Tensor], join: Callable[[Tensor, Tensor], Tensor]) -> Callable[[Any], Tensor]:
    return lambda x: join(*map(test, _parts(x)))


FORMS: Mapping[str, Callable[..., Any]] = MappingProxyType(
    {
        "complex": complex,
        "real": real,
        "imag": imag,
        "conj": conj,
        "angle": angle,
        "add": _add,
        "subtract": lambda x, y: _add(x, y, subtract=True),
        "multiply": _multiply,
        "divide": _divide,
        "reciprocal": lambda x: _divide(1, x),
        "pow": _pow,
        "square": _square,
        "sqrt": _sqrt,
        "exp": _exp,
        "log": _log,
        "sin": _sin,
        "cos": _cos,
        "sinh": _sinh,
        "cosh": _cosh,
        "tanh": _tanh,
        "abs": _abs,
        "sign": _sign,
        "equal": _equal,
        "not_equal": lambda x, y: logical_not(_equal(x, y)),
        "isnan": _any_part(isnan, logical_or),
        "isinf": _any_part(isinf, logical_or),
        "isfinite": _any_part(isfinite, logical_and),
        "matmul": lambda x, y: _multiplied(x, y, real_matmul),
        "tensordot": lambda x, y, *, axes=2: _multiplied(x, y, lambda a, b: real_tensordot(a, b, axes=axes)),
        "outer": lambda x, y: _multiplied(x, y, lambda a, b: tensor(a)[:, None] * b),
        "vecdot": _vecdot,
        "einsum": _einsum,
        "where": _where,
        "scatter": _scatter,
        "pad": _pad,
        "astype": _astype,
        "asarray": _asarray,
        "full": _full,
        "full_like": _full_like,
        "zeros_like": lambda x: _pair(zeros_like(_parts(x)[0]), None),
        "ones_like": lambda x: _pair(real_add(zeros_like(_parts(x)[0]), 1), None),
    }
)


def complex_form(name: str, function: Callable[..., Any]) -> Callable[..., Any]:
    """The form of a library function for complex operands; for a function that has none, one that raises ShapeError."""
    form = FORMS.get(name)
    if form is not None:
        return form
    if name in _BY_PARTS:
        return functools.partial(_by_parts, function)
    return functools.partial(_refused, name, function)


def _refused(name: str, function: Callable[..., Any], *args: Any, **options: Any) -> Any:
    """A function that raises ShapeError for complex tensors."""
    if not any(is_complex(each) and not isinstance(each, builtins.complex) for each in args):
        return function(*args, **options)
    parts = "sw.real(x), sw.imag(x), sw.abs(x) or sw.angle(x)"
    raise current_tracer().error(f"{name} takes no complex tensors: call it on {parts}")


def _by_parts(function: Callable[..., Any], x: Any, *args: Any, **options: Any) -> Any:
    """A linear function applied to both parts of its first argument, a tensor or a list of them."""
    if isinstance(x, list | tuple) and not is_complex_array(x):
        pairs = [_parts(each) for each in x]
        reals: Any = [a for a, _ in pairs]
        imags: Any = [zeros_like(a) if b is None else b for a, b in pairs]
    else:
        reals, imags = _parts(x)
    found, other = function(reals, *args, **options), function(imags, *args, **options)
    if isinstance(found, Sequence):
        return type(found)([_pair(a, b) for a, b in zip(found, other, strict=True)])  # pyright: ignore[reportCallIssue]
    return _pair(found, other)
