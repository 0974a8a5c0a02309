"""Inlining of calls on the loop level: a single function launches all kernels."""

from __future__ import annotations

from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import SSAValue
from xdsl.rewriter import InsertPoint

from ...dialects import loop
from ...ir.functions.entry import lowered_functions
from ...ir.functions.substitution import copy_with
from ...ir.rewrite import Builder, derive_copy, erase


def inline_loop_calls(module: ModuleOp) -> None:
    """Replace calls by the bodies of their callees, and erase the callees."""
    called: dict[FuncOp, None] = {}
    # Callees precede their callers in the module, so their own calls are inlined already.
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
        derive_copy(new, op, others=(call,))
        builder.add(new)
    erase(call)
