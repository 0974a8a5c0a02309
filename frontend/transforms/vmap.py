"""Vectorisation of functions over batches: `sw.vmap`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from xdsl.ir import Block, SSAValue

from ...dialects import autodiff
from ...dialects.graph.base import expect_equal
from ...ir.types.shapes import format_shape
from ..functions.indexing import getitem
from ..functions.manipulation import moveaxis
from ..tracing.tensor import Tensor, tensor_of
from ..tracing.tracer import Tracer, current_tracer, leaf_names
from ..tracing.trees import DICTS, Tree, flatten
from .derived import everywhere

Axes = Any


def vmap(function: Callable[..., Any], in_axes: Axes = 0, out_axes: Axes = 0) -> Callable[..., Any]:
    """A function that applies another one to each entry along an axis of its arguments, and stacks the results.

    `in_axes` is the axis of all positional arguments, or a tuple with an entry for each. An entry is an axis, None for an
    argument that is the same for all entries, or nested as the argument, possibly with one axis for a whole subtree. Keyword
    arguments are mapped along their first axis. `out_axes` gives the new axis of the results in the same form, with None for
    results that do not depend on the entry.

    `sw.vmap(sw.grad(loss), in_axes=(None, 0, 0))` computes a gradient for each sample. There is no loop: every operation works
    on the whole batch, except functions of the host, which are called for each entry. Raises ShapeError, with the user's line,
    for axes that do not exist or differ in size.
    """

    def mapped(*args: Any, **kwargs: Any) -> Any:
        return _Mapping(current_tracer(), function, args, kwargs, in_axes).results(out_axes)

    return everywhere(mapped, function)


class _Mapping:
    """A call of a mapped function inside of a trace. `axes` has the mapped axis of each leaf, None for unmapped ones."""

    def __init__(
        self, tracer: Tracer, function: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any], in_axes: Axes
    ):
        self.tracer, self.function = tracer, function
        self.leaves, self.tree = flatten((args, kwargs))
        positional, named = self.tree.children
        self.axes = [*self._spread(in_axes, positional, "in_axes"), *self._spread(0, named, "in_axes")]
        if all(axis is None for axis in self.axes):
            raise tracer.error("vmap: expected an argument to map over, got None for all of in_axes")

    def _spread(self, axes: Axes, tree: Tree, what: str) -> list[int | None]:
        """An axis for each leaf of a tree, from one for all or one for each of its children."""
        if axes is None or isinstance(axes, int):
            return [axes] * tree.count
        parts = _parts(axes, tree)
        if parts is None:
            raise self.tracer.error(f"vmap: expected {what} as an int, None, or nested as {tree}, got {axes!r}")
        return [each for part, child in zip(parts, tree.children, strict=True) for each in self._spread(part, child, what)]

    def results(self, out_axes: Axes) -> Any:
        """The function's results for all entries."""
        tracer = self.tracer
        mapped = self._mapped()
        values = [tracer.current(each.value) for each in mapped.values()]
        with tracer.region([autodiff.entry_type(each) for each in values]) as body:
            entries = dict(zip(mapped, body.args, strict=True))
            leaves = [
                Tensor(tracer, entries[k], mapped[k].weak) if k in entries else leaf for k, leaf in enumerate(self.leaves)
            ]
            args, kwargs = self.tree.unflatten(leaves)
            results, tree = flatten(self.function(*args, **kwargs))
            given = [tracer.current(tensor_of(each, tracer).value) for each in results]
            tracer.add(autodiff.YieldOp(*given))
        axes = self._spread(out_axes, tree, "out_axes")
        differing = _differing(body)
        if any(axis is None and each in differing for each, axis in zip(given, axes, strict=True)):
            raise tracer.error("vmap: out_axes is None for a result that depends on the entry: expected an axis")
        made = tracer.emit_all(autodiff.VmapOp, values, body)
        return tree.unflatten(
            [getitem(each, 0) if axis is None else moveaxis(each, 0, axis) for each, axis in zip(made, axes, strict=True)]
        )

    def _mapped(self) -> dict[int, Tensor]:
        """The mapped leaves, by their number, with the mapped axis first."""
        names = leaf_names(self.function, *self.tree.unflatten(self.leaves))
        found: dict[int, Tensor] = {}
        for k, axis in enumerate(self.axes):
            if axis is not None:
                found[k] = self._in_front(self.leaves[k], axis, names[k])
        first, *others = found
        for k in others:
            sizes = [found[each].sizes[0] for each in (first, k)]
            message = f"argument '{names[first]}' has {sizes[0]} entries, argument '{names[k]}' has {sizes[1]}"
            self.tracer.settle(
                "vmap", lambda k=k, message=message: expect_equal(found[first].sizes[0], found[k].sizes[0], message)
            )
        return found

    def _in_front(self, leaf: Any, axis: int, name: str) -> Tensor:
        value = tensor_of(leaf, self.tracer)
        if not -value.ndim <= axis < value.ndim:
            raise self.tracer.error(
                f"vmap: argument '{name}' has no axis {axis} to map over, its shape is {format_shape(value.sizes)}: "
                "give None for it in in_axes"
            )
        return moveaxis(value, axis, 0)


def _parts(axes: Axes, tree: Tree) -> list[Axes] | None:
    """The entries of nested axes for each child of a tree, by key for a dict; None for another nesting."""
    if isinstance(axes, dict):
        return [axes[key] for key in tree.keys] if tree.kind in DICTS and axes.keys() == set(tree.keys) else None
    fits = isinstance(axes, tuple | list) and tree.kind not in (None, *DICTS) and len(axes) == len(tree.children)
    return list(axes) if fits else None


def _differing(body: Block) -> set[SSAValue]:
    """The values of a body that depend on its arguments."""
    found: set[SSAValue] = set(body.args)
    for op in body.ops:
        if any(operand in found for inner in op.walk() for operand in inner.operands):
            found.update(op.results)
    return found
