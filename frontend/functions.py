"""Every function of the library as an attribute, found when it is first used: the files by topic need not know each other."""

from __future__ import annotations

from typing import Any

from ..ir.loading import load
from .exports import FUNCTIONS


def __getattr__(name: str) -> Any:
    place = FUNCTIONS.get(name)
    if place is None:
        raise AttributeError(f"module '{__name__}' has no attribute '{name}'")
    return load(f"..{place}", __package__)
