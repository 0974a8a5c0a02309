"""Identifiers of emitted code: `sw_<number>` and a sanitised name hint.

Users' names are never emitted verbatim, so that they cannot clash with keywords, macros or each other.
"""

from __future__ import annotations

import re

LONGEST_HINT = 32


class Names:
    """Generator of unique identifiers."""

    def __init__(self):
        self.count = 0

    def make(self, hint: str = "") -> str:
        """`sw_<number>_<hint>`, keeping only ASCII letters and digits of the hint."""
        cleaned = re.sub(r"[^A-Za-z0-9]+", "_", hint, flags=re.ASCII).strip("_")[:LONGEST_HINT]
        self.count += 1
        return f"sw_{self.count}_{cleaned}" if cleaned else f"sw_{self.count}"
