"""Identifiers of emitted code: `sw_<number>`, with a sanitised hint behind it.

No name from outside becomes part of a program as it is, so none can clash with a keyword, a macro or another name.
"""

from __future__ import annotations

import re

LONGEST_HINT = 32


class Names:
    """Makes identifiers, each one once."""

    def __init__(self):
        self.count = 0

    def make(self, hint: str = "") -> str:
        """`sw_<number>_<hint>`, keeping only ASCII letters and digits of the hint."""
        cleaned = re.sub(r"[^A-Za-z0-9]+", "_", hint, flags=re.ASCII).strip("_")[:LONGEST_HINT]
        self.count += 1
        return f"sw_{self.count}_{cleaned}" if cleaned else f"sw_{self.count}"
