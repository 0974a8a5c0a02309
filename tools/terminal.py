"""Output for a terminal: lines cut to its width, in colours; plain and uncut if the output is piped."""

from __future__ import annotations

import os
import re
import shutil
import sys
from types import MappingProxyType

_CODES = MappingProxyType({"strong": "1", "soft": "2", "red": "31", "green": "32", "yellow": "33", "blue": "34", "cyan": "36"})
_ESCAPE = re.compile(r"\x1b\[[0-9;]*m")


class Terminal:
    """Standard output. Colours are off when it is piped, and when `NO_COLOR` is set."""

    def __init__(self) -> None:
        self._is_live = sys.stdout.isatty()
        self._colors = self._is_live and "NO_COLOR" not in os.environ
        self._width = shutil.get_terminal_size().columns if self._is_live else None

    def paint(self, text: str, style: str) -> str:
        """The text in a style: strong, soft, or the name of a colour."""
        return f"\x1b[{_CODES[style]}m{text}\x1b[0m" if self._colors and text else text

    def row(self, text: str) -> None:
        """Print one line; a line that is too wide is cut, with an ellipsis."""
        print(text if self._width is None else cut(text, self._width))


def cut(text: str, width: int) -> str:
    """A text of at most `width` characters; escape sequences do not count."""
    if len(_ESCAPE.sub("", text)) <= width:
        return text
    room, parts = max(width - 1, 0), list[str]()
    for part in re.split(r"(\x1b\[[0-9;]*m)", text):
        if _ESCAPE.fullmatch(part):
            parts.append(part)
            continue
        parts.append(part[:room])
        room -= len(parts[-1])
    return "".join(parts) + "…"
