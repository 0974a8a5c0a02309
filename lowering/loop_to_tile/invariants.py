"""Loop-invariant code motion in kernels: values that do not change in a loop are computed and loaded once, before it."""

from __future__ import annotations

from xdsl.ir import Block, Operation, SSAValue
from xdsl.traits import Pure

from ...dialects import tile


def hoist_invariants(body: Block) -> None:
    """Move loop-invariant operations out of loops, loads only if the kernel does not write the buffer. Loads are masked to
    elements in bounds, so that they may run even if the loop does not.
    """
    written = {op.buffer for op in body.walk() if isinstance(op, tile.StoreOp | tile.AtomicOp)}
    for op in list(body.ops):
        if isinstance(op, tile.ForOp):
            _hoist(op, written)


def _hoist(level: tile.ForOp, written: set[SSAValue]) -> None:
    inside = level.body.block
    for op in list(inside.ops):
        if isinstance(op, tile.ForOp):
            _hoist(op, written)
    changing: set[SSAValue] = {*inside.args}
    for op in list(inside.ops):
        movable = op.has_trait(Pure) or (isinstance(op, tile.LoadOp) and op.buffer not in written)
        if movable and not changing.intersection(op.operands):
            op.detach()
            _parent(level).insert_op_before(op, level)
        else:
            changing.update(op.results)


def _parent(op: Operation) -> Block:
    assert op.parent is not None, "a loop stands in a body"
    return op.parent
