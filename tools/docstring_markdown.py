"""Docstrings as Markdown: paragraphs that are programs become blocks of code."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterator, Sequence

_ITEM = re.compile(r"- |\d+\. ")
_PROGRAM = re.compile(r"^\s*(?:%|\^|func\.|builtin\.|loop\.|cloop\.|uop\.|graph\.|tile\.|\}|[a-z]+\s*::=)|\S {3,}\S|^ {4}")


def markdown(text: str, language: str = "mlir") -> Iterator[str]:
    """The lines of a docstring as Markdown, with programs as blocks of code of a language."""
    paragraphs = [each.strip("\n") for each in re.split(r"\n\s*\n", text) if each.strip()]
    in_code = False
    for paragraph in paragraphs:
        lines = paragraph.split("\n")
        is_code = bool(_PROGRAM.search(lines[0])) and not lines[0].startswith(("|", "- ", "1. "))
        if is_code and not in_code:
            yield from ("", f"```{language}") if paragraph is not paragraphs[0] else (f"```{language}",)
        elif not is_code and in_code:
            yield "```"
        if paragraph is not paragraphs[0] and (not is_code or in_code):
            yield ""
        yield from textwrap.dedent(paragraph).split("\n") if is_code else _with_lists(lines)
        in_code = is_code
    if in_code:
        yield "```"


def _with_lists(lines: Sequence[str]) -> Iterator[str]:
    """The lines of a paragraph, with an empty line before a list, as Markdown needs it."""
    for before, line in zip(("", *lines), lines, strict=False):
        if _ITEM.match(line) and before and not _ITEM.match(before) and not before.startswith(" "):
            yield ""
        yield line
