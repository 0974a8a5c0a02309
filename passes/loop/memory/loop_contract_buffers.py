"""loop-contract-buffers: contract a temporary that is written and read within one iteration to the size that one iteration
needs.

    %e = loop.alloc : memref<n x m>           loop.for "parallel" %i {
    loop.for "parallel" %i {                    %e = loop.alloc "thread" : memref<m>
      loop.for %j { e[i, j] = ... }      ->     loop.for %j { e[j] = ... }
      loop.for %j { ... = e[i, j] }             loop.for %j { ... = e[j] }
    }                                         }

An axis is contracted if every access addresses it by the index of one and the same loop that encloses all accesses. The buffer
moves into the innermost of these loops, as far as they are consecutive from the outermost one: then no iteration can observe
the writes of another. A temporary whose columns are reduced stays whole where the reductions move fewer cache lines row by row
(`analysis/cost.py`): contracted to a column, it would keep `loop-interchange` from that order.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation, SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint

from ....dialects import loop
from ....ir.functions.entry import lowered_functions
from ....ir.index.expressions import Index, dim
from ....ir.nesting import operations
from ....ir.rewrite import Builder, count, erase, replace
from ....ir.types.shapes import element_of, memref_type, shape_of
from ...analysis.cost import Level, gains_inside
from ...analysis.loop_nests import Access, AccessOp, Frame
from ...analysis.producers import enclosing
from ...analysis.reductions import carrying, statements


@dataclass(frozen=True)
class LoopContractBuffers(ModulePass):
    name = "loop-contract-buffers"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for function in lowered_functions(op):
            # Whether temporaries of a loop over columns stay whole: the answer is cached, since each temporary needs it.
            whole: dict[loop.ForOp, bool] = {}
            for each in list(function.body.block.ops):
                if isinstance(each, loop.AllocOp):
                    shrink(each, whole)


def shrink(alloc: loop.AllocOp, whole: dict[loop.ForOp, bool]) -> None:
    """Move a temporary into the loops whose iterations it need not outlive."""
    accesses = [use.operation for use in alloc.result.uses]
    if not all(isinstance(op, AccessOp) for op in accesses) or not accesses:
        return
    common = _common_loops(accesses)
    if not common:
        return
    frame = Frame()
    addresses = [frame.exprs(op) for op in accesses if isinstance(op, AccessOp)]
    run, axes = _contracted_loops(common, addresses, frame)
    if not run:
        return
    inner = run[-1].body.block
    assert inner.first_op is not None, "a loop's body ends with loop.yield"
    kept = [axis for axis in range(len(addresses[0])) if axis not in axes]
    if kept:
        if run[-1] not in whole:
            whole[run[-1]] = _gains_from_rows(run[-1], frame)
        if whole[run[-1]]:
            return
    shape = shape_of(alloc.result)
    builder = Builder(InsertPoint.before(inner.first_op), alloc)
    kind = memref_type([shape[axis] for axis in kept], element_of(alloc.result))
    private = builder.add(loop.AllocOp(kind, "thread")).result
    private.name_hint = alloc.result.name_hint
    for op in accesses:
        assert isinstance(op, AccessOp), "only accesses were admitted"
        readdress(op, private, [op.index_map.results[axis] for axis in kept])
    count("temporaries-shrunk", "Number of temporaries made private to an iteration")
    erase(alloc)


def _gains_from_rows(level: loop.ForOp, frame: Frame) -> bool:
    """Whether a loop over columns holds reductions that move fewer cache lines with the loop inside of them, or as many lines
    in sequence."""
    around = [frame.number(each.induction) for each in _enclosing(level)]
    frame.enter(level)
    for op in statements(level):
        if not isinstance(op, loop.ForOp) or not op.carried:
            continue
        levels = carrying(op)
        for each in levels:
            frame.enter(each)
        accesses = [Access.of(inner, frame) for inner in operations(levels[-1].body) if isinstance(inner, AccessOp)]
        if gains_inside(accesses, Level.of(level, frame), [Level.of(each, frame) for each in levels], frame, around):
            return True
    return False


def readdress(op: AccessOp, buffer: SSAValue, exprs: Sequence[Index]) -> None:
    """Redirect an access to another buffer, at expressions over its own operands."""
    match op:
        case loop.LoadOp():
            new = loop.LoadOp(buffer, exprs, op.operands_at, op.guard_exprs, op.fill)
        case loop.StoreOp():
            new = loop.StoreOp(op.value, buffer, exprs, op.operands_at, op.guard_exprs)
        case loop.UpdateOp():
            new = loop.UpdateOp(op.accumulator.data, op.value, buffer, exprs, op.operands_at, op.guard_exprs)
    replace(op, [new])


def _common_loops(accesses: Sequence[Operation]) -> list[loop.ForOp]:
    """The loops that enclose all of the operations, from outside in."""
    chains = [_enclosing(op) for op in accesses]
    common: list[loop.ForOp] = []
    for levels in zip(*chains, strict=False):
        if any(level is not levels[0] for level in levels):
            break
        common.append(levels[0])
    return common


def _enclosing(op: Operation) -> list[loop.ForOp]:
    """The loops that enclose an operation, from outside in, across branches."""
    return [level for level in enclosing(op) if isinstance(level, loop.ForOp)][::-1]


def _contracted_loops(
    loops: Sequence[loop.ForOp], addresses: Sequence[tuple[Index, ...]], frame: Frame
) -> tuple[list[loop.ForOp], set[int]]:
    """The consecutive loops, from the outermost inwards, whose index is an axis of every address, and those axes."""
    run: list[loop.ForOp] = []
    axes: set[int] = set()
    for level in loops:
        wanted = dim(frame.number(level.induction))
        axis = next((k for k, expr in enumerate(addresses[0]) if expr == wanted), None)
        if axis is None or level.carried or any(address[axis] != wanted for address in addresses):
            break
        run.append(level)
        axes.add(axis)
    return run, axes
