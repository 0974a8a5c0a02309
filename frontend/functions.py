"""Every function of the library on traced tensors, as an attribute, loaded when it is first used.

Functions for arrays and lazy tensors, of the same names, are those of `public.py`.
"""

from __future__ import annotations

from typing import Any

from ..ir.lazy_import import load
from .exports import FUNCTIONS


def __getattr__(name: str) -> Any:
    place = FUNCTIONS.get(name)
    if place is None:
        raise AttributeError(f"module '{__name__}' has no attribute '{name}'")
    function = globals()[name] = load(f"..{place}", __package__)
    return function
