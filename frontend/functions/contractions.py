"""Products, contractions and convolutions. Operands are cast to their common dtype, those of float8_e4m3fn and float8_e5m2 to
float32. All raise ShapeError for sizes that do not fit; convolutions also for windows of size 0."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from string import ascii_letters
from types import MappingProxyType
from typing import Any

from ...dialects.graph import contract as ops
from ...ir.index.expressions import index
from ...ir.types.dtypes import FLOAT32, dtype
from ...ir.types.shapes import format_shape
from ..tracing.tensor import Tensor, TensorLike, harmonise, is_weak
from ..tracing.tracer import Tracer
from .arguments import (
    axes_of,
    int_of,
    ints_of,
    near_steps,
    same_padding,
    tensor,
    tracer_of,
    window_padding,
    window_steps,
)
from .generalised_einsum import LOGICS, Combine, generalised
from .manipulation import expand_dims, reshape
from .reductions import sum


def matmul(x1: TensorLike, x2: TensorLike, /) -> Tensor:
    """NumPy's matmul: (..., m, k) times (..., k, n) gives (..., m, n). Leading axes broadcast; an operand with one axis is a
    vector, whose axis is contracted. Raises ShapeError for operands without axes and for inner sizes that differ."""
    tracer = tracer_of(x1, x2)
    return tracer.emit(ops.MatmulOp, *_factors([x1, x2], tracer))


def dot(x1: TensorLike, x2: TensorLike, /) -> Tensor:
    """NumPy's dot: a product with a scalar, matmul where x2 has at most two axes, else a contraction of the last axis of x1
    with the second to last of x2."""
    a, b = _factors([x1, x2], tracer_of(x1, x2))
    if not a.ndim or not b.ndim:
        return a * b
    if b.ndim <= 2:
        return matmul(a, b)
    return tensordot(a, b, axes=([a.ndim - 1], [b.ndim - 2]))


def vecdot(x1: TensorLike, x2: TensorLike, /, axis: int = -1) -> Tensor:
    """The sum of products along an axis, after broadcasting. Integers are summed as int64."""
    a, b = _factors([x1, x2], tracer_of(x1, x2))
    return sum(a * b, axis=axis)


def outer(x1: TensorLike, x2: TensorLike, /) -> Tensor:
    """The outer product of two vectors: (m,) and (n,) give (m, n). Raises ShapeError for other ranks."""
    left, right = tensor(x1), tensor(x2)
    if left.ndim != 1 or right.ndim != 1:
        raise left.tracer.error(f"outer: expected two vectors, got {left!r} and {right!r}")
    return expand_dims(left, -1) * right


def tensordot(x1: TensorLike, x2: TensorLike, /, *, axes: int | Sequence[int | Sequence[int]] = 2) -> Tensor:
    """Contract pairs of axes: the last `axes` axes of x1 with the first of x2, or the axes listed for each operand. The result
    has the remaining axes of x1, then those of x2. Raises ShapeError for lists of different lengths and sizes that differ."""
    a, b = _factors([x1, x2], tracer_of(x1, x2))
    if isinstance(axes, int):
        axes = (range(a.ndim - axes, a.ndim), range(axes))
    left, right = axes_of(axes[0], a.ndim, a.tracer), axes_of(axes[1], b.ndim, a.tracer)
    if len(left) != len(right):
        raise a.tracer.error(f"tensordot: expected the same number of axes for both operands, got {len(left)} and {len(right)}")
    first, second = list(ascii_letters[: a.ndim]), list(ascii_letters[a.ndim : a.ndim + b.ndim])
    for i, j in zip(left, right, strict=True):
        second[j] = first[i]
    kept = [label for k, label in enumerate(first) if k not in left] + [
        label for k, label in enumerate(second) if k not in right
    ]
    return a.tracer.emit(ops.EinsumOp, f"{''.join(first)},{''.join(second)}->{''.join(kept)}", [a, b])


def einsum(
    spec: str,
    /,
    *operands: Any,
    op: str | Combine = "mul",
    accum: str = "add",
    into: TensorLike | None = None,
    sizes: Mapping[str, Any] = MappingProxyType({}),
) -> Tensor:
    """NumPy's einsum, `einsum("ij,jk->ik", a, b)`, or its generalisation, `einsum("ij; jk => ik", a, b)` (docs/einsum.md).

    In NumPy's notation, `...` stands for axes that broadcast. Without `->` the result has the labels that occur once, in
    alphabetical order. A label that repeats within an operand takes its diagonal.

    A specification with `=>` may name rows of axes (`sw.rows`), fixed indices and windows. `op` combines the operands, `accum`
    accumulates over labels that the result lacks, onto `into` if it is given; `sizes` gives sizes of labels that no operand
    determines. Raises ShapeError for a specification that does not fit the operands.
    """
    if not isinstance(spec, str):
        raise TypeError(f"einsum: expected a specification such as 'ij,jk->ik' or 'ij; jk => ik', got {type(spec).__name__}")
    if "=>" in spec or spec in LOGICS:
        return generalised(spec, operands, op, accum, into, sizes)
    tracer = tracer_of(*operands)
    if op != "mul" or accum != "add" or into is not None or sizes:
        raise tracer.error(f"einsum: '{spec}': op, accum, into and sizes need a specification with '=>'")
    values = _factors(list(operands), tracer)
    return tracer.emit(ops.EinsumOp, _explicit(spec, values), values)


def _factors(operands: Sequence[TensorLike], tracer: Tracer) -> list[Tensor]:
    """The operands in their common dtype; in float32 if all have dtypes without arithmetic, whose products float32
    represents."""
    kinds = [dtype(each.dtype) for each in operands if not is_weak(each)]
    stored = bool(kinds) and all(each.is_stored_only for each in kinds)
    return harmonise(operands, tracer, FLOAT32 if stored else None)


def _explicit(spec: str, values: Sequence[Tensor]) -> str:
    """The specification with an explicit result, and with letters instead of `...`."""
    tracer = values[0].tracer
    if wrong := sorted({each for each in spec if not (each.isalpha() or each in " ,.->")}):
        hint = ": with it a specification has '=>'" if {*wrong} & {*"|;^_*+"} or any(map(str.isdigit, wrong)) else ""
        raise tracer.error(f"einsum: '{spec}': expected letters, ',', '...' and '->', got '{wrong[0]}'{hint}")
    left, arrow, right = spec.replace(" ", "").partition("->")
    terms = left.split(",")
    if len(terms) != len(values):
        raise tracer.error(f"einsum: '{spec}' has {len(terms)} operands, got {len(values)}")
    named = [len(term.replace("...", "")) for term in terms]
    depths = [value.ndim - count for value, count in zip(values, named, strict=True)]
    if any(depth < 0 for depth in depths):
        raise tracer.error(f"einsum: '{spec}' has more labels than an operand has axes")
    deepest = max((depth for depth, term in zip(depths, terms, strict=True) if "..." in term), default=0)
    free = [letter for letter in ascii_letters if letter not in spec][:deepest]
    if len(free) < deepest:
        raise tracer.error(f"einsum: '{spec}' leaves too few letters for '...'")
    filled = [term.replace("...", "".join(free[deepest - depth :])) for term, depth in zip(terms, depths, strict=True)]
    if not arrow:
        labels = "".join(terms).replace(".", "")
        right = ("..." if deepest else "") + "".join(sorted(label for label in set(labels) if labels.count(label) == 1))
    return f"{','.join(filled)}->{right.replace('...', ''.join(free))}"


def _convolve(
    rank: int, x: TensorLike, w: TensorLike, stride: Any, padding: Any, dilation: Any, groups: int, bias: Any
) -> Tensor:
    tracer = tracer_of(x, w)
    value, weight = _factors([x, w], tracer)
    _expect_operands(f"conv{rank}d", value, weight, rank)
    groups = _split_channels(weight, 0, groups)
    steps, spreads = window_steps(stride, rank, "stride", tracer), window_steps(dilation, rank, "dilation", tracer)
    if padding in ("same", "valid"):
        extents = weight.sizes[2:]
        padding = same_padding(f"conv{rank}d", extents, steps, spreads, tracer) if padding == "same" else 0
    low, high = window_padding(padding, rank, tracer)
    result = tracer.emit(ops.ConvOp, value, weight, near_steps(steps), low, high, near_steps(spreads), groups)
    return _with_bias(f"conv{rank}d", result, bias, rank)


def conv1d(
    x: TensorLike, w: TensorLike, *, stride: Any = 1, padding: Any = 0, dilation: Any = 1, groups: int = 1, bias: Any = None
) -> Tensor:
    """Cross-correlation of x (N, C, L) with w (out channels, C / groups, K), to (N, out channels, L'). The size L' and the
    options are those of `conv2d`; a pair of paddings is given in a list, `padding=[(before, after)]`."""
    return _convolve(1, x, w, stride, padding, dilation, groups, bias)


def conv2d(
    x: TensorLike, w: TensorLike, *, stride: Any = 1, padding: Any = 0, dilation: Any = 1, groups: int = 1, bias: Any = None
) -> Tensor:
    """Cross-correlation of x (N, C, H, W) with w (out channels, C / groups, KH, KW), to (N, out channels, H', W').

        H' = (H + before + after - dilation * (KH - 1) - 1) // stride + 1, and W' likewise

    `stride`, `padding` and `dilation` are a number, or one an axis; a padding may also be a pair (before, after) an axis,
    "valid" for none, or "same" for as many results as elements with a stride of 1.
    `groups` splits the channels of x and w into groups that are convolved separately. `bias` has shape (out channels,).

    Raises ShapeError for operands of other ranks, for a window larger than the padded axis, and for an empty kernel; for a
    stride or dilation below 1 and for a negative padding; and for channels that do not match or are not divisible by `groups`.
    """
    return _convolve(2, x, w, stride, padding, dilation, groups, bias)


def conv3d(
    x: TensorLike, w: TensorLike, *, stride: Any = 1, padding: Any = 0, dilation: Any = 1, groups: int = 1, bias: Any = None
) -> Tensor:
    """Cross-correlation of x (N, C, D, H, W) with w (out channels, C / groups, KD, KH, KW), to (N, out channels, D', H', W').
    The sizes and the options are those of `conv2d`."""
    return _convolve(3, x, w, stride, padding, dilation, groups, bias)


@dataclass(frozen=True)
class _TransposedOptions:
    """The options of a transposed convolution as users write them: a number, or a sequence with one entry an axis."""

    stride: Any
    padding: Any
    dilation: Any
    groups: int
    output_padding: Any
    bias: Any


def _convolve_transposed(rank: int, x: TensorLike, w: TensorLike, options: _TransposedOptions) -> Tensor:
    tracer = tracer_of(x, w)
    value, weight = _factors([x, w], tracer)
    _expect_operands(f"conv_transpose{rank}d", value, weight, rank)
    groups = _split_channels(weight, 0, options.groups)
    low, high = window_padding(options.padding, rank, tracer)
    steps = window_steps(options.stride, rank, "stride", tracer)
    spreads = window_steps(options.dilation, rank, "dilation", tracer)
    extra = ints_of(options.output_padding, rank, "output_padding", tracer)
    for more, step, spread in zip(extra, steps, spreads, strict=True):
        if not 0 <= more < max(step, spread):
            raise tracer.error(f"output_padding: expected less than the stride {step} or the dilation {spread}, got {more}")
    window = (near_steps(steps), low, high, near_steps(spreads))
    result = tracer.emit(ops.ConvTransposeOp, value, weight, *window, groups, near_steps(extra))
    return _with_bias(f"conv_transpose{rank}d", result, options.bias, rank)


def conv_transpose1d(
    x: TensorLike,
    w: TensorLike,
    *,
    stride: Any = 1,
    padding: Any = 0,
    dilation: Any = 1,
    groups: int = 1,
    output_padding: Any = 0,
    bias: Any = None,
) -> Tensor:
    """Transposed convolution of x (N, C, L) with w (C, out channels / groups, K), to (N, out channels, L').

        L' = (L - 1) * stride - before - after + dilation * (K - 1) + output_padding + 1

    It is the gradient of `conv1d` by its input, and has the same options. `output_padding`, which is less than the stride or
    the dilation, extends the end of the result: several sizes of an input of `conv1d` give the same size of result.

    Kernels are padded with zeros to a multiple of the stride, so that an inf or NaN in x makes NaN under these zeros. Raises
    ShapeError as `conv2d`.
    """
    options = _TransposedOptions(stride, padding, dilation, groups, output_padding, bias)
    return _convolve_transposed(1, x, w, options)


def conv_transpose2d(
    x: TensorLike,
    w: TensorLike,
    *,
    stride: Any = 1,
    padding: Any = 0,
    dilation: Any = 1,
    groups: int = 1,
    output_padding: Any = 0,
    bias: Any = None,
) -> Tensor:
    """Transposed convolution of x (N, C, H, W) with w (C, out channels / groups, KH, KW). The sizes and the options are those
    of `conv_transpose1d`."""
    options = _TransposedOptions(stride, padding, dilation, groups, output_padding, bias)
    return _convolve_transposed(2, x, w, options)


def conv_transpose3d(
    x: TensorLike,
    w: TensorLike,
    *,
    stride: Any = 1,
    padding: Any = 0,
    dilation: Any = 1,
    groups: int = 1,
    output_padding: Any = 0,
    bias: Any = None,
) -> Tensor:
    """Transposed convolution of x (N, C, D, H, W) with w (C, out channels / groups, KD, KH, KW). The sizes and the options are
    those of `conv_transpose1d`."""
    options = _TransposedOptions(stride, padding, dilation, groups, output_padding, bias)
    return _convolve_transposed(3, x, w, options)


def _expect_operands(name: str, x: Tensor, weight: Tensor, rank: int) -> None:
    """Raise ShapeError unless both operands of a convolution have `rank` spatial axes, and the kernel is not empty."""
    tracer = x.tracer
    if x.ndim != rank + 2:
        raise tracer.error(f"{name}: expected (batch, channels, {rank} spatial axes), got {x!r}")
    if weight.ndim != rank + 2:
        raise tracer.error(f"{name}: expected a weight of two channel axes and {rank} kernel axes, got {weight!r}")
    for axis, extent in enumerate(weight.sizes[2:], start=2):
        if not tracer.sizes.assume(extent - 1):
            raise tracer.error(f"{name}: expected a kernel without empty axes, got a weight of size 0 along axis {axis}")


def _with_bias(name: str, result: Tensor, bias: Any, rank: int) -> Tensor:
    """Add a bias of one value an output channel. Raises ShapeError for any other shape, even if it would broadcast."""
    if bias is None:
        return result
    value, tracer = tensor(bias), result.tracer
    channels = result.sizes[1]
    if value.ndim != 1 or not tracer.sizes.unify(value.sizes[0], channels):
        shapes = f"{format_shape([channels])}, got {format_shape(value.sizes)}"
        raise tracer.error(f"{name}: expected a bias of one value an output channel, of shape {shapes}")
    return result + reshape(value, [-1, *[1] * rank])


def _split_channels(weight: Tensor, axis: int, groups: int) -> int:
    """Make the solver derive that an axis is a multiple of `groups`. Raises ShapeError when it is known not to be."""
    solver, channels = weight.tracer.sizes, weight.sizes[axis]
    groups = int_of(groups, "groups", weight.tracer)
    if groups > 1 and solver.hint_of(channels) is not None and solver.divide(channels, index(groups)) is None:
        raise weight.tracer.error(f"{channels} channels do not divide into {groups} groups")
    return groups
