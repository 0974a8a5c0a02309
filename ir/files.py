"""Files that are written."""

from __future__ import annotations

from pathlib import Path


def write_text(path: str | Path, text: str) -> None:
    """Write a text file in UTF-8. Raises OSError with the file's name, also for a full disk, where Python's own error lacks the
    name."""
    try:
        Path(path).write_text(text, encoding="utf-8")
    except OSError as error:
        error.filename = error.filename or str(path)
        raise
