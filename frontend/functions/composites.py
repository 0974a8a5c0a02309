"""Composites: functions of the library that the graph keeps as calls, such as softmax.

The body is traced once for each combination of operand types and options, into a private function of the module. Operations in
it are located in this library, called at the user's line; `inline` replaces the call by the body.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from typing import Any

from ..tracing.tensor import Tensor


def call(body: Callable[..., Any], tensors: Sequence[Tensor], *options: Hashable) -> Tensor:
    """Call the composite `body(*tensors, *options)`, which is named after its function."""
    (result,), _ = tensors[0].tracer.call(body.__name__.strip("_"), body, tensors, options)
    return result
