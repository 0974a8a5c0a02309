"""Generalised einsum: rows of axes, row variables, fixed indices, windows, and any accumulator (OCANNL's notation).

Lowering, in steps:
1. Row inference: each row of an operand is matched with its axes. As ranks are known, a row variable stands for the axes that
   the named ones leave over. Each occurrence is visited once, and the longest counts: inference always ends.
2. Sizes of labels: plain axes give theirs; then each window with one unknown label gives that label's size. Every round solves
   one, so that this ends too.
3. Operands with fixed indices or windows are reindexed to axes that are plain labels.
4. A sum of products becomes `graph.einsum`, the one contraction; anything else is combined elementwise, then reduced.
5. A result with fixed indices, repeated labels or placeholders is scattered into the accumulator's neutral element, or `into`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import reduce
from string import ascii_letters
from types import MappingProxyType
from typing import Any, NamedTuple

from ...dialects.graph.contract import EinsumOp
from ...ir.index.expressions import Index, dim, index
from ...ir.index.simplify import Ranges
from ..tracing.tensor import Tensor, TensorLike, cast, harmonise
from ..tracing.tracer import Tracer
from . import micro_ops
from .arguments import int_of, size_from, tensor, tracer_of
from .einsum_notation import Affine, Axis, Fixed, NotationError, Placeholder, Row, Spec, parse
from .elementwise import add, bitwise_and, bitwise_or, divide, maximum, minimum, multiply, subtract
from .manipulation import expand_dims, permute_dims, slice_axis, squeeze

Combine = Callable[..., Tensor]
COMBINES: Mapping[str, Combine] = MappingProxyType(
    {
        "mul": multiply,
        "add": add,
        "sub": subtract,
        "div": divide,
        "max": maximum,
        "min": minimum,
        "and": bitwise_and,
        "or": bitwise_or,
    }
)
ACCUMULATORS = ("add", "mul", "max", "min", "and", "or")


class Rows(NamedTuple):
    """A tensor with the numbers of its batch and input axes, stored in the order batch, output, input."""

    value: TensorLike
    batch: int
    input: int


def rows(x: TensorLike, *, batch: int = 0, input: int = 0) -> Rows:
    """x as an operand of `einsum`: its first `batch` axes are batch axes, its last `input` axes input axes, the others output
    axes. Raises ShapeError for negative numbers, and for more axes than x has."""
    value = tensor(x)
    counts = [int_of(each, what, value.tracer) for each, what in ((batch, "batch"), (input, "input"))]
    if counts[0] < 0 or counts[1] < 0 or counts[0] + counts[1] > value.ndim:
        raise value.tracer.error(f"rows: expected batch and input axes among {value.ndim}, got batch={batch}, input={input}")
    return Rows(value, *counts)


def compose(w: Any, x: Any, /) -> Tensor:
    """The contraction of the input axes of w with the output axes of x, as of linear maps: batch | input of x -> output of w,
    stored in the order batch, output, input. Operands are tensors or `rows`; batch axes broadcast."""
    return generalised("...|..k..->...; ...|...->..k.. => ...|...->...", (w, x), "mul", "add", None, {})


def generalised(
    text: str, operands: Sequence[Any], op: str | Combine, accum: str, into: TensorLike | None, sizes: Mapping[str, Any]
) -> Tensor:
    """The einsum of a specification with `=>`."""
    tracer = tracer_of(*(each.value if isinstance(each, Rows) else each for each in operands))
    try:
        spec = parse(text)
    except NotationError as error:
        raise tracer.error(f"einsum: {error}") from error
    if len(spec.operands) != len(operands):
        raise tracer.error(f"einsum: '{text}' has {len(spec.operands)} operands, got {len(operands)}")
    if accum not in ACCUMULATORS:
        raise tracer.error(f"einsum: expected accum to be one of {', '.join(ACCUMULATORS)}, got {accum!r}")
    if not callable(op) and op not in COMBINES:
        raise tracer.error(f"einsum: expected op to be a function or one of {', '.join(COMBINES)}, got {op!r}")
    given = [each.value if isinstance(each, Rows) else each for each in operands]
    values = harmonise(given, tracer)
    ranks = [_ranks(each, value.ndim, tracer) for each, value in zip(operands, values, strict=True)]
    binder = _Binder(spec, tracer)
    axes = [binder.operand(k, ranks[k]) for k in range(len(values))]
    result = binder.result()
    known = _label_sizes(spec, axes, values, sizes, tracer)
    plain = [_to_labels(value, each, known) for value, each in zip(values, axes, strict=True)]
    kept = list(dict.fromkeys(axis.label for axis in result if isinstance(axis, Affine) and axis.label is not None))
    for label in kept:
        if all(label not in labels for _, labels in plain):
            raise tracer.error(f"einsum: '{text}': label '{label}' of the result does not occur in an operand")
    combined = _combine(plain, kept, op, accum, tracer)
    return _place(combined, kept, result, accum, into)


def _ranks(operand: Any, rank: int, tracer: Tracer) -> dict[str, int]:
    """The number of axes of each row of an operand."""
    if not isinstance(operand, Rows):
        return {"batch": 0, "output": rank, "input": 0}
    batch, given = int_of(operand.batch, "batch", tracer), int_of(operand.input, "input", tracer)
    return {"batch": batch, "output": rank - batch - given, "input": given}


class _Binder:
    """Matches the rows of a specification with axes. A label of a row variable is its name and the position from the right."""

    def __init__(self, spec: Spec, tracer: Tracer):
        self.spec, self.tracer = spec, tracer
        self.depths: dict[str, int] = {}
        self.placeholders = 0

    def operand(self, number: int, ranks: Mapping[str, int]) -> list[Axis]:
        """The axes of an operand, in the order batch, output, input."""
        shape = self.spec.operands[number]
        return [axis for name in ("batch", "output", "input") for axis in self.row(number, name, shape.get(name), ranks)]

    def row(self, number: int, name: str, row: Row | None, ranks: Mapping[str, int]) -> list[Axis]:
        rank = ranks.get(name, 0)
        left, right = (row.left, row.right) if row is not None else ((), ())
        spare = rank - len(left) - len(right)
        if spare < 0 and (row is None or row.variable is not None):
            raise self.tracer.error(
                f"einsum: '{self.spec.text}': the {name} row of operand {number} names {len(left) + len(right)} axes, "
                f"the tensor has {rank}"
            )
        if row is not None and row.variable is not None:
            self.depths[row.variable] = max(spare, self.depths.get(row.variable, 0))
            middle: list[Axis] = self.variable(row.variable, spare)
        else:
            # Without a variable, the axes to the left are reduced; axes that the tensor lacks broadcast.
            middle, right = [self.fresh() for _ in range(spare)], right[max(0, -spare) :]
        return [self.fresh() if isinstance(axis, Placeholder) else axis for axis in (*left, *middle, *right)]

    def result(self) -> list[Axis]:
        found: list[Axis] = []
        for name in ("batch", "output", "input"):
            row = self.spec.result.get(name)
            if row is None:
                continue
            if row.variable is not None and row.variable not in self.depths:
                raise self.tracer.error(
                    f"einsum: '{self.spec.text}': the row variable '..{row.variable}..' of the result occurs in no operand"
                )
            middle = self.variable(row.variable, self.depths[row.variable]) if row.variable is not None else []
            found += [*row.left, *middle, *row.right]
        for axis in found:
            if isinstance(axis, Affine) and axis.label is None:
                raise self.tracer.error(
                    f"einsum: '{self.spec.text}': expected labels, numbers or '_' in the result, got a window"
                )
        return found

    def variable(self, name: str, depth: int) -> list[Axis]:
        return [Affine(((1, f"..{name}..{k}"),)) for k in reversed(range(depth))]

    def fresh(self) -> Axis:
        self.placeholders += 1
        return Affine(((1, f"_{self.placeholders}"),))


def _label_sizes(
    spec: Spec, axes: Sequence[Sequence[Axis]], values: Sequence[Tensor], given: Mapping[str, Any], tracer: Tracer
) -> dict[str, Index]:
    """The size of each label."""
    known = {label: size_from(size, tracer) for label, size in given.items()}
    windows: list[tuple[Affine, Index]] = []
    for labels, value in zip(axes, values, strict=True):
        for axis, size in zip(labels, value.sizes, strict=True):
            if isinstance(axis, Affine) and axis.label is None:
                windows.append((axis, size))
            elif isinstance(axis, Affine) and axis.label is not None:
                known[axis.label] = _agreed(spec, axis.label, known.get(axis.label, size), size, tracer)
            elif isinstance(axis, Fixed) and not tracer.sizes.assume(size - 1 - axis.at):
                raise tracer.error(f"einsum: '{spec.text}': index {axis.at} is out of range for an axis of size {size}")
    while windows:
        ready = [(axis, size) for axis, size in windows if sum(label not in known for _, label in axis.terms) <= 1]
        if not ready:
            free = [label for axis, _ in windows for _, label in axis.terms if label not in known]
            raise tracer.error(f"einsum: '{spec.text}': give the size of one of the labels {', '.join(free)} in `sizes`")
        for axis, size in ready:
            _solve(axis, size, known, spec, tracer)
        windows = [each for each in windows if each not in ready]
    return known


def _agreed(spec: Spec, label: str, known: Index, size: Index, tracer: Tracer) -> Index:
    """The size of a label from two axes, of which one may have size 1 and broadcasts."""
    if known != 1 and size != 1 and not tracer.sizes.unify(known, size, broadcast=True):
        raise tracer.error(f"einsum: '{spec.text}': label '{label}' has sizes {known} and {size}")
    known, size = tracer.sizes.resolve(known), tracer.sizes.resolve(size)
    return size if known == 1 else known


def _solve(axis: Affine, size: Index, known: dict[str, Index], spec: Spec, tracer: Tracer) -> None:
    """Determine the label of a window that has no size yet: the greatest for which all indices are in bounds."""
    spare = size - 1
    for factor, label in axis.terms:
        if label in known:
            spare = spare - factor * (known[label] - 1)
    if len(axis.terms) > 1 and not tracer.sizes.assume(spare):
        raise tracer.error(f"einsum: '{spec.text}': a window does not fit into an axis of size {size}")
    for factor, label in axis.terms:
        if label not in known:
            known[label] = spare // factor + 1


def _to_labels(value: Tensor, axes: Sequence[Axis], known: Mapping[str, Index]) -> tuple[Tensor, list[str]]:
    """The tensor over distinct labels; a tensor whose axes are distinct labels is left as it is."""
    fixed = [k for k, axis in enumerate(axes) if isinstance(axis, Fixed)]
    for k, axis in enumerate(axes):
        if isinstance(axis, Fixed):
            value = slice_axis(value, k, index(axis.at), index(1))
    value = squeeze(value, fixed) if fixed else value
    axes = [axis for axis in axes if not isinstance(axis, Fixed)]
    labels = list(dict.fromkeys(label for axis in axes if isinstance(axis, Affine) for _, label in axis.terms))
    if [axis.label for axis in axes if isinstance(axis, Affine)] == labels and len(labels) == value.ndim:
        return value, labels
    plain = {axis.label: size for axis, size in zip(axes, value.sizes, strict=True) if isinstance(axis, Affine)}
    shape = [plain.get(label, known[label]) for label in labels]
    places = {label: dim(k) for k, label in enumerate(labels)}
    at = [
        reduce(lambda total, term: total + term[0] * places[term[1]], axis.terms, index(0))
        for axis in axes
        if isinstance(axis, Affine)
    ]
    ranges = Ranges.of_shape(shape)
    proven = all(ranges.within(each, size) for each, size in zip(at, value.sizes, strict=True))
    # Windows whose sizes other operands give were assumed to fit, which each call checks: the fill is never read.
    return micro_ops.reindex(shape, value, index=at, fill=None if proven else 0), labels


def _combine(
    operands: Sequence[tuple[Tensor, list[str]]], kept: list[str], op: str | Combine, accum: str, tracer: Tracer
) -> Tensor:
    """The operands combined over all labels, and accumulated over those that the result lacks."""
    every = list(dict.fromkeys(label for _, labels in operands for label in labels))
    if accum == "add" and (op == "mul" or len(operands) == 1):
        if len(every) > len(ascii_letters):
            raise tracer.error(f"einsum: expected at most {len(ascii_letters)} labels, got {len(every)}")
        letters = dict(zip(every, ascii_letters, strict=False))
        terms = ["".join(map(letters.__getitem__, labels)) for labels in (*(each for _, each in operands), kept)]
        return tracer.emit(EinsumOp, f"{','.join(terms[:-1])}->{terms[-1]}", [value for value, _ in operands])
    order = [*kept, *(label for label in every if label not in kept)]
    aligned = [_align(value, labels, order) for value, labels in operands]
    combined = reduce(op if callable(op) else COMBINES[op], aligned)
    axes = range(len(kept), len(order))
    return micro_ops.reduce(accum, combined, tuple(axes)) if axes else combined


def _align(value: Tensor, labels: list[str], order: list[str]) -> Tensor:
    """The tensor with an axis for each label of `order`, of size 1 where it has none."""
    present = [label for label in order if label in labels]
    moved = permute_dims(value, [labels.index(label) for label in present])
    missing = [k for k, label in enumerate(order) if label not in labels]
    return expand_dims(moved, missing) if missing else moved


def _place(value: Tensor, kept: list[str], result: Sequence[Axis], accum: str, into: TensorLike | None) -> Tensor:
    """The result's axes from those of its distinct labels."""
    start = cast(tensor(into), value.dtype) if into is not None else None
    if start is None and len(kept) == len(result):
        return value
    sizes = dict(zip(kept, value.sizes, strict=True))
    shape = [
        sizes[axis.label]
        if isinstance(axis, Affine) and axis.label is not None
        else index(axis.at + 1 if isinstance(axis, Fixed) else 1)
        for axis in result
    ]
    at = [
        dim(kept.index(axis.label))
        if isinstance(axis, Affine) and axis.label is not None
        else index(axis.at if isinstance(axis, Fixed) else 0)
        for axis in result
    ]
    if start is not None:
        if start.ndim != len(result):
            raise value.tracer.error(f"einsum: expected `into` with {len(result)} axes, got {start!r}")
        shape = list(start.sizes)
    return micro_ops.scatter(shape, value, index=at, op=accum, into=start, bounds=None)
