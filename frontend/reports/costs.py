"""The predicted cost of a program as a table: the operations, bytes and time of each block, by source line."""

from __future__ import annotations

import html
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation

from ...ir.locations import Frame
from ...lowering.machine import Machine, processor
from ...passes.analysis.execution_cost import Cost, block_costs

# A function that gives the source line of an operation, None if it has none.
LineOf = Callable[[Operation], Frame | None]


class BlockCost(NamedTuple):
    """A block of loops: scalar operations on floats, bytes moved from each level of the memory ("L1", "L2", "L3", "memory"),
    seconds, what bounds them ("arithmetic", or a level), and the share of each source line."""

    number: int
    flops: float
    bytes: Mapping[str, float]
    seconds: float
    bound: str
    lines: Mapping[Frame, float]


@dataclass(frozen=True)
class ProgramCost:
    """The predicted cost of a program: the cost of each block, in the order of execution, and `call`, the seconds of the call
    itself. Printing it gives a table."""

    blocks: tuple[BlockCost, ...]
    sizes: Mapping[str, int]
    threads: int
    call: float

    @property
    def seconds(self) -> float:
        """The time of the call with all blocks."""
        return self.call + sum(each.seconds for each in self.blocks)

    @property
    def flops(self) -> float:
        """The scalar operations on floats of all blocks together."""
        return sum(each.flops for each in self.blocks)

    @property
    def bytes(self) -> dict[str, float]:
        """The bytes that all blocks together move from each level of the memory."""
        levels = self.blocks[0].bytes if self.blocks else {}
        return {level: sum(each.bytes[level] for each in self.blocks) for level in levels}

    def by_line(self) -> dict[tuple[str, int], float]:
        """The seconds of each source line, in descending order. The time of a block that computes several lines is divided in
        proportion to how often the statements of each line run."""
        found: dict[tuple[str, int], float] = {}
        for block in self.blocks:
            for frame, share in block.lines.items():
                found[frame.in_file] = found.get(frame.in_file, 0.0) + block.seconds * share
        return dict(sorted(found.items(), key=lambda each: -each[1]))

    def __str__(self) -> str:
        sizes = ", ".join(f"{name} = {size}" for name, size in self.sizes.items())
        heads = ["block", "us", "bound by", "Mflop", *(f"{level}, MB" for level in self.bytes if level != "L1"), "lines"]
        rows = [heads, *(_cells(block) for block in self.blocks)]
        widths = [max(len(row[k]) for row in rows) for k in range(len(heads) - 1)]
        lines = ["  ".join([*(cell.rjust(width) for cell, width in zip(row, widths, strict=False)), row[-1]]) for row in rows]
        threads = f"{self.threads} thread{'' if self.threads == 1 else 's'}"
        total = f"{self.seconds * 1e6:.1f} us predicted, {threads}{', ' if sizes else ''}{sizes}"
        return "\n".join([total, *lines])

    def _repr_html_(self) -> str:
        """The table, for notebooks."""
        return f"<pre>{html.escape(str(self))}</pre>"


def _cells(block: BlockCost) -> list[str]:
    moved = [f"{amount / 1e6:.2f}" for level, amount in block.bytes.items() if level != "L1"]
    places = list(dict.fromkeys(f"{Path(frame.file).name}:{frame.line}" for frame in block.lines))
    return [str(block.number), f"{block.seconds * 1e6:.1f}", block.bound, f"{block.flops / 1e6:.2f}", *moved, " ".join(places)]


def program_cost(module: ModuleOp, sizes: Mapping[str, int], machine: Machine, threads: int, line_of: LineOf) -> ProgramCost:
    """The predicted cost of a scheduled module on a machine. Raises TypeError and ValueError as `Lowered.cost` does."""
    if threads < 1:
        raise ValueError(f"expected at least one thread, got {threads}")
    numbers = processor(machine)
    costs = block_costs(module, sizes, numbers, threads)
    blocks = tuple(_block(number, cost, line_of) for number, cost in enumerate(costs))
    return ProgramCost(blocks, dict(sizes), threads, numbers.call / numbers.cycles)


def joined(parts: Sequence[ProgramCost], sizes: Mapping[str, int], threads: int) -> ProgramCost:
    """The cost of programs that run one after the other."""
    blocks = [block for part in parts for block in part.blocks]
    numbered = tuple(block._replace(number=number) for number, block in enumerate(blocks))
    return ProgramCost(numbered, dict(sizes), threads, sum(part.call for part in parts))


def _block(number: int, cost: Cost, line_of: LineOf) -> BlockCost:
    weights: dict[Frame, float] = {}
    for op, runs in cost.runs.items():
        frame = line_of(op)
        if frame is not None:
            weights[frame] = weights.get(frame, 0.0) + runs
    whole = sum(weights.values())
    shares = {frame: weight / whole for frame, weight in sorted(weights.items(), key=lambda each: -each[1])}
    return BlockCost(number, cost.flops, cost.bytes, cost.seconds, cost.bound, shares)
