"""The functions of the library on traced tensors, by topic; each is also an attribute of this package, loaded at first use.

Imports `ir`, `dialects` and `frontend/tracing`. Reading order: `arguments` (axes, shapes, dtypes of arguments), `composites`
(functions that the graph keeps as calls), `scalar_functions`, `elementwise`, `creation`, `manipulation`, `reductions`,
`contractions`, `indexing`, `neural`, `random_numbers`, `gradient_marks`, `micro_ops` (hand-written index maps).

`frontend/public.py` has the same functions for arrays and lazy tensors.
"""

from __future__ import annotations

from typing import Any

from ...ir.lazy_import import load
from ..tracing.public_names import FUNCTIONS


def __getattr__(name: str) -> Any:
    place = FUNCTIONS.get(name)
    if place is None:
        raise AttributeError(f"module '{__name__}' has no attribute '{name}'")
    # Imported here: the functions themselves import this package.
    from ..tracing.bypasses import bypassed

    function = globals()[name] = bypassed(place.rpartition(":")[2], load(f"...{place}", __package__))
    return function
