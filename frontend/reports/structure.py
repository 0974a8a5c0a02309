"""The structure of a program on the level "loop": its number of blocks, and its temporaries."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from xdsl.dialects.func import FuncOp

from ...dialects import loop
from ...ir.types.shapes import shape_of


class Structure(NamedTuple):
    """The number of blocks and temporaries of a program after fusion and before scheduling: blocks of loops, temporaries
    between them, the rank of each of these, and the ranks of the temporaries private to an iteration."""

    blocks: int
    temporaries: int
    ranks: tuple[int, ...]
    private: tuple[int, ...] = ()


def structure_of(function: FuncOp) -> Structure:
    """The structure of a function with its callees."""
    blocks = sum(isinstance(op, loop.BlockOp) for each in _run_by(function) for op in each.body.block.ops)
    ranks = {True: list[int](), False: list[int]()}
    for op, private in allocations(function):
        ranks[private].append(len(shape_of(op.result)))
    return Structure(blocks, len(ranks[False]), tuple(ranks[False]), tuple(ranks[True]))


def allocations(function: FuncOp) -> Iterator[tuple[loop.AllocOp, bool]]:
    """The temporaries, and whether they are private to an iteration."""
    for each in _run_by(function):
        for op in each.walk():
            if isinstance(op, loop.AllocOp):
                yield op, op.parent_op() is not each


def _run_by(function: FuncOp) -> Iterator[FuncOp]:
    """A function and its callees, once for each call."""
    yield function
    for op in function.body.block.ops:
        if isinstance(op, loop.RunOp):
            yield from _run_by(op.callee)
