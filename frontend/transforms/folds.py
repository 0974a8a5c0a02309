"""Reductions and scans by any associative function: a user's own, and the product of small matrices.

A function of scalars says how two values are combined, or nested tuples, lists and dicts of them, carried together. It
is traced once, with scalars in the place of tensors. What is carried has the dtype of the elements (half precision is float32).
The gradient is a recurrence from the end, by the derivative of the function, without a division.
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
from .linear import alike

Combine = Callable[[Any, Any], Any]
# Larger matrices have products of their own.
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
    """All elements along axes combined, in row-major order; `identity`, a number for each tensor, of nothing.

    `combine(a, b)` gives what comes of `a`, which stands before `b`; both are scalars, or nested as `xs` is, tensors of one
    shape. `derivative(a, b, result)` gives the derivatives of the result by `a` and by `b`, for k tensors k rows of k numbers
    each; without it the function is differentiated as it is written. Raises ShapeError for axes out of range, and for a
    function that gives anything but scalars of the elements' dtypes, and for an identity that these do not hold.
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
    """For each element along an axis all up to it combined, with the arguments of `reduce`.

    With `exclusive` the element itself is left out. With `reverse` the last element is the first, also for `combine`.
    """
    fold = _Fold(combine, xs, identity, derivative)
    found = fold.along(fold.inputs, axis_of(axis, fold.rank, fold.tracer), reverse=bool(reverse))
    return fold.result(found.before if exclusive else found.after)


def matprod(x: TensorLike, /, *, axis: int = 0, size: int | None = None) -> Tensor:
    """The product, in order, of the matrices in the last two axes along another one; the identity matrix of none.

    The matrices are square and small, at most 8x8: each product is written out. `size` says how large they are, where no call
    tells; one for matrices of another size is compiled anew.
    """
    entries = _Matrices(x, axis, size)
    return entries.joined(reduce(entries.product, entries.values, axis=entries.axis, identity=entries.identity))


def cumulative_matprod(
    x: TensorLike, /, *, axis: int = 0, size: int | None = None, reverse: bool = False, exclusive: bool = False
) -> Tensor:
    """For each matrix along an axis the product of those up to it, in order, with the arguments of `matprod`; with `reverse` of
    those from it to the last, with `exclusive` without itself."""
    entries = _Matrices(x, axis, size)

    def combine(a: Any, b: Any) -> Any:
        return entries.product(b, a) if reverse else entries.product(a, b)

    found = associative_scan(
        combine, entries.values, axis=entries.axis, identity=entries.identity, reverse=reverse, exclusive=exclusive
    )
    return entries.joined(found)


class _Found:
    """What a fold gives: what is carried behind the last element, and before and behind each."""

    def __init__(self, results: Sequence[Tensor]):
        third = len(results) // 3
        self.totals, self.before, self.after = (list(results[k * third :][:third]) for k in range(3))


class _Fold:
    """A function and the tensors whose elements it combines."""

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
        """The elements along an axis combined."""
        kept = [size for k, size in enumerate(inputs[0].sizes) if k != axis]
        start = [
            self.tracer.emit(elementwise.ConstantOp, number, tensor_type(kept, each.dtype.type))
            for number, each in zip(self.identity, inputs, strict=True)
        ]
        return _Found(self.tracer.emit_all(_folded, list(inputs), start, axis, self._body(), reverse))

    def result(self, values: Sequence[Tensor]) -> Any:
        """Values nested as the tensors are that were given, in their dtypes."""
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
        """The identity as an attribute for each tensor."""
        numbers, tree = flatten(ordered(identity, self.tree))
        if tree != self.tree:
            raise self.tracer.error(f"expected an identity nested as {self.tree}, got {tree}")
        return [self._number(each, like.dtype) for each, like in zip(numbers, self.inputs, strict=True)]

    def _number(self, value: Any, held: DType) -> FloatAttr | IntegerAttr:
        found = number_of(value, held, self.tracer)
        if not held.is_float and value_of(found) != value:
            raise self.tracer.error(f"expected an identity that {held} holds, got {value}")
        return found

    def _body(self) -> Block:
        """The function on scalars: it carries on what it gives, and computes what was carried before and behind an element."""
        kinds = [tensor_type((), each.dtype.type) for each in self.inputs]
        with self.tracer.region([*kinds, *kinds]) as body, differentiating(True):
            scalars = [Tensor(self.tracer, each) for each in body.args]
            before, elements = scalars[: len(kinds)], scalars[len(kinds) :]
            found = self.combine(self.tree.unflatten(before), self.tree.unflatten(elements))
            given = alike(self.tracer, "result of the combining function", found, self.tree, before)
            after = [self.tracer.current(each.value) for each in given]
            self.tracer.add(uop.YieldOp(*after, *(each.value for each in before), *after))
        if autodiff.taken_from_around(body):
            raise self.tracer.error("the combining function takes a tensor from around it: expected it among those combined")
        return body


def _folded(inputs: Sequence[Any], start: Sequence[Any], axis: int, body: Block, reverse: bool) -> uop.FoldOp:
    """The operation, which is as the function was written, so that what is wrong with it is the user's."""
    made = uop.FoldOp(inputs, start, axis, body, reverse=reverse)
    made.verify_()
    return made


def _with_derivative(combine: Combine, derivative: Callable[[Any, Any, Any], tuple[Any, Any]]) -> Combine:
    """The function, whose backward pass multiplies with the derivatives that are given."""

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
    """The cotangent of an argument, given those of the results and the derivatives of each result by each value."""
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
                raise tracer.error("the size of the matrices is not known here: expected it as size=")
        if not 1 <= size <= LARGEST:
            raise tracer.error(f"expected matrices of a size from 1 to {LARGEST}, got {size}")
        message = f"expected {size}x{size} matrices, got {format_shape(value.sizes[-2:])}"
        for k in (-2, -1):
            tracer.settle("matprod", lambda k=k: expect_equal(index(size), value.sizes[k], message))
        self.size = size
        self.axis = axis_of(axis, value.ndim, tracer)
        if self.axis >= value.ndim - 2:
            raise tracer.error(f"axis {axis} is one of the matrices' own")
        self.values = tuple(tuple(getitem(value, (..., i, j)) for j in range(size)) for i in range(size))
        self.identity = tuple(tuple(int(i == j) for j in range(size)) for i in range(size))

    def product(self, a: Any, b: Any) -> Any:
        """The product of two matrices of scalars."""
        spans = range(self.size)
        return tuple(tuple(sum((a[i][k] * b[k][j] for k in spans[1:]), a[i][0] * b[0][j]) for j in spans) for i in spans)

    def joined(self, entries: Any) -> Tensor:
        """A tensor for each entry as one of matrices."""
        return stack([stack(row, axis=-1) for row in entries], axis=-2)
