"""Sequential loops over a function of tensors: `sw.scan`.

The function is traced once for any number of steps, which may be known only at run time. Recurrent layers are scans over time,
and so are other loops with a state, such as simulations and optimisers. The gradient is a scan from the end.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from xdsl.ir import Block, SSAValue

from ...dialects import autodiff, uop
from ...dialects.graph.base import expect_equal
from ...ir.diagnostics import ShapeError
from ...ir.index.expressions import Index
from ...ir.types.dtypes import DType, promote
from ...ir.types.shapes import format_shape, tensor_type
from ..functions.arguments import size_from, tracer_of
from ..tracing.grad_mode import differentiating
from ..tracing.tensor import Tensor, cast, is_weak, tensor_of
from ..tracing.tracer import Tracer
from ..tracing.trees import Tree, flatten, ordered, paths

Step = Callable[[Any, Any], tuple[Any, Any]]


def scan(fn: Step, init: Any, xs: Any = None, length: Any = None, reverse: bool = False) -> tuple[Any, Any]:
    """Run `fn(carry, x) -> (carry, y)` for each entry along the first axis of `xs`. Returns the last carry, and all `y`
    stacked.

    `init` is the first carry. Carries, `xs` and `y` are tensors in tuples, lists and dicts; `fn` may capture other tensors,
    which are the same for all steps. `length` is the number of steps, required without `xs`; `xs` and `y` may be None.
    `reverse` runs from the last entry to the first.

    Raises ShapeError, with the user's line, for different numbers of entries, for an unknown number of steps, and for a
    function that changes the shape, dtype or nesting of the carry.
    """
    return _Scan(fn, init, xs, length, bool(reverse)).results()


class _Scan:
    """A step function with its first carry and its entries."""

    def __init__(self, fn: Step, init: Any, xs: Any, length: Any, reverse: bool):
        first, self.tree = flatten(init)
        entries, self.entry_tree = flatten(xs)
        self.tracer: Tracer = tracer_of(*first, *entries)
        self.fn, self.reverse = fn, reverse
        self.names = paths(init, "carry")
        self.init = [tensor_of(leaf, self.tracer) for leaf in first]
        # Numbers have no dtype of their own: they get the dtype of the function's new carry.
        self.weak = [is_weak(leaf) for leaf in first]
        self.stacked = [tensor_of(leaf, self.tracer) for leaf in entries]
        self.length = self._length(paths(xs, "xs"), length)

    def results(self) -> tuple[Any, Any]:
        body = self._traced()
        count = len(self.init)
        found = self.tracer.emit_all(
            uop.IterateOp, self.init, self.stacked, body.shared, self.length, body.block, reverse=self.reverse
        )
        return self.tree.unflatten(found[:count]), body.tree.unflatten(found[count : len(found) - count])

    def _length(self, names: Sequence[str], given: Any) -> Index:
        """The number of steps."""
        if given is None and not self.stacked:
            raise self._error("expected xs or a length, for the number of steps")
        scalars = next((name for name, each in zip(names, self.stacked, strict=False) if not each.ndim), None)
        if scalars is not None:
            raise self._error(f"{scalars} is a scalar: expected a tensor with an entry for each step")
        first = size_from(given, self.tracer) if given is not None else self.stacked[0].sizes[0]
        if first.constant is not None and first.constant < 0:
            raise self._error(f"expected a length of at least 0, got {first}")
        what = "length" if given is not None else names[0]
        for name, each in zip(names, self.stacked, strict=True):
            self._expect_length(first, each, what, name)
        return self.tracer.sizes.resolve(first)

    def _expect_length(self, length: Index, entries: Tensor, what: str, name: str) -> None:
        """Raise ShapeError unless `entries` has `length` entries; `what` names the origin of the length."""

        def attempt() -> None:
            # Unified sizes are replaced: resolve both in each attempt.
            wanted, found = self.tracer.sizes.resolve(length), entries.sizes[0]
            message = f"expected equal numbers of entries, got {wanted} from {what} and {found} from {name}"
            expect_equal(wanted, found, message)

        self.tracer.settle("scan", attempt)

    def _traced(self) -> _Body:
        """Trace the function as a body, with numbers among the first carries cast to the dtypes of the new carries."""
        while True:
            body, wider = self._attempt()
            if not wider:
                return body
            for k, kind in wider.items():
                self.init[k] = cast(self.init[k], kind)

    def _attempt(self) -> tuple[_Body, dict[int, DType]]:
        """Trace the function as a body. Also returns the numbers among the first carries that need another dtype, with this
        dtype."""
        count = len(self.init)
        entries = [tensor_type(each.sizes[1:], each.dtype.type) for each in self.stacked]
        types = [*(self.tracer.current(each.value).type for each in self.init), *entries]
        with self.tracer.region(types) as body, differentiating(True):
            weak = [*self.weak, *(False for _ in entries)]
            args = [Tensor(self.tracer, *each) for each in zip(body.args, weak, strict=True)]
            carried, outputs, tree = self._called(args)
            wider = self._wider(carried)
            if not wider:
                after = [self._carried_on(*each) for each in zip(carried, args, self.names, strict=False)]
                computed = [self.tracer.current(each.value) for each in outputs]
                # Yield the old carries for gradients; without a gradient they are dead, and removed.
                self.tracer.add(uop.YieldOp(*after, *computed, *body.args[:count]))
        shared = [Tensor(self.tracer, each) for each in close(body)]
        return _Body(body, shared, tree), wider

    def _called(self, args: Sequence[Tensor]) -> tuple[list[Any], list[Tensor], Tree]:
        """The leaves of the new carry, those of `y`, and the nesting of `y`."""
        count = len(self.init)
        found = self.fn(self.tree.unflatten(args[:count]), self.entry_tree.unflatten(args[count:]))
        if not isinstance(found, tuple) or len(found) != 2:
            raise self._error(f"expected a function that returns a pair (carry, y), got {found!r}")
        carried, nesting = flatten(ordered(found[0], self.tree))
        if nesting != self.tree:
            raise self._error(f"expected a carry nested as the first one, {self.tree}, got {nesting}")
        outputs, tree = flatten(found[1])
        return carried, [tensor_of(each, self.tracer) for each in outputs], tree

    def _wider(self, carried: Sequence[Any]) -> dict[int, DType]:
        """The dtypes of new carries that differ from those of numbers among the first carries.

        A carry computed from numbers only never gets a narrower dtype, so that repeated attempts end.
        """
        found: dict[int, DType] = {}
        for k, each in enumerate(carried):
            if not self.weak[k]:
                continue
            self.weak[k], given, kind = is_weak(each), self.init[k].dtype, tensor_of(each, self.tracer).dtype
            wanted = promote(given, kind) if self.weak[k] else kind
            if wanted != given:
                found[k] = wanted
        return found

    def _carried_on(self, leaf: Any, like: Tensor, name: str) -> SSAValue:
        """A leaf of the new carry. Raises ShapeError unless it has the shape and dtype of the old one."""
        made = tensor_of(leaf, self.tracer, like.dtype)
        came = f"{name} enters with shape {format_shape(like.sizes)} and dtype {like.dtype}"
        message = f"{came}, but is returned with shape {format_shape(made.sizes)} and dtype {made.dtype}"
        if made.ndim != like.ndim or made.dtype != like.dtype:
            raise self._error(message)
        for axis in range(like.ndim):
            self.tracer.settle("scan", lambda axis=axis: expect_equal(like.sizes[axis], made.sizes[axis], message))
        return self.tracer.current(made.value)

    def _error(self, message: str) -> ShapeError:
        return self.tracer.error(f"'scan': {message}")


class _Body(NamedTuple):
    """A function as a block, its captured values, and the nesting of its `y`."""

    block: Block
    shared: list[Tensor]
    tree: Tree


def close(body: Block) -> list[SSAValue]:
    """Add arguments to a body for the values that it captures. Returns these values."""
    around = autodiff.taken_from_around(body)
    arguments = {value: body.insert_arg(value.type, len(body.args)) for value in around}
    for op in body.walk():
        if not arguments.keys().isdisjoint(op.operands):
            op.operands = [arguments.get(operand, operand) for operand in op.operands]
    return around
