"""cse: merge equal operations without effects; the remaining one has the sources of all of them.

Unused operations without effects are erased first: otherwise the operations that they are merged into would get their sources.

%1 = arith.addi %a, %b loc("x.py":1:1)        %1 = arith.addi %a, %b loc(fused["x.py":1:1, "x.py":2:1])
%2 = arith.addi %a, %b loc("x.py":2:1)   ->   %3 = arith.muli %1, %1
%3 = arith.muli %1, %2
"""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.ir import Operation, Region
from xdsl.traits import MemoryEffectKind, RecursiveMemoryEffect, get_effects
from xdsl.transforms.common_subexpression_elimination import CSEDriver
from xdsl.transforms.dead_code_elimination import is_trivially_dead

from ...ir.debug_counters import may_rewrite
from ...ir.rewrite import absorb, count, erase
from ..manager.registry import OperationPass


@dataclass(frozen=True)
class CSE(OperationPass):
    """Eliminates common subexpressions."""

    name = "cse"

    def apply_to(self, ctx: Context, op: Operation) -> None:
        for region in op.regions:
            _erase_dead(region)
            _Driver().simplify(region)


def _erase_dead(region: Region) -> None:
    """Erase operations whose results are unused, users before their operands."""
    for block in reversed(region.blocks):
        for op in reversed(list(block.ops)):
            if op.results and is_trivially_dead(op):
                erase(op)
                count("num-dce'd", "Number of operations DCE'd")
                continue
            for inner in op.regions:
                _erase_dead(inner)


class _Driver(CSEDriver):
    """xDSL's driver, which also records merges and erasures, and computes the effects of nested operations once instead of for
    each enclosing loop."""

    def __init__(self):
        super().__init__()
        self._writing: set[Operation] = set()

    def _simplify_operation(self, op: Operation) -> None:
        # Operations with write effects, their own or (for recursive effects) of their bodies, are neither dead nor equal.
        if op not in self._writing and (op.regions or not _may_write(op)):
            super()._simplify_operation(op)
        elif (around := op.parent_op()) is not None and around.has_trait(RecursiveMemoryEffect):
            self._writing.add(around)

    def _replace_and_delete(self, op: Operation, existing: Operation) -> None:
        if not may_rewrite(op):
            return
        super()._replace_and_delete(op, existing)
        if op not in self._to_erase:
            return
        count("num-cse'd", "Number of operations CSE'd")
        # Equal operations have equal regions: merge their operations pairwise.
        for keep, gone in zip(existing.walk(), op.walk(), strict=True):
            absorb(keep, gone)

    def _commit_erasures(self) -> None:
        for op in self._to_erase:
            if op.parent is not None:
                erase(op)


def _may_write(op: Operation) -> bool:
    effects = get_effects(op)
    return effects is None or any(effect.kind is MemoryEffectKind.WRITE for effect in effects)
