"""Interpreter of the micro-ops on NumPy arrays, the oracle that defines the meaning of a program.

With `precise=True` every float is a float64, which makes this the oracle that all compiled results are measured against.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from functools import singledispatchmethod
from typing import Any

import numpy as np
from xdsl.dialects.builtin import DenseIntOrFPElementsAttr
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import Attribute, Operation, SSAValue

from ...dialects import uop
from ...dialects.uop.folds import ARG_REDUCTIONS
from ...dialects.uop.indexed import IndexedOp
from ...ir.diagnostics import CompileError
from ...ir.functions.versions import version_for
from ...ir.index.expressions import Atom, Dim, Index
from ...ir.index.magnitudes import Magnitude, intermediates
from ...ir.scalars.attributes import elements_of, value_of
from ...ir.scalars.oracles import cast_numpy
from ...ir.scalars.table import scalar
from ...ir.types.dtypes import INT64, DType, dtype, dtype_of
from ...ir.types.overflow import LARGEST, can_be_array, expect_numbers
from ...ir.types.shapes import element_of, shape_of
from ..boundary.errors import divisor_error, index_error, out_of_memory, place_of

Array = Any


def run_uop(function: FuncOp, arrays: Sequence[Array], params: Mapping[str, int], *, precise: bool = False) -> list[Array]:
    """The results of a function of micro-ops.

    `arrays` are the arguments in order, `params` the values of every size and `$param`. Raises IndexError for an index
    tensor out of range and ZeroDivisionError for an integer divided by zero, with the operation's source line.
    """
    return UopInterpreter(params, precise).run(version_for(function, params), arrays)


class UopInterpreter:
    """Evaluates the operations of a function in order; `values` holds the array of each tensor."""

    def __init__(self, params: Mapping[str, int], precise: bool):
        self.params = params
        self.precise = precise
        self.values: dict[SSAValue, Array] = {}

    def run(self, function: FuncOp, arrays: Sequence[Array]) -> list[Array]:
        for argument, array in zip(function.args, arrays, strict=True):
            self.values[argument] = np.asarray(array).astype(self.dtype(argument).numpy)
        results: list[Array] = []
        for op in function.body.block.ops:
            if isinstance(op, ReturnOp):
                results = [self.values[value] for value in op.operands]
            else:
                self.step(op)
        return results

    def step(self, op: Operation) -> None:
        """Evaluate an operation: its result, or a list if it has several. Raises MemoryError for a result that is too large."""
        shapes = [tuple(map(self.integer, shape_of(result))) for result in op.results]
        # For each element, NumPy computes with positions of 64 bits, and sums of them, whatever the dtype of the result is.
        if not all(can_be_array(shape, INT64) for shape in shapes):
            raise out_of_memory(shapes, place_of(op.location))
        try:
            found = self.evaluate(op)
        except MemoryError as error:
            raise out_of_memory(shapes, place_of(op.location)) from error
        self.values.update(zip(op.results, found if isinstance(found, list) else [found], strict=True))

    def dtype(self, value: SSAValue | Attribute) -> DType:
        """The dtype in which the interpreter computes an element."""
        element = dtype_of(element_of(value))
        return dtype("float64") if self.precise and element.kind == "float" else element

    def shape(self, op: uop.MicroOp) -> tuple[int, ...]:
        return tuple(self.integer(size) for size in op.shape)

    def integer(self, expr: Index) -> int:
        return int(self.at(expr, ()))

    def at(self, expr: Index, positions: Sequence[Array]) -> Array:
        """The value of an index expression whose dimensions are arrays of positions."""

        def lookup(atom: Atom) -> Array:
            return positions[atom.position] if isinstance(atom, Dim) else self.params[str(atom)]

        return expr.evaluate(lookup)

    @singledispatchmethod
    def evaluate(self, op: Operation) -> Array | list[Array]:
        raise CompileError(f"'{op.name}': expected a micro-op", op.location)

    @evaluate.register
    def _(self, op: uop.ConstantOp) -> Array:
        if isinstance(op.value, DenseIntOrFPElementsAttr):
            return elements_of(op.value).astype(self.dtype(op.result).numpy)
        return np.full(self.shape(op), value_of(op.value), self.dtype(op.result).numpy)

    @evaluate.register
    def _(self, op: uop.IotaOp) -> Array:
        shape, axis = self.shape(op), op.axis.value.data
        positions = np.arange(shape[axis]).reshape([-1 if k == axis else 1 for k in range(len(shape))])
        return cast_numpy(np.broadcast_to(positions, shape), self.dtype(op.result))

    @evaluate.register
    def _(self, op: uop.MapOp) -> Array:
        function = scalar(op.function.data)
        operands = [self.values[value] for value in op.inputs]
        if function.checks_divisor and operands[1].dtype.kind in "iu" and not np.all(operands[1]):
            raise divisor_error(place_of(op.location))
        return np.asarray(function.numpy(*operands))

    @evaluate.register
    def _(self, op: uop.CastOp) -> Array:
        return cast_numpy(self.values[op.input], self.dtype(op.result))

    @evaluate.register
    def _(self, op: uop.InterleaveOp) -> Array:
        rows = np.stack([self.values[source] for source in op.sources], axis=-2)
        kept = len(op.shape) - 1
        return rows.reshape((*rows.shape[:kept], math.prod(rows.shape[kept:])))[..., : self.integer(op.shape[-1])]

    @evaluate.register
    def _(self, op: uop.FenceOp) -> Array:
        return self.values[op.input]

    @evaluate.register
    def _(self, op: uop.ReindexOp) -> Array:
        source, shape = self.values[op.source], self.shape(op)
        positions = self.positions(op, shape)
        taking_part = self.guarded(op, positions, shape)
        access = [np.broadcast_to(self.at(expr, positions), shape) for expr in op.map.data.results]
        inside = taking_part & self.inside(access, source.shape, shape)
        if inside.all():
            return source[tuple(index.astype(np.int64) for index in access)] if access else np.full(shape, source)
        if op.fill is None:
            raise self.out_of_range(op, access, source.shape, taking_part)
        fill = np.asarray(value_of(op.fill)).astype(source.dtype)
        if 0 in source.shape:
            return np.full(shape, fill, source.dtype)
        return np.where(inside, source[tuple(np.where(inside, index, 0).astype(np.int64) for index in access)], fill)

    @evaluate.register
    def _(self, op: uop.ReduceOp) -> Array:
        value, kind = self.values[op.input], op.accumulator.data
        if kind in ARG_REDUCTIONS:
            (axis,) = op.axis_list
            return self.first_extremum(value, axis, kind)
        carried = self.carried(value, kind)
        for axis in reversed(op.axis_list):
            carried = self.fold(kind, carried, axis)
        return carried.astype(value.dtype)

    @evaluate.register
    def _(self, op: uop.ScanOp) -> Array:
        value, axis, kind = self.values[op.input], op.axis.value.data, op.accumulator.data
        ordered = np.moveaxis(self.carried(value, kind), axis, 0)
        ordered = ordered[::-1] if op.reverse.value.data else ordered
        result = np.empty_like(ordered)
        total = np.full(ordered.shape[1:], self.identity(kind, ordered.dtype), ordered.dtype)
        for k in range(len(ordered)):
            after = scalar(kind).numpy(total, ordered[k])
            result[k] = total if op.exclusive.value.data else after
            total = after
        result = result[::-1] if op.reverse.value.data else result
        return np.moveaxis(result, 0, axis).astype(value.dtype)

    @evaluate.register
    def _(self, op: uop.RecurrenceOp) -> Array:
        value, axis = self.values[op.input], op.axis.value.data
        order = slice(None, None, -1 if op.reverse.value.data else 1)
        factors, added = (
            np.moveaxis(self.carried(self.values[each], "add"), axis, 0)[order] for each in (op.factors, op.input)
        )
        result = np.empty_like(added)
        total = np.zeros(added.shape[1:], added.dtype)
        for k in range(len(added)):
            result[k] = total = factors[k] * total + added[k]
        return np.moveaxis(result[order], 0, axis).astype(value.dtype)

    @evaluate.register
    def _(self, op: uop.FoldOp) -> list[Array]:
        axis, count = op.axis.value.data, len(op.init)
        order = slice(None, None, -1 if op.reverse.value.data else 1)
        inputs = [np.moveaxis(self.values[each], axis, 0)[order] for each in op.inputs]
        carried = [self.values[each] for each in op.init]
        computed = [np.empty(inputs[0].shape, self.dtype(each).numpy) for each in op.yielded[count:]]
        for k in range(len(inputs[0])):
            elements = [each[k] for each in inputs]
            self.values.update(zip(op.body.block.args, [*carried, *elements], strict=True))
            for inner in op.statements:
                self.step(inner)
            found = [np.broadcast_to(self.values[each], inputs[0].shape[1:]) for each in op.yielded]
            carried = found[:count]
            for target, value in zip(computed, found[count:], strict=True):
                target[k] = value
        return [*carried, *(np.moveaxis(each[order], 0, axis) for each in computed)]

    @evaluate.register
    def _(self, op: uop.IterateOp) -> list[Array]:
        steps, count = range(self.integer(op.length)), len(op.init)
        stacked, shared = ([self.values[each] for each in part] for part in (op.stacked, op.shared))
        carried = [self.values[each] for each in op.init]
        computed: list[Array] = []
        for result in op.results[count:]:
            shape = tuple(map(self.integer, shape_of(result)))
            computed.append(np.empty(shape, self.dtype(result).numpy))
        for k in reversed(steps) if op.backwards else steps:
            entries = [np.asarray(each[k]) for each in stacked]
            self.values.update(zip(op.body.block.args, [*carried, *entries, *shared], strict=True))
            for inner in op.statements:
                self.step(inner)
            carried = [self.values[each] for each in op.yielded[:count]]
            for target, value in zip(computed, op.yielded[count:], strict=True):
                target[k] = self.values[value]
        return [*carried, *computed]

    @evaluate.register
    def _(self, op: uop.ScatterOp) -> Array:
        result, updates = self.values[op.init].copy(), self.values[op.updates]
        for element, target in self.updated(op, updates.shape, result.shape):
            update = updates[element]
            if op.accumulator.data != "set":
                update = scalar(op.accumulator.data).numpy(result[target], update)
            result[target] = update
        return result

    @evaluate.register
    def _(self, op: uop.ScatterRecurrenceOp) -> list[Array]:
        result, factors, added = self.values[op.init].copy(), self.values[op.factors], self.values[op.input]
        before = np.zeros_like(added)
        updated = self.updated(op, added.shape, result.shape)
        for element, target in reversed(updated) if op.reverse.value.data else updated:
            before[element] = result[target]
            result[target] = factors[element] * result[target] + added[element]
        return [result, before]

    def updated(
        self, op: uop.ScatterOp | uop.ScatterRecurrenceOp, shape: tuple[int, ...], sizes: tuple[int, ...]
    ) -> list[tuple[Array, Array]]:
        """The updates in bounds, each with the index that it updates, in row-major order."""
        positions = self.positions(op, shape)
        taking_part = self.guarded(op, positions, shape)
        access = [np.broadcast_to(self.at(expr, positions), shape) for expr in op.map.data.results]
        inside = taking_part & self.inside(access, sizes, shape)
        if op.bounds.data == "error" and not inside[taking_part].all():
            raise self.out_of_range(op, access, sizes, taking_part)
        return [(tuple(at), tuple(int(index[tuple(at)]) for index in access)) for at in np.argwhere(inside)]

    def positions(self, op: IndexedOp, shape: tuple[int, ...]) -> list[Array]:
        """The values of an access's dimensions: the indices of the domain, and the elements loaded at these. They are Python's
        integers if some number computed from them might not fit into 64 bits. Raises CompileError for an access with numbers
        beyond LARGEST.
        """
        loads = [expr for _, access in op.loads() for expr in access.results]
        for expr in (*op.map.data.results, *op.guard_exprs(), *loads):
            expect_numbers(expr, op.location)
        grid = list(np.ogrid[tuple(slice(size) for size in shape)]) if shape else []
        grid = self.widened(loads, grid)
        loaded: list[Array] = []
        for tensor, access in op.loads():
            index = tuple(np.broadcast_to(self.at(expr, grid), shape).astype(np.int64) for expr in access.results)
            array = self.values[tensor]
            empty = 0 in array.shape
            loaded.append(np.zeros(shape, np.int64) if empty else np.asarray(array[index]).astype(np.int64))
        return self.widened((*op.map.data.results, *op.guard_exprs()), grid + loaded)

    def widened(self, exprs: Sequence[Index], positions: list[Array]) -> list[Array]:
        """The positions, as Python's integers if an intermediate result of an expression might not fit into 64 bits."""

        def of_dim(position: int) -> Magnitude:
            values = positions[position]
            lowest, highest = (int(values.min()), int(values.max())) if values.size else (0, 0)
            return Magnitude.of(max(-lowest, 0), max(highest, 0))

        bounds = [bounds for expr in exprs for _, bounds in intermediates(expr, of_dim)]
        # Half of the range is left for differences of two results, by which minima and maxima are computed.
        narrow = all(self.integer(each.below + each.above) <= LARGEST // 2 for each in bounds)
        return positions if narrow else [each.astype(object) for each in positions]

    def guarded(self, op: IndexedOp, positions: Sequence[Array], shape: tuple[int, ...]) -> Array:
        result = np.ones(shape, bool)
        for guard in op.guard_exprs():
            result = result & (self.at(guard, positions) >= 0)
        return result

    @staticmethod
    def inside(access: Sequence[Array], sizes: Sequence[int], shape: tuple[int, ...]) -> Array:
        result = np.ones(shape, bool)
        for index, size in zip(access, sizes, strict=True):
            result = result & (index >= 0) & (index < size)
        return result

    @staticmethod
    def out_of_range(op: Operation, access: Sequence[Array], sizes: Sequence[int], taking_part: Array) -> IndexError:
        for index, size in zip(access, sizes, strict=True):
            wrong = taking_part & ((index < 0) | (index >= size))
            if wrong.any():
                return index_error(int(index[wrong][0]), size, place_of(op.location))
        raise AssertionError("some index is out of range")

    def carried(self, value: Array, kind: str) -> Array:
        """The array in the dtype of the accumulator: float64 for all floats, unless only their order matters."""
        is_float = value.dtype.kind not in "biu"
        return value.astype(np.float64) if is_float and kind not in ("max", "min") else value

    @staticmethod
    def identity(kind: str, of: Any) -> Any:
        identity = scalar(kind).identity
        assert identity is not None, f"'{kind}' accumulates"
        return identity(dtype(of))

    def fold(self, kind: str, value: Array, axis: int) -> Array:
        """Accumulate along one axis by halving it, which bounds the error of a sum by the logarithm of its length. As on all
        levels the result is added to the identity: a sum of -0 only is 0.
        """
        ordered = np.moveaxis(value, axis, 0)
        start = np.full(ordered.shape[1:], self.identity(kind, ordered.dtype), ordered.dtype)
        if len(ordered) == 0:
            return start
        while len(ordered) > 1:
            half = len(ordered) // 2
            folded = np.asarray(scalar(kind).numpy(ordered[:half], ordered[half : 2 * half]))
            ordered = np.concatenate([folded, ordered[2 * half :]])
        return np.asarray(scalar(kind).numpy(start, ordered[0]))

    @staticmethod
    def first_extremum(value: Array, axis: int, kind: str) -> Array:
        if value.shape[axis] == 0:
            return np.zeros(np.delete(value.shape, axis), np.int64)
        wide = value.astype(np.float64) if value.dtype.kind not in "biu" else value
        return np.asarray((np.argmax if kind == "argmax" else np.argmin)(wide, axis=axis), dtype=np.int64)
