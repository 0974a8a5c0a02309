"""The `expand` function, which every expansion rule extends for its graph operation."""

from __future__ import annotations

from functools import singledispatch

from xdsl.ir import Operation, SSAValue

from ...passes.uop.builder import Emit


@singledispatch
def expand(op: Operation, emit: Emit) -> SSAValue:
    """Emit the micro-ops that `op` expands to, and return the value that replaces its result."""
    raise AssertionError(f"'{op.name}' has no expansion")
