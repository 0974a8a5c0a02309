"""`--print-cost`: the predicted cost of a module of scheduled loops."""

from __future__ import annotations

from collections.abc import Mapping

from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation

from ...dialects import loop
from ...frontend.lowered.memory import bind_sizes
from ...frontend.reports.costs import ProgramCost, program_cost
from ...ir.diagnostics import CompileError
from ...ir.functions.entry import entry_function, function_params
from ...ir.locations import Frame, frames
from ...runtime.toolchain.host import named_machine


def cost_of(module: ModuleOp, sizes: str, machine: str) -> ProgramCost:
    """The cost of a module for sizes such as `n=4096,m=1024`. Raises CompileError for a module without loops, and for sizes
    that are malformed, missing or unknown."""
    if not any(isinstance(op, loop.BlockOp) for op in module.walk()):
        raise CompileError("--print-cost: expected blocks of scheduled loops, as --emit=scheduled gives them")
    try:
        values = bind_sizes(function_params(entry_function(module)), _parsed(sizes), {})
    except (TypeError, ValueError) as error:
        raise CompileError(f"--print-cost: {error}") from error
    return program_cost(module, values, named_machine(machine), 1, _line_of)


def _parsed(sizes: str) -> Mapping[str, int]:
    found: dict[str, int] = {}
    for part in filter(None, sizes.split(",")):
        name, equals, value = part.partition("=")
        if not equals or not value.isdecimal():
            raise ValueError(f"expected sizes such as n=4096,m=1024, got '{part}'")
        if name in found:
            raise ValueError(f"the size '{name}' is given twice")
        found[name] = int(value)
    return found


def _line_of(op: Operation) -> Frame | None:
    return next(iter(frames(op.location)), None)
