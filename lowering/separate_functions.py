"""Separate lowering of outlined functions: each is lowered to C level by itself, before the remainder of its module."""

from __future__ import annotations

from collections.abc import Callable, Collection

from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import Block

from ..ir.functions.entry import lowered_functions, temporaries
from ..passes.manager.pass_manager import PassManager


class SeparateFunctions:
    """Functions that have been lowered to the last level separately. Until `reattach` the module holds these functions with
    empty bodies: calls resolve to them, and later passes do not process them again."""

    def __init__(self) -> None:
        self._bodies: dict[FuncOp, Block] = {}

    def lower(self, module: ModuleOp, manager: PassManager, done: Callable[[FuncOp], None]) -> None:
        """Run passes on each outlined function (one with its own size arguments), and report each result to `done`."""
        body = module.body.block
        for function in [each for each in lowered_functions(module) if temporaries(each) is not None]:
            successor = function.next_op
            if successor is None:  # the last function has no caller
                continue
            function.detach()
            # Declare the other functions: passes then choose names that are unused in the whole module.
            others = [FuncOp.external(op.sym_name.data, [], []) for op in body.ops if isinstance(op, FuncOp)]
            alone = ModuleOp([*others, function])
            manager.run(alone)
            made = [op for op in list(alone.body.block.ops) if isinstance(op, FuncOp) and op not in others]
            for op in made:
                op.detach()
                body.insert_op_before(op, successor)
            for op in made:
                done(op)
            self._bodies |= {op: _take_body(op) for op in made}

    def reattach(self) -> Collection[FuncOp]:
        """Restore the bodies of the functions, and return these functions."""
        for function, body in self._bodies.items():
            function.body.detach_block(0)
            function.body.add_block(body)
        functions = list(self._bodies)
        self._bodies.clear()
        return functions


def _take_body(function: FuncOp) -> Block:
    """Replace the function's body by a bare return, and return the body."""
    body = function.body.block
    function.body.detach_block(body)
    function.body.add_block(Block([ReturnOp()], arg_types=body.arg_types))
    return body
