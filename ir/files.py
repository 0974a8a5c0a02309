"""Files that are written."""

from __future__ import annotations

from pathlib import Path


def write_text(path: str | Path, text: str) -> None:
    """Write a text file in UTF-8. Raises OSError, with the file's name for a full disk too, where Python's own has none."""
    try:
        Path(path).write_text(text, encoding="utf-8")
    except OSError as error:
        error.filename = error.filename or str(path)
        raise
