"""States of a module: the parts of all of its operations. Two states tell whether a module has changed, so that results
computed for it can be reused; one state suffices to build the module again."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

from xdsl.dialects.builtin import LocationAttr
from xdsl.ir import Attribute, Block, BlockArgument, Operation, SSAValue

from .nesting import operands_of

# The keys of a mapping, and then its values.
Entries: TypeAlias = tuple[str | Attribute, ...]
Names: TypeAlias = tuple[str | None, ...]
# A block with its name, and its arguments with their types and names.
BlockParts: TypeAlias = tuple[Block, str | None, tuple[BlockArgument, ...], tuple[Attribute, ...], Names]
# The parts of an operation: itself, its block, location, operands, properties, attributes, successors, results with their types
# and names, and the blocks of each region. A plain tuple, since there is one for each operation after each pass.
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
# The parts of all operations of a module, in order.
State: TypeAlias = Sequence[Parts]


def state_of(ops: Sequence[Operation], before: State = ()) -> State:
    """The state of a module, given all of its operations in order. If nothing has changed since `before`, it is the same
    object. Otherwise it shares the parts of unchanged operations with `before`: those whose operations and blocks, operands,
    successors, types of values and names are the same objects in the same order, and whose attributes and locations are
    equal."""
    return shared([parts_of(op) for op in ops], before)


def shared(state: State, before: State) -> State:
    """A state or parts of one: the equal object of an earlier state, if there is one."""
    if state == before:
        return before
    known = {parts[0]: parts for parts in before}
    return [same if (same := known.get(parts[0])) is not None and same == parts else parts for parts in state]


def parts_of(op: Operation) -> Parts:
    """The parts of an operation, without the operations in its regions. The parts keep all objects alive."""
    results, properties, attributes = op.results, op.properties, op.attributes
    return (
        op,
        op.parent,
        op.location,
        operands_of(op),
        (*properties, *properties.values()) if properties else (),
        (*attributes, *attributes.values()) if attributes else (),
        tuple(op.successors) if op.successor_uses else (),
        results,
        tuple([result.type for result in results]),
        tuple([result.name_hint for result in results]),
        tuple([tuple(map(_block_parts, region.blocks)) for region in op.regions]) if op.regions else (),
    )


def _block_parts(block: Block) -> BlockParts:
    arguments = block.args
    types = tuple([argument.type for argument in arguments])
    return block, block.name_hint, arguments, types, tuple([argument.name_hint for argument in arguments])
