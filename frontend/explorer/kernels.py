"""The kernels of a program for the explorer's page: their loops, what each loop computes, their buffers and measured times.

A kernel is an outermost block or loop of the level "scheduled". Its entry in the page's data has

    op, end     the numbers of its first operation in the snapshot, and of the first one after it
    steps       its loops and branches in order: depth, number of the operation, kind, text, and what is done directly inside
    buffers     name, shape and element type, memory space, and how many operations read and write it
    seconds     its time a call, null where it was not measured
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from xdsl.dialects.builtin import MemRefType, ModuleOp
from xdsl.dialects.func import FuncOp
from xdsl.ir import Block, BlockArgument, Operation, SSAValue
from xdsl.traits import MemoryReadEffect, MemoryWriteEffect

from ...dialects import loop, make_context
from ...dialects.scalar_ops import IndexedOp
from ...ir.index.expressions import Index, param
from ...ir.nesting import operations
from ...ir.text.parser import parse_module
from ...ir.types.shapes import element_of, format_shape, shape_of
from ...passes.trace.snapshots import Snapshot

_RESULTS = re.compile(r"\s*(%[\w$.-]+(?:, %[\w$.-]+)*) = ")
_ARGUMENT = re.compile(r"(%[\w$.-]+): ")


def kernels_of(snapshot: Snapshot) -> list[dict[str, Any]]:
    """The kernels of a snapshot of the level "scheduled", in program order; none for a snapshot without text."""
    if snapshot.text is None:
        return []
    module = parse_module(snapshot.text, make_context())
    ops = operations(module)
    names = _Names(snapshot, ops)
    numbers = {op: number for number, op in enumerate(ops)}
    return [_kernel(op, numbers, names) for op in _outermost(module)]


def _outermost(module: ModuleOp) -> Iterator[Operation]:
    for function in module.body.block.ops:
        if isinstance(function, FuncOp):
            yield from (op for block in function.body.blocks for op in block.ops if isinstance(op, loop.BlockOp | loop.ForOp))


def _kernel(root: Operation, numbers: Mapping[Operation, int], names: _Names) -> dict[str, Any]:
    found = _Kernel(numbers, names)
    found.visit(root, 0)
    inside = operations(root)
    first = numbers[root]
    return {"op": first, "end": first + len(inside), "steps": found.steps, "buffers": _buffers(inside, names), "seconds": None}


@dataclass
class _Kernel:
    """The loops and branches of a kernel, as they are visited."""

    numbers: Mapping[Operation, int]
    names: _Names
    steps: list[list[Any]] = field(default_factory=list[list[Any]])

    def visit(self, op: Operation, depth: int) -> None:
        if isinstance(op, loop.ForOp | loop.IfOp):
            kind, text = _loop(op, self.names) if isinstance(op, loop.ForOp) else ("if", _condition(op, self.names))
            self.steps.append([depth, self.numbers[op], kind, text, _computed(op.body.block, self.names)])
            depth += 1
        elif isinstance(op, loop.BlockOp):
            schedule = {"warps": op.warps, "stages": op.stages}
            text = ", ".join(f"{each.value.data} {name}" for name, each in schedule.items() if each is not None)
            self.steps.append([depth, self.numbers[op], "block", text, _computed(op.body.block, self.names)])
            depth += 1
        for number, region in enumerate(op.regions):
            for block in region.blocks:
                if number:
                    self.steps.append([depth - 1, self.numbers[op], "else", "", _computed(block, self.names)])
                for each in block.ops:
                    self.visit(each, depth)


def _loop(op: loop.ForOp, names: _Names) -> tuple[str, str]:
    lower, upper = _named(op, names)
    step = f" step {op.step.value.data}" if op.step.value.data != 1 else ""
    extra = ""
    if op.threads is not None:
        extra = ", on threads" if op.collapsed == 1 else f", on threads with the next {op.collapsed - 1}"
    if op.tile_axis is not None and op.lanes is not None:
        extra += f", {op.lanes.value.data} lanes of axis {op.tile_axis}"
    return op.kind.data, f"{names.of(op.induction)} from {lower} to {upper}{step}{extra}"


def _condition(op: loop.IfOp, names: _Names) -> str:
    return " and ".join(f"{each} >= 0" for each in _named(op, names))


def _named(op: IndexedOp, names: _Names) -> tuple[Index, ...]:
    """The results of an operation's index map over the names of its operands."""
    at: Sequence[SSAValue] = op.at  # type: ignore[attr-defined] - an operand of every operation with a map
    return op.index_map.apply([param(names.of(value)) for value in at])


def _computed(block: Block, names: _Names) -> str:
    """The computations of the operations directly in a block, in one line."""
    loads = [names.of(op.buffer) for op in block.ops if isinstance(op, loop.LoadOp)]
    stores = [names.of(op.buffer) for op in block.ops if isinstance(op, loop.StoreOp | loop.UpdateOp)]
    functions = [op.function.data for op in block.ops if isinstance(op, loop.ComputeOp)]
    parts = [f"read {', '.join(dict.fromkeys(loads))}" if loads else "", _counted(functions)]
    parts.append(f"write {', '.join(dict.fromkeys(stores))}" if stores else "")
    return "; ".join(filter(None, parts))


def _counted(words: Sequence[str]) -> str:
    return ", ".join(word if count == 1 else f"{count} {word}" for word, count in Counter(words).items())


def _buffers(inside: Sequence[Operation], names: _Names) -> list[list[Any]]:
    """Name, type, memory space, reads and writes of each buffer, in order of first use."""
    found: dict[SSAValue, list[int]] = {}
    for op in inside:
        reads, writes = op.has_trait(MemoryReadEffect), op.has_trait(MemoryWriteEffect)
        for value in dict.fromkeys(op.operands):
            if isinstance(value.type, MemRefType) and (reads or writes):
                counts = found.setdefault(value, [0, 0])
                counts[0] += reads
                counts[1] += writes
    return [
        [names.of(value), f"{format_shape(shape_of(value))} {element_of(value)}", _space(value), *counts]
        for value, counts in found.items()
    ]


def _space(value: SSAValue) -> str:
    if isinstance(value, BlockArgument):
        return "argument"
    owner = value.owner
    if isinstance(owner, loop.AllocOp):
        return owner.space.data if owner.space is not None else "temporary"
    return "constant"


class _Names:
    """The names of values in a text, without the `%`."""

    def __init__(self, snapshot: Snapshot, ops: Sequence[Operation]):
        assert snapshot.text is not None, "names are read from a text"
        lines = snapshot.text.splitlines()
        self._names: dict[SSAValue, str] = {}
        for op, info in zip(ops, snapshot.ops, strict=True):
            line = lines[info.line - 1]
            match = _RESULTS.match(line)
            self._add(op.results, match[1].split(", ") if match is not None else [])
            for region in op.regions:
                following = lines[info.line] if info.line < len(lines) else ""
                text = line if isinstance(op, FuncOp) else following if following.lstrip().startswith("^") else ""
                if region.first_block is not None:
                    self._add(region.first_block.args, _ARGUMENT.findall(text))

    def of(self, value: SSAValue) -> str:
        return self._names.get(value, "?")

    def _add(self, values: Sequence[SSAValue], names: Sequence[str]) -> None:
        self._names.update({value: name.removeprefix("%") for value, name in zip(values, names, strict=False)})
