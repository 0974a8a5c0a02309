"""A function of tensors run step after step: `sw.scan`.

The function is traced once, whatever the number of steps, which may be a size that is known only at run time. Recurrent layers
are scans over time, and so is whatever else carries tensors along, as simulations and optimisers do. The gradient is a scan
from the end, of the function's pullback.
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
    """Run `fn(carry, x) -> (carry, y)` for each entry along the first axis of `xs`: the last carry, and all `y` stacked.

    `init` is the first carry. Carries, `xs` and `y` are tensors in tuples, lists and dicts; `fn` may use other tensors, which
    are the same for all steps. `length` is the number of steps, for a run without `xs`; None may stand for no `xs`, and for no
    `y`. With `reverse` the last entry is the first.

    Raises ShapeError, with the user's line, for entries of several numbers, for no number of steps, and where the function does
    not carry on what it gets: a leaf of another shape or dtype, or another nesting.
    """
    return _Scan(fn, init, xs, length, bool(reverse)).results()


class _Scan:
    """A function with what it runs over."""

    def __init__(self, fn: Step, init: Any, xs: Any, length: Any, reverse: bool):
        first, self.tree = flatten(init)
        entries, self.entry_tree = flatten(xs)
        self.tracer: Tracer = tracer_of(*first, *entries)
        self.fn, self.reverse = fn, reverse
        self.names = paths(init, "carry")
        self.init = [tensor_of(leaf, self.tracer) for leaf in first]
        # Numbers have no dtype of their own: they take that of what the function carries on.
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
            raise self._error("expected xs, or a length, which says how many steps there are")
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
        """Raise ShapeError unless there are so many entries, as `what` says."""

        def attempt() -> None:
            # Sizes that are found to be equal lose their names: both are asked for each time.
            wanted, found = self.tracer.sizes.resolve(length), entries.sizes[0]
            message = f"expected as many entries everywhere, got {wanted} from {what} and {found} from {name}"
            expect_equal(wanted, found, message)

        self.tracer.settle("scan", attempt)

    def _traced(self) -> _Body:
        """The function as a body, with numbers among the first carries in the dtypes that they are carried on in."""
        while True:
            body, wider = self._attempt()
            if not wider:
                return body
            for k, kind in wider.items():
                self.init[k] = cast(self.init[k], kind)

    def _attempt(self) -> tuple[_Body, dict[int, DType]]:
        """The function as a body, and the numbers that are carried on in other dtypes, with these."""
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
                # What came in is there for gradients, and goes where nobody asks for it.
                self.tracer.add(uop.YieldOp(*after, *computed, *body.args[:count]))
        shared = [Tensor(self.tracer, each) for each in close(body)]
        return _Body(body, shared, tree), wider

    def _called(self, args: Sequence[Tensor]) -> tuple[list[Any], list[Tensor], Tree]:
        """The leaves that the function carries on, those that it computes, and how these nest."""
        count = len(self.init)
        found = self.fn(self.tree.unflatten(args[:count]), self.entry_tree.unflatten(args[count:]))
        if not isinstance(found, tuple) or len(found) != 2:
            raise self._error(f"expected a function that gives a pair (carry, y), got {found!r}")
        carried, nesting = flatten(ordered(found[0], self.tree))
        if nesting != self.tree:
            raise self._error(f"expected to carry on what is nested as the first carry, {self.tree}, got {nesting}")
        outputs, tree = flatten(found[1])
        return carried, [tensor_of(each, self.tracer) for each in outputs], tree

    def _wider(self, carried: Sequence[Any]) -> dict[int, DType]:
        """The dtypes in which numbers among the first carries are carried on, where these are others.

        What is carried on from numbers alone takes no narrower dtype: so this comes to an end.
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
        """A leaf of the carry as it goes into the next step. Raises ShapeError unless it is what came in."""
        made = tensor_of(leaf, self.tracer, like.dtype)
        came = f"{name} comes in with shape {format_shape(like.sizes)} and dtype {like.dtype}"
        message = f"{came}, but is carried on with shape {format_shape(made.sizes)} and dtype {made.dtype}"
        if made.ndim != like.ndim or made.dtype != like.dtype:
            raise self._error(message)
        for axis in range(like.ndim):
            self.tracer.settle("scan", lambda axis=axis: expect_equal(like.sizes[axis], made.sizes[axis], message))
        return self.tracer.current(made.value)

    def _error(self, message: str) -> ShapeError:
        return self.tracer.error(f"'scan': {message}")


class _Body(NamedTuple):
    """A function as a block, what it takes from around it, and how its `y` nests."""

    block: Block
    shared: list[Tensor]
    tree: Tree


def close(body: Block) -> list[SSAValue]:
    """Give a body arguments for what it takes from around it, and say what that is."""
    around = autodiff.taken_from_around(body)
    arguments = {value: body.insert_arg(value.type, len(body.args)) for value in around}
    for op in body.walk():
        if not arguments.keys().isdisjoint(op.operands):
            op.operands = [arguments.get(operand, operand) for operand in op.operands]
    return around
