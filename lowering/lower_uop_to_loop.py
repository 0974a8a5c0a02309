"""lower-uop-to-loop: every micro-op becomes one block of loops over buffers.

    %1 = uop.reduce "add" %0 axes [1]      loop.block {
                                             loop.for "parallel" i
                                               %s = loop.for "reduction" k carry(%zero) { load, add, yield }
                                               loop.store %s into %out[%i] }

1. A function's tensors become buffers: arguments first, then one output buffer for each result.
2. Each micro-op's rule writes its block. Loops over the result's axes are parallel, those over reduced axes carry scalars.
3. Returned values that have no output buffer yet are copied into theirs.

Accesses that the ranges prove in bounds are plain; others get guards, and those through index tensors a run-time check.
Half-precision arithmetic is done in float32 and rounded once for each operation. Sums and products of float32 accumulate
in the dtype that the option names.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from functools import singledispatchmethod
from typing import ClassVar

from xdsl.context import Context
from xdsl.dialects.builtin import (
    ArrayAttr,
    DenseIntOrFPElementsAttr,
    FunctionType,
    IntegerAttr,
    ModuleOp,
    StringAttr,
    TensorType,
    i1,
    i64,
)
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint

from ..dialects import loop, uop
from ..dialects.uop_folds import ARG_REDUCTIONS
from ..ir.diagnostics import LegalityError
from ..ir.dtypes import DType, dtype, dtype_of
from ..ir.functions import free_name, function_params, input_count
from ..ir.index import Index, dim, product
from ..ir.rewrite import Builder, derive, erase
from ..ir.scalars import scalar
from ..ir.shapes import Shape, element_of, memref_type, shape_of
from ..ir.simplify import Ranges
from ..ir.values import elements_of, neutral, number

AXES = "ijklmnpqrstuvw"
# So many float32 values add up in float32 with an error that nobody sees.
SHORT = 32


@dataclass(frozen=True)
class LowerUopToLoop(ModulePass):
    """`accumulate` names the dtype in which sums and products of float32 run."""

    name = "lower-uop-to-loop"
    illegal: ClassVar[tuple[str, ...]] = ("uop",)

    accumulate: str = "float64"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for function in [inner for inner in op.body.block.ops if isinstance(inner, FuncOp)]:
            if _is_on_tensors(function):
                FunctionLowering(function, dtype(self.accumulate)).run()


def _is_on_tensors(function: FuncOp) -> bool:
    """Whether the function is not lowered yet: it has a body, takes tensors and returns them."""
    kind = function.function_type
    return (
        bool(function.body.blocks)
        and all(isinstance(each, TensorType) for each in (*kind.inputs, *kind.outputs))
        and input_count(function) is None
    )


# What runs along an axis, and carries.
Running = uop.ScanOp | uop.RecurrenceOp
# Index expressions, and the values that they are over.
Place = tuple[list[Index], list[SSAValue]]


def _axes(op: uop.ReduceOp | Running) -> Sequence[int]:
    return op.axis_list if isinstance(op, uop.ReduceOp) else (op.axis.value.data,)


class FunctionLowering:
    """Rewrites one function; `buffers` maps each tensor to the buffer that holds it."""

    def __init__(self, function: FuncOp, accumulate: DType):
        self.function = function
        self.accumulate = accumulate
        self.buffers: dict[SSAValue, SSAValue] = {}
        self.outputs: dict[SSAValue, SSAValue] = {}
        self.block: loop.BlockOp | None = None

    def run(self) -> None:
        old = self.function
        last = old.body.block.last_op
        assert isinstance(last, ReturnOp), "a function ends with func.return"
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
        # Derived first: what the body's operations record of their own sources then stands.
        derive(new, (old,))
        self._body(list(old.body.block.ops), last, body.args[len(old.args) :])
        assert old.parent is not None, "functions stand in a module"
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
        """Write the block of one operation. Raises LegalityError for what is no micro-op."""
        raise LegalityError(f"'{op.name}': expected micro-ops below '{LowerUopToLoop.name}'", op.location)

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
            operands = [*at, *self._load_indices(op, at)]
            guards = [*op.guard_exprs(), *self._bounds(op, op.shape, shape_of(op.source))]
            if op.fill is None:
                self._check_indices(op, shape_of(op.source), operands)
            load = loop.LoadOp(buffer, op.map.data.results, operands, guards, fill if guards else None)
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
        """Loops that carry along an operation's axis, and where tensors are read there; `carry.stored` becomes the result."""
        buffer = self._result(op)
        with self._along(op, op.shape, lambda outer: self._initial(op)) as (carry, place):
            yield carry, lambda tensor: self._add(loop.LoadOp(self.buffers[tensor], *place))
            assert carry.stored is not None, "each element has a result"
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
        """One operation of a fold's body. Raises LegalityError for what does not compute with scalars alone."""
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
    ) -> Iterator[tuple[Carry, Place]]:
        """Loops that carry along an operation's axis, and where they are. What is carried at the end goes to `carry.last`."""
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
        """The name of a new function, already lowered, that does what an operation's body does."""
        body, end = op.body.block, op.body.block.last_op
        assert end is not None, "a body has an end"
        types = [arg.type for arg in body.args], [value.type for value in op.yielded]
        Builder(body, end).add(ReturnOp(*op.yielded))
        erase(end)
        op.body.detach_block(body)
        module = self.function.parent
        assert module is not None, "functions stand in a module"
        name = free_name(module, f"{self.function.sym_name.data}_step")
        function = FuncOp(name, FunctionType.from_lists(*types), Region(body), "private")
        function.attributes["sw.params"] = ArrayAttr(StringAttr(each) for each in function_params(self.function))
        derive(function, (op,))
        module.insert_op_before(function, self.function)
        FunctionLowering(function, self.accumulate).run()
        return name

    @lower.register
    def _(self, op: uop.ScatterOp) -> None:
        buffer = self._result(op)
        self._copy(self.buffers[op.init], buffer)
        domain = shape_of(op.updates)
        independent = {k for k in range(len(domain)) if dim(k) in op.map.data.results}
        order = "sequential" if op.accumulator.data == "set" else "reduction"
        kinds = ["parallel" if k in independent else order for k in range(len(domain))]
        # Parallel loops go outside, so that whoever distributes them need not look for them.
        nesting = sorted(range(len(domain)), key=lambda k: k not in independent)
        with self._block(), self._loops([domain[k] for k in nesting], [kinds[k] for k in nesting]) as loops:
            at = [loops[nesting.index(k)] for k in range(len(domain))]
            operands = [*at, *self._load_indices(op, at)]
            guards = [*op.guard_exprs(), *self._bounds(op, domain, op.shape)]
            if op.bounds.data == "error":
                self._check_indices(op, op.shape, operands)
            value, access = self._load(op.updates, at), op.map.data.results
            if op.accumulator.data == "set":
                self.builder.add(loop.StoreOp(value, buffer, access, operands, guards))
            else:
                self.builder.add(loop.UpdateOp(op.accumulator.data, value, buffer, access, operands, guards))

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
        """What the loops start from: the identity, and for an argmax also the position 0."""
        kind = "add" if isinstance(op, uop.RecurrenceOp) else op.accumulator.data
        element = element_of(op.input)
        if kind in ARG_REDUCTIONS:
            best = neutral("max" if kind == "argmax" else "min", element)
            return [self._add(loop.ConstantOp(best)), self._add(loop.ConstantOp(number(0, i64)))]
        carrier = self._carrier(kind, dtype_of(element), product(shape_of(op.input)[axis] for axis in _axes(op)))
        return [self._add(loop.ConstantOp(neutral(kind, carrier.type)))]

    def _carrier(self, accumulator: str, element: DType, length: Index) -> DType:
        """The dtype that carries an accumulation: wide enough that the error does not grow with its length, unless that is
        known to be small, as a window's is."""
        if element.kind != "float" or accumulator in ("max", "min"):
            return element
        if element.compute != dtype("float32"):
            return element
        return element.compute if length.constant is not None and length.constant <= SHORT else self.accumulate

    def _accumulate(self, op: uop.ReduceOp | uop.ScanOp, carry: Carry, value: SSAValue) -> tuple[SSAValue, ...]:
        """The carried values after one more element; for an argmax they are the best element and its position."""
        kind = op.accumulator.data
        if kind not in ARG_REDUCTIONS:
            (total,) = carry.values
            return (self._compute(kind, [total, self._cast(value, total.type)]),)
        best, position = carry.values
        better = self._compute("gt" if kind == "argmax" else "lt", [value, best])
        if dtype_of(value.type).kind == "float":
            was_nan = self._compute("isnan", [best])
            first_nan = self._compute("and", [self._compute("isnan", [value]), self._compute("not", [was_nan])])
            better = self._compute("or", [better, first_nan])
        here = self._add(loop.IndexOp(dim(0), carry.indices))
        return self._compute("select", [better, value, best]), self._compute("select", [better, here, position])

    # Accesses

    def _load(self, tensor: SSAValue, at: Sequence[SSAValue]) -> SSAValue:
        return self._add(loop.LoadOp(self.buffers[tensor], [dim(k) for k in range(len(at))], at))

    def _load_indices(self, op: uop.IndexedOp, at: Sequence[SSAValue]) -> list[SSAValue]:
        return [self._add(loop.LoadOp(self.buffers[tensor], access.results, at)) for tensor, access in op.loads()]

    def _bounds(self, op: uop.ReindexOp | uop.ScatterOp, domain: Shape, target: Shape) -> list[Index]:
        """The in-bounds conditions that the ranges do not prove."""
        ranges = Ranges.of_shape(domain)
        conditions = [c for at, size in zip(op.map.data.results, target, strict=True) for c in (at, size - 1 - at)]
        return [condition for condition in conditions if not ranges.nonnegative(condition)]

    def _check_indices(self, op: uop.ReindexOp | uop.ScatterOp, target: Shape, operands: Sequence[SSAValue]) -> None:
        ranges = Ranges.of_shape(op.shape if isinstance(op, uop.ReindexOp) else shape_of(op.updates))
        for at, size in zip(op.map.data.results, target, strict=True):
            if not ranges.within(at, size):
                self.builder.add(loop.CheckOp("index", [at, size], operands, op.guard_exprs()))

    def _store(self, op: uop.MicroOp, value: SSAValue, at: Sequence[SSAValue]) -> None:
        self.builder.add(loop.StoreOp(value, self._result(op), [dim(k) for k in range(len(at))], at))

    def _copy(self, source: SSAValue, target: SSAValue) -> None:
        with self._block(), self._loops(shape_of(target)) as at:
            access = [dim(k) for k in range(len(at))]
            self.builder.add(loop.StoreOp(self._add(loop.LoadOp(source, access, at)), target, access, at))

    def _result(self, op: uop.MicroOp) -> SSAValue:
        """The buffer of an operation's result."""
        return self._buffer(op.results[0])

    def _buffer(self, value: SSAValue) -> SSAValue:
        """The buffer of a tensor: its output buffer, or a new temporary before the current block."""
        if value not in self.buffers:
            self.buffers[value] = self.outputs[value] if value in self.outputs else self._allocate(value)
        return self.buffers[value]

    def _allocate(self, value: SSAValue) -> SSAValue:
        with self.builder.at(InsertPoint.before(self.block) if self.block is not None else self.builder.point):
            buffer = self._add(loop.AllocOp(memref_type(shape_of(value), element_of(value))))
        buffer.name_hint = value.name_hint
        return buffer

    # Scalars

    def _add(self, op: Operation) -> SSAValue:
        return self.builder.add(op).results[0]

    def _cast(self, value: SSAValue, element: Attribute) -> SSAValue:
        return value if value.type == element else self._add(loop.CastOp(value, element))

    def _compute(self, function: str, operands: Sequence[SSAValue]) -> SSAValue:
        """A scalar function in the dtype that arithmetic is done in, rounded once to the operands' dtype."""
        element = operands[-1].type
        compute = dtype_of(element).compute.type
        wide = [value if value.type == i1 else self._cast(value, compute) for value in operands]
        result = self._add(loop.ComputeOp(function, *wide))
        return self._cast(result, element) if result.type == compute else result

    # Loops

    @contextmanager
    def _block(self) -> Iterator[None]:
        """A new block at the end of the function, into which operations go meanwhile."""
        self.block = self.builder.add(loop.BlockOp())
        with self.builder.at(self.block.body.block):
            yield
        self.block = None

    @contextmanager
    def _loops(self, shape: Sequence[Index], kinds: Sequence[str] | str = "parallel") -> Iterator[list[SSAValue]]:
        """A nest of loops over `shape`; operations go into the innermost meanwhile. Yields the loops' indices."""
        each = [kinds] * len(shape) if isinstance(kinds, str) else kinds
        nest = [
            loop.ForOp(kind, 0, size, hint=AXES[k % len(AXES)]) for k, (kind, size) in enumerate(zip(each, shape, strict=True))
        ]
        with ExitStack() as stack:
            for level in nest:
                self.builder.add(level)
                stack.enter_context(self.builder.at(level.body.block))
            yield [level.induction for level in nest]
            for level in reversed(nest):
                with self.builder.at(level.body.block):
                    self.builder.add(loop.YieldOp())

    @contextmanager
    def _carrying(self, kind: str, shape: Sequence[Index], start: Sequence[SSAValue], outer: int) -> Iterator[Carry]:
        """Like `_loops`, carrying scalars: the body sets `carry.values`, and afterwards they are the nest's results."""
        nest: list[loop.ForOp] = []
        values = tuple(start)
        with ExitStack() as stack:
            for k, size in enumerate(shape):
                level = self.builder.add(loop.ForOp(kind, 0, size, carried=values, hint=AXES[(outer + k) % len(AXES)]))
                values = level.carried_args
                nest.append(level)
                stack.enter_context(self.builder.at(level.body.block))
            carry = Carry([level.induction for level in nest], values)
            yield carry
            for level in reversed(nest):
                with self.builder.at(level.body.block):
                    self.builder.add(loop.YieldOp(*carry.values))
                carry.values = tuple(level.results)


@dataclass
class Carry:
    """The inside of a carrying loop nest: its indices, the carried values, what an iteration stores of its own, and the buffers
    that what is carried at the end goes to."""

    indices: list[SSAValue]
    values: tuple[SSAValue, ...]
    stored: SSAValue | None = None
    last: Sequence[SSAValue | None] = ()
