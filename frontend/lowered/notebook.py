"""The display of tensors, jitted functions and lowered programs in notebooks: small HTML, with every text of a program
escaped."""

from __future__ import annotations

import html
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

# The most rows and columns of a matrix that are shown, and the most lines of a level.
ROWS, COLUMNS, LINES = 10, 10, 400


def tensor_html(array: Any, dtype: object) -> str:
    """A caption with shape and dtype, and the elements: a table of the first and last ones if there are at most two axes, else
    text."""
    shape = " x ".join(map(str, array.shape)) or "scalar"
    caption = f"<b>Tensor</b> {shape} {html.escape(str(dtype))}"
    if array.ndim > 2 or not array.size:
        return f"<div>{caption}</div><pre>{html.escape(np.array2string(array, threshold=100))}</pre>"
    return f"<div>{caption}</div>{_table(np.atleast_2d(array))}"


def jitted_html(name: str, target: str, stats: Mapping[str, int]) -> str:
    """The function's name and target, and how often it was compiled and called."""
    counts = ", ".join(f"{count} {what}" for what, count in stats.items())
    return f"<div><b>jitted function</b> <code>{html.escape(name)}</code> for {html.escape(target)}: {counts}</div>"


def levels_html(name: str, target: str, levels: Iterable[tuple[str, str]], rewrites: Mapping[str, int]) -> str:
    """The text of each level, folded."""
    parts = [f"<div><b>lowered program</b> <code>{html.escape(name)}</code> for {html.escape(target)}</div>"]
    if rewrites:
        fired = ", ".join(f"{html.escape(rule)}: {count}" for rule, count in rewrites.items())
        parts.append(f"<div>rewrite rules: {fired}</div>")
    for level, text in levels:
        lines = text.splitlines()
        shown = "\n".join(lines[:LINES])
        more = f"\n... {len(lines) - LINES} more lines: low.ir({level!r}) or low.explore(path)" if len(lines) > LINES else ""
        parts.append(
            f"<details><summary>{html.escape(level)} ({len(lines)} lines)</summary>"
            f"<pre style='max-height: 30em; overflow: auto'>{html.escape(shown + more)}</pre></details>"
        )
    return "".join(parts)


def _table(matrix: Any) -> str:
    rows, columns = _shown(matrix.shape[0], ROWS), _shown(matrix.shape[1], COLUMNS)
    lines = ("".join(f"<td>{_cell(matrix, row, column)}</td>" for column in columns) for row in rows)
    return f"<table style='font-family: monospace'>{''.join(f'<tr>{line}</tr>' for line in lines)}</table>"


def _cell(matrix: Any, row: int | None, column: int | None) -> str:
    if row is None or column is None:
        return "&hellip;"
    return html.escape(np.array2string(np.asarray(matrix[row, column]), precision=4))


def _shown(count: int, most: int) -> Sequence[int | None]:
    """The numbers of the first and last ones, with None for those between."""
    if count <= most:
        return range(count)
    half = most // 2
    return [*range(half), None, *range(count - half, count)]
