"""Bodies of micro-ops that carry values along: copies of them, and what they carry."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from xdsl.ir import Block, SSAValue

from ..dialects import uop
from .uop_writer import Emit


def copy_body(op: uop.FoldOp | uop.IterateOp, arguments: Sequence[SSAValue], emit: Emit) -> dict[SSAValue, SSAValue]:
    """Copy the body's operations for these arguments. Gives the copies of its values."""
    values: dict[SSAValue, SSAValue] = dict(zip(op.body.block.args, arguments, strict=True))
    asking = emit.builder.sources
    for each in op.statements:
        with emit.builder.source(each, *asking):
            copied = emit.builder.add(each.clone(values))
        values.update(zip(each.results, copied.results, strict=True))
    return values


def carried_before(op: uop.FoldOp | uop.IterateOp, emit: Emit, run: Callable[[Block], Sequence[SSAValue]]) -> list[SSAValue]:
    """What is carried to each turn: results of the operation, or else of another one that computes just them, which `run` makes
    of a body."""
    yielded, count = list(op.yielded), len(op.init)
    if all(each in yielded[count:] for each in op.carried_args):
        return [op.results[yielded.index(each, count)] for each in op.carried_args]
    body = Block(arg_types=[each.type for each in op.body.block.args])
    with emit.builder.at(body):
        values = copy_body(op, body.args, emit)
        emit.builder.add(uop.YieldOp(*(values[each] for each in yielded[:count]), *body.args[:count]))
    return list(run(body))[count:]
