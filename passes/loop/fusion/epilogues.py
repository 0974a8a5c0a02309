"""What is made of a contraction's result element by element, and of nothing else: it belongs into the contraction's own block.

    block: h[i, j] = sum over k of x[i, k] * w[k, j]           block: t[i, j] = relu(sum over k of x[i, k] * w[k, j] + b[j])
    block: t[i, j] = relu(h[i, j] + b[j])                ->    block: y[i, l] = sum over j of t[i, j] * v[j, l]
    block: y[i, l] = sum over j of t[i, j] * v[j, l]

There it is computed once, in registers, and in the place of the result one temporary is stored that is as large. Where it is
read, it would be computed again for each block of `l`, and by each reader.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Set

from xdsl.ir import SSAValue

from ....dialects import loop
from ....ir.nesting import operations
from ...analysis.producers import Plan, enclosing, is_plain, producer_of, written_in


def finished_by(block: loop.BlockOp, plan: Plan) -> Iterator[SSAValue]:
    """The temporaries that hold what becomes of the results of a block, once it takes in what is planned, if it is a
    contraction."""
    if _is_contraction(block, plan):
        yield from (end for buffer in written_in(block) for end in _finished(buffer))


def _is_contraction(block: loop.BlockOp, plan: Plan) -> bool:
    """Whether two reads inside a reduction are each used again along a parallel loop that tells the other's elements apart,
    once what the block takes in is there."""
    loops = [op for op in operations(block) if isinstance(op, loop.ForOp)]
    parallel = {level.induction for level in loops if level.kind.data == "parallel"}
    reduced = {level.induction for level in loops if level.kind.data == "reduction"}
    reads = _reads(block, plan, parallel | reduced) if reduced else set()
    missing = [parallel - read for read in reads if read & reduced]
    return any(a - b and b - a for k, a in enumerate(missing) for b in missing[:k])


def _reads(block: loop.BlockOp, plan: Plan, loops: Set[SSAValue]) -> Set[frozenset[SSAValue]]:
    """For each load of a block, and of what it takes in, the loops that the address depends on."""
    found: set[frozenset[SSAValue]] = set()
    around: Mapping[SSAValue, Set[SSAValue]] = {value: {value} for value in loops}
    pending = [(op, around) for op in operations(block) if isinstance(op, loop.LoadOp)]
    while pending:
        load, known = pending.pop()
        axes = [
            {value for position in expr.dims() for value in known.get(load.operands_at[position], ())}
            for expr in load.index_map.results
        ]
        read = plan.get(load)
        if read is None:
            found.add(frozenset().union(*axes))
            continue
        inside = {index: axis for index, axis in zip(read.producer.indices, axes, strict=True) if index is not None}
        pending += [(op, inside) for op in read.producer.statements if isinstance(op, loop.LoadOp)]
    return found


def _finished(buffer: SSAValue) -> set[SSAValue]:
    """The temporary that holds what becomes of another one element by element, where nothing else is read of that."""
    ends: set[SSAValue] = set()
    seen, pending = {buffer}, [buffer]
    while pending:
        at = pending.pop()
        following = _made_of(at)
        if not following:
            ends.add(at)
        pending += following - seen
        seen |= following
    return ends if len(ends) == 1 and buffer not in ends else set()


def _made_of(buffer: SSAValue) -> Set[SSAValue]:
    """The temporaries that blocks compute of another one's elements, each at the same place; none where it is read otherwise
    too."""
    readers = [use.operation for use in buffer.uses if not isinstance(use.operation, loop.StoreOp)]
    found = [_made_from(op) if isinstance(op, loop.LoadOp) else None for op in readers]
    return {each for each in found if each is not None} if None not in found else set()


def _made_from(load: loop.LoadOp) -> SSAValue | None:
    block = next((op for op in enclosing(load) if isinstance(op, loop.BlockOp)), None)
    if block is None or not is_plain(load):
        return None
    written = written_in(block)
    producer = producer_of(written[0], None, {}) if len(written) == 1 else None
    return written[0] if producer is not None and producer.indices == load.operands_at else None
