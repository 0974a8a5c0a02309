"""The public form of every library function, as an attribute made at first use.

Inside of a trace a public function is the function of `frontend/functions`; outside of traces it returns lazy tensors.
"""

from __future__ import annotations

from typing import Any

from .lazy import public


def __getattr__(name: str) -> Any:
    return public(name)
