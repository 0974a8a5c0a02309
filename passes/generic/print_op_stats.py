"""print-op-stats: print the number of operations of each name to standard error, as MLIR's pass of this name does. The IR is
unchanged."""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

from xdsl.context import Context
from xdsl.ir import Operation

from ...ir.nesting import operations
from ..manager.registry import OperationPass


@dataclass(frozen=True)
class PrintOpStats(OperationPass):
    """Prints the number of operations of each name."""

    name = "print-op-stats"
    json: bool = False

    def apply_to(self, ctx: Context, op: Operation) -> None:
        counts = dict(sorted(Counter(each.name for each in operations(op)).items()))
        sys.stderr.write(_json(counts) if self.json else _table(counts))


def _json(counts: Mapping[str, int]) -> str:
    lines = ",\n".join(f"  {json.dumps(name)} : {count}" for name, count in counts.items())
    return f"{{\n{lines}\n}}\n"


def _table(counts: Mapping[str, int]) -> str:
    """MLIR's table, with the dots of all names aligned."""
    dialects = max((len(name.partition(".")[0]) for name in counts), default=0)
    names = max((len(name.partition(".")[2]) for name in counts), default=0)
    lines = ["Operations encountered:", "-----------------------"]
    for name, count in counts.items():
        dialect, dot, rest = name.partition(".")
        lines.append(f"  {dialect:>{dialects}}{dot}{rest:<{names}} , {count}")
    return "\n".join(lines) + "\n"
