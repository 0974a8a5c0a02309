"""The cases of the coverage table for the functions on tensors, each with its NumPy equivalent on the same arrays.

NumPy gets its arrays in the widest dtype of their kind, so that a case's `expected` is the exact meaning, and rounding or
wrapping to the dtype under test comes last.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from types import MappingProxyType, SimpleNamespace
from typing import Any

import numpy as np

from ...dialects.graph.elementwise import ELEMENTWISE
from ...frontend import public as sw
from ...frontend.tracing.tensor import cast, map_
from ...ir.scalars.function import ScalarFunction
from ...ir.scalars.oracles import cast_numpy
from ...ir.scalars.table import SCALARS
from ...ir.types.dtypes import dtype
from .case import Case
from .images import IMAGE_CASES
from .micro_ops import ALL, BITS, FLOATS, NUMBERS
from .reference import correlate, gelu, normalise, scattered, transposed, windows

Arrays = SimpleNamespace
WIDEST = MappingProxyType({"float": np.float64, "int": np.int64, "uint": np.int64, "bool": np.bool_})


def inputs(name: str, seed: int = 0) -> dict[str, Any]:
    """The arrays that the cases work on, of small numbers: x and y (3, 4), v (4), images (2, 4, 5, 6), the weights of
    convolutions, k (3, 4) of indices in [0, 4), and `divisor` and `unit`, which hold positive numbers only."""
    generator = np.random.default_rng(seed)
    element = dtype(name)
    low, high = (0, 2) if name == "bool" else (0, 4) if name == "uint8" else (-3, 4)

    def numbers(*shape: int, least: int = low) -> Any:
        return (generator.integers(least, high, shape) / (2 if element.is_float else 1)).astype(element.numpy)

    return {
        "x": numbers(3, 4), "y": numbers(3, 4), "v": numbers(4), "w": numbers(3), "divisor": numbers(3, 4, least=1),
        "positive": numbers(4, least=1),
        "line": numbers(2, 4, 7), "image": numbers(2, 4, 5, 6), "volume": numbers(1, 2, 4, 3, 4),
        "line_weight": numbers(6, 2, 3), "weight": numbers(6, 4, 2, 3), "volume_weight": numbers(3, 2, 2, 2, 2),
        "line_back": numbers(4, 3, 3), "back": numbers(4, 3, 2, 3), "volume_back": numbers(2, 3, 2, 2, 2),
        "k": generator.integers(0, 4, (3, 4)), "rows": generator.integers(-3, 3, 5), "updates": numbers(5, 4),
    }  # fmt: skip


def widened(arrays: dict[str, Any]) -> Arrays:
    """The arrays in the dtypes that NumPy's side of a case gets."""
    return Arrays(**{key: array.astype(WIDEST[dtype(array.dtype).kind]) for key, array in arrays.items()})


def scalar_cases() -> Iterator[Case]:
    """A case for each scalar function, which is an operation of the graph level too, and for a cast to each dtype."""
    for function in SCALARS.values():
        accepted = tuple(name for name in ALL if function.accepts(dtype(name)))
        yield Case(function.name, accepted, _scalar_call(function), lambda a, function=function: _scalar_oracle(function, a))
    for to in map(dtype, ALL):
        yield Case(f"cast to {to.short}", ALL, lambda a, to=to: cast(a.x, to), lambda a, to=to: cast_numpy(a.x, to))


def _joined(a: Any, b: Any) -> Any:
    return a + b + a * b


def _operands(function: ScalarFunction, a: Any) -> list[Any]:
    second = a.divisor if function.checks_divisor else a.y
    return [a.x, second, a.y][: function.arity]


def _scalar_call(function: ScalarFunction) -> Callable[[Any], Any]:
    if function.name == "select":
        return lambda a: map_("select", map_("lt", a.x, a.y), a.x, a.y)
    return lambda a: map_(function.name, *_operands(function, a))


def _scalar_oracle(function: ScalarFunction, a: Any) -> Any:
    if function.name == "select":
        return np.where(a.x < a.y, a.x, a.y)
    return function.numpy(*_operands(function, a))


def graph_operations() -> set[str]:
    """The names of the operations of the graph level that are not scalar functions, which have cases of their own."""
    from ...dialects.graph import Graph

    return {op.name for op in Graph.operations} - {op.name for op in ELEMENTWISE.values()}


CASES: tuple[Case, ...] = (
    # Elementwise, with broadcasting
    Case("broadcasting x + v", NUMBERS, lambda a: a.x + a.v, lambda a: a.x + a.v),
    Case("broadcast_to", ALL, lambda a: sw.broadcast_to(a.v, (2, 4)), lambda a: np.broadcast_to(a.v, (2, 4))),
    Case("where", ALL, lambda a: sw.where(a.k > 1, a.x, a.y), lambda a: np.where(a.k > 1, a.x, a.y)),
    Case("clip", ALL, lambda a: sw.clip(a.x, 0, 1), lambda a: np.clip(a.x, 0, 1)),
    Case("astype", ALL, lambda a: sw.astype(a.x, "int16"), lambda a: a.x.astype(np.int16)),
    Case("relu", ALL, lambda a: sw.relu(a.x), lambda a: np.maximum(a.x, 0)),
    Case("relu_gate", ALL, lambda a: sw.relu_gate(a.x, a.y), lambda a: np.where(a.x > 0, a.y, 0)),
    Case("pointpow", ALL, lambda a: sw.pointpow(a.x, 3), lambda a: np.power(a.x, 3, dtype=np.float64)),
    Case("silu", ALL, lambda a: sw.silu(a.x), lambda a: a.x / (1 + np.exp(-a.x.astype(float)))),
    Case("gelu", ALL, lambda a: sw.gelu(a.x), lambda a: gelu(a.x)),
    # Made from nothing
    Case("full", ALL, lambda a: sw.full_like(a.x, 1), lambda a: np.ones_like(a.x)),
    Case("size", ALL, lambda a: sw.asarray(a.x.shape[0]), lambda a: a.x.shape[0]),
    Case("arange", ALL, lambda a: sw.arange(1, 8, 2, dtype=a.x.dtype), lambda a: np.arange(1, 8, 2)),
    Case("eye", ALL, lambda a: sw.eye(3, 4, k=1, dtype=a.x.dtype), lambda a: np.eye(3, 4, 1)),
    Case("tril", ALL, lambda a: sw.tril(a.x), lambda a: np.tril(a.x)),
    Case("triu", ALL, lambda a: sw.triu(a.x, k=1), lambda a: np.triu(a.x, 1)),
    Case("one_hot", ALL, lambda a: sw.one_hot(a.k, 4, dtype=a.x.dtype), lambda a: np.eye(4)[a.k]),
    # Contractions
    Case("matmul", ALL, lambda a: a.x @ sw.matrix_transpose(a.y), lambda a: a.x @ a.y.T),
    Case("einsum", ALL, lambda a: sw.einsum("ij,kj,j->ik", a.x, a.y, a.v), lambda a: np.einsum("ij,kj,j->ik", a.x, a.y, a.v)),
    Case(
        "conv1d", ALL, lambda a: sw.conv1d(a.line, a.line_weight, stride=2, padding=1, groups=2),
        lambda a: correlate(a.line, a.line_weight, stride=2, padding=1, groups=2),
    ),
    Case(
        "conv2d", ALL, lambda a: sw.conv2d(a.image, a.weight, padding=1, dilation=2),
        lambda a: correlate(a.image, a.weight, padding=1, dilation=2),
    ),
    Case(
        "conv3d", ALL, lambda a: sw.conv3d(a.volume, a.volume_weight), lambda a: correlate(a.volume, a.volume_weight)
    ),
    Case(
        "conv_transpose1d", ALL, lambda a: sw.conv_transpose1d(a.line, a.line_back, stride=2, padding=1, groups=2),
        lambda a: transposed(a.line, a.line_back, stride=2, padding=1, groups=2),
    ),
    Case(
        "conv_transpose2d", ALL, lambda a: sw.conv_transpose2d(a.image, a.back, dilation=2),
        lambda a: transposed(a.image, a.back, dilation=2),
    ),
    Case(
        "conv_transpose3d", ALL, lambda a: sw.conv_transpose3d(a.volume, a.volume_back),
        lambda a: transposed(a.volume, a.volume_back),
    ),
    *(
        Case(
            f"max_pool{rank}d", ALL, lambda a, rank=rank, of=of: getattr(sw, f"max_pool{rank}d")(getattr(a, of), 2),
            lambda a, rank=rank, of=of: windows(getattr(a, of), 2, rank).max(axis=-1),
        )
        for rank, of in ((1, "line"), (2, "image"), (3, "volume"))
    ),
    *(
        Case(
            f"avg_pool{rank}d", ALL, lambda a, rank=rank, of=of: getattr(sw, f"avg_pool{rank}d")(getattr(a, of), 2),
            lambda a, rank=rank, of=of: windows(getattr(a, of), 2, rank).mean(axis=-1),
        )
        for rank, of in ((1, "line"), (2, "image"), (3, "volume"))
    ),
    *IMAGE_CASES,
    # Reductions and scans
    *(
        Case(
            name, taken, lambda a, name=name: getattr(sw, name)(a.x, axis=1),
            lambda a, name=name: getattr(np, name)(a.x, axis=1),
        )
        for name, taken in (
            ("sum", ALL), ("prod", ALL), ("max", ALL), ("min", ALL), ("any", ALL), ("all", ALL), ("argmax", ALL),
            ("argmin", ALL), ("mean", ALL), ("var", ALL), ("std", ALL), ("count_nonzero", ALL),
        )
    ),
    Case("logsumexp", ALL, lambda a: sw.logsumexp(a.x, axis=0), lambda a: np.log(np.exp(a.x.astype(float)).sum(0))),
    Case("cumulative_sum", ALL, lambda a: sw.cumulative_sum(a.x, axis=1), lambda a: np.cumsum(a.x, 1)),
    Case("cumulative_prod", ALL, lambda a: sw.cumulative_prod(a.x, axis=0), lambda a: np.cumprod(a.x, 0)),
    Case("cummax", ALL, lambda a: sw.cummax(a.x, axis=1), lambda a: np.maximum.accumulate(a.x, 1)),
    Case("cummin", ALL, lambda a: sw.cummin(a.x, axis=1), lambda a: np.minimum.accumulate(a.x, 1)),
    Case(
        "logcumsumexp", ALL, lambda a: sw.logcumsumexp(a.x, axis=1),
        lambda a: np.logaddexp.accumulate(a.x.astype(float), axis=1),
    ),
    Case(
        "reduce by a function", NUMBERS, lambda a: sw.reduce(_joined, a.x, axis=1, identity=0),
        lambda a: np.prod(1 + a.x, 1) - 1,
    ),
    Case(
        "scan by a function", NUMBERS, lambda a: sw.associative_scan(_joined, a.x, axis=1, identity=0),
        lambda a: np.cumprod(1 + a.x, 1) - 1,
    ),
    Case(
        "matprod", NUMBERS, lambda a: sw.matprod(sw.reshape(a.x, (3, 2, 2)), size=2),
        lambda a: np.linalg.multi_dot(a.x.reshape(3, 2, 2)),
    ),
    Case(
        "cumulative_matprod", NUMBERS,
        lambda a: sw.cumulative_matprod(sw.reshape(a.x, (3, 2, 2)), size=2, reverse=True)[1],
        lambda a: np.matmul(*a.x.reshape(3, 2, 2)[1:]),
    ),
    Case("softmax", ALL, lambda a: sw.softmax(a.x, axis=1), lambda a: np.exp(_log_softmax(a.x))),
    Case("log_softmax", ALL, lambda a: sw.log_softmax(a.x, axis=1), lambda a: _log_softmax(a.x)),
    # Normalisations
    Case("layer_norm", ALL, lambda a: sw.layer_norm(a.x, a.v, a.v), lambda a: normalise(a.x, 1) * a.v + a.v),
    Case(
        "rms_norm", ALL, lambda a: sw.rms_norm(a.x, a.v),
        lambda a: a.x / np.sqrt(np.square(a.x.astype(float)).mean(1, keepdims=True) + 1e-6) * a.v,
    ),
    Case(
        "group_norm", ALL, lambda a: sw.group_norm(a.image, 2),
        lambda a: normalise(a.image.reshape(2, 2, -1), 2).reshape(a.image.shape),
    ),
    Case(
        "batch_norm", ALL, lambda a: sw.batch_norm(a.x, a.v, a.positive),
        lambda a: (a.x.astype(float) - a.v) / np.sqrt(a.positive + 1e-5),
    ),
    # Elements moved about
    Case("reshape", ALL, lambda a: sw.reshape(a.x, (2, 6)), lambda a: a.x.reshape(2, 6)),
    Case("permute_dims", ALL, lambda a: sw.permute_dims(a.image, (0, 2, 3, 1)), lambda a: a.image.transpose(0, 2, 3, 1)),
    Case("expand_dims", ALL, lambda a: sw.expand_dims(a.x, 1), lambda a: a.x[:, None]),
    Case("squeeze", ALL, lambda a: sw.squeeze(a.x[:1], 0), lambda a: a.x[0]),
    Case("slices", ALL, lambda a: a.x[1:, ::-2], lambda a: a.x[1:, ::-2]),
    Case("pad", ALL, lambda a: sw.pad(a.x, ((1, 0), (0, 2)), 1), lambda a: np.pad(a.x, ((1, 0), (0, 2)), constant_values=1)),
    Case("concat", ALL, lambda a: sw.concat([a.x, a.y], axis=1), lambda a: np.concatenate([a.x, a.y], 1)),
    Case("stack", ALL, lambda a: sw.stack([a.x, a.y], axis=1), lambda a: np.stack([a.x, a.y], 1)),
    Case("split", ALL, lambda a: sw.split(a.x, 2, axis=1)[1], lambda a: np.split(a.x, 2, 1)[1]),
    Case("flip", ALL, lambda a: sw.flip(a.x, axis=1), lambda a: np.flip(a.x, 1)),
    Case("roll", ALL, lambda a: sw.roll(a.x, 1, axis=1), lambda a: np.roll(a.x, 1, 1)),
    Case("tile", ALL, lambda a: sw.tile(a.x, (2, 3)), lambda a: np.tile(a.x, (2, 3))),
    Case("repeat", ALL, lambda a: sw.repeat(a.x, 2, axis=1), lambda a: np.repeat(a.x, 2, 1)),
    Case("diagonal", ALL, lambda a: sw.diagonal(a.x, offset=1), lambda a: np.diagonal(a.x, 1)),
    # Gather and scatter
    Case("take", ALL, lambda a: sw.take(a.x, a.rows, axis=0), lambda a: np.take(a.x, a.rows, 0)),
    Case(
        "take_along_axis", ALL, lambda a: sw.take_along_axis(a.x, a.k, axis=1), lambda a: np.take_along_axis(a.x, a.k, 1)
    ),
    Case("indexing x[i, j]", ALL, lambda a: a.x[a.rows, a.rows], lambda a: a.x[a.rows, a.rows]),
    *(
        Case(
            f"scatter {op}", taken, lambda a, op=op: sw.scatter(a.x, a.rows, a.updates, axis=0, op=op),
            lambda a, op=op: scattered(a.x, a.rows, a.updates, op),
        )
        for op, taken in (("set", ALL), ("add", NUMBERS), ("mul", NUMBERS), ("max", ALL), ("min", ALL))
    ),
    Case(
        "scatter along an axis", NUMBERS, lambda a: sw.scatter(a.x, a.k, a.y, axis=1, op="add"),
        lambda a: np.stack([scattered(x, k, y, "add") for x, k, y in zip(a.x, a.k, a.y, strict=True)]),
    ),
    # Random numbers
    Case("random_uniform", FLOATS, lambda a: _within(sw.random_uniform(7, (64,), dtype=a.x.dtype), 0, 1), lambda a: True),
    Case("random_normal", FLOATS, lambda a: _within(sw.random_normal(7, (64,), dtype=a.x.dtype), -6, 6), lambda a: True),
    # Bits
    Case("bitwise_invert", BITS, lambda a: sw.bitwise_invert(a.x), lambda a: np.invert(a.x)),
)  # fmt: skip


def _log_softmax(x: Any) -> Any:
    return x - np.log(np.exp(x.astype(float)).sum(1, keepdims=True))


def _within(x: Any, low: float, high: float) -> Any:
    """Whether all numbers lie between the limits, and most of them differ from each other."""
    return sw.all((x >= low) & (x <= high)) & (sw.std(x) > 0.2)
