"""Which integers a function takes besides its arguments."""

from __future__ import annotations

from xdsl.dialects.builtin import ArrayAttr, MemRefType, StringAttr, TensorType
from xdsl.dialects.func import FuncOp

from .shapes import shape_of, shape_params


def function_params(function: FuncOp) -> tuple[str, ...]:
    """Names of a function's parameters: the sizes of its arguments, then its declared `$params` (`sw.params`)."""
    shapes = [shape_of(arg) for arg in function.args if isinstance(arg.type, TensorType | MemRefType)]
    declared = function.attributes.get("sw.params")
    names = [name.data for name in declared if isinstance(name, StringAttr)] if isinstance(declared, ArrayAttr) else []
    if "sw.inputs" in function.attributes:
        return tuple(names)
    return tuple(dict.fromkeys((*shape_params(shapes), *names)))
