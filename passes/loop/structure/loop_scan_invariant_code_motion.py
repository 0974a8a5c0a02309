"""loop-scan-invariant-code-motion: hoist nests that are the same in every step of a scan before its first step.

    step(a, w, next):                              p = panels of w
      p = panels of w                              loop.iterate @step ... with (%w, %p)
      next = product of a and p            ->      step(a, w, p, next):
    loop.iterate @step ... with (%w)                 next = product of a and p

1. Hoist a nest of the step if it reads only buffers that all steps share and temporaries of hoisted nests, and writes
   temporaries without other writes. Constants and alignments of such buffers are computed before the scan too. A nest with a
   check stays: a scan without steps must not check.
2. Move the temporaries that a hoisted nest writes out of the step; all steps share them.
3. Visit functions in the order of the module, callees before the functions that run them, so that nests invariant in nested
   scans leave both.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import FunctionType, IntegerAttr, ModuleOp, i64
from xdsl.dialects.func import FuncOp
from xdsl.ir import Operation, SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint

from ....dialects import loop
from ....ir.functions.entry import input_count, lowered_functions
from ....ir.rewrite import Builder, count, erase, replace


@dataclass(frozen=True)
class LoopScanInvariantCodeMotion(ModulePass):
    name = "loop-scan-invariant-code-motion"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        functions = lowered_functions(op)
        runs = [each for function in functions for each in function.body.block.ops if isinstance(each, loop.IterateOp)]
        times = Counter(each.function for each in runs)
        for each in runs:
            if times[each.function] == 1:
                _Steps(each).hoist()


class _Steps:
    """The steps of one operation. `outside` maps the buffers that are the same in all steps to those in the caller."""

    def __init__(self, op: loop.IterateOp):
        self.op, self.step = op, op.callee
        self.first = len(op.init) + len(op.stacked)
        self.outside: dict[SSAValue, SSAValue] = dict(zip(op.shared_arguments, op.shared, strict=True))
        self.added: list[SSAValue] = []

    def hoist(self) -> None:
        for block in [each for each in self.step.body.block.ops if isinstance(each, loop.BlockOp)]:
            for nest in [each for each in block.body.block.ops if isinstance(each, loop.ForOp)]:
                temporaries = _temporaries(nest, self.outside)
                if temporaries is not None:
                    self._move(nest, temporaries)
            if not block.body.block.ops:
                erase(block)
        if self.added:
            self._pass_buffers()

    def _move(self, nest: loop.ForOp, temporaries: Sequence[loop.AllocOp]) -> None:
        """Move a nest, with the temporaries that it writes, before the scan."""
        builder = Builder(InsertPoint.before(self.op))
        inside: dict[SSAValue, SSAValue] = dict(self.outside)
        for each in temporaries:
            argument = self.step.body.block.insert_arg(each.result.type, self.first + len(self.op.shared) + len(self.added))
            each.result.replace_all_uses_with(argument)
            each.detach()
            with builder.source(each):
                builder.add(each)
            self.outside[argument] = inside[argument] = each.result
            self.added.append(each.result)
        with builder.source(nest):
            block = builder.add(loop.BlockOp())
        within = Builder(block.body.block, nest)
        for op in _scalars(nest):
            copy = op.clone(inside)
            with within.source(op):
                within.add(copy)
            inside[op.results[0]] = copy.results[0]
        nest.detach()
        for op in nest.walk():
            op.operands = [inside.get(operand, operand) for operand in op.operands]
        within.add(nest)
        count("nests-hoisted", "Number of nests hoisted out of scans")

    def _pass_buffers(self) -> None:
        """Add the new buffers to the arguments of the steps."""
        op, step = self.op, self.step
        taken = input_count(step)
        assert taken is not None, "the function's tensors have become buffers"
        step.attributes["sw.inputs"] = IntegerAttr(taken + len(self.added), i64)
        step.function_type = FunctionType.from_lists([each.type for each in step.args], step.function_type.outputs.data)
        name, carried = op.function.root_reference.data, (op.init, op.last, op.spare)
        shared = [*op.shared, *self.added]
        replace(op, [loop.IterateOp(name, op.length, op.backwards, carried, op.stacked, shared, op.into)])


def _temporaries(nest: loop.ForOp, outside: Mapping[SSAValue, SSAValue]) -> list[loop.AllocOp] | None:
    """The buffers that a nest fills for all steps; None if it does anything else."""
    inner = set(nest.walk())
    written = {op.buffer for op in inner if isinstance(op, loop.StoreOp | loop.UpdateOp) and not _is_inside(op.buffer, inner)}
    found = [each.owner for each in written if isinstance(each.owner, loop.AllocOp) and _is_written_by(each, inner)]
    if not written or len(found) < len(written) or nest.results or any(isinstance(op, loop.CheckOp) for op in inner):
        return None
    scalars = _scalars(nest)
    inner |= set(scalars)
    taken = {operand for op in inner for operand in op.operands if not _is_inside(operand, inner)}
    return sorted(found, key=_position) if taken <= written | outside.keys() else None


def _scalars(nest: loop.ForOp) -> list[Operation]:
    """The operations beside a nest that compute constants and alignments for it."""
    inner = set(nest.walk())
    owners = dict.fromkeys(operand.owner for op in nest.walk() for operand in op.operands if not _is_inside(operand, inner))
    return [owner for owner in owners if isinstance(owner, loop.ConstantOp | loop.MisalignmentOp)]


def _is_inside(value: SSAValue, inner: set[Operation]) -> bool:
    owner = value.owner if isinstance(value.owner, Operation) else value.owner.parent_op()
    return owner in inner


def _is_written_by(buffer: SSAValue, inner: set[Operation]) -> bool:
    """Whether all writes of a buffer are among some operations."""
    return all(use.operation in inner or _reads(use.operation, buffer) for use in buffer.uses)


def _reads(op: Operation, buffer: SSAValue) -> bool:
    """Whether an operation only reads a buffer."""
    return isinstance(op, loop.LoadOp) or (isinstance(op, loop.RunOp) and buffer not in op.writes)


def _position(op: Operation) -> int:
    block = op.parent
    assert block is not None and isinstance(block.parent_op(), FuncOp), "buffers of a call are allocated in its function"
    return block.get_operation_index(op)
