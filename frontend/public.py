"""Every function of the library in its public form, as an attribute, made when it is first used.

Inside of a trace a public function is the one on traced tensors (`functions.py`), outside of it it gives lazy tensors.
"""

from __future__ import annotations

from typing import Any

from .lazy import public


def __getattr__(name: str) -> Any:
    return public(name)
