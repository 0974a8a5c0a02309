"""A group of operations of a torch graph as a function on traced tensors."""

from __future__ import annotations

import functools
import operator
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from xdsl.dialects.builtin import LocationAttr

from ....ir.diagnostics import CompileError
from ....ir.locations import fuse
from ....ir.types.dtypes import dtype
from ... import functions as sw
from ...tracing.tensor import Tensor, cast, tensor_of
from ...tracing.tracer import Tracer, current_tracer
from ..rows.complex_numbers import as_complex
from ..rows.row import Meta, Row, Unsupported, computing
from ..rows.table import row_for
from .layouts import Layout, is_whole, layout_of
from .locations import location_of
from .symbols import evaluate, expression_of, is_integer, is_symbolic, symbols_of, terms_of


class CannotCompile(Exception):
    """An operation of a graph that Stepwell cannot compile, and the reason."""

    def __init__(self, node: Any, reason: str):
        super().__init__(f"{node.target}: {reason}")
        self.node, self.reason = node, reason


@dataclass(frozen=True)
class Program:
    """Operations of a graph, in order, with their inputs, which are tensors, and those results that are used elsewhere.

    `carried` are the symbols, and other terms of sizes, that no input has as a size. They are passed after the inputs, integers
    as sizes of empty tensors, other numbers as tensors without axes.
    `shared` is the program whose code this one runs, if its layer is like an earlier one; `layers` has the operations of all
    layers that a program computes, if there are several (`repeats.py`).
    """

    nodes: Sequence[Any]
    inputs: Sequence[Any]
    outputs: Sequence[Any]
    carried: Sequence[Any]
    taken: Sequence[Layout]
    given: Sequence[Layout]
    shared: Program | None = None
    layers: list[Sequence[Any]] = field(default_factory=list[Sequence[Any]])

    @property
    def compiled(self) -> Program:
        """The program whose code this one runs."""
        return self if self.shared is None else self.shared

    def alike(self, node: Any) -> list[Any]:
        """An operation of the program, and the same operation in the other layers that the program computes."""
        place = self.nodes.index(node)
        return [layer[place] for layer in self.layers] or [node]

    @functools.cached_property
    def has_symbols(self) -> bool:
        """Whether any size is known only at run time."""
        return bool(self.carried) or bool(symbols_of(each.meta["val"] for each in self.inputs))

    @staticmethod
    def of(nodes: Sequence[Any], inputs: Sequence[Any], outputs: Sequence[Any], plain: bool = False) -> Program:
        """The program of these nodes. With `plain`, inputs and results are contiguous, whatever layouts torch's tensors
        have."""
        known = {size.node.expr for each in inputs for size in each.meta["val"].shape if _is_symbol(size)}
        used = terms_of(value_of(each) for node in nodes for each in (node, *node.all_input_nodes))
        carried = sorted(used - known, key=str)
        taken, given = ([_layout(each, plain) for each in group] for group in (inputs, outputs))
        # Inputs with repeated or missing elements are copied at the boundary.
        taken = [each if not each.repeated and each.exact is None else Layout(tuple(sorted(each.order))) for each in taken]
        return Program(nodes, inputs, outputs, carried, taken, given)

    def __call__(self, *values: Any) -> list[Tensor]:
        """The results on traced tensors. Raises CannotCompile, with the operation, for anything that cannot be traced."""
        tracer = current_tracer()
        fallback = tracer.fallback
        tensors, carriers = values[: len(self.inputs)], values[len(self.inputs) :]
        known: dict[Any, Any] = {}
        for node, tensor, layout in zip(self.inputs, tensors, self.taken, strict=True):
            known[node] = sw.permute_dims(tensor, layout.back)
        try:
            bindings = self._bindings(known, carriers)
        except (CompileError, Unsupported, KeyError) as error:
            raise CannotCompile(self.nodes[0], f"its sizes are unknown: {error}") from error
        try:
            for node, places in zip(self.nodes, self._locations(), strict=True):
                tracer.fallback = places
                known[node] = _computed(node, known, bindings, tracer)
            return [_laid_out(known[node], layout) for node, layout in zip(self.outputs, self.given, strict=True)]
        finally:
            tracer.fallback = fallback

    def _locations(self) -> list[LocationAttr]:
        """The source locations of the operations in all layers."""
        layers = self.layers or [self.nodes]
        return [fuse([location_of(node) for node in nodes]) for nodes in zip(*layers, strict=True)]

    def _bindings(self, known: Mapping[Any, Tensor], carriers: Sequence[Tensor]) -> dict[Any, Any]:
        """The sizes of the trace for the symbols of torch."""
        found: dict[Any, Any] = {}
        for node, tensor in known.items():
            for size, ours in zip(node.meta["val"].shape, tensor.shape, strict=True):
                if _is_symbol(size):
                    found.setdefault(size.node.expr, ours)
        for symbol, carrier in zip(self.carried, carriers, strict=True):
            found[symbol] = carrier.shape[0] if is_integer(symbol) and isinstance(carrier, Tensor) else carrier
        for node, tensor in known.items():
            for size, ours in zip(node.meta["val"].shape, tensor.shape, strict=True):
                # A comparison makes the solver take both sizes as equal, and a size that torch knows as a constant.
                if ours != evaluate(size, found):
                    user = next(each for each in self.nodes if node in each.all_input_nodes)
                    raise CannotCompile(user, f"expected the size {size} of an argument, got {ours}")
        return found


def _layout(node: Any, plain: bool) -> Layout:
    fake = value_of(node)
    return Layout(tuple(range(fake.ndim))) if plain else layout_of(fake)


def value_of(node: Any) -> Any:
    """The fake result of an operation; None if it has none."""
    return node.meta.get("val")


def _is_symbol(size: Any) -> bool:
    expression = expression_of(size)
    return expression is not None and bool(expression.is_symbol)


def _laid_out(result: Tensor, layout: Layout) -> Tensor:
    """A result with its axes in the order of its memory, and repeated axes of size 1."""
    if layout.exact is not None:
        return result
    if layout.repeated:
        result = sw.getitem(result, tuple(slice(0, 1) if k in layout.repeated else slice(None) for k in range(result.ndim)))
    return sw.permute_dims(result, layout.order)


def _computed(node: Any, known: Mapping[Any, Any], bindings: Mapping[Any, Any], tracer: Tracer) -> Any:
    """The results of one operation."""
    try:
        if is_symbolic(value_of(node)):
            return evaluate(value_of(node), bindings)
        args, kwargs = (_given(each, known, bindings) for each in (tuple(node.args), dict(node.kwargs)))
        if node.target is operator.getitem:
            return args[0][args[1]]
        row = row_for(node)
        assert row is not None, "the partition has only operations with rows"
        with computing(_meta(node, bindings)):
            args = _promoted(row, node, args)
            return _as_torch(row.function(*args, **kwargs), value_of(node), tracer)
    except CannotCompile:
        raise
    except Unsupported as error:
        raise CannotCompile(node, str(error)) from error
    except (CompileError, TypeError, ValueError, LookupError, AttributeError, ArithmeticError, RuntimeError) as error:
        raise CannotCompile(node, f"{type(error).__name__}: {error}") from error


def _given(value: Any, known: Mapping[Any, Any], bindings: Mapping[Any, Any]) -> Any:
    """An argument of an operation, with traced tensors and sizes in place of nodes."""
    if isinstance(value, list | tuple):
        found = [_given(each, known, bindings) for each in value]
        return tuple(found) if isinstance(value, tuple) else found
    if isinstance(value, dict):
        return {key: _given(each, known, bindings) for key, each in value.items()}
    if hasattr(value, "all_input_nodes"):
        return known[value] if value in known else evaluate(value_of(value), bindings)
    return value


def _meta(node: Any, bindings: Mapping[Any, Any]) -> Meta:
    results = value_of(node)
    fakes = results if isinstance(results, tuple | list) else [results]
    shapes = tuple(tuple(evaluate(size, bindings) for size in getattr(fake, "shape", ())) for fake in fakes)
    given = _fake(node.args[0]) if node.args else None
    return Meta(results, shapes, not hasattr(given, "stride") or (layout_of(given).is_plain and is_whole(given)))


def _fake(value: Any) -> Any:
    return value_of(value) if hasattr(value, "all_input_nodes") else value


def _promoted(row: Row, node: Any, args: tuple[Any, ...]) -> tuple[Any, ...]:
    """The arguments, with tensors cast to the dtype that the row wants."""
    if row.operands == "own":
        return args
    if row.operands == "result":
        target = dtype(Meta(value_of(node)).first.dtype)
    else:
        from torch._prims_common import ELEMENTWISE_TYPE_PROMOTION_KIND, elementwise_dtypes

        kind = ELEMENTWISE_TYPE_PROMOTION_KIND.DEFAULT
        target = dtype(elementwise_dtypes(*map(_fake, node.args), type_promotion_kind=kind)[0])
    return tuple(cast(each, target) if isinstance(each, Tensor) else each for each in args)


def _as_torch(results: Any, fakes: Any, tracer: Tracer) -> Any:
    """Results in torch's dtypes. Raises Unsupported for shapes other than torch's."""
    if isinstance(fakes, tuple | list):
        pairs = zip(results, fakes, strict=True)
        return tuple(None if fake is None or value is None else _as_torch(value, fake, tracer) for value, fake in pairs)
    found: Any = as_complex(results, fakes) if fakes.is_complex() else cast(tensor_of(results, tracer), dtype(fakes.dtype))
    ours, theirs = found.shape, fakes.shape
    fits = len(ours) == len(theirs) and all(
        a == b for a, b in zip(ours, theirs, strict=True) if isinstance(a, int) and isinstance(b, int)
    )
    if not fits:
        raise Unsupported(f"its result has the shape {tuple(theirs)}, Stepwell's {ours}")
    return found
