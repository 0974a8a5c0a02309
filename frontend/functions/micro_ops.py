"""Hand-written micro-ops, with shapes and index maps as text:

    sw.uop.reindex(["dA0", "dA1 - $kh + 1", "$kh"], x, index=["i0", "i1 + i2"], fill=0)

In the text, `dA1` is size 1 of the first tensor of `shape_of` (`dB1` of the second). `i1` is index 1 of the result (of the
updates, for a scatter), `e0` the element loaded from the first tensor of `index_from`. `$kh` is an integer that the compiled
function takes as a keyword argument; it must not be negative, nor have the name of a size of the arguments. `dA3[=dB3]` is
`dA3` and asserts that it equals `dB3`. Operators are + - * // %, functions `min(a, b)` and `max(a, b)`; guards compare by
== < <= > >=. Division and remainder round towards minus infinity, so that `-7 // 2` is -4 and `-7 % 2` is 1. Divisors are
positive: a size or `$param` of 0 is a ZeroDivisionError of the call.

Conditions on sizes and `$params` that keep a read in bounds are checked once in a call. If they cannot be proven for all
values, code is compiled for the values of the call.

All functions raise ShapeError, with the position in the text, for unknown names and wrong numbers of entries.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from ...dialects import uop
from ...ir.index.expressions import Index, dim, index, param
from ...ir.index.parser import IndexSyntaxError, check_name, parse_index
from ...ir.scalars.function import ScalarFunction
from ...ir.scalars.table import scalar
from ...ir.types import dtypes
from ...ir.types.shapes import tensor_type
from ..tracing.tensor import Tensor, TensorLike, number_of, tensor_of
from ..tracing.tracer import Tracer
from .arguments import axes_of, axis_of, size_from, tensor, tracer_of

OpT = TypeVar("OpT", bound=uop.MicroOp)
Text = Any  # text, or an int or Size where no text is needed
_ASSERTION = re.compile(r"(\w+)\s*\[\s*=([^\]]*)\]")
_COMPARISON = re.compile(r"(.*?)(>=|<=|==|>|<)(.*)", re.DOTALL)
_SIZE = re.compile(r"d([A-Z])(\d+)")
_INDEX = re.compile(r"([ie])(\d+)")


def reindex(
    shape: Sequence[Text],
    x: TensorLike,
    *,
    shape_of: Sequence[Tensor] | None = None,
    index: Sequence[Text],
    fill: float | int | bool | None = None,
    guard: Sequence[str] = (),
    index_from: Sequence[Any] = (),
) -> Tensor:
    """A gather by index maps: the tensor of `shape` with result[i] = x[index(i)].

    Reads outside of x, and where a guard does not hold, give `fill`. Without `fill`, each read must be provably in bounds;
    indices loaded through `index_from` are checked at run time instead, and raise IndexError. A guard is a comparison, or an
    expression that must not be negative. An entry of `index_from` is a tensor, read at the leading indices, or a pair of a
    tensor and the indices to read it at.
    """
    value = tensor(x)
    reader = _Reader(value.tracer, shape_of if shape_of is not None else [value])
    sizes = reader.sizes(shape)
    loads = reader.loads(index_from, sizes)
    at = [reader.at(entry, len(sizes), len(loads)) for entry in reader.listed("index", index)]
    reader.expect_count("index", at, value.ndim)
    guards = [each for entry in reader.listed("guard", guard) for each in reader.guard(entry, len(sizes), len(loads))]
    reader.check_divisors(sizes)
    filler = None if fill is None else number_of(fill, value.dtype, value.tracer)
    make = _verified(uop.ReindexOp)
    return value.tracer.emit(make, value, sizes, at, indices=loads, guards=guards, fill=filler)


def scatter(
    shape: Sequence[Text],
    x: TensorLike,
    *,
    shape_of: Sequence[Tensor] | None = None,
    index: Sequence[Text],
    op: str = "add",
    into: TensorLike | None = None,
    guard: Sequence[str] = (),
    index_from: Sequence[Any] = (),
    bounds: str | None = None,
) -> Tensor:
    """A scatter by index maps: the tensor of `shape` into which each element x[i] is combined at index(i).

    `op` is "set" or an accumulator. The result starts from `into`, by default the accumulator's neutral element (0 for "set").
    `bounds` selects what happens to an index out of bounds: "fill" skips the element (the default without `index_from`),
    "error" raises IndexError at run time.
    """
    value = tensor(x)
    reader = _Reader(value.tracer, shape_of if shape_of is not None else [value])
    sizes = reader.sizes(shape)
    loads = reader.loads(index_from, value.sizes)
    at = [reader.at(entry, value.ndim, len(loads)) for entry in reader.listed("index", index)]
    reader.expect_count("index", at, len(sizes))
    guards = [each for entry in reader.listed("guard", guard) for each in reader.guard(entry, value.ndim, len(loads))]
    init = tensor(into) if into is not None else _neutral(op, sizes, value)
    reader.check_divisors(value.sizes)
    chosen = bounds or ("error" if loads else "fill")
    return value.tracer.emit(_verified(uop.ScatterOp), op, init, value, at, indices=loads, guards=guards, bounds=chosen)


def map(function: str, *xs: TensorLike) -> Tensor:
    """Apply a scalar function to tensors of equal shape, without broadcasting."""
    tracer = tracer_of(*xs)
    _function(function, tracer)
    return tracer.emit(_verified(uop.MapOp), function, *(tensor_of(x, tracer) for x in xs))


def cast(x: TensorLike, to: Any) -> Tensor:
    """Convert the elements to another dtype."""
    value = tensor(x)
    return value.tracer.emit(_verified(uop.CastOp), value, dtypes.dtype(to).type)


def reduce(accumulator: str, x: TensorLike, axes: int | Sequence[int] | None = None) -> Tensor:
    """Reduce over axes by an accumulator, "argmax" or "argmin"; the axes disappear. None reduces over all."""
    value = tensor(x)
    return value.tracer.emit(_verified(uop.ReduceOp), accumulator, value, axes_of(axes, value.ndim, value.tracer))


def recurrence(factors: TensorLike, x: TensorLike, axis: int, *, reverse: bool = False) -> Tensor:
    """The linear recurrence r[k] = factors[k] * r[k - 1] + x[k] along an axis, with r[-1] = 0; from the end with `reverse`."""
    tracer = tracer_of(factors, x)
    weights, value = (tensor_of(each, tracer) for each in (factors, x))
    axis = axis_of(axis, value.ndim, tracer)
    return tracer.emit(_verified(uop.RecurrenceOp), weights, value, axis, reverse=reverse)


def scan(accumulator: str, x: TensorLike, axis: int, *, reverse: bool = False, exclusive: bool = False) -> Tensor:
    """Prefix accumulation along an axis: from the end with `reverse`, without the element itself with `exclusive`."""
    value = tensor(x)
    axis = axis_of(axis, value.ndim, value.tracer)
    return value.tracer.emit(_verified(uop.ScanOp), accumulator, value, axis, reverse=reverse, exclusive=exclusive)


def iota(shape: Sequence[Text], axis: int, *, dtype: Any = "int64", shape_of: Sequence[Tensor] = ()) -> Tensor:
    """The index along one axis for each element of a tensor of `shape`."""
    tracer = tracer_of(*shape_of)
    sizes = _Reader(tracer, shape_of).sizes(shape)
    element, along = dtypes.dtype(dtype).type, axis_of(axis, len(sizes), tracer)

    def iota(*extents: Index) -> uop.IotaOp:
        return uop.IotaOp(along, tensor_type(extents, element))

    return tracer.emit(iota, *sizes)


def constant(
    shape: Sequence[Text], value: float | int | bool, *, dtype: Any = "float32", shape_of: Sequence[Tensor] = ()
) -> Tensor:
    """A tensor of `shape` filled with one value."""
    tracer = tracer_of(*shape_of)
    sizes = _Reader(tracer, shape_of).sizes(shape)
    return _constant(tracer, sizes, number_of(value, dtypes.dtype(dtype), tracer))


class _Reader:
    """Parses text: sizes of the given tensors, indices, and parameters of the function."""

    def __init__(self, tracer: Tracer, sources: Sequence[Tensor]):
        self.tracer, self.sources = tracer, sources
        self.divisors: list[Index] = []

    def size(self, entry: Text) -> Index:
        """Parse a size, which may contain no index."""
        return self.read(entry, 0, 0)

    def sizes(self, shape: Sequence[Text]) -> list[Index]:
        """Parse a shape. Raises ZeroDivisionError for a divisor that is 0."""
        found = [self.size(entry) for entry in self.listed("shape", shape)]
        self.check_divisors(())
        return found

    def listed(self, what: str, entries: Any) -> Sequence[Any]:
        """The entries of a list. Raises ShapeError for text or a number in its place."""
        if isinstance(entries, str) or not isinstance(entries, Sequence):
            raise self.tracer.error(f"{what}: expected a list with an entry for each axis or condition, got {entries!r}")
        return entries

    def check_divisors(self, domain: Sequence[Index]) -> None:
        """Check the divisors of the expressions parsed since the last check, which are evaluated for each index of `domain`."""
        for divisor in self.divisors:
            self.tracer.sizes.divide_by(divisor, domain)
        self.divisors = []

    def at(self, entry: Text, rank: int, loads: int) -> Index:
        """Parse an index over `rank` dimensions and `loads` loaded elements."""
        return self.read(entry, rank, loads)

    def guard(self, text: str, rank: int, loads: int) -> list[Index]:
        """Parse a condition to index expressions that are non-negative when it holds."""
        if not isinstance(text, str) or re.search(r"!=|\b(and|or|not)\b", text):
            raise self.tracer.error(
                f"guard: expected a comparison as text, by == < <= > or >=, got {text!r}; several guards all have to hold"
            )
        found = _COMPARISON.fullmatch(_ASSERTION.sub(self.asserted, text))
        if found is None:
            return [self.at(text, rank, loads)]
        left, right = self.at(found[1], rank, loads), self.at(found[3], rank, loads)
        match found[2]:
            case ">=":
                return [left - right]
            case ">":
                return [left - right - 1]
            case "<=":
                return [right - left]
            case "<":
                return [right - left - 1]
            case _:
                return [left - right, right - left]

    def loads(self, given: Sequence[Any], domain: Sequence[Index]) -> list[tuple[Tensor, list[Index]]]:
        """The index tensors, each with the indices that it is read at: by default the leading ones, over whose sizes it
        extends."""
        result: list[tuple[Tensor, list[Index]]] = []
        for entry in given:
            source, at = entry if isinstance(entry, tuple) else (entry, None)
            value = tensor_of(source, self.tracer)
            places = [dim(k) for k in range(value.ndim)] if at is None else [self.at(each, len(domain), 0) for each in at]
            for size, extent in zip(value.sizes, domain if at is None else (), strict=False):
                self.tracer.sizes.unify(size, extent)
            self.expect_count("index_from", places, value.ndim)
            result.append((value, places))
        return result

    def expect_count(self, what: str, entries: Sequence[Index], rank: int) -> None:
        if len(entries) != rank:
            raise self.tracer.error(f"{what}: expected {rank} entries, got {len(entries)}")

    def read(self, entry: Text, rank: int, loads: int) -> Index:
        """Parse an expression over `rank` indices `i` and `loads` loaded elements `e`."""
        if not isinstance(entry, str):
            return size_from(entry, self.tracer)
        text = _ASSERTION.sub(self.asserted, entry)
        try:
            return self.tracer.sizes.resolve(
                parse_index(text, lambda name: self.meaning(name, rank, loads), self.divisors.append)
            )
        except IndexSyntaxError as error:
            raise self.tracer.error(str(error)) from error

    def asserted(self, match: re.Match[str]) -> str:
        """Check an assertion of equal sizes, and return the name before it."""
        left, right = self.size(match[1]), self.size(match[2])
        if left != right and not self.tracer.sizes.unify(left, right):
            raise self.tracer.error(f"'{match[0]}' does not hold: {left} and {right} are not known to be equal")
        return match[1]

    def meaning(self, name: str, rank: int, loads: int) -> Index | None:
        """The index expression that a name stands for, None for an unknown name."""
        if name.startswith("$"):
            return self.parameter(name[1:])
        found = _SIZE.fullmatch(name)
        if found is not None:
            source, axis = ord(found[1]) - ord("A"), int(found[2])
            known = source < len(self.sources) and axis < self.sources[source].ndim
            return self.sources[source].sizes[axis] if known else None
        found = _INDEX.fullmatch(name)
        if found is None or int(found[2]) >= (rank if found[1] == "i" else loads):
            return None
        return dim(int(found[2]) + (rank if found[1] == "e" else 0))

    def parameter(self, name: str) -> Index:
        """A keyword of the function: a constant if the traced function has it as a parameter, else a run-time parameter."""
        self.tracer.unused.discard(name)
        if name in self.tracer.constants:
            return index(self.tracer.constants[name])
        if name in self.tracer.arguments:
            got = type(self.tracer.arguments[name]).__name__
            raise self.tracer.error(f"'${name}' is the argument '{name}' of the function: expected an int, got a {got}")
        if name in self.tracer.sizes.named:
            raise self.tracer.error(
                f"'${name}' has the name of a size of the arguments: rename one of them (in the text, sizes are dA0, dB1)"
            )
        if name in self.tracer.sizes.hints and name not in self.tracer.sizes.params:
            raise self.tracer.error(f"parameter '{name}' is missing: give it as a keyword")
        try:
            check_name(name)
        except ValueError as error:
            raise self.tracer.error(str(error)) from error
        self.tracer.params[name] = None
        return param(name)


def _verified(make: Callable[..., OpT]) -> Callable[..., OpT]:
    """Wrap an operation's constructor to verify the operation."""

    def build(*args: Any, **options: Any) -> OpT:
        op = make(*args, **options)
        op.verify_()
        return op

    build.__name__ = str(getattr(make, "name", "uop"))
    return build


def _function(name: str, tracer: Tracer) -> ScalarFunction:
    """A row of the scalar table. Raises ShapeError for an unknown name."""
    try:
        return scalar(name)
    except LookupError as error:
        raise tracer.error(str(error.args[0])) from error


def _neutral(op: str, sizes: Sequence[Index], like: Tensor) -> Tensor:
    """The initial tensor of a scatter without `into`."""
    neutral = _function(op, like.tracer).identity if op != "set" else None
    value = neutral(like.dtype) if neutral is not None else 0
    return _constant(like.tracer, sizes, number_of(value, like.dtype, like.tracer))


def _constant(tracer: Tracer, sizes: Sequence[Index], value: Any) -> Tensor:
    def constant(*extents: Index) -> uop.ConstantOp:
        return uop.ConstantOp(value, tensor_type(extents, value.type))

    return tracer.emit(constant, *sizes)
