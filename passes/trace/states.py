"""States of a module: the parts of all of its operations, from which an earlier module is built again.

A state costs little more than a traversal, while printing a module takes longer than most passes: a trace keeps states, and
prints only those that are read.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, cast

from xdsl.ir import Attribute, Block, Operation, Region, SSAValue

from ...ir.change_detection import BlockParts, Entries, Names, Parts, State


class _Copy(NamedTuple):
    """The copy of an operation, and the results and their types when it was made."""

    op: Operation
    results: Sequence[SSAValue]
    types: Sequence[Attribute]


class Replay:
    """Builds the states of a module again, one at a time. The copy of an operation stays the same object from state to state,
    so that its printed text can be reused."""

    def __init__(self) -> None:
        self._loaded: State | None = None
        self._ops: list[Operation] = []
        self._copies: dict[Operation, _Copy] = {}
        self._blocks: dict[Block, Block] = {}
        self._values: dict[SSAValue, SSAValue] = {}

    def load(self, state: State) -> list[Operation]:
        """All operations of the module in a state, in order: copies, valid until another state is loaded."""
        if state is not self._loaded:
            self._ops = [self._copy(parts) for parts in state]
            self._drop_others({parts[0] for parts in state})
            for op, parts in zip(self._ops, state, strict=True):
                self._fill_regions(op, parts[-1])
            for op, parts in zip(self._ops, state, strict=True):
                self._set(op, parts)
            self._loaded = state
        return self._ops

    def _copy(self, parts: Parts) -> Operation:
        """The copy of an operation, outside of any block."""
        op, *_, results, types, _, regions = parts
        known = self._copies.get(op)
        if known is not None:
            _detach(known.op)
            if known.results == results and known.types == types and len(known.op.regions) == len(regions):
                return known.op
            known.op.operands = ()
        copy = op.create(result_types=types, regions=[Region() for _ in regions])
        self._copies[op] = _Copy(copy, results, types)
        self._values.update(zip(results, copy.results, strict=True))
        return copy

    def _drop_others(self, kept: set[Operation]) -> None:
        """Forget the copies of operations that are not `kept`, with their uses of values."""
        for op in self._copies.keys() - kept:
            copy = self._copies.pop(op).op
            _detach(copy)
            copy.operands = ()
            copy.successors = ()

    def _fill_regions(self, op: Operation, regions: Sequence[Sequence[BlockParts]]) -> None:
        for region, blocks in zip(op.regions, regions, strict=True):
            for block in list(region.blocks):
                region.detach_block(block)
            for block, hint, arguments, types, hints in blocks:
                copy = self._blocks[block] = Block(arg_types=types)
                copy.name_hint = hint
                self._values.update(zip(arguments, copy.args, strict=True))
                _name(copy.args, hints)
                region.add_block(copy)

    def _set(self, copy: Operation, parts: Parts) -> None:
        """Put a copy into its block, and set all of its parts."""
        _, parent, location, operands, properties, attributes, successors, _, _, hints, _ = parts
        if parent is not None:
            self._blocks[parent].add_op(copy)
        copy.location = location
        copy.operands = tuple(self._values[operand] for operand in operands)
        copy.properties, copy.attributes = _mapping(properties), _mapping(attributes)
        copy.successors = tuple(self._blocks[successor] for successor in successors)
        _name(copy.results, hints)


def _detach(op: Operation) -> None:
    if op.parent is not None:
        op.detach()


def _name(values: Sequence[SSAValue], hints: Names) -> None:
    for value, hint in zip(values, hints, strict=True):
        value.name_hint = hint


def _mapping(entries: Entries) -> dict[str, Attribute]:
    half = len(entries) // 2
    keys, values = cast("tuple[str, ...]", entries[:half]), cast("tuple[Attribute, ...]", entries[half:])
    return dict(zip(keys, values, strict=True))
