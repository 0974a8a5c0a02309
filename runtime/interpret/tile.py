"""Interpreter of the tile level on NumPy: launches in order, one program after the other, each tile an array."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import singledispatchmethod
from types import MappingProxyType
from typing import Any

import numpy as np
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import Block, Operation, SSAValue

from ...dialects import tile
from ...dialects.loop.iterate import carries_of_step
from ...dialects.tile.base import element_dtype, lanes
from ...ir.functions.entry import entry_function
from ...ir.functions.versions import version_for
from ...ir.index.expressions import Atom, Dim, Index
from ...ir.scalars.attributes import elements_of, value_of
from ...ir.scalars.oracles import cast_numpy
from ...ir.scalars.table import scalar
from ...ir.types.dtypes import INT8, dtype_of
from ...ir.types.shapes import element_of, shape_of
from ..boundary.errors import Check

Array = Any

ATOMICS = MappingProxyType(
    {
        "add": np.add,
        "max": np.maximum,
        "min": np.minimum,
        "and": np.bitwise_and,
        "or": np.bitwise_or,
        "xor": np.bitwise_xor,
    }
)


def run_tile(module: ModuleOp, arrays: Sequence[Array], params: Mapping[str, int]) -> None:
    """Run a module of the tile level on its buffers: `arrays` are the inputs, then the outputs to be filled.

    Raises IndexError and ZeroDivisionError like compiled code, and IndexError also for an access that is out of bounds, which
    is a bug of the compiler.
    """
    PlanInterpreter(module, params).run(arrays)


class PlanInterpreter:
    """Follows the launch plan; `buffers` holds flat arrays."""

    def __init__(self, module: ModuleOp, params: Mapping[str, int]):
        self.function = version_for(entry_function(module), params)
        self.kernels = {op.sym_name.data: op for op in module.body.block.ops if isinstance(op, FuncOp)}
        self.params = params
        self.buffers: dict[SSAValue, Array] = {}

    def run(self, arrays: Sequence[Array]) -> None:
        for argument, array in zip(self.function.args, arrays, strict=True):
            flat = np.ascontiguousarray(array).reshape(-1)
            self.buffers[argument] = flat
        for op in self.function.body.block.ops:
            self.step(op)
        for argument, array in zip(self.function.args, arrays, strict=True):
            if array.size:
                np.copyto(array, self.buffers[argument].reshape(array.shape))

    @singledispatchmethod
    def step(self, op: Operation) -> None:
        raise AssertionError(f"'{op.name}' is not of the launch plan")

    @step.register
    def _(self, op: ReturnOp) -> None:
        pass

    @step.register
    def _(self, op: tile.AllocOp) -> None:
        count = int(np.prod([evaluate(size, (), self.params) for size in shape_of(op.result)]))
        self.buffers[op.result] = np.zeros(count, dtype_of(element_of(op.result)).numpy)

    @step.register
    def _(self, op: tile.DataOp) -> None:
        self.buffers[op.result] = elements_of(op.value).reshape(-1)

    @step.register
    def _(self, op: tile.CounterOp) -> None:
        self.buffers[op.result] = np.zeros(1, np.int32)

    @step.register
    def _(self, op: tile.IterateOp) -> None:
        length = int(evaluate(op.length, (), self.params))
        init, last, spare, stacked, shared, into = ([self.buffers[each] for each in part] for part in op.parts)
        for k in range(length):
            at = length - 1 - k if op.backwards else k
            before, after = carries_of_step(init, last, spare, k, length)
            entries, results = ([each.reshape(length, -1)[at] for each in part] for part in (stacked, into))
            self.buffers.update(zip(op.callee.args, [*before, *entries, *shared, *after, *results], strict=True))
            for inner in op.callee.body.block.ops:
                self.step(inner)

    @step.register
    def _(self, op: tile.LaunchOp) -> None:
        kernel = self.kernels[op.kernel.root_reference.data]
        if any(evaluate(condition, (), self.params) < 0 for condition in op.conditions):
            return
        count = int(evaluate(op.programs, (), self.params))
        for program in range(count):
            interpreter = KernelInterpreter(program, count, self.params)
            interpreter.run(kernel, [self.buffers[buffer] for buffer in op.buffers])


def evaluate(expr: Index, operands: Sequence[Array], params: Mapping[str, int]) -> Array:
    """An index expression over arrays of positions."""

    def lookup(atom: Atom) -> Array:
        return operands[atom.position] if isinstance(atom, Dim) else params[str(atom)]

    with np.errstate(all="ignore"):
        return expr.evaluate(lookup)


class KernelInterpreter:
    """One program of a kernel; `values` holds tiles, scalars and buffers."""

    def __init__(self, program: int, programs: int, params: Mapping[str, int]):
        self.program = program
        self.programs = programs
        self.params = params
        self.values: dict[SSAValue, Array] = {}

    def run(self, kernel: FuncOp, buffers: Sequence[Array]) -> None:
        self.values.update(zip(kernel.args, buffers, strict=True))
        self.block(kernel.body.block)

    def block(self, block: Block) -> None:
        for op in block.ops:
            self.step(op)

    def define(self, value: SSAValue, tile_value: Array) -> None:
        self.values[value] = np.broadcast_to(np.asarray(tile_value, element_dtype(value).numpy), lanes(value))

    def exprs(self, op: tile.TileIndexedOp) -> list[Array]:
        operands = [self.values[value] for value in op.operands_at]
        return [evaluate(expr, operands, self.params) for expr in op.index_map.results]

    def mask(self, op: tile.AccessOp, shape: tuple[int, ...]) -> Array:
        mask = op.mask  # type: ignore[attr-defined] - an operand of every subclass
        return np.ones(shape, bool) if mask is None else self.values[mask]

    def access(self, op: tile.AccessOp, buffer: SSAValue, shape: tuple[int, ...]) -> tuple[Array, Array, Array]:
        """The buffer, the active lanes, and the offsets that they access."""
        array, active = self.values[buffer], self.mask(op, shape)
        offsets = np.broadcast_to(self.exprs(op)[0], shape)[active]
        if offsets.size and not (offsets.min() >= 0 and offsets.max() < array.size):
            raise IndexError(f"'{op.name}' at {op.location}: offsets out of bounds of {array.size} elements")
        return array, active, offsets

    @singledispatchmethod
    def step(self, op: Operation) -> None:
        raise AssertionError(f"'{op.name}' is not of a kernel")

    @step.register
    def _(self, op: ReturnOp | tile.BarrierOp) -> None:
        pass

    @step.register
    def _(self, op: tile.FinishOp) -> None:
        counter = self.values[op.counter]
        counter[0] += 1
        if counter[0] == self.programs:
            counter[0] = 0
            self.block(op.body.block)

    @step.register
    def _(self, op: tile.ProgramIdOp) -> None:
        self.values[op.result] = self.program

    @step.register
    def _(self, op: tile.ArangeOp) -> None:
        shape = lanes(op.result)
        self.define(op.result, np.arange(shape[op.axis]).reshape(shape))

    @step.register
    def _(self, op: tile.ConstantOp) -> None:
        self.define(op.result, value_of(op.value))

    @step.register
    def _(self, op: tile.IndexOp) -> None:
        self.define(op.result, self.exprs(op)[0])

    @step.register
    def _(self, op: tile.TestOp) -> None:
        result = np.ones(lanes(op.result), bool)
        for value in self.exprs(op):
            result = result & (value >= 0)
        self.values[op.result] = result

    @step.register
    def _(self, op: tile.ComputeOp) -> None:
        self.define(op.result, scalar(op.function.data).numpy(*(self.values[value] for value in op.inputs)))

    @step.register
    def _(self, op: tile.CastOp) -> None:
        self.define(op.result, cast_numpy(self.values[op.input], element_dtype(op.result)))

    @step.register
    def _(self, op: tile.BroadcastOp) -> None:
        self.define(op.result, self.values[op.input])

    @step.register
    def _(self, op: tile.LoadOp) -> None:
        shape = lanes(op.result)
        array, active, offsets = self.access(op, op.buffer, shape)
        result = np.zeros(shape, array.dtype)
        result[active] = array[offsets]
        self.values[op.result] = result

    @step.register
    def _(self, op: tile.StoreOp) -> None:
        array, active, offsets = self.access(op, op.buffer, lanes(op.value))
        array[offsets] = self.values[op.value][active]

    @step.register
    def _(self, op: tile.AtomicOp) -> None:
        array, active, offsets = self.access(op, op.buffer, lanes(op.value))
        ATOMICS[op.accumulator.data].at(array, offsets, self.values[op.value][active])

    @step.register
    def _(self, op: tile.ReduceOp) -> None:
        ordered = np.moveaxis(self.values[op.input], op.axis.value.data, 0)
        total = ordered[0]
        for value in ordered[1:]:
            total = scalar(op.accumulator.data).numpy(total, value)
        self.define(op.result, np.expand_dims(total, op.axis.value.data))

    @step.register
    def _(self, op: tile.ScanOp) -> None:
        ordered = np.moveaxis(self.values[op.input].copy(), op.axis.value.data, 0)
        for k in range(1, len(ordered)):
            ordered[k] = scalar(op.accumulator.data).numpy(ordered[k - 1], ordered[k])
        self.define(op.result, np.moveaxis(ordered, 0, op.axis.value.data))

    @step.register
    def _(self, op: tile.DotOp) -> None:
        wide = np.int32 if element_dtype(op.a) is INT8 else np.float32
        a, b = (self.values[value].astype(wide) for value in (op.a, op.b))
        self.define(op.result, self.values[op.start] + a @ b)

    @step.register
    def _(self, op: tile.ForOp) -> None:
        lower, upper = (int(bound) for bound in self.exprs(op))
        carried = [self.values[value] for value in op.carried]
        last = op.body.block.last_op
        assert isinstance(last, tile.YieldOp), "a loop body ends with tile.yield"
        for position in range(lower, upper, op.step.value.data):
            self.values[op.induction] = position
            self.values.update(zip(op.carried_args, carried, strict=True))
            self.block(op.body.block)
            carried = [self.values[value] for value in last.values]
        self.values.update(zip(op.results, carried, strict=True))

    @step.register
    def _(self, op: tile.YieldOp) -> None:
        pass

    @step.register
    def _(self, op: tile.CheckOp) -> None:
        failed = self.values[op.failed]
        if failed.any():
            value, limit = (int(self.values[operand][failed].min()) for operand in (op.value, op.limit))
            raise Check.of(op).failure(value, limit)
