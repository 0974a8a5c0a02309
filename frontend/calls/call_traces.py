"""Trace the function of a call: its arrays become arguments whose sizes are inferred from theirs."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from ...ir.diagnostics import Note, ShapeError
from ...runtime.boundary.arrays import is_torch, to_numpy
from ...runtime.boundary.signature import Signature
from ..tracing.sizes import SizeSolver, size_prefix
from ..tracing.specs import Spec
from ..tracing.tracer import expect_dtypes, labels
from ..tracing.trees import Tree
from .arguments import explain_lists, is_argument
from .traced import Traced, trace
from .varying_numbers import VaryingNumber


def trace_call(
    function: Callable[..., Any],
    tree: Tree,
    leaves: Sequence[Any],
    params: Mapping[str, int],
    static: bool,
    locations: bool = True,
) -> Traced:
    """Trace a function for the leaves of a call, arrays or `sw.Spec`s. Raises CompileError as a call would."""
    solver = SizeSolver(prefix=size_prefix(params))
    if static:
        solver.params.update(params)
    try:
        described = [_spec(leaf, solver, static) if is_argument(leaf) else leaf for leaf in leaves]
    except TypeError:
        expect_dtypes(function, tree, leaves)
        raise
    args, kwargs = tree.unflatten(described)
    try:
        return trace(function, args, {**kwargs, **params}, sizes=solver, locations=locations)
    except ShapeError as error:
        if solver.hints:
            sizes = ", ".join(f"{name} = {value}" for name, value in {**solver.hints, **solver.params}.items())
            error.notes = (*error.notes, Note(f"in this call {sizes}"))
        raise
    except (AttributeError, TypeError) as error:
        explain_lists(error, [*zip(labels(function, len(args)), args, strict=True), *kwargs.items()])
        raise


def _spec(array: Any, solver: SizeSolver, static: bool) -> Spec:
    if isinstance(array, VaryingNumber):
        return Spec((), array.array.dtype, weak=True)
    view = to_numpy(array) if not is_torch(array) else array
    return Spec.static(view) if static else Spec.of(view, solver)


def signature_of(traced: Traced) -> Signature:
    """The signature of a traced program: its arguments, captured arrays and results."""
    names = [*traced.names, *(f"captured {number}" for number in range(len(traced.captured)))]
    return Signature.of(traced.function, names)
