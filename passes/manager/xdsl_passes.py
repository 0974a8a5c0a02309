"""xDSL's passes, run unchanged: the sources of their operations are inferred from the data flow.

Such a pass does not track sources. Compare the module before and after it:

1. If an operand of a surviving operation was defined by an erased operation and is now defined by a new one, the new one is
   derived from the erased one.
2. A new operation without sources gets those of the new operations that use its results,
3. or else those of the operations that define its operands,
4. or else that of its parent operation.
"""

from __future__ import annotations

from collections.abc import Iterable

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation, OpResult
from xdsl.passes import ModulePass

from ...ir.locations import fuse, is_known
from ...ir.rewrite import derive, record_erasure

Sources = dict[Operation, dict[Operation, None]]


def apply_foreign(pass_: ModulePass, ctx: Context, module: ModuleOp) -> None:
    """Run a pass of xDSL's and derive each operation that it creates from operations that existed before."""
    before = {op: _definers(op) for op in module.walk()}
    pass_.apply(ctx, module)
    after = list(module.walk())
    sources = _infer(before, after)
    alive = set(after)
    # Inner operations first: deriving an operation gives its sources to operations inside it that have none.
    for op in reversed(after):
        if op in before:
            continue
        stated = op.location
        derive(op, tuple(sources[op]))
        if is_known(stated):
            op.location = stated
    for op in before:
        if op not in alive and op.parent is None:
            record_erasure(op)
    _fill_unknown(after)


def _infer(before: dict[Operation, tuple[Operation | None, ...]], after: list[Operation]) -> Sources:
    alive = set(after)
    sources: Sources = {op: {} if op not in before else {op: None} for op in after}
    for user in after:
        for old, new in zip(before.get(user, ()), _definers(user), strict=False):
            if old is not None and old not in alive and new is not None and new not in before:
                sources[new][old] = None
    for op in reversed(after):
        if not sources[op]:
            users = dict.fromkeys(use.operation for result in op.results for use in result.uses)
            _extend(sources, op, (user for user in users if user not in before))
    for op in after:
        if not sources[op]:
            _extend(sources, op, (each for each in _definers(op) if each is not None))
        parent = op.parent_op()
        if not sources[op] and parent is not None:
            _extend(sources, op, (parent,))
    return sources


def _extend(sources: Sources, op: Operation, others: Iterable[Operation]) -> None:
    for other in others:
        sources[op].update(sources.get(other, {}))


def _definers(op: Operation) -> tuple[Operation | None, ...]:
    return tuple(operand.op if isinstance(operand, OpResult) else None for operand in op.operands)


def _fill_unknown(after: list[Operation]) -> None:
    """Give operations whose inferred sources have no location the location of their parent."""
    for op in after:
        parent = op.parent_op()
        if not is_known(op.location) and parent is not None:
            op.location = fuse((parent.location,))
