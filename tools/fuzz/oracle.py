"""The oracle of a random program: its micro-ops, interpreted in float64."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from ...dialects import make_context
from ...ir.functions.entry import entry_function
from ...lowering.driver import lower
from ...runtime.interpret.uop import run_uop
from .random_programs import RandomProgram


def meaning(program: RandomProgram) -> Callable[[Sequence[Any]], list[Any]]:
    """A function that runs the program in the interpreter, on arguments of the program's shapes."""
    module = program.module.clone()
    for _ in lower(module, make_context(), "interpret"):
        pass
    function = entry_function(module)
    return lambda arguments: run_uop(function, arguments, program.params, precise=True)


def oracle(program: RandomProgram) -> list[Any]:
    """The results of the program on its arguments."""
    return meaning(program)(program.arguments)
