"""Import of objects by their "module:attribute": tables contain these names as text, and import only those in use."""

from __future__ import annotations

import importlib
from typing import Any


def load(place: str, package: str | None) -> Any:
    """The object at `place`, "module:attribute", or the module itself without an attribute.

    A module that begins with dots is relative to `package`. Raises ImportError and AttributeError as an import does.
    """
    module, _, attribute = place.partition(":")
    loaded = importlib.import_module(module, package)
    return getattr(loaded, attribute) if attribute else loaded
