"""lower-uop-to-loop: every micro-op becomes one block of loops over buffers.

    %1 = uop.reduce "add" %0 axes [1]      loop.block {
                                             loop.for "parallel" i
                                               %s = loop.for "reduction" k carry(%zero) { load, add, yield }
                                               loop.store %s into %out[%i] }

1. A function's tensors become buffers: arguments first, then one output buffer for each result.
2. Each micro-op's rule writes its block. Loops over the result's axes are parallel, loops over reduced axes carry scalars.
3. Returned values that were not computed in their output buffer are copied into it.

Accesses that the ranges prove in bounds are unguarded; other accesses get guards, and accesses through index tensors a run-time
check. Half-precision arithmetic is done in float32 and rounded once per operation. Sums and products of float32 accumulate in
the dtype of the option `accumulate`; those of few values, and sums of few products over a window, accumulate in float32.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import singledispatchmethod
from typing import ClassVar, NamedTuple

from xdsl.context import Context
from xdsl.dialects.builtin import (
    ArrayAttr,
    DenseIntOrFPElementsAttr,
    FunctionType,
    IntegerAttr,
    ModuleOp,
    StringAttr,
    TensorType,
    i64,
)
from xdsl.dialects.func import CallOp, FuncOp, ReturnOp
from xdsl.ir import Block, Operation, Region, SSAValue
from xdsl.passes import ModulePass

from ...dialects import loop, uop
from ...dialects.uop.folds import ARG_REDUCTIONS
from ...dialects.uop.indexed import IndexedOp
from ...ir.diagnostics import LegalityError
from ...ir.functions.entry import free_name, function_params, input_count, mark_step
from ...ir.index.expressions import Index, dim, product
from ...ir.index.simplify import Ranges
from ...ir.rewrite import Builder, derive, erase
from ...ir.scalars.attributes import elements_of, neutral, number
from ...ir.scalars.table import scalar
from ...ir.types.dtypes import FLOAT32, DType, dtype, dtype_of
from ...ir.types.shapes import IndexMap, Shape, element_of, memref_type, shape_of
from ...passes.analysis.windows import is_in_windows
from ...passes.manager.options import one_of
from .nest_builder import Carry, NestWriter

# Sums of at most this many float32 values are accurate enough in float32.
SHORT = 32
# Sums of at most this many products over a window are accurate enough in float32 too. A window is in the cache, and read once
# for each tap: vectors of doubles have half as many lanes, and each product would be cast.
WINDOW = 128


@dataclass(frozen=True)
class LowerUopToLoop(ModulePass):
    """`accumulate` is the dtype in which sums and products of float32 accumulate."""

    name = "lower-uop-to-loop"
    illegal: ClassVar[tuple[str, ...]] = ("uop",)

    accumulate: str = one_of("float64", "float32")

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for function in [inner for inner in op.body.block.ops if isinstance(inner, FuncOp)]:
            if _is_on_tensors(function):
                FunctionLowering(function, dtype(self.accumulate)).run()


def _is_on_tensors(function: FuncOp) -> bool:
    """Whether the function is to be lowered: it has a body, takes tensors and returns them."""
    kind = function.function_type
    return (
        bool(function.body.blocks)
        and all(isinstance(each, TensorType) for each in (*kind.inputs, *kind.outputs))
        and input_count(function) is None
    )


# Operations with carried values along an axis and a result for each element.
Running = uop.ScanOp | uop.RecurrenceOp
# Index expressions, with their operands.
IndexTuple = tuple[Sequence[Index], list[SSAValue]]


class Domain(NamedTuple):
    """An iteration domain, and the shape of the tensor that is accessed in it."""

    shape: Shape
    target: Shape

    @property
    def ranges(self) -> Ranges:
        return Ranges.of_shape(self.shape)

    def bounds(self, access: Sequence[Index]) -> list[Index]:
        """The in-bounds conditions that the ranges do not prove."""
        conditions = [c for at, size in zip(access, self.target, strict=True) for c in (at, size - 1 - at)]
        return [condition for condition in conditions if not self.ranges.nonnegative(condition)]


def _axes(op: uop.ReduceOp | Running) -> Sequence[int]:
    return op.axis_list if isinstance(op, uop.ReduceOp) else (op.axis.value.data,)


def _sums_a_window(op: uop.ReduceOp | Running) -> bool:
    """Whether an operation sums products of float32, one factor of which is read at indices that depend on a summed axis and on
    another one, as in a convolution."""
    product = op.input.owner
    if not isinstance(op, uop.ReduceOp) or not isinstance(product, uop.MapOp) or op.accumulator.data != "add":
        return False
    if product.function.data != "mul" or dtype_of(element_of(product.result)) is not FLOAT32 or len(list(op.input.uses)) != 1:
        return False
    axes = tuple(map(dim, range(len(product.shape))))
    ranges = Ranges.of_shape(product.shape)
    return any(_reads_a_window(factor, axes, frozenset(op.axis_list), ranges) for factor in product.inputs)


def _reads_a_window(factor: SSAValue, axes: tuple[Index, ...], reduced: frozenset[int], ranges: Ranges) -> bool:
    """Whether elementwise functions and reindexing compute a factor's element at `axes` from one in overlapping windows."""
    pending, seen = [(factor, axes)], set[tuple[SSAValue, tuple[Index, ...]]]()
    while pending:
        value, at = pending.pop()
        if (value, at) in seen:
            continue
        seen.add((value, at))
        if any(is_in_windows(expr, reduced, ranges) for expr in at):
            return True
        match value.owner:
            case uop.MapOp(inputs=inputs):
                pending += [(each, at) for each in inputs]
            case uop.CastOp(input=source):
                pending.append((source, at))
            case uop.ReindexOp(source=source, map=there, indices=indices):
                entries = (dim(len(axes) + k) for k in range(len(indices)))
                pending.append((source, tuple(there.data.apply([*at, *entries]))))
            case _:
                pass
    return False


class FunctionLowering(NestWriter):
    """Rewrites one function, operation by operation."""

    def __init__(self, function: FuncOp, accumulate: DType):
        super().__init__()
        self.function = function
        self.accumulate = accumulate

    def run(self) -> None:
        old = self.function
        last = old.body.block.last_op
        assert isinstance(last, ReturnOp), "func.return terminates a function"
        tensors = [*(arg.type for arg in old.args), *(value.type for value in last.operands)]
        types = [memref_type(shape_of(tensor), element_of(tensor)) for tensor in tensors]
        body = Block(arg_types=types)
        new = FuncOp(old.sym_name.data, FunctionType.from_lists(types, []), Region(body), old.sym_visibility)
        new.attributes.update(old.attributes)
        new.attributes["sw.params"] = ArrayAttr(StringAttr(name) for name in function_params(old))
        new.attributes["sw.inputs"] = IntegerAttr(len(old.args), i64)
        new.location = old.location
        for old_arg, arg in zip(old.args, body.args, strict=False):
            self.buffers[old_arg] = arg
            arg.name_hint = old_arg.name_hint
        self.builder = Builder(body, old)
        # Derive the function first, so that it does not override the sources that the body's operations record.
        derive(new, (old,))
        self._body(list(old.body.block.ops), last, body.args[len(old.args) :])
        assert old.parent is not None, "functions are nested in a module"
        old.parent.insert_op_before(new, old)
        erase(old)

    def _body(self, ops: list[Operation], last: ReturnOp, outputs: Sequence[SSAValue]) -> None:
        for value, output in zip(last.operands, outputs, strict=True):
            output.name_hint = "out"
            if isinstance(value.owner, uop.MicroOp):
                self.outputs.setdefault(value, output)
        for op in ops[:-1]:
            with self.builder.source(op):
                self.lower(op)
        with self.builder.source(last):
            for value, output in zip(last.operands, outputs, strict=True):
                if self.outputs.get(value) is not output:
                    self._copy(self.buffers[value], output)
            self.builder.add(ReturnOp())

    @singledispatchmethod
    def lower(self, op: Operation) -> None:
        """Write the block of one operation. Raises LegalityError for operations that are not micro-ops."""
        hint = " (run 'inline' first)" if isinstance(op, CallOp) else ""
        raise LegalityError(f"'{op.name}': expected micro-ops below '{LowerUopToLoop.name}'{hint}", op.location)

    @lower.register
    def _(self, op: uop.ConstantOp) -> None:
        if isinstance(op.value, DenseIntOrFPElementsAttr):
            data = self.builder.add(loop.DataOp(op.value, memref_type(op.shape, element_of(op.result))))
            self.buffers[op.result] = data.result
            if op.result in self.outputs:
                self._copy(data.result, self.outputs[op.result])
            return
        with self._block(), self._loops(op.shape) as at:
            self._store(op, self._add(loop.ConstantOp(op.value)), at)

    @lower.register
    def _(self, op: uop.IotaOp) -> None:
        with self._block(), self._loops(op.shape) as at:
            position = self._add(loop.IndexOp(dim(op.axis.value.data), at))
            self._store(op, self._cast(position, element_of(op.result)), at)

    @lower.register
    def _(self, op: uop.MapOp) -> None:
        with self._block(), self._loops(op.shape) as at:
            self._store(op, self._mapped(op, [self._load(value, at) for value in op.inputs]), at)

    @lower.register
    def _(self, op: uop.CastOp) -> None:
        with self._block(), self._loops(op.shape) as at:
            self._store(op, self._cast(self._load(op.input, at), element_of(op.result)), at)

    @lower.register
    def _(self, op: uop.ReindexOp) -> None:
        buffer, element = self.buffers[op.source], element_of(op.result)
        fill = op.fill if op.fill is not None else number(0, element)
        with self._block(), self._loops(op.shape) as at:
            operands = [*at, *self._load_indices(op, at, [dim(k) for k in range(len(at))])]
            access, domain = op.map.data.results, Domain(op.shape, shape_of(op.source))
            guards = [*op.guard_exprs(), *domain.bounds(access)]
            if op.fill is None:
                self._check_indices(access, domain, operands, op.guard_exprs())
            load = loop.LoadOp(buffer, access, operands, guards, fill if guards else None)
            self._store(op, self._add(load), at)

    @lower.register
    def _(self, op: uop.ReduceOp) -> None:
        axes, shape = op.axis_list, shape_of(op.input)
        kept = [axis for axis in range(len(shape)) if axis not in axes]
        with self._block(), self._loops(op.shape) as outer:
            with self._carrying("reduction", [shape[axis] for axis in axes], self._initial(op), len(kept)) as carry:
                position = dict(zip([*kept, *axes], [*outer, *carry.indices], strict=True))
                value = self._load(op.input, [position[axis] for axis in range(len(shape))])
                carry.values = self._accumulate(op, carry, value)
            self._store(op, self._cast(carry.values[-1], element_of(op.result)), outer)

    @lower.register
    def _(self, op: uop.ScanOp) -> None:
        with self._running(op) as (carry, load):
            before, carry.values = carry.values, self._accumulate(op, carry, load(op.input))
            carry.stored = (before if op.exclusive.value.data else carry.values)[0]

    @lower.register
    def _(self, op: uop.RecurrenceOp) -> None:
        with self._running(op) as (carry, load):
            (total,) = carry.values
            factor, added = (self._cast(load(each), total.type) for each in (op.factors, op.input))
            carry.stored = self._compute("add", [self._compute("mul", [factor, total]), added])
            carry.values = (carry.stored,)

    @contextmanager
    def _running(self, op: Running) -> Iterator[tuple[Carry, Callable[[SSAValue], SSAValue]]]:
        """Open loops with carried values along an operation's axis. Yields the carry and a function that loads a tensor's
        element of the current iteration; `carry.stored` becomes the result."""
        buffer = self._result(op)
        with self._along(op, op.shape, lambda outer: self._initial(op)) as (carry, place):
            yield carry, lambda tensor: self._add(loop.LoadOp(self.buffers[tensor], *place))
            assert carry.stored is not None, "every iteration stores a result"
            self.builder.add(loop.StoreOp(self._cast(carry.stored, element_of(op.results[0])), buffer, *place))

    @lower.register
    def _(self, op: uop.FoldOp) -> None:
        count = len(op.init)
        buffers = [self._buffer(result) if result.uses else None for result in op.results]

        def initial(outer: Sequence[SSAValue]) -> list[SSAValue]:
            return [self._load(value, outer) for value in op.init]

        with self._along(op, op.whole, initial) as (carry, place):
            values = dict(zip(op.carried_args, carry.values, strict=True))
            for element, tensor in zip(op.element_args, op.inputs, strict=True):
                values[element] = self._add(loop.LoadOp(self.buffers[tensor], *place))
            for inner in op.statements:
                with self.builder.source(inner):
                    values[inner.results[0]] = self._scalar(inner, values)
            carry.values = tuple(values[each] for each in op.yielded[:count])
            carry.last = buffers[:count]
            for value, buffer in zip(op.yielded[count:], buffers[count:], strict=True):
                if buffer is not None:
                    self.builder.add(loop.StoreOp(values[value], buffer, *place))

    def _scalar(self, op: Operation, values: Mapping[SSAValue, SSAValue]) -> SSAValue:
        """Write one operation of a fold's body. Raises LegalityError for operations that are not scalar computations."""
        operands = [values[value] for value in op.operands]
        match op:
            case uop.MapOp():
                return self._mapped(op, operands)
            case uop.CastOp():
                return self._cast(operands[0], element_of(op.result))
            case uop.ConstantOp():
                known = op.value
                if isinstance(known, DenseIntOrFPElementsAttr):
                    known = number(elements_of(known).item(), element_of(op.result))
                return self._add(loop.ConstantOp(known))
            case _:
                raise LegalityError(f"'{op.name}' in the body of a fold: expected functions of scalars", op.location)

    def _mapped(self, op: uop.MapOp, operands: Sequence[SSAValue]) -> SSAValue:
        function = scalar(op.function.data)
        if function.checks_divisor and dtype_of(operands[1].type).kind != "float":
            self.builder.add(loop.CheckOp("divisor", [dim(0)], [operands[1]]))
        return self._compute(function.name, operands)

    @contextmanager
    def _along(
        self, op: Running | uop.FoldOp, shape: Shape, initial: Callable[[Sequence[SSAValue]], list[SSAValue]]
    ) -> Iterator[tuple[Carry, IndexTuple]]:
        """Open loops with carried values along an operation's axis. Yields the carry and the current index; the final carried
        values are stored to `carry.last`."""
        axis, size = op.axis.value.data, shape[op.axis.value.data]
        others = [extent for k, extent in enumerate(shape) if k != axis]
        with self._block(), self._loops(others) as outer:
            with self._carrying("sequential", [size], initial(outer), len(others)) as carry:
                operands = [*outer[:axis], carry.indices[0], *outer[axis:]]
                access = [size - 1 - dim(k) if k == axis and op.reverse.value.data else dim(k) for k in range(len(shape))]
                yield carry, (access, operands)
            for value, buffer in zip(carry.values, carry.last, strict=False):
                if buffer is not None:
                    self.builder.add(loop.StoreOp(value, buffer, [dim(k) for k in range(len(outer))], outer))

    @lower.register
    def _(self, op: uop.IterateOp) -> None:
        count, function = len(op.init), self._step_function(op)
        stacked, shared = ([self.buffers[each] for each in part] for part in (op.stacked, op.shared))
        init, results = [self.buffers[each] for each in op.init], [self._buffer(each) for each in op.results]
        if not Ranges().nonnegative(op.length - 1):
            for source, target in zip(init, results, strict=False):
                self._copy(source, target)
        carried = (init, results[:count], [self._allocate(each) for each in op.init])
        made = loop.IterateOp(function, op.length, op.backwards, carried, stacked, shared, results[count:])
        self.builder.add(made)

    def _step_function(self, op: uop.IterateOp) -> str:
        """Outline an operation's body into a new function, lower it, and return its name."""
        body, end = op.body.block, op.body.block.last_op
        assert end is not None, "a body has a terminator"
        types = [arg.type for arg in body.args], [value.type for value in op.yielded]
        Builder(body, end).add(ReturnOp(*op.yielded))
        erase(end)
        op.body.detach_block(body)
        module = self.function.parent
        assert module is not None, "functions are nested in a module"
        name = free_name(module, f"{self.function.sym_name.data}_step")
        function = FuncOp(name, FunctionType.from_lists(*types), Region(body), "private")
        function.attributes["sw.params"] = ArrayAttr(StringAttr(each) for each in function_params(self.function))
        mark_step(function)
        derive(function, (op,))
        module.insert_op_before(function, self.function)
        FunctionLowering(function, self.accumulate).run()
        return name

    @lower.register
    def _(self, op: uop.ScatterOp) -> None:
        buffer, is_set = self._result(op), op.accumulator.data == "set"
        self._copy(self.buffers[op.init], buffer)
        with self._scattering(op, shape_of(op.updates), "sequential" if is_set else "reduction") as (here, there, guards):
            value = self._add(loop.LoadOp(self.buffers[op.updates], *here))
            if is_set:
                self.builder.add(loop.StoreOp(value, buffer, *there, guards))
            else:
                self.builder.add(loop.UpdateOp(op.accumulator.data, value, buffer, *there, guards))

    @lower.register
    def _(self, op: uop.ScatterRecurrenceOp) -> None:
        places, before = self._buffer(op.last), self._buffer(op.before)
        self._copy(self.buffers[op.init], places)
        reverse, fill = bool(op.reverse.value.data), number(0, element_of(op.init))
        with self._scattering(op, shape_of(op.input), "sequential", reverse) as (here, there, guards):
            factor, added = (self._add(loop.LoadOp(self.buffers[each], *here)) for each in (op.factors, op.input))
            carried = self._add(loop.LoadOp(places, *there, guards, fill if guards else None))
            self.builder.add(loop.StoreOp(carried, before, *here))
            found = self._compute("add", [self._compute("mul", [factor, carried]), added])
            self.builder.add(loop.StoreOp(found, places, *there, guards))

    @contextmanager
    def _scattering(
        self, op: uop.ScatterOp | uop.ScatterRecurrenceOp, domain: Shape, order: str, reverse: bool = False
    ) -> Iterator[tuple[IndexTuple, IndexTuple, list[Index]]]:
        """Open loops over the updates: loops that may write one element several times are of kind `order`, the others parallel.
        Yields the index of an update, the index of the element that it updates, and the guards of that element."""
        rank = len(domain)
        independent = {k for k in range(rank) if dim(k) in op.map.data.results}
        kinds = ["parallel" if k in independent else order for k in range(rank)]
        # Parallel loops are outermost, where later passes distribute them.
        nesting = sorted(range(rank), key=lambda k: k not in independent)
        with self._block(), self._loops([domain[k] for k in nesting], [kinds[k] for k in nesting]) as loops:
            at = [loops[nesting.index(k)] for k in range(rank)]
            here = [domain[k] - 1 - dim(k) if reverse and k not in independent else dim(k) for k in range(rank)]
            operands = [
                *at,
                *(self._add(loop.LoadOp(self.buffers[tensor], where.apply(here), at)) for tensor, where in op.loads()),
            ]
            dims = [*here, *map(dim, range(rank, len(operands)))]
            there, guards = op.map.data.apply(dims), IndexMap.of(len(dims), op.guard_exprs()).apply(dims)
            known = Domain(domain, op.shape)
            if op.bounds.data == "error":
                self._check_indices(there, known, operands, guards)
            yield (here, at), (there, operands), [*guards, *known.bounds(there)]

    @lower.register
    def _(self, op: uop.InterleaveOp) -> None:
        buffer, domain = self._result(op), shape_of(op.sources[0])
        ranges = Ranges.of_shape(domain)
        with self._block(), self._loops(domain) as at:
            values = [self._load(source, at) for source in op.sources]
            for k, value in enumerate(values):
                places = op.places(k)
                inside = op.shape[-1] - 1 - places[-1]
                guards = [] if ranges.nonnegative(inside) else [inside]
                self.builder.add(loop.StoreOp(value, buffer, places, at, guards))

    @lower.register
    def _(self, op: uop.FenceOp) -> None:
        self.buffers[op.result] = self.buffers[op.input]
        self.builder.add(loop.FenceOp())
        if op.result in self.outputs:
            self._copy(self.buffers[op.input], self.outputs[op.result])

    # Reductions and scans

    def _initial(self, op: uop.ReduceOp | Running) -> list[SSAValue]:
        """The initial carried values: the identity, and for an argmax also position 0."""
        kind = "add" if isinstance(op, uop.RecurrenceOp) else op.accumulator.data
        element = element_of(op.input)
        if kind in ARG_REDUCTIONS:
            best = neutral("max" if kind == "argmax" else "min", element)
            return [self._add(loop.ConstantOp(best)), self._add(loop.ConstantOp(number(0, i64)))]
        length = product(shape_of(op.input)[axis] for axis in _axes(op)).constant
        is_short = length is not None and (length <= SHORT or (length <= WINDOW and _sums_a_window(op)))
        carrier = self._carrier(kind, dtype_of(element), is_short)
        return [self._add(loop.ConstantOp(neutral(kind, carrier.type)))]

    def _carrier(self, accumulator: str, element: DType, is_short: bool) -> DType:
        """The dtype of an accumulator: wide enough that the error does not grow with the length, unless few values are known to
        be accumulated."""
        if element.kind != "float" or accumulator in ("max", "min"):
            return element
        if element.compute != dtype("float32"):
            return element
        return element.compute if is_short else self.accumulate

    def _accumulate(self, op: uop.ReduceOp | uop.ScanOp, carry: Carry, value: SSAValue) -> tuple[SSAValue, ...]:
        """The carried values after one more element; for an argmax, the extremum and its position."""
        kind = op.accumulator.data
        if kind not in ARG_REDUCTIONS:
            (total,) = carry.values
            # Half precision is accumulated via float32: vectors may add a few elements in float32.
            wide = self._cast(value, dtype_of(value.type).compute.type)
            return (self._compute(kind, [total, self._cast(wide, total.type)]),)
        best, position = carry.values
        if dtype_of(value.type).kind == "float":  # a NaN is better than any other element
            worse = self._compute("le" if kind == "argmax" else "ge", [value, best])
            better = self._compute("not", [self._compute("or", [worse, self._compute("isnan", [best])])])
        else:
            better = self._compute("gt" if kind == "argmax" else "lt", [value, best])
        here = self._add(loop.IndexOp(dim(0), carry.indices))
        return self._compute("select", [better, value, best]), self._compute("select", [better, here, position])

    # Accesses

    def _load_indices(self, op: IndexedOp, at: Sequence[SSAValue], here: Sequence[Index]) -> list[SSAValue]:
        """Load the entries of the index tensors for the element at `here`, expressions over `at`."""
        return [self._add(loop.LoadOp(self.buffers[tensor], where.apply(here), at)) for tensor, where in op.loads()]

    def _check_indices(
        self, access: Sequence[Index], known: Domain, operands: Sequence[SSAValue], guards: Sequence[Index]
    ) -> None:
        for at, size in zip(access, known.target, strict=True):
            if not known.ranges.within(at, size):
                self.builder.add(loop.CheckOp("index", [at, size], operands, guards))
