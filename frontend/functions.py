"""Every function of the library as an attribute, in its public form, found when it is first used.

The files by topic need not know each other, and know traced tensors alone.
"""

from __future__ import annotations

from typing import Any

from ..ir.lazy_import import load
from .exports import FUNCTIONS


def __getattr__(name: str) -> Any:
    place = FUNCTIONS.get(name)
    if place is None:
        raise AttributeError(f"module '{__name__}' has no attribute '{name}'")
    # Imported here, as it needs functions itself.
    from .lazy import lazily

    found = load(f"..{place}", __package__)
    function = globals()[name] = found if place.startswith("frontend.lazy:") else lazily(found)
    return function
