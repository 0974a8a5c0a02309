"""The target "interpret": programs of micro-ops, run by the NumPy interpreter."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp

from ...ir.functions.entry import entry_function
from ..boundary.arrays import HostBoundary
from ..boundary.signature import Signature
from .uop import run_uop


class InterpretedProgram:
    """A function of micro-ops."""

    boundary = HostBoundary()

    def __init__(self, function: FuncOp, signature: Signature):
        self.function = function
        self.signature = signature

    def run(self, arrays: Sequence[Any], values: Sequence[int]) -> list[Any]:
        """The results, for contiguous arrays and the values of the signature's parameters, each in memory of its own."""
        results = run_uop(self.function, arrays, dict(zip(self.signature.params, values, strict=True)))
        return [np.array(each, order="C") for each in results]


def interpreted_program(module: ModuleOp, target: str, signature: Signature, edit: Any) -> InterpretedProgram:
    """The program of a module of micro-ops. There is no source to edit."""
    return InterpretedProgram(entry_function(module), signature)
