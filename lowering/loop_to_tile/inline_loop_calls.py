"""Calls of functions on the loop level, replaced by what these do: kernels are launched by one function."""

from __future__ import annotations

from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import SSAValue
from xdsl.rewriter import InsertPoint

from ...dialects import loop
from ...ir.functions.entry import lowered_functions
from ...ir.functions.substitution import copy_with
from ...ir.nesting import operations
from ...ir.rewrite import Builder, derive, erase


def inline_loop_calls(module: ModuleOp) -> None:
    """Put what called functions do in the place of their calls, and erase these functions."""
    called: dict[FuncOp, None] = {}
    # Those that are called stand in front of those that call them, and have no calls any more.
    for function in lowered_functions(module):
        for op in [each for each in function.body.block.ops if isinstance(each, loop.CallOp)]:
            called[op.callee] = None
            _inline(op, op.callee)
    for function in called:
        erase(function)


def _inline(call: loop.CallOp, function: FuncOp) -> None:
    values: dict[SSAValue, SSAValue] = dict(zip(function.args, call.operands, strict=True))
    places = call.places
    builder = Builder(InsertPoint.before(call))
    for op in function.body.block.ops:
        if isinstance(op, ReturnOp):
            continue
        new = copy_with(op, values, places)
        for copied, source in zip(operations(new), operations(op), strict=True):
            derive(copied, (source, call))
        builder.add(new)
    erase(call)
