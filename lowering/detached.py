"""Functions that are called for sizes of their own, lowered one by one before the rest of their module."""

from __future__ import annotations

from collections.abc import Callable, Collection

from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import Block

from ..ir.functions.entry import lowered_functions, temporaries
from ..passes.manager.pass_manager import PassManager


class Apart:
    """The functions that have gone the rest of the way. Until `put_back` they stand in the module without what they hold: calls
    find them there, and no pass looks into them again."""

    def __init__(self) -> None:
        self._bodies: dict[FuncOp, Block] = {}

    def lower(self, module: ModuleOp, manager: PassManager, done: Callable[[FuncOp], None]) -> None:
        """Run passes on each function of a module that is called for sizes of its own, and tell `done` of what came of it."""
        body = module.body.block
        for function in [each for each in lowered_functions(module) if temporaries(each) is not None]:
            place = function.next_op
            if place is None:  # nothing calls what stands last
                continue
            function.detach()
            # Declared, since what passes make gets names that are free in the whole module.
            others = [FuncOp.external(op.sym_name.data, [], []) for op in body.ops if isinstance(op, FuncOp)]
            alone = ModuleOp([*others, function])
            manager.run(alone)
            made = [op for op in list(alone.body.block.ops) if isinstance(op, FuncOp) and op not in others]
            for op in made:
                op.detach()
                body.insert_op_before(op, place)
            for op in made:
                done(op)
            self._bodies |= {op: _hollow(op) for op in made}

    def put_back(self) -> Collection[FuncOp]:
        """Give the functions back what they hold."""
        for function, body in self._bodies.items():
            function.body.detach_block(0)
            function.body.add_block(body)
        functions = list(self._bodies)
        self._bodies.clear()
        return functions


def _hollow(function: FuncOp) -> Block:
    body = function.body.block
    function.body.detach_block(body)
    function.body.add_block(Block([ReturnOp()], arg_types=body.arg_types))
    return body
