"""Functions that are called for sizes of their own, lowered one by one before the rest of their module."""

from __future__ import annotations

from collections.abc import Callable

from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import Block

from ..ir.functions import lowered_functions, temporaries
from ..passes.manager import PassManager


class Apart:
    """The functions that have gone the rest of the way. Until `put_back` they stand in the module without what they hold: calls
    find them there, and no pass looks into them again."""

    def __init__(self) -> None:
        self._bodies: dict[FuncOp, Block] = {}

    def lower(self, module: ModuleOp, manager: PassManager, done: Callable[[FuncOp], None]) -> None:
        """Run passes on each function of a module that is called for sizes of its own, and tell `done` of what came of it."""
        for function in [each for each in lowered_functions(module) if temporaries(each) is not None]:
            place = function.next_op
            assert place is not None, "a function that is called stands in front of another one"
            function.detach()
            alone = ModuleOp([function])
            manager.run(alone)
            made = [op for op in list(alone.body.block.ops) if isinstance(op, FuncOp)]
            for op in made:
                op.detach()
                module.body.block.insert_op_before(op, place)
            for op in made:
                done(op)
            self._bodies |= {op: _hollow(op) for op in made}

    def put_back(self) -> None:
        """Give the functions back what they hold."""
        for function, body in self._bodies.items():
            function.body.detach_block(0)
            function.body.add_block(body)
        self._bodies.clear()


def _hollow(function: FuncOp) -> Block:
    body = function.body.block
    function.body.detach_block(body)
    function.body.add_block(Block([ReturnOp()], arg_types=body.arg_types))
    return body
