"""Interpreter of the loop and C levels on NumPy, one scalar at a time.

Both levels share the meaning of their scalar operations; they differ in how memory is addressed and values are carried.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import singledispatchmethod
from typing import Any

import numpy as np
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import Attribute, Block, Operation, SSAValue

from ...dialects import cloop, loop
from ...dialects.cloop import registers as cloop_registers
from ...dialects.cloop import vectors as cloop_vectors
from ...dialects.loop.iterate import carries_of_step
from ...dialects.scalar_ops import CastBase, ComputeBase, ConstantBase, IndexBase, IndexedOp, TestBase, element_type, lanes_of
from ...ir.diagnostics import InternalError
from ...ir.functions.entry import function_params
from ...ir.functions.versions import version_for
from ...ir.index.expressions import Atom, Dim, Index, divisions
from ...ir.scalars.attributes import elements_of, value_of
from ...ir.scalars.oracles import cast_numpy
from ...ir.scalars.table import scalar
from ...ir.types.dtypes import BFLOAT16, FLOAT32, dtype_of
from ...ir.types.shapes import MapAttr, element_of, shape_of
from ..boundary.errors import divisor_error, index_error, place_of

Array = Any


def run_loops(function: FuncOp, arrays: Sequence[Array], params: Mapping[str, int]) -> None:
    """Run a function of the loop or C level on its buffers: `arrays` are the inputs, then the outputs to be filled.

    Raises IndexError and ZeroDivisionError like compiled code, and IndexError also for an access that is out of bounds, which
    is a bug of the compiler.
    """
    on_c_level = any(op.name.startswith("cloop.") for op in function.walk())
    interpreter = CloopInterpreter(params) if on_c_level else LoopInterpreter(params)
    interpreter.run(version_for(function, params), arrays)


class ScalarInterpreter:
    """The operations that both levels share; `values` holds scalars and buffers."""

    def __init__(self, params: Mapping[str, int]):
        self.params = params
        self.values: dict[SSAValue, Any] = {}

    def run(self, function: FuncOp, arrays: Sequence[Array]) -> None:
        for argument, array in zip(function.args, arrays, strict=True):
            self.values[argument] = array
        self.block(function.body.block)

    def block(self, block: Block) -> None:
        for op in block.ops:
            self.step(op)

    def exprs(self, op: IndexedOp) -> list[int]:
        return [self.integer(expr, op.operands_at) for expr in op.index_map.results]

    def bounds(self, op: IndexedOp) -> tuple[int, int]:
        """The bounds of a loop. Passes that split loops assume that lower bounds do not exceed upper ones."""
        lower, upper = self.exprs(op)
        if lower > upper:
            raise InternalError(f"a loop has bounds out of order: it goes from {lower} to {upper}")
        return lower, upper

    def integer(self, expr: Index, operands: Sequence[SSAValue] = ()) -> int:
        def lookup(atom: Atom) -> int:
            return int(self.values[operands[atom.position]]) if isinstance(atom, Dim) else self.params[str(atom)]

        # Simplification assumes positive divisors: with a divisor of 0 its results are valid only for quotients of 0.
        for each in divisions(expr):
            divisor = each.rhs.evaluate(lookup)
            if divisor <= 0 and each.lhs.evaluate(lookup) != 0:
                raise InternalError(f"the index expression {expr} divides by {each.rhs}, which is {divisor}")
        return int(expr.evaluate(lookup))

    def handed(self, function: FuncOp, sizes: MapAttr) -> dict[str, int]:
        """The values of a function's parameters by name; `sizes` may have values for the first parameters only."""
        return dict(zip(function_params(function), map(self.integer, sizes.data.results), strict=False))

    def taking_part(self, op: loop.IndexedOp) -> bool:
        return all(self.integer(guard, op.operands_at) >= 0 for guard in op.guard_exprs)

    def check(self, kind: str, op: IndexedOp) -> None:
        value, *rest = self.exprs(op)
        if kind == "index" and not 0 <= value < rest[0]:
            raise index_error(value, rest[0], place_of(op.location))
        if kind == "divisor" and value == 0:
            raise divisor_error(place_of(op.location))

    @singledispatchmethod
    def step(self, op: Operation) -> None:
        raise AssertionError(f"'{op.name}' is on neither the loop nor the C level")

    @step.register
    def _(self, op: ReturnOp) -> None:
        pass

    @step.register
    def _(self, op: ConstantBase) -> None:
        self.values[op.result] = np.asarray(value_of(op.value)).astype(dtype_of(op.result.type).numpy)

    @step.register
    def _(self, op: IndexBase) -> None:
        self.values[op.result] = np.asarray(self.exprs(op)[0], np.int64)

    @step.register
    def _(self, op: TestBase) -> None:
        self.values[op.result] = np.asarray(all(value >= 0 for value in self.exprs(op)))

    @step.register
    def _(self, op: ComputeBase) -> None:
        operands = [np.asarray(self.values[value]) for value in op.inputs]
        self.values[op.result] = np.asarray(scalar(op.function.data).numpy(*operands))

    @step.register
    def _(self, op: CastBase) -> None:
        self.values[op.result] = cast_numpy(np.asarray(self.values[op.input]), dtype_of(element_type(op.result.type)))


class LoopInterpreter(ScalarInterpreter):
    """The loop level: shaped buffers, carried values."""

    @singledispatchmethod
    def step(self, op: Operation) -> None:
        super().step(op)

    @step.register
    def _(self, op: loop.AllocOp) -> None:
        shape = tuple(self.integer(size) for size in shape_of(op.result))
        kind = dtype_of(element_of(op.result))
        # Buffers that are undefined at the start of each iteration are filled with a conspicuous value.
        undefined = 0 if op.space is None else np.nan if kind.is_float else kind.highest
        self.values[op.result] = np.full(shape, undefined, kind.numpy)

    @step.register
    def _(self, op: loop.DataOp) -> None:
        self.values[op.result] = elements_of(op.value)

    @step.register
    def _(self, op: loop.FenceOp) -> None:
        pass

    @step.register
    def _(self, op: loop.IterateOp) -> None:
        length = self.integer(op.length)
        init, last, spare, stacked, shared, into = ([self.values[each] for each in part] for part in op.parts)
        for k in range(length):
            at = length - 1 - k if op.backwards else k
            before, after = carries_of_step(init, last, spare, k, length)
            entries, results = ([each[at, ...] for each in part] for part in (stacked, into))
            LoopInterpreter(self.params).run(op.callee, [*before, *entries, *shared, *after, *results])

    @step.register
    def _(self, op: loop.CallOp) -> None:
        buffers = [self.values[each] for each in (*op.reads, *op.writes)]
        LoopInterpreter(self.handed(op.callee, op.sizes)).run(op.callee, buffers)

    @step.register
    def _(self, op: loop.BlockOp) -> None:
        self.block(op.body.block)

    @step.register
    def _(self, op: loop.ForOp) -> None:
        lower, upper = self.bounds(op)
        carried = [self.values[value] for value in op.carried]
        for position in range(lower, upper, op.step.value.data):
            self.values[op.induction] = position
            self.values.update(zip(op.carried_args, carried, strict=True))
            self.block(op.body.block)
            carried = [self.values[value] for value in op.yielded]
        self.values.update(zip(op.results, carried, strict=True))

    @step.register
    def _(self, op: loop.IfOp) -> None:
        if all(value >= 0 for value in self.exprs(op)):
            self.block(op.body.block)
        elif op.otherwise is not None:
            self.block(op.otherwise.block)

    @step.register
    def _(self, op: loop.YieldOp) -> None:
        pass

    @step.register
    def _(self, op: loop.LoadOp) -> None:
        buffer = self.values[op.buffer]
        if op.fill is not None and not self.taking_part(op):
            self.values[op.result] = np.asarray(value_of(op.fill)).astype(buffer.dtype)
        else:
            self.values[op.result] = buffer[self.element(buffer, op)]

    @step.register
    def _(self, op: loop.StoreOp) -> None:
        if self.taking_part(op):
            buffer = self.values[op.buffer]
            buffer[self.element(buffer, op)] = self.values[op.value]

    @step.register
    def _(self, op: loop.UpdateOp) -> None:
        if self.taking_part(op):
            buffer = self.values[op.buffer]
            at = self.element(buffer, op)
            buffer[at] = scalar(op.accumulator.data).numpy(np.asarray(buffer[at]), np.asarray(self.values[op.value]))

    @step.register
    def _(self, op: loop.PrefetchOp) -> None:
        """Prefetches have no effect on values."""

    @step.register
    def _(self, op: loop.MisalignmentOp) -> None:
        self.values[op.result] = _misalignment(self.values[op.buffer], op.bytes.value.data)

    @step.register
    def _(self, op: loop.CheckOp) -> None:
        if self.taking_part(op):
            self.check(op.kind.data, op)

    def element(self, buffer: Array, op: IndexedOp) -> tuple[int, ...]:
        at = tuple(self.exprs(op))
        if any(not 0 <= index < size for index, size in zip(at, buffer.shape, strict=True)):
            raise IndexError(f"'{op.name}' reaches {at} of a buffer of shape {buffer.shape}")
        return at


class CloopInterpreter(ScalarInterpreter):
    """The C level: flat memory, variables, and vectors as arrays of lanes. It runs one thread."""

    def run(self, function: FuncOp, arrays: Sequence[Array]) -> None:
        super().run(function, [array.reshape(-1) for array in arrays])

    @singledispatchmethod
    def step(self, op: Operation) -> None:
        super().step(op)

    @step.register
    def _(self, op: cloop.AllocateOp) -> None:
        kind = op.result.type
        assert isinstance(kind, cloop.PointerType), "memory is reached by a pointer"
        self.values[op.result] = np.zeros(self.integer(op.count.data.results[0]), dtype_of(kind.element).numpy)

    @step.register
    def _(self, op: cloop.ArenaOp) -> None:
        self.values[op.result] = np.zeros(sum(map(self.integer, op.size.data.results)), np.int8)

    @step.register
    def _(self, op: cloop.SliceOp) -> None:
        kind = op.result.type
        assert isinstance(kind, cloop.PointerType), "memory is reached by a pointer"
        rest, numpy = self.values[op.arena][sum(map(self.integer, op.offset.data.results)) :], dtype_of(kind.element).numpy
        self.values[op.result] = rest[: len(rest) // numpy.itemsize * numpy.itemsize].view(numpy)

    @step.register
    def _(self, op: cloop.ThreadOp) -> None:
        self.values[op.result] = np.int64(0)

    @step.register
    def _(self, op: cloop.OffsetOp) -> None:
        self.values[op.result] = self.values[op.pointer][self.exprs(op)[0] :]

    @step.register
    def _(self, op: cloop.MisalignmentOp) -> None:
        self.values[op.result] = _misalignment(self.values[op.pointer], op.bytes.value.data)

    @step.register
    def _(self, op: cloop.PickOp) -> None:
        self.values[op.result] = self.values[op.first if self.exprs(op)[0] >= 0 else op.second]

    @step.register
    def _(self, op: cloop.CallOp) -> None:
        names, given = function_params(op.callee), [int(self.values[each]) for each in op.indices]
        params = self.params if op.sizes is None else self.handed(op.callee, op.sizes)
        params = {**params, **dict(zip(names[len(names) - len(given) :], given, strict=True))}
        CloopInterpreter(params).run(op.callee, [self.values[each] for each in op.pointers])

    @step.register
    def _(self, op: cloop.DataOp) -> None:
        self.values[op.result] = elements_of(op.value).reshape(-1)

    @step.register
    def _(self, op: cloop.BlockOp) -> None:
        self.block(op.body.block)

    @step.register
    def _(self, op: cloop.ForOp) -> None:
        lower, upper = self.bounds(op)
        for position in range(lower, upper, op.step.value.data):
            self.values[op.induction] = position
            self.block(op.body.block)

    @step.register
    def _(self, op: cloop.IfOp) -> None:
        if self.values[op.condition]:
            self.block(op.body.block)
        elif op.otherwise is not None:
            self.block(op.otherwise.block)

    @step.register
    def _(self, op: cloop.VariableOp) -> None:
        self.values[op.result] = self.values[op.start]

    @step.register
    def _(self, op: cloop.AssignOp) -> None:
        self.values[op.variable] = self.values[op.value]

    @step.register
    def _(self, op: cloop_registers.RegistersOp) -> None:
        zero = np.zeros(lanes_of(op.element) or (), dtype_of(element_type(op.element)).numpy)
        self.values[op.result] = [zero] * op.count

    @step.register
    def _(self, op: cloop_registers.GetOp) -> None:
        self.values[op.result] = self.values[op.registers][self.register(op)]

    @step.register
    def _(self, op: cloop_registers.SetOp) -> None:
        self.values[op.registers][self.register(op)] = self.values[op.value]

    def register(self, op: cloop_registers.GetOp | cloop_registers.SetOp) -> int:
        """The register that an operation accesses. Raises IndexError if it does not exist."""
        (place,) = self.exprs(op)
        count = len(self.values[op.registers])
        if not 0 <= place < count:
            raise IndexError(f"'{op.name}' reaches for register {place} of {count}")
        return place

    @step.register
    def _(self, op: cloop.LoadOp) -> None:
        if op.condition is not None and not self.values[op.condition]:
            assert op.fill is not None, "a conditional load has a fill value"
            self.values[op.result] = self.values[op.fill]
            return
        flat, at = self.elements(op.pointer, op, op.result.type)
        self.values[op.result] = flat[at].copy()

    @step.register
    def _(self, op: cloop.StoreOp) -> None:
        flat, at = self.elements(op.pointer, op, op.value.type)
        flat[at] = self.values[op.value]

    @step.register
    def _(self, op: cloop_vectors.PartialLoadOp) -> None:
        flat, at, lanes = self.part(op.pointer, op)
        self.values[op.result] = np.array(self.values[op.fill])
        self.values[op.result][lanes] = flat[at]

    @step.register
    def _(self, op: cloop_vectors.GatherOp) -> None:
        flat, mask = self.values[op.pointer], self.values[op.mask]
        offsets = self.values[op.offsets][mask]
        if offsets.size and not 0 <= offsets.min() <= offsets.max() < len(flat):
            raise IndexError(f"'{op.name}' reaches elements {offsets.min()} to {offsets.max()} of {len(flat)}")
        self.values[op.result] = np.array(self.values[op.fill])
        self.values[op.result][mask] = flat[offsets]

    @step.register
    def _(self, op: cloop_vectors.PartialStoreOp) -> None:
        flat, at, lanes = self.part(op.pointer, op)
        flat[at] = self.values[op.value][lanes]

    @step.register
    def _(self, op: cloop_vectors.BroadcastOp) -> None:
        self.values[op.result] = np.repeat(np.asarray(self.values[op.input]), lanes_of(op.result.type) or 0)

    @step.register
    def _(self, op: cloop_vectors.HoldOp) -> None:
        self.values[op.result] = self.values[op.vector]

    @step.register
    def _(self, op: cloop_vectors.ReducePrecisionOp) -> None:
        self.values[op.result] = cast_numpy(cast_numpy(self.values[op.vector], BFLOAT16), FLOAT32)

    @step.register
    def _(self, op: cloop_vectors.LanesOp) -> None:
        first, lanes = op.first.value.data, lanes_of(op.result.type) or 0
        self.values[op.result] = np.arange(first, first + lanes).astype(dtype_of(element_type(op.result.type)).numpy)

    @step.register
    def _(self, op: cloop_vectors.FromElementsOp) -> None:
        self.values[op.result] = np.stack([np.asarray(self.values[value]) for value in op.elements])

    @step.register
    def _(self, op: cloop_vectors.ExtractOp) -> None:
        self.values[op.result] = self.values[op.vector][op.lane.value.data]

    @step.register
    def _(self, op: cloop_vectors.ShuffleOp) -> None:
        self.values[op.result] = np.concatenate([self.values[value] for value in op.vectors])[list(op.chosen)]

    @step.register
    def _(self, op: cloop_vectors.FoldOp) -> None:
        value = self.values[op.vector]
        while len(value) > 1:
            value = np.asarray(scalar(op.function.data).numpy(value[: len(value) // 2], value[len(value) // 2 :]))
        self.values[op.result] = value[0]

    @step.register
    def _(self, op: cloop_vectors.ScanOp) -> None:
        value, distance = self.values[op.vector], 1
        while distance < len(value):
            combined = scalar(op.function.data).numpy(value[:-distance], value[distance:])
            value = np.concatenate([value[:distance], combined])
            distance *= 2
        self.values[op.result] = value

    @step.register
    def _(self, op: cloop_vectors.TransposeOp) -> None:
        start, lanes = self.exprs(op)[0], op.lanes.value.data
        square = self.memory(op.pointer, op, start, lanes * lanes)[start : start + lanes * lanes].reshape(lanes, lanes)
        square[...] = square.T.copy()

    @step.register
    def _(self, op: cloop.PrefetchOp) -> None:
        """Prefetches have no effect on values."""

    @step.register
    def _(self, op: cloop.CheckOp) -> None:
        self.check(op.kind.data, op)

    def elements(self, pointer: SSAValue, op: IndexedOp, kind: Attribute) -> tuple[Array, int | slice]:
        """The memory of a load or store, and the index of the element, or of the elements of a vector."""
        offset, lanes = self.exprs(op)[0], lanes_of(kind)
        flat = self.memory(pointer, op, offset, lanes or 1)
        return flat, offset if lanes is None else slice(offset, offset + lanes)

    def part(self, pointer: SSAValue, op: IndexedOp) -> tuple[Array, slice, slice]:
        """The memory of a partial load or store, the indices of the elements, and the active lanes."""
        offset, first, end = self.exprs(op)
        end = max(first, end)
        flat = self.memory(pointer, op, offset + first, end - first)
        return flat, slice(offset + first, offset + end), slice(first, end)

    def memory(self, pointer: SSAValue, op: IndexedOp, offset: int, count: int) -> Array:
        flat = self.values[pointer]
        if count and not 0 <= offset <= len(flat) - count:
            raise IndexError(f"'{op.name}' reaches elements {offset} to {offset + count - 1} of {len(flat)}")
        return flat


def _misalignment(memory: Array, boundary: int) -> np.int64:
    """The number of elements between the previous multiple of `boundary` bytes and the first element."""
    return np.int64(memory.ctypes.data % boundary // memory.itemsize)
