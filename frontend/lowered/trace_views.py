"""`sw.trace`: views of the IR grouped by source, and searches between tagged operations.

    def layer(x, w):
        y = sw.tanh(x @ w)
        sw.trace.collect(y, [x, w])                     # the operations from the arguments to y
        sw.trace.fill(y, [x, w], "layers.toml:12")      # those without a source come from this line
        return y

Nodes are operations or SSA values of the IR, and tensors inside of a function that is being traced.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any

from xdsl.dialects.builtin import LocationAttr
from xdsl.ir import Operation, SSAValue

from ...ir.locations import Frame, file_location, function_location
from ...passes.trace import tagging
from ...passes.trace.outlined_view import inline, outline
from ..tracing.tensor import Tensor

__all__ = ["collect", "fill", "inline", "outline"]

# An operation, a value, or a tensor of a traced function.
Node = Operation | SSAValue | Tensor
Source = LocationAttr | Frame | str | Callable[..., Any]
_PLACE = re.compile(r"(.+?):(\d+)(?::(\d+))?")


def collect(entry: Node, inputs: Sequence[Node]) -> list[Operation]:
    """The operations from `entry` back to `inputs`, without duplicates, definitions before uses; `inputs` included.

    Raises TypeError for an object that is not a node, a tensor outside of a traced function included.
    """
    return tagging.collect(_node("entry", entry), _nodes(inputs))


def fill(entry: Node, inputs: Sequence[Node], source: Source) -> list[Operation]:
    """Give the operations from `entry` back to `inputs`, except the inputs themselves, the location `source`.

    `source` is a position as text ("layers.toml:12", with a column if wanted), a `Frame`, a Python function (its definition),
    or a location of the IR. An operation that has a location keeps it, and ends the backward traversal. Returns the operations
    that were tagged. Raises TypeError as `collect` does and for another source, ValueError for text without a line number.
    """
    return tagging.fill(_node("entry", entry), _nodes(inputs), _location(source))


def _nodes(inputs: Sequence[Node]) -> list[Operation | SSAValue]:
    if isinstance(inputs, Tensor | Operation | SSAValue):
        raise TypeError(f"inputs: expected a list of nodes, got one {type(inputs).__name__}")
    return [_node(f"inputs[{k}]", each) for k, each in enumerate(inputs)]


def _node(name: str, node: Any) -> Operation | SSAValue:
    if isinstance(node, Operation | SSAValue):
        return node
    if not isinstance(node, Tensor):
        raise TypeError(f"{name}: expected an operation, a value or a tensor, got {type(node).__name__}")
    try:
        return node.value
    except RuntimeError as error:
        raise TypeError(f"{name}: a tensor has operations only inside of a function that is being traced") from error


def _location(source: Any) -> LocationAttr:
    if isinstance(source, LocationAttr):
        return source
    if isinstance(source, Frame):
        return file_location(*source)
    if isinstance(source, str):
        match = _PLACE.fullmatch(source)
        if match is None:
            raise ValueError(f"source: expected a position such as 'layers.toml:12', got '{source}'")
        return file_location(match[1], int(match[2]), int(match[3] or 1))
    found = function_location(source) if callable(source) else None
    if found is None:
        raise TypeError(f"source: expected a position, a function of Python or a location, got {type(source).__name__}")
    return found
