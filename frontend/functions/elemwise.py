"""Elementwise functions that broadcast or accumulate over the first or the last axes (Theano's elementwise compiler)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Any, TypeAlias

from ...ir.diagnostics import ShapeError
from ...ir.types.shapes import format_shape
from ..tracing.tensor import Tensor, TensorLike, is_number
from ..tracing.tracer import Tracer
from .arguments import tensor, tracer_of
from .manipulation import broadcast_arrays, expand_dims
from .reductions import all, any, max, min, prod, sum

Mode: TypeAlias = "str | tuple[str, str]"
_ACCUMULATORS: Mapping[str, Callable[..., Tensor]] = MappingProxyType(
    {"add": sum, "mul": prod, "max": max, "min": min, "and": all, "or": any}
)


def elemwise(fn: Callable[..., Any], *xs: TensorLike, order: str = "f", modes: Sequence[Mode] = ("broadcast",)) -> Any:
    """Apply `fn` elementwise to tensors of different ranks, with a mode for each output of `fn`.

    "broadcast" gives the output the greatest rank of the inputs: inputs of lower rank repeat along new axes, leading ones in
    order "f" (as in NumPy), trailing ones in order "c". ("accumulate", "add") gives it the least rank: inputs of greater rank
    are first reduced over their first axes in order "f", over their last axes in order "c", by add, mul, max, min, and, or.
    `fn` returns a tensor, or a tuple with one tensor for each mode. Raises ShapeError for unknown orders and modes, and for a
    wrong number of outputs.
    """
    tracer = tracer_of(*xs)
    if not callable(fn):
        raise tracer.error(f"elemwise: expected a function of tensors, got {fn!r}")
    if isinstance(modes, str) or _is_accumulation(modes):
        raise tracer.error(f"elemwise: expected a mode for each output, got {modes!r}: write modes=({modes!r},)")
    if order not in ("c", "f"):
        raise tracer.error(f"elemwise: expected the order 'c' or 'f', got {order!r}")
    if not xs:
        raise tracer.error("elemwise: expected at least one input")
    values = [tensor(x) for x in xs]
    outputs: list[Tensor] = []
    results: dict[Mode, tuple[Tensor, ...]] = {}
    single = False
    for k, mode in enumerate(modes):
        if mode not in results:
            operands = _operands(values, order, mode, tracer)
            found = fn(*operands)
            single = not isinstance(found, tuple)
            results[mode] = (found,) if single else found
            _expect_elementwise(results[mode], operands[0], tracer)
        if len(results[mode]) != len(modes):
            count = len(results[mode])
            raise tracer.error(f"elemwise: expected a mode for each output, got {count} outputs and {len(modes)} modes")
        outputs.append(results[mode][k])
    return outputs[0] if single else tuple(outputs)


def _expect_elementwise(found: Sequence[Any], operand: Tensor, tracer: Tracer) -> None:
    """Raise ShapeError unless all outputs are tensors of the operands' shape, or numbers."""
    for number, each in enumerate(found):
        if is_number(each):
            continue
        if not isinstance(each, Tensor):
            raise tracer.error(f"elemwise: expected a tensor as output {number} of the function, got {each!r}")
        sizes = zip(each.sizes, operand.sizes, strict=False)
        if each.ndim != operand.ndim or False in [tracer.sizes.unify(a, b) for a, b in sizes]:
            expected = f"expected an elementwise function, which gives shape {format_shape(operand.sizes)}"
            raise tracer.error(f"elemwise: {expected}, got output {number} of shape {format_shape(each.sizes)}")


def _operands(values: Sequence[Tensor], order: str, mode: Mode, tracer: Tracer) -> list[Tensor]:
    """The inputs, broadcast or reduced to one shape."""
    if mode == "broadcast":
        deepest = sorted(value.ndim for value in values)[-1]
        shapes = ", ".join(format_shape(each.sizes) for each in values)
        if order == "c":
            values = [expand_dims(each, range(each.ndim, deepest)) if each.ndim < deepest else each for each in values]
        return _broadcast(values, f"shapes {shapes} do not broadcast in order '{order}'", tracer)
    if not _is_accumulation(mode):
        known = ", ".join(_ACCUMULATORS)
        raise tracer.error(f"elemwise: expected the mode 'broadcast' or ('accumulate', one of {known}), got {mode!r}")
    least = sorted(value.ndim for value in values)[0]
    reduce = _ACCUMULATORS[mode[1]]
    reduced = []
    for each in values:
        extra = each.ndim - least
        axes = range(extra) if order == "f" else range(least, each.ndim)
        reduced.append(reduce(each, axis=tuple(axes)) if extra else each)
    shapes = ", ".join(format_shape(each.sizes) for each in reduced)
    return _broadcast(reduced, f"the reduced shapes {shapes} do not broadcast", tracer)


def _broadcast(values: Sequence[Tensor], message: str, tracer: Tracer) -> list[Tensor]:
    try:
        return broadcast_arrays(*values)
    except ShapeError as error:
        raise tracer.error(f"elemwise: {message}", error.reports) from error


def _is_accumulation(mode: Any) -> bool:
    return isinstance(mode, tuple) and len(mode) == 2 and mode[0] == "accumulate" and mode[1] in _ACCUMULATORS
