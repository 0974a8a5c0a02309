"""cloop-outline-tiles: in programs of several units, outline loops over register tiles into functions of the same unit.

    cloop.for %p ... {                   func.func private @f_part_0(%x) attributes {sw.part} {
      cloop.for %q ... {                   cloop.for %p ... { cloop.for %q ... { %tile = cloop.registers ... } } }
        %tile = cloop.registers   ->     func.func @f(%x, %y) {
        ... } }                            ... cloop.call @f_part_0(%x) [...] }

A tile is some hundred statements in registers, which C compilers process again for every enclosing loop: gcc is faster when the
tiles have functions of their own.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation
from xdsl.passes import ModulePass

from ...dialects import cloop
from ...dialects.cloop.registers import RegistersOp
from ...ir.functions.entry import c_functions, is_part, is_unit, mark_part
from ...ir.nesting import operations
from ..manager.options import limited
from .cloop_outline import Run, can_move, move_out


@dataclass(frozen=True)
class CloopOutlineTiles(ModulePass):
    """`levels` is the number of loops outlined together, including the one that holds the registers: one call for all tiles."""

    name = "cloop-outline-tiles"

    levels: int = limited(2, least=1)

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        functions = c_functions(op)
        if not any(map(is_unit, functions)):
            return
        for function in [each for each in functions if not is_part(each)]:
            for innermost in [each for each in operations(function.body) if _holds_registers(each)]:
                # These loops were already outlined with another tile in them.
                runs = self._runs(innermost) if function.is_ancestor(innermost) else ()
                chosen = next((run for run in runs if run.can_be_called()), None)
                if chosen is not None:
                    mark_part(move_out(chosen.statements, function))

    def _runs(self, innermost: Operation) -> Iterator[Run]:
        """The loops to outline, from outside in, each as a run of its own. Most tiles run in threads, where no callee may
        fail."""
        levels = [innermost]
        while len(levels) < self.levels and isinstance(outer := levels[-1].parent_op(), cloop.ForOp):
            levels.append(outer)
        for level in reversed(levels):
            inside = operations(level)
            if not _is_shared_by_threads(level) and can_move(inside, in_loop=True) and (block := level.parent) is not None:
                body = list(block.ops)
                at = body.index(level)
                yield Run(body, at, at + 1, len(inside))


def _holds_registers(op: Operation) -> bool:
    return isinstance(op, cloop.ForOp) and any(isinstance(each, RegistersOp) for each in op.body.block.ops)


def _is_shared_by_threads(level: Operation) -> bool:
    """Whether threads share a loop, by itself or as one of several collapsed loops."""
    if isinstance(level, cloop.ForOp) and level.threads is not None:
        return True
    outer = level.parent_op()
    while isinstance(outer, cloop.ForOp) and outer.threads is None:
        outer = outer.parent_op()
    return isinstance(outer, cloop.ForOp) and level.parent in outer.shared_blocks[:-1]
