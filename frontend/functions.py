"""Every function of the library as an attribute, found when it is first used: the files by topic need not know each other."""

from __future__ import annotations

import importlib
from typing import Any

from .exports import FUNCTIONS


def __getattr__(name: str) -> Any:
    place = FUNCTIONS.get(name)
    if place is None:
        raise AttributeError(f"module '{__name__}' has no attribute '{name}'")
    module, _, attribute = place.removeprefix("frontend").partition(":")
    return getattr(importlib.import_module(module, __package__), attribute)
