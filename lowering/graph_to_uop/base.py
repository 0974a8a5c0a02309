"""How graph operations become micro-ops: the function that every rule extends."""

from __future__ import annotations

from functools import singledispatch

from xdsl.ir import Operation, SSAValue

from ...passes.uop.builder import Emit


@singledispatch
def expand(op: Operation, emit: Emit) -> SSAValue:
    """Emit the micro-ops that `op` stands for; the value that takes the place of its result."""
    raise AssertionError(f"'{op.name}' has no expansion")
