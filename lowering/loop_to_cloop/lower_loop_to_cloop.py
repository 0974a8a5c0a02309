"""lower-loop-to-cloop: loops over buffers become C constructs on pointers.

1. Buffers become pointers, and addresses become row-major offsets in elements; strides that are sums are computed once at the
   start of the block (`strides.py`).
2. A loop that carries scalars becomes a loop that assigns to variables.
3. Guards become conditions; an update is a load, a computation and a store.
4. Divisions whose operands are proven non-negative become truncating divisions, as in C.
5. A loop with `threads` runs on threads (`loop-parallelize`).
6. An unrolled loop becomes a copy of its body for each iteration; with `pragma` it stays a loop, which the C compiler unrolls
   (`loop-defer-unrolling`). The body of a vector loop is written once, with vectors for values that vary across lanes and
   scalars for the others (`values.py`). Carried values of a vector loop are reduced over the lanes as a balanced tree. If its
   iterations read the running totals, the lanes are scanned, and the enclosing loop carries the total, broadcast to all lanes
   of one register. Vector loads with several uses are pinned in a register.
7. Thread-private memory becomes a slice of one allocation for all threads; register buffers become variables, or arrays that
   the C compiler keeps in registers (`registers.py`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import singledispatchmethod
from typing import ClassVar

from xdsl.context import Context
from xdsl.dialects.builtin import ArrayAttr, FunctionType, ModuleOp, i64
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import Block, Operation, Region, SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint

from ...dialects import cloop, loop
from ...ir.diagnostics import LegalityError
from ...ir.functions.entry import c_functions, input_count, lowered_functions, temporaries
from ...ir.index.expressions import Index, ceildiv, dim, product
from ...ir.rewrite import Builder, derive, erase
from ...ir.scalars.attributes import number
from ...ir.types.dtypes import dtype_of
from ...ir.types.shapes import element_of, shape_of
from ...passes.manager.options import limited
from .guards import condition, truth, where
from .indices import Expressions, Indices, Uniform
from .iterate import write_iteration
from .lanes import lane_accumulations, scanned_lanes, varying_values
from .memory import Memory, MemoryWriter
from .registers import Registers, RegisterWriter
from .strides import Strides
from .temporaries import take_temporaries, write_call
from .values import Value, ValueWriter, element_of_value, hold_shared

CACHE_LINE = 64


@dataclass(frozen=True)
class LowerLoopToCloop(ModulePass):
    """`vector-bits` is the width of a vector register."""

    name = "lower-loop-to-cloop"
    illegal: ClassVar[tuple[str, ...]] = ("loop",)

    # Lane reductions combine halves of a register, so it must hold two numbers of any type.
    vector_bits: int = limited(512, least=128, most=2048, power_of_two=True)

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        checks = 0
        _expect_inputs(op)
        done = c_functions(op)
        for function in lowered_functions(op):
            if function not in done:
                checks = FunctionLowering(function, self.vector_bits, checks).run()


def _expect_inputs(module: ModuleOp) -> None:
    """Raise LegalityError for a function of loops without `sw.inputs`, the number that separates its inputs from its
    results."""
    for function in [each for each in module.body.block.ops if isinstance(each, FuncOp) and input_count(each) is None]:
        if any(isinstance(each, loop.BlockOp) for body in function.body.blocks for each in body.ops):
            message = f"sw.inputs: expected the number of buffers of @{function.sym_name.data} that are inputs, got nothing"
            raise LegalityError(message, function.location)


class FunctionLowering:
    """Rewrites one function. `values` maps its scalars to constants, variables and vectors, `buffers` its buffers to storage.

    Run-time checks are numbered through the module, from `checks` on: the number alone identifies a failing check.
    """

    def __init__(self, function: FuncOp, vector_bits: int, checks: int):
        self.function = function
        self.body = Block()
        self.builder = Builder(self.body, function)
        self.values: dict[SSAValue, Value] = {}
        self.buffers: dict[SSAValue, Memory | Registers] = {}
        self.writer = ValueWriter(self.builder, vector_bits)
        self.indices = Indices(self.writer, self.values)
        self.strides = Strides(self.writer, self.values, self.body)
        self.memory = MemoryWriter(self.writer, self.indices, self.strides)
        self.registers = RegisterWriter(self.writer, self.indices)
        self.varying: set[SSAValue] = set()
        self.accumulated: set[Operation] = set()
        self.running: dict[Operation, int] = {}
        self.checks = checks

    def run(self) -> int:
        """Replace the function by the lowered one, and return the number of the last check."""
        old = self.function
        inputs = input_count(old)
        assert inputs is not None, "_expect_inputs checks this"
        types = [cloop.PointerType.of(element_of(arg), "const" if k < inputs else "restrict") for k, arg in enumerate(old.args)]
        for old_arg, kind in zip(old.args, types, strict=True):
            self._bind_buffer(old_arg, self.body.insert_arg(kind, len(self.body.args)))
        new = FuncOp(old.sym_name.data, FunctionType.from_lists(types, []), Region(self.body), old.sym_visibility)
        new.attributes.update(old.attributes)
        # Pointer types have no sizes; callers need those of the buffers.
        new.attributes["sw.types"] = ArrayAttr(arg.type for arg in old.args)
        derive(new, (old,))
        self._body(old.body.block)
        self.writer.finish()
        hold_shared(new)
        if temporaries(old) is not None:
            take_temporaries(new)
        assert old.parent is not None, "functions are nested in a module"
        old.parent.insert_op_before(new, old)
        erase(old)
        return self.checks

    def _body(self, block: Block) -> None:
        for op in block.ops:
            with self.builder.source(op):
                self.lower(op)

    @singledispatchmethod
    def lower(self, op: Operation) -> None:
        """Lower one operation. Raises LegalityError for operations of other levels."""
        raise LegalityError(f"'{op.name}': expected loops below '{LowerLoopToCloop.name}'", op.location)

    @lower.register
    def _(self, op: ReturnOp) -> None:
        self.builder.add(ReturnOp())

    @lower.register
    def _(self, op: loop.AllocOp) -> None:
        if op.space is None:
            pointer = cloop.PointerType.of(element_of(op.result), "restrict")
            self._bind_buffer(op.result, self.writer.add(cloop.AllocateOp(product(shape_of(op.result)), pointer)))
        elif op.in_registers:
            self.buffers[op.result] = Registers.allocate(self.writer, op)
        else:
            self._allocate_for_threads(op)

    @lower.register
    def _(self, op: loop.DataOp) -> None:
        pointer = cloop.PointerType.of(element_of(op.result), "const")
        self._bind_buffer(op.result, self.writer.add(cloop.DataOp(op.value, pointer)))

    @lower.register
    def _(self, op: loop.FenceOp) -> None:
        """Nothing to write: blocks run in order."""

    @lower.register
    def _(self, op: loop.IterateOp) -> None:
        write_iteration(op, self.writer, self._pointers(op))

    @lower.register
    def _(self, op: loop.CallOp) -> None:
        write_call(op, self.builder, self._pointers(op))

    @lower.register
    def _(self, op: loop.BlockOp) -> None:
        block = self.builder.add(cloop.BlockOp())
        with self.writer.inside(block.body.block), self.strides.inside(block.body.block):
            self._body(op.body.block)

    @lower.register
    def _(self, op: loop.IfOp) -> None:
        tested = self.indices.invariant(op)
        branch = cloop.IfOp(condition(self.writer, tested.uniform(tested.exprs)), op.otherwise is not None)
        self.builder.add(branch)
        with self.writer.inside(branch.body.block):
            self._body(op.body.block)
        if op.otherwise is not None and branch.otherwise is not None:
            with self.writer.inside(branch.otherwise.block):
                self._body(op.otherwise.block)

    @lower.register
    def _(self, op: loop.ForOp) -> None:
        match op.kind.data:
            case "unroll" if op.pragma is None:
                self._unrolled(op)
            case "vector":
                self._vector(op)
            case _:
                self._loop(op)

    @lower.register
    def _(self, op: loop.YieldOp) -> None:
        """Nothing to write: the enclosing loop reads the operands."""

    @lower.register
    def _(self, op: loop.ConstantOp) -> None:
        self._bind(op.result, self.writer.constant(op.value))

    @lower.register
    def _(self, op: loop.IndexOp) -> None:
        expressions = self.indices.of(op.operands_at, op.index_map.results)
        self._bind(op.result, expressions.integer(expressions.exprs[0]))

    @lower.register
    def _(self, op: loop.TestOp) -> None:
        expressions = self.indices.of(op.operands_at, op.index_map.results)
        self._bind(op.result, truth(self.writer, expressions, expressions.exprs))

    @lower.register
    def _(self, op: loop.ComputeOp) -> None:
        if op in self.accumulated:
            return
        if op in self.running:
            self._scan(op, self.running[op])
            return
        operands = [self.values[value] for value in op.inputs]
        self._bind(op.result, self.writer.compute(op.function.data, *operands))

    @lower.register
    def _(self, op: loop.CastOp) -> None:
        self._bind(op.result, self.writer.cast(self.values[op.input], op.result.type))

    @lower.register
    def _(self, op: loop.LoadOp) -> None:
        buffer = self.buffers[op.buffer]
        if isinstance(buffer, Memory):
            self._bind(op.result, self.memory.load(op, buffer))
        else:
            self._bind(op.result, self.registers.load(op, buffer))

    @lower.register
    def _(self, op: loop.StoreOp) -> None:
        buffer = self.buffers[op.buffer]
        if isinstance(buffer, Memory):
            self.memory.store(op, buffer, self.values[op.value])
        else:
            self.registers.store(op, buffer, self.values[op.value])

    @lower.register
    def _(self, op: loop.UpdateOp) -> None:
        buffer = self.buffers[op.buffer]
        if isinstance(buffer, Memory):
            self.memory.update(op, buffer, self.values[op.value])
        else:
            self.registers.update(op, buffer, self.values[op.value])

    @lower.register
    def _(self, op: loop.PrefetchOp) -> None:
        buffer = self.buffers[op.buffer]
        if isinstance(buffer, Memory):
            self.memory.prefetch(op, buffer)

    @lower.register
    def _(self, op: loop.MisalignmentOp) -> None:
        buffer = self.buffers[op.buffer]
        if not isinstance(buffer, Memory):
            raise LegalityError(f"'{op.name}': expected a buffer in memory, got registers", op.location)
        self._bind(op.result, self.writer.add(cloop.MisalignmentOp(buffer.pointer, op.bytes)))

    @lower.register
    def _(self, op: loop.CheckOp) -> None:
        self.checks += 1
        expressions = self.indices.of(op.operands_at, [*op.index_map.results, *op.guard_exprs])
        count = len(op.index_map.results)
        checked, guards = expressions.exprs[:count], expressions.needed(expressions.exprs[count:])
        if not expressions.varies(*checked, *guards):
            with where(self.writer, expressions.uniform(guards)):
                self._check(op, expressions.uniform(checked))
            return
        # Test all lanes at once; only if one of them fails, test them one by one.
        values = [expressions.integer(expr) for expr in checked]
        branch = self.builder.add(cloop.IfOp(self.writer.fold("or", self._failing(values, expressions, guards))))
        with self.writer.inside(branch.body.block):
            lanes, needed = (self.writer.lanes, guards) if expressions.varies(*checked) else (1, ())
            for lane in range(lanes):
                operands = tuple(self.writer.lane(value, lane) for value in values)
                with where(self.writer, expressions.at_lane(needed, lane)):
                    self._check(op, Uniform(tuple(map(dim, range(count))), operands))

    # Loops

    def _loop(self, op: loop.ForOp) -> None:
        starts = [self._start(op, k) for k in range(len(op.carried))]
        variables = [self.writer.variable(start) for start in starts]
        level = self.indices.invariant(op)
        bounds, at = level.uniform(level.exprs)
        threads = self.indices.as_written(op.operands_at, op.threads.data.results) if op.threads is not None else ()
        dynamic, unroll, step = op.dynamic is not None, op.pragma is not None, op.step.value.data
        new = cloop.ForOp(bounds, at, step, *threads, collapse=op.collapsed, dynamic=dynamic, unroll=unroll)
        for_op = self.builder.add(new)
        self._bind(op.induction, for_op.induction)
        for arg, variable in zip(op.carried_args, variables, strict=True):
            self._bind(arg, variable)
        with self.indices.inside(for_op.induction, level), self.writer.inside(for_op.body.block):
            self._body(op.body.block)
            with self.builder.source(last_op(op)):
                self._assign(variables, [self.values[value] for value in op.yielded])
        for result, variable in zip(op.results, variables, strict=True):
            leaves_lanes = self.writer.lanes == 1 and len(list(result.uses)) > 0
            self._bind(result, self.writer.lane(variable, 0) if leaves_lanes else variable)

    def _assign(self, variables: Sequence[Value], values: Sequence[Value]) -> None:
        """Assign in parallel: copy variables that another assignment reads before the first assignment."""
        read = [
            self.writer.variable(value) if value in variables and value != variable else value
            for variable, value in zip(variables, values, strict=True)
        ]
        for variable, value in zip(variables, read, strict=True):
            if value != variable:
                self.writer.assign(variable, value)

    def _start(self, op: loop.ForOp, position: int) -> Value:
        """The initial value of a carried value. It is broadcast if it varies across lanes, or if an inner vector loop scans it
        in one register: the total then stays in a vector instead of being extracted and broadcast again. If an inner scan takes
        several registers, the total stays a scalar, which the registers use in turn."""
        start = self.values[op.carried[position]]
        if op.carried_args[position] in self.varying:
            return self.writer.spread(start)
        lanes = scanned_lanes(op, position)
        if lanes is None or self.writer.lanes > 1:
            return start
        with self.writer.vectors_of(lanes):
            is_one_register = self.writer.part_lanes(element_of_value(start)) == lanes
            return self.writer.spread(start) if is_one_register else start

    def _unrolled(self, op: loop.ForOp) -> None:
        carried = [self.values[value] for value in op.carried]
        trips = op.trips
        assert trips is not None, "an unrolled loop has a constant trip count"
        for copy in range(trips):
            self.indices.enter_copy(op, copy)
            for arg, value in zip(op.carried_args, carried, strict=True):
                self._bind(arg, value)
            self._body(op.body.block)
            carried = [self.values[value] for value in op.yielded]
        for result, value in zip(op.results, carried, strict=True):
            self._bind(result, value)

    def _vector(self, op: loop.ForOp) -> None:
        if self.writer.lanes > 1:
            raise LegalityError(f"'{op.name}': vector loops must not be nested", op.location)
        lanes = op.trips
        assert lanes is not None, "a vector loop has a constant trip count"
        carried = lane_accumulations(op)
        accumulated = [each for each in carried if each is not None]
        self.varying = varying_values(op)
        self.accumulated = {each.compute for each in accumulated if not each.is_running}
        self.running = {each.compute: each.position for each in accumulated if each.is_running}
        with self.indices.lanes_of(op, lanes), self.writer.vectors_of(lanes):
            self._body(op.body.block)
            folded = [self.writer.fold(each.function, self.values[each.value]) for each in accumulated if not each.is_running]
        totals = iter(folded)
        for result, start, each in zip(op.results, op.carried, carried, strict=True):
            first = self.values[start]
            if each is None:
                self._bind(result, first)
            elif not each.is_running:
                self._bind(result, self.writer.compute(each.function, first, next(totals)))
        self.varying, self.accumulated, self.running = set(), set(), {}

    def _scan(self, op: loop.ComputeOp, position: int) -> None:
        """Write the scan of a carried value: its running value before and after each lane, and the total."""
        level = op.parent_op()
        assert isinstance(level, loop.ForOp), "the accumulation is in the loop's body"
        arg, start = level.carried_args[position], self.values[level.carried[position]]
        value = next(each for each in op.inputs if each is not arg)
        found, total = self.writer.scan(op.function.data, start, self.values[value])
        self._bind(op.result, found)
        self._bind(level.results[position], total)
        if len(list(arg.uses)) > 1:
            self._bind(arg, self.writer.shift_in(start, found))

    # Building blocks

    def _bind(self, old: SSAValue, new: Value) -> None:
        self.values[old] = new
        for value in (new,) if isinstance(new, SSAValue) else new.parts:
            if value.name_hint is None:
                value.name_hint = old.name_hint

    def _pointers(self, op: loop.RunOp) -> dict[SSAValue, SSAValue]:
        """The pointers to the buffers that an operation takes."""
        memory = {each: self.buffers[each] for each in op.operands}
        return {each: found.pointer for each, found in memory.items() if isinstance(found, Memory)}

    def _bind_buffer(self, old: SSAValue, pointer: SSAValue, each_lane: bool = False) -> None:
        self.buffers[old] = Memory(pointer, shape_of(old), each_lane)
        if pointer.name_hint is None:
            pointer.name_hint = old.name_hint

    def _allocate_for_threads(self, op: loop.AllocOp) -> None:
        """Allocate a slice for each thread, padded to whole cache lines to avoid false sharing."""
        element = element_of(op.result)
        each_lane = self.writer.lanes > 1
        line = CACHE_LINE // dtype_of(element).itemsize
        count = ceildiv(product(shape_of(op.result)) * self.writer.lanes, line) * line
        pointer = cloop.PointerType.of(element, "restrict")
        with self.builder.at(InsertPoint.at_start(self.body)):
            every = self.writer.add(cloop.AllocateOp(count, pointer, each_thread=True))
        thread = self.writer.add(cloop.ThreadOp())
        self._bind_buffer(op.result, self.writer.add(cloop.OffsetOp(every, dim(0) * count, [thread])), each_lane)

    def _failing(self, values: Sequence[Value], expressions: Expressions, guards: Sequence[Index]) -> Value:
        """The mask of lanes that fail a check of a value, against a limit if there is one."""
        zero = self.writer.constant(number(0, i64))
        value, *limits = values
        failing = self.writer.compute("lt" if limits else "eq", value, zero)
        for limit in limits:
            failing = self.writer.compute("or", failing, self.writer.compute("ge", value, limit))
        if not guards:
            return failing
        return self.writer.compute("and", failing, truth(self.writer, expressions, guards))

    def _check(self, op: loop.CheckOp, checked: Uniform) -> None:
        self.builder.add(cloop.CheckOp(op.kind.data, self.checks, checked.exprs, checked.operands))


def last_op(op: loop.ForOp) -> Operation:
    """The terminator of a loop's body."""
    last = op.body.block.last_op
    assert last is not None, "a loop body ends with loop.yield"
    return last
