"""Programs below the level of micro-ops, run by the interpreter of their level."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from xdsl.dialects.builtin import ModuleOp

from ...ir.functions.entry import entry_function
from ..boundary.signature import Signature
from .loop import run_loops
from .tile import run_tile


def run_below_uop(
    module: ModuleOp, arrays: Sequence[Any], params: Mapping[str, int], level: str, before: int | None = None
) -> list[Any]:
    """The results of a program on the level "loop", "scheduled", "cloop" or "tile", in arrays that are filled with the number
    `before` first, unless it is None. Raises what `run_loops` and `run_tile` do."""
    function = entry_function(module)
    signature = Signature.of(function)
    shapes = signature.output_shapes([params[name] for name in signature.params])
    outputs = [np.empty(shape, output.dtype.numpy) for shape, output in zip(shapes, signature.outputs, strict=True)]
    for output in outputs if before is not None else ():
        output.fill(before)
    if level == "tile":
        run_tile(module, [*arrays, *outputs], params)
    else:
        run_loops(function, [*arrays, *outputs], params)
    return outputs
