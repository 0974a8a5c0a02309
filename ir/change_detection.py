"""Change detection for operations: records what a module consists of, and compares it with an earlier record. Callers can then
reuse results for an unchanged module, or rebuild a former state of it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TypeAlias

from xdsl.dialects.builtin import LocationAttr
from xdsl.ir import Attribute, Block, BlockArgument, Operation, SSAValue

# The keys of a mapping, and then its values.
Entries: TypeAlias = tuple[str | Attribute, ...]
Names: TypeAlias = tuple[str | None, ...]
# A block with its name, and its arguments with their types and names.
BlockParts: TypeAlias = tuple[Block, str | None, tuple[BlockArgument, ...], tuple[Attribute, ...], Names]
# What an operation consists of: itself, its block, location, operands, properties, attributes, successors, results with their
# types and names, and the blocks of each region. A plain tuple: there is one for each operation after each pass.
Parts: TypeAlias = tuple[
    Operation,
    Block | None,
    LocationAttr,
    tuple[SSAValue, ...],
    Entries,
    Entries,
    tuple[Block, ...],
    Sequence[SSAValue],
    tuple[Attribute, ...],
    Names,
    tuple[tuple[BlockParts, ...], ...],
]


def parts_of(op: Operation) -> Parts:
    """What an operation consists of, without the operations inside of it. The parts keep all objects alive."""
    results = op.results
    return (
        op,
        op.parent,
        op.location,
        tuple(op.operands),
        (*op.properties, *op.properties.values()),
        (*op.attributes, *op.attributes.values()) if op.attributes else (),
        tuple(op.successors) if op.successor_uses else (),
        results,
        tuple([result.type for result in results]),
        tuple([result.name_hint for result in results]),
        tuple([tuple(map(_block_parts, region.blocks)) for region in op.regions]) if op.regions else (),
    )


def _block_parts(block: Block) -> BlockParts:
    arguments = block.args
    types = tuple(argument.type for argument in arguments)
    return block, block.name_hint, arguments, types, tuple(argument.name_hint for argument in arguments)


class ChangeDetector:
    """The parts of an operation and of all nested ones at one time.

    The operation is unchanged if it has the same objects in the same order: operations and blocks, operands, successors, types
    of values and names, and equal attributes and locations.
    """

    def __init__(self) -> None:
        self._parts: list[Parts] = []

    def is_unchanged(self, ops: Iterable[Operation]) -> bool:
        """Whether nothing has changed since the call before; False at the first call.

        `ops` are the operation and all nested ones, in order.
        """
        before, self._parts = self._parts, [parts_of(op) for op in ops]
        return bool(before) and self._parts == before
