"""The choice of decompositions: operations with a row stay whole; others are taken apart where torch can."""

from __future__ import annotations

import functools
from collections.abc import Mapping
from typing import Any

from .rows.table import row_of

# Without it, a constant of the model would reach a view that torch cannot trace.
_ALWAYS = frozenset({"aten.detach.default", "aten.alias.default"})


@functools.cache
def decompositions() -> Mapping[Any, Any]:
    """torch's decompositions to core ATen operations, and those of further operations, for all without a row."""
    from torch._decomp import core_aten_decompositions, global_decomposition_table

    found = {**global_decomposition_table["post_autograd"], **core_aten_decompositions()}
    return {key: each for key, each in found.items() if row_of(key) is None or str(key) in _ALWAYS}
