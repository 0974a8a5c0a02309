"""Epilogues of contractions: elementwise consumers of a contraction's result, which stay in the contraction's own block.

    block: h[i, j] = sum over k of x[i, k] * w[k, j]           block: t[i, j] = relu(sum over k of x[i, k] * w[k, j] + b[j])
    block: t[i, j] = relu(h[i, j] + b[j])                ->    block: y[i, l] = sum over j of t[i, j] * v[j, l]
    block: y[i, l] = sum over j of t[i, j] * v[j, l]

In the contraction's block the epilogue is computed once, in registers, and stored to one temporary of the same size as the
contraction's result, which is not stored. Inlined into its readers, it would be computed again for each block of `l`, and by
each reader.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Set

from xdsl.ir import Operation, SSAValue

from ....dialects import loop
from ....ir.nesting import operations
from ...analysis.producers import Plan, enclosing, is_plain, producer_of, written_in


def finished_by(block: loop.BlockOp, plan: Plan) -> Iterator[SSAValue]:
    """The temporaries at the end of the elementwise chains on the results of a block, if it is a contraction once the planned
    producers are inlined."""
    if is_contraction(block, plan):
        yield from (end for buffer in written_in(block) for end in _end_of_chain(buffer))


def is_contraction(block: loop.BlockOp, plan: Plan) -> bool:
    """Whether two reads inside a reduction each lack a parallel index that the other's address has, so that both are reused.
    Reads of inlined producers count."""
    loops = [op for op in operations(block) if isinstance(op, loop.ForOp)]
    parallel = {level.induction for level in loops if level.kind.data == "parallel"}
    reduced = {level.induction for level in loops if level.kind.data == "reduction"}
    reads = _reads(block, plan, parallel | reduced) if reduced else set()
    missing = [parallel - read for read in reads if read & reduced]
    return any(a - b and b - a for k, a in enumerate(missing) for b in missing[:k])


def _reads(block: loop.BlockOp, plan: Plan, loops: Set[SSAValue]) -> Set[frozenset[SSAValue]]:
    """For each load of a block and of its inlined producers, the loops that its address depends on: by its indices, and by the
    indices of loaded values in them."""
    found: set[frozenset[SSAValue]] = set()
    pending = list(_with_axes(operations(block), {value: {value} for value in loops}))
    while pending:
        load, axes = pending.pop()
        read = plan.get(load)
        if read is None:
            found.add(frozenset().union(*axes))
            continue
        inside = {index: axis for index, axis in zip(read.producer.indices, axes, strict=True) if index is not None}
        pending += _with_axes(read.producer.statements, inside)
    return found


def _with_axes(
    ops: Iterable[Operation], known: Mapping[SSAValue, Set[SSAValue]]
) -> Iterator[tuple[loop.LoadOp, list[Set[SSAValue]]]]:
    """The loads among operations, each with the loops that its indices depend on; `known` has the loops that values depend
    on."""
    around = dict(known)
    for op in ops:
        if isinstance(op, loop.LoadOp):
            axes: list[Set[SSAValue]] = [
                {value for position in expr.dims() for value in around.get(op.operands_at[position], ())}
                for expr in op.index_map.results
            ]
            yield op, axes
        if not op.regions:
            used = frozenset().union(*(around.get(operand, ()) for operand in op.operands))
            around.update(dict.fromkeys(op.results, used))


def _end_of_chain(buffer: SSAValue) -> set[SSAValue]:
    """The temporary at the end of the elementwise chains from a buffer, if there is only one; else nothing."""
    ends: set[SSAValue] = set()
    seen, pending = {buffer}, [buffer]
    while pending:
        at = pending.pop()
        following = _elementwise_results(at)
        if not following:
            ends.add(at)
        pending += following - seen
        seen |= following
    return ends if len(ends) == 1 and buffer not in ends else set()


def _elementwise_results(buffer: SSAValue) -> Set[SSAValue]:
    """The temporaries that blocks compute elementwise from a buffer, at the same indices; empty if it has any other reader."""
    readers = [use.operation for use in buffer.uses if not isinstance(use.operation, loop.StoreOp)]
    found = [_elementwise_result(op) if isinstance(op, loop.LoadOp) else None for op in readers]
    return {each for each in found if each is not None} if None not in found else set()


def _elementwise_result(load: loop.LoadOp) -> SSAValue | None:
    block = next((op for op in enclosing(load) if isinstance(op, loop.BlockOp)), None)
    if block is None or not is_plain(load):
        return None
    written = written_in(block)
    producer = producer_of(written[0], None, {}) if len(written) == 1 else None
    return written[0] if producer is not None and producer.indices == load.operands_at else None
