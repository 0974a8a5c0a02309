"""The choice of decompositions: operations with a row stay whole; torch decomposes the others where it can."""

from __future__ import annotations

import functools
from collections.abc import Mapping
from typing import Any

from .rows.table import row_of

# Without the decomposition of `detach`, and with those of `alias` and `lift`, constants of the model reach views that torch
# cannot trace. Those of `complex` and `polar` write into views of dtypes that Stepwell lacks.
_ALWAYS = frozenset({"aten.detach.default"})
_NEVER = frozenset(f"aten.{name}.default" for name in ("alias", "lift", "lift_fresh", "complex", "polar"))


@functools.cache
def decompositions() -> Mapping[Any, Any]:
    """torch's decompositions to core ATen operations, and those of further operations, for all without a row."""
    from torch._decomp import core_aten_decompositions, global_decomposition_table

    found = {**global_decomposition_table["post_autograd"], **core_aten_decompositions()}
    return {key: each for key, each in found.items() if _is_chosen(key)}


def _is_chosen(operation: Any) -> bool:
    name = str(operation)
    return name in _ALWAYS or (name not in _NEVER and row_of(operation) is None)
