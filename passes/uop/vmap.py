"""Batching: rewrites a function of single entries for a whole batch, each micro-op of its body for all entries at once.

A value that depends on the entry has the batch as its first axis; other values are unchanged, and broadcast only where they
meet such a value. The rules of `batched` cover all micro-ops: higher-level operations and gradients in the body are expanded to
micro-ops beforehand.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import singledispatch

from xdsl.ir import Attribute, Block, Operation, SSAValue
from xdsl.rewriter import InsertPoint

from ...dialects import autodiff, host, uop
from ...dialects.uop.folds import entry_type
from ...dialects.uop.indexed import IndexedOp
from ...ir.diagnostics import CompileError
from ...ir.index.expressions import Index, dim
from ...ir.rewrite import Builder
from ...ir.types.shapes import IndexMap, element_of, shape_of, tensor_type
from .builder import Emit


def over_batch(op: autodiff.VmapOp) -> list[SSAValue]:
    """Write the operations of a mapped function before it. Returns its results."""
    batch = Batch(op.size, Builder(InsertPoint.before(op), op))
    batch.values.update(zip(op.body.block.args, op.inputs, strict=True))
    batch.write(op.body.block)
    return [batch.whole(each) for each in op.yielded]


class Batch:
    """Writes operations for `size` entries; `values` maps each value that depends on the entry to its batched form."""

    def __init__(self, size: Index, builder: Builder):
        self.size = size
        self.builder = builder
        self.emit = Emit(builder)
        self.values: dict[SSAValue, SSAValue] = {}

    def write(self, body: Block) -> None:
        """Write the batched operations of a body, except its terminator."""
        for op in list(body.ops)[:-1]:
            with self.builder.source(op):
                if not any(operand in self.values for inner in op.walk() for operand in inner.operands):
                    op.detach()
                    self.builder.add(op)
                    continue
                self.values.update(zip(op.results, batched(op, self), strict=True))

    def add(self, op: Operation) -> Sequence[SSAValue]:
        """The results of a new operation."""
        return self.builder.add(op).results

    def known(self, value: SSAValue) -> SSAValue:
        """The batched form of a value, or the value itself if it is the same for all entries."""
        return self.values.get(value, value)

    def whole(self, value: SSAValue) -> SSAValue:
        """The batched form of a value, broadcast if it is the same for all entries."""
        if value in self.values:
            return self.values[value]
        shape = shape_of(value)
        return self.emit.reindex(value, (self.size, *shape), [dim(axis + 1) for axis in range(len(shape))])

    def at(self, value: SSAValue, access: IndexMap) -> Sequence[Index]:
        """The batched indices of a read, given those for one entry."""
        return (dim(0), *_moved(access)) if value in self.values else _moved(access)

    def loads(self, op: IndexedOp) -> list[tuple[SSAValue, Sequence[Index]]]:
        """The index tensors, each with the indices at which it is read."""
        return [(self.known(tensor), self.at(tensor, access)) for tensor, access in op.loads()]

    def moved(self, value: SSAValue, axis: int, to: int) -> SSAValue:
        """The value with one axis moved."""
        shape = list(shape_of(value))
        shape.insert(to, shape.pop(axis))
        at = list(map(dim, range(len(shape))))
        at.insert(axis, at.pop(to))
        return self.emit.reindex(value, shape, at)

    def body(
        self,
        op: autodiff.FunctionRequest | uop.IterateOp,
        types: Sequence[Attribute],
        depends: Sequence[bool],
        end: type[autodiff.YieldOp | uop.YieldOp] = autodiff.YieldOp,
    ) -> Block:
        """The batched body of an operation; `depends` marks the arguments with the batch axis."""
        inner = Block(arg_types=types)
        for old, new, is_whole in zip(op.body.block.args, inner.args, depends, strict=True):
            if is_whole:
                self.values[old] = new
            else:
                old.replace_all_uses_with(new)
        with self.builder.at(inner):
            self.write(op.body.block)
            last = op.body.block.last_op
            assert last is not None, "a body has a terminator"
            with self.builder.source(last):
                self.builder.add(end(*(self.whole(each) for each in op.yielded)))
        return inner


@singledispatch
def batched(op: Operation, batch: Batch) -> Sequence[SSAValue]:
    """The batched results of an operation, some of whose operands depend on the entry."""
    raise CompileError(f"'{op.name}' cannot be mapped over: expected micro-ops", op.location)


@batched.register
def _(op: host.CallOp, batch: Batch) -> Sequence[SSAValue]:
    """The host calls the function for each entry."""
    inputs = [batch.known(each) for each in op.inputs]
    mapped = [number for number, each in enumerate(op.inputs) if each in batch.values]
    types = [tensor_type([batch.size, *shape_of(each)], element_of(each)) for each in op.results]
    return batch.add(host.CallOp(op.function.data, inputs, types, op.overwritten, [mapped, *op.batches]))


@batched.register
def _(op: autodiff.IdentityRequest, batch: Batch) -> Sequence[SSAValue]:
    return batch.add(type(op)(batch.values[op.input]))


@batched.register
def _(op: uop.MapOp, batch: Batch) -> Sequence[SSAValue]:
    return batch.add(uop.MapOp(op.function.data, *map(batch.whole, op.inputs)))


@batched.register
def _(op: uop.CastOp, batch: Batch) -> Sequence[SSAValue]:
    return [batch.emit.cast(batch.values[op.input], element_of(op.result))]


@batched.register
def _(op: uop.FenceOp, batch: Batch) -> Sequence[SSAValue]:
    return batch.add(uop.FenceOp(batch.whole(op.input), [batch.known(each) for each in op.after]))


@batched.register
def _(op: uop.ReduceOp, batch: Batch) -> Sequence[SSAValue]:
    return batch.add(uop.ReduceOp(op.accumulator.data, batch.values[op.input], [axis + 1 for axis in op.axis_list]))


@batched.register
def _(op: uop.ScanOp, batch: Batch) -> Sequence[SSAValue]:
    axis, reverse, exclusive = op.axis.value.data + 1, bool(op.reverse.value.data), bool(op.exclusive.value.data)
    return batch.add(uop.ScanOp(op.accumulator.data, batch.values[op.input], axis, reverse=reverse, exclusive=exclusive))


@batched.register
def _(op: uop.RecurrenceOp, batch: Batch) -> Sequence[SSAValue]:
    axis, reverse = op.axis.value.data + 1, bool(op.reverse.value.data)
    return batch.add(uop.RecurrenceOp(batch.whole(op.factors), batch.whole(op.input), axis, reverse=reverse))


@batched.register
def _(op: uop.ReindexOp, batch: Batch) -> Sequence[SSAValue]:
    source, shape = batch.known(op.source), (batch.size, *op.shape)
    at, guards = batch.at(op.source, op.map.data), _guards(op)
    return batch.add(uop.ReindexOp(source, shape, at, indices=batch.loads(op), guards=guards, fill=op.fill))


@batched.register
def _(op: uop.ScatterOp, batch: Batch) -> Sequence[SSAValue]:
    init, updates = batch.whole(op.init), batch.whole(op.updates)
    at = [dim(0), *_moved(op.map.data)]
    made = uop.ScatterOp(
        op.accumulator.data, init, updates, at, indices=batch.loads(op), guards=_guards(op), bounds=op.bounds.data
    )
    return batch.add(made)


@batched.register
def _(op: uop.ScatterRecurrenceOp, batch: Batch) -> Sequence[SSAValue]:
    init, factors, added = map(batch.whole, (op.init, op.factors, op.input))
    at, reverse, bounds = [dim(0), *_moved(op.map.data)], bool(op.reverse.value.data), op.bounds.data
    made = uop.ScatterRecurrenceOp(
        init, factors, added, at, indices=batch.loads(op), guards=_guards(op), bounds=bounds, reverse=reverse
    )
    return batch.add(made)


@batched.register
def _(op: uop.FoldOp, batch: Batch) -> Sequence[SSAValue]:
    body, axis = op.body.block, op.axis.value.data + 1
    inputs, init = ([batch.whole(each) for each in part] for part in (op.inputs, op.init))
    op.body.detach_block(body)
    return batch.add(uop.FoldOp(inputs, init, axis, body, reverse=bool(op.reverse.value.data)))


@batched.register
def _(op: uop.IterateOp, batch: Batch) -> Sequence[SSAValue]:
    """All carries get the batch axis; stacked values have the steps as first axis and the batch as second."""
    count = len(op.init)
    init, shared = [batch.whole(each) for each in op.init], [batch.known(each) for each in op.shared]
    stacked = [batch.moved(batch.values[each], 0, 1) if each in batch.values else each for each in op.stacked]
    types = [*(each.type for each in init), *map(entry_type, stacked), *(each.type for each in shared)]
    depends = [*(True for _ in init), *(each in batch.values for each in (*op.stacked, *op.shared))]
    body = batch.body(op, types, depends, uop.YieldOp)
    found = batch.add(uop.IterateOp(init, stacked, shared, op.length, body, reverse=op.backwards))
    return [*found[:count], *(batch.moved(each, 0, 1) for each in found[count:])]


@batched.register
def _(op: uop.InterleaveOp, batch: Batch) -> Sequence[SSAValue]:
    return batch.add(uop.InterleaveOp([batch.whole(each) for each in op.sources], [batch.size, *op.shape]))


@batched.register
def _(op: autodiff.CustomOp, batch: Batch) -> Sequence[SSAValue]:
    primal, forward, inputs = ([batch.whole(each) for each in part] for part in (op.primal, op.forward, op.inputs))
    body = batch.body(op, [each.type for each in primal], [True] * len(primal))
    return batch.add(autodiff.CustomOp(primal, forward, inputs, body))


@batched.register
def _(op: autodiff.CheckpointOp, batch: Batch) -> Sequence[SSAValue]:
    inputs = [batch.known(each) for each in op.inputs]
    body = batch.body(op, [each.type for each in inputs], [each in batch.values for each in op.inputs])
    return batch.add(autodiff.CheckpointOp(inputs, body))


def _moved(access: IndexMap) -> tuple[Index, ...]:
    """The results of a map with a new dimension 0, the batch."""
    return access.apply([dim(k + 1) for k in range(access.dims)])


def _guards(op: IndexedOp) -> tuple[Index, ...]:
    return _moved(IndexMap.of(op.map.data.dims, op.guard_exprs()))
