"""Generalised einsum: rows of axes, row variables, fixed indices, windows, and any accumulator (OCANNL's notation).

Lowering, in steps:
1. Match the rows of the specification with axes, and find the sizes of all labels (`einsum_sizes.py`).
2. Reindex operands with fixed indices, windows or indices from other operands to axes that are plain labels. Outside of its
   axis a padded window reads 0 in a sum of products; other accumulators skip these elements.
3. A sum of products becomes `graph.einsum`, the one contraction; anything else is combined elementwise, then reduced.
4. Scatter a result with fixed or loaded indices, repeated labels or placeholders into the accumulator's neutral element, or
   `into`.
5. Concatenate a result with axes `a^b` from blocks, each of which is an einsum of one operand.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import reduce
from string import ascii_letters
from types import MappingProxyType
from typing import Any, NamedTuple

from ...dialects.graph.contract import EinsumOp
from ...ir.diagnostics import ShapeError, did_you_mean
from ...ir.index.expressions import Index, dim, index
from ...ir.index.simplify import Ranges
from ...ir.scalars.table import scalar
from ...ir.types.dtypes import DType
from ...ir.types.shapes import format_shape
from ..tracing.parameters import Parameter
from ..tracing.tensor import Tensor, TensorLike, cast, harmonise, tensor_of
from ..tracing.tracer import Tracer
from . import micro_ops
from .arguments import int_of, size_from, tensor, tracer_of
from .creation import full
from .einsum_notation import Affine, Axis, Concatenation, Fixed, Indexed, NotationError, Spec, parse
from .einsum_sizes import Binder, Rows, label_sizes, rows
from .elementwise import bitwise_and, bitwise_or, divide, maximum, minimum, multiply, subtract, where
from .manipulation import concat, expand_dims, permute_dims, slice_axis, squeeze
from .scalar_functions import add

Combine = Callable[..., Tensor]
ACCUMULATORS: Mapping[str, Combine] = MappingProxyType(
    {"add": add, "mul": multiply, "max": maximum, "min": minimum, "and": bitwise_and, "or": bitwise_or}
)
COMBINES: Mapping[str, Combine] = MappingProxyType({**ACCUMULATORS, "sub": subtract, "div": divide})
# Logics by their names: the specification for one operand, and for two.
LOGICS: Mapping[str, tuple[str, str]] = MappingProxyType(
    {
        ".": ("...|...->... => ...|...->...", "...|...->...; ...|...->... => ...|...->..."),
        "@": ("", "...|..k..->...; ...|...->..k.. => ...|...->..."),
        "T": ("...|..i..->..o.. => ...|..o..->..i..", ""),
    }
)


def compose(w: Any, x: Any, /) -> Tensor:
    """The contraction of the input axes of w with the output axes of x, as of linear maps: batch | input of x -> output of w,
    stored in the order batch, output, input. Operands are tensors or `rows`; batch axes broadcast. Raises ShapeError for a w
    without input axes, and for an x whose output axes differ from them."""
    operands = _composable("@", (w, x))
    (weight, taken), (given, made) = (_axes_of(each, row) for each, row in zip(operands, ("input", "output"), strict=True))
    tracer = tracer_of(weight, given)
    whole, other = format_shape(weight.sizes), format_shape(given.sizes)
    if not taken:
        raise tracer.error(f"compose: w of shape {whole} has no input axes: mark them, as in sw.rows(w, input=1)")
    known = [(a.constant, b.constant) for a, b in zip(reversed(taken), reversed(made), strict=False)]
    if len(made) > len(taken) or any(a != b and None not in (a, b) and 1 not in (a, b) for a, b in known):
        message = f"compose: w of shape {whole} takes input axes {format_shape(taken)}; "
        message += f"x of shape {other} has output axes {format_shape(made)}"
        hint = ": mark the batch axes, as in sw.rows(x, batch=1)" if len(made) > len(taken) else ""
        raise tracer.error(message + hint)
    return generalised("@", operands, "mul", "add", None, {})


def _axes_of(operand: Any, row: str) -> tuple[Tensor, Sequence[Index]]:
    """The tensor of an operand, and the sizes of its input or output axes."""
    given = operand if isinstance(operand, Rows) else rows(operand)
    value = tensor(given.value)
    end = value.ndim - given.input
    return value, value.sizes[end:] if row == "input" else value.sizes[given.batch : end]


def generalised(
    text: str,
    operands: Sequence[Any],
    op: str | Combine,
    accum: str,
    into: TensorLike | None,
    sizes: Mapping[str, Any],
    shape: Sequence[Index] | None = None,
) -> Tensor:
    """The einsum of a specification with `=>`, or of a logic: pointwise ".", composition "@" or transposition "T".

    If the result has the rank of `shape`, axes `[k]` and axes with fixed indices get the sizes of `shape`."""
    if text in LOGICS:
        operands = _composable(text, operands)
    tracer = tracer_of(*_values(operands))
    if text in LOGICS:
        text = _of_logic(text, len(operands), tracer)
    try:
        spec = parse(text)
    except NotationError as error:
        raise tracer.error(f"einsum: {error}") from error
    if len(spec.operands) != len(operands):
        count = len(spec.operands)
        hint = " (with '=>' a ';' separates operands)" if count == 1 and "," in text else ""
        expected = f"{count} operand{'' if count == 1 else 's'}"
        raise tracer.error(f"einsum: '{text}' has {expected}, got {len(operands)}{hint}")
    if accum not in ACCUMULATORS:
        raise tracer.error(
            f"einsum: expected accum to be one of {', '.join(ACCUMULATORS)}, got {accum!r}{_hint(accum, ACCUMULATORS)}"
        )
    logical = next((each for each in map(tensor, _values(operands)) if accum in ("and", "or") and each.dtype.is_float), None)
    if logical is not None:
        raise tracer.error(f"einsum: accum={accum!r} takes integers and bools, got {logical.dtype}")
    if not callable(op) and op not in COMBINES:
        raise tracer.error(
            f"einsum: expected op to be a function or one of {', '.join(COMBINES)}, got {op!r}{_hint(op, COMBINES)}"
        )
    return _Einsum(spec, operands, op, accum, sizes, tracer, shape).run(into)


def _values(operands: Sequence[Any]) -> list[Any]:
    return [each.value if isinstance(each, Rows) else each for each in operands]


def _hint(name: Any, known: Iterable[str]) -> str:
    return did_you_mean(name, known) if isinstance(name, str) else ""


def _composable(logic: str, operands: Sequence[Any]) -> Sequence[Any]:
    """The operands of a composition. A parameter that is composed with a tensor gets input axes for the tensor's output axes
    and, if its shape is still to be inferred, one output axis."""
    if logic != "@" or len(operands) != 2 or not isinstance(operands[0], Parameter):
        return operands
    weight, given = operands[0], operands[1] if isinstance(operands[1], Rows) else rows(operands[1])
    met = tensor(given.value)
    outputs = met.sizes[given.batch : met.ndim - given.input]
    weight.take((None, *outputs), met)
    return Rows(weight, 0, min(len(outputs), weight.ndim), ()), given


def _of_logic(name: str, operands: int, tracer: Tracer) -> str:
    """The specification of a logic for a number of operands."""
    choices = [number for number, text in enumerate(LOGICS[name], start=1) if text]
    if operands not in choices:
        expected = " or ".join(map(str, choices))
        raise tracer.error(f"einsum: the logic '{name}' takes {expected} operands, got {operands}")
    return LOGICS[name][operands - 1]


class _Labelled(NamedTuple):
    """A tensor whose axes are distinct labels, and the mask of elements `inside` of padded windows (None for all)."""

    value: Tensor
    labels: list[str]
    inside: Tensor | None = None


class _Einsum:
    """One einsum: its operands matched with the axes of the specification, and the sizes of its labels."""

    def __init__(
        self,
        spec: Spec,
        operands: Sequence[Any],
        op: str | Combine,
        accum: str,
        sizes: Mapping[str, Any],
        tracer: Tracer,
        shape: Sequence[Index] | None,
    ):
        self.spec, self.op, self.accum, self.tracer, self.given = spec, op, accum, tracer, sizes
        values = _values(operands)
        ranks = [_ranks(each, tensor_of(value, tracer).ndim, tracer) for each, value in zip(operands, values, strict=True)]
        binder = Binder(spec, tracer)
        self.axes = [binder.operand(k, ranks[k]) for k in range(len(values))]
        self.result = binder.result()
        self.shape = shape if shape is not None and len(shape) == len(self.result) else None
        self.indices = self._index_operands(values)
        combined = [k for k in range(len(values)) if k not in self.indices]
        harmonised = harmonise([values[k] for k in combined], tracer)
        self.values: dict[int, Tensor] = dict(zip(combined, harmonised, strict=True))
        self._check_given()
        self.known = label_sizes(spec, self.axes, {**self.values, **self.indices}, sizes, tracer)
        self.units = self._units(operands)

    def _check_given(self) -> None:
        """Raise ShapeError for a size of something that the specification does not have."""
        axes = [axis for each in (*self.axes, self.result) for axis in each]
        known = {label for axis in axes for label in axis.labels}
        known |= {f"[{axis.operand}]" for axis in axes if isinstance(axis, Indexed)}
        for name in self.given:
            if name not in known:
                raise self._error(f"`sizes` has '{name}', which is no label{did_you_mean(name, sorted(known))}")

    def run(self, into: TensorLike | None) -> Tensor:
        """The result, accumulated onto `into` if it is given; its axes have the units of their labels."""
        value = self._result(into)
        named = {
            k: self.units[axis.label]
            for k, axis in enumerate(self.result)
            if isinstance(axis, Affine) and axis.label in self.units
        }
        if named:
            self.tracer.units[value.value] = named
        return value

    def _units(self, operands: Sequence[Any]) -> dict[str, str]:
        """The unit of each label that has one. Raises ShapeError where operands differ."""
        found: dict[str, tuple[str, int]] = {}
        for k, operand in enumerate(operands):
            value = operand.value if isinstance(operand, Rows) else operand
            own = dict(operand.units) if isinstance(operand, Rows) else {}
            known = self.tracer.units.get(value.value, {}) if isinstance(value, Tensor) and not value.has_elements else {}
            for at, unit in {**known, **own}.items():
                axis = self.axes[k][at]
                if isinstance(axis, Affine) and axis.label is not None:
                    other, first = found.setdefault(axis.label, (unit, k))
                    if other != unit:
                        raise self._error(
                            f"label '{axis.label}' has the unit '{other}' in operand {first}, '{unit}' in operand {k}"
                        )
        return {label: unit for label, (unit, _) in found.items()}

    def _result(self, into: TensorLike | None) -> Tensor:
        if not any(isinstance(axis, Concatenation) for axis in self.result):
            return self._placed(*self._combined(list(self.values), self.result), self.result, into)
        value = self._blocks(self.result, list(self.values))
        if into is None:
            return value
        start = cast(tensor(into), value.dtype)
        if start.ndim != value.ndim:
            raise self._error(f"expected `into` with {value.ndim} axes, got {start!r}")
        self._check_into(start, value.sizes)
        return ACCUMULATORS[self.accum](start, value)

    def _index_operands(self, values: Sequence[Any]) -> dict[int, Tensor]:
        """The operands whose elements are the indices of axes `[k]`."""
        used = {axis.operand for axes in (*self.axes, self.result) for axis in axes if isinstance(axis, Indexed)}
        found: dict[int, Tensor] = {}
        for k in sorted(used):
            if k >= len(values):
                raise self._error(f"there is no operand {k} for '[{k}]': they are counted from 0")
            found[k] = tensor_of(values[k], self.tracer)
            if found[k].dtype.kind not in ("int", "uint"):
                raise self._error(f"expected integers in operand {k}, which has the indices of '[{k}]', got {found[k].dtype}")
            if any(len(axis.labels) != 1 or axis != Affine(((1, axis.labels[0]),)) for axis in self.axes[k]):
                raise self._error(f"expected plain labels of operand {k}, which has the indices of '[{k}]'")
        if len(found) == len(values):
            raise self._error("all operands are indices: there is nothing to accumulate")
        return found

    def _error(self, message: str) -> ShapeError:
        return self.tracer.error(f"einsum: '{self.spec.text}': {message}")

    # Blocks

    def _blocks(self, result: Sequence[Axis], operands: Sequence[int]) -> Tensor:
        """The result with axes `a^b`: blocks one after the other, each from the operands with its labels."""
        at = next((k for k, axis in enumerate(result) if isinstance(axis, Concatenation)), None)
        if at is None:
            return self._block(result, operands)
        parts: list[Tensor] = []
        for label in result[at].labels:
            # An operand without any of the labels goes to all blocks.
            chosen = [k for k in operands if label in self._labels(k) or self._labels(k).isdisjoint(result[at].labels)]
            parts.append(self._blocks([*result[:at], Affine(((1, label),)), *result[at + 1 :]], chosen))
        return concat(parts, axis=at)

    def _block(self, result: Sequence[Axis], operands: Sequence[int]) -> Tensor:
        """The elements that the operands write to one block; neutral elements without operands."""
        written = [self._placed(*self._combined([k], result), result, None) for k in operands]
        if written:
            return reduce(ACCUMULATORS[self.accum], written)
        dtype = next(iter(self.values.values())).dtype
        return full([self._size(k, axis) for k, axis in enumerate(result)], self._neutral(dtype), dtype)

    def _neutral(self, dtype: DType) -> float | int | bool:
        identity = scalar(self.accum).identity
        assert identity is not None, f"'{self.accum}' accumulates"
        return identity(dtype)

    def _size(self, at: int, axis: Axis) -> Index:
        """The size of an axis of the result."""
        if isinstance(axis, Fixed) and self.shape is not None:
            if not self.tracer.sizes.assume(self.shape[at] - 1 - axis.at):
                raise self._error(f"index {axis.at} is out of range for axis {at} of the result, of size {self.shape[at]}")
            return self.shape[at]
        if isinstance(axis, Indexed):
            name = f"[{axis.operand}]"
            if name not in self.given:
                if self.shape is not None:
                    return self.shape[at]
                raise self._error(f"give the size of '{name}' in `sizes`, or give `into`")
            return size_from(self.given[name], self.tracer)
        if not axis.labels:
            return index(axis.at + 1 if isinstance(axis, Fixed) else 1)
        if axis.labels[0] not in self.known:
            raise self._error(f"the size of label '{axis.labels[0]}' is not known: give it in `sizes`")
        return self.known[axis.labels[0]]

    def _labels(self, k: int) -> set[str]:
        """The labels of an operand."""
        return {label for axis in self.axes[k] for label in axis.labels}

    def _index_labels(self, axis: Axis) -> list[str]:
        """The labels at which the indices of an axis `[k]` are read; none for other axes."""
        return [label for each in self.axes[axis.operand] for label in each.labels] if isinstance(axis, Indexed) else []

    # Combination

    def _combined(self, operands: Sequence[int], result: Sequence[Axis]) -> tuple[Tensor, list[str]]:
        """The operands combined over all labels and accumulated over those that the result lacks, and the labels kept."""
        kept = list(dict.fromkeys(label for axis in result for label in axis.labels))
        kept = list(dict.fromkeys([*kept, *(label for axis in result for label in self._index_labels(axis))]))
        plain = [self._over_labels(k, kept, operands) for k in operands]
        for label in kept:
            if all(label not in each.labels for each in plain):
                known = {each for one in plain for each in one.labels if each[0] not in "._"}
                raise self._error(f"label '{label}' of the result does not occur in an operand{_hint(label, sorted(known))}")
        return self._accumulated(plain, kept), kept

    def _over_labels(self, k: int, kept: Sequence[str], operands: Sequence[int]) -> _Labelled:
        """An operand over distinct labels; a tensor whose axes are distinct labels is left as it is."""
        value, axes = self.values[k], list(self.axes[k])
        for at, axis in enumerate(axes):
            if isinstance(axis, Fixed):
                value = slice_axis(value, at, index(axis.at), index(1))
            elif isinstance(axis, Concatenation):
                others = {label for other in operands if other != k for label in self._labels(other)}
                value, axes[at] = self._part(value, at, axis, others.union(kept))
        fixed = [at for at, axis in enumerate(axes) if isinstance(axis, Fixed)]
        value = squeeze(value, fixed) if fixed else value
        axes = [axis for axis in axes if not isinstance(axis, Fixed)]
        labels = list(dict.fromkeys(label for axis in axes for label in (*axis.labels, *self._index_labels(axis))))
        if [axis.label for axis in axes if isinstance(axis, Affine)] == labels and len(labels) == value.ndim:
            return _Labelled(value, labels)
        return self._reindexed(value, axes, labels)

    def _part(self, value: Tensor, at: int, axis: Concatenation, others: set[str]) -> tuple[Tensor, Axis]:
        """The part of an axis `a^b` whose label is in `others`; the whole axis if none is."""
        used = [label for label in axis.labels if label in others]
        if len(used) > 1:
            raise self._error(f"expected one label of '{'^'.join(axis.labels)}' elsewhere, got {' and '.join(used)}")
        if not used:
            whole = "^".join(axis.labels)
            self.known[whole] = value.sizes[at]
            return value, Affine(((1, whole),))
        start = index(0)
        for label in axis.labels[: axis.labels.index(used[0])]:
            start = start + self.known[label]
        return slice_axis(value, at, start, self.known[used[0]]), Affine(((1, used[0]),))

    def _reindexed(self, value: Tensor, axes: Sequence[Axis], labels: list[str]) -> _Labelled:
        own = {axis.label: size for axis, size in zip(axes, value.sizes, strict=True) if isinstance(axis, Affine)}
        shape = [own.get(label, self.known[label]) for label in labels]
        places = {label: dim(k) for k, label in enumerate(labels)}
        loads = [axis for axis in axes if isinstance(axis, Indexed)]
        at = [f"e{loads.index(axis)}" if isinstance(axis, Indexed) else self._address(axis, places) for axis in axes]
        index_from = self._index_from(loads, places)
        computed = [(each, size) for each, size in zip(at, value.sizes, strict=True) if isinstance(each, Index)]
        ranges = Ranges.of_shape(shape)
        if all(ranges.within(each, size) for each, size in computed):
            return _Labelled(micro_ops.reindex(shape, value, index=at, index_from=index_from), labels)
        # Windows whose sizes other operands give never read the fill: they were assumed to fit, which each call checks.
        read = micro_ops.reindex(shape, value, index=at, index_from=index_from, fill=0)
        padded = any(isinstance(axis, Affine) and axis.padded for axis in axes)
        if not padded or (self.accum == "add" and self.op == "mul"):
            return _Labelled(read, labels)
        ones = full(value.sizes, True, "bool")
        return _Labelled(read, labels, micro_ops.reindex(shape, ones, index=at, index_from=index_from, fill=False))

    def _address(self, axis: Axis, places: Mapping[str, Index]) -> Index:
        """The index of a window; a padded window begins before the axis, by half of the padding, rounded down."""
        assert isinstance(axis, Affine)
        total = reduce(lambda total, term: total + term[0] * places[term[1]], axis.terms, index(0))
        if not axis.padded:
            return total
        factor, label = axis.terms[1]
        return total - factor * (self.known[label] - 1) // 2

    def _index_from(self, loads: Sequence[Indexed], places: Mapping[str, Index]) -> list[tuple[Tensor, list[Index]]]:
        """The tensors of indices, each with the indices to read it at."""
        return [(self.indices[axis.operand], [places[label] for label in self._index_labels(axis)]) for axis in loads]

    def _accumulated(self, operands: Sequence[_Labelled], kept: list[str]) -> Tensor:
        every = list(dict.fromkeys(label for each in operands for label in each.labels))
        masked = [each for each in operands if each.inside is not None]
        if self.accum == "add" and (self.op == "mul" or len(operands) == 1) and not masked:
            if len(every) > len(ascii_letters):
                raise self._error(f"expected at most {len(ascii_letters)} labels, got {len(every)}")
            letters = dict(zip(every, ascii_letters, strict=False))
            terms = ["".join(map(letters.__getitem__, labels)) for labels in (*(each.labels for each in operands), kept)]
            return self.tracer.emit(EinsumOp, f"{','.join(terms[:-1])}->{terms[-1]}", [each.value for each in operands])
        order = [*kept, *(label for label in every if label not in kept)]
        aligned = [_align(each.value, each.labels, order) for each in operands]
        combined = reduce(self._combine, aligned)
        for each in masked:
            assert each.inside is not None, "selected above"
            combined = where(_align(each.inside, each.labels, order), combined, self._neutral(combined.dtype))
        axes = range(len(kept), len(order))
        return micro_ops.reduce(self.accum, combined, tuple(axes)) if axes else combined

    def _combine(self, left: Tensor, right: Tensor) -> Tensor:
        """Two operands combined. Raises ShapeError for a function that is not elementwise."""
        if not callable(self.op):
            return COMBINES[self.op](left, right)
        found = tensor(self.op(left, right))
        expected = tuple(b if a == 1 else a for a, b in zip(left.sizes, right.sizes, strict=True))
        if found.ndim != len(expected) or not all(map(self.tracer.sizes.unify, found.sizes, expected)):
            shapes = f"which gives shape {format_shape(expected)}, got shape {format_shape(found.sizes)}"
            raise self._error(f"op: expected an elementwise function, {shapes}")
        return found

    # The result

    def _placed(self, value: Tensor, kept: list[str], result: Sequence[Axis], into: TensorLike | None) -> Tensor:
        """The result's axes from those of its distinct labels."""
        start = cast(tensor(into), value.dtype) if into is not None else None
        if start is None and [axis.label if isinstance(axis, Affine) else None for axis in result] == kept:
            return value
        if start is not None and start.ndim != len(result):
            raise self._error(f"expected `into` with {len(result)} axes, got {start!r}")
        sizes, places = dict(zip(kept, value.sizes, strict=True)), {label: dim(k) for k, label in enumerate(kept)}
        loads = [axis for axis in result if isinstance(axis, Indexed)]
        at: list[Any] = []
        for axis in result:
            if isinstance(axis, Indexed):
                at.append(f"e{loads.index(axis)}")
            elif axis.labels:
                at.append(places[axis.labels[0]])
            else:
                at.append(index(axis.at if isinstance(axis, Fixed) else 0))
        if start is not None:
            self._check_into(start, [sizes[axis.labels[0]] if axis.labels else None for axis in result])
            shape = list(start.sizes)
        else:
            shape = [sizes[axis.labels[0]] if axis.labels else self._size(k, axis) for k, axis in enumerate(result)]
        index_from = self._index_from(loads, places)
        return micro_ops.scatter(shape, value, index=at, op=self.accum, into=start, index_from=index_from)

    def _check_into(self, start: Tensor, expected: Sequence[Index | None]) -> None:
        """Raise ShapeError unless `into` has these sizes; the sizes of axes with fixed or loaded indices are its own."""
        wrong = [
            f"axis {k} of `into` has size {found}, expected {size}"
            for k, (found, size) in enumerate(zip(start.sizes, expected, strict=True))
            if size is not None and not self.tracer.sizes.unify(found, size)
        ]
        if wrong:
            raise self._error("; ".join(wrong))


def _ranks(operand: Any, rank: int, tracer: Tracer) -> dict[str, int]:
    """The number of axes of each row of an operand."""
    if not isinstance(operand, Rows):
        return {"batch": 0, "output": rank, "input": 0}
    batch, given = int_of(operand.batch, "batch", tracer), int_of(operand.input, "input", tracer)
    return {"batch": batch, "output": rank - batch - given, "input": given}


def _align(value: Tensor, labels: list[str], order: list[str]) -> Tensor:
    """The tensor with an axis for each label of `order`, of size 1 where it has none."""
    present = [label for label in order if label in labels]
    moved = permute_dims(value, [labels.index(label) for label in present])
    missing = [k for k, label in enumerate(order) if label not in labels]
    return expand_dims(moved, missing) if missing else moved
