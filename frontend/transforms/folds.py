"""Reductions and scans by any associative function: a user's own, and the product of small matrices.

A function of scalars, or of nested tuples, lists and dicts of them, combines two values. It is traced once, with scalars for
the elements. Accumulators have the dtype of the elements (float32 for half precision). The gradient is a recurrence from the
end by the function's derivative, without divisions.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from xdsl.dialects.builtin import FloatAttr, IntegerAttr
from xdsl.ir import Block

from ...dialects import autodiff, uop
from ...dialects.graph import elementwise
from ...dialects.graph.base import expect_equal
from ...ir.index.expressions import index
from ...ir.scalars.attributes import value_of
from ...ir.types.dtypes import DType
from ...ir.types.shapes import format_shape, tensor_type
from ..functions.arguments import axes_of, axis_of, precise, tensor, tracer_of
from ..functions.indexing import getitem
from ..functions.manipulation import expand_dims, stack
from ..tracing.grad_mode import differentiating
from ..tracing.tensor import Tensor, TensorLike, cast, number_of, tensor_of
from ..tracing.tracer import Tracer, current_tracer
from ..tracing.trees import Tree, flatten, ordered
from .custom_vjp import custom_vjp
from .variables import alike

Combine = Callable[[Any, Any], Any]
# The largest matrices whose products are fully unrolled; use matmul for larger ones.
LARGEST = 8


def reduce(
    combine: Combine,
    xs: Any,
    /,
    *,
    identity: Any,
    axis: int | Sequence[int] | None = None,
    keepdims: bool = False,
    derivative: Callable[[Any, Any, Any], tuple[Any, Any]] | None = None,
) -> Any:
    """Reduce elements along axes by an associative function, in row-major order; an empty axis gives `identity`.

    `combine(a, b)` combines `a`, which comes before `b`; both are scalars, or nested as `xs`, whose tensors have one shape.
    `identity` has a number for each tensor. `derivative(a, b, result)` returns the derivatives of the result by `a` and by `b`,
    each as k rows of k numbers for k tensors; by default the function is differentiated. `axis` None reduces over all axes.

    Raises ShapeError for axes out of range, for a function that returns anything but scalars of the elements' dtypes, and for
    an identity that these cannot represent.
    """
    fold = _Fold(combine, xs, identity, derivative)
    axes = axes_of(axis, fold.rank, fold.tracer)
    values = fold.inputs
    for each in sorted(axes, reverse=True):
        values = fold.along(values, each, reverse=False).totals
    if keepdims:
        values = [expand_dims(value, sorted(axes)) for value in values] if axes else values
    return fold.result(values)


def associative_scan(
    combine: Combine,
    xs: Any,
    /,
    *,
    identity: Any,
    axis: int = 0,
    reverse: bool = False,
    exclusive: bool = False,
    derivative: Callable[[Any, Any, Any], tuple[Any, Any]] | None = None,
) -> Any:
    """Prefix reductions along an axis by an associative function, in the shape of `xs`, with the arguments of `reduce`.

    `exclusive` leaves out the element itself. `reverse` scans from the last element, which is then `combine`'s first.
    """
    fold = _Fold(combine, xs, identity, derivative)
    found = fold.along(fold.inputs, axis_of(axis, fold.rank, fold.tracer), reverse=bool(reverse))
    return fold.result(found.before if exclusive else found.after)


def matprod(x: TensorLike, /, *, axis: int = 0, size: int | None = None) -> Tensor:
    """The product, in order, of the matrices in the last two axes along another axis; the identity matrix if there are none.

    The matrices are square, at most 8x8: each product is fully unrolled. `size` is their size, for traces in which it is not
    known; matrices of another size recompile. Raises ShapeError for other shapes and sizes.
    """
    entries = _Matrices(x, axis, size)
    return entries.joined(reduce(entries.product, entries.values, axis=entries.axis, identity=entries.identity))


def cumulative_matprod(
    x: TensorLike, /, *, axis: int = 0, size: int | None = None, reverse: bool = False, exclusive: bool = False
) -> Tensor:
    """Prefix products of the matrices along an axis, in order, with the arguments of `matprod`. `reverse` takes the product
    from each matrix to the last; `exclusive` leaves out the matrix itself."""
    entries = _Matrices(x, axis, size)

    def combine(a: Any, b: Any) -> Any:
        return entries.product(b, a) if reverse else entries.product(a, b)

    found = associative_scan(
        combine, entries.values, axis=entries.axis, identity=entries.identity, reverse=reverse, exclusive=exclusive
    )
    return entries.joined(found)


class _Found:
    """The results of a fold: the accumulators after the last element, and before and after each element."""

    def __init__(self, results: Sequence[Tensor]):
        third = len(results) // 3
        self.totals, self.before, self.after = (list(results[k * third :][:third]) for k in range(3))


class _Fold:
    """A combining function and the tensors whose elements it combines."""

    def __init__(self, combine: Combine, xs: Any, identity: Any, derivative: Callable[..., Any] | None):
        leaves, self.tree = flatten(xs)
        self.tracer: Tracer = tracer_of(*leaves)
        if not callable(combine):
            raise self.tracer.error(f"expected a function that combines two elements, got {combine!r}")
        self.given = [tensor_of(leaf, self.tracer) for leaf in leaves]
        if not self.given:
            raise self.tracer.error("expected a tensor whose elements are combined, got none")
        self.rank = self.given[0].ndim
        self._expect_equal_shapes()
        self.inputs = [precise(each) for each in self.given]
        self.identity = self._numbers(identity)
        self.combine = combine if derivative is None else _with_derivative(combine, derivative)

    def along(self, inputs: Sequence[Tensor], axis: int, reverse: bool) -> _Found:
        """Combine the elements along an axis."""
        kept = [size for k, size in enumerate(inputs[0].sizes) if k != axis]
        start = [
            self.tracer.emit(elementwise.ConstantOp, number, tensor_type(kept, each.dtype.type))
            for number, each in zip(self.identity, inputs, strict=True)
        ]
        return _Found(self.tracer.emit_all(_folded, list(inputs), start, axis, self._body(), reverse))

    def result(self, values: Sequence[Tensor]) -> Any:
        """Nest values as the given tensors, in their dtypes."""
        return self.tree.unflatten([cast(value, like.dtype) for value, like in zip(values, self.given, strict=True)])

    def _expect_equal_shapes(self) -> None:
        first = self.given[0]
        for each in self.given[1:]:
            message = f"expected tensors of one shape, got {format_shape(first.sizes)} and {format_shape(each.sizes)}"
            if each.ndim != first.ndim:
                raise self.tracer.error(message)
            for axis in range(first.ndim):
                self._unify(first, each, axis, message)

    def _unify(self, first: Tensor, other: Tensor, axis: int, message: str) -> None:
        self.tracer.settle("combine", lambda: expect_equal(first.sizes[axis], other.sizes[axis], message))

    def _numbers(self, identity: Any) -> list[Any]:
        """The identity as one attribute for each tensor."""
        numbers, tree = flatten(ordered(identity, self.tree))
        if tree != self.tree:
            raise self.tracer.error(f"expected an identity nested as {self.tree}, got {tree}")
        return [self._number(each, like.dtype) for each, like in zip(numbers, self.inputs, strict=True)]

    def _number(self, value: Any, held: DType) -> FloatAttr | IntegerAttr:
        found = number_of(value, held, self.tracer)
        if not held.is_float and value_of(found) != value:
            raise self.tracer.error(f"expected an identity in the range of {held}, got {value}")
        return found

    def _body(self) -> Block:
        """The function as a block on scalars: it yields the new accumulators, and those before and after an element as
        results."""
        kinds = [tensor_type((), each.dtype.type) for each in self.inputs]
        with self.tracer.region([*kinds, *kinds]) as body, differentiating(True):
            scalars = [Tensor(self.tracer, each) for each in body.args]
            before, elements = scalars[: len(kinds)], scalars[len(kinds) :]
            found = self.combine(self.tree.unflatten(before), self.tree.unflatten(elements))
            given = alike(self.tracer, "result of the combining function", found, self.tree, before)
            after = [self.tracer.current(each.value) for each in given]
            self.tracer.add(uop.YieldOp(*after, *(each.value for each in before), *after))
        if autodiff.taken_from_around(body):
            raise self.tracer.error("the combining function captures a tensor: expected it among those combined")
        return body


def _folded(inputs: Sequence[Any], start: Sequence[Any], axis: int, body: Block, reverse: bool) -> uop.FoldOp:
    """Build and verify the operation: an invalid one is an error of the user's function."""
    made = uop.FoldOp(inputs, start, axis, body, reverse=reverse)
    made.verify_()
    return made


def _with_derivative(combine: Combine, derivative: Callable[[Any, Any, Any], tuple[Any, Any]]) -> Combine:
    """The function with a backward pass that multiplies by the given derivatives."""

    def forward(a: Any, b: Any) -> tuple[Any, Any]:
        result = combine(a, b)
        return result, (a, b, result)

    def backward(residuals: Any, cotangent: Any) -> tuple[Any, Any]:
        arrived, tree = flatten(cotangent)
        parts = derivative(*residuals)
        if not isinstance(parts, tuple) or len(parts) != 2:
            raise current_tracer().error(f"expected the derivatives by both arguments in a pair, got {parts!r}")
        return _pulled(arrived, parts[0], tree), _pulled(arrived, parts[1], tree)

    made = custom_vjp(combine)
    made.defvjp(forward, backward)
    return made


def _pulled(arrived: Sequence[Any], part: Any, tree: Tree) -> Any:
    """The cotangent of an argument, from the cotangents of the results and the derivatives of each result by each value."""
    rows, _ = flatten(part)
    count = len(arrived)
    if len(rows) != count * count:
        raise current_tracer().error(f"expected {count} rows of {count} derivatives, got {len(rows)} in all")
    return tree.unflatten(
        [sum((arrived[i] * rows[i * count + j] for i in range(1, count)), arrived[0] * rows[j]) for j in range(count)]
    )


class _Matrices:
    """Small matrices in the last two axes of a tensor, as a tensor for each of their entries."""

    def __init__(self, x: TensorLike, axis: int, size: int | None):
        value = tensor(x)
        tracer = value.tracer
        if value.ndim < 3:
            raise tracer.error(f"expected matrices along an axis, got {value!r}")
        if size is None:
            size = tracer.sizes.hint_of(value.sizes[-1])
            if size is None:
                raise tracer.error("the size of the matrices is not known here: pass it as size=")
        if not 1 <= size <= LARGEST:
            raise tracer.error(f"expected matrices of a size from 1 to {LARGEST}, got {size}")
        message = f"expected {size}x{size} matrices, got {format_shape(value.sizes[-2:])}"
        for k in (-2, -1):
            tracer.settle("matprod", lambda k=k: expect_equal(index(size), value.sizes[k], message))
        self.size = size
        self.axis = axis_of(axis, value.ndim, tracer)
        if self.axis >= value.ndim - 2:
            raise tracer.error(f"axis {axis} is an axis of the matrices")
        self.values = tuple(tuple(getitem(value, (..., i, j)) for j in range(size)) for i in range(size))
        self.identity = tuple(tuple(int(i == j) for j in range(size)) for i in range(size))

    def product(self, a: Any, b: Any) -> Any:
        """Multiply two matrices of scalars."""
        spans = range(self.size)
        return tuple(tuple(sum((a[i][k] * b[k][j] for k in spans[1:]), a[i][0] * b[0][j]) for j in spans) for i in spans)

    def joined(self, entries: Any) -> Tensor:
        """Join a tensor for each entry to a tensor of matrices."""
        return stack([stack(row, axis=-1) for row in entries], axis=-2)
